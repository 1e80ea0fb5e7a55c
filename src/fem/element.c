// element.c: one linear tet in plain words: basis, strain, forces, energy, how fast it can ring.

#include "fem/element.h"
#include "fem/chunk.h"
#include "math/decompose.h"

// Dm = [m2-m1, m3-m1, m4-m1], vol = det Dm / 6, rows of Dm^-1 are the gradients
//                                               [S2 eq. 16] [S2 eq. 25] [S6 eq. 3.21] [S6 eq. 3.30]
// Departs from the paper: 3x3 instead of the 4x4 beta, whose last column is never used (M1).
bool fr_element_make(const FrVec3 m[4], FrElement *e) {
    FrMat3 Dm = fr_mat3(fr_sub(m[1], m[0]), fr_sub(m[2], m[0]), fr_sub(m[3], m[0]));
    double det = fr_mat3_det(Dm);
    e->volume = det / 6.0;
    if (!(e->volume > 0.0) || !isfinite(1.0 / det)) return false;
    FrMat3 cof = fr_mat3_cofactor(Dm);
    e->G[1] = fr_scale(1.0 / det, cof.c0);
    e->G[2] = fr_scale(1.0 / det, cof.c1);
    e->G[3] = fr_scale(1.0 / det, cof.c2);
    e->G[0] = fr_neg(fr_add(fr_add(e->G[1], e->G[2]), e->G[3]));
    return fr_vec3_finite(e->G[0]);
}

// F = sum_i p_i G_i', with differences so that a far-away body loses no digits     [S2 eq. 21]
FrMat3 fr_element_gradient(const FrElement *e, const FrVec3 p[4]) {
    FrMat3 F = fr_outer(fr_sub(p[1], p[0]), e->G[1]);
    F = fr_mat3_add(F, fr_outer(fr_sub(p[2], p[0]), e->G[2]));
    return fr_mat3_add(F, fr_outer(fr_sub(p[3], p[0]), e->G[3]));
}

// f_i = -vol P G_i                                                    [S2 eq. 24] [S2 eq. 26]
static void forces_of(const FrElement *e, FrMat3 P, FrVec3 f[4]) {
    f[0] = fr_vec3_zero;
    for (int i = 1; i < 4; i++) {
        f[i] = fr_scale(-e->volume, fr_mat3_apply(P, e->G[i]));
        f[0] = fr_sub(f[0], f[i]);
    }
}

// the inversion guard: energy density J/m^3 and its slope over J = det F, Pa (E5; see kernel.h)
//     g = kb J0^2 (q^3/3 + 7/5 q^5), g' = -kb J0 (q^2 + 7 q^4), q = (J0 - J)/J0
static double guard_energy(const FrMaterial *m, FrMat3 F, double *slope) {
    double kb = m->lambda + 2.0 * m->mu, q = fr_max(0.0, 1.0 - fr_mat3_det(F) / FR_GUARD_J0);
    *slope = -kb * FR_GUARD_J0 * q * q * (1.0 + 7.0 * q * q);
    return kb * FR_GUARD_J0 * FR_GUARD_J0 * q * q * q * (1.0 / 3.0 + 1.4 * q * q);
}

double fr_element_load(const FrElement *e, const FrMaterial *m, const FrVec3 p[4], FrSym3 plastic,
                       FrVec3 f[4]) {
    FrMat3 F = fr_element_gradient(e, p);
    FrSym3 E = fr_green_strain(F);
    FrMat3 P = fr_mat3_mul(F, fr_sym3_full(fr_material_stress(m, E, plastic)));
    double slope, guard = guard_energy(m, F, &slope);
    P = fr_mat3_axpy(slope, fr_mat3_cofactor(F), P);
    forces_of(e, P, f);
    return e->volume * (fr_material_energy(m, E, plastic) + guard);
}

void fr_element_viscous(const FrElement *e, const FrMaterial *m, const FrVec3 p[4],
                        const FrVec3 v[4], FrVec3 f[4]) {
    FrMat3 F = fr_element_gradient(e, p);
    FrSym3 Ed = fr_green_rate(F, fr_element_gradient(e, v));
    forces_of(e, fr_mat3_mul(F, fr_sym3_full(fr_stress_viscous(m->phi, m->psi, Ed))), f);
}

double fr_element_energy(const FrElement *e, const FrMaterial *m, const FrVec3 p[4]) {
    FrVec3 f[4];
    return fr_element_load(e, m, p, fr_sym3_zero, f);
}

// Largest of the element's own K = vol [ lambda G_ia G_jb + mu G_ib G_ja + mu (G_i.G_j) d_ab ] at
// rest over its lumped mass; S4 prints -vol/2 (E6)                                   [S4 eq. 12]
// w^2 <= (4/rho) [ lambda tr(GG) + 2 mu lmax(GG) ], GG = sum_i G_i G_i'                    [M3]
// General stiffness: the largest eigenvalue of C (Mandel) takes the place of 2 mu, lambda = 0.
double fr_element_w2(const FrElement *e, const FrMaterial *m) {
    FrMat3 GG = fr_mat3_zero;
    for (int i = 0; i < 4; i++) GG = fr_mat3_add(GG, fr_outer(e->G[i], e->G[i]));
    FrSym3 s = fr_mat3_sym(GG);
    double largest = fr_sym3_eigen(s).value[0], lambda = fabs(m->lambda), twice_mu = 2.0 * m->mu;
    if (m->anisotropic) {
        double lowest;
        lambda = 0.0;
        fr_stiffness_range(m->C, &lowest, &twice_mu);
    }
    return 4.0 / m->density * (lambda * fr_sym3_trace(s) + twice_mu * largest);
}

// viscous rate / w^2 <= (phi t + 2 psi) / (lambda t + 2 mu) with t = tr(GG)/lmax(GG) in [1, 3],
// monotone in t, so one of the ends is the largest
double fr_material_damping_bound(const FrMaterial *m) {
    double phi = fabs(m->phi), lambda = fabs(m->lambda);
    if (m->anisotropic) {
        double lowest, largest;
        fr_stiffness_range(m->C, &lowest, &largest);
        return (3.0 * phi + 2.0 * m->psi) / largest;
    }
    double thin = (phi + 2.0 * m->psi) / (lambda + 2.0 * m->mu);
    double even = (3.0 * phi + 2.0 * m->psi) / (3.0 * lambda + 2.0 * m->mu);
    return fr_max(thin, even);
}

// The step is stable while dt^2 w^2 + 2 dt c <= 4, c = damping rate:
// dt = (2/w) (sqrt(1 + xi^2) - xi), xi = c / (2 w)                                    [M3, E9]
double fr_stable_step(double w2, double rate) {
    // the same root without cancellation
    return 4.0 / (rate + sqrt(rate * rate + 4.0 * w2));
}

void fr_kernel_material(const FrMaterial *m, FrKernelMaterial *k) {
    k->half_lambda = 0.5 * m->lambda;
    k->mu = m->mu;
    k->half_bulk = 0.5 * m->lambda + m->mu / 3.0;
    k->phi = m->phi;
    k->psi = m->psi;
    k->barrier = m->lambda + 2.0 * m->mu;
    k->four_over_density = 4.0 / m->density;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) k->C[i][j] = (j < 3 ? 0.5 : 1.0) * m->C[i][j];
    k->damping = fr_material_damping_bound(m);
    k->alpha2 = m->alpha2;
    k->anisotropic = m->anisotropic;
    k->viscous = m->phi != 0.0 || m->psi != 0.0;
    k->twice_yield = 2.0 * m->yield_strain;
    k->plastic_limit = m->plastic_limit;
    k->yields = fr_material_yields(m);
    k->breaks = m->strength > 0.0 || m->tau > 0.0;
    k->elastic_only = false;
}
