// render_job.c: `fracas render`: film, frame or sheet from a recording, finished or still going.

#include "base/file.h"
#include "base/words.h"
#include "base/file_names.h"
#include "build/appearance.h"
#include "build/scene_load.h"
#include "export/report_text.h"
#include "math/vec.h"
#include "output/outputs.h"
#include "score/cook.h"
#include <math.h>
#include <string.h>

static bool one_frame(const FrRenderDef *job) { return job->frame >= 0 || job->time >= 0.0; }

static bool one_picture(const FrRenderDef *job) {
    return job->columns || job->strobe || one_frame(job);
}

static FrResult default_output(FrContext *ctx, const FrRenderDef *job, char **path) {
    const char *name = job->columns     ? "sheet.png"
                       : job->strobe    ? "strobe.png"
                       : one_frame(job) ? "frame.png"
                                        : "preview.mp4";
    char *folder = fr_path_folder(ctx, job->recording);
    *path = job->output ? fr_strdup(ctx, job->output)
            : folder    ? fr_path_join(ctx, folder, name)
                        : NULL;
    fr_free(ctx, folder);
    return *path ? FR_OK : fr_no_memory(ctx, "a path");
}

static FrResult check_job(FrContext *ctx, const FrRenderDef *job, const char *path) {
    bool film = fr_ends_with(path, ".mp4");
    if (!film && !fr_ends_with(path, ".png"))
        return fr_fail(ctx, FR_BAD_USE, "%s: pictures are .png, films .mp4", path);
    if (job->frame >= 0 && job->time >= 0.0)
        return fr_fail(ctx, FR_BAD_USE, "the frame of a number or of a time, not both");
    if ((job->columns != 0) + (job->strobe != 0) + one_frame(job) > 1)
        return fr_fail(ctx, FR_BAD_USE, "one frame, a sheet or a strobe picture, not both");
    if (film && one_picture(job))
        return fr_fail(ctx, FR_BAD_USE, "%s: one frame, a sheet or a strobe picture is a .png",
                       path);
    return FR_OK;
}

static FrResult place_camera(FrContext *ctx, const FrRenderDef *job, FrSceneCamera *camera) {
    if (job->target && job->target_body)
        return fr_fail(ctx, FR_BAD_USE, "the camera points at a place or follows a body, not both");
    if (job->target_body)
        camera->position = camera->target = fr_vec3((double)NAN, (double)NAN, (double)NAN);
    if (job->camera) camera->position = *job->camera;
    if (job->target) camera->target = *job->target;
    if ((job->camera && !fr_vec3_finite(*job->camera)) ||
        (job->target && !fr_vec3_finite(*job->target)))
        return fr_fail(ctx, FR_BAD_USE, "the camera and its target must be at finite places");
    if (!isnan(job->fov) && !(job->fov > 0.0 && job->fov <= 150.0))
        return fr_fail(ctx, FR_BAD_USE, "--fov is %g degrees; 1 to 150 are possible", job->fov);
    if (!isnan(job->fov)) camera->fov = job->fov * FR_PI / 180.0;
    if (fr_distance(camera->position, camera->target) < 1e-9)
        return fr_fail(ctx, FR_BAD_USE, "the camera stands at its target");
    return FR_OK;
}

// film settings: of another scene, of the recording's, or none; changed as the job says
static FrResult find_scene(FrContext *ctx, const FrRenderDef *job, FrRecording *recording,
                           FrScene **scene) {
    if (!job->scene && job->set_count)
        return fr_fail(ctx, FR_BAD_USE, "--set changes what --scene names");
    if (job->scene) FR_TRY(fr_load_scene_with(ctx, job->scene, job->set, job->set_count, scene));
    if (*scene) fr_appearance_paint(ctx, recording, *scene);
    if (!*scene) *scene = fr_recording_scene(ctx, recording);
    if (!*scene && (job->camera || job->target || !isnan(job->fov)))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "the recording holds no scene that can be read: a camera "
                       "needs --scene");
    if (!*scene) return FR_OK;
    if (job->width) (*scene)->film.size = (FrSceneVec2){job->width, job->height};
    return place_camera(ctx, job, &(*scene)->film.camera);
}

// sound.wav of the run, when it belongs to this recording; "": none. Caller frees.
static FrResult find_sound(FrContext *ctx, FrRecording *recording, char **wav) {
    FrOutputs outputs;
    FrResult result = fr_outputs_beside(ctx, recording, &outputs);
    bool good = result == FR_OK &&
                fr_output_made_from(&outputs, outputs.sound, fr_recording_identity(recording));
    *wav = fr_strdup(ctx, good ? outputs.sound : "");
    fr_outputs_free(&outputs);
    return *wav ? result : fr_no_memory(ctx, "a path");
}

static FrPictureDef picture_def(const FrRenderDef *job) {
    return (FrPictureDef){.width = job->width, .show = job->show, .follow = job->target_body};
}

static FrResult draw_film(FrContext *ctx, const FrRenderDef *job, FrRecording *recording,
                          const FrScene *scene, const char *path) {
    char *wav;
    FrResult result = find_sound(ctx, recording, &wav);
    if (result == FR_OK)
        result = fr_picture_film(ctx, recording, scene, picture_def(job), *wav ? wav : NULL, path);
    fr_free(ctx, wav);
    return result;
}

// of the ordinary frames or those of bursts, as the job wants them; the first of two as near
static FrResult find_frame(FrContext *ctx, const FrRenderDef *job, FrRecording *recording,
                           int32_t *frame) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    const double *t = job->burst ? info->burst_t : info->t;
    int32_t count = job->burst ? info->burst_count : info->frame_count, nearest = 0;
    *frame = job->frame;
    if (!(job->time >= 0.0) || !count) return FR_OK;
    FR_TRY(fr_check_time(ctx, job->time, job->burst ? "what is filmed in bursts" : "the recording",
                         t[0], t[count - 1], job->burst ? info->burst_hz : info->fps));
    for (int32_t k = 1; k < count; k++)
        if (fabs(t[k] - job->time) < fabs(t[nearest] - job->time)) nearest = k;
    fr_log(ctx, FR_LOG_INFO, "frame %d, at %.6g s", nearest, t[nearest]);
    *frame = nearest;
    return FR_OK;
}

static FrResult draw_frame(FrContext *ctx, const FrRenderDef *job, FrRecording *recording,
                           const FrScene *scene, const char *path) {
    int32_t frame;
    FR_TRY(find_frame(ctx, job, recording, &frame));
    return fr_picture_frame(ctx, recording, scene, frame, picture_def(job), path);
}

static FrResult draw_with(FrContext *ctx, const FrRenderDef *job, FrRecording *recording,
                          const FrScene *scene, const char *path) {
    FrPictureDef def = picture_def(job);
    FrSheetGrid grid = {job->columns, job->rows};
    if (fr_ends_with(path, ".mp4")) return draw_film(ctx, job, recording, scene, path);
    if (job->columns) return fr_picture_sheet(ctx, recording, scene, grid, def, path);
    if (job->strobe) return fr_picture_strobe(ctx, recording, scene, job->strobe, def, path);
    return draw_frame(ctx, job, recording, scene, path);
}

static FrResult draw(FrContext *ctx, const FrRenderDef *job, FrRecording *recording,
                     const char *path) {
    FrScene *scene = NULL;
    FrResult result = find_scene(ctx, job, recording, &scene);
    if (result == FR_OK) result = draw_with(ctx, job, recording, scene, path);
    fr_scene_free(scene);
    return result;
}

static FrResult render(FrContext *ctx, const FrRenderDef *job, bool json, FrText *report) {
    FrRecording *recording = NULL;
    char *path;
    FR_TRY(default_output(ctx, job, &path));
    FrResult result = check_job(ctx, job, path);
    if (result == FR_OK) result = fr_recording_open(ctx, job->recording, &recording);
    if (result == FR_OK) fr_recording_set_bursts(recording, job->burst);
    if (result == FR_OK) result = fr_check_folder_of(ctx, path);
    if (result == FR_OK) result = draw(ctx, job, recording, path);
    if (result == FR_OK) result = fr_text_output(ctx, path, json, report);
    fr_recording_close(recording);
    fr_free(ctx, path);
    return result;
}

FrResult fr_job_render(FrContext *ctx, const FrRenderDef *job, bool json, FrText *report) {
    FR_NEED_ALL(ctx, ctx && job && report);
    char *file;
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_render_def_default()");
    FR_NEED_WORDS(ctx, job->set, job->set_count);
    FrRenderDef own = *job;
    *report = (FrText){NULL, 0};
    FR_TRY(fr_recording_file(ctx, job->recording, &file));
    own.recording = file;
    FrResult result = render(ctx, &own, json, report);
    fr_free(ctx, file);
    return result;
}
