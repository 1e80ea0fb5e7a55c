// embed_cut.c: a fine surface cut where the mesh that carries it has cracks.

#include "skin/embed_cut.h"
#include "base/array.h"
#include "base/tasks.h"
#include "skin/embed.h"
#include "mesh/locate.h"
#include "mesh/topology.h"
#include "base/table.h"
#include <string.h>

// points are drawn this far towards the middle of their tet for the walk between them, so that it
// does not leave through the surface
#define INWARD 0.01
#define WALK_MAX 4096
#define NEARBY_MAX 512
#define HALVINGS 32 ///< of an edge, to find where the nearest tet is that of another piece

// an edge of the surface, and where a crack crosses it
typedef struct SkinEdge {
    int32_t a, b; ///< points, the one that comes first first
    int32_t at_a; ///< the new point on a's side; the one on b's side follows; -1: not cut
} SkinEdge;

// where a crack crosses an edge
typedef struct Crossing {
    double t;           ///< (1 - t) a + t b; < 0: nowhere
    int32_t on_a, on_b; ///< tets that the new points hang on
} Crossing;

#define GRAIN 64 ///< edges or points that a worker takes at once

typedef struct SkinCut {
    FrContext *ctx;
    const FrEmbedded *whole;
    FrPoint *at; ///< where the points hang
    const FrCutMesh *cut;
    const FrTetMesh *mesh;
    FrLocator locator;
    const int32_t *piece; ///< of each tet; NULL: all one
    FR_ARRAY(SkinEdge) edge;
    int32_t (*edge_of)[3]; ///< edges 01 12 20 of each triangle
    Crossing *crossing;    ///< of each edge
    FR_ARRAY(FrPoint) point;
    FR_ARRAY(FrVec3) normal;
    FR_ARRAY(double) uv; ///< two for each point
    struct {
        int32_t (*data)[3];
        int32_t count, capacity;
    } tri;
} SkinCut;

static FrVec3 rest_of(const FrTetMesh *mesh, const FrPoint *p) {
    return fr_point_carried((const int32_t(*)[4])mesh->tet, p, mesh->x);
}

// the point inside its tet from which walks start
static FrVec3 inner_of(const FrTetMesh *mesh, const FrPoint *p) {
    FrPoint in = *p;
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += in.b[i] = fr_max(in.b[i], 0);
    for (int i = 0; i < 4; i++) in.b[i] = (1 - INWARD) * in.b[i] / sum + INWARD / 4;
    return rest_of(mesh, &in);
}

typedef enum Walk { WALK_ARRIVED, WALK_CRACK, WALK_OUTSIDE } Walk;

// where the edge from a to b meets the plane of a face, fraction of the way; t: where it does not
static double plane_crossing(const SkinCut *c, const FrPoint *a, const FrPoint *b, int32_t e,
                             int face, double t) {
    double wa[4], wb[4];
    fr_tet_weights(c->mesh, e, rest_of(c->mesh, a), wa);
    fr_tet_weights(c->mesh, e, rest_of(c->mesh, b), wb);
    return wa[face] > 0 && wb[face] < 0 ? wa[face] / (wa[face] - wb[face]) : t;
}

// Straight from point a to point b through the tets. *t: where a crack is met, fraction of the way.
static Walk walk(const SkinCut *c, const FrPoint *a, const FrPoint *b, double *t) {
    const double(*opened)[4] = fr_cutmesh_opened(c->cut);
    FrVec3 from = inner_of(c->mesh, a), to = inner_of(c->mesh, b);
    int32_t e = a->tet;
    for (int step = 0; step < WALK_MAX; step++) {
        double wa[4], wb[4], leave = HUGE_VAL;
        int face = -1;
        if (e == b->tet) return WALK_ARRIVED;
        fr_tet_weights(c->mesh, e, from, wa);
        fr_tet_weights(c->mesh, e, to, wb);
        for (int i = 0; i < 4; i++) {
            double s = wb[i] < 0 && wa[i] > wb[i] ? wa[i] / (wa[i] - wb[i]) : HUGE_VAL;
            if (s < leave) leave = s, face = i;
        }
        if (face < 0) return WALK_ARRIVED;
        *t = plane_crossing(c, a, b, e, face, fr_clamp(leave, 0, 1));
        if (opened[e][face] >= 0) return WALK_CRACK;
        if (opened[e][face] == FR_FACE_OUTER) return WALK_OUTSIDE;
        e = fr_cutmesh_across(c->cut, e, face);
        if (e < 0) return WALK_OUTSIDE;
    }
    return WALK_OUTSIDE;
}

// From point a towards b while the nearest tet is of a's piece. *tet: the last such tet; *beyond:
// the next one, of another piece.
static double end_of_piece(const SkinCut *c, const FrPoint *a, const FrPoint *b, int32_t *tet,
                           int32_t *beyond) {
    FrVec3 from = rest_of(c->mesh, a), to = rest_of(c->mesh, b);
    double lo = 0, hi = 1, away;
    *tet = a->tet;
    *beyond = b->tet;
    for (int k = 0; k < HALVINGS; k++) {
        double t = 0.5 * (lo + hi);
        int32_t e = fr_locate(&c->locator, fr_lerp(from, to, t), &away).tet;
        if (c->piece[e] == c->piece[a->tet])
            lo = t, *tet = e;
        else
            hi = t, *beyond = e;
    }
    return lo;
}

// Between pieces: where the nearest tet is no longer of the first one's piece (what a third one has
// between them goes to the second).
static Crossing between_pieces(const SkinCut *c, const FrPoint *a, const FrPoint *b) {
    Crossing found = {-1, a->tet, b->tet};
    int32_t third;
    found.t = end_of_piece(c, a, b, &found.on_a, &found.on_b);
    if (c->piece[found.on_b] != c->piece[b->tet]) end_of_piece(c, b, a, &found.on_b, &third);
    return found;
}

static FrVec3 middle_of(const FrTetMesh *mesh, int32_t e) {
    FrPoint p = {.tet = e, .b = {0.25, 0.25, 0.25, 0.25}};
    return rest_of(mesh, &p);
}

static double longest_edge(const FrTetMesh *mesh, int32_t e) {
    double longest = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            longest = fr_max(longest, fr_distance(fr_get3(mesh->x, mesh->tet[e][i]),
                                                  fr_get3(mesh->x, mesh->tet[e][j])));
    return longest;
}

// tets that hang together near an edge of the surface
typedef struct Nearby {
    FrVec3 middle;
    double reach; ///< m
    int32_t tet[NEARBY_MAX], count;
} Nearby;

static bool is_nearby(const Nearby *near, int32_t e) {
    for (int32_t k = 0; k < near->count; k++)
        if (near->tet[k] == e) return true;
    return false;
}

// from `seed` through faces that no crack opened
static void find_nearby(const SkinCut *c, int32_t seed, Nearby *near) {
    near->tet[0] = seed;
    near->count = 1;
    for (int32_t k = 0; k < near->count; k++)
        for (int face = 0; face < 4 && near->count < NEARBY_MAX; face++) {
            int32_t e = fr_cutmesh_across(c->cut, near->tet[k], face);
            if (e < 0 || fr_distance(middle_of(c->mesh, e), near->middle) > near->reach) continue;
            if (!is_nearby(near, e)) near->tet[near->count++] = e;
        }
}

// Where the surface is off the tets a walk between two of its points leaves them. They are apart if
// no way through the tets nearby joins their own; the cut is where the nearest tet is no longer one
// that hangs together with a's.
static Crossing across_nearby(const SkinCut *c, const FrPoint *a, const FrPoint *b) {
    Crossing found = {-1, a->tet, b->tet};
    FrVec3 from = rest_of(c->mesh, a), to = rest_of(c->mesh, b);
    FrVec3 x = middle_of(c->mesh, a->tet), y = middle_of(c->mesh, b->tet);
    Nearby near = {.middle = fr_lerp(x, y, 0.5)};
    near.reach = 0.5 * fr_distance(x, y) +
                 fr_max(longest_edge(c->mesh, a->tet), longest_edge(c->mesh, b->tet));
    find_nearby(c, a->tet, &near);
    if (near.count == NEARBY_MAX || is_nearby(&near, b->tet)) return found;
    double lo = 0, hi = 1, away;
    for (int k = 0; k < HALVINGS; k++) {
        double t = 0.5 * (lo + hi);
        bool own = is_nearby(&near, fr_locate(&c->locator, fr_lerp(from, to, t), &away).tet);
        *(own ? &lo : &hi) = t;
    }
    found.t = lo;
    return found;
}

// Within a piece: a crack that ends in it, met from both sides.
static Crossing crossing(const SkinCut *c, const FrPoint *a, const FrPoint *b) {
    Crossing found = {-1, a->tet, b->tet};
    double there, back;
    if (c->piece && c->piece[a->tet] != c->piece[b->tet]) return between_pieces(c, a, b);
    Walk forth = walk(c, a, b, &there);
    if (forth == WALK_ARRIVED) return found;
    if (forth != WALK_CRACK || walk(c, b, a, &back) != WALK_CRACK) return across_nearby(c, a, b);
    found.t = 0.5 * (there + 1 - back);
    return found;
}

// Points at the same place hang alike, and the edges between them run the same way, so that they
// are cut alike.
static bool comes_first(const FrPoint *a, const FrPoint *b) {
    if (a->tet != b->tet) return a->tet < b->tet;
    for (int i = 0; i < 4; i++)
        if (a->b[i] != b->b[i]) return a->b[i] < b->b[i];
    return true;
}

static FrResult no_memory(SkinCut *c) { return fr_no_memory(c->ctx, "a cut surface"); }

static FrResult find_edges(SkinCut *c) {
    const FrEmbedded *w = c->whole;
    int32_t all;
    FrTable table = {0};
    c->edge_of = fr_alloc_zero(c->ctx, (size_t)w->tri_count, sizeof *c->edge_of);
    if (!c->edge_of || __builtin_mul_overflow(w->tri_count, 3, &all) ||
        !fr_table_reserve(c->ctx, &table, all) || !fr_array_reserve(c->ctx, &c->edge, all)) {
        fr_table_free(c->ctx, &table);
        return no_memory(c);
    }
    for (int32_t k = 0; k < all; k++) {
        int32_t a = w->tri[k / 3][k % 3], b = w->tri[k / 3][(k + 1) % 3];
        bool first = comes_first(&c->at[a], &c->at[b]);
        SkinEdge edge = {first ? a : b, first ? b : a, -1};
        uint64_t key = (uint64_t)fr_min_i(a, b) << 32 | (uint32_t)fr_max_i(a, b);
        int32_t at = fr_table_add(&table, key, c->edge.count);
        if (at == c->edge.count) c->edge.data[c->edge.count++] = edge;
        c->edge_of[k / 3][k % 3] = at;
    }
    fr_table_free(c->ctx, &table);
    return FR_OK;
}

// a point at the rest place x that hangs on a tet
static bool add_point(SkinCut *c, int32_t tet, FrVec3 x, FrVec3 normal, double u, double v) {
    FrPoint p = {.tet = tet};
    fr_tet_weights(c->mesh, p.tet, x, p.b);
    return fr_array_push(c->ctx, &c->point, p) &&
           fr_array_push(c->ctx, &c->normal, fr_normalize(normal)) &&
           fr_array_push(c->ctx, &c->uv, u) && fr_array_push(c->ctx, &c->uv, v);
}

static FrVec3 normal_of(const SkinCut *c, int32_t p) {
    return c->whole->normal ? fr_get3(c->whole->normal, p) : fr_vec3_zero;
}

static double uv_of(const SkinCut *c, int32_t p, int k) {
    return c->whole->uv ? c->whole->uv[2 * (size_t)p + (size_t)k] : 0;
}

static FrResult keep_points(SkinCut *c) {
    for (int32_t k = 0; k < c->whole->point_count; k++)
        if (!fr_array_push(c->ctx, &c->point, c->at[k]) ||
            !fr_array_push(c->ctx, &c->normal, normal_of(c, k)) ||
            !fr_array_push(c->ctx, &c->uv, uv_of(c, k, 0)) ||
            !fr_array_push(c->ctx, &c->uv, uv_of(c, k, 1)))
            return no_memory(c);
    return FR_OK;
}

static void cross_edges(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const SkinCut *c = arg;
    for (int32_t k = begin; k < end; k++) {
        const SkinEdge *e = &c->edge.data[k];
        c->crossing[k] = crossing(c, &c->at[e->a], &c->at[e->b]);
    }
}

static FrResult cut_edges(SkinCut *c) {
    c->crossing = FR_NEW(c->ctx, Crossing, c->edge.count);
    if (!c->crossing) return no_memory(c);
    fr_parallel_for(c->ctx, c->edge.count, GRAIN, cross_edges, c);
    for (int32_t k = 0; k < c->edge.count; k++) {
        SkinEdge *e = &c->edge.data[k];
        Crossing at = c->crossing[k];
        double t = at.t;
        if (t < 0) continue;
        e->at_a = c->point.count;
        FrVec3 x = fr_lerp(rest_of(c->mesh, &c->at[e->a]), rest_of(c->mesh, &c->at[e->b]), t);
        FrVec3 n = fr_lerp(normal_of(c, e->a), normal_of(c, e->b), t);
        double u = (1 - t) * uv_of(c, e->a, 0) + t * uv_of(c, e->b, 0);
        double v = (1 - t) * uv_of(c, e->a, 1) + t * uv_of(c, e->b, 1);
        if (!add_point(c, at.on_a, x, n, u, v) || !add_point(c, at.on_b, x, n, u, v))
            return no_memory(c);
    }
    return FR_OK;
}

// a crack through a corner leaves nothing on one side of it
static FrResult add_tri(SkinCut *c, int32_t a, int32_t b, int32_t d) {
    const FrPoint *p = c->point.data;
    if (fr_points_alike(&p[a], &p[b]) || fr_points_alike(&p[b], &p[d]) ||
        fr_points_alike(&p[d], &p[a]))
        return FR_OK;
    if (!fr_array_reserve(c->ctx, &c->tri, 1)) return no_memory(c);
    int32_t *t = c->tri.data[c->tri.count++];
    t[0] = a;
    t[1] = b;
    t[2] = d;
    return FR_OK;
}

// the new point of a cut edge on the side of its end p
static int32_t side(const SkinEdge *e, int32_t p) { return e->at_a + (p == e->b); }

// cracks between all three corners meet in the middle
static FrResult cut_in_three(SkinCut *c, const int32_t n[3], const SkinEdge *const e[3]) {
    FrVec3 x = fr_vec3_zero, normal = fr_vec3_zero;
    double u = 0, v = 0;
    for (int i = 0; i < 3; i++) {
        x = fr_axpy(1 / 3.0, rest_of(c->mesh, &c->at[n[i]]), x);
        normal = fr_add(normal, normal_of(c, n[i]));
        u += uv_of(c, n[i], 0) / 3;
        v += uv_of(c, n[i], 1) / 3;
    }
    for (int i = 0; i < 3; i++) {
        const SkinEdge *next = e[i], *last = e[(i + 2) % 3];
        int32_t middle = c->point.count;
        if (!add_point(c, c->at[n[i]].tet, x, normal, u, v)) return no_memory(c);
        FR_TRY(add_tri(c, n[i], side(next, n[i]), middle));
        FR_TRY(add_tri(c, n[i], middle, side(last, n[i])));
    }
    return FR_OK;
}

static FrResult cut_triangle(SkinCut *c, int32_t t) {
    const int32_t *n = c->whole->tri[t];
    const SkinEdge *e[3];
    int cuts = 0, i = 0;
    for (int k = 0; k < 3; k++) {
        e[k] = &c->edge.data[c->edge_of[t][k]];
        cuts += e[k]->at_a >= 0;
    }
    if (cuts == 0) return add_tri(c, n[0], n[1], n[2]);
    if (cuts == 3) return cut_in_three(c, n, e);
    if (cuts == 1) {
        // a crack that ends inside: a slit towards the corner across
        while (e[i]->at_a < 0) i++;
        int32_t a = n[i], b = n[(i + 1) % 3], d = n[(i + 2) % 3];
        FR_TRY(add_tri(c, a, side(e[i], a), d));
        return add_tri(c, side(e[i], b), b, d);
    }
    // corner a lies across the crack from b and d
    while (e[(i + 1) % 3]->at_a >= 0) i++;
    const SkinEdge *ab = e[i], *da = e[(i + 2) % 3];
    int32_t a = n[i], b = n[(i + 1) % 3], d = n[(i + 2) % 3];
    FR_TRY(add_tri(c, a, side(ab, a), side(da, a)));
    FR_TRY(add_tri(c, side(ab, b), b, d));
    return add_tri(c, side(ab, b), d, side(da, d));
}

// the arrays become the surface
static FrResult hand_over(SkinCut *c, FrEmbedded *out) {
    size_t points = (size_t)c->point.count;
    *out = (FrEmbedded){.point_count = c->point.count, .tri_count = c->tri.count};
    out->piece = FR_NEW(c->ctx, int32_t, points);
    if (c->whole->normal) out->normal = FR_NEW(c->ctx, double, 3 * points);
    if (!out->piece || (c->whole->normal && !out->normal)) {
        fr_embedded_free(c->ctx, out);
        return no_memory(c);
    }
    for (int32_t k = 0; k < c->point.count; k++) {
        out->piece[k] = c->piece ? c->piece[c->point.data[k].tet] : 0;
        if (out->normal) fr_set3(out->normal, k, c->normal.data[k]);
    }
    out->at = c->point.data;
    out->tri = c->tri.data;
    c->point.data = NULL;
    c->tri.data = NULL;
    if (c->whole->uv) out->uv = c->uv.data, c->uv.data = NULL;
    return FR_OK;
}

// Points whose tet was cut hang on the tet nearest to them, as they did before. The child that
// their weights name may lie on the other side of a crack where the skin is off the tets.
static void hang_points(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const SkinCut *c = arg;
    for (int32_t k = begin; k < end; k++) {
        double away;
        if (!fr_points_alike(&c->at[k], &c->whole->at[k]))
            c->at[k] = fr_locate(&c->locator, rest_of(c->mesh, &c->at[k]), &away);
    }
}

static FrResult hang_again(SkinCut *c, const FrPoint *at) {
    size_t points = (size_t)c->whole->point_count;
    FR_TRY(fr_locator_create(c->ctx, c->mesh, &c->locator));
    c->at = FR_NEW(c->ctx, FrPoint, points);
    if (!c->at) return no_memory(c);
    if (points) memcpy(c->at, at, sizeof *at * points);
    fr_parallel_for(c->ctx, c->whole->point_count, GRAIN, hang_points, c);
    return FR_OK;
}

FrResult fr_embedded_cut(FrContext *ctx, const FrEmbedded *whole, const FrPoint *at,
                         const FrCutMesh *cut, const FrPieces *pieces, FrEmbedded *out) {
    SkinCut c = {.ctx = ctx,
                 .whole = whole,
                 .cut = cut,
                 .mesh = fr_cutmesh_view(cut),
                 .piece = pieces ? fr_pieces_of_tets(pieces) : NULL};
    *out = (FrEmbedded){0};
    FrResult result = hang_again(&c, at);
    if (result == FR_OK) result = find_edges(&c);
    if (result == FR_OK) result = keep_points(&c);
    if (result == FR_OK) result = cut_edges(&c);
    for (int32_t t = 0; result == FR_OK && t < whole->tri_count; t++) result = cut_triangle(&c, t);
    if (result == FR_OK) result = hand_over(&c, out);
    fr_locator_free(ctx, &c.locator);
    FR_FREE_ALL(ctx, c.at, c.edge_of, c.crossing);
    fr_array_free(ctx, &c.edge);
    fr_array_free(ctx, &c.point);
    fr_array_free(ctx, &c.normal);
    fr_array_free(ctx, &c.uv);
    fr_array_free(ctx, &c.tri);
    return result;
}
