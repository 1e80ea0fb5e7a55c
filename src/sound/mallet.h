// mallet.h: what one hits things with.
#pragma once
#include "fracas/bank.h"

typedef struct FrMalletInfo {
    const char *name;
    double mass, radius;   ///< kg, m
    double young, poisson; ///< Pa, 1
} FrMalletInfo;
const FrMalletInfo *fr_mallet_info(FrMallet mallet);
/// False: there is no mallet of that name.
bool fr_mallet_find(const char *name, FrMallet *mallet);

/// A blow by a mallet (mass 0: its own) on a body: impulse, N s, and duration, s. `size`: of the
/// body, m; flat parts count as balls a tenth as large.
void fr_mallet_blow(const FrMalletInfo *mallet, double mass, double speed, const FrAssetInfo *body,
                    double *impulse, double *duration);
