// mallet.c: what one hits things with, and how hard and long it pushes.

#include "sound/mallet.h"
#include "math/vec.h"
#include "sound/pulse.h"
#include <math.h>
#include <string.h>

/// Part of the closing speed that a mallet keeps when it bounces off, 1.
#define BOUNCE 0.5
/// Most of a mallet's energy that can go into tones, 1.
#define SHARE 0.4
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

bool fr_mallet_known(FrMallet mallet) { return (int)mallet >= 0 && (int)mallet < MALLETS; }

const FrMalletInfo *fr_mallet_info(FrMallet mallet) {
    FR_ASSERT(fr_mallet_known(mallet), "take one of FrMallet");
    return &mallets[mallet];
}

bool fr_mallet_find(const char *name, FrMallet *mallet) {
    for (int k = 0; k < MALLETS; k++)
        if (!strcmp(name, mallets[k].name)) return *mallet = (FrMallet)k, true;
    return false;
}

double fr_asset_softness(const FrAsset *asset, const FrSpot *spot, FrVec3 n, double duration) {
    double sum = 0.0;
    for (int32_t i = 0; i < asset->info.mode_count; i++) {
        double w = fr_asset_weight(asset, spot, i, n) *
                   fr_pulse_spectrum(sqrt(asset->lambda[i]) * duration);
        sum += w * w;
    }
    return sum;
}

int32_t fr_asset_blow(const FrAsset *asset, const FrSpot *spot, const FrBlowDef *blow,
                      FrPush push[2]) {
    FrVec3 n = blow->n;
    FrPush whole = blow->whole;
    double rigid = blow->rigid, energy = blow->energy;
    double soft = fr_asset_softness(asset, spot, n, whole.duration);
    push[0] = whole;
    if (0.5 * whole.impulse * whole.impulse * soft <= energy) return 1;
    // the first push gets a quarter of the energy at the most: half of the amplitude
    push[0].impulse =
        fr_min(whole.impulse * rigid / (rigid + soft), sqrt(2.0 * 0.25 * energy / soft));
    double rest = sqrt(energy) - push[0].impulse * sqrt(0.5 * soft);
    push[1] = (FrPush){whole.impulse - push[0].impulse, whole.duration};
    double half = 0.5 * push[1].impulse * push[1].impulse, most = fr_max(LONGEST, whole.duration);
    while (soft * half > rest * rest && push[1].duration < most) {
        push[1].duration = fr_min(push[1].duration * LONGER, most);
        soft = fr_asset_softness(asset, spot, n, push[1].duration);
    }
    if (soft * half > rest * rest) push[1].impulse *= rest / sqrt(soft * half);
    return 2;
}

static double mass_of(const FrMalletInfo *mallet, double mass) {
    return mass > 0.0 ? mass : mallet->mass;
}

// J = (1 + e) m* v and Hertz's duration
FrPush fr_mallet_push(const FrMalletInfo *mallet, double mass, double speed,
                      const FrAssetInfo *body) {
    double size = fr_length(fr_box_size(body->bounds));
    FrHertz hertz = {
        .mass = fr_hertz_both(mass_of(mallet, mass), body->mass),
        .radius = fr_hertz_both(mallet->radius, ROUNDNESS * size),
        .modulus = fr_hertz_modulus(mallet->young, mallet->poisson, body->young, body->poisson)};
    return (FrPush){(1.0 + BOUNCE) * hertz.mass * speed, fr_hertz_duration(hertz, speed)};
}

int32_t fr_mallet_blow(const FrMalletInfo *mallet, double mass, double speed, const FrAsset *body,
                       const FrSpot *spot, FrPush push[2]) {
    double own = mass_of(mallet, mass);
    FrPush whole = fr_mallet_push(mallet, mass, speed, &body->info);
    FrBlowDef blow = {fr_asset_normal(body, spot->tri), whole,
                      1.0 / fr_hertz_both(own, body->info.mass), SHARE * 0.5 * own * speed * speed};
    return fr_asset_blow(body, spot, &blow, push);
}
