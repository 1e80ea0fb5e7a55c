// clip.c: cut polyhedra keep their closed forms: volume, centroid, closed surface, derivative.

#include "test.h"
#include "base/random.h"
#include "clip_kit.h"

static FrVec3 random_vec(FrRandom *r, double lo, double hi) {
    double x = fr_random_range(r, lo, hi), y = fr_random_range(r, lo, hi);
    return fr_vec3(x, y, fr_random_range(r, lo, hi));
}

static void random_tet(FrRandom *r, FrVec3 offset, FrVec3 x[4]) {
    for (;;) {
        for (int k = 0; k < 4; k++) x[k] = fr_add(offset, random_vec(r, 0, 1));
        double six = fr_dot(fr_sub(x[1], x[0]), fr_cross(fr_sub(x[2], x[0]), fr_sub(x[3], x[0])));
        if (fabs(six) > 0.05)
            return; // no slivers: the derivative test needs a step below their size
    }
}

static FrClipTet make(const FrVec3 x[4], FrVec3 shift) {
    FrClipTet tet;
    fr_clip_tet_init(&tet, fr_add(x[0], shift), fr_add(x[1], shift), fr_add(x[2], shift),
                     fr_add(x[3], shift), 15);
    return tet;
}

static const FrVec3 corner_tet[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// the intersection as a polyhedron, cut by hand
static bool intersect(const FrClipTet *a, const FrClipTet *b, FrClipPoly *result) {
    FrClipPoly poly[2];
    int now = 0;
    fr_clip_tet_poly(a, &poly[0]);
    for (int k = 0; k < 4; k++) {
        FrClipPlane plane = fr_clip_tet_face(b, k);
        FrClipResult r = fr_clip(&poly[now], &plane, &poly[!now]);
        if (r == FR_CLIP_EMPTY) return false;
        if (r == FR_CLIP_CUT) now = !now;
    }
    *result = poly[now];
    return true;
}

static bool inside(const FrClipTet *tet, FrVec3 x) {
    for (int k = 0; k < 4; k++) {
        FrClipPlane plane = fr_clip_tet_face(tet, k);
        if (fr_dot(plane.n, x) > plane.c) return false;
    }
    return true;
}

TEST(tet_frame) {
    FrClipTet tet = make(corner_tet, fr_vec3_zero);
    // rounding: one or two operations on numbers below 1
    CHECK_NEAR(tet.volume, 1.0 / 6, 1e-16);
    double b[4];
    fr_clip_tet_weights(&tet, fr_vec3(0.2, 0.3, 0.1), b);
    CHECK_NEAR(b[0], 0.4, 1e-15);
    CHECK_NEAR(b[1], 0.2, 1e-15);
    CHECK_NEAR(b[2], 0.3, 1e-15);
    CHECK_NEAR(b[3], 0.1, 1e-15);
    // an inverted tet is the same solid, and weights stay with their nodes
    FrClipTet turned;
    fr_clip_tet_init(&turned, corner_tet[0], corner_tet[1], corner_tet[3], corner_tet[2], 15);
    CHECK(turned.flipped);
    fr_clip_tet_weights(&turned, fr_vec3(0.2, 0.3, 0.1), b);
    CHECK_NEAR(b[2], 0.1, 1e-15);
    CHECK_NEAR(b[3], 0.3, 1e-15);
    // a flat tet overlaps nothing
    FrClipTet flat;
    fr_clip_tet_init(&flat, corner_tet[0], corner_tet[1], corner_tet[2], fr_vec3(0.3, 0.3, 0), 15);
    FrOverlap overlap;
    CHECK(!fr_overlap_tet_tet(&flat, &tet, &overlap, NULL));
    CHECK(!fr_overlap_tet_plane(&flat, fr_vec3(0, 0, 1), 1.0, &overlap));
}

// a tet with itself is itself, whichever node comes first
TEST(identical_tets) {
    static const int turn[4][4] = {{0, 1, 2, 3}, {1, 2, 0, 3}, {3, 2, 1, 0}, {2, 3, 0, 1}};
    FrRandom r = fr_random_for(1, "clip", 0);
    for (int k = 0; k < 100; k++) {
        FrVec3 x[4], y[4];
        random_tet(&r, fr_vec3_zero, x);
        for (int i = 0; i < 4; i++) y[i] = x[turn[k & 3][i]];
        FrClipTet a = make(x, fr_vec3_zero), b = make(y, fr_vec3_zero);
        FrOverlap overlap;
        CHECK(fr_overlap_tet_tet(&a, &b, &overlap, NULL));
        // model: the tolerance is 1e-9 edges on 4 faces
        CHECK_CLOSE(overlap.volume, a.volume, 1e-8);
    }
}

// M29 overlap_mc: random pairs against points thrown into one of them
TEST(overlap_mc) {
    FrRandom r = fr_random_for(2, "clip", 0);
    int overlapping = 0;
    for (int k = 0; k < 60; k++) {
        FrVec3 x[4], y[4];
        random_tet(&r, fr_vec3_zero, x);
        random_tet(&r, random_vec(&r, -0.3, 0.3), y);
        FrClipTet a = make(x, fr_vec3_zero), b = make(y, fr_vec3_zero);
        FrOverlap overlap = {0};
        bool hit = fr_overlap_tet_tet(&a, &b, &overlap, NULL);
        int n = 20000, in = 0;
        for (int s = 0; s < n; s++) {
            // uniform in a tet: spacings of three sorted uniforms
            double u[3] = {fr_random_unit(&r), fr_random_unit(&r), fr_random_unit(&r)};
            for (int i = 0; i < 3; i++) {
                int j = i == 1 ? 1 : 0;
                if (u[j] > u[j + 1]) {
                    double t = u[j];
                    u[j] = u[j + 1], u[j + 1] = t;
                }
            }
            double w[4] = {u[0], u[1] - u[0], u[2] - u[1], 1 - u[2]};
            FrVec3 p = fr_vec3_zero;
            for (int i = 0; i < 4; i++) p = fr_axpy(w[i], x[i], p);
            in += inside(&b, p);
        }
        double f = hit ? overlap.volume / a.volume : 0.0;
        // statistics: five standard errors, and one point for volumes too small to be hit
        CHECK_NEAR((double)in / n, f, 5 * sqrt(f * (1 - f) / n) + 1.0 / n);
        overlapping += hit;
    }
    CHECK(overlapping > 20);
}

// M29 overlap_closed: <= 8 faces, closed surface, equal and opposite normals, symmetric in A and B
TEST(overlap_closed) {
    FrRandom r = fr_random_for(3, "clip", 0);
    int overlapping = 0;
    for (int k = 0; k < 2000; k++) {
        FrVec3 x[4], y[4];
        random_tet(&r, fr_vec3_zero, x);
        random_tet(&r, random_vec(&r, -0.5, 0.5), y);
        FrClipTet a = make(x, fr_vec3_zero), b = make(y, fr_vec3_zero);
        FrOverlap ab, ba;
        FrClipPoly poly;
        bool hit = fr_overlap_tet_tet(&a, &b, &ab, NULL);
        CHECK(hit == fr_overlap_tet_tet(&b, &a, &ba, NULL));
        // rejection by the eight planes agrees with plain cutting
        bool cut = intersect(&a, &b, &poly);
        FrClipMeasure m = {0};
        if (cut) fr_clip_measure(&poly, &m);
        // model: what is thinner than 1e-9 edges counts as no overlap
        CHECK(hit || m.volume < 1e-11);
        if (!hit) continue;
        overlapping++;
        CHECK(poly.face_count <= 8 && poly.face_count >= 4);
        CHECK_INT(poly.vertex_count + poly.face_count - poly.start[poly.face_count] / 2,
                  2); // Euler
        FrVec3 sum = fr_add(m.normal[FR_CLIP_A], m.normal[FR_CLIP_B]);
        CHECK(fr_length(sum) < 1e-14);           // rounding: about 40 terms of size 1
        CHECK_CLOSE(ab.volume, ba.volume, 1e-9); // rounding: slivers of 1e-9 lose digits
        // rounding: cutting a by b or b by a rounds differently: slivers lose a few more digits
        CHECK(fr_length(fr_add(ab.push, ba.push)) < 1e-12);
        CHECK(fr_distance(ab.centroid, ba.centroid) < 1e-12);
        CHECK(inside(&a, ab.centroid) && inside(&b, ab.centroid));
    }
    CHECK(overlapping > 500);
}

// moving B by e changes the volume by e.N_B = -e.N_A                                  (M10)
TEST(overlap_derivative) {
    FrRandom r = fr_random_for(4, "clip", 0);
    int tested = 0;
    for (int k = 0; k < 400; k++) {
        FrVec3 x[4], y[4];
        random_tet(&r, fr_vec3_zero, x);
        random_tet(&r, random_vec(&r, -0.3, 0.3), y);
        FrVec3 e = fr_scale(1e-5, fr_normalize(random_vec(&r, -1, 1)));
        FrClipTet a = make(x, fr_vec3_zero), b = make(y, fr_vec3_zero);
        FrClipTet plus = make(y, e), minus = make(y, fr_neg(e));
        FrOverlap o, op, om;
        if (!fr_overlap_tet_tet(&a, &b, &o, NULL) || o.volume < 1e-4) continue;
        CHECK(fr_overlap_tet_tet(&a, &plus, &op, NULL) &&
              fr_overlap_tet_tet(&a, &minus, &om, NULL));
        // step: central difference: e^2 from the cubic term; area changes slope over e where an
        // edge passes
        CHECK_NEAR((op.volume - om.volume) / 2e-5, fr_dot(e, o.push) / 1e-5, 2e-5);
        tested++;
    }
    CHECK(tested > 100);
}

// E25: the sum as printed in (5.3), clockwise faces, gives -6 vol                 [S6 eq. 5.3]
TEST(printed_volume_is_minus_six) {
    static const int clockwise[4][3] = {{3, 2, 1}, {2, 3, 0}, {3, 1, 0}, {1, 2, 0}};
    FrVec3 q = corner_tet[0];
    double printed = 0.0;
    for (int f = 0; f < 4; f++) {
        FrVec3 p1 = corner_tet[clockwise[f][0]], p2 = corner_tet[clockwise[f][1]],
               p3 = corner_tet[clockwise[f][2]];
        printed += fr_dot(fr_cross(fr_sub(p3, p1), fr_sub(p2, p1)), fr_sub(q, p1));
    }
    FrClipTet tet = make(corner_tet, fr_vec3_zero);
    FrClipPoly poly;
    FrClipMeasure measure;
    fr_clip_tet_poly(&tet, &poly);
    fr_clip_measure(&poly, &measure);
    // rounding: three operations on sixths
    CHECK_NEAR(measure.volume, 1.0 / 6, 1e-16);
    CHECK_NEAR(printed, -1.0, 1e-15);
    CHECK_NEAR(printed, -6.0 * measure.volume, 1e-15);
}

// corner tet below z = h: V = (1 - (1-h)^3)/6, centroid from the difference of two similar tets
TEST(tet_plane_closed_form) {
    // rounding: a dozen operations on numbers below 1
    FrClipTet tet = make(corner_tet, fr_vec3_zero);
    for (int k = 1; k < 10; k++) {
        double h = 0.1 * k, s = 1 - h, small = s * s * s / 6;
        FrOverlap o;
        CHECK(fr_overlap_tet_plane(&tet, fr_vec3(0, 0, 1), h, &o));
        CHECK_NEAR(o.volume, 1.0 / 6 - small, 1e-15);
        CHECK_NEAR(o.centroid.z, (0.25 / 6 - small * (h + 0.25 * s)) / o.volume, 1e-14);
        CHECK_NEAR(o.centroid.x, (0.25 / 6 - small * 0.25 * s) / o.volume, 1e-14);
        CHECK_NEAR(o.push.z, 0.5 * s * s, 1e-15); // the cut
        CHECK_NEAR(o.push.x, 0.0, 1e-15);
    }
    FrOverlap o;
    CHECK(!fr_overlap_tet_plane(&tet, fr_vec3(0, 0, 1), -0.01, &o));
    CHECK(!fr_overlap_tet_plane(&tet, fr_vec3(0, 0, 1), 0.0, &o)); // touching is not overlapping
    CHECK(fr_overlap_tet_plane(&tet, fr_vec3(0, 0, 1), 2.0, &o));
    CHECK_NEAR(o.volume, 1.0 / 6, 1e-16);
}

// shared faces, shared edges, shared corners, faces that slide on each other: nothing, and no crash
TEST(touching_tets) {
    FrClipTet a = make(corner_tet, fr_vec3_zero);
    FrVec3 mirrored[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}};
    FrClipTet b = make(mirrored, fr_vec3_zero);
    FrOverlap o;
    CHECK(!fr_overlap_tet_tet(&a, &b, &o, NULL));
    for (int k = 0; k < 50; k++) {
        FrClipTet c = make(mirrored, fr_vec3(0.01 * k, 0.007 * k, 0));
        CHECK(!fr_overlap_tet_tet(&a, &c, &o, NULL));
        FrClipTet d = make(mirrored, fr_vec3(0.01 * k, 0.007 * k, 1e-3));
        bool hit = fr_overlap_tet_tet(&a, &d, &o, NULL);
        CHECK(hit == (0.017 * k < 0.99));
        if (hit && k < 40) CHECK(o.push.z > 0.0); // a, on top, goes up
    }
    for (int k = 0; k < 4; k++) {
        FrClipTet c = make(corner_tet, corner_tet[k]);
        bool hit = fr_overlap_tet_tet(&a, &c, &o, NULL);
        CHECK(hit == (k == 0));
    }
}

// one inside the other: the volume of the inner one, no direction
TEST(swallowed) {
    FrClipTet big = make(corner_tet, fr_vec3_zero);
    FrVec3 x[4];
    for (int k = 0; k < 4; k++) x[k] = fr_add(fr_scale(0.2, corner_tet[k]), fr_vec3(.1, .1, .1));
    FrClipTet small = make(x, fr_vec3_zero);
    FrOverlap o;
    CHECK(fr_overlap_tet_tet(&small, &big, &o, NULL));
    // rounding: all faces of one, none of the other
    CHECK_CLOSE(o.volume, small.volume, 1e-12);
    CHECK(fr_length(o.push) < 1e-12 * o.area);
    CHECK(fr_overlap_tet_tet(&big, &small, &o, NULL));
    CHECK_CLOSE(o.volume, small.volume, 1e-12);
    CHECK(fr_length(o.push) < 1e-12 * o.area);
}

// M29 overlap_sphere_cap: exact through one face and through several (M10)
TEST(overlap_sphere_cap) {
    FrVec3 wide[4] = {{-10, -10, 0}, {10, -10, 0}, {0, 15, 0}, {0, 0, -10}};
    FrClipTet tet = make(wide, fr_vec3_zero);
    // rounding: sums of 20 terms of size 1
    double R = 1.0;
    for (int k = -9; k < 10; k++) {
        double d = 0.1 * k, h = R - d; // centre d above the face
        FrOverlap o;
        CHECK(fr_overlap_tet_sphere(&tet, fr_vec3(0, 0, d), R, &o));
        CHECK_CLOSE(o.volume, FR_PI * h * h * (3 * R - h) / 3, 1e-13);
        double w = 2 * R - h;
        CHECK_NEAR(o.centroid.z, d - 3 * w * w / (4 * (3 * R - h)), 1e-13);
        CHECK(o.push.z < 0.0); // the tet goes down
        CHECK_CLOSE(o.push.z, -FR_PI * (R * R - d * d), 1e-12);
    }
    // the same cap, seen by two tets that share the face under it; at k = 0 the centre is on an
    // edge
    FrVec3 left[4] = {{0, -10, 0}, {0, 15, 0}, {-10, -10, 0}, {0, 0, -10}};
    FrVec3 right[4] = {{0, -10, 0}, {10, -10, 0}, {0, 15, 0}, {0, 0, -10}};
    FrClipTet l = make(left, fr_vec3_zero), r = make(right, fr_vec3_zero);
    for (int k = -9; k < 8; k++) {
        double d = 0.1 * k, h = R - d, exact = FR_PI * h * h * (3 * R - h) / 3;
        FrOverlap a, b;
        CHECK(fr_overlap_tet_sphere(&l, fr_vec3(0, 0, d), R, &a));
        CHECK(fr_overlap_tet_sphere(&r, fr_vec3(0, 0, d), R, &b));
        // rounding: sums of 20 terms of size 1, ten times less where the centre is 0.1 from the
        // face; a centre on an edge is moved by 1e-7 R, over an area of 2 pi
        double within = k ? 2e-13 : 1e-6;
        CHECK_NEAR(a.volume + b.volume, exact, within);
        double w = 2 * R - h, z = d - 3 * w * w / (4 * (3 * R - h));
        CHECK_NEAR((a.volume * a.centroid.z + b.volume * b.centroid.z) / exact, z, within / exact);
        CHECK_NEAR(a.centroid.x, -b.centroid.x, within / exact);
        // the halves' boundary: cap, disc, and twice the segment between them
        double c = sqrt(R * R - d * d), segment = R * R * acos(d / R) - d * c;
        CHECK_NEAR(a.area + b.area, 2 * FR_PI * R * h + FR_PI * c * c + 2 * segment, 10 * within);
        CHECK_NEAR(a.push.x, -segment, 10 * within);
    }
    // wholly inside, wholly outside
    FrOverlap o;
    CHECK(fr_overlap_tet_sphere(&tet, fr_vec3(0, 0, -3), R, &o));
    // rounding: a closed form
    CHECK_CLOSE(o.volume, 4.0 / 3 * FR_PI, 1e-15);
    CHECK(fr_length(o.push) == 0.0);
    CHECK(!fr_overlap_tet_sphere(&tet, fr_vec3(0, 0, 1.001), R, &o));
    CHECK(!fr_overlap_tet_sphere(&tet, fr_vec3(0, 0, -11.2), R, &o));
    // the tet inside the ball
    FrClipTet small = make(corner_tet, fr_vec3_zero);
    CHECK(fr_overlap_tet_sphere(&small, fr_vec3(0.2, 0.2, 0.2), 5.0, &o));
    CHECK_CLOSE(o.volume, 1.0 / 6, 1e-12);
}

// a ball that meets only the edge or the corner of a tet: against points thrown in
TEST(overlap_sphere_mc) {
    FrRandom r = fr_random_for(5, "clip", 0);
    int n = 40000;
    for (int k = 0; k < 40; k++) {
        FrVec3 x[4], c = random_vec(&r, -0.2, 1.2);
        random_tet(&r, fr_vec3_zero, x);
        double R = fr_random_range(&r, 0.2, 0.6), whole = 4.0 / 3 * FR_PI * R * R * R;
        FrClipTet tet = make(x, fr_vec3_zero);
        FrOverlap o = {0};
        bool hit = fr_overlap_tet_sphere(&tet, c, R, &o);
        int in = 0, tried = 0;
        FrVec3 sum = fr_vec3_zero;
        while (tried < n) {
            FrVec3 p = random_vec(&r, -1, 1);
            if (fr_length2(p) > 1) continue;
            tried++;
            p = fr_axpy(R, p, c);
            if (!inside(&tet, p)) continue;
            in++;
            sum = fr_add(sum, p);
        }
        double f = (double)in / n;
        // statistics: five standard errors, and one point for volumes too small to be hit
        CHECK_NEAR(hit ? o.volume / whole : 0.0, f, 5 * sqrt(f * (1 - f) / n) + 1.0 / n);
        if (in < 100) continue;
        // statistics: coordinates of points in the ball scatter by less than R
        CHECK(fr_distance(o.centroid, fr_scale(1.0 / in, sum)) < 5 * sqrt(3.0) * R / sqrt(in));
    }
}

// dV = push.e when the ball moves by e: the force is the gradient of the overlap       (M10)
TEST(ball_derivative) {
    FrRandom r = fr_random_for(7, "clip", 0);
    int tested = 0;
    for (int k = 0; k < 2000; k++) {
        FrVec3 x[4], c = random_vec(&r, -0.5, 1.5);
        random_tet(&r, fr_vec3_zero, x);
        double R = fr_random_range(&r, 0.1, 3.0), step = 1e-5;
        FrVec3 e = fr_scale(step, fr_normalize(random_vec(&r, -1, 1)));
        FrClipTet tet = make(x, fr_vec3_zero);
        FrOverlap o, plus, minus;
        if (!fr_overlap_tet_sphere(&tet, c, R, &o) || o.volume < 1e-4) continue;
        CHECK(fr_overlap_tet_sphere(&tet, fr_add(c, e), R, &plus));
        CHECK(fr_overlap_tet_sphere(&tet, fr_sub(c, e), R, &minus));
        // the slope changes over the step where the sphere passes a corner, as the tet's sections
        // do
        CHECK_NEAR((plus.volume - minus.volume) / (2 * step), fr_dot(e, o.push) / step, 1e-6);
        CHECK(inside(&tet, o.centroid) && fr_distance(o.centroid, c) < R);
        CHECK(fr_length(o.push) <= o.area);
        tested++;
    }
    CHECK(tested > 500);
}

// centres on faces, edges and corners: the ball is shared among the eight tets round a corner
TEST(ball_on_corners) {
    static const double at[5][3] = {{0, 0, 0}, {0.2, 0, 0}, {0.2, 0.1, 0}, {0, 0, 0.3}, {1, 0, 0}};
    for (int k = 0; k < 5; k++) {
        FrVec3 centre = fr_vec3(at[k][0], at[k][1], at[k][2]);
        double R = k == 4 ? 1.2 : 0.3, shared = 0.0;
        for (int s = 0; s < 8; s++) {
            FrVec3 x[4] = {
                {0, 0, 0}, {s & 1 ? -1 : 1, 0, 0}, {0, s & 2 ? -1 : 1, 0}, {0, 0, s & 4 ? -1 : 1}};
            FrClipTet tet = make(x, fr_vec3_zero);
            FrOverlap o;
            if (fr_overlap_tet_sphere(&tet, centre, R, &o)) shared += o.volume;
        }
        // model: the centre is moved off by 1e-7 of R
        if (k < 4) CHECK_CLOSE(shared, 4.0 / 3 * FR_PI * R * R * R, 1e-6);
        // a ball round a corner of the octahedron: within its half, by points on a grid
        if (k == 4) {
            double in = 0, n = 100;
            for (int i = 0; i < n * n * n; i++) {
                double x = (i % 100 + 0.5) / n, y = (i / 100 % 100 + 0.5) / n * 2 - 1,
                       z = (i / 10000 + 0.5) / n * 2 - 1;
                for (int side = -1; side <= 1; side += 2) {
                    double d = side * x - 1;
                    in += x + fabs(y) + fabs(z) < 1 && d * d + y * y + z * z < R * R;
                }
            }
            // statistics: a grid of points, surface 7, cells 0.01 by 0.02 by 0.02
            CHECK_NEAR(shared, in * 4 / (n * n * n), 2e-3);
        }
    }
}

// a large ball on a fine mesh: the pieces of all tets together are the cap, shallow or deep,
// wherever it lands
static void ball_on_mesh(double R, double h, double depth, FrVec3 at, FrQuat q, double *volume,
                         FrVec3 *lift) {
    static const int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    FrVec3 centre = fr_quat_rotate(q, fr_vec3(at.x, at.y, R - depth));
    *volume = 0;
    *lift = fr_vec3_zero;
    int wide = (int)(sqrt(2 * R * depth) / h) + 2, deep = (int)(depth / h) + 1;
    for (int x = -wide; x < wide; x++)
        for (int y = -wide; y < wide; y++)
            for (int z = -deep; z < 0; z++)
                for (int k = 0; k < 6; k++) {
                    double to[3] = {x * h, y * h, z * h};
                    FrVec3 p[4];
                    p[0] = fr_vec3(to[0], to[1], to[2]);
                    for (int i = 0; i < 3; i++) {
                        to[path[k][i]] += h;
                        p[i + 1] = fr_vec3(to[0], to[1], to[2]);
                    }
                    FrClipTet tet;
                    fr_clip_tet_init(&tet, fr_quat_rotate(q, p[0]), fr_quat_rotate(q, p[1]),
                                     fr_quat_rotate(q, p[2]), fr_quat_rotate(q, p[3]), 15);
                    FrOverlap o;
                    if (!fr_overlap_tet_sphere(&tet, centre, R, &o)) continue;
                    *volume += o.volume;
                    *lift = fr_add(*lift, o.push);
                }
}

TEST(ball_on_fine_mesh) {
    FrRandom r = fr_random_for(6, "clip", 0);
    for (int round = 0; round < 16; round++) {
        // flat: a ball of 150 edges, seen as tangent planes
        bool flat = round >= 12;
        double R = 1.0, h = flat ? 1.0 / 260 : 0.25,
               depth = flat        ? h * (round - 11)
                       : round < 4 ? 0.03
                       : round < 8 ? 0.1
                                   : 0.3;
        FrVec3 at = random_vec(&r, -0.5 * h, 0.5 * h), lift;
        FrQuat q = fr_quat_from_rotation(random_vec(&r, -2, 2)); // the mesh is turned under it
        double volume, exact = FR_PI * depth * depth * (3 * R - depth) / 3;
        ball_on_mesh(R, h, depth, at, q, &volume, &lift);
        // model: what is left out per tet is 1e-13 R^3; tangent planes stand off by 1/800 edge, on
        // the mean by far less
        double within = flat ? 2e-4 : 1e-10;
        CHECK_CLOSE(volume, exact, within);
        FrVec3 n = fr_quat_rotate(q, fr_vec3(0, 0, -1));
        double circle = FR_PI * depth * (2 * R - depth);
        CHECK_NEAR(fr_dot(lift, n) / circle, 1.0, within);
        CHECK(fr_length(fr_axpy(-fr_dot(lift, n), n, lift)) < within * circle);
    }
}

TEST(ball_on_plane_and_ball) {
    // rounding: closed forms of numbers of order 1
    FrOverlap o, p;
    CHECK(fr_overlap_sphere_plane(fr_vec3(1, 2, 0.5), 1.0, fr_vec3(0, 0, 1), 0.0, &o));
    CHECK_CLOSE(o.volume, FR_PI * 0.25 * 2.5 / 3, 1e-14);
    CHECK_CLOSE(o.push.z, FR_PI * 0.75, 1e-14);
    CHECK(!fr_overlap_sphere_plane(fr_vec3(1, 2, 1.5), 1.0, fr_vec3(0, 0, 1), 0.0, &o));
    // two equal balls a distance 1 apart: two caps of height 1/2
    CHECK(fr_overlap_sphere_sphere(fr_vec3(0, 0, 1), 1.0, fr_vec3_zero, 1.0, &o));
    CHECK_CLOSE(o.volume, 2 * FR_PI * 0.25 * 2.5 / 3, 1e-14);
    CHECK_NEAR(o.centroid.z, 0.5, 1e-15);
    CHECK(o.push.z > 0.0);
    // unequal: d V / d(distance) = -circle area
    double e = 1e-6;
    CHECK(fr_overlap_sphere_sphere(fr_vec3(0, 0, 1.3), 0.5, fr_vec3_zero, 1.0, &o));
    CHECK(fr_overlap_sphere_sphere(fr_vec3(0, 0, 1.3 - e), 0.5, fr_vec3_zero, 1.0, &p));
    CHECK_CLOSE((p.volume - o.volume) / e, o.push.z, 1e-4); // step of 1e-6 in a depth of 0.2
    CHECK(fr_overlap_sphere_sphere(fr_vec3(0, 0, 0.3), 0.5, fr_vec3_zero, 1.0, &o));
    CHECK_CLOSE(o.volume, FR_PI / 6, 1e-14);
    CHECK(!fr_overlap_sphere_sphere(fr_vec3(0, 0, 1.6), 0.5, fr_vec3_zero, 1.0, &o));
}

static FrClipTet open_tet(const FrVec3 p[4], bool turned, uint8_t open) {
    FrClipTet tet;
    // corners 2 and 3 exchanged, and the faces opposite them with them
    uint8_t exchanged = (uint8_t)((open & 3) | (open & 4) << 1 | (open & 8) >> 1);
    if (turned)
        fr_clip_tet_init(&tet, p[0], p[1], p[3], p[2], exchanged);
    else
        fr_clip_tet_init(&tet, p[0], p[1], p[2], p[3], open);
    return tet;
}

// open faces part tets, each by its share: all of them as the gradient of the volume does, none not
// at all, however the corners are named
TEST(open_faces_part) {
    FrRandom r = fr_random_for(11, "open", 0);
    int seen = 0;
    for (int k = 0; k < 400; k++) {
        FrVec3 p[4], q[4], sum = fr_vec3_zero;
        for (int i = 0; i < 4; i++) p[i] = random_vec(&r, -1, 1), q[i] = random_vec(&r, -1, 1);
        FrClipTet a = open_tet(p, k & 1, 15), b = open_tet(q, k & 2, 15);
        FrOverlap all, part;
        if (!fr_overlap_tet_tet(&a, &b, &all, NULL)) continue;
        seen++;
        // rounding: sums of some 20 terms
        CHECK(fr_distance(all.apart, all.push) < 1e-12 * all.area);
        for (int f = 0; f < 8; f++) {
            a = open_tet(p, k & 1, f < 4 ? (uint8_t)(1 << f) : 0);
            b = open_tet(q, k & 2, f < 4 ? 0 : (uint8_t)(1 << (f - 4)));
            CHECK(fr_overlap_tet_tet(&a, &b, &part, NULL));
            sum = fr_add(sum, part.apart);
            FrClipTet other = open_tet(p, !(k & 1), f < 4 ? (uint8_t)(1 << f) : 0);
            FrOverlap same;
            CHECK(fr_overlap_tet_tet(&other, &b, &same, NULL));
            CHECK(fr_distance(same.apart, part.apart) < 1e-12 * all.area);
        }
        CHECK(fr_distance(sum, all.push) < 1e-12 * all.area);
        a = open_tet(p, k & 1, 0), b = open_tet(q, k & 2, 0);
        CHECK(fr_overlap_tet_tet(&a, &b, &part, NULL) && fr_length(part.apart) == 0.0);
    }
    CHECK(seen > 100);
}

// a tet that shares 0 to 3 corners with x, all but
static void random_neighbour(FrRandom *r, const FrVec3 x[4], int shared, FrVec3 y[4]) {
    random_tet(r, random_vec(r, -0.7, 0.7), y);
    double off = pow(10.0, fr_random_range(r, -8, -1));
    for (int i = 0; i < shared; i++) y[i] = fr_add(x[i], random_vec(r, -off, off));
}

// each corner goes as far as it may, somewhere, or all of them the same way
static FrClipTet gone(FrRandom *r, const FrVec3 x[4], double far, const FrVec3 *way) {
    FrVec3 to[4];
    for (int i = 0; i < 4; i++)
        to[i] = fr_axpy(far, way ? *way : fr_normalize(random_vec(r, -1, 1)), x[i]);
    return make(to, fr_vec3_zero);
}

// cut by hand: is it less than what counts?
static bool shares_nothing(const FrClipTet *a, const FrClipTet *b) {
    FrClipPoly poly;
    FrClipMeasure m = {0};
    double edge = fr_min(a->edge, b->edge);
    if (fr_box_gap(a->box, b->box) > 0.0 || !intersect(a, b, &poly)) return true;
    fr_clip_measure(&poly, &m);
    return m.volume < 1e-12 * edge * edge * edge;
}

static bool deep_in(const FrClipTet *a, const FrClipTet *b) {
    bool parted = fr_box_gap(a->box, b->box) > 0.0;
    for (int face = 0; face < 8; face++) {
        const FrClipTet *by = face < 4 ? a : b, *tet = face < 4 ? b : a;
        FrClipPlane plane = fr_clip_tet_face(by, face & 3);
        double least = HUGE_VAL;
        for (int i = 0; i < 4; i++)
            least = fr_min(least, fr_dot(plane.n, fr_clip_tet_corner(tet, i)) - plane.c);
        parted |= least >= -plane.tolerance;
    }
    return !parted;
}

// tets that are known to stay apart do, wherever their corners go; also such as are a little in
// each other, at a corner
TEST(stays_apart) {
    FrRandom r = fr_random_for(12, "stay", 0);
    int seen = 0, deep = 0;
    for (int k = 0; k < 20000; k++) {
        FrVec3 x[4], y[4];
        random_tet(&r, fr_vec3_zero, x);
        random_neighbour(&r, x, k & 3, y);
        FrClipTet a = make(x, fr_vec3_zero), b = make(y, fr_vec3_zero);
        FrOverlap o;
        FrClipGap gap = {0.0, 0};
        if (fr_overlap_tet_tet(&a, &b, &o, &gap)) continue;
        CHECK(shares_nothing(&a, &b));
        if (!(gap.stay > 0.0)) continue;
        seen++;
        deep += deep_in(&a, &b);
        for (int i = 0; i < 10; i++) {
            double of_a = i < 5 ? gap.stay * fr_random_range(&r, 0, 1) : 0.0;
            FrVec3 way = fr_normalize(random_vec(&r, -1, 1));
            FrClipTet to = gone(&r, x, of_a, NULL);
            FrClipTet other = gone(&r, y, gap.stay - of_a, i < 5 ? NULL : &way);
            CHECK(shares_nothing(&to, &other));
            FrClipGap again = gap;
            CHECK(!fr_overlap_tet_tet(&to, &other, &o, &again));
        }
    }
    CHECK(seen > 5000);
    CHECK(deep > 100);
}
