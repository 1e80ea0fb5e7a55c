// radiate_picture.h: which way each mode is loud, as a picture.
#pragma once
#include "air/radiation.h"

/// What is told of a mode.
typedef struct FrModeAir {
    int32_t mode, order;
    double hz, k, radius; ///< radius of the ball around the body, m
    double t60, t60_air;  ///< s; if nothing but the air took its energy
    double power;         ///< W per squared displacement
    double efficiency;    ///< power over that of a large surface as fast
    double directivity;   ///< dB of the loudest direction over the mean
    FrVec3 loudest;       ///< unit
} FrModeAir;

/// Directions that are tried for the loudest, and how far away, over that radius.
#define FR_RADIATE_WAYS 400
#define FR_RADIATE_FAR 30.0

typedef struct FrDirectivity {
    const FrRadiation *radiation;
    const FrModeAir *mode; ///< (count)
    int32_t count;
} FrDirectivity;

/// Two balls for each of the first modes, seen from the front and from behind, both from a little
/// above: 30 dB from dark to bright.
FrResult fr_directivity_save(FrContext *ctx, const FrDirectivity *d, const char *path);
