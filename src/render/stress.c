// stress.c: elastic Cauchy stress of a deformed tet and its von Mises measure.

#include "render/stress.h"

// second Piola-Kirchhoff stress S = C : E with engineering shears
static FrSym3 anisotropic(const FrMaterial *m, FrSym3 E) {
    double e[6] = {E.xx, E.yy, E.zz, 2 * E.yz, 2 * E.zx, 2 * E.xy}, s[6];
    for (int i = 0; i < 6; i++) {
        s[i] = 0;
        for (int j = 0; j < 6; j++) s[i] += m->C[i][j] * e[j];
    }
    return (FrSym3){s[0], s[1], s[2], s[3], s[4], s[5]};
}

// S = lambda tr(E) I + 2 mu E,  E = (F'F - I) / 2,  sigma = F S F' / det F.
// The rate-dependent part is left out: pictures show the elastic stress.
FrSym3 fr_render_cauchy(const FrMaterial *material, FrMat3 F) {
    double J = fr_mat3_det(F);
    if (!(J > 0)) return fr_sym3_zero;
    FrSym3 E = {0.5 * (fr_dot(F.c0, F.c0) - 1), 0.5 * (fr_dot(F.c1, F.c1) - 1),
                0.5 * (fr_dot(F.c2, F.c2) - 1), 0.5 * fr_dot(F.c1, F.c2),
                0.5 * fr_dot(F.c2, F.c0),       0.5 * fr_dot(F.c0, F.c1)};
    FrSym3 S;
    if (material->anisotropic) {
        S = anisotropic(material, E);
    } else {
        double pressure = material->lambda * fr_sym3_trace(E);
        FrSym3 round = {pressure, pressure, pressure, 0, 0, 0};
        S = fr_sym3_axpy(2 * material->mu, E, round);
    }
    FrMat3 FS = fr_mat3_mul(F, fr_sym3_full(S));
    return fr_mat3_sym(fr_mat3_scale(1 / J, fr_mat3_mul(FS, fr_mat3_transpose(F))));
}

// sqrt(3/2 s : s) with s the deviator
double fr_render_von_mises(FrSym3 stress) {
    double mean = fr_sym3_trace(stress) / 3;
    FrSym3 s = stress;
    s.xx -= mean, s.yy -= mean, s.zz -= mean;
    return sqrt(1.5 * fr_sym3_dot(s, s));
}
