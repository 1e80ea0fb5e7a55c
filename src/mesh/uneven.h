// uneven.h: nodes of a tet mesh moved by chance, so that its faces show no lattice.
#pragma once
#include "geom/field.h"
#include "mesh/tetmesh.h"

typedef struct FrUnevenOptions {
    double most;    ///< m, how far a node moves
    double quality; ///< of what tets round it were at their worst, at least so much stays
    FrField outer;  ///< nodes of the surface stay where this is at least `clear`
    double clear;   ///< m
} FrUnevenOptions;

/// Each node in turn moves into a random direction where tets stay good, else not so far, or not.
FrResult fr_tetmesh_uneven(FrContext *ctx, FrTetMesh *mesh, const FrUnevenOptions *options);
