// topology.h: who touches whom in a tet mesh: incidence, neighbours, edges, surface, components.
#pragma once
#include "mesh/tetmesh.h"

/// Three numbers into ascending order; true when that turned their cycle round.
bool fr_sort3(int32_t *v);

/// across[e][i]: the tet behind the face opposite corner i; -1: outside. Caller frees.
/// FR_BAD_INPUT: a face is shared by more than two tets.
FrResult fr_tet_neighbours(FrContext *ctx, const FrTetMesh *mesh, int32_t (**across)[4]);

/// Tets that repeat the corners of an earlier one, and faces shared by more than two tets; where
/// there are none, neighbours as well (else NULL).
FrResult fr_tetmesh_face_counts(FrContext *ctx, const FrTetMesh *mesh, int32_t *duplicate_tets,
                                int32_t *crowded_faces, int32_t (**across)[4]);

/// The faces that have one tet, counter-clockwise from outside, by tet then face.
FrResult fr_tetmesh_surface(FrContext *ctx, const FrTetMesh *mesh, FrSurface *surface);
FrResult fr_tetmesh_surface_across(FrContext *ctx, const FrTetMesh *mesh, int32_t (*across)[4],
                                   FrSurface *surface); ///< where neighbours are known

typedef struct FrSurfaceCheck {
    int32_t node_count, edge_count, tri_count;
    int32_t component_count;   ///< connected through edges
    int32_t nonmanifold_edges; ///< not shared by exactly two triangles of opposite sense
    int32_t nonmanifold_nodes; ///< whose triangles are more than one fan
    int32_t euler;             ///< nodes - edges + triangles: 2 for a ball, 0 for a torus
} FrSurfaceCheck;
FrResult fr_surface_check(FrContext *ctx, const FrSurface *surface, FrSurfaceCheck *check);

/// component[e]: which face-connected part tet e belongs to, numbered by lowest tet. Caller frees.
FrResult fr_tet_components(FrContext *ctx, const FrTetMesh *mesh, int32_t **component,
                           int32_t *component_count);
FrResult fr_tet_components_across(FrContext *ctx, int32_t tet_count, int32_t (*across)[4],
                                  int32_t **component, int32_t *component_count);

/// Every edge once, sorted by (low node, high node).
typedef struct FrEdges {
    int32_t count;
    int32_t (*node)[2];   ///< low, high (count)
    int32_t (*of_tet)[6]; ///< edges 01 02 03 12 13 23 of each tet (tet_count)
} FrEdges;
FrResult fr_tetmesh_edges(FrContext *ctx, const FrTetMesh *mesh, FrEdges *edges);
void fr_edges_free(FrContext *ctx, FrEdges *edges);

/// Give each face-connected group of tets around a corner its own copy of it, so that no two parts
/// hang together by a node or an edge alone. Neighbours (`across`) stay what they are. `split` (may
/// be NULL): copies made. Order 1 only.
FrResult fr_tetmesh_split_hinges(FrContext *ctx, FrTetMesh *mesh, int32_t (*across)[4],
                                 int32_t *split);

/// How thick it is if it is a wall: 2 V / A, m. `surface`: its closed outside.
double fr_tetmesh_wall(const FrTetMesh *mesh, const FrSurface *surface);
