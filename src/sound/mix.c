// mix.c: many bodies, their blows and their paths -> stems and a mix at the listener [M27].

#include "sound/mix.h"
#include "base/tasks.h"
#include "math/vec.h"
#include <math.h>
#include <string.h>

/// Bodies that are worked on at one time; their samples are in memory together.
#define BATCH 8
#define MOST_BLOWS 64
#define BLOCK 64
/// A body that breaks is faded out over this time, s.
#define DEATH_FADE 0.005
/// What is left of a tone after this is nothing, and slow to reckon with.
#define NOTHING 1e-200
/// What is slower than this is not sound, Hz.
#define LOWEST 20.0

/// One body of a batch.
typedef struct Seat {
    int32_t body;
    FrRinger *ringer;
    double *work; ///< source for each ear, left, right (4 * frames)
    bool finite;
} Seat;

typedef struct Desk {
    FrContext *ctx;
    const FrMixDef *def;
    const FrSoundBody *body;
    FrDelayTable *table;
    Seat seat[BATCH];
    int32_t taken;  ///< seats
    double *sum;    ///< (2 * frames)
    int32_t first;  ///< of the family that is being summed; -1: none
    double *family; ///< sum of its bodies (2 * frames)
    float *stem;    ///< (2 * frames)
} Desk;

static void strike(const FrMixDef *def, const FrHit *hit, int64_t now, FrRinger *ringer) {
    FrBlow blow = {.start = hit->t * def->rate - (double)now,
                   .duration = fr_max(hit->duration * def->rate, 1e-3),
                   .spot = hit->spot,
                   .push = hit->push,
                   .cutoff = hit->cutoff,
                   .fade = hit->fade * def->rate,
                   .joined = hit->joined};
    fr_ringer_add(ringer, &blow);
}

/// Frames between two looks at how loud each mode is: 200 a second at 48 kHz.
#define LOOK 240

// how loud each mode is, where the body and the ears are at that sample
static void look(const FrMixDef *def, const FrSoundBody *body, int64_t at, FrRinger *ringer) {
    FrRingerEars ears = {.frames = LOOK};
    ears.distance = fr_ears_from(&def->listener, &body->path, (double)at / def->rate, ears.at);
    for (int ear = 0; ear < 2; ear++) ears.at[ear] = fr_add(ears.at[ear], body->asset->info.centre);
    fr_ringer_listen(ringer, &ears);
}

static void ring(const FrMixDef *def, const FrSoundBody *body, FrRinger *ringer, double *out[2]) {
    int32_t next = 0, block = fr_ringer_radiates(ringer) ? LOOK : BLOCK;
    look(def, body, 0, ringer);
    for (int64_t n = 0; n < def->frames; n += block) {
        int32_t now = (int32_t)(def->frames - n < block ? def->frames - n : block);
        for (; next < body->hit_count && body->hit[next].t * def->rate < (double)(n + now); next++)
            if (body->hit[next].t <= body->died) strike(def, &body->hit[next], n, ringer);
        if (fr_ringer_sounding(ringer)) {
            look(def, body, n + now, ringer);
            fr_ringer_pull_ears(ringer, (double *[2]){out[0] + n, out[1] + n}, now);
        } else {
            for (int ear = 0; ear < 2; ear++) memset(out[ear] + n, 0, (size_t)now * sizeof **out);
        }
    }
}

// from full at time `from` to nothing `length` later, s
static void fade_out(const FrMixDef *def, double from, double length, double *s) {
    for (int64_t n = 0; n < def->frames; n++) {
        double t = ((double)n / def->rate - from) / length;
        if (t >= 1.0) s[n] = 0.0;
        if (t > 0.0 && t < 1.0) s[n] *= 0.5 + 0.5 * cos(M_PI * t);
    }
}

// What it lies on takes energy from all modes alike, which is as good as damping each of them.
static void lie_down(const FrMixDef *def, double from, double *s) {
    double keep = exp(-def->rest_damping / def->rate), factor = 1.0;
    for (int64_t n = (int64_t)fr_max(ceil(from * def->rate), 0.0); n < def->frames; n++)
        s[n] *= factor *= keep;
}

// y = x - x_before + R y_before
static void block_dc(double *s, int64_t frames, double rate) {
    double keep = exp(-2.0 * M_PI * LOWEST / rate), x = 0.0, y = 0.0;
    for (int64_t n = 0; n < frames; n++) {
        double in = s[n];
        y = 0.5 * (1.0 + keep) * (in - x) + keep * y;
        if (fabs(y) < NOTHING) y = 0.0;
        x = in;
        s[n] = y;
    }
}

static bool all_finite(const double *s, int64_t count) {
    bool good = true;
    for (int64_t n = 0; n < count; n++) good &= isfinite((float)s[n]) != 0;
    return good;
}

// what it gives off towards one ear, less where it lies or is gone
static void shape_source(const FrMixDef *def, const FrSoundBody *body, double *source) {
    if (isfinite(body->rests)) lie_down(def, body->rests, source);
    if (isfinite(body->died)) fade_out(def, body->died, DEATH_FADE, source);
}

static void make_stem(const Desk *desk, Seat *seat) {
    const FrMixDef *def = desk->def;
    const FrSoundBody *body = &desk->body[seat->body];
    double *source[2] = {seat->work, seat->work + def->frames},
           *left = seat->work + 2 * def->frames, *right = left + def->frames;
    ring(def, body, seat->ringer, source);
    for (int ear = 0; ear < 2; ear++) shape_source(def, body, source[ear]);
    FrSource given = {{source[0], source[1]}, def->frames, def->rate};
    fr_listen(&def->listener, &body->path, desk->table, &given, left, right);
    block_dc(left, def->frames, def->rate);
    block_dc(right, def->frames, def->rate);
    double end = (double)def->frames / def->rate - def->last_fade;
    if (def->last_fade > 0.0) fade_out(def, end, def->last_fade, left);
    if (def->last_fade > 0.0) fade_out(def, end, def->last_fade, right);
    seat->finite = all_finite(left, 2 * def->frames); // right lies behind left
}

static void stem_task(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Desk *desk = arg;
    (void)chunk, (void)worker;
    for (int32_t k = begin; k < end; k++) make_stem(desk, &desk->seat[k]);
}

static FrResult sit_down(Desk *desk, int32_t body) {
    const FrMixDef *def = desk->def;
    FrRingerDef ringer = {.asset = desk->body[body].asset,
                          .rate = def->rate,
                          .gain = def->gain,
                          .most_blows = MOST_BLOWS,
                          .air = def->air,
                          .gauss = def->gauss,
                          .click = def->click && !desk->body[body].held,
                          .seed = def->seed + (uint64_t)body};
    Seat *seat = &desk->seat[desk->taken++];
    seat->body = body;
    return fr_ringer_create(desk->ctx, &ringer, &seat->ringer);
}

// the family that was summed goes to the mix
static FrResult end_family(Desk *desk, FrStemSink stems) {
    if (desk->first < 0) return FR_OK;
    for (int64_t n = 0; n < 2 * desk->def->frames; n++) {
        desk->stem[n] = (float)desk->family[n];
        desk->sum[n] += (double)desk->stem[n];
    }
    int32_t first = desk->first;
    desk->first = -1;
    return stems.take ? stems.take(stems.user, first, desk->stem) : FR_OK;
}

static void add_to_family(Desk *desk, const Seat *seat) {
    const double *left = seat->work + 2 * desk->def->frames, *right = left + desk->def->frames;
    bool first = desk->first < 0;
    if (first) desk->first = seat->body;
    for (int64_t n = 0; n < desk->def->frames; n++) {
        desk->family[2 * n] = first ? left[n] : desk->family[2 * n] + left[n];
        desk->family[2 * n + 1] = first ? right[n] : desk->family[2 * n + 1] + right[n];
    }
}

static FrResult finish_batch(Desk *desk, FrStemSink stems) {
    fr_parallel_for(desk->ctx, desk->taken, 1, stem_task, desk);
    for (int32_t k = 0; k < desk->taken; k++) {
        Seat *seat = &desk->seat[k];
        if (!seat->finite)
            return fr_fail(desk->ctx, FR_NUMERICAL, "the sound of body %d is not finite",
                           seat->body);
        bool same =
            desk->first >= 0 && desk->body[desk->first].family == desk->body[seat->body].family;
        if (!same) FR_TRY(end_family(desk, stems));
        add_to_family(desk, seat);
        fr_ringer_destroy(seat->ringer);
        seat->ringer = NULL;
    }
    desk->taken = 0;
    return FR_OK;
}

// those that are hit, family by family, each where its first body stands
static int32_t put_in_order(const FrSoundBody *body, int32_t count, int32_t *order) {
    int32_t done = 0;
    for (int32_t k = 0; k < count; k++) order[k] = -1;
    for (int32_t k = 0; k < count; k++) {
        bool seen = body[k].hit_count == 0;
        for (int32_t i = 0; i < done && !seen; i++) seen = order[i] == k;
        for (int32_t i = k; i < count && !seen; i++)
            if (body[i].hit_count > 0 && body[i].family == body[k].family) order[done++] = i;
    }
    return done;
}

static FrResult mix_all(Desk *desk, const int32_t *order, int32_t count, FrStemSink stems) {
    for (int32_t k = 0; k < count; k++) {
        FR_TRY(sit_down(desk, order[k]));
        if (desk->taken == BATCH) FR_TRY(finish_batch(desk, stems));
        fr_progress(desk->ctx, "sound", k + 1, count);
        if (fr_context_cancelled(desk->ctx))
            return fr_fail(desk->ctx, FR_INTERRUPTED, "interrupted");
    }
    FR_TRY(finish_batch(desk, stems));
    return end_family(desk, stems);
}

static FrResult mix_bodies(Desk *desk, int32_t count, FrStemSink stems) {
    int32_t *order = FR_NEW(desk->ctx, int32_t, count);
    if (!order) return fr_no_memory(desk->ctx, "a mix");
    FrResult result = mix_all(desk, order, put_in_order(desk->body, count, order), stems);
    fr_free(desk->ctx, order);
    return result;
}

static FrResult prepare(Desk *desk) {
    size_t frames = (size_t)desk->def->frames;
    desk->table = FR_NEW(desk->ctx, FrDelayTable, 1);
    desk->sum = FR_NEW(desk->ctx, double, 2 * frames);
    desk->family = FR_NEW(desk->ctx, double, 2 * frames);
    desk->stem = FR_NEW(desk->ctx, float, 2 * frames);
    bool good = desk->table && desk->sum && desk->family && desk->stem;
    for (int32_t k = 0; k < BATCH && good; k++) {
        desk->seat[k].work = FR_NEW(desk->ctx, double, 4 * frames);
        good = desk->seat[k].work;
    }
    if (!good) return fr_no_memory(desk->ctx, "a mix");
    fr_delay_table(desk->table);
    return FR_OK;
}

FrResult fr_mix(FrContext *ctx, const FrMixDef *def, const FrSoundBody *body, int32_t count,
                FrStemSink stems, float *mix) {
    FR_ASSERT_IN(ctx, def->frames > 0 && def->frames < INT32_MAX, "ask for some samples");
    Desk desk = {.ctx = ctx, .def = def, .body = body, .first = -1};
    FrResult result = prepare(&desk);
    for (int64_t n = 0; result == FR_OK && def->first && n < 2 * def->frames; n++)
        desk.sum[n] = (double)def->first[n];
    if (result == FR_OK) result = mix_bodies(&desk, count, stems);
    for (int64_t n = 0; result == FR_OK && n < 2 * def->frames; n++) mix[n] = (float)desk.sum[n];
    fr_free(ctx, desk.table);
    FR_FREE_ALL(ctx, desk.sum, desk.family, desk.stem);
    for (int32_t k = 0; k < BATCH; k++) {
        fr_ringer_destroy(desk.seat[k].ringer);
        fr_free(ctx, desk.seat[k].work);
    }
    return result;
}
