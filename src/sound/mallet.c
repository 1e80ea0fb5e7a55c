// mallet.c: what one hits things with, and how hard and long it pushes.

#include "sound/mallet.h"
#include "math/vec.h"
#include "sound/pulse.h"
#include <string.h>

/// Part of the closing speed that a mallet keeps when it bounces off, 1.
#define BOUNCE 0.5
/// Local radius of a body over its size, where nothing else is known, 1.
#define ROUNDNESS 0.1

// Young's moduli of steel and hard wood as in the library; rubber and felt: chosen so that blows at
// 1 m/s last about 1 and 4 ms on hard bodies
static const FrMalletInfo mallets[] = {
    [FR_MALLET_STEEL] = {"steel", 0.020, 0.008, 200e9, 0.29},
    [FR_MALLET_WOOD] = {"wood", 0.020, 0.012, 11e9, 0.35},
    [FR_MALLET_RUBBER] = {"rubber", 0.030, 0.015, 80e6, 0.49},
    [FR_MALLET_FELT] = {"felt", 0.040, 0.020, 3e6, 0.10},
};
#define MALLETS ((int)(sizeof mallets / sizeof mallets[0]))

const FrMalletInfo *fr_mallet_info(FrMallet mallet) {
    FR_ASSERT((int)mallet >= 0 && (int)mallet < MALLETS, "take one of FrMallet");
    return &mallets[mallet];
}

bool fr_mallet_find(const char *name, FrMallet *mallet) {
    for (int k = 0; k < MALLETS; k++)
        if (!strcmp(name, mallets[k].name)) return *mallet = (FrMallet)k, true;
    return false;
}

void fr_mallet_blow(const FrMalletInfo *mallet, double mass, double speed, const FrAssetInfo *body,
                    double *impulse, double *duration) {
    double own = mass > 0.0 ? mass : mallet->mass;
    double size = fr_length(fr_box_size(body->bounds));
    FrHertz hertz = {
        .mass = fr_hertz_both(own, body->mass),
        .radius = fr_hertz_both(mallet->radius, ROUNDNESS * size),
        .modulus = fr_hertz_modulus(mallet->young, mallet->poisson, body->young, body->poisson)};
    *impulse = (1.0 + BOUNCE) * hertz.mass * speed;
    *duration = fr_hertz_duration(hertz, speed);
}
