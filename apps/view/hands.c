// hands.c: what the pointer and the keyboard do to bodies: pull, nail, strike, shoot, drop, take.

#include "view.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HAND 1
#define FIRST_NAIL 100
/// Mass of the mallet, kg.
#define MALLET 0.25

static const struct {
    const char *name, *hint;
} tools[TOOLS] = {
    {"Pull",
     "drag a body; the wheel brings it nearer, Shift lifts it; let go while it moves to fling it"},
    {"Nail",
     "click a point: it stays where it is; drag it, now or later; Backspace takes nails out"},
    {"Strike", "click: a mallet hits there, inwards"},
    {"Shoot", "click: a ball flies from the eye to there"},
    {"Drop", "click: a new body falls there"},
    {"Delete", "click a body: it goes; Ctrl+Z brings it back"},
    {"Cut", "draw a stroke across what can break, or across a string or joint"},
    {"Twist", "drag: the body turns that way as long as you hold it"},
};

const char *tool_name(Tool tool) { return tools[tool].name; }
const char *tool_hint(Tool tool) { return tools[tool].hint; }

static FrVec3 axpy(double s, FrVec3 a, FrVec3 b) {
    return (FrVec3){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z};
}
static double dot(FrVec3 a, FrVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static FrVec3 unit(FrVec3 a) {
    double r = sqrt(dot(a, a));
    return r > 0.0 ? (FrVec3){a.x / r, a.y / r, a.z / r} : (FrVec3){0, 0, 1};
}
static FrVec3 forward(const View *v) {
    return unit(axpy(-1, v->look.from.eye, v->look.from.target));
}

int hands_find(const View *v, FrBodyId id) {
    const FrFrameView *view = view_shown(v);
    for (int k = 0; view && id.index1 && k < view->body_count; k++)
        if (view->body[k].id.index1 == id.index1) return k;
    return -1;
}

static bool is_body(const View *v, FrBodyId id) {
    int k = hands_find(v, id);
    return k >= 0 && view_shown(v)->body[k].kind != FR_BODY_PLANE;
}

static FrRay pointer_ray(const View *v) {
    return fr_draw_ray(&v->look.from, v->width, v->height, (double)v->pointer.x,
                       (double)v->pointer.y);
}

void hands_hover(View *v) {
    FrRay ray = pointer_ray(v);
    const FrFrameView *view = view_shown(v);
    v->hovers = view && !ui_has_mouse() && fr_view_ray(view, &ray, &v->hover);
}

static FrInput input_at(FrInputKind kind, const FrRayHit *hit) {
    return (FrInput){.kind = kind,
                     .body = hit->body,
                     .point = hit->at,
                     .has_point = true,
                     .at = hit->x,
                     .to = hit->x};
}

static void hold(View *v, int32_t hand, FrBodyId body, FrVec3 x) {
    FrVec3 n = forward(v);
    v->grip = (Grip){.held = true,
                     .hand = hand,
                     .body = body,
                     .to = x,
                     .normal = n,
                     .depth = dot(n, x),
                     .x = v->pointer.x,
                     .y = v->pointer.y};
}

static void grip(View *v, FrInputKind kind, const FrRayHit *hit) {
    FrInput input = input_at(kind, hit);
    bool nail = kind == FR_INPUT_NAIL;
    if (nail && v->nails.count == MOST_NAILS) return;
    input.hand = nail ? FIRST_NAIL + v->nails.so_far++ : HAND;
    input.amount = nail ? 0.0 : v->set.strength;
    if (nail) v->nails.at[v->nails.count++] = (Nail){input.hand, hit->x};
    hold(v, input.hand, hit->body, hit->x);
    sim_input(v->sim, &input);
}

// a nail that is there already, under the pointer
static bool grip_nail(View *v) {
    for (int k = 0; k < v->nails.count; k++) {
        FrVec3 seen = fr_draw_place(&v->look.from, v->width, v->height, v->nails.at[k].to);
        double away = hypot(seen.x - (double)v->pointer.x, seen.y - (double)v->pointer.y);
        if (!(seen.z > 0.0) || away > 9.0 * (double)v->style.scale) continue;
        hold(v, v->nails.at[k].hand, (FrBodyId){0}, v->nails.at[k].to);
        return true;
    }
    return false;
}

static void send_twist(View *v, FrVec3 spin) {
    FrInput input = {.kind = FR_INPUT_TWIST, .hand = HAND, .body = v->grip.body, .v = spin};
    v->grip.spin = spin;
    sim_input(v->sim, &input);
}

static void twist(View *v, const FrRayHit *hit) {
    hold(v, HAND, hit->body, hit->x);
    v->grip.twists = true;
    send_twist(v, (FrVec3){0, 0, 0});
}

static FrVec3 rightward(const View *v) {
    FrVec3 n = forward(v);
    return unit((FrVec3){n.y, -n.x, 0});
}

// to the side: about the upright axis; up and down: about that to the right
static FrVec3 spin_of(const View *v, double right, double down) {
    FrVec3 spin = {0, 0, right};
    return axpy(down, rightward(v), spin);
}

static void let_go(View *v) {
    FrInput input = {.kind = FR_INPUT_LET_GO, .hand = v->grip.hand};
    if (v->grip.held && v->grip.hand == HAND) sim_input(v->sim, &input);
    v->grip.held = false;
}

void hands_drop_nails(View *v) {
    for (int k = 0; k < v->nails.count; k++) {
        FrInput input = {.kind = FR_INPUT_LET_GO, .hand = v->nails.at[k].hand};
        sim_input(v->sim, &input);
    }
    v->nails.count = 0;
}

static void strike(View *v, const FrRayHit *hit) {
    FrInput input = input_at(FR_INPUT_STRIKE, hit);
    double impulse = MALLET * v->set.mallet;
    input.v =
        (FrVec3){-impulse * hit->normal.x, -impulse * hit->normal.y, -impulse * hit->normal.z};
    sim_input(v->sim, &input);
    if (v->sounds) sounds_strike(v->sounds, hit, v->set.mallet);
}

static void shoot(View *v, FrVec3 at) {
    FrInput input = {.kind = FR_INPUT_SPAWN, .amount = v->set.ball_size};
    FrVec3 along = unit(axpy(-1, v->look.from.eye, at));
    double away = sqrt(dot(axpy(-1, v->look.from.eye, at), axpy(-1, v->look.from.eye, at)));
    input.to = axpy(fmin(0.3 * away, 2.0 * v->set.ball_size), along, v->look.from.eye);
    // so that it is there in time: it falls on its way
    double t = away / v->set.ball_speed;
    input.v = axpy(v->set.ball_speed, along, (FrVec3){0, 0, 0.5 * 9.81 * t});
    strcpy(input.word, "ball");
    snprintf(input.material, sizeof input.material, "%s", fr_material_name(v->set.ball_material));
    sim_input(v->sim, &input);
}

static void drop(View *v, FrVec3 at) {
    FrInput input = {.kind = FR_INPUT_SPAWN, .amount = v->set.drop_size};
    input.to = axpy(1.0, (FrVec3){0, 0, 1.6 * v->set.drop_size}, at);
    snprintf(input.word, sizeof input.word, "%s", fr_live_shape(v->set.drop_shape));
    snprintf(input.material, sizeof input.material, "%s", fr_material_name(v->set.drop_material));
    sim_input(v->sim, &input);
}

static void take(View *v, FrBodyId body) {
    FrInput input = {.kind = FR_INPUT_DELETE, .body = body};
    sim_input(v->sim, &input);
    if (v->picked.index1 == body.index1) v->picked = (FrBodyId){0};
}

// --- cutting

static FrRay ray_at(const View *v, float x, float y) {
    return fr_draw_ray(&v->look.from, v->width, v->height, (double)x, (double)y);
}

static FrVec3 cross(FrVec3 a, FrVec3 b) {
    return (FrVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static void cut(View *v, const FrRayHit *hit, FrVec3 normal) {
    FrInput input = input_at(FR_INPUT_CUT, hit);
    input.v = normal;
    sim_input(v->sim, &input);
}

#define STROKE_RAYS 64
// each piece of a body that the stroke goes over, once
static int cut_under(View *v, const Stroke *s, FrVec3 normal) {
    int32_t body[STROKE_RAYS], piece[STROKE_RAYS];
    int count = 0;
    const FrFrameView *view = view_shown(v);
    for (int k = 0; k < STROKE_RAYS; k++) {
        FrRayHit hit;
        float t = ((float)k + 0.5f) / STROKE_RAYS;
        FrRay ray = ray_at(v, s->from[0] + t * (s->to[0] - s->from[0]),
                           s->from[1] + t * (s->to[1] - s->from[1]));
        if (!fr_view_ray(view, &ray, &hit) || !is_body(v, hit.body)) continue;
        const int32_t *of = view->body[hands_find(v, hit.body)].piece;
        int32_t own = of && hit.at.tet >= 0 ? of[hit.at.tet] : 0;
        int i = 0;
        while (i < count && (body[i] != hit.body.index1 || piece[i] != own)) i++;
        if (i < count) continue;
        body[count] = hit.body.index1;
        piece[count++] = own;
        cut(v, &hit, normal);
    }
    return count;
}

// distance of a pixel from the stroke; *t: where along it
static double from_stroke(const Stroke *s, double x, double y) {
    double dx = (double)(s->to[0] - s->from[0]), dy = (double)(s->to[1] - s->from[1]);
    double rx = x - (double)s->from[0], ry = y - (double)s->from[1];
    double t = fmin(fmax((rx * dx + ry * dy) / (dx * dx + dy * dy), 0.0), 1.0);
    return hypot(rx - t * dx, ry - t * dy);
}

// does the stroke cross the line from a to b, pixels?
static bool crosses(const Stroke *s, FrVec3 a, FrVec3 b) {
    double dx = (double)(s->to[0] - s->from[0]), dy = (double)(s->to[1] - s->from[1]);
    double sa = dx * (a.y - (double)s->from[1]) - dy * (a.x - (double)s->from[0]);
    double sb = dx * (b.y - (double)s->from[1]) - dy * (b.x - (double)s->from[0]);
    double ex = b.x - a.x, ey = b.y - a.y;
    double s0 = ex * ((double)s->from[1] - a.y) - ey * ((double)s->from[0] - a.x);
    double s1 = ex * ((double)s->to[1] - a.y) - ey * ((double)s->to[0] - a.x);
    return sa * sb < 0.0 && s0 * s1 < 0.0;
}

static void part(View *v, const FrTie *tie) {
    FrInput input = {.kind = FR_INPUT_PART, .at = axpy(0.5, axpy(1, tie->a, tie->b), (FrVec3){0})};
    sim_input(v->sim, &input);
}

// strings that it crosses, and joints that it passes near
static int part_under(View *v, const Stroke *s) {
    int count = 0;
    for (int k = 0; v->moment && k < v->moment->tie_count; k++) {
        const FrTie *tie = &v->moment->tie[k];
        FrVec3 a = fr_draw_place(&v->look.from, v->width, v->height, tie->a);
        FrVec3 b = fr_draw_place(&v->look.from, v->width, v->height, tie->b);
        if (tie->hand || !(a.z > 0.0 && b.z > 0.0)) continue;
        bool small = hypot(b.x - a.x, b.y - a.y) < 4.0;
        if (!(small ? from_stroke(s, a.x, a.y) < 8.0 : crosses(s, a, b))) continue;
        part(v, tie);
        count++;
    }
    return count;
}

static void end_stroke(View *v) {
    Stroke s = v->stroke;
    v->stroke.drawn = false;
    if (hypotf(s.to[0] - s.from[0], s.to[1] - s.from[1]) < 8.0f || !view_shown(v)) return;
    FrRay a = ray_at(v, s.from[0], s.from[1]), b = ray_at(v, s.to[0], s.to[1]);
    if (part_under(v, &s) + cut_under(v, &s, unit(cross(a.along, b.along))) == 0)
        view_note(v, "the stroke passes everything by");
}

void hands_part(View *v) {
    int k = hands_find(v, v->picked);
    const FrFrameView *view = view_shown(v);
    FrVec3 at = v->hover.x;
    if (k >= 0 && !v->hovers) at = view->frame[k].position;
    FrInput input = {.kind = FR_INPUT_PART, .at = at};
    if (v->hovers || k >= 0) sim_input(v->sim, &input);
}

static bool use(View *v, const FrRayHit *hit) {
    bool body = is_body(v, hit->body);
    if (v->tool == SHOOT) return shoot(v, hit->x), true;
    if (v->tool == DROP) return drop(v, hit->x), true;
    if (!body) return false;
    v->picked = hit->body;
    if (v->tool == PULL) grip(v, FR_INPUT_GRAB, hit);
    if (v->tool == NAIL) grip(v, FR_INPUT_NAIL, hit);
    if (v->tool == STRIKE) strike(v, hit);
    if (v->tool == TAKE) take(v, hit->body);
    if (v->tool == TWIST) twist(v, hit);
    if (v->tool == CUT) cut(v, hit, rightward(v)); // by keyboard: upright, away from the eye
    return true;
}

bool hands_press(View *v) {
    hands_hover(v);
    if (v->player.playback) {
        v->picked = v->hovers && is_body(v, v->hover.body) ? v->hover.body : (FrBodyId){0};
        return false;
    }
    if (v->tool == CUT) {
        v->stroke = (Stroke){true, {v->pointer.x, v->pointer.y}, {v->pointer.x, v->pointer.y}};
        return true;
    }
    if (v->tool == NAIL && grip_nail(v)) return true;
    if (v->hovers && use(v, &v->hover)) return true;
    v->picked = (FrBodyId){0};
    return false;
}

static void send_grip(View *v) {
    FrInput input = {.kind = FR_INPUT_MOVE, .hand = v->grip.hand, .to = v->grip.to};
    for (int k = 0; k < v->nails.count; k++)
        if (v->nails.at[k].hand == v->grip.hand) v->nails.at[k].to = v->grip.to;
    sim_input(v->sim, &input);
}

// in the plane of the view; with Shift up and down
void hands_move(View *v) {
    v->stroke.to[0] = v->pointer.x;
    v->stroke.to[1] = v->pointer.y;
    if (!v->grip.held) return;
    if (v->grip.twists) {
        double by = 0.06 / (double)v->style.scale;
        send_twist(v, spin_of(v, by * (double)(v->pointer.x - v->grip.x),
                              by * (double)(v->pointer.y - v->grip.y)));
        return;
    }
    FrRay ray = pointer_ray(v);
    double along = dot(v->grip.normal, ray.along);
    if (!(fabs(along) > 1e-6)) return;
    double s = (v->grip.depth - dot(v->grip.normal, ray.from)) / along;
    FrVec3 to = axpy(s, ray.along, ray.from);
    if (SDL_GetModState() & KMOD_SHIFT) to.x = v->grip.to.x, to.y = v->grip.to.y;
    v->grip.to = to;
    send_grip(v);
}

void hands_release(View *v) {
    if (v->stroke.drawn) end_stroke(v);
    if (v->grip.held) let_go(v);
}

void hands_nudge(View *v, FrVec3 by) {
    if (!v->grip.held) return;
    if (v->grip.twists) {
        double right = dot(by, rightward(v));
        FrVec3 more = spin_of(v, 50.0 * right, -50.0 * (dot(by, forward(v)) + by.z));
        send_twist(v, axpy(1, more, v->grip.spin));
        return;
    }
    v->grip.to = axpy(1, by, v->grip.to);
    v->grip.depth = dot(v->grip.normal, v->grip.to);
    send_grip(v);
}

void hands_pick_next(View *v) {
    const FrFrameView *view = view_shown(v);
    int at = hands_find(v, v->picked);
    for (int k = 1; view && k <= view->body_count; k++) {
        int next = (at + k) % view->body_count;
        if (view->body[next].kind == FR_BODY_PLANE || !view->frame[next].alive) continue;
        v->picked = view->body[next].id;
        return;
    }
}

// what one sees of the picked body from the eye: its point nearest to the line to its middle
static bool seen_point(const View *v, FrRayHit *hit) {
    int k = hands_find(v, v->picked);
    if (k < 0) return false;
    const FrFrameView *view = view_shown(v);
    const FrBodyView *body = &view->body[k];
    for (int32_t i = 0; i < (body->surface ? body->surface->tri_count : 1); i++) {
        FrVec3 x = view->frame[k].position;
        const double *p = view->frame[k].p;
        for (int c = 0; p && c < 3; c++) {
            const double *n = p + 3 * body->surface->tri[i][c];
            x = axpy(1.0 / 3.0, (FrVec3){n[0], n[1], n[2]}, c ? x : (FrVec3){0, 0, 0});
        }
        FrRay ray = {v->look.from.eye, axpy(-1, v->look.from.eye, x), HUGE_VAL};
        if (fr_view_ray(view, &ray, hit) && hit->body.index1 == v->picked.index1) return true;
    }
    return false;
}

void hands_use(View *v) {
    FrRayHit hit;
    if (v->player.playback) return;
    if (v->grip.held) return let_go(v);
    if (!is_body(v, v->picked)) hands_pick_next(v);
    if (seen_point(v, &hit)) use(v, &hit);
}
