// trimesh.c: triangle surfaces: memory, measures, mass properties.

#include "geom/trimesh.h"
#include <string.h>

FrResult fr_trimesh_alloc(FrContext *ctx, int32_t point_count, int32_t tri_count, FrTriMesh *mesh) {
    *mesh = (FrTriMesh){.point_count = point_count, .tri_count = tri_count};
    mesh->p = FR_NEW(ctx, double, 3 * (size_t)point_count);
    mesh->tri = fr_alloc_zero(ctx, (size_t)tri_count, sizeof *mesh->tri);
    if (mesh->p && mesh->tri) return FR_OK;
    fr_trimesh_free(ctx, mesh);
    return fr_no_memory(ctx, "a triangle surface");
}

void fr_trimesh_free(FrContext *ctx, FrTriMesh *mesh) {
    fr_free(ctx, mesh->p);
    fr_free(ctx, mesh->tri);
    fr_free(ctx, mesh->normal);
    fr_free(ctx, mesh->uv);
    *mesh = (FrTriMesh){0};
}

static double *copy_numbers(FrContext *ctx, const double *from, size_t count) {
    double *to = FR_NEW(ctx, double, count);
    if (to && count) memcpy(to, from, count * sizeof *to);
    return to;
}

FrResult fr_trimesh_copy(FrContext *ctx, const FrTriMesh *from, FrTriMesh *to) {
    FR_TRY(fr_trimesh_alloc(ctx, from->point_count, from->tri_count, to));
    size_t n = (size_t)from->point_count;
    if (n) memcpy(to->p, from->p, 3 * n * sizeof *to->p);
    if (from->tri_count) memcpy(to->tri, from->tri, (size_t)from->tri_count * sizeof *to->tri);
    if (from->normal) to->normal = copy_numbers(ctx, from->normal, 3 * n);
    if (from->uv) to->uv = copy_numbers(ctx, from->uv, 2 * n);
    if ((!from->normal || to->normal) && (!from->uv || to->uv)) return FR_OK;
    fr_trimesh_free(ctx, to);
    return fr_no_memory(ctx, "a triangle surface");
}

FrBox fr_trimesh_bounds(const FrTriMesh *mesh) {
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < mesh->point_count; n++) box = fr_box_add(box, fr_get3(mesh->p, n));
    return box;
}

// twice the area, along the normal
static FrVec3 area_vector2(const FrTriMesh *mesh, int32_t t) {
    FrVec3 a = fr_get3(mesh->p, mesh->tri[t][0]);
    FrVec3 b = fr_get3(mesh->p, mesh->tri[t][1]);
    FrVec3 c = fr_get3(mesh->p, mesh->tri[t][2]);
    return fr_cross(fr_sub(b, a), fr_sub(c, a));
}

double fr_trimesh_area(const FrTriMesh *mesh) {
    double area = 0.0;
    for (int32_t t = 0; t < mesh->tri_count; t++) area += 0.5 * fr_length(area_vector2(mesh, t));
    return area;
}

// Tets from a middle point o to each triangle (a, b, c), with D = a.(b x c):
//   V = sum D/6,  integral x = sum D/24 (a+b+c),
//   integral x x' = sum D/120 (a a' + b b' + c c' + s s'),  s = a+b+c
FrSolidProps fr_trimesh_props(const FrTriMesh *mesh) {
    FrSolidProps props = {0.0, fr_vec3_zero, fr_sym3_zero};
    if (!mesh->tri_count) return props;
    FrVec3 o = fr_box_center(fr_trimesh_bounds(mesh)), first = fr_vec3_zero;
    FrMat3 second = fr_mat3_zero;
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        FrVec3 a = fr_sub(fr_get3(mesh->p, mesh->tri[t][0]), o);
        FrVec3 b = fr_sub(fr_get3(mesh->p, mesh->tri[t][1]), o);
        FrVec3 c = fr_sub(fr_get3(mesh->p, mesh->tri[t][2]), o);
        FrVec3 s = fr_add(a, fr_add(b, c));
        double D = fr_dot(a, fr_cross(b, c));
        props.volume += D / 6.0;
        first = fr_axpy(D / 24.0, s, first);
        FrMat3 sum = fr_mat3_add(fr_mat3_add(fr_outer(a, a), fr_outer(b, b)),
                                 fr_mat3_add(fr_outer(c, c), fr_outer(s, s)));
        second = fr_mat3_axpy(D / 120.0, sum, second);
    }
    if (props.volume == 0.0) return props;
    FrVec3 g = fr_scale(1.0 / props.volume, first);
    props.centre = fr_add(o, g);
    // about the centre: S - V g g', then I = tr(S) 1 - S
    FrMat3 S = fr_mat3_axpy(-props.volume, fr_outer(g, g), second);
    double xx = S.c0.x, yy = S.c1.y, zz = S.c2.z;
    props.inertia = (FrSym3){yy + zz, zz + xx, xx + yy, -S.c1.z, -S.c0.z, -S.c0.y};
    return props;
}

void fr_trimesh_scale(FrTriMesh *mesh, double factor) {
    FR_ASSERT(factor > 0.0, "scale by a factor above zero");
    for (size_t k = 0; k < 3 * (size_t)mesh->point_count; k++) mesh->p[k] *= factor;
}

static void stand_up(double *a, int32_t count) {
    for (int32_t n = 0; n < count; n++) {
        FrVec3 v = fr_get3(a, n);
        fr_set3(a, n, fr_vec3(v.x, -v.z, v.y));
    }
}

void fr_trimesh_y_up_to_z_up(FrTriMesh *mesh) {
    stand_up(mesh->p, mesh->point_count);
    if (mesh->normal) stand_up(mesh->normal, mesh->point_count);
}
