// bench_births.h: how long it takes to bear bodies at run time; `fracas bench` calls it.
#pragma once
#include "fracas/fracas.h"

/// 300 shards between two steps, half of them rigid: wall seconds for each, the step after them
/// aside.
FrResult fr_births_bench(FrContext *ctx, double *seconds);
