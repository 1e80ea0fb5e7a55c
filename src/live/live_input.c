// live_input.c: what hands do: pull, strike, take away, change.

#include "live/live.h"
#include "math/vec.h"
#include <math.h>
#include <string.h>

/// What is grabbed swings on its spring so often a second, and dies away with this share of the
/// damping at which it would not swing. A nail is stiffer.
#define GRAB_HZ 3.0
#define NAIL_HZ 25.0
#define GRAB_DAMPING 0.7
/// A grab pulls no harder than so many times the weight (at 9.81 m/s^2); a nail as hard as it
/// takes.
#define GRAB_FORCE 60.0

/// A hand that twists brings a body to the spin that it wants in about this time, s.
#define TWIST_TIME 0.05

typedef struct Constant {
    const char *name;
    size_t at; ///< of the number in FrMaterial
} Constant;

static const Constant constants[] = {
    {"friction", offsetof(FrMaterial, friction_static)},
    {"restitution", offsetof(FrMaterial, restitution)},
    {"alpha1", offsetof(FrMaterial, alpha1)},
    {"alpha2", offsetof(FrMaterial, alpha2)},
    {"eta", offsetof(FrMaterial, eta)},
};
#define CONSTANTS ((int32_t)(sizeof constants / sizeof *constants))

const char *fr_live_constant(int32_t k) {
    return k >= 0 && k < CONSTANTS ? constants[k].name : NULL;
}

static const Constant *find_constant(const char *word) {
    for (int32_t k = 0; k < CONSTANTS; k++)
        if (!strcmp(constants[k].name, word)) return &constants[k];
    return NULL;
}

bool fr_live_constant_of(const FrMaterial *material, const char *word, double *value) {
    const Constant *constant = word ? find_constant(word) : NULL;
    if (!material || !value) return false;
    if (constant) memcpy(value, (const char *)material + constant->at, sizeof *value);
    return constant != NULL;
}

static FrHand *find_hand(FrLive *live, int32_t number) {
    for (int32_t k = 0; k < live->hand.count; k++)
        if (live->hand.data[k].number == number) return &live->hand.data[k];
    return NULL;
}

// the body it is done to, as it is now
static FrResult find_body(FrLive *live, FrBodyId id, const FrFrameView **view, int32_t *index) {
    *view = fr_world_view(live->built.world);
    if (!*view) return fr_no_memory(live->ctx, "a view");
    *index = fr_world_view_of(live->built.world, id);
    if (*index < 0 || (*view)->body[*index].kind == FR_BODY_PLANE)
        return fr_fail(live->ctx, FR_BAD_USE, "body %d is not there", id.index1);
    return FR_OK;
}

static FrResult find_place(FrLive *live, const FrInput *input, FrVec3 *x) {
    const FrFrameView *view;
    int32_t index;
    FR_TRY(find_body(live, input->body, &view, &index));
    *x = input->at;
    if (!input->has_point) return FR_OK;
    const FrTetMesh *mesh = view->body[index].mesh;
    if (mesh && (input->point.tet < 0 || input->point.tet >= mesh->tet_count))
        return fr_fail(live->ctx, FR_BAD_USE, "%s has no tet %d", view->body[index].name,
                       input->point.tet);
    *x = fr_view_point(view, index, &input->point);
    return FR_OK;
}

static FrResult let_go(FrLive *live, int32_t number) {
    FrHand *hand = find_hand(live, number);
    if (!hand) return fr_fail(live->ctx, FR_BAD_USE, "hand %d holds nothing", number);
    FrGrabId grab = hand->grab;
    *hand = live->hand.data[--live->hand.count];
    FrResult result = grab.index1 ? fr_grab_destroy(live->built.world, grab) : FR_OK;
    // what it held may be gone: the hand is free all the same, which the log has to know
    return result == FR_BAD_USE ? FR_OK : result;
}

static FrResult grab(FrLive *live, const FrInput *input) {
    FrBodyMotion motion;
    FrGrabDef def = fr_grab_def_default();
    FR_TRY(find_place(live, input, &def.at));
    FR_TRY(fr_body_motion(live->built.world, input->body, &motion));
    bool nail = input->kind == FR_INPUT_NAIL;
    double factor = input->amount > 0.0 ? input->amount : 1.0;
    double omega = 2.0 * FR_PI * (nail ? NAIL_HZ : GRAB_HZ);
    def.body = input->body;
    def.target = input->to;
    def.stiffness = factor * motion.mass * omega * omega;
    def.damping = 2.0 * GRAB_DAMPING * sqrt(factor) * motion.mass * omega;
    def.max_force = nail ? HUGE_VAL : factor * GRAB_FORCE * 9.81 * motion.mass;
    FrHand hand = {.number = input->hand};
    if (find_hand(live, input->hand))
        return fr_fail(live->ctx, FR_BAD_USE, "hand %d holds something already", input->hand);
    if (!fr_array_reserve(live->ctx, &live->hand, 1)) return fr_no_memory(live->ctx, "a hand");
    FR_TRY(fr_grab_create(live->built.world, &def, &hand.grab));
    live->hand.data[live->hand.count++] = hand;
    return FR_OK;
}

static FrResult move(FrLive *live, const FrInput *input) {
    FrHand *hand = find_hand(live, input->hand);
    if (!hand) return fr_fail(live->ctx, FR_BAD_USE, "hand %d holds nothing", input->hand);
    if (!hand->grab.index1)
        return fr_fail(live->ctx, FR_BAD_USE, "hand %d twists: it goes nowhere", input->hand);
    return fr_grab_move(live->built.world, hand->grab, input->to);
}

static FrResult strike(FrLive *live, const FrInput *input) {
    FrVec3 x;
    FR_TRY(find_place(live, input, &x));
    return fr_body_add_impulse(live->built.world, input->body, x, input->v);
}

// of its nodes about their middle, m^2: the inertia of so much as 1 kg of it, about each axis
static FrMat3 spread(const FrFrameView *view, int32_t k) {
    const FrTetMesh *mesh = view->body[k].mesh;
    const double *p = view->frame[k].p ? view->frame[k].p : mesh ? mesh->x : NULL;
    int32_t count = mesh ? mesh->node_count : 0;
    double even = count ? 0.0 : 0.4 * view->body[k].radius * view->body[k].radius, part;
    FrVec3 middle = fr_vec3_zero;
    FrMat3 sum = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, one = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    part = count ? 1.0 / count : 0.0;
    for (int32_t n = 0; n < count; n++) middle = fr_axpy(part, fr_get3(p, n), middle);
    for (int32_t n = 0; n < count; n++) {
        FrVec3 r = fr_sub(fr_get3(p, n), middle);
        even += part * fr_length2(r);
        sum = fr_mat3_axpy(-part, fr_outer(r, r), sum);
    }
    return fr_mat3_axpy(even, one, sum);
}

// a torque that brings its spin to the wanted one with this time constant
static FrResult twist_once(FrLive *live, const FrHand *hand) {
    const FrFrameView *view;
    int32_t index;
    FrBodyMotion motion;
    FR_TRY(find_body(live, hand->body, &view, &index));
    FR_TRY(fr_body_motion(live->built.world, hand->body, &motion));
    FrVec3 lacks = fr_sub(hand->spin, motion.spin);
    double by = motion.mass / fr_max(TWIST_TIME, live->timing.step);
    FrVec3 torque = fr_scale(by, fr_mat3_apply(spread(view, index), lacks));
    return fr_body_add_torque(live->built.world, hand->body, torque);
}

static FrResult twist(FrLive *live, const FrInput *input) {
    FrHand hand = {.number = input->hand, .body = input->body, .spin = input->v};
    FrHand *old = find_hand(live, input->hand);
    if (!fr_vec3_finite(input->v)) return fr_fail(live->ctx, FR_BAD_USE, "a spin has to be finite");
    if (old && old->grab.index1)
        return fr_fail(live->ctx, FR_BAD_USE, "hand %d holds something already", input->hand);
    if (!fr_array_reserve(live->ctx, &live->hand, 1)) return fr_no_memory(live->ctx, "a hand");
    FrHand still = {.body = input->body}; // can it be twisted?
    FR_TRY(twist_once(live, &still));
    if (old)
        *old = hand;
    else
        live->hand.data[live->hand.count++] = hand;
    return FR_OK;
}

// what broke meanwhile is not twisted any more
FrResult fr_live_twist(FrLive *live) {
    for (int32_t k = 0; k < live->hand.count; k++) {
        FrHand *hand = &live->hand.data[k];
        if (hand->grab.index1) continue;
        FrResult result = twist_once(live, hand);
        if (result == FR_BAD_USE)
            live->hand.data[k--] = live->hand.data[--live->hand.count];
        else
            FR_TRY(result);
    }
    return FR_OK;
}

static FrResult cut(FrLive *live, const FrInput *input) {
    FrVec3 x;
    FR_TRY(find_place(live, input, &x));
    live->births = true;
    return fr_body_cut(live->built.world, input->body, x, input->v);
}

static double distance_to(const FrTie *tie, FrVec3 x) {
    FrVec3 along = fr_sub(tie->b, tie->a);
    double l2 = fr_length2(along);
    double t = l2 > 0.0 ? fr_clamp(fr_dot(fr_sub(x, tie->a), along) / l2, 0.0, 1.0) : 0.0;
    return fr_distance(x, fr_axpy(t, along, tie->a));
}

static FrResult part(FrLive *live, const FrInput *input) {
    FrWorld *world = live->built.world;
    FrJointId nearest = {0};
    double least = HUGE_VAL;
    int32_t count;
    fr_world_ties(world, NULL, 0, &count);
    FrTie *tie = FR_NEW(live->ctx, FrTie, count);
    if (!tie) return fr_no_memory(live->ctx, "joints");
    fr_world_ties(world, tie, count, &count);
    for (int32_t k = 0; k < count; k++) {
        double away = distance_to(&tie[k], input->at);
        if (tie[k].joint.index1 && away < least) least = away, nearest = tie[k].joint;
    }
    fr_free(live->ctx, tie);
    if (!nearest.index1) return fr_fail(live->ctx, FR_BAD_USE, "nothing is joined");
    return fr_joint_destroy(world, nearest);
}

static FrResult change_material(FrLive *live, const FrInput *input) {
    const FrFrameView *view;
    int32_t index;
    FR_TRY(find_body(live, input->body, &view, &index));
    const Constant *constant = find_constant(input->word);
    if (!constant)
        return fr_fail(live->ctx, FR_BAD_USE,
                       "\"%s\" cannot change while it moves; friction, restitution, alpha1, alpha2 "
                       "and eta can",
                       input->word);
    FrMaterial m = view->body[index].material;
    double old = m.friction_static;
    memcpy((char *)&m + constant->at, &input->amount, sizeof input->amount);
    // what slides keeps its share of what sticks
    if (constant == &constants[0])
        m.friction_dynamic = old > 0.0 ? m.friction_dynamic / old * input->amount : input->amount;
    if (!strcmp(constant->name, "alpha1")) {
        m.phi = input->amount * m.lambda;
        m.psi = input->amount * m.mu;
    }
    return fr_body_set_material(live->built.world, input->body, 0, &m);
}

FrResult fr_live_do(FrLive *live, const FrInput *input) {
    switch (input->kind) {
    case FR_INPUT_GRAB:
    case FR_INPUT_NAIL:
        return grab(live, input);
    case FR_INPUT_MOVE:
        return move(live, input);
    case FR_INPUT_LET_GO:
        return let_go(live, input->hand);
    case FR_INPUT_STRIKE:
        return strike(live, input);
    case FR_INPUT_SPAWN:
        return fr_live_spawn(live, input);
    case FR_INPUT_DELETE:
        return fr_body_destroy(live->built.world, input->body);
    case FR_INPUT_MATERIAL:
        return change_material(live, input);
    case FR_INPUT_GRAVITY:
        return fr_world_set_gravity(live->built.world, input->v);
    case FR_INPUT_CUT:
        return cut(live, input);
    case FR_INPUT_PART:
        return part(live, input);
    case FR_INPUT_TWIST:
        return twist(live, input);
    case FR_INPUT_READY:
        return fr_live_make_ready(live, input->body);
    case FR_INPUT_KINDS:
        break;
    }
    return fr_fail(live->ctx, FR_BAD_USE, "an input of kind %d; there are 1 to %d",
                   (int)input->kind, FR_INPUT_KINDS - 1);
}

// before input k
static void insert(FrLive *live, int32_t k, const FrInput *input) {
    for (int32_t i = live->input.count++; i > k; i--) live->input.data[i] = live->input.data[i - 1];
    live->input.data[k] = *input;
}

// among those that wait, after those of its tick
static int32_t place_of(const FrLive *live, int64_t tick) {
    int32_t k = live->input.count;
    while (k > live->done && live->input.data[k - 1].tick > tick) k--;
    return k;
}

FrResult fr_live_note(FrLive *live, const FrInput *given) {
    FrInput input = *given;
    input.tick = fr_live_tick(live);
    if (!fr_array_reserve(live->ctx, &live->input, 1)) return fr_no_memory(live->ctx, "an input");
    insert(live, live->done++, &input);
    return FR_OK;
}

// What is due is done at once, so that the caller hears what is wrong with it; it is logged if it
// was done.
FrResult fr_live_input(FrLive *live, const FrInput *given) {
    FR_NEED_ALL(live ? live->ctx : NULL, live && given);
    FrInput input = *given;
    int64_t now = fr_live_tick(live);
    bool due = input.tick <= now;
    if (due) input.tick = now;
    input.word[sizeof input.word - 1] = input.material[sizeof input.material - 1] = 0;
    if (!fr_array_reserve(live->ctx, &live->input, 1)) return fr_no_memory(live->ctx, "an input");
    if (due) FR_TRY(fr_live_do(live, &input));
    if (live->old_story) fr_live_drop_waiting(live);
    insert(live, due ? live->done : place_of(live, input.tick), &input);
    live->done += due;
    return FR_OK;
}
