// resonators_f32_portable.c: modes in floats, for any machine.

#define FR_RESONATORS_RUN fr_resonators_f32_portable
#define REAL float
#define BITS int32_t
#define LANES 8
#define TINY 1e-15f
#include "sound/resonators_loop.h"
