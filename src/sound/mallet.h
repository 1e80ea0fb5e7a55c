// mallet.h: what one hits things with.
#pragma once
#include "sound/asset.h"

typedef struct FrMalletInfo {
    const char *name;
    double mass, radius;   ///< kg, m
    double young, poisson; ///< Pa, 1
} FrMalletInfo;
bool fr_mallet_known(FrMallet mallet);
const FrMalletInfo *fr_mallet_info(FrMallet mallet);
/// False: there is no mallet of that name.
bool fr_mallet_find(const char *name, FrMallet *mallet);

/// How much of an impulse of `duration` s the modes give way to, 1/kg: sum of (w_i.n)^2
/// |P(omega_i)|^2, P the spectrum of a half-sine. 1/2 J^2 of it is the energy they get.
double fr_asset_softness(const FrAsset *asset, const FrSpot *spot, FrVec3 n, double duration);
/// A half-sine push.
typedef struct FrPush {
    double impulse, duration; ///< N s, s
} FrPush;

/// A blow as rigid bodies would have it.
typedef struct FrBlowDef {
    FrVec3 n;      ///< which way, unit
    FrPush whole;  ///< all of it
    double rigid;  ///< 1/m* of the two bodies as if they were rigid, 1/kg
    double energy; ///< modes get no more, J
} FrBlowDef;
/// One or two pushes that begin together for a blow: where the wall gives way it first takes what
/// its own weight can stop, and the rest over a longer time.
int32_t fr_asset_blow(const FrAsset *asset, const FrSpot *spot, const FrBlowDef *blow,
                      FrPush push[2]);

/// What a mallet (mass 0: its own) does to a rigid body: impulse and Hertz's duration. Flat parts
/// count as balls a tenth as large as the body.
FrPush fr_mallet_push(const FrMalletInfo *mallet, double mass, double speed,
                      const FrAssetInfo *body);
/// A blow by a mallet (mass 0: its own) along the inward normal at a spot.
int32_t fr_mallet_blow(const FrMalletInfo *mallet, double mass, double speed, const FrAsset *body,
                       const FrSpot *spot, FrPush push[2]);
