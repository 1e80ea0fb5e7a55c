// soundbank_bytes.c: a bank as bytes, little-endian, checked when read.
//
//     0  "FRACASBK"   8  i32 version   12  i32 level of the surface   16  i32 samples   20  name,
//     40 bytes   60  8 f64: density young poisson alpha1 alpha2 eta, most mass, highest Hz
//   124  i32 entries, then each: 3 f64 half axes, f64 area, i32 modes; per mode: f64 squared
//   angular
//     frequency, f64 coupling, i32 parity, i32 order, f32 the largest component and 3 i16 for each
//     point of the first octant, in 32767ths of it; per order that has multipoles of this parity:
//     f32 the largest, then real and imaginary parts by turns, i16 each

#include "air/spherical.h"
#include "bank/soundbank.h"
#include <math.h>
#include <string.h>

static const char magic[8] = {'F', 'R', 'A', 'C', 'A', 'S', 'B', 'K'};
#define VERSION 1
#define STEPS 32767
#define MOST_LEVEL 32
#define MOST_ENTRIES 10000
#define MOST_MODES 1000

static void write_f32(FrWriter *w, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr_write_i32(w, (int32_t)bits);
}

static void write_i16(FrWriter *w, int32_t value) {
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    fr_write_bytes(w, bytes, sizeof bytes);
}

// numbers as steps of the largest
static void write_steps(FrWriter *w, const float *c, int32_t count) {
    float most = 0.0f;
    for (int32_t k = 0; k < count; k++) most = fmaxf(most, fabsf(c[k]));
    write_f32(w, most);
    for (int32_t k = 0; k < count; k++)
        write_i16(w, most > 0.0f ? (int32_t)lround(STEPS * ((double)c[k] / (double)most)) : 0);
}

// how many multipoles of one order this parity has
static int32_t of_order(int32_t parity, int32_t n) {
    int32_t count = 0;
    for (int32_t l = n * n; l < (n + 1) * (n + 1); l++) count += fr_bank_has(parity, n, l);
    return count;
}

void fr_bank_write_head(FrWriter *w, const FrSoundbank *bank, int32_t level) {
    const FrSoundbankInfo *i = &bank->info;
    const double number[8] = {i->density,   i->young,  i->poisson,   bank->alpha1,
                              bank->alpha2, bank->eta, i->most_mass, i->max_hz};
    fr_write_bytes(w, magic, sizeof magic);
    fr_write_i32(w, VERSION);
    fr_write_i32(w, level);
    fr_write_i32(w, i->samples);
    fr_write_bytes(w, i->material, sizeof i->material);
    for (int k = 0; k < 8; k++) fr_write_f64(w, number[k]);
}

void fr_bank_write_count(FrWriter *w, int32_t count) { fr_write_i32(w, count); }

void fr_bank_write_entry(FrWriter *w, const FrBankEntry *e, int32_t octant_count) {
    for (int k = 0; k < 3; k++) fr_write_f64(w, e->half[k]);
    fr_write_f64(w, e->area);
    fr_write_i32(w, e->mode_count);
    for (int32_t i = 0; i < e->mode_count; i++) {
        const FrBankMode *m = &e->mode[i];
        const float *c = m->c;
        fr_write_f64(w, m->lambda);
        fr_write_f64(w, m->coupling);
        fr_write_i32(w, m->parity);
        fr_write_i32(w, m->order);
        write_steps(w, m->shape, 3 * octant_count);
        for (int32_t n = 0; n <= m->order; n++) {
            int32_t count = 2 * of_order(m->parity, n);
            if (count > 0) write_steps(w, c, count);
            c += count;
        }
    }
}

static FrResult damaged(FrContext *ctx, size_t at, const char *wanted) {
    return fr_fail(ctx, FR_BAD_INPUT, "soundbank, byte %zu: %s was expected", at, wanted);
}

static FrResult read_material(FrContext *ctx, FrReader *r, FrSoundbank *bank) {
    FrSoundbankInfo *i = &bank->info;
    fr_read_bytes(r, i->material, sizeof i->material);
    if (i->material[sizeof i->material - 1]) return damaged(ctx, r->at - 1, "the end of a name");
    double *const to[8] = {&i->density,   &i->young,  &i->poisson,   &bank->alpha1,
                           &bank->alpha2, &bank->eta, &i->most_mass, &i->max_hz};
    static const double least[8] = {1e-3, 1.0, 0.0, 0.0, 0.0, 0.0, 1e-9, 1.0},
                        most[8] = {1e6, 1e15, 0.49, 1e3, 1e9, 1e3, 1e9, 1e7};
    for (int k = 0; k < 8; k++) {
        size_t at = r->at;
        *to[k] = fr_read_f64(r);
        if (!(*to[k] >= least[k] && *to[k] <= most[k]))
            return damaged(ctx, at, "a constant of a material within its range");
    }
    return FR_OK;
}

FrResult fr_bank_read_head(FrContext *ctx, FrReader *r, FrSoundbank *bank) {
    char found[8] = {0};
    fr_read_bytes(r, found, sizeof found);
    if (memcmp(found, magic, sizeof magic)) return damaged(ctx, 0, "\"FRACASBK\"");
    if (fr_read_i32(r) != VERSION) return damaged(ctx, 8, "version 1");
    int32_t level = fr_read_i32(r);
    if (level < 1 || level > MOST_LEVEL) return damaged(ctx, 12, "a level from 1 to 32");
    bank->info.samples = fr_read_i32(r);
    if (bank->info.samples < 0 || bank->info.samples > MOST_ENTRIES)
        return damaged(ctx, 16, "0 to 10000 samples");
    FR_TRY(read_material(ctx, r, bank));
    if (r->failed) return damaged(ctx, r->size, "more of its head");
    return fr_octa_sphere(ctx, level, &bank->sphere);
}

static FrResult read_steps(FrContext *ctx, FrReader *r, float *to, int32_t count) {
    size_t at = r->at;
    uint32_t bits = (uint32_t)fr_read_i32(r);
    float most;
    memcpy(&most, &bits, sizeof most);
    if (!(most >= 0.0f && most < 1e25f)) return damaged(ctx, at, "a largest number from 0 to 1e25");
    for (int32_t k = 0; k < count; k++) {
        uint8_t half[2] = {0, 0};
        fr_read_bytes(r, half, sizeof half);
        int16_t step = (int16_t)(uint16_t)(half[0] | half[1] << 8);
        if (step == INT16_MIN) return damaged(ctx, r->at - 2, "a step from -32767 to 32767");
        to[k] = (float)((double)most / STEPS * step);
    }
    return r->failed ? damaged(ctx, r->size, "more of a mode") : FR_OK;
}

// the numbers at the head of a mode
static FrResult read_mode_head(FrContext *ctx, FrReader *r, double least, FrBankMode *m) {
    size_t at = r->at;
    m->lambda = fr_read_f64(r);
    m->coupling = fr_read_f64(r);
    m->parity = fr_read_i32(r);
    m->order = fr_read_i32(r);
    if (!(m->lambda >= least && m->lambda < 1e16 && m->lambda > 1e-3))
        return damaged(ctx, at, "a squared frequency not below the one before it");
    if (!(m->coupling >= 0.0 && m->coupling < 1e15)) return damaged(ctx, at + 8, "a coupling");
    if (m->parity < 0 || m->parity > 7) return damaged(ctx, at + 16, "a parity from 0 to 7");
    if (m->order < 0 || m->order > FR_SPHERICAL_ORDER)
        return damaged(ctx, at + 20, "an order from 0 to 64");
    return FR_OK;
}

static FrResult read_mode(FrContext *ctx, FrReader *r, int32_t octant_count, double least,
                          FrBankMode *m) {
    FR_TRY(read_mode_head(ctx, r, least, m));
    int32_t count = fr_bank_multipoles(m->parity, m->order);
    if (fr_reader_left(r) < 6 * (size_t)octant_count + 4 * (size_t)count)
        return damaged(ctx, r->size, "more of a mode");
    m->shape = FR_NEW(ctx, float, 3 * octant_count);
    m->c = FR_NEW(ctx, float, 2 * count + 1);
    if (!m->shape || !m->c) return fr_no_memory(ctx, "a soundbank");
    FR_TRY(read_steps(ctx, r, m->shape, 3 * octant_count));
    float *c = m->c;
    for (int32_t n = 0; n <= m->order; n++) {
        int32_t size = 2 * of_order(m->parity, n);
        if (size > 0) FR_TRY(read_steps(ctx, r, c, size));
        c += size;
    }
    return FR_OK;
}

static FrResult read_axes(FrContext *ctx, FrReader *r, FrBankEntry *e) {
    size_t at = r->at;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        e->half[k] = fr_read_f64(r);
        sum += e->half[k] * e->half[k];
        if (!(e->half[k] >= (k ? e->half[k - 1] : 1e-3)))
            return damaged(ctx, at + 8 * (size_t)k, "rising half axes");
    }
    if (!(fabs(sum - 1.0) < 1e-6)) return damaged(ctx, at, "half axes of length 1");
    e->area = fr_read_f64(r);
    if (!(e->area > 0.0 && e->area < 100.0)) return damaged(ctx, at + 24, "an area");
    return FR_OK;
}

FrResult fr_bank_read_entry(FrContext *ctx, FrReader *r, int32_t octant_count, FrBankEntry *e) {
    FR_TRY(read_axes(ctx, r, e));
    size_t at = r->at;
    int32_t count = fr_read_i32(r);
    if (count < 0 || count > MOST_MODES || fr_reader_left(r) / 28 < (size_t)count)
        return damaged(ctx, at, "0 to 1000 modes, and their bytes");
    e->mode = FR_NEW(ctx, FrBankMode, count);
    if (!e->mode) return fr_no_memory(ctx, "a soundbank");
    e->mode_count = count;
    for (int32_t i = 0; i < count; i++)
        FR_TRY(read_mode(ctx, r, octant_count, i ? e->mode[i - 1].lambda : 0.0, &e->mode[i]));
    return FR_OK;
}

static FrResult load(FrContext *ctx, FrReader *r, FrSoundbank *bank) {
    FR_TRY(fr_bank_read_head(ctx, r, bank));
    size_t at = r->at;
    int32_t count = fr_read_i32(r);
    if (count < 0 || count > MOST_ENTRIES || fr_reader_left(r) / 36 < (size_t)count)
        return damaged(ctx, at, "0 to 10000 entries, and their bytes");
    bank->entry = FR_NEW(ctx, FrBankEntry, count);
    if (!bank->entry) return fr_no_memory(ctx, "a soundbank");
    for (int32_t k = 0; k < count; k++) {
        bank->info.entry_count = k + 1;
        FR_TRY(fr_bank_read_entry(ctx, r, bank->sphere.octant_count, &bank->entry[k]));
        bank->info.mode_count += bank->entry[k].mode_count;
    }
    return fr_reader_left(r) == 0 ? FR_OK : damaged(ctx, r->at, "the end");
}

FrResult fr_soundbank_load(FrContext *ctx, const void *bytes, size_t size, FrSoundbank **bank) {
    FR_NEED_ALL(ctx, ctx && (bytes || size == 0) && bank);

    FrReader r;
    *bank = FR_NEW(ctx, FrSoundbank, 1);
    if (!*bank) return fr_no_memory(ctx, "a soundbank");
    (*bank)->ctx = ctx;
    fr_reader_init(&r, bytes, size);
    FrResult result = load(ctx, &r, *bank);
    if (result == FR_OK) return FR_OK;
    fr_soundbank_destroy(*bank);
    *bank = NULL;
    return result;
}
