// blow_lanes.h: loops over the modes of a blow, compiled with and without AVX2: same bits.
#pragma once
#include "modal/blow_modes.h"

typedef double FrBlowReachFn(const FrBlowModes *modes, const FrBlowTable *table);
FrBlowReachFn fr_blow_reach_avx2, fr_blow_reach_portable; ///< fr_blow_modes_reach
typedef void FrBlowStepFn(FrBlowModes *modes, const FrBlowTable *table, double force);
FrBlowStepFn fr_blow_step_avx2, fr_blow_step_portable; ///< fr_blow_modes_step
