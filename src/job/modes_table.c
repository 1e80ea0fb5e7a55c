// modes_table.c: modes as a table: pitch, note, decay, gain.

#include "job/modes_table.h"
#include "math/vec.h"
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

static void fill_row(const FrMaterial *material, double lambda, double gain, FrModeRow *row) {
    double omega = sqrt(fr_max(lambda, 0.0));
    row->hz = omega / (2.0 * FR_PI);
    row->tone = fr_mode_tone(material, lambda) / (2.0 * FR_PI);
    row->decay = 0.5 * fr_mode_damping(material, lambda, omega);
    row->t60 = row->decay > 0.0 ? LN_1000 / row->decay : HUGE_VAL;
    row->gain = gain;
    fr_nearest_note(row->hz, row->note, &row->cents);
}

FrResult fr_mode_table(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                       const FrMaterial *material, FrModeTable *table) {
    double *coupling = FR_NEW(ctx, double, modes->mode_count), most = 0.0;
    table->row = FR_NEW(ctx, FrModeRow, modes->mode_count);
    table->count = modes->mode_count;
    FrResult result = coupling && table->row ? fr_modes_couplings(ctx, mesh, modes, coupling)
                                             : fr_no_memory(ctx, "a table of modes");
    for (int32_t i = 0; i < table->count && result == FR_OK; i++) {
        fill_row(material, modes->lambda[i], coupling[i], &table->row[i]);
        table->row[i].ratio = table->row[i].hz / table->row[0].hz;
        most = fr_max(most, coupling[i]);
    }
    for (int32_t i = 0; i < table->count && result == FR_OK; i++)
        table->row[i].share = most > 0.0 ? table->row[i].gain / most : 0.0;
    fr_free(ctx, coupling);
    if (result != FR_OK) fr_mode_table_free(ctx, table);
    return result;
}
