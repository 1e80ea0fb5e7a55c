// shatter_bears.c: what lies on rigid frames that may shatter, hangs on them or bends them: forces
// of contacts that last, weight between supports, supports that move.

#include "world/member.h"

static double force_of(const FrFramePair *pair) {
    double sum = 0.0;
    for (int32_t k = 0; k < pair->count; k++) sum += fr_length(pair->point[k].force);
    return sum;
}

// forces of all contacts on each frame, N
static FrResult add_up(FrWorld *w) {
    const FrFrames *f = &w->frames;
    w->now.borne.count = 0;
    if (!fr_array_extend(w->ctx, &w->now.borne, f->frame.count))
        return fr_no_memory(w->ctx, "what bodies bear");
    for (int32_t k = 0; k < f->pair.count; k++) {
        const FrFramePair *pair = &f->pair.data[k];
        double force = force_of(pair);
        w->now.borne.data[pair->a] += force;
        if (pair->b >= 0) w->now.borne.data[pair->b] += force;
    }
    return FR_OK;
}

// one more push; of those that are too many the weakest goes
static void add_push(FrBearing *b, FrVec3 x, FrVec3 force) {
    int32_t at = b->point_count;
    if (!(fr_length2(force) > 0.0)) return;
    if (at < FR_BEARING_POINTS) {
        b->point_count++;
    } else {
        at = 0;
        for (int32_t k = 1; k < FR_BEARING_POINTS; k++)
            if (fr_length2(b->force[k]) < fr_length2(b->force[at])) at = k;
        if (fr_length2(force) <= fr_length2(b->force[at])) return;
    }
    b->point[at] = x;
    b->force[at] = force;
}

// those that are kept stand for all
static void keep_sum(FrBearing *b, double all) {
    double kept = 0.0;
    for (int32_t k = 0; k < b->point_count; k++) kept += fr_length(b->force[k]);
    for (int32_t k = 0; k < b->point_count; k++) b->force[k] = fr_scale(all / kept, b->force[k]);
}

static FrBearing bearing_of(const FrWorld *w, const FrBody *body) {
    const FrFrames *f = &w->frames;
    const FrFrameParts *part = &f->frame.data[body->frame].part;
    FrQuat back = fr_quat_conj(part->rigid->q);
    FrBearing b = {.dt = w->def.step, .seed = fr_world_break_seed(w, body)};
    if (body->kinematic) b.weight = fr_quat_rotate(back, w->gravity);
    for (int32_t k = 0; k < f->pair.count; k++) {
        const FrFramePair *pair = &f->pair.data[k];
        bool first = pair->a == body->frame;
        if (!first && pair->b != body->frame) continue;
        for (int32_t i = 0; i < pair->count; i++) {
            const FrFramePoint *at = &pair->point[i];
            FrVec3 force = fr_quat_rotate(back, at->force);
            add_push(&b, fr_add(first ? at->la : at->lb, part->offset),
                     first ? force : fr_neg(force));
        }
    }
    keep_sum(&b, w->now.borne.data[body->frame]);
    return b;
}

// may what it bears matter? What sleeps bears what it bore.
static bool is_heavy(const FrWorld *w, const FrBody *body) {
    const FrFrame *frame = &w->frames.frame.data[body->frame];
    double force = w->now.borne.data[body->frame];
    if (frame->asleep) return false;
    if (body->kinematic && frame->ops->travels(body->state)) return true;
    if (body->kinematic) force += frame->part.rigid->mass * fr_length(w->gravity);
    return force >= body->ops->shatters->bears(body->state);
}

FrResult fr_world_bears(FrWorld *w) {
    if (!w->frames.frame.count) return FR_OK;
    FR_TRY(add_up(w));
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBody *body = &w->body.data[k];
        if (!fr_world_may_shatter(w, body) || !is_heavy(w, body)) continue;
        FrBearing bearing = bearing_of(w, body);
        FrBroken broken = {.id = fr_world_id(w, k), .t = fr_world_time(w), .slowly = true};
        FrResult result =
            body->ops->shatters->bear(body->state, broken.t, &bearing, &broken.struck);
        if (result != FR_OK) return fr_fail_within(w->ctx, result, "%s: ", body->name);
        if (broken.struck.breaks) FR_TRY(fr_world_note_broken(w, &broken));
    }
    return FR_OK;
}
