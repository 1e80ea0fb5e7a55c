// bench.h: how fast the force kernel and the whole step are, against what the machine can do.
#pragma once
#include "fem/fem.h"

/// Floating-point operations per tet of the isotropic viscous kernel: each + - * and the one square
/// root count as one; comparisons, sign changes, shuffles and the summing of node forces as none.
/// Counted in kernel.h, and equal to the arithmetic instructions gcc and clang make of it:
///     edges 2 x 9, F and Fd 2 x 45, strain 33, trace 2, stress 10, energy 14, bound on w^2 17,
///     det F 14, strain rate and viscous stress 60, -vol F S 2 x 51, forces 2 x 51
#define FR_FEM_FLOPS_PER_TET 462.0

/// Sustained speed of one core with four-lane doubles, no fused operations.
typedef struct FrPeak {
    double clock_hz; ///< from a chain of dependent integer additions
    double add;      ///< flop/s, additions only
    double mixed;    ///< flop/s, additions and multiplications in equal parts: the peak
    double pipes;    ///< mixed / (4 lanes x clock), to the nearest whole number
    double of_pipes; ///< mixed / (4 lanes x pipes x clock): how well the peak was measured, 1
} FrPeak;
FrPeak fr_bench_peak(void);

typedef struct FrFemBench {
    int32_t tets, nodes, workers;
    double flops_per_tet;
    double kernel_seconds, step_seconds; ///< best of the repeats, for all tets
    double kernel_tets_per_second, step_tets_per_second;
    double kernel_flops, step_flops;                     ///< flop/s of all workers together
    double kernel_ratio, step_ratio;                     ///< of peak.mixed of one core
    double kernel_ratio_two_pipes, step_ratio_two_pipes; ///< of 4 lanes x 2 pipes x clock
    FrPeak peak;
} FrFemBench;

/// Viscous glass block of about `tets` tets, jittered, moving. Kernel: all internal forces summed
/// to the nodes (chunks and gather), and where it may break the stresses kept. Step: fr_fem_step.
/// Uses the workers of ctx; each figure is the best of runs that together last about `seconds`.
FrResult fr_fem_bench(FrContext *ctx, int32_t tets, double seconds, bool breaks, FrFemBench *bench);
