// bench_surface.h: how fast imported surfaces are meshed, good and broken ones.
#pragma once
#include "mesh/stuffing.h"

typedef struct FrSurfaceBench {
    int32_t triangles;             ///< of the good one
    int32_t broken_triangles;      ///< of the broken one
    double tets_per_second;        ///< one worker, with the field of a closed triangle surface
    double broken_tets_per_second; ///< of the same with holes, seams, doubles, wrong turns, and
                                   ///< another ball that runs through it
    double exact_over_quick;       ///< time of the broken one if each question to its field were
                                   ///< answered by the sum of all solid angles, over that it took
} FrSurfaceBench;

/// The surface of `mesh` as if it had been imported: repair, field and stuffing, all of it counted.
FrResult fr_surface_bench(FrContext *ctx, const FrTetMesh *mesh, const FrStuffingOptions *options,
                          FrSurfaceBench *bench);
