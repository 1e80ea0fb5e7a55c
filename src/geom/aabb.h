// aabb.h: a tree of axis-aligned boxes: build, refit, walk [S6 s. 5.2.1, M9].
#pragma once
#include "math/vec.h"

/// Nodes in depth-first order: the left child of node k is k + 1, children come after parents.
typedef struct FrAabbTree {
    int32_t leaf_count, node_count; ///< node_count == 2 leaf_count - 1, or 0
    int32_t capacity;               ///< leaves there is room for
    FrBox *box;                     ///< (node_count)
    int32_t *right;                 ///< right child; ~leaf (negative) for a leaf (node_count)
    int32_t *parent;                ///< -1 for the root (node_count)
    int32_t *node_of;               ///< node of each leaf (leaf_count)
    int32_t *order;                 ///< leaves left to right; scratch while building (leaf_count)
} FrAabbTree;

/// Room for `leaf_count` leaves; false when memory is out. Builds within that room do not allocate.
bool fr_aabb_reserve(FrContext *ctx, FrAabbTree *tree, int32_t leaf_count);
void fr_aabb_free(FrContext *ctx, FrAabbTree *tree);

/// Split at the mean of the centres along the axis of their largest spread, at the median when one
/// side would get less than a tenth. O(n log n). The same boxes give the same tree.
void fr_aabb_build(FrAabbTree *tree, const FrBox *leaf, int32_t leaf_count);

/// New box for one leaf; parents follow until one does not change.
void fr_aabb_update(FrAabbTree *tree, int32_t leaf, FrBox box);
/// New boxes for all leaves.
void fr_aabb_refit(FrAabbTree *tree, const FrBox *leaf);

static inline FrBox fr_aabb_leaf_box(const FrAabbTree *tree, int32_t leaf) {
    return tree->box[tree->node_of[leaf]];
}
/// Empty for an empty tree.
static inline FrBox fr_aabb_bounds(const FrAabbTree *tree) {
    return tree->node_count ? tree->box[0] : fr_box_empty();
}

/// Called for each pair of leaves whose boxes overlap; false stops the walk.
typedef bool FrAabbPairFn(void *user, int32_t a, int32_t b);
/// Called for each leaf found; false stops the walk.
typedef bool FrAabbLeafFn(void *user, int32_t leaf);

/// False when `found` stopped the walk.
bool fr_aabb_pairs(const FrAabbTree *a, const FrAabbTree *b, FrAabbPairFn *found, void *user);
/// Each unordered pair once, a leaf never with itself: [a,a] -> [l,l], [l,r], [r,r] (E29).
bool fr_aabb_self_pairs(const FrAabbTree *tree, FrAabbPairFn *found, void *user);
bool fr_aabb_in_box(const FrAabbTree *tree, FrBox box, FrAabbLeafFn *found, void *user);
