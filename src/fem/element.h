// element.h: one linear tet in plain words: basis, strain, forces, energy, and how fast it can
// ring.
//
// The reference for the fast kernel, and what set-up and probes use.
#pragma once
#include "material/laws.h"

typedef struct FrElement {
    FrVec3 G[4];   ///< gradients of the four shape functions, 1/m
    double volume; ///< m^3
} FrElement;

/// False when the volume is not positive or not finite.
bool fr_element_make(const FrVec3 m[4], FrElement *element);
FrMat3 fr_element_gradient(const FrElement *element, const FrVec3 p[4]);
/// Viscous forces on the four nodes, N.
void fr_element_viscous(const FrElement *element, const FrMaterial *material, const FrVec3 p[4],
                        const FrVec3 v[4], FrVec3 f[4]);
/// Elastic forces on the four nodes, N; returns the stored energy, J. Guard included.
double fr_element_load(const FrElement *element, const FrMaterial *material, const FrVec3 p[4],
                       FrSym3 plastic, FrVec3 f[4]);
/// Stored energy without plastic strain, J, guard included.
double fr_element_energy(const FrElement *element, const FrMaterial *material, const FrVec3 p[4]);
/// Bound on the squared frequency of the element at rest, 1/s^2 [M3].
double fr_element_w2(const FrElement *element, const FrMaterial *material);
/// Bound: viscous rates are at most this times w2, s.
double fr_material_damping_bound(const FrMaterial *material);
/// Largest stable symplectic step for a squared frequency and a damping rate bound, s [M3].
double fr_stable_step(double w2, double rate);
