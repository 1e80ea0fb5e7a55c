// hands.c: bodies as callers read and set them: motion, place, velocity, sleep, surface.

#include "world/member.h"
#include <string.h>

FrWhole fr_world_whole(const FrBody *body) {
    const FrSolidOps *solid = body->ops->solid;
    FrWhole w = {0};
    FrShapeView view;
    FrVec3 turn = fr_vec3_zero;
    body->ops->view(body->state, &view);
    for (int32_t n = 0; n < view.node_count; n++) {
        double m = solid->node_mass(body->state, n);
        w.mass += m;
        w.centre = fr_axpy(m, fr_get3(view.p, n), w.centre);
        w.velocity = fr_axpy(m, fr_get3(view.v, n), w.velocity);
    }
    w.centre = fr_scale(1.0 / w.mass, w.centre);
    w.velocity = fr_scale(1.0 / w.mass, w.velocity);
    for (int32_t n = 0; n < view.node_count; n++) {
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

FrResult fr_body_motion(FrWorld *w, FrBodyId id, FrBodyMotion *motion) {
    int32_t index;
    *motion = (FrBodyMotion){.rotation = fr_quat_identity};
    FR_TRY(fr_world_need(w, id, &index));
    const FrBody *body = &w->body.data[index];
    if (body->frame >= 0) {
        const FrRigid *r = w->frames.frame.data[body->frame].part.rigid;
        *motion = (FrBodyMotion){r->mass, r->x, r->q, r->v, fr_rigid_spin(r)};
        return FR_OK;
    }
    if (!body->ops->solid) return fr_world_need_movable(w, id, &index);
    FrWhole whole = fr_world_whole(body);
    *motion =
        (FrBodyMotion){whole.mass, whole.centre, fr_quat_identity, whole.velocity, whole.spin};
    return FR_OK;
}

// FR_BAD_USE: supports say where the solid is
static FrResult need_loose(FrWorld *w, const FrBody *body) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t n = 0; n < view.node_count; n++)
        if (body->ops->solid->is_supported(body->state, n))
            return fr_fail(w->ctx, FR_BAD_USE, "%s: node %d is supported; let go of it first",
                           body->name, n);
    return FR_OK;
}

// copies of its nodes, to be changed
static FrResult copy_nodes(FrWorld *w, const FrShapeView *view) {
    w->hands.p.count = w->hands.v.count = 0;
    if (!fr_array_extend(w->ctx, &w->hands.p, 3 * view->node_count) ||
        !fr_array_extend(w->ctx, &w->hands.v, 3 * view->node_count))
        return fr_no_memory(w->ctx, "nodes of a body");
    size_t size = 3 * (size_t)view->node_count * sizeof(double);
    memcpy(w->hands.p.data, view->p, size);
    memcpy(w->hands.v.data, view->v, size);
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
        FrVec3 r = fr_sub(fr_get3(view.p, n), whole.centre), turned = fr_mat3_apply(R, r);
        FrVec3 rigid = fr_add(whole.velocity, fr_cross(whole.spin, r));
        FrVec3 swing = fr_mat3_apply(R, fr_sub(fr_get3(view.v, n), rigid));
        FrVec3 carried = fr_add(whole.velocity, fr_cross(whole.spin, turned));
        fr_set3(w->hands.p.data, n, fr_add(centre, turned));
        fr_set3(w->hands.v.data, n, fr_add(carried, swing));
    }
    body->ops->solid->put(body->state, w->hands.p.data, w->hands.v.data, w->def.gravity);
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

static bool unit_quat(FrQuat q) {
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6;
}

FrResult fr_body_set_place(FrWorld *w, FrBodyId id, FrVec3 centre, FrQuat rotation) {
    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    const FrBody *body = &w->body.data[index];
    if (!body->kinematic) FR_TRY(fr_world_need_movable(w, id, &index));
    if (!fr_vec3_finite(centre) || !unit_quat(rotation))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: its place must be finite, its rotation a unit quaternion", body->name);
    fr_world_wake(w, index);
    fr_world_wake_near(w, index);
    FR_TRY(body->frame >= 0 ? place_frame(w, body, centre, rotation)
                            : place_solid(w, body, centre, rotation));
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
        FrVec3 r = fr_sub(fr_get3(view.p, n), whole.centre);
        fr_add3(w->hands.v.data, n, fr_add(more, fr_cross(turn, r)));
    }
    body->ops->solid->put(body->state, NULL, w->hands.v.data, w->def.gravity);
    return FR_OK;
}

FrResult fr_body_set_velocity(FrWorld *w, FrBodyId id, FrVec3 velocity, FrVec3 spin) {
    int32_t index;
    FR_TRY(fr_world_need_movable(w, id, &index));
    const FrBody *body = &w->body.data[index];
    if (!fr_vec3_finite(velocity) || !fr_vec3_finite(spin))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: its velocity and spin must be finite", body->name);
    fr_world_wake(w, index);
    if (body->frame < 0) return hurry_solid(w, body, velocity, spin);
    FrRigid to = *w->frames.frame.data[body->frame].part.rigid, from = to;
    fr_rigid_set_spin(&to, spin);
    FrVec3 impulse = fr_scale(from.mass, fr_sub(velocity, from.v));
    fr_world_kick_frame(w, body, from.x, impulse, fr_sub(to.L, from.L));
    return FR_OK;
}

FrResult fr_body_set_user(FrWorld *w, FrBodyId id, void *user) {
    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    w->body.data[index].user = user;
    return FR_OK;
}

FrResult fr_body_get_user(FrWorld *w, FrBodyId id, void **user) {
    int32_t index;
    *user = NULL;
    FR_TRY(fr_world_need(w, id, &index));
    *user = w->body.data[index].user;
    return FR_OK;
}

FrResult fr_body_wake(FrWorld *w, FrBodyId id) {
    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    fr_world_wake(w, index);
    return FR_OK;
}

FrResult fr_body_sleep(FrWorld *w, FrBodyId id) {
    int32_t index;
    FR_TRY(fr_world_need_movable(w, id, &index));
    const FrBody *body = &w->body.data[index];
    if (body->frame < 0)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: only frames are put to sleep", body->name);
    FrFrame *frame = &w->frames.frame.data[body->frame];
    FrRigid *r = frame->part.rigid;
    fr_world_kick_frame(w, body, r->x, fr_scale(-r->mass, r->v), fr_neg(r->L));
    r->v = r->L = fr_vec3_zero; // rounding may be left
    frame->asleep = true;
    return FR_OK;
}

FrResult fr_body_asleep(FrWorld *w, FrBodyId id, bool *asleep) {
    int32_t index;
    *asleep = false;
    FR_TRY(fr_world_need(w, id, &index));
    const FrBody *body = &w->body.data[index];
    *asleep = body->frame >= 0 ? w->frames.frame.data[body->frame].asleep : body->asleep;
    return FR_OK;
}

FrResult fr_world_set_gravity(FrWorld *w, FrVec3 gravity) {
    if (!fr_vec3_finite(gravity))
        return fr_fail(w->ctx, FR_BAD_USE, "gravity must be finite, not (%g, %g, %g)", gravity.x,
                       gravity.y, gravity.z);
    w->def.gravity = gravity;
    for (int32_t k = 0; k < w->body.count; k++) fr_world_wake(w, k);
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
                 {"alpha1", a->alpha1, b->alpha1},
                 {"alpha2", a->alpha2, b->alpha2},
                 {"phi", a->phi, b->phi},
                 {"psi", a->psi, b->psi},
                 {"eta", a->eta, b->eta},
                 {"strength", a->strength, b->strength},
                 {"Gc", a->Gc, b->Gc},
                 {"tau", a->tau, b->tau},
                 {"yield_strain", a->yield_strain, b->yield_strain},
                 {"plastic_limit", a->plastic_limit, b->plastic_limit},
                 {"crack_alpha", a->crack_alpha, b->crack_alpha}};
    for (size_t k = 0; k < sizeof field / sizeof field[0]; k++)
        if (field[k].was < field[k].is || field[k].was > field[k].is) return field[k].name;
    return a->anisotropic && memcmp(a->C, b->C, sizeof a->C) != 0 ? "C" : NULL;
}

FrResult fr_body_set_material(FrWorld *w, FrBodyId id, const FrMaterial *material) {
    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    FrBody *body = &w->body.data[index];
    FR_TRY(fr_material_check(w->ctx, material));
    // damping that was lowered for it is lowered again
    FrMaterial as_made = *material;
    as_made.alpha1 *= body->damping_kept;
    as_made.phi *= body->damping_kept;
    as_made.psi *= body->damping_kept;
    const char *other = made_with(&body->material[0], &as_made);
    if (other)
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: it was made with another %s; friction_static, friction_dynamic and "
                       "restitution can change",
                       body->name, other);
    body->material[0].friction_static = material->friction_static;
    body->material[0].friction_dynamic = material->friction_dynamic;
    body->material[0].restitution = material->restitution;
    fr_world_show_surface(w, body);
    fr_world_wake(w, index);
    return FR_OK;
}
