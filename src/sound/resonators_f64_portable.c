// resonators_f64_portable.c: modes in doubles, for any machine.

#define FR_RESONATORS_RUN fr_resonators_f64_portable
#define REAL double
#define BITS int64_t
#define LANES 4
#define TINY 1e-60
#include "sound/resonators_loop.h"
