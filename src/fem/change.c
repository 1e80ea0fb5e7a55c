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

// Below this part of the energy it is not worth the second look at the forces. A change of 0.1 in
// every fiftieth step then costs at most 1e-3 in 50,000 steps, if all were of one sign.
#define WORTH 1e-6

// nodes that elastic forces pull (those of rigid pieces feel none) and no hand holds
static bool gives(const FrFem *fem, int32_t n) {
    FrVec3 f = fr_get3(fem->f, n);
    return !fem->held[n] && fr_dot(f, f) > 0.0;
}

/// Of the nodes that move: mass, mean shift, centre.
typedef struct Shifted {
    double mass;         ///< kg
    FrVec3 mean, centre; ///< m
    bool free;           ///< no hand holds a node: momenta are to stay
} Shifted;

static Shifted shifted_of(const FrFem *fem, double part) {
    Shifted s = {.free = true};
    for (int32_t n = 0; n < fem->node_count; n++) {
        s.free = s.free && !fem->held[n];
        if (!gives(fem, n)) continue;
        s.mass += fem->mass[n];
        s.mean = fr_axpy(part * fem->mass[n], fr_get3(fem->gain, n), s.mean);
        s.centre = fr_axpy(fem->mass[n], fr_get3(fem->p, n), s.centre);
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
    for (int32_t n = 0; n < fem->node_count; n++) {
        if (!gives(fem, n)) continue;
        FrVec3 v = fr_get3(fem->v, n), dv = fr_cross(spin, fr_sub(fr_get3(fem->p, n), centre));
        kinetic += fem->mass[n] * fr_dot(dv, fr_axpy(0.5, dv, v));
        fr_set3(fem->v, n, fr_add(v, dv));
    }
    return kinetic;
}

double fr_fem_shift(FrFem *fem, double dt, double power) {
    double a = fem->last_dt, part = (a * a - dt * dt) / (4.0 * a);
    if (fabs(part * power) < WORTH * (fem->sums.kinetic + fem->energy)) return 0.0;
    Shifted s = shifted_of(fem, part);
    FrVec3 extra = fr_vec3_zero;
    FrMat3 inertia = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero};
    for (int32_t n = 0; n < fem->node_count; n++) {
        if (!gives(fem, n)) continue;
        double m = fem->mass[n];
        FrVec3 by = fr_sub(fr_scale(part, fr_get3(fem->gain, n)), s.mean);
        FrVec3 p = fr_add(fr_get3(fem->p, n), by), r = fr_sub(p, s.centre);
        extra = fr_axpy(m, fr_cross(by, fr_get3(fem->v, n)), extra);
        FrMat3 rr = fr_outer(r, r);
        double r2 = fr_dot(r, r);
        inertia.c0 = fr_axpy(m, fr_sub(fr_vec3(r2, 0, 0), rr.c0), inertia.c0);
        inertia.c1 = fr_axpy(m, fr_sub(fr_vec3(0, r2, 0), rr.c1), inertia.c1);
        inertia.c2 = fr_axpy(m, fr_sub(fr_vec3(0, 0, r2), rr.c2), inertia.c2);
        fr_set3(fem->p, n, p);
    }
    fem->current = false;
    return s.free ? turn_back(fem, extra, inertia, s.centre) : 0.0;
}
