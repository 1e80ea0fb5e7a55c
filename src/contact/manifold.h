// manifold.h: where two rigid shapes touch or soon will: few points, each with a normal and a gap.
#pragma once
#include "fracas/mesh.h"
#include "geom/aabb.h"
#include "math/vec.h"

/// Most points of one pair.
#define FR_MANIFOLD_POINTS 8

typedef enum FrColliderKind {
    FR_COLLIDER_SPHERE,
    FR_COLLIDER_BOX,
    FR_COLLIDER_MESH,
    FR_COLLIDER_PLANE
} FrColliderKind;

/// The outside of a rigid mesh in its own axes; nodes that no triangle uses are left out.
typedef struct FrColliderMesh {
    int32_t point_count, tri_count;
    double *point;     ///< m (3 * point_count)
    int32_t (*tri)[3]; ///< counter-clockwise seen from outside (tri_count)
    FrAabbTree tree;   ///< of the triangles
    FrBox *box;        ///< scratch of a refit (tri_count)
} FrColliderMesh;

/// A shape and where it is: a point p of its own axes is at x + R p.
typedef struct FrCollider {
    FrColliderKind kind;
    FrVec3 x; ///< centre of a sphere or box, origin of a mesh, m
    FrMat3 R;
    FrVec3 half;   ///< of a box, m
    double radius; ///< of a sphere; of a ball about x that holds a box or mesh, m
    FrVec3 normal; ///< of a plane: solid is n.p < offset
    double offset; ///< m
    const FrColliderMesh *mesh;
} FrCollider;

typedef struct FrManifoldPoint {
    FrVec3 pa, pb; ///< on the surface of a and of b, world, m
    FrVec3 n;      ///< unit; pushes a
    double gap;    ///< n . (pa - pb), m; negative: overlap
} FrManifoldPoint;

typedef struct FrManifold {
    int32_t count;
    FrManifoldPoint point[FR_MANIFOLD_POINTS];
} FrManifold;

/// Points of a and b whose gap is below `margin` (m). Exact for spheres, boxes and planes, and for
/// meshes against planes and spheres. A mesh and a box, or two meshes: corners of each against the
/// other; edges across each other are left to overlaps (fr_manifold_cluster).
void fr_manifold(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out);

/// Surface of a tet mesh, about `origin`. FR_NO_MEMORY.
FrResult fr_collider_mesh_make(FrContext *ctx, const double *x, int32_t node_count,
                               const FrSurface *surface, FrVec3 origin, FrColliderMesh *mesh);
void fr_collider_mesh_free(FrContext *ctx, FrColliderMesh *mesh);
/// Its points were moved: its tree follows.
void fr_collider_mesh_refit(FrColliderMesh *mesh);
/// The triangle nearest to a point of its own axes: its corners, and the weights of the place.
void fr_collider_mesh_nearest(const FrColliderMesh *mesh, FrVec3 p, int32_t corner[3], double b[3]);
/// Bounds in the world.
FrBox fr_collider_bounds(const FrCollider *c);

/// One overlap of many, to be clustered.
typedef struct FrOverlapPoint {
    FrVec3 x, n; ///< centre m; unit, pushes a
    double depth, weight;
} FrOverlapPoint;

/// Greedy clusters of overlaps: within `radius` (m) and 20 degrees of the heaviest left, averaged
/// by weight; the heaviest FR_MANIFOLD_POINTS stay (M17). `point` is sorted on the way.
void fr_manifold_cluster(FrOverlapPoint *point, int32_t count, double radius, FrManifold *out);

// shared by the manifold files
void fr_manifold_add(FrManifold *out, FrVec3 pa, FrVec3 pb, FrVec3 n);
/// At most `most` of `count` points: the deepest, then always the one farthest from those taken.
int32_t fr_manifold_thin(FrManifoldPoint *point, int32_t count, int32_t most);
void fr_manifold_box_box(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out);
void fr_manifold_mesh_plane(const FrCollider *a, const FrCollider *b, double margin,
                            FrManifold *out);
void fr_manifold_mesh_sphere(const FrCollider *a, const FrCollider *b, double margin,
                             FrManifold *out);
void fr_manifold_mesh_mesh(const FrCollider *a, const FrCollider *b, double margin,
                           FrManifold *out);
void fr_manifold_mesh_box(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out);
/// Signed distance of p (box axes) to a box, its outward normal and the nearest point on it.
double fr_manifold_in_box(FrVec3 half, FrVec3 p, FrVec3 *normal, FrVec3 *nearest);
