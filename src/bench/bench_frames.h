// bench_frames.h: how fast rigid bodies step; `fracas bench` calls it.
#pragma once
#include "fracas/fracas.h"

typedef struct FrFramesBench {
    int32_t boxes;
    int64_t contacts; ///< points in one substep
    double real_time; ///< simulated over wall time, at 240 macro steps a second
} FrFramesBench;

/// A thousand boxes in a hundred stacks of ten, resting but awake, for about `seconds`.
FrResult fr_frames_bench(FrContext *ctx, double seconds, FrFramesBench *bench);
