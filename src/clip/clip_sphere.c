// clip_sphere.c: what a ball shares with a tet, a half-space or another ball [S6 s. 5.2.2, M10].

#include "clip/clip.h"

// V = pi h^2 (3R-h)/3; its centroid lies 3(2R-h)^2 / (4(3R-h)) from the centre of the ball (M10)
static double cap_volume(double R, double h) { return FR_PI * h * h * (3.0 * R - h) / 3.0; }
static double cap_centroid(double R, double h) {
    double w = 2.0 * R - h;
    return 3.0 * w * w / (4.0 * (3.0 * R - h));
}

// the part of a ball below a plane at signed distance `above` under its centre; n unit, away from
// the part
static void take_cap(FrVec3 centre, double R, FrVec3 n, double above, FrOverlap *overlap) {
    double h = R - above, circle = FR_PI * (R * R - above * above);
    overlap->volume = cap_volume(R, h);
    overlap->centroid = fr_axpy(-cap_centroid(R, h), n, centre);
    overlap->push = fr_scale(circle, n);
    overlap->area = circle + 2.0 * FR_PI * R * h;
}

// largest m.(x - centre) over the cap {|x - centre| <= R, n.(x - centre) <= -above}; m, n unit
static double cap_support(double R, FrVec3 n, double above, FrVec3 m) {
    double along = fr_dot(m, n);
    if (-along * R >= above) return R; // the ball's own extreme point is in the cap
    double circle2 = R * R - above * above, across2 = 1.0 - along * along;
    return -above * along + sqrt(fr_max(circle2, 0.0) * fr_max(across2, 0.0));
}

/// A tet seen from the centre of the ball.
typedef struct View {
    double R;         ///< m
    FrVec3 p[4];      ///< corners, from the centre, m
    double r[4];      ///< their distances, m
    int inside;       ///< how many of them are within the ball
    FrVec3 n[4];      ///< unit, out of the tet; face i is opposite corner i
    double h[4];      ///< n.x on the face, m: > 0 where the centre is behind it
    FrVec3 in[6][2];  ///< the part of each edge within the ball, from its first corner on
    double len[6][2]; ///< |in|
    bool cut[6];      ///< there is such a part
} View;

// the edges, and those of each face, counter-clockwise seen from outside
static const uint8_t edge_corner[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const uint8_t face_corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
static const uint8_t face_edge[4][3] = {{3, 5, 4}, {2, 5, 1}, {0, 4, 2}, {1, 3, 0}};

// false: a plane across the line from the centre to the middle of the tet parts the two
static bool look_at_corners(View *view, const FrClipTet *tet, FrVec3 centre, double R) {
    FrVec3 reach = {R, R, R}, sum = fr_vec3_zero;
    FrBox box = {fr_sub(centre, reach), fr_add(centre, reach)};
    if (!fr_box_overlaps(tet->box, box)) return false;
    for (int k = 0; k < 4; k++) {
        view->p[k] = fr_sub(fr_clip_tet_corner(tet, k), centre);
        sum = fr_add(sum, view->p[k]);
    }
    double nearest = HUGE_VAL;
    for (int k = 0; k < 4; k++) nearest = fr_min(nearest, fr_dot(sum, view->p[k]));
    if (nearest > 0.0 && nearest * nearest >= R * R * fr_length2(sum)) return false;
    view->R = R;
    view->inside = 0;
    for (int k = 0; k < 4; k++) {
        view->r[k] = fr_length(view->p[k]);
        view->inside += view->r[k] <= R;
    }
    return true;
}

// false: a face parts the two
static bool look_at_planes(View *view, const FrClipTet *tet) {
    for (int k = 0; k < 4; k++) {
        view->n[k] = fr_normalize(fr_clip_tet_face(tet, k).n);
        view->h[k] = fr_dot(view->n[k], view->p[face_corner[k][0]]);
        if (view->h[k] <= -view->R) return false;
    }
    return true;
}

static void take_ball(FrVec3 centre, double R, FrOverlap *overlap) {
    overlap->volume = 4.0 / 3.0 * FR_PI * R * R * R;
    overlap->centroid = centre;
    overlap->push = fr_vec3_zero;
    overlap->area = 4.0 * FR_PI * R * R;
}

static void take_tet(const FrClipTet *tet, FrVec3 centre, const View *view, FrOverlap *overlap) {
    FrVec3 sum = fr_vec3_zero;
    overlap->area = 0.0;
    for (int k = 0; k < 4; k++) {
        sum = fr_add(sum, view->p[k]);
        overlap->area += 0.5 * fr_length(fr_clip_tet_face(tet, k).n);
    }
    overlap->volume = tet->volume;
    overlap->centroid = fr_axpy(0.25, sum, centre);
    overlap->push = fr_vec3_zero;
}

// the ball inside the tet, or a cap of it under one face that stays clear of the others
static bool one_face_or_none(const View *view, FrVec3 centre, FrOverlap *overlap) {
    double R = view->R;
    int nearest = 0;
    for (int k = 1; k < 4; k++)
        if (view->h[k] < view->h[nearest]) nearest = k;
    if (view->h[nearest] >= R) {
        take_ball(centre, R, overlap);
        return true;
    }
    for (int k = 0; k < 4; k++)
        if (k != nearest &&
            cap_support(R, view->n[nearest], -view->h[nearest], view->n[k]) > view->h[k])
            return false;
    take_cap(centre, R, view->n[nearest], -view->h[nearest], overlap);
    overlap->push = fr_neg(overlap->push); // the tet is the first solid
    return true;
}

// |a + t (b - a)| = R: the part of each edge within the ball
static void cut_edges(View *view) {
    for (int e = 0; e < 6; e++) {
        int i = edge_corner[e][0], j = edge_corner[e][1];
        FrVec3 a = view->p[i], along = fr_sub(view->p[j], a);
        double A = fr_length2(along), B = fr_dot(a, along),
               C = (view->r[i] - view->R) * (view->r[i] + view->R), D = B * B - A * C;
        view->cut[e] = false;
        if (!(D > 0.0)) continue;
        // the root that does not cancel first
        double q = B > 0.0 ? -B - sqrt(D) : -B + sqrt(D), far = q / A, near = C / q;
        double t0 = fr_min(near, far), t1 = fr_max(near, far);
        if (!(t0 < 1.0 && t1 > 0.0)) continue;
        view->cut[e] = true;
        view->in[e][0] = t0 > 0.0 ? fr_axpy(t0, along, a) : a;
        view->in[e][1] = t1 < 1.0 ? fr_axpy(t1, along, a) : view->p[j];
        view->len[e][0] = t0 > 0.0 ? view->R : view->r[i];
        view->len[e][1] = t1 < 1.0 ? view->R : view->r[j];
    }
}

/// What one face shares with the ball; the foot is the point of its plane nearest to the centre.
typedef struct Face {
    FrVec3 n;
    double h, disc2; ///< disc2: squared radius of the circle in which the plane meets the ball
    double area;     ///< m^2
    double angle;    ///< solid angle seen from the centre
    double moment;   ///< integral of (R^2 - |x|^2)/2, m^4
} Face;

// the triangle foot, a, b, all of it in the ball; tan(angle/2) = n.(a x b) / (|a||b| + |h|(|a| +
// |b|) + a.b) [Van Oosterom & Strackee 1983, with the foot as third corner]
static void add_triangle(Face *f, FrVec3 a, double la, FrVec3 b, double lb) {
    double twice = fr_dot(f->n, fr_cross(a, b)), h = fabs(f->h), ab = fr_dot(a, b);
    f->area += 0.5 * twice;
    f->angle += 2.0 * atan2(twice, la * lb + h * (la + lb) + ab);
    double sum = la * la + lb * lb + ab - 3.0 * h * h; // a.a + b.b + a.b in the plane
    f->moment += 0.25 * twice * (f->disc2 - sum / 6.0);
}

// the sector of the disc under a piece of edge that lies outside it
static void add_sector(Face *f, double R, FrVec3 a, FrVec3 b) {
    double turn = atan2(fr_dot(f->n, fr_cross(a, b)), fr_dot(a, b) - f->h * f->h);
    f->area += 0.5 * turn * f->disc2;
    f->angle += turn * (1.0 - fabs(f->h) / R);
    f->moment += 0.125 * turn * f->disc2 * f->disc2;
}

static void add_edge(Face *f, const View *view, int e, int from, int to) {
    FrVec3 a = view->p[from], b = view->p[to];
    if (!view->cut[e]) {
        add_sector(f, view->R, a, b);
        return;
    }
    int first = from != edge_corner[e][0];
    FrVec3 u = view->in[e][first], v = view->in[e][!first];
    if (view->r[from] > view->R) add_sector(f, view->R, a, u);
    add_triangle(f, u, view->len[e][first], v, view->len[e][!first]);
    if (view->r[to] > view->R) add_sector(f, view->R, v, b);
}

// triangle and circle in one plane
static bool look_at_face(const View *view, int k, Face *f) {
    double h = view->h[k], R = view->R;
    if (!(fabs(h) < R)) return false;
    *f = (Face){.n = view->n[k], .h = h, .disc2 = (R - h) * (R + h)};
    const uint8_t *edge = face_edge[k], *corner = face_corner[k];
    if (!view->cut[edge[0]] && !view->cut[edge[1]] && !view->cut[edge[2]]) {
        // all of the disc or nothing
        for (int i = 0; i < 3; i++) {
            FrVec3 a = view->p[corner[i]], b = view->p[corner[(i + 1) % 3]];
            if (!(fr_dot(f->n, fr_cross(a, b)) > 0.0)) return false;
        }
        f->area = FR_PI * f->disc2;
        f->angle = 2.0 * FR_PI * (1.0 - fabs(h) / R);
        f->moment = 0.25 * FR_PI * f->disc2 * f->disc2;
        return true;
    }
    for (int i = 0; i < 3; i++) add_edge(f, view, edge[i], corner[i], corner[(i + 1) % 3]);
    return true;
}

// With the centre of the ball as origin, A_k the part of face k within the ball and S the part of
// the sphere within the tet (both by the divergence theorem):
//
//     V = 1/3 (sum_k h_k |A_k| + R |S|),   int x dV = -sum_k n_k int_{A_k} (R^2 - |x|^2)/2 dA
//     |S| = R^2 (4 pi if the centre is inside - sum_k sign(h_k) angle(A_k))
//
// Departs from M10, whose 80 planes for the ball are off by up to 4 % of R and cost ten times more.
static void take_view(View *view, FrVec3 centre, FrOverlap *overlap) {
    double R = view->R, sphere = 4.0 * FR_PI, volume = 0.0, area = 0.0;
    FrVec3 moment = fr_vec3_zero, push = fr_vec3_zero;
    cut_edges(view);
    for (int k = 0; k < 4; k++)
        if (!(view->h[k] > 0.0)) sphere = 0.0;
    for (int k = 0; k < 4; k++) {
        Face f;
        if (!look_at_face(view, k, &f)) continue;
        sphere -= f.h > 0.0 ? f.angle : -f.angle;
        volume += f.h * f.area;
        area += f.area;
        moment = fr_axpy(-f.moment, f.n, moment);
        push = fr_axpy(-f.area, f.n, push);
    }
    overlap->volume = (volume + R * R * R * sphere) / 3.0;
    overlap->centroid = fr_axpy(1.0 / overlap->volume, moment, centre);
    overlap->push = push;
    overlap->area = area + R * R * sphere;
}

#define FLAT 100.0 // radii in edges

// A ball so large that it bends by less than 1/800 edge across the tet is its tangent plane at the
// middle of the tet, moved in by the mean of what it bends: the sums of take_view, of size R^3,
// would leave too few digits. For a tet, mean of |x - middle|^2 = sum |p_k - middle|^2 / 20.
static bool overlap_flat(const FrClipTet *tet, FrVec3 centre, const View *view,
                         FrOverlap *overlap) {
    FrVec3 middle = fr_vec3_zero;
    for (int k = 0; k < 4; k++) middle = fr_axpy(0.25, view->p[k], middle);
    FrVec3 n = fr_normalize(middle);
    double across2 = 0.0;
    for (int k = 0; k < 4; k++) {
        FrVec3 p = fr_sub(view->p[k], middle);
        double along = fr_dot(n, p);
        across2 += (fr_length2(p) - along * along) / 20.0;
    }
    double reach = view->R - 0.5 * across2 / view->R;
    return fr_overlap_tet_plane(tet, n, fr_dot(n, centre) + reach, overlap);
}

static FrVec3 within(FrBox box, FrVec3 x) {
    return fr_vec3(fr_clamp(x.x, box.lo.x, box.hi.x), fr_clamp(x.y, box.lo.y, box.hi.y),
                   fr_clamp(x.z, box.lo.z, box.hi.z));
}

// where two faces meet, the angles at which they are seen from there are undefined: a centre there
// looks from a little further in, which changes volumes by 1e-7 of R area
static void step_off_edges(View *view) {
    int on = 0;
    FrVec3 sum = fr_vec3_zero;
    for (int k = 0; k < 4; k++) {
        on += fabs(view->h[k]) < 1e-8 * view->R;
        sum = fr_add(sum, view->p[k]);
    }
    if (on < 2) return;
    FrVec3 step = fr_scale(-1e-7 * view->R, fr_normalize(sum));
    for (int k = 0; k < 4; k++) {
        view->p[k] = fr_add(view->p[k], step);
        view->r[k] = fr_length(view->p[k]);
    }
    for (int k = 0; k < 4; k++) view->h[k] = fr_dot(view->n[k], view->p[face_corner[k][0]]);
}

bool fr_overlap_tet_sphere(const FrClipTet *tet, FrVec3 centre, double radius, FrOverlap *overlap) {
    View view;
    if (!(tet->volume > 0.0) || !look_at_corners(&view, tet, centre, radius)) return false;
    double edge = fr_min(tet->edge, 2.0 * radius), least = 1e-12 * edge * edge * edge;
    if (view.inside == 4) {
        take_tet(tet, centre, &view, overlap);
        return true;
    }
    if (!look_at_planes(&view, tet)) return false;
    if (!view.inside && one_face_or_none(&view, centre, overlap)) return overlap->volume > least;
    if (radius > FLAT * tet->edge) return overlap_flat(tet, centre, &view, overlap);
    step_off_edges(&view);
    take_view(&view, centre, overlap);
    // what rounding may leave of sums of size R^3
    least = fr_max(least, 1e-13 * radius * radius * radius);
    if (!(overlap->volume > least)) return false;
    overlap->centroid = within(tet->box, overlap->centroid);
    return true;
}

bool fr_overlap_sphere_plane(FrVec3 centre, double radius, FrVec3 n, double offset,
                             FrOverlap *overlap) {
    double above = fr_dot(n, centre) - offset;
    if (!(above < radius)) return false;
    if (above <= -radius) { // wholly inside: no cut circle, the plane still says which way is out
        take_ball(centre, radius, overlap);
        return true;
    }
    take_cap(centre, radius, n, above, overlap);
    return true;
}

// two caps back to back on the plane where both spheres meet
bool fr_overlap_sphere_sphere(FrVec3 ca, double ra, FrVec3 cb, double rb, FrOverlap *overlap) {
    FrVec3 ab = fr_sub(ca, cb);
    double d = fr_length(ab);
    if (!(d < ra + rb)) return false;
    if (d <= fabs(ra - rb)) { // one inside the other
        take_ball(ra < rb ? ca : cb, fr_min(ra, rb), overlap);
        return true;
    }
    FrVec3 n = fr_scale(1.0 / d, ab); // from b to a
    double from_a = (d * d + ra * ra - rb * rb) / (2.0 * d), from_b = d - from_a;
    FrOverlap of_a, of_b;
    take_cap(ca, ra, n, from_a, &of_a);
    take_cap(cb, rb, fr_neg(n), from_b, &of_b);
    overlap->volume = of_a.volume + of_b.volume;
    overlap->centroid =
        fr_scale(1.0 / overlap->volume,
                 fr_axpy(of_a.volume, of_a.centroid, fr_scale(of_b.volume, of_b.centroid)));
    overlap->push = of_a.push;
    overlap->area = of_a.area + of_b.area - 2.0 * fr_length(of_a.push);
    return true;
}
