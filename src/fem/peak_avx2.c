// peak_avx2.c: the peak loops, with AVX2.

#define FR_PEAK_ADD fr_peak_add_avx2
#define FR_PEAK_MIXED fr_peak_mixed_avx2
#include "fem/peak_loop.h"
