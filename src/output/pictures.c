// pictures.c: a recording as a film: real time first, then what the scene wants to see slowly;
// poster and sheet.

#include "base/array.h"
#include "build/appearance.h"
#include "math/vec.h"
#include "output/outputs.h"
#include "output/sheet_frames.h"
#include "output/spectrogram.h"
#include "output/starts.h"
#include "output/strobe.h"
#include "render/render.h"
#include "score/score.h"
#include "sound/wav.h"
#include <math.h>
#include <string.h>

/// Opening of a camera that is placed by hand without one, rad.
#define PLACED_FOV (35.0 * FR_PI / 180.0)

/// Pixels of one picture of a contact sheet.
#define SHEET_WIDTH 480

/// A film's frames as frames of the recording: k, or ~k for frame k of bursts.
typedef struct Cut {
    FrRecording *recording;
    FR_ARRAY(int32_t) frame;
} Cut;

static FrResult cut_get(void *user, int32_t k, const FrFrameView **view) {
    Cut *cut = user;
    int32_t frame = cut->frame.data[k];
    return frame < 0 ? fr_recording_burst(cut->recording, ~frame, view)
                     : fr_recording_frame(cut->recording, frame, view);
}

// the one of rising times that is nearest to t; the earlier one of two
static int32_t nearest(const double *time, int32_t count, double t) {
    int32_t lo = 0, hi = count - 1;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (time[mid] < t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > 0 && t - time[lo - 1] <= time[lo] - t ? lo - 1 : lo;
}

static FrResult add_span(FrContext *ctx, Cut *cut, double from, double to, double pace) {
    const FrRecordingInfo *info = fr_recording_info(cut->recording);
    for (int64_t k = 0; from + (double)k * pace <= to + 1e-9; k++) {
        int32_t frame = nearest(info->t, info->frame_count, from + (double)k * pace);
        if (!fr_array_push(ctx, &cut->frame, frame)) return fr_no_memory(ctx, "a film");
    }
    return FR_OK;
}

// frames of bursts from k on that follow each other
static int32_t burst_end(const FrRecordingInfo *info, int32_t k) {
    for (k++; k < info->burst_count; k++)
        if (info->burst_t[k] - info->burst_t[k - 1] > 1.5 / info->burst_hz) return k;
    return k;
}

// all bursts, one after the other
static FrResult add_bursts(FrContext *ctx, Cut *cut, double pace) {
    const FrRecordingInfo *info = fr_recording_info(cut->recording);
    for (int32_t first = 0, end; first < info->burst_count; first = end) {
        end = burst_end(info, first);
        double from = info->burst_t[first], to = info->burst_t[end - 1];
        for (int64_t k = 0; from + (double)k * pace <= to + 1e-9; k++) {
            int32_t at = nearest(info->burst_t + first, end - first, from + (double)k * pace);
            if (!fr_array_push(ctx, &cut->frame, ~(first + at))) return fr_no_memory(ctx, "a film");
        }
    }
    return FR_OK;
}

// the pace of bursts in seconds per frame of film; 0: they are not shown
static double burst_pace(const FrScene *scene, double fps) {
    const FrSceneBurst *burst = scene ? scene->film.burst : NULL;
    return burst && burst->slow > 0.0 ? 1.0 / (fps * burst->slow) : 0.0;
}

// when the slow part begins; false: what it waits for never happened
static FrResult slow_start(FrContext *ctx, FrRecording *recording, const FrSceneSlow *slow,
                           double *t, bool *happens) {
    *t = slow->time;
    *happens = slow->at == FR_SCENE_SLOW_TIME;
    if (*happens) return FR_OK;
    uint32_t kind = slow->at == FR_SCENE_SLOW_CRACK ? FR_EVENT_CRACK : FR_EVENT_IMPACT;
    FrEventLog log;
    fr_event_log_init(&log, ctx);
    FrResult result = fr_recording_events(recording, &log);
    for (int32_t k = 0; result == FR_OK && k < log.count; k++) {
        if (log.data[k].kind != kind || (*happens && log.data[k].t >= *t)) continue;
        *t = log.data[k].t;
        *happens = true;
    }
    fr_event_log_free(&log);
    return result;
}

static FrResult add_slow(FrContext *ctx, Cut *cut, const FrSceneSlow *slow, double fps) {
    FrRecording *recording = cut->recording;
    const FrRecordingInfo *info = fr_recording_info(recording);
    double end = info->t[info->frame_count - 1], from;
    bool happens;
    FR_TRY(slow_start(ctx, recording, slow, &from, &happens));
    if (!happens) return FR_OK;
    from = fr_max(0.0, from - 0.05 * slow->lasts / slow->factor); // a moment before it happens
    return add_span(ctx, cut, from, fr_min(end, from + slow->lasts / slow->factor),
                    1.0 / (fps * slow->factor));
}

static FrResult make_cut(FrContext *ctx, FrRecording *recording, const FrScene *scene, double fps,
                         Cut *cut) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    double pace = burst_pace(scene, fps);
    cut->recording = recording;
    if (fr_recording_shows_bursts(recording))
        return add_bursts(ctx, cut, pace > 0.0 ? pace : 1.0 / (fps * FR_BURST_SLOW));
    int32_t last = info->frame_count - 1;
    FR_TRY(add_span(ctx, cut, 0.0, info->t[last], 1.0 / fps));
    // the end of a run may lie between two frames of film
    bool shown = info->t[last] - (cut->frame.count - 1) / fps < 0.5 / fps;
    if (!shown && !fr_array_push(ctx, &cut->frame, last)) return fr_no_memory(ctx, "a film");
    if (scene && scene->film.slow) FR_TRY(add_slow(ctx, cut, scene->film.slow, fps));
    return pace > 0.0 ? add_bursts(ctx, cut, pace) : FR_OK;
}

static void size_of(const FrScene *scene, int32_t width, int32_t *w, int32_t *h) {
    double sx = scene ? scene->film.size.x : 1280.0, sy = scene ? scene->film.size.y : 720.0;
    *w = width ? width : (int32_t)sx;
    *h = *w == (int32_t)sx ? (int32_t)sy : (int32_t)(*w * sy / sx / 2.0 + 0.5) * 2;
}

// body: what it follows; NULL: what acts
static FrResult scene_camera(FrContext *ctx, const FrScene *scene, const FrFrameSource *source,
                             double aspect, const char *body, FrCamera *camera) {
    const FrSceneCamera *from = scene ? &scene->film.camera : NULL;
    // what is not given is chosen for the opening that is used
    FrCameraWish wish = {aspect, from && !isnan(from->fov) ? from->fov : FR_CAMERA_FOV, -1, body};
    FR_TRY(fr_camera_follow(ctx, source, wish, camera));
    if (!from || (isnan(from->position.x) && isnan(from->target.x))) return FR_OK;
    camera->stop_count = 0; // placed by hand: it stays
    if (!isnan(from->position.x)) camera->eye = from->position;
    if (!isnan(from->target.x)) camera->target = from->target;
    if (!isnan(from->position.x) && isnan(from->fov)) camera->fov = PLACED_FOV;
    return FR_OK;
}

typedef struct Studio {
    FrRenderer *renderer;
    FrCamera camera;
    FrRenderOptions options;
    FR_ARRAY(FrDrawCord) cord;
    FrStarts start;  ///< for bodies that are put together again
    FrGrains grains; ///< of dust
} Studio;

static void close_studio(FrContext *ctx, Studio *studio) {
    fr_renderer_destroy(studio->renderer);
    fr_array_free(ctx, &studio->cord);
    fr_array_free(ctx, &studio->start.body);
    fr_grains_free(ctx, &studio->grains);
}

// the body of a frame that is solid k of the scene; -1: none
static int32_t solid_in_frame(const FrScene *scene, int32_t k, const FrFrameView *view) {
    if (k < 0) return -1;
    const char *name = k < scene->bodies_count ? scene->bodies[k].name
                                               : scene->spheres[k - scene->bodies_count].name;
    for (int32_t b = 0; b < view->body_count; b++)
        if (view->body[b].name && !strcmp(view->body[b].name, name)) return b;
    return -1;
}

// where a place of the world at time t is in the axes of a body, which moved on steadily since
static FrVec3 own_place(const FrFrameView *view, int32_t body, FrVec3 x, double t) {
    if (body < 0) return x;
    const FrBodyFrame *frame = &view->frame[body];
    double since = view->t - t;
    FrVec3 then = fr_axpy(-since, frame->velocity, frame->position);
    FrQuat turned = fr_quat_from_rotation(fr_scale(since, frame->spin));
    FrVec3 arm = since > 0.0 ? fr_quat_rotate(turned, fr_sub(x, then)) : fr_sub(x, then);
    return fr_quat_rotate(fr_quat_conj(frame->rotation), arm);
}

static double born(const FrScene *scene, int32_t k) {
    if (k < 0) return 0.0;
    return k < scene->bodies_count ? scene->bodies[k].born
                                   : scene->spheres[k - scene->bodies_count].born;
}

static bool lives(const FrFrameView *view, int32_t body) {
    return body < 0 || view->frame[body].alive;
}

// the scene says where cords are tied when both their ends are there
static FrResult find_cord(FrContext *ctx, const FrScene *scene, const FrSceneCord *from,
                          const FrFrameSource *source, Studio *studio) {
    const FrFrameView *view;
    int32_t a = -1, b = -1;
    double when = fr_max(born(scene, from->body), born(scene, from->to));
    bool there = false;
    for (int32_t k = 0; !there && k < source->frame_count; k++) {
        FR_TRY(source->get(source->user, k, &view));
        a = solid_in_frame(scene, from->body, view);
        b = solid_in_frame(scene, from->to, view);
        if (a < 0 || (from->to >= 0 && b < 0)) return FR_OK; // it was left out
        there = lives(view, a) && lives(view, b);
    }
    if (!there) return FR_OK;
    double apart = fr_distance(from->from, from->till);
    FrDrawCord cord = {
        .body = {a, b},
        .at = {own_place(view, a, from->from, when), own_place(view, b, from->till, when)},
        .length = from->length > 0.0 ? from->length : apart};
    return fr_array_push(ctx, &studio->cord, cord) ? FR_OK : fr_no_memory(ctx, "cords");
}

static FrResult find_cords(FrContext *ctx, const FrScene *scene, const FrFrameSource *source,
                           Studio *studio) {
    for (int32_t k = 0; scene && k < scene->joints_count; k++)
        if (scene->joints[k].kind == FR_SCENE_CORD)
            FR_TRY(find_cord(ctx, scene, scene->joints[k].cord, source, studio));
    studio->options.cord = studio->cord.data;
    studio->options.cord_count = studio->cord.count;
    return FR_OK;
}

static FrResult widen(FrContext *ctx, const FrFrameSource *source, FrShow show,
                      FrPictureScale *scale) {
    double most = 0.0, first = 0.0, last = 0.0;
    if (show == FR_SHOW_STRESS) FR_TRY(fr_stress_range(ctx, source, &most));
    if (show == FR_SHOW_CRACKS) FR_TRY(fr_crack_range(source, &first, &last));
    scale->stress_max = fr_max(scale->stress_max, most);
    if (!(last > 0.0)) return FR_OK; // no crack, or only those that were there from the start
    bool empty = !(scale->crack_last > 0.0);
    scale->crack_first = empty ? first : fr_min(scale->crack_first, first);
    scale->crack_last = empty ? last : fr_max(scale->crack_last, last);
    return FR_OK;
}

FrResult fr_picture_scale(FrContext *ctx, FrRecording *recording, int32_t frame, FrShow show,
                          FrPictureScale *scale) {
    FrFrameSource source;
    fr_recording_bare_source(recording, &source);
    source.frame_count = fr_min_i(source.frame_count, frame + 1);
    return widen(ctx, &source, show, scale);
}

// Put together again, bodies are where they began; those that came later are not to be seen.
static FrResult find_starts(FrContext *ctx, const FrFrameSource *source, Studio *studio) {
    FrShow show = studio->options.show;
    if (show != FR_SHOW_REST && show != FR_SHOW_WIRE) return FR_OK;
    FR_TRY(fr_find_starts(ctx, source, &studio->start));
    studio->options.start = studio->start.body.data;
    studio->options.start_count = studio->start.body.count;
    return FR_OK;
}

static FrResult open_studio(FrContext *ctx, const FrScene *scene, FrRecording *recording,
                            FrPictureDef wanted, bool still, Studio *studio) {
    const FrPictureScale *scale = wanted.scale;
    int32_t w, h;
    FrFrameSource bare, *source = &bare;
    fr_recording_bare_source(recording, &bare);
    size_of(scene, wanted.width, &w, &h);
    FrRendererDef def = still ? fr_renderer_def_still(w, h) : fr_renderer_def_default();
    def.width = w;
    def.height = h;
    studio->options = fr_render_options_default();
    studio->options.show = wanted.show;
    FR_TRY(find_cords(ctx, scene, source, studio));
    FR_TRY(find_starts(ctx, source, studio));
    FR_TRY(fr_recording_grains(ctx, recording, scene, &studio->grains));
    studio->options.grains = &studio->grains;
    FR_TRY(scene_camera(ctx, scene, source, (double)w / h, wanted.follow, &studio->camera));
    FrPictureScale all = {0};
    if (!scale) FR_TRY(widen(ctx, source, wanted.show, &all));
    if (!scale) scale = &all;
    studio->options.stress_max = scale->stress_max;
    studio->options.crack_first = scale->crack_first;
    studio->options.crack_last = scale->crack_last;
    return fr_renderer_create(ctx, &def, &studio->renderer);
}

static FrResult all_frames(FrContext *ctx, FrRecording *recording, FrFrameSource *source) {
    fr_recording_source(recording, source);
    if (source->frame_count > 0) return FR_OK;
    if (fr_recording_shows_bursts(recording))
        return fr_fail(ctx, FR_BAD_INPUT, "the recording has no burst (film { burst = {} })");
    return fr_fail(ctx, FR_BAD_INPUT, "the recording has no frame yet");
}

FrResult fr_picture_film_camera(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                                FrCamera *camera, double *aspect) {
    FrFrameSource source;
    int32_t w, h;
    FR_TRY(all_frames(ctx, recording, &source));
    fr_recording_bare_source(recording, &source);
    size_of(scene, 0, &w, &h);
    *aspect = (double)w / h;
    return scene_camera(ctx, scene, &source, *aspect, NULL, camera);
}

FrResult fr_picture_camera(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                           FrVec3 *eye, FrVec3 *target) {
    FrCamera camera;
    double aspect;
    FR_TRY(fr_picture_film_camera(ctx, recording, scene, &camera, &aspect));
    *eye = camera.eye;
    *target = camera.target;
    return FR_OK;
}

FrResult fr_picture_camera_at(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                              int32_t frame, FrCamera *camera) {
    FrCamera film;
    double aspect;
    FR_TRY(fr_picture_film_camera(ctx, recording, scene, &film, &aspect));
    *camera = fr_camera_at(&film, fr_recording_info(recording)->t[frame]);
    return FR_OK;
}

FrResult fr_picture_image(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                          int32_t frame, FrPictureDef def, FrImage *image) {
    FrFrameSource source;
    Studio studio = {0};
    const FrFrameView *view;
    FR_TRY(all_frames(ctx, recording, &source));
    size_of(scene, def.width, &image->width, &image->height);
    FrResult result = open_studio(ctx, scene, recording, def, true, &studio);
    studio.options.time_stamp = true;
    studio.options.time_in_ms = fr_recording_info(recording)->t[source.frame_count - 1] < 0.1;
    if (result == FR_OK) result = source.get(source.user, frame, &view);
    if (result == FR_OK) {
        image->rgba = fr_alloc(ctx, 4 * (size_t)image->width * (size_t)image->height);
        result = image->rgba ? fr_render_frame(studio.renderer, view,
                                               def.camera ? def.camera : &studio.camera,
                                               &studio.options, image->rgba)
                             : fr_no_memory(ctx, "a picture");
    }
    close_studio(ctx, &studio);
    return result;
}

FrResult fr_picture_frame(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                          int32_t frame, FrPictureDef def, const char *path) {
    FrFrameSource source;
    Studio studio = {0};
    FR_TRY(all_frames(ctx, recording, &source));
    if (frame >= source.frame_count)
        return fr_fail(ctx, FR_BAD_USE, "there is no frame %d; the recording has 0 to %d", frame,
                       source.frame_count - 1);
    if (frame < 0) {
        FrFrameSource bare;
        fr_recording_bare_source(recording, &bare);
        FR_TRY(fr_poster_frame(ctx, &bare, &frame));
    }
    FrResult result = open_studio(ctx, scene, recording, def, true, &studio);
    studio.options.stress_max = 0.0; // one frame uses all its colours
    if (result == FR_OK)
        result = fr_picture_render(studio.renderer, &source, frame, &studio.camera, &studio.options,
                                   path);
    close_studio(ctx, &studio);
    return result;
}

static FrResult draw_strobe(FrContext *ctx, Studio *studio, const FrStrobe *strobe,
                            const char *path) {
    FrImage image;
    fr_renderer_size(studio->renderer, &image.width, &image.height);
    studio->options.grains = NULL;
    studio->options.cord_count = 0; // bodies have other numbers in what is put together
    studio->options.stroke = strobe->path.data;
    studio->options.stroke_count = strobe->path.count;
    image.rgba = fr_alloc(ctx, 4 * (size_t)image.width * (size_t)image.height);
    if (!image.rgba) return fr_no_memory(ctx, "a picture");
    FrResult result = fr_render_frame(studio->renderer, &strobe->view, &studio->camera,
                                      &studio->options, image.rgba);
    if (result == FR_OK) result = fr_png_write(ctx, path, image.width, image.height, image.rgba);
    fr_free(ctx, image.rgba);
    return result;
}

FrResult fr_picture_strobe(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                           int32_t moments, FrPictureDef def, const char *path) {
    FrFrameSource source;
    Studio studio = {0};
    FrStrobe strobe = {0};
    FR_TRY(all_frames(ctx, recording, &source));
    FrResult result = fr_strobe_make(ctx, recording, moments, &strobe);
    if (result == FR_OK) result = open_studio(ctx, scene, recording, def, true, &studio);
    studio.camera.stop_count = 0; // one picture of all moments
    if (result == FR_OK) result = draw_strobe(ctx, &studio, &strobe, path);
    close_studio(ctx, &studio);
    fr_strobe_free(&strobe);
    return result;
}

// when something first struck, and when something first broke
static FrResult first_moments(FrContext *ctx, FrRecording *recording, FrMoments *moments) {
    FrEventLog log;
    *moments = (FrMoments){HUGE_VAL, HUGE_VAL};
    fr_event_log_init(&log, ctx);
    FrResult result = fr_recording_events(recording, &log);
    for (int32_t k = 0; result == FR_OK && k < log.count; k++) {
        const FrEvent *e = &log.data[k];
        if (e->kind == FR_EVENT_IMPACT) moments->impact = fr_min(moments->impact, e->t);
        if (e->kind == FR_EVENT_CRACK) moments->crack = fr_min(moments->crack, e->t);
    }
    fr_event_log_free(&log);
    return result;
}

// the frames of a sheet, one after the other; those of bursts lie evenly
static FrResult cut_sheet(FrContext *ctx, FrRecording *recording, int32_t tiles, Cut *cut) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    bool bursts = fr_recording_shows_bursts(recording);
    int32_t count = bursts ? info->burst_count : info->frame_count;
    FrMoments moments = {HUGE_VAL, HUGE_VAL};
    cut->recording = recording;
    tiles = fr_min_i(tiles, count);
    if (!bursts) FR_TRY(first_moments(ctx, recording, &moments));
    if (!fr_array_extend(ctx, &cut->frame, tiles)) return fr_no_memory(ctx, "a sheet");
    fr_sheet_frames(bursts ? info->burst_t : info->t, count, tiles, moments, cut->frame.data);
    for (int32_t k = 0; bursts && k < tiles; k++) cut->frame.data[k] = ~cut->frame.data[k];
    return FR_OK;
}

FrResult fr_picture_sheet(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                          FrSheetGrid grid, FrPictureDef def, const char *path) {
    FrFrameSource source;
    Studio studio = {0};
    Cut cut = {0};
    FR_TRY(all_frames(ctx, recording, &source));
    if (!def.width) def.width = SHEET_WIDTH;
    FrResult result = open_studio(ctx, scene, recording, def, true, &studio);
    // a senseless grid is refused when it is drawn
    int32_t tiles = fr_max_i(grid.columns, 1) * fr_max_i(grid.rows, 1);
    if (result == FR_OK) result = cut_sheet(ctx, recording, tiles, &cut);
    source = (FrFrameSource){
        .frame_count = cut.frame.count, .fps = source.fps, .get = cut_get, .user = &cut};
    if (result == FR_OK)
        result =
            fr_sheet_render(studio.renderer, &source, &studio.camera, &studio.options, grid, path);
    close_studio(ctx, &studio);
    fr_array_free(ctx, &cut.frame);
    return result;
}

// the sound of the film's seconds, as wide as the film and a fifth as high
static FrResult sound_strip(FrContext *ctx, const char *wav, double seconds, FrRenderer *renderer,
                            FrImage *strip) {
    float *sample;
    int64_t frames;
    int32_t height;
    FR_TRY(fr_wav_load(ctx, wav, 2, &sample, &frames));
    fr_renderer_size(renderer, &strip->width, &height);
    strip->height = height / 5;
    int64_t wanted = (int64_t)(seconds * FR_SOUND_RATE);
    FrResult result =
        fr_picture_strip(ctx, sample, frames < wanted ? frames : wanted, wanted, strip);
    fr_free(ctx, sample);
    return result;
}

FrResult fr_picture_film(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                         FrPictureDef wanted, const char *wav, const char *path) {
    FrFrameSource whole;
    FR_TRY(all_frames(ctx, recording, &whole));
    FrFilmDef def = fr_film_def_default();
    def.wav = wav;
    def.fps = scene && scene->film.fps > 0.0 ? scene->film.fps : fr_min(60.0, whole.fps);
    Cut cut = {0};
    Studio studio = {0};
    FrResult result = make_cut(ctx, recording, scene, def.fps, &cut);
    FrFrameSource source = {
        .frame_count = cut.frame.count, .fps = def.fps, .get = cut_get, .user = &cut};
    if (result == FR_OK) result = open_studio(ctx, scene, recording, wanted, false, &studio);
    if (result == FR_OK && wav && scene && scene->film.spectrogram)
        result = sound_strip(ctx, wav, cut.frame.count / def.fps, studio.renderer, &def.strip);
    if (result == FR_OK)
        result =
            fr_film_render(studio.renderer, &source, &studio.camera, &studio.options, &def, path);
    fr_free(ctx, def.strip.rgba);
    close_studio(ctx, &studio);
    fr_array_free(ctx, &cut.frame);
    return result;
}

static FrShow show_of(const FrScene *scene) {
    static const FrShow show[] = {[FR_SCENE_SHOW_SURFACE] = FR_SHOW_SURFACE,
                                  [FR_SCENE_SHOW_STRESS] = FR_SHOW_STRESS,
                                  [FR_SCENE_SHOW_TETS] = FR_SHOW_TETS,
                                  [FR_SCENE_SHOW_SEPARATION] = FR_SHOW_SEPARATION,
                                  [FR_SCENE_SHOW_HEAT] = FR_SHOW_HEAT};
    return show[scene->film.show];
}

FrResult fr_output_poster(FrOutputs *outputs, FrRecording *recording, const FrScene *scene) {
    fr_appearance_paint(outputs->ctx, recording, scene);
    FrPictureDef def = {.show = show_of(scene)};
    return fr_picture_frame(outputs->ctx, recording, scene, 0, def, outputs->poster);
}

// FR_FAILED is what drawing says when OpenGL or ffmpeg is not there; disks and memory have their
// own
static FrResult make_pictures(FrOutputs *o, FrRecording *recording, const FrScene *scene) {
    FrPictureDef def = {.show = show_of(scene)};
    if (!fr_output_fresh(o, o->poster)) {
        FR_TRY(fr_picture_frame(o->ctx, recording, scene, -1, def, o->poster));
        FR_TRY(fr_output_made(o, o->poster));
    }
    if (!fr_output_fresh(o, o->sheet)) {
        FR_TRY(fr_picture_sheet(o->ctx, recording, scene, (FrSheetGrid){4, 3}, def, o->sheet));
        FR_TRY(fr_output_made(o, o->sheet));
    }
    if (fr_output_fresh(o, o->film)) return FR_OK;
    FR_TRY(fr_picture_film(o->ctx, recording, scene, def,
                           fr_output_fresh(o, o->sound) ? o->sound : NULL, o->film));
    return fr_output_made(o, o->film);
}

FrResult fr_output_pictures(FrOutputs *outputs, FrRecording *recording, const FrScene *scene) {
    fr_appearance_paint(outputs->ctx, recording, scene);
    FrResult result = make_pictures(outputs, recording, scene);
    if (result != FR_FAILED) return result;
    fr_log(outputs->ctx, FR_LOG_WARNING,
           "%s; the recording is whole, and the same command makes the pictures later",
           fr_context_message(outputs->ctx));
    return FR_OK;
}
