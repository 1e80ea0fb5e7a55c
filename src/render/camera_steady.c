// camera_steady.c: how far a camera that follows looks ahead, and that what it follows stays large.

#include "render/camera_steady.h"

/// A camera knows what comes and what was this much earlier and later, s; and never more than this
/// share of the whole.
#define REACH 0.8
#define REACH_SHARE 0.3

double fr_action_height(const FrAction *a, int32_t k, const FrView *v, FrVec3 eye, double t) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int32_t i = a->start[k]; i < a->start[k + 1]; i++) {
        FrVec3 d = fr_sub(a->point.data[i], eye);
        double y = fr_dot(d, v->up) / (t * fr_dot(d, v->forward));
        lo = fr_min(lo, y), hi = fr_max(hi, y);
    }
    return 0.5 * (hi - lo);
}

static bool within(const FrAction *a, int32_t i, int32_t k, double reach) {
    return fabs(a->t[i] - a->t[k]) <= reach || (i >= k - 1 && i <= k + 1);
}

void fr_action_span(const FrAction *a, int32_t k, double reach, int32_t *from, int32_t *to) {
    *from = k, *to = k + 1;
    while (*from > 0 && within(a, *from - 1, k, reach)) --*from;
    while (*to < a->frame_count && within(a, *to, k, reach)) ++*to;
}

double fr_action_reach(const FrAction *a) {
    return fr_min(REACH, REACH_SHARE * (a->t[a->frame_count - 1] - a->t[0]));
}

FrVec3 fr_action_middle(const FrAction *a, int32_t k) {
    FrBox box = fr_box_empty();
    for (int32_t i = a->start[k]; i < a->start[k + 1]; i++) box = fr_box_add(box, a->point.data[i]);
    return fr_box_center(box);
}

/// What acts takes at least this share of the picture's height at every time, unless that makes it
/// wider than this share of the width; and no more than this of either.
#define STEADY_HEIGHT 0.38
#define STEADY_WIDTH 0.75
#define STEADY_MOST 0.90
/// A camera that goes closer does it so smoothly: this share of how far it looks ahead.
#define STEADY_REACH 0.5

/// The points of a frame in the picture: from -1 to 1, right and up.
typedef struct Seen {
    double lo[2], hi[2];
} Seen;

static Seen seen_at(const FrAction *a, int32_t k, const FrView *v, double aspect, FrVec3 eye) {
    double t = tan(0.5 * a->fov);
    Seen s = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int32_t i = a->start[k]; i < a->start[k + 1]; i++) {
        FrVec3 d = fr_sub(a->point.data[i], eye);
        double z = t * fr_dot(d, v->forward);
        double at[2] = {fr_dot(d, v->right) / (aspect * z), fr_dot(d, v->up) / z};
        for (int c = 0; c < 2; c++) {
            s.lo[c] = fr_min(s.lo[c], at[c]);
            s.hi[c] = fr_max(s.hi[c], at[c]);
        }
    }
    return s;
}

static double width_of(Seen s) { return 0.5 * (s.hi[0] - s.lo[0]); }

// The share of its distance at which the camera sees frame k large enough, at most 1. *least: where
// it would still see all of it.
static double near_enough(const FrAction *a, int32_t k, const FrView *v, double aspect, FrVec3 eye,
                          double *least) {
    *least = 0.0;
    if (a->start[k] == a->start[k + 1]) return 1.0;
    double height = fr_action_height(a, k, v, eye, tan(0.5 * a->fov));
    double width = width_of(seen_at(a, k, v, aspect, eye));
    *least = fr_min(1.0, fr_max(height, width) / STEADY_MOST);
    return fr_min(1.0, fr_max(height / STEADY_HEIGHT, width / STEADY_WIDTH));
}

// towards the middle of frame k to this share of the distance, as much nearer to the middle of the
// picture, and aside as far as it takes to see all
static FrVec3 closer(const FrAction *a, int32_t k, const FrView *v, double aspect, FrVec3 eye,
                     double share) {
    FrVec3 middle = fr_action_middle(a, k), from = fr_scale(share, fr_sub(eye, middle));
    FrVec3 back = fr_scale(fr_dot(from, v->forward), v->forward);
    FrVec3 place = fr_add(middle, fr_add(back, fr_scale(share, fr_sub(from, back))));
    Seen s = seen_at(a, k, v, aspect, place);
    double t = -tan(0.5 * a->fov) * fr_dot(from, v->forward), shift[2];
    if (s.hi[0] - s.lo[0] > 2.0 * STEADY_MOST || s.hi[1] - s.lo[1] > 2.0 * STEADY_MOST)
        return place;
    for (int c = 0; c < 2; c++)
        shift[c] = fr_max(0.0, s.hi[c] - STEADY_MOST) + fr_min(0.0, s.lo[c] + STEADY_MOST);
    return fr_axpy(aspect * t * shift[0], v->right, fr_axpy(t * shift[1], v->up, place));
}

void fr_camera_closer(const FrAction *a, double aspect, const FrView *v, FrVec3 *eye) {
    double share[FR_ACTION_FRAMES + 1], least[FR_ACTION_FRAMES + 1], low[FR_ACTION_FRAMES + 1];
    double reach = STEADY_REACH * fr_action_reach(a);
    int32_t from, to;
    for (int32_t k = 0; k < a->frame_count; k++)
        share[k] = near_enough(a, k, v, aspect, eye[k], &least[k]);
    for (int32_t k = 0; k < a->frame_count; k++) {
        fr_action_span(a, k, reach, &from, &to);
        low[k] = 1.0;
        for (int32_t i = from; i < to; i++) low[k] = fr_min(low[k], share[i]);
    }
    for (int32_t k = 0; k < a->frame_count; k++) {
        double mean = 0.0;
        fr_action_span(a, k, reach, &from, &to);
        for (int32_t i = from; i < to; i++) mean += low[i] / (to - from);
        if (a->start[k] < a->start[k + 1] && fr_max(mean, least[k]) < 1.0)
            eye[k] = closer(a, k, v, aspect, eye[k], fr_max(mean, least[k]));
    }
}
