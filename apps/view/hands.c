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
    {"Nail", "click a point: it stays where it is; drag it elsewhere; Backspace takes nails out"},
    {"Strike", "click: a mallet hits there, inwards"},
    {"Shoot", "click: a ball flies from the eye to there"},
    {"Drop", "click: a new body falls there"},
    {"Delete", "click a body: it goes; Ctrl+Z brings it back"},
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

static void grip(View *v, FrInputKind kind, const FrRayHit *hit) {
    FrInput input = input_at(kind, hit);
    bool nail = kind == FR_INPUT_NAIL;
    input.hand = nail ? FIRST_NAIL + v->nails++ : HAND;
    input.amount = nail ? 0.0 : v->set.strength;
    FrVec3 n = forward(v);
    v->grip = (Grip){true, input.hand, hit->body, hit->x, n, dot(n, hit->x)};
    sim_input(v->sim, &input);
}

static void let_go(View *v) {
    FrInput input = {.kind = FR_INPUT_LET_GO, .hand = v->grip.hand};
    if (v->grip.held && v->grip.hand == HAND) sim_input(v->sim, &input);
    v->grip.held = false;
}

void hands_drop_nails(View *v) {
    for (int k = 0; k < v->nails; k++) {
        FrInput input = {.kind = FR_INPUT_LET_GO, .hand = FIRST_NAIL + k};
        sim_input(v->sim, &input);
    }
    v->nails = 0;
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
    return true;
}

bool hands_press(View *v) {
    hands_hover(v);
    if (v->player.playback) {
        v->picked = v->hovers && is_body(v, v->hover.body) ? v->hover.body : (FrBodyId){0};
        return false;
    }
    if (v->hovers && use(v, &v->hover)) return true;
    v->picked = (FrBodyId){0};
    return false;
}

static void send_grip(View *v) {
    FrInput input = {.kind = FR_INPUT_MOVE, .hand = v->grip.hand, .to = v->grip.to};
    sim_input(v->sim, &input);
}

// in the plane of the view; with Shift up and down
void hands_move(View *v) {
    if (!v->grip.held) return;
    FrRay ray = pointer_ray(v);
    double along = dot(v->grip.normal, ray.along);
    if (!(fabs(along) > 1e-6)) return;
    double s = (v->grip.depth - dot(v->grip.normal, ray.from)) / along;
    FrVec3 to = axpy(s, ray.along, ray.from);
    if (SDL_GetModState() & KMOD_SHIFT) to.x = v->grip.to.x, to.y = v->grip.to.y;
    v->grip.to = to;
    send_grip(v);
}

void hands_release(View *v) { let_go(v); }

void hands_nudge(View *v, FrVec3 by) {
    if (!v->grip.held) return;
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
