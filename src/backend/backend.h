// backend.h: the studio's solvers: CHOLMOD, LAPACK, and a block Lanczos method of our own on both.
// fr_studio_backend() (fracas/studio.h) is the table.
#pragma once
#include "sparse/solver.h"

/// A context without a back end gets the studio's.
void fr_backend_fill(FrContext *ctx);
