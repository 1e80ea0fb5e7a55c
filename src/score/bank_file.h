// bank_file.h: soundbanks as SQLite files: built part by part, going on where it was stopped,
// merged, read.
#pragma once
#include "bank/entry.h"

/// What is to be built.
typedef struct FrBankBuild {
    FrBankPlan plan;
    const char *path;
    int32_t part, parts; ///< part 1 to `parts`; entries part - 1, part - 1 + parts, ...
    bool restart;        ///< throw away what is there
} FrBankBuild;

typedef struct FrBankBuilt {
    int32_t samples, mine, found; ///< of the whole bank; of the part; that were there already
    double seconds;               ///< processor time of those that were made
} FrBankBuilt;

/// Entries are kept as they come: a build that was stopped goes on. The bytes in the end hang on
/// the plan and the part alone. FR_BAD_INPUT: the file is of another plan.
FrResult fr_bank_build(FrContext *ctx, const FrBankBuild *def, FrBankBuilt *built);
/// Parts of one plan to one file: the same bytes as built at once.
FrResult fr_bank_merge(FrContext *ctx, const char *const *path, int32_t count, const char *output);
/// The bytes that fr_soundbank_load takes.
FrResult fr_bank_pack(FrContext *ctx, const char *path, FrWriter *w);
FrResult fr_bank_open(FrContext *ctx, const char *path, FrSoundbank **bank);
/// Where the bank that came with the program lies: share/fracas beside it, or assets/ above the
/// folder that it was built in. Caller frees; NULL: there is none.
char *fr_bank_shipped(FrContext *ctx);
