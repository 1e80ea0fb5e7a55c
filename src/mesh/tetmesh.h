// tetmesh.h: making, checking, moving and renumbering tet meshes.
#pragma once
#include "fracas/mesh.h"
#include "math/vec.h"

/// six times the signed volume: (b-a).[(c-a)x(d-a)]
static inline double fr_volume6(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 d) {
    return fr_dot(fr_sub(b, a), fr_cross(fr_sub(c, a), fr_sub(d, a)));
}
/// signed volume of tet e from its corners, m^3
double fr_tet_volume(const FrTetMesh *mesh, int32_t e);

/// Its shape with nodes at p, m, that move at v, m/s; not cut yet. All borrowed.
static inline FrShapeView fr_tetmesh_view(const FrTetMesh *mesh, const double *p, const double *v) {
    return (FrShapeView){.node_count = mesh->node_count,
                         .tet_count = mesh->tet_count,
                         .p = p,
                         .v = v,
                         .tet = (const int32_t(*)[4])mesh->tet,
                         .topology = 1};
}

/// Corners of the face opposite corner i, counter-clockwise from outside.
extern const int8_t fr_tet_face[4][3];
/// Corners of the six edges, in the order of FrTetMesh.mid: 01 02 03 12 13 23.
extern const int8_t fr_tet_edge[6][2];

/// A zeroed mesh with arrays of these sizes (mid and region only when asked for).
FrResult fr_tetmesh_alloc(FrContext *ctx, int32_t node_count, int32_t tet_count, int32_t order,
                          bool with_region, FrTetMesh *mesh);
/// A linear mesh without regions; everything is copied. Indices and numbers are checked,
/// volumes are not: see fr_tetmesh_orient and fr_tetmesh_check.
FrResult fr_tetmesh_create(FrContext *ctx, const double *x, int32_t node_count,
                           const int32_t (*tet)[4], int32_t tet_count, FrTetMesh *mesh);
FrResult fr_tetmesh_copy(FrContext *ctx, const FrTetMesh *from, FrTetMesh *to);

/// What fr_tetmesh_check found.
typedef struct FrMeshCheck {
    int32_t bad_tets;          ///< volume not positive
    int32_t first_bad;         ///< the first of them
    int32_t floating_nodes;    ///< in no tet
    int32_t duplicate_tets;    ///< same four corners as another
    int32_t crowded_faces;     ///< shared by more than two tets
    int32_t component_count;   ///< parts connected through faces
    int32_t nonmanifold_edges; ///< surface edges not shared by exactly two triangles
    double volume, min_volume; ///< m^3
} FrMeshCheck;

/// FR_BAD_INPUT with the first thing that is wrong: indices, numbers, volumes, duplicate tets,
/// crowded faces, floating nodes. Several components and non-manifold surface edges are reported,
/// not refused. `report` may be NULL; it is filled as far as the check came.
FrResult fr_tetmesh_check(FrContext *ctx, const FrTetMesh *mesh, FrMeshCheck *report);

/// Swap two corners of every tet with negative volume; returns how many.
int32_t fr_tetmesh_orient(FrTetMesh *mesh);

/// Same number for the same nodes, tets, mid-nodes and regions.
uint64_t fr_tetmesh_hash(const FrTetMesh *mesh);

FrBox fr_tetmesh_bounds(const FrTetMesh *mesh);

/// x <- linear x + offset. A mirror keeps volumes positive by swapping corners.
/// FR_BAD_USE: linear is singular or not finite.
FrResult fr_tetmesh_transform(FrContext *ctx, FrTetMesh *mesh, FrMat3 linear, FrVec3 offset);

/// Keep the tets with keep[e] != 0 and the nodes they use. Orders are kept.
FrResult fr_tetmesh_keep(FrContext *ctx, FrTetMesh *mesh, const uint8_t *keep);
/// Remove nodes that no tet uses; `removed` may be NULL.
FrResult fr_tetmesh_compact(FrContext *ctx, FrTetMesh *mesh, int32_t *removed);

/// Number nodes and tets along a Morton curve, so that neighbours in space are neighbours in
/// memory. The shape does not change.
FrResult fr_tetmesh_renumber(FrContext *ctx, FrTetMesh *mesh);
