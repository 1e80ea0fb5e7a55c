// rows_lanes.h: what rows.c and its sweeps, which are compiled with and without AVX2, share.
#pragma once
#include "solve/rows.h"

/// fr_rows_solve; `applied`: fr_rows_go_on.
typedef FrRowsReport FrRowsSolveFn(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                                   double tolerance, bool applied);
FrRowsSolveFn fr_rows_solve_avx2, fr_rows_solve_portable;
