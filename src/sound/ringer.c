// ringer.c: one body that is hit, scraped and heard: pulses push its modes, its modes move the air.

#include "sound/ringer.h"
#include "math/vec.h"
#include "sound/click.h"
#include "sound/heard.h"
#include "modal/oscillator.h"
#include <math.h>
#include <string.h>

/// How rough a sliding contact is: deviation of the force over its mean, 1.
#define ROUGHNESS 0.3
/// Roughness swells and fades over this time, s.
#define FADE 0.005
/// Above this part of the rate a resonance would fold back into hearing.
#define HIGHEST 0.45

/// How loud modes are at each ear, over what they are without a direction.
typedef struct Loudness {
    void *now[2];    ///< slots of the resonators
    void *next[2];   ///< at the end of a block
    void *goal[2];   ///< when the ears are where they go to
    uint8_t *memory; ///< of these
    float *gain;     ///< of the asset's modes (mode_count)
    double *plain;   ///< gain of each resonator, Pa m s (mode_count)
    int32_t left;    ///< frames until then
    bool placed;     ///< ears were given
} Loudness;

typedef struct Voice {
    bool busy;
    double age;      ///< samples since it began; negative: still to come
    double duration; ///< samples
    double fade;     ///< samples
    FrNoise noise;
    bool rough;
    FrVec3 push;  ///< of all its blows together
    void *weight; ///< slots of the resonators
} Voice;

struct FrRinger {
    FrContext *ctx;
    FrRingerDef def;
    int32_t *mode; ///< of the asset, for each resonator but the click (mode_count)
    int32_t mode_count;
    int32_t click; ///< resonator of the click; -1: none
    FrClick jolt;  ///< what it sends
    int32_t last;  ///< voice of the last blow; -1: it was a kick
    FrResonators resonators;
    Voice *voice;   ///< (most_blows)
    double *force;  ///< of each voice in one block (most_blows * FR_RESONATOR_BLOCK)
    FrDrive *drive; ///< (most_blows)
    uint8_t *weight;
    uint64_t blows; ///< so far: every roughness has its own noise
    Loudness loud;  ///< of a body that radiates
};

// A rigid sphere of radius a that is jolted to speed U sends
//     p r = rho c a U cos(theta) e^{-b t} (cos bt - sin bt),  b = c/a
// which is the velocity of a mode with lambda = 2 b^2 and damping 2 b. cos(theta) is taken at its
// root mean square. Below the pitch of b all that counts is rho a^3/(2c) dA/dt, so b can be lowered
// to what the rate carries if the gain falls with b^2. Other shapes: the sphere that moves as much
// air (click.h).
static void set_click(FrRinger *r) {
    r->jolt = fr_click_of(r->def.asset);
    double a = r->jolt.radius, b = FR_SOUND_SPEED / a;
    double most = 2.0 * M_PI * 0.2 * r->def.rate, least = 2e-3 * r->def.rate;
    double used = fr_clamp(b, least, most), lower = used / b;
    double gain = FR_AIR_DENSITY * FR_SOUND_SPEED * a / sqrt(3.0) * lower * lower;
    fr_resonators_set(&r->resonators, r->click, 2.0 * used * used, 2.0 * used,
                      gain / r->def.asset->info.mass * r->def.gain, FR_RESONANCE_VELOCITY);
}

// modes with a tone that the rate can carry, in the order of the asset
static int32_t choose(FrRinger *r) {
    const FrAsset *a = r->def.asset;
    int32_t most = r->def.most_modes > 0 ? r->def.most_modes : INT32_MAX, count = 0;
    for (int32_t i = 0; i < a->info.mode_count && count < most; i++) {
        double w = fr_mode_omega(a->lambda[i], fr_asset_damping(a, i));
        if (w > 1e-4 * r->def.rate && w < 2.0 * M_PI * HIGHEST * r->def.rate) r->mode[count++] = i;
    }
    return count;
}

static FrResult make_voices(FrRinger *r) {
    int32_t count = r->def.most_blows;
    size_t slots = (size_t)fr_resonators_slots(&r->resonators) * sizeof(double);
    r->voice = FR_NEW(r->ctx, Voice, count);
    r->drive = FR_NEW(r->ctx, FrDrive, count);
    r->force = FR_NEW(r->ctx, double, (size_t)count *FR_RESONATOR_BLOCK);
    r->weight = fr_alloc_zero(r->ctx, (size_t)count, slots);
    if (!r->voice || !r->drive || !r->force || !r->weight)
        return fr_no_memory(r->ctx, "a ringing body");
    for (int32_t k = 0; k < count; k++) r->voice[k].weight = r->weight + (size_t)k * slots;
    return FR_OK;
}

bool fr_ringer_radiates(const FrRinger *r) { return r->loud.memory; }

static FrResult make_loudness(FrRinger *r) {
    const FrAsset *a = r->def.asset;
    Loudness *l = &r->loud;
    if (r->def.air != FR_AIR_FULL || !a->radiation) return FR_OK;
    size_t slots = (size_t)fr_resonators_slots(&r->resonators) * sizeof(double);
    l->gain = FR_NEW(r->ctx, float, a->info.mode_count);
    l->plain = FR_NEW(r->ctx, double, r->mode_count);
    l->memory = fr_alloc_zero(r->ctx, 6, slots);
    if (!l->gain || !l->plain || !l->memory) return fr_no_memory(r->ctx, "a ringing body");
    for (int ear = 0; ear < 2; ear++) {
        l->now[ear] = l->memory + (size_t)(3 * ear) * slots;
        l->next[ear] = l->memory + (size_t)(3 * ear + 1) * slots;
        l->goal[ear] = l->memory + (size_t)(3 * ear + 2) * slots;
    }
    return FR_OK;
}

// What goes out into the air is lost: of the energy lambda/2 at a displacement of 1 it takes P a
// second, so that the amplitude falls as e^{-Pt/lambda} [M31]. S7 leaves it out.
static double damping_of(const FrRinger *r, int32_t i) {
    const FrAsset *a = r->def.asset;
    double own = fr_asset_damping(a, i);
    return fr_ringer_radiates(r) ? own + 2.0 * fr_radiation_power(a->radiation, i) / a->lambda[i]
                                 : own;
}

static FrResult make(FrRinger *r) {
    const FrAsset *a = r->def.asset;
    r->mode = FR_NEW(r->ctx, int32_t, a->info.mode_count);
    if (!r->mode) return fr_no_memory(r->ctx, "a ringing body");
    r->mode_count = choose(r);
    r->click = r->def.click ? r->mode_count : -1;
    FR_TRY(fr_resonators_init(&r->resonators, r->ctx, r->mode_count + (r->def.click ? 1 : 0),
                              1.0 / r->def.rate, r->def.single, r->def.portable));
    FR_TRY(make_loudness(r));
    for (int32_t k = 0; k < r->mode_count; k++) {
        int32_t i = r->mode[k];
        double gain =
            fr_air_gain(r->def.air, a->info.area, a->info.volume, a->coupling[i], a->lambda[i]);
        if (r->loud.plain) r->loud.plain[k] = gain;
        fr_resonators_set(&r->resonators, k, a->lambda[i], damping_of(r, i), gain * r->def.gain,
                          FR_RESONANCE_VELOCITY);
    }
    if (r->click >= 0) set_click(r);
    return make_voices(r);
}

FrResult fr_ringer_create(FrContext *ctx, const FrRingerDef *def, FrRinger **ringer) {
    *ringer = NULL;
    if (!def->asset || !(def->rate >= 1000.0 && def->rate <= 1e6) || def->most_blows < 1)
        return fr_fail(ctx, FR_BAD_USE,
                       "a ringing body needs an asset, a rate of 1 kHz to 1 MHz (got %g) and room "
                       "for blows (got %d)",
                       def->rate, def->most_blows);
    FrRinger *r = FR_NEW(ctx, FrRinger, 1);
    if (!r) return fr_no_memory(ctx, "a ringing body");
    r->ctx = ctx;
    r->def = *def;
    r->last = -1;
    FrResult result = make(r);
    if (result == FR_OK)
        *ringer = r;
    else
        fr_ringer_destroy(r);
    return result;
}

void fr_ringer_destroy(FrRinger *r) {
    if (!r) return;
    FrContext *ctx = r->ctx;
    fr_resonators_free(&r->resonators);
    FR_FREE_ALL(ctx, r->loud.memory, r->loud.gain, r->loud.plain);
    FR_FREE_ALL(ctx, r->mode, r->voice, r->drive, r->force, r->weight, r);
}

int32_t fr_ringer_modes(const FrRinger *r) { return r->mode_count; }

// without a free voice the whole impulse comes at once: nothing is lost but its softness
static void kick(FrRinger *r, const FrBlow *blow) {
    for (int32_t k = 0; k < r->mode_count; k++)
        fr_resonators_kick(&r->resonators, k,
                           fr_asset_weight(r->def.asset, &blow->spot, r->mode[k], blow->push));
    if (r->click >= 0)
        fr_resonators_kick(&r->resonators, r->click, fr_click_push(&r->jolt, blow->push));
}

// modal force g_i = w_i . f at the spot, of one blow more                               [S4 eq. 6]
static void weigh(FrRinger *r, const FrBlow *blow, Voice *voice) {
    const FrResonators *to = &r->resonators;
    for (int32_t k = 0; k < r->mode_count; k++)
        fr_resonators_add_weight(
            to, voice->weight, k,
            fr_asset_weight(r->def.asset, &blow->spot, r->mode[k], blow->push));
    voice->push = fr_add(voice->push, blow->push);
    if (r->click >= 0)
        fr_resonators_weight(to, voice->weight, r->click, fr_click_push(&r->jolt, voice->push));
}

// -1: all are taken
static int32_t free_voice(const FrRinger *r) {
    for (int32_t k = 0; k < r->def.most_blows; k++)
        if (!r->voice[k].busy) return k;
    return -1;
}

static void begin(FrRinger *r, const FrBlow *blow, uint64_t number, Voice *voice) {
    memset(voice->weight, 0, (size_t)fr_resonators_slots(&r->resonators) * sizeof(double));
    *voice = (Voice){.busy = true,
                     .age = -blow->start,
                     .duration = blow->duration,
                     .rough = blow->cutoff > 0.0,
                     .weight = voice->weight};
    voice->fade = fr_min(blow->fade > 0.0 ? blow->fade : FADE * r->def.rate, 0.5 * blow->duration);
    if (voice->rough) voice->noise = fr_noise_make(r->def.seed, number, blow->cutoff, r->def.rate);
}

bool fr_ringer_add(FrRinger *r, const FrBlow *blow) {
    uint64_t number = r->blows++;
    if (!blow->joined) r->last = free_voice(r);
    if (r->last < 0) {
        if (!(blow->cutoff > 0.0)) kick(r, blow);
        return false;
    }
    Voice *voice = &r->voice[r->last];
    if (!blow->joined) begin(r, blow, number, voice);
    weigh(r, blow, voice);
    return true;
}

// a quarter of a sine: two noises that cross over keep their power together
static double fade(double t, double length) {
    if (t <= 0.0) return 0.0;
    return t < length ? sin(0.5 * M_PI * t / length) : 1.0;
}

// noise that swells and fades; its mean, the steady force, moves nothing that can be heard
static void rough_samples(Voice *voice, int32_t frames, double *force) {
    for (int32_t n = 0; n < frames; n++) {
        double t = voice->age + n;
        force[n] = ROUGHNESS * fr_noise_next(&voice->noise) * fade(t, voice->fade) *
                   fade(voice->duration - t, voice->fade);
    }
}

static double lasts(const FrRinger *r, const Voice *voice) {
    bool longer = r->def.gauss && !voice->rough;
    return longer ? FR_GAUSS_LONGER * voice->duration : voice->duration;
}

// forces of all voices over the coming samples; how many of these samples are pushed at all
static int32_t gather(FrRinger *r, int32_t frames, int32_t *drive_count) {
    int32_t pushed = 0;
    *drive_count = 0;
    for (int32_t k = 0; k < r->def.most_blows; k++) {
        Voice *voice = &r->voice[k];
        if (!voice->busy) continue;
        double *force = r->force + (size_t)k * FR_RESONATOR_BLOCK,
               left = lasts(r, voice) - voice->age;
        if (voice->rough)
            rough_samples(voice, frames, force);
        else if (r->def.gauss)
            fr_gauss_samples(-voice->age, voice->duration, r->def.rate, frames, force);
        else
            fr_pulse_samples(-voice->age, voice->duration, r->def.rate, frames, force);
        r->drive[(*drive_count)++] = (FrDrive){voice->weight, force};
        pushed = fr_max_i(pushed, left < frames ? (int32_t)ceil(fr_max(left, 0.0)) : frames);
        voice->age += frames;
        if (voice->age >= lasts(r, voice)) voice->busy = false;
    }
    return pushed;
}

static double loudness_at(const FrRinger *r, const void *slots, int32_t k) {
    return r->resonators.single ? (double)((const float *)slots)[k] : ((const double *)slots)[k];
}

// |p_i| at the ear, times the distance, over what the mode sends without a direction; z_i is
// z_i'/omega_i a quarter of a period later, and nobody hears that                      [S7 eq. 8]
static void set_goal(FrRinger *r, int ear, const FrRingerEars *ears) {
    Loudness *l = &r->loud;
    const FrAsset *a = r->def.asset;
    fr_radiation_gains(a->radiation, ears->at[ear], ears->detail, l->gain);
    for (int32_t k = 0; k < r->mode_count; k++) {
        double p = (double)l->gain[r->mode[k]] * ears->distance / sqrt(a->lambda[r->mode[k]]);
        fr_resonators_weight(&r->resonators, l->goal[ear], k,
                             l->plain[k] > 0.0 ? p / l->plain[k] : 0.0);
    }
    FrRadiationDef about = fr_radiation_about(a->radiation);
    double away = fr_max(fr_distance(ears->at[ear], about.x0), about.radius);
    if (r->click >= 0)
        fr_resonators_weight(&r->resonators, l->goal[ear], r->click, ears->distance / away);
}

void fr_ringer_listen(FrRinger *r, const FrRingerEars *ears) {
    Loudness *l = &r->loud;
    if (!fr_ringer_radiates(r)) return;
    size_t size = (size_t)fr_resonators_slots(&r->resonators) * sizeof(double);
    for (int ear = 0; ear < 2; ear++) {
        set_goal(r, ear, ears);
        if (!l->placed) memcpy(l->now[ear], l->goal[ear], size);
    }
    l->left = l->placed ? ears->frames : 0;
    l->placed = true;
}

void fr_ringer_listen_like(FrRinger *r, const FrRinger *other) {
    if (!fr_ringer_radiates(r)) return;
    size_t size = (size_t)fr_resonators_slots(&r->resonators) * sizeof(double);
    for (int ear = 0; ear < 2; ear++) {
        memcpy(r->loud.now[ear], other->loud.goal[ear], size);
        memcpy(r->loud.goal[ear], other->loud.goal[ear], size);
    }
    r->loud.left = 0;
    r->loud.placed = true;
}

// where the ears are `frames` from now
static void move_ears(FrRinger *r, int32_t frames) {
    Loudness *l = &r->loud;
    double part = l->left > frames ? (double)frames / l->left : 1.0;
    for (int ear = 0; ear < 2; ear++)
        for (int32_t k = 0; k < r->resonators.count; k++) {
            double now = loudness_at(r, l->now[ear], k), goal = loudness_at(r, l->goal[ear], k);
            fr_resonators_weight(&r->resonators, l->next[ear], k, now + part * (goal - now));
        }
    l->left = fr_max_i(l->left - frames, 0);
}

static void run_ears(FrRinger *r, int32_t drives, int32_t frames, double *out[2]) {
    Loudness *l = &r->loud;
    if (frames == 0) return;
    move_ears(r, frames);
    FrLoudness loudness = {{l->now[0], l->now[1]}, {l->next[0], l->next[1]}};
    fr_resonators_run_ears(&r->resonators, r->drive, drives, frames, &loudness, out);
    for (int ear = 0; ear < 2; ear++) {
        void *was = l->now[ear];
        l->now[ear] = l->next[ear];
        l->next[ear] = was;
    }
}

static void pull_plain(FrRinger *r, double *out, int32_t frames) {
    for (int32_t n = 0; n < frames;) {
        int32_t now = fr_min_i(FR_RESONATOR_BLOCK, frames - n), drives;
        int32_t pushed = gather(r, now, &drives);
        fr_resonators_run(&r->resonators, r->drive, drives, pushed, out + n);
        fr_resonators_run(&r->resonators, NULL, 0, now - pushed, out + n + pushed);
        n += now;
    }
}

void fr_ringer_pull_ears(FrRinger *r, double *out[2], int32_t frames) {
    if (!fr_ringer_radiates(r)) {
        pull_plain(r, out[0], frames);
        memcpy(out[1], out[0], (size_t)frames * sizeof *out[1]);
        return;
    }
    for (int32_t n = 0; n < frames;) {
        int32_t now = fr_min_i(FR_RESONATOR_BLOCK, frames - n), drives;
        int32_t pushed = gather(r, now, &drives);
        run_ears(r, drives, pushed, (double *[2]){out[0] + n, out[1] + n});
        run_ears(r, 0, now - pushed, (double *[2]){out[0] + n + pushed, out[1] + n + pushed});
        n += now;
    }
}

void fr_ringer_pull(FrRinger *r, double *out, int32_t frames) {
    double other[FR_RESONATOR_BLOCK];
    if (!fr_ringer_radiates(r)) {
        pull_plain(r, out, frames);
        return;
    }
    for (int32_t n = 0; n < frames; n += FR_RESONATOR_BLOCK)
        fr_ringer_pull_ears(r, (double *[2]){out + n, other},
                            fr_min_i(FR_RESONATOR_BLOCK, frames - n));
}

bool fr_ringer_sounding(const FrRinger *r) {
    for (int32_t k = 0; k < r->def.most_blows; k++)
        if (r->voice[k].busy) return true;
    for (int32_t k = 0; k < r->resonators.group_count; k++)
        if (r->resonators.live[k]) return true;
    return false;
}

double fr_ringer_level(const FrRinger *r) {
    double sum = 0.0, x, y;
    for (int32_t k = 0; k < r->def.most_blows; k++)
        if (r->voice[k].busy) return HUGE_VAL;
    for (int32_t k = 0; k < r->resonators.count; k++) {
        fr_resonators_state(&r->resonators, k, &x, &y);
        double loud = r->loud.placed ? loudness_at(r, r->loud.now[0], k) : 1.0;
        sum += loud * sqrt(x * x + y * y);
    }
    return sum;
}
