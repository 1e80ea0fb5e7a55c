// factor.h: what a sparse factor holds; only backend/ looks inside.
#pragma once
#include "sparse/solver.h"
#include <suitesparse/cholmod.h>

struct FrFactor {
    FrContext *ctx;
    cholmod_common common;
    cholmod_factor *L;        ///< symbolic, or L L'
    int32_t *permutation;     ///< of the unknowns (size)
    cholmod_dense *X, *Y, *E; ///< kept between solves
    bool numeric;             ///< L holds numbers
};

extern const FrSparseSolver fr_cholmod_solver;

/// The matrix seen by CHOLMOD; borrowed.
cholmod_sparse fr_cholmod_view(const FrSparse *matrix);
/// What CHOLMOD's status means, as a result with a message.
FrResult fr_cholmod_result(FrFactor *factor, const char *what);
/// Symbolic L again, after numbers were dropped.
FrResult fr_factor_analyse(FrFactor *factor, const FrSparse *matrix);
/// Signs of D in L D L' on CHOLMOD's symbolic supernodes.
FrResult fr_factor_inertia(FrFactor *factor, const FrSparse *matrix, int32_t *negative, bool *safe);
