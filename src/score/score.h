// score.h: what is to be heard: bodies that ring, when and where they are hit, where they are.
#pragma once
#include "base/array.h"
#include "record/recording.h"
#include "score/cook.h"
#include "score/cook_proxy.h"
#include "sound/mix.h"

typedef struct FrScoreBody {
    char *name;
    FrAsset *asset; ///< NULL: silent
    bool shared;    ///< the asset is an earlier body's: a twin
    bool held;      ///< fixed: it cannot be thrown, and does not click
    FR_ARRAY(FrHit) hit;
    FR_ARRAY(FrVec3) place; ///< of its middle, m; none: it stays at the origin
    FR_ARRAY(FrQuat) turn;  ///< of its axes, as many as places; none: it is not turned
    double place_hz;        ///< places per second
    double born, died;      ///< s; 0: from the start, INFINITY: never
    int32_t family;         ///< bodies of one family share a stem
    char *family_name;      ///< of the first ancestor; NULL: its own
    double rests;           ///< s: it lies on something from then on; INFINITY: never
    FrProxied proxied;      ///< what it borrowed; asset NULL: nothing
} FrScoreBody;

/// A body of the recording that does not ring in modes.
typedef struct FrScoreMute {
    char *name;
    const char *why; ///< "..., so" nothing of it can be changed
} FrScoreMute;

typedef struct FrScore {
    FrContext *ctx;
    FR_ARRAY(FrScoreBody) body;
    FR_ARRAY(FrScoreMute) mute;
    FrScene *scene;  ///< of the recording, for its materials; NULL: none
    double duration; ///< s, without tones that ring on
    FrListener listener;
    bool has_listener;
    bool microphone; ///< the run had one
    bool recorded;   ///< blows belong to a motion: with another mass they change, the motion stays
    double gain;     ///< samples per Pa
    bool fits;       ///< nobody chose the gain: less where it would clip
    FrAir air;
    bool gauss;          ///< pulses are Gaussians instead of Hertz's half-sines
    bool air_given;      ///< not by the scene
    FrProxyRule rule;    ///< who borrows its sound; bank NULL: nobody
    double rest_damping; ///< 1/s
    uint64_t seed;
    float
        *track; ///< what a microphone heard at a gain of 0 dB, left and right by turns; NULL: none
    int64_t track_frames;
} FrScore;

void fr_score_init(FrScore *score, FrContext *ctx);
void fr_score_free(FrScore *score);
/// A silent body; its asset is the score's from now on. NULL: no memory (message set).
FrScoreBody *fr_score_add(FrScore *score, const char *name);
/// A body that --set cannot change, and why (lasting text).
FrResult fr_score_add_mute(FrScore *score, const char *name, const char *why);
/// Index by name, -1: none.
int32_t fr_score_find(const FrScore *score, const char *name);

/// Rigid bodies and balls of a recording, their blows, and sliding and rolling between them.
/// `scene`: of the recording; NULL: not readable.
FrResult fr_score_recording(FrScore *score, FrRecording *recording, const FrScene *scene);
/// The listener stands where the film is seen from (m) and looks the same way, unless the scene
/// (NULL: none) puts it elsewhere; gain and air as the scene says.
void fr_score_camera(FrScore *score, FrVec3 eye, FrVec3 target, const FrScene *scene);
/// Listener, gain and air as the scene says; NULL: nothing.
void fr_score_scene(FrScore *score, const FrScene *scene);
/// Contacts of another engine: docs/contacts.md. Meshes are looked for beside the file.
FrResult fr_score_csv(FrScore *score, const char *path);
FrResult fr_score_json(FrScore *score, const char *path);

/// microphone.wav beside a recording, when there is one.
FrResult fr_score_track(FrScore *score, const char *path);

FrResult fr_score_change(FrScore *score, const FrSoundChangeDef *change);

typedef struct FrScoreSound {
    float *sample; ///< left and right by turns; fr_free
    int64_t frames;
    double peak;
    int32_t stems, contacts;
} FrScoreSound;
/// Play it; stems go to `folder` (NULL: none) as <number>-<body>.wav, those of pieces together as
/// one that is named after what they were first.
FrResult fr_score_play(FrScore *score, const char *folder, FrScoreSound *sound);
/// One hit, checked: FR_BAD_INPUT when it is far off the surface or not finite.
FrResult fr_score_hit(FrScore *score, int32_t body, FrHit hit, FrVec3 at);

#define FR_SOUND_RATE 48000.0
