// wave_loop.h: the loops of wave.h, compiled twice, with and without AVX2: same bits.
//
// Every product and sum is rounded by itself. Included by wave_*.c only, which define FR_WAVE.
#pragma once
#include "air/wave.h"
#include "math/lanes.h"

#define LANES FR_PANEL_LANES
typedef float Lane __attribute__((vector_size(32)));
typedef int32_t Mask __attribute__((vector_size(32)));

FR_LANE_INLINE Lane set(float x) {
    Lane r = {x, x, x, x, x, x, x, x};
    return r;
}
FR_LANE_INLINE Lane load(const float *p) {
    Lane r;
    memcpy(&r, p, sizeof r);
    return r;
}
FR_LANE_INLINE void store(float *p, Lane v) { memcpy(p, &v, sizeof v); }
FR_LANE_INLINE Lane root(Lane a) {
#if defined(__AVX__)
    return (Lane)_mm256_sqrt_ps((__m256)a);
#else
    for (int i = 0; i < LANES; i++) a[i] = sqrtf(a[i]);
    return a;
#endif
}
FR_LANE_INLINE Lane pick(Mask mask, Lane yes, Lane no) {
    Mask y, n;
    memcpy(&y, &yes, sizeof y);
    memcpy(&n, &no, sizeof n);
    y = (mask & y) | (~mask & n);
    Lane r;
    memcpy(&r, &y, sizeof r);
    return r;
}

/// e^{-i phase}
typedef struct Turn {
    Lane c, s; ///< cos, sin of the phase
} Turn;

// quarters of a turn are taken off in three parts (Cody & Waite), the rest by Taylor's series to
// 1e-7; phases of a few hundred at most
FR_LANE_INLINE Turn turn(Lane phase) {
    const float round = 12582912.0f; // 1.5 * 2^23: adding it rounds to whole numbers
    Lane shifted = phase * 0.636619772f + round, quarters = shifted - round;
    Mask quarter;
    memcpy(&quarter, &shifted, sizeof quarter);
    Lane y = phase - quarters * 1.5703125f;
    y = y - quarters * 4.83751296997e-4f;
    y = y - quarters * 7.54978995489e-8f;
    Lane z = y * y;
    Lane s = y + y * z * (-1.6666654611e-1f + z * (8.3321608736e-3f - z * 1.9515295891e-4f));
    Lane c =
        1.0f - 0.5f * z +
        z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
    Mask odd = -(quarter & 1), low = (quarter & 2) << 30, high = ((quarter + 1) & 2) << 30;
    Lane cosine = pick(odd, s, c), sine = pick(odd, c, s);
    Mask bits;
    memcpy(&bits, &cosine, sizeof bits);
    bits ^= high;
    memcpy(&cosine, &bits, sizeof bits);
    memcpy(&bits, &sine, sizeof bits);
    bits ^= low;
    memcpy(&sine, &bits, sizeof bits);
    return (Turn){cosine, sine};
}

static double total(Lane v) {
    double sum = 0.0;
    for (int i = 0; i < LANES; i++) sum += (double)v[i];
    return sum;
}

// G = e^{-ikr}/(4 pi r), dG/dn_y = G (ik + 1/r) (d.n)/r, d = x - y                        [M23]
static void FR_WAVE(row)(const FrWave *wave, const float x[3], float *row, double sum[2]) {
    const FrPanels *p = wave->panels;
    size_t n = (size_t)p->padded;
    Lane k = set(wave->k), sum_re = set(0.0f), sum_im = set(0.0f);
    Lane at[3] = {set(x[0]), set(x[1]), set(x[2])};
    for (size_t j = 0; j < n; j += LANES) {
        Lane nx = load(p->n + j), ny = load(p->n + n + j), nz = load(p->n + 2 * n + j);
        Lane s_re = set(0.0f), s_im = set(0.0f), d_re = set(0.0f), d_im = set(0.0f);
        for (int q = 0; q < FR_PANEL_POINTS; q++) {
            const float *y = p->y + 3 * (size_t)q * n + j;
            Lane dx = at[0] - load(y), dy = at[1] - load(y + n), dz = at[2] - load(y + 2 * n);
            Lane r2 = dx * dx + dy * dy + dz * dz, over = 1.0f / root(r2);
            Turn e = turn(k * (r2 * over));
            Lane slope = (dx * nx + dy * ny + dz * nz) * over * over;
            s_re = s_re + e.c * over;
            s_im = s_im - e.s * over;
            d_re = d_re + slope * (e.c * over + k * e.s);
            d_im = d_im + slope * (k * e.c - e.s * over);
        }
        Lane share = load(p->share + j), q_re = load(wave->q_real + j),
             q_im = load(wave->q_imag + j);
        s_re = s_re * share;
        s_im = s_im * share;
        sum_re = sum_re + (s_re * q_re - s_im * q_im);
        sum_im = sum_im + (s_re * q_im + s_im * q_re);
        store(row + 2 * j, d_re * share);
        store(row + 2 * j + LANES, d_im * share);
    }
    sum[0] = total(sum_re);
    sum[1] = total(sum_im);
}

static void FR_WAVE(dot)(const float *row, const float *p, int32_t padded, double sum[2]) {
    Lane re = set(0.0f), im = set(0.0f);
    for (size_t j = 0; j < 2 * (size_t)padded; j += 2 * LANES) {
        Lane a = load(row + j), b = load(row + j + LANES), u = load(p + j), v = load(p + j + LANES);
        re = re + (a * u - b * v);
        im = im + (a * v + b * u);
    }
    sum[0] = total(re);
    sum[1] = total(im);
}

static void FR_WAVE(spread)(const float *row, const float factor[2], int32_t begin, int32_t end,
                            float *to) {
    Lane u = set(factor[0]), v = set(factor[1]);
    for (size_t j = 2 * LANES * (size_t)begin; j < 2 * LANES * (size_t)end; j += 2 * LANES) {
        Lane a = load(row + j), b = load(row + j + LANES);
        store(to + j, load(to + j) + (a * u + b * v));
        store(to + j + LANES, load(to + j + LANES) + (a * v - b * u));
    }
}

const FrWaveOps FR_WAVE(ops) = {FR_WAVE(row), FR_WAVE(dot), FR_WAVE(spread)};
