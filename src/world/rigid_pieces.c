// rigid_pieces.c: bodies that are rigid pieces only: how long their steps may be, and when they
// rest.

#include "frames/frames_tuning.h"
#include "world/member.h"
#include "world/world_tuning.h"
#include "world/world.h"

// kinematic bodies move after contacts ahead are found, and would be seen where they were
static bool any_kinematic(const FrWorld *w) {
    bool any = false;
    for (int32_t k = 0; k < w->body.count; k++) any = any || w->body.data[k].kinematic;
    return any;
}

bool fr_world_detects_ahead(const FrWorld *w, const FrGroup *group) {
    if (w->def.conservative_contact || w->def.node_penetration || w->def.substep > 0.0)
        return false;
    for (int32_t k = 0; k < group->count; k++) {
        const FrBody *body = member(w, group, k);
        const FrBreakOps *breaks = breaking_of(body);
        if (!body->ops->pieces && !body->ops->frame) return false; // its steps are its own
        if (fr_world_bends(body) && !(breaks && breaks->flows_and_settles(body->state)))
            return false;
    }
    return !any_kinematic(w);
}

static FrResult begin_springs(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++)
        if (pieces_of(member(w, group, k)))
            FR_TRY(pieces_of(member(w, group, k))->begin_springs(member(w, group, k)->state));
    return FR_OK;
}

// `way`: 1 on a, -1 on b
static void add_spring(FrWorld *w, int32_t item, FrPoint at, const FrContact *c, double stiffness,
                       double way) {
    const FrBody *body = body_of_item(w, item);
    if (!pieces_of(body)) return;
    FrVec3 push = fr_scale(way * stiffness * c->depth, c->n);
    body->ops->pieces->add_spring(body->state, at, c, stiffness, push);
}

/// Squares of how fast something swings, 1/s^2: of rigid things, and of nodes that bend.
typedef struct Swings {
    double rigid, nodes;
} Swings;

// of one side of a contact, with all that a rigid piece touches
static Swings side_w2(FrWorld *w, int32_t item, FrPoint at, const FrContact *c, double stiffness) {
    const FrBody *body = body_of_item(w, item);
    if (!body) return (Swings){0.0, 0.0};
    const FrPieceOps *pieces = pieces_of(body);
    if (!pieces) return (Swings){stiffness * body->ops->inverse_mass(body->state, at, c->x), 0.0};
    return (Swings){fr_min(pieces->piece_w2(body->state, at.tet), FR_FASTEST * FR_FASTEST),
                    pieces->node_w2(body->state, at.tet)};
}

static void soften(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++) {
        const FrBody *body = member(w, group, k);
        if (!pieces_of(body)) continue;
        FrShapeView view;
        body->ops->view(body->state, &view);
        FrMover *mover = &w->mover.data[body->item];
        mover->rigid = view.rigid;
        mover->soft =
            view.rigid ? body->ops->pieces->soften(body->state, FR_FASTEST * FR_FASTEST) : NULL;
    }
}

static double *softness_at(const FrWorld *w, int32_t item, FrPoint at) {
    const FrBody *body = body_of_item(w, item);
    return pieces_of(body) ? body->ops->pieces->softness(body->state, at.tet) : NULL;
}

// Pieces that touch are softened alike, so that what wedges them stays in balance: else all that
// is too much between them goes into the softest contact.
static void soften_alike(FrWorld *w) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t k = 0; k < w->now.ahead.count; k++) {
            const FrContact *c = &w->now.ahead.contact[k];
            if (w->now.ahead_ease.data[k].w2 < 0.0) continue;
            double *a = softness_at(w, c->a, c->pa), *b = softness_at(w, c->b, c->pb);
            if (!a || !b || !(fabs(*a - *b) > 0.0)) continue; // nor NaN, for ever
            *a = *b = fr_min(*a, *b);
            changed = true;
        }
    }
}

static bool wedged(const FrWorld *w, int32_t item, FrPoint at) {
    const FrBody *body = body_of_item(w, item);
    return pieces_of(body) && body->ops->pieces->wedged(body->state, at.tet);
}

// 1/kg: how easily one side of a contact moves, times its contacts
static double ease_of(const FrWorld *w, int32_t item, FrPoint at, FrVec3 x) {
    const FrBody *body = body_of_item(w, item);
    if (!body) return 0.0;
    return pieces_of(body) ? body->ops->pieces->ease(body->state, at.tet, x) : HUGE_VAL;
}

// Dashpots c_i dt = share / (e_a + e_b), e the n-fold inverse masses of the two sides: on a piece
// alone they stop sum c_i dt / m_i <= share of it, on two that move against each other twice that.
static double mass_of(const FrWorld *w, const FrContact *c) {
    double ease = ease_of(w, c->a, c->pa, c->x) + ease_of(w, c->b, c->pb, c->x);
    return ease > 0.0 ? FR_STOPPED / ease : 0.0;
}

static FrVec3 velocity_at(const FrWorld *w, int32_t item, FrPoint at, FrVec3 x) {
    const FrMover *m = &w->mover.data[item];
    return m->velocity(m->state, at, x);
}

// factor on the square of how fast a contact swings, for steps
static double weight_of(const FrWorld *w, const FrContact *c) {
    FrVec3 v = fr_sub(velocity_at(w, c->a, c->pa, c->x), velocity_at(w, c->b, c->pb, c->x));
    bool rests = fabs(fr_dot(v, c->n)) < FR_STILL_SPEED;
    return rests ? (FR_SWING * FR_SWING) / (FR_SWING_AT_REST * FR_SWING_AT_REST) : 1.0;
}

// planes, and tets all of whose nodes are held where they are
static bool stands(const FrWorld *w, int32_t item, FrPoint at) {
    const FrBody *body = body_of_item(w, item);
    return pieces_of(body) ? body->ops->pieces->stands(body->state, at.tet) : !body;
}

static bool dormant(const FrWorld *w, const FrContact *c) {
    return stands(w, c->a, c->pa) && stands(w, c->b, c->pb);
}

static double stiffness_of(const FrWorld *w, const FrContact *c, const FrPenaltyOptions *options) {
    return fr_stick_firmness(w->stick, c, w->mover.data) *
           fr_penalty_stiffness(c, w->mover.data, options);
}

// Two that a contact joins swing no faster than the sum of what each would with the other held:
// the largest such sum, 1/s^2.
static FrResult find_swing(FrWorld *w, const FrGroup *group) {
    FrPenaltyOptions options = fr_world_penalty(w);
    w->now.swing = 0.0;
    w->now.ahead_ease.count = 0;
    if (!fr_array_reserve(w->ctx, &w->now.ahead_ease, w->now.ahead.count))
        return fr_no_memory(w->ctx, "contacts of rigid pieces");
    FR_TRY(begin_springs(w, group));
    for (int32_t k = 0; k < w->now.ahead.count; k++) {
        const FrContact *c = &w->now.ahead.contact[k];
        w->now.ahead_ease.data[k] = (FrEase){.w2 = dormant(w, c) ? -1.0 : 0.0};
        if (w->now.ahead_ease.data[k].w2 < 0.0) continue;
        double stiffness = stiffness_of(w, c, &options);
        add_spring(w, c->a, c->pa, c, stiffness, 1.0);
        add_spring(w, c->b, c->pb, c, stiffness, -1.0);
    }
    soften(w, group);
    soften_alike(w);
    for (int32_t k = 0; k < w->now.ahead.count; k++) {
        const FrContact *c = &w->now.ahead.contact[k];
        if (w->now.ahead_ease.data[k].w2 < 0.0) continue;
        double stiffness = stiffness_of(w, c, &options);
        Swings a = side_w2(w, c->a, c->pa, c, stiffness), b = side_w2(w, c->b, c->pb, c, stiffness);
        double rigid = a.rigid + b.rigid, nodes = a.nodes + b.nodes;
        bool held = wedged(w, c->a, c->pa) || wedged(w, c->b, c->pb);
        if (held) w->now.ahead_ease.data[k] = (FrEase){rigid + nodes, mass_of(w, c)};
        // nodes that bend may swing through 1 in a step: what that is worth against FR_SWING
        w->now.swing =
            fr_max(w->now.swing, weight_of(w, c) * (rigid + FR_SWING * FR_SWING * nodes));
    }
    return FR_OK;
}

FrResult fr_world_begin_loose(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++) {
        const FrBody *body = member(w, group, k);
        if (pieces_of(body)) FR_TRY(body->ops->pieces->begin_motion(body->state));
    }
    return FR_OK;
}

void fr_world_end_loose(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++)
        if (pieces_of(member(w, group, k)))
            pieces_of(member(w, group, k))->end_motion(member(w, group, k)->state);
}

// one side of a contact: a tet of a body with pieces, or anything else
typedef struct Side {
    const FrBody *body; ///< NULL: it has no pieces
    int32_t tet;
    double still; ///< for how long it has hardly moved, s
} Side;

static Side side_of(const FrWorld *w, int32_t item, FrPoint at) {
    Side side = {.tet = at.tet, .still = HUGE_VAL};
    const FrBody *body = body_of_item(w, item);
    if (!body) return side;
    if (pieces_of(body)) side.body = body;
    side.still = side.body ? body->ops->pieces->still(body->state, at.tet) : body->still;
    return side;
}

static void wake_side(Side side, Side other) {
    if (side.body && !(other.still > 0.0)) side.body->ops->pieces->wake(side.body->state, side.tet);
}

// pieces that sleep and touch something that moves wake
static void wake_touched(FrWorld *w) {
    for (int32_t k = 0; k < w->now.ahead.count; k++) {
        const FrContact *c = &w->now.ahead.contact[k];
        Side a = side_of(w, c->a, c->pa), b = side_of(w, c->b, c->pb);
        wake_side(a, b);
        wake_side(b, a);
    }
}

FrResult fr_world_detect_ahead(FrWorld *w, const FrGroup *group, double dt) {
    for (int32_t k = 0; k < group->count; k++) fr_world_place_sphere(w, member(w, group, k));
    FR_TRY(fr_contact_detect(w->scene, w->now.items.data, w->now.items.count, dt, &w->now.ahead));
    wake_touched(w);
    return find_swing(w, group);
}

double fr_world_loose_step(const FrWorld *w, double always) {
    double g = fr_length(w->gravity), dt = w->def.step;
    if (g > 0.0) dt = fr_min(dt, FR_CHATTER * FR_STILL_SPEED / g);
    if (w->now.swing > 0.0) dt = fr_min(dt, FR_SWING / sqrt(w->now.swing));
    return fr_max(dt, always);
}

bool fr_world_too_long(const FrWorld *w, double dt, double always) {
    return dt > always && dt * sqrt(w->now.swing) > FR_STIFFER * FR_SWING;
}

// Does something act on it besides weight, contact and supports that never move?
static bool is_driven(const FrWorld *w, int32_t body) {
    bool any = !fr_world_holds_fast(w, body) || fr_world_is_pushed(w, &w->body.data[body]);
    for (int32_t k = 0; k < w->load.count; k++) any = any || w->load.data[k].body == body;
    return any;
}

// Below which speed a group is at rest, m/s; 0: never. With weight, what hardly moves for so long
// is carried by something.
static double still_speed(const FrWorld *w, const FrGroup *group) {
    bool rubs = true, driven = false;
    for (int32_t k = 0; k < w->now.items.count; k++)
        rubs = rubs && w->mover.data[w->now.items.data[k]].friction_static > 0.0;
    for (int32_t k = 0; k < group->count; k++)
        driven = driven || is_driven(w, w->now.group_body.data[group->first + k]);
    if (driven || !(fr_length(w->gravity) * w->def.sleep_time > FR_STILL_SPEED)) return 0.0;
    return rubs ? FR_STILL_SPEED : FR_STILL_SPEED_SMOOTH;
}

static void make_restless(Side side, Side other, double after) {
    if (side.body && !(other.still >= after))
        side.body->ops->pieces->make_restless(side.body->state, side.tet);
}

// pieces that touch only what rests sleep
static FrResult sleep_pieces(FrWorld *w, const FrGroup *group) {
    double after = w->def.sleep_time;
    FR_TRY(begin_springs(w, group));
    for (int32_t k = 0; k < w->now.contacts.count; k++) {
        const FrContact *c = &w->now.contacts.contact[k];
        Side a = side_of(w, c->a, c->pa), b = side_of(w, c->b, c->pb);
        make_restless(a, b, after);
        make_restless(b, a, after);
    }
    for (int32_t k = 0; k < group->count; k++)
        if (pieces_of(member(w, group, k)))
            pieces_of(member(w, group, k))->fall_asleep(member(w, group, k)->state, after);
    return FR_OK;
}

// how long a body has been still, s; nothing brakes a ball that rolls
static void note_body(const FrWorld *w, FrBody *body, double rest) {
    if (pieces_of(body)) {
        body->still = body->ops->pieces->note_still(body->state, w->def.step, rest);
        return;
    }
    double limit = body->mesh.tet_count ? rest : fr_min(rest, FR_STILL_SPEED_SMOOTH);
    double speed = fr_frame_speed(&w->frames.frame.data[body->frame]);
    body->still = speed < limit ? body->still + w->def.step : 0.0;
}

static void fall_asleep(FrWorld *w, FrBody *body) {
    if (body->frame >= 0) fr_frame_stop(&w->frames.frame.data[body->frame]);
    body->asleep = true;
    body->sunk = 0.0;
    for (int32_t k = 0; k < w->now.contacts.count; k++) {
        const FrContact *c = &w->now.contacts.contact[k];
        if (c->a == body->item || c->b == body->item) body->sunk = fr_max(body->sunk, c->depth);
    }
}

FrResult fr_world_note_still(FrWorld *w, const FrGroup *group) {
    double least = HUGE_VAL, rest = still_speed(w, group);
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        if (!fr_world_bends(body)) note_body(w, body, rest);
        least = fr_min(least, fr_world_bends(body) ? 0.0 : body->still);
    }
    if (!(w->def.sleep_time > 0.0)) return FR_OK;
    FR_TRY(sleep_pieces(w, group));
    for (int32_t k = 0; least >= w->def.sleep_time && k < group->count; k++)
        fall_asleep(w, member(w, group, k));
    return FR_OK;
}

static void wake(FrBody *body) {
    body->asleep = false;
    body->still = 0.0;
}

bool fr_world_sleeps(FrWorld *w, const FrGroup *group) {
    bool all = true;
    for (int32_t k = 0; k < group->count; k++) all = all && member(w, group, k)->asleep;
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        if (all) w->stats.overlap = fr_max(w->stats.overlap, body->sunk);
        if (!all && body->asleep) wake(body);
    }
    return all;
}

void fr_world_wake_pieces(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++) {
        const FrBody *body = member(w, group, k);
        w->mover.data[body->item].soft = NULL;
        if (pieces_of(body)) body->ops->pieces->wake_all(body->state);
    }
}
