// laws.h: pointwise laws: what stress answers a strain, and what energy it stores.
#pragma once
#include "fracas/material.h"
#include "math/vec.h"

/// Below this stretch the law of St. Venant and Kirchhoff gets softer under compression (E5).
#define FR_STVK_PEAK_STRETCH 0.57735026918962576
/// Largest plastic strain (standard Green strain) for which a real rest shape surely exists is
/// 0.6124; M4 recommends to stay below this (E11).
#define FR_PLASTIC_LIMIT_MAX 0.55

/// Lame constants Pa from Young's modulus Pa and Poisson's ratio, and back [M0].
void fr_lame_from_young(double young, double poisson, double *lambda, double *mu);
double fr_young(double lambda, double mu);
double fr_poisson(double lambda, double mu);
/// Speeds of pressure and shear waves m/s, and of long waves in a thin bar.
double fr_wave_speed_p(const FrMaterial *material);
double fr_wave_speed_s(const FrMaterial *material);
double fr_wave_speed_bar(const FrMaterial *material);

/// Standard Green strain (F'F - I)/2 of a deformation gradient.
FrSym3 fr_green_strain(FrMat3 F);
/// Its rate (F'Fd + Fd'F)/2, 1/s.
FrSym3 fr_green_rate(FrMat3 F, FrMat3 Fd);

/// Second Piola-Kirchhoff stress Pa and energy density J/m^3 from standard Green strain.
FrSym3 fr_stress_isotropic(double lambda, double mu, FrSym3 E);
double fr_energy_isotropic(double lambda, double mu, FrSym3 E);
FrSym3 fr_stress_anisotropic(const double C[6][6], FrSym3 E);
double fr_energy_anisotropic(const double C[6][6], FrSym3 E);
/// Viscous stress Pa from strain rate 1/s; its power density is stress : rate >= 0.
FrSym3 fr_stress_viscous(double phi, double psi, FrSym3 Ed);
/// Whichever law a material asks for, with plastic strain Ep: what yields and has no axes answers
/// to its true volume, so that flow does not strain it; zero where nothing yields.
FrSym3 fr_material_stress(const FrMaterial *material, FrSym3 E, FrSym3 Ep);
double fr_material_energy(const FrMaterial *material, FrSym3 E, FrSym3 Ep);
/// det C - 1 of a strain, C = I + 2E, and the stress (Pa) that answers to it in what yields.
double fr_volume_change(FrSym3 E);
FrSym3 fr_volume_stress(const FrMaterial *material, FrSym3 E, double change);
/// Does it flow: a yield strain and a plastic limit above 0?
/// Does it get soft where it is warm?
static inline bool fr_material_melts(const FrMaterial *material) {
    return material->heat_capacity > 0.0 && (material->melts > 0.0 || material->melts < 0.0);
}
static inline bool fr_material_yields(const FrMaterial *material) {
    return material->yield_strain > 0.0 && material->plastic_limit > 0.0;
}
/// Let plastic strain follow the total strain E: one step of S3's rule. Both in standard Green
/// strain and material axes. True when it moved.
bool fr_plastic_flow(const FrMaterial *material, FrSym3 E, FrSym3 *Ep);
/// Cauchy stress F S F' / det F, Pa.
FrSym3 fr_stress_cauchy(FrMat3 F, FrSym3 S);

/// The papers' doubled strain F'F - I, their doubled stress, and their thresholds (E1).
static inline FrSym3 fr_strain_from_doubled(FrSym3 eps) {
    return fr_sym3_axpy(0.5, eps, fr_sym3_zero);
}
static inline FrSym3 fr_stress_from_doubled(FrSym3 sigma) {
    return fr_sym3_axpy(0.5, sigma, fr_sym3_zero);
}
static inline double fr_threshold_from_doubled(double gamma) { return 0.5 * gamma; }

/// The stiffness seen in axes turned by R: material axis k lies along R's column k.
void fr_stiffness_rotate(const double C[6][6], FrMat3 R, double out[6][6]);
/// Smallest and largest eigenvalue of C as a map of symmetric tensors (Mandel's form), Pa.
void fr_stiffness_range(const double C[6][6], double *lowest, double *largest);
/// Young's modulus of C for a pull along the unit vector n, Pa.
double fr_stiffness_young(const double C[6][6], FrVec3 n);
/// C of an orthotropic solid; false when it is not positive definite.
bool fr_stiffness_orthotropic(const FrOrthotropic *constants, double C[6][6]);
