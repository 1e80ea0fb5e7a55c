// stress_field.c: the stress of a body that vibrates and is pushed, and what energy a stress holds.

#include "modal/stress_model.h"
#include "base/tasks.h"
#include "math/lanes.h"
#include "modal/mode_sum.h"
#include <string.h>

// six numbers each: with the sums of one chunk the cache still has room for modes
#define NODES_A_CHUNK 256

typedef struct Field {
    FrModeSum sum;
    FrModeSumFn *add;
    double force;
    const double *left; ///< six numbers a node; NULL: none
} Field;

static void sum_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    const Field *f = arg;
    (void)chunk, (void)worker;
    begin *= 6, end *= 6;
    for (int32_t k = begin; k < end; k++) f->sum.sum[k] = f->left ? f->force * f->left[k] : 0.0;
    f->add(&f->sum, begin, end);
}

_Static_assert(sizeof(FrSym3) == 6 * sizeof(double), "xx yy zz yz zx xy");

void fr_stress_field(const FrStressModel *model, const double *q, double force, const FrSym3 *left,
                     FrSym3 *stress) {
    int32_t nodes = model->nodes.node_count;
    Field f = {{model->stress, 6 * (size_t)nodes, q, model->count, &stress->xx},
               fr_cpu_has_avx2() ? fr_mode_sum_avx2 : fr_mode_sum_portable,
               force,
               left ? &left->xx : NULL};
    fr_parallel_for(model->ctx, nodes, NODES_A_CHUNK, sum_chunk, &f);
}

// e of C e = s by Gauss; C is positive definite, so no row is exchanged
static void strain_of(const double C[6][6], double s[6]) {
    double A[6][6];
    memcpy(A, C, sizeof A);
    for (int k = 0; k < 6; k++)
        for (int i = k + 1; i < 6; i++) {
            double by = A[i][k] / A[k][k];
            for (int j = k; j < 6; j++) A[i][j] -= by * A[k][j];
            s[i] -= by * s[k];
        }
    for (int k = 5; k >= 0; k--) {
        for (int j = k + 1; j < 6; j++) s[k] -= A[k][j] * s[j];
        s[k] /= A[k][k];
    }
}

// w = s : e / 2, e = C^-1 s; without axes (s : s - lambda / (3 lambda + 2 mu) tr(s)^2) / (4 mu)
double fr_stress_density(const FrMaterial *m, FrSym3 s) {
    if (!m->anisotropic) {
        double trace = fr_sym3_trace(s), bulk3 = 3.0 * m->lambda + 2.0 * m->mu;
        return (fr_sym3_dot(s, s) - m->lambda / bulk3 * trace * trace) / (4.0 * m->mu);
    }
    double from[6] = {s.xx, s.yy, s.zz, s.yz, s.zx, s.xy}, e[6], sum = 0.0;
    memcpy(e, from, sizeof e);
    strain_of(m->C, e);
    for (int i = 0; i < 6; i++) sum += from[i] * e[i];
    return 0.5 * sum;
}
