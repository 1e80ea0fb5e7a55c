// bench.c: how fast sound goes out into the air.

#include "air/bench.h"
#include "air/radiation.h"
#include "air/radiator.h"
#include "base/clock.h"
#include "base/random.h"
#include "math/complex.h"
#include <string.h>

/// Slices of a ball: 5,120 triangles.
#define AROUND 64
#define ALONG 41
/// Wave number on a ball of radius 1.
#define K 3.0
/// S7's plate: its modes, and the sum of their orders.
#define MODES 76
#define ORDERS 2176
#define LOOKS 200

// a ball in slices: 2 * AROUND * (ALONG - 1) triangles
static void make_ball(double *point, int32_t (*tri)[3]) {
    int32_t count = 0;
    fr_set3(point, 0, fr_vec3(0.0, 0.0, -1.0));
    fr_set3(point, 1, fr_vec3(0.0, 0.0, 1.0));
    for (int32_t i = 1; i < ALONG; i++)
        for (int32_t j = 0; j < AROUND; j++) {
            double down = FR_PI * i / ALONG, turn = 2.0 * FR_PI * (j + 0.5 * (i % 2)) / AROUND;
            fr_set3(point, 2 + (i - 1) * AROUND + j,
                    fr_vec3(sin(down) * cos(turn), sin(down) * sin(turn), -cos(down)));
        }
    for (int32_t i = 1; i <= ALONG; i++)
        for (int32_t j = 0; j < AROUND; j++) {
            bool odd = i % 2, first = i == 1, last = i == ALONG;
            int32_t next = (j + 1) % AROUND, low = 2 + (i - 2) * AROUND, high = low + AROUND;
            int32_t a = first ? 0 : low + j, b = first ? 0 : low + next, c = last ? 1 : high + j,
                    d = last ? 1 : high + next;
            int32_t one[3] = {a, b, odd ? c : d}, two[3] = {odd ? b : a, d, c};
            if (!first) memcpy(tri[count++], one, sizeof one);
            if (!last) memcpy(tri[count++], two, sizeof two);
        }
}

// a ball that swings: p = q h_1(k)/(k h_1'(k)), h_1 = -(k - i) e^{-ik}/k^2
static double swing(FrRadiator *radiator, const FrPanels *panels, double complex *q,
                    double complex *p) {
    double complex h0 = fr_complex(0.0, 1.0 / K), h1 = fr_complex(-1.0 / K, 1.0 / (K * K));
    double complex ratio = h1 / (K * (h0 - 2.0 / K * h1));
    double off = 0.0, all = 0.0;
    FrRadiated how;
    for (int32_t t = 0; t < panels->count; t++) q[t] = fr_normalize(fr_get3(panels->middle, t)).z;
    fr_radiator_solve(radiator, K, q, p, &how);
    for (int32_t t = 0; t < panels->count; t++) {
        double complex wanted = ratio * q[t], d = p[t] - wanted;
        off += panels->area[t] * creal(d * conj(d));
        all += panels->area[t] * creal(wanted * conj(wanted));
    }
    return sqrt(off / all);
}

static FrResult bench_surface(FrContext *ctx, FrAirBench *bench) {
    static double point[3 * (2 + (ALONG - 1) * AROUND)];
    static int32_t tri[2 * AROUND * (ALONG - 1)][3];
    FrPanels panels;
    FrRadiator *radiator = NULL;
    make_ball(point, tri);
    bench->panels = 2 * AROUND * (ALONG - 1);
    double start = fr_processor_seconds();
    FR_TRY(fr_panels_make(ctx, point, (const int32_t(*)[3])tri, bench->panels, &panels));
    FrResult result = fr_radiator_create(ctx, &panels, &radiator);
    bench->surface = fr_processor_seconds() - start;
    double complex *q = FR_NEW(ctx, double complex, bench->panels),
                   *p = FR_NEW(ctx, double complex, bench->panels);
    if (result == FR_OK && (!q || !p)) result = fr_no_memory(ctx, "a benchmark");
    start = fr_processor_seconds();
    if (result == FR_OK) bench->off = swing(radiator, &panels, q, p);
    bench->solve = fr_processor_seconds() - start;
    FR_FREE_ALL(ctx, q, p);
    fr_radiator_destroy(radiator);
    fr_panels_free(ctx, &panels);
    return result;
}

// orders from 4 on, rising by even steps, of which the sum is S7's
static FrResult make_modes(FrContext *ctx, float *c, FrRadiation **radiation) {
    FrMultipole mode[MODES];
    FrRandom random = fr_random_for(1, "bench air", 0);
    int32_t sum = 0;
    for (size_t l = 0; l < 2 * FR_SPHERICAL_COUNT; l++)
        c[l] = (float)fr_random_range(&random, -1.0, 1.0);
    for (int32_t i = 0; i < MODES; i++) {
        int32_t order = 4 + (2 * (ORDERS / MODES - 4) + 1) * i / (MODES - 1);
        if (i == MODES - 1) order = ORDERS - sum;
        mode[i] = (FrMultipole){order - 3.5, fr_min_i(order, FR_SPHERICAL_ORDER), c};
        sum += order;
    }
    FrRadiationDef def = {.radius = 1.0, .mode = mode, .mode_count = MODES};
    return fr_radiation_create(ctx, &def, radiation);
}

static FrResult bench_transfer(FrContext *ctx, FrAirBench *bench) {
    float *c = FR_NEW(ctx, float, 2 * FR_SPHERICAL_COUNT), gain[MODES];
    FrRadiation *radiation;
    if (!c) return fr_no_memory(ctx, "a benchmark");
    FrResult result = make_modes(ctx, c, &radiation);
    fr_free(ctx, c);
    FR_TRY(result);
    double best = HUGE_VAL;
    for (int32_t k = 0; k < LOOKS; k++) {
        double start = fr_wall_seconds();
        fr_radiation_gains(radiation, fr_vec3(3.0, 0.01 * k, 1.0), FR_RADIATION_FULL, gain);
        best = fr_min(best, fr_wall_seconds() - start);
    }
    bench->transfer = best;
    fr_radiation_destroy(radiation);
    return FR_OK;
}

FrResult fr_air_bench(FrContext *ctx, FrAirBench *bench) {
    FR_TRY(bench_surface(ctx, bench));
    return bench_transfer(ctx, bench);
}
