// scene_load.h: reading a scene with the material library at hand.
#pragma once
#include "fracas/studio.h"
#include "scene/scene.h"

FrSceneOptions fr_scene_options(const FrRunDef *options);
FrResult fr_load_scene(FrContext *ctx, const FrRunDef *options, FrScene **scene);
