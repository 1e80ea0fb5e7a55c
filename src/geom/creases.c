// creases.c: normals at the corners of triangles: round where faces meet flatly, sharp elsewhere.

#include "geom/creases.h"

static int32_t place_of(const FrCorners *c, int32_t corner) {
    int32_t point = c->tri[corner / 3][corner % 3];
    return c->place ? c->place[point] : point;
}

FrVec3 fr_face_normal(const double *x, const int32_t tri[3]) {
    FrVec3 a = fr_get3(x, tri[0]);
    FrVec3 n = fr_cross(fr_sub(fr_get3(x, tri[1]), a), fr_sub(fr_get3(x, tri[2]), a));
    return fr_normalize(n);
}

static double corner_angle(const FrCorners *c, int32_t corner) {
    int32_t t = corner / 3, i = corner % 3;
    FrVec3 a = fr_get3(c->x, c->tri[t][i]);
    FrVec3 u = fr_normalize(fr_sub(fr_get3(c->x, c->tri[t][(i + 1) % 3]), a));
    FrVec3 v = fr_normalize(fr_sub(fr_get3(c->x, c->tri[t][(i + 2) % 3]), a));
    return acos(fr_clamp(fr_dot(u, v), -1, 1));
}

void fr_corners_free(FrContext *ctx, FrCorners *c) {
    fr_free(ctx, c->face);
    fr_free(ctx, c->start);
    fr_free(ctx, c->list);
}

FrResult fr_corners_make(FrContext *ctx, FrCorners *c) {
    c->face = FR_NEW(ctx, FrVec3, c->tri_count);
    c->start = FR_NEW(ctx, int32_t, (size_t)c->point_count + 1);
    c->list = FR_NEW(ctx, int32_t, 3 * (size_t)c->tri_count);
    if (!c->face || !c->start || !c->list) return fr_no_memory(ctx, "corner normals");
    for (int32_t t = 0; t < c->tri_count; t++) {
        c->face[t] = fr_face_normal(c->x, c->tri[t]);
        for (int i = 0; i < 3; i++) c->start[place_of(c, 3 * t + i) + 1]++;
    }
    for (int32_t n = 0; n < c->point_count; n++) c->start[n + 1] += c->start[n];
    for (int32_t k = 3 * c->tri_count - 1; k >= 0; k--) c->list[--c->start[place_of(c, k) + 1]] = k;
    for (int32_t n = 0; n < c->point_count; n++) c->start[n] = c->start[n + 1];
    c->start[c->point_count] = 3 * c->tri_count;
    return FR_OK;
}

FrVec3 fr_corner_normal(const FrCorners *c, int32_t place, int32_t corner) {
    FrVec3 own = c->face[corner / 3], sum = fr_vec3_zero;
    double limit = cos(FR_CREASE_ANGLE);
    for (int32_t k = c->start[place]; k < c->start[place + 1]; k++) {
        FrVec3 other = c->face[c->list[k] / 3];
        if (fr_dot(own, other) >= limit) sum = fr_axpy(corner_angle(c, c->list[k]), other, sum);
    }
    sum = fr_normalize(sum);
    return fr_length2(sum) > 0 ? sum : own;
}
