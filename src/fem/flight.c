// flight.c: a whole body that nothing touches flies as a rigid frame: its centre on a parabola, its
// shape at rest turning freely about it. What it still swings is below a limit, and is gone.

#include "fem/body.h"
#include "fem/fem_tuning.h"
#include "fem/rigid_piece.h"
#include "material/laws.h"
#include "math/decompose.h"

bool fr_fem_flies(const FrFem *fem) { return fem->state.flies; }

static FrVec3 rest_centre(const FrFem *fem) {
    FrVec3 sum = fr_vec3_zero;
    double mass = 0.0;
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        sum = fr_axpy(fem->scratch.mass[n], fr_get3(fem->state.x, n), sum);
        mass += fem->scratch.mass[n];
    }
    return fr_scale(1.0 / mass, sum);
}

// what does not change while it flies follows from the mesh at rest
static void find_frame(FrFem *fem) {
    FrFlightFrame *frame = &fem->scratch.flight;
    FrMat3 I = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero};
    *frame = (FrFlightFrame){.centre = rest_centre(fem)};
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        FrVec3 r = fr_sub(fr_get3(fem->state.x, n), frame->centre);
        double m = fem->scratch.mass[n], r2 = fr_dot(r, r);
        frame->mass += m;
        frame->reach = fr_max(frame->reach, sqrt(r2));
        I.c0 = fr_add(I.c0, fr_vec3(m * (r2 - r.x * r.x), -m * r.x * r.y, -m * r.x * r.z));
        I.c1 = fr_add(I.c1, fr_vec3(-m * r.x * r.y, m * (r2 - r.y * r.y), -m * r.y * r.z));
        I.c2 = fr_add(I.c2, fr_vec3(-m * r.x * r.z, -m * r.y * r.z, m * (r2 - r.z * r.z)));
    }
    frame->inverse = fr_mat3_inverse(I);
}

// The rigid motion with the momenta of its nodes, and the turn that brings the shape at rest
// nearest to where they are: the rotation of sum m (p - c)(X - C)'.
static FrFlight mean_motion(const FrFem *fem) {
    const FrFlightFrame *frame = &fem->scratch.flight;
    FrFlight f = {.x = fr_vec3_zero};
    FrMat3 spread = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero};
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        double m = fem->scratch.mass[n] / frame->mass;
        f.x = fr_axpy(m, fr_get3(fem->state.p, n), f.x);
        f.v = fr_axpy(m, fr_get3(fem->state.v, n), f.v);
    }
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        double m = fem->scratch.mass[n];
        FrVec3 r = fr_sub(fr_get3(fem->state.p, n), f.x);
        FrVec3 w = fr_sub(fr_get3(fem->state.v, n), f.v);
        FrVec3 X = fr_sub(fr_get3(fem->state.x, n), frame->centre);
        f.turn = fr_axpy(m, fr_cross(r, w), f.turn);
        spread = fr_mat3_axpy(m, fr_outer(r, X), spread);
    }
    f.q = fr_quat_from_mat3(fr_mat3_polar(spread, fr_mat3_identity));
    return f;
}

// w = R I^-1 R' L
static FrVec3 spin_of(const FrFem *fem, FrQuat q, FrVec3 turn) {
    FrVec3 own = fr_quat_rotate(fr_quat_conj(q), turn);
    return fr_quat_rotate(q, fr_mat3_apply(fem->scratch.flight.inverse, own));
}

static double kinetic_of(const FrFem *fem, const FrFlight *f) {
    FrVec3 spin = spin_of(fem, f->q, f->turn);
    return 0.5 * fem->scratch.flight.mass * fr_dot(f->v, f->v) + 0.5 * fr_dot(spin, f->turn);
}

static void place(FrFem *fem) {
    const FrFlight *f = &fem->state.flight;
    FrMat3 R = fr_quat_mat3(f->q);
    FrVec3 spin = spin_of(fem, f->q, f->turn);
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        FrVec3 X = fr_sub(fr_get3(fem->state.x, n), fem->scratch.flight.centre);
        FrVec3 r = fr_mat3_apply(R, X);
        fr_set3(fem->state.p, n, fr_add(f->x, r));
        fr_set3(fem->state.v, n, fr_add(f->v, fr_cross(spin, r)));
    }
    fem->scratch.current = false;
}

// energy of motion beside the rigid one, J
static double swing_of(const FrFem *fem, const FrFlight *f) {
    FrVec3 spin = spin_of(fem, f->q, f->turn);
    double sum = 0.0;
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        FrVec3 r = fr_sub(fr_get3(fem->state.p, n), f->x);
        FrVec3 v = fr_add(f->v, fr_cross(spin, r));
        sum += 0.5 * fem->scratch.mass[n] * fr_length2(fr_sub(fr_get3(fem->state.v, n), v));
    }
    return sum;
}

/// What a body may be doing when it begins to fly.
typedef struct FlightLimit {
    double spun;           ///< rho (w r)^2 / E: the strain that its spin brings about
    double swing, elastic; ///< J
} FlightLimit;

// by the softest and the densest of its materials
static FlightLimit limit_of(const FrFem *fem, const FrFlight *f) {
    double young = HUGE_VAL, density = 0.0, strain = FR_FLIGHT_STRAIN;
    for (int32_t k = 0; k < fem->settings.material_count; k++) {
        const FrMaterial *m = &fem->settings.material[k];
        young = fr_min(young, fr_young(m->lambda, m->mu));
        density = fr_max(density, m->density);
    }
    double rim = fr_length(spin_of(fem, f->q, f->turn)) * fem->scratch.flight.reach;
    double half = 0.5 * young * fem->scratch.flight.mass / density;
    FlightLimit limit = {.spun = density * rim * rim / young, .swing = half * strain * strain};
    strain += fr_min(limit.spun, FR_FLIGHT_SPUN);
    limit.elastic = half * strain * strain;
    return limit;
}

static bool may_fly(const FrFem *fem) {
    if (fem->settings.integrator != FR_SYMPLECTIC || fem->state.topology > 1 ||
        fem->state.pieces.end.count || fem->scratch.rests)
        return false;
    for (int32_t n = 0; n < fem->state.node_count; n++)
        if (fem->state.held[n]) return false;
    for (int32_t e = 0; fem->settings.yields && e < fem->state.tet_count; e++)
        if (fr_sym3_dot(fr_fem_plastic_strain(fem, e), fr_fem_plastic_strain(fem, e)) > 0.0)
            return false; // the shape at rest is not that without stress
    return true;
}

bool fr_fem_take_off(FrFem *fem, FrVec3 gravity) {
    if (fem->state.flies) return true;
    if (!may_fly(fem)) return false;
    find_frame(fem);
    FrFlight f = mean_motion(fem);
    FlightLimit limit = limit_of(fem, &f);
    if (limit.spun > FR_FLIGHT_SPIN || swing_of(fem, &f) > limit.swing) return false;
    fr_fem_evaluate(fem);
    if (fem->scratch.energy > limit.elastic) return false;
    double before = fr_fem_ledger(fem, gravity), late = 0.5 * fem->state.last_dt;
    double mass = fem->scratch.flight.mass;
    FrVec3 v = fr_axpy(late, gravity, f.v), impulse = fr_scale(late * mass, gravity);
    // velocities come to the moment that places are of
    fem->state.works.gravity += fr_dot(impulse, fr_lerp(f.v, v, 0.5));
    fem->state.works.impulse = fr_add(fem->state.works.impulse, impulse);
    f.v = v;
    fem->state.flies = true;
    fem->state.flight = f;
    fem->state.last_dt = fem->state.step_error = 0.0;
    fem->scratch.watch.shift = fem->scratch.watch.jolt = 0.0;
    place(fem);
    fem->state.works.damping += before - fr_fem_ledger(fem, gravity); // the last of its swing
    return true;
}

// L stays, and so does the energy to the third order of a turn: the spin is that of the middle
static void turn(FrFem *fem, double dt) {
    FrFlight *f = &fem->state.flight;
    double angle = dt * fr_length(spin_of(fem, f->q, f->turn));
    int32_t parts = (int32_t)fr_min(ceil(angle / FR_FLIGHT_TURN), FR_FLIGHT_MOST_TURNS);
    for (int32_t k = 0; k < parts; k++) {
        double h = dt / parts;
        FrVec3 spin = spin_of(fem, f->q, f->turn);
        FrQuat middle = fr_quat_mul(fr_quat_from_rotation(fr_scale(0.5 * h, spin)), f->q);
        spin = spin_of(fem, fr_quat_normalize(middle), f->turn);
        f->q = fr_quat_normalize(fr_quat_mul(fr_quat_from_rotation(fr_scale(h, spin)), f->q));
    }
}

void fr_fem_fly(FrFem *fem, double dt, FrVec3 gravity) {
    FrFlight *f = &fem->state.flight;
    double before = kinetic_of(fem, f), mass = fem->scratch.flight.mass;
    FrVec3 way = fr_axpy(0.5 * dt * dt, gravity, fr_scale(dt, f->v));
    f->x = fr_add(f->x, way);
    f->v = fr_axpy(dt, gravity, f->v);
    turn(fem, dt);
    place(fem);
    double weight = mass * fr_dot(gravity, way);
    fem->state.works.gravity += weight;
    fem->state.works.impulse = fr_axpy(dt * mass, gravity, fem->state.works.impulse);
    // what the turns of a step are off by
    fem->state.works.contact += kinetic_of(fem, f) - before - weight;
}

void fr_fem_land(FrFem *fem) { fem->state.flies = false; }

void fr_fem_follow_flight(FrFem *fem) {
    if (fem->state.flies) find_frame(fem);
}
