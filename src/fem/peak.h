// peak.h: loops that do nothing but four-lane arithmetic, to learn what the machine can do.
#pragma once
#include "math/lanes.h"

/// Runs `turns` turns and returns how many floating-point operations that was.
typedef double FrPeakFn(int64_t turns);
FrPeakFn fr_peak_add_portable, fr_peak_mixed_portable, fr_peak_add_avx2, fr_peak_mixed_avx2;
