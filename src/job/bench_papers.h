// bench_papers.h: how long the papers' scenes take, next to what the papers report.
#pragma once
#include "fracas/studio.h"

/// One scene, simulated without pictures, sound or recording.
typedef struct FrPaperBench {
    double simulated, seconds;       ///< s of the scene, s of wall time for them
    double processor;                ///< s of all cores together
    double force, contact, fracture; ///< shares of the time
    int64_t steps;                   ///< substeps of bodies
    int64_t cracks, pieces;
    int32_t tets_start, tets_end;
} FrPaperBench;

/// `until`: s; 0: all of it. `set`: "name=value"; NULL: as the scene is.
FrResult fr_paper_bench(FrContext *ctx, const char *scene, const char *set, double until,
                        FrPaperBench *bench);
