// partials.h: the tones of one recorded blow: how high, how loud, how long.
#pragma once
#include "sound/spectrum.h"

typedef struct FrPartial {
    double hz;    ///< of the damped tone
    double t60;   ///< s until it is 60 dB weaker
    double level; ///< of its peak in the spectrum over the highest, dB
} FrPartial;

/// The `most` loudest, by rising frequency. None: FR_OK and *count 0. FR_BAD_INPUT: the recording
/// is silent or shorter than 50 ms after its blow.
FrResult fr_partials_find(FrContext *ctx, const FrMono *sound, FrPartial *partial, int32_t most,
                          int32_t *count);
