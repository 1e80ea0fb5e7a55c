// score_events.c: the events of a recording as blows on its bodies, slidings, and pushes of what
// breaks.

#include "math/vec.h"
#include "score/event_push.h"
#include "score/score_reader.h"
#include "sound/mallet.h"
#include <math.h>

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
static FrVec3 own_place(const FrScoreReader *r, int32_t body, const FrPoint *p, FrVec3 x,
                        FrPose pose) {
    FrRecordingBody info;
    fr_recording_body(r->recording, body, &info);
    const FrTetMesh *mesh = info.view->mesh;
    if (!mesh || p->tet < 0 || p->tet >= mesh->tet_count)
        return fr_quat_rotate(fr_quat_conj(pose.q), fr_sub(x, pose.x));
    FrVec3 sum = fr_vec3_zero;
    for (int k = 0; k < 4; k++) sum = fr_axpy(p->b[k], fr_get3(mesh->x, mesh->tet[p->tet][k]), sum);
    return sum;
}

// a thin wall takes a blow in two parts
static FrResult give_way(FrScoreReader *r, FrScoreBody *body, double speed) {
    FrHit *hit = body->hit.count ? &body->hit.data[body->hit.count - 1] : NULL;
    double impulse = hit ? fr_length(hit->push) : 0.0;
    if (!body->asset || !(impulse > 0.0) || !(speed > 0.0)) return FR_OK;
    FrPush push[2];
    FrBlowDef blow = fr_event_blow(hit->push, hit->duration, speed);
    int32_t count = fr_asset_blow(body->asset, &hit->spot, &blow, push);
    for (int32_t k = 0; k < count; k++) {
        FrHit part = body->hit.data[body->hit.count - 1];
        part.push = fr_scale(push[k].impulse, blow.n);
        part.duration = push[k].duration;
        part.more = k > 0;
        if (k == 0) body->hit.data[body->hit.count - 1] = part;
        if (k > 0 && !fr_array_push(r->score->ctx, &body->hit, part))
            return fr_no_memory(r->score->ctx, "contacts");
    }
    return FR_OK;
}

static bool known(const FrScoreReader *r, int32_t body) {
    return body >= 0 && body < fr_recording_info(r->recording)->body_count;
}

static bool sounding(const FrScoreReader *r, int32_t body) {
    return known(r, body) && r->body[body] >= 0;
}

// Nothing is pushed before it is born or after it died. What breaks it comes within the tick of its
// death, and so does what its pieces are born with; more than a tick away there is nothing.
static bool within_life(const FrScoreReader *r, const FrScoreBody *body, FrHit *hit) {
    double slack = fr_recording_info(r->recording)->tick_seconds;
    if (hit->t + hit->duration <= body->born - slack || hit->t > body->died + slack) return false;
    hit->t = fr_min(fr_max(hit->t, body->born), body->died);
    return true;
}

// all that is let go of a body at one time pushes it as one
static void join(FrScoreBody *body) {
    int32_t count = body->hit.count;
    if (count < 2) return;
    const FrHit *last = &body->hit.data[count - 2];
    FrHit *now = &body->hit.data[count - 1];
    now->joined = last->release && last->t == now->t && last->duration == now->duration;
}

// `side` -1: on b
static FrResult add_push(FrScoreReader *r, int32_t body, const FrPoint *p, const FrEventPush *push,
                         double side) {
    FrHit hit = push->hit;
    if (!sounding(r, body)) return FR_OK;
    FrScoreBody *to = &r->score->body.data[r->body[body]];
    if (!within_life(r, to, &hit)) return FR_OK;
    FrPose pose = pose_at(&r->track[body], hit.t);
    hit.push = fr_scale(side, fr_quat_rotate(fr_quat_conj(pose.q), push->on_a));
    FR_TRY(fr_score_hit(r->score, r->body[body], hit, own_place(r, body, p, push->x, pose)));
    if (hit.release) join(to);
    return give_way(r, to, push->speed);
}

static FrResult add_touch(FrScoreReader *r, const FrEvent *e, const FrPoint *pa,
                          const FrPoint *pb) {
    FrEventPush push;
    if (!fr_event_push(e, &push)) return FR_OK;
    FR_TRY(add_push(r, fr_event_body(e), pa, &push, 1.0));
    return add_push(r, fr_event_other(e), pb, &push, -1.0);
}

static void mark(FrScoreReader *r, int32_t body) {
    if (known(r, body)) r->touched[body] = 1;
}

static int32_t let_go_by(const FrEvent *e) { return e->u.release.other.index1 - 1; }

void fr_score_mark_touched(FrScoreReader *r) {
    for (int32_t k = 0; k < r->log.count; k++) {
        const FrEvent *e = &r->log.data[k];
        bool release = e->kind == FR_EVENT_RELEASE;
        if (!release && e->kind != FR_EVENT_IMPACT && e->kind != FR_EVENT_CONTACT) continue;
        mark(r, fr_event_body(e));
        mark(r, release ? let_go_by(e) : fr_event_other(e));
    }
}

// the moment itself, where it is told; ticks are all that the rows of bodies know
static void mark_lives(FrScoreReader *r) {
    for (int32_t k = 0; k < r->log.count; k++) {
        const FrEvent *e = &r->log.data[k];
        if (!sounding(r, fr_event_body(e))) continue;
        FrScoreBody *body = &r->score->body.data[r->body[fr_event_body(e)]];
        if (e->kind == FR_EVENT_BIRTH) body->born = e->t;
        if (e->kind == FR_EVENT_DEATH) body->died = e->t;
    }
}

// the longest side of a body that rings, m; else HUGE_VAL
static double longest_side(const FrScoreReader *r, int32_t body) {
    const FrAsset *asset = sounding(r, body) ? r->score->body.data[r->body[body]].asset : NULL;
    if (!asset) return HUGE_VAL;
    FrVec3 size = fr_box_size(asset->info.bounds);
    return fr_max(size.x, fr_max(size.y, size.z));
}

// speed of Rayleigh's wave, m/s: no crack runs faster (Viktorov 1967: within 0.5 %)
static double rayleigh_speed(const FrAssetInfo *info) {
    double shear = sqrt(info->young / (2.0 * (1.0 + info->poisson) * info->density));
    return (0.87 + 1.12 * info->poisson) / (1.0 + info->poisson) * shear;
}

// A crack sets its faces free no faster than it runs, and it is no longer than the smaller of the
// two bodies beside it: so long the push lasts, on both sides alike. [M27]
static double release_time(const FrScoreReader *r, int32_t a, int32_t b) {
    double size[2] = {longest_side(r, a), longest_side(r, b)};
    int32_t smaller = size[0] <= size[1] ? a : b;
    double least = fr_min(size[0], size[1]);
    if (!isfinite(least)) return FR_SHORTEST_PUSH;
    double speed = rayleigh_speed(&r->score->body.data[r->body[smaller]].asset->info);
    return fr_clamp(least / speed, FR_SHORTEST_PUSH, FR_LONGEST_PUSH);
}

static FrResult add_release(FrScoreReader *r, const FrEvent *e) {
    static const FrPoint nowhere = {.tet = -1};
    int32_t a = fr_event_body(e), b = let_go_by(e);
    if (!known(r, a)) return FR_OK;
    FrHit hit = {.t = e->t, .duration = release_time(r, a, b), .release = true};
    FrPose pose = pose_at(&r->track[a], hit.t);
    FrVec3 own = own_place(r, a, &e->u.release.p, pose.x, pose);
    FrEventPush push = {
        .x = fr_add(pose.x, fr_quat_rotate(pose.q, own)), .on_a = e->u.release.impulse, .hit = hit};
    FR_TRY(add_push(r, a, &e->u.release.p, &push, 1.0));
    return add_push(r, b, &nowhere, &push, -1.0);
}

FrResult fr_score_events(FrScoreReader *r) {
    mark_lives(r);
    for (int32_t k = 0; k < r->log.count; k++) {
        const FrEvent *e = &r->log.data[k];
        if (e->kind == FR_EVENT_IMPACT) FR_TRY(add_touch(r, e, &e->u.impact.pa, &e->u.impact.pb));
        if (e->kind == FR_EVENT_CONTACT)
            FR_TRY(add_touch(r, e, &e->u.contact.pa, &e->u.contact.pb));
        if (e->kind == FR_EVENT_RELEASE) FR_TRY(add_release(r, e));
    }
    return FR_OK;
}
