// render_job.c: `fracas render`: film, frame or sheet from a recording, finished or still going.

#include "base/file.h"
#include "job/names.h"
#include "job/outputs.h"
#include "job/text.h"
#include <string.h>

// the scene inside the recording knows camera, size and look; an old or foreign one may not be
// readable
FrScene *fr_recording_scene(FrContext *ctx, FrRecording *recording) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    FrSceneOptions options = {.skip_files = true};
    FrScene *scene = NULL;
    if (!info->scene_json) return NULL;
    if (fr_scene_parse_json(ctx, info->scene_json, strlen(info->scene_json), info->path, &options,
                            &scene) == FR_OK)
        return scene;
    fr_log(ctx, FR_LOG_WARNING, "the scene in %s is not read: %s", info->path,
           fr_context_message(ctx));
    return NULL;
}

static FrResult default_output(FrContext *ctx, const FrRenderJob *job, char **path) {
    const char *name = job->columns ? "sheet.png" : job->frame >= 0 ? "frame.png" : "preview.mp4";
    char *folder = fr_path_folder(ctx, job->recording);
    *path = job->output ? fr_strdup(ctx, job->output)
            : folder    ? fr_path_join(ctx, folder, name)
                        : NULL;
    fr_free(ctx, folder);
    return *path ? FR_OK : fr_no_memory(ctx, "a path");
}

static FrResult check_job(FrContext *ctx, const FrRenderJob *job, const char *path) {
    bool film = fr_ends_with(path, ".mp4");
    if (!film && !fr_ends_with(path, ".png"))
        return fr_fail(ctx, FR_BAD_USE, "%s: pictures are .png, films .mp4", path);
    if (job->columns && job->frame >= 0)
        return fr_fail(ctx, FR_BAD_USE, "one frame or a sheet, not both");
    if (film && (job->columns || job->frame >= 0))
        return fr_fail(ctx, FR_BAD_USE, "%s: one frame or a sheet is a .png", path);
    return FR_OK;
}

static FrResult draw(FrContext *ctx, const FrRenderJob *job, FrRecording *recording,
                     const char *path) {
    FrScene *scene = fr_recording_scene(ctx, recording);
    if (scene && job->width) {
        scene->film.size.x = job->width;
        scene->film.size.y = job->height;
    }
    FrResult result =
        fr_ends_with(path, ".mp4")
            ? fr_picture_film(ctx, recording, scene, job->width, job->show, NULL, path)
        : job->columns
            ? fr_picture_sheet(ctx, recording, scene, job->columns, job->rows, job->show, path)
            : fr_picture_frame(ctx, recording, scene, job->frame, job->width, job->show, path);
    fr_scene_free(scene);
    return result;
}

FrResult fr_job_render(FrContext *ctx, const FrRenderJob *job, bool json, FrText *report) {
    FrRecording *recording = NULL;
    char *path;
    *report = (FrText){NULL, 0};
    FR_TRY(default_output(ctx, job, &path));
    FrResult result = check_job(ctx, job, path);
    if (result == FR_OK) result = fr_recording_open(ctx, job->recording, &recording);
    if (result == FR_OK) fr_recording_set_bursts(recording, job->burst);
    if (result == FR_OK) result = fr_make_folder_of(ctx, path);
    if (result == FR_OK) result = draw(ctx, job, recording, path);
    if (result == FR_OK) result = fr_text_output(ctx, path, json, report);
    fr_recording_close(recording);
    fr_free(ctx, path);
    return result;
}
