// model_frame.c: the rows of the model table for rigid frames: tet bodies and spheres, free or
// kinematic along a track; and frames that a blow may shatter.

#include "material/laws.h"
#include "math/decompose.h"
#include "mesh/quality.h"
#include "rigid/rigid.h"
#include "sparse/solver.h"
#include "shatter/shatter.h"
#include "world/model_frame.h"
#include <string.h>

void fr_frame_body_destroy(void *state) {
    FrFrameBody *body = state;
    if (!body) return;
    fr_shatter_destroy(body->shatter);
    fr_track_free(body->ctx, &body->track);
    FR_FREE_ALL(body->ctx, body->hold, body->rest, body->p, body->v, body->tet, body);
}

// p_w = t + R p_l                                                                    [S1 eq. 18]
void fr_frame_body_place(void *state) {
    FrFrameBody *body = state;
    FrMat3 R = fr_quat_mat3(body->rigid.q);
    FrVec3 spin = fr_rigid_spin(&body->rigid);
    for (int32_t n = 0; n < body->node_count; n++) {
        FrVec3 arm = fr_mat3_apply(R, fr_get3(body->rest, n));
        fr_set3(body->p, n, fr_add(body->rigid.x, arm));
        fr_set3(body->v, n, fr_add(body->rigid.v, fr_cross(spin, arm)));
    }
}

static FrResult copy_mesh(FrFrameBody *body, const FrTetMesh *mesh) {
    body->node_count = mesh->node_count;
    body->tet_count = mesh->tet_count;
    body->rest = FR_NEW(body->ctx, double, 3 * (size_t)mesh->node_count);
    body->p = FR_NEW(body->ctx, double, 3 * (size_t)mesh->node_count);
    body->v = FR_NEW(body->ctx, double, 3 * (size_t)mesh->node_count);
    body->tet = fr_alloc_zero(body->ctx, (size_t)mesh->tet_count, sizeof *body->tet);
    if (!body->rest || !body->p || !body->v || !body->tet)
        return fr_no_memory(body->ctx, "a rigid body");
    memcpy(body->tet, mesh->tet, (size_t)mesh->tet_count * sizeof *body->tet);
    for (int32_t n = 0; n < mesh->node_count; n++)
        fr_set3(body->rest, n, fr_sub(fr_get3(mesh->x, n), body->offset));
    return FR_OK;
}

// solid ball: V = 4/3 pi r^3, I = 2/5 V r^2
static FrSolidProps ball_props(double r) {
    double volume = 4.0 / 3.0 * FR_PI * r * r * r, moment = 0.4 * volume * r * r;
    return (FrSolidProps){volume, fr_vec3_zero, {moment, moment, moment, 0, 0, 0}};
}

// what a mass at r adds to the inertia about the origin: m (r.r 1 - r r')
static FrSym3 parallel(double m, FrVec3 r) {
    double rr = fr_length2(r);
    return (FrSym3){m * (rr - r.x * r.x), m * (rr - r.y * r.y), m * (rr - r.z * r.z),
                    -m * r.y * r.z,       -m * r.z * r.x,       -m * r.x * r.y};
}

// Of several materials: parts of others than the first count as many times their volume as they
// are denser, so that mass is the first's density times it all.
static FrSolidProps mesh_props(const FrBodyDef *def) {
    FrSolidProps sum = {0};
    if (!def->mesh->region || def->material_count < 2) return fr_tetmesh_props(def->mesh);
    for (int32_t e = 0; e < def->mesh->tet_count; e++) {
        double weight = def->material[def->mesh->region[e]].density / def->material[0].density;
        FrTetMesh one = *def->mesh;
        one.tet = &def->mesh->tet[e];
        one.tet_count = 1;
        FrSolidProps tet = fr_tetmesh_props(&one);
        double mass = weight * tet.volume;
        // about the origin first
        sum.inertia = fr_sym3_axpy(weight, tet.inertia, sum.inertia);
        sum.inertia = fr_sym3_axpy(1.0, parallel(mass, tet.centre), sum.inertia);
        sum.centre = fr_axpy(mass, tet.centre, sum.centre);
        sum.volume += mass;
    }
    sum.centre = fr_scale(1.0 / sum.volume, sum.centre);
    sum.inertia = fr_sym3_axpy(-1.0, parallel(sum.volume, sum.centre), sum.inertia);
    return sum;
}

static FrResult set_up(FrFrameBody *body, const FrBodyDef *def) {
    const FrMaterial *material = &def->material[0];
    FrSolidProps props = def->mesh ? mesh_props(def) : ball_props(def->radius);
    double density = def->mass > 0.0 ? def->mass / props.volume : material->density;
    FrSym3 inertia = fr_sym3_axpy(density, props.inertia, fr_sym3_zero);
    body->offset = props.centre;
    FrVec3 centre = fr_add(def->position, fr_quat_rotate(def->rotation, props.centre));
    fr_rigid_init(&body->rigid, density * props.volume, inertia, centre, def->rotation,
                  def->velocity);
    fr_rigid_set_spin(&body->rigid, def->spin);
    body->start = body->rigid.x;
    body->start_turn = body->rigid.q;
    body->start_v = def->velocity;
    body->start_spin = def->spin;
    body->kinematic = def->kinematic;
    body->volume = def->mesh ? fr_tetmesh_props(def->mesh).volume : props.volume;
    double size = cbrt(props.volume);
    body->traits =
        (FrContactTraits){fr_young(material->lambda, material->mu), size, body->rigid.mass, 0.0};
    FR_TRY(fr_track_copy(body->ctx, &def->track, &body->track));
    if (def->mesh) FR_TRY(copy_mesh(body, def->mesh));
    fr_frame_body_place(body);
    return FR_OK;
}

FrResult fr_frame_body_create(FrContext *ctx, const FrBodyDef *def, void **state) {
    if (!def->mesh && !(def->radius > 0.0))
        return fr_fail(ctx, FR_BAD_USE, "a frame needs a tet mesh, or a radius above 0 (found %g)",
                       def->radius);
    FrFrameBody *body = FR_NEW(ctx, FrFrameBody, 1);
    if (!body) return fr_no_memory(ctx, "a rigid body");
    body->ctx = ctx;
    FrResult result = set_up(body, def);
    if (result != FR_OK) {
        fr_frame_body_destroy(body);
        return result;
    }
    *state = body;
    return FR_OK;
}

double fr_frame_body_dt_limit(void *state) {
    (void)state;
    return HUGE_VAL; // contact sets the limit
}

bool fr_frame_body_travels(const void *state) {
    const FrFrameBody *body = state;
    return body->track.count > 0 || body->hold_count > 0;
}

// where one thing that holds it would have its mesh
static FrAxes hold_axes(const FrShatterHold *hold, double t) {
    return (FrAxes){fr_track_point(&hold->track, t, hold->from.origin),
                    fr_quat_mul(fr_track_at(&hold->track, t).turn, hold->from.q)};
}

// where what holds it would have its mesh, in the mean
static FrAxes held_axes(const FrFrameBody *body, double t) {
    FrAxes mean = {fr_vec3_zero, {0.0, 0.0, 0.0, 0.0}};
    for (int32_t k = 0; k < body->hold_count; k++) {
        FrAxes axes = hold_axes(&body->hold[k], t);
        FrQuat q = axes.q;
        double side = mean.q.w * q.w + mean.q.x * q.x + mean.q.y * q.y + mean.q.z * q.z;
        double sign = side < 0.0 ? -1.0 : 1.0;
        mean.origin = fr_axpy(1.0 / body->hold_count, axes.origin, mean.origin);
        mean.q = (FrQuat){mean.q.w + sign * q.w, mean.q.x + sign * q.x, mean.q.y + sign * q.y,
                          mean.q.z + sign * q.z};
    }
    mean.q = fr_quat_normalize(mean.q);
    return mean;
}

// where a kinematic frame is at time t: its track says, or what holds it
static void goal_at(const FrFrameBody *body, double t, FrVec3 *x, FrQuat *q) {
    if (body->hold_count) {
        FrAxes axes = held_axes(body, t);
        *x = fr_axes_place(&axes, body->start);
        *q = fr_quat_normalize(fr_quat_mul(axes.q, body->start_turn));
        return;
    }
    *x = fr_track_point(&body->track, t, body->start);
    *q = fr_quat_normalize(fr_quat_mul(fr_track_at(&body->track, t).turn, body->start_turn));
}

// a kinematic frame is where its track says, with the velocity that brings it there
void fr_frame_body_follow(const void *state, double t, double dt, FrRigid *r) {
    FrVec3 x;
    FrQuat q;
    goal_at(state, t + dt, &x, &q);
    FrQuat turn = fr_quat_mul(q, fr_quat_conj(r->q));
    double sign = turn.w < 0.0 ? -1.0 : 1.0;
    FrVec3 axis = fr_vec3(sign * turn.x, sign * turn.y, sign * turn.z);
    double s = fr_length(axis), angle = 2.0 * atan2(s, sign * turn.w);
    FrVec3 spin = s > 0.0 ? fr_scale(angle / (s * dt), axis) : fr_vec3_zero;
    r->v = fr_scale(1.0 / dt, fr_sub(x, r->x));
    r->x = x;
    r->q = q;
    fr_rigid_set_spin(r, spin);
}

void fr_frame_body_stay(void *state) {
    FrFrameBody *body = state;
    body->start = body->rigid.x;
    body->start_turn = body->rigid.q;
}

// whoever held it gives it what it moves with
void fr_frame_body_set_free(void *state, bool fresh) {
    FrFrameBody *body = state;
    body->kinematic = false;
    if (!fresh) return;
    body->rigid.v = body->start_v;
    fr_rigid_set_spin(&body->rigid, body->start_spin);
    body->contact_work = 0.0;
    body->outer_work = fr_rigid_kinetic(&body->rigid);
    body->outer_impulse = fr_vec3_zero;
}

FrFrameParts fr_frame_body_parts(void *state) {
    FrFrameBody *body = state;
    return (FrFrameParts){body,
                          &body->rigid,
                          body->bend && (body->bend->count || body->bend->held) ? body->bend : NULL,
                          &body->contact_work,
                          &body->outer_work,
                          &body->outer_impulse,
                          body->offset,
                          body->volume};
}

FrResult fr_frame_body_step(void *const *state, int32_t count, double t, double dt, FrVec3 gravity,
                            int32_t *failed) {
    (void)gravity;
    *failed = 0;
    FR_ASSERT(count == 1, "kinematic frames step one by one");
    FrFrameBody *body = state[0];
    FrRigid *r = &body->rigid;
    FR_ASSERT(body->kinematic, "free frames are stepped together (frames.h)");
    fr_frame_body_follow(body, t, dt, r);
    fr_frame_body_place(body);
    if (!fr_vec3_finite(r->x) || !fr_vec3_finite(r->v) || !fr_vec3_finite(r->L))
        return fr_fail(body->ctx, FR_NUMERICAL, "the motion of a rigid body is not finite at %g s",
                       t + dt);
    return FR_OK;
}

void fr_frame_body_view(const void *state, FrShapeView *view) {
    const FrFrameBody *body = state;
    *view = (FrShapeView){body->node_count,
                          body->tet_count,
                          body->p,
                          body->v,
                          (const int32_t(*)[4])body->tet,
                          0,
                          NULL,
                          NULL};
}

bool fr_frame_body_pose(const void *state, FrVec3 *position, FrQuat *rotation, FrVec3 *velocity,
                        FrVec3 *spin) {
    const FrFrameBody *body = state;
    *position = fr_sub(body->rigid.x, fr_quat_rotate(body->rigid.q, body->offset));
    *rotation = body->rigid.q;
    *velocity = fr_rigid_velocity(&body->rigid, *position);
    *spin = fr_rigid_spin(&body->rigid);
    return true;
}

FrVec3 fr_frame_body_velocity(const void *state, FrPoint at, FrVec3 x) {
    (void)at;
    return fr_rigid_velocity(&((const FrFrameBody *)state)->rigid, x);
}

double fr_frame_body_inverse_mass(const void *state, FrPoint at, FrVec3 x) {
    (void)at;
    const FrFrameBody *body = state;
    if (body->kinematic) return 0.0;
    return fr_sym3_eigen(fr_mat3_sym(fr_rigid_mobility(&body->rigid, x, x))).value[0];
}

void fr_frame_body_force(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)at;
    fr_rigid_add_force(&((FrFrameBody *)state)->rigid, x, force);
}

void fr_frame_body_note_kinematic(void *state, double work) {
    FrFrameBody *body = state;
    body->outer_work += work;
    body->contact_work -= work;
}

void fr_frame_body_traits(const void *state, FrContactTraits *traits) {
    *traits = ((const FrFrameBody *)state)->traits;
}

void fr_frame_body_backup(void *state) {
    FrFrameBody *body = state;
    body->backup = body->rigid;
    body->backup_work[0] = body->contact_work;
    body->backup_work[1] = body->outer_work;
    body->backup_impulse = body->outer_impulse;
}

void fr_frame_body_restore(void *state) {
    FrFrameBody *body = state;
    body->rigid = body->backup;
    body->rigid.force = body->rigid.torque = fr_vec3_zero; // contacts are found anew
    body->contact_work = body->backup_work[0];
    body->outer_work = body->backup_work[1];
    body->outer_impulse = body->backup_impulse;
    fr_frame_body_place(body);
}

// rigid steps make no energy of their own that could blow up
FrStepWatch fr_frame_body_watch(const void *state) {
    return (FrStepWatch){.scale = fr_rigid_kinetic(&((const FrFrameBody *)state)->rigid)};
}

void fr_frame_body_energy(void *state, FrVec3 gravity, FrEnergy *energy) {
    (void)gravity;
    const FrFrameBody *body = state;
    *energy = (FrEnergy){0};
    if (body->kinematic) return; // a kinematic frame has whatever energy its track asks for
    energy->kinetic = fr_rigid_kinetic(&body->rigid);
    energy->contact = -body->contact_work;
    energy->external = body->outer_work;
}

void fr_frame_body_momentum(const void *state, FrVec3 *linear, FrVec3 *angular) {
    const FrRigid *r = &((const FrFrameBody *)state)->rigid;
    *linear = fr_scale(r->mass, r->v);
    *angular = fr_add(r->L, fr_cross(r->x, *linear));
}

void fr_frame_body_impulse(const void *state, FrVec3 *impulse, double *mass) {
    *impulse = ((const FrFrameBody *)state)->outer_impulse;
    *mass = ((const FrFrameBody *)state)->rigid.mass;
}

static void hash_vec3(FrVec3 v, FrHash *hash) {
    fr_hash_f64(hash, v.x);
    fr_hash_f64(hash, v.y);
    fr_hash_f64(hash, v.z);
}

void fr_frame_body_hash(const void *state, FrHash *hash) {
    const FrRigid *r = &((const FrFrameBody *)state)->rigid;
    hash_vec3(r->x, hash);
    hash_vec3(r->v, hash);
    hash_vec3(r->L, hash);
    fr_hash_f64(hash, r->q.w);
    hash_vec3(fr_vec3(r->q.x, r->q.y, r->q.z), hash);
}

void fr_frame_body_save(const void *state, FrWriter *writer) {
    const FrFrameBody *body = state;
    fr_rigid_save(&body->rigid, writer);
    fr_write_f64(writer, body->contact_work);
    fr_write_f64(writer, body->outer_work);
    fr_write_vec3(writer, body->outer_impulse);
    fr_write_vec3(writer, body->start);
    fr_write_f64(writer, body->start_turn.w);
    fr_write_vec3(writer, fr_vec3(body->start_turn.x, body->start_turn.y, body->start_turn.z));
    if (body->shatter) fr_shatter_save(body->shatter, writer);
}

FrResult fr_frame_body_load(void *state, FrReader *reader) {
    FrFrameBody *body = state;
    fr_rigid_load(&body->rigid, reader);
    body->contact_work = fr_read_f64(reader);
    body->outer_work = fr_read_f64(reader);
    body->outer_impulse = fr_read_vec3(reader);
    body->start = fr_read_vec3(reader);
    double w = fr_read_f64(reader);
    FrVec3 axis = fr_read_vec3(reader);
    body->start_turn = (FrQuat){w, axis.x, axis.y, axis.z};
    if (body->shatter) FR_TRY(fr_shatter_load(body->shatter, reader));
    fr_frame_body_place(body);
    return reader->failed
               ? fr_fail(body->ctx, FR_BAD_INPUT, "the checkpoint ends inside a rigid body")
               : FR_OK;
}

const FrFrameOps fr_frame_body_ops = {
    .parts = fr_frame_body_parts,
    .place = fr_frame_body_place,
    .travels = fr_frame_body_travels,
    .follow = fr_frame_body_follow,
    .stay = fr_frame_body_stay,
    .set_free = fr_frame_body_set_free,
};

const FrModelOps fr_model_frame = {.name = "frame", .create = fr_frame_body_create, FR_FRAME_ROW};

static FrResult shatter_create(FrContext *ctx, const FrBodyDef *def, void **state) {
    const FrBackend *solvers;
    // one wave speed, one strength and one price of cracks is what its blows are judged by
    if (def->material_count > 1)
        return fr_fail(ctx, FR_BAD_USE,
                       "what shatters is of one material, this body is of %d; FR_MODEL_FEM takes "
                       "several, or one body for each of them, joined",
                       def->material_count);
    if (fr_shatter_wanted(def)) FR_TRY(fr_backend_of(ctx, "shattering", &solvers));
    FR_TRY(fr_frame_body_create(ctx, def, state));
    FrFrameBody *body = *state;
    if (!fr_shatter_wanted(def)) return FR_OK;
    FrResult result = fr_shatter_create(ctx, def, &body->shatter);
    if (result == FR_OK) return FR_OK;
    fr_frame_body_destroy(body);
    *state = NULL;
    return result;
}

static FrShatter *shatter_modes(void *state) { return ((FrFrameBody *)state)->shatter; }
static bool shatter_may(const void *state) {
    const FrShatter *shatter = ((const FrFrameBody *)state)->shatter;
    return shatter && fr_shatter_may(shatter);
}

static FrResult shatter_struck(void *state, const FrStrike *strike, FrStruck *struck) {
    return fr_shatter_struck(((FrFrameBody *)state)->shatter, strike, struck);
}

static FrResult shatter_sever(void *state, FrLabels *labels) {
    return fr_shatter_sever(((FrFrameBody *)state)->shatter, labels);
}

static FrResult shatter_fall_apart(void *state, const FrStruck *struck, FrFallen *fallen) {
    FR_TRY(fr_shatter_fall_apart(((FrFrameBody *)state)->shatter, struck, fallen));
    for (int32_t k = 0; k < fallen->count; k++) fallen->child[k].model = FR_MODEL_SHATTER;
    return FR_OK;
}

static size_t shatter_bytes(const void *state) {
    return fr_shatter_bytes(((const FrFrameBody *)state)->shatter);
}

static void shatter_drop(void *state) { fr_shatter_drop(((FrFrameBody *)state)->shatter); }

static FrResult shatter_hold(void *state, double t, const FrShatterHold *hold, int32_t count,
                             bool again) {
    FrFrameBody *body = state;
    FrShatterHold *own = FR_NEW(body->ctx, FrShatterHold, count);
    if (!own) return fr_no_memory(body->ctx, "what holds a body");
    if (body->shatter) FR_TRY(fr_shatter_hold(body->shatter, hold, count));
    if (count) memcpy(own, hold, (size_t)count * sizeof *own);
    fr_free(body->ctx, body->hold);
    body->hold = own;
    body->hold_count = count;
    body->kinematic = count > 0;
    if (!count || again) return FR_OK;
    FrAxes axes = held_axes(body, t);
    FrQuat back = fr_quat_conj(axes.q);
    body->start = fr_quat_rotate(back, fr_sub(body->rigid.x, axes.origin));
    body->start_turn = fr_quat_mul(back, body->rigid.q);
    return FR_OK;
}

static double shatter_bears(const void *state) {
    return fr_shatter_bears(((const FrFrameBody *)state)->shatter);
}

// do its supports move against each other?
static bool is_bent(const FrFrameBody *body) {
    bool moves = false;
    for (int32_t k = 0; k < body->hold_count; k++) moves = moves || body->hold[k].track.count;
    return moves && body->hold_count > 1;
}

// how far each hold has its nodes from where they would be in the frame, axes of the mesh, m
static double move_nodes(const FrFrameBody *body, double t, double *moved) {
    double most = 0.0;
    FrQuat back = fr_quat_conj(body->rigid.q);
    FrVec3 origin = fr_sub(body->rigid.x, fr_quat_rotate(body->rigid.q, body->offset));
    for (int32_t h = 0; h < body->hold_count; h++) {
        FrAxes axes = hold_axes(&body->hold[h], t);
        for (int32_t k = 0; k < body->hold[h].node_count; k++) {
            int32_t n = body->hold[h].node[k];
            FrVec3 x = fr_add(fr_get3(body->rest, n), body->offset);
            FrVec3 p = fr_quat_rotate(back, fr_sub(fr_axes_place(&axes, x), origin));
            fr_set3(moved, n, fr_sub(p, x));
            most = fr_max(most, fr_distance(p, x));
        }
    }
    return most;
}

static FrResult shatter_bear(void *state, double t, FrBearing *bearing, FrStruck *struck) {
    FrFrameBody *body = state;
    double *moved = NULL;
    if (is_bent(body)) {
        moved = FR_NEW(body->ctx, double, 3 * (size_t)body->node_count);
        if (!moved) return fr_no_memory(body->ctx, "supports that move");
        bearing->most_moved = move_nodes(body, t, moved);
        bearing->moved = moved;
    }
    FrResult result = fr_shatter_bear(body->shatter, bearing, struck);
    fr_free(body->ctx, moved);
    return result;
}

static const FrShatterOps shatter_ops = {
    .may = shatter_may,
    .struck = shatter_struck,
    .sever = shatter_sever,
    .fall_apart = shatter_fall_apart,
    .modes = shatter_modes,
    .bytes = shatter_bytes,
    .drop = shatter_drop,
    .hold = shatter_hold,
    .bears = shatter_bears,
    .bear = shatter_bear,
};

const FrModelOps fr_model_shatter = {
    .name = "shatter", .create = shatter_create, .shatters = &shatter_ops, FR_FRAME_ROW};
