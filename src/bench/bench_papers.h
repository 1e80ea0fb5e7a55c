// bench_papers.h: how long the papers' scenes take, next to what the papers report.
#pragma once
#include "fracas/studio.h"

/// One scene, simulated without pictures, sound or recording.
typedef struct FrPaperBench {
    double simulated, seconds;       ///< s of the scene, s of wall time for them
    double processor;                ///< s of all cores together
    double force, contact, fracture; ///< shares of the processor time
    double remesh;                   ///< of fracture: cutting
    double quiet_fracture;           ///< of the time of steps in which nothing broke
    int64_t steps;                   ///< substeps of bodies
    int64_t cracks, pieces;
    int32_t tets_start, tets_end;
    double added_share;   ///< largest share of a body's mass that was added for longer steps
    int64_t rigid_pieces; ///< that small pieces became
    double filmed;        ///< s of all cores with recording, pictures and film; 0: not measured
} FrPaperBench;

/// `until`: s; FR_CHOSEN: all of it. `set`: "name=value" (set_count).
FrResult fr_paper_bench(FrContext *ctx, const char *scene, const char *const *set,
                        int32_t set_count, double until, FrPaperBench *bench);
/// fr_job_bench of a def that has scenes or papers.
FrResult fr_bench_scenes(FrContext *ctx, const FrBenchDef *job, bool json, FrText *text);
