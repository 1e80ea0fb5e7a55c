// sounds.c: SDL's sound device pulls, a thread cooks modes, the simulation tells.

#include "sounds.h"
#include <SDL.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 48000
#define BUFFER 512
#define MOST_STRIKES 16
#define MOST_OLD 64
/// What plays farther from where the picture is jumps there, s.
#define APART 0.08

/// Samples that are kept to be looked at, a power of two.
#define KEPT 8192

/// A tone that dies away.
typedef struct Tone {
    double phase, by;  ///< rad
    double loud, less; ///< amplitude, and its factor from sample to sample
} Tone;

typedef struct Strike {
    FrRayHit hit;
    double speed;
} Strike;

struct Sounds {
    SDL_AudioDeviceID device;
    FrContext *ctx, *kitchen;
    pthread_t cook;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    // behind the lock
    bool quit;
    FrHear *hear, *old[MOST_OLD]; ///< old: nobody pulls them any more, the cook gives them back
    int old_count;
    FrVec3 ear, right;
    double gain;
    Strike strike[MOST_STRIKES];
    int strike_count;
    FrBodyId wanted; ///< whose modes are
    atomic_llong written;
    float kept[KEPT]; ///< of the device's thread; who looks may see some of another time
    // behind the device's lock
    Tone tone;
    FrHear *pulled;
    float *track; ///< left and right by turns; NULL: none
    int64_t track_frames, track_at;
    bool playing;
};

static void play_track(Sounds *s, float *out, int frames) {
    for (int k = 0; k < frames && s->playing; k++, s->track_at++) {
        if (s->track_at < 0 || s->track_at >= s->track_frames) break;
        out[2 * k] += s->track[2 * s->track_at];
        out[2 * k + 1] += s->track[2 * s->track_at + 1];
    }
}

static void play_tone(Tone *t, float *out, int frames) {
    for (int k = 0; k < frames && t->loud > 1e-6; k++) {
        float x = (float)(t->loud * sin(t->phase));
        out[2 * k] += x;
        out[2 * k + 1] += x;
        t->phase += t->by;
        t->loud *= t->less;
    }
}

static void keep(Sounds *s, const float *out, int frames) {
    long long at = atomic_load(&s->written);
    for (int k = 0; k < frames; k++)
        s->kept[(at + k) % KEPT] = 0.5f * (out[2 * k] + out[2 * k + 1]);
    atomic_store(&s->written, at + frames);
}

static void pull(void *user, Uint8 *bytes, int size) {
    Sounds *s = user;
    float *out = (float *)(void *)bytes;
    int frames = size / (int)(2 * sizeof(float));
    fr_hear_pull(s->pulled, out, frames);
    if (s->track) play_track(s, out, frames);
    play_tone(&s->tone, out, frames);
    keep(s, out, frames);
}

// cooks what was struck hardest; gives back what nobody hears any more
static void *cook_main(void *arg) {
    Sounds *s = arg;
    pthread_mutex_lock(&s->lock);
    while (!s->quit) {
        FrHear *hear = s->hear;
        while (s->old_count > 0) fr_hear_destroy(s->old[--s->old_count]);
        pthread_mutex_unlock(&s->lock);
        bool cooked = fr_hear_cook(hear, s->kitchen);
        pthread_mutex_lock(&s->lock);
        if (!cooked && !s->quit && !s->old_count) pthread_cond_wait(&s->wake, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static FrHear *make_hear(Sounds *s) {
    FrHearDef def = fr_hear_def_default();
    FrHear *hear = NULL;
    def.rate = RATE;
    return fr_hear_create(s->ctx, &def, &hear) == FR_OK ? hear : NULL;
}

static bool open_device(Sounds *s) {
    SDL_AudioSpec wanted = {.freq = RATE,
                            .format = AUDIO_F32SYS,
                            .channels = 2,
                            .samples = BUFFER,
                            .callback = pull,
                            .userdata = s};
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) return false;
    s->device = SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0);
    return s->device != 0;
}

Sounds *sounds_create(void) {
    Sounds *s = calloc(1, sizeof *s);
    FrContextDef def = fr_context_def_default();
    if (!s) return NULL;
    def.tasks.workers = 1;
    s->ctx = fr_context_create(&def);
    s->kitchen = fr_context_create(&def);
    s->right = (FrVec3){1, 0, 0};
    if (s->ctx && s->kitchen) s->hear = s->pulled = make_hear(s);
    if (!s->hear || !open_device(s)) {
        fr_hear_destroy(s->hear);
        fr_context_destroy(s->ctx);
        fr_context_destroy(s->kitchen);
        free(s);
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    pthread_create(&s->cook, NULL, cook_main, s);
    SDL_PauseAudioDevice(s->device, 0);
    return s;
}

void sounds_destroy(Sounds *s) {
    pthread_mutex_lock(&s->lock);
    s->quit = true;
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->lock);
    fr_context_cancel(s->kitchen);
    pthread_join(s->cook, NULL);
    SDL_CloseAudioDevice(s->device);
    while (s->old_count > 0) fr_hear_destroy(s->old[--s->old_count]);
    fr_hear_destroy(s->hear);
    fr_context_destroy(s->ctx);
    fr_context_destroy(s->kitchen);
    SDL_FreeWAV((Uint8 *)s->track);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->wake);
    free(s);
}

void sounds_forget(Sounds *s) {
    FrHear *fresh = make_hear(s);
    if (!fresh) return;
    pthread_mutex_lock(&s->lock);
    while (s->old_count == MOST_OLD) { // the cook takes it between two bodies
        pthread_cond_broadcast(&s->wake);
        pthread_mutex_unlock(&s->lock);
        SDL_Delay(1);
        pthread_mutex_lock(&s->lock);
    }
    SDL_LockAudioDevice(s->device);
    s->pulled = fresh;
    SDL_UnlockAudioDevice(s->device);
    s->old[s->old_count++] = s->hear;
    s->hear = fresh;
    s->strike_count = 0;
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

void sounds_tell(Sounds *s, const FrMoment *moment, const FrEvent *event, int64_t count) {
    pthread_mutex_lock(&s->lock);
    FrVec3 ear = s->ear, right = s->right;
    double gain = s->gain;
    Strike strike[MOST_STRIKES];
    int strikes = s->strike_count;
    for (int k = 0; k < strikes; k++) strike[k] = s->strike[k];
    s->strike_count = 0;
    FrHear *hear = s->hear; // this thread alone changes it
    FrBodyId wanted = s->wanted;
    s->wanted = (FrBodyId){0};
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
    fr_hear_listener(hear, ear, right, gain);
    fr_hear_tell(hear, moment, event, count);
    for (int k = 0; k < strikes; k++)
        fr_hear_strike(hear, moment, &strike[k].hit, FR_MALLET_WOOD, strike[k].speed);
    if (wanted.index1) fr_hear_want(hear, moment, wanted);
}

void sounds_strike(Sounds *s, const FrRayHit *hit, double speed) {
    pthread_mutex_lock(&s->lock);
    if (s->strike_count < MOST_STRIKES) s->strike[s->strike_count++] = (Strike){*hit, speed};
    pthread_mutex_unlock(&s->lock);
}

// the head is where the eye is
void sounds_listen(Sounds *s, const FrViewpoint *from) {
    FrVec3 along = {from->target.x - from->eye.x, from->target.y - from->eye.y, 0};
    pthread_mutex_lock(&s->lock);
    s->ear = from->eye;
    if (hypot(along.x, along.y) > 1e-9) s->right = (FrVec3){along.y, -along.x, 0};
    pthread_mutex_unlock(&s->lock);
}

double sounds_gain(const Sounds *s) { return s->gain; }

void sounds_set_gain(Sounds *s, double gain) {
    pthread_mutex_lock(&s->lock);
    s->gain = gain;
    pthread_mutex_unlock(&s->lock);
}

void sounds_text(Sounds *s, char *text, size_t room) {
    int32_t touched, ring, sound;
    pthread_mutex_lock(&s->lock);
    fr_hear_count(s->hear, &touched, &ring, &sound);
    pthread_mutex_unlock(&s->lock);
    snprintf(text, room, "%d bodies touched, %d ring in modes, %d sound now", touched, ring, sound);
}

void sounds_recent(const Sounds *sounds, float *sample, int count) {
    Sounds *s = (Sounds *)(uintptr_t)sounds; // an atomic load changes nothing
    long long end = atomic_load(&s->written);
    for (int k = 0; k < count; k++) {
        long long at = end - count + k;
        sample[k] = at < 0 ? 0.0f : s->kept[at % KEPT];
    }
}

int sounds_modes(Sounds *s, FrBodyId body, FrHearMode *mode, int room) {
    if (!s) return 0;
    pthread_mutex_lock(&s->lock);
    int count = fr_hear_modes(s->hear, body, mode, room);
    pthread_mutex_unlock(&s->lock);
    return count;
}

bool sounds_shape(Sounds *s, FrBodyId body, int i, const FrBodyView *view, double *u) {
    pthread_mutex_lock(&s->lock);
    bool known = fr_hear_shape(s->hear, body, i, view, u);
    pthread_mutex_unlock(&s->lock);
    return known;
}

void sounds_want(Sounds *s, FrBodyId body) {
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    s->wanted = body;
    pthread_mutex_unlock(&s->lock);
}

void sounds_tone(Sounds *s, double hz, double t60) {
    SDL_LockAudioDevice(s->device);
    s->tone = (Tone){0.0, 2.0 * M_PI * hz / RATE, 0.25, pow(1e-3, 1.0 / (RATE * fmax(t60, 0.05)))};
    SDL_UnlockAudioDevice(s->device);
}

bool sounds_load(Sounds *s, const char *wav) {
    SDL_AudioSpec spec;
    Uint8 *bytes;
    Uint32 size;
    if (!SDL_LoadWAV(wav, &spec, &bytes, &size)) return false;
    if (spec.format != AUDIO_F32LSB || spec.channels != 2 || spec.freq != RATE) {
        SDL_FreeWAV(bytes);
        return false;
    }
    SDL_LockAudioDevice(s->device);
    s->track = (float *)(void *)bytes;
    s->track_frames = size / (2 * sizeof(float));
    SDL_UnlockAudioDevice(s->device);
    return true;
}

void sounds_play(Sounds *s, bool playing, double t) {
    if (!s->track) return;
    SDL_LockAudioDevice(s->device);
    s->playing = playing;
    double at = (double)s->track_at / RATE;
    if (!playing || fabs(at - t) > APART) s->track_at = (int64_t)(t * RATE);
    SDL_UnlockAudioDevice(s->device);
}
