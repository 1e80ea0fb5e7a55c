// camera.c: the eye goes round what it looks at, sideways, nearer and farther.

#include "view.h"
#include <math.h>

static FrVec3 sub(FrVec3 a, FrVec3 b) { return (FrVec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static FrVec3 axpy(double s, FrVec3 a, FrVec3 b) {
    return (FrVec3){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z};
}
static double length(FrVec3 a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

void camera_turn(View *v, double dx, double dy) {
    FrViewpoint *f = &v->look.from;
    FrVec3 arm = sub(f->eye, f->target);
    double r = length(arm), turn = atan2(arm.y, arm.x), rise = asin(fmax(-1, fmin(1, arm.z / r)));
    turn -= 0.006 * dx;
    rise = fmax(-1.4, fmin(1.5, rise + 0.006 * dy));
    FrVec3 now = {r * cos(rise) * cos(turn), r * cos(rise) * sin(turn), r * sin(rise)};
    f->eye = axpy(1, now, f->target);
}

// so that what is at the target stays under the pointer
void camera_shift(View *v, double dx, double dy) {
    FrViewpoint *f = &v->look.from;
    FrVec3 arm = sub(f->eye, f->target);
    double r = length(arm), pixel = 2.0 * r * tan(0.5 * f->fov) / v->height;
    FrVec3 back = {arm.x / r, arm.y / r, arm.z / r};
    double flat = hypot(back.x, back.y);
    FrVec3 right = {-back.y / flat, back.x / flat, 0};
    FrVec3 up = {-back.z * back.x / flat, -back.z * back.y / flat, flat};
    FrVec3 by = axpy(-dx * pixel, right, (FrVec3){0, 0, 0});
    by = axpy(dy * pixel, up, by);
    f->eye = axpy(1, by, f->eye);
    f->target = axpy(1, by, f->target);
}

void camera_zoom(View *v, double steps) {
    FrViewpoint *f = &v->look.from;
    FrVec3 arm = sub(f->eye, f->target);
    double r = length(arm), factor = pow(0.88, steps);
    if (r * factor < 1e-3 || r * factor > 1e4) return;
    f->eye = axpy(factor, arm, f->target);
}

static void grow(FrVec3 x, FrVec3 *lo, FrVec3 *hi) {
    lo->x = fmin(lo->x, x.x), lo->y = fmin(lo->y, x.y), lo->z = fmin(lo->z, x.z);
    hi->x = fmax(hi->x, x.x), hi->y = fmax(hi->y, x.y), hi->z = fmax(hi->z, x.z);
}

static void grow_body(const FrFrameView *view, int k, FrVec3 *lo, FrVec3 *hi) {
    const FrBodyView *body = &view->body[k];
    const FrBodyFrame *frame = &view->frame[k];
    if (body->kind == FR_BODY_PLANE || !frame->alive) return;
    for (int32_t n = 0; frame->p && n < body->mesh->node_count; n++)
        grow((FrVec3){frame->p[3 * n], frame->p[3 * n + 1], frame->p[3 * n + 2]}, lo, hi);
    FrVec3 r = {body->radius, body->radius, body->radius};
    if (frame->p) return;
    grow(axpy(1, r, frame->position), lo, hi);
    grow(axpy(-1, r, frame->position), lo, hi);
}

void camera_fit(View *v) {
    const FrFrameView *view = view_shown(v);
    if (!view) return;
    FrVec3 lo = {1e30, 1e30, 1e30}, hi = {-1e30, -1e30, -1e30};
    for (int k = 0; k < view->body_count; k++)
        if (!v->picked.index1 || view->body[k].id.index1 == v->picked.index1)
            grow_body(view, k, &lo, &hi);
    if (lo.x > hi.x) return;
    FrViewpoint *f = &v->look.from;
    FrVec3 arm = sub(f->eye, f->target), size = sub(hi, lo);
    double wanted = fmax(0.75 * length(size) / sin(0.5 * f->fov), 0.02);
    f->target = (FrVec3){0.5 * (lo.x + hi.x), 0.5 * (lo.y + hi.y), 0.5 * (lo.z + hi.z)};
    f->eye = axpy(wanted / length(arm), arm, f->target);
}
