// modes_table.c: modes as a table: pitch, note, decay, level.

#include "score/modes_table.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "sound/heard.h"
#include <stdio.h>

// a fall by 60 dB is a factor of 1000
#define LN_1000 6.907755278982137

void fr_mode_table_free(FrContext *ctx, FrModeTable *table) {
    fr_free(ctx, table->row);
    *table = (FrModeTable){0};
}

void fr_nearest_note(double hz, char note[16], double *cents) {
    static const char *const names[12] = {"C",  "C#", "D",  "D#", "E",  "F",
                                          "F#", "G",  "G#", "A",  "A#", "B"};
    *cents = 0.0;
    snprintf(note, 16, "-");
    // half tones above C-1, which is 69 below A4
    double tone = 69.0 + 12.0 * log2(hz / 440.0);
    if (!(tone > -0.5 && tone < 1000.0)) return;
    int nearest = (int)floor(tone + 0.5);
    *cents = 100.0 * (tone - nearest);
    snprintf(note, 16, "%s%d", names[nearest % 12], nearest / 12 - 1);
}

static void fill_row(const FrMaterial *material, double lambda, FrModeRow *row) {
    double omega = sqrt(fr_max(lambda, 0.0));
    row->hz = omega / (2.0 * FR_PI);
    row->tone = fr_mode_tone(material, lambda) / (2.0 * FR_PI);
    row->decay = 0.5 * fr_mode_damping(material, lambda, omega);
    row->t60 = row->decay > 0.0 ? LN_1000 / row->decay : HUGE_VAL;
    fr_nearest_note(row->hz, row->note, &row->cents);
}

static FrResult measure(FrContext *ctx, const FrTetMesh *mesh, double *area, double *volume) {
    FrSurface surface;
    FR_TRY(fr_tetmesh_surface(ctx, mesh, &surface));
    *area = *volume = 0.0;
    for (int32_t t = 0; t < surface.tri_count; t++) {
        const int32_t *n = surface.tri[t];
        FrVec3 a = fr_get3(mesh->x, n[0]);
        *area += 0.5 * fr_length(fr_cross(fr_sub(fr_get3(mesh->x, n[1]), a),
                                          fr_sub(fr_get3(mesh->x, n[2]), a)));
    }
    for (int32_t e = 0; e < mesh->tet_count; e++) *volume += fr_tet_volume(mesh, e);
    fr_surface_free(ctx, &surface);
    return FR_OK;
}

// what a blow makes of each mode, and over the loudest
static FrResult fill_levels(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                            FrModeTable *table) {
    double area = 0.0, volume = 0.0, most = 0.0;
    double *coupling = FR_NEW(ctx, double, modes->mode_count);
    if (!coupling) return fr_no_memory(ctx, "a table of modes");
    FrResult result = fr_modes_couplings(ctx, mesh, modes, coupling);
    if (result == FR_OK) result = measure(ctx, mesh, &area, &volume);
    for (int32_t i = 0; i < table->count && result == FR_OK; i++) {
        FrModeRow *row = &table->row[i];
        double lambda = modes->lambda[i];
        row->coupling = coupling[i];
        if (lambda > 0.0)
            row->pressure = fr_blow_pressure(FR_AIR_SMALL, area, volume, coupling[i], lambda);
        most = fr_max(most, row->pressure);
    }
    for (int32_t i = 0; i < table->count && result == FR_OK; i++)
        table->row[i].share = most > 0.0 ? table->row[i].pressure / most : 0.0;
    fr_free(ctx, coupling);
    return result;
}

FrResult fr_mode_table(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                       const FrMaterial *material, FrModeTable *table) {
    table->row = FR_NEW(ctx, FrModeRow, modes->mode_count);
    table->count = modes->mode_count;
    if (!table->row) return fr_no_memory(ctx, "a table of modes");
    for (int32_t i = 0; i < table->count; i++) {
        fill_row(material, modes->lambda[i], &table->row[i]);
        table->row[i].ratio = table->row[i].hz / table->row[0].hz;
    }
    FrResult result = fill_levels(ctx, mesh, modes, table);
    if (result != FR_OK) fr_mode_table_free(ctx, table);
    return result;
}
