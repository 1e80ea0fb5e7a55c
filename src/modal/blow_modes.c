// blow_modes.c: the modes that a blow sets swinging, side by side in lanes; each step is exact.

#include "modal/blow_lanes.h"
#include "math/lanes.h"
#include "modal/oscillator.h"
#include <math.h>

// nine numbers of a mode besides two tables of eight
enum { STATE_ARRAYS = 4, TABLE_ARRAYS = 8, ARRAYS = STATE_ARRAYS + 2 * TABLE_ARRAYS };

static void place_table(FrBlowTable *table, double *at, int32_t n) {
    double **field[TABLE_ARRAYS] = {&table->zz, &table->zv, &table->vz,      &table->vv,
                                    &table->zf, &table->vf, &table->reach_z, &table->reach_v};
    for (int k = 0; k < TABLE_ARRAYS; k++) *field[k] = at + k * (ptrdiff_t)n;
}

static void place(FrBlowModes *modes) {
    ptrdiff_t n = modes->padded;
    modes->lambda = modes->memory;
    modes->z = modes->memory + n;
    modes->v = modes->memory + 2 * n;
    modes->most2 = modes->memory + 3 * n;
    place_table(&modes->fine, modes->memory + STATE_ARRAYS * n, modes->padded);
    place_table(&modes->coarse, modes->memory + (STATE_ARRAYS + TABLE_ARRAYS) * n, modes->padded);
}

FrResult fr_blow_modes_create(FrContext *ctx, const FrModalBlowDef *def, double fastest,
                              FrBlowModes *modes) {
    *modes = (FrBlowModes){.wide = fr_cpu_has_avx2()};
    int32_t count = 0;
    for (int32_t i = 0; i < def->mode_count; i++) count += def->lambda[i] < fastest * fastest;
    modes->padded = (count + FR_LANES - 1) / FR_LANES * FR_LANES;
    modes->mode = FR_NEW(ctx, int32_t, count);
    modes->memory = FR_NEW(ctx, double, (size_t)ARRAYS *(size_t)modes->padded);
    if (!modes->mode || !modes->memory) {
        fr_blow_modes_free(ctx, modes);
        return fr_no_memory(ctx, "modes of a blow");
    }
    place(modes);
    for (int32_t i = 0; i < def->mode_count; i++) {
        if (!(def->lambda[i] < fastest * fastest)) continue;
        modes->lambda[modes->count] = def->lambda[i];
        modes->mode[modes->count++] = i;
    }
    return FR_OK;
}

void fr_blow_modes_free(FrContext *ctx, FrBlowModes *modes) {
    FR_FREE_ALL(ctx, modes->mode, modes->memory);
    *modes = (FrBlowModes){0};
}

// q'' = -lambda q - c q' - w F with F held: exact [M15]
void fr_blow_table_set(const FrModalBlowDef *def, const FrBlowModes *modes, double time,
                       FrBlowTable *table) {
    table->time = time;
    table->give = 0.0;
    for (int32_t k = 0; k < modes->count; k++) {
        int32_t i = modes->mode[k];
        FrModeStep step = fr_mode_step(def->lambda[i], def->damping[i], time);
        double w = def->w[i];
        table->zz[k] = step.zz;
        table->zv[k] = step.zv;
        table->vz[k] = step.vz;
        table->vv[k] = step.vv;
        table->zf[k] = -w * step.gz;
        table->vf[k] = -w * step.gv;
        table->reach_z[k] = w * step.zz;
        table->reach_v[k] = w * step.zv;
        table->give += w * w * step.gz;
    }
}

double fr_blow_modes_reach(const FrBlowModes *modes, const FrBlowTable *table) {
    return modes->wide ? fr_blow_reach_avx2(modes, table) : fr_blow_reach_portable(modes, table);
}

void fr_blow_modes_step(FrBlowModes *modes, const FrBlowTable *table, double force) {
    if (modes->wide)
        fr_blow_step_avx2(modes, table, force);
    else
        fr_blow_step_portable(modes, table, force);
}

// the energy of a mode only falls: q^2 <= q^2 + q'^2/l of now
double fr_blow_modes_span(const FrModalBlowDef *def, const FrBlowModes *modes) {
    double sum = 0.0;
    for (int32_t k = 0; k < modes->count; k++) {
        double z = modes->z[k], v = modes->v[k];
        sum += fabs(def->w[modes->mode[k]]) * sqrt(z * z + v * v / modes->lambda[k]);
    }
    return sum;
}

double fr_blow_modes_energy(const FrBlowModes *modes) {
    double sum = 0.0;
    for (int32_t k = 0; k < modes->count; k++)
        sum += modes->v[k] * modes->v[k] + modes->lambda[k] * modes->z[k] * modes->z[k];
    return 0.5 * sum;
}
