// solid_tree.h: a tree of boxes with four children a node over the triangles of a solid; only the
// files of a solid look here.
#pragma once
#include "geom/trimesh.h"
#include "math/lanes.h"

#define FR_TREE_NONE INT32_MIN ///< child that is not there
#define FR_TREE_STACK 256      ///< more than 3 * the deepest tree

/// Four children at once, lane by lane. Lanes without a child have an empty box and no dipole.
typedef struct FrTreeNode {
    double lo[3][4], hi[3][4]; ///< boxes, m
    double centre[3][4];       ///< of the area below, m
    double dipole[3][4];       ///< sum of area times normal, m^2
    double moment[6][4]; ///< sum of area * normal (x - centre)': xx yy zz, and yz+zy zx+xz xy+yx
    double near2[4];     ///< squared distance up to which a child is opened, m^2
    int32_t child[4];    ///< >= 0: node; < 0: leaf ~child; or FR_TREE_NONE
    int32_t begin[4], end[4]; ///< triangles below each child, in the tree's order
} FrTreeNode;

/// Up to four triangles, lane by lane; missing ones repeat the last.
typedef struct FrTreeLeaf {
    double corner[3][3][4];     ///< [a b c][x y z], m
    double inverse_edge2[3][4]; ///< 1/|b-a|^2, 1/|c-b|^2, 1/|a-c|^2; 0 for no length, 1/m^2
    double inverse_normal2[4];  ///< 1/|n|^2, n = (b-a) x (c-a); 0 for a sliver, 1/m^4
    int32_t count, first;
} FrTreeLeaf;

typedef struct FrTree {
    FrTreeNode *node;
    FrTreeLeaf *leaf;
    int32_t node_count, leaf_count;
    int32_t *order; ///< triangle of the mesh at each place of the tree (tri_count)
    FrBox bounds;
} FrTree;

/// Boxes and leaves; call fr_tree_fill when the triangles' orientation is settled.
FrResult fr_tree_create(FrContext *ctx, const FrTriMesh *mesh, FrTree *tree);
void fr_tree_free(FrContext *ctx, FrTree *tree);
/// Copy the corners into the leaves, and sum up the dipoles.
void fr_tree_fill(FrTree *tree, const FrTriMesh *mesh);

/// Squared distance to the nearest triangle, m^2.
double fr_tree_nearest2(const FrTree *tree, FrVec3 x);
/// How many triangles a ray from x crosses; the triangle `except` does not count. Each box looked
/// at costs 1 of the budget; when it is used up the answer is -1.
int32_t fr_tree_crossings(const FrTree *tree, FrVec3 x, FrVec3 way, int32_t except,
                          int64_t *budget);
/// Sum of solid angles / (4 pi); for any surface. Far parts by dipole and first moment.
double fr_tree_winding(const FrTree *tree, FrVec3 x);
/// The same for a surface whose every edge is run through as often one way as the other: the whole
/// number is counted along a ray, each edge judged alike by the triangles that share it.
int32_t fr_tree_turns(const FrTree *tree, FrVec3 x);
/// Its gradient, 1/m.
FrVec3 fr_tree_winding_gradient(const FrTree *tree, FrVec3 x);

/// Four vectors at once.
typedef struct FrLane3 {
    FrLane x, y, z;
} FrLane3;

/// Row by row, seen from o.
FR_LANE_INLINE FrLane3 fr_lane3_from(const double rows[3][4], FrVec3 o) {
    FrLane3 v = {fr_lane_load(rows[0]) - fr_lane_set(o.x), fr_lane_load(rows[1]) - fr_lane_set(o.y),
                 fr_lane_load(rows[2]) - fr_lane_set(o.z)};
    return v;
}
FR_LANE_INLINE FrLane fr_lane3_dot(FrLane3 a, FrLane3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
FR_LANE_INLINE FrLane3 fr_lane3_cross(FrLane3 a, FrLane3 b) {
    FrLane3 v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}
