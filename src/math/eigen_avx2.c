// eigen_avx2.c: four symmetric eigenproblems at once, with AVX2.
#define FR_EIGEN_FOUR fr_eigen_four_avx2
#include "math/eigen_loop.h"
