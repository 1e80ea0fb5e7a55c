// rest_bodies.c: supported bodies of material that flows rest once they hardly bend, until
// something strikes them; pieces that settled deform again when a blow may break them, when a
// support of theirs comes or leaves, or when a caller pulls them.

#include "material/material_tuning.h"
#include "world/world_tuning.h"
#include "material/laws.h"
#include "world/member.h"

bool fr_world_bends(const FrBody *body) {
    return body->ops->pieces && !body->ops->pieces->all_rigid(body->state);
}

// does nothing act on it but weight, contact and supports that never move?
static bool is_left_alone(const FrWorld *w, int32_t index) {
    bool alone = fr_world_holds_fast(w, index) && !fr_world_is_pushed(w, &w->body.data[index]);
    for (int32_t k = 0; k < w->load.count; k++) alone = alone && w->load.data[k].body != index;
    return alone;
}

// how long it has to be slow, s; HUGE_VAL: it never rests
static double patience_of(const FrWorld *w, int32_t index) {
    const FrBody *body = &w->body.data[index];
    const FrBreakOps *breaks = breaking_of(body);
    return breaks && is_left_alone(w, index) ? breaks->patience(body->state) : HUGE_VAL;
}

static bool any_kinematic(const FrWorld *w) {
    for (int32_t k = 0; k < w->body.count; k++)
        if (w->body.data[k].kinematic) return true;
    return false;
}

// What steps implicitly sleeps once all of its group has been slow for so long, and nothing but
// weight, contact and supports that never move acts on it.
static void note_calm(FrWorld *w, const FrGroup *group) {
    double least = HUGE_VAL;
    if (!(w->def.sleep_time > 0.0) || any_kinematic(w)) return;
    for (int32_t k = 0; k < group->count; k++)
        if (!member(w, group, k)->ops->stop) return;
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        bool slow = body->ops->calm_speed(body->state) < FR_SETTLED_SPEED &&
                    is_left_alone(w, w->now.group_body.data[group->first + k]);
        body->still = slow ? body->still + w->def.step : 0.0;
        least = fr_min(least, body->still);
    }
    for (int32_t k = 0; least >= w->def.sleep_time && k < group->count; k++) {
        FrBody *body = member(w, group, k);
        body->ops->stop(body->state);
        body->asleep = true;
    }
}

void fr_world_note_rest(FrWorld *w, const FrGroup *group) {
    note_calm(w, group);
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        double patience = fr_world_bends(body)
                              ? patience_of(w, w->now.group_body.data[group->first + k])
                              : HUGE_VAL;
        if (isinf(patience)) continue;
        const FrPieceOps *pieces = body->ops->pieces;
        bool slow = pieces->bend_speed(body->state) < FR_SETTLED_SPEED;
        body->still = slow ? body->still + w->def.step : 0.0;
        if (body->still >= patience) pieces->stay(body->state, w->gravity);
    }
}

void fr_world_note_slow(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++) {
        const FrBody *body = member(w, group, k);
        bool rests = fr_world_bends(body) && body->still > 0.0 &&
                     isfinite(patience_of(w, w->now.group_body.data[group->first + k]));
        w->mover.data[body->item].slow = rests;
    }
}

// mass of what is at this side of a contact, kg: the rigid piece, else the whole body
static double mass_at(const FrBody *body, FrPoint at) {
    FrVec3 impulse;
    double mass = pieces_of(body) ? body->ops->pieces->mass(body->state, at.tet) : 0.0;
    if (!(mass > 0.0)) body->ops->impulse(body->state, &impulse, &mass);
    return mass;
}

// Would a body at rest move faster than rest if it took all the energy of what touches it? What is
// a kinematic body has more than enough, however slow. Of the body's own only rigid pieces strike
// it.
static bool strikes(const FrBody *body, const FrBody *other, FrPoint at, const FrContactForce *f) {
    double v2 = f->v_n * f->v_n + f->v_t * f->v_t;
    if (other->kinematic) return v2 > 0.0;
    FrVec3 impulse;
    double whole,
        mass = body == other ? body->ops->pieces->mass(body->state, at.tet) : mass_at(other, at);
    body->ops->impulse(body->state, &impulse, &whole);
    return mass * v2 > FR_SETTLED_SPEED * FR_SETTLED_SPEED * whole;
}

static void wake_rested(FrBody *body, const FrBody *other, FrPoint at, const FrContactForce *f) {
    const FrPieceOps *pieces = pieces_of(body);
    if (!other || !pieces || !pieces->rests(body->state) || !strikes(body, other, at, f)) return;
    pieces->go_on(body->state, FR_CAUSE_STRUCK);
    body->still = 0.0;
}

/// Two that meet.
typedef struct Blow {
    const FrContact *contact;
    FrBody *a, *b; ///< NULL: a plane
    double v;      ///< closing speed, m/s
} Blow;

// sqrt(E rho): stress for each m/s of a wave along a bar, Pa s/m
static double impedance(const FrBody *body) {
    const FrMaterial *m = &body->material[0];
    return sqrt(fr_young(m->lambda, m->mu) * m->density);
}

static bool is_rigid_piece(const FrBody *body, FrPoint at) {
    return pieces_of(body) && body->ops->pieces->is_rigid(body->state, at.tet);
}

// of one side, kg; HUGE_VAL: nothing moves it
static double struck_mass(const FrBody *body, FrPoint at) {
    if (!body || body->kinematic) return HUGE_VAL;
    if (!is_rigid_piece(body, at)) return mass_at(body, at);
    double mass = body->ops->pieces->mass(body->state, at.tet);
    return mass > 0.0 ? mass : HUGE_VAL;
}

// how easily one side gives way along the normal, 1/kg
static double give_of(const FrBody *body, FrPoint at, const FrContact *c) {
    if (!body || body->kinematic) return 0.0;
    return is_rigid_piece(body, at) ? body->ops->pieces->give(body->state, at.tet, c->x, c->n)
                                    : 1.0 / mass_at(body, at);
}

// Stress, Pa, and energy, J, that a blow can bring to a rigid piece. Of two that meet the softer
// one takes more of the speed, planes none. As much of a piece as weighs what strikes it bends, all
// of it if that is more; hit at a corner it turns away, and only a part of the energy bends it.
static FrBlow measure(const Blow *blow, const FrBody *body) {
    const FrContact *c = blow->contact;
    const FrBody *other = body == blow->a ? blow->b : blow->a;
    double soft = 1.0 / impedance(body) + (other ? 1.0 / impedance(other) : 0.0);
    double give = give_of(blow->a, c->pa, c) + give_of(blow->b, c->pb, c);
    double least = fr_min(struck_mass(blow->a, c->pa), struck_mass(blow->b, c->pb));
    FrBlow all = {FR_BENDING * blow->v / soft, HUGE_VAL};
    if (!(give > 0.0)) return all; // what is kinematic strikes what stands
    return (FrBlow){all.stress / sqrt(fr_max(1.0, give * least)), 0.5 * blow->v * blow->v / give};
}

// a plane, or a frame that is held for good
static bool is_ground(const FrBody *body) {
    return !body ||
           (body->kinematic && isinf(body->until) && !body->ops->frame->travels(body->state));
}

// May it press slowly, with more than the struck body's own weight and speed? No blow tells of
// that.
static bool may_press(const FrBody *body, const FrBody *other) {
    return other != body && !is_ground(other);
}

static bool is_pressed(const FrWorld *w, const FrBody *body) {
    for (int32_t k = 0; k < w->now.contacts.count; k++) {
        FrBody *a = body_of_item(w, w->now.contacts.contact[k].a),
               *b = body_of_item(w, w->now.contacts.contact[k].b);
        if ((a == body && may_press(body, b)) || (b == body && may_press(body, a))) return true;
    }
    return false;
}

FrResult fr_world_settle_whole(FrWorld *w, int32_t index, double t) {
    FrBody *body = &w->body.data[index];
    const FrBreakOps *breaks = breaking_of(body);
    if (!breaks || !breaks->whole_is_quiet(body->state, t) || !is_left_alone(w, index) ||
        is_pressed(w, body))
        return FR_OK;
    FR_TRY(breaks->settle_whole(body->state));
    fr_world_show_arrays(w, body);
    if (!body->touched)
        fr_log(w->ctx, FR_LOG_INFO,
               "%s: cracked, but in one piece, it is rigid from %.4g s on, until something touches "
               "it or a blow may break it (crack.settle)",
               body->name, t);
    return FR_OK;
}

// a piece that is rigid, or stands, deforms; `first`: none of the body did since it settled
static FrResult make_deformable(FrWorld *w, FrBody *body, int32_t tet, FrPieceCause cause, double t,
                                bool *first) {
    body->ops->pieces->end_motion(body->state);
    FR_TRY(body->ops->breaks->wake(body->state, tet, cause, t, w->gravity, first));
    fr_world_show_arrays(w, body);
    fr_contact_loosen(w->scene, body->item);
    return FR_OK;
}

static bool may_deform(const FrBody *body, int32_t tet) {
    FrPieceState state = body->ops->pieces->state(body->state, tet);
    return state == FR_PIECE_RIGID || state == FR_PIECE_ASLEEP || state == FR_PIECE_SUPPORTED;
}

// by what is listed; NULL: whatever had settled
static FrResult deform_pieces(FrWorld *w, int32_t index, const uint8_t *listed) {
    FrBody *body = &w->body.data[index];
    bool first;
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t e = 0; e < view.tet_count; e++) {
        const int32_t *n = view.tet[e];
        if (!listed)
            FR_TRY(fr_world_deform_settled(w, index, e));
        else if ((listed[n[0]] || listed[n[1]] || listed[n[2]] || listed[n[3]]) &&
                 may_deform(body, e))
            FR_TRY(make_deformable(w, body, e, FR_CAUSE_SUPPORT, fr_world_time(w), &first));
    }
    return FR_OK;
}

FrResult fr_world_deform_nodes(FrWorld *w, int32_t index, const int32_t *node, int32_t count) {
    const FrBody *body = &w->body.data[index];
    FrShapeView view;
    if (!breaking_of(body) || !pieces_of(body)) return FR_OK;
    body->ops->view(body->state, &view);
    uint8_t *listed = FR_NEW(w->ctx, uint8_t, view.node_count);
    if (!listed) return fr_no_memory(w->ctx, "pieces that deform");
    for (int32_t k = 0; k < count; k++) listed[node[k]] = 1;
    FrResult result = deform_pieces(w, index, listed);
    fr_free(w->ctx, listed);
    return result;
}

FrResult fr_world_deform_settled(FrWorld *w, int32_t index, int32_t tet) {
    FrBody *body = &w->body.data[index];
    bool first;
    if (!breaking_of(body) || !pieces_of(body) || !may_deform(body, tet)) return FR_OK;
    bool stands = body->ops->pieces->state(body->state, tet) == FR_PIECE_SUPPORTED;
    if (!stands && !body->ops->breaks->is_settled(body->state, tet)) return FR_OK;
    return make_deformable(w, body, tet, FR_CAUSE_TOUCHED, fr_world_time(w), &first);
}

FrResult fr_world_deform_all(FrWorld *w, int32_t index) {
    const FrBody *body = &w->body.data[index];
    return breaking_of(body) && pieces_of(body) ? deform_pieces(w, index, NULL) : FR_OK;
}

static bool is_hard(const Blow *blow, const FrBody *body, FrPoint at) {
    const FrBreakOps *breaks = body->ops->breaks;
    FrBlow most = {FR_BENDING * impedance(body) * blow->v,
                   HUGE_VAL}; // rules out nearly all, cheaply
    return breaks->feels(body->state, at.tet, most) &&
           breaks->feels(body->state, at.tet, measure(blow, body));
}

// by a hard blow; what is whole by whatever may press it
static FrResult deform_struck(FrWorld *w, FrBody *body, FrPoint at, const Blow *blow, double t,
                              bool *woke) {
    const FrBreakOps *breaks = breaking_of(body);
    if (!breaks || !breaks->is_settled(body->state, at.tet)) return FR_OK;
    bool hard = is_hard(blow, body, at);
    bool pressed =
        breaks->is_whole(body->state) && may_press(body, body == blow->a ? blow->b : blow->a);
    if (!hard && !pressed) return FR_OK;
    bool first;
    *woke = true;
    FrPieceCause cause = hard ? FR_CAUSE_STRUCK : FR_CAUSE_TOUCHED;
    FR_TRY(make_deformable(w, body, at.tet, cause, t, &first));
    body->touched = !hard;
    if (first && hard)
        fr_log(w->ctx, FR_LOG_INFO,
               "%s: struck at %.3g m/s, pieces that had settled bend from %.4g s on and may break",
               body->name, blow->v, t);
    return FR_OK;
}

FrResult fr_world_wake_struck(FrWorld *w, double t, bool *woke) {
    *woke = false;
    for (int32_t k = 0; k < w->now.contacts.count && k < w->now.force.count; k++) {
        const FrContact *c = &w->now.contacts.contact[k];
        FrBody *a = body_of_item(w, c->a), *b = body_of_item(w, c->b);
        wake_rested(a, b, c->pb, &w->now.force.data[k]);
        wake_rested(b, a, c->pa, &w->now.force.data[k]);
        Blow blow = {c, a, b, w->now.force.data[k].v_n};
        FR_TRY(deform_struck(w, a, c->pa, &blow, t, woke));
        FR_TRY(deform_struck(w, b, c->pb, &blow, t, woke));
    }
    return FR_OK;
}
