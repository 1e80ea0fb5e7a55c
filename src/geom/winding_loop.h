// winding_loop.h: how often a surface goes round a point: near triangles by their solid angle, far
// ones together, as harmonics about the centre of their area. After Barill, Dickson, Schmidt,
// Levin, Jacobson 2018, "Fast winding numbers for soups and clouds", with the three terms of its
// expansion, and a bound of what they leave out. Compiled twice, with and without AVX2: same bits.
#pragma once
#include "geom/solid_tree.h"

// Four sums of angles, lane by lane, each as a complex number and the half turns it has lost: one
// arc tangent at the end instead of one for each triangle.
typedef struct AngleSum {
    FrLane re, im;
    FrLane turns;
} AngleSum;

static const FrLane lane_number = {0.0, 1.0, 2.0, 3.0};

FR_LANE_INLINE void add_angle(AngleSum *sum, FrLane re, FrLane im) {
    FrLane zero = fr_lane_set(0.0), one = fr_lane_set(1.0);
    FrLane r = sum->re * re - sum->im * im, i = sum->re * im + sum->im * re;
    FrLaneMask up = sum->im >= zero, same = ~(up ^ (im >= zero));
    sum->turns += fr_lane_pick(same & up & (i < zero), one, zero);
    sum->turns -= fr_lane_pick(same & ~up & (i >= zero), one, zero);
    FrLane size = fr_lane_max(r, -r) + fr_lane_max(i, -i);
    FrLaneMask some = size > zero;
    FrLane scale = one / fr_lane_pick(some, size, one);
    sum->re = fr_lane_pick(some, r * scale, one);
    sum->im = i * scale;
}

// tan(Omega / 2) = a.(b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
//                                                            [van Oosterom and Strackee 1983]
FR_LANE_INLINE void add_leaf(AngleSum *sum, const FrTreeLeaf *leaf, FrVec3 x) {
    FrLane3 a = fr_lane3_from(leaf->corner[0], x), b = fr_lane3_from(leaf->corner[1], x);
    FrLane3 c = fr_lane3_from(leaf->corner[2], x);
    FrLane la = fr_lane_sqrt(fr_lane3_dot(a, a)), lb = fr_lane_sqrt(fr_lane3_dot(b, b));
    FrLane lc = fr_lane_sqrt(fr_lane3_dot(c, c)), zero = fr_lane_set(0.0), one = fr_lane_set(1.0);
    FrLane all = la * lb * lc;
    FrLane scale = one / fr_lane_pick(all > zero, all, one);
    FrLane im = fr_lane3_dot(a, fr_lane3_cross(b, c)) * scale;
    FrLane re =
        (all + fr_lane3_dot(a, b) * lc + fr_lane3_dot(b, c) * la + fr_lane3_dot(c, a) * lb) * scale;
    // no angle: missing triangles, and those with the point on a corner or on an edge
    FrLaneMask some = (all > zero) & (lane_number < fr_lane_set(leaf->count));
    some &= (re != zero) | (im != zero);
    add_angle(sum, fr_lane_pick(some, re, one), fr_lane_pick(some, im, zero));
}

// the whole angle of the four sums
static double whole_angle(const AngleSum *sum) {
    double angle = 0.0;
    for (int lane = 0; lane < 4; lane++)
        angle += atan2(sum->im[lane] + 0.0, sum->re[lane]) + 2.0 * FR_PI * sum->turns[lane];
    return 2.0 * angle;
}

// Values of the harmonics of degree 1, 2, 3 at d, over |d|^3, |d|^5, |d|^7.
FR_LANE_INLINE FrLane far_angle(const FrTreeNode *node, FrLane3 d, FrLane inverse2) {
    const FrLane third = fr_lane_set(1.0 / 3.0);
    FrLane m[FR_TREE_HARMONICS];
    for (int k = 0; k < FR_TREE_HARMONICS; k++) m[k] = fr_lane_load(node->harmonic[k]);
    FrLane xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z;
    FrLane x3 = xx * third, y3 = yy * third, z3 = zz * third, yz = d.y * d.z;
    FrLane one = m[0] * d.x + m[1] * d.y + m[2] * d.z;
    FrLane two = m[3] * (xx - zz) + m[4] * (yy - zz) + m[5] * yz + (m[6] * d.z + m[7] * d.y) * d.x;
    FrLane three = d.x * (m[8] * (yy - x3) + m[9] * (zz - x3)) +
                   d.y * (m[10] * (zz - y3) + m[11] * (xx - y3)) +
                   d.z * (m[12] * (xx - z3) + m[13] * (yy - z3)) + m[14] * d.x * yz;
    return (one + (two + three * inverse2) * inverse2) * (inverse2 * fr_lane_sqrt(inverse2));
}

static FrWinding winding(const FrTree *tree, FrVec3 x, double reach2) {
    int32_t stack[FR_TREE_STACK], top = 0;
    FrLane zero = fr_lane_set(0.0), one = fr_lane_set(1.0), far = zero, left = zero;
    AngleSum near = {one, zero, zero};
    stack[top++] = 0;
    while (top) {
        int32_t at = stack[--top];
        if (at < 0) {
            add_leaf(&near, &tree->leaf[~at], x);
            continue;
        }
        const FrTreeNode *node = &tree->node[at];
        FrLane3 d = fr_lane3_from(node->centre, x);
        FrLane d2 = fr_lane3_dot(d, d), near2 = fr_lane_load(node->near2);
        FrLaneMask is_far = d2 > fr_lane_set(reach2) * near2;
        int far_bits = fr_lane_bits(is_far);
        if (far_bits) {
            FrLane inverse2 = one / fr_lane_pick(is_far, d2, one), ratio = near2 * inverse2;
            far += fr_lane_pick(is_far, far_angle(node, d, inverse2), zero);
            left += fr_lane_pick(is_far, ratio * ratio, zero);
        }
        for (int slot = 3; slot >= 0; slot--)
            if (!(far_bits >> slot & 1) && node->child[slot] != FR_TREE_NONE)
                stack[top++] = node->child[slot];
    }
    double sum = whole_angle(&near) + ((far[0] + far[1]) + (far[2] + far[3]));
    // a child's bound falls with the fifth power of its distance: the fourth is above it
    double bound = FR_TREE_LEFT_OUT * ((left[0] + left[1]) + (left[2] + left[3]));
    return (FrWinding){sum / (4.0 * FR_PI), bound};
}

// Gradient by d of what far_angle sums up: of a harmonic h of degree n,
//   grad h / |d|^(2n+1) - (2n+1) h d / |d|^(2n+3)
FR_LANE_INLINE FrLane3 far_gradient(const FrTreeNode *node, FrLane3 d, FrLane inverse2) {
    const FrLane third = fr_lane_set(1.0 / 3.0), two = fr_lane_set(2.0);
    FrLane m[FR_TREE_HARMONICS];
    for (int k = 0; k < FR_TREE_HARMONICS; k++) m[k] = fr_lane_load(node->harmonic[k]);
    FrLane xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z;
    FrLane xy = d.x * d.y, yz = d.y * d.z, zx = d.z * d.x;
    FrLane h1 = m[0] * d.x + m[1] * d.y + m[2] * d.z;
    FrLane h2 = m[3] * (xx - zz) + m[4] * (yy - zz) + m[5] * yz + m[6] * zx + m[7] * xy;
    FrLane3 g2 = {two * m[3] * d.x + m[6] * d.z + m[7] * d.y,
                  two * m[4] * d.y + m[5] * d.z + m[7] * d.x,
                  m[5] * d.y + m[6] * d.x - two * (m[3] + m[4]) * d.z};
    FrLane3 g3 = {m[8] * (yy - xx) + m[9] * (zz - xx) + two * (m[11] * xy + m[12] * zx),
                  m[10] * (zz - yy) + m[11] * (xx - yy) + two * (m[8] * xy + m[13] * yz),
                  m[12] * (xx - zz) + m[13] * (yy - zz) + two * (m[9] * zx + m[10] * yz)};
    g3.x += m[14] * yz, g3.y += m[14] * zx, g3.z += m[14] * xy;
    FrLane h3 = third * fr_lane3_dot(d, g3); // Euler
    FrLane along = inverse2 * (3.0 * h1 + inverse2 * (5.0 * h2 + inverse2 * (7.0 * h3)));
    FrLane scale = inverse2 * fr_lane_sqrt(inverse2);
    FrLane3 g = {(m[0] + inverse2 * (g2.x + inverse2 * g3.x) - along * d.x) * scale,
                 (m[1] + inverse2 * (g2.y + inverse2 * g3.y) - along * d.y) * scale,
                 (m[2] + inverse2 * (g2.z + inverse2 * g3.z) - along * d.z) * scale};
    return g;
}

FR_LANE_INLINE void add_where(FrLane3 *sum, FrLaneMask mask, FrLane3 v) {
    FrLane zero = fr_lane_set(0.0);
    sum->x += fr_lane_pick(mask, v.x, zero);
    sum->y += fr_lane_pick(mask, v.y, zero);
    sum->z += fr_lane_pick(mask, v.z, zero);
}

// One edge's share of the gradient of the solid angle (Biot and Savart):
//   (a x b) (|a| + |b|) / (|a||b| (|a||b| + a.b)), a, b: from the point to the edge's ends
FR_LANE_INLINE void add_edge(FrLane3 *sum, FrLaneMask there, FrLane3 a, FrLane3 b) {
    FrLane la = fr_lane_sqrt(fr_lane3_dot(a, a)), lb = fr_lane_sqrt(fr_lane3_dot(b, b));
    FrLane ab = la * lb, below = ab * (ab + fr_lane3_dot(a, b)), one = fr_lane_set(1.0);
    FrLaneMask some = there & (below > fr_lane_set(0.0)); // else the point is on the edge
    FrLane scale = (la + lb) / fr_lane_pick(some, below, one);
    FrLane3 v = fr_lane3_cross(a, b);
    v.x *= scale, v.y *= scale, v.z *= scale;
    add_where(sum, some, v);
}

FR_LANE_INLINE void add_leaf_gradient(FrLane3 *sum, const FrTreeLeaf *leaf, FrVec3 x) {
    FrLane3 a = fr_lane3_from(leaf->corner[0], x), b = fr_lane3_from(leaf->corner[1], x);
    FrLane3 c = fr_lane3_from(leaf->corner[2], x);
    FrLaneMask there = lane_number < fr_lane_set(leaf->count);
    add_edge(sum, there, a, b);
    add_edge(sum, there, b, c);
    add_edge(sum, there, c, a);
}

static double sum_lanes(FrLane v) { return (v[0] + v[1]) + (v[2] + v[3]); }

static FrVec3 winding_gradient(const FrTree *tree, FrVec3 x, double reach2) {
    int32_t stack[FR_TREE_STACK], top = 0;
    FrLane zero = fr_lane_set(0.0), one = fr_lane_set(1.0);
    FrLane3 near = {zero, zero, zero}, far = near;
    stack[top++] = 0;
    while (top) {
        int32_t at = stack[--top];
        if (at < 0) {
            add_leaf_gradient(&near, &tree->leaf[~at], x);
            continue;
        }
        const FrTreeNode *node = &tree->node[at];
        FrLane3 d = fr_lane3_from(node->centre, x);
        FrLane d2 = fr_lane3_dot(d, d);
        FrLaneMask is_far = d2 > fr_lane_set(reach2) * fr_lane_load(node->near2);
        int far_bits = fr_lane_bits(is_far);
        if (far_bits)
            add_where(&far, is_far, far_gradient(node, d, one / fr_lane_pick(is_far, d2, one)));
        for (int slot = 3; slot >= 0; slot--)
            if (!(far_bits >> slot & 1) && node->child[slot] != FR_TREE_NONE)
                stack[top++] = node->child[slot];
    }
    FrVec3 sum = {sum_lanes(near.x - far.x), sum_lanes(near.y - far.y), sum_lanes(near.z - far.z)};
    return fr_scale(1.0 / (4.0 * FR_PI), sum);
}
