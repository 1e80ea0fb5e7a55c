// turns_loop.h: the winding number of a closed surface, counted exactly along a ray. Compiled
// twice, with and without AVX2: same bits.
#pragma once
#include "geom/solid_tree.h"

// One edge's part in how often its triangle, seen along x, goes round (y, z): crossings of the
// half line towards +y. Lower and upper end are distinguished by z, so that both triangles of an
// edge compute the same number, and no ray slips between them.
FR_LANE_INLINE FrLane edge_crossing(FrLane3 a, FrLane3 b) {
    FrLane zero = fr_lane_set(0.0), one = fr_lane_set(1.0);
    FrLaneMask a_up = a.z > zero, b_up = b.z > zero;
    FrLane lower_y = fr_lane_pick(a_up, b.y, a.y), lower_z = fr_lane_pick(a_up, b.z, a.z);
    FrLane upper_y = fr_lane_pick(a_up, a.y, b.y), upper_z = fr_lane_pick(a_up, a.z, b.z);
    FrLaneMask right = lower_y * upper_z - upper_y * lower_z > zero;
    return fr_lane_pick((a_up ^ b_up) & right, fr_lane_pick(b_up, one, -one), zero);
}

// triangles that the ray towards +x (or -x) crosses from inside, less those from outside
static int32_t leaf_turns(const FrTreeLeaf *leaf, FrVec3 x, bool forward) {
    FrLane3 a = fr_lane3_from(leaf->corner[0], x), b = fr_lane3_from(leaf->corner[1], x);
    FrLane3 c = fr_lane3_from(leaf->corner[2], x);
    FrLane turn = edge_crossing(a, b) + edge_crossing(b, c) + edge_crossing(c, a);
    FrLane zero = fr_lane_set(0.0);
    if (!fr_lane_any(turn != zero)) return 0;
    // with turn = 1 the triangle faces +x, and lies ahead where its plane does
    FrLane ahead = turn * fr_lane3_dot(a, fr_lane3_cross(b, c));
    double sum = 0.0;
    for (int lane = 0; lane < leaf->count; lane++)
        if ((ahead[lane] > 0.0) == forward) sum += turn[lane];
    return (int32_t)(forward ? sum : -sum);
}

// along the whole line the turns add up to zero: ahead and behind give the same answer
static int32_t turns(const FrTree *tree, FrVec3 x) {
    int32_t stack[FR_TREE_STACK], top = 0, sum = 0;
    bool forward = tree->bounds.hi.x - x.x < x.x - tree->bounds.lo.x;
    if (!fr_box_contains(tree->bounds, x)) return 0;
    FrLane px = fr_lane_set(x.x), py = fr_lane_set(x.y), pz = fr_lane_set(x.z);
    stack[top++] = 0;
    while (top) {
        int32_t at = stack[--top];
        if (at < 0) {
            sum += leaf_turns(&tree->leaf[~at], x, forward);
            continue;
        }
        const FrTreeNode *node = &tree->node[at];
        FrLaneMask hit = (fr_lane_load(node->lo[1]) <= py) & (fr_lane_load(node->hi[1]) >= py) &
                         (fr_lane_load(node->lo[2]) <= pz) & (fr_lane_load(node->hi[2]) >= pz);
        hit &= forward ? fr_lane_load(node->hi[0]) >= px : fr_lane_load(node->lo[0]) <= px;
        for (int slot = 0; slot < 4; slot++)
            if (hit[slot]) stack[top++] = node->child[slot];
    }
    return sum;
}
