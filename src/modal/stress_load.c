// stress_load.c: a load of 1 spread evenly over a disc of the surface, as shares of surface nodes.
//
// Shares are integrals of the shape functions of 6-node triangles: the work of the load is that of
// an even pressure. Triangles count as much as they face the way that the surface faces at x, so
// that neither the far side of a wall nor the sides of an edge take part.

#include "modal/stress_model.h"
#include "geom/probe.h"
#include "math/decompose.h"
#include <string.h>

// sides of the polygon that stands for the circle, of the same area
#define SIDES 24
#define MOST_POINTS (3 * (SIDES + 1)) // cut at three sides it has three corners more
// points this near (of the triangle's size) are one, and discs this small are points
#define NEAR 1e-6
// a tilted pressure stays within 1 + TILT and 1 - TILT of its mean; at the corner of a box it takes
// 22
#define TILT 25.0
// directions in which the disc has less than this of its extent have none
#define FLAT 1e-6

/// Where the disc lies.
typedef struct Disc {
    const FrStressSkin *skin;
    int32_t nearest; ///< triangle
    double b[3];     ///< weights of its corners at the middle
    FrVec3 middle;   ///< the surface point nearest to x
    FrVec3 facing;   ///< unit: which way the surface looks there
    double radius;
} Disc;

static FrVec3 nearest_on(const FrStressSkin *skin, int32_t t, FrVec3 x, double b[3]) {
    FrVec3 c[3];
    fr_stress_corners(skin, &skin->tri[t], c);
    fr_tri_nearest(c, x, b);
    return fr_axpy(b[0], c[0], fr_axpy(b[1], c[1], fr_scale(b[2], c[2])));
}

// may a point of the triangle be within `radius` of x?
static bool meets(const FrStressTri *tri, FrVec3 x, double radius) {
    double within = tri->reach + radius;
    return fr_length2(fr_sub(tri->middle, x)) <= within * within;
}

// of equals, the lowest triangle
static void find_nearest(Disc *d, FrVec3 x) {
    const FrStressSkin *skin = d->skin;
    double most2 = HUGE_VAL, best = HUGE_VAL;
    for (int32_t t = 0; t < skin->tri_count; t++)
        most2 = fr_min(most2, fr_length2(fr_sub(skin->tri[t].middle, x)));
    double most = (1.0 + NEAR) * sqrt(most2);
    for (int32_t t = 0; t < skin->tri_count; t++) {
        if (!meets(&skin->tri[t], x, fr_min(best, most))) continue;
        double b[3], distance;
        FrVec3 at = nearest_on(skin, t, x, b);
        distance = fr_distance(at, x);
        if (distance >= best) continue;
        best = distance;
        d->nearest = t;
        d->middle = at;
        memcpy(d->b, b, sizeof d->b);
    }
}

// how much of a full turn about its point b a triangle takes up
static double angle_at(const FrVec3 c[3], const double b[3]) {
    int near = 0, corner = 0;
    for (int i = 0; i < 3; i++) {
        near += b[i] < NEAR;
        if (b[i] > b[corner]) corner = i;
    }
    if (near == 0) return 2.0 * FR_PI;
    if (near == 1) return FR_PI;
    FrVec3 p = fr_normalize(fr_sub(c[(corner + 1) % 3], c[corner])),
           q = fr_normalize(fr_sub(c[(corner + 2) % 3], c[corner]));
    return acos(fr_clamp(fr_dot(p, q), -1.0, 1.0));
}

// normals of all triangles at the middle, by their angles there (Baerentzen & Aanaes 2005)
static void find_facing(Disc *d) {
    double near = NEAR * d->skin->tri[d->nearest].reach;
    FrVec3 sum = fr_vec3_zero;
    for (int32_t t = 0; t < d->skin->tri_count; t++) {
        const FrStressTri *tri = &d->skin->tri[t];
        if (!meets(tri, d->middle, near)) continue;
        double b[3];
        FrVec3 c[3];
        if (fr_distance(nearest_on(d->skin, t, d->middle, b), d->middle) > near) continue;
        fr_stress_corners(d->skin, tri, c);
        sum = fr_axpy(angle_at(c, b), tri->normal, sum);
    }
    d->facing = fr_normalize(sum);
}

/// Points of a triangle by the weights of its corners.
typedef struct Polygon {
    int32_t count;
    double b[SIDES + 4][3];
} Polygon;

// keep what has b[i] >= 0
static void clip(Polygon *poly, int i) {
    Polygon kept = {0};
    for (int32_t k = 0; k < poly->count; k++) {
        const double *p = poly->b[k], *q = poly->b[(k + 1) % poly->count];
        if (p[i] >= 0.0) memcpy(kept.b[kept.count++], p, sizeof kept.b[0]);
        if ((p[i] >= 0.0) == (q[i] >= 0.0)) continue;
        double t = p[i] / (p[i] - q[i]), *to = kept.b[kept.count++];
        for (int j = 0; j < 3; j++) to[j] = j == i ? 0.0 : p[j] + t * (q[j] - p[j]);
    }
    *poly = kept;
}

// The part of a triangle that the ball about the middle holds. The circle in its plane begins at
// the direction of its first edge, so that it turns with the mesh.
static void cut_out(const Disc *d, const FrStressTri *tri, Polygon *poly) {
    FrVec3 c[3];
    double farthest = 0.0;
    fr_stress_corners(d->skin, tri, c);
    for (int i = 0; i < 3; i++) farthest = fr_max(farthest, fr_distance(c[i], d->middle));
    if (farthest <= d->radius) {
        *poly = (Polygon){3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        return;
    }
    double height = fr_dot(tri->normal, fr_sub(d->middle, c[0]));
    double inside = d->radius * d->radius - height * height;
    poly->count = 0;
    if (!(inside > 0.0)) return;
    double turn = 2.0 * FR_PI / SIDES, r = sqrt(inside * turn / sin(turn));
    FrVec3 foot = fr_axpy(-height, tri->normal, d->middle);
    FrVec3 e = fr_normalize(fr_sub(c[1], c[0])), across = fr_cross(tri->normal, e);
    for (int k = 0; k < SIDES; k++) {
        FrVec3 p = fr_axpy(r * cos(k * turn), e, fr_axpy(r * sin(k * turn), across, foot));
        double *b = poly->b[poly->count++];
        for (int i = 0; i < 3; i++) { // areas opposite the corners
            FrVec3 u = fr_sub(c[(i + 1) % 3], p), v = fr_sub(c[(i + 2) % 3], p);
            b[i] = 0.5 * fr_dot(tri->normal, fr_cross(u, v)) / tri->area;
        }
    }
    for (int i = 0; i < 3 && poly->count; i++) clip(poly, i);
}

static void shapes_at(const double b[3], double N[6]) {
    for (int i = 0; i < 3; i++) {
        N[i] = b[i] * (2.0 * b[i] - 1.0);
        N[3 + i] = 4.0 * b[i] * b[(i + 1) % 3];
    }
}

/// A point of a load.
typedef struct Point {
    double weight; ///< area that faces as the disc does, m^2
    double N[6];   ///< shape functions
    FrVec3 x;      ///< seen from the middle of the disc, m
} Point;

// three points of the triangle a b c in a triangle, exact for degree 2
static void add_points(const Disc *d, const FrStressTri *tri, const double *const abc[3],
                       Point point[3]) {
    const double *a = abc[0], *b = abc[1], *c = abc[2];
    double part = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    for (int q = 0; q < 3; q++, point++) {
        double at[3];
        for (int i = 0; i < 3; i++) at[i] = (a[i] + b[i] + c[i]) / 6.0 + 0.5 * abc[q][i];
        shapes_at(at, point->N);
        point->weight = part * tri->area / 3.0 * fr_dot(tri->normal, d->facing);
        point->x = fr_neg(d->middle);
        for (int k = 0; k < 6; k++)
            point->x = fr_axpy(point->N[k], fr_get3(d->skin->x, tri->node[k]), point->x);
    }
}

// all points of the disc on a triangle; returns how many
static int32_t points_on(const Disc *d, const FrStressTri *tri, Point point[MOST_POINTS]) {
    Polygon poly = {0};
    int32_t count = 0;
    if (!meets(tri, d->middle, d->radius) || !(fr_dot(tri->normal, d->facing) > 0.0)) return 0;
    cut_out(d, tri, &poly);
    for (int32_t k = 1; k + 1 < poly.count; k++, count += 3) {
        const double *abc[3] = {poly.b[0], poly.b[k], poly.b[k + 1]};
        add_points(d, tri, abc, point + count);
    }
    return count;
}

/// What a load is made of.
typedef struct Load {
    double total; ///< of the weights, m^2
    FrVec3 mean;  ///< place, seen from the middle of the disc, m
    FrSym3 apart; ///< mean square of places about the mean, m^2
    double reach; ///< of places from the mean, at most, m
    FrVec3 tilt;  ///< the pressure is 1 + tilt . (x - mean), 1/m
} Load;

static void measure(const Disc *d, Load *l) {
    FrMat3 squares = fr_mat3_zero;
    Point point[MOST_POINTS];
    for (int32_t t = 0; t < d->skin->tri_count; t++) {
        int32_t count = points_on(d, &d->skin->tri[t], point);
        for (int32_t k = 0; k < count; k++) {
            FrVec3 x = point[k].x;
            l->total += point[k].weight;
            l->mean = fr_axpy(point[k].weight, x, l->mean);
            l->reach = fr_max(l->reach, fr_length(x));
            squares = fr_mat3_axpy(point[k].weight, fr_outer(x, x), squares);
        }
    }
    if (!(l->total > 0.0)) return;
    l->mean = fr_scale(1.0 / l->total, l->mean);
    l->reach += fr_length(l->mean);
    squares = fr_mat3_axpy(-l->total, fr_outer(l->mean, l->mean), squares);
    l->apart = fr_mat3_sym(fr_mat3_scale(1.0 / l->total, squares));
}

// Near an edge half of the disc is missing. A pressure that is tilted brings the middle of the load
// back: apart . tilt = -mean, along the directions that the disc has.
static void tilt(Load *l) {
    FrEigen3 e = fr_sym3_eigen(l->apart);
    for (int k = 0; k < 3; k++)
        if (e.value[k] > FLAT * e.value[0])
            l->tilt = fr_axpy(-fr_dot(e.vector[k], l->mean) / e.value[k], e.vector[k], l->tilt);
    double steep = fr_length(l->tilt) * l->reach;
    if (steep > TILT) l->tilt = fr_scale(TILT / steep, l->tilt);
}

static void deal_out(const Disc *d, const Load *l, FrStressShareFn *share, void *user) {
    Point point[MOST_POINTS];
    for (int32_t t = 0; t < d->skin->tri_count; t++) {
        const FrStressTri *tri = &d->skin->tri[t];
        int32_t count = points_on(d, tri, point);
        double part[6] = {0};
        for (int32_t k = 0; k < count; k++) {
            double pressure = 1.0 + fr_dot(l->tilt, fr_sub(point[k].x, l->mean));
            for (int i = 0; i < 6; i++)
                part[i] += pressure * point[k].weight / l->total * point[k].N[i];
        }
        if (count) share(user, tri->node, part);
    }
}

void fr_stress_spread(const FrStressSkin *skin, FrVec3 x, double radius, FrStressShareFn *share,
                      void *user) {
    Disc d = {.skin = skin, .radius = radius};
    Load l = {0};
    find_nearest(&d, x);
    const FrStressTri *tri = &skin->tri[d.nearest];
    if (radius > NEAR * tri->reach) {
        find_facing(&d);
        measure(&d, &l);
    }
    if (l.total > 0.0) {
        tilt(&l);
        deal_out(&d, &l, share, user);
    } else { // a point
        double N[6];
        shapes_at(d.b, N);
        share(user, tri->node, N);
    }
}
