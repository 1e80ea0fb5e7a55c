// quality.h: how good the tets are, and the mass properties of a tet mesh.
#pragma once
#include "mesh/tetmesh.h"

#define FR_DIHEDRAL_BINS 18 // 10 degrees each

typedef struct FrMeshQuality {
    double min_dihedral, max_dihedral; ///< degrees
    double min_radius_ratio; ///< 3 inradius / circumradius: 1 for a regular tet, 0 for a flat one
    double mean_radius_ratio;
    double min_edge, mean_edge, max_edge; ///< m, every edge counted once
    double volume, min_volume;            ///< m^3, from the corners
    int32_t worst_tet;                    ///< the one with min_radius_ratio; -1: no tets
    int32_t sliver_count;                 ///< volume < 1e-3 * longest edge^3 / 12
    int32_t first_sliver;                 ///< -1: none
    int32_t histogram[FR_DIHEDRAL_BINS];  ///< dihedral angles in bins of 10 degrees
} FrMeshQuality;

FrResult fr_tetmesh_quality(FrContext *ctx, const FrTetMesh *mesh, FrMeshQuality *quality);

/// The six dihedral angles at edges 01 02 03 12 13 23, radians.
void fr_tet_dihedrals(const FrVec3 p[4], double angle[6]);

/// Volume, centre and inertia for density 1, from the corners (order 2: see fr_order2_volume).
FrSolidProps fr_tetmesh_props(const FrTetMesh *mesh);
/// m, the six edges of each tet alike.
double fr_tetmesh_mean_edge(const FrTetMesh *mesh);
