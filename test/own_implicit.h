// own_implicit.h: the mass on a spring of own_model.h as a row that steps implicitly: once in a
// macro step, exactly, with the impulse that contact gave it meanwhile.
#pragma once
#include "own_model.h"

typedef struct SlowMass {
    OwnMass own; ///< first: the functions of own_model.h take it; `before`: where its step begins
    bool begun;  ///< contact has acted since the last step
    FrVec3 impulse; ///< of contact since then, N s
    FrVec3 late;    ///< the sum of each part of it times when it came, N s^2
    double since;   ///< s
    double led;     ///< work of contact that came from kinematic bodies since then, J
    int32_t steps;
} SlowMass;

static inline SlowMass *slow(const void *state) { return (SlowMass *)(uintptr_t)state; }

static FrResult slow_create(FrContext *ctx, const FrBodyDef *def, void **state) {
    void *plain = NULL;
    FR_TRY(own_create(ctx, def, &plain));
    SlowMass *m = FR_NEW(ctx, SlowMass, 1);
    if (m) m->own = *own(plain);
    own_destroy(plain);
    *state = m;
    return m ? FR_OK : fr_no_memory(ctx, "a mass on a spring");
}

static void slow_predict(void *state, double dt, FrVec3 gravity) {
    SlowMass *m = slow(state);
    FrVec3 given = fr_scale(dt, m->own.now.force);
    if (!(dt > 0.0)) {
        m->own.now.force = fr_vec3_zero;
        return;
    }
    if (!m->begun) own_backup(&m->own);
    m->begun = true;
    m->impulse = fr_add(m->impulse, given);
    m->late = fr_axpy(m->since, given, m->late);
    m->since += dt;
    own_move(&m->own, dt, gravity);
}

static double slow_held(SlowMass *m) {
    FrEnergy e;
    own_energy(&m->own, fr_vec3_zero, &e);
    return e.kinetic + e.elastic;
}

// the whole impulse comes first, so it sets out from as far behind as that would carry it too far
static void slow_move(SlowMass *m, double dt, FrVec3 gravity) {
    OwnMotion *s = &m->own.now;
    own_restore(&m->own);
    double before = slow_held(m), mass = m->own.mass;
    FrVec3 back = fr_scale(-1.0 / mass, m->late);
    s->x = fr_add(s->x, back);
    s->v = fr_axpy(1.0 / mass, m->impulse, s->v);
    s->contact_work += slow_held(m) - before - mass * fr_dot(gravity, back) - m->led;
    s->outer_work += mass * fr_dot(gravity, back) + m->led;
    own_move(&m->own, dt, gravity);
    m->begun = false;
    m->impulse = m->late = fr_vec3_zero;
    m->since = m->led = 0.0;
    m->steps++;
}

static FrResult slow_step(void *const *state, int32_t count, double t, double dt, FrVec3 gravity,
                          int32_t *failed) {
    (void)t;
    *failed = 0;
    for (int32_t k = 0; k < count; k++) slow_move(slow(state[k]), dt, gravity);
    return FR_OK;
}

static void slow_note_kinematic(void *state, double work) { slow(state)->led += work; }

// clang-format off
static const FrModelOps own_implicit = {
    .name = "implicit mass on a spring", .stepping = FR_STEPS_IMPLICIT, .step = slow_step,
    .create = slow_create, .destroy = own_destroy, .view = own_view, .pose = own_pose,
    .predict = slow_predict, .velocity = own_velocity, .inverse_mass = own_inverse_mass,
    .force = own_force, .note_kinematic = slow_note_kinematic, .traits = own_traits,
    .watch = own_watch, .energy = own_energy, .momentum = own_momentum, .impulse = own_impulse,
    .hash = own_hash, .save = own_save, .load = own_load};
// clang-format on
