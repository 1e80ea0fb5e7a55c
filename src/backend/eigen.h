// eigen.h: the two ways to eigenvalues; only backend/ looks inside.
#pragma once
#include "sparse/solver.h"

/// All eigenvalues of full matrices: for small systems, and when most of them are wanted.
FrResult fr_eigen_dense(FrContext *ctx, const FrEigenProblem *problem, FrEigenPairs *pairs,
                        FrEigenReport *report);
/// Are so many wanted of a system so small that full matrices are quicker? A quarter of at most
/// 3000.
static inline bool fr_eigen_most(int32_t wanted, int32_t size) {
    return wanted > size / 4 && size <= 3000;
}
/// Block Lanczos on (K - s M)^-1 M; full matrices when most turn out to lie below the limit.
FrResult fr_eigen_lanczos(FrContext *ctx, const FrEigenProblem *problem, FrEigenPairs *pairs,
                          FrEigenReport *report);
/// Residuals and orthogonality, into the report. FR_NUMERICAL: they are not good.
FrResult fr_eigen_verify(FrContext *ctx, const FrEigenProblem *problem, const FrEigenPairs *pairs,
                         FrEigenReport *report);
/// FrBackend.dense.
FrResult fr_dense_pairs(FrContext *ctx, int32_t size, double *K, double *M, double *lambda);
