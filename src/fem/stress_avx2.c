// stress_avx2.c: loops over stresses for machines with AVX2; same bits as the portable ones.

#define FR_STRESS_NAME fr_fem_stress_avx2
#include "fem/stress_loop.h"
