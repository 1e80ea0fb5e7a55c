// frames_world.c: a world's rigid frames: added, joined, stepped, and what they did reported as
// events.

#include "base/tasks.h"
#include "event/log.h"
#include "material/laws.h"
#include "world/world.h"
#include <stdlib.h>
#include <string.h>

/// All that is rigid touches by rows; the penalty's scene leaves it to them.
#define RIGID_LAYER 1

// (1 - nu^2) / E, nu = lambda / (2 (lambda + mu))
static double yielding_of(const FrMaterial *m) {
    double nu = 0.5 * m->lambda / (m->lambda + m->mu);
    return (1.0 - nu * nu) / fr_young(m->lambda, m->mu);
}

static bool is_box(const FrBodyDef *def) {
    return def->box.x > 0.0 && def->box.y > 0.0 && def->box.z > 0.0;
}

static double longest_edge(const FrColliderMesh *mesh) {
    double most = 0.0;
    for (int32_t k = 0; k < mesh->tri_count; k++)
        for (int i = 0; i < 3; i++)
            most = fr_max(most, fr_distance(fr_get3(mesh->point, mesh->tri[k][i]),
                                            fr_get3(mesh->point, mesh->tri[k][(i + 1) % 3])));
    return most;
}

// what contact sees of a frame, about its centre of mass
static FrResult make_shape(FrWorld *w, const FrBodyDef *def, const FrBody *body, FrFrame *frame) {
    FrVec3 offset = frame->part.offset;
    frame->item = -1;
    if (!def->mesh) {
        frame->shape = (FrCollider){.kind = FR_COLLIDER_SPHERE, .radius = def->radius};
        frame->curvature = 1.0 / def->radius;
        return FR_OK;
    }
    frame->curvature = 10.0 / frame->size; // R = 0.1 size where flat (M18)
    if (is_box(def) && !frame->part.bend) {
        frame->shape =
            (FrCollider){.kind = FR_COLLIDER_BOX, .half = def->box, .radius = fr_length(def->box)};
        frame->centre = fr_sub(def->box_centre, offset);
        return FR_OK;
    }
    FrShapeView view;
    body->ops->view(body->state, &view);
    FR_TRY(fr_collider_mesh_make(w->ctx, body->mesh.x, body->mesh.node_count, &body->surface,
                                 offset, &frame->mesh));
    frame->shape = (FrCollider){.kind = FR_COLLIDER_MESH};
    for (int32_t k = 0; k < frame->mesh.point_count; k++)
        frame->shape.radius = fr_max(frame->shape.radius, fr_length(fr_get3(frame->mesh.point, k)));
    frame->facet = longest_edge(&frame->mesh);
    return fr_contact_add_body(w->frames.scene, &view, false, &frame->item);
}

FrResult fr_world_frame_add(FrWorld *w, const FrBodyDef *def, FrBody *body) {
    const FrMaterial *m = &body->material[0];
    FrFrame frame = {.body = w->body.count,
                     .ops = body->ops->frame,
                     .part = body->ops->frame->parts(body->state),
                     .kinematic = def->kinematic,
                     .yielding = yielding_of(m),
                     .friction_static = m->friction_static,
                     .friction_dynamic = m->friction_dynamic,
                     .restitution = m->restitution};
    frame.size = cbrt(frame.part.volume * 6.0 / FR_PI);
    if (!fr_array_reserve(w->ctx, &w->frames.frame, 1)) return fr_no_memory(w->ctx, "a rigid body");
    FrResult result = make_shape(w, def, body, &frame);
    if (result != FR_OK) {
        fr_collider_mesh_free(w->ctx, &frame.mesh);
        return result;
    }
    body->frame = w->frames.frame.count;
    w->frames.frame.data[w->frames.frame.count++] = frame;
    return FR_OK;
}

void fr_world_frame_drop(FrWorld *w) {
    FrFrame *last = &w->frames.frame.data[--w->frames.frame.count];
    if (last->item >= 0) fr_contact_remove(w->frames.scene, last->item);
    fr_collider_mesh_free(w->ctx, &last->mesh);
}

void fr_world_frame_layer(FrWorld *w, int32_t item, bool meshed) {
    fr_contact_set_layer(w->scene, item, RIGID_LAYER);
    if (meshed) fr_contact_set_rigid(w->scene, item);
}

bool fr_world_frame_plane(FrWorld *w, FrVec3 normal, double offset, const FrMaterial *m) {
    FrFramePlane plane = {.normal = normal,
                          .offset = offset,
                          .yielding = yielding_of(m),
                          .friction_static = m->friction_static,
                          .friction_dynamic = m->friction_dynamic,
                          .restitution = m->restitution};
    return fr_array_push(w->ctx, &w->frames.plane, plane);
}

// of two frames; NULL: no memory
static FrIgnored *ignored_pair(FrWorld *w, int32_t a, int32_t b) {
    return fr_frames_ignore(&w->frames, w->body.data[a].frame, w->body.data[b].frame);
}

bool fr_world_frame_ignore(FrWorld *w, int32_t a, int32_t b) {
    if (w->body.data[a].frame < 0 || w->body.data[b].frame < 0) return true;
    FrIgnored *pair = ignored_pair(w, a, b);
    if (pair) pair->asked = true;
    return pair != NULL;
}

// those of a ball or hinge do not touch each other
static bool joins(FrJointKind kind, int32_t b) { return kind != FR_JOINT_STRING && b >= 0; }

static FrVec3 seen_from(const FrFrames *f, int32_t frame, FrVec3 x) {
    if (frame < 0) return x;
    const FrRigid *r = f->frame.data[frame].part.rigid;
    return fr_quat_rotate(fr_quat_conj(r->q), fr_sub(x, r->x));
}

static FrVec3 turned_into(const FrFrames *f, int32_t frame, FrVec3 axis) {
    if (frame < 0) return axis;
    return fr_quat_rotate(fr_quat_conj(f->frame.data[frame].part.rigid->q), axis);
}

static FrResult check_joint(FrWorld *w, const FrJointDef *def, int32_t a, int32_t b) {
    const FrFrame *frame = w->frames.frame.data;
    if ((int)def->kind < FR_JOINT_BALL || (int)def->kind > FR_JOINT_STRING)
        return fr_fail(w->ctx, FR_BAD_USE, "no joint has kind %d", (int)def->kind);
    if (a < 0 || (def->b.index1 && b < 0))
        return fr_fail(w->ctx, FR_BAD_USE, "a joint holds rigid frames; this is a fem body");
    if (a == b || (frame[a].kinematic && (b < 0 || frame[b].kinematic)))
        return fr_fail(w->ctx, FR_BAD_USE, "a joint needs two bodies, one of them free to move");
    if (!fr_vec3_finite(def->at_a) || !fr_vec3_finite(def->at_b) || !isfinite(def->length) ||
        def->length < 0.0)
        return fr_fail(w->ctx, FR_BAD_USE,
                       "places of a joint must be finite, its length %g not below 0", def->length);
    double axis = fr_length(def->axis);
    if (def->kind == FR_JOINT_HINGE && !(axis > 0.0 && isfinite(axis)))
        return fr_fail(w->ctx, FR_BAD_USE, "a hinge needs an axis that is not zero");
    return FR_OK;
}

// how a place on a frame (from its centre of mass, body axes) follows its modes; where it is when
// they are at rest
static FrGrip hold_on(FrWorld *w, int32_t frame, FrVec3 *place) {
    const FrBend *bend = frame < 0 ? NULL : w->frames.frame.data[frame].part.bend;
    if (!bend) return fr_grip_none();
    FrPoint at = fr_world_frame_point(w, frame, *place);
    const FrTetMesh *mesh = &w->body.data[w->frames.frame.data[frame].body].mesh;
    if (at.tet < 0) return fr_grip_none();
    FrGrip grip = fr_bend_grip(bend, mesh->tet[at.tet], at);
    *place = fr_sub(*place, fr_bend_shift(bend, &grip));
    return grip;
}

FrResult fr_joint_create(FrWorld *w, const FrJointDef *def, FrJointId *id) {
    FR_NEED_ALL(fr_world_context(w), w && def);

    FrFrames *f = &w->frames;
    int32_t body_a, body_b = -1;
    FR_NEED(w->ctx, def->cookie == FR_COOKIE, "start from fr_joint_def_default()");
    if (id) *id = (FrJointId){0};
    FR_TRY(fr_world_need_number(w, w->next_hold, "joints"));
    FR_TRY(fr_world_need(w, def->a, &body_a));
    if (def->b.index1) FR_TRY(fr_world_need(w, def->b, &body_b));
    int32_t a = w->body.data[body_a].frame, b = body_b < 0 ? -1 : w->body.data[body_b].frame;
    FR_TRY(check_joint(w, def, a, b));
    bool string = def->kind == FR_JOINT_STRING;
    FrVec3 other = string ? def->at_b : def->at_a, axis = fr_normalize(def->axis);
    double apart = fr_distance(def->at_a, other);
    FrJoint joint = {.kind = def->kind,
                     .number = w->next_hold,
                     .a = a,
                     .b = b,
                     .la = seen_from(f, a, def->at_a),
                     .lb = seen_from(f, b, other),
                     .axis_a = turned_into(f, a, axis),
                     .axis_b = turned_into(f, b, axis),
                     .length = def->length > 0.0 ? def->length : apart};
    joint.ga = hold_on(w, a, &joint.la);
    joint.gb = hold_on(w, b, &joint.lb);
    if (string && !(joint.length > 0.0))
        return fr_fail(w->ctx, FR_BAD_USE, "a string needs a length above 0");
    FrIgnored *pair = NULL;
    if (!fr_array_reserve(w->ctx, &f->joint, 1) ||
        (joins(def->kind, b) && !(pair = ignored_pair(w, body_a, body_b))))
        return fr_no_memory(w->ctx, "a joint");
    if (pair) pair->joints++;
    f->joint.data[f->joint.count++] = joint;
    w->next_hold++;
    fr_world_wake(w, body_a);
    if (body_b >= 0) fr_world_wake(w, body_b);
    if (id) *id = (FrJointId){w->next_hold};
    return FR_OK;
}

FrResult fr_joint_destroy(FrWorld *w, FrJointId id) {
    FR_NEED_ALL(fr_world_context(w), w);

    FrFrames *f = &w->frames;
    for (int32_t k = 0; k < f->joint.count; k++) {
        FrJoint *joint = &f->joint.data[k];
        if (joint->number != id.index1 - 1) continue;
        fr_world_wake(w, f->frame.data[joint->a].body);
        if (joint->b >= 0) fr_world_wake(w, f->frame.data[joint->b].body);
        if (joins(joint->kind, joint->b)) fr_frames_unjoin(f, joint->a, joint->b);
        memmove(joint, joint + 1, (size_t)(f->joint.count - 1 - k) * sizeof *joint);
        f->joint.count--;
        return FR_OK;
    }
    return fr_fail(w->ctx, FR_BAD_USE, "no joint has id %d: it is gone, or never was", id.index1);
}

// arrays of frames may have moved since meshes were pointed at
static void point_at_meshes(FrFrames *f) {
    for (int32_t k = 0; k < f->frame.count; k++)
        if (f->frame.data[k].shape.kind == FR_COLLIDER_MESH)
            f->frame.data[k].shape.mesh = &f->frame.data[k].mesh;
}

// poses and velocities of kinematic frames, substep by substep
static FrResult fill_kinematic(FrWorld *w) {
    FrFrames *f = &w->frames;
    int32_t room;
    f->kinematic.count = 0;
    if (__builtin_mul_overflow(f->substeps, f->frame.count, &room) ||
        !fr_array_extend(w->ctx, &f->kinematic, room))
        return fr_no_memory(w->ctx, "kinematic bodies");
    for (int32_t k = 0; k < f->frame.count; k++) {
        const FrFrame *frame = &f->frame.data[k];
        if (!frame->kinematic) continue;
        FrRigid r = *frame->part.rigid;
        for (int32_t s = 0; s < f->substeps; s++) {
            FrKinematicPose *pose =
                &f->kinematic.data[(size_t)s * (size_t)f->frame.count + (size_t)k];
            pose->x = r.x, pose->q = r.q;
            frame->ops->follow(frame->part.state, f->t + s * f->h, f->h, &r);
            pose->v = r.v, pose->w = fr_rigid_spin(&r);
        }
    }
    return FR_OK;
}

static void set_step(FrWorld *w, double t, double h, int32_t substeps, bool flush) {
    FrFrames *f = &w->frames;
    f->t = t, f->h = h, f->substeps = substeps, f->flush = flush;
    f->gravity = w->gravity;
    f->stick_speed = w->def.stick_speed;
    f->sleep_time = w->def.sleep_time;
    for (int32_t k = 0; k < f->scratch.count; k++) {
        FrFrameScratch *s = &f->scratch.data[k];
        s->sweeps = s->contacts = s->rounds = 0;
        s->failed = false;
    }
}

FrResult fr_world_frames_begin(FrWorld *w) {
    FrFrames *f = &w->frames;
    for (int32_t k = 0; k < f->scratch.count; k++)
        f->scratch.data[k].impact.count = f->scratch.data[k].sample.count = 0;
    if (!f->frame.count) return FR_OK;
    int32_t n = w->def.frame_substeps;
    point_at_meshes(f);
    set_step(w, fr_world_time(w), w->def.step / n, n, true);
    FR_TRY(fill_kinematic(w));
    return fr_frames_pairs(f, w->def.step, fr_length(w->gravity));
}

static void step_islands(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk;
    FrFrames *f = arg;
    for (int32_t k = begin; k < end; k++)
        if (!f->island.data[k].meshes)
            fr_frames_step_island(f, &f->island.data[k], &f->scratch.data[worker]);
}

// once for each body
static void tell_limit(FrWorld *w, const FrFrame *frame) {
    FrBend *bend = frame->part.bend;
    if (!bend || !bend->limited || bend->told) return;
    bend->told = true;
    fr_log(
        w->ctx, FR_LOG_WARNING,
        "%s: it would bend farther than its modes can show, and is kept within its size (%.3g m); "
        "nails and drags let go of it. What bends far is for the model fem",
        w->body.data[frame->body].name, bend->limit);
}

static FrResult check_frames(FrWorld *w) {
    FrFrames *f = &w->frames;
    for (int32_t k = 0; k < f->scratch.count; k++)
        if (f->scratch.data[k].failed) return fr_no_memory(w->ctx, "a step of rigid bodies");
    for (int32_t k = 0; k < f->frame.count; k++) {
        const FrRigid *r = f->frame.data[k].part.rigid;
        if (!fr_vec3_finite(r->x) || !isfinite(fr_rigid_kinetic(r))) // of v, L and the rotation
            return fr_fail(w->ctx, FR_NUMERICAL, "%s: its motion is not finite after %g s",
                           w->body.data[f->frame.data[k].body].name, f->t);
    }
    for (int32_t k = 0; k < f->frame.count; k++) tell_limit(w, &f->frame.data[k]);
    return FR_OK;
}

static void count_work(FrWorld *w, int32_t bodies) {
    FrFrames *f = &w->frames;
    for (int32_t k = 0; k < f->scratch.count; k++) w->stats.contacts += f->scratch.data[k].contacts;
    w->stats.steps += (int64_t)bodies * f->substeps;
    if (!bodies) return;
    w->stats.dt_min = fr_min(w->stats.dt_min, f->h);
    w->stats.dt_max = fr_max(w->stats.dt_max, f->h);
}

static void place_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFrames *f = arg;
    for (int32_t k = begin; k < end; k++)
        if (f->frame.data[k].island >= 0) f->frame.data[k].ops->place(f->frame.data[k].part.state);
}

FrResult fr_world_frames_step(FrWorld *w, const uint8_t *chosen) {
    FrFrames *f = &w->frames;
    if (!f->frame.count) return FR_OK;
    int32_t n = w->def.frame_substeps, bodies = 0;
    set_step(w, fr_world_time(w), w->def.step / n, n, true);
    FR_TRY(fill_kinematic(w));
    FR_TRY(fr_frames_islands(f, chosen));
    fr_parallel_for(w->ctx, f->island.count, 1, step_islands, f);
    for (int32_t k = 0; k < f->island.count; k++) {
        bodies += f->island.data[k].count;
        if (f->island.data[k].meshes)
            fr_frames_step_island(f, &f->island.data[k], &f->scratch.data[0]);
    }
    FR_TRY(check_frames(w));
    count_work(w, bodies);
    fr_parallel_for(w->ctx, f->frame.count, 64, place_range, f);
    for (int32_t k = 0; k < f->frame.count; k++)
        fr_world_place_sphere(w, &w->body.data[f->frame.data[k].body]);
    return FR_OK;
}

FrResult fr_world_frames_group(FrWorld *w, const uint8_t *chosen) {
    FrFrames *f = &w->frames;
    f->island.count = 0;
    if (!f->frame.count) return FR_OK;
    for (int32_t k = 0; k < f->frame.count; k++)
        if (chosen[k]) f->frame.data[k].asleep = false, f->frame.data[k].still = 0.0;
    return fr_frames_islands(f, chosen);
}

// what a substep that is taken back must not leave behind
static bool back_up(FrFrames *f) {
    f->pair_backup.count = f->joint_backup.count = 0;
    f->impacts_before = f->scratch.data[0].impact.count;
    f->samples_before = f->scratch.data[0].sample.count;
    for (int32_t i = 0; i < f->island.count; i++) {
        const FrFrameIsland *island = &f->island.data[i];
        for (int32_t k = 0; k < island->pairs; k++)
            if (!fr_array_push(f->ctx, &f->pair_backup,
                               f->pair.data[f->island_pair.data[island->first_pair + k]]))
                return false;
        for (int32_t k = 0; k < island->joints; k++)
            if (!fr_array_push(f->ctx, &f->joint_backup,
                               f->joint.data[f->island_joint.data[island->first_joint + k]]))
                return false;
    }
    return true;
}

void fr_world_frames_undo(FrWorld *w) {
    FrFrames *f = &w->frames;
    int32_t pair = 0, joint = 0;
    if (!f->island.count) return;
    f->scratch.data[0].impact.count = f->impacts_before;
    f->scratch.data[0].sample.count = f->samples_before;
    for (int32_t i = 0; i < f->island.count; i++) {
        const FrFrameIsland *island = &f->island.data[i];
        for (int32_t k = 0; k < island->pairs; k++)
            f->pair.data[f->island_pair.data[island->first_pair + k]] = f->pair_backup.data[pair++];
        for (int32_t k = 0; k < island->joints; k++)
            f->joint.data[f->island_joint.data[island->first_joint + k]] =
                f->joint_backup.data[joint++];
    }
}

FrResult fr_world_frames_substep(FrWorld *w, double t, double dt, bool last) {
    FrFrames *f = &w->frames;
    if (!f->island.count) return FR_OK;
    set_step(w, t, dt, 1, last);
    FR_TRY(fill_kinematic(w));
    if (!back_up(f)) return fr_no_memory(w->ctx, "a step of rigid bodies");
    for (int32_t k = 0; k < f->island.count; k++)
        fr_frames_step_island(f, &f->island.data[k], &f->scratch.data[0]);
    FR_TRY(check_frames(w));
    w->stats.contacts += f->scratch.data[0].contacts;
    for (int32_t k = 0; k < f->frame.count; k++)
        if (f->frame.data[k].island >= 0) f->frame.data[k].ops->place(f->frame.data[k].part.state);
    return FR_OK;
}

// a place on a body as a material point; without tets as an offset in world axes
FrPoint fr_world_frame_point(FrWorld *w, int32_t k, FrVec3 local) {
    FrPoint point = {.tet = -1};
    FrFrames *f = &w->frames;
    FrVec3 x = local;
    if (k >= 0) {
        FrFrame *frame = &f->frame.data[k];
        FrBody *body = &w->body.data[frame->body];
        double distance;
        if (body->mesh.tet_count && !frame->located)
            frame->located = fr_locator_create(w->ctx, &body->mesh, &frame->locator) == FR_OK;
        if (frame->located) {
            frame->locator.mesh = &body->mesh;
            return fr_locate(&frame->locator, fr_add(local, frame->part.offset), &distance);
        }
        x = fr_quat_rotate(frame->part.rigid->q, local);
    }
    point.b[0] = x.x, point.b[1] = x.y, point.b[2] = x.z;
    return point;
}

static FrBodyId id_of(const FrWorld *w, int32_t k) {
    return fr_world_id(w, k < 0 ? -1 : w->frames.frame.data[k].body);
}

static double mobility(const FrFrame *frame) {
    return frame->kinematic ? 0.0 : 1.0 / frame->part.rigid->mass;
}

// Hertz: two bodies of reduced mass m, curvature 1/R and stiffness E touch at speed v for
//     t = 2.868 (m^2 / (R E^2 v))^(1/5)                                                   (M18)
// and are pressed together by d = (15 m v^2 / (16 E sqrt(R)))^(2/5), over the area pi R d. The mass
// behind the impulse (1 + e) m v is no more than the two bodies have when they meet head on; what
// neighbours push beyond that, or without any closing, counts as speed.
static void hertz(const FrFrames *f, const FrFrameImpact *impact, double *duration, double *area) {
    const FrFrame *a = &f->frame.data[impact->a];
    double curvature = a->curvature, yielding = a->yielding, per_mass = mobility(a);
    if (impact->b >= 0) {
        const FrFrame *b = &f->frame.data[impact->b];
        curvature += b->curvature;
        yielding += b->yielding;
        per_mass += mobility(b);
    } else {
        yielding += f->plane.data[-1 - impact->b].yielding;
    }
    double mv = impact->weight / (1.0 + impact->restitution);
    double v = fr_max(impact->v_n, mv * per_mass), m = mv / v;
    double E = 1.0 / yielding, R = 1.0 / curvature;
    *duration = 2.868 * pow(m * m / (R * E * E * v), 0.2);
    *area = FR_PI * R * pow(15.0 * m * v * v / (16.0 * E * sqrt(R)), 0.4);
}

static uint64_t pair_key(int32_t a, int32_t b) { return (uint64_t)(uint32_t)a << 32 | (uint32_t)b; }

// by division: an axis stays exactly one
static FrVec3 unit(FrVec3 n) {
    double len = fr_length(n);
    return fr_vec3(n.x / len, n.y / len, n.z / len);
}

static FrResult tell_impact(FrWorld *w, const FrFrameImpact *from) {
    double share = 1.0 / from->weight;
    FrEvent e = fr_event_new(FR_EVENT_IMPACT, from->t, id_of(w, from->a), id_of(w, from->b));
    e.u.impact.pa = fr_world_frame_point(w, from->a, fr_scale(share, from->la));
    e.u.impact.pb = fr_world_frame_point(w, from->b, fr_scale(share, from->lb));
    e.u.impact.x = fr_scale(share, from->x);
    e.u.impact.n = unit(from->n);
    e.u.impact.impulse = from->impulse;
    e.u.impact.v_n = from->v_n;
    e.u.impact.v_t = from->v_t;
    hertz(&w->frames, from, &e.u.impact.duration, &e.u.impact.area);
    if (from->duration > 0.0) e.u.impact.duration = from->duration;
    e.u.impact.contact = pair_key(fr_event_body(&e), fr_event_other(&e));
    return fr_world_add_event(w, e);
}

static FrResult tell_sample(FrWorld *w, const FrFrameSample *from) {
    FrEvent e = fr_event_new(FR_EVENT_CONTACT, from->t, id_of(w, from->a), id_of(w, from->b));
    e.u.contact.pa = fr_world_frame_point(w, from->a, from->la);
    e.u.contact.pb = fr_world_frame_point(w, from->b, from->lb);
    e.u.contact.x = from->x;
    e.u.contact.n = from->n;
    e.u.contact.force = from->force;
    e.u.contact.slip = from->slip;
    e.u.contact.roll = from->roll;
    e.u.contact.span = from->span;
    e.u.contact.contact = pair_key(fr_event_body(&e), fr_event_other(&e));
    return fr_world_add_event(w, e);
}

// by time, then by bodies: which worker saw it does not matter
static int order_events(double t, int32_t a, int32_t b, double u, int32_t c, int32_t d) {
    if (t < u || u < t) return t < u ? -1 : 1;
    if (a != c) return a < c ? -1 : 1;
    return b < d ? -1 : b > d;
}

static int order_impacts(const void *x, const void *y) {
    const FrFrameImpact *p = x, *q = y;
    return order_events(p->t, p->a, p->b, q->t, q->a, q->b);
}

static int order_samples(const void *x, const void *y) {
    const FrFrameSample *p = x, *q = y;
    return order_events(p->t, p->a, p->b, q->t, q->a, q->b);
}

FrResult fr_world_frames_list(FrWorld *w) {
    FrFrames *f = &w->frames;
    f->impact.count = f->sample.count = 0;
    for (int32_t k = 0; k < f->scratch.count; k++) {
        const FrFrameScratch *s = &f->scratch.data[k];
        for (int32_t j = 0; j < s->impact.count; j++)
            if (!fr_array_push(w->ctx, &f->impact, s->impact.data[j]))
                return fr_no_memory(w->ctx, "events");
        for (int32_t j = 0; j < s->sample.count; j++)
            if (!fr_array_push(w->ctx, &f->sample, s->sample.data[j]))
                return fr_no_memory(w->ctx, "events");
    }
    if (f->impact.count)
        qsort(f->impact.data, (size_t)f->impact.count, sizeof(FrFrameImpact), order_impacts);
    if (f->sample.count)
        qsort(f->sample.data, (size_t)f->sample.count, sizeof(FrFrameSample), order_samples);
    return FR_OK;
}

FrResult fr_world_frames_tell(FrWorld *w) {
    FrFrames *f = &w->frames;
    for (int32_t k = 0; k < f->impact.count; k++) FR_TRY(tell_impact(w, &f->impact.data[k]));
    for (int32_t k = 0; k < f->sample.count; k++) FR_TRY(tell_sample(w, &f->sample.data[k]));
    return FR_OK;
}
