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
/// |P(omega_i)|^2, P the spectrum of a half-sine. 1/2 J^2 of it is the energy they get.
double fr_asset_softness(const FrAsset *asset, const FrSpot *spot, FrVec3 n, double duration);
/// A wall that gives way is pushed longer: *duration (s) grows until the modes get no more than
/// `energy` J of a blow of *impulse N s along n. When 20 ms are not enough the impulse shrinks.
void fr_asset_give_way(const FrAsset *asset, const FrSpot *spot, FrVec3 n, double energy,
                       double *impulse, double *duration);

/// A blow by a mallet (mass 0: its own) along the inward normal at a spot: impulse, N s, and
/// duration, s. Flat parts count as balls a tenth as large as the body.
void fr_mallet_blow(const FrMalletInfo *mallet, double mass, double speed, const FrAsset *body,
                    const FrSpot *spot, double *impulse, double *duration);
