// resonators.c: many modes at once: how their coefficients are made and their state is kept.

#include "sound/resonators.h"
#include "math/lanes.h"
#include "modal/oscillator.h"
#include <math.h>

// rows of a group, each `lanes` long; the order of Group in resonators_loop.h
enum { ROW_X, ROW_Y, ROW_C, ROW_S = ROW_C + 4, ROW_Q1 = ROW_S + 4, ROW_Q4, ROW_FX, ROW_FY, ROWS };

/// Bytes of a cache line.
#define LINE 64

static size_t slot(const FrResonators *r, int32_t i, int row) {
    return ((size_t)(i / r->lanes) * ROWS + (size_t)row) * (size_t)r->lanes +
           (size_t)(i % r->lanes);
}

static double get(const FrResonators *r, int32_t i, int row) {
    size_t at = slot(r, i, row);
    return r->single ? (double)((const float *)r->group)[at] : ((const double *)r->group)[at];
}

static void put(FrResonators *r, int32_t i, int row, double value) {
    size_t at = slot(r, i, row);
    if (r->single)
        ((float *)r->group)[at] = (float)value;
    else
        ((double *)r->group)[at] = value;
}

FrResult fr_resonators_init(FrResonators *r, FrContext *ctx, int32_t count, double dt, bool single,
                            bool portable) {
    FR_ASSERT_IN(ctx, count >= 0 && count <= INT32_MAX - 8 && dt > 0.0,
                 "give a number of modes and a step");
    size_t real = single ? sizeof(float) : sizeof(double);
    bool avx2 = !portable && fr_cpu_has_avx2();
    *r = (FrResonators){.ctx = ctx, .count = count, .dt = dt, .single = single};
    r->lanes = single ? 8 : 4;
    r->group_count = (count + r->lanes - 1) / r->lanes;
    r->run = single ? (avx2 ? fr_resonators_f32_avx2 : fr_resonators_f32_portable)
                    : (avx2 ? fr_resonators_f64_avx2 : fr_resonators_f64_portable);
    r->run_ears = single ? (avx2 ? fr_resonators_f32_avx2_ears : fr_resonators_f32_portable_ears)
                         : (avx2 ? fr_resonators_f64_avx2_ears : fr_resonators_f64_portable_ears);
    // a group is a whole number of cache lines, and none of its rows lies across two
    size_t row = (size_t)r->lanes * real, groups = (size_t)r->group_count * ROWS * row;
    r->memory = fr_alloc_zero(ctx, 1, groups + FR_RESONATOR_BLOCK * row + LINE);
    if (r->memory) {
        uint8_t *line = (uint8_t *)(((uintptr_t)r->memory + LINE - 1) / LINE * LINE);
        r->group = line;
        r->sum = line + groups;
    }
    r->live = FR_NEW(ctx, uint8_t, r->group_count);
    r->kick = fr_alloc_zero(ctx, (size_t)count, sizeof *r->kick);
    if (r->memory && r->live && r->kick) return FR_OK;
    fr_resonators_free(r);
    return fr_no_memory(ctx, "resonators");
}

void fr_resonators_free(FrResonators *r) {
    if (!r->ctx) return;
    fr_free(r->ctx, r->memory);
    fr_free(r->ctx, r->live);
    fr_free(r->ctx, r->kick);
    *r = (FrResonators){0};
}

/// A state as it is turned.
typedef struct Turned {
    double x, y;
} Turned;

// (x, y) for a state (z, v), scaled by the gain. y is z, or v = kappa x - d z: since x + i y turns
// as a whole, so does (-d + i kappa)(x + i y), whose imaginary part is v.
static Turned place(double z, double v, double c, double kappa, FrResonance motion) {
    double d = 0.5 * c, x = (v + d * z) / kappa;
    if (motion == FR_RESONANCE_DISPLACEMENT) return (Turned){x, z};
    return (Turned){-d * x - kappa * z, kappa * x - d * z};
}

// A force held over one sample leaves z = gz, v = gv. [S4 eq. 16] [S4 eq. 17] as corrected (E37):
// an impulse j adds j to the velocity, and z = j/w e^{-dt} sin wt follows [S4 eq. 18].
void fr_resonators_set(FrResonators *r, int32_t i, double lambda, double c, double gain,
                       FrResonance motion) {
    double kappa = fr_mode_kappa(lambda, c, r->dt);
    FR_ASSERT_IN(r->ctx,
                 motion == FR_RESONANCE_DISPLACEMENT || fr_mode_omega(lambda, c) * r->dt > 1e-5,
                 "only under-damped modes can give their velocity");
    for (int k = 0; k < 4; k++) {
        FrModeTurn turn = fr_mode_turn(lambda, c, kappa, (k + 1) * r->dt);
        put(r, i, ROW_C + k, turn.c);
        put(r, i, ROW_S + k, turn.s);
        if (k == 0) put(r, i, ROW_Q1, turn.q);
        if (k == 3) put(r, i, ROW_Q4, turn.q);
    }
    FrModeStep step = fr_mode_step(lambda, c, r->dt);
    Turned force = place(step.gz, step.gv, c, kappa, motion);
    put(r, i, ROW_FX, gain * force.x);
    put(r, i, ROW_FY, gain * force.y);
    Turned kick = place(0.0, 1.0, c, kappa, motion);
    r->kick[i][0] = gain * kick.x;
    r->kick[i][1] = gain * kick.y;
    put(r, i, ROW_X, 0.0);
    put(r, i, ROW_Y, 0.0);
}

void fr_resonators_kick(FrResonators *r, int32_t i, double impulse) {
    put(r, i, ROW_X, get(r, i, ROW_X) + r->kick[i][0] * impulse);
    put(r, i, ROW_Y, get(r, i, ROW_Y) + r->kick[i][1] * impulse);
    r->live[i / r->lanes] = 1;
}

void fr_resonators_weight(const FrResonators *r, void *weight, int32_t i, double value) {
    if (r->single)
        ((float *)weight)[i] = (float)value;
    else
        ((double *)weight)[i] = value;
}

void fr_resonators_add_weight(const FrResonators *r, void *weight, int32_t i, double value) {
    double before = r->single ? (double)((float *)weight)[i] : ((double *)weight)[i];
    fr_resonators_weight(r, weight, i, before + value);
}

void fr_resonators_state(const FrResonators *r, int32_t i, double *x, double *y) {
    *x = get(r, i, ROW_X);
    *y = get(r, i, ROW_Y);
}

void fr_resonators_run(FrResonators *r, const FrDrive *drive, int32_t drive_count, int32_t frames,
                       double *out) {
    FR_ASSERT_IN(r->ctx, frames >= 0 && frames <= FR_RESONATOR_BLOCK,
                 "ask for at most one block of frames");
    r->run(r, drive, drive_count, frames, out);
}

void fr_resonators_run_ears(FrResonators *r, const FrDrive *drive, int32_t drive_count,
                            int32_t frames, const FrLoudness *loudness, double *out[2]) {
    FR_ASSERT_IN(r->ctx, frames >= 0 && frames <= FR_RESONATOR_BLOCK,
                 "ask for at most one block of frames");
    if (frames > 0) r->run_ears(r, drive, drive_count, frames, loudness, out);
}
