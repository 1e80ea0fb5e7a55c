// camera.c: axes and projection of a camera, and the camera that finds the action by itself.

#include "render/camera.h"
#include "base/array.h"

FrCameraFrame fr_camera_frame(const FrCamera *camera) {
    FrCameraFrame f;
    FrVec3 to = fr_sub(camera->target, camera->eye);
    f.distance = fr_length(to);
    f.forward = fr_normalize(to);
    FrVec3 right = fr_cross(f.forward, camera->up);
    if (fr_length(right) <= 1e-9 * fr_length(camera->up)) right = fr_any_normal(f.forward);
    f.right = fr_normalize(right);
    f.up = fr_cross(f.right, f.forward);
    return f;
}

FrCamera fr_camera_at(const FrCamera *camera, double t) {
    FrCamera c = *camera;
    if (camera->orbit == 0) return c;
    FrQuat turn = fr_quat_from_rotation(fr_scale(camera->orbit * t, fr_normalize(camera->up)));
    c.eye = fr_add(c.target, fr_quat_rotate(turn, fr_sub(c.eye, c.target)));
    return c;
}

FrVec3 fr_camera_project(const FrCamera *camera, int32_t width, int32_t height, FrVec3 point) {
    FrCameraFrame f = fr_camera_frame(camera);
    FrVec3 d = fr_sub(point, camera->eye);
    double z = fr_dot(d, f.forward), unit = 0.5 * height / tan(0.5 * camera->fov);
    return fr_vec3(0.5 * width + unit * fr_dot(d, f.right) / z,
                   0.5 * height - unit * fr_dot(d, f.up) / z, z);
}

// --- where the action is

#define SAMPLES 48
#define DIRECTIONS 13

/// Outermost points of the bodies in a few frames.
typedef struct Action {
    FrContext *ctx;
    FR_ARRAY(FrVec3) point;
    int32_t start[SAMPLES + 2]; ///< points of each frame
    int32_t frame_count;
    int32_t poster;  ///< among the frames
    double fov;      ///< rad, vertical
    FrVec3 floor[4]; ///< normals of planes that carry
    double offset[4];
    int32_t floor_count;
} Action;

static const double direction[DIRECTIONS][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1}, {1, 0, -1},
    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

// the nodes farthest out in 26 directions
static FrResult add_nodes(Action *a, const double *p, int32_t count, FrVec3 shift, FrMat3 R) {
    for (int k = 0; k < 2 * DIRECTIONS && count > 0; k++) {
        double sign = k % 2 ? -1 : 1;
        const double *d = direction[k / 2];
        FrVec3 n = fr_mat3_apply_t(R, fr_vec3(sign * d[0], sign * d[1], sign * d[2]));
        int32_t best = 0;
        for (int32_t i = 1; i < count; i++)
            if (fr_dot(n, fr_get3(p, i)) > fr_dot(n, fr_get3(p, best))) best = i;
        FrVec3 x = fr_add(shift, fr_mat3_apply(R, fr_get3(p, best)));
        if (fr_vec3_finite(x) && !fr_array_push(a->ctx, &a->point, x))
            return fr_no_memory(a->ctx, "the camera");
    }
    return FR_OK;
}

static FrResult add_ball(Action *a, FrVec3 centre, double radius) {
    for (int k = 0; k < 2 * DIRECTIONS; k++) {
        const double *d = direction[k / 2];
        FrVec3 n = fr_normalize(fr_vec3(d[0], d[1], d[2]));
        FrVec3 x = fr_axpy(k % 2 ? -radius : radius, n, centre);
        if (fr_vec3_finite(x) && !fr_array_push(a->ctx, &a->point, x))
            return fr_no_memory(a->ctx, "the camera");
    }
    return FR_OK;
}

static FrResult add_frame(Action *a, const FrFrameView *view) {
    a->floor_count = 0;
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        const FrBodyFrame *frame = &view->frame[k];
        if (!frame->alive) continue;
        if (body->kind == FR_BODY_PLANE) {
            FrVec3 n = fr_normalize(body->normal);
            if (n.z < 0.5 || a->floor_count == 4) continue;
            a->floor[a->floor_count] = n;
            a->offset[a->floor_count++] = body->offset / fr_length(body->normal);
        } else if (body->kind == FR_BODY_SPHERE) {
            FR_TRY(add_ball(a, frame->position, body->radius));
        } else if (body->mesh) {
            if (frame->p)
                FR_TRY(
                    add_nodes(a, frame->p, body->mesh->node_count, fr_vec3_zero, fr_mat3_identity));
            else
                FR_TRY(add_nodes(a, body->mesh->x, body->mesh->node_count, frame->position,
                                 fr_quat_mat3(frame->rotation)));
        }
    }
    a->start[++a->frame_count] = a->point.count;
    return FR_OK;
}

// --- fitting

/// Rotation of a view that is being tried.
typedef struct View {
    FrVec3 right, up, forward;
} View;

static View view_from(double azimuth, double elevation) {
    FrVec3 back =
        fr_vec3(sin(azimuth) * cos(elevation), -cos(azimuth) * cos(elevation), sin(elevation));
    View v = {.forward = fr_neg(back)};
    v.right = fr_normalize(fr_cross(v.forward, fr_vec3(0, 0, 1)));
    v.up = fr_cross(v.right, v.forward);
    return v;
}

// The nearest eye that sees all points within |x| <= tx z, |y| <= ty z. With u = max(y - ty z) and
// l = max(-y - ty z) over the points: eye z = -(u + l) / (2 ty), eye y = (u - l) / 2; the same for
// x, and the farther of the two.
static FrVec3 fit(const Action *a, int32_t from, int32_t to, const View *v, double tx, double ty) {
    double u[2] = {-HUGE_VAL, -HUGE_VAL}, l[2] = {-HUGE_VAL, -HUGE_VAL}, t[2] = {tx, ty};
    for (int32_t k = a->start[from]; k < a->start[to]; k++) {
        FrVec3 p = a->point.data[k];
        double z = fr_dot(p, v->forward), at[2] = {fr_dot(p, v->right), fr_dot(p, v->up)};
        for (int i = 0; i < 2; i++) {
            u[i] = fr_max(u[i], at[i] - t[i] * z);
            l[i] = fr_max(l[i], -at[i] - t[i] * z);
        }
    }
    double z = fr_min(-(u[0] + l[0]) / (2 * tx), -(u[1] + l[1]) / (2 * ty));
    return fr_add(fr_scale(0.5 * (u[0] - l[0]), v->right),
                  fr_add(fr_scale(0.5 * (u[1] - l[1]), v->up), fr_scale(z, v->forward)));
}

// share of the picture's height that frame k takes; t: tan of half the opening
static double height_of(const Action *a, int32_t k, const View *v, FrVec3 eye, double t) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int32_t i = a->start[k]; i < a->start[k + 1]; i++) {
        FrVec3 d = fr_sub(a->point.data[i], eye);
        double y = fr_dot(d, v->up) / (t * fr_dot(d, v->forward));
        lo = fr_min(lo, y), hi = fr_max(hi, y);
    }
    return 0.5 * (hi - lo);
}

#define FOV (32.0 * FR_PI / 180.0)

/// Share of the picture's height that the poster's bodies take at most; at least, if another view
/// can give it; and at least at the cost of what flies or rolls away.
#define MOST_FILL 0.70
#define GOOD_FILL 0.34
#define LEAST_FILL 0.08

// the frames [from, to) in the picture, the poster's bodies not taller than wanted
static FrVec3 fit_frames(const Action *a, int32_t from, int32_t to, const View *v, double aspect,
                         double *fill) {
    double t = tan(0.5 * a->fov), margin = 0.90;
    FrVec3 eye = fr_vec3_zero;
    // each round brings the height of the poster nearer to what is wanted
    for (int round = 0; round < 4; round++) {
        eye = fit(a, from, to, v, 0.90 * aspect * t, margin * t);
        *fill = height_of(a, a->poster, v, eye, t);
        if (*fill <= MOST_FILL) break;
        margin *= 0.98 * MOST_FILL / *fill;
    }
    return eye;
}

// All frames, from the first on. Only where the bodies would become specks does what flies or rolls
// far away in the end leave the picture.
static FrVec3 choose_eye(const Action *a, const View *v, double aspect, double *fill) {
    FrVec3 eye = fit_frames(a, 0, a->frame_count, v, aspect, fill);
    for (int32_t to = a->frame_count - 1; *fill < LEAST_FILL && to > a->poster; to--) {
        double other;
        FrVec3 nearer = fit_frames(a, 0, to, v, aspect, &other);
        if (other > *fill) eye = nearer, *fill = other;
    }
    return eye;
}

static bool over_floors(const Action *a, FrVec3 eye, FrVec3 focus) {
    for (int32_t k = 0; k < a->floor_count; k++)
        if (fr_dot(a->floor[k], eye) - a->offset[k] < 0.06 * fr_distance(eye, focus)) return false;
    return true;
}

static FrVec3 middle_of(const Action *a, int32_t k) {
    FrBox box = fr_box_empty();
    for (int32_t i = a->start[k]; i < a->start[k + 1]; i++) box = fr_box_add(box, a->point.data[i]);
    return fr_box_center(box);
}

// low and nearly frontal if that shows enough; else from higher up and more from the side
static FrCamera choose_view(const Action *a, double aspect) {
    static const double elevation[] = {14, 19, 25, 32, 40}, azimuth[] = {24, 36, 48};
    FrVec3 focus = middle_of(a, a->poster), best_eye = fr_vec3_zero;
    View best = view_from(0.42, 1.2);
    double best_fill = -1;
    for (int k = 0; k < 15 && best_fill < GOOD_FILL; k++) {
        View v = view_from(azimuth[k % 3] * FR_PI / 180, elevation[k / 3] * FR_PI / 180);
        double fill;
        FrVec3 eye = choose_eye(a, &v, aspect, &fill);
        if (!over_floors(a, eye, focus) || fill <= 1.02 * best_fill) continue;
        best = v, best_eye = eye, best_fill = fill;
    }
    if (best_fill < 0) best_eye = choose_eye(a, &best, aspect, &best_fill);
    double distance = fr_dot(fr_sub(focus, best_eye), best.forward);
    return (FrCamera){.eye = best_eye,
                      .target = fr_axpy(distance, best.forward, best_eye),
                      .up = {0, 0, 1},
                      .fov = a->fov};
}

static FrCamera nothing_to_see(double fov) {
    return (FrCamera){.eye = {1.5, -4, 1.6}, .target = {0, 0, 0.3}, .up = {0, 0, 1}, .fov = fov};
}

static FrResult look_at(Action *a, double aspect, FrCamera *camera) {
    // frames without a body give no place to look at
    if (a->start[a->poster] == a->start[a->poster + 1]) {
        a->poster = 0;
        while (a->poster < a->frame_count && a->start[a->poster] == a->start[a->poster + 1])
            a->poster++;
    }
    *camera = a->poster < a->frame_count ? choose_view(a, aspect) : nothing_to_see(a->fov);
    // a single point has no size: step back
    if (!(fr_distance(camera->eye, camera->target) > 1e-9)) {
        camera->eye = fr_add(camera->target, fr_vec3(0.4, -1, 0.3));
    }
    return FR_OK;
}

static FrResult gather(Action *a, const FrFrameSource *source, int32_t poster) {
    int32_t count = fr_min_i(source->frame_count, SAMPLES);
    int32_t last = -1;
    for (int32_t k = 0; k < count; k++) {
        int32_t frame =
            count > 1 ? (int32_t)((int64_t)k * (source->frame_count - 1) / (count - 1)) : 0;
        // the poster takes its place between the samples around it
        if (last < poster && poster < frame) frame = poster, last = poster;
        const FrFrameView *view;
        FR_TRY(source->get(source->user, frame, &view));
        if (frame == poster) a->poster = a->frame_count;
        FR_TRY(add_frame(a, view));
        last = frame;
    }
    return FR_OK;
}

FrResult fr_camera_auto_fov(FrContext *ctx, const FrFrameSource *source, double aspect, double fov,
                            int32_t poster, FrCamera *camera) {
    FR_ASSERT(aspect > 0, "give width / height of the picture");
    FR_ASSERT(fov > 0 && fov < FR_PI, "give an opening between 0 and 180 degrees");
    if (poster < 0 || poster >= source->frame_count) FR_TRY(fr_poster_frame(ctx, source, &poster));
    Action a = {.ctx = ctx, .fov = fov};
    FrResult result = gather(&a, source, poster);
    if (result == FR_OK) result = look_at(&a, aspect, camera);
    fr_array_free(ctx, &a.point);
    return result;
}

FrResult fr_camera_auto(FrContext *ctx, const FrFrameSource *source, double aspect, int32_t poster,
                        FrCamera *camera) {
    return fr_camera_auto_fov(ctx, source, aspect, FOV, poster, camera);
}

static FrResult get_only(void *user, int32_t k, const FrFrameView **view) {
    (void)k;
    *view = user;
    return FR_OK;
}

FrResult fr_camera_auto_view(FrContext *ctx, const FrFrameView *view, double aspect,
                             FrCamera *camera) {
    FrFrameSource source = {(void *)(uintptr_t)view, 1, 1, get_only};
    return fr_camera_auto(ctx, &source, aspect, 0, camera);
}
