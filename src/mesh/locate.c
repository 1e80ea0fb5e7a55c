// locate.c: which tet a point of rest space is in, or nearest to.

#include "mesh/locate.h"
#include <string.h>

// b = beta (x, 1): the weights that make x out of the corners        [S2 eq. 15] [S6 eq. 3.20]
void fr_corner_weights(const FrVec3 corner[4], FrVec3 x, double b[4]) {
    FrVec3 o = corner[0];
    FrVec3 u = fr_sub(corner[1], o), v = fr_sub(corner[2], o), w = fr_sub(corner[3], o);
    FrVec3 d = fr_sub(x, o);
    double det = fr_dot(u, fr_cross(v, w));
    b[1] = fr_dot(d, fr_cross(v, w)) / det;
    b[2] = fr_dot(d, fr_cross(w, u)) / det;
    b[3] = fr_dot(d, fr_cross(u, v)) / det;
    b[0] = 1 - b[1] - b[2] - b[3];
}

void fr_tet_weights(const FrTetMesh *mesh, int32_t e, FrVec3 x, double b[4]) {
    FrVec3 corner[4];
    for (int i = 0; i < 4; i++) corner[i] = fr_get3(mesh->x, mesh->tet[e][i]);
    fr_corner_weights(corner, x, b);
}

static FrBox tet_box(const FrTetMesh *mesh, int32_t e) {
    FrBox box = fr_box_empty();
    for (int i = 0; i < 4; i++) box = fr_box_add(box, fr_get3(mesh->x, mesh->tet[e][i]));
    return box;
}

static void cell_of(const FrLocator *g, FrVec3 x, int32_t c[3]) {
    for (int k = 0; k < 3; k++) {
        double at = (fr_vec3_get(x, k) - fr_vec3_get(g->box.lo, k)) / g->cell;
        c[k] = at < 0 ? 0 : at >= g->n[k] ? g->n[k] - 1 : (int32_t)at;
    }
}

static int32_t bucket(const FrLocator *g, int32_t i, int32_t j, int32_t k) {
    return (k * g->n[1] + j) * g->n[0] + i;
}

static void fill_bucket(FrLocator *g, int32_t *start, int32_t tet, bool store) {
    if (store)
        g->tet[--*start] = tet;
    else
        ++*start;
}

// visit the cells of every tet; pass 0 counts, pass 1 fills
static void fill(FrLocator *g, bool store) {
    for (int32_t e = g->mesh->tet_count - 1; e >= 0; e--) {
        int32_t lo[3], hi[3];
        cell_of(g, g->around[e].lo, lo);
        cell_of(g, g->around[e].hi, hi);
        for (int32_t k = lo[2]; k <= hi[2]; k++)
            for (int32_t j = lo[1]; j <= hi[1]; j++)
                for (int32_t i = lo[0]; i <= hi[0]; i++)
                    fill_bucket(g, &g->start[bucket(g, i, j, k)], e, store);
    }
}

FrResult fr_locator_create(FrContext *ctx, const FrTetMesh *mesh, FrLocator *g) {
    *g = (FrLocator){.mesh = mesh};
    if (!mesh->tet_count) return fr_fail(ctx, FR_BAD_INPUT, "a mesh without tets holds no points");
    g->box = fr_box_empty();
    double edge = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrBox box = tet_box(mesh, e);
        FrVec3 size = fr_box_size(box);
        g->box = fr_box_union(g->box, box);
        edge += (size.x + size.y + size.z) / 3 / mesh->tet_count;
    }
    // cells as large as a tet, but not many more cells than tets
    FrVec3 size = fr_box_size(g->box);
    double volume = fr_max(size.x, edge) * fr_max(size.y, edge) * fr_max(size.z, edge);
    g->cell = fr_max(edge, cbrt(volume / (4.0 * mesh->tet_count + 64)));
    for (int k = 0; k < 3; k++) g->n[k] = 1 + (int32_t)(fr_vec3_get(size, k) / g->cell);
    int64_t cells = (int64_t)g->n[0] * g->n[1] * g->n[2];
    g->start = FR_NEW(ctx, int32_t, cells + 1);
    g->around = FR_NEW(ctx, FrBox, mesh->tet_count);
    if (!g->start || !g->around) {
        fr_locator_free(ctx, g);
        return fr_no_memory(ctx, "a point locator");
    }
    for (int32_t e = 0; e < mesh->tet_count; e++) g->around[e] = tet_box(mesh, e);
    fill(g, false);
    int64_t total = 0;
    for (int64_t c = 0; c <= cells; c++) {
        total += g->start[c];
        if (total > INT32_MAX) break;
        g->start[c] = (int32_t)total;
    }
    if (total <= INT32_MAX) g->tet = FR_NEW(ctx, int32_t, total);
    if (!g->tet) {
        fr_locator_free(ctx, g);
        return fr_no_memory(ctx, "a point locator");
    }
    fill(g, true);
    return FR_OK;
}

void fr_locator_free(FrContext *ctx, FrLocator *g) {
    FR_FREE_ALL(ctx, g->start, g->tet, g->around);
    *g = (FrLocator){0};
}

static double least_of(const double b[4]) { return fr_min(fr_min(b[0], b[1]), fr_min(b[2], b[3])); }

// squared distance from p to triangle a b c (Ericson's regions)
static double triangle_distance2(FrVec3 p, FrVec3 a, FrVec3 b, FrVec3 c) {
    FrVec3 ab = fr_sub(b, a), ac = fr_sub(c, a), ap = fr_sub(p, a);
    double d1 = fr_dot(ab, ap), d2 = fr_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return fr_length2(ap);
    FrVec3 bp = fr_sub(p, b);
    double d3 = fr_dot(ab, bp), d4 = fr_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return fr_length2(bp);
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return fr_length2(fr_axpy(-d1 / (d1 - d3), ab, ap));
    FrVec3 cp = fr_sub(p, c);
    double d5 = fr_dot(ab, cp), d6 = fr_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return fr_length2(cp);
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return fr_length2(fr_axpy(-d2 / (d2 - d6), ac, ap));
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return fr_length2(fr_axpy(-t, fr_sub(c, b), bp));
    }
    double s = 1 / (va + vb + vc);
    return fr_length2(fr_axpy(-vc * s, ac, fr_axpy(-vb * s, ab, ap)));
}

static double tet_distance2(const FrTetMesh *mesh, int32_t e, FrVec3 x) {
    double least = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        const int8_t *f = fr_tet_face[i];
        const int32_t *n = mesh->tet[e];
        least =
            fr_min(least, triangle_distance2(x, fr_get3(mesh->x, n[f[0]]),
                                             fr_get3(mesh->x, n[f[1]]), fr_get3(mesh->x, n[f[2]])));
    }
    return least;
}

// rounding of weights near a shared face
#define INSIDE -1e-12

static int32_t holding_tet(const FrLocator *g, FrVec3 x) {
    int32_t c[3];
    double margin = 1e-9 * g->cell; // far more than INSIDE lets through
    if (!fr_box_contains(fr_box_grow(g->box, margin), x)) return -1;
    cell_of(g, x, c);
    int32_t k = bucket(g, c[0], c[1], c[2]);
    for (int32_t j = g->start[k]; j < g->start[k + 1]; j++) {
        double b[4];
        if (fr_box_distance2(g->around[g->tet[j]], x) > margin * margin) continue;
        fr_tet_weights(g->mesh, g->tet[j], x, b);
        if (least_of(b) >= INSIDE) return g->tet[j];
    }
    return -1;
}

// Is all of the box farther off, whatever rounding does to the distances?
static bool farther(const FrLocator *g, FrBox box, FrVec3 x, double nearest) {
    return (1 - 1e-9) * fr_box_distance2(box, x) > nearest + 1e-14 * g->cell * g->cell;
}

static FrBox cell_box(const FrLocator *g, int32_t i, int32_t j, int32_t k) {
    FrVec3 lo = fr_axpy(g->cell, fr_vec3(i, j, k), g->box.lo);
    return (FrBox){lo, fr_add(lo, fr_vec3(g->cell, g->cell, g->cell))};
}

static void try_bucket(const FrLocator *g, int32_t k, FrVec3 x, int32_t *best, double *nearest) {
    for (int32_t j = g->start[k]; j < g->start[k + 1]; j++) {
        if (farther(g, g->around[g->tet[j]], x, *nearest)) continue;
        double d = tet_distance2(g->mesh, g->tet[j], x);
        if (d > *nearest || (d == *nearest && g->tet[j] > *best)) continue;
        *nearest = d;
        *best = g->tet[j];
    }
}

// the cells r away from cell c
static void try_shell(const FrLocator *g, const int32_t c[3], int32_t r, FrVec3 x, int32_t *best,
                      double *nearest) {
    for (int32_t k = fr_max_i(c[2] - r, 0); k <= fr_min_i(c[2] + r, g->n[2] - 1); k++)
        for (int32_t j = fr_max_i(c[1] - r, 0); j <= fr_min_i(c[1] + r, g->n[1] - 1); j++)
            for (int32_t i = fr_max_i(c[0] - r, 0); i <= fr_min_i(c[0] + r, g->n[0] - 1); i++) {
                bool shell = i == c[0] - r || i == c[0] + r || j == c[1] - r || j == c[1] + r ||
                             k == c[2] - r || k == c[2] + r;
                if (shell && !farther(g, cell_box(g, i, j, k), x, *nearest))
                    try_bucket(g, bucket(g, i, j, k), x, best, nearest);
            }
}

// shells of cells around the one nearest to x, until no nearer tet can come
static int32_t nearest_tet(const FrLocator *g, FrVec3 x, double *nearest) {
    int32_t c[3], best = -1;
    cell_of(g, x, c);
    *nearest = HUGE_VAL;
    int32_t reach = fr_max_i(g->n[0], fr_max_i(g->n[1], g->n[2]));
    for (int32_t r = 0; r <= reach; r++) {
        try_shell(g, c, r, x, &best, nearest);
        // everything within r cells of x's own cell has been seen
        if (best >= 0 && *nearest <= g->cell * g->cell * r * r) break;
    }
    *nearest = sqrt(*nearest);
    return best;
}

FrPoint fr_locate(const FrLocator *g, FrVec3 x, double *distance) {
    FrPoint point = {.tet = holding_tet(g, x)};
    *distance = 0;
    if (point.tet < 0) point.tet = nearest_tet(g, x, distance);
    fr_tet_weights(g->mesh, point.tet, x, point.b);
    return point;
}
