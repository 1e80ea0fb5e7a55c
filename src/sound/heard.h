// heard.h: how much of a mode is heard: what it gives to the air, and its part in the sound of a
// blow.
#pragma once
#include "sound/asset.h"

/// Pressure times distance per speed of a mode, Pa m s kg^-1/2 (see ringer.h). `coupling` a_i,
/// `lambda` 1/s^2; area and volume of the body, m^2 and m^3.
double fr_air_gain(FrAir air, double area, double volume, double coupling, double lambda);

/// A mode by its numbers.
typedef struct FrHeardMode {
    double lambda, damping, coupling; ///< 1/s^2, 1/s, kg^-1/2/s
} FrHeardMode;

/// share[i]: the largest part that mode i has in what is heard of a blow, 1. For each of the four
/// mallets at 1 m/s, and each way to move the air, the part is that of
///     (air_i a_i/omega_i P_i C_i)^2 (1 - exp(-c_i T))/c_i
/// in the sum over all modes: pressure after a blow at any place of the surface (a_i/omega_i is
/// the root mean square of what a push along the normal gives to the mode), by the spectrum P of
/// Hertz's half-sine and by the ear C, squared and summed up over the first T = 1 s. Material,
/// mass, size, area and volume are taken from `info`.
void fr_heard_shares(const FrAssetInfo *info, const FrHeardMode *mode, int32_t count,
                     double *share);
