// modes_source.h: the body whose modes are asked for: its mesh, its material, what holds it.
#pragma once
#include "fracas/material.h"
#include "scene/scene.h"
#include "fracas/studio.h"

typedef struct FrModesSource {
    const FrModesDef *job;
    const char *unit_name; ///< what messages call the unit of the file
    FrMaterial made_of;    ///< name "": a file, and none was given
    FrScene *scene;        ///< NULL: a single file
    int32_t body;          ///< of the scene
    char name[80];         ///< of the body or the file, without folder and ending
    // from here on after fr_modes_source_build
    FrTetMesh mesh;       ///< order as asked for; tet_count 0: not built yet
    FrMaterial *material; ///< of each region (material_count)
    int32_t material_count;
    uint8_t *held; ///< nodes that never move (mesh.node_count); NULL: none
} FrModesSource;
void fr_modes_source_free(FrContext *ctx, FrModesSource *source);

/// The folder in which tets and modes of the job are kept. Caller frees; NULL: none.
char *fr_modes_job_cache(FrContext *ctx, const FrModesDef *job);
/// What takes no time: the scene, which body, what it is made of. `job` must outlive the source.
FrResult fr_modes_source_open(FrContext *ctx, const FrModesDef *job, FrModesSource *source);
/// What may take minutes the first time: its tets.
FrResult fr_modes_source_build(FrContext *ctx, FrModesSource *source);
