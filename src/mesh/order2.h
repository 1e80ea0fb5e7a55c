// order2.h: 10-node tets, their mid-nodes on the true shape.
#pragma once
#include "geom/field.h"
#include "mesh/tetmesh.h"

typedef struct FrOrder2Report {
    int32_t projected;   ///< mid-nodes of surface edges moved onto the shape
    int32_t pulled_back; ///< of these, moved part of the way only, to keep tets positive
    double max_move;     ///< m, the largest move kept
} FrOrder2Report;

/// A 10-node copy of a linear mesh. `shape` may be NULL: mid-nodes in the middle of straight edges.
/// Otherwise mid-nodes of surface edges go to the surface of the shape and those inside follow them
/// smoothly; where a tet would not stay
/// positive (at corners, mid-nodes and Gauss points) its moves are halved until it does.
FrResult fr_tetmesh_order2(FrContext *ctx, const FrTetMesh *linear, const FrField *shape,
                           FrTetMesh *mesh, FrOrder2Report *report);

/// dx/db at barycentric point b: columns are derivatives along b1, b2, b3 with b0 = 1 - b1 - b2 -
/// b3.
FrMat3 fr_order2_jacobian(const FrTetMesh *mesh, int32_t e, const double b[4]);
/// Smallest det of the Jacobian over corners, mid-nodes and Gauss points, relative to the straight
/// tet; positive means a valid tet.
double fr_order2_min_jacobian(const FrTetMesh *mesh, int32_t e);
/// Volume with curved sides, m^3; exact for 10-node tets.
double fr_order2_volume(const FrTetMesh *mesh);
