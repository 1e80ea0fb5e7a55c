// transfer.h: |p| of eight modes at once [K8].
#pragma once
#include <stdint.h>

#define FR_TRANSFER_LANES 8

/// Eight modes side by side; floats in rows of FR_TRANSFER_LANES.
typedef struct FrTransferGroup {
    int32_t order;        ///< the highest of them; those with less have zeros above theirs
    int32_t coarse;       ///< the highest of their coarse ones
    const float *k;       ///< 1/m (1 row)
    const float *inverse; ///< 1/g_n(ka): for each order a real row, an imaginary one
    const float *c;       ///< of each coefficient a real row, an imaginary one
} FrTransferGroup;

/// gain (1 row): |p| at a distance r from x0 in the direction of the harmonics y, up to an order.
typedef void FrTransferFn(const FrTransferGroup *group, float r, const float *y, int32_t order,
                          float *gain);
/// The same bits.
FrTransferFn fr_transfer_portable, fr_transfer_avx2;
