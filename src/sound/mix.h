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
} FrHit;

typedef struct FrSoundBody {
    const FrAsset *asset; ///< borrowed
    const FrHit *hit;     ///< (hit_count)
    int32_t hit_count;
    FrTravel path;
    bool held;    ///< it cannot be thrown: no click
    double died;  ///< s: it fades within 5 ms then; INFINITY: never
    double rests; ///< s: it lies on something from then on; INFINITY: never
} FrSoundBody;

typedef struct FrMixDef {
    double rate;    ///< samples per second
    int64_t frames; ///< samples
    double gain;    ///< samples per Pa, on stems and mix alike
    FrListener listener;
    FrAir air;
    bool click;
    uint64_t seed;
    double rest_damping; ///< 1/s: decay that lying on something adds
    const float *first;  ///< a track that is there already, added before all stems (2 * frames);
                         ///< NULL: none
    double last_fade;    ///< s: everything is faded out at the end; 0: not
} FrMixDef;

/// Takes the stem of one body: left and right by turns (2 * frames).
typedef FrResult FrStemFn(void *user, int32_t body, const float *stem);
/// Who takes stems.
typedef struct FrStemSink {
    FrStemFn *take; ///< NULL: nobody
    void *user;
} FrStemSink;

/// mix (2 * frames) is the sum of the stems, added up in doubles in the order of the bodies and
/// rounded once. Bodies without hits have no stem. The same bits for any number of workers.
FrResult fr_mix(FrContext *ctx, const FrMixDef *def, const FrSoundBody *body, int32_t count,
                FrStemSink stems, float *mix);
