// external.c: bodies as callers read and set them: motion, place, velocity, sleep, surface.

#include "world/member.h"
#include <string.h>

FrWhole fr_world_whole(const FrBody *body) {
    const FrSolidOps *solid = body->ops->solid;
    FrWhole w = {0};
    FrShapeView view;
    FrVec3 turn = fr_vec3_zero;
    body->ops->view(body->state, &view);
    for (int32_t n = 0; n < view.node_count; n++) {
        if (solid->left(body->state, n)) continue;
        double m = solid->node_mass(body->state, n);
        w.mass += m;
        w.centre = fr_axpy(m, fr_get3(view.p, n), w.centre);
        w.velocity = fr_axpy(m, fr_get3(view.v, n), w.velocity);
    }
    w.centre = fr_scale(1.0 / w.mass, w.centre);
    w.velocity = fr_scale(1.0 / w.mass, w.velocity);
    for (int32_t n = 0; n < view.node_count; n++) {
        if (solid->left(body->state, n)) continue;
        double m = solid->node_mass(body->state, n);
        FrVec3 r = fr_sub(fr_get3(view.p, n), w.centre);
        FrVec3 v = fr_sub(fr_get3(view.v, n), w.velocity);
        double m2 = m * fr_dot(r, r);
        FrMat3 round = {{m2, 0, 0}, {0, m2, 0}, {0, 0, m2}};
        w.inertia = fr_mat3_add(w.inertia, fr_mat3_axpy(-m, fr_outer(r, r), round));
        turn = fr_axpy(m, fr_cross(r, v), turn);
    }
    w.spin = fr_mat3_apply(fr_mat3_inverse(w.inertia), turn);
    return w;
}

// of its material, kg: without what the floor of steps put on nodes, and without dust
static double mass_left(const FrBody *body) {
    FrVec3 impulse;
    double mass;
    body->ops->impulse(body->state, &impulse, &mass);
    return body->ops->pieces ? mass - body->ops->pieces->step_cost(body->state).dust_mass : mass;
}

FrResult fr_body_motion(FrWorld *w, FrBodyId id, FrBodyMotion *motion) {
    FR_NEED_ALL(fr_world_context(w), w && motion);

    int32_t index;
    *motion = (FrBodyMotion){.rotation = fr_quat_identity};
    FR_TRY(fr_world_need(w, id, &index));
    const FrBody *body = &w->body.data[index];
    if (body->frame >= 0) {
        const FrRigid *r = w->frames.frame.data[body->frame].part.rigid;
        *motion = (FrBodyMotion){r->mass, r->x, r->q, r->v, fr_rigid_spin(r)};
        return FR_OK;
    }
    if (fr_world_is_ball(body)) {
        FrBall ball = fr_world_ball(body);
        *motion = (FrBodyMotion){mass_left(body), ball.x, ball.q, ball.v, ball.spin};
        return FR_OK;
    }
    FrWhole whole = fr_world_whole(body);
    *motion =
        (FrBodyMotion){mass_left(body), whole.centre, fr_quat_identity, whole.velocity, whole.spin};
    return FR_OK;
}

// dust stays where it left
static bool is_there(const FrBody *body, int32_t node) {
    return !body->ops->solid->left(body->state, node);
}

// FR_BAD_USE: supports say where the solid is
static FrResult need_loose(FrWorld *w, const FrBody *body) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t n = 0; n < view.node_count; n++)
        if (is_there(body, n) && body->ops->solid->is_supported(body->state, n))
            return fr_fail(w->ctx, FR_BAD_USE, "%s: node %d is supported; let go of it first",
                           body->name, n);
    return FR_OK;
}

// copies of its nodes, to be changed
static FrResult copy_nodes(FrWorld *w, const FrShapeView *view) {
    w->external.p.count = w->external.v.count = 0;
    if (!fr_array_extend(w->ctx, &w->external.p, 3 * view->node_count) ||
        !fr_array_extend(w->ctx, &w->external.v, 3 * view->node_count))
        return fr_no_memory(w->ctx, "nodes of a body");
    size_t size = 3 * (size_t)view->node_count * sizeof(double);
    memcpy(w->external.p.data, view->p, size);
    memcpy(w->external.v.data, view->v, size);
    return FR_OK;
}

// the rigid part of its motion stays, what swings turns with it
static FrResult place_solid(FrWorld *w, const FrBody *body, FrVec3 centre, FrQuat rotation) {
    FrShapeView view;
    FR_TRY(need_loose(w, body));
    body->ops->view(body->state, &view);
    FR_TRY(copy_nodes(w, &view));
    FrWhole whole = fr_world_whole(body);
    FrMat3 R = fr_quat_mat3(rotation);
    for (int32_t n = 0; n < view.node_count; n++) {
        if (!is_there(body, n)) continue;
        FrVec3 r = fr_sub(fr_get3(view.p, n), whole.centre), turned = fr_mat3_apply(R, r);
        FrVec3 rigid = fr_add(whole.velocity, fr_cross(whole.spin, r));
        FrVec3 swing = fr_mat3_apply(R, fr_sub(fr_get3(view.v, n), rigid));
        FrVec3 carried = fr_add(whole.velocity, fr_cross(whole.spin, turned));
        fr_set3(w->external.p.data, n, fr_add(centre, turned));
        fr_set3(w->external.v.data, n, fr_add(carried, swing));
    }
    body->ops->solid->put(body->state, w->external.p.data, w->external.v.data, w->gravity);
    return FR_OK;
}

// contacts of a frame that is elsewhere now are found anew
static void forget_pairs(FrFrames *f, int32_t frame) {
    for (int32_t k = 0; k < f->pair.count; k++)
        if (f->pair.data[k].a == frame || f->pair.data[k].b == frame)
            f->pair.data[k].count = 0, f->pair.data[k].margin = 0.0;
}

static FrResult place_frame(FrWorld *w, const FrBody *body, FrVec3 centre, FrQuat rotation) {
    const FrFrame *frame = &w->frames.frame.data[body->frame];
    FrRigid *r = frame->part.rigid;
    if (body->kinematic && frame->ops->travels(body->state))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: it is where its track says", body->name);
    double before = fr_rigid_kinetic(r);
    FrVec3 spin = fr_rigid_spin(r);
    r->x = centre;
    r->q = fr_quat_normalize(rotation);
    fr_rigid_set_spin(r, spin);
    *frame->part.outer_work += fr_rigid_kinetic(r) - before;
    if (body->kinematic) frame->ops->stay(body->state);
    frame->ops->place(body->state);
    fr_world_place_sphere(w, body);
    forget_pairs(&w->frames, body->frame);
    return FR_OK;
}

static FrResult place_body(FrWorld *w, const FrBody *body, FrVec3 centre, FrQuat rotation) {
    if (body->frame >= 0) return place_frame(w, body, centre, rotation);
    if (body->ops->solid) return place_solid(w, body, centre, rotation);
    FrBall ball = fr_world_ball(body);
    ball.x = centre, ball.q = fr_quat_normalize(rotation);
    fr_world_put_ball(w, body, &ball);
    return FR_OK;
}

static bool unit_quat(FrQuat q) {
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6;
}

FrResult fr_body_set_place(FrWorld *w, FrBodyId id, FrVec3 centre, FrQuat rotation) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    const FrBody *body = &w->body.data[index];
    if (!body->kinematic) FR_TRY(fr_world_need_movable(w, id, &index));
    if (!fr_vec3_finite(centre) || !unit_quat(rotation))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: its place must be finite, its rotation a unit quaternion", body->name);
    fr_world_wake(w, index);
    fr_world_wake_near(w, index);
    FR_TRY(place_body(w, body, centre, rotation));
    fr_stick_forget(w->stick, body->item);
    fr_world_wake_near(w, index);
    return FR_OK;
}

static FrResult hurry_solid(FrWorld *w, const FrBody *body, FrVec3 velocity, FrVec3 spin) {
    FrShapeView view;
    FR_TRY(need_loose(w, body));
    body->ops->view(body->state, &view);
    FR_TRY(copy_nodes(w, &view));
    FrWhole whole = fr_world_whole(body);
    FrVec3 more = fr_sub(velocity, whole.velocity), turn = fr_sub(spin, whole.spin);
    for (int32_t n = 0; n < view.node_count; n++) {
        if (!is_there(body, n)) continue;
        FrVec3 r = fr_sub(fr_get3(view.p, n), whole.centre);
        fr_add3(w->external.v.data, n, fr_add(more, fr_cross(turn, r)));
    }
    body->ops->solid->put(body->state, NULL, w->external.v.data, w->gravity);
    return FR_OK;
}

FrResult fr_body_set_velocity(FrWorld *w, FrBodyId id, FrVec3 velocity, FrVec3 spin) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FR_TRY(fr_world_need_movable(w, id, &index));
    const FrBody *body = &w->body.data[index];
    if (!fr_vec3_finite(velocity) || !fr_vec3_finite(spin))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: its velocity and spin must be finite", body->name);
    fr_world_wake(w, index);
    if (body->ops->solid) return hurry_solid(w, body, velocity, spin);
    if (body->frame < 0) {
        FrBall ball = fr_world_ball(body);
        ball.v = velocity, ball.spin = spin;
        fr_world_put_ball(w, body, &ball);
        return FR_OK;
    }
    FrRigid to = *w->frames.frame.data[body->frame].part.rigid, from = to;
    fr_rigid_set_spin(&to, spin);
    FrVec3 impulse = fr_scale(from.mass, fr_sub(velocity, from.v));
    fr_world_kick_frame(w, body, from.x, impulse, fr_sub(to.L, from.L));
    return FR_OK;
}

FrResult fr_body_set_user(FrWorld *w, FrBodyId id, void *user) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    w->body.data[index].user = user;
    return FR_OK;
}

FrResult fr_body_get_user(FrWorld *w, FrBodyId id, void **user) {
    FR_NEED_ALL(fr_world_context(w), w && user);

    int32_t index;
    *user = NULL;
    FR_TRY(fr_world_need(w, id, &index));
    *user = w->body.data[index].user;
    return FR_OK;
}

FrResult fr_body_wake(FrWorld *w, FrBodyId id) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    fr_world_wake(w, index);
    return FR_OK;
}

static void sleep_frame(FrWorld *w, const FrBody *body) {
    FrFrame *frame = &w->frames.frame.data[body->frame];
    FrRigid *r = frame->part.rigid;
    fr_world_kick_frame(w, body, r->x, fr_scale(-r->mass, r->v), fr_neg(r->L));
    r->v = r->L = fr_vec3_zero; // rounding may be left
    frame->asleep = true;
}

// all that moves of it stops
static FrResult stop_solid(FrWorld *w, const FrBody *body) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    FR_TRY(copy_nodes(w, &view));
    for (int32_t n = 0; n < view.node_count; n++) fr_set3(w->external.v.data, n, fr_vec3_zero);
    body->ops->solid->put(body->state, NULL, w->external.v.data, w->gravity);
    return FR_OK;
}

// pieces that were still for long enough, and touch nothing that moves
static FrResult sleep_pieces(FrWorld *w, FrBody *body) {
    const FrPieceOps *pieces = body->ops->pieces;
    double span = fr_max(w->def.sleep_time, w->def.step);
    FR_TRY(stop_solid(w, body));
    FR_TRY(pieces->begin_motion(body->state));
    pieces->end_motion(body->state);
    pieces->note_still(body->state, span, HUGE_VAL);
    FR_TRY(pieces->begin_springs(body->state));
    pieces->fall_asleep(body->state, span);
    body->asleep = true;
    body->still = span;
    body->sunk = 0.0;
    return FR_OK;
}

static FrResult sleep_solid(FrWorld *w, FrBody *body) {
    const FrPieceOps *pieces = pieces_of(body);
    if (pieces && pieces->rests(body->state)) return FR_OK;
    if (pieces && pieces->all_rigid(body->state)) return sleep_pieces(w, body);
    if (pieces && pieces->stay(body->state, w->gravity)) return FR_OK;
    return fr_fail(w->ctx, FR_BAD_USE,
                   "%s: parts of it deform, and not all of these hang on supports that never move: "
                   "what is rigid sleeps, what such supports carry rests",
                   body->name);
}

FrResult fr_body_sleep(FrWorld *w, FrBodyId id) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FR_TRY(fr_world_need_movable(w, id, &index));
    FrBody *body = &w->body.data[index];
    if (fr_world_is_ball(body))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: its model, %s, never sleeps", body->name,
                       body->ops->name);
    if (body->ops->solid) return sleep_solid(w, body);
    sleep_frame(w, body);
    return FR_OK;
}

FrResult fr_body_asleep(FrWorld *w, FrBodyId id, bool *asleep) {
    FR_NEED_ALL(fr_world_context(w), w && asleep);

    int32_t index;
    *asleep = false;
    FR_TRY(fr_world_need(w, id, &index));
    const FrBody *body = &w->body.data[index];
    bool rests = pieces_of(body) && body->ops->pieces->rests(body->state);
    *asleep = body->frame >= 0 ? w->frames.frame.data[body->frame].asleep : body->asleep || rests;
    return FR_OK;
}

FrResult fr_world_set_gravity(FrWorld *w, FrVec3 gravity) {
    FR_NEED_ALL(fr_world_context(w), w);

    if (!fr_vec3_finite(gravity))
        return fr_fail(w->ctx, FR_BAD_USE, "gravity must be finite, not (%g, %g, %g)", gravity.x,
                       gravity.y, gravity.z);
    bool other = fr_length2(fr_sub(gravity, w->gravity)) > 0.0;
    for (int32_t k = 0; k < w->body.count; k++) fr_world_wake(w, k);
    for (int32_t k = 0; other && k < w->body.count; k++) FR_TRY(fr_world_deform_all(w, k));
    w->gravity = gravity;
    return FR_OK;
}

void fr_world_show_surface(FrWorld *w, const FrBody *body) {
    const FrMaterial *m = &body->material[0];
    FrMover *mover = &w->mover.data[body->item];
    mover->friction_static = m->friction_static;
    mover->friction_dynamic = m->friction_dynamic;
    mover->restitution = m->restitution;
    if (body->frame < 0) return;
    FrFrame *frame = &w->frames.frame.data[body->frame];
    frame->friction_static = m->friction_static;
    frame->friction_dynamic = m->friction_dynamic;
    frame->restitution = m->restitution;
}

// the first field that a body was made with and that is another now; NULL: none is
static const char *made_with(const FrMaterial *a, const FrMaterial *b) {
    const struct {
        const char *name;
        double was, is;
    } field[] = {{"density", a->density, b->density},
                 {"lambda", a->lambda, b->lambda},
                 {"mu", a->mu, b->mu},
                 {"anisotropic", a->anisotropic, b->anisotropic},
                 {"strength", a->strength, b->strength},
                 {"Gc", a->Gc, b->Gc},
                 {"tau", a->tau, b->tau},
                 {"yield_strain", a->yield_strain, b->yield_strain},
                 {"plastic_limit", a->plastic_limit, b->plastic_limit},
                 {"crack_alpha", a->crack_alpha, b->crack_alpha},
                 {"creep", a->creep, b->creep},
                 {"conductivity", a->conductivity, b->conductivity},
                 {"heat_capacity", a->heat_capacity, b->heat_capacity},
                 {"cooling", a->cooling, b->cooling},
                 {"softens", a->softens, b->softens},
                 {"melts", a->melts, b->melts}};
    for (size_t k = 0; k < sizeof field / sizeof field[0]; k++)
        if (field[k].was < field[k].is || field[k].was > field[k].is) return field[k].name;
    return a->anisotropic && memcmp(a->C, b->C, sizeof a->C) != 0 ? "C" : NULL;
}

static bool damps_alike(const FrMaterial *a, const FrMaterial *b) {
    const double was[] = {a->alpha1, a->alpha2, a->phi, a->psi, a->eta};
    const double is[] = {b->alpha1, b->alpha2, b->phi, b->psi, b->eta};
    return memcmp(was, is, sizeof was) == 0;
}

void fr_world_take_material(FrBody *body, int32_t index, const FrMaterial *from) {
    FrMaterial *m = &body->material[index];
    m->friction_static = from->friction_static;
    m->friction_dynamic = from->friction_dynamic;
    m->restitution = from->restitution;
    if (damps_alike(m, from)) return;
    m->alpha1 = from->alpha1, m->alpha2 = from->alpha2, m->eta = from->eta;
    m->phi = from->phi, m->psi = from->psi;
    if (body->ops->solid) body->ops->solid->set_damping(body->state, index, m);
}

FrResult fr_body_set_material(FrWorld *w, FrBodyId id, int32_t index, const FrMaterial *material) {
    FR_NEED_ALL(fr_world_context(w), w && material);

    int32_t at;
    FR_TRY(fr_world_need(w, id, &at));
    FrBody *body = &w->body.data[at];
    if (index < 0 || index >= body->material_count)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: it has %d materials, none of number %d", body->name,
                       body->material_count, index);
    FR_TRY(fr_material_check(w->ctx, material));
    // damping that was lowered for it is lowered again
    FrMaterial as_made = *material;
    as_made.alpha1 *= body->damping_kept;
    as_made.phi *= body->damping_kept;
    as_made.psi *= body->damping_kept;
    const char *other = made_with(&body->material[index], &as_made);
    if (other)
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: it was made with another %s; friction, restitution and damping can "
                       "change",
                       body->name, other);
    if (fr_world_is_ball(body) && !damps_alike(&body->material[index], &as_made))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: its model, %s, was made with its damping",
                       body->name, body->ops->name);
    fr_world_wake(w, at);
    fr_world_take_material(body, index, &as_made);
    fr_world_show_surface(w, body);
    return FR_OK;
}
