// wave_avx2.c: waves from panels for machines with AVX2; same bits as the portable ones.

#define FR_WAVE_ops fr_wave_avx2
#define FR_WAVE_row row_avx2
#define FR_WAVE_dot dot_avx2
#define FR_WAVE_spread spread_avx2
#define FR_WAVE(name) FR_WAVE_##name
#include "air/wave_loop.h"
