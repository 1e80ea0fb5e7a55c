// bench_corot.h: how fast a corot body steps, against what memory allows and against a plain loop.
#pragma once
#include "corot/corot.h"

typedef struct FrCorotBench {
    int32_t tets, nodes;
    double step_seconds;  ///< best: rotations, forces, matrix, 20 rounds of the solver
    double bytes;         ///< that a step must move at least: see bench_corot.c
    double bandwidth;     ///< bytes/s that a triad moves, with the same workers
    double solve_seconds; ///< of these the matrix and the solver
    double plain_seconds; ///< matrix and solver by a plain loop over rows of single numbers (CSR)
} FrCorotBench;

/// A jittered, strained cube of about so many tets; workers of the context.
FrResult fr_corot_bench(FrContext *ctx, int32_t tets, double seconds, FrCorotBench *bench);
