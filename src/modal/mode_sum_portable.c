// mode_sum_portable.c: sums of modes, for any machine.

#define FR_MODE_SUM fr_mode_sum_portable
#include "modal/mode_sum_loop.h"
