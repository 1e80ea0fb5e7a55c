// own_model.h: a model that only tests have: a mass on a spring, a ball for contact. Its row says
// all that the world, recordings, checkpoints and films need to know.
#pragma once
#include "base/base.h"
#include "material/laws.h"
#include "world/model.h"

/// Of the spring from where the mass is made to the mass, N/m.
#define OWN_STIFFNESS 200.0

typedef struct OwnMotion {
    FrVec3 x, v;                     ///< m, m/s
    FrVec3 force;                    ///< of contact in the next step, N
    FrVec3 outer_impulse;            ///< of spring and gravity, N s
    double contact_work, outer_work; ///< of contact, less what kinematic bodies gave; the rest, J
} OwnMotion;

typedef struct OwnMass {
    FrContext *ctx;
    double mass, young, size; ///< kg, Pa, m
    FrVec3 anchor;            ///< m
    OwnMotion now, before;
} OwnMass;

static FrResult own_create(FrContext *ctx, const FrBodyDef *def, void **state) {
    if (def->mesh || !(def->radius > 0.0))
        return fr_fail(ctx, FR_BAD_USE, "a mass on a spring is a ball with a radius above 0");
    OwnMass *m = FR_NEW(ctx, OwnMass, 1);
    if (!m) return fr_no_memory(ctx, "a mass on a spring");
    double volume = 4.0 / 3.0 * FR_PI * def->radius * def->radius * def->radius;
    *m = (OwnMass){.ctx = ctx,
                   .mass = def->mass > 0.0 ? def->mass : volume * def->material->density,
                   .young = fr_young(def->material->lambda, def->material->mu),
                   .size = cbrt(volume),
                   .anchor = def->position,
                   .now = {.x = def->position, .v = def->velocity}};
    *state = m;
    return FR_OK;
}
static OwnMass *own(const void *state) { return (OwnMass *)(uintptr_t)state; }
static void own_destroy(void *state) { fr_free(own(state)->ctx, state); }
static double own_dt_limit(void *state) { return 2.0 * sqrt(own(state)->mass / OWN_STIFFNESS); }

// contact kicks, then spring and gravity turn it exactly: x - c = A cos wt + B sin wt
static void own_move(OwnMass *m, double dt, FrVec3 gravity) {
    OwnMotion *s = &m->now;
    double w = sqrt(OWN_STIFFNESS / m->mass), cosine = cos(w * dt), sine = sin(w * dt);
    FrVec3 kicked = fr_axpy(dt / m->mass, s->force, s->v);
    FrVec3 centre = fr_axpy(1.0 / (w * w), gravity, m->anchor), arm = fr_sub(s->x, centre);
    FrVec3 x = fr_add(centre, fr_axpy(sine / w, kicked, fr_scale(cosine, arm)));
    FrVec3 v = fr_axpy(-w * sine, arm, fr_scale(cosine, kicked));
    s->contact_work += 0.5 * dt * fr_dot(s->force, fr_add(s->v, kicked));
    s->outer_work += m->mass * fr_dot(gravity, fr_sub(x, s->x));
    s->outer_impulse = fr_axpy(m->mass, fr_sub(v, kicked), s->outer_impulse);
    s->x = x, s->v = v, s->force = fr_vec3_zero;
}
static FrResult own_step(void *const *state, int32_t count, double t, double dt, FrVec3 gravity,
                         int32_t *failed) {
    (void)t;
    *failed = 0;
    for (int32_t k = 0; k < count; k++) own_move(state[k], dt, gravity);
    return FR_OK;
}
static bool own_pose(const void *state, FrVec3 *position, FrQuat *rotation, FrVec3 *velocity,
                     FrVec3 *spin) {
    *position = own(state)->now.x, *velocity = own(state)->now.v;
    *rotation = fr_quat_identity, *spin = fr_vec3_zero;
    return true;
}
static void own_view(const void *state, FrShapeView *view) {
    (void)state; // a ball: no tets
    *view = (FrShapeView){0};
}
static FrVec3 own_velocity(const void *state, FrPoint at, FrVec3 x) {
    (void)at, (void)x;
    return own(state)->now.v;
}
static double own_inverse_mass(const void *state, FrPoint at, FrVec3 x) {
    (void)at, (void)x;
    return 1.0 / own(state)->mass;
}
static void own_force(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)at, (void)x;
    own(state)->now.force = fr_add(own(state)->now.force, force);
}
static void own_note_kinematic(void *state, double work) {
    own(state)->now.outer_work += work;
    own(state)->now.contact_work -= work;
}
static void own_traits(const void *state, FrContactTraits *traits) {
    const OwnMass *m = state;
    *traits = (FrContactTraits){.young = m->young, .edge = m->size, .node_mass = m->mass};
}
static void own_backup(void *state) { own(state)->before = own(state)->now; }
static void own_restore(void *state) {
    own(state)->now = own(state)->before;
    own(state)->now.force = fr_vec3_zero; // contacts are found anew
}
static void own_energy(void *state, FrVec3 gravity, FrEnergy *energy) {
    (void)gravity;
    const OwnMass *m = state;
    FrVec3 arm = fr_sub(m->now.x, m->anchor);
    *energy = (FrEnergy){.kinetic = 0.5 * m->mass * fr_dot(m->now.v, m->now.v),
                         .elastic = 0.5 * OWN_STIFFNESS * fr_dot(arm, arm),
                         .contact = -m->now.contact_work,
                         .external = m->now.outer_work};
}
// steps of a spring are exact: nothing to watch but how much energy there is
static FrStepWatch own_watch(const void *state) {
    FrEnergy e;
    own_energy(own(state), fr_vec3_zero, &e);
    return (FrStepWatch){.scale = e.kinetic + e.elastic};
}
static void own_put(void *state, FrVec3 x, FrQuat rotation, FrVec3 velocity, FrVec3 spin) {
    (void)rotation, (void)spin; // a mass is a point
    OwnMotion *s = &own(state)->now;
    double before = own_watch(state).scale;
    s->outer_impulse = fr_axpy(own(state)->mass, fr_sub(velocity, s->v), s->outer_impulse);
    s->x = x, s->v = velocity, s->outer_work += own_watch(state).scale - before;
}
static void own_momentum(const void *state, FrVec3 *linear, FrVec3 *angular) {
    *linear = fr_scale(own(state)->mass, own(state)->now.v);
    *angular = fr_cross(own(state)->now.x, *linear);
}
static void own_impulse(const void *state, FrVec3 *impulse, double *mass) {
    *impulse = own(state)->now.outer_impulse;
    *mass = own(state)->mass;
}
static void own_hash(const void *state, FrHash *hash) {
    fr_hash_bytes(hash, &own(state)->now.x, sizeof(FrVec3));
    fr_hash_bytes(hash, &own(state)->now.v, sizeof(FrVec3));
}
static void own_save(const void *state, FrWriter *writer) {
    fr_write_bytes(writer, &own(state)->now, sizeof(OwnMotion));
}
static FrResult own_load(void *state, FrReader *reader) {
    fr_read_bytes(reader, &own(state)->now, sizeof(OwnMotion));
    return reader->failed ? fr_fail(own(state)->ctx, FR_BAD_INPUT, "a mass is cut short") : FR_OK;
}

// clang-format off
static const FrModelOps own_model = {
    .name = "mass on a spring", .stepping = FR_STEPS_EXPLICIT, .step = own_step,
    .create = own_create, .destroy = own_destroy, .view = own_view, .pose = own_pose,
    .dt_limit = own_dt_limit, .velocity = own_velocity, .inverse_mass = own_inverse_mass,
    .force = own_force, .note_kinematic = own_note_kinematic, .traits = own_traits,
    .backup = own_backup, .restore = own_restore, .watch = own_watch, .energy = own_energy,
    .momentum = own_momentum, .impulse = own_impulse, .hash = own_hash, .save = own_save,
    .load = own_load, .put = own_put};
// clang-format on
