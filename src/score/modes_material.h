// modes_material.h: a material by name, or by constants.
#pragma once
#include "fracas/material.h"
#include "scene/scene.h"

/// By name: of the scene (may be NULL), else of the library. FR_BAD_INPUT names the nearest.
FrResult fr_material_named(FrContext *ctx, const FrScene *scene, const char *name,
                           FrMaterial *material);
/// fr_material_parse.
FrResult fr_material_from_text(FrContext *ctx, const char *text, FrMaterial *material);
