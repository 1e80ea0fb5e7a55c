// rows_avx2.c: sweeps over rows, with AVX2.
#define FR_ROWS_SOLVE fr_rows_solve_avx2
#include "solve/rows_loop.h"
