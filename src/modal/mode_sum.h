// mode_sum.h: sum += weight_i array_i, the inner loop of fields made of modes.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct FrModeSum {
    const float *array; ///< one after the other (stride * count)
    size_t stride;
    const double *weight; ///< (count)
    int32_t count;
    double *sum; ///< (stride)
} FrModeSum;

/// Of the numbers begin .. end - 1. The same bits in both, and for any way to part the range.
typedef void FrModeSumFn(const FrModeSum *sum, int32_t begin, int32_t end);
FrModeSumFn fr_mode_sum_portable, fr_mode_sum_avx2;
