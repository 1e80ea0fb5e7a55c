// factor.h: what a sparse factor holds; only backend/ looks inside.
#pragma once
#include "sparse/solver.h"
#include <suitesparse/cholmod.h>

/// What a factor takes, known once the nodes are ordered.
typedef struct FrFactorCost {
    int32_t nodes;
    double entries; ///< numbers in L; supernodes add a fifth
    double flops;
} FrFactorCost;

struct FrFactor {
    FrContext *ctx;
    cholmod_common common;
    cholmod_factor *L;        ///< symbolic, or L L'
    int32_t *permutation;     ///< of the unknowns (size)
    cholmod_dense *X, *Y, *E; ///< kept between solves
    FrFactorCost cost;
    bool numeric; ///< L holds numbers
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
/// Memory of the machine, bytes.
double fr_memory_bytes(void);
/// FR_BAD_INPUT: it does not fit into `memory` bytes, or has more numbers than can be counted.
/// Tells of what will take long.
FrResult fr_factor_afford(FrContext *ctx, const FrFactorCost *cost, double memory);
