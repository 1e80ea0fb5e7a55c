// solver.c: giving back what a back end found.

#include "sparse/solver.h"

void fr_eigen_pairs_free(FrContext *ctx, FrEigenPairs *pairs) {
    fr_free(ctx, pairs->lambda);
    fr_free(ctx, pairs->X);
    *pairs = (FrEigenPairs){0};
}
