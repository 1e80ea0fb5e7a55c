// mallet.h: what one hits things with.
#pragma once
#include "sound/asset.h"

typedef struct FrMalletInfo {
    const char *name;
    double mass, radius;   ///< kg, m
    double young, poisson; ///< Pa, 1
} FrMalletInfo;
const FrMalletInfo *fr_mallet_info(FrMallet mallet);
/// False: there is no mallet of that name.
bool fr_mallet_find(const char *name, FrMallet *mallet);

/// How much of an impulse of `duration` s the modes give way to, 1/kg: sum of (w_i.n)^2
/// |P(omega_i)|^2, P the spectrum of a half-sine. What a blow at a thin wall loses to the wall.
double fr_asset_softness(const FrAsset *asset, const FrSpot *spot, FrVec3 n, double duration);

/// A blow by a mallet (mass 0: its own) along the inward normal at a spot: impulse, N s, and
/// duration, s. Flat parts count as balls a tenth as large as the body.
void fr_mallet_blow(const FrMalletInfo *mallet, double mass, double speed, const FrAsset *body,
                    const FrSpot *spot, double *impulse, double *duration);
