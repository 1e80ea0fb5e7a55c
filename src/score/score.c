// score.c: what is to be heard: keeping it, changing it, playing it.

#include "score/score.h"
#include "base/file.h"
#include "export/report_text.h"
#include "math/vec.h"
#include "scene/problems.h"
#include "modal/oscillator.h"
#include "sound/wav.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Longest time that is given to tones that ring on, s.
#define LONGEST_TAIL 8.0
/// What would ring longer is faded over this time, s.
#define LONG_FADE 3.0
#define SHORT_FADE 0.05
/// Modes that are quieter than the loudest by more than this do not count for it, as a factor.
#define FAINT 0.01

void fr_score_init(FrScore *score, FrContext *ctx) {
    *score = (FrScore){.ctx = ctx, .gain = 1.0 / FR_FULL_SCALE, .listener = {.right = {1, 0, 0}}};
}

void fr_score_free(FrScore *score) {
    if (!score->ctx) return;
    for (int32_t k = 0; k < score->body.count; k++) {
        FrScoreBody *b = &score->body.data[k];
        fr_free(score->ctx, b->name);
        fr_free(score->ctx, b->family_name);
        if (!b->shared) fr_asset_destroy(b->asset);
        fr_array_free(score->ctx, &b->hit);
        fr_array_free(score->ctx, &b->place);
        fr_array_free(score->ctx, &b->turn);
    }
    for (int32_t k = 0; k < score->mute.count; k++) fr_free(score->ctx, score->mute.data[k].name);
    fr_array_free(score->ctx, &score->mute);
    fr_scene_free(score->scene);
    fr_array_free(score->ctx, &score->body);
    fr_free(score->ctx, score->track);
    *score = (FrScore){0};
}

FrScoreBody *fr_score_add(FrScore *score, const char *name) {
    FrScoreBody body = {.name = fr_strdup(score->ctx, name),
                        .died = HUGE_VAL,
                        .rests = HUGE_VAL,
                        .place_hz = 1.0,
                        .family = score->body.count};
    if (body.name && fr_array_push(score->ctx, &score->body, body))
        return &score->body.data[score->body.count - 1];
    fr_free(score->ctx, body.name);
    fr_no_memory(score->ctx, "a body");
    return NULL;
}

FrResult fr_score_add_mute(FrScore *score, const char *name, const char *why) {
    FrScoreMute mute = {fr_strdup(score->ctx, name), why};
    if (mute.name && fr_array_push(score->ctx, &score->mute, mute)) return FR_OK;
    fr_free(score->ctx, mute.name);
    return fr_no_memory(score->ctx, "a body");
}

int32_t fr_score_find(const FrScore *score, const char *name) {
    for (int32_t k = 0; k < score->body.count; k++)
        if (!strcmp(score->body.data[k].name, name)) return k;
    return -1;
}

FrResult fr_score_hit(FrScore *score, int32_t body, FrHit hit, FrVec3 at) {
    FrScoreBody *b = &score->body.data[body];
    if (!b->asset) return FR_OK;
    double size = fr_length(fr_box_size(b->asset->info.bounds));
    hit.spot = fr_asset_struck(b->asset, at, hit.push);
    // the mean place of a long touch may lie inside; what others hand in is held to the surface
    if (!score->recorded && !(hit.spot.away <= FR_OFF_SURFACE * size))
        return fr_fail(
            score->ctx, FR_BAD_INPUT,
            "the contact at %.4g,%.4g,%.4g is %.3g m off the surface of %s, which is %.3g m "
            "across; points are in the body's own axes",
            at.x, at.y, at.z, hit.spot.away, b->name, size);
    if (!fr_array_push(score->ctx, &b->hit, hit)) return fr_no_memory(score->ctx, "contacts");
    return FR_OK;
}

// every twin gets an asset of its own, so that one of them can be changed
static FrResult part_twins(FrScore *score) {
    for (int32_t k = 0; k < score->body.count; k++) {
        FrScoreBody *b = &score->body.data[k];
        if (!b->shared) continue;
        FrAsset *own;
        FR_TRY(fr_asset_copy(score->ctx, b->asset, &own));
        b->asset = own;
        b->shared = false;
    }
    return FR_OK;
}

// the same motion of another mass takes other impulses: of its twins, too
static FrResult change_body(FrScore *score, FrScoreBody *body, const FrSoundChangeDef *change) {
    FrAsset *asset = body->asset;
    double before = asset->info.mass;
    FR_TRY(fr_cook_change(score->ctx, score->scene, asset, change));
    if (!score->recorded) return FR_OK;
    for (int32_t k = 0; k < score->body.count; k++) {
        FrScoreBody *b = &score->body.data[k];
        if (b->asset != asset) continue;
        for (int32_t i = 0; i < b->hit.count; i++)
            b->hit.data[i].push = fr_scale(asset->info.mass / before, b->hit.data[i].push);
    }
    return FR_OK;
}

static const char *name_of(const void *user, int32_t k) {
    const FrScore *score = user;
    return score->body.data[k].name;
}

static FrResult no_body(FrScore *score, const char *name) {
    char meant[120];
    for (int32_t k = 0; k < score->mute.count; k++)
        if (!strcmp(score->mute.data[k].name, name))
            return fr_fail(score->ctx, FR_BAD_USE, "'%s' %s", name, score->mute.data[k].why);
    const char *near = fr_suggest(name, name_of, score, score->body.count);
    return fr_fail(score->ctx, FR_BAD_USE, "there is no body '%s'%s", name,
                   fr_suggest_text(near, meant, sizeof meant));
}

FrResult fr_score_change(FrScore *score, const FrSoundChangeDef *change) {
    const char *body = change->body;
    FR_NEED(score->ctx, change->cookie == FR_COOKIE, "start from fr_sound_change_def_default()");
    if (body && fr_score_find(score, body) < 0) return no_body(score, body);
    if (!score->body.count)
        return fr_fail(score->ctx, FR_BAD_USE,
                       "nothing here rings in modes, to be changed; what deforms is heard by the "
                       "microphone, and sounds otherwise only in another run");
    if (body) FR_TRY(part_twins(score));
    for (int32_t k = 0; k < score->body.count; k++) {
        FrScoreBody *b = &score->body.data[k];
        if (!b->asset || b->shared || (body && strcmp(body, b->name))) continue;
        FR_TRY(change_body(score, b, change));
    }
    return FR_OK;
}

// order by time, as they came when equal
typedef struct Order {
    double t;
    int32_t index;
} Order;

static int by_time(const void *a, const void *b) {
    const Order *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static FrResult sort_hits(FrContext *ctx, FrScoreBody *b) {
    int32_t count = b->hit.count;
    if (count < 2) return FR_OK;
    Order *order = FR_NEW(ctx, Order, count);
    FrHit *hit = FR_NEW(ctx, FrHit, count);
    bool good = order && hit;
    if (good) {
        for (int32_t k = 0; k < count; k++) order[k] = (Order){b->hit.data[k].t, k};
        qsort(order, (size_t)count, sizeof *order, by_time);
        for (int32_t k = 0; k < count; k++) hit[k] = b->hit.data[order[k].index];
        memcpy(b->hit.data, hit, (size_t)count * sizeof *hit);
    }
    fr_free(ctx, order);
    fr_free(ctx, hit);
    return good ? FR_OK : fr_no_memory(ctx, "contacts");
}

// how long the loud modes of a body last, s
static double ring_of(const FrAsset *asset) {
    double longest = 0.2, loudest = 0.0;
    for (int32_t i = 0; i < asset->info.mode_count; i++)
        loudest = fr_max(loudest, asset->coupling[i]);
    for (int32_t i = 0; i < asset->info.mode_count; i++) {
        double hz, t60;
        fr_asset_mode(asset, i, &hz, &t60);
        if (asset->coupling[i] > FAINT * loudest) longest = fr_max(longest, t60);
    }
    return longest;
}

// when a body has fallen by 60 dB, s: after its last blow, or soon after it lies still
static double end_of(const FrScore *score, const FrScoreBody *b) {
    double last = 0.0;
    for (int32_t i = 0; i < b->hit.count; i++)
        last = fr_max(last, b->hit.data[i].t + b->hit.data[i].duration);
    double end = last + ring_of(b->asset);
    if (!isfinite(b->rests) || !(score->rest_damping > 0.0)) return end;
    return fr_min(end, fr_max(b->rests, last) + log(1000.0) / score->rest_damping);
}

typedef struct Stems {
    FrScore *score;
    const char *folder;
    int64_t frames;
    int32_t count;
} Stems;

// body names become file names: only letters, digits, - and _ stay
static void file_name(const char *name, char *to, size_t size) {
    size_t n = 0;
    for (; name[n] && n + 1 < size; n++) {
        char c = name[n];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        to[n] = plain || c == '-' || c == '_' ? c : '_';
    }
    to[n] = 0;
}

static FrResult save_stem(Stems *s, int32_t number, const char *of, const float *stem) {
    FrContext *ctx = s->score->ctx;
    FrText path;
    char name[100];
    s->count++;
    if (!s->folder) return FR_OK;
    file_name(of, name, sizeof name);
    FR_TRY(fr_text_print(ctx, &path, "%s/%03d-%s.wav", s->folder, number, name));
    FrResult result = fr_wav_save(ctx, path.data, stem, s->frames, 2, (int32_t)FR_SOUND_RATE);
    fr_text_free(ctx, &path);
    return result;
}

static FrResult write_stem(void *user, int32_t body, const float *stem) {
    Stems *s = user;
    const FrScoreBody *b = &s->score->body.data[body];
    return save_stem(s, body + 1, b->family_name ? b->family_name : b->name, stem);
}

static void bodies_of(FrScore *score, FrSoundBody *body, FrVec3 *origin) {
    for (int32_t k = 0; k < score->body.count; k++) {
        FrScoreBody *b = &score->body.data[k];
        double size = b->asset ? fr_length(fr_box_size(b->asset->info.bounds)) : 0.0;
        body[k] = (FrSoundBody){.asset = b->asset,
                                .hit = b->hit.data,
                                .hit_count = b->asset ? b->hit.count : 0,
                                .path = {.place = b->place.count ? b->place.data : origin,
                                         .turn = b->turn.data,
                                         .count = fr_max_i(b->place.count, 1),
                                         .hz = b->place_hz,
                                         .nearest = fr_max(0.5 * size, 0.1)},
                                .held = b->held,
                                .died = b->died,
                                .rests = b->rests,
                                .family = b->family};
    }
}

FrResult fr_score_track(FrScore *score, const char *path) {
    if (access(path, R_OK)) return FR_OK;
    return fr_wav_load(score->ctx, path, 2, &score->track, &score->track_frames);
}

// the microphone's track with the score's gain, as long as the mix; NULL: no memory
static float *first_track(const FrScore *score, int64_t frames) {
    float *to = FR_NEW(score->ctx, float, 2 * (size_t)frames);
    double gain = score->gain * FR_FULL_SCALE;
    for (int64_t n = 0; to && n < 2 * frames && n < 2 * score->track_frames; n++)
        to[n] = (float)(gain * (double)score->track[n]);
    return to;
}

/// What is this much below the peak (60 dB) is over.
#define OVER 1e-3
/// Less silence than this at the end may stay, s.
#define SOME_SILENCE 0.25

// all bodies, so many frames
static FrResult play_frames(FrScore *score, const char *folder, FrSoundBody *body, int64_t frames,
                            double fade, FrScoreSound *sound) {
    FrMixDef def = {.rate = FR_SOUND_RATE,
                    .frames = frames,
                    .gain = score->gain,
                    .listener = score->listener,
                    .air = score->air,
                    .gauss = score->gauss,
                    .click = true,
                    .seed = score->seed,
                    .rest_damping = score->rest_damping,
                    .last_fade = fade};
    Stems stems = {score, folder, frames, 0};
    fr_free(score->ctx, sound->sample);
    sound->frames = frames;
    sound->sample = FR_NEW(score->ctx, float, 2 * (size_t)frames);
    if (!sound->sample) return fr_no_memory(score->ctx, "a mix");
    float *first = score->track ? first_track(score, frames) : NULL;
    FrResult result = score->track && !first ? fr_no_memory(score->ctx, "a track") : FR_OK;
    def.first = first;
    if (result == FR_OK && first) result = save_stem(&stems, 0, "microphone", first);
    if (result == FR_OK)
        result = fr_mix(score->ctx, &def, body, score->body.count, (FrStemSink){write_stem, &stems},
                        sound->sample);
    fr_free(score->ctx, first);
    sound->stems = stems.count;
    return result;
}

/// Where the peak of what would clip is put: 1 dB below full scale.
#define FITTING 0.891

static double peak_of(const FrScoreSound *sound) {
    double peak = 0.0;
    for (int64_t n = 0; n < 2 * sound->frames; n++)
        peak = fr_max(peak, fabs((double)sound->sample[n]));
    return peak;
}

// a gain that nobody chose is lowered where it would clip
static bool lower_gain(FrScore *score, double peak) {
    if (!score->fits || !(peak > 1.0)) return false;
    score->gain *= FITTING / peak;
    fr_log(score->ctx, FR_LOG_INFO,
           "the sound would be %.1f dB over full scale: its gain is %.1f dB (sound { gain } "
           "chooses another)",
           20.0 * log10(peak), 20.0 * log10(score->gain * FR_FULL_SCALE));
    return true;
}

// frames up to the last one that can be heard after the loudest, and a moment for the fade
static int64_t heard_frames(const FrScoreSound *sound) {
    int64_t last = 2 * sound->frames - 1;
    while (last > 0 && fabs((double)sound->sample[last]) <= OVER * sound->peak) last--;
    return last / 2 + (int64_t)(2.0 * SHORT_FADE * FR_SOUND_RATE);
}

// Bodies end one by one; what is faint beside the others is over before it would be alone.
static FrResult play(FrScore *score, const char *folder, FrSoundBody *body, FrScoreSound *sound) {
    double tail = 0.2;
    for (int32_t k = 0; k < score->body.count; k++) {
        FrScoreBody *b = &score->body.data[k];
        FR_TRY(sort_hits(score->ctx, b));
        if (!b->asset || !b->hit.count) continue;
        for (int32_t i = 0; i < b->hit.count; i++)
            sound->contacts += !b->hit.data[i].more && !b->hit.data[i].release;
        tail = fr_max(tail, end_of(score, b) - score->duration);
    }
    tail = fr_min(tail, LONGEST_TAIL);
    FrVec3 origin = fr_vec3_zero;
    bodies_of(score, body, &origin);
    if (folder) FR_TRY(fr_make_folders(score->ctx, folder));
    int64_t shortest = (int64_t)ceil(score->duration * FR_SOUND_RATE),
            frames = (int64_t)ceil((score->duration + tail) * FR_SOUND_RATE);
    FR_TRY(play_frames(score, folder, body, frames, tail < LONGEST_TAIL ? SHORT_FADE : LONG_FADE,
                       sound));
    sound->peak = peak_of(sound);
    int64_t heard = heard_frames(sound);
    heard = heard < shortest ? shortest : heard;
    bool lower = lower_gain(score, sound->peak);
    bool shorter = frames - heard > (int64_t)(SOME_SILENCE * FR_SOUND_RATE);
    if (!lower && !shorter) return FR_OK;
    double fade = shorter ? SHORT_FADE : tail < LONGEST_TAIL ? SHORT_FADE : LONG_FADE;
    FR_TRY(play_frames(score, folder, body, shorter ? heard : frames, fade, sound));
    if (lower) sound->peak = peak_of(sound);
    return FR_OK;
}

FrResult fr_score_play(FrScore *score, const char *folder, FrScoreSound *sound) {
    *sound = (FrScoreSound){.frames = 0};
    FrSoundBody *body = FR_NEW(score->ctx, FrSoundBody, score->body.count);
    if (!body) return fr_no_memory(score->ctx, "bodies");
    FrResult result = play(score, folder, body, sound);
    fr_free(score->ctx, body);
    if (result == FR_OK) return FR_OK;
    fr_free(score->ctx, sound->sample);
    sound->sample = NULL;
    return result;
}
