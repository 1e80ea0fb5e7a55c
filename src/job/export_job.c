// export_job.c: `fracas export`: a recording for other programs.

#include "base/array.h"
#include "base/file.h"
#include "base/file_names.h"
#include "export/obj.h"
#include "export/report_text.h"
#include "export/usd.h"
#include "export/vtu.h"
#include "fracas/studio.h"
#include "math/vec.h"
#include "output/outputs.h"
#include "record/recording.h"
#include <math.h>
#include <string.h>

static FrUsdOptions usd_options(const FrExportDef *job) {
    FrUsdOptions options = fr_usd_options_default();
    if (!isnan(job->fps)) options.fps = job->fps;
    options.start_frame = job->start_frame;
    options.preset = job->preset;
    return options;
}

// what can be checked before anything is opened
static FrResult check_job(FrContext *ctx, const FrExportDef *job, FrUsdOptions *options) {
    if (!job->output)
        return fr_fail(ctx, FR_BAD_USE,
                       "say what to write: -o FILE.usda, -o FILE.pvd, or -o FOLDER/ for an OBJ of "
                       "each piece");
    if (fr_ends_with(job->output, ".obj"))
        return fr_fail(ctx, FR_BAD_USE,
                       "%s: each piece has an OBJ of its own, in a folder: -o %.*s/", job->output,
                       (int)(strlen(job->output) - strlen(".obj")), job->output);
    if (!fr_ends_with(job->output, ".pvd") && !fr_ends_with(job->output, ".usda") &&
        !fr_ends_with(job->output, "/"))
        return fr_fail(ctx, FR_BAD_USE,
                       "%s: exports are .usda (USD), .pvd (ParaView), or FOLDER/ (an OBJ of each "
                       "piece)",
                       job->output);
    if (!isnan(job->fps) && !(job->fps > 0.0 && isfinite(job->fps)))
        return fr_fail(ctx, FR_BAD_USE, "fps is %g; more than 0 is allowed", job->fps);
    *options = usd_options(job);
    return FR_OK;
}

/// Bursts, one after the other and slowly: frame k at k / fps.
typedef struct Slow {
    FrContext *ctx;
    FrFrameSource of;
    double factor, fps;
    FR_ARRAY(FrBodyFrame) frame;
    FR_ARRAY(double) v;
    FrFrameView view;
} Slow;

static FrResult slow_room(Slow *slow, const FrFrameView *from) {
    int32_t numbers = 0;
    for (int32_t b = 0; b < from->body_count; b++)
        if (from->frame[b].v) numbers += 3 * from->body[b].mesh->node_count;
    slow->frame.count = slow->v.count = 0;
    return fr_array_reserve(slow->ctx, &slow->frame, from->body_count) &&
                   fr_array_reserve(slow->ctx, &slow->v, numbers)
               ? FR_OK
               : fr_no_memory(slow->ctx, "a slow frame");
}

// velocities go with the clock
static void slow_body(Slow *slow, const FrBodyView *body, FrBodyFrame frame) {
    double by = 1.0 / slow->factor, *v = slow->v.data + slow->v.count;
    frame.velocity = fr_scale(by, frame.velocity);
    frame.spin = fr_scale(by, frame.spin);
    for (int32_t k = 0; frame.v && k < 3 * body->mesh->node_count; k++)
        slow->v.data[slow->v.count++] = by * frame.v[k];
    if (frame.v) frame.v = v;
    slow->frame.data[slow->frame.count++] = frame;
}

static FrResult slow_get(void *user, int32_t k, const FrFrameView **view) {
    Slow *slow = user;
    const FrFrameView *from;
    FR_TRY(slow->of.get(slow->of.user, k, &from));
    FR_TRY(slow_room(slow, from));
    for (int32_t b = 0; b < from->body_count; b++) slow_body(slow, &from->body[b], from->frame[b]);
    slow->view = *from;
    slow->view.t = (double)k / slow->fps;
    slow->view.frame = slow->frame.data;
    *view = &slow->view;
    return FR_OK;
}

static double slowness(FrContext *ctx, FrRecording *recording) {
    FrScene *scene = fr_recording_scene(ctx, recording);
    const FrSceneBurst *burst = scene ? scene->film.burst : NULL;
    double factor = burst && burst->slow > 0.0 ? burst->slow : FR_BURST_SLOW;
    fr_scene_free(scene);
    return factor;
}

// the pieces that there are in the last frame
static FrResult write_objects(FrContext *ctx, const FrFrameSource *source, const char *folder) {
    const FrFrameView *view;
    int32_t count;
    FR_TRY(source->get(source->user, source->frame_count - 1, &view));
    FR_TRY(fr_export_obj(ctx, view, folder, &count));
    if (count) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT, "no body of tets is there in the last frame, at %.4g s",
                   view->t);
}

// the film's camera at every frame; caller frees *views
static FrResult find_views(FrContext *ctx, FrRecording *recording, FrUsdOptions *options,
                           FrUsdView **views) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    bool bursts = fr_recording_shows_bursts(recording);
    int32_t count = bursts ? info->burst_count : info->frame_count;
    FrScene *scene = fr_recording_scene(ctx, recording);
    FrCamera film;
    FrResult result = fr_picture_film_camera(ctx, recording, scene, &film, &options->aspect);
    fr_scene_free(scene);
    FR_TRY(result);
    if (!(*views = FR_NEW(ctx, FrUsdView, count))) return fr_no_memory(ctx, "a camera");
    for (int32_t k = 0; k < count; k++) {
        FrCamera now = fr_camera_at(&film, bursts ? info->burst_t[k] : info->t[k]);
        (*views)[k] = (FrUsdView){now.eye, now.target, now.up};
    }
    options->view = *views;
    options->fov = film.fov;
    options->sun = fr_film_sun();
    return FR_OK;
}

static FrResult write_usd(FrContext *ctx, const FrExportDef *job, FrUsdOptions options,
                          FrRecording *recording, const FrFrameSource *source) {
    FrUsdView *views = NULL;
    FrGrains grains = {0};
    FrScene *scene = fr_recording_scene(ctx, recording);
    FrResult result = find_views(ctx, recording, &options, &views);
    // frames of bursts have a clock of their own
    if (result == FR_OK && !job->burst)
        result = fr_recording_grains(ctx, recording, scene, &grains);
    options.grains = &grains;
    fr_scene_free(scene);
    if (result == FR_OK) result = fr_export_usd(ctx, source, &options, job->output);
    fr_free(ctx, views);
    fr_grains_free(ctx, &grains);
    return result;
}

static FrResult write_file(FrContext *ctx, const FrExportDef *job, const FrUsdOptions *options,
                           FrRecording *recording) {
    FrFrameSource source;
    fr_recording_source(recording, &source);
    if (source.frame_count == 0)
        return fr_fail(ctx, FR_BAD_INPUT, "%s has no %s", job->recording,
                       job->burst ? "burst (film { burst = {} })" : "frame yet");
    if (fr_ends_with(job->output, "/")) return write_objects(ctx, &source, job->output);
    FR_TRY(fr_check_folder_of(ctx, job->output));
    if (fr_ends_with(job->output, ".pvd")) {
        fr_recording_bare_source(recording, &source); // tets only
        return fr_export_pvd(ctx, &source, job->output);
    }
    if (!job->burst) return write_usd(ctx, job, *options, recording, &source);
    Slow slow = {.ctx = ctx, .of = source, .factor = slowness(ctx, recording)};
    slow.fps = source.fps / slow.factor;
    source = (FrFrameSource){&slow, source.frame_count, slow.fps, slow_get};
    FrResult result = write_usd(ctx, job, *options, recording, &source);
    fr_array_free(ctx, &slow.frame);
    fr_array_free(ctx, &slow.v);
    return result;
}

static FrResult export_to(FrContext *ctx, const FrExportDef *job, bool json, FrText *report) {
    FrRecording *recording;
    FrUsdOptions options;
    FR_TRY(check_job(ctx, job, &options));
    FR_TRY(fr_recording_open(ctx, job->recording, &recording));
    fr_recording_set_topology(recording, job->topology);
    fr_recording_set_bursts(recording, job->burst);
    FrResult result = write_file(ctx, job, &options, recording);
    if (result == FR_OK) result = fr_text_output(ctx, job->output, json, report);
    fr_recording_close(recording);
    return result;
}

FrResult fr_job_export(FrContext *ctx, const FrExportDef *job, bool json, FrText *report) {
    FR_NEED_ALL(ctx, ctx && job && report);
    char *file;
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_export_def_default()");
    FrExportDef own = *job;
    *report = (FrText){NULL, 0};
    FR_TRY(fr_recording_file(ctx, job->recording, &file));
    own.recording = file;
    FrResult result = export_to(ctx, &own, json, report);
    fr_free(ctx, file);
    return result;
}
