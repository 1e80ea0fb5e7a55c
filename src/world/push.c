// push.c: forces and torques of callers, for one macro step, and impulses at once.

#include "world/member.h"
#include <string.h>

FrResult fr_world_need_movable(FrWorld *w, FrBodyId id, int32_t *index) {
    FR_TRY(fr_world_need(w, id, index));
    const FrBody *body = &w->body.data[*index];
    if (!body->ops->solid && !body->ops->frame && !body->ops->put)
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: its model, %s, has neither a frame nor nodes, and no `put`", body->name,
                       body->ops->name);
    if (body->kinematic)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: it is kinematic: only its track moves it",
                       body->name);
    return FR_OK;
}

static FrResult add_push(FrWorld *w, FrPush push, FrVec3 value) {
    if (!fr_vec3_finite(value))
        return fr_fail(w->ctx, FR_BAD_USE, "what pushes a body must be finite, not (%g, %g, %g)",
                       value.x, value.y, value.z);
    return fr_array_push(w->ctx, &w->external.push, push) ? FR_OK : fr_no_memory(w->ctx, "a force");
}

FrResult fr_body_add_force(FrWorld *w, FrBodyId id, FrVec3 at, FrVec3 force) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FrPush push = {.body = id, .force = force};
    FR_TRY(fr_world_need_movable(w, id, &index));
    FR_TRY(fr_world_anchor(w, index, at, &push.at));
    return add_push(w, push, force);
}

FrResult fr_body_add_torque(FrWorld *w, FrBodyId id, FrVec3 torque) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FR_TRY(fr_world_need_movable(w, id, &index));
    if (fr_world_is_ball(&w->body.data[index]))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: its model, %s, has no inertia to turn; set its spin",
                       w->body.data[index].name, w->body.data[index].ops->name);
    FrPush push = {.body = id, .torque = torque, .at.at.tet = -1};
    return add_push(w, push, torque);
}

bool fr_world_is_ball(const FrBody *body) { return !body->ops->solid && !body->ops->frame; }

FrBall fr_world_ball(const FrBody *body) {
    FrBall ball;
    body->ops->pose(body->state, &ball.x, &ball.q, &ball.v, &ball.spin);
    return ball;
}

void fr_world_put_ball(FrWorld *w, const FrBody *body, const FrBall *ball) {
    body->ops->put(body->state, ball->x, ball->q, ball->v, ball->spin);
    fr_world_place_sphere(w, body);
}

void fr_world_kick_whole(FrWorld *w, const FrBody *body, FrVec3 x, FrVec3 impulse) {
    if (body->frame >= 0) {
        fr_world_kick_frame(w, body, x, impulse, fr_vec3_zero);
        return;
    }
    FrBall ball = fr_world_ball(body);
    double mobility = body->ops->inverse_mass(body->state, (FrPoint){.tet = -1}, x);
    ball.v = fr_axpy(mobility, impulse, ball.v);
    fr_world_put_ball(w, body, &ball);
}

void fr_world_kick_frame(FrWorld *w, const FrBody *body, FrVec3 x, FrVec3 impulse, FrVec3 turn) {
    const FrFrameParts *part = &w->frames.frame.data[body->frame].part;
    if (part->bend && part->bend->held) return; // it stays
    double before = fr_rigid_kinetic(part->rigid);
    fr_rigid_impulse(part->rigid, x, impulse);
    part->rigid->L = fr_add(part->rigid->L, turn);
    *part->outer_work += fr_rigid_kinetic(part->rigid) - before;
    *part->outer_impulse = fr_add(*part->outer_impulse, impulse);
    body->ops->frame->place(body->state);
    fr_world_place_sphere(w, body);
}

void fr_world_push_frame(FrWorld *w, const FrBody *body, FrVec3 x, FrVec3 impulse) {
    const FrFrameParts *part = &w->frames.frame.data[body->frame].part;
    double before = fr_rigid_kinetic(part->rigid);
    fr_rigid_impulse(part->rigid, x, impulse);
    *part->contact_work += fr_rigid_kinetic(part->rigid) - before;
    body->ops->frame->place(body->state);
    fr_world_place_sphere(w, body);
}

// on the nodes of a tet: the same net impulse and moment; supports take what falls on them
static FrResult kick_solid(FrWorld *w, const FrBody *body, FrPoint at, FrVec3 impulse) {
    const FrSolidOps *solid = body->ops->solid;
    FrShapeView view;
    body->ops->view(body->state, &view);
    w->external.v.count = 0;
    if (!fr_array_extend(w->ctx, &w->external.v, 3 * view.node_count))
        return fr_no_memory(w->ctx, "an impulse");
    for (int32_t n = 0; n < view.node_count; n++)
        fr_set3(w->external.v.data, n, fr_get3(view.v, n));
    for (int i = 0; i < 4; i++) {
        int32_t n = view.tet[at.tet][i];
        double share = at.b[i] / solid->node_mass(body->state, n);
        if (!solid->is_supported(body->state, n))
            fr_add3(w->external.v.data, n, fr_scale(share, impulse));
    }
    solid->put(body->state, NULL, w->external.v.data, w->gravity);
    return FR_OK;
}

static FrVec3 into_frame(const FrFrameParts *part, FrVec3 v) {
    return fr_quat_rotate(fr_quat_conj(part->rigid->q), v);
}

// what a sudden impulse does to the modes of a frame that bends
static void kick_modes(FrWorld *w, const FrBody *body, const FrAnchor *at, FrVec3 impulse) {
    if (body->frame < 0) return;
    const FrFrameParts *part = &w->frames.frame.data[body->frame].part;
    if (!part->bend) return;
    FrGrip grip = fr_world_anchor_grip(w, body, at);
    double before = fr_bend_kinetic(part->bend);
    fr_bend_push(part->bend, &grip, into_frame(part, impulse), part->bend->v);
    *part->outer_work += fr_bend_kinetic(part->bend) - before;
}

void fr_world_press_modes(FrWorld *w, const FrBody *body, const FrAnchor *at, FrVec3 force) {
    if (body->frame < 0) return;
    const FrFrameParts *part = &w->frames.frame.data[body->frame].part;
    FrGrip grip = fr_world_anchor_grip(w, body, at);
    if (part->bend) fr_bend_push(part->bend, &grip, into_frame(part, force), part->bend->steady);
}

// what was pressed in the step before is over
static void begin_steady(FrWorld *w) {
    for (int32_t k = 0; k < w->frames.frame.count; k++) {
        FrBend *bend = w->frames.frame.data[k].part.bend;
        if (bend) memset(bend->steady, 0, (size_t)bend->count * sizeof *bend->steady);
    }
}

// What is pushed or pulled may tear: nothing of its body settles now, and the piece deforms if it
// had.
static FrResult take_up(FrWorld *w, int32_t index, FrAnchor *at) {
    const FrBody *body = &w->body.data[index];
    fr_world_wake(w, index);
    if (!breaking_of(body)) return FR_OK;
    body->ops->breaks->put_off(body->state, fr_world_time(w));
    if (at->at.tet < 0) return FR_OK; // a torque, on all of it
    fr_world_anchor_place(body, at, &w->frames);
    return fr_world_deform_settled(w, index, at->at.tet);
}

FrResult fr_body_add_impulse(FrWorld *w, FrBodyId id, FrVec3 at, FrVec3 impulse) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FrAnchor anchor;
    FR_TRY(fr_world_need_movable(w, id, &index));
    if (!fr_vec3_finite(impulse))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: an impulse must be finite",
                       w->body.data[index].name);
    FR_TRY(fr_world_anchor(w, index, at, &anchor));
    FR_TRY(take_up(w, index, &anchor));
    const FrBody *body = &w->body.data[index];
    if (body->ops->solid) return kick_solid(w, body, anchor.at, impulse);
    kick_modes(w, body, &anchor, impulse);
    fr_world_kick_whole(w, body, at, impulse);
    return FR_OK;
}

FrResult fr_world_need_warm(FrWorld *w, int32_t index) {
    const FrBody *body = &w->body.data[index];
    const FrSolidOps *solid = body->ops->solid;
    if (solid && solid->warm && solid->feels_heat(body->state)) return FR_OK;
    return fr_fail(w->ctx, FR_BAD_USE,
                   solid && solid->warm
                       ? "%s: its material does not get warm: give it a heat_capacity"
                       : "%s: heat acts on bodies of model corot, this one is %s",
                   body->name, body->ops->name);
}

// how much of a brush a node gets: all in the middle, none from its edge on
static double brushed(const FrBody *body, const FrShapeView *view, int32_t n, FrVec3 at,
                      double radius) {
    double d = fr_distance(fr_get3(view->p, n), at) / fr_max(radius, 1e-300);
    return d < 1.0 ? (1.0 - d * d) * body->ops->solid->node_mass(body->state, n) : 0.0;
}

static int32_t nearest_node(const FrShapeView *view, FrVec3 at) {
    int32_t nearest = 0;
    for (int32_t n = 1; n < view->node_count; n++)
        if (fr_distance(fr_get3(view->p, n), at) < fr_distance(fr_get3(view->p, nearest), at))
            nearest = n;
    return nearest;
}

FrResult fr_body_heat(FrWorld *w, FrBodyId id, FrVec3 at, double radius, double energy) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FrShapeView view;
    double all = 0.0;
    FR_TRY(fr_world_need(w, id, &index));
    FR_TRY(fr_world_need_warm(w, index));
    if (!isfinite(energy) || !(radius >= 0.0) || !fr_vec3_finite(at))
        return fr_fail(w->ctx, FR_BAD_USE, "heat and its place must be finite, its radius %g too",
                       radius);
    const FrBody *body = &w->body.data[index];
    fr_world_wake(w, index);
    body->ops->view(body->state, &view);
    for (int32_t n = 0; n < view.node_count; n++) all += brushed(body, &view, n, at, radius);
    if (!(all > 0.0)) body->ops->solid->warm(body->state, nearest_node(&view, at), energy);
    for (int32_t n = 0; all > 0.0 && n < view.node_count; n++) {
        double share = brushed(body, &view, n, at, radius) / all;
        if (share > 0.0) body->ops->solid->warm(body->state, n, share * energy);
    }
    return FR_OK;
}

FrResult fr_body_temperature(FrWorld *w, FrBodyId id, FrVec3 at, double *temperature) {
    FR_NEED_ALL(fr_world_context(w), w && temperature);

    int32_t index;
    FrShapeView view;
    FR_TRY(fr_world_need(w, id, &index));
    *temperature = FR_AIR;
    if (fr_world_need_warm(w, index) != FR_OK) return FR_OK;
    const FrBody *body = &w->body.data[index];
    body->ops->view(body->state, &view);
    *temperature = body->ops->solid->temperature(body->state)[nearest_node(&view, at)];
    return FR_OK;
}

void fr_world_heat(const FrWorld *w, FrHeat *heat) {
    if (!w || !heat) return;
    *heat = (FrHeat){0};
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        FrHeat one;
        if (!body->ops->solid || !body->ops->solid->heat) continue;
        body->ops->solid->heat(body->state, &one);
        heat->stored += one.stored, heat->brought += one.brought, heat->lost += one.lost;
    }
}

bool fr_world_is_pushed(const FrWorld *w, const FrBody *body) {
    bool any = false;
    for (int32_t k = 0; k < w->external.grab.count; k++)
        any = any || w->external.grab.data[k].body.index1 == body->number + 1;
    for (int32_t k = 0; k < w->external.push.count; k++)
        any = any || w->external.push.data[k].body.index1 == body->number + 1;
    return any;
}

static void drop_expired(FrWorld *w) {
    double now = fr_world_time(w) + 1e-9 * w->def.step;
    int32_t kept = 0;
    for (int32_t k = 0; k < w->external.grab.count; k++) {
        FrGrab *grab = &w->external.grab.data[k];
        if (now < grab->until)
            w->external.grab.data[kept++] = *grab;
        else
            fr_world_free_grab(w->ctx, grab);
    }
    w->external.grab.count = kept;
}

FrResult fr_world_begin_external(FrWorld *w) {
    double h = w->def.step;
    begin_steady(w);
    drop_expired(w);
    for (int32_t k = 0; k < w->external.grab.count; k++) {
        FrGrab *grab = &w->external.grab.data[k];
        FR_TRY(take_up(w, fr_world_find(w, grab->body), &grab->at));
    }
    for (int32_t k = 0; k < w->external.push.count; k++) {
        FrPush *push = &w->external.push.data[k];
        int32_t index = fr_world_find(w, push->body);
        FR_TRY(take_up(w, index, &push->at));
        const FrBody *body = &w->body.data[index];
        if (body->ops->solid) continue;
        FrVec3 x = fr_world_anchor_place(body, &push->at, &w->frames), force = push->force;
        fr_world_press_modes(w, body, &push->at, force);
        if (body->frame >= 0)
            fr_world_kick_frame(w, body, x, fr_scale(h, force), fr_scale(h, push->torque));
        else
            fr_world_kick_whole(w, body, x, fr_scale(h, force));
    }
    fr_world_pull_wholes(w);
    return fr_world_begin_pulls(w);
}

// m_n (a x r_n) on each node, I a the torque
static void twist(const FrBody *body, FrVec3 torque) {
    const FrSolidOps *solid = body->ops->solid;
    FrWhole whole = fr_world_whole(body);
    FrVec3 a = fr_mat3_apply(fr_mat3_inverse(whole.inertia), torque);
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t n = 0; n < view.node_count; n++) {
        if (solid->left(body->state, n)) continue;
        FrVec3 r = fr_sub(fr_get3(view.p, n), whole.centre);
        solid->load(body->state, n, fr_scale(solid->node_mass(body->state, n), fr_cross(a, r)));
    }
}

void fr_world_apply_external(FrWorld *w, int32_t index, double t, double dt) {
    const FrBody *body = &w->body.data[index];
    FrShapeView view;
    fr_world_apply_grabs(w, index, t, dt);
    body->ops->view(body->state, &view);
    for (int32_t k = 0; k < w->external.push.count; k++) {
        FrPush *push = &w->external.push.data[k];
        if (push->body.index1 != body->number + 1) continue;
        if (push->at.at.tet < 0) {
            twist(body, push->torque);
            continue;
        }
        fr_world_anchor_place(body, &push->at, &w->frames);
        for (int i = 0; i < 4; i++)
            body->ops->solid->load(body->state, view.tet[push->at.at.tet][i],
                                   fr_scale(push->at.at.b[i], push->force));
    }
}
