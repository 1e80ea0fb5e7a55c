// bench_checkpoint.h: what a checkpoint costs.
#pragma once
#include "base/base.h"

/// Seconds that a checkpoint of a body of about 100k tets takes: state, compression, file and sync,
/// in the folder for temporary files.
FrResult fr_checkpoint_bench(FrContext *ctx, double *seconds);
