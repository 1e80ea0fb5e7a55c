// coarsen.h: fewer tets for the same solid: edges are drawn together where walls, rims and holes
// stay.
#pragma once
#include "mesh/tetmesh.h"

typedef struct FrCoarsenOptions {
    double longest;   ///< m: no new edge is longer
    double tolerance; ///< m: root mean square of how far corners may be from faces there were
    int32_t enough;   ///< tets: fewer are not sought
} FrCoarsenOptions;

/// Corners are left out, none is moved: those of the surface stay on it. Topology, the sense of
/// every tet and (within the tolerance) sharp edges are kept; walls may end one tet thick, their
/// tets no flatter than a twelfth of their longest edge, or than they were. Order 1, one region.
/// Same bits for any number of workers.
FrResult fr_tetmesh_coarsen(FrContext *ctx, const FrCoarsenOptions *options, FrTetMesh *mesh);
