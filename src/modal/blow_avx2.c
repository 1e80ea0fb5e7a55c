// blow_avx2.c: steps of the modes of a blow, with AVX2.
#define FR_BLOW_REACH fr_blow_reach_avx2
#define FR_BLOW_STEP fr_blow_step_avx2
#include "modal/blow_loop.h"
