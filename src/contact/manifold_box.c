// manifold_box.c: contact points of two boxes: the axis that parts them best, then the face of one
// clipped by the other, or two edges.

#include "contact/manifold.h"
#include "contact/contact_tuning.h"

typedef struct Best {
    double sep; ///< along the axis, m; negative: overlap
    FrVec3 n;   ///< from b to a
    int i, j;   ///< face of one box, or edges of a and b
} Best;

typedef struct Boxes {
    const FrCollider *a, *b;
    FrVec3 d; ///< from b to a
} Boxes;

static FrVec3 axis_of(const FrMat3 *m, int k) { return k == 0 ? m->c0 : k == 1 ? m->c1 : m->c2; }

// how far a box reaches along a direction
static double reach(const FrCollider *box, FrVec3 n) {
    return fabs(fr_dot(box->R.c0, n)) * box->half.x + fabs(fr_dot(box->R.c1, n)) * box->half.y +
           fabs(fr_dot(box->R.c2, n)) * box->half.z;
}

// the axis `n` (unit): keep it if it parts the boxes better by more than `bias`
static bool try_axis(const Boxes *s, FrVec3 n, double bias, int i, int j, Best *best) {
    double d = fr_dot(n, s->d), sep = fabs(d) - reach(s->a, n) - reach(s->b, n);
    if (!(sep > best->sep + bias)) return false;
    *best = (Best){sep, d < 0.0 ? fr_neg(n) : n, i, j};
    return true;
}

static bool try_edges(const Boxes *s, double bias, Best *edge) {
    bool found = false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            FrVec3 n = fr_cross(axis_of(&s->a->R, i), axis_of(&s->b->R, j));
            double len = fr_length(n);
            if (len < FR_PARALLEL) continue; // nearly parallel: a face does as well
            if (try_axis(s, fr_scale(1.0 / len, n), found ? 0.0 : bias, i, j, edge)) found = true;
        }
    return found;
}

// middle of the edge along axis k that lies farthest along n
static FrVec3 edge_middle(const FrCollider *box, int k, FrVec3 n) {
    FrVec3 p = box->x;
    for (int m = 0; m < 3; m++) {
        if (m == k) continue;
        FrVec3 axis = axis_of(&box->R, m);
        double h = fr_vec3_get(box->half, m);
        p = fr_axpy(fr_dot(axis, n) < 0.0 ? -h : h, axis, p);
    }
    return p;
}

// nearest points of two lines through p and q along unit u and v that are not parallel
static void edge_edge(const Boxes *s, const Best *best, FrManifold *out) {
    FrVec3 p = edge_middle(s->a, best->i, fr_neg(best->n)), q = edge_middle(s->b, best->j, best->n);
    FrVec3 u = axis_of(&s->a->R, best->i), v = axis_of(&s->b->R, best->j), w = fr_sub(p, q);
    double uv = fr_dot(u, v), det = 1.0 - uv * uv;
    double hu = fr_vec3_get(s->a->half, best->i), hv = fr_vec3_get(s->b->half, best->j);
    double t = (uv * fr_dot(v, w) - fr_dot(u, w)) / det;
    double r = (fr_dot(v, w) - uv * fr_dot(u, w)) / det;
    fr_manifold_add(out, fr_axpy(fr_clamp(t, -hu, hu), u, p), fr_axpy(fr_clamp(r, -hv, hv), v, q),
                    best->n);
}

// keep what lies in n.p <= c
static int32_t clip(FrVec3 *poly, int32_t count, FrVec3 n, double c) {
    FrVec3 kept[12];
    int32_t m = 0;
    for (int32_t k = 0; k < count; k++) {
        FrVec3 p = poly[k], q = poly[(k + 1) % count];
        double dp = fr_dot(n, p) - c, dq = fr_dot(n, q) - c;
        if (dp <= 0.0) kept[m++] = p;
        if ((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0))
            kept[m++] = fr_lerp(p, q, dp / (dp - dq));
    }
    for (int32_t k = 0; k < m; k++) poly[k] = kept[k];
    return m;
}

// corners of the face of `box` that looks most against n
static void incident_face(const FrCollider *box, FrVec3 n, FrVec3 *poly) {
    int k = 0;
    double most = -1.0, at = 0.0;
    for (int m = 0; m < 3; m++) {
        double d = fr_dot(axis_of(&box->R, m), n);
        if (fabs(d) > most) most = fabs(d), at = d, k = m;
    }
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double h = fr_vec3_get(box->half, k);
    FrVec3 centre = fr_axpy(at > 0.0 ? -h : h, axis_of(&box->R, k), box->x);
    FrVec3 u = fr_scale(fr_vec3_get(box->half, i), axis_of(&box->R, i));
    FrVec3 v = fr_scale(fr_vec3_get(box->half, j), axis_of(&box->R, j));
    poly[0] = fr_add(fr_add(centre, u), v);
    poly[1] = fr_add(fr_sub(centre, u), v);
    poly[2] = fr_sub(fr_sub(centre, u), v);
    poly[3] = fr_sub(fr_add(centre, u), v);
}

/// A face of a box.
typedef struct Face {
    const FrCollider *box;
    int axis;  ///< 0, 1, 2
    FrVec3 n;  ///< outward, unit
    bool of_b; ///< the box is b
} Face;

// a face against the other box
static void face_points(const Face *f, const FrCollider *other, double margin, FrManifold *out) {
    const FrCollider *ref = f->box;
    FrVec3 n = f->n, poly[12];
    int face = f->axis;
    incident_face(other, n, poly);
    int32_t count = 4;
    for (int m = 1; m < 3 && count; m++) {
        FrVec3 side = axis_of(&ref->R, (face + m) % 3);
        double h = fr_vec3_get(ref->half, (face + m) % 3), c = fr_dot(side, ref->x);
        count = clip(poly, count, side, c + h);
        if (count) count = clip(poly, count, fr_neg(side), h - c);
    }
    double top = fr_dot(n, ref->x) + fr_vec3_get(ref->half, face);
    FrManifoldPoint found[12];
    int32_t kept = 0;
    for (int32_t k = 0; k < count; k++) {
        double gap = fr_dot(n, poly[k]) - top;
        if (gap >= margin) continue;
        FrVec3 on_ref = fr_axpy(-gap, n, poly[k]);
        found[kept++] = f->of_b ? (FrManifoldPoint){poly[k], on_ref, n, gap}
                                : (FrManifoldPoint){on_ref, poly[k], fr_neg(n), gap};
    }
    kept = fr_manifold_thin(found, kept, 4);
    for (int32_t k = 0; k < kept; k++) out->point[k] = found[k];
    out->count = kept;
}

void fr_manifold_box_box(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out) {
    Boxes s = {.a = a, .b = b, .d = fr_sub(a->x, b->x)};
    double size = fr_min(fr_min(a->half.x, fr_min(a->half.y, a->half.z)),
                         fr_min(b->half.x, fr_min(b->half.y, b->half.z)));
    Best face = {.sep = -HUGE_VAL}, edge;
    for (int k = 0; k < 3; k++) {
        try_axis(&s, axis_of(&b->R, k), 0.0, k, 1, &face);
        if (face.sep >= margin) return;
    }
    for (int k = 0; k < 3; k++) {
        try_axis(&s, axis_of(&a->R, k), FR_FACE_BIAS * size, k, 0, &face);
        if (face.sep >= margin) return;
    }
    edge = face;
    if (try_edges(&s, FR_EDGE_BIAS * size, &edge)) {
        if (edge.sep >= margin) return;
        edge_edge(&s, &edge, out);
        return;
    }
    if (face.j == 1)
        face_points(&(Face){b, face.i, face.n, true}, a, margin, out);
    else
        face_points(&(Face){a, face.i, fr_neg(face.n), false}, b, margin, out);
}
