// pull.c: exact grabs: points of frames that go where they are told. The frames solve them
// (frames_pull.c) with what touches and joins them.

#include "world/member.h"
#include "world/track.h"

FrVec3 fr_world_grab_target(const FrGrab *grab, double t) {
    return grab->track.count ? fr_add(grab->start, fr_track_at(&grab->track, t).move)
                             : grab->target;
}

bool fr_world_pulls_exactly(const FrWorld *w, const FrGrab *grab) {
    return grab->kind != FR_PULL_SPRING && w->body.data[fr_world_find(w, grab->body)].frame >= 0;
}

static FrFramePull pull_of(FrWorld *w, int32_t k) {
    FrGrab *grab = &w->external.grab.data[k];
    const FrBody *body = &w->body.data[fr_world_find(w, grab->body)];
    double t = fr_world_time(w), h = w->def.step;
    FrFramePull pull = {.frame = body->frame,
                        .grab = k,
                        .kind = grab->kind,
                        .at = grab->at.place,
                        .grip = fr_world_anchor_grip(w, body, &grab->at),
                        .by_count = grab->by_count,
                        .from = fr_world_anchor_place(body, &grab->at, &w->frames),
                        .to = grab->value,
                        .t = t,
                        .span = h};
    for (int32_t i = 0; i < grab->by_count; i++) {
        pull.by[i] = grab->by[i].place;
        pull.by_grip[i] = fr_world_anchor_grip(w, body, &grab->by[i]);
    }
    if (grab->kind != FR_PULL_PLACE) return pull;
    if (grab->track.count) pull.from = fr_world_grab_target(grab, t);
    pull.to = fr_world_grab_target(grab, t + h);
    return pull;
}

FrResult fr_world_begin_pulls(FrWorld *w) {
    w->frames.pull.count = 0;
    for (int32_t k = 0; k < w->external.grab.count; k++) {
        FrGrab *grab = &w->external.grab.data[k];
        grab->report = (FrGrabReport){.rank = 0};
        if (fr_world_pulls_exactly(w, grab) &&
            !fr_array_push(w->ctx, &w->frames.pull, pull_of(w, k)))
            return fr_no_memory(w->ctx, "a grab");
    }
    return FR_OK;
}

void fr_world_end_pulls(FrWorld *w) {
    for (int32_t k = 0; k < w->frames.pull.count; k++) {
        const FrFramePull *pull = &w->frames.pull.data[k];
        w->external.grab.data[pull->grab].report =
            (FrGrabReport){pull->force, pull->rank, pull->rows, pull->left};
        // what asks for more than modes can show is let go: it would tear at them without end
        const FrBend *bend = w->frames.frame.data[pull->frame].part.bend;
        if (bend && bend->stuck) w->external.grab.data[pull->grab].until = 0.0;
    }
}
