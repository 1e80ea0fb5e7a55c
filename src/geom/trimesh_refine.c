// trimesh_refine.c: a surface with no edge longer than a length: the longest are halved first.

#include "geom/edges.h"
#include <string.h>

typedef struct Refine {
    const FrTriMesh *from;
    int32_t *middle; ///< point in the middle of sides 01 12 20 of each triangle; -1: whole
    int32_t points, tris;
    FrTriMesh *to;
} Refine;

static double side_length(const FrTriMesh *mesh, int32_t a, int32_t b) {
    return fr_distance(fr_get3(mesh->p, a), fr_get3(mesh->p, b));
}

static double longest_side(const FrTriMesh *mesh) {
    double longest = 0.0;
    for (int32_t k = 0; k < 3 * mesh->tri_count; k++)
        longest = fr_max(longest,
                         side_length(mesh, mesh->tri[k / 3][k % 3], mesh->tri[k / 3][(k + 1) % 3]));
    return longest;
}

static int side_of(const FrTriMesh *mesh, const FrEdgeUse *use) {
    int32_t first = use->forward ? use->lo : use->hi, second = use->forward ? use->hi : use->lo;
    const int32_t *c = mesh->tri[use->tri];
    for (int i = 0; i < 2; i++)
        if (c[i] == first && c[i + 1] == second) return i;
    return 2;
}

// sides longer than `reach` get a point, all that run between the same two points the same one
static void mark(Refine *r, const FrEdgeUse *uses, double reach) {
    int32_t count = 3 * r->from->tri_count;
    for (int32_t at = 0, run; at < count; at += run) {
        run = fr_edge_run(uses, count, at);
        bool halved = side_length(r->from, uses[at].lo, uses[at].hi) > reach;
        for (int32_t k = at; k < at + run; k++)
            r->middle[3 * uses[k].tri + side_of(r->from, &uses[k])] = halved ? r->points : -1;
        if (halved) r->points++, r->tris += run;
    }
}

static void fill_point(const Refine *r, int32_t a, int32_t b, int32_t at) {
    const FrTriMesh *from = r->from;
    // a sum of two does not depend on their order: sides of other points at the same places agree
    fr_set3(r->to->p, at, fr_scale(0.5, fr_add(fr_get3(from->p, a), fr_get3(from->p, b))));
    if (from->normal)
        fr_set3(r->to->normal, at,
                fr_normalize(fr_add(fr_get3(from->normal, a), fr_get3(from->normal, b))));
    for (int i = 0; i < 2 && from->uv; i++)
        r->to->uv[2 * (size_t)at + (size_t)i] =
            0.5 * (from->uv[2 * (size_t)a + (size_t)i] + from->uv[2 * (size_t)b + (size_t)i]);
}

static void add_tri(Refine *r, int32_t a, int32_t b, int32_t c) {
    int32_t *t = r->to->tri[r->to->tri_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

// the four corners go round; cut along the shorter diagonal
static void add_quad(Refine *r, int32_t a, int32_t b, int32_t c, int32_t d) {
    if (side_length(r->to, a, c) <= side_length(r->to, b, d)) {
        add_tri(r, a, b, c);
        add_tri(r, a, c, d);
    } else {
        add_tri(r, a, b, d);
        add_tri(r, b, c, d);
    }
}

static void divide(Refine *r, int32_t t) {
    const int32_t *c = r->from->tri[t], *m = r->middle + 3 * (size_t)t;
    int halved = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0), i = 0;
    // from a side on which one corner can be distinguished from the others
    while (halved == 1 && m[i] < 0) i++;
    while (halved == 2 && m[(i + 1) % 3] >= 0) i++;
    int32_t a = c[i], b = c[(i + 1) % 3], d = c[(i + 2) % 3];
    int32_t ab = m[i], bd = m[(i + 1) % 3], da = m[(i + 2) % 3];
    if (halved == 0) {
        add_tri(r, a, b, d);
    } else if (halved == 1) {
        add_tri(r, a, ab, d);
        add_tri(r, ab, b, d);
    } else if (halved == 2) {
        add_tri(r, a, ab, da);
        add_quad(r, ab, b, d, da);
    } else {
        add_tri(r, a, ab, da);
        add_tri(r, ab, b, bd);
        add_tri(r, da, bd, d);
        add_tri(r, ab, bd, da);
    }
}

static FrResult copy_points(FrContext *ctx, const Refine *r) {
    const FrTriMesh *from = r->from;
    size_t old = (size_t)from->point_count, all = (size_t)r->points;
    if (from->normal) r->to->normal = FR_NEW(ctx, double, 3 * all);
    if (from->uv) r->to->uv = FR_NEW(ctx, double, 2 * all);
    if ((from->normal && !r->to->normal) || (from->uv && !r->to->uv))
        return fr_no_memory(ctx, "a finer surface");
    memcpy(r->to->p, from->p, 3 * old * sizeof *from->p);
    if (from->normal) memcpy(r->to->normal, from->normal, 3 * old * sizeof *from->normal);
    if (from->uv) memcpy(r->to->uv, from->uv, 2 * old * sizeof *from->uv);
    return FR_OK;
}

static FrResult fill(FrContext *ctx, Refine *r) {
    FR_TRY(fr_trimesh_alloc(ctx, r->points, r->tris, r->to));
    FR_TRY(copy_points(ctx, r));
    for (int32_t k = 0; k < 3 * r->from->tri_count; k++)
        if (r->middle[k] >= 0)
            fill_point(r, r->from->tri[k / 3][k % 3], r->from->tri[k / 3][(k + 1) % 3],
                       r->middle[k]);
    r->to->tri_count = 0;
    for (int32_t t = 0; t < r->from->tri_count; t++) divide(r, t);
    return FR_OK;
}

static FrResult halve(FrContext *ctx, FrTriMesh *mesh, double reach) {
    FrTriMesh finer = {0};
    FrEdgeUse *uses;
    FR_TRY(fr_trimesh_edges(ctx, mesh, &uses));
    Refine r = {mesh, FR_NEW(ctx, int32_t, 3 * (size_t)mesh->tri_count), mesh->point_count,
                mesh->tri_count, &finer};
    FrResult result = r.middle ? FR_OK : fr_no_memory(ctx, "a finer surface");
    if (result == FR_OK) {
        mark(&r, uses, reach);
        result = fill(ctx, &r);
    }
    fr_free(ctx, uses);
    fr_free(ctx, r.middle);
    if (result == FR_OK) {
        fr_trimesh_free(ctx, mesh);
        *mesh = finer;
    } else {
        fr_trimesh_free(ctx, &finer);
    }
    return result;
}

FrResult fr_trimesh_refine(FrContext *ctx, FrTriMesh *mesh, double longest) {
    FR_ASSERT_IN(ctx, longest > 0.0, "refine to a length above zero");
    for (double now; (now = longest_side(mesh)) > longest;) {
        if (mesh->tri_count > INT32_MAX / 12) return fr_no_memory(ctx, "a finer surface");
        // long sides before shorter ones: hardly any triangle gets thinner
        FR_TRY(halve(ctx, mesh, fr_max(longest, now * 0.8)));
    }
    return FR_OK;
}
