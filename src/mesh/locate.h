// locate.h: which tet a point of rest space is in, or nearest to.
#pragma once
#include "mesh/tetmesh.h"

/// A grid of buckets over a mesh at rest; borrows the mesh.
typedef struct FrLocator {
    const FrTetMesh *mesh;
    FrBox box;
    double cell; ///< m
    int32_t n[3];
    int32_t *start, *tet; ///< tets whose boxes touch each cell
    FrBox *around;        ///< box of each tet
} FrLocator;

FrResult fr_locator_create(FrContext *ctx, const FrTetMesh *mesh, FrLocator *locator);
void fr_locator_free(FrContext *ctx, FrLocator *locator);

/// Barycentric weights of x between four corners (any size, summing to 1), and in tet e.
void fr_corner_weights(const FrVec3 corner[4], FrVec3 x, double b[4]);
void fr_tet_weights(const FrTetMesh *mesh, int32_t e, FrVec3 x, double b[4]);
/// The tet that holds x, or the nearest one with weights that may be negative. *distance: from x to
/// that tet, 0 inside. Ties: the lowest tet.
FrPoint fr_locate(const FrLocator *locator, FrVec3 x, double *distance);
