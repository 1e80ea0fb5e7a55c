// bench_world.h: how fast a world steps whose bodies touch; `fracas bench` calls it.
#pragma once
#include "fracas/fracas.h"

typedef struct FrWorldBench {
    int32_t tets;           ///< of both bodies together
    int64_t substeps;       ///< of a body, timed
    int64_t contacts;       ///< answered in one substep of both bodies, on average
    double seconds_per_tet; ///< whole substep: forces, detection, answer, motion
} FrWorldBench;

/// Two soft boxes of 6 cells^3 tets each that rest on each other and on the ground, for about
/// `seconds`.
FrResult fr_world_bench(FrContext *ctx, int32_t cells, double seconds, FrWorldBench *bench);
