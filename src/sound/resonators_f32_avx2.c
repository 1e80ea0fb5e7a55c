// resonators_f32_avx2.c: modes in floats, for machines with AVX2.

#define FR_RESONATORS_RUN fr_resonators_f32_avx2
#define REAL float
#define BITS int32_t
#define LANES 8
#define TINY 1e-15f
#include "sound/resonators_loop.h"
