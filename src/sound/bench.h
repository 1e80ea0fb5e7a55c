// bench.h: how many modes one core can sound in real time.
#pragma once
#include "base/base.h"

typedef struct FrSoundBench {
    double float_modes, double_modes; ///< ringing modes of one core in real time at 44.1 kHz
    double naive_modes;  ///< the same for one mode after the other, a recurrence of two terms
    double driven_modes; ///< float modes while a contact pushes all of them
} FrSoundBench;

/// One thread; each figure is the best of runs that together last about `seconds`.
FrResult fr_sound_bench(FrContext *ctx, double seconds, FrSoundBench *bench);
