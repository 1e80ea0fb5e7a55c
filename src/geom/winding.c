// winding.c: how often a surface goes round a point: near triangles by their solid angle, far ones
// together as dipoles. After Barill, Dickson, Schmidt, Levin, Jacobson 2018, "Fast winding numbers
// for soups and clouds", with the first two terms of its expansion.

#include "geom/solid_tree.h"

#define GRADIENT_NEAR                                                                              \
    2.5 ///< opens 1.6 times as far: what is left out of slopes falls off more slowly

// A sum of angles in (-pi, pi], as one complex number and the whole turns it has lost: one arc
// tangent at the end instead of one for each triangle.
typedef struct AngleSum {
    double re, im;
    int32_t turns;
} AngleSum;

static inline void add_angle(AngleSum *sum, double re, double im) {
    if (re == 0.0 && im == 0.0) return; // the point is a corner or on an edge
    double r = sum->re * re - sum->im * im, i = sum->re * im + sum->im * re;
    bool up = sum->im >= 0.0;
    if (up == (im >= 0.0)) {
        if (up && i < 0.0) sum->turns++;
        if (!up && i >= 0.0) sum->turns--;
    }
    sum->re = r, sum->im = i;
}

// tan(Omega / 2) = a.(b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
//                                                            [van Oosterom and Strackee 1983]
static void add_leaf(AngleSum *sum, const FrTreeLeaf *leaf, FrVec3 x) {
    FrLane3 a = fr_lane3_from(leaf->corner[0], x), b = fr_lane3_from(leaf->corner[1], x);
    FrLane3 c = fr_lane3_from(leaf->corner[2], x);
    FrLane la = fr_lane_sqrt(fr_lane3_dot(a, a)), lb = fr_lane_sqrt(fr_lane3_dot(b, b));
    FrLane lc = fr_lane_sqrt(fr_lane3_dot(c, c)), zero = fr_lane_set(0.0), one = fr_lane_set(1.0);
    FrLane all = la * lb * lc;
    FrLane scale = one / fr_lane_pick(all > zero, all, one);
    scale = fr_lane_pick(all > zero, scale, zero);
    FrLane im = fr_lane3_dot(a, fr_lane3_cross(b, c)) * scale;
    FrLane re =
        (all + fr_lane3_dot(a, b) * lc + fr_lane3_dot(b, c) * la + fr_lane3_dot(c, a) * lb) * scale;
    for (int lane = 0; lane < leaf->count; lane++) add_angle(sum, re[lane], im[lane]);
    double size = fabs(sum->re) + fabs(sum->im);
    if (size > 0.0) {
        sum->re /= size, sum->im /= size;
    } else {
        sum->re = 1.0, sum->im = 0.0;
    }
}

// A far child, seen along d = centre - x, with N = sum of area vectors a n and C = their moment:
//   N.d / |d|^3  +  tr C / |d|^3 - 3 d'C d / |d|^5
FR_LANE_INLINE FrLane far_angle(const FrTreeNode *node, FrLane3 d, FrLane d2) {
    FrLane3 N = fr_lane3_from(node->dipole, fr_vec3_zero);
    FrLane xx = fr_lane_load(node->moment[0]), yy = fr_lane_load(node->moment[1]);
    FrLane zz = fr_lane_load(node->moment[2]);
    FrLane dCd = xx * d.x * d.x + yy * d.y * d.y + zz * d.z * d.z +
                 fr_lane_load(node->moment[3]) * d.y * d.z +
                 fr_lane_load(node->moment[4]) * d.z * d.x +
                 fr_lane_load(node->moment[5]) * d.x * d.y;
    FrLane inverse2 = fr_lane_set(1.0) / d2;
    FrLane sum = fr_lane3_dot(N, d) + (xx + yy + zz) - fr_lane_set(3.0) * dCd * inverse2;
    return sum * inverse2 / fr_lane_sqrt(d2);
}

double fr_tree_winding(const FrTree *tree, FrVec3 x) {
    int32_t stack[FR_TREE_STACK], top = 0;
    AngleSum near = {1.0, 0.0, 0};
    FrLane far = fr_lane_set(0.0), zero = fr_lane_set(0.0);
    stack[top++] = 0;
    while (top) {
        int32_t at = stack[--top];
        if (at < 0) {
            add_leaf(&near, &tree->leaf[~at], x);
            continue;
        }
        const FrTreeNode *node = &tree->node[at];
        FrLane3 d = fr_lane3_from(node->centre, x);
        FrLane d2 = fr_lane3_dot(d, d);
        FrLaneMask is_far = d2 > fr_lane_load(node->near2);
        if (fr_lane_any(is_far)) far += fr_lane_pick(is_far, far_angle(node, d, d2), zero);
        for (int slot = 3; slot >= 0; slot--)
            if (!is_far[slot] && node->child[slot] != FR_TREE_NONE)
                stack[top++] = node->child[slot];
    }
    double angle = 2.0 * (atan2(near.im + 0.0, near.re) + 2.0 * FR_PI * near.turns);
    return (angle + ((far[0] + far[1]) + (far[2] + far[3]))) / (4.0 * FR_PI);
}

// Gradient by the point of what far_angle sums up, with S the symmetric part of C:
//   N.d/|d|^3:   -N/|d|^3 + 3 (N.d) d/|d|^5
//   tr C/|d|^3 - 3 d'C d/|d|^5:   (3 tr C d + 6 S d)/|d|^5 - 15 (d'C d) d/|d|^7
static FrVec3 far_gradient(const FrTreeNode *node, int slot, FrVec3 d) {
    FrVec3 N = {node->dipole[0][slot], node->dipole[1][slot], node->dipole[2][slot]};
    double m[6];
    for (int k = 0; k < 6; k++) m[k] = node->moment[k][slot];
    FrVec3 Sd = {m[0] * d.x + 0.5 * (m[5] * d.y + m[4] * d.z),
                 m[1] * d.y + 0.5 * (m[5] * d.x + m[3] * d.z),
                 m[2] * d.z + 0.5 * (m[4] * d.x + m[3] * d.y)};
    double inverse2 = 1.0 / fr_length2(d), inverse3 = inverse2 * sqrt(inverse2);
    double along = 3.0 * (fr_dot(N, d) + m[0] + m[1] + m[2]) - 15.0 * fr_dot(d, Sd) * inverse2;
    FrVec3 sum = fr_axpy(6.0 * inverse2, Sd, fr_neg(N));
    return fr_scale(inverse3, fr_axpy(along * inverse2, d, sum));
}

// One edge's share of the gradient of the solid angle (Biot and Savart):
//   (a x b) (|a| + |b|) / (|a||b| (|a||b| + a.b)), a, b: from the point to the edge's ends
static FrVec3 edge_gradient(FrVec3 a, FrVec3 b) {
    double la = fr_length(a), lb = fr_length(b), ab = la * lb;
    double denominator = ab * (ab + fr_dot(a, b));
    if (!(denominator > 0.0)) return fr_vec3_zero; // on the edge
    return fr_scale((la + lb) / denominator, fr_cross(a, b));
}

static FrVec3 leaf_gradient(const FrTreeLeaf *leaf, FrVec3 x) {
    FrVec3 sum = fr_vec3_zero;
    for (int lane = 0; lane < leaf->count; lane++) {
        FrVec3 v[3];
        for (int k = 0; k < 3; k++)
            v[k] = fr_sub(fr_vec3(leaf->corner[k][0][lane], leaf->corner[k][1][lane],
                                  leaf->corner[k][2][lane]),
                          x);
        for (int k = 0; k < 3; k++) sum = fr_add(sum, edge_gradient(v[k], v[(k + 1) % 3]));
    }
    return sum;
}

FrVec3 fr_tree_winding_gradient(const FrTree *tree, FrVec3 x) {
    int32_t stack[FR_TREE_STACK], top = 0;
    FrVec3 sum = fr_vec3_zero;
    stack[top++] = 0;
    while (top) {
        int32_t at = stack[--top];
        if (at < 0) {
            sum = fr_add(sum, leaf_gradient(&tree->leaf[~at], x));
            continue;
        }
        const FrTreeNode *node = &tree->node[at];
        for (int slot = 3; slot >= 0; slot--) {
            if (node->child[slot] == FR_TREE_NONE) continue;
            FrVec3 d = {node->centre[0][slot] - x.x, node->centre[1][slot] - x.y,
                        node->centre[2][slot] - x.z};
            if (fr_length2(d) > GRADIENT_NEAR * node->near2[slot])
                sum = fr_add(sum, far_gradient(node, slot, d));
            else
                stack[top++] = node->child[slot];
        }
    }
    return fr_scale(1.0 / (4.0 * FR_PI), sum);
}
