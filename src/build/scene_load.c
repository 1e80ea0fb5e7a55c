// scene_load.c: reading a scene with the material library at hand.

#include "build/scene_load.h"
#include "fracas/material.h"
#include "scene/material_names.h"

static bool has_material(void *user, const char *name) {
    (void)user;
    FrMaterial material;
    return fr_material_find(name, &material);
}

static const char *material_name(void *user, int32_t k) {
    (void)user;
    return fr_material_name(k);
}

FrSceneOptions fr_scene_options(const FrRunDef *options) {
    return (FrSceneOptions){
        .sets = options->set,
        .set_count = options->set_count,
        .has_seed = options->has_seed,
        .seed = (int64_t)options->seed,
        .library = {has_material, material_name, fr_material_count(), fr_material_everyday, NULL}};
}

FrResult fr_load_scene(FrContext *ctx, const FrRunDef *options, FrScene **scene) {
    FrSceneOptions scene_options = fr_scene_options(options);
    return fr_scene_load(ctx, options->scene, &scene_options, scene);
}
