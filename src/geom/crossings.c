// crossings.c: how many triangles of a tree a ray crosses.

#include "geom/solid_tree.h"

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
