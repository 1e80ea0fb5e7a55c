// poster.c: which frame shows the most, and how far the stress goes.

#include "base/array.h"
#include "render/colour.h"
#include "render/render.h"
#include "render/skin.h"
#include "render/subject.h"
#include <stdlib.h>

#define SAMPLES 120

// 1/2 m v^2 with nodes of equal mass: good enough to see a blow
static double kinetic(const FrFrameView *view) {
    double sum = 0;
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        const FrBodyFrame *frame = &view->frame[k];
        if (!frame->alive || body->kind == FR_BODY_PLANE) continue;
        double r = body->radius, square = fr_length2(frame->velocity);
        double volume = body->mesh ? fr_mesh_volume(body->mesh) : 4.0 / 3.0 * FR_PI * r * r * r;
        int32_t count = body->mesh ? body->mesh->node_count : 0;
        if (frame->v && count > 0) {
            square = 0;
            for (int32_t n = 0; n < count; n++) square += fr_length2(fr_get3(frame->v, n)) / count;
        }
        if (isfinite(square)) sum += 0.5 * body->material.density * volume * square;
    }
    return sum;
}

static int32_t sample_frame(const FrFrameSource *source, int32_t k, int32_t count) {
    return count > 1 ? (int32_t)((int64_t)k * (source->frame_count - 1) / (count - 1)) : 0;
}

/// What broke is seen best when its pieces have come apart: so long after, s, or this share of the
/// rest of the film.
#define APART 0.06
#define APART_SHARE 0.25

static FrResult time_of(const FrFrameSource *source, int32_t k, double *t) {
    const FrFrameView *view;
    FR_TRY(source->get(source->user, k, &view));
    *t = view->t;
    return FR_OK;
}

// a body that was hit hardest and broke to others, a moment later; sooner or later: as it was
static FrResult wait_for_pieces(const FrFrameSource *source, int32_t *frame) {
    int32_t broken, last = source->frame_count - 1;
    double t[3];
    FR_TRY(fr_break_frame(source, &broken));
    if (broken < 0) return FR_OK;
    FR_TRY(time_of(source, broken, &t[0]));
    FR_TRY(time_of(source, *frame, &t[1]));
    FR_TRY(time_of(source, last, &t[2]));
    double wait = fr_min(APART, APART_SHARE * (t[2] - t[0]));
    if (fabs(t[1] - t[0]) > APART) return FR_OK;
    for (int32_t k = broken; k < last; k++) {
        FR_TRY(time_of(source, k, &t[1]));
        *frame = k;
        if (t[1] - t[0] >= wait) break;
    }
    return FR_OK;
}

FrResult fr_poster_frame(FrContext *ctx, const FrFrameSource *source, int32_t *frame) {
    if (source->frame_count < 1)
        return fr_fail(ctx, FR_BAD_USE, "there is no frame to make a picture of");
    int32_t count = fr_min_i(source->frame_count, SAMPLES);
    double energy[SAMPLES], most = 0, best = 0;
    for (int32_t k = 0; k < count; k++) {
        const FrFrameView *view;
        FR_TRY(source->get(source->user, sample_frame(source, k, count), &view));
        energy[k] = kinetic(view);
        most = fr_max(most, energy[k]);
    }
    *frame = source->frame_count / 2;
    for (int32_t k = 0; k + 1 < count; k++) {
        double lost = energy[k] - energy[k + 1];
        if (lost > fr_max(best, 0.02 * most)) {
            best = lost;
            *frame = sample_frame(source, k + 1, count);
        }
    }
    return wait_for_pieces(source, frame);
}

// --- range of the stress colours

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

typedef FR_ARRAY(double) Values;

static FrResult add_body(FrContext *ctx, const FrBodyView *body, const FrBodyFrame *frame,
                         Values *values) {
    FrSkin skin = {0};
    FR_TRY(fr_skin_build(ctx, body, &skin));
    fr_skin_deform(&skin, body, frame, frame->p, true);
    FrResult result = FR_OK;
    for (int32_t n = 0; n < skin.node_count && result == FR_OK; n++)
        if (skin.node_stress[n] > 0 && !fr_array_push(ctx, values, skin.node_stress[n]))
            result = fr_no_memory(ctx, "the stress range");
    fr_skin_free(&skin);
    return result;
}

// the value that 95 in 100 nodes of this frame do not exceed; 0 when nothing is strained
static FrResult frame_stress(FrContext *ctx, const FrFrameView *view, double *stress) {
    Values values = {0};
    FrResult result = FR_OK;
    for (int32_t k = 0; k < view->body_count && result == FR_OK; k++)
        if (view->frame[k].alive && view->body[k].mesh && view->frame[k].p)
            result = add_body(ctx, &view->body[k], &view->frame[k], &values);
    *stress = 0;
    if (result == FR_OK && values.count > 0) {
        qsort(values.data, (size_t)values.count, sizeof *values.data, by_value);
        *stress = values.data[(int64_t)(values.count - 1) * 95 / 100];
    }
    fr_array_free(ctx, &values);
    return result;
}

FrResult fr_stress_range(FrContext *ctx, const FrFrameSource *source, double *stress_max) {
    int32_t count = fr_min_i(source->frame_count, 24);
    double top = 0;
    for (int32_t k = 0; k < count; k++) {
        const FrFrameView *view;
        double stress;
        FR_TRY(source->get(source->user, sample_frame(source, k, count), &view));
        FR_TRY(frame_stress(ctx, view, &stress));
        top = fr_max(top, stress);
    }
    *stress_max = fr_round_up(top);
    return FR_OK;
}

FrResult fr_crack_range(const FrFrameSource *source, double *first, double *last) {
    const FrFrameView *view;
    *first = HUGE_VAL;
    *last = -HUGE_VAL;
    if (source->frame_count > 0) {
        FR_TRY(source->get(source->user, source->frame_count - 1, &view));
        for (int32_t b = 0; b < view->body_count; b++) fr_crack_span(&view->body[b], first, last);
    }
    if (!(*last >= *first)) *first = *last = 0;
    return FR_OK;
}
