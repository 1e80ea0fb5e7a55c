// overlap.h: tets of one mesh that lie inside each other.
#pragma once
#include "mesh/tetmesh.h"

typedef struct FrMeshOverlap {
    int32_t tets;    ///< that share more than a thousandth of the smaller one with another
    double volume;   ///< shared by pairs, m^3
    FrVec3 centroid; ///< of what is shared, m
} FrMeshOverlap;

/// Pairs that have no corner in common; by their corners, so mid-nodes do not count.
FrResult fr_tetmesh_overlap(FrContext *ctx, const FrTetMesh *mesh, FrMeshOverlap *overlap);
