// coarse.c: a closed surface with fewer triangles: edges drawn together, shortest first.

#include "air/coarse.h"
#include "base/array.h"
#include <string.h>

/// No triangle turns farther than this (cosine) when one of its corners moves along an edge.
#define TURNED 0.6
/// Least height of a triangle that may come about, over its longest edge.
#define SLIVER 0.12
/// No edge becomes longer than this many of those that are wanted.
#define STRETCHED 1.7

/// How far a point is from planes, squared: x'Ax + 2 b'x + c, summed with areas as weights.
typedef struct Quadric {
    FrSym3 a;
    FrVec3 b;
    double c, weight;
} Quadric;

/// An edge that may be drawn together.
typedef struct Edge {
    double length;
    int32_t from, to;
} Edge;

typedef struct Coarsener {
    FrContext *ctx;
    const FrFine *fine;
    double edge, tolerance;
    int32_t (*tri)[3]; ///< (-1, ..): gone
    int32_t *first;    ///< corner that a point's list starts with, -1: none (point_count)
    int32_t *next;     ///< of each corner of each triangle (3 * tri_count)
    int32_t *into;     ///< (point_count)
    Quadric *quadric;  ///< (point_count)
    FR_ARRAY(Edge) heap;
} Coarsener;

static FrVec3 at(const Coarsener *c, int32_t v) { return fr_get3(c->fine->point, v); }

static FrVec3 area_of(const Coarsener *c, const int32_t *t) {
    FrVec3 p = at(c, t[0]);
    return fr_scale(0.5, fr_cross(fr_sub(at(c, t[1]), p), fr_sub(at(c, t[2]), p)));
}

static void add_plane(Quadric *q, FrVec3 n, FrVec3 p, double weight) {
    double d = -fr_dot(n, p);
    q->a = fr_sym3_axpy(weight, fr_mat3_sym(fr_outer(n, n)), q->a);
    q->b = fr_axpy(weight * d, n, q->b);
    q->c += weight * d * d;
    q->weight += weight;
}

static double off_planes(const Quadric *p, const Quadric *q, FrVec3 x) {
    double a = fr_dot(x, fr_add(fr_sym3_apply(p->a, x), fr_sym3_apply(q->a, x)));
    double sum = a + 2.0 * fr_dot(x, fr_add(p->b, q->b)) + p->c + q->c;
    return sum / fr_max(p->weight + q->weight, 1e-300);
}

static bool before(const Edge *a, const Edge *b) {
    if (a->length != b->length) return a->length < b->length;
    return a->from != b->from ? a->from < b->from : a->to < b->to;
}

static bool push(Coarsener *c, int32_t from, int32_t to) {
    Edge e = {fr_distance(at(c, from), at(c, to)), from, to};
    if (!(e.length < c->edge)) return true;
    if (!fr_array_push(c->ctx, &c->heap, e)) return false;
    int32_t k = c->heap.count - 1;
    for (; k > 0 && before(&e, &c->heap.data[(k - 1) / 2]); k = (k - 1) / 2)
        c->heap.data[k] = c->heap.data[(k - 1) / 2];
    c->heap.data[k] = e;
    return true;
}

static Edge pop(Coarsener *c) {
    Edge top = c->heap.data[0], e = c->heap.data[--c->heap.count];
    int32_t k = 0, count = c->heap.count;
    for (;;) {
        int32_t child = 2 * k + 1;
        if (child >= count) break;
        if (child + 1 < count && before(&c->heap.data[child + 1], &c->heap.data[child])) child++;
        if (!before(&c->heap.data[child], &e)) break;
        c->heap.data[k] = c->heap.data[child];
        k = child;
    }
    if (count) c->heap.data[k] = e;
    return top;
}

#define FOR_CORNERS(c, k, v) for (int32_t k = (c)->first[v]; k >= 0; k = (c)->next[k])

static bool has(const int32_t *t, int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

// points next to both ends: two where the surface is one sheet there
static int32_t common_points(const Coarsener *c, int32_t from, int32_t to) {
    int32_t count = 0;
    FOR_CORNERS(c, k, from) {
        int32_t a = c->tri[k / 3][(k % 3 + 1) % 3]; // every neighbour once where fans are closed
        if (a == to) continue;
        FOR_CORNERS(c, l, to) count += c->tri[l / 3][(l % 3 + 1) % 3] == a;
    }
    return count;
}

// would this triangle keep its sense and a shape when its corner `from` moves to `to`?
static bool stays_good(const Coarsener *c, const int32_t *t, int32_t from, int32_t to) {
    int32_t moved[3];
    double longest = 0.0;
    for (int i = 0; i < 3; i++) moved[i] = t[i] == from ? to : t[i];
    FrVec3 was = area_of(c, t), is = area_of(c, moved);
    for (int i = 0; i < 3; i++)
        longest = fr_max(longest, fr_distance(at(c, moved[i]), at(c, moved[(i + 1) % 3])));
    double size = fr_length(is);
    return longest <= STRETCHED * c->edge && 2.0 * size > SLIVER * longest * longest &&
           fr_dot(was, is) > TURNED * fr_length(was) * size;
}

static bool may_collapse(const Coarsener *c, int32_t from, int32_t to) {
    const Quadric *p = &c->quadric[from], *q = &c->quadric[to];
    if (off_planes(p, q, at(c, to)) > c->tolerance * c->tolerance) return false;
    int32_t shared = 0;
    FOR_CORNERS(c, k, from) {
        const int32_t *t = c->tri[k / 3];
        if (has(t, to))
            shared++;
        else if (!stays_good(c, t, from, to))
            return false;
    }
    return shared == 2 && common_points(c, from, to) == 2;
}

static void unlink_corner(Coarsener *c, int32_t v, int32_t corner) {
    int32_t *k = &c->first[v];
    while (*k != corner) k = &c->next[*k];
    *k = c->next[corner];
}

static void remove_tri(Coarsener *c, int32_t t) {
    for (int i = 0; i < 3; i++) unlink_corner(c, c->tri[t][i], 3 * t + i);
    c->tri[t][0] = -1;
}

static bool collapse(Coarsener *c, int32_t from, int32_t to) {
    for (int32_t k = c->first[from], next; k >= 0; k = next) {
        next = c->next[k];
        if (has(c->tri[k / 3], to)) remove_tri(c, k / 3);
    }
    for (int32_t k = c->first[from], next; k >= 0; k = next) {
        next = c->next[k];
        c->tri[k / 3][k % 3] = to;
        c->next[k] = c->first[to];
        c->first[to] = k;
    }
    c->first[from] = -1;
    c->into[from] = to;
    Quadric *q = &c->quadric[to], *p = &c->quadric[from];
    q->a = fr_sym3_axpy(1.0, p->a, q->a);
    q->b = fr_add(q->b, p->b);
    q->c += p->c;
    q->weight += p->weight;
    FOR_CORNERS(c, k, to) {
        int32_t a = c->tri[k / 3][(k % 3 + 1) % 3];
        if (!push(c, a, to) || !push(c, to, a)) return false;
    }
    return true;
}

static bool start(Coarsener *c) {
    for (int32_t v = 0; v < c->fine->point_count; v++) c->first[v] = -1, c->into[v] = v;
    for (int32_t t = 0; t < c->fine->tri_count; t++) {
        memcpy(c->tri[t], c->fine->tri[t], sizeof c->tri[t]);
        FrVec3 area = area_of(c, c->tri[t]);
        for (int i = 0; i < 3; i++) {
            int32_t v = c->tri[t][i];
            c->next[3 * t + i] = c->first[v];
            c->first[v] = 3 * t + i;
            add_plane(&c->quadric[v], fr_normalize(area), at(c, v), fr_length(area));
        }
    }
    for (int32_t t = 0; t < c->fine->tri_count; t++)
        for (int i = 0; i < 3; i++) {
            int32_t a = c->tri[t][i], b = c->tri[t][(i + 1) % 3];
            if (!push(c, a, b) || !push(c, b, a)) return false;
        }
    return true;
}

static bool run(Coarsener *c) {
    if (!start(c)) return false;
    while (c->heap.count > 0) {
        Edge e = pop(c);
        // both ends are still there, and still next to each other
        bool joined = false;
        FOR_CORNERS(c, k, e.from) joined |= has(c->tri[k / 3], e.to);
        if (joined && may_collapse(c, e.from, e.to) && !collapse(c, e.from, e.to)) return false;
    }
    return true;
}

static int32_t root_of(int32_t *into, int32_t v) {
    int32_t r = v;
    while (into[r] != r) r = into[r];
    while (into[v] != r) {
        int32_t next = into[v];
        into[v] = r;
        v = next;
    }
    return r;
}

// what is left, numbered anew in its order
static FrResult take(Coarsener *c, FrCoarse *coarse) {
    int32_t points = c->fine->point_count;
    int32_t *number = FR_NEW(c->ctx, int32_t, points);
    coarse->point = FR_NEW(c->ctx, double, 3 * (size_t)points);
    if (!number || !coarse->point) {
        fr_free(c->ctx, number);
        return fr_no_memory(c->ctx, "a coarse surface");
    }
    for (int32_t v = 0; v < points; v++) {
        number[v] = -1;
        if (c->first[v] < 0) continue;
        number[v] = coarse->point_count;
        fr_set3(coarse->point, coarse->point_count++, at(c, v));
    }
    for (int32_t t = 0; t < c->fine->tri_count; t++) {
        if (c->tri[t][0] < 0) continue;
        for (int i = 0; i < 3; i++) c->tri[coarse->tri_count][i] = number[c->tri[t][i]];
        coarse->tri_count++;
    }
    for (int32_t v = 0; v < points; v++) root_of(c->into, v);
    for (int32_t v = 0; v < points; v++) c->into[v] = number[c->into[v]];
    fr_free(c->ctx, number);
    coarse->tri = c->tri;
    coarse->into = c->into;
    c->tri = NULL;
    c->into = NULL;
    return FR_OK;
}

FrResult fr_coarse_make(FrContext *ctx, const FrFine *fine, double edge, double tolerance,
                        FrCoarse *coarse) {
    Coarsener c = {.ctx = ctx, .fine = fine, .edge = edge, .tolerance = tolerance};
    c.tri = fr_alloc_zero(ctx, (size_t)fine->tri_count, sizeof *c.tri);
    c.first = FR_NEW(ctx, int32_t, fine->point_count);
    c.next = FR_NEW(ctx, int32_t, 3 * (size_t)fine->tri_count);
    c.into = FR_NEW(ctx, int32_t, fine->point_count);
    c.quadric = FR_NEW(ctx, Quadric, fine->point_count);
    *coarse = (FrCoarse){0};
    bool good = c.tri && c.first && c.next && c.into && c.quadric && run(&c);
    FrResult result = good ? take(&c, coarse) : fr_no_memory(ctx, "a coarse surface");
    fr_array_free(ctx, &c.heap);
    FR_FREE_ALL(ctx, c.tri, c.first, c.next, c.into, c.quadric);
    if (result != FR_OK) fr_coarse_free(ctx, coarse);
    return result;
}

void fr_coarse_free(FrContext *ctx, FrCoarse *coarse) {
    FR_FREE_ALL(ctx, coarse->point, coarse->tri, coarse->into);
    *coarse = (FrCoarse){0};
}
