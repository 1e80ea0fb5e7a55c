// release.c: what breaking sets free: impulses on the new faces that drive the pieces apart.

#include "fracture/release.h"

bool fr_release_pulls(const FrReleaseFacet *f) {
    return fr_dot(f->n, fr_sym3_apply(f->stress, f->n)) >= 0.0;
}

// s_i = a_i P_i n_i,  j_i = r_i x s_i                                                 [S7 eq. 4]
//
// a_i: area, m^2; P_i: stress, Pa; n_i: unit normal; r_i: from the centre of mass, m.
// Departs from the paper: a piece loses its neighbour's pull, so n points into the piece (E56), and
// both sides share one stress; facets in compression are left out (M21).
static FrVec3 pull_on_b(const FrReleaseFacet *f) {
    return fr_scale(f->area, fr_sym3_apply(f->stress, f->n));
}

static void add_pull(FrReleasePiece *piece, FrVec3 x, FrVec3 pull) {
    piece->force = fr_add(piece->force, pull);
    piece->torque = fr_add(piece->torque, fr_cross(fr_sub(x, piece->x), pull));
}

static FrVec3 velocity_at(const FrReleasePiece *piece, FrVec3 x) {
    return fr_add(piece->v, fr_cross(piece->w, fr_sub(x, piece->x)));
}

// Forces and torques of all pieces; power of the facets, W. Summed by facet: what moves all pieces
// alike drops out before anything is rounded.
static double gather(FrReleasePiece *piece, const FrReleaseFacet *facet, int32_t facet_count) {
    double power = 0.0;
    for (int32_t k = 0; k < facet_count; k++) {
        const FrReleaseFacet *f = &facet[k];
        if (!fr_release_pulls(f)) continue;
        FrReleasePiece *a = &piece[f->a], *b = &piece[f->b];
        FrVec3 pull = pull_on_b(f);
        power += fr_dot(pull, fr_sub(velocity_at(b, f->x), velocity_at(a, f->x)));
        add_pull(a, f->x, fr_neg(pull));
        add_pull(b, f->x, pull);
    }
    return power;
}

// |S|^2/m + J' I^-1 J: twice the energy of a piece at rest after one second, W/s
static double gain(const FrReleasePiece *p) {
    return fr_length2(p->force) / p->mass +
           fr_dot(p->torque, fr_mat3_apply(p->inv_inertia, p->torque));
}

// A tau^2 + B tau = dE, the positive root without a difference of equal numbers (E57)
static double root(double A, double B, double energy) {
    return 2.0 * energy / (B + sqrt(B * B + 4.0 * A * energy));
}

// v+ = v- + tau/m sum s_i,  w+ = w- + tau I^-1 sum j_i                                [S7 eq. 5]
static void drive(FrReleasePiece *p, double tau) {
    p->v = fr_axpy(tau / p->mass, p->force, p->v);
    p->w = fr_axpy(tau, fr_mat3_apply(p->inv_inertia, p->torque), p->w);
}

// tau makes the kinetic energy rise by dE (M21). One tau for all, so momentum stays exact when it
// is made smaller, too.
double fr_release(FrReleasePiece *piece, int32_t piece_count, const FrReleaseFacet *facet,
                  int32_t facet_count, double energy, double fastest) {
    for (int32_t d = 0; d < piece_count; d++) piece[d].force = piece[d].torque = fr_vec3_zero;
    double B = gather(piece, facet, facet_count), A = 0.0, quickest = 0.0;
    for (int32_t d = 0; d < piece_count; d++) {
        double twice = gain(&piece[d]);
        A += 0.5 * twice;
        quickest = fr_max(quickest, sqrt(twice / piece[d].mass));
    }
    if (!(A > 0.0) || !(energy > 0.0)) return 0.0;
    double tau = root(A, B, energy);
    if (tau * quickest > fastest) tau = fastest / quickest;
    for (int32_t d = 0; d < piece_count; d++) drive(&piece[d], tau);
    return tau;
}
