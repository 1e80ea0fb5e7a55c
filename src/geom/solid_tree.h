// solid_tree.h: a tree of boxes with four children a node over the triangles of a solid; only the
// files of a solid look here.
#pragma once
#include "geom/trimesh.h"
#include "math/lanes.h"

#define FR_TREE_NONE INT32_MIN ///< child that is not there
#define FR_TREE_STACK 256      ///< more than 3 * the deepest tree
#define FR_TREE_HARMONICS 15   ///< 3 of degree 1, 5 of degree 2, 7 of degree 3
/// Of one turn: what the harmonics of a far child leave out at most.
#define FR_TREE_LEFT_OUT 0.008

/// Four children at once, lane by lane. Lanes without a child have an empty box and no dipole.
typedef struct FrTreeNode {
    double lo[3][4], hi[3][4];             ///< boxes, m
    double centre[3][4];                   ///< of the area below, m
    double harmonic[FR_TREE_HARMONICS][4]; ///< of its solid angle, see winding_loop.h, m^2 to m^4
    double near2[4];                       ///< squared distance up to which a child is opened, m^2
    int32_t child[4];                      ///< >= 0: node; < 0: leaf ~child; or FR_TREE_NONE
    int32_t begin[4], end[4];              ///< triangles below each child, in the tree's order
} FrTreeNode;

/// Up to four triangles, lane by lane; missing ones repeat the last.
typedef struct FrTreeLeaf {
    double corner[3][3][4];     ///< [a b c][x y z], m
    double inverse_edge2[3][4]; ///< 1/|b-a|^2, 1/|c-b|^2, 1/|a-c|^2; 0 for no length, 1/m^2
    double inverse_normal2[4];  ///< 1/|n|^2, n = (b-a) x (c-a); 0 for a sliver, 1/m^4
    int32_t count, first;
} FrTreeLeaf;

/// How often a surface goes round a point, and how far off that is at most.
typedef struct FrWinding {
    double turns, bound;
} FrWinding;

typedef struct FrTree FrTree;

/// The same questions for processors with and without AVX2: same bits.
typedef struct FrTreeQueries {
    double (*nearest2)(const FrTree *tree, FrVec3 x);
    int32_t (*turns)(const FrTree *tree, FrVec3 x);
    FrWinding (*winding)(const FrTree *tree, FrVec3 x, double reach2);
    FrVec3 (*gradient)(const FrTree *tree, FrVec3 x, double reach2);
} FrTreeQueries;
extern const FrTreeQueries fr_tree_queries_portable, fr_tree_queries_avx2;

struct FrTree {
    const FrTreeQueries *query; ///< for this processor
    FrTreeNode *node;
    FrTreeLeaf *leaf;
    int32_t node_count, leaf_count;
    int32_t *order; ///< triangle of the mesh at each place of the tree (tri_count)
    FrBox bounds;
};

/// Boxes and leaves; call fr_tree_fill when the triangles' orientation is settled.
FrResult fr_tree_create(FrContext *ctx, const FrTriMesh *mesh, FrTree *tree);
void fr_tree_free(FrContext *ctx, FrTree *tree);
/// Copy the corners into the leaves, and sum up the harmonics of all children.
void fr_tree_fill(FrContext *ctx, FrTree *tree, const FrTriMesh *mesh);

/// Squared distance to the nearest triangle, m^2.
static inline double fr_tree_nearest2(const FrTree *tree, FrVec3 x) {
    return tree->query->nearest2(tree, x);
}
/// How many triangles a ray from x crosses; the triangle `except` does not count. Each box looked
/// at costs 1 of the budget; when it is used up the answer is -1.
int32_t fr_tree_crossings(const FrTree *tree, FrVec3 x, FrVec3 way, int32_t except,
                          int64_t *budget);
/// Sum of solid angles / (4 pi); for any surface. Children farther than near2 reach2 by their
/// harmonics: with 4 the bound is 32 times smaller, with HUGE_VAL the sum is exact.
static inline FrWinding fr_tree_winding(const FrTree *tree, FrVec3 x, double reach2) {
    return tree->query->winding(tree, x, reach2);
}
/// The same for a surface whose every edge is run through as often one way as the other: the whole
/// number is counted along a ray, each edge judged alike by the triangles that share it.
static inline int32_t fr_tree_turns(const FrTree *tree, FrVec3 x) {
    return tree->query->turns(tree, x);
}
/// The gradient of what fr_tree_winding gives, 1/m.
static inline FrVec3 fr_tree_winding_gradient(const FrTree *tree, FrVec3 x, double reach2) {
    return tree->query->gradient(tree, x, reach2);
}

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
