// scene_load.h: reading a scene with the material library at hand.
#pragma once
#include "fracas/studio.h"
#include "scene/scene.h"

/// How a file becomes tets: a size above 0 or FR_CHOSEN, a unit above 0.
FrResult fr_check_size(FrContext *ctx, double size, double unit);
/// A scene as it is, but for some params (set_count).
FrResult fr_load_scene_with(FrContext *ctx, const char *path, const char *const *set,
                            int32_t set_count, FrScene **scene);
FrSceneOptions fr_scene_options(const FrRunDef *options);
FrResult fr_load_scene(FrContext *ctx, const FrRunDef *options, FrScene **scene);
