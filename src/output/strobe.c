// strobe.c: several moments of a recording as one frame, and the paths between them.

#include "output/strobe.h"
#include "math/vec.h"
#include <string.h>

void fr_strobe_free(FrStrobe *s) {
    for (int32_t k = 0; k < s->moment_count; k++) fr_recording_close(s->moment[k]);
    fr_array_free(s->ctx, &s->body);
    fr_array_free(s->ctx, &s->frame);
    fr_array_free(s->ctx, &s->path);
    *s = (FrStrobe){0};
}

static bool same_place(const FrBodyView *view, const FrBodyFrame *a, const FrBodyFrame *b) {
    if (a->alive != b->alive || !a->p != !b->p) return false;
    if (a->p) return !memcmp(a->p, b->p, 3 * sizeof *a->p * (size_t)view->mesh->node_count);
    return !memcmp(&a->position, &b->position, sizeof a->position) &&
           !memcmp(&a->rotation, &b->rotation, sizeof a->rotation);
}

// body k of a moment: does the moment before show it already?
static bool shown_before(const FrFrameView *now, const FrFrameView *before, int32_t k) {
    if (!before || k >= before->body_count || !before->frame[k].alive) return false;
    const FrBodyView *a = &now->body[k], *b = &before->body[k];
    if (a->kind == FR_BODY_PLANE) return true;
    if (a->mesh && a->mesh->node_count != b->mesh->node_count) return false;
    return same_place(a, &now->frame[k], &before->frame[k]);
}

static FrResult add_moment(FrStrobe *s, const FrFrameView *now, const FrFrameView *before) {
    for (int32_t k = 0; k < now->body_count; k++) {
        if (!now->frame[k].alive || shown_before(now, before, k)) continue;
        if (!fr_array_push(s->ctx, &s->body, now->body[k]) ||
            !fr_array_push(s->ctx, &s->frame, now->frame[k]))
            return fr_no_memory(s->ctx, "moments");
    }
    return FR_OK;
}

static FrVec3 centre_of(const FrBodyView *view, const FrBodyFrame *frame) {
    if (!frame->p) return frame->position;
    FrVec3 sum = fr_vec3_zero;
    for (int32_t n = 0; n < view->mesh->node_count; n++) sum = fr_add(sum, fr_get3(frame->p, n));
    return fr_scale(1.0 / view->mesh->node_count, sum);
}

/// Where bodies were in the frame before.
typedef struct Trail {
    FR_ARRAY(FrVec3) at;
    FR_ARRAY(bool) known;
} Trail;

static FrResult follow(FrStrobe *s, Trail *trail, const FrFrameView *view) {
    int32_t more = fr_max_i(view->body_count - trail->at.count, 0);
    if (!fr_array_extend(s->ctx, &trail->at, more) || !fr_array_extend(s->ctx, &trail->known, more))
        return fr_no_memory(s->ctx, "paths");
    for (int32_t k = 0; k < view->body_count; k++) {
        bool there = view->frame[k].alive && view->body[k].kind != FR_BODY_PLANE;
        FrVec3 now = there ? centre_of(&view->body[k], &view->frame[k]) : fr_vec3_zero;
        FrDrawStroke stroke = {trail->at.data[k], now};
        bool moved = there && trail->known.data[k] && fr_distance(stroke.from, now) > 0.0;
        if (moved && !fr_array_push(s->ctx, &s->path, stroke)) return fr_no_memory(s->ctx, "paths");
        trail->at.data[k] = now;
        trail->known.data[k] = there;
    }
    return FR_OK;
}

static FrResult find_paths(FrStrobe *s, FrRecording *recording) {
    FrFrameSource source;
    Trail trail = {0};
    FrResult result = FR_OK;
    fr_recording_bare_source(recording, &source);
    for (int32_t k = 0; result == FR_OK && k < source.frame_count; k++) {
        const FrFrameView *view;
        result = source.get(source.user, k, &view);
        if (result == FR_OK) result = follow(s, &trail, view);
    }
    fr_array_free(s->ctx, &trail.at);
    fr_array_free(s->ctx, &trail.known);
    return result;
}

// a view is good until the next frame is taken: each moment has a recording of its own
static FrResult add_moments(FrStrobe *s, const FrRecordingInfo *info, bool bursts, int32_t count) {
    int32_t last = (bursts ? info->burst_count : info->frame_count) - 1;
    const FrFrameView *before = NULL, *now;
    for (int32_t k = 0; k < count; k++) {
        FrFrameSource source;
        FR_TRY(fr_recording_open(s->ctx, info->path, &s->moment[k]));
        s->moment_count++;
        fr_recording_set_bursts(s->moment[k], bursts);
        fr_recording_source(s->moment[k], &source);
        FR_TRY(source.get(source.user, (int32_t)((int64_t)last * k / (count - 1)), &now));
        FR_TRY(add_moment(s, now, before));
        before = now;
    }
    return FR_OK;
}

FrResult fr_strobe_make(FrContext *ctx, FrRecording *recording, int32_t count, FrStrobe *s) {
    *s = (FrStrobe){.ctx = ctx};
    if (count < 2 || count > FR_STROBE_MOST)
        return fr_fail(ctx, FR_BAD_USE, "%d moments in one picture; 2 to %d are possible", count,
                       FR_STROBE_MOST);
    FR_TRY(
        add_moments(s, fr_recording_info(recording), fr_recording_shows_bursts(recording), count));
    FR_TRY(find_paths(s, recording));
    s->view =
        (FrFrameView){.body_count = s->body.count, .body = s->body.data, .frame = s->frame.data};
    return FR_OK;
}
