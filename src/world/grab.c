// grab.c: springs from points of bodies to targets that a caller moves, taken implicitly.
//
// With the place x of the point from its target and its velocity v, both of the end of a step of h
//     J = -h (k x' + c v'),  v' = v + m J,  x' = x + h v'
// give J = -h (k x + (c + k h) v) / (1 + m h (c + h k)), m the mobility of the point.

#include "world/member.h"
#include "world/track.h"
#include "world/world_tuning.h"
#include <string.h>

FrGrabDef fr_grab_def_default(void) {
    return (FrGrabDef){.stiffness = 100.0,
                       .damping = 10.0,
                       .max_force = HUGE_VAL,
                       .until = HUGE_VAL,
                       .cookie = FR_COOKIE};
}

void fr_world_free_grab(FrContext *ctx, FrGrab *grab) { fr_track_free(ctx, &grab->track); }

static FrResult check_kind(FrWorld *w, const FrGrabDef *def, const FrBody *body) {
    bool frame = body->frame >= 0;
    if ((int)def->kind < FR_PULL_SPRING || (int)def->kind > FR_PULL_ACCELERATION)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: no grab has kind %d", body->name, (int)def->kind);
    if (!frame && def->kind > FR_PULL_PLACE)
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: velocities and accelerations of points are for frames; its model is %s",
                       body->name, body->ops->name);
    if (def->by_count < 0 || def->by_count > FR_PULL_POINTS ||
        (def->by_count && (!frame || def->kind == FR_PULL_SPRING)))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: an exact grab of a frame may act at up to %d other places, not at %d",
                       body->name, FR_PULL_POINTS, def->by_count);
    if (!fr_vec3_finite(def->value) || !(def->until >= 0.0))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: what a grab asks for must be finite, and it cannot let go at %g s",
                       body->name, def->until);
    return FR_OK;
}

FrResult fr_grab_create(FrWorld *w, const FrGrabDef *def, FrGrabId *id) {
    FR_NEED_ALL(fr_world_context(w), w && def);

    FR_NEED(w->ctx, def->cookie == FR_COOKIE, "start from fr_grab_def_default()");
    FR_NEED(w->ctx, def->by || def->by_count <= 0, "give the places of the forces");
    int32_t index;
    FrGrab grab = {.number = w->next_hold,
                   .body = def->body,
                   .target = def->target,
                   .stiffness = def->stiffness,
                   .damping = def->damping,
                   .max_force = def->max_force,
                   .kind = def->kind,
                   .value = def->value,
                   .by_count = def->by_count,
                   .start = def->target,
                   .until = def->until};
    if (id) *id = (FrGrabId){0};
    FR_TRY(fr_world_need_number(w, w->next_hold, "grabs"));
    FR_TRY(fr_world_need_movable(w, def->body, &index));
    if (!(def->stiffness >= 0.0 && isfinite(def->stiffness)) ||
        !(def->damping >= 0.0 && isfinite(def->damping)) || !(def->max_force >= 0.0) ||
        !fr_vec3_finite(def->target))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: stiffness %g and damping %g of a grab must be finite, not below 0, its "
                       "target finite, its max_force %g not below 0",
                       w->body.data[index].name, def->stiffness, def->damping, def->max_force);
    FR_TRY(check_kind(w, def, &w->body.data[index]));
    FR_TRY(fr_world_anchor(w, index, def->at, &grab.at));
    for (int32_t k = 0; k < def->by_count; k++)
        FR_TRY(fr_world_anchor(w, index, def->by[k], &grab.by[k]));
    if (!fr_array_reserve(w->ctx, &w->external.grab, 1)) return fr_no_memory(w->ctx, "a grab");
    if (def->track.count) FR_TRY(fr_track_copy(w->ctx, &def->track, &grab.track));
    (void)fr_array_push(w->ctx, &w->external.grab, grab); // room is there
    w->next_hold++;
    if (id) *id = (FrGrabId){w->next_hold};
    return FR_OK;
}

static FrResult need_grab(FrWorld *w, FrGrabId id, int32_t *found) {
    for (*found = 0; *found < w->external.grab.count; (*found)++)
        if (w->external.grab.data[*found].number == id.index1 - 1) return FR_OK;
    return fr_fail(w->ctx, FR_BAD_USE, "no grab has id %d: it is gone, or never was", id.index1);
}

FrResult fr_grab_move(FrWorld *w, FrGrabId id, FrVec3 target) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t k;
    FR_TRY(need_grab(w, id, &k));
    if (!fr_vec3_finite(target))
        return fr_fail(w->ctx, FR_BAD_USE, "the target of a grab must be finite");
    w->external.grab.data[k].target = w->external.grab.data[k].start = target;
    return FR_OK;
}

FrResult fr_grab_destroy(FrWorld *w, FrGrabId id) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t k;
    FR_TRY(need_grab(w, id, &k));
    FrGrab *grab = &w->external.grab.data[k];
    fr_world_free_grab(w->ctx, grab);
    memmove(grab, grab + 1, (size_t)(--w->external.grab.count - k) * sizeof *grab);
    return FR_OK;
}

FrResult fr_grab_report(FrWorld *w, FrGrabId id, FrGrabReport *report) {
    FR_NEED_ALL(fr_world_context(w), w && report);

    int32_t k;
    *report = (FrGrabReport){.rank = 0};
    FR_TRY(need_grab(w, id, &k));
    *report = w->external.grab.data[k].report;
    return FR_OK;
}

// what the point gets in a step of h, N s
static FrVec3 pull(const FrGrab *grab, FrVec3 target, FrVec3 x, FrVec3 v, FrMat3 mobility,
                   double h) {
    double k = grab->stiffness, c = grab->damping;
    double m = (mobility.c0.x + mobility.c1.y + mobility.c2.z) / 3.0;
    if (grab->kind == FR_PULL_PLACE && m > 0.0) k = FR_PULL_STIFF / (m * h * h), c = 0.0;
    FrMat3 one = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    FrMat3 A = fr_mat3_axpy(h * (c + h * k), mobility, one);
    FrVec3 want = fr_axpy(c + k * h, v, fr_scale(k, fr_sub(x, target)));
    FrVec3 force = fr_mat3_apply(fr_mat3_inverse(A), want);
    double size = fr_length(force), most = grab->max_force;
    return fr_scale(size > most ? -h * most / size : -h, force);
}

static FrMat3 even_mobility(double m) { return (FrMat3){{m, 0, 0}, {0, m, 0}, {0, 0, m}}; }

static FrMat3 frame_mobility(const FrWorld *w, const FrBody *body, const FrAnchor *at, FrVec3 x) {
    const FrFrameParts *part = &w->frames.frame.data[body->frame].part;
    FrMat3 K = fr_rigid_mobility(part->rigid, x, x), R = fr_quat_mat3(part->rigid->q);
    if (!part->bend) return K;
    if (part->bend->held) K = even_mobility(0.0);
    FrGrip grip = fr_world_anchor_grip(w, body, at);
    const double *share = part->bend->whole.T > 0.0 ? part->bend->whole.weight : NULL;
    FrMat3 W = fr_bend_mobility(part->bend, &grip, share);
    return fr_mat3_add(K, fr_mat3_mul(R, fr_mat3_mul(W, fr_mat3_transpose(R))));
}

// does a frame turn by little in a step of h that begins with the impulse J at x?
static bool turns_little(const FrRigid *r, FrVec3 x, FrVec3 J, double h) {
    FrVec3 spin = fr_rigid_spin(r), moment = fr_cross(fr_sub(x, r->x), J);
    FrVec3 then = fr_add(spin, fr_mat3_apply(fr_rigid_inv_inertia(r), moment));
    return h * fr_max(fr_length(spin), fr_length(then)) <= FR_GRAB_TURN;
}

// What turns farther goes about its centre meanwhile, so the spring pulls there: x + h v would be
// off by much more than the body is large, and what is pulled for that whirls it ever faster. A
// damper at a place that goes round has no mean force, but a mean couple against the spin. All
// together no more than max_force.
static void pull_centre(FrWorld *w, const FrGrab *grab, const FrBody *body, FrVec3 x,
                        FrVec3 target) {
    const FrRigid *r = w->frames.frame.data[body->frame].part.rigid;
    double h = w->def.step, arm = fr_distance(x, r->x), c = grab->damping;
    FrVec3 J = pull(grab, target, r->x, r->v, even_mobility(1.0 / r->mass), h);
    FrVec3 spin = fr_rigid_spin(r);
    double left = fr_max(0.0, grab->max_force - fr_length(J) / h), L2 = fr_length2(r->L);
    if (c * arm * fr_length(spin) > left) c = left / (arm * fr_length(spin));
    double share = L2 > 0.0 ? h * c * arm * arm * fr_dot(r->L, spin) / L2 : 0.0;
    fr_world_kick_frame(w, body, r->x, J, fr_scale(-share / (1.0 + share), r->L));
}

void fr_world_pull_wholes(FrWorld *w) {
    for (int32_t k = 0; k < w->external.grab.count; k++) {
        FrGrab *grab = &w->external.grab.data[k];
        const FrBody *body = &w->body.data[fr_world_find(w, grab->body)];
        FrPoint at = grab->at.at;
        if (body->ops->solid || fr_world_pulls_exactly(w, grab)) continue;
        FrVec3 x = fr_world_anchor_place(body, &grab->at, &w->frames);
        FrVec3 v = body->ops->velocity(body->state, at, x);
        FrMat3 mobility = body->frame >= 0
                              ? frame_mobility(w, body, &grab->at, x)
                              : even_mobility(body->ops->inverse_mass(body->state, at, x));
        FrVec3 target = fr_world_grab_target(grab, fr_world_time(w) + w->def.step);
        FrVec3 J = pull(grab, target, x, v, mobility, w->def.step);
        if (body->frame >= 0 &&
            !turns_little(w->frames.frame.data[body->frame].part.rigid, x, J, w->def.step)) {
            pull_centre(w, grab, body, x, target);
            continue;
        }
        fr_world_press_modes(w, body, &grab->at, fr_scale(1.0 / w->def.step, J));
        fr_world_kick_whole(w, body, x, J);
    }
}

// at least that of the point in any direction, 1/kg
static double mobility_at(const FrBody *body, FrPoint at, FrVec3 x) {
    const FrPieceOps *pieces = pieces_of(body);
    double sum = 0.0;
    if (!pieces || !pieces->is_rigid(body->state, at.tet))
        return FR_NODE_SLACK * body->ops->inverse_mass(body->state, at, x);
    static const FrVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) sum += pieces->give(body->state, at.tet, x, axis[i]);
    return sum;
}

void fr_world_apply_grabs(FrWorld *w, int32_t index, double t, double dt) {
    const FrBody *body = &w->body.data[index];
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t k = 0; k < w->external.grab.count; k++) {
        FrGrab *grab = &w->external.grab.data[k];
        if (grab->body.index1 != body->number + 1) continue;
        FrVec3 x = fr_world_anchor_place(body, &grab->at, &w->frames);
        FrPoint at = grab->at.at;
        FrVec3 v = body->ops->velocity(body->state, at, x);
        FrMat3 mobility = even_mobility(mobility_at(body, at, x));
        FrVec3 force =
            fr_scale(1.0 / dt, pull(grab, fr_world_grab_target(grab, t + dt), x, v, mobility, dt));
        for (int i = 0; i < 4; i++)
            body->ops->solid->load(body->state, view.tet[at.tet][i], fr_scale(at.b[i], force));
    }
}

void fr_world_drop_external(FrWorld *w, FrBodyId body) {
    FrExternal *external = &w->external;
    int32_t kept = 0;
    for (int32_t k = 0; k < external->grab.count; k++)
        if (external->grab.data[k].body.index1 != body.index1)
            external->grab.data[kept++] = external->grab.data[k];
        else
            fr_world_free_grab(w->ctx, &external->grab.data[k]);
    external->grab.count = kept;
    kept = 0;
    for (int32_t k = 0; k < external->push.count; k++)
        if (external->push.data[k].body.index1 != body.index1)
            external->push.data[kept++] = external->push.data[k];
    external->push.count = kept;
}

void fr_world_free_external(FrWorld *w) {
    for (int32_t k = 0; k < w->external.grab.count; k++)
        fr_world_free_grab(w->ctx, &w->external.grab.data[k]);
    fr_array_free(w->ctx, &w->external.push);
    fr_array_free(w->ctx, &w->external.grab);
    fr_array_free(w->ctx, &w->external.p);
    fr_array_free(w->ctx, &w->external.v);
}
