// bench_sounds.h: the lowest tones of S4's objects, next to its table 1.
#pragma once
#include "base/bytes.h"
#include "base/json.h"
#include "fracas/studio.h"

/// One row of S4 table 1.
typedef struct FrSoundRow {
    const char *name;    ///< as the table has it
    const char *file;    ///< scene, from the folder of the papers' scenes
    const char *body;    ///< of the scene
    const char *set[2];  ///< params; NULL: none
    double hz, decay;    ///< printed: Hz, 1/s
    double minutes;      ///< printed, of precomputation; 0: with another row
    int32_t nodes;       ///< printed
    const char *departs; ///< in a few words; "": it does not
} FrSoundRow;
extern const FrSoundRow fr_sound_rows[];
extern const int32_t fr_sound_row_count;

/// What was found for a row.
typedef struct FrSoundFound {
    double hz;      ///< lowest tone, damped
    double decay;   ///< of it, 1/s                                                  [S4 eq. 9]
    double seconds; ///< wall time for tets, matrices and this mode; nothing is kept
    int32_t nodes;
} FrSoundFound;
FrResult fr_sound_row(FrContext *ctx, const char *folder, const FrSoundRow *row,
                      FrSoundFound *found);

/// All rows, as text.
FrResult fr_sound_table(FrContext *ctx, const char *folder, FrWriter *w);
/// All rows, as an array `sounds` of the object that is open.
FrResult fr_sound_json(FrContext *ctx, const char *folder, FrJson *j);
