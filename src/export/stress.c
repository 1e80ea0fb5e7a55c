// stress.c: strain and stress of a tet from where its corners are.

#include "export/stress.h"

static FrMat3 edges(const FrVec3 x[4]) {
    return fr_mat3(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]), fr_sub(x[3], x[0]));
}

// S = lambda tr(E) I + 2 mu E, or S = C E with engineering shears (order xx yy zz yz zx xy)
static FrSym3 second_piola(const FrMaterial *m, FrSym3 E) {
    if (!m->anisotropic) {
        double pressure = m->lambda * fr_sym3_trace(E), two_mu = 2.0 * m->mu;
        return (FrSym3){pressure + two_mu * E.xx,
                        pressure + two_mu * E.yy,
                        pressure + two_mu * E.zz,
                        two_mu * E.yz,
                        two_mu * E.zx,
                        two_mu * E.xy};
    }
    double e[6] = {E.xx, E.yy, E.zz, 2 * E.yz, 2 * E.zx, 2 * E.xy}, s[6];
    for (int i = 0; i < 6; i++) {
        s[i] = 0.0;
        for (int j = 0; j < 6; j++) s[i] += m->C[i][j] * e[j];
    }
    return (FrSym3){s[0], s[1], s[2], s[3], s[4], s[5]};
}

double fr_von_mises(FrSym3 s) {
    double mean = fr_sym3_trace(s) / 3.0;
    FrSym3 deviator = {s.xx - mean, s.yy - mean, s.zz - mean, s.yz, s.zx, s.xy};
    return sqrt(1.5 * fr_sym3_dot(deviator, deviator));
}

// F = Ds Dm^-1, E = (F'F - I) / 2, cauchy = F S F' / det F
FrTetStress fr_tet_stress(const FrMaterial *material, const FrVec3 x[4], const FrVec3 p[4]) {
    FrTetStress result = {fr_sym3_zero, fr_sym3_zero, 0.0, 0.0};
    FrMat3 Dm = edges(x);
    if (fr_mat3_det(Dm) == 0.0) return result;
    FrMat3 F = fr_mat3_mul(edges(p), fr_mat3_inverse(Dm));
    FrSym3 E = {0.5 * (fr_dot(F.c0, F.c0) - 1), 0.5 * (fr_dot(F.c1, F.c1) - 1),
                0.5 * (fr_dot(F.c2, F.c2) - 1), 0.5 * fr_dot(F.c1, F.c2),
                0.5 * fr_dot(F.c2, F.c0),       0.5 * fr_dot(F.c0, F.c1)};
    result.strain = E;
    result.J = fr_mat3_det(F);
    FrMat3 S = fr_sym3_full(second_piola(material, E));
    FrMat3 sigma = fr_mat3_mul(fr_mat3_mul(F, S), fr_mat3_transpose(F));
    FrSym3 cauchy = fr_mat3_sym(fr_mat3_scale(1.0 / result.J, sigma));
    double von_mises = fr_von_mises(cauchy);
    // a flattened tet has no finite stress to show
    if (!isfinite(von_mises) || !isfinite(cauchy.xx + cauchy.yy + cauchy.zz)) return result;
    result.cauchy = cauchy;
    result.von_mises = von_mises;
    return result;
}
