// moment_avx2.c: integrals of multipoles for machines with AVX2; same bits as the portable ones.

#define FR_MOMENTS fr_moments_avx2
#include "air/moment_loop.h"
