// model_corot.c: the row of the model table for solids of turning tets that step implicitly.

#include "corot/tear.h"
#include "world/model_fem.h"

/// The state behind a body of the row.
typedef struct CorotState {
    FrCorotBody body;
    FrContactTraits traits;
    char *name;
    FR_ARRAY(FrCorot *) together; ///< scratch: bodies that step with this one, itself first
} CorotState;

static FrCorot *corot_of(const void *state) { return ((const FrCorotBody *)state)->corot; }

/// Share of steps from which on it is told that the solver came to its last round.
#define MANY_STALLS 0.1

static void tell_solves(const CorotState *s) {
    if (!s->body.corot) return;
    FrCorotSolves solves = fr_corot_solves(s->body.corot);
    if ((double)solves.stalled <= MANY_STALLS * (double)solves.steps) return;
    fr_log(s->body.ctx, FR_LOG_INFO,
           "%s: in %lld of %lld steps the solver stopped at its last round, not at its residual; "
           "up to %.2g of the forces were left, which damps. Shorter steps, or a softer material, "
           "need fewer rounds",
           s->name, (long long)solves.stalled, (long long)solves.steps, solves.left);
}

static void destroy(void *state) {
    CorotState *s = state;
    if (!s) return;
    tell_solves(s);
    fr_free(s->body.ctx, s->name);
    fr_tear_destroy(s->body.tear);
    fr_corot_destroy(s->body.corot);
    fr_array_free(s->body.ctx, &s->together);
    fr_free(s->body.ctx, s);
}

static FrResult create(FrContext *ctx, const FrBodyDef *def, void **state) {
    if (!def->mesh) return fr_fail(ctx, FR_BAD_USE, "a corot body needs a tet mesh");
    CorotState *s = FR_NEW(ctx, CorotState, 1);
    if (!s) return fr_no_memory(ctx, "a corot body");
    s->body.ctx = ctx;
    s->name = fr_strdup(ctx, def->name);
    FrCorotDef corot = {.mesh = def->mesh,
                        .material = def->material,
                        .material_count = def->material_count,
                        .position = def->position,
                        .rotation = def->rotation,
                        .velocity = def->velocity,
                        .spin = def->spin,
                        .temperature = def->temperature,
                        .linear = def->linear};
    FrResult result =
        s->name ? fr_corot_create(ctx, &corot, &s->body.corot) : fr_no_memory(ctx, "a corot body");
    FrShapeView shape;
    if (result == FR_OK) {
        fr_corot_view(s->body.corot, &shape);
        result = fr_fem_traits_of(ctx, def, &shape, fr_corot_mass(s->body.corot), &s->traits);
    }
    if (result != FR_OK) {
        destroy(s);
        return result;
    }
    *state = s;
    return FR_OK;
}

static FrResult meet(void *const *state, int32_t count, struct FrMeetStep *step, int32_t *failed) {
    CorotState *first = state[0];
    first->together.count = 0;
    *failed = 0;
    if (!fr_array_reserve(first->body.ctx, &first->together, count))
        return fr_no_memory(first->body.ctx, "a step of corot bodies");
    for (int32_t k = 0; k < count; k++) first->together.data[k] = corot_of(state[k]);
    return fr_corot_step(first->together.data, count, step, failed);
}

// with nothing that it meets
static FrResult step(void *const *state, int32_t count, double t, double dt, FrVec3 gravity,
                     int32_t *failed) {
    FrMeetStep alone = {.dt = dt, .gravity = gravity};
    (void)t;
    return meet(state, count, &alone, failed);
}

static void view(const void *state, FrShapeView *shape) { fr_corot_view(corot_of(state), shape); }

static bool pose(const void *state, FrVec3 *position, FrQuat *rotation, FrVec3 *velocity,
                 FrVec3 *spin) {
    (void)state;
    *position = *velocity = *spin = fr_vec3_zero;
    *rotation = fr_quat_identity;
    return false;
}

static FrVec3 velocity(const void *state, FrPoint at, FrVec3 x) {
    (void)x;
    FrShapeView shape;
    view(state, &shape);
    FrVec3 v = fr_vec3_zero;
    for (int i = 0; i < 4; i++) v = fr_axpy(at.b[i], fr_get3(shape.v, shape.tet[at.tet][i]), v);
    return v;
}

static double inverse_mass(const void *state, FrPoint at, FrVec3 x) {
    (void)x;
    const FrCorot *corot = corot_of(state);
    FrShapeView shape;
    view(state, &shape);
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        int32_t node = shape.tet[at.tet][i];
        if (!fr_corot_held(corot, node)) sum += at.b[i] * at.b[i] / fr_corot_node_mass(corot, node);
    }
    return sum;
}

static void force(void *state, FrPoint at, FrVec3 x, FrVec3 f) {
    (void)x;
    FrShapeView shape;
    view(state, &shape);
    double *contact = fr_corot_contact_forces(corot_of(state));
    for (int i = 0; i < 4; i++) fr_add3(contact, shape.tet[at.tet][i], fr_scale(at.b[i], f));
}

static void note_kinematic(void *state, double work) {
    fr_corot_note_kinematic(corot_of(state), work);
}
static void traits(const void *state, FrContactTraits *out) {
    *out = ((const CorotState *)state)->traits;
}
static void predict(void *state, double dt, FrVec3 gravity) {
    fr_corot_predict(corot_of(state), dt, gravity);
}

static FrStepWatch watch(const void *state) {
    FrCorotEnergy e;
    fr_corot_energy(corot_of(state), &e);
    return (FrStepWatch){.scale = e.kinetic + e.elastic};
}

static void energy(void *state, FrVec3 gravity, FrEnergy *out) {
    FrCorotEnergy e;
    (void)gravity;
    fr_corot_energy(corot_of(state), &e);
    *out = (FrEnergy){.kinetic = e.kinetic,
                      .elastic = e.elastic,
                      .plastic = e.plastic,
                      .damping = e.damping + e.implicit,
                      .contact = -e.contact_work,
                      .external = e.gravity_work + e.load_work};
}

static void momentum(const void *state, FrVec3 *linear, FrVec3 *angular) {
    fr_corot_momentum(corot_of(state), linear, angular);
}
static void impulse(const void *state, FrVec3 *sum, double *mass) {
    *sum = fr_corot_impulse(corot_of(state));
    *mass = fr_corot_mass(corot_of(state));
}
static void hash(const void *state, FrHash *to) { fr_corot_hash(corot_of(state), to); }
static void save(const void *state, FrWriter *writer) {
    const FrCorotBody *body = state;
    fr_corot_save(body->corot, writer);
    if (body->tear) fr_tear_save(body->tear, writer);
}
// the mesh is there, as it was cut
static FrResult load_state(void *state, FrReader *reader) {
    FrCorotBody *body = state;
    if (body->tear) FR_TRY(fr_corot_adopt(body->corot, fr_cutmesh_view(fr_tear_mesh(body->tear))));
    FR_TRY(fr_corot_load(body->corot, reader));
    return body->tear ? fr_tear_load(body->tear, reader) : FR_OK;
}

// nodes, supports and loads
static const double *rest(const void *state) { return fr_corot_rest(corot_of(state)); }
static double *contact_forces(void *state) { return fr_corot_contact_forces(corot_of(state)); }
static const uint8_t *crumbs(const void *state) {
    (void)state;
    return NULL;
}
static double node_mass(const void *state, int32_t node) {
    return fr_corot_node_mass(corot_of(state), node);
}
static const FrMaterial *material(const void *state, int32_t tet) {
    return fr_corot_material(corot_of(state), tet);
}
static void set_damping(void *state, int32_t index, const FrMaterial *from) {
    fr_corot_set_damping(corot_of(state), index, from);
}
static bool yields(const void *state) { return fr_corot_yields(corot_of(state)); }
static FrSym3 plastic_strain(const void *state, int32_t tet) {
    return fr_corot_plastic_strain(corot_of(state), tet);
}
static int32_t guarded(void *state) { return fr_corot_crushed(corot_of(state)); }
static bool is_supported(const void *state, int32_t node) {
    return fr_corot_held(corot_of(state), node);
}
static bool left(const void *state, int32_t node) {
    (void)state, (void)node;
    return false;
}
static void support(void *state, int32_t node) { fr_corot_hold(corot_of(state), node); }
static void release(void *state, int32_t node) { fr_corot_release(corot_of(state), node); }
static void drive(void *state, int32_t node, FrVec3 v) { fr_corot_drive(corot_of(state), node, v); }
static void fix_supports(void *state, bool fixed) { (void)state, (void)fixed; }
static void load(void *state, int32_t node, FrVec3 f) {
    fr_corot_add_load(corot_of(state), node, f);
}
static void put(void *state, const double *p, const double *v, FrVec3 gravity) {
    fr_corot_put(corot_of(state), p, v, gravity);
}
static bool feels_heat(const void *state) { return fr_corot_temperature(corot_of(state)) != NULL; }
static const double *temperature(const void *state) {
    return fr_corot_temperature(corot_of(state));
}
static void warm(void *state, int32_t node, double heat) {
    fr_corot_warm(corot_of(state), node, heat);
}
static void heat(const void *state, FrHeat *sum) {
    fr_corot_heat(corot_of(state), &sum->stored, &sum->brought, &sum->lost);
}
static double kick_time(const void *state, double dt) {
    (void)state;
    return dt;
}
static bool was_cut(const void *state) {
    (void)state;
    return false;
}
static void retime(void *state, double dt) { (void)state, (void)dt; }

static double calm_speed(const void *state) { return fr_corot_speed(corot_of(state)); }
static void stop(void *state) { fr_corot_stop(corot_of(state)); }

static const FrSolidOps solid_ops = {
    .rest = rest,
    .contact_forces = contact_forces,
    .crumbs = crumbs,
    .node_mass = node_mass,
    .material = material,
    .set_damping = set_damping,
    .yields = yields,
    .plastic_strain = plastic_strain,
    .guarded = guarded,
    .is_supported = is_supported,
    .left = left,
    .support = support,
    .release = release,
    .drive = drive,
    .fix_supports = fix_supports,
    .load = load,
    .put = put,
    .feels_heat = feels_heat,
    .temperature = temperature,
    .warm = warm,
    .heat = heat,
    .kick_time = kick_time,
    .was_cut = was_cut,
    .retime = retime,
};

const FrModelOps fr_model_corot = {
    .name = "corot",
    .stepping = FR_STEPS_IMPLICIT,
    .create = create,
    .destroy = destroy,
    .step = step,
    .meet = meet,
    .view = view,
    .pose = pose,
    .velocity = velocity,
    .inverse_mass = inverse_mass,
    .force = force,
    .note_kinematic = note_kinematic,
    .traits = traits,
    .predict = predict,
    .watch = watch,
    .energy = energy,
    .momentum = momentum,
    .impulse = impulse,
    .hash = hash,
    .save = save,
    .load = load_state,
    .calm_speed = calm_speed,
    .stop = stop,
    .solid = &solid_ops,
    .breaks = &fr_corot_break_ops,
};
