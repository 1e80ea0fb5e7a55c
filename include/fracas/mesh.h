// fracas/mesh.h: tet meshes as plain data.
// SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/base.h"

FR_EXTERN_C_BEGIN

/// A tet mesh at rest. Every tet has positive volume: (x1-x0).[(x2-x0)x(x3-x0)] > 0.
/// Arrays belong to the context that made them; fr_tetmesh_free gives them back.
typedef struct FrTetMesh {
    int32_t node_count;   ///< corners first, then (order 2) mid-edge nodes
    int32_t corner_count; ///< == node_count for order 1
    int32_t tet_count;
    int32_t order;     ///< 1: 4-node tets, 2: 10-node tets
    double *x;         ///< rest positions, m (3 * node_count)
    int32_t (*tet)[4]; ///< corner nodes (tet_count)
    int32_t (
        *mid)[6]; ///< order 2: mid nodes of edges 01 02 03 12 13 23 (tet_count); NULL for order 1
    int32_t *region; ///< material region of each tet (tet_count); NULL: all 0
} FrTetMesh;

/// The closed outside of a tet mesh: triangles counter-clockwise seen from outside.
typedef struct FrSurface {
    int32_t tri_count;
    int32_t (*tri)[3]; ///< nodes of the tet mesh (tri_count)
    int32_t *tet;      ///< the tet behind each triangle (tri_count)
    double *opened; ///< s: when a crack opened it; < 0: outside from the start; NULL: all outside
    int32_t *piece; ///< which piece it belongs to (tri_count); NULL: all 0
} FrSurface;

/// A finer surface carried by a tet mesh: point k is at sum_i b[i] * p[tet node i]. Where the mesh
/// has cracks it is cut along them, and has holes there: the mesh's opened triangles close them,
/// and strips between its border and theirs, which come last.
typedef struct FrEmbedded {
    int32_t point_count, tri_count;
    FrPoint *at;           ///< (point_count)
    double *normal;        ///< rest normals, unit (3 * point_count); NULL: from the triangles
    double *uv;            ///< (2 * point_count); NULL: none
    int32_t (*tri)[3];     ///< (tri_count)
    int32_t *piece;        ///< which piece each point belongs to (point_count); NULL: all 0
    int32_t closing_count; ///< triangles at the end that lie inside, along cracks
    double *opened;        ///< s: when those cracks opened (closing_count); NULL: none
} FrEmbedded;

/// What contact, render and record see of a body's shape at one moment. All borrowed.
typedef struct FrShapeView {
    int32_t node_count, tet_count;
    const double *p, *v; ///< positions m, velocities m/s (3 * node_count)
    const int32_t (*tet)[4];
    uint64_t topology;    ///< changes when the mesh is cut
    const uint8_t *gone;  ///< 1: the tet left as dust (tet_count); NULL: none did
    const int32_t *rigid; ///< tets of one number above 0 never move against each other (tet_count);
                          ///< NULL: all may
} FrShapeView;

/// Mass properties of a solid of density 1.
typedef struct FrSolidProps {
    double volume;  ///< m^3
    FrVec3 centre;  ///< m
    FrSym3 inertia; ///< about the centre, m^5: multiply by density
} FrSolidProps;

/// Give back what the context made, and zero it. Fine on zeroed ones; not for arrays of your own.
FR_API void fr_tetmesh_free(FrContext *ctx, FrTetMesh *mesh);
FR_API void fr_surface_free(FrContext *ctx, FrSurface *surface);
FR_API void fr_embedded_free(FrContext *ctx, FrEmbedded *embedded);

FR_EXTERN_C_END
