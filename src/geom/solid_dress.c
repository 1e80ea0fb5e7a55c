// solid_dress.c: the repaired surface as it is to be seen: UVs and normals as they were given,
// normals by crease angle where there are none.

#include "geom/creases.h"
#include "geom/solid_repair.h"
#include <string.h>

typedef struct Dress {
    const FrTriMesh *mesh, *given;
    const int32_t *joined;
    int32_t *corner_of; ///< the given point of corner 3 * t + i (3 * tri_count)
    double *normal;     ///< given ones, outwards (3 * given->point_count); NULL: none
    FrCorners corners;
    FrTriMesh *to;
} Dress;

// corner of the given triangle that was joined into point n; -1: none
static int corner_at(const Dress *d, int32_t t, int32_t n) {
    for (int i = 0; i < 3; i++)
        if (d->joined[d->given->tri[t][i]] == n) return i;
    return -1;
}

// repair drops triangles and turns them, but keeps their order
static void find_given(const Dress *d) {
    const FrTriMesh *mesh = d->mesh;
    for (int32_t k = 0, t = 0; k < mesh->tri_count && t < d->given->tri_count; t++) {
        int at[3];
        for (int i = 0; i < 3; i++) at[i] = corner_at(d, t, mesh->tri[k][i]);
        if (at[0] < 0 || at[1] < 0 || at[2] < 0) continue;
        for (int i = 0; i < 3; i++) d->corner_of[3 * k + i] = d->given->tri[t][at[i]];
        k++;
    }
}

// normals of a surface that came inside out look inwards
static void turn_normals(const Dress *d) {
    const double *given = d->given->normal;
    for (int32_t k = 0; k < 3 * d->mesh->tri_count; k++)
        fr_add3(d->normal, d->corner_of[k], d->corners.face[k / 3]);
    for (int32_t n = 0; n < d->given->point_count; n++) {
        FrVec3 own = fr_get3(given, n);
        fr_set3(d->normal, n, fr_dot(own, fr_get3(d->normal, n)) < 0.0 ? fr_neg(own) : own);
    }
}

static FrVec3 normal_at(const Dress *d, int32_t place, int32_t corner) {
    FrVec3 given = d->normal ? fr_get3(d->normal, d->corner_of[corner]) : fr_vec3_zero;
    return fr_length2(given) > 0.0 ? given : fr_corner_normal(&d->corners, place, corner);
}

// one point for each different normal and UV at a place
static void split_place(const Dress *d, int32_t place) {
    FrTriMesh *to = d->to;
    const FrCorners *c = &d->corners;
    int32_t first = to->point_count;
    for (int32_t k = c->start[place]; k < c->start[place + 1]; k++) {
        int32_t corner = c->list[k], n = first;
        FrVec3 normal = normal_at(d, place, corner);
        const double *uv = to->uv ? d->given->uv + 2 * (size_t)d->corner_of[corner] : NULL;
        double x[3] = {normal.x, normal.y, normal.z};
        while (n < to->point_count && (memcmp(to->normal + 3 * (size_t)n, x, sizeof x) ||
                                       (uv && memcmp(to->uv + 2 * (size_t)n, uv, 2 * sizeof *uv))))
            n++;
        to->tri[corner / 3][corner % 3] = n;
        if (n < to->point_count) continue;
        fr_set3(to->p, n, fr_get3(d->mesh->p, place));
        fr_set3(to->normal, n, normal);
        if (uv) memcpy(to->uv + 2 * (size_t)n, uv, 2 * sizeof *uv);
        to->point_count++;
    }
}

static FrResult prepare(FrContext *ctx, Dress *d) {
    size_t corners = 3 * (size_t)d->mesh->tri_count;
    bool uv = d->given->uv, normal = d->given->normal;
    FR_TRY(fr_trimesh_alloc(ctx, (int32_t)corners, d->mesh->tri_count, d->to));
    FR_TRY(fr_corners_make(ctx, &d->corners));
    d->to->normal = FR_NEW(ctx, double, 3 * corners);
    if (uv) d->to->uv = FR_NEW(ctx, double, 2 * corners);
    if (uv || normal) d->corner_of = FR_NEW(ctx, int32_t, corners);
    if (normal) d->normal = FR_NEW(ctx, double, 3 * (size_t)d->given->point_count);
    if (!d->to->normal || (uv && !d->to->uv) || (normal && !d->normal) ||
        ((uv || normal) && !d->corner_of))
        return fr_no_memory(ctx, "the surface of a solid");
    return FR_OK;
}

FrResult fr_repair_dress(FrContext *ctx, const FrTriMesh *mesh, const FrTriMesh *given,
                         const int32_t *joined, FrTriMesh *dressed) {
    Dress d = {.mesh = mesh, .given = given, .joined = joined, .to = dressed};
    if (mesh->tri_count > INT32_MAX / 3) return fr_no_memory(ctx, "the surface of a solid");
    d.corners = (FrCorners){.x = mesh->p,
                            .tri = (const int32_t(*)[3])mesh->tri,
                            .point_count = mesh->point_count,
                            .tri_count = mesh->tri_count};
    *dressed = (FrTriMesh){0};
    FrResult result = prepare(ctx, &d);
    if (result == FR_OK) {
        if (d.corner_of) find_given(&d);
        if (d.normal) turn_normals(&d);
        dressed->point_count = 0;
        for (int32_t n = 0; n < mesh->point_count; n++) split_place(&d, n);
    }
    fr_corners_free(ctx, &d.corners);
    fr_free(ctx, d.corner_of);
    fr_free(ctx, d.normal);
    if (result != FR_OK) fr_trimesh_free(ctx, dressed);
    return result;
}
