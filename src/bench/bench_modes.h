// bench_modes.h: modes of the D3 chime against CalculiX: same mesh, same run, one thread each.
#pragma once
#include "base/base.h"

typedef struct FrModesBench {
    int32_t nodes, tets, modes;
    double seconds, peak_mb;                   ///< ours: CPU time s, largest resident memory
    double calculix_seconds, calculix_peak_mb; ///< 0: it is not installed
    double calculix_off;                       ///< largest relative difference of a frequency
} FrModesBench;

/// One worker; call it first: memory is that of the whole process.
FrResult fr_modes_bench(FrContext *ctx, FrModesBench *bench);
