// block_rows.h: rows of a matrix of 3x3 blocks times a vector, in lanes. Compiled twice
// (math/lanes.h).
#pragma once
#include "math/lanes.h"
#include "sparse/sparse.h"

/// y = A x of rows begin .. end - 1, and the sum of x.y over them. Blocks by columns.
typedef double FrBlockRows(const FrBlockMatrix *A, const double *x, double *y, int32_t begin,
                           int32_t end);
FrBlockRows fr_block_rows_portable, fr_block_rows_avx2;

#ifdef FR_BLOCK_ROWS
double FR_BLOCK_ROWS(const FrBlockMatrix *A, const double *x, double *y, int32_t begin,
                     int32_t end) {
    double sum = 0.0;
    for (int32_t n = begin; n < end; n++) {
        FrLane c0 = fr_lane_set(0.0), c1 = c0, c2 = c0;
        for (int32_t k = A->start[n]; k < A->start[n + 1]; k++) {
            const double *at = x + 3 * (size_t)A->column[k], *B = A->value + 9 * (size_t)k;
            c0 += fr_lane_load(B) * fr_lane_set(at[0]);
            c1 += fr_lane_load(B + 3) * fr_lane_set(at[1]);
            c2 += fr_lane_load(B + 6) * fr_lane_set(at[2]);
        }
        FrLane all = (c0 + c1) + c2;
        for (size_t a = 0; a < 3; a++) {
            y[3 * (size_t)n + a] = all[a];
            sum += all[a] * x[3 * (size_t)n + a];
        }
    }
    return sum;
}
#endif
