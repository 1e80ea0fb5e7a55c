// mallet.c: what one hits things with, and how hard and long it pushes.

#include "sound/mallet.h"
#include "math/vec.h"
#include "sound/pulse.h"
#include <math.h>
#include <string.h>

/// Part of the closing speed that a mallet keeps when it bounces off, 1.
#define BOUNCE 0.5
/// Most of a mallet's energy that can go into tones, 1.
#define SHARE 0.5
/// Longest push of a blow, s, and how finely it is looked for.
#define LONGEST 0.02
#define LONGER 1.15
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

// |P| = |cos(x/2) / (1 - (x/pi)^2)|, x = omega t_c; 1 for slow modes, 0 for fast ones
static double half_sine_spectrum(double x) {
    double u = 1.0 - (x / M_PI) * (x / M_PI);
    return fabs(u) < 1e-6 ? 0.25 * M_PI : fabs(cos(0.5 * x) / u);
}

double fr_asset_softness(const FrAsset *asset, const FrSpot *spot, FrVec3 n, double duration) {
    double sum = 0.0;
    for (int32_t i = 0; i < asset->info.mode_count; i++) {
        double w = fr_asset_weight(asset, spot, i, n) *
                   half_sine_spectrum(sqrt(asset->lambda[i]) * duration);
        sum += w * w;
    }
    return sum;
}

void fr_asset_give_way(const FrAsset *asset, const FrSpot *spot, FrVec3 n, double energy,
                       double *impulse, double *duration) {
    double half = 0.5 * *impulse * *impulse, most = fr_max(LONGEST, *duration), soft;
    while ((soft = fr_asset_softness(asset, spot, n, *duration)) * half > energy &&
           *duration < most)
        *duration = fr_min(*duration * LONGER, most);
    if (soft * half > energy) *impulse *= sqrt(energy / (soft * half));
}

// J = (1 + e) m* v for rigid bodies; Hertz's duration unless a thin wall lengthens it
void fr_mallet_blow(const FrMalletInfo *mallet, double mass, double speed, const FrAsset *body,
                    const FrSpot *spot, double *impulse, double *duration) {
    const FrAssetInfo *info = &body->info;
    double own = mass > 0.0 ? mass : mallet->mass;
    double size = fr_length(fr_box_size(info->bounds));
    FrHertz hertz = {
        .mass = fr_hertz_both(own, info->mass),
        .radius = fr_hertz_both(mallet->radius, ROUNDNESS * size),
        .modulus = fr_hertz_modulus(mallet->young, mallet->poisson, info->young, info->poisson)};
    *impulse = (1.0 + BOUNCE) * hertz.mass * speed;
    *duration = fr_hertz_duration(hertz, speed);
    fr_asset_give_way(body, spot, fr_asset_normal(body, spot->tri),
                      SHARE * 0.5 * own * speed * speed, impulse, duration);
}
