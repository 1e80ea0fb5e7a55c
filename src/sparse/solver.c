// solver.c: who solves for a context, and giving back what was found.

#include "sparse/solver.h"

FrResult fr_backend_of(FrContext *ctx, const char *what, const FrBackend **backend) {
    *backend = fr_context_backend(ctx);
    if (*backend) return FR_OK;
    return fr_fail(
        ctx, FR_BAD_USE,
        "no back end for sparse matrices and eigenvalues is in this context, and %s cannot "
        "do without: set FrContextDef.backend = fr_studio_backend() (link fracas-studio); "
        "modes also come from a file that `fracas bake` made",
        what);
}

void fr_eigen_pairs_free(FrContext *ctx, FrEigenPairs *pairs) {
    fr_free(ctx, pairs->lambda);
    fr_free(ctx, pairs->X);
    *pairs = (FrEigenPairs){0};
}
