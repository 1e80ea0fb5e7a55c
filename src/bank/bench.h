// bench.h: how much of a core the pieces of something that broke take while they sound.
#pragma once
#include "fracas/soundbank.h"

typedef struct FrBankBench {
    int32_t pieces, modes; ///< all of them together
    double share;          ///< of one core, all sounding at 48 kHz, two blows a second each
    double make;           ///< seconds to make one of them
} FrBankBench;
/// 300 pieces of 0.1 to 100 g; `bank` borrowed.
FrResult fr_bank_bench(FrContext *ctx, const FrSoundbank *bank, FrBankBench *bench);
