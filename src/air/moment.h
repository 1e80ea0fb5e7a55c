// moment.h: the integrals of multipoles over panels, four points at once.
#pragma once
#include "air/multipole.h"
#include "math/lanes.h"

typedef struct FrMomentScratch {
    double sum[2 * FR_SPHERICAL_COUNT][FR_LANES]; ///< real and imaginary parts by turns
    double a[2 * (FR_SPHERICAL_ORDER + 1)][FR_LANES], b[2 * (FR_SPHERICAL_ORDER + 1)][FR_LANES];
    double j[FR_SPHERICAL_ORDER + 2][FR_LANES];
} FrMomentScratch;

typedef struct FrMomentJob {
    const FrSurfaceSound *sound;
    const FrSphericalTable *table;
    FrVec3 x0;
    int32_t order;
    FrMomentScratch *scratch;
} FrMomentJob;

/// scratch->sum += sum of A (j_n Y q - p d(j_n Y)/dn) over panels [begin, end).
typedef void FrMomentFn(const FrMomentJob *job, int32_t begin, int32_t end);
FrMomentFn fr_moments_portable, fr_moments_avx2;
