// model_fem_pieces.c: rigid pieces of a fem body, as the world asks for them.

#include "solve/penalty.h"
#include "world/model_fem.h"

static FrPieceState piece_state(const void *state, int32_t tet) {
    return fr_fem_piece_state(fr_fem_of(state), tet);
}
static bool all_rigid(const void *state) { return fr_fem_is_loose(fr_fem_of(state)); }
static bool is_rigid(const void *state, int32_t tet) {
    return fr_fem_is_rigid(fr_fem_of(state), tet);
}
static bool stands(const void *state, int32_t tet) { return fr_fem_stands(fr_fem_of(state), tet); }
static double mass(const void *state, int32_t tet) {
    return fr_fem_piece_mass(fr_fem_of(state), tet);
}
static double give(const void *state, int32_t tet, FrVec3 x, FrVec3 n) {
    return fr_fem_piece_give(fr_fem_of(state), tet, x, n);
}
static FrStepCost step_cost(const void *state) { return fr_fem_step_cost(fr_fem_of(state)); }

static FrResult begin_motion(void *state) {
    FrFem *fem = fr_fem_of(state);
    return fr_fem_is_loose(fem) ? fr_fem_begin_loose(fem) : fr_fem_mark_places(fem);
}
static void end_motion(void *state) { fr_fem_end_loose(fr_fem_of(state)); }
static bool steps_alone(const void *state) { return fr_fem_moves_loose(fr_fem_of(state)); }
static FrResult step_often(void *state, double dt, int32_t times, FrVec3 gravity) {
    return fr_fem_step_often(fr_fem_of(state), dt, times, gravity);
}

static FrResult begin_springs(void *state) { return fr_fem_begin_springs(fr_fem_of(state)); }
static void add_spring(void *state, FrPoint at, const FrContact *contact, double stiffness,
                       FrVec3 push) {
    FrFem *fem = fr_fem_of(state);
    fr_fem_add_spring(fem, at.tet, contact->x, contact->n, stiffness, FR_TANGENTIAL * stiffness);
    fr_fem_add_node_spring(fem, at, stiffness);
    fr_fem_note_push(fem, at.tet, push);
}
static double piece_w2(void *state, int32_t tet) { return fr_fem_spring_w2(fr_fem_of(state), tet); }
static double node_w2(const void *state, int32_t tet) {
    return fr_fem_node_w2(fr_fem_of(state), tet);
}
static bool wedged(void *state, int32_t tet) { return fr_fem_wedged(fr_fem_of(state), tet); }
static double ease(void *state, int32_t tet, FrVec3 x) {
    return fr_fem_ease(fr_fem_of(state), tet, x);
}
static const double *soften(void *state, double most) {
    return fr_fem_soften(fr_fem_of(state), most);
}
static double *softness(void *state, int32_t tet) { return fr_fem_softness(fr_fem_of(state), tet); }

static double note_still(void *state, double span, double limit) {
    return fr_fem_note_still(fr_fem_of(state), span, limit);
}
static double still(const void *state, int32_t tet) { return fr_fem_still(fr_fem_of(state), tet); }
static void make_restless(void *state, int32_t tet) { fr_fem_make_restless(fr_fem_of(state), tet); }
static void fall_asleep(void *state, double after) { fr_fem_fall_asleep(fr_fem_of(state), after); }
static void wake(void *state, int32_t tet) { fr_fem_wake(fr_fem_of(state), tet); }
static void wake_all(void *state) { fr_fem_wake_all(fr_fem_of(state)); }

static double bend_speed(const void *state) { return fr_fem_bend_speed(fr_fem_of(state)); }
static bool stay(void *state, FrVec3 gravity) { return fr_fem_stay(fr_fem_of(state), gravity); }
static bool rests(const void *state) { return fr_fem_rests(fr_fem_of(state)); }
static void go_on(void *state, FrPieceCause cause) { fr_fem_wake_body(fr_fem_of(state), cause); }

const FrPieceOps fr_fem_piece_ops = {
    .state = piece_state,
    .all_rigid = all_rigid,
    .is_rigid = is_rigid,
    .stands = stands,
    .mass = mass,
    .give = give,
    .step_cost = step_cost,
    .begin_motion = begin_motion,
    .end_motion = end_motion,
    .steps_alone = steps_alone,
    .step_often = step_often,
    .begin_springs = begin_springs,
    .add_spring = add_spring,
    .piece_w2 = piece_w2,
    .node_w2 = node_w2,
    .wedged = wedged,
    .ease = ease,
    .soften = soften,
    .softness = softness,
    .note_still = note_still,
    .still = still,
    .make_restless = make_restless,
    .fall_asleep = fall_asleep,
    .wake = wake,
    .wake_all = wake_all,
    .bend_speed = bend_speed,
    .stay = stay,
    .rests = rests,
    .go_on = go_on,
};
