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
/// The ear sums up a sudden sound over about this time, s: "fast" of sound level meters.
#define FAST 0.125
/// Modes times blows that the search for the loudest place may try, and the fewest blows.
#define TRIED 400000
#define FEWEST 100
/// How near the corner of a triangle is tried, 1: moved most, but of one triangle only.
#define CORNER 0.9

FrStrike fr_strike_default(void) {
    return (FrStrike){.mallet = FR_MALLET_STEEL,
                      .speed = 1.0,
                      .distance = 1.0,
                      .gain = 1.0 / FR_FULL_SCALE,
                      .rate = 48000.0,
                      .longest = 30.0};
}

FrSpot fr_strike_spot(const FrAsset *a, FrStrikePlace place, FrVec3 point) {
    bool named = place >= FR_STRIKE_RIM && place <= FR_STRIKE_CENTRE;
    return fr_asset_nearest(a, named ? a->place[place - FR_STRIKE_RIM] : point);
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

// a body at rest, heard from where the listener is
static FrResult at_rest(FrContext *ctx, const FrAsset *asset, const FrStrike *strike,
                        const FrRinger *like, FrRinger **ringer) {
    FrRingerDef def = {.asset = asset,
                       .rate = strike->rate,
                       .gain = strike->gain / strike->distance,
                       .most_blows = 2,
                       .air = strike->air,
                       .click = true};
    FR_TRY(fr_ringer_create(ctx, &def, ringer));
    if (like) {
        fr_ringer_listen_like(*ringer, like);
        return FR_OK;
    }
    FrVec3 way = fr_normalize(fr_vec3(0.0, -1.0, 1.0));
    FrVec3 ear = fr_axpy(strike->distance, way, asset->info.centre);
    FrRingerEars ears = {.at = {ear, ear}, .distance = strike->distance};
    fr_ringer_listen(*ringer, &ears);
    return FR_OK;
}

// the pushes of a mallet
static void blow_at(const FrAsset *asset, const FrStrike *strike, const FrSpot *spot,
                    FrStrikeSound *sound, FrRinger *ringer) {
    FrVec3 inward = fr_neg(fr_asset_normal(asset, spot->tri));
    FrPush push[2];
    int32_t pushes =
        fr_mallet_blow(fr_mallet_info(strike->mallet), 0.0, strike->speed, asset, spot, push);
    sound->impulse = 0.0;
    for (int32_t k = 0; k < pushes; k++) sound->impulse += push[k].impulse;
    sound->duration = push[pushes - 1].duration;
    sound->modes = fr_ringer_modes(ringer);
    for (int32_t k = 0; k < pushes; k++) {
        FrBlow blow = {.duration = push[k].duration * strike->rate,
                       .spot = *spot,
                       .push = fr_scale(push[k].impulse, inward)};
        fr_ringer_add(ringer, &blow);
    }
}

/// The search for the loudest place.
typedef struct Search {
    FrContext *ctx;
    const FrAsset *asset;
    const FrStrike *strike;
    FrRinger *silent; ///< never hit: what the listener hears of each mode
    FrSpot best;
    double most; ///< energy there, samples squared
} Search;

static FrResult try_spot(Search *s, const FrSpot *spot) {
    double block[BLOCK], energy = 0.0;
    FrStrikeSound sound;
    FrRinger *ringer;
    FR_TRY(at_rest(s->ctx, s->asset, s->strike, s->silent, &ringer));
    blow_at(s->asset, s->strike, spot, &sound, ringer);
    for (int32_t left = (int32_t)(FAST * s->strike->rate), now; left > 0; left -= now) {
        now = fr_min_i(left, BLOCK);
        fr_ringer_pull(ringer, block, now);
        for (int32_t n = 0; n < now; n++) energy += block[n] * block[n];
    }
    fr_ringer_destroy(ringer);
    if (energy > s->most * (1.0 + 1e-9)) { // the first of equals, whatever the last digits are
        s->most = energy;
        s->best = *spot;
    }
    return FR_OK;
}

// Four places of a triangle: what modes take up of a push is linear over it, so that corners have
// the most of it; but where thin walls give way more they are also pushed more slowly, and then the
// middle can be louder.
static FrSpot place_of(int64_t k) {
    double rest = 0.5 * (1.0 - CORNER);
    FrSpot spot = {.tri = (int32_t)(k / 4), .b = {rest, rest, rest}};
    if (k % 4 < 3)
        spot.b[k % 4] = CORNER;
    else
        spot.b[0] = spot.b[1] = spot.b[2] = 1.0 / 3.0;
    return spot;
}

static FrResult search(Search *s) {
    const FrAsset *asset = s->asset;
    int64_t places = 4 * (int64_t)asset->info.tri_count;
    int64_t tries = fr_max_i(TRIED / fr_max_i(asset->info.mode_count, 1), FEWEST);
    double step = fr_max(1.0, (double)places / (double)tries);
    static const FrStrikePlace known[] = {FR_STRIKE_RIM, FR_STRIKE_TOP, FR_STRIKE_CENTRE};
    for (int k = 0; k < 3; k++) {
        FrSpot place = fr_strike_spot(asset, known[k], fr_vec3_zero);
        FR_TRY(try_spot(s, &place));
    }
    for (double at = 0.0; at < (double)places; at += step) {
        FrSpot place = place_of((int64_t)at);
        FR_TRY(try_spot(s, &place));
    }
    if (step > 1.0) { // those between, near the best
        FrVec3 middle = fr_asset_spot(asset, &s->best);
        double reach = 2.0 * sqrt(asset->info.area / (double)tries);
        for (int64_t k = 0; k < places && tries > 0; k++) {
            FrSpot place = place_of(k);
            if (fr_distance(fr_asset_spot(asset, &place), middle) > reach) continue;
            FR_TRY(try_spot(s, &place));
            tries--;
        }
    }
    return FR_OK;
}

FrResult fr_strike_loudest(FrContext *ctx, const FrAsset *asset, const FrStrike *strike,
                           FrSpot *spot) {
    Search s = {.ctx = ctx, .asset = asset, .strike = strike, .most = -1.0};
    FR_TRY(at_rest(ctx, asset, strike, NULL, &s.silent));
    FrResult result = search(&s);
    fr_ringer_destroy(s.silent);
    *spot = s.best;
    return result;
}

FrResult fr_asset_loudest(const FrAsset *asset, FrMallet mallet, FrVec3 *at) {
    FR_NEED_ALL(asset ? asset->ctx : NULL, asset && at);
    FR_NEED(asset->ctx, fr_mallet_known(mallet), "take one of FrMallet");
    FrStrike strike = fr_strike_default();
    FrSpot spot;
    strike.mallet = mallet;
    FR_TRY(fr_strike_loudest(asset->ctx, asset, &strike, &spot));
    *at = fr_asset_spot(asset, &spot);
    return FR_OK;
}

// root mean square of what follows the lead-in
static double level_of(const FrStrike *strike, const Samples *s) {
    int32_t from = (int32_t)(LEAD_IN * strike->rate), count = (int32_t)(FAST * strike->rate);
    double sum = 0.0;
    for (int32_t n = from; n < s->count && n < from + count; n++)
        sum += (double)s->data[n] * (double)s->data[n];
    return sqrt(sum / count);
}

FrResult fr_strike(FrContext *ctx, const FrAsset *asset, const FrStrike *strike,
                   FrStrikeSound *sound) {
    *sound = (FrStrikeSound){0};
    if (!(strike->rate >= 8000.0) || !(strike->speed > 0.0) || !(strike->distance > 0.0))
        return fr_fail(ctx, FR_BAD_USE, "a strike of %g m/s heard from %g m: both above 0",
                       strike->speed, strike->distance);
    if (strike->place == FR_STRIKE_AUTO)
        FR_TRY(fr_strike_loudest(ctx, asset, strike, &sound->spot));
    else
        sound->spot = fr_strike_spot(asset, strike->place, strike->point);
    sound->at = fr_asset_spot(asset, &sound->spot);
    FrRinger *ringer;
    Samples samples = {0};
    FR_TRY(at_rest(ctx, asset, strike, NULL, &ringer));
    blow_at(asset, strike, &sound->spot, sound, ringer);
    FrResult result = ring_out(ctx, strike, ringer, &samples, &sound->peak);
    fr_ringer_destroy(ringer);
    if (result != FR_OK) fr_array_free(ctx, &samples);
    sound->level = level_of(strike, &samples);
    sound->sample = samples.data;
    sound->frames = samples.count;
    return result;
}
