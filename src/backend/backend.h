// backend.h: the studio's solvers: CHOLMOD, LAPACK, and a block Lanczos method of our own on both.
#pragma once
#include "sparse/solver.h"

/// Static. Uses one thread of BLAS, whatever the process had set: bits do not depend on cores.
const FrBackend *fr_backend(void);
