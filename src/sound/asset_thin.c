// asset_thin.c: a cooked body with fewer surface points, for small files: where it is hit gets
// coarser, its tones do not.
//
// Points that are near each other and face the same way become one of them (Rossignac & Borrel
// 1993): a wall keeps both its sides. What a mode does at points that stay is fitted, so that what
// lies between three of them comes as near as it can, in squares over the surface, to what the mode
// did there.

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

/// What a point's own value weighs against the fit, 1, and how near the fit must come.
#define OWN 0.02
#define FITTED 1e-6
#define MOST_STEPS 60

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

/// Values at the points that are left, one component of one mode: a sum of squares is least where
/// each triangle's share of it, `square`, times them is `right`.
typedef struct Fit {
    const FrAsset *thin;
    FrSpot *spot;        ///< on the thin surface, for each point of the whole one
    double *area;        ///< of the whole one's points, m^2
    double (*square)[6]; ///< of each triangle: 00 11 22 01 12 20, m^2
    double *own;         ///< what the points' own values weigh, m^2
    double *right, *diagonal, *value, *rest, *way, *image; ///< of each point
} Fit;

// squares of all triangles and points, times x
static void apply(const Fit *f, const double *x, double *y) {
    for (int32_t v = 0; v < f->thin->info.vertex_count; v++) y[v] = f->own[v] * x[v];
    for (int32_t t = 0; t < f->thin->info.tri_count; t++) {
        const int32_t *v = f->thin->tri[t];
        const double *q = f->square[t];
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3;
            y[v[i]] += q[i] * x[v[i]] + q[3 + i] * x[v[j]];
            y[v[j]] += q[3 + i] * x[v[i]];
        }
    }
}

// conjugate gradients, from the values that are there
static void solve(Fit *f) {
    int32_t count = f->thin->info.vertex_count;
    double first = 0.0, energy = 0.0;
    apply(f, f->value, f->image);
    for (int32_t v = 0; v < count; v++) {
        f->rest[v] = f->right[v] - f->image[v];
        f->way[v] = f->rest[v] / f->diagonal[v];
        energy += f->rest[v] * f->way[v];
        first += f->right[v] * f->right[v] / f->diagonal[v];
    }
    for (int step = 0; step < MOST_STEPS && energy > FITTED * FITTED * first; step++) {
        double curve = 0.0, before = energy;
        apply(f, f->way, f->image);
        for (int32_t v = 0; v < count; v++) curve += f->way[v] * f->image[v];
        energy = 0.0;
        for (int32_t v = 0; v < count; v++) {
            f->value[v] += before / curve * f->way[v];
            f->rest[v] -= before / curve * f->image[v];
            energy += f->rest[v] * f->rest[v] / f->diagonal[v];
        }
        for (int32_t v = 0; v < count; v++)
            f->way[v] = f->rest[v] / f->diagonal[v] + energy / before * f->way[v];
    }
}

// which triangle each point of the whole surface lies on, and what that makes of the squares
static void weigh(const FrAsset *from, Fit *f) {
    for (int32_t k = 0; k < from->info.tri_count; k++)
        for (int i = 0; i < 3; i++)
            f->area[from->tri[k][i]] += fr_length(area_of(from, from->tri[k])) / 6.0;
    for (int32_t v = 0; v < from->info.vertex_count; v++) {
        FrSpot *s = &f->spot[v];
        *s = fr_asset_nearest(f->thin, point(from, v));
        for (int i = 0; i < 3; i++) {
            int32_t at = f->thin->tri[s->tri][i];
            f->square[s->tri][i] += f->area[v] * s->b[i] * s->b[i];
            f->square[s->tri][3 + i] += f->area[v] * s->b[i] * s->b[(i + 1) % 3];
            f->own[at] += OWN * f->area[v] * s->b[i];
            f->diagonal[at] += f->area[v] * s->b[i] * s->b[i];
        }
    }
    double least = OWN * from->info.area / (100.0 * f->thin->info.vertex_count);
    for (int32_t v = 0; v < f->thin->info.vertex_count; v++) {
        f->own[v] = fr_max(f->own[v], least);
        f->diagonal[v] += f->own[v];
    }
}

static void fit_all(const FrAsset *from, FrAsset *thin, Fit *f) {
    size_t stride = 3 * (size_t)from->info.mode_count;
    for (size_t c = 0; c < stride; c++) {
        for (int32_t v = 0; v < thin->info.vertex_count; v++) {
            f->value[v] = (double)thin->shape[stride * (size_t)v + c];
            f->right[v] = f->own[v] * f->value[v];
        }
        for (int32_t v = 0; v < from->info.vertex_count; v++)
            for (int i = 0; i < 3; i++)
                f->right[thin->tri[f->spot[v].tri][i]] +=
                    f->area[v] * f->spot[v].b[i] * (double)from->shape[stride * (size_t)v + c];
        solve(f);
        for (int32_t v = 0; v < thin->info.vertex_count; v++)
            thin->shape[stride * (size_t)v + c] = (float)f->value[v];
    }
}

static FrResult fit(FrContext *ctx, const FrAsset *from, FrAsset *thin) {
    size_t points = (size_t)thin->info.vertex_count;
    Fit f = {.thin = thin};
    f.spot = FR_NEW(ctx, FrSpot, from->info.vertex_count);
    f.area = FR_NEW(ctx, double, from->info.vertex_count);
    f.square = fr_alloc_zero(ctx, (size_t)thin->info.tri_count, sizeof *f.square);
    double *own = f.own = FR_NEW(ctx, double, 7 * points);
    FrResult result = f.spot && f.area && f.square && own ? FR_OK : fr_no_memory(ctx, "a fit");
    if (result == FR_OK) {
        double **all[] = {&f.right, &f.diagonal, &f.value, &f.rest, &f.way, &f.image};
        for (size_t k = 0; k < 6; k++) *all[k] = own + (k + 1) * points;
        weigh(from, &f);
        fit_all(from, thin, &f);
    }
    fr_free(ctx, f.spot);
    fr_free(ctx, f.area);
    fr_free(ctx, f.square);
    fr_free(ctx, own);
    return result;
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
    memcpy((*to)->place, from->place, sizeof from->place);
    FrResult result = fit(t->ctx, from, *to);
    if (result == FR_OK) result = fr_asset_change_air(from, *to, NULL, 1.0, 1.0);
    if (result == FR_OK) return FR_OK;
    fr_asset_destroy(*to);
    *to = NULL;
    return result;
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
