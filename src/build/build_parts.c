// build_parts.c: bodies of several materials: which tets are of which.

#include "build/build.h"
#include "math/vec.h"
#include <string.h>

static bool has_middle(const FrRegionTest *test, const FrTetMesh *mesh, int32_t e) {
    FrVec3 x = fr_vec3_zero;
    for (int i = 0; i < 4; i++) x = fr_axpy(0.25, fr_get3(mesh->x, mesh->tet[e][i]), x);
    return fr_region_has(test, x);
}

static bool has_corner(const FrRegionTest *test, const FrTetMesh *mesh, int32_t e) {
    bool any = false;
    for (int i = 0; i < 4; i++) any = any || fr_region_has(test, fr_get3(mesh->x, mesh->tet[e][i]));
    return any;
}

// Tets whose middle lies in the part; of a part smaller than that those with a corner in it, so
// that coarse tets do not lose it. False: none.
static bool paint(const FrRegionTest *test, int32_t region, FrTetMesh *mesh) {
    bool any = false;
    for (int corners = 0; corners < 2 && !any; corners++)
        for (int32_t e = 0; e < mesh->tet_count; e++) {
            if (!(corners ? has_corner : has_middle)(test, mesh, e)) continue;
            mesh->region[e] = region;
            any = true;
        }
    return any;
}

static FrResult paint_parts(FrBuilt *built, const FrScene *scene, int32_t k, FrShapeSet *set) {
    const FrSceneBody *body = &scene->bodies[k];
    FrTetMesh *mesh = &built->mesh[k].mesh;
    for (int32_t i = 0; i < body->parts_count; i++) {
        const FrScenePart *part = &body->parts[i];
        FrRegionTest test = {&part->where, NULL};
        FrResult result = FR_OK;
        if (part->where.kind == FR_SCENE_INSIDE)
            result = fr_build_shape(built->ctx, set, part->where.inside->shape, scene->folder,
                                    &test.shape);
        if (result == FR_OK && !paint(&test, i + 1, mesh))
            result = fr_empty_region(built->ctx, mesh);
        FR_TRY(fr_build_problem(built, scene, &part->where, part, body->name, result));
    }
    return FR_OK;
}

FrResult fr_build_parts(FrBuilt *built, const FrScene *scene, int32_t k, FrMaterial *material) {
    const FrSceneBody *body = &scene->bodies[k];
    FrTetMesh *mesh = &built->mesh[k].mesh;
    FrShapeSet *set;
    if (!body->parts_count) return FR_OK;
    for (int32_t i = 0; i < body->parts_count; i++) {
        FR_TRY(fr_scene_material(built->ctx, scene, body->parts[i].material, &material[i + 1]));
        fr_turn_grain(body->grain, &material[i + 1]);
    }
    fr_free(built->ctx, mesh->region);
    mesh->region = FR_NEW(built->ctx, int32_t, mesh->tet_count);
    if (!mesh->region) return fr_no_memory(built->ctx, "parts of a body");
    FR_TRY(fr_shapeset_create(built->ctx, &set));
    FrResult result = paint_parts(built, scene, k, set);
    fr_shapeset_destroy(set);
    return result;
}
