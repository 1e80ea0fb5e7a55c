// rows_portable.c: sweeps over rows, for every processor.
#define FR_ROWS_SOLVE fr_rows_solve_portable
#include "solve/rows_loop.h"
