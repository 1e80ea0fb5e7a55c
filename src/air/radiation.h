// radiation.h: the multipoles of all modes of a body, made to be evaluated together.
#pragma once
#include "air/spherical.h"
#include "base/bytes.h"
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
    FrQuat turn; ///< from the axes of the waves to the body's; all zero: they are the same
} FrRadiationDef;
FrResult fr_radiation_create(FrContext *ctx, const FrRadiationDef *def, FrRadiation **radiation);
void fr_radiation_destroy(FrRadiation *radiation); ///< accepts NULL
/// From now on of another context with the same memory.
void fr_radiation_adopt(FrRadiation *radiation, FrContext *ctx);
/// Point, radius and turn; no modes.
FrRadiationDef fr_radiation_about(const FrRadiation *radiation);
/// Wave number and order of mode i, no coefficients.
FrMultipole fr_radiation_mode(const FrRadiation *radiation, int32_t i);
/// The coefficients of mode i as it was made of (2 * (order + 1)^2).
void fr_radiation_coefficients(const FrRadiation *radiation, int32_t i, float *c);

/// To steps of a 32767th of the largest of each order, as files have them; again: nothing changes.
void fr_multipole_round(float *c, int32_t order);
/// The bytes of a radiation that is not turned, for files that hold one; nothing is lost if its
/// modes were rounded.
void fr_radiation_write(FrWriter *w, const FrRadiation *radiation);
/// FR_BAD_INPUT: `name`, the byte and what was found there.
FrResult fr_radiation_read(FrContext *ctx, FrReader *r, const char *name, FrRadiation **radiation);

/// Of the modes `mode` (mode_count) in this order, of a body `size` times as large, with
/// displacements `shape` times as large at the same phase ka: pressures go as shape/size [S7 eq.
/// 9].
typedef struct FrRadiationChange {
    const int32_t *mode;
    int32_t mode_count;
    double size, shape; ///< factors, 1
} FrRadiationChange;
FrResult fr_radiation_change(FrContext *ctx, const FrRadiation *from,
                             const FrRadiationChange *change, FrRadiation **to);
