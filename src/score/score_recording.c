// score_recording.c: the blows, slidings and ways of a recording's rigid bodies.

#include "math/vec.h"
#include "score/cook_recording.h"
#include "score/score.h"
#include "sound/mallet.h"
#include <math.h>
#include <string.h>

/// Slower touches than this are rest, m/s.
#define SLOWEST 1e-3
/// Blows are no longer and no shorter than these, s: what is softer makes no sound.
#define SHORTEST 5e-6
#define LONGEST 0.02
/// Rolling is smoother than sliding, by this factor.
#define ROLLING 0.2
/// Part of the closing speed that comes back, where nothing else is known, 1.
#define BOUNCE 0.5
/// Slower than this is rest, m/s, when it lasts this long, s.
#define REST_SPEED 0.03
#define REST_SURE 0.1

typedef struct Reader {
    FrScore *score;
    FrRecording *recording;
    int32_t *body;    ///< of the score, for each of the recording; -1: silent
    uint8_t *touched; ///< is hit or slides at some time (body_count)
    FrEventLog log;
    const FrScene *scene; ///< of the recording; NULL: not readable
    FrPoseTrack *track;   ///< (body_count)
    FrCookItem *item;     ///< of each body of the score (its count)
} Reader;

// the turn of a body at time t; poses are straight between samples
static FrPose pose_at(const FrPoseTrack *track, double t) {
    if (track->count == 0) return (FrPose){fr_vec3_zero, {1, 0, 0, 0}};
    double k = fr_clamp(t * track->hz - (double)track->first, 0.0, (double)(track->count - 1));
    int32_t i = fr_min_i((int32_t)k, fr_max_i(track->count - 2, 0)),
            next = fr_min_i(i + 1, track->count - 1);
    const FrPose *a = &track->data[i], *b = &track->data[next];
    return (FrPose){fr_lerp(a->x, b->x, k - i), fr_quat_slerp(a->q, b->q, k - i)};
}

// where a contact is in the body's own axes: by its tet, or from where the body is
static FrVec3 own_place(const Reader *r, int32_t body, const FrPoint *p, FrVec3 x, FrPose pose) {
    FrRecordingBody info;
    fr_recording_body(r->recording, body, &info);
    const FrTetMesh *mesh = info.view->mesh;
    if (!mesh || p->tet < 0 || p->tet >= mesh->tet_count)
        return fr_quat_rotate(fr_quat_conj(pose.q), fr_sub(x, pose.x));
    FrVec3 sum = fr_vec3_zero;
    for (int k = 0; k < 4; k++) sum = fr_axpy(p->b[k], fr_get3(mesh->x, mesh->tet[p->tet][k]), sum);
    return sum;
}

// The impulse and Hertz's duration were found for rigid bodies, J = (1 + e) v/(1/m*). A thin wall
// gives way: its tones get no more than half of the energy 1/2 J v/(1 + e) of the blow.
static FrResult give_way(Reader *r, FrScoreBody *body, double speed) {
    FrHit *hit = body->hit.count ? &body->hit.data[body->hit.count - 1] : NULL;
    double impulse = hit ? fr_length(hit->push) : 0.0;
    if (!body->asset || !(impulse > 0.0) || !(speed > 0.0)) return FR_OK;
    FrVec3 n = fr_scale(1.0 / impulse, hit->push);
    FrPush push[2];
    FrBlowDef blow = {n,
                      {impulse, hit->duration},
                      (1.0 + BOUNCE) * speed / impulse,
                      0.25 * impulse * speed / (1.0 + BOUNCE)};
    int32_t count = fr_asset_blow(body->asset, &hit->spot, &blow, push);
    for (int32_t k = 0; k < count; k++) {
        FrHit part = body->hit.data[body->hit.count - 1];
        part.push = fr_scale(push[k].impulse, n);
        part.duration = push[k].duration;
        part.more = k > 0;
        if (k == 0) body->hit.data[body->hit.count - 1] = part;
        if (k > 0 && !fr_array_push(r->score->ctx, &body->hit, part))
            return fr_no_memory(r->score->ctx, "contacts");
    }
    return FR_OK;
}

/// What two bodies do to each other.
typedef struct Push {
    FrVec3 x, on_a; ///< place, m; impulse N s, or force N
    double speed;   ///< of closing, m/s; 0: it slides
    FrHit hit;      ///< when and how long; its push is not set yet
} Push;

// `side` -1: on b
static FrResult add_push(Reader *r, int32_t body, const FrPoint *p, const Push *push, double side) {
    FrHit hit = push->hit;
    if (body < 0 || body >= fr_recording_info(r->recording)->body_count || r->body[body] < 0)
        return FR_OK;
    FrPose pose = pose_at(&r->track[body], hit.t);
    hit.push = fr_scale(side, fr_quat_rotate(fr_quat_conj(pose.q), push->on_a));
    FR_TRY(fr_score_hit(r->score, r->body[body], hit, own_place(r, body, p, push->x, pose)));
    return give_way(r, &r->score->body.data[r->body[body]], push->speed);
}

static FrResult add_impact(Reader *r, const FrEvent *e) {
    double v = e->u.impact.v_n;
    if (!(v > SLOWEST)) return FR_OK;
    FrHit hit = {.t = e->t, .duration = fr_clamp(e->u.impact.duration, SHORTEST, LONGEST)};
    Push push = {e->u.impact.x, e->u.impact.impulse, v, hit};
    FR_TRY(add_push(r, fr_event_body(e), &e->u.impact.pa, &push, 1.0));
    return add_push(r, fr_event_other(e), &e->u.impact.pb, &push, -1.0);
}

// Samples follow one another: each swells over its span and fades over the next, so that noises of
// neighbours add up to an even power.
static FrResult add_contact(Reader *r, const FrEvent *e) {
    double slip = fr_length(e->u.contact.slip), roll = fr_length(e->u.contact.roll);
    double speed = fr_max(slip, roll), smooth = slip >= roll * ROLLING ? 1.0 : ROLLING;
    if (!(speed > SLOWEST) || !(e->u.contact.span > 0.0)) return FR_OK;
    FrHit hit = {.t = fr_max(e->t - 0.5 * e->u.contact.span, 0.0),
                 .duration = 2.0 * e->u.contact.span,
                 .fade = e->u.contact.span,
                 .cutoff = speed / FR_SURFACE_GRAIN};
    Push push = {e->u.contact.x, fr_scale(smooth, e->u.contact.force), 0.0, hit};
    FR_TRY(add_push(r, fr_event_body(e), &e->u.contact.pa, &push, 1.0));
    return add_push(r, fr_event_other(e), &e->u.contact.pb, &push, -1.0);
}

static void mark(Reader *r, int32_t body) {
    if (body >= 0 && body < fr_recording_info(r->recording)->body_count) r->touched[body] = 1;
}

static void mark_touched(Reader *r) {
    for (int32_t k = 0; k < r->log.count; k++) {
        const FrEvent *e = &r->log.data[k];
        if (e->kind != FR_EVENT_IMPACT && e->kind != FR_EVENT_CONTACT) continue;
        mark(r, fr_event_body(e));
        mark(r, fr_event_other(e));
    }
}

static FrResult add_events(Reader *r) {
    for (int32_t k = 0; k < r->log.count; k++) {
        const FrEvent *e = &r->log.data[k];
        if (e->kind == FR_EVENT_IMPACT) FR_TRY(add_impact(r, e));
        if (e->kind == FR_EVENT_CONTACT) FR_TRY(add_contact(r, e));
    }
    return FR_OK;
}

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

static FrResult read_way(Reader *r, int32_t k, FrScoreBody *body) {
    const FrPoseTrack *track = &r->track[k];
    FrVec3 middle = body->asset->info.centre;
    if (!is_hung(r->scene, body->name))
        body->rests = rest_time(track, fr_length(fr_box_size(body->asset->info.bounds)));
    body->place_hz = track->hz > 0.0 ? track->hz : 1.0;
    // samples before the first one: it stood there
    for (int64_t n = 0; n < track->first + track->count; n++) {
        const FrPose *p = &track->data[n < track->first ? 0 : n - track->first];
        FrVec3 at = fr_add(p->x, fr_quat_rotate(p->q, middle));
        if (!fr_array_push(r->score->ctx, &body->place, at))
            return fr_no_memory(r->score->ctx, "ways");
    }
    return FR_OK;
}

// why a body does not ring in modes
static const char plane[] = "is a plane: it makes no sound";
static const char untouched[] = "is touched by nothing: it makes no sound";
static const char deforms[] =
    "is deformable: the microphone heard it while it moved, and other damping, stiffness or size "
    "takes another run (fracas run --set); here --gain changes it";

// a silent body of the score for each that rings, and what it is cooked from
static FrResult read_body(Reader *r, int32_t k) {
    FrRecordingBody info;
    fr_recording_body(r->recording, k, &info);
    r->body[k] = -1;
    const char *why = info.view->kind == FR_BODY_PLANE ? plane
                      : !info.view->rigid              ? deforms
                      : !r->touched[k]                 ? untouched
                                                       : NULL;
    if (why) return fr_score_add_mute(r->score, info.view->name, why);
    FR_TRY(fr_recording_poses(r->recording, k, &r->track[k]));
    FrScoreBody *body = fr_score_add(r->score, info.view->name);
    if (!body) return FR_NO_MEMORY;
    if (info.died != INT64_MAX)
        body->died = (double)info.died * fr_recording_info(r->recording)->tick_seconds;
    const FrSceneBody *from = fr_cook_scene_body(r->scene, info.view->name);
    body->held = from && fr_body_stays(from);
    r->body[k] = r->score->body.count - 1;
    r->item[r->body[k]] = (FrCookItem){.body = info};
    return FR_OK;
}

// assets are the score's from here on, also when some could not be made
static FrResult cook(Reader *r) {
    int32_t count = r->score->body.count;
    FrResult result = fr_cook_recorded(r->score->ctx, r->scene, r->item, count);
    for (int32_t k = 0; k < count; k++) {
        FrScoreBody *body = &r->score->body.data[k];
        body->shared = r->item[k].twin >= 0;
        body->asset = r->item[body->shared ? r->item[k].twin : k].asset;
    }
    return result;
}

static FrResult read_all(Reader *r) {
    const FrRecordingInfo *info = fr_recording_info(r->recording);
    FR_TRY(fr_recording_events(r->recording, &r->log));
    mark_touched(r);
    for (int32_t k = 0; k < info->body_count; k++) FR_TRY(read_body(r, k));
    FR_TRY(cook(r));
    for (int32_t k = 0; k < info->body_count; k++)
        if (r->body[k] >= 0) FR_TRY(read_way(r, k, &r->score->body.data[r->body[k]]));
    return add_events(r);
}

FrResult fr_score_recording(FrScore *score, FrRecording *recording, const FrScene *scene) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    FrContext *ctx = score->ctx;
    Reader r = {.score = score, .recording = recording, .scene = scene};
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
    score->gain = pow(10.0, scene->sound.gain / 20.0) / FR_FULL_SCALE;
    score->microphone = scene->sound.microphone;
    score->rest_damping = scene->sound.rest;
    score->air = scene->sound.air == FR_SCENE_AIR_FLAT ? FR_AIR_FLAT : FR_AIR_SMALL;
    if (isnan(scene->sound.listener.x)) return;
    score->listener.at = scene->sound.listener;
    score->has_listener = true;
}

void fr_score_camera(FrScore *score, FrVec3 eye, FrVec3 target, const FrScene *scene) {
    place_listener(score, eye, target);
    fr_score_scene(score, scene);
}
