// radiation.h: the multipoles of all modes of a body, made to be evaluated together.
#pragma once
#include "air/spherical.h"
#include "fracas/air.h"

/// One mode.
typedef struct FrMultipole {
    double k;      ///< wave number, 1/m
    int32_t order; ///< 4 at least, FR_SPHERICAL_ORDER at most
    const float
        *c; ///< M_l h_n(ka) without its phase, real and imaginary parts by turns (2 * (order
            ///< + 1)^2)
} FrMultipole;

/// Modes about x0, of a body that a ball of this radius about it contains; copied.
typedef struct FrRadiationDef {
    FrVec3 x0;     ///< m
    double radius; ///< m
    const FrMultipole *mode;
    int32_t mode_count;
} FrRadiationDef;
FrResult fr_radiation_create(FrContext *ctx, const FrRadiationDef *def, FrRadiation **radiation);
void fr_radiation_destroy(FrRadiation *radiation); ///< accepts NULL
/// Point and radius; no modes.
FrRadiationDef fr_radiation_about(const FrRadiation *radiation);
/// Wave number and order of mode i, no coefficients.
FrMultipole fr_radiation_mode(const FrRadiation *radiation, int32_t i);
/// The coefficients of mode i as it was made of (2 * (order + 1)^2).
void fr_radiation_coefficients(const FrRadiation *radiation, int32_t i, float *c);
