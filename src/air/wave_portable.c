// wave_portable.c: waves from panels, for any machine.

#define FR_WAVE_ops fr_wave_portable
#define FR_WAVE_row row_portable
#define FR_WAVE_dot dot_portable
#define FR_WAVE_spread spread_portable
#define FR_WAVE(name) FR_WAVE_##name
#include "air/wave_loop.h"
