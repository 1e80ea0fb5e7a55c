// recording_scene.c: the folder around a recording, and its scene as its pictures were last made.

#include "base/file.h"
#include "build/appearance.h"
#include "output/outputs.h"
#include <string.h>

// scene.json beside a recording, when it was written for it; NULL: none
static FrScene *latest_scene(FrContext *ctx, FrRecording *recording, FrOutputs *outputs) {
    FrSceneOptions options = {.skip_files = true};
    FrScene *scene = NULL;
    bool made = fr_outputs_read_made(outputs) == FR_OK &&
                fr_output_made_from(outputs, outputs->scene, fr_recording_identity(recording));
    return made && fr_scene_load(ctx, outputs->scene, &options, &scene) == FR_OK ? scene : NULL;
}

FrResult fr_outputs_beside(FrContext *ctx, const FrRecording *recording, FrOutputs *outputs) {
    *outputs = (FrOutputs){0};
    char *folder = fr_path_folder(ctx, fr_recording_info(recording)->path);
    FrResult result = folder ? fr_outputs_init(outputs, ctx, folder) : fr_no_memory(ctx, "a path");
    fr_free(ctx, folder);
    return result == FR_OK ? fr_outputs_read_made(outputs) : result;
}

// a scene knows camera, size and look; that of an old or foreign recording may not be readable
FrScene *fr_recording_scene(FrContext *ctx, FrRecording *recording) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    FrSceneOptions options = {.skip_files = true};
    FrOutputs outputs;
    FrScene *scene = NULL;
    if (fr_outputs_beside(ctx, recording, &outputs) == FR_OK)
        scene = latest_scene(ctx, recording, &outputs);
    fr_outputs_free(&outputs);
    if (scene) fr_appearance_paint(ctx, recording, scene);
    if (scene || !info->scene_json) return scene;
    if (fr_scene_parse_json(ctx, info->scene_json, strlen(info->scene_json), info->path, &options,
                            &scene) == FR_OK)
        return scene;
    fr_log(ctx, FR_LOG_WARNING, "the scene in %s is not read: %s", info->path,
           fr_context_message(ctx));
    return NULL;
}
