// peak_portable.c: the peak loops, for any machine.

#define FR_PEAK_ADD fr_peak_add_portable
#define FR_PEAK_MIXED fr_peak_mixed_portable
#include "fem/peak_loop.h"
