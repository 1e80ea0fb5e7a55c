// radiate.h: from how a surface moves in its modes to how they go out into the air.
#pragma once
#include "air/coarse.h"
#include "air/radiation.h"

/// Displacement of a point in a mode, per unit of it, kg^-1/2.
typedef FrVec3 FrModeMoveFn(const void *user, int32_t mode, int32_t point);

typedef struct FrRadiateDef {
    FrFine surface; ///< closed
    int32_t mode_count;
    const double *omega; ///< angular frequencies, rad/s (mode_count)
    FrModeMoveFn *move;
    const void *user;    ///< of move
    int32_t most_panels; ///< 0: 2000
} FrRadiateDef;

/// How well it went.
typedef struct FrRadiateReport {
    int32_t bands, least_panels, most_panels, most_inside, tired; ///< tired: modes not solved to
                                                                  ///< FR_RADIATOR_GOOD
    int32_t rough; ///< modes for whose waves there was not room for panels enough
} FrRadiateReport;

/// Boundary elements mode by mode, on a surface remeshed for each band of frequencies so that an
/// edge is a sixth of a wave in the air or less, a tenth of one in the body or less. The
/// volume that each part of the surface moves is kept. Same bits for any number of workers.
FrResult fr_radiate(FrContext *ctx, const FrRadiateDef *def, FrRadiation **radiation,
                    FrRadiateReport *report);
