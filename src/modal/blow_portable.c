// blow_portable.c: steps of the modes of a blow, for every processor.
#define FR_BLOW_REACH fr_blow_reach_portable
#define FR_BLOW_STEP fr_blow_step_portable
#include "modal/blow_loop.h"
