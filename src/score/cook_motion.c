// cook_motion.c: how a body moves, from a scene or a file, for a runtime that has no eigen solver.

#include "base/file_names.h"
#include "score/cook.h"
#include <math.h>

// a scene of the file alone, as its defaults are
static FrResult of_file(FrContext *ctx, const FrCook *cook, const FrMaterial *material,
                        FrMotion **motion) {
    const FrModesDef *job = &cook->job;
    FrSceneFile file = {job->input, job->unit, job->up_y ? FR_SCENE_UP_Y : FR_SCENE_UP_Z};
    bool tets = fr_file_kind(job->input) == FR_FILE_TETS;
    FrSceneBody body = {.name = cook->source.name,
                        .material = material->name,
                        .grain = {(double)NAN, (double)NAN, (double)NAN},
                        .colour = {(double)NAN, (double)NAN, (double)NAN},
                        .modes = FR_MODES_SEEN,
                        .shape = {.kind = tets ? FR_SCENE_MESH : FR_SCENE_SURFACE, .file = &file},
                        .cells = isnan(job->size) ? 0.0 : job->size,
                        .dies = (double)NAN,
                        .parent = ""};
    FrScene scene = {.scene = {.detail = 1.0, .fps = 60.0},
                     .bodies = &body,
                     .bodies_count = 1,
                     .folder = "",
                     .file = job->input};
    return fr_build_motion(ctx, &scene, 0, material, motion);
}

FrResult fr_cook_motion(FrCook *cook, const FrMaterial *material, FrMotion **motion) {
    *motion = NULL;
    if (cook->ready)
        return fr_fail(cook->ctx, FR_BAD_USE,
                       "how a body moves follows from its tets: give what it was baked from");
    if (!cook->source.scene) return of_file(cook->ctx, cook, material, motion);
    return fr_build_motion(cook->ctx, cook->source.scene, cook->source.body, material, motion);
}
