// backend.c: which way to eigenvalues.

#include "backend/backend.h"
#include "backend/alone.h"
#include "backend/eigen.h"
#include "backend/factor.h"
#include "fracas/studio.h"

// unknowns up to which full matrices are as quick as sparse ones
#define DENSE_SIZE 450

static FrResult eigen(FrContext *ctx, const FrEigenProblem *problem, FrEigenPairs *pairs,
                      FrEigenReport *report) {
    *pairs = (FrEigenPairs){.size = 3 * problem->K->node_count};
    *report = (FrEigenReport){.counted = -1};
    // below a limit there may be far fewer than would be taken: they are counted first
    bool most = !(problem->limit > 0.0) && fr_eigen_most(problem->count, pairs->size);
    bool dense = pairs->size <= DENSE_SIZE || most;
    FrBlasBefore before = fr_blas_begin();
    FrResult result = dense ? fr_eigen_dense(ctx, problem, pairs, report)
                            : fr_eigen_lanczos(ctx, problem, pairs, report);
    if (result == FR_OK) result = fr_eigen_verify(ctx, problem, pairs, report);
    fr_blas_end(before);
    if (result != FR_OK) fr_eigen_pairs_free(ctx, pairs);
    return result;
}

static const FrBackend backend = {"CHOLMOD and LAPACK", &fr_cholmod_solver, eigen, fr_dense_pairs};

const FrBackend *fr_studio_backend(void) { return &backend; }

void fr_backend_fill(FrContext *ctx) {
    if (!fr_context_backend(ctx)) fr_context_set_backend(ctx, &backend);
}
