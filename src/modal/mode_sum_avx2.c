// mode_sum_avx2.c: sums of modes for machines with AVX2; same bits as the portable ones.

#define FR_MODE_SUM fr_mode_sum_avx2
#include "modal/mode_sum_loop.h"
