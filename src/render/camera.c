// camera.c: axes and projection of a camera, and the camera that finds the action by itself.

#include "render/camera.h"
#include "render/camera_steady.h"

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

static FrVec3 eye_at(const FrCamera *camera, double t) {
    const FrCameraStop *stop = camera->stop;
    int32_t k = 0, last = camera->stop_count - 1;
    while (k < last && stop[k + 1].t <= t) k++;
    if (k == last || t <= stop[0].t) return stop[k].eye;
    return fr_lerp(stop[k].eye, stop[k + 1].eye, (t - stop[k].t) / (stop[k + 1].t - stop[k].t));
}

FrCamera fr_camera_at(const FrCamera *camera, double t) {
    FrCamera c = *camera;
    if (camera->stop_count > 0) {
        c.eye = eye_at(camera, t);
        c.target = fr_add(c.target, fr_sub(c.eye, camera->eye));
        c.stop_count = 0;
    }
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

// --- fitting

static FrView view_from(double azimuth, double elevation) {
    FrVec3 back =
        fr_vec3(sin(azimuth) * cos(elevation), -cos(azimuth) * cos(elevation), sin(elevation));
    FrView v = {.forward = fr_neg(back)};
    v.right = fr_normalize(fr_cross(v.forward, fr_vec3(0, 0, 1)));
    v.up = fr_cross(v.right, v.forward);
    return v;
}

// The nearest eye that sees all points within |x| <= tx z, |y| <= ty z. With u = max(y - ty z) and
// l = max(-y - ty z) over the points: eye z = -(u + l) / (2 ty), eye y = (u - l) / 2; the same for
// x, and the farther of the two.
static FrVec3 fit(const FrAction *a, int32_t from, int32_t to, const FrView *v, double tx,
                  double ty) {
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

/// Share of the picture's height that the poster's bodies take at most; at least, if another view
/// can give it (less where the camera goes along); where the camera goes along and may look ahead
/// less for it; and at least at the cost of what flies or rolls away.
#define MOST_FILL 0.70
#define GOOD_FILL 0.34
#define GOOD_VIEW 0.17
#define GOOD_STOP 0.30
#define LEAST_FILL 0.08
/// A view that a camera which goes along takes for another one shows bodies so many times as large.
#define GOING_GAIN 1.25

/// Frames [from, to) that are to be seen; `main` says how tall.
typedef struct Span {
    int32_t from, to, main;
} Span;

// the frames in the picture, the bodies of the main one not taller than wanted
static FrVec3 fit_frames(const FrAction *a, Span span, const FrView *v, double aspect,
                         double *fill) {
    double t = tan(0.5 * a->fov), margin = 0.90;
    FrVec3 eye = fr_vec3_zero;
    // each round brings their height nearer to what is wanted
    for (int round = 0; round < 4; round++) {
        eye = fit(a, span.from, span.to, v, 0.90 * aspect * t, margin * t);
        *fill = fr_action_height(a, span.main, v, eye, t);
        if (*fill <= MOST_FILL) break;
        margin *= 0.98 * MOST_FILL / *fill;
    }
    return eye;
}

/// Where what flies fast would be small, the camera looks less far ahead, in so many steps.
#define REACH_STEP 0.7
#define REACH_STEPS 6
/// It goes back no farther than so many times its distance in the poster.
#define MOST_BACK 2.5

// sees all that is within reach of frame k
static FrVec3 stop_eye(const FrAction *a, int32_t k, double reach, const FrView *v, double aspect,
                       double *fill) {
    int32_t from, to;
    fr_action_span(a, k, reach, &from, &to);
    if (a->start[k] == a->start[k + 1]) k = a->poster; // nothing there to fill the picture
    if (a->start[from] == a->start[to]) from = k, to = k + 1;
    return fit_frames(a, (Span){from, to, k}, v, aspect, fill);
}

// All frames, from the first on. Only where the bodies would become specks does what flies or rolls
// far away in the end leave the picture.
static FrVec3 choose_eye(const FrAction *a, const FrView *v, double aspect, double *fill) {
    FrVec3 eye = fit_frames(a, (Span){0, a->frame_count, a->poster}, v, aspect, fill);
    for (int32_t to = a->frame_count - 1; *fill < LEAST_FILL && to > a->poster; to--) {
        double other;
        FrVec3 nearer = fit_frames(a, (Span){0, to, a->poster}, v, aspect, &other);
        if (other > *fill) eye = nearer, *fill = other;
    }
    return eye;
}

static bool over_floors(const FrAction *a, FrVec3 eye, FrVec3 focus) {
    for (int32_t k = 0; k < a->floor_count; k++)
        if (fr_dot(a->floor[k], eye) - a->offset[k] < 0.06 * fr_distance(eye, focus)) return false;
    return true;
}

static double size_of(const FrAction *a, int32_t k) {
    FrBox box = fr_box_empty();
    for (int32_t i = a->start[k]; i < a->start[k + 1]; i++) box = fr_box_add(box, a->point.data[i]);
    return a->start[k] < a->start[k + 1] ? fr_distance(box.lo, box.hi) : 0.0;
}

/// Many rigid things (so many and more) that in the end stand about on more ground, both ways, than
/// this many times their height hide each other from low places.
#define MANY 5
#define SPREAD 1.5

static bool hides_itself(const FrAction *a) {
    int32_t bodies = 0, before = -1, last = a->frame_count - 1;
    FrBox box = fr_box_empty();
    for (int32_t i = a->start[last]; i < a->start[last + 1]; i++) {
        box = fr_box_add(box, a->point.data[i]);
        bodies += a->body.data[i] != before; // points of a body lie together
        before = a->body.data[i];
    }
    FrVec3 size = fr_box_size(box);
    return !a->soft.count && bodies >= MANY && fr_min(size.x, size.y) > SPREAD * size.z;
}

/// Flat things are looked at under at least this angle, where a view gives it: sin 30 degrees.
#define BROAD 0.5
#define ELEVATIONS 5
#define AZIMUTHS 6

// low ones first, and nearly frontal ones
static FrView candidate(int k) {
    static const double elevation[ELEVATIONS] = {14, 19, 25, 32, 40};
    static const double azimuth[AZIMUTHS] = {24, 36, 48, -24, -36, -48};
    return view_from(azimuth[k % AZIMUTHS] * FR_PI / 180, elevation[k / AZIMUTHS] * FR_PI / 180);
}

// from the left only where that shows more of what is flat
static bool shows(const FrAction *a, int k, double broad) {
    FrView v = candidate(k);
    return (k % AZIMUTHS < 3 || a->flat.count) && fr_action_broad(a, v.forward) >= broad;
}

// the most that any view shows of what is flat, or BROAD
static double broad_wanted(const FrAction *a, int lowest) {
    double most = 0.0;
    for (int k = lowest; k < ELEVATIONS * AZIMUTHS; k++) {
        FrView v = candidate(k);
        most = fr_max(most, fr_action_broad(a, v.forward));
    }
    return fr_min(BROAD, 0.99 * most);
}

// low and nearly frontal if that shows enough; else from higher up and more from the side; reach 0:
// it stands. *fill: share of the height that the poster's bodies take
static FrCamera choose_view(const FrAction *a, double aspect, double reach, double *fill) {
    FrVec3 focus = fr_action_middle(a, a->poster), best_eye = fr_vec3_zero;
    FrView best = view_from(0.42, 1.2);
    double best_fill = -1, enough = reach > 0 ? GOOD_VIEW : GOOD_FILL;
    double gain = reach > 0 ? GOING_GAIN : 1.02;     // where it goes along it goes closer, too
    int lowest = hides_itself(a) ? 3 * AZIMUTHS : 0; // 32 degrees
    double broad = broad_wanted(a, lowest);
    for (int k = lowest; k < ELEVATIONS * AZIMUTHS && best_fill < enough; k++) {
        if (!shows(a, k, broad)) continue;
        FrView v = candidate(k);
        FrVec3 eye = choose_eye(a, &v, aspect, fill);
        if (reach > 0) stop_eye(a, a->poster, reach, &v, aspect, fill);
        if (!over_floors(a, eye, focus) || *fill <= gain * best_fill) continue;
        best = v, best_eye = eye, best_fill = *fill;
    }
    if (best_fill < 0) best_eye = choose_eye(a, &best, aspect, &best_fill);
    *fill = best_fill;
    double distance = fr_dot(fr_sub(focus, best_eye), best.forward);
    return (FrCamera){.eye = best_eye,
                      .target = fr_axpy(distance, best.forward, best_eye),
                      .up = {0, 0, 1},
                      .fov = a->fov};
}

// --- travelling

static void smooth(const FrAction *a, double reach, const FrVec3 *in, FrVec3 *out) {
    for (int32_t k = 0; k < a->frame_count; k++) {
        int32_t from, to;
        fr_action_span(a, k, reach, &from, &to);
        FrVec3 sum = fr_vec3_zero;
        for (int32_t i = from; i < to; i++) sum = fr_add(sum, in[i]);
        out[k] = fr_scale(1.0 / (to - from), sum);
    }
}

// Where a camera looks ahead less, it would rush to and fro: as far back as it has to be anywhere
// within the longest reach, smoothly, though not so far that the bodies, as they are at first,
// would be small.
static void calm_down(const FrAction *a, FrVec3 forward, FrVec3 *eye) {
    double far[2][FR_ACTION_FRAMES + 1] = {{0}}, reach = fr_action_reach(a);
    double most = 0.5 * size_of(a, 0) / (GOOD_FILL * tan(0.5 * a->fov));
    int32_t from, to;
    for (int32_t k = 0; k < a->frame_count; k++)
        if (a->start[k] < a->start[k + 1])
            far[0][k] = fr_min(most, fr_dot(forward, fr_sub(fr_action_middle(a, k), eye[k])));
    for (int32_t k = 0; k < a->frame_count; k++) {
        fr_action_span(a, k, reach, &from, &to);
        for (int32_t i = from; i < to; i++) far[1][k] = fr_max(far[1][k], far[0][i]);
    }
    for (int32_t k = 0; k < a->frame_count; k++) {
        double mean = 0;
        fr_action_span(a, k, reach, &from, &to);
        for (int32_t i = from; i < to; i++) mean += far[1][i] / (to - from);
        if (a->start[k] < a->start[k + 1] && mean > far[0][k])
            eye[k] = fr_axpy(far[0][k] - mean, forward, eye[k]);
    }
}

// From which places a point is seen is a cone, thus convex: a mean of places that all see frame k
// sees it, too. Each place sees what is within reach, and two means over half of it follow.
static void travel(const FrAction *a, double aspect, double reach, FrCamera *camera) {
    FrCameraFrame axes = fr_camera_frame(camera);
    FrView v = {axes.right, axes.up, axes.forward};
    FrVec3 eye[2][FR_ACTION_FRAMES + 1] = {{{0}}};
    double fill;
    FrVec3 focus = fr_action_middle(a, a->poster),
           here = stop_eye(a, a->poster, reach, &v, aspect, &fill);
    double limit = fr_dot(v.forward, fr_sub(focus, here));
    for (int32_t k = 0; k < a->frame_count; k++) {
        eye[0][k] = stop_eye(a, k, reach, &v, aspect, &fill);
        // what flies off is left: the middle of the rest stays in the picture
        double far = fr_dot(v.forward, fr_sub(focus, eye[0][k])) - MOST_BACK * limit;
        if (far > 0) eye[0][k] = fr_axpy(far, v.forward, eye[0][k]);
    }
    if (reach < fr_action_reach(a)) calm_down(a, v.forward, eye[0]);
    smooth(a, 0.5 * reach, eye[0], eye[1]);
    smooth(a, 0.5 * reach, eye[1], eye[0]);
    fr_camera_closer(a, aspect, &v, eye[0]);
    for (int32_t k = 0; k < a->frame_count && k < FR_CAMERA_STOPS; k++) {
        // backwards is upwards: over the floor
        for (int step = 0; step < 20 && !over_floors(a, eye[0][k], focus); step++)
            eye[0][k] = fr_axpy(-0.1 * limit, v.forward, eye[0][k]);
        camera->stop[camera->stop_count++] = (FrCameraStop){a->t[k], eye[0][k]};
    }
}

static FrCamera nothing_to_see(double fov) {
    return (FrCamera){.eye = {1.5, -4, 1.6}, .target = {0, 0, 0.3}, .up = {0, 0, 1}, .fov = fov};
}

// Share of the height that the poster's bodies take as the camera comes by, or that they would take
// as large as they are at first, if that is less: what flew apart fills any picture.
static double stop_fill(const FrAction *a, const FrCamera *camera, double aspect, double reach) {
    FrCameraFrame axes = fr_camera_frame(camera);
    FrView v = {axes.right, axes.up, axes.forward};
    double fill;
    FrVec3 eye = stop_eye(a, a->poster, reach, &v, aspect, &fill);
    double distance = fr_dot(v.forward, fr_sub(fr_action_middle(a, a->poster), eye));
    double first = size_of(a, 0);
    return first > 0 ? fr_min(fill, 0.5 * first / (distance * tan(0.5 * a->fov))) : fill;
}

// the longest at which the bodies are large enough
static FrCamera choose_reach(const FrAction *a, double aspect, double *reach) {
    double fill;
    FrCamera camera = choose_view(a, aspect, *reach, &fill);
    for (int k = 0; k < REACH_STEPS; k++) {
        if (!(*reach > 0.0)) break;
        if (stop_fill(a, &camera, aspect, *reach) >= GOOD_STOP) break;
        *reach *= REACH_STEP;
        if (fill < GOOD_VIEW) camera = choose_view(a, aspect, *reach, &fill);
    }
    return camera;
}

static FrResult look_at(FrAction *a, double aspect, bool follow, FrCamera *camera) {
    double reach = follow ? fr_action_reach(a) : 0.0;
    // frames without a body give no place to look at
    if (a->start[a->poster] == a->start[a->poster + 1]) {
        a->poster = 0;
        while (a->poster < a->frame_count && a->start[a->poster] == a->start[a->poster + 1])
            a->poster++;
    }
    *camera = a->poster < a->frame_count ? choose_reach(a, aspect, &reach) : nothing_to_see(a->fov);
    // a single point has no size: step back
    if (!(fr_distance(camera->eye, camera->target) > 1e-9)) {
        camera->eye = fr_add(camera->target, fr_vec3(0.4, -1, 0.3));
    } else if (reach > 0 && a->poster < a->frame_count) {
        travel(a, aspect, reach, camera);
    }
    return FR_OK;
}

static FrResult find_camera(FrContext *ctx, const FrFrameSource *source, FrCameraWish wish,
                            bool follow, FrCamera *camera) {
    FR_ASSERT_IN(ctx, wish.aspect > 0, "give width / height of the picture");
    FR_ASSERT_IN(ctx, wish.fov > 0 && wish.fov < FR_PI,
                 "give an opening between 0 and 180 degrees");
    if (wish.poster < 0 || wish.poster >= source->frame_count)
        FR_TRY(fr_poster_frame(ctx, source, &wish.poster));
    FrAction a = {.ctx = ctx, .fov = wish.fov, .subject.name = wish.body};
    FrResult result = fr_action_gather(&a, source, wish.poster);
    if (result == FR_OK) result = look_at(&a, wish.aspect, follow, camera);
    fr_action_free(&a);
    return result;
}

FrResult fr_camera_follow(FrContext *ctx, const FrFrameSource *source, FrCameraWish wish,
                          FrCamera *camera) {
    return find_camera(ctx, source, wish, true, camera);
}

FrResult fr_camera_auto(FrContext *ctx, const FrFrameSource *source, double aspect, int32_t poster,
                        FrCamera *camera) {
    FrCameraWish wish = {aspect, FR_CAMERA_FOV, poster, NULL};
    return find_camera(ctx, source, wish, false, camera);
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
