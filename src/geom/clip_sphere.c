// clip_sphere.c: what a ball shares with a tet, a half-space or another ball [S6 s. 5.2.2, M10].

#include "geom/clip.h"

// x^(1/3) for x near 1, by Newton: the same bits everywhere
static double cube_root(double x) {
    double r = 1.0;
    for (int k = 0; k < 40; k++) r = (2.0 * r + x / (r * r)) / 3.0;
    return r;
}

static void icosahedron(FrVec3 v[12]) {
    double g = 0.5 * (1.0 + sqrt(5.0));
    int at = 0;
    for (int s = 0; s < 4; s++) {
        double one = s & 1 ? -1.0 : 1.0, phi = s & 2 ? -g : g;
        v[at++] = fr_normalize(fr_vec3(0.0, one, phi));
        v[at++] = fr_normalize(fr_vec3(one, phi, 0.0));
        v[at++] = fr_normalize(fr_vec3(phi, 0.0, one));
    }
}

// four planes per face: the corners' three and the middle one; returns the volume below them
static double subdivide(FrClipBall *ball, int at, FrVec3 a, FrVec3 b, FrVec3 c) {
    if (fr_dot(fr_cross(fr_sub(b, a), fr_sub(c, a)), a) < 0.0) {
        FrVec3 swap = b;
        b = c, c = swap;
    }
    FrVec3 ab = fr_normalize(fr_add(a, b)), bc = fr_normalize(fr_add(b, c)),
           ca = fr_normalize(fr_add(c, a));
    const FrVec3 tri[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
    double volume = 0.0;
    for (int k = 0; k < 4; k++) {
        FrVec3 n2 = fr_cross(fr_sub(tri[k][1], tri[k][0]), fr_sub(tri[k][2], tri[k][0]));
        ball->n[at + k] = fr_normalize(n2);
        ball->c[at + k] = fr_dot(ball->n[at + k], tri[k][0]);
        volume += fr_dot(n2, tri[k][0]) / 6.0;
    }
    return volume;
}

void fr_clip_ball_init(FrClipBall *ball) {
    FrVec3 v[12];
    icosahedron(v);
    // neighbours of an icosahedron of radius 1 are 1.0515 apart, the others 1.7 and 2
    int at = 0;
    double volume = 0.0;
    for (int i = 0; i < 12; i++)
        for (int j = i + 1; j < 12; j++)
            for (int k = j + 1; k < 12; k++) {
                if (fr_distance(v[i], v[j]) > 1.1 || fr_distance(v[j], v[k]) > 1.1 ||
                    fr_distance(v[k], v[i]) > 1.1)
                    continue;
                volume += subdivide(ball, at, v[i], v[j], v[k]);
                at += 4;
            }
    double scale = cube_root(4.0 / 3.0 * FR_PI / volume);
    for (int k = 0; k < 80; k++) ball->c[k] *= scale;
}

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

// the closed forms: whole ball inside, or a cap under one face that stays clear of the other three
static bool ball_exact(const FrClipTet *tet, FrVec3 centre, double R, FrOverlap *overlap) {
    FrVec3 unit[4];
    double d[4];
    int deepest = 0;
    for (int k = 0; k < 4; k++) {
        double len = fr_length(tet->face[k].n);
        unit[k] = fr_scale(1.0 / len, tet->face[k].n);
        d[k] = (fr_dot(tet->face[k].n, centre) - tet->face[k].c) / len;
        if (d[k] > d[deepest]) deepest = k;
    }
    if (d[deepest] <= -R) {
        overlap->volume = 4.0 / 3.0 * FR_PI * R * R * R;
        overlap->centroid = centre;
        overlap->push = fr_vec3_zero;
        overlap->area = 4.0 * FR_PI * R * R;
        return true;
    }
    for (int k = 0; k < 4; k++) {
        if (k == deepest) continue;
        if (d[k] + cap_support(R, unit[deepest], d[deepest], unit[k]) > 0.0) return false;
    }
    take_cap(centre, R, unit[deepest], d[deepest], overlap);
    overlap->push = fr_neg(overlap->push); // the tet is the first solid
    return true;
}

static bool ball_misses(const FrClipTet *tet, FrVec3 centre, double R) {
    FrVec3 reach = {R, R, R};
    FrBox box = {fr_sub(centre, reach), fr_add(centre, reach)};
    if (!fr_box_overlaps(tet->box, box)) return true;
    for (int k = 0; k < 4; k++) {
        double d = fr_dot(tet->face[k].n, centre) - tet->face[k].c;
        if (d >= 0.0 && d * d >= R * R * fr_length2(tet->face[k].n)) return true;
    }
    return false;
}

#define FAN 19

// Planes that follow the ball where a tet sees it, for a tet that sees it narrowly: a hexagonal
// grid of directions on the tangent plane, out to the tet's corners. A tangent plane stands off the
// ball by r^2/2 R at the angle r, on the mean over its hexagon by 5/72 s^2 R, s the spacing: the
// planes are moved in by that. Departs from M10, whose 80 planes for the whole ball stand off by up
// to 4 % of R: a sheet on a ball would show them. Returns 0 where the tet sees the ball widely.
static int fan_planes(const FrClipTet *tet, FrVec3 centre, double R, FrClipPlane plane[FAN]) {
    static const double at[FAN][2] = {{0, 0},
                                      {0.5, 0},
                                      {0.25, 0.4330127018922193},
                                      {-0.25, 0.4330127018922193},
                                      {-0.5, 0},
                                      {-0.25, -0.4330127018922193},
                                      {0.25, -0.4330127018922193},
                                      {1, 0},
                                      {0.75, 0.4330127018922193},
                                      {0.5, 0.8660254037844386},
                                      {0, 0.8660254037844386},
                                      {-0.5, 0.8660254037844386},
                                      {-0.75, 0.4330127018922193},
                                      {-1, 0},
                                      {-0.75, -0.4330127018922193},
                                      {-0.5, -0.8660254037844386},
                                      {0, -0.8660254037844386},
                                      {0.5, -0.8660254037844386},
                                      {0.75, -0.4330127018922193}};
    FrVec3 corner[4], sum = fr_vec3_zero;
    for (int k = 0; k < 4; k++) {
        corner[k] = fr_sub(fr_clip_tet_corner(tet, k), centre);
        sum = fr_add(sum, corner[k]);
    }
    FrVec3 axis = fr_normalize(sum);
    double narrowest = 1.0;
    for (int k = 0; k < 4; k++)
        narrowest = fr_min(narrowest, fr_dot(axis, corner[k]) / fr_length(corner[k]));
    if (!(narrowest > 0.8)) return 0; // 37 degrees
    // the outer ring lies at 4/5 of the corners' angle: its hexagons reach them
    double reach = 0.8 * sqrt(1.0 - narrowest * narrowest) / narrowest, spacing = 0.5 * reach;
    FrVec3 u = fr_any_normal(axis), v = fr_cross(axis, u);
    for (int k = 0; k < FAN; k++) {
        FrVec3 side = fr_axpy(at[k][0], u, fr_scale(at[k][1], v));
        FrVec3 n = fr_axpy(reach, side, axis);
        double len2 = fr_length2(n), len = sqrt(len2);
        n = fr_scale(1.0 / len, n);
        // directions crowd by 1/len^3 in area away from the axis
        double in = 5.0 / 72.0 * spacing * spacing / (len2 * len);
        plane[k] = (FrClipPlane){n, fr_dot(n, centre) + R * (1.0 - in), 1e-9 * tet->edge};
    }
    return FAN;
}

static int ball_planes(const FrClipBall *ball, FrVec3 centre, double R, double edge,
                       FrClipPlane plane[80]) {
    for (int k = 0; k < 80; k++)
        plane[k] =
            (FrClipPlane){ball->n[k], fr_dot(ball->n[k], centre) + R * ball->c[k], 1e-9 * edge};
    return 80;
}

bool fr_overlap_tet_sphere(const FrClipTet *tet, FrVec3 centre, double radius,
                           const FrClipBall *ball, FrOverlap *overlap) {
    if (!(tet->volume > 0.0) || ball_misses(tet, centre, radius)) return false;
    double edge = fr_min(tet->edge, 2.0 * radius), least = 1e-12 * edge * edge * edge;
    if (ball_exact(tet, centre, radius, overlap)) return overlap->volume > least;
    FrClipPlane plane[80];
    int count = fan_planes(tet, centre, radius, plane);
    if (!count) count = ball_planes(ball, centre, radius, edge, plane);
    FrClipPoly poly[2];
    int now = 0;
    fr_clip_tet_poly(tet, &poly[0]);
    for (int k = 0; k < count; k++) {
        FrClipResult result = fr_clip(&poly[now], &plane[k], &poly[!now]);
        if (result == FR_CLIP_EMPTY) return false;
        if (result == FR_CLIP_CUT) now = !now;
    }
    FrClipMeasure measure;
    fr_clip_measure(&poly[now], &measure);
    overlap->volume = measure.volume;
    overlap->centroid = measure.centroid;
    overlap->push = fr_neg(measure.normal[FR_CLIP_A]);
    overlap->area = measure.area;
    return measure.volume > least;
}

bool fr_overlap_sphere_plane(FrVec3 centre, double radius, FrVec3 n, double offset,
                             FrOverlap *overlap) {
    double above = fr_dot(n, centre) - offset;
    if (!(above < radius)) return false;
    if (above <= -radius) { // wholly inside: no cut circle, the plane still says which way is out
        overlap->volume = 4.0 / 3.0 * FR_PI * radius * radius * radius;
        overlap->centroid = centre;
        overlap->push = fr_vec3_zero;
        overlap->area = 4.0 * FR_PI * radius * radius;
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
        double r = fr_min(ra, rb);
        overlap->volume = 4.0 / 3.0 * FR_PI * r * r * r;
        overlap->centroid = ra < rb ? ca : cb;
        overlap->push = fr_vec3_zero;
        overlap->area = 4.0 * FR_PI * r * r;
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
