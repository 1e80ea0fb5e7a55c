// break_scene.h: the scene in which a thing is broken.
#pragma once
#include "fracas/studio.h"

/// Name of the thing, and of its file beside the scene: "mug" and "mug.obj" of "shapes/mug.obj".
typedef struct FrBreakNames {
    const char *file; ///< the end of a path
    char body[64];
} FrBreakNames;
FrBreakNames fr_break_names(const char *path);

/// A brittle material of the library, under its own name ("porcelain" for "china"); all others, and
/// NULL, are refused with those that break.
FrResult fr_break_material(FrContext *ctx, const char **material);

/// As JSON: it falls, or stands and is hit by a ball. The file is read for where it is. FR_BAD_USE:
/// the point to hit is far from it, or beneath it.
FrResult fr_break_scene(FrContext *ctx, const FrBreakDef *job, FrText *json);
