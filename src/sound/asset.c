// asset.c: what a cooked body answers: nearest points, weights of a push, damping, other sizes.

#include "sound/asset.h"
#include "math/vec.h"
#include "modal/oscillator.h"
#include <math.h>
#include <string.h>

FrResult fr_asset_alloc(FrContext *ctx, const FrAssetInfo *info, FrAsset **asset) {
    FrAsset *a = FR_NEW(ctx, FrAsset, 1);
    *asset = NULL;
    if (!a) return fr_no_memory(ctx, "a modal asset");
    a->ctx = ctx;
    a->info = *info;
    size_t numbers = 0;
    bool fits =
        !__builtin_mul_overflow((size_t)info->mode_count, 3 * (size_t)info->vertex_count, &numbers);
    a->lambda = FR_NEW(ctx, double, info->mode_count);
    a->coupling = FR_NEW(ctx, double, info->mode_count);
    a->made_of = FR_NEW(ctx, int32_t, info->mode_count);
    a->x = FR_NEW(ctx, float, 3 * (size_t)info->vertex_count);
    a->tri = fr_alloc_zero(ctx, (size_t)info->tri_count, sizeof *a->tri);
    a->ball = fr_alloc_zero(ctx, (size_t)info->tri_count, sizeof *a->ball);
    a->shape = fits ? FR_NEW(ctx, float, numbers) : NULL;
    if (a->lambda && a->coupling && a->made_of && a->x && a->tri && a->ball && a->shape) {
        *asset = a;
        return FR_OK;
    }
    fr_asset_destroy(a);
    return fr_no_memory(ctx, "a modal asset");
}

void fr_asset_destroy(FrAsset *asset) {
    if (!asset) return;
    FrContext *ctx = asset->ctx;
    fr_radiation_destroy(asset->radiation);
    FR_FREE_ALL(ctx, asset->lambda, asset->coupling, asset->made_of, asset->x, asset->tri,
                asset->ball, asset->shape, asset);
}

static void copy_numbers(void *to, const void *from, size_t count, size_t size) {
    if (count) memcpy(to, from, count * size);
}

FrResult fr_asset_copy(FrContext *ctx, const FrAsset *from, FrAsset **to) {
    const FrAssetInfo *info = &from->info;
    size_t modes = (size_t)info->mode_count, points = 3 * (size_t)info->vertex_count;
    FR_TRY(fr_asset_alloc(ctx, info, to));
    copy_numbers((*to)->lambda, from->lambda, modes, sizeof(double));
    copy_numbers((*to)->coupling, from->coupling, modes, sizeof(double));
    copy_numbers((*to)->x, from->x, points, sizeof(float));
    copy_numbers((*to)->tri, from->tri, (size_t)info->tri_count, sizeof *from->tri);
    copy_numbers((*to)->ball, from->ball, (size_t)info->tri_count, sizeof *from->ball);
    copy_numbers((*to)->shape, from->shape, modes * points, sizeof(float));
    memcpy((*to)->place, from->place, sizeof from->place);
    (*to)->proxy = from->proxy;
    FrResult result = fr_asset_change_air(from, *to, NULL, 1.0, 1.0);
    if (result == FR_OK) return FR_OK;
    fr_asset_destroy(*to);
    *to = NULL;
    return result;
}

FrAssetInfo fr_asset_info(const FrAsset *asset) {
    if (!asset) return (FrAssetInfo){0};
    return asset->info;
}

double fr_asset_damping(const FrAsset *asset, int32_t i) {
    const FrAssetInfo *info = &asset->info;
    FrMaterial m = {.alpha1 = info->alpha1, .alpha2 = info->alpha2, .eta = info->eta};
    return fr_mode_damping(&m, asset->lambda[i], sqrt(asset->lambda[i]));
}

void fr_asset_mode(const FrAsset *asset, int32_t i, double *hz, double *t60) {
    if (!(asset && hz && t60) || i < 0 || i >= asset->info.mode_count) return;

    double c = fr_asset_damping(asset, i);
    *hz = fr_mode_omega(asset->lambda[i], c) / (2.0 * M_PI);
    *t60 = c > 0.0 ? 2.0 * log(1000.0) / c : HUGE_VAL;
}

void fr_asset_set_damping(FrAsset *asset, double alpha1, double alpha2, double eta) {
    if (!asset) return;
    if (!(alpha1 >= 0.0 && alpha2 >= 0.0 && eta >= 0.0)) {
        fr_misused(asset->ctx, __FILE__, __LINE__, "damping not below 0",
                   "damping takes energy, never gives it");
        return;
    }
    asset->info.alpha1 = alpha1;
    asset->info.alpha2 = alpha2;
    asset->info.eta = eta;
}

static bool in_band(const FrAsset *a, int32_t i, const FrAssetOptions *options) {
    double hz, t60;
    fr_asset_mode(a, i, &hz, &t60);
    return hz >= options->lowest && (options->highest <= 0.0 || hz <= options->highest);
}

// numbers move to the front: none goes behind where it was
FrResult fr_asset_keep(FrAsset *a, const FrAssetOptions *options) {
    size_t before = (size_t)a->info.mode_count, points = (size_t)a->info.vertex_count, count = 0;
    size_t most = options->most_modes > 0 ? (size_t)options->most_modes : before;
    int32_t *kept = FR_NEW(a->ctx, int32_t, before);
    if (!kept) return fr_no_memory(a->ctx, "modes");
    for (int32_t mode = 0; (size_t)mode < before && count < most; mode++) {
        if (!in_band(a, mode, options)) continue;
        kept[count] = mode;
        for (size_t v = 0; v < points; v++)
            memmove(a->shape + 3 * (v * before + count), a->shape + 3 * (v * before + (size_t)mode),
                    3 * sizeof *a->shape);
        a->lambda[count] = a->lambda[mode];
        a->coupling[count++] = a->coupling[mode];
    }
    for (size_t v = 1; v < points; v++)
        memmove(a->shape + 3 * v * count, a->shape + 3 * v * before, 3 * count * sizeof *a->shape);
    a->info.mode_count = (int32_t)count;
    FrResult result = fr_asset_change_air(a, a, kept, 1.0, 1.0);
    fr_free(a->ctx, kept);
    return result;
}

// with another speed of sound in the body its waves in the air no longer fit its size
static FrResult rescale_air(FrAsset *a, double size, double shape, double lambda) {
    if (a->radiation && fabs(lambda * size * size - 1.0) < 1e-9)
        return fr_asset_change_air(a, a, NULL, size, shape);
    fr_radiation_destroy(a->radiation);
    a->radiation = NULL;
    return FR_OK;
}

// size g: w/g, W g^-3/2; stiffness s: w sqrt(s), W; density s: w/sqrt(s), W/sqrt(s)  [S4 3.3] (E38)
FrResult fr_asset_rescale(FrAsset *a, double size, double stiffness, double density) {
    FR_NEED_ALL(a ? a->ctx : NULL, a);

    if (!(size > 0.0 && stiffness > 0.0 && density > 0.0) || !isfinite(size * stiffness * density))
        return fr_fail(a->ctx, FR_BAD_USE, "cannot rescale by %g, %g, %g: factors are above 0",
                       size, stiffness, density);
    FrAssetInfo *info = &a->info;
    double lambda = stiffness / density / (size * size), shape = pow(size, -1.5) / sqrt(density);
    for (int32_t i = 0; i < info->mode_count; i++) {
        a->lambda[i] *= lambda;
        a->coupling[i] *= sqrt(lambda) * shape;
    }
    size_t points = 3 * (size_t)info->vertex_count;
    for (size_t k = 0; k < points * (size_t)info->mode_count; k++)
        a->shape[k] = (float)(shape * (double)a->shape[k]);
    for (size_t k = 0; k < points; k++) a->x[k] = (float)(size * (double)a->x[k]);
    for (int k = 0; k < 3; k++) a->place[k] = fr_scale(size, a->place[k]);
    for (int k = 0; k < 3; k++) a->proxy.half[k] *= size, a->proxy.rings[k] *= size;
    info->density *= density;
    info->young *= stiffness;
    info->mass *= density * size * size * size;
    info->volume *= size * size * size;
    info->area *= size * size;
    info->centre = fr_scale(size, info->centre);
    info->bounds = (FrBox){fr_scale(size, info->bounds.lo), fr_scale(size, info->bounds.hi)};
    fr_asset_balls(a);
    return rescale_air(a, size, shape, lambda);
}

static FrVec3 point(const FrAsset *a, int32_t v) {
    const float *x = a->x + 3 * (size_t)v;
    return fr_vec3((double)x[0], (double)x[1], (double)x[2]);
}

// weights of the point of triangle abc nearest to p (Ericson 2005, 5.1.5)
static void nearest_in_triangle(FrVec3 p, FrVec3 a, FrVec3 b, FrVec3 c, double w[3]) {
    FrVec3 ab = fr_sub(b, a), ac = fr_sub(c, a), ap = fr_sub(p, a), bp = fr_sub(p, b),
           cp = fr_sub(p, c);
    double d1 = fr_dot(ab, ap), d2 = fr_dot(ac, ap), d3 = fr_dot(ab, bp), d4 = fr_dot(ac, bp),
           d5 = fr_dot(ab, cp), d6 = fr_dot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    double s = 0.0, t = 0.0; // along ab, along ac
    if (d1 <= 0.0 && d2 <= 0.0) {
        s = t = 0.0;
    } else if (d3 >= 0.0 && d4 <= d3) {
        s = 1.0;
    } else if (d6 >= 0.0 && d5 <= d6) {
        t = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        s = d1 / (d1 - d3);
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        t = d2 / (d2 - d6);
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        s = 1.0 - t;
    } else if (va + vb + vc > 0.0) {
        s = vb / (va + vb + vc);
        t = vc / (va + vb + vc);
    }
    w[0] = 1.0 - s - t;
    w[1] = s;
    w[2] = t;
}

FrVec3 fr_asset_spot(const FrAsset *a, const FrSpot *spot) {
    FrVec3 sum = fr_vec3_zero;
    for (int k = 0; k < 3; k++) sum = fr_axpy(spot->b[k], point(a, a->tri[spot->tri][k]), sum);
    return sum;
}

FrSpot fr_asset_nearest(const FrAsset *a, FrVec3 at) {
    FrSpot best = {.away = HUGE_VAL};
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        // balls are a little too large, so that none that matters is skipped
        const float *ball = a->ball[t];
        double reach = best.away + (double)ball[3];
        FrVec3 middle = fr_vec3((double)ball[0], (double)ball[1], (double)ball[2]);
        if (fr_length2(fr_sub(middle, at)) > reach * reach) continue;
        FrSpot spot = {.tri = t};
        const int32_t *v = a->tri[t];
        nearest_in_triangle(at, point(a, v[0]), point(a, v[1]), point(a, v[2]), spot.b);
        spot.away = fr_distance(fr_asset_spot(a, &spot), at);
        if (spot.away < best.away) best = spot;
    }
    return best;
}

// x = (a^2 n_x, b^2 n_y, c^2 n_z)/sqrt(a^2 n_x^2 + b^2 n_y^2 + c^2 n_z^2), n against the push
//                                                                           [S7 eq. 24] (E55)
FrSpot fr_asset_struck(const FrAsset *a, FrVec3 at, FrVec3 push) {
    const FrProxyAxes *p = &a->proxy;
    double length = fr_length(push), size = 0.0, x[3];
    if (!(p->half[0] > 0.0) || !(length > 0.0)) return fr_asset_nearest(a, at);
    FrVec3 n = fr_scale(-1.0 / length, fr_quat_rotate(fr_quat_conj(p->turn), push));
    for (int k = 0; k < 3; k++) {
        x[k] = p->rings[k] * fr_vec3_get(n, k);
        size += x[k] * x[k];
        x[k] *= p->rings[k];
    }
    FrVec3 own = fr_scale(1.0 / sqrt(size), fr_vec3(x[0], x[1], x[2]));
    return fr_asset_nearest(a, fr_add(a->info.centre, fr_quat_rotate(p->turn, own)));
}

void fr_asset_balls(FrAsset *a) {
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        FrSpot spot = {.tri = t, .b = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
        FrVec3 middle = fr_asset_spot(a, &spot);
        double radius = 0.0;
        for (int k = 0; k < 3; k++)
            radius = fr_max(radius, fr_distance(middle, point(a, a->tri[t][k])));
        double size = fr_length(middle) + radius;
        float ball[4] = {(float)middle.x, (float)middle.y, (float)middle.z,
                         (float)(1.001 * radius + 1e-6 * size)};
        memcpy(a->ball[t], ball, sizeof ball);
    }
}

static FrVec3 area_normal(const FrAsset *a, int32_t t) {
    FrVec3 p = point(a, a->tri[t][0]);
    return fr_scale(0.5,
                    fr_cross(fr_sub(point(a, a->tri[t][1]), p), fr_sub(point(a, a->tri[t][2]), p)));
}

FrVec3 fr_asset_normal(const FrAsset *a, int32_t tri) { return fr_normalize(area_normal(a, tri)); }

double fr_asset_weight(const FrAsset *a, const FrSpot *spot, int32_t i, FrVec3 f) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const float *w =
            a->shape + ((size_t)a->tri[spot->tri][k] * (size_t)a->info.mode_count + (size_t)i) * 3;
        sum += spot->b[k] * ((double)w[0] * f.x + (double)w[1] * f.y + (double)w[2] * f.z);
    }
    return sum;
}
