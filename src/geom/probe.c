// probe.c: points, rays and boxes against one triangle or tet.

#include "geom/probe.h"

/// Of weights: rays through an edge hit one of its two triangles at least.
#define EDGE_SLACK 1e-12

static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}; // outward

bool fr_tet_corner_weights(const FrVec3 corner[4], FrVec3 x, double weight[4]) {
    FrVec3 a = fr_sub(corner[1], corner[0]), b = fr_sub(corner[2], corner[0]);
    FrVec3 c = fr_sub(corner[3], corner[0]), r = fr_sub(x, corner[0]);
    double volume = fr_dot(a, fr_cross(b, c));
    if (!(fabs(volume) > 0.0)) return false;
    weight[1] = fr_dot(r, fr_cross(b, c)) / volume;
    weight[2] = fr_dot(a, fr_cross(r, c)) / volume;
    weight[3] = fr_dot(a, fr_cross(b, r)) / volume;
    weight[0] = 1.0 - weight[1] - weight[2] - weight[3];
    return true;
}

// the nearest point of the edge from i to j; better than `best`: its weights
static void try_edge(const FrVec3 corner[3], int i, int j, FrVec3 x, double *best,
                     double weight[3]) {
    FrVec3 e = fr_sub(corner[j], corner[i]);
    double length2 = fr_dot(e, e);
    double t = length2 > 0.0 ? fr_dot(fr_sub(x, corner[i]), e) / length2 : 0.0;
    t = fr_min(fr_max(t, 0.0), 1.0);
    double d2 = fr_length2(fr_sub(x, fr_axpy(t, e, corner[i])));
    if (!(d2 < *best)) return;
    *best = d2;
    weight[0] = weight[1] = weight[2] = 0.0;
    weight[i] = 1.0 - t, weight[j] = t;
}

// above the inside of the triangle: the foot of x; else the nearest point of an edge
void fr_tri_nearest(const FrVec3 corner[3], FrVec3 x, double weight[3]) {
    FrVec3 a = fr_sub(corner[1], corner[0]), b = fr_sub(corner[2], corner[0]);
    FrVec3 n = fr_cross(a, b), r = fr_sub(x, corner[0]);
    double area2 = fr_dot(n, n), best = HUGE_VAL;
    weight[1] = fr_dot(fr_cross(r, b), n) / area2;
    weight[2] = fr_dot(fr_cross(a, r), n) / area2;
    weight[0] = 1.0 - weight[1] - weight[2];
    if (weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0) return;
    for (int i = 0; i < 3; i++) try_edge(corner, i, (i + 1) % 3, x, &best, weight);
}

// Moeller and Trumbore 1997
bool fr_tri_ray(const FrVec3 corner[3], FrVec3 from, FrVec3 along, double *distance,
                double weight[3]) {
    FrVec3 a = fr_sub(corner[1], corner[0]), b = fr_sub(corner[2], corner[0]);
    FrVec3 across = fr_cross(along, b), r = fr_sub(from, corner[0]), lift = fr_cross(r, a);
    double det = fr_dot(a, across);
    if (!(det > 0.0)) return false; // leaves it, or runs along it
    weight[1] = fr_dot(r, across) / det;
    weight[2] = fr_dot(along, lift) / det;
    weight[0] = 1.0 - weight[1] - weight[2];
    *distance = fr_dot(b, lift) / det;
    return weight[0] >= -EDGE_SLACK && weight[1] >= -EDGE_SLACK && weight[2] >= -EDGE_SLACK &&
           *distance >= 0.0;
}

// are tet and box apart along this axis?
static bool apart_along(const FrVec3 corner[4], FrBox box, FrVec3 axis) {
    FrVec3 centre = fr_box_center(box), half = fr_scale(0.5, fr_box_size(box));
    double reach = fabs(axis.x) * half.x + fabs(axis.y) * half.y + fabs(axis.z) * half.z;
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        double at = fr_dot(axis, fr_sub(corner[i], centre));
        lo = fr_min(lo, at), hi = fr_max(hi, at);
    }
    return lo > reach || hi < -reach;
}

// two convex shapes are apart along a normal of one of them, or across an edge of each
bool fr_tet_meets_box(const FrVec3 corner[4], FrBox box) {
    static const FrVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++)
        if (apart_along(corner, box, axis[k])) return false;
    for (int k = 0; k < 4; k++) {
        FrVec3 a = fr_sub(corner[face[k][1]], corner[face[k][0]]);
        FrVec3 b = fr_sub(corner[face[k][2]], corner[face[k][0]]);
        if (apart_along(corner, box, fr_cross(a, b))) return false;
    }
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            for (int k = 0; k < 3; k++)
                if (apart_along(corner, box, fr_cross(fr_sub(corner[j], corner[i]), axis[k])))
                    return false;
    return true;
}

bool fr_tet_meets_ball(const FrVec3 corner[4], FrVec3 centre, double radius) {
    double inside[4], weight[3];
    if (fr_tet_corner_weights(corner, centre, inside) && inside[0] >= 0.0 && inside[1] >= 0.0 &&
        inside[2] >= 0.0 && inside[3] >= 0.0)
        return true;
    for (int k = 0; k < 4; k++) {
        FrVec3 x[3], at = fr_vec3_zero;
        for (int i = 0; i < 3; i++) x[i] = corner[face[k][i]];
        fr_tri_nearest(x, centre, weight);
        for (int i = 0; i < 3; i++) at = fr_axpy(weight[i], x[i], at);
        if (fr_distance(at, centre) <= radius) return true;
    }
    return false;
}

bool fr_box_ray(FrBox box, FrVec3 from, FrVec3 along, double most) {
    double in = 0.0, out = most;
    for (int k = 0; k < 3; k++) {
        double o = fr_vec3_get(from, k), d = fr_vec3_get(along, k);
        double lo = fr_vec3_get(box.lo, k) - o, hi = fr_vec3_get(box.hi, k) - o;
        if (!(fabs(d) > 0.0) && (lo > 0.0 || hi < 0.0)) return false;
        if (!(fabs(d) > 0.0)) continue;
        in = fr_max(in, fr_min(lo / d, hi / d));
        out = fr_min(out, fr_max(lo / d, hi / d));
    }
    return in <= out * (1.0 + EDGE_SLACK);
}
