// model_modal.c: the row of the model table for rigid frames that bend by their lowest modes
// [S1 s. 3, M15, M17].

#include "material/laws.h"
#include "math/decompose.h"
#include "modal/motion.h"
#include "modal/turning.h"
#include "world/model_frame.h"
#include "world/world_tuning.h"
#include <string.h>

static FrFrameBody *of(void *state) { return state; }
static const FrFrameBody *seen(const void *state) { return state; }

static void modal_destroy(void *state) {
    if (state) fr_turning_destroy(of(state)->turning);
    if (state) fr_bend_destroy(of(state)->bend);
    fr_frame_body_destroy(state);
}

FrBodyDef fr_motion_body_def(const FrMotion *motion) {
    FrBodyDef def = fr_body_def_default();
    if (!motion) return def;
    def.name = motion->name;
    def.model = FR_MODEL_MODAL;
    def.mesh = &motion->mesh;
    def.embedded = motion->skin.point_count ? &motion->skin : NULL;
    def.material = motion->material;
    def.material_count = motion->material_count;
    def.modes = motion->modes.count;
    def.held = motion->held_count ? motion->held : NULL;
    def.held_count = motion->held_count;
    def.motion = motion;
    return def;
}

static bool same(const void *a, const void *b, int32_t count, size_t size) {
    return !count || !memcmp(a, b, (size_t)count * size);
}

// the modes that were cooked, of this body and no other
static FrResult take_cooked(FrContext *ctx, const FrBodyDef *def, FrBendModes *modes) {
    const FrMotion *from = def->motion;
    const FrTetMesh *a = def->mesh, *b = &from->mesh;
    bool fits = a->node_count == b->node_count && a->tet_count == b->tet_count &&
                def->held_count == from->held_count &&
                same(a->x, b->x, 3 * a->node_count, sizeof *a->x) &&
                same(a->tet, b->tet, a->tet_count, sizeof *a->tet) &&
                same(def->held, from->held, def->held_count, sizeof *def->held);
    if (!fits)
        return fr_fail(ctx, FR_BAD_USE,
                       "%s: its motion was cooked of %d nodes and %d tets, %d of the nodes held; "
                       "this body is another one (%d, %d, %d, or elsewhere): fr_motion_body_def "
                       "fills in what fits",
                       def->name, b->node_count, b->tet_count, from->held_count, a->node_count,
                       a->tet_count, def->held_count);
    return fr_bend_modes_copy(ctx, &from->modes, modes);
}

static FrResult bend_by(FrContext *ctx, const FrBodyDef *def, FrFrameBody *body) {
    FrBendModes modes = {0};
    FrResult result =
        def->motion ? take_cooked(ctx, def, &modes) : fr_bend_modes_find(ctx, def, &modes);
    double radius = 0.0;
    for (int32_t n = 0; n < body->node_count; n++)
        radius = fr_max(radius, fr_length(fr_get3(body->rest, n)));
    FrBendDef bend = {.modes = &modes,
                      .mesh = def->mesh,
                      .surface = def->surface,
                      .centre = body->offset,
                      .material = def->material,
                      .held = def->held_count > 0,
                      .limit = FR_BEND_MOST * radius};
    if (result == FR_OK) result = fr_bend_create(ctx, &bend, &body->bend);
    fr_bend_modes_free(ctx, &modes);
    return result;
}

static FrResult modal_create(FrContext *ctx, const FrBodyDef *def, void **state) {
    if (!def->mesh)
        return fr_fail(ctx, FR_BAD_USE, "modes bend a body of tets; a sphere is a frame");
    if (def->kinematic)
        return fr_fail(ctx, FR_BAD_USE, "a body that bends by modes cannot be kinematic");
    for (int32_t k = 0; k < def->held_count; k++)
        if (def->held[k] < 0 || def->held[k] >= def->mesh->node_count)
            return fr_fail(ctx, FR_BAD_USE, "node %d that is held does not exist (0 to %d)",
                           def->held[k], def->mesh->node_count - 1);
    FR_TRY(fr_frame_body_create(ctx, def, state));
    if (def->held_count) of(*state)->rigid.v = of(*state)->rigid.L = fr_vec3_zero;
    FrResult result = bend_by(ctx, def, *state);
    if (result == FR_OK && def->turning && !def->held_count)
        result = fr_turning_create(ctx, def->mesh, def->material, of(*state)->bend,
                                   &of(*state)->turning);
    if (result == FR_OK) return FR_OK;
    modal_destroy(*state);
    *state = NULL;
    return result;
}

// p_w = t + R p_l,  p_l = x + W z; and its velocity       [S1 eqs. 17 to 19; E33: with the rest x]
static void modal_place(void *state) {
    FrFrameBody *body = state;
    const FrBend *bend = body->bend;
    FrMat3 R = fr_quat_mat3(body->rigid.q);
    FrVec3 spin = fr_rigid_spin(&body->rigid);
    if (!bend->count) {
        fr_frame_body_place(state);
        return;
    }
    fr_bend_field(bend, 0, bend->node_count, bend->shift, bend->speed);
    for (int32_t n = 0; n < body->node_count; n++) {
        int32_t slot = bend->slot[n];
        FrVec3 place = fr_add(fr_get3(body->rest, n), fr_get3(bend->shift, slot));
        FrVec3 arm = fr_mat3_apply(R, place), by = fr_mat3_apply(R, fr_get3(bend->speed, slot));
        fr_set3(body->p, n, fr_add(body->rigid.x, arm));
        fr_set3(body->v, n, fr_add(fr_add(body->rigid.v, fr_cross(spin, arm)), by));
    }
}

static void modal_turning(void *state, double dt, bool after) {
    FrFrameBody *body = state;
    if (!body->turning) return;
    fr_turning_act(body->turning, body->bend, &body->rigid, dt, after);
    modal_place(state);
}

static FrGrip grip_at(const FrFrameBody *body, FrPoint at) {
    return at.tet < 0 ? fr_grip_none() : fr_bend_grip(body->bend, body->tet[at.tet], at);
}

static FrVec3 modal_velocity(const void *state, FrPoint at, FrVec3 x) {
    const FrFrameBody *body = seen(state);
    FrGrip grip = grip_at(body, at);
    FrVec3 by = fr_quat_rotate(body->rigid.q, fr_bend_velocity(body->bend, &grip));
    return fr_add(fr_frame_body_velocity(state, at, x), by);
}

// I/m - [r]x J^-1 [r]x + R U W W' U' R'                                     [S1 eq. 21, E33, M17]
static double modal_inverse_mass(const void *state, FrPoint at, FrVec3 x) {
    const FrFrameBody *body = seen(state);
    FrSym3 K = fr_mat3_sym(fr_rigid_mobility(&body->rigid, x, x));
    if (body->bend->held) K = fr_sym3_zero;
    FrGrip grip = grip_at(body, at);
    FrMat3 W = fr_bend_mobility(body->bend, &grip, NULL);
    FrMat3 R = fr_quat_mat3(body->rigid.q);
    FrMat3 world = fr_mat3_mul(R, fr_mat3_mul(W, fr_mat3_transpose(R)));
    return fr_sym3_eigen(fr_sym3_axpy(1.0, fr_mat3_sym(world), K)).value[0];
}

static void modal_force(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    FrFrameBody *body = state;
    FrGrip grip = grip_at(body, at);
    fr_frame_body_force(state, at, x, force);
    fr_bend_push(body->bend, &grip, fr_quat_rotate(fr_quat_conj(body->rigid.q), force),
                 body->bend->force);
}

static void modal_backup(void *state) {
    fr_frame_body_backup(state);
    fr_bend_backup(of(state)->bend);
}

static void modal_restore(void *state) {
    fr_frame_body_restore(state);
    fr_bend_restore(of(state)->bend);
    modal_place(state);
}

static FrStepWatch modal_watch(const void *state) {
    const FrBend *bend = seen(state)->bend;
    FrStepWatch watch = fr_frame_body_watch(state);
    watch.scale += fr_bend_kinetic(bend) + fr_bend_elastic(bend);
    return watch;
}

static void modal_energy(void *state, FrVec3 gravity, FrEnergy *energy) {
    const FrBend *bend = of(state)->bend;
    fr_frame_body_energy(state, gravity, energy);
    energy->kinetic += fr_bend_kinetic(bend);
    energy->elastic += fr_bend_elastic(bend);
    if (of(state)->turning)
        energy->kinetic += fr_turning_energy(of(state)->turning, bend, &of(state)->rigid);
    energy->damping += bend->damped;
}

static void modal_hash(const void *state, FrHash *hash) {
    const FrBend *bend = seen(state)->bend;
    fr_frame_body_hash(state, hash);
    for (int32_t m = 0; m < bend->count; m++) {
        fr_hash_f64(hash, bend->z[m]);
        fr_hash_f64(hash, bend->v[m]);
    }
}

static void modal_save(const void *state, FrWriter *writer) {
    fr_frame_body_save(state, writer);
    fr_bend_save(seen(state)->bend, writer);
}

static FrResult modal_load(void *state, FrReader *reader) {
    FrFrameBody *body = state;
    FR_TRY(fr_frame_body_load(state, reader));
    FrResult result = fr_bend_load(body->bend, reader);
    if (result == FR_OK) modal_place(state);
    return result;
}

static const FrFrameOps modal_frame_ops = {
    .parts = fr_frame_body_parts,
    .bends = true,
    .place = modal_place,
    .turning = modal_turning,
    .travels = fr_frame_body_travels,
    .follow = fr_frame_body_follow,
    .stay = fr_frame_body_stay,
    .set_free = fr_frame_body_set_free,
};

const FrModelOps fr_model_modal = {
    .name = "modal",
    .stepping = FR_STEPS_ROWS,
    .create = modal_create,
    .destroy = modal_destroy,
    .dt_limit = fr_frame_body_dt_limit,
    .step = fr_frame_body_step,
    .view = fr_frame_body_view,
    .pose = fr_frame_body_pose,
    .velocity = modal_velocity,
    .inverse_mass = modal_inverse_mass,
    .force = modal_force,
    .note_kinematic = fr_frame_body_note_kinematic,
    .traits = fr_frame_body_traits,
    .backup = modal_backup,
    .restore = modal_restore,
    .watch = modal_watch,
    .energy = modal_energy,
    .momentum = fr_frame_body_momentum,
    .impulse = fr_frame_body_impulse,
    .hash = modal_hash,
    .save = modal_save,
    .load = modal_load,
    .frame = &modal_frame_ops,
};
