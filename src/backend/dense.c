// dense.c: all eigenvalues of full matrices by LAPACK; the reference for the sparse way.

#include "backend/eigen.h"
#include "backend/alone.h"
#include "base/clock.h"
#include "math/vec.h"
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

// rigid motions are moved above everything else: this many times the largest K_ii / M_ii
#define ABOVE 100.0

typedef struct Dense {
    FrContext *ctx;
    const FrEigenProblem *problem;
    int32_t size;
    double *K, *M, *lambda, *forces;
} Dense;

static void fill(const FrBlockMatrix *A, int32_t size, double *to) {
    for (int32_t n = 0; n < A->node_count; n++)
        for (int32_t k = A->start[n]; k < A->start[n + 1]; k++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) {
                    double value = A->width == 9 ? A->value[9 * (int64_t)k + 3 * a + b]
                                                 : (a == b ? A->value[k] : 0.0);
                    to[(size_t)(3 * n + a) * (size_t)size + (size_t)(3 * A->column[k] + b)] = value;
                }
}

// K + t M R R' M: the rigid motions R ring at t, all else as before
static void lift_rigid(Dense *d) {
    const FrEigenProblem *p = d->problem;
    if (p->rigid_count == 0) return;
    double t = ABOVE * fr_block_matrix_ratio(p->K, p->M);
    fr_block_matrix_apply(d->ctx, p->M, p->rigid, d->forces, p->rigid_count);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, d->size, p->rigid_count, t, d->forces,
                d->size, 1.0, d->K, d->size);
}

static FrResult keep(Dense *d, FrEigenPairs *pairs) {
    const FrEigenProblem *p = d->problem;
    int32_t most = d->size - p->rigid_count;
    if (p->count > 0) most = fr_min_i(most, p->count);
    int32_t count = 0;
    while (count < most && (p->limit <= 0.0 || d->lambda[count] <= p->limit)) count++;
    size_t numbers = (size_t)count * (size_t)d->size;
    pairs->lambda = FR_NEW(d->ctx, double, count);
    pairs->X = fr_alloc(d->ctx, numbers * sizeof(double));
    if (!pairs->lambda || !pairs->X) return fr_no_memory(d->ctx, "modes");
    pairs->count = count;
    memcpy(pairs->lambda, d->lambda, (size_t)count * sizeof(double));
    memcpy(pairs->X, d->K, numbers * sizeof(double));
    return FR_OK;
}

static FrResult decompose(Dense *d, FrEigenPairs *pairs, FrEigenReport *report) {
    size_t square = (size_t)d->size * (size_t)d->size;
    d->K = FR_NEW(d->ctx, double, square);
    d->M = FR_NEW(d->ctx, double, square);
    d->lambda = FR_NEW(d->ctx, double, d->size);
    d->forces = FR_NEW(d->ctx, double, (int64_t)d->size *(d->problem->rigid_count + 1));
    if (!d->K || !d->M || !d->lambda || !d->forces) return fr_no_memory(d->ctx, "full matrices");
    fill(d->problem->K, d->size, d->K);
    fill(d->problem->M, d->size, d->M);
    lift_rigid(d);
    int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', d->size, d->K, d->size, d->M, d->size,
                              d->lambda);
    if (info == LAPACK_WORK_MEMORY_ERROR) return fr_no_memory(d->ctx, "full matrices");
    if (info != 0)
        return fr_fail(d->ctx, FR_NUMERICAL, "LAPACK's dsygvd ended with %d on %d unknowns: %s",
                       info, d->size,
                       info > d->size ? "the mass is not positive" : "no convergence");
    report->counted = -1;
    return keep(d, pairs);
}

FrResult fr_eigen_dense(FrContext *ctx, const FrEigenProblem *problem, FrEigenPairs *pairs,
                        FrEigenReport *report) {
    Dense d = {.ctx = ctx, .problem = problem, .size = pairs->size};
    double begun = fr_wall_seconds();
    report->dense = true;
    FrResult result = decompose(&d, pairs, report);
    report->eigen_seconds = fr_wall_seconds() - begun;
    fr_free(ctx, d.K);
    fr_free(ctx, d.M);
    fr_free(ctx, d.lambda);
    fr_free(ctx, d.forces);
    return result;
}

FrResult fr_dense_pairs(FrContext *ctx, int32_t size, double *K, double *M, double *lambda) {
    FrBlasBefore before = fr_blas_begin();
    int info = M ? LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', size, K, size, M, size, lambda)
                 : LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', size, K, size, lambda);
    fr_blas_end(before);
    if (info == LAPACK_WORK_MEMORY_ERROR) return fr_no_memory(ctx, "full matrices");
    if (info == 0) return FR_OK;
    return fr_fail(ctx, FR_NUMERICAL, "LAPACK ended with %d on %d unknowns", info, size);
}
