// blow_modes.h: the modes that a blow sets swinging, side by side in lanes; each step is exact.
#pragma once
#include "modal/blow.h"

/// Steps of one length. Arrays of padded numbers, mode after mode.
typedef struct FrBlowTable {
    double time;               ///< of a step, s
    double give;               ///< sum_i w_i^2 H_i: what a held force moves the place by, m/N
    double *zz, *zv, *vz, *vv; ///< 1, s, 1/s, 1
    double *zf, *vf;           ///< of a held force, times -w: m kg^1/2/N and m kg^1/2/(s N)
    double *reach_z, *reach_v; ///< w zz and w zv: kg^-1/2 and s kg^-1/2
} FrBlowTable;

/// Those modes of a blow that are followed in time.
typedef struct FrBlowModes {
    int32_t count, padded; ///< padded to whole lanes; the rest is zero
    bool wide;             ///< the processor has AVX2
    int32_t *mode;         ///< its number in the blow, ascending (count)
    double *memory;        ///< of all arrays
    double *lambda;        ///< 1/s^2 (padded)
    double *z, *v;         ///< displacement, m kg^1/2, and its rate (padded)
    double *most2;         ///< largest z^2 so far, m^2 kg (padded)
    FrBlowTable fine, coarse;
} FrBlowModes;

/// The modes of a blow that are slower than `fastest` rad/s, at rest.
FrResult fr_blow_modes_create(FrContext *ctx, const FrModalBlowDef *def, double fastest,
                              FrBlowModes *modes);
void fr_blow_modes_free(FrContext *ctx, FrBlowModes *modes);
/// Fill a table for steps of `time` s.
void fr_blow_table_set(const FrModalBlowDef *def, const FrBlowModes *modes, double time,
                       FrBlowTable *table);
/// sum_i w_i q_i one step from now if nothing pushes, m.
double fr_blow_modes_reach(const FrBlowModes *modes, const FrBlowTable *table);
/// One step under a held force, N.
void fr_blow_modes_step(FrBlowModes *modes, const FrBlowTable *table, double force);
/// What sum_i w_i q_i comes to at most while nothing pushes, m.
double fr_blow_modes_span(const FrModalBlowDef *def, const FrBlowModes *modes);
double fr_blow_modes_energy(const FrBlowModes *modes); ///< J
