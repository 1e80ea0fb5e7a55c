// camera.c: axes and projection of a camera, and the camera that finds the action by itself.

#include "render/camera.h"
#include "base/array.h"
#include <string.h>

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

// --- where the action is

#define SAMPLES FR_CAMERA_STOPS
#define DIRECTIONS 13

/// Outermost points of the bodies in a few frames.
typedef struct Action {
    FrContext *ctx;
    FR_ARRAY(FrVec3) point;
    FR_ARRAY(int32_t) body;     ///< of each point
    int32_t start[SAMPLES + 2]; ///< points of each frame
    double t[SAMPLES + 1];      ///< of each frame, s
    int32_t frame_count;
    int32_t poster;         ///< among the frames
    double fov;             ///< rad, vertical
    FR_ARRAY(int32_t) soft; ///< bodies that are not rigid, in each frame
    bool sheet;             ///< one of them lies flat at first
    FrVec3 floor[4];        ///< normals of planes that carry
    double offset[4];
    int32_t floor_count;
} Action;

static const double direction[DIRECTIONS][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1}, {1, 0, -1},
    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

static FrResult add_point(Action *a, int32_t body, FrVec3 x) {
    if (!fr_vec3_finite(x)) return FR_OK;
    bool added = fr_array_push(a->ctx, &a->point, x) && fr_array_push(a->ctx, &a->body, body);
    return added ? FR_OK : fr_no_memory(a->ctx, "the camera");
}

// Nodes of one body; place: rotation * p + shift.
typedef struct Nodes {
    const double *p;
    const bool *out; ///< those that do not count; NULL: all do
    int32_t count;
    FrVec3 shift;
    FrMat3 rotation;
} Nodes;

// the nodes farthest out in 26 directions
static FrResult add_nodes(Action *a, int32_t body, const Nodes *nodes) {
    for (int k = 0; k < 2 * DIRECTIONS; k++) {
        double sign = k % 2 ? -1 : 1, most = -HUGE_VAL;
        const double *d = direction[k / 2];
        FrVec3 n = fr_mat3_apply_t(nodes->rotation, fr_vec3(sign * d[0], sign * d[1], sign * d[2]));
        FrVec3 best = fr_vec3_zero;
        for (int32_t i = 0; i < nodes->count; i++) {
            FrVec3 x = fr_get3(nodes->p, i);
            if ((nodes->out && nodes->out[i]) || !(fr_dot(n, x) > most)) continue;
            most = fr_dot(n, x), best = x;
        }
        if (most == -HUGE_VAL) return FR_OK;
        FR_TRY(add_point(a, body, fr_add(nodes->shift, fr_mat3_apply(nodes->rotation, best))));
    }
    return FR_OK;
}

// a body that bends and may have broken: its bulk
static FrResult add_bulk(Action *a, int32_t id, const FrBodyView *body, const double *p) {
    Nodes nodes = {.p = p, .count = body->mesh->node_count, .rotation = fr_mat3_identity};
    bool *out = FR_NEW(a->ctx, bool, nodes.count);
    if (!out) return fr_no_memory(a->ctx, "the camera");
    nodes.out = out;
    FrResult result = fr_bulk_leave_out(a->ctx, body, p, out);
    if (result == FR_OK) result = add_nodes(a, id, &nodes);
    fr_free(a->ctx, out);
    return result;
}

static FrResult add_ball(Action *a, int32_t body, FrVec3 centre, double radius) {
    for (int k = 0; k < 2 * DIRECTIONS; k++) {
        const double *d = direction[k / 2];
        FrVec3 n = fr_normalize(fr_vec3(d[0], d[1], d[2]));
        FrVec3 x = fr_axpy(k % 2 ? -radius : radius, n, centre);
        FR_TRY(add_point(a, body, x));
    }
    return FR_OK;
}

static FrResult add_frame(Action *a, const FrFrameView *view) {
    a->floor_count = 0;
    a->t[a->frame_count] = view->t;
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
            FR_TRY(add_ball(a, k, frame->position, body->radius));
        } else if (body->mesh) {
            if ((!body->model || strcmp(body->model, "frame") != 0) &&
                !fr_array_push(a->ctx, &a->soft, k))
                return fr_no_memory(a->ctx, "the camera");
            Nodes posed = {.p = body->mesh->x,
                           .count = body->mesh->node_count,
                           .shift = frame->position,
                           .rotation = fr_quat_mat3(frame->rotation)};
            FR_TRY(frame->p ? add_bulk(a, k, body, frame->p) : add_nodes(a, k, &posed));
        }
    }
    a->start[++a->frame_count] = a->point.count;
    return FR_OK;
}

// --- what takes part and what only stands there

/// A body moves when it goes farther than this share of its size.
#define MOVES 0.02
/// What only stands there is looked at as far as this share of the size of what takes part, around
/// it; what is rigid and flies off after the blow as far as so many sizes of what is not.
#define NEAR 0.75
#define AWAY 1.0
/// What is not rigid and lies flat at first, both ways longer than this many times its height, is
/// looked at from above.
#define SHEET 4.0

/// What the bodies are, by their numbers.
typedef struct Cast {
    FrBox *first; ///< where each is at first
    bool *soft;   ///< not rigid
    bool *acts;   ///< moves, or is not rigid: what is struck may bend less than its box tells
} Cast;

static bool box_valid(FrBox box) { return box.lo.x <= box.hi.x; }

// Does the body of the points [i, end) go away from where it was first? Points of a body lie
// together in each frame.
static int32_t compare_box(const Action *a, int32_t i, int32_t stop, Cast *cast) {
    int32_t body = a->body.data[i], end = i;
    FrBox box = fr_box_empty();
    for (; end < stop && a->body.data[end] == body; end++)
        box = fr_box_add(box, a->point.data[end]);
    FrBox *was = &cast->first[body];
    if (!box_valid(*was)) *was = box;
    double far = MOVES * fr_distance(was->lo, was->hi);
    if (fr_distance(box.lo, was->lo) > far || fr_distance(box.hi, was->hi) > far)
        cast->acts[body] = true;
    return end;
}

static void find_cast(const Action *a, Cast *cast) {
    for (int32_t k = 0; k < a->soft.count; k++)
        cast->soft[a->soft.data[k]] = cast->acts[a->soft.data[k]] = true;
    for (int32_t k = 0; k < a->frame_count; k++)
        for (int32_t i = a->start[k]; i < a->start[k + 1];)
            i = compare_box(a, i, a->start[k + 1], cast);
}

// around the points [from, to) of some bodies, grown by a share of its size; empty: none is there
static FrBox box_of(const Action *a, int32_t from, int32_t to, const bool *which, double grow) {
    FrBox box = fr_box_empty();
    for (int32_t i = from; i < to; i++)
        if (which[a->body.data[i]]) box = fr_box_add(box, a->point.data[i]);
    return box_valid(box) ? fr_box_grow(box, grow * fr_distance(box.lo, box.hi)) : box;
}

// drops the points of bodies that stand still far from those that take part, and of what flies off
static void leave_out_set(Action *a, const Cast *cast) {
    int32_t from = 0, kept = 0;
    for (int32_t k = 0; k < a->frame_count; k++) {
        int32_t to = a->start[k + 1];
        FrBox action = box_of(a, from, to, cast->acts, NEAR);
        FrBox struck = box_of(a, from, to, cast->soft, AWAY);
        for (int32_t i = from; i < to; i++) {
            FrVec3 p = a->point.data[i];
            int32_t body = a->body.data[i];
            bool off = k > a->poster && box_valid(struck) && !fr_box_contains(struck, p);
            bool set = !cast->acts[body] && box_valid(action) && !fr_box_contains(action, p);
            if (set || (off && !cast->soft[body])) continue;
            a->body.data[kept] = body;
            a->point.data[kept++] = p;
        }
        from = to;
        a->start[k + 1] = kept;
    }
    a->point.count = a->body.count = kept;
}

static bool lies_flat(FrBox box) {
    FrVec3 size = fr_box_size(box);
    return box_valid(box) && fr_min(size.x, size.y) > SHEET * size.z;
}

static FrResult find_set(Action *a) {
    int32_t count = 1;
    for (int32_t i = 0; i < a->body.count; i++) count = fr_max_i(count, a->body.data[i] + 1);
    for (int32_t i = 0; i < a->soft.count; i++) count = fr_max_i(count, a->soft.data[i] + 1);
    Cast cast = {FR_NEW(a->ctx, FrBox, count), FR_NEW(a->ctx, bool, count),
                 FR_NEW(a->ctx, bool, count)};
    bool enough = cast.first && cast.soft && cast.acts;
    if (enough) {
        for (int32_t b = 0; b < count; b++) cast.first[b] = fr_box_empty();
        find_cast(a, &cast);
        leave_out_set(a, &cast);
        for (int32_t b = 0; b < count; b++)
            a->sheet = a->sheet || (cast.soft[b] && lies_flat(cast.first[b]));
    }
    FR_FREE_ALL(a->ctx, cast.first, cast.soft, cast.acts);
    return enough ? FR_OK : fr_no_memory(a->ctx, "the camera");
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

/// Share of the picture's height that the poster's bodies take at most; at least, if another view
/// can give it (less where the camera comes near to what is small); and at least at the cost of
/// what flies or rolls away.
#define MOST_FILL 0.70
#define GOOD_FILL 0.34
#define GOOD_STOP 0.17
#define LEAST_FILL 0.08

// the frames [from, to) in the picture, the bodies of frame `main` not taller than wanted
static FrVec3 fit_frames(const Action *a, int32_t from, int32_t to, int32_t main, const View *v,
                         double aspect, double *fill) {
    double t = tan(0.5 * a->fov), margin = 0.90;
    FrVec3 eye = fr_vec3_zero;
    // each round brings their height nearer to what is wanted
    for (int round = 0; round < 4; round++) {
        eye = fit(a, from, to, v, 0.90 * aspect * t, margin * t);
        *fill = height_of(a, main, v, eye, t);
        if (*fill <= MOST_FILL) break;
        margin *= 0.98 * MOST_FILL / *fill;
    }
    return eye;
}

/// A camera knows what comes and what was this much earlier and later, s; and never more than this
/// share of the whole.
#define REACH 0.8
#define REACH_SHARE 0.3
/// It goes back no farther than so many times its distance in the poster.
#define MOST_BACK 2.5

static bool within(const Action *a, int32_t i, int32_t k, double reach) {
    return fabs(a->t[i] - a->t[k]) <= reach || (i >= k - 1 && i <= k + 1);
}

// first and behind the last frame that lie within reach of frame k
static void span_of(const Action *a, int32_t k, double reach, int32_t *from, int32_t *to) {
    *from = k, *to = k + 1;
    while (*from > 0 && within(a, *from - 1, k, reach)) --*from;
    while (*to < a->frame_count && within(a, *to, k, reach)) ++*to;
}

// sees all that is within reach of frame k
static FrVec3 stop_eye(const Action *a, int32_t k, double reach, const View *v, double aspect,
                       double *fill) {
    int32_t from, to;
    span_of(a, k, reach, &from, &to);
    if (a->start[k] == a->start[k + 1]) k = a->poster; // nothing there to fill the picture
    if (a->start[from] == a->start[to]) from = k, to = k + 1;
    return fit_frames(a, from, to, k, v, aspect, fill);
}

static double reach_of(const Action *a) {
    return fr_min(REACH, REACH_SHARE * (a->t[a->frame_count - 1] - a->t[0]));
}

// All frames, from the first on. Only where the bodies would become specks does what flies or rolls
// far away in the end leave the picture.
static FrVec3 choose_eye(const Action *a, const View *v, double aspect, double *fill) {
    FrVec3 eye = fit_frames(a, 0, a->frame_count, a->poster, v, aspect, fill);
    for (int32_t to = a->frame_count - 1; *fill < LEAST_FILL && to > a->poster; to--) {
        double other;
        FrVec3 nearer = fit_frames(a, 0, to, a->poster, v, aspect, &other);
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

/// Many rigid things (so many and more) that in the end stand about on more ground, both ways, than
/// this many times their height hide each other from low places.
#define MANY 5
#define FLAT 1.5

static bool hides_itself(const Action *a) {
    int32_t bodies = 0, before = -1, last = a->frame_count - 1;
    FrBox box = fr_box_empty();
    for (int32_t i = a->start[last]; i < a->start[last + 1]; i++) {
        box = fr_box_add(box, a->point.data[i]);
        bodies += a->body.data[i] != before; // points of a body lie together
        before = a->body.data[i];
    }
    FrVec3 size = fr_box_size(box);
    return !a->soft.count && bodies >= MANY && fr_min(size.x, size.y) > FLAT * size.z;
}

// low and nearly frontal if that shows enough; else from higher up and more from the side
static FrCamera choose_view(const Action *a, double aspect, bool follow) {
    static const double elevation[] = {14, 19, 25, 32, 40}, azimuth[] = {24, 36, 48};
    FrVec3 focus = middle_of(a, a->poster), best_eye = fr_vec3_zero;
    View best = view_from(0.42, 1.2);
    double best_fill = -1;
    int lowest = a->sheet || hides_itself(a) ? 9 : 0; // 32 degrees
    for (int k = lowest; k < 15 && best_fill < (follow ? GOOD_STOP : GOOD_FILL); k++) {
        View v = view_from(azimuth[k % 3] * FR_PI / 180, elevation[k / 3] * FR_PI / 180);
        double fill;
        FrVec3 eye = choose_eye(a, &v, aspect, &fill);
        if (follow) stop_eye(a, a->poster, reach_of(a), &v, aspect, &fill);
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

// --- travelling

static void smooth(const Action *a, double reach, const FrVec3 *in, FrVec3 *out) {
    for (int32_t k = 0; k < a->frame_count; k++) {
        int32_t from, to;
        span_of(a, k, reach, &from, &to);
        FrVec3 sum = fr_vec3_zero;
        for (int32_t i = from; i < to; i++) sum = fr_add(sum, in[i]);
        out[k] = fr_scale(1.0 / (to - from), sum);
    }
}

// From which places a point is seen is a cone, thus convex: a mean of places that all see frame k
// sees it, too. Each place sees what is within reach, and two means over half of it follow.
static void travel(const Action *a, double aspect, FrCamera *camera) {
    FrCameraFrame axes = fr_camera_frame(camera);
    View v = {axes.right, axes.up, axes.forward};
    FrVec3 eye[2][SAMPLES + 1];
    double reach = reach_of(a), fill;
    FrVec3 focus = middle_of(a, a->poster), here = stop_eye(a, a->poster, reach, &v, aspect, &fill);
    double limit = fr_dot(v.forward, fr_sub(focus, here));
    for (int32_t k = 0; k < a->frame_count; k++) {
        eye[0][k] = stop_eye(a, k, reach, &v, aspect, &fill);
        // what flies off is left: the middle of the rest stays in the picture
        double far = fr_dot(v.forward, fr_sub(focus, eye[0][k])) - MOST_BACK * limit;
        if (far > 0) eye[0][k] = fr_axpy(far, v.forward, eye[0][k]);
    }
    smooth(a, 0.5 * reach, eye[0], eye[1]);
    smooth(a, 0.5 * reach, eye[1], eye[0]);
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

static FrResult look_at(Action *a, double aspect, bool follow, FrCamera *camera) {
    // frames without a body give no place to look at
    if (a->start[a->poster] == a->start[a->poster + 1]) {
        a->poster = 0;
        while (a->poster < a->frame_count && a->start[a->poster] == a->start[a->poster + 1])
            a->poster++;
    }
    *camera = a->poster < a->frame_count ? choose_view(a, aspect, follow) : nothing_to_see(a->fov);
    // a single point has no size: step back
    if (!(fr_distance(camera->eye, camera->target) > 1e-9)) {
        camera->eye = fr_add(camera->target, fr_vec3(0.4, -1, 0.3));
    } else if (follow && a->poster < a->frame_count && a->t[a->frame_count - 1] > a->t[0]) {
        travel(a, aspect, camera);
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

static FrResult find_camera(FrContext *ctx, const FrFrameSource *source, double aspect, double fov,
                            int32_t poster, bool follow, FrCamera *camera) {
    FR_ASSERT(aspect > 0, "give width / height of the picture");
    FR_ASSERT(fov > 0 && fov < FR_PI, "give an opening between 0 and 180 degrees");
    if (poster < 0 || poster >= source->frame_count) FR_TRY(fr_poster_frame(ctx, source, &poster));
    Action a = {.ctx = ctx, .fov = fov};
    FrResult result = gather(&a, source, poster);
    if (result == FR_OK) result = find_set(&a);
    if (result == FR_OK) result = look_at(&a, aspect, follow, camera);
    fr_array_free(ctx, &a.point);
    fr_array_free(ctx, &a.body);
    fr_array_free(ctx, &a.soft);
    return result;
}

FrResult fr_camera_follow(FrContext *ctx, const FrFrameSource *source, double aspect, double fov,
                          int32_t poster, FrCamera *camera) {
    return find_camera(ctx, source, aspect, fov, poster, true, camera);
}

FrResult fr_camera_auto(FrContext *ctx, const FrFrameSource *source, double aspect, int32_t poster,
                        FrCamera *camera) {
    return find_camera(ctx, source, aspect, FR_CAMERA_FOV, poster, false, camera);
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
