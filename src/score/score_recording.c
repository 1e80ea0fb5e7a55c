// score_recording.c: the blows, slidings and ways of a recording's rigid bodies.

#include "math/vec.h"
#include "score/score_reader.h"
#include <math.h>
#include <string.h>

/// Slower than this is rest, m/s, when it lasts this long, s.
#define REST_SPEED 0.03
#define REST_SURE 0.1

// how fast the fastest point of a body of this size moves between two poses, m/s
static double pose_speed(const FrPose *a, const FrPose *b, double size, double hz) {
    double sign =
        a->q.w * b->q.w + a->q.x * b->q.x + a->q.y * b->q.y + a->q.z * b->q.z < 0.0 ? -1.0 : 1.0;
    double w = a->q.w - sign * b->q.w, x = a->q.x - sign * b->q.x, y = a->q.y - sign * b->q.y,
           z = a->q.z - sign * b->q.z;
    double turn = 2.0 * sqrt(w * w + x * x + y * y + z * z); // of small turns; poses are floats
    return hz * (fr_distance(a->x, b->x) + turn * size);
}

// when it stopped for good, if it moved at all: what is held from the start rests on nothing
static double rest_time(const FrPoseTrack *track, double size) {
    int32_t last = -1;
    for (int32_t k = 1; k < track->count; k++)
        if (pose_speed(&track->data[k - 1], &track->data[k], size, track->hz) > REST_SPEED)
            last = k;
    double t = (double)(track->first + last) / track->hz,
           end = (double)(track->first + track->count) / track->hz;
    return last >= 0 && end - t > REST_SURE ? t : HUGE_VAL;
}

// what hangs or turns on something comes to rest in the air
static bool is_hung(const FrScene *scene, const char *name) {
    for (int32_t k = 0; scene && k < scene->joints_count; k++) {
        const FrSceneJoint *j = &scene->joints[k];
        if (j->kind > FR_SCENE_CORD) continue; // held, it rings on
        int32_t end[2] = {j->kind == FR_SCENE_PIN     ? j->pin->body
                          : j->kind == FR_SCENE_HINGE ? j->hinge->body
                                                      : j->cord->body,
                          j->kind == FR_SCENE_PIN     ? j->pin->to
                          : j->kind == FR_SCENE_HINGE ? j->hinge->to
                                                      : j->cord->to};
        for (int i = 0; i < 2; i++)
            if (end[i] >= 0 && end[i] < scene->bodies_count &&
                !strcmp(scene->bodies[end[i]].name, name))
                return true;
    }
    return false;
}

// a point of the body at sample n of its track, or at the nearest that there is
static FrVec3 place_at(const FrPoseTrack *track, FrVec3 point, int64_t n) {
    int64_t last = track->first + track->count - 1;
    int64_t k = (n < track->first ? track->first : n > last ? last : n) - track->first;
    const FrPose *p = &track->data[k];
    return fr_add(p->x, fr_quat_rotate(p->q, point));
}

static FrVec3 own_point(const FrPoseTrack *track, FrVec3 place, int64_t n) {
    int64_t last = track->first + track->count - 1;
    const FrPose *p = &track->data[(n > last ? last : n) - track->first];
    return fr_quat_rotate(fr_quat_conj(p->q), fr_sub(place, p->x));
}

// Before its birth it was part of its parent, and goes where that goes; before the first of all it
// stood there.
static void follow_back(const FrScoreReader *r, int32_t k, FrVec3 point, FrVec3 *place) {
    const FrPoseTrack *track = &r->track[k];
    int64_t from = track->first;
    FrRecordingBody info;
    fr_recording_body(r->recording, k, &info);
    for (int32_t at = info.parent; at >= 0 && from > 0; at = info.parent) {
        fr_recording_body(r->recording, at, &info);
        const FrPoseTrack *parent = &r->track[at];
        if (parent->count == 0 || parent->first >= from) continue;
        point = own_point(parent, place[from], from);
        for (int64_t n = parent->first; n < from; n++) place[n] = place_at(parent, point, n);
        from = parent->first;
    }
    for (int64_t n = 0; n < from; n++) place[n] = place[from];
}

static FrResult read_way(FrScoreReader *r, int32_t k, FrScoreBody *body) {
    const FrPoseTrack *track = &r->track[k];
    FrVec3 middle = body->asset->info.centre;
    int64_t end = track->first + track->count;
    if (!is_hung(r->scene, body->name))
        body->rests = rest_time(track, fr_length(fr_box_size(body->asset->info.bounds)));
    body->place_hz = track->hz > 0.0 ? track->hz : 1.0;
    if (track->count == 0) return FR_OK;
    if (end > INT32_MAX || !fr_array_extend(r->score->ctx, &body->place, (int32_t)end) ||
        !fr_array_extend(r->score->ctx, &body->turn, (int32_t)end))
        return fr_no_memory(r->score->ctx, "ways");
    for (int64_t n = track->first; n < end; n++) body->place.data[n] = place_at(track, middle, n);
    for (int64_t n = 0; n < end; n++)
        body->turn.data[n] = track->data[n < track->first ? 0 : n - track->first].q;
    follow_back(r, k, middle, body->place.data);
    return FR_OK;
}

// why a body does not ring in modes
static const char plane[] = "is a plane: it makes no sound";
static const char untouched[] = "is touched by nothing: it makes no sound";
static const char deforms[] =
    "is deformable: the microphone heard it while it moved, and other damping, stiffness or size "
    "takes another run (fracas run --set); here --gain changes it";

// of it and all it came from, once; what deforms has none
static FrResult read_tracks(FrScoreReader *r, int32_t k) {
    for (FrRecordingBody info; k >= 0 && !r->track[k].data; k = info.parent) {
        fr_recording_body(r->recording, k, &info);
        if (info.view->rigid) FR_TRY(fr_recording_poses(r->recording, k, &r->track[k]));
    }
    return FR_OK;
}

// pieces of one body share a stem, which has the name of that body
static FrResult find_family(FrScoreReader *r, int32_t k, FrScoreBody *body) {
    FrRecordingBody info;
    for (fr_recording_body(r->recording, k, &info); info.parent >= 0;
         fr_recording_body(r->recording, k, &info))
        k = info.parent;
    body->family = k;
    body->family_name = fr_strdup(r->score->ctx, info.view->name);
    return body->family_name ? FR_OK : fr_no_memory(r->score->ctx, "a body");
}

// a silent body of the score for each that rings, and what it is cooked from
static FrResult read_body(FrScoreReader *r, int32_t k) {
    FrRecordingBody info;
    fr_recording_body(r->recording, k, &info);
    r->body[k] = -1;
    const char *why = info.view->kind == FR_BODY_PLANE ? plane
                      : !info.view->rigid              ? deforms
                      : !r->touched[k]                 ? untouched
                                                       : NULL;
    if (why) return fr_score_add_mute(r->score, info.view->name, why);
    FR_TRY(read_tracks(r, k));
    FrScoreBody *body = fr_score_add(r->score, info.view->name);
    if (!body) return FR_NO_MEMORY;
    double tick = fr_recording_info(r->recording)->tick_seconds;
    body->born = (double)info.born * tick;
    if (info.died != INT64_MAX) body->died = (double)info.died * tick;
    FR_TRY(find_family(r, k, body));
    const FrSceneBody *from = fr_cook_scene_body(r->scene, info.view->name);
    body->held = from && fr_body_stays(from);
    r->body[k] = r->score->body.count - 1;
    r->item[r->body[k]] = (FrCookItem){.body = info};
    return FR_OK;
}

// assets are the score's from here on, also when some could not be made
static FrResult cook(FrScoreReader *r) {
    int32_t count = r->score->body.count;
    bool radiate = r->score->air == FR_AIR_FULL;
    FrResult result =
        fr_cook_recorded(r->score->ctx, r->scene, r->item, count, &r->score->rule, radiate);
    for (int32_t k = 0; k < count; k++) {
        FrScoreBody *body = &r->score->body.data[k];
        body->shared = r->item[k].twin >= 0;
        body->asset = r->item[body->shared ? r->item[k].twin : k].asset;
        body->proxied = r->item[body->shared ? r->item[k].twin : k].proxied;
    }
    return result;
}

static FrResult read_all(FrScoreReader *r) {
    const FrRecordingInfo *info = fr_recording_info(r->recording);
    FR_TRY(fr_recording_events(r->recording, &r->log));
    fr_score_mark_touched(r);
    for (int32_t k = 0; k < info->body_count; k++) FR_TRY(read_body(r, k));
    FR_TRY(cook(r));
    for (int32_t k = 0; k < info->body_count; k++)
        if (r->body[k] >= 0) FR_TRY(read_way(r, k, &r->score->body.data[r->body[k]]));
    return fr_score_events(r);
}

static void set_air(FrScore *score, const FrScene *scene) {
    static const FrAir air[] = {FR_AIR_SMALL, FR_AIR_FLAT, FR_AIR_FULL}; // of FrSceneAir
    if (!score->air_given) score->air = air[scene->sound.air];
    score->gauss = scene->sound.pulse == FR_SCENE_PULSE_GAUSS;
}

FrResult fr_score_recording(FrScore *score, FrRecording *recording, const FrScene *scene) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    FrContext *ctx = score->ctx;
    FrScoreReader r = {.score = score, .recording = recording, .scene = scene};
    if (scene) set_air(score, scene);
    score->duration = info->frame_count > 0 ? info->t[info->frame_count - 1] : 0.0;
    score->seed = info->seed;
    score->recorded = true;
    r.body = FR_NEW(ctx, int32_t, info->body_count);
    r.touched = FR_NEW(ctx, uint8_t, info->body_count);
    r.track = FR_NEW(ctx, FrPoseTrack, info->body_count);
    r.item = FR_NEW(ctx, FrCookItem, info->body_count);
    fr_event_log_init(&r.log, ctx);
    FrResult result =
        r.body && r.touched && r.track && r.item ? read_all(&r) : fr_no_memory(ctx, "bodies");
    for (int32_t k = 0; r.track && k < info->body_count; k++) fr_free(ctx, r.track[k].data);
    fr_event_log_free(&r.log);
    fr_free(ctx, r.body);
    fr_free(ctx, r.touched);
    fr_free(ctx, r.track);
    fr_free(ctx, r.item);
    return result;
}

static void place_listener(FrScore *score, FrVec3 eye, FrVec3 target) {
    FrVec3 right = fr_cross(fr_sub(target, eye), fr_vec3(0, 0, 1));
    score->listener.at = eye;
    score->listener.right = fr_length(right) > 0.0 ? fr_normalize(right) : fr_vec3(1, 0, 0);
    score->has_listener = true;
}

void fr_score_scene(FrScore *score, const FrScene *scene) {
    if (!scene) return;
    score->fits = isnan(scene->sound.gain);
    score->gain = (score->fits ? 1.0 : pow(10.0, scene->sound.gain / 20.0)) / FR_FULL_SCALE;
    score->microphone = scene->sound.microphone;
    score->rest_damping = scene->sound.rest;
    set_air(score, scene);
    if (isnan(scene->sound.listener.x)) return;
    score->listener.at = scene->sound.listener;
    score->has_listener = true;
}

void fr_score_camera(FrScore *score, FrVec3 eye, FrVec3 target, const FrScene *scene) {
    place_listener(score, eye, target);
    fr_score_scene(score, scene);
}
