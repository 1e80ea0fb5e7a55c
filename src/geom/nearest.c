// nearest.c: the nearest triangle of a tree, and how many triangles a ray crosses.

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

double fr_tree_nearest2(const FrTree *tree, FrVec3 x) {
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

static bool ray_meets_box(const FrTreeNode *node, int slot, FrVec3 x, FrVec3 inverse) {
    double from = 0.0, to = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double o = fr_vec3_get(x, k), i = fr_vec3_get(inverse, k);
        double t0 = (node->lo[k][slot] - o) * i, t1 = (node->hi[k][slot] - o) * i;
        from = fr_max(from, fr_min(t0, t1));
        to = fr_min(to, fr_max(t0, t1));
    }
    return from <= to;
}

static bool ray_meets_triangle(const FrTreeLeaf *leaf, int lane, FrVec3 x, FrVec3 way) {
    FrVec3 v[3];
    for (int k = 0; k < 3; k++)
        v[k] = fr_sub(
            fr_vec3(leaf->corner[k][0][lane], leaf->corner[k][1][lane], leaf->corner[k][2][lane]),
            x);
    double u = fr_dot(way, fr_cross(v[0], v[1])), s = fr_dot(way, fr_cross(v[1], v[2]));
    double t = fr_dot(way, fr_cross(v[2], v[0]));
    bool all_up = u > 0.0 && s > 0.0 && t > 0.0, all_down = u < 0.0 && s < 0.0 && t < 0.0;
    if (!all_up && !all_down) return false;
    FrVec3 n = fr_cross(fr_sub(v[1], v[0]), fr_sub(v[2], v[0]));
    return fr_dot(n, v[0]) * fr_dot(n, way) > 0.0;
}

int32_t fr_tree_crossings(const FrTree *tree, FrVec3 x, FrVec3 way, int32_t except,
                          int64_t *budget) {
    int32_t stack[FR_TREE_STACK], top = 0, count = 0;
    FrVec3 inverse = {1.0 / way.x, 1.0 / way.y, 1.0 / way.z};
    stack[top++] = 0;
    while (top) {
        int32_t at = stack[--top];
        if (at < 0) {
            const FrTreeLeaf *leaf = &tree->leaf[~at];
            for (int lane = 0; lane < leaf->count; lane++)
                if (tree->order[leaf->first + lane] != except)
                    count += ray_meets_triangle(leaf, lane, x, way);
            continue;
        }
        if (--*budget < 0) return -1;
        const FrTreeNode *node = &tree->node[at];
        for (int slot = 0; slot < 4; slot++)
            if (node->child[slot] != FR_TREE_NONE && ray_meets_box(node, slot, x, inverse))
                stack[top++] = node->child[slot];
    }
    return count;
}
