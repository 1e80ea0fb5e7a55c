// tasks.h: the one way to run in parallel. Chunks depend on count and grain only, never on workers.
#pragma once
#include "base/base.h"

/// Work on [begin, end). `chunk` = begin / grain: a slot for partial sums added up in order
/// afterwards.
typedef void FrRangeFn(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker);

/// Run fn over [0, count) in chunks of `grain`. Runs in place, chunk after chunk, when there is one
/// chunk or one worker, and inside a task of the same context: there with the number of the worker
/// that runs the task, so that scratch by worker stays the caller's own.
void fr_parallel_for(FrContext *ctx, int32_t count, int32_t grain, FrRangeFn *fn, void *arg);

/// How many chunks fr_parallel_for makes.
static inline int32_t fr_chunk_count(int32_t count, int32_t grain) {
    return count <= 0 ? 0 : (count - 1) / grain + 1;
}
