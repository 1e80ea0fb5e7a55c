// grid.h: what the makers of structured meshes share.
#pragma once
#include "mesh/structured.h"

/// A block of n[0] x n[1] x n[2] hexahedra; periodic along axis 1 if asked for (n[1] even).
typedef struct FrGrid {
    int32_t n[3];
    bool periodic;
    FrVec3 (*at)(const void *user, int32_t i, int32_t j, int32_t k);
    const void *user;
} FrGrid;
FrResult fr_mesh_grid(FrContext *ctx, const FrGrid *grid, FrTetMesh *mesh);

/// How many edges of about h make a length; at least `least`.
FrResult fr_mesh_count(FrContext *ctx, double length, double h, int32_t least, int32_t *count);

FrResult fr_mesh_cylinder(FrContext *ctx, double radius, double height, double h, FrTetMesh *mesh);
