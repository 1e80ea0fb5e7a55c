// listen.c: stiffness and damping of a thing from a recording of one blow.

#include "base/file.h"
#include "base/random.h"
#include "fracas/studio.h"
#include "math/vec.h"
#include "sound/match.h"
#include "sound/pulse.h"
#include "sound/strike.h"
#include "sound/wav.h"
#include "sound_kit.h"

#define RATE 44100
#define SECONDS 1.5

typedef struct Sound {
    float *sample;
    int64_t frames;
} Sound;

static Sound silence(FrContext *ctx) {
    int64_t frames = (int64_t)(SECONDS * RATE);
    return (Sound){FR_NEW(ctx, float, frames), frames};
}

// a tone that begins after a tenth of a second
static void add_tone(Sound *s, FrPartial tone, double size) {
    double falls = log(1000.0) / tone.t60;
    for (int64_t n = RATE / 10; n < s->frames; n++) {
        double t = (double)(n - RATE / 10) / RATE;
        s->sample[n] += (float)(size * exp(-falls * t) * sin(2 * FR_PI * tone.hz * t));
    }
}

static void add_noise(Sound *s, double size) {
    FrRandom random = fr_random_for(7, "noise", 0);
    for (int64_t n = 0; n < s->frames; n++)
        s->sample[n] += (float)(size * fr_random_normal(&random));
}

static int32_t hear(FrContext *ctx, const Sound *s, FrPartial *found, int32_t most) {
    int32_t count = 0;
    FrMono mono = {s->sample, s->frames, RATE};
    CHECK_OK(ctx, fr_partials_find(ctx, &mono, found, most, &count));
    return count;
}

// what is put in comes out, with noise 46 dB below
TEST(tones_are_found) {
    FrContext *ctx = make_context(1);
    FrPartial tone[] = {{412.3, 1.9, 0},  {1130.8, 0.8, 0},  {1161.2, 0.9, 0},
                        {2250.1, 0.4, 0}, {3702.7, 0.21, 0}, {8120.4, 0.1, 0}};
    Sound s = silence(ctx);
    for (int k = 0; k < 6; k++) add_tone(&s, tone[k], 0.2);
    add_noise(&s, 0.001);
    FrPartial found[32];
    int32_t count = hear(ctx, &s, found, 32);
    CHECK_INT(count, 6);
    for (int k = 0; k < 6 && count == 6; k++) {
        CHECK_CLOSE(found[k].hz, tone[k].hz, 1e-4);   // statistics: of the noise
        CHECK_CLOSE(found[k].t60, tone[k].t60, 0.04); // statistics: of the noise
    }
    fr_free(ctx, s.sample);
    fr_context_destroy(ctx);
}

TEST(silence_and_noise_have_none) {
    FrContext *ctx = make_context(1);
    Sound s = silence(ctx);
    FrPartial found[32];
    int32_t count;
    FrMono mono = {s.sample, s.frames, RATE};
    CHECK_INT(fr_partials_find(ctx, &mono, found, 32, &count), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "silent");
    add_noise(&s, 0.1);
    CHECK_INT(hear(ctx, &s, found, 32), 0);
    // the blow is the last that there is
    s.sample[s.frames - 100] = 100.0F;
    CHECK_INT(fr_partials_find(ctx, &mono, found, 32, &count), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "it takes 50 ms");
    fr_free(ctx, s.sample);
    fr_context_destroy(ctx);
}

// modes at random, some of them heard, some tones of something else: the factor comes back, and the
// confidence knows when it does not
TEST(factor_comes_back) {
    FrContext *ctx = make_context(1);
    int32_t right = 0, sure = 0, wrong_and_sure = 0;
    for (uint64_t run = 0; run < 40; run++) {
        FrRandom r = fr_random_for(run, "match", 0);
        double hz[60], at = 300, scale = exp(fr_random_range(&r, -1.2, 1.2));
        FrPartial tone[16];
        int32_t count = 0;
        for (int i = 0; i < 60; i++) hz[i] = at += fr_random_range(&r, 50, 350);
        for (int i = 0; i < 30 && count < 10; i++)
            if (fr_random_unit(&r) < 0.4)
                tone[count++].hz = hz[i] * scale * (1 + 0.003 * fr_random_normal(&r));
        // a stray one above them
        tone[count] = (FrPartial){.hz = 1.1 * tone[count - 1].hz};
        count++;
        FrMatch match;
        FrMatchDef def = {hz, 60, tone, count, 4.0};
        CHECK_OK(ctx, fr_match_tones(ctx, &def, &match));
        bool good = fabs(match.scale / scale - 1) < 0.005; // statistics: three deviations, of ten
        right += good;
        sure += match.confidence > 3;
        wrong_and_sure += !good && match.confidence > 3;
        fr_match_free(ctx, &match);
    }
    CHECK(right >= 38);
    CHECK(sure >= 30);
    CHECK_INT(wrong_and_sure, 0);
    fr_context_destroy(ctx);
}

// a bar of aluminium is struck in the program's own way; who thinks it is of twice that stiffness,
// and half as damped, learns better                                                  [S4 section 4]
TEST(struck_bar_tells_its_material) {
    FrContext *ctx = make_context(1);
    Beam beam = make_beam(ctx, "aluminium", 0.4, 0.03, 0.008);
    FrAssetOptions options = {.most_modes = BEAM_MODES};
    FrAsset *asset;
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material, &options, &asset));
    FrStrike strike = fr_strike_default();
    strike.air = FR_AIR_FLAT;
    strike.place = FR_STRIKE_POINT;
    strike.point = (FrVec3){0.017, 0.015, 0.008};
    FrStrikeSound sound;
    CHECK_OK(ctx, fr_strike(ctx, asset, &strike, &sound));
    FrPartial tone[32];
    int32_t count;
    FrMono heard = {sound.sample, sound.frames, strike.rate};
    CHECK_OK(ctx, fr_partials_find(ctx, &heard, tone, 32, &count));
    CHECK(count >= 5);
    double guess[BEAM_MODES], pair[32][2], a1, a2, eta;
    for (int i = 0; i < BEAM_MODES; i++) guess[i] = sqrt(2.0 * beam.modes.lambda[i]) / (2 * FR_PI);
    FrMatch match;
    FrMatchDef def = {guess, BEAM_MODES, tone, count, 4.0};
    CHECK_OK(ctx, fr_match_tones(ctx, &def, &match));
    CHECK_CLOSE(match.scale * match.scale, 0.5, 1e-3); // mesh: none; steps of the peaks' fit
    CHECK_INT(match.matched, count);
    for (int i = 0; i < count; i++) {
        pair[i][0] = tone[i].hz;
        pair[i][1] = tone[i].t60;
        double lambda = 2.0 * beam.modes.lambda[match.mode[i]] * 0.5, omega = sqrt(lambda);
        double wanted = 2 * log(1000) / fr_mode_damping(&beam.material, lambda, omega);
        CHECK_CLOSE(tone[i].t60, wanted, 0.01); // statistics: the tail of neighbours
    }
    CHECK(fr_damping_fit((const double(*)[2])pair, count, &a1, &a2, &eta));
    fr_match_free(ctx, &match);
    fr_free(ctx, sound.sample);
    fr_asset_destroy(asset);
    free_beam(ctx, &beam);
    fr_context_destroy(ctx);
}
