// build_motion.c: one body of a scene, cooked to be moved by its modes.

#include "backend/backend.h"
#include "build/build.h"
#include "scene/scene_files.h"

static FrResult make(FrBuilt *built, const FrScene *scene, const FrMaterial *made_of,
                     FrMotion **motion) {
    const FrSceneBody *from = &scene->bodies[0];
    FrMaterial material[1 + FR_SCENE_PARTS];
    int32_t *held = NULL;
    material[0] = *made_of;
    fr_set_colour(from->colour, &material[0]);
    fr_turn_grain(from->grain, &material[0]);
    FR_TRY(fr_build_parts(built, scene, 0, material));
    FrBodyDef def = fr_body_def_default();
    def.name = from->name;
    def.mesh = &built->mesh[0].mesh;
    def.embedded = built->mesh[0].skin.point_count ? &built->mesh[0].skin : NULL;
    def.material = material;
    def.material_count = 1 + from->parts_count;
    def.modes = (int32_t)from->modes;
    def.mode_fps = scene->scene.fps;
    FrResult result = fr_build_held_list(built, scene, 0, &held, &def);
    fr_backend_fill(built->ctx);
    if (result == FR_OK) result = fr_motion_make(built->ctx, &def, motion);
    fr_free(built->ctx, held);
    return result;
}

static FrModel that_bends(void) {
    int model = 1;
    while (fr_model_traits((FrModel)model).name && !fr_model_traits((FrModel)model).bends) model++;
    return (FrModel)model;
}

FrResult fr_build_motion(FrContext *ctx, const FrScene *scene, int32_t k, const FrMaterial *made_of,
                         FrMotion **motion) {
    FrBuilt built;
    FrScene one = *scene;
    FrSceneBody body = scene->bodies[k];
    FrBuildOptions options = {.coarseness = 1.0};
    *motion = NULL;
    body.model = body.chosen = that_bends();
    one.bodies = &body;
    one.bodies_count = 1;
    FrResult result = fr_build_meshes(ctx, &one, &options, &built);
    if (result == FR_OK) result = fr_build_result(&built);
    if (result == FR_OK) result = make(&built, &one, made_of, motion);
    if (result == FR_OK) result = fr_build_result(&built); // parts that hold nothing
    fr_built_free(&built);
    if (result == FR_OK) return FR_OK;
    fr_motion_destroy(*motion);
    *motion = NULL;
    return result;
}
