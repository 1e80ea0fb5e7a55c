// fracas/air.h: how the modes of a body go out into the air: louder in one direction than in
// another. SI units (m, kg, s, Pa). Conventions: docs/conventions.md SPDX-License-Identifier: MIT
#pragma once
#include "fracas/base.h"

FR_EXTERN_C_BEGIN

/// The sound of all modes of a body as waves from one point, read-only once it is made. A cooked
/// body has one: fr_asset_radiation.
typedef struct FrRadiation FrRadiation;

/// How exactly it is evaluated.
typedef enum FrRadiationDetail {
    FR_RADIATION_FULL,   ///< within 1 % or so
    FR_RADIATION_COARSE, ///< half as many orders, some quarter of the work; blurs what is large
                         ///< beside its waves
} FrRadiationDetail;

/// How many modes it has.
FR_API int32_t fr_radiation_mode_count(const FrRadiation *radiation);
/// gain[i]: pressure at `listener` (m, the body's own axes) per displacement of mode i, amplitudes,
/// Pa kg^-1/2/m (mode_count). A listener inside the smallest ball around the body hears what is at
/// its surface. Allocates nothing, waits for nothing; for any thread.
FR_API void fr_radiation_gains(const FrRadiation *radiation, FrVec3 listener,
                               FrRadiationDetail detail, float *gain);
/// Power that mode i gives off at a displacement of 1 (amplitude), W/(kg m^2).
FR_API double fr_radiation_power(const FrRadiation *radiation, int32_t i);

FR_EXTERN_C_END
