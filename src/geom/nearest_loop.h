// nearest_loop.h: the nearest triangle of a tree. Compiled twice, with and without AVX2: same bits.
#pragma once
#include "geom/solid_tree.h"

// squared distance from the origin to the edge a-b
FR_LANE_INLINE FrLane edge_distance2(FrLane3 a, FrLane3 b, FrLane inverse2) {
    FrLane zero = fr_lane_set(0.0), one = fr_lane_set(1.0);
    FrLane3 e = {b.x - a.x, b.y - a.y, b.z - a.z};
    FrLane t = fr_lane_max(zero, fr_lane_min(one, -fr_lane3_dot(a, e) * inverse2));
    FrLane3 d = {a.x + t * e.x, a.y + t * e.y, a.z + t * e.z};
    return fr_lane3_dot(d, d);
}

// Above a triangle (n.(a x b), n.(b x c), n.(c x a) all >= 0) the distance is that to its plane,
// elsewhere that to the nearest edge.
static double leaf_distance2(const FrTreeLeaf *leaf, FrVec3 x) {
    FrLane3 a = fr_lane3_from(leaf->corner[0], x), b = fr_lane3_from(leaf->corner[1], x);
    FrLane3 c = fr_lane3_from(leaf->corner[2], x);
    FrLane3 axb = fr_lane3_cross(a, b), bxc = fr_lane3_cross(b, c), cxa = fr_lane3_cross(c, a);
    FrLane3 n = {axb.x + bxc.x + cxa.x, axb.y + bxc.y + cxa.y, axb.z + bxc.z + cxa.z};
    FrLane zero = fr_lane_set(0.0), inverse = fr_lane_load(leaf->inverse_normal2);
    FrLane height = fr_lane3_dot(n, a);
    FrLaneMask above = (fr_lane3_dot(n, axb) >= zero) & (fr_lane3_dot(n, bxc) >= zero) &
                       (fr_lane3_dot(n, cxa) >= zero) & (inverse > zero);
    FrLane edge = edge_distance2(a, b, fr_lane_load(leaf->inverse_edge2[0]));
    edge = fr_lane_min(edge, edge_distance2(b, c, fr_lane_load(leaf->inverse_edge2[1])));
    edge = fr_lane_min(edge, edge_distance2(c, a, fr_lane_load(leaf->inverse_edge2[2])));
    FrLane d2 = fr_lane_pick(above, fr_lane_min(edge, height * height * inverse), edge);
    return fr_min(fr_min(d2[0], d2[1]), fr_min(d2[2], d2[3]));
}

typedef struct Visit {
    double d2;
    int32_t at;
} Visit;

// children nearer than the best so far go on the stack, the nearest on top
static int32_t push_children(const FrTreeNode *node, FrVec3 x, double best, Visit *stack,
                             int32_t top) {
    FrLane zero = fr_lane_set(0.0), d2 = zero;
    for (int k = 0; k < 3; k++) {
        FrLane at = fr_lane_set(fr_vec3_get(x, k));
        FrLane d = fr_lane_max(fr_lane_load(node->lo[k]) - at, at - fr_lane_load(node->hi[k]));
        d = fr_lane_max(d, zero);
        d2 += d * d;
    }
    int32_t base = top;
    for (int slot = 0; slot < 4; slot++) {
        if (!(d2[slot] < best)) continue;
        int32_t k = top++;
        for (; k > base && stack[k - 1].d2 < d2[slot]; k--) stack[k] = stack[k - 1];
        stack[k] = (Visit){d2[slot], node->child[slot]};
    }
    return top;
}

static double nearest2(const FrTree *tree, FrVec3 x) {
    Visit stack[FR_TREE_STACK];
    double best = HUGE_VAL;
    int32_t top = 0;
    stack[top++] = (Visit){0.0, 0};
    while (top) {
        Visit visit = stack[--top];
        if (!(visit.d2 < best)) continue;
        if (visit.at < 0)
            best = fr_min(best, leaf_distance2(&tree->leaf[~visit.at], x));
        else
            top = push_children(&tree->node[visit.at], x, best, stack, top);
    }
    return best;
}
