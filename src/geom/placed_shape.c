// placed_shape.c: a shape without the moves, turns and scalings around it, and these as one map.

#include "geom/placed_shape.h"
#include "math/vec.h"

FrPlacedShape fr_place_shape(const FrShape *shape) {
    FrPlacedShape placed = {shape, fr_mat3_identity, fr_vec3_zero, 1.0};
    for (const FrShapeInfo *info;
         (info = fr_shape_info(placed.shape))->kind == FR_SHAPE_TRANSFORM;) {
        placed.offset = fr_add(fr_mat3_apply(placed.linear, info->transform.offset), placed.offset);
        placed.linear = fr_mat3_mul(placed.linear,
                                    fr_mat3_scale(info->transform.scale, info->transform.rotation));
        placed.scale *= info->transform.scale;
        placed.shape = info->transform.child;
    }
    return placed;
}

void fr_surface_place(const FrPlacedShape *placed, FrTriMesh *surface) {
    for (int32_t k = 0; k < surface->point_count; k++)
        fr_set3(surface->p, k,
                fr_add(fr_mat3_apply(placed->linear, fr_get3(surface->p, k)), placed->offset));
    // turned and scaled alike in all directions
    for (int32_t k = 0; surface->normal && k < surface->point_count; k++)
        fr_set3(surface->normal, k,
                fr_normalize(fr_mat3_apply(placed->linear, fr_get3(surface->normal, k))));
}

FrResult fr_placed_surface(FrContext *ctx, const FrSolid *solid, const FrPlacedShape *placed,
                           FrTriMesh *surface) {
    FR_TRY(fr_trimesh_copy(ctx, fr_solid_mesh(solid), surface));
    fr_surface_place(placed, surface);
    return FR_OK;
}
