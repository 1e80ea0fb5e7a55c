// embed_uv.c: the UV that a surface has at a place, or next to it.

#include "skin/embed_uv.h"
#include <string.h>

FrResult fr_uv_finder_create(FrContext *ctx, const FrEmbedded *skin, const FrVec3 *x, int32_t tris,
                             FrUvFinder *f) {
    FrBox *box = FR_NEW(ctx, FrBox, tris);
    *f = (FrUvFinder){.skin = skin, .x = x};
    bool ok = box && fr_aabb_reserve(ctx, &f->tree, tris);
    for (int32_t t = 0; ok && t < tris; t++) {
        box[t] = fr_box_empty();
        for (int i = 0; i < 3; i++) box[t] = fr_box_add(box[t], x[skin->tri[t][i]]);
    }
    if (ok) fr_aabb_build(&f->tree, box, tris);
    fr_free(ctx, box);
    return ok ? FR_OK : fr_no_memory(ctx, "the UVs of a surface");
}

void fr_uv_finder_free(FrContext *ctx, FrUvFinder *f) { fr_aabb_free(ctx, &f->tree); }

// Nearest to x on a triangle of the skin, or next to it, as weights of its corners: where x lies in
// it, itself. Returns the distance squared, m^2.
static double weights_on(const FrUvFinder *f, const int32_t tri[3], FrVec3 x, double w[3]) {
    FrVec3 v[3], q = fr_vec3_zero;
    for (int i = 0; i < 3; i++) v[i] = f->x[tri[i]];
    FrVec3 n = fr_cross(fr_sub(v[1], v[0]), fr_sub(v[2], v[0]));
    double nn = fr_length2(n), sum = 0;
    if (!(nn > 0)) return HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        FrVec3 a = v[(i + 1) % 3], b = v[(i + 2) % 3];
        w[i] = fr_max(0, fr_dot(n, fr_cross(fr_sub(a, x), fr_sub(b, x))) / nn);
        sum += w[i];
    }
    if (!(sum > 0)) return HUGE_VAL;
    for (int i = 0; i < 3; i++) q = fr_axpy(w[i] /= sum, v[i], q);
    return fr_length2(fr_sub(q, x));
}

typedef struct Nearest {
    FrVec3 x;
    double least; ///< m^2
    double slack; ///< m^2, far more than what rounding does to distances
    int32_t tri;  ///< the lowest of those that are as near; -1: none yet
    double w[3];
} Nearest;

// depth first, the nearer half before the other
static void descend(const FrUvFinder *f, int32_t node, Nearest *near) {
    double w[3];
    double away = fr_box_distance2(f->tree.box[node], near->x);
    if ((1 - 1e-9) * away > near->least + near->slack) return;
    if (f->tree.right[node] >= 0) {
        int32_t left = node + 1, right = f->tree.right[node];
        bool swap = fr_box_distance2(f->tree.box[right], near->x) <
                    fr_box_distance2(f->tree.box[left], near->x);
        descend(f, swap ? right : left, near);
        descend(f, swap ? left : right, near);
        return;
    }
    int32_t t = ~f->tree.right[node];
    double d = weights_on(f, f->skin->tri[t], near->x, w);
    if (d > near->least || d == HUGE_VAL || (d == near->least && t > near->tri)) return;
    near->least = d;
    near->tri = t;
    memcpy(near->w, w, sizeof w);
}

void fr_uv_find(const FrUvFinder *f, FrVec3 x, double uv[2]) {
    double size = 1e-12 * fr_length(fr_box_size(fr_aabb_bounds(&f->tree)));
    Nearest near = {.x = x, .least = HUGE_VAL, .slack = size * size, .tri = -1};
    if (f->tree.node_count) descend(f, 0, &near);
    for (int k = 0; near.tri >= 0 && k < 2; k++) {
        uv[k] = 0;
        for (int i = 0; i < 3; i++)
            uv[k] += near.w[i] * f->skin->uv[2 * (size_t)f->skin->tri[near.tri][i] + (size_t)k];
    }
}
