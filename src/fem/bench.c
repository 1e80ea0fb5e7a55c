// bench.c: how fast the force kernel and the whole step are, against what the machine can do.

#include "fem/bench.h"
#include "base/clock.h"
#include "fem/body.h"
#include "fem/peak.h"
#include "base/random.h"

// cycles per second: each turn of the loop is eight additions that wait for one another
static double measure_clock(void) {
    const uint64_t turns = 500000; // about a millisecond, so that some repeat is undisturbed
    double best = 0.0;
    for (int repeat = 0; repeat < 30; repeat++) {
        uint64_t a = 1;
        double start = fr_wall_seconds();
        for (uint64_t k = 0; k < turns; k++) {
#if defined(__x86_64__)
            __asm__ volatile("add %0, %0\n add %0, %0\n add %0, %0\n add %0, %0\n"
                             "add %0, %0\n add %0, %0\n add %0, %0\n add %0, %0"
                             : "+r"(a));
#else
            for (int j = 0; j < 8; j++) __asm__ volatile("" : "+r"(a) : "0"(a + a));
#endif
        }
        best = fr_max(best, 8.0 * (double)turns / (fr_wall_seconds() - start));
    }
    return best;
}

static double measure_peak(FrPeakFn *run) {
    const int64_t turns = 1000000;
    double best = 0.0;
    for (int repeat = 0; repeat < 30; repeat++) {
        double start = fr_wall_seconds(), flops = run(turns);
        best = fr_max(best, flops / (fr_wall_seconds() - start));
    }
    return best;
}

FrPeak fr_bench_peak(void) {
    bool avx2 = fr_cpu_has_avx2();
    FrPeak peak = {.clock_hz = measure_clock()};
    peak.add = measure_peak(avx2 ? fr_peak_add_avx2 : fr_peak_add_portable);
    peak.mixed = measure_peak(avx2 ? fr_peak_mixed_avx2 : fr_peak_mixed_portable);
    double per_cycle = peak.mixed / (FR_LANES * peak.clock_hz);
    peak.pipes = fr_max(1.0, floor(per_cycle + 0.5));
    peak.of_pipes = per_cycle / peak.pipes;
    return peak;
}

// a cube of n^3 cells, six tets each around the diagonal (Kuhn), inside nodes jittered
static FrResult make_block(FrContext *ctx, int32_t n, FrTetMesh *mesh) {
    int32_t m = n + 1;
    *mesh = (FrTetMesh){.node_count = m * m * m, .tet_count = 6 * n * n * n, .order = 1};
    mesh->corner_count = mesh->node_count;
    mesh->x = FR_NEW(ctx, double, 3 * (size_t)mesh->node_count);
    mesh->tet = fr_alloc_zero(ctx, (size_t)mesh->tet_count, sizeof mesh->tet[0]);
    if (!mesh->x || !mesh->tet) return fr_no_memory(ctx, "the benchmark's mesh");
    FrRandom random = fr_random_for(1, "fem-bench", 0);
    double h = 0.01;
    for (int32_t k = 0; k < mesh->node_count; k++) {
        int32_t at[3] = {k % m, k / m % m, k / (m * m)};
        for (int c = 0; c < 3; c++) {
            double jitter = at[c] > 0 && at[c] < n ? fr_random_range(&random, -0.1, 0.1) : 0.0;
            mesh->x[3 * (size_t)k + (size_t)c] = h * ((double)at[c] + jitter);
        }
    }
    static const int path[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}};
    int32_t step[3] = {1, m, m * m}, tet = 0;
    for (int32_t cell = 0; cell < n * n * n; cell++) {
        int32_t corner = cell % n + m * (cell / n % n) + m * m * (cell / (n * n));
        for (int k = 0; k < 6; k++, tet++) {
            // from the corner along axis a, then b, then the third; odd orders mirrored
            int a = path[k][0], b = path[k][1];
            int32_t first = corner + step[a], second = first + step[b];
            int32_t far = corner + 1 + m + m * m;
            int32_t *t = mesh->tet[tet];
            t[0] = corner;
            t[1] = k < 3 ? first : second;
            t[2] = k < 3 ? second : first;
            t[3] = far;
        }
    }
    return FR_OK;
}

static FrResult time_body(FrFem *fem, double seconds, FrFemBench *bench) {
    double dt = 0.5 * fr_fem_dt_limit(fem), start = fr_wall_seconds();
    bench->kernel_seconds = bench->step_seconds = (double)INFINITY;
    for (int32_t k = 0; k < 5 || fr_wall_seconds() - start < seconds; k++) {
        fem->scratch.current = false;
        double begin = fr_wall_seconds();
        fr_fem_evaluate(fem);
        bench->kernel_seconds = fr_min(bench->kernel_seconds, fr_wall_seconds() - begin);
        begin = fr_wall_seconds();
        FR_TRY(fr_fem_step(fem, dt, fr_vec3(0, 0, -9.81)));
        bench->step_seconds = fr_min(bench->step_seconds, fr_wall_seconds() - begin);
    }
    return FR_OK;
}

static void set_rates(FrFemBench *b) {
    b->flops_per_tet = FR_FEM_FLOPS_PER_TET;
    b->kernel_tets_per_second = b->tets / b->kernel_seconds;
    b->step_tets_per_second = b->tets / b->step_seconds;
    b->kernel_flops = b->flops_per_tet * b->kernel_tets_per_second;
    b->step_flops = b->flops_per_tet * b->step_tets_per_second;
    b->kernel_ratio = b->kernel_flops / b->peak.mixed;
    b->step_ratio = b->step_flops / b->peak.mixed;
    double two_pipes = 2.0 * FR_LANES * b->peak.clock_hz;
    b->kernel_ratio_two_pipes = b->kernel_flops / two_pipes;
    b->step_ratio_two_pipes = b->step_flops / two_pipes;
}

FrResult fr_fem_bench(FrContext *ctx, int32_t tets, double seconds, bool breaks,
                      FrFemBench *bench) {
    FR_ASSERT_IN(ctx, tets >= 6 && tets <= 50000000, "ask for 6 to 50 million tets");
    int32_t n = 1;
    while (6.0 * (n + 1.0) * (n + 1.0) * (n + 1.0) <= 1.06 * tets) n++;
    FrTetMesh mesh = {0};
    FrMaterial glass;
    fr_material_find("s6-glass", &glass);
    if (!breaks) glass.strength = glass.tau = 0.0;
    FrFemDef def = {.mesh = &mesh,
                    .material = &glass,
                    .material_count = 1,
                    .rotation = fr_quat_identity,
                    .spin = {10, 20, 30}};
    FrFem *fem = NULL;
    FrResult result = make_block(ctx, n, &mesh);
    if (result == FR_OK) result = fr_fem_create(ctx, &def, &fem);
    if (result == FR_OK) {
        *bench = (FrFemBench){.tets = mesh.tet_count,
                              .nodes = mesh.node_count,
                              .workers = fr_context_workers(ctx),
                              .peak = fr_bench_peak()};
        result = time_body(fem, seconds, bench);
        set_rates(bench);
    }
    fr_fem_destroy(fem);
    fr_free(ctx, mesh.x);
    fr_free(ctx, mesh.tet);
    return result;
}
