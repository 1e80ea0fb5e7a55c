// fracas/hear.h: what is heard of a live scene, while it goes on: blows, sliding and breaking of
// its rigid bodies, at two ears. SI units (m, kg, s, Pa). Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/bank.h"
#include "fracas/live.h"

FR_EXTERN_C_BEGIN

/// Bodies that ring. Three threads may use it at once, each alone: one tells what happens, one
/// cooks modes, one pulls samples. None waits for another.
typedef struct FrHear FrHear;

/// How it is heard. Start from fr_hear_def_default(), then change fields.
typedef struct FrHearDef {
    double rate;         ///< samples per second, 8000 to 384000
    double gain;         ///< dB; at 0 full scale is FR_FULL_SCALE
    int32_t most_voices; ///< bodies that sound at one time, above 0: the loudest of them
    int32_t most_modes;  ///< of each body, above 0: those of which most is heard
    int32_t cookie;      ///< set by fr_hear_def_default(); do not touch
} FrHearDef;

/// 48 kHz, 0 dB, 32 voices of 64 modes.
FR_API FrHearDef fr_hear_def_default(void);

/// FR_BAD_USE: a value of the def is out of range.
FR_API FrResult fr_hear_create(FrContext *ctx, const FrHearDef *def, FrHear **hear);
/// Accepts NULL. While no other thread uses it; before the contexts that it was made and cooked
/// with.
FR_API void fr_hear_destroy(FrHear *hear);

/// What happened up to a moment, and where bodies are then (telling thread). A body that is touched
/// for the first time clicks until its modes are cooked.
FR_API void fr_hear_tell(FrHear *hear, const FrMoment *moment, const FrEvent *event, int64_t count);
/// A mallet strikes at a place of a body, inwards (telling thread). False: it does not ring.
FR_API bool fr_hear_strike(FrHear *hear, const FrMoment *moment, const FrRayHit *at,
                           FrMallet mallet, double speed);
/// Make the modes of the body that was struck hardest so far and has none (cooking thread): it may
/// take a minute. False: there is none. `ctx`: of that thread.
FR_API bool fr_hear_cook(FrHear *hear, FrContext *ctx);
/// The next `frames` samples, left and right by turns (pulling thread). Allocates nothing, waits
/// for nothing.
FR_API void fr_hear_pull(FrHear *hear, float *out, int32_t frames);

/// Where the listener stands and which way the right ear points (telling thread). `gain` in dB.
FR_API void fr_hear_listener(FrHear *hear, FrVec3 at, FrVec3 right, double gain);
/// A tone of a body.
typedef struct FrHearMode {
    double hz, t60; ///< damped frequency; time to fall by 60 dB, s
} FrHearMode;
/// Modes of a body that rings, those first of which most is heard; at most `room`. Returns how many
/// it has; 0: it is not cooked, or has none (any thread).
FR_API int32_t fr_hear_modes(const FrHear *hear, FrBodyId body, FrHearMode *mode, int32_t room);
/// How mode i moves the nodes of the body's mesh that lie on its surface, axes of the mesh; the
/// largest is 1 long (3 * node_count; zero elsewhere). False: there is no such mode (any thread).
FR_API bool fr_hear_shape(const FrHear *hear, FrBodyId body, int32_t i, const FrBodyView *view,
                          double *u);
/// Its modes are wanted, though nothing struck it (telling thread). False: it has none.
FR_API bool fr_hear_want(FrHear *hear, const FrMoment *moment, FrBodyId body);
/// How many bodies were touched, ring in modes, and sound now (any thread).
FR_API void fr_hear_count(const FrHear *hear, int32_t *touched, int32_t *ring, int32_t *sound);

FR_EXTERN_C_END
