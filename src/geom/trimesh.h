// trimesh.h: triangle surfaces: making, checking, welding, measuring, reading and writing.
#pragma once
#include "fracas/mesh.h"
#include "math/vec.h"

/// Triangles over points, counter-clockwise seen from outside where the surface has an outside.
/// Arrays belong to the context that made them; fr_trimesh_free gives them back.
typedef struct FrTriMesh {
    int32_t point_count, tri_count;
    double *p;         ///< m (3 * point_count)
    int32_t (*tri)[3]; ///< (tri_count)
    double *normal;    ///< unit, or 0 where there is none (3 * point_count); NULL: none
    double *uv;        ///< (2 * point_count); NULL: none
} FrTriMesh;

/// What is wrong with a surface. All zero and closed: a surface with an inside and an outside.
typedef struct FrTriReport {
    int32_t open_edges;         ///< edges of one triangle
    int32_t nonmanifold_edges;  ///< edges of three or more
    int32_t inconsistent_edges; ///< edges of two triangles that run through it the same way
    int32_t unbalanced_edges;   ///< edges run through more often one way than the other
    int32_t duplicate_tris;     ///< same three points as an earlier triangle, in any order
    int32_t degenerate_tris;    ///< a point twice, or no area
    int32_t unused_points;
    int32_t components; ///< sets of triangles joined by edges
    int32_t groups;     ///< sets of components whose boxes meet: no two of them touch
    bool closed;        ///< every edge has two triangles, once each way
    double holes; ///< area of a round hole as long around as all open edges, over the surface's
} FrTriReport;
/// Larger holes are meant; smaller ones are slips of a scanner.
#define FR_LARGE_HOLES 0.05

/// Zeroed arrays of the given sizes.
FrResult fr_trimesh_alloc(FrContext *ctx, int32_t point_count, int32_t tri_count, FrTriMesh *mesh);
/// Accepts an empty or zeroed mesh; leaves it zeroed.
void fr_trimesh_free(FrContext *ctx, FrTriMesh *mesh);
FrResult fr_trimesh_copy(FrContext *ctx, const FrTriMesh *from, FrTriMesh *to);

FrBox fr_trimesh_bounds(const FrTriMesh *mesh);
double fr_trimesh_area(const FrTriMesh *mesh); ///< m^2
/// Volume, centre and inertia of the solid inside a closed surface. Wrong side out: volume < 0.
FrSolidProps fr_trimesh_props(const FrTriMesh *mesh);
FrResult fr_trimesh_report(FrContext *ctx, const FrTriMesh *mesh, FrTriReport *report);
/// How many triangles run through another one that they share no point with, or lie in one and look
/// the same way (face on face, looking at each other, they only touch). A surface of which more
/// than 200 pairs of boxes a triangle overlap is looked at in part only.
FrResult fr_trimesh_crossings(FrContext *ctx, const FrTriMesh *mesh, int32_t *count);

/// All points times `factor` (> 0): 0.001 turns millimetres into metres.
void fr_trimesh_scale(FrTriMesh *mesh, double factor);
/// From a frame with +y up to one with +z up: (x, y, z) -> (x, -z, y).
void fr_trimesh_y_up_to_z_up(FrTriMesh *mesh);
/// Join points not farther apart than `tolerance` (0: equal ones), the earliest stays. Drops
/// triangles that lose a corner, unused points, normals and UVs. The others keep their order.
/// `joined`: the number each point then has, -1: dropped (point_count before); NULL: not asked for.
FrResult fr_trimesh_weld(FrContext *ctx, FrTriMesh *mesh, double tolerance, int32_t *joined);
/// Halve edges until none is longer than `longest`, m, for all their triangles alike: what was
/// closed stays closed, also where several points share a place. Places, UVs and normals of new
/// points are the means of their edge's.
FrResult fr_trimesh_refine(FrContext *ctx, FrTriMesh *mesh, double longest);

/// Read a surface file: OBJ, PLY or STL, by content, the ending of the name deciding in doubt.
/// FR_BAD_INPUT: name:line:column (text) or name: byte N (binary), what was found, what is allowed.
FrResult fr_trimesh_read(FrContext *ctx, const char *path, FrTriMesh *mesh);
/// From memory; `name` is for messages. Points, faces, normals and UVs; everything else is skipped.
FrResult fr_trimesh_parse(FrContext *ctx, const char *name, const void *bytes, size_t size,
                          FrTriMesh *mesh);
FrResult fr_trimesh_parse_obj(FrContext *ctx, const char *name, const void *bytes, size_t size,
                              FrTriMesh *mesh);
FrResult fr_trimesh_parse_ply(FrContext *ctx, const char *name, const void *bytes, size_t size,
                              FrTriMesh *mesh);
FrResult fr_trimesh_parse_stl(FrContext *ctx, const char *name, const void *bytes, size_t size,
                              FrTriMesh *mesh);
