// radiation_bytes.c: a radiation as bytes, checked when read; and the same for another size.
//
//     f64 x0 xyz, radius   i32 modes   per mode: f64 k, i32 order; per order: f32 the largest of
//     its numbers, then real and imaginary parts by turns, i16 each, in 32767ths of it

#include "air/air.h"
#include "air/radiation.h"
#include <string.h>

/// Steps from 0 to the largest number of an order.
#define STEPS 32767
#define MOST_MODES 100000

static size_t numbers_of(int32_t order) { return 2 * (size_t)(order + 1) * (size_t)(order + 1); }

static float largest(const float *c, int32_t n) {
    float most = 0.0f;
    for (size_t l = 0; l < 2 * (2 * (size_t)n + 1); l++) most = fmaxf(most, fabsf(c[l]));
    return most;
}

static int32_t step_of(float value, float most) {
    return most > 0.0f ? (int32_t)lround(STEPS * ((double)value / (double)most)) : 0;
}

static float value_of(int32_t step, float most) { return (float)((double)most / STEPS * step); }

void fr_multipole_round(float *c, int32_t order) {
    for (int32_t n = 0; n <= order; n++) {
        float most = largest(c, n);
        for (int32_t l = 0; l < 2 * (2 * n + 1); l++, c++) *c = value_of(step_of(*c, most), most);
    }
}

static void write_i16(FrWriter *w, int32_t value) {
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    fr_write_bytes(w, bytes, sizeof bytes);
}

void fr_radiation_write(FrWriter *w, const FrRadiation *radiation) {
    FrRadiationDef about = fr_radiation_about(radiation);
    float c[2 * FR_SPHERICAL_COUNT];
    fr_write_vec3(w, about.x0);
    fr_write_f64(w, about.radius);
    fr_write_i32(w, about.mode_count);
    for (int32_t i = 0; i < about.mode_count; i++) {
        FrMultipole mode = fr_radiation_mode(radiation, i);
        const float *next = c;
        fr_radiation_coefficients(radiation, i, c);
        fr_write_f64(w, mode.k);
        fr_write_i32(w, mode.order);
        for (int32_t n = 0; n <= mode.order; n++) {
            float most = largest(next, n);
            uint32_t bits;
            memcpy(&bits, &most, sizeof bits);
            fr_write_i32(w, (int32_t)bits);
            for (int32_t l = 0; l < 2 * (2 * n + 1); l++) write_i16(w, step_of(*next++, most));
        }
    }
}

static FrResult damaged(FrContext *ctx, const char *name, size_t at, const char *what) {
    return fr_fail(ctx, FR_BAD_INPUT, "%s, byte %zu: radiation: %s", name, at, what);
}

static FrResult read_mode(FrContext *ctx, FrReader *r, const char *name, double *k,
                          int32_t *order) {
    size_t at = r->at;
    *k = fr_read_f64(r);
    *order = fr_read_i32(r);
    if (!(*k > 1e-6 && *k < 1e6))
        return damaged(ctx, name, at, "a wave number from 1e-6 to 1e6 1/m");
    if (*order < 0 || *order > FR_SPHERICAL_ORDER)
        return damaged(ctx, name, at + 8, "an order from 0 to 64");
    size_t size = 4 * (size_t)(*order + 1) + 2 * numbers_of(*order);
    if (fr_reader_left(r) < size) return damaged(ctx, name, r->size, "it ends inside a mode");
    return FR_OK;
}

static FrResult read_numbers(FrContext *ctx, FrReader *r, const char *name, int32_t order,
                             float **c) {
    *c = FR_NEW(ctx, float, numbers_of(order));
    if (!*c) return fr_no_memory(ctx, "a radiation");
    float *to = *c;
    for (int32_t n = 0; n <= order; n++) {
        size_t at = r->at;
        uint32_t bits = (uint32_t)fr_read_i32(r);
        float most;
        memcpy(&most, &bits, sizeof most);
        if (!(most >= 0.0f && most < 1e25f))
            return damaged(ctx, name, at, "a largest number from 0 to 1e25");
        for (int32_t l = 0; l < 2 * (2 * n + 1); l++) {
            uint8_t half[2] = {0, 0};
            fr_read_bytes(r, half, sizeof half);
            *to++ = value_of((int16_t)(uint16_t)(half[0] | half[1] << 8), most);
        }
    }
    return FR_OK;
}

static FrResult read_modes(FrContext *ctx, FrReader *r, const char *name, FrRadiationDef *def,
                           FrMultipole *mode) {
    for (int32_t i = 0; i < def->mode_count; i++) {
        FR_TRY(read_mode(ctx, r, name, &mode[i].k, &mode[i].order));
        float *c = NULL;
        FrResult result = read_numbers(ctx, r, name, mode[i].order, &c);
        mode[i].c = c;
        FR_TRY(result);
    }
    return FR_OK;
}

// modes, made into a radiation, and given back
static FrResult finish(FrContext *ctx, FrResult result, FrRadiationDef *def, FrMultipole *mode,
                       FrRadiation **radiation) {
    def->mode = mode;
    if (result == FR_OK) result = fr_radiation_create(ctx, def, radiation);
    for (int32_t i = 0; i < def->mode_count && mode; i++)
        fr_free(ctx, (float *)(uintptr_t)mode[i].c);
    fr_free(ctx, mode);
    return result;
}

FrResult fr_radiation_read(FrContext *ctx, FrReader *r, const char *name, FrRadiation **radiation) {
    size_t at = r->at;
    FrRadiationDef def = {0};
    *radiation = NULL;
    def.x0 = fr_read_vec3(r);
    def.radius = fr_read_f64(r);
    def.mode_count = fr_read_i32(r);
    if (r->failed) return damaged(ctx, name, r->size, "it ends inside its head");
    if (!fr_vec3_finite(def.x0) || !(def.radius > 1e-9 && def.radius < 1e9))
        return damaged(ctx, name, at, "a place and a radius from 1e-9 to 1e9 m");
    if (def.mode_count < 0 || def.mode_count > MOST_MODES ||
        fr_reader_left(r) / 20 < (size_t)def.mode_count)
        return damaged(ctx, name, at + 32, "more modes than bytes");
    FrMultipole *mode = FR_NEW(ctx, FrMultipole, def.mode_count);
    FrResult result =
        mode ? read_modes(ctx, r, name, &def, mode) : fr_no_memory(ctx, "a radiation");
    return finish(ctx, result, &def, mode, radiation);
}

static FrResult change_modes(FrContext *ctx, const FrRadiation *from,
                             const FrRadiationChange *change, FrMultipole *mode) {
    for (int32_t i = 0; i < change->mode_count; i++) {
        mode[i] = fr_radiation_mode(from, change->mode[i]);
        size_t numbers = numbers_of(mode[i].order);
        float *c = FR_NEW(ctx, float, numbers);
        if (!c) return fr_no_memory(ctx, "a radiation");
        mode[i].c = c;
        fr_radiation_coefficients(from, change->mode[i], c);
        for (size_t l = 0; l < numbers; l++)
            c[l] = (float)(change->shape / change->size * (double)c[l]);
        mode[i].k /= change->size;
    }
    return FR_OK;
}

// k -> k/g, M -> g^-5/2 M; g^-3/2 of it is how much larger mass-normalised shapes are (E51)
//                                                                                    [S7 eq. 9]
FrResult fr_radiation_change(FrContext *ctx, const FrRadiation *from,
                             const FrRadiationChange *change, FrRadiation **to) {
    FrRadiationDef about = fr_radiation_about(from);
    FrRadiationDef def = {.x0 = fr_scale(change->size, about.x0),
                          .radius = change->size * about.radius,
                          .mode_count = change->mode_count,
                          .turn = about.turn};
    FrMultipole *mode = FR_NEW(ctx, FrMultipole, def.mode_count);
    *to = NULL;
    FrResult result =
        mode ? change_modes(ctx, from, change, mode) : fr_no_memory(ctx, "a radiation");
    return finish(ctx, result, &def, mode, to);
}
