// overlays.c: contacts with their forces, joints, hands, velocities, names, over the picture.

#include "view.h"
#include <math.h>

static void add(View *v, FrVec3 from, FrVec3 to, float width, const float colour[4], bool arrow) {
    if (v->line_count == MOST_LINES) return;
    FrDrawLine *line = &v->line[v->line_count++];
    *line = (FrDrawLine){.from = from, .to = to, .width = width * v->style.scale, .arrow = arrow};
    for (int i = 0; i < 4; i++) line->colour[i] = colour[i];
}

static FrVec3 axpy(double s, FrVec3 a, FrVec3 b) {
    return (FrVec3){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z};
}

static double length(FrVec3 a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

static double away(const View *v) {
    return length(axpy(-1, v->look.from.target, v->look.from.eye));
}

// arrows of a tenth of the picture for the hardest push there is, by the root of the force
static void touches(View *v) {
    static const float dot[4] = {0.98f, 0.98f, 0.98f, 0.9f}, push[4] = {0.20f, 0.75f, 0.95f, 0.95f};
    double most = 1e-12, size = 0.12 * away(v);
    for (int k = 0; k < v->moment->touch_count; k++)
        most = fmax(most, length(v->moment->touch[k].force));
    for (int k = 0; k < v->moment->touch_count; k++) {
        const FrTouchPoint *t = &v->moment->touch[k];
        double f = length(t->force);
        if (f > 0.0)
            add(v, t->x, axpy(size * sqrt(f / most) / f, t->force, t->x), 2.0f, push, true);
        add(v, t->x, t->x, 5.0f, dot, false);
    }
}

static void ties(View *v, bool hands) {
    static const float joint[4] = {0.75f, 0.55f, 0.95f, 0.95f};
    float hand[4] = {v->style.accent[0], v->style.accent[1], v->style.accent[2], 1.0f};
    for (int k = 0; k < v->moment->tie_count; k++) {
        const FrTie *t = &v->moment->tie[k];
        if (t->hand != hands) continue;
        add(v, t->a, t->b, hands ? 2.5f : 1.5f, hands ? hand : joint, false);
        add(v, t->a, t->a, 7.0f, hands ? hand : joint, false);
        if (hands) add(v, t->b, t->b, 4.0f, hand, false);
    }
}

static FrVec3 middle(const FrFrameView *view, int k, FrVec3 *velocity) {
    const FrBodyView *body = &view->body[k];
    const FrBodyFrame *frame = &view->frame[k];
    FrVec3 x = {0, 0, 0}, u = {0, 0, 0};
    *velocity = frame->velocity;
    if (!frame->p) return frame->position;
    int32_t count = body->mesh->node_count;
    for (int32_t n = 0; n < count; n++) {
        x = axpy(1.0 / count, (FrVec3){frame->p[3 * n], frame->p[3 * n + 1], frame->p[3 * n + 2]},
                 x);
        if (frame->v)
            u = axpy(1.0 / count,
                     (FrVec3){frame->v[3 * n], frame->v[3 * n + 1], frame->v[3 * n + 2]}, u);
    }
    if (frame->v) *velocity = u;
    return x;
}

// a box by its edges
static void box(View *v, const FrBox *b) {
    static const float colour[4] = {0.95f, 0.85f, 0.35f, 0.55f};
    for (int k = 0; k < 12; k++) {
        int axis = k / 4, one = k & 1, two = (k >> 1) & 1;
        double lo[3] = {b->lo.x, b->lo.y, b->lo.z}, hi[3] = {b->hi.x, b->hi.y, b->hi.z}, p[3], q[3];
        int i = (axis + 1) % 3, j = (axis + 2) % 3;
        p[i] = q[i] = one ? hi[i] : lo[i];
        p[j] = q[j] = two ? hi[j] : lo[j];
        p[axis] = lo[axis], q[axis] = hi[axis];
        add(v, (FrVec3){p[0], p[1], p[2]}, (FrVec3){q[0], q[1], q[2]}, 1.0f, colour, false);
    }
}

// as far as they come in a tenth of a second
static void speeds(View *v, const FrFrameView *view) {
    static const float colour[4] = {0.55f, 0.90f, 0.45f, 0.95f};
    for (int k = 0; k < view->body_count; k++) {
        FrVec3 u, x;
        if (view->body[k].kind == FR_BODY_PLANE || !view->frame[k].alive) continue;
        x = middle(view, k, &u);
        if (length(u) > 0.01) add(v, x, axpy(0.1, u, x), 2.0f, colour, true);
    }
}

#define MOST_NAMES 64

// light letters with a dark shadow are read on any ground
static void add_name(FrDrawLabel *label, int *count, FrDrawLabel name) {
    label[*count] = name;
    label[*count].shift = 0.12f * name.size;
    for (int i = 0; i < 3; i++) label[*count].colour[i] = 0.05f;
    label[*count + 1] = name;
    *count += 2;
}

static int names(View *v, const FrFrameView *view, FrDrawLabel *label) {
    int count = 0;
    for (int k = 0; k < view->body_count && count + 1 < MOST_NAMES; k++) {
        FrVec3 u;
        bool picked = view->body[k].id.index1 == v->picked.index1;
        if (view->body[k].kind == FR_BODY_PLANE || !view->frame[k].alive) continue;
        if (!v->over.names && !picked) continue;
        add_name(label, &count,
                 (FrDrawLabel){.at = middle(view, k, &u),
                               .text = view->body[k].name,
                               .size = 9.0f * v->style.scale,
                               .colour = {1, 1, 1, picked ? 1.0f : 0.75f}});
    }
    return count;
}

static FrVec3 before_eye(const View *v, const float pixel[2]) {
    FrRay ray = fr_draw_ray(&v->look.from, v->width, v->height, (double)pixel[0], (double)pixel[1]);
    return axpy(0.5 * away(v), ray.along, ray.from);
}

static void stroke(View *v) {
    float colour[4] = {v->style.accent[0], v->style.accent[1], v->style.accent[2], 0.9f};
    if (v->stroke.drawn)
        add(v, before_eye(v, v->stroke.from), before_eye(v, v->stroke.to), 2.0f, colour, false);
}

// where the pointer would act
static void cursor(View *v) {
    float colour[4] = {v->style.accent[0], v->style.accent[1], v->style.accent[2], 0.9f};
    if (!v->hovers || v->grip.held || v->player.playback || v->pointer.button) return;
    FrVec3 x = v->hover.x;
    add(v, x, axpy(0.035 * away(v), v->hover.normal, x), 2.0f, colour, false);
    add(v, x, x, 6.0f, colour, false);
}

void overlays_draw(View *v) {
    const FrFrameView *view = view_shown(v);
    FrDrawLabel label[MOST_NAMES];
    v->line_count = 0;
    if (v->moment && !v->player.playback) {
        if (v->over.touches) touches(v);
        if (v->over.ties) ties(v, false);
        for (int k = 0; v->over.trees && k < v->moment->box_count; k++) box(v, &v->moment->box[k]);
        ties(v, true);
    }
    if (v->over.speeds) speeds(v, view);
    cursor(v);
    stroke(v);
    int count = names(v, view, label);
    fr_draw_marks(v->draw, v->line, v->line_count, label, count);
}
