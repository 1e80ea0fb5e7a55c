// change.c: a change of the step that keeps the energy.
//
// What symplectic Euler keeps is not the energy of the moment but, with velocities u of the moment,
//     1/2 m u.u + W - a^2/8 f.f/m
// (that is 1/2 m v_old.v_new + W). After a change from a to b it keeps the same with b, so that
// (a^2 - b^2)/8 f.f/m would come from nothing, or be lost: 1e-3 of all energy when a body cracks
// and its step falls by a third, and steps that shrink and grow in time with a swing pump it. Let
// each node go (a^2 - b^2)/8 of its acceleration f/m further: W falls by as much as is gained, mode
// by mode, up to terms (w b/2)^2 of it. What rests has no acceleration and stays.

#include "fem/body.h"

// do elastic forces pull the node? Those of rigid pieces, of what stands and of dust feel none.
static bool feels(const FrFem *fem, int32_t n) {
    return fr_length2(fr_get3(fem->scratch.f, n)) > 0.0;
}

static bool gives(const FrFem *fem, int32_t n) { return !fem->state.held[n] && feels(fem, n); }

/// Of the nodes that move: mass, mean shift, centre.
typedef struct Shifted {
    double mass;   ///< kg
    FrVec3 mean;   ///< m or m/s
    FrVec3 centre; ///< m
    bool free;     ///< no support takes a pull: momenta are to stay
} Shifted;

static Shifted shifted_of(const FrFem *fem, double part) {
    Shifted s = {.free = true};
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        s.free = s.free && !(fem->state.held[n] && feels(fem, n));
        if (!gives(fem, n)) continue;
        s.mass += fem->scratch.mass[n];
        s.mean = fr_axpy(part * fem->scratch.mass[n], fr_get3(fem->scratch.gain, n), s.mean);
        s.centre = fr_axpy(fem->scratch.mass[n], fr_get3(fem->state.p, n), s.centre);
    }
    s.mean = fr_scale(s.free && s.mass > 0.0 ? 1.0 / s.mass : 0.0, s.mean);
    s.centre = fr_scale(s.mass > 0.0 ? 1.0 / s.mass : 0.0, s.centre);
    return s;
}

// Angular momentum that the shift brought, with the inertia of the nodes that moved: turned back.
// Returns the kinetic energy this brings, J.
static double turn_back(FrFem *fem, FrVec3 extra, FrMat3 inertia, FrVec3 centre) {
    double det = fr_mat3_det(inertia), kinetic = 0.0;
    if (!(fabs(det) > 0.0)) return 0.0;
    FrVec3 spin = fr_neg(fr_mat3_apply(fr_mat3_inverse(inertia), extra));
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        if (!gives(fem, n)) continue;
        FrVec3 v = fr_get3(fem->state.v, n),
               dv = fr_cross(spin, fr_sub(fr_get3(fem->state.p, n), centre));
        kinetic += fem->scratch.mass[n] * fr_dot(dv, fr_axpy(0.5, dv, v));
        fr_set3(fem->state.v, n, fr_add(v, dv));
    }
    return kinetic;
}

// Positions, or else velocities, get `part` of `gain`, less what would change momenta that are to
// stay. Returns the kinetic energy this brings, J.
static double nudge(FrFem *fem, double part, bool faster) {
    Shifted s = shifted_of(fem, part);
    FrVec3 extra = fr_vec3_zero;
    FrMat3 inertia = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero};
    double kinetic = 0.0;
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        if (!gives(fem, n)) continue;
        double m = fem->scratch.mass[n];
        FrVec3 v = fr_get3(fem->state.v, n),
               by = fr_sub(fr_scale(part, fr_get3(fem->scratch.gain, n)), s.mean);
        FrVec3 go = faster ? fr_vec3_zero : by, dv = faster ? by : fr_vec3_zero;
        FrVec3 p = fr_add(fr_get3(fem->state.p, n), go), r = fr_sub(p, s.centre);
        extra = fr_axpy(m, fr_add(fr_cross(go, v), fr_cross(r, dv)), extra);
        FrMat3 rr = fr_outer(r, r);
        double r2 = fr_dot(r, r);
        inertia.c0 = fr_axpy(m, fr_sub(fr_vec3(r2, 0, 0), rr.c0), inertia.c0);
        inertia.c1 = fr_axpy(m, fr_sub(fr_vec3(0, r2, 0), rr.c1), inertia.c1);
        inertia.c2 = fr_axpy(m, fr_sub(fr_vec3(0, 0, r2), rr.c2), inertia.c2);
        kinetic += m * fr_dot(dv, fr_axpy(0.5, dv, v));
        fem->state.works.impulse = fr_axpy(m, dv, fem->state.works.impulse);
        fr_set3(fem->state.p, n, p);
        fr_set3(fem->state.v, n, fr_add(v, dv));
    }
    fem->scratch.current = false;
    return s.free ? kinetic + turn_back(fem, extra, inertia, s.centre) : kinetic;
}

double fr_fem_shift(FrFem *fem, double dt, double power) {
    double a = fem->state.last_dt, part = (a * a - dt * dt) / (4.0 * a);
    if (fabs(part * power) < FR_SHIFT_WORTH * (fem->scratch.sums.kinetic + fem->scratch.energy))
        return 0.0;
    return nudge(fem, part, false);
}

// At a cut nodes come under forces that were not there before, and often the step has to fall far
// at the same moment, below what was stable a moment ago: forces of after the cut must not act for
// half of the step before it. So the accelerations of before, which the cut hands on like
// velocities, take the velocities from half of the old step back to half of the new one; then the
// step does not change any more. What the old accelerations leave, (a^2 - b^2)/8 f.f/m, is made up
// for as above.
void fr_fem_note_pulls(FrFem *fem) {
    if (fem->scratch.pulled || fem->settings.integrator != FR_SYMPLECTIC ||
        !(fem->state.last_dt > 0.0))
        return;
    fr_fem_evaluate(fem);
    for (int32_t n = 0; n < fem->state.node_count; n++)
        fr_set3(fem->scratch.gain, n,
                fr_scale(fem->state.held[n] ? 0.0 : fem->scratch.inverse_mass[n],
                         fr_get3(fem->scratch.f, n)));
    fem->scratch.pulled = true;
}

bool fr_fem_was_cut(const FrFem *fem) { return fem->scratch.pulled; }

// kinetic and elastic part of the ledger, J
static double balance(FrFem *fem) {
    double elastic = fr_fem_elastic_part(fem);
    return fem->scratch.sums.kinetic + elastic;
}

// sum of f.x over nodes
static double pull_along(const FrFem *fem, const double *x) {
    double sum = 0.0;
    for (int32_t n = 0; n < fem->state.node_count; n++)
        sum += fr_dot(fr_get3(fem->scratch.f, n), fr_get3(x, n));
    return sum;
}

// the zero of c0 + c1 s + c2 s^2 next to that of c0 + c1 s, or where it comes closest to zero
static double root_of(double c0, double c1, double c2) {
    double det = c1 * c1 - 4.0 * c0 * c2;
    if (!(det > 0.0)) return c2 != 0.0 ? -0.5 * c1 / c2 : 0.0;
    return -2.0 * c0 / (c1 + copysign(sqrt(det), c1));
}

// Velocities, then as much of the shift as keeps the energy: with elastic forces that change in
// proportion it is a square of that part. A root is there unless most of the energy is in modes
// that hardly bear the step; what then is left the cut has taken.
void fr_fem_retime(FrFem *fem, double dt) {
    double a = fem->state.last_dt, far = 0.125 * (a * a - dt * dt);
    if (!fem->scratch.pulled) return;
    fem->scratch.pulled = false;
    if (fabs(dt - a) <= FR_STEP_SAME * dt) return;
    double owed = balance(fem),
           worth = FR_SHIFT_WORTH * (fem->scratch.sums.kinetic + fem->scratch.energy);
    double pull = far * pull_along(fem, fem->scratch.gain);
    double kinetic = fem->scratch.sums.kinetic + nudge(fem, 0.5 * (a - dt), true);
    double power = pull_along(fem, fem->state.v),
           over = kinetic + fem->scratch.energy + 0.5 * dt * power - owed;
    fem->state.last_dt = dt;
    if (fabs(over) > worth) {
        nudge(fem, far, false);
        double left = balance(fem) - owed,
               slope = 0.5 * dt * (fem->scratch.sums.elastic - power) - pull;
        double part = root_of(over, slope, left - over - slope);
        if (fabs(left) > worth) nudge(fem, (fr_clamp(part, 0.0, FR_SHIFT_MOST) - 1.0) * far, false);
    }
    fem->state.works.fracture += owed - balance(fem);
}
