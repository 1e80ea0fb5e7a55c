// modes_table.h: modes as a table: pitch, note, decay, level.
#pragma once
#include "base/bytes.h"
#include "modal/modes.h"

typedef struct FrModeRow {
    double hz;       ///< undamped
    double tone;     ///< Hz, damped; 0: over-damped
    double ratio;    ///< to the first
    double decay;    ///< 1/s
    double t60;      ///< s to fall by 60 dB; infinite: undamped
    double coupling; ///< a_i: speed of the surface per displacement of the mode, kg^-1/2/s
    double pressure; ///< of its tone after a blow of 1 N s, by distance, Pa m (fr_blow_pressure)
    double share;    ///< pressure over the largest, 1
    char note[16];   ///< nearest of the equal temperament, A4 = 440 Hz
    double cents;    ///< above it
} FrModeRow;

typedef struct FrModeTable {
    const char *name, *material; ///< borrowed
    int32_t count;
    FrModeRow *row;
} FrModeTable;
void fr_mode_table_free(FrContext *ctx, FrModeTable *table);

FrResult fr_mode_table(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                       const FrMaterial *material, FrModeTable *table);

/// "D5" and the cents above it. Below the first octave or not finite: "-".
void fr_nearest_note(double hz, char note[16], double *cents);
