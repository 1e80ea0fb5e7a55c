// strike.c: one blow on one body, from a moment before it to its end.

#include "sound/strike.h"
#include "base/array.h"
#include "math/vec.h"
#include "sound/ringer.h"
#include <math.h>

#define LEAD_IN 0.010
#define LAST_FADE 0.010
/// What would ring longer than it may is faded over this time, s.
#define LONG_FADE 1.0
/// What counts as the end: 60 dB below the peak.
#define QUIET 1e-3
#define BLOCK 480

FrStrike fr_strike_default(void) {
    return (FrStrike){.mallet = FR_MALLET_STEEL,
                      .speed = 1.0,
                      .distance = 1.0,
                      .gain = 1.0 / FR_FULL_SCALE,
                      .rate = 48000.0,
                      .longest = 30.0};
}

// how well the middle of triangle t answers to a place; the largest wins, the first of equals
static double fitness(const FrAsset *a, FrStrikePlace place, FrVec3 at) {
    FrVec3 middle = fr_box_center(a->info.bounds), d = fr_sub(at, middle);
    switch (place) {
    case FR_STRIKE_RIM:
        return d.x * d.x + d.y * d.y;
    case FR_STRIKE_TOP:
        return d.z;
    default:
        return -fr_length2(d);
    }
}

FrSpot fr_strike_spot(const FrAsset *a, FrStrikePlace place, FrVec3 point) {
    if (place == FR_STRIKE_AUTO) return fr_asset_nearest(a, fr_asset_loudest(a));
    if (place == FR_STRIKE_POINT) return fr_asset_nearest(a, point);
    FrSpot best = {.tri = 0, .b = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    double most = -HUGE_VAL, size = fr_length(fr_box_size(a->info.bounds));
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        FrSpot spot = {.tri = t, .b = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
        double fit = fitness(a, place, fr_asset_spot(a, &spot));
        if (fit <= most + 1e-9 * size * size) continue;
        most = fit;
        best = spot;
    }
    return best;
}

typedef FR_ARRAY(float) Samples;

static FrResult add_block(FrContext *ctx, const double *block, int32_t count, Samples *to,
                          double *peak) {
    if (!fr_array_reserve(ctx, to, count)) return fr_no_memory(ctx, "samples");
    for (int32_t n = 0; n < count; n++) {
        if (!isfinite(block[n])) return fr_fail(ctx, FR_NUMERICAL, "the sound is not finite");
        *peak = fr_max(*peak, fabs(block[n]));
        to->data[to->count++] = (float)block[n];
    }
    return FR_OK;
}

static void fade_end(const FrStrike *strike, double seconds, Samples *s) {
    int32_t length = fr_min_i(s->count, (int32_t)(seconds * strike->rate));
    for (int32_t k = 0; k < length; k++)
        s->data[s->count - length + k] *=
            (float)(0.5 + 0.5 * cos(M_PI * (k + 1.0) / (double)length));
}

// until the sum of what all modes can still reach is quiet
static FrResult ring_out(FrContext *ctx, const FrStrike *strike, FrRinger *ringer, Samples *s,
                         double *peak) {
    double block[BLOCK] = {0}, longest = (LEAD_IN + strike->longest) * strike->rate;
    FR_TRY(add_block(ctx, block, (int32_t)(LEAD_IN * strike->rate), s, peak));
    bool quiet = false;
    while (!quiet && s->count < longest) {
        fr_ringer_pull(ringer, block, BLOCK);
        FR_TRY(add_block(ctx, block, BLOCK, s, peak));
        quiet = fr_ringer_level(ringer) <= QUIET * *peak;
    }
    fr_ringer_pull(ringer, block, BLOCK);
    FR_TRY(add_block(ctx, block, BLOCK, s, peak));
    fade_end(strike, quiet ? LAST_FADE : LONG_FADE, s);
    return FR_OK;
}

FrResult fr_strike(FrContext *ctx, const FrAsset *asset, const FrStrike *strike,
                   FrStrikeSound *sound) {
    *sound = (FrStrikeSound){.spot = fr_strike_spot(asset, strike->place, strike->point)};
    if (!(strike->rate >= 8000.0) || !(strike->speed > 0.0) || !(strike->distance > 0.0))
        return fr_fail(ctx, FR_BAD_USE, "a strike of %g m/s heard from %g m: both above 0",
                       strike->speed, strike->distance);
    sound->at = fr_asset_spot(asset, &sound->spot);
    FrVec3 inward = fr_neg(fr_asset_normal(asset, sound->spot.tri));
    FrPush push[2];
    int32_t pushes = fr_mallet_blow(fr_mallet_info(strike->mallet), 0.0, strike->speed, asset,
                                    &sound->spot, push);
    for (int32_t k = 0; k < pushes; k++) sound->impulse += push[k].impulse;
    sound->duration = push[pushes - 1].duration;
    FrRingerDef def = {.asset = asset,
                       .rate = strike->rate,
                       .gain = strike->gain / strike->distance,
                       .most_blows = 2,
                       .air = strike->air,
                       .click = true};
    FrRinger *ringer;
    Samples samples = {0};
    FR_TRY(fr_ringer_create(ctx, &def, &ringer));
    sound->modes = fr_ringer_modes(ringer);
    for (int32_t k = 0; k < pushes; k++) {
        FrBlow blow = {.duration = push[k].duration * strike->rate,
                       .spot = sound->spot,
                       .push = fr_scale(push[k].impulse, inward)};
        fr_ringer_add(ringer, &blow);
    }
    FrResult result = ring_out(ctx, strike, ringer, &samples, &sound->peak);
    fr_ringer_destroy(ringer);
    if (result != FR_OK) fr_array_free(ctx, &samples);
    sound->sample = samples.data;
    sound->frames = samples.count;
    return result;
}
