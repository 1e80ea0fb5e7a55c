// scene_load.c: reading a scene with the material library at hand.

#include "build/scene_load.h"
#include "fracas/material.h"
#include "base/base.h"
#include "scene/material_names.h"
#include <math.h>

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

FrResult fr_load_scene_with(FrContext *ctx, const char *path, const char *const *set,
                            int32_t set_count, FrScene **scene) {
    FrRunDef options = fr_run_def_default();
    options.scene = path;
    options.set = set;
    options.set_count = set_count;
    return fr_load_scene(ctx, &options, scene);
}

FrResult fr_check_size(FrContext *ctx, double size, double unit) {
    if (!isnan(size) && !(size > 0.0 && isfinite(size)))
        return fr_fail(ctx, FR_BAD_USE, "a size of %g m; above 0, or FR_CHOSEN", size);
    if (!(unit > 0.0 && isfinite(unit)))
        return fr_fail(ctx, FR_BAD_USE, "a unit of %g m; above 0", unit);
    return FR_OK;
}
