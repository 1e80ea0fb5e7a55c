// fem_probe.h: what one tet of a deformable body bears, in plain words: the oracle of the lanes.
#pragma once
#include "fem/body.h"
#include "fem/element.h"
#include "material/laws.h"

/// Elastic forces on the four nodes without plastic strain, N; the inversion guard is included.
static inline void element_elastic(const FrElement *e, const FrMaterial *m, const FrVec3 p[4],
                                   FrVec3 f[4]) {
    fr_element_load(e, m, p, fr_sym3_zero, f);
}

/// Of positions: F; of velocities: its rate
static inline FrMat3 tet_gradient(const FrFem *fem, int32_t tet, const double *at) {
    FrVec3 m[4], p[4];
    for (int i = 0; i < 4; i++) {
        m[i] = fr_get3(fem->state.x, fem->state.tet[tet][i]);
        p[i] = fr_get3(at, fem->state.tet[tet][i]);
    }
    FrElement element;
    fr_element_make(m, &element);
    return fr_element_gradient(&element, p);
}

/// Green strain of its present shape.
static inline FrSym3 fem_tet_strain(const FrFem *fem, int32_t tet) {
    return fr_green_strain(tet_gradient(fem, tet, fem->state.p));
}

static inline FrSym3 elastic_stress(const FrFem *fem, int32_t tet, FrMat3 F) {
    return fr_material_stress(fr_fem_material(fem, tet), fr_green_strain(F),
                              fr_fem_plastic_strain(fem, tet));
}

/// Cauchy stress of its present shape, Pa; the elastic part.
static inline FrSym3 fem_tet_stress(const FrFem *fem, int32_t tet) {
    FrMat3 F = tet_gradient(fem, tet, fem->state.p);
    return fr_stress_cauchy(F, elastic_stress(fem, tet, F));
}

/// Second Piola-Kirchhoff stress, Pa: what its forces follow from, less the inversion guard.
// sigma = sigma_elastic + sigma_viscous                                  [S2 eq. 4] [S6 eq. 3.9]
static inline FrSym3 fem_tet_piola(const FrFem *fem, int32_t tet, FrMat3 *F) {
    *F = tet_gradient(fem, tet, fem->state.p);
    FrSym3 S = elastic_stress(fem, tet, *F);
    const FrMaterial *m = fr_fem_material(fem, tet);
    if (m->phi == 0.0 && m->psi == 0.0) return S;
    FrSym3 Ed = fr_green_rate(*F, tet_gradient(fem, tet, fem->state.v));
    return fr_sym3_axpy(fr_fem_damping_factor(fem, tet), fr_stress_viscous(m->phi, m->psi, Ed), S);
}
