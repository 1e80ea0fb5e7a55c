// bench_bends.h: how fast bodies that bend by modes are: a heap, points that are held, and the
// objects of S1's table 1.
#pragma once
#include "base/bytes.h"
#include "base/json.h"
#include "fracas/studio.h"

typedef struct FrBendsBench {
    double heap_real_time; ///< twenty cubes of 40 modes in a heap: simulated over processor time
    double held_seconds;   ///< a macro step of one with ten points that go where they are told
    double skin_seconds;   ///< 18,847 points of a skin put where they are
} FrBendsBench;

/// About `seconds` of processor time each; one worker.
FrResult fr_bends_bench(FrContext *ctx, double seconds, FrBendsBench *bench);

/// S1's table 1 beside ours: scenes of the papers in `folder`.
FrResult fr_bends_table(FrContext *ctx, const char *folder, FrWriter *w);
/// The same as an array `modal` of the object that is open.
FrResult fr_bends_json(FrContext *ctx, const char *folder, FrJson *j);
