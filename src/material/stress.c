// stress.c: strain and stress at a point or in a tet, as pictures and exports show them.

#include "material/stress.h"
#include "material/laws.h"

double fr_von_mises(FrSym3 s) {
    double mean = fr_sym3_trace(s) / 3.0;
    FrSym3 deviator = {s.xx - mean, s.yy - mean, s.zz - mean, s.yz, s.zx, s.xy};
    return sqrt(1.5 * fr_sym3_dot(deviator, deviator));
}

FrTetStress fr_stress_at(const FrMaterial *material, FrMat3 F) {
    FrSym3 Ep = fr_sym3_zero;
    if (fr_mat3_det(F) > 0.0) fr_plastic_flow(material, fr_green_strain(F), &Ep);
    return fr_stress_beyond(material, F, Ep);
}

FrTetStress fr_stress_beyond(const FrMaterial *material, FrMat3 F, FrSym3 Ep) {
    FrTetStress at = {.strain = fr_green_strain(F), .J = fr_mat3_det(F)};
    if (!(at.J > 0.0)) return at;
    FrSym3 cauchy = fr_stress_cauchy(F, fr_material_stress(material, at.strain, Ep));
    double von_mises = fr_von_mises(cauchy);
    // a flattened tet has no finite stress to show
    if (!isfinite(von_mises) || !isfinite(fr_sym3_trace(cauchy))) return at;
    at.cauchy = cauchy;
    at.von_mises = von_mises;
    return at;
}

FrTetStress fr_stress_shown(const FrMaterial *material, FrMat3 F, const float *plastic) {
    if (!plastic) return fr_stress_at(material, F);
    double E[6];
    for (int i = 0; i < 6; i++) E[i] = (double)plastic[i];
    return fr_stress_beyond(material, F, (FrSym3){E[0], E[1], E[2], E[3], E[4], E[5]});
}

static FrMat3 edges(const FrVec3 x[4]) {
    return fr_mat3(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]), fr_sub(x[3], x[0]));
}

// F = Ds Dm^-1
FrTetStress fr_tet_stress(const FrMaterial *material, const FrVec3 x[4], const FrVec3 p[4],
                          const float *plastic) {
    FrMat3 Dm = edges(x);
    if (fr_mat3_det(Dm) == 0.0) return (FrTetStress){.J = 0.0};
    return fr_stress_shown(material, fr_mat3_mul(edges(p), fr_mat3_inverse(Dm)), plastic);
}
