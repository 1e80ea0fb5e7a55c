// multipole.c: what a surface sends, as waves from one point.

#include "air/multipole.h"
#include "air/moment.h"
#include "base/tasks.h"
#include "math/lanes.h"
#include "math/complex.h"
#include <string.h>

/// Panels that one task sums up.
#define GRAIN 512

int32_t fr_multipole_order(double ka) {
    return ka < FR_SPHERICAL_ORDER - 4.0 ? (int32_t)ceil(ka) + 4 : FR_SPHERICAL_ORDER;
}

int32_t fr_multipole_order_coarse(double ka) {
    return fr_min_i(FR_SPHERICAL_ORDER, fr_max_i(4, (int32_t)ceil(fr_min(0.5 * ka, 1e3))));
}

typedef struct Summing {
    const FrSurfaceSound *sound;
    FrVec3 x0;
    int32_t order;
    FrSphericalTable *table;
    FrMomentScratch *scratch; ///< of each chunk
} Summing;

static void sum_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Summing *s = arg;
    (void)worker;
    FrMomentScratch *scratch = &s->scratch[chunk];
    FrMomentJob job = {s->sound, s->table, s->x0, s->order, scratch};
    memset(scratch->sum, 0, sizeof scratch->sum);
    (fr_cpu_has_avx2() ? fr_moments_avx2 : fr_moments_portable)(&job, begin, end);
}

// M_n^m = ik sum over the surface of A (R_n^-m q - p dR_n^-m/dn), R = j_n(kr) Y          [S7 eq.
// 22]
FrResult fr_multipole_moments(FrContext *ctx, const FrSurfaceSound *sound, FrVec3 x0, int32_t order,
                              double complex *moment) {
    int32_t count = sound->panels->count, chunks = fr_chunk_count(count, GRAIN);
    Summing s = {sound, x0, order, FR_NEW(ctx, FrSphericalTable, 1),
                 fr_alloc(ctx, (size_t)chunks * sizeof *s.scratch)};
    if (s.table && s.scratch) {
        fr_spherical_table(s.table);
        fr_parallel_for(ctx, count, GRAIN, sum_chunk, &s);
        for (int32_t l = 0; l < (order + 1) * (order + 1); l++) {
            double re = 0.0, im = 0.0;
            for (int32_t c = 0; c < chunks; c++)
                for (int i = 0; i < FR_LANES; i++) {
                    re += s.scratch[c].sum[2 * l][i];
                    im += s.scratch[c].sum[2 * l + 1][i];
                }
            moment[l] = fr_complex(-sound->k * im, sound->k * re);
        }
    }
    bool good = s.table && s.scratch;
    FR_FREE_ALL(ctx, s.table, s.scratch);
    return good ? FR_OK : fr_no_memory(ctx, "multipoles");
}
