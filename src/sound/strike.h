// strike.h: one blow on one body, from a moment before it to its end.
#pragma once
#include "sound/asset.h"
#include "sound/mallet.h"

/// Start from fr_strike_default(), then change fields.
typedef struct FrStrike {
    FrStrikePlace place;
    FrVec3 point; ///< for FR_STRIKE_POINT, m
    FrMallet mallet;
    double speed;    ///< of the mallet, m/s
    double distance; ///< of the listener, m: as high above the body's middle as in front of it (-y)
    double gain;     ///< samples per Pa
    double rate;     ///< samples per second
    double longest;  ///< s: longer tones is faded out
    FrAir air;
} FrStrike;
FrStrike fr_strike_default(void); ///< steel, 1 m/s, one metre away, 48 kHz

typedef struct FrStrikeSound {
    float *sample; ///< mono (frames); fr_free
    int64_t frames;
    double peak;     ///< samples
    double level;    ///< root mean square of the first eighth of a second, samples
    double impulse;  ///< N s
    double duration; ///< of its last push, s
    FrSpot spot;
    FrVec3 at; ///< m
    int32_t modes;
} FrStrikeSound;

/// 10 ms of silence, the blow, and all that follows until it is 60 dB below its peak.
FrResult fr_strike(FrContext *ctx, const FrAsset *asset, const FrStrike *strike,
                   FrStrikeSound *sound);
/// Where `level` is highest with this mallet, speed and air: blows are tried out all over the
/// surface, and then near the best.
FrResult fr_strike_loudest(FrContext *ctx, const FrAsset *asset, const FrStrike *strike,
                           FrSpot *spot);
/// The triangle to hit; any place but FR_STRIKE_AUTO.
FrSpot fr_strike_spot(const FrAsset *asset, FrStrikePlace place, FrVec3 point);
