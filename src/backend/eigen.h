// eigen.h: the two ways to eigenvalues; only backend/ looks inside.
#pragma once
#include "sparse/solver.h"

/// All eigenvalues of full matrices: for small systems, and when most of them are wanted.
FrResult fr_eigen_dense(FrContext *ctx, const FrEigenProblem *problem, FrEigenPairs *pairs,
                        FrEigenReport *report);
/// Block Lanczos on (K - s M)^-1 M.
FrResult fr_eigen_lanczos(FrContext *ctx, const FrEigenProblem *problem, FrEigenPairs *pairs,
                          FrEigenReport *report);
/// Residuals and orthogonality, into the report. FR_NUMERICAL: they are not good.
FrResult fr_eigen_verify(FrContext *ctx, const FrEigenProblem *problem, const FrEigenPairs *pairs,
                         FrEigenReport *report);
