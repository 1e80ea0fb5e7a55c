// laws.c: pointwise laws: what stress answers a strain, and what energy it stores.

#include "material/laws.h"

// lambda = E nu / ((1 + nu)(1 - 2 nu)), mu = E / (2 (1 + nu))                            [M0]
void fr_lame_from_young(double young, double poisson, double *lambda, double *mu) {
    *lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    *mu = young / (2.0 * (1.0 + poisson));
}

double fr_young(double lambda, double mu) { return mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu); }

double fr_poisson(double lambda, double mu) { return lambda / (2.0 * (lambda + mu)); }

double fr_wave_speed_p(const FrMaterial *m) { return sqrt((m->lambda + 2.0 * m->mu) / m->density); }

double fr_wave_speed_s(const FrMaterial *m) { return sqrt(m->mu / m->density); }

double fr_wave_speed_bar(const FrMaterial *m) {
    return sqrt(fr_young(m->lambda, m->mu) / m->density);
}

// E = (F'F - I) / 2                                                         [S2 eq. 1] [S6 eq. 3.1]
// Departs from the paper: halved, the textbook's Green strain (E1).
FrSym3 fr_green_strain(FrMat3 F) {
    FrSym3 E = {0.5 * (fr_dot(F.c0, F.c0) - 1.0), 0.5 * (fr_dot(F.c1, F.c1) - 1.0),
                0.5 * (fr_dot(F.c2, F.c2) - 1.0), 0.5 * fr_dot(F.c1, F.c2),
                0.5 * fr_dot(F.c2, F.c0),         0.5 * fr_dot(F.c0, F.c1)};
    return E;
}

// Ed = (F'Fd + Fd'F) / 2, 1/s                                               [S2 eq. 3] [S6 eq. 3.3]
// Departs from the paper: halved, as the strain (E1).
FrSym3 fr_green_rate(FrMat3 F, FrMat3 Fd) {
    FrSym3 Ed = {fr_dot(F.c0, Fd.c0),
                 fr_dot(F.c1, Fd.c1),
                 fr_dot(F.c2, Fd.c2),
                 0.5 * (fr_dot(F.c1, Fd.c2) + fr_dot(F.c2, Fd.c1)),
                 0.5 * (fr_dot(F.c2, Fd.c0) + fr_dot(F.c0, Fd.c2)),
                 0.5 * (fr_dot(F.c0, Fd.c1) + fr_dot(F.c1, Fd.c0))};
    return Ed;
}

// a tr(x) I + 2 b x: the shape of both isotropic laws. The sum over k of the printed equations
// covers the trace only (E4).
static FrSym3 isotropic_law(double a, double b, FrSym3 x) {
    double trace = a * fr_sym3_trace(x), twice = 2.0 * b;
    FrSym3 s = {trace + twice * x.xx, trace + twice * x.yy, trace + twice * x.zz,
                twice * x.yz,         twice * x.zx,         twice * x.xy};
    return s;
}

// S = lambda tr(E) I + 2 mu E, Pa                                       [S2 eq. 7] [S6 eq. 3.12]
// Departs from the paper: of standard strain, so half of the printed sigma (E1).
FrSym3 fr_stress_isotropic(double lambda, double mu, FrSym3 E) {
    return isotropic_law(lambda, mu, E);
}

// W = lambda/2 tr(E)^2 + mu E:E, J/m^3                                  [S2 eq. 9] [S6 eq. 3.14]
// Departs from the paper: the printed eta = 1/2 sigma:eps is four times this, and minus its
// gradient four times the printed force (E1).
double fr_energy_isotropic(double lambda, double mu, FrSym3 E) {
    double trace = fr_sym3_trace(E);
    return 0.5 * lambda * trace * trace + mu * fr_sym3_dot(E, E);
}

// S_ij = sum_kl C_ijkl E_kl, in 6x6 form with engineering shears        [S2 eq. 5] [S6 eq. 3.10]
FrSym3 fr_stress_anisotropic(const double C[6][6], FrSym3 E) {
    double e[6] = {E.xx, E.yy, E.zz, 2.0 * E.yz, 2.0 * E.zx, 2.0 * E.xy}, s[6];
    for (int i = 0; i < 6; i++) {
        s[i] = 0.0;
        for (int j = 0; j < 6; j++) s[i] += C[i][j] * e[j];
    }
    FrSym3 S = {s[0], s[1], s[2], s[3], s[4], s[5]};
    return S;
}

double fr_energy_anisotropic(const double C[6][6], FrSym3 E) {
    return 0.5 * fr_sym3_dot(fr_stress_anisotropic(C, E), E);
}

// Sv = phi tr(Ed) I + 2 psi Ed, Pa                                      [S2 eq. 8] [S6 eq. 3.13]
// Power density Sv:Ed W/m^3. The printed kappa = 1/2 sigma_v:nu [S2 eq. 10] [S6 eq. 3.15] is twice
// that power and four times the Rayleigh function (E2).
FrSym3 fr_stress_viscous(double phi, double psi, FrSym3 Ed) { return isotropic_law(phi, psi, Ed); }

// I + 2E
static FrSym3 stretches2(FrSym3 E) {
    return (FrSym3){1.0 + 2.0 * E.xx, 1.0 + 2.0 * E.yy, 1.0 + 2.0 * E.zz,
                    2.0 * E.yz,       2.0 * E.zx,       2.0 * E.xy};
}

// C adj(C) = det(C) I
static FrSym3 adjugate(FrSym3 c) {
    return (FrSym3){c.yy * c.zz - c.yz * c.yz, c.zz * c.xx - c.zx * c.zx,
                    c.xx * c.yy - c.xy * c.xy, c.zx * c.xy - c.xx * c.yz,
                    c.xy * c.yz - c.yy * c.zx, c.yz * c.zx - c.zz * c.xy};
}

static FrSym3 deviator(FrSym3 a) {
    FrSym3 identity = {1, 1, 1, 0, 0, 0};
    return fr_sym3_axpy(-fr_sym3_trace(a) / 3.0, identity, a);
}

// det C - 1
static double grown(FrSym3 C, FrSym3 adj) {
    return (C.xx * adj.xx + C.xy * adj.xy + C.zx * adj.zx) - 1.0;
}

// W = mu |dev(E - Ep)|^2 + k/8 (det C - 1)^2, k = lambda + 2/3 mu, C = I + 2E, J/m^3
// S = 2 mu dev(E - Ep) + k/2 (det C - 1) adj(C), Pa, in the force kernel's order: the same bits
// Departs from S3, whose k tr(E - Ep) = k tr(E) is the change of volume to first order only: what
// flowed by 0.2 at its own volume would be pulled from all sides as if it had grown by 4 % (E11).
static FrSym3 stress_flowed(const FrMaterial *m, FrSym3 E, FrSym3 Ep) {
    FrSym3 C = stretches2(E), adj = adjugate(C), el = fr_sym3_axpy(-1.0, Ep, E);
    double push = (0.5 * m->lambda + m->mu / 3.0) * grown(C, adj), twice = 2.0 * m->mu;
    double third = m->mu / 3.0 * (2.0 * fr_sym3_trace(el));
    return (FrSym3){twice * el.xx - third + push * adj.xx, twice * el.yy - third + push * adj.yy,
                    twice * el.zz - third + push * adj.zz, twice * el.yz + push * adj.yz,
                    twice * el.zx + push * adj.zx,         twice * el.xy + push * adj.xy};
}

static double energy_flowed(const FrMaterial *m, FrSym3 E, FrSym3 Ep) {
    FrSym3 C = stretches2(E), d = deviator(fr_sym3_axpy(-1.0, Ep, E));
    double change = grown(C, adjugate(C));
    return m->mu * fr_sym3_dot(d, d) + 0.25 * (0.5 * m->lambda + m->mu / 3.0) * change * change;
}

double fr_volume_change(FrSym3 E) {
    FrSym3 C = stretches2(E);
    return grown(C, adjugate(C));
}

FrSym3 fr_volume_stress(const FrMaterial *m, FrSym3 E, double change) {
    double push = (0.5 * m->lambda + m->mu / 3.0) * change;
    return fr_sym3_axpy(push, adjugate(stretches2(E)), fr_sym3_zero);
}

FrSym3 fr_material_stress(const FrMaterial *m, FrSym3 E, FrSym3 Ep) {
    if (m->anisotropic) return fr_stress_anisotropic(m->C, fr_sym3_axpy(-1.0, Ep, E));
    if (fr_material_yields(m)) return stress_flowed(m, E, Ep);
    return fr_stress_isotropic(m->lambda, m->mu, E);
}

double fr_material_energy(const FrMaterial *m, FrSym3 E, FrSym3 Ep) {
    if (m->anisotropic) return fr_energy_anisotropic(m->C, fr_sym3_axpy(-1.0, Ep, E));
    if (fr_material_yields(m)) return energy_flowed(m, E, Ep);
    return fr_energy_isotropic(m->lambda, m->mu, E);
}

// Ee = E - Ep                                                               [S3 eq. 1] [S6 eq. 3.6]
// d = Ee - tr(Ee)/3 I                                                       [S3 eq. 2] [S6 eq. 3.4]
// where |d| > g1:  Ep += (|d| - g1)/|d| d     [S3 eq. 3] [S3 eq. 4] [S6 eq. 3.5] [S6 eq. 3.7]
// Ep *= min(1, g2/|Ep|)                                                     [S3 eq. 5] [S6 eq. 3.8]
// |.| is the Frobenius norm, the same in all axes (E15); g1, g2 are half of the printed ones (E1).
// Departs from S6's pseudo code, which tests J(dev E) > k1: J is a squared norm, and the deviator
// must be that of the elastic strain (E10).
bool fr_plastic_flow(const FrMaterial *m, FrSym3 E, FrSym3 *Ep) {
    FrSym3 d = deviator(fr_sym3_axpy(-1.0, *Ep, E));
    double size = sqrt(fr_sym3_dot(d, d));
    if (!fr_material_yields(m) || !(size > m->yield_strain)) return false;
    *Ep = fr_sym3_axpy((size - m->yield_strain) / size, d, *Ep);
    double flowed = sqrt(fr_sym3_dot(*Ep, *Ep));
    if (flowed > m->plastic_limit) *Ep = fr_sym3_axpy(m->plastic_limit / flowed, *Ep, fr_sym3_zero);
    return true;
}

// sigma = F S F' / J: force per present area across a present plane     [S2 eq. 11] [S6 eq. 3.16]
// Departs from the paper: its sigma is twice the second Piola-Kirchhoff stress (E1).
FrSym3 fr_stress_cauchy(FrMat3 F, FrSym3 S) {
    FrMat3 FS = fr_mat3_mul(F, fr_sym3_full(S));
    FrMat3 full = fr_mat3_mul(FS, fr_mat3_transpose(F));
    return fr_mat3_sym(fr_mat3_scale(1.0 / fr_mat3_det(F), full));
}
