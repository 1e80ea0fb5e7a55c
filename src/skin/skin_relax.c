// skin_relax.c: triangles of a drawn surface made even, turned along its edges, laid on the shape.

#include "skin/skin_relax.h"
#include "base/tasks.h"
#include <stdlib.h>

/// Rounds of spreading and turning; after three the triangles hardly move.
#define ROUNDS 3
/// Over how much of a triangle's edge normals are taken: facets of the lattice do not show then.
#define NORMAL_REACH 0.6

/// One side of one triangle.
typedef struct Side {
    int32_t low, high; ///< its points
    int32_t tri, corner;
} Side;

typedef struct Skin {
    FrContext *ctx;
    const FrField *field;
    double size; ///< edge of a triangle, m
    FrTriMesh *mesh;
    FrVec3 *sum; ///< of the neighbours of each point (point_count)
    double *weight;
    bool *turned; ///< triangles changed in this pass (tri_count)
    Side *side;   ///< sorted by their points (3 * tri_count)
} Skin;

// Value and gradient from the corners of a tetrahedron around x: f = mean of f_i,
// grad = 3 / (4 e) sum f_i k_i with unit k_i; exact for linear fields.
static FrVec3 gradient(const FrField *field, FrVec3 x, double e, double *value) {
    static const double k[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    double f[4], a = e / sqrt(3.0);
    FrVec3 g = fr_vec3_zero;
    for (int i = 0; i < 4; i++) {
        FrVec3 d = fr_vec3(k[i][0], k[i][1], k[i][2]);
        f[i] = fr_field_at(field, fr_axpy(a, d, x));
        g = fr_axpy(f[i] / (4.0 * a), d, g);
    }
    *value = 0.25 * (f[0] + f[1] + f[2] + f[3]);
    return g;
}

// Newton's step to field = 0, not farther than half a triangle
static FrVec3 project(const Skin *s, FrVec3 x) {
    for (int round = 0; round < 2; round++) {
        double f, square;
        FrVec3 g = gradient(s->field, x, 0.02 * s->size, &f);
        square = fr_length2(g);
        if (!(square > 0.01)) return x;
        double far = fr_clamp(f / sqrt(square), -0.5 * s->size, 0.5 * s->size);
        x = fr_axpy(-far / sqrt(square), g, x);
    }
    return x;
}

static void project_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Skin *s = arg;
    for (int32_t k = begin; k < end; k++) {
        double f;
        FrVec3 x = project(s, fr_get3(s->mesh->p, k));
        fr_set3(s->mesh->p, k, x);
        fr_set3(s->mesh->normal, k,
                fr_normalize(gradient(s->field, x, NORMAL_REACH * s->size, &f)));
    }
}

// half way to the middle of the neighbours, within the tangent plane
static void spread(Skin *s) {
    FrTriMesh *m = s->mesh;
    for (int32_t k = 0; k < m->point_count; k++) s->sum[k] = fr_vec3_zero, s->weight[k] = 0;
    for (int32_t t = 0; t < m->tri_count; t++)
        for (int i = 0; i < 3; i++) {
            int32_t a = m->tri[t][i], b = m->tri[t][(i + 1) % 3];
            s->sum[a] = fr_add(s->sum[a], fr_get3(m->p, b)), s->weight[a] += 1;
            s->sum[b] = fr_add(s->sum[b], fr_get3(m->p, a)), s->weight[b] += 1;
        }
    for (int32_t k = 0; k < m->point_count; k++) {
        if (!(s->weight[k] > 0)) continue;
        FrVec3 x = fr_get3(m->p, k), n = fr_get3(m->normal, k);
        FrVec3 d = fr_sub(fr_scale(1 / s->weight[k], s->sum[k]), x);
        fr_set3(m->p, k, fr_axpy(0.5, fr_axpy(-fr_dot(d, n), n, d), x));
    }
}

// --- turning diagonals

static int by_points(const void *a, const void *b) {
    const Side *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return x->tri < y->tri ? -1 : x->tri > y->tri;
}

static bool joined(const Skin *s, int32_t a, int32_t b) {
    Side wanted = {fr_min_i(a, b), fr_max_i(a, b), -1, 0};
    int32_t lo = 0, hi = 3 * s->mesh->tri_count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (by_points(&s->side[middle], &wanted) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < 3 * s->mesh->tri_count && s->side[lo].low == wanted.low &&
           s->side[lo].high == wanted.high;
}

static double bend(const FrTriMesh *m, int32_t a, int32_t b) {
    return 1 - fr_dot(fr_get3(m->normal, a), fr_get3(m->normal, b));
}

// cosine of the angle at a in the triangle a b c
static double cosine(const FrTriMesh *m, int32_t a, int32_t b, int32_t c) {
    FrVec3 x = fr_get3(m->p, a);
    return fr_dot(fr_normalize(fr_sub(fr_get3(m->p, b), x)),
                  fr_normalize(fr_sub(fr_get3(m->p, c), x)));
}

// not a needle, and facing the way its points do
static bool good_triangle(const FrTriMesh *m, int32_t a, int32_t b, int32_t c) {
    FrVec3 n = fr_normalize(fr_cross(fr_sub(fr_get3(m->p, b), fr_get3(m->p, a)),
                                     fr_sub(fr_get3(m->p, c), fr_get3(m->p, a))));
    FrVec3 mean =
        fr_add(fr_get3(m->normal, a), fr_add(fr_get3(m->normal, b), fr_get3(m->normal, c)));
    double least = fr_max(cosine(m, a, b, c), fr_max(cosine(m, b, c, a), cosine(m, c, a, b)));
    return fr_dot(n, fr_normalize(mean)) > 0.6 && least < 0.94;
}

// Should the diagonal a b of (a b c) and (b a d) rather be c d? The one along which normals change
// less lies along an edge; on plain ground the more even triangles win (Delaunay).
static bool better_turned(const Skin *s, int32_t a, int32_t b, int32_t c, int32_t d) {
    const FrTriMesh *m = s->mesh;
    if (c == d || joined(s, c, d)) return false;
    if (!good_triangle(m, c, d, b) || !good_triangle(m, d, c, a)) return false;
    double gain = bend(m, a, b) - bend(m, c, d);
    if (gain > 0.02) return true;
    if (gain < -0.02) return false;
    double x =
        acos(fr_clamp(cosine(m, c, a, b), -1, 1)) + acos(fr_clamp(cosine(m, d, a, b), -1, 1));
    return x > FR_PI + 0.05;
}

static int32_t list_sides(Skin *s) {
    int32_t count = 3 * s->mesh->tri_count;
    for (int32_t k = 0; k < count; k++) {
        const int32_t *n = s->mesh->tri[k / 3];
        int32_t a = n[k % 3], b = n[(k % 3 + 1) % 3];
        s->side[k] = (Side){fr_min_i(a, b), fr_max_i(a, b), k / 3, k % 3};
    }
    qsort(s->side, (size_t)count, sizeof *s->side, by_points);
    return count;
}

static void turn(Skin *s) {
    FrTriMesh *m = s->mesh;
    int32_t count = list_sides(s);
    for (int32_t t = 0; t < m->tri_count; t++) s->turned[t] = false;
    for (int32_t k = 0; k + 1 < count; k++) {
        const Side *x = &s->side[k], *y = &s->side[k + 1];
        bool pair = x->low == y->low && x->high == y->high;
        bool more =
            pair && k + 2 < count && s->side[k + 2].low == x->low && s->side[k + 2].high == x->high;
        if (!pair || more || s->turned[x->tri] || s->turned[y->tri]) continue;
        int32_t a = m->tri[x->tri][x->corner], b = m->tri[x->tri][(x->corner + 1) % 3];
        int32_t c = m->tri[x->tri][(x->corner + 2) % 3], d = m->tri[y->tri][(y->corner + 2) % 3];
        if (m->tri[y->tri][y->corner] != b || !better_turned(s, a, b, c, d)) continue;
        int32_t first[3] = {c, d, b}, second[3] = {d, c, a};
        for (int i = 0; i < 3; i++) m->tri[x->tri][i] = first[i], m->tri[y->tri][i] = second[i];
        s->turned[x->tri] = s->turned[y->tri] = true;
    }
}

static FrResult relax(Skin *s) {
    FrTriMesh *m = s->mesh;
    s->sum = FR_NEW(s->ctx, FrVec3, m->point_count);
    s->weight = FR_NEW(s->ctx, double, m->point_count);
    s->turned = FR_NEW(s->ctx, bool, m->tri_count);
    s->side = FR_NEW(s->ctx, Side, 3 * (size_t)m->tri_count);
    if (!s->sum || !s->weight || !s->turned || !s->side) return fr_no_memory(s->ctx, "a skin");
    fr_parallel_for(s->ctx, m->point_count, 256, project_range, s);
    for (int round = 0; round < ROUNDS; round++) {
        turn(s);
        spread(s);
        fr_parallel_for(s->ctx, m->point_count, 256, project_range, s);
    }
    turn(s);
    return FR_OK;
}

FrResult fr_skin_relax(FrContext *ctx, const FrField *field, double size, FrTriMesh *skin) {
    Skin s = {.ctx = ctx, .field = field, .size = size, .mesh = skin};
    if (!skin->normal) skin->normal = FR_NEW(ctx, double, 3 * (size_t)skin->point_count);
    FrResult result = skin->normal ? relax(&s) : fr_no_memory(ctx, "a skin");
    fr_free(ctx, s.sum);
    fr_free(ctx, s.weight);
    fr_free(ctx, s.turned);
    fr_free(ctx, s.side);
    return result;
}
