// asset_thin.c: a cooked body with fewer surface points, for small files: where it is hit gets
// coarser, its tones do not.
//
// Points that are near each other and face the same way become one of them (Rossignac & Borrel
// 1993): a wall keeps both its sides. What a mode does at a point that stays is kept to the bit.

#include "math/vec.h"
#include "sound/asset.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// How much larger cells get while there are too many points.
#define LARGER 1.06
#define MOST_ROUNDS 400
/// A triangle that turned farther than this (cosine) by losing its corners goes.
#define TURNED 0.3

/// A point in its cell.
typedef struct Member {
    uint64_t cell;
    int32_t vertex;
} Member;

typedef struct Thinner {
    FrContext *ctx;
    const FrAsset *from;
    FrVec3 *normal;    ///< of each point, sums of areas (vertex_count)
    Member *member;    ///< (vertex_count)
    int32_t *into;     ///< the point that stands for each (vertex_count)
    int32_t *number;   ///< of those that stay, -1: gone (vertex_count)
    int32_t (*tri)[3]; ///< (tri_count) in the numbers of `from`
    int32_t tri_count, vertex_count;
} Thinner;

static FrVec3 point(const FrAsset *a, int32_t v) {
    return fr_vec3((double)a->x[3 * v], (double)a->x[3 * v + 1], (double)a->x[3 * v + 2]);
}

static FrVec3 area_of(const FrAsset *a, const int32_t *v) {
    FrVec3 p = point(a, v[0]);
    return fr_cross(fr_sub(point(a, v[1]), p), fr_sub(point(a, v[2]), p));
}

// which of the six axis directions a normal is nearest to
static uint64_t facing(FrVec3 n) {
    double a[3] = {fabs(n.x), fabs(n.y), fabs(n.z)};
    int axis = a[0] >= a[1] && a[0] >= a[2] ? 0 : a[1] >= a[2] ? 1 : 2;
    return (uint64_t)(2 * axis + (fr_vec3_get(n, axis) < 0.0));
}

static int by_cell(const void *a, const void *b) {
    const Member *x = a, *y = b;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

// Points of one cell [first, end): the outermost stands for all, so that rims and corners stay
// where they are, and rims are where things are loud.
static void stand_for(Thinner *t, int32_t first, int32_t end) {
    int32_t best = t->member[first].vertex;
    double most = -1.0;
    for (int32_t k = first; k < end; k++) {
        double d = fr_distance(point(t->from, t->member[k].vertex), t->from->info.centre);
        if (d > most) most = d, best = t->member[k].vertex;
    }
    for (int32_t k = first; k < end; k++) t->into[t->member[k].vertex] = best;
}

// returns how many points are left with cells of this size
static int32_t cluster(Thinner *t, double cell) {
    int32_t count = t->from->info.vertex_count, left = 0;
    FrVec3 low = t->from->info.bounds.lo;
    for (int32_t v = 0; v < count; v++) {
        FrVec3 p = fr_scale(1.0 / cell, fr_sub(point(t->from, v), low));
        uint64_t at[3] = {(uint64_t)fr_max(p.x, 0.0), (uint64_t)fr_max(p.y, 0.0),
                          (uint64_t)fr_max(p.z, 0.0)};
        t->member[v] =
            (Member){((at[0] << 20 | at[1]) << 20 | at[2]) << 3 | facing(t->normal[v]), v};
    }
    qsort(t->member, (size_t)count, sizeof *t->member, by_cell);
    for (int32_t k = 0, first = 0; k < count; k++) {
        if (k + 1 < count && t->member[k + 1].cell == t->member[k].cell) continue;
        stand_for(t, first, k + 1);
        first = k + 1;
        left++;
    }
    return left;
}

// triangles between points that stay, as they faced before
static void keep_triangles(Thinner *t) {
    t->tri_count = 0;
    for (int32_t k = 0; k < t->from->info.tri_count; k++) {
        const int32_t *old = t->from->tri[k];
        int32_t v[3] = {t->into[old[0]], t->into[old[1]], t->into[old[2]]};
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
        FrVec3 was = area_of(t->from, old), is = area_of(t->from, v);
        if (!(fr_dot(was, is) > TURNED * fr_length(was) * fr_length(is))) continue;
        memcpy(t->tri[t->tri_count++], v, sizeof v);
    }
}

// points without a triangle go
static void count_points(Thinner *t) {
    int32_t count = t->from->info.vertex_count;
    for (int32_t v = 0; v < count; v++) t->number[v] = -1;
    for (int32_t k = 0; k < t->tri_count; k++)
        for (int i = 0; i < 3; i++) t->number[t->tri[k][i]] = 0;
    t->vertex_count = 0;
    for (int32_t v = 0; v < count; v++)
        if (t->number[v] == 0) t->number[v] = t->vertex_count++;
}

static FrResult build(const Thinner *t, FrAsset **to) {
    const FrAsset *from = t->from;
    FrAssetInfo info = from->info;
    size_t modes = (size_t)info.mode_count, values = 3 * modes;
    info.vertex_count = t->vertex_count;
    info.tri_count = t->tri_count;
    FR_TRY(fr_asset_alloc(t->ctx, &info, to));
    for (size_t i = 0; i < modes; i++) {
        (*to)->lambda[i] = from->lambda[i];
        (*to)->coupling[i] = from->coupling[i];
    }
    for (int32_t v = 0; v < from->info.vertex_count; v++) {
        if (t->number[v] < 0) continue;
        size_t at = (size_t)t->number[v];
        memcpy((*to)->x + 3 * at, from->x + 3 * (size_t)v, 3 * sizeof(float));
        if (modes)
            memcpy((*to)->shape + values * at, from->shape + values * (size_t)v,
                   values * sizeof(float));
    }
    for (int32_t k = 0; k < t->tri_count; k++)
        for (int i = 0; i < 3; i++) (*to)->tri[k][i] = t->number[t->tri[k][i]];
    fr_asset_balls(*to);
    return FR_OK;
}

static FrResult thin(Thinner *t, int32_t most, FrAsset **to) {
    const FrAssetInfo *info = &t->from->info;
    t->normal = FR_NEW(t->ctx, FrVec3, info->vertex_count);
    t->member = FR_NEW(t->ctx, Member, info->vertex_count);
    t->into = FR_NEW(t->ctx, int32_t, info->vertex_count);
    t->number = FR_NEW(t->ctx, int32_t, info->vertex_count);
    t->tri = fr_alloc_zero(t->ctx, (size_t)info->tri_count, sizeof *t->tri);
    if (!t->normal || !t->member || !t->into || !t->number || !t->tri)
        return fr_no_memory(t->ctx, "a thinner surface");
    for (int32_t k = 0; k < info->tri_count; k++)
        for (int i = 0; i < 3; i++) {
            int32_t v = t->from->tri[k][i];
            t->normal[v] = fr_add(t->normal[v], area_of(t->from, t->from->tri[k]));
        }
    // as many squares of this edge as points
    double size = fr_length(fr_box_size(info->bounds)), cell = sqrt(info->area / most);
    cell = fr_max(cell, size * 2e-6);
    for (int round = 0; round < MOST_ROUNDS && cluster(t, cell) > most; round++) cell *= LARGER;
    keep_triangles(t);
    count_points(t);
    // a body of a few cells has nothing left: it stays as it is
    return t->tri_count > 0 ? build(t, to) : fr_asset_copy(t->ctx, t->from, to);
}

FrResult fr_asset_thin(FrContext *ctx, const FrAsset *from, int32_t most_points, FrAsset **to) {
    *to = NULL;
    if (from->info.vertex_count <= most_points) return fr_asset_copy(ctx, from, to);
    Thinner t = {.ctx = ctx, .from = from};
    FrResult result = thin(&t, most_points, to);
    FR_FREE_ALL(ctx, t.normal, t.member, t.into, t.number, t.tri);
    return result;
}
