// bench.h: how fast sound goes out into the air; `fracas bench` calls it.
#pragma once
#include "base/base.h"

typedef struct FrAirBench {
    int32_t panels;
    double surface, solve; ///< processor seconds: what a surface takes once, and each mode on it
    double off;            ///< of the pressure on a ball of so many panels, over itself
    double transfer; ///< seconds for |p| of 76 modes whose orders add up to 2176, at a new place
} FrAirBench;
FrResult fr_air_bench(FrContext *ctx, FrAirBench *bench);
