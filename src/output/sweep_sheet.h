// sweep_sheet.h: many runs of one scene with other params, and what is made of all of them.
#pragma once
#include "output/outputs.h"

/// One run: a value of each param.
typedef struct FrSweepRun {
    char **set;    ///< "strength=20MPa" (job->vary_count)
    FrText name;   ///< "strength=20MPa-radius=3cm"
    FrText report; ///< its report.json; data NULL: it broke down
    FrOutputs outputs;
} FrSweepRun;

typedef struct FrSweep {
    FrContext *ctx;
    const FrSweepDef *job;
    FrSweepRun *run; ///< the last param changes fastest (run_count)
    int32_t run_count, broken;
    FrOutputs outputs; ///< of the sweep: folder, sheet
} FrSweep;

/// All runs side by side, at one moment, in outputs.sheet; nothing where it is there already.
FrResult fr_sweep_sheet(FrSweep *sweep);
