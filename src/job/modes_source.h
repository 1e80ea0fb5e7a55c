// modes_source.h: the body whose modes are asked for: its mesh, its stuff, what holds it.
#pragma once
#include "fracas/material.h"
#include "scene/scene.h"
#include "fracas/studio.h"

typedef struct FrModesSource {
    FrTetMesh mesh;       ///< order as asked for
    FrMaterial *material; ///< of each region (material_count); name "": a file, and none was given
    int32_t material_count;
    FrScene *scene; ///< NULL: a single file
    uint8_t *held;  ///< nodes that never move (mesh.node_count); NULL: none
    char name[80];  ///< of the body or the file, without folder and ending
} FrModesSource;
void fr_modes_source_free(FrContext *ctx, FrModesSource *source);

FrResult fr_modes_source(FrContext *ctx, const FrModesJob *job, FrModesSource *source);
