// mix.h: many bodies, their blows and their paths -> stems and a mix at the listener.
#pragma once
#include "sound/listener.h"
#include "sound/ringer.h"

/// A blow or a stretch of sliding, in seconds. Rising t.
typedef struct FrHit {
    double t, duration; ///< s
    FrSpot spot;
    FrVec3 push;   ///< impulse, N s, or force, N; the body's own axes
    double cutoff; ///< Hz: of roughness; 0: a blow
    double fade;   ///< s: roughness swells and fades that long; 0: 5 ms
    bool more;     ///< the second push of a blow: no contact of its own
    bool release;  ///< a face that a crack set free: no contact either
    bool joined;   ///< one push with the hit before it (FrBlow)
} FrHit;

typedef struct FrSoundBody {
    const FrAsset *asset; ///< borrowed
    const FrHit *hit;     ///< (hit_count)
    int32_t hit_count;
    FrTravel path;
    bool held;      ///< it cannot be thrown: no click
    double died;    ///< s: it fades within 5 ms then; INFINITY: never
    double rests;   ///< s: it lies on something from then on; INFINITY: never
    int32_t family; ///< bodies of one family share a stem
} FrSoundBody;

typedef struct FrMixDef {
    double rate;    ///< samples per second
    int64_t frames; ///< samples
    double gain;    ///< samples per Pa, on stems and mix alike
    FrListener listener;
    FrAir air;
    bool gauss; ///< pulses are Gaussians instead of Hertz's half-sines
    bool click;
    uint64_t seed;
    double rest_damping; ///< 1/s: decay that lying on something adds
    const float *first;  ///< a track that is there already, added before all stems (2 * frames);
                         ///< NULL: none
    double last_fade;    ///< s: everything is faded out at the end; 0: not
} FrMixDef;

/// Takes the stem of one family: left and right by turns (2 * frames). `body`: its first that
/// sounds.
typedef FrResult FrStemFn(void *user, int32_t body, const float *stem);
/// Who takes stems.
typedef struct FrStemSink {
    FrStemFn *take; ///< NULL: nobody
    void *user;
} FrStemSink;

/// mix (2 * frames) is the sum of the stems, added up in doubles in the order of their first bodies
/// and rounded once; a stem is the sum of its bodies, likewise. Bodies without hits have no stem.
/// The same bits for any number of workers. Memory does not grow with the number of bodies.
FrResult fr_mix(FrContext *ctx, const FrMixDef *def, const FrSoundBody *body, int32_t count,
                FrStemSink stems, float *mix);
