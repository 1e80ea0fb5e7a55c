// clip_tet_loop.h: what a tet shares with a tet or a half-space, as a list of edges [S6
// s. 5.2.2, 5.3; K2].
//
// A polyhedron is a set of directed edges, each with the face on its left and the face on its right
// (seen from outside). Cutting by a plane shortens the edges that cross it; every face that is
// crossed gets one new edge, from where it is left to where it is entered again, with the new face
// on the other side. Nothing has to be searched, and only signs decide, so the edges stay closed.
// Compiled twice, with and without AVX2: same bits.
#pragma once
#include "clip/clip_tet.h"
#include "math/lanes.h"

#define FACES 8     // of the tet that is cut, then those that cut it
#define VERTICES 32 // 4, and at most as many per cut as there are faces: 4 + 5 + 6 + 7
#define EDGES 32    // 3 FACES - 6 at the end, and 12 while they are cut

typedef struct Edge {
    uint8_t from, to, left, right;
} Edge;

typedef struct Solid {
    int32_t vertex_count, edge_count;
    uint32_t alive;                               ///< bit per vertex
    double x[VERTICES], y[VERTICES], z[VERTICES]; ///< up to the next four of vertex_count
    Edge edge[EDGES];
} Solid;

static inline FrVec3 vertex(const Solid *s, int k) { return fr_vec3(s->x[k], s->y[k], s->z[k]); }

static void start(Solid *s, const FrClipTet *tet) {
    static const Edge edge[6] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                 {1, 2, 0, 3}, {2, 3, 0, 1}, {3, 1, 0, 2}};
    s->vertex_count = 4;
    s->edge_count = 6;
    s->alive = 15;
    fr_lane_store(s->x, fr_lane_load(tet->x));
    fr_lane_store(s->y, fr_lane_load(tet->y));
    fr_lane_store(s->z, fr_lane_load(tet->z));
    memcpy(s->edge, edge, sizeof edge);
}

// distances of the vertices, four at a time, dead ones too; those outside die
static FrClipResult classify(Solid *s, const FrClipPlane *plane, double d[VERTICES]) {
    FrLane zero = fr_lane_set(0.0), nearly = fr_lane_set(plane->tolerance);
    uint32_t inside = 0, outside = 0;
    for (int32_t k = 0; k < s->vertex_count; k += 4) {
        FrLane at = plane->n.x * fr_lane_load(s->x + k) + plane->n.y * fr_lane_load(s->y + k) +
                    plane->n.z * fr_lane_load(s->z + k) - plane->c;
        FrLaneMask out = at > nearly;
        inside |= (uint32_t)fr_lane_bits(at < -nearly) << k;
        outside |= (uint32_t)fr_lane_bits(out) << k;
        fr_lane_store(d + k, fr_lane_pick((at > zero) & ~out, zero, at));
    }
    if (!(inside & s->alive)) return FR_CLIP_EMPTY;
    uint32_t dead = outside & s->alive;
    s->alive &= ~dead;
    return dead ? FR_CLIP_CUT : FR_CLIP_WHOLE;
}

static uint8_t add_vertex(Solid *s, FrVec3 x) {
    int32_t k = s->vertex_count++;
    if (!(k & 3)) {
        fr_lane_store(s->x + k, fr_lane_set(0.0));
        fr_lane_store(s->y + k, fr_lane_set(0.0));
        fr_lane_store(s->z + k, fr_lane_set(0.0));
    }
    s->x[k] = x.x, s->y[k] = x.y, s->z[k] = x.z;
    s->alive |= 1u << k;
    return (uint8_t)k;
}

// which edges have an end that lives; bits of those with one only
static uint32_t living_edges(const Solid *s, uint32_t *crossing) {
    uint32_t any = 0, one = 0, alive = s->alive;
    for (int32_t k = 0; k < s->edge_count; k++) {
        uint32_t from = alive >> s->edge[k].from & 1, to = alive >> s->edge[k].to & 1;
        any |= (from | to) << k;
        one |= (from ^ to) << k;
    }
    *crossing = one;
    return any;
}

// shorten, drop or keep each edge; notes where faces are left and entered; returns the faces
// crossed
static uint32_t cut_edges(Solid *s, const double d[VERTICES], uint8_t leave[FACES],
                          uint8_t entry[FACES]) {
    uint32_t left = 0, entered = 0, alive = s->alive, crossing, any = living_edges(s, &crossing);
    for (; crossing && s->vertex_count < VERTICES; crossing &= crossing - 1) {
        Edge *e = &s->edge[__builtin_ctz(crossing)];
        bool from = alive >> e->from & 1;
        uint8_t in = from ? e->from : e->to, out = from ? e->to : e->from;
        uint8_t made =
            add_vertex(s, fr_lerp(vertex(s, in), vertex(s, out), d[in] / (d[in] - d[out])));
        uint8_t ahead = from ? e->left : e->right, back = from ? e->right : e->left;
        leave[ahead] = made, left |= 1u << ahead;
        entry[back] = made, entered |= 1u << back;
        e->from = from ? in : made;
        e->to = from ? made : in;
    }
    int32_t kept = 0, count = s->edge_count;
    for (int32_t k = 0; k < count; k++) {
        s->edge[kept] = s->edge[k];
        kept += any >> k & 1;
    }
    s->edge_count = kept;
    return left & entered;
}

static FrClipResult cut(Solid *s, const FrClipPlane *plane, uint8_t face) {
    double d[VERTICES];
    uint8_t leave[FACES], entry[FACES];
    FrClipResult result = classify(s, plane, d);
    if (result != FR_CLIP_CUT) return result;
    for (uint32_t crossed = cut_edges(s, d, leave, entry); crossed; crossed &= crossed - 1) {
        uint8_t f = (uint8_t)__builtin_ctz(crossed);
        if (s->edge_count < EDGES) s->edge[s->edge_count++] = (Edge){leave[f], entry[f], f, face};
    }
    return FR_CLIP_CUT;
}

/// Of each face: twice its area normal, and a corner to fan from. Of all: sums over their tets.
typedef struct Faces {
    FrVec3 normal2[FACES], base[FACES];
    uint32_t seen;
    double volume6; ///< six times the volume
    FrVec3 moment;  ///< about q: sum of that times four times the centre
} Faces;

// one face's share of an edge from u to v, c = u x v: the tet (q, base, u, v)
static inline void add_side(Faces *faces, int f, FrVec3 u, FrVec3 both, FrVec3 c) {
    if (!(faces->seen >> f & 1)) {
        faces->seen |= 1u << f;
        faces->base[f] = u;
        faces->normal2[f] = c;
        return; // the base is on this edge: no volume
    }
    double v6 = fr_dot(faces->base[f], c);
    faces->volume6 += v6;
    faces->moment = fr_axpy(v6, fr_add(faces->base[f], both), faces->moment);
    faces->normal2[f] = fr_add(faces->normal2[f], c);
}

// vol = 1/6 sum_faces sum_edges base.[u x v], all from one vertex q               [S6 eq. 5.3]
// centre = sum vol_t (q+a+b+c) / (4 vol)                                          [S6 eq. 5.5]
// N = 1/2 sum_edges u x v over one owner's faces                                  [S6 eq. 5.4]
// `first`: the tet that was cut is the first solid, whose faces push; `open`: bit per face
static bool measure(const Solid *s, double edge, bool first, uint32_t open, FrOverlap *overlap) {
    FrVec3 q = vertex(s, __builtin_ctz(s->alive));
    double area2 = 0.0;
    Faces faces;
    faces.seen = 0;
    faces.volume6 = 0.0;
    faces.moment = fr_vec3_zero;
    for (int32_t k = 0; k < s->edge_count; k++) {
        Edge e = s->edge[k];
        FrVec3 u = fr_sub(vertex(s, e.from), q), v = fr_sub(vertex(s, e.to), q);
        FrVec3 c = fr_cross(u, v), both = fr_add(u, v);
        add_side(&faces, e.left, u, both, c);
        add_side(&faces, e.right, u, both, fr_neg(c));
    }
    if (!(faces.volume6 > 6e-12 * edge * edge * edge)) return false;
    FrVec3 normal2[2] = {fr_vec3_zero, fr_vec3_zero}, apart2[2] = {fr_vec3_zero, fr_vec3_zero};
    for (uint32_t left = faces.seen; left; left &= left - 1) {
        int f = __builtin_ctz(left);
        area2 += fr_length(faces.normal2[f]);
        normal2[f >= 4] = fr_add(normal2[f >= 4], faces.normal2[f]);
        if (open >> f & 1) apart2[f >= 4] = fr_add(apart2[f >= 4], faces.normal2[f]);
    }
    overlap->volume = faces.volume6 / 6.0;
    overlap->centroid = fr_axpy(0.25 / faces.volume6, faces.moment, q);
    overlap->push = fr_scale(first ? -0.5 : 0.5, normal2[0]);
    overlap->apart = fr_scale(first ? -0.25 : 0.25, fr_sub(apart2[0], apart2[1]));
    overlap->area = 0.5 * area2;
    return true;
}

// where the four corners lie: 0 all outside, 1 all inside, 2 both
static inline int side(const FrClipPlane *plane, const FrClipTet *tet) {
    FrLane d = plane->n.x * fr_lane_load(tet->x) + plane->n.y * fr_lane_load(tet->y) +
               plane->n.z * fr_lane_load(tet->z) - plane->c;
    if (!fr_lane_any(d < -plane->tolerance)) return 0;
    return fr_lane_any(d > plane->tolerance) ? 2 : 1;
}

// What two tets that touch have to do with each other.
typedef struct Meeting {
    double share; ///< a volume of less than this is no overlap, m^3
    double blur;  ///< of both, m
    double most;  ///< corners may go this far where that counts, m
    double wide;  ///< a gap of this width is one however far they go, m
} Meeting;

static inline Meeting meeting(const FrClipTet *a, const FrClipTet *b) {
    double edge = fr_min(a->edge, b->edge);
    Meeting m = {1e-12 * edge * edge * edge, a->blur + b->blur,
                 FR_CLIP_STAY * fr_min(a->inner, b->inner), FR_CLIP_APART * (a->edge + b->edge)};
    return m;
}

static inline double stay_of_gap(double width, const Meeting *m) {
    return fr_max(width - m->wide, fr_min(width, m->most) - m->blur);
}

// Of the planes of `by`, four at once: which have no corner of `tet` inside, which have one
// outside, which show that the two do not overlap.
typedef struct Sides {
    int parting, cutting, enough; ///< bit per face
    FrLane d[4];                  ///< distances of the corners, times |n|; ascending for each plane
    FrLane size;                  ///< |n|
} Sides;

static inline void order(FrLane *x, FrLane *y) {
    FrLane low = fr_lane_min(*x, *y), high = fr_lane_max(*x, *y);
    *x = low, *y = high;
}

static inline void ascend(FrLane d[4]) {
    order(&d[0], &d[1]), order(&d[2], &d[3]);
    order(&d[0], &d[2]), order(&d[1], &d[3]);
    order(&d[1], &d[2]);
}

// Let s be what corners of both went, added up, d the distances of those of one tet from a plane
// with all of the other below it, D the depth of the deepest. A point that they share then is
// sum b_i x_i with weights b in the first, and sum b_i d_i <= s + blur: the weight of a corner with
// d > 0 is at most (D + s + blur) / d. Such weights have a share of the tet of at most
// x y z where three corners are outside, 3 x y for two, 3 x for one (x, y, z these bounds: weights
// are Dirichlet's). Volumes grow by 1.1^3, edges of those that go less than FR_CLIP_STAY shrink to
// 0.9 at least: with 1.1^3 / 0.9^3 < 2 times the share they do not overlap.
static inline double stay_of(const double d[4], double volume, const Meeting *m) {
    if (d[0] > m->wide) return stay_of_gap(d[0], m); // roots do not show more
    double stay = 0.0, depth = fr_max(0.0, -d[0]), q = m->share / (2.0 * volume);
    if (d[1] > 0.0) stay = fr_max(stay, cbrt(q * d[1] * d[2] * d[3]) - depth);
    if (d[2] > 0.0) stay = fr_max(stay, sqrt(q / 3.0 * d[2] * d[3]) - depth);
    if (d[3] > 0.0) stay = fr_max(stay, q / 3.0 * d[3] - depth);
    return fr_max(stay_of_gap(d[0], m), fr_min(stay, m->most) - m->blur);
}

// the same question without roots: is it above 0?
static inline int stays(const Sides *s, double volume, const Meeting *m) {
    FrLane zero = fr_lane_set(0.0), blur = m->blur * s->size,
           q = fr_lane_set(m->share / (2.0 * volume));
    FrLane deep = fr_lane_max(zero, -s->d[0]) + blur, q3 = q * (1.0 / 3.0);
    FrLaneMask one = (s->d[1] > zero) & (deep * deep * deep < q * s->d[1] * s->d[2] * s->d[3]);
    FrLaneMask two = (s->d[2] > zero) & (deep * deep < q3 * s->d[2] * s->d[3]);
    FrLaneMask three = (s->d[3] > zero) & (deep < q3 * s->d[3]);
    FrLane gap = fr_min(m->blur, m->wide) * s->size;
    return fr_lane_bits((s->d[0] > gap) | one | two | three);
}

static inline Sides sides(const FrClipTet *by, const FrClipTet *tet, const Meeting *m) {
    FrLane nx = fr_lane_load(by->nx), ny = fr_lane_load(by->ny), nz = fr_lane_load(by->nz);
    FrLane c = fr_lane_load(by->c), tolerance = fr_lane_load(by->tolerance);
    Sides s;
    for (int k = 0; k < 4; k++) s.d[k] = nx * tet->x[k] + ny * tet->y[k] + nz * tet->z[k] - c;
    ascend(s.d);
    s.parting = fr_lane_bits(s.d[0] >= -tolerance);
    s.cutting = fr_lane_bits(s.d[3] > tolerance);
    s.size = fr_lane_sqrt(nx * nx + ny * ny + nz * nz);
    s.enough = stays(&s, tet->volume, m);
    return s;
}

// the longest stay that the planes show, if it is longer than what is known
static inline void lengthen(FrClipGap *gap, const FrClipTet *tet, const Sides *s, int first,
                            const Meeting *m) {
    for (int enough = s->enough; enough; enough &= enough - 1) {
        int k = __builtin_ctz((unsigned)enough);
        double d[4];
        for (int i = 0; i < 4; i++) d[i] = s->d[i][k] / s->size[k];
        double stay = stay_of(d, tet->volume, m);
        if (!(stay > gap->stay)) continue;
        gap->by = (int8_t)(first + k + 1);
        gap->stay = stay;
    }
}

static const uint8_t edge_end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {3, 1}};

static inline FrVec3 edge_of(const FrClipTet *tet, int k) {
    return fr_sub(fr_clip_tet_corner(tet, edge_end[k][1]), fr_clip_tet_corner(tet, edge_end[k][0]));
}

static inline FrLane along(FrVec3 n, const FrClipTet *tet) {
    return n.x * fr_lane_load(tet->x) + n.y * fr_lane_load(tet->y) + n.z * fr_lane_load(tet->z);
}

static inline double least_of(FrLane d) { return fr_min(fr_min(d[0], d[1]), fr_min(d[2], d[3])); }

// the gap across an edge of each, m; not above 0: they show none
static inline double gap_of_edges(const FrClipTet *a, const FrClipTet *b, FrVec3 of_a,
                                  FrVec3 of_b) {
    FrVec3 n = fr_cross(of_a, of_b);
    double n2 = fr_length2(n);
    if (!(n2 > 1e-12 * fr_length2(of_a) * fr_length2(of_b))) return 0.0;
    FrLane x = along(n, a), y = along(n, b);
    double low_a = least_of(x), high_a = -least_of(-x), low_b = least_of(y), high_b = -least_of(-y);
    return fr_max(low_a - high_b, low_b - high_a) / sqrt(n2);
}

static inline void order2(double *x, double *y) {
    double low = fr_min(*x, *y), high = fr_max(*x, *y);
    *x = low, *y = high;
}

static double stay_at_face(const FrClipTet *by, const FrClipTet *tet, int face, const Meeting *m) {
    FrClipPlane plane = fr_clip_tet_face(by, face);
    double d[4], scale = 1.0 / fr_length(plane.n);
    fr_lane_store(d, (along(plane.n, tet) - plane.c) * scale);
    order2(&d[0], &d[1]), order2(&d[2], &d[3]);
    order2(&d[0], &d[2]), order2(&d[1], &d[3]);
    order2(&d[1], &d[2]);
    return stay_of(d, tet->volume, m);
}

// does what parted them before still do so?
static inline bool still_parted(const FrClipTet *a, const FrClipTet *b, FrClipGap *gap,
                                const Meeting *m) {
    int k = gap->by - 1;
    if (k < 0) return false;
    if (k >= 8)
        gap->stay =
            stay_of_gap(gap_of_edges(a, b, edge_of(a, (k - 8) / 6), edge_of(b, (k - 8) % 6)), m);
    else
        gap->stay = k < 4 ? stay_at_face(a, b, k, m) : stay_at_face(b, a, k - 4, m);
    return gap->stay > 0.0;
}

// looks until edges are asked again when none parts the two
#define ASK_EDGES 16

// no face parts the two, and they do not overlap: do two edges show a gap?
static void ask_edges(const FrClipTet *a, const FrClipTet *b, FrClipGap *gap, const Meeting *m) {
    gap->by = -ASK_EDGES;
    for (int i = 0; i < 6; i++) {
        FrVec3 of_a = edge_of(a, i);
        for (int j = 0; j < 6; j++) {
            double stay = stay_of_gap(gap_of_edges(a, b, of_a, edge_of(b, j)), m);
            if (!(stay > gap->stay)) continue;
            gap->stay = stay;
            gap->by = (int8_t)(9 + 6 * i + j);
        }
    }
}

static bool clip(const FrClipTet *a, const FrClipTet *b, int by_a, int by_b, FrOverlap *overlap) {
    bool first = __builtin_popcount((unsigned)by_b) <= __builtin_popcount((unsigned)by_a);
    const FrClipTet *knife = first ? b : a;
    Solid solid;
    start(&solid, first ? a : b);
    for (int mask = first ? by_b : by_a; mask; mask &= mask - 1) {
        int k = __builtin_ctz((unsigned)mask);
        FrClipPlane plane = fr_clip_tet_face(knife, k);
        if (cut(&solid, &plane, (uint8_t)(4 + k)) == FR_CLIP_EMPTY) return false;
    }
    uint32_t open = first ? a->open | (uint32_t)b->open << 4 : b->open | (uint32_t)a->open << 4;
    return measure(&solid, fr_min(a->edge, b->edge), first, open, overlap);
}

// most candidate pairs do not overlap: the eight face planes are asked before anything is cut; then
// the tet that is cut by fewer of them
bool FR_TET_TET(const FrClipTet *a, const FrClipTet *b, FrOverlap *overlap, FrClipGap *gap) {
    Meeting m = meeting(a, b);
    if (!(a->volume > 0.0 && b->volume > 0.0)) return false;
    if (still_parted(a, b, gap, &m)) return false;
    int wait = gap->by < 0 ? gap->by + 1 : 0;
    double width = fr_box_gap(a->box, b->box);
    *gap = (FrClipGap){fr_max(0.0, stay_of_gap(width, &m)), 0};
    Sides of_b = sides(b, a, &m), of_a = sides(a, b, &m);
    lengthen(gap, b, &of_a, 0, &m);
    lengthen(gap, a, &of_b, 4, &m);
    if (width > 0.0 || gap->stay > 0.0 || (of_a.parting | of_b.parting)) return false;
    if (clip(a, b, of_a.cutting, of_b.cutting, overlap)) {
        overlap->way = fr_min(least_of(-of_a.d[0] / of_a.size), least_of(-of_b.d[0] / of_b.size));
        return true;
    }
    gap->by = (int8_t)wait;
    if (wait == 0) ask_edges(a, b, gap, &m);
    return false;
}

bool FR_TET_PLANE(const FrClipTet *tet, FrVec3 n, double offset, FrOverlap *overlap) {
    FrClipPlane plane = {n, offset, 1e-9 * tet->edge};
    if (!(tet->volume > 0.0)) return false;
    int where = side(&plane, tet);
    if (!where) return false;
    Solid solid;
    start(&solid, tet);
    if (where == 2 && cut(&solid, &plane, 4) == FR_CLIP_EMPTY) return false;
    return measure(&solid, tet->edge, true, 0, overlap);
}
