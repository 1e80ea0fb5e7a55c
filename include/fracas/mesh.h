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
    int32_t tet_count;    ///< tets
    int32_t order;        ///< 1: 4-node tets, 2: 10-node tets
    double *x;            ///< rest positions, m (3 * node_count)
    int32_t (*tet)[4];    ///< corner nodes (tet_count)
    int32_t (
        *mid)[6]; ///< order 2: mid nodes of edges 01 02 03 12 13 23 (tet_count); NULL for order 1
    int32_t *region; ///< material region of each tet (tet_count); NULL: all 0
} FrTetMesh;

/// The closed outside of a tet mesh: triangles counter-clockwise seen from outside.
typedef struct FrSurface {
    int32_t tri_count; ///< triangles
    int32_t (*tri)[3]; ///< nodes of the tet mesh (tri_count)
    int32_t *tet;      ///< the tet behind each triangle (tri_count)
    double *opened; ///< s: when a crack opened it; < 0: outside from the start; NULL: all outside
    int32_t *piece; ///< which piece it belongs to (tri_count); NULL: all 0
} FrSurface;

/// A finer surface carried by a tet mesh: point k is at sum_i b[i] * p[tet node i]. Where the mesh
/// has cracks it is cut along them, and has holes there: the mesh's opened triangles close them,
/// and strips between its border and theirs, which come last.
typedef struct FrEmbedded {
    int32_t point_count, tri_count; ///< of the finer surface
    FrPoint *at;                    ///< where each point is in the tet mesh (point_count)
    double *normal;        ///< rest normals, unit (3 * point_count); NULL: from the triangles
    double *uv;            ///< texture coordinates, 1 (2 * point_count); NULL: none
    int32_t (*tri)[3];     ///< points, counter-clockwise seen from outside (tri_count)
    int32_t *piece;        ///< which piece each point belongs to (point_count); NULL: all 0
    int32_t closing_count; ///< triangles at the end that lie inside, along cracks
    double *opened;        ///< s: when those cracks opened (closing_count); NULL: none
    bool closed;           ///< these close it: faces of tets that cracks opened are not drawn
} FrEmbedded;

/// Triangles that enclose a solid, for fr_mesh_from_surface. All borrowed.
typedef struct FrTriangles {
    int32_t point_count, tri_count; ///< four of each at least
    const double *point;            ///< m (3 * point_count)
    const int32_t (*tri)[3];        ///< points, counter-clockwise seen from outside (tri_count)
    const double *uv;               ///< texture coordinates, 1 (2 * point_count); NULL: none
} FrTriangles;

/// What contact, render and record see of a body's shape at one moment. All borrowed.
typedef struct FrShapeView {
    int32_t node_count, tet_count; ///< of the mesh
    const double *p, *v;           ///< positions m, velocities m/s (3 * node_count)
    const int32_t (*tet)[4];       ///< corner nodes (tet_count)
    uint64_t topology;             ///< changes when the mesh is cut
    const uint8_t *gone;           ///< 1: the tet left as dust (tet_count); NULL: none did
    const int32_t *rigid; ///< tets of one number above 0 never move against each other (tet_count);
                          ///< NULL: all may
} FrShapeView;

/// Mass properties of a solid of density 1.
typedef struct FrSolidProps {
    double volume;  ///< m^3
    FrVec3 centre;  ///< m
    FrSym3 inertia; ///< about the centre, m^5: multiply by density
} FrSolidProps;

/// Give back a mesh that the context made, and zero it. Fine on a zeroed one; not for arrays of
/// your own.
FR_API void fr_tetmesh_free(FrContext *ctx, FrTetMesh *mesh);

/// The same of a surface.
FR_API void fr_surface_free(FrContext *ctx, FrSurface *surface);

/// The same of a skin.
FR_API void fr_embedded_free(FrContext *ctx, FrEmbedded *embedded);

/// A box centred at the origin, `size` m along the axes, at least two tets thick. In all of these
/// calls `cell` is the edge wanted, m; 0: some hundred cells fill the box around the solid. They
/// are the meshes of a scene with the same shape. fr_tetmesh_free gives the mesh back; it is zeroed
/// when a call fails. FR_BAD_USE: a length is not above 0. FR_BAD_INPUT: too many tets.
FR_API FrResult fr_mesh_box(FrContext *ctx, FrVec3 size, double cell, FrTetMesh *mesh);

/// A ball about the origin, radius in m.
FR_API FrResult fr_mesh_sphere(FrContext *ctx, double radius, double cell, FrTetMesh *mesh);

/// A tube about the z axis, radii in m, from -height/2 to height/2 m; inner 0: a cylinder.
FR_API FrResult fr_mesh_tube(FrContext *ctx, double outer, double inner, double height, double cell,
                             FrTetMesh *mesh);

/// A sheet `wall` m thick with the profile rz (distance from the z axis, height; m; count) in its
/// middle, turned about the z axis: bowls, glasses, bells. Points on the axis may only be the ends:
/// the sheet closes there. First point == last point: a ring. FR_BAD_INPUT: the profile turns too
/// sharply for the wall.
FR_API FrResult fr_mesh_lathe(FrContext *ctx, const double (*rz)[2], int32_t count, double wall,
                              double cell, FrTetMesh *mesh);

/// The inside of a triangle surface. Equal points are joined, triangles that face the wrong way
/// turned, holes closed as well as can be. Cells that are given must fit its walls; with cell 0
/// they become as small as walls need. `skin`: the surface carried by the tets, to be drawn, for
/// FrBodyDef.embedded; fr_embedded_free gives it back; NULL: not wanted. FR_BAD_INPUT: it encloses
/// nothing, or a wall is too thin for the cells; the message says which cells would do.
FR_API FrResult fr_mesh_from_surface(FrContext *ctx, const FrTriangles *surface, double cell,
                                     FrTetMesh *mesh, FrEmbedded *skin);

FR_EXTERN_C_END
