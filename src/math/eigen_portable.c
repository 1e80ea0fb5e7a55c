// eigen_portable.c: four symmetric eigenproblems at once, for every processor.
#define FR_EIGEN_FOUR fr_eigen_four_portable
#include "math/eigen_loop.h"
