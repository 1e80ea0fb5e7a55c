// bend_lanes.h: sums over the modes of a body that bends, four nodes at a time.
#pragma once
#include "modal/bend.h"

/// fr_bend_field. The same bits in both.
typedef void FrBendFieldFn(const FrBend *bend, int32_t begin, int32_t end, double *shift,
                           double *speed);
FrBendFieldFn fr_bend_field_portable, fr_bend_field_avx2;
