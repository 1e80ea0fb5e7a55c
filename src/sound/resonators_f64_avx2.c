// resonators_f64_avx2.c: modes in doubles, for machines with AVX2.

#define FR_RESONATORS_RUN fr_resonators_f64_avx2
#define REAL double
#define BITS int64_t
#define LANES 4
#define TINY 1e-60
#include "sound/resonators_loop.h"
