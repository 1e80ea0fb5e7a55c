// fracas/material.h: what a body is made of, in true units.
// SI units (m, kg, s, Pa). Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/base.h"

FR_EXTERN_C_BEGIN

/// Of the air, degrees C: bodies cool down to it.
#define FR_AIR 20.0

/// What a body is made of. Start from fr_material_find(), or from zeros and
/// fr_material_set_young(). Zero in strength, Gc, tau, yield_strain means "does not break / does
/// not yield".
typedef struct FrMaterial {
    char name[40];     ///< ends with a zero byte
    double density;    ///< kg/m^3
    double lambda, mu; ///< Lame constants, Pa (standard Green strain)
    bool anisotropic;  ///< C instead of lambda, mu
    double C[6][6];    ///< Pa, order xx yy zz yz zx xy, engineering shears, material axes
    double alpha1;     ///< stiffness damping, s
    double alpha2;     ///< mass damping, 1/s
    double phi, psi;   ///< strain-rate damping, Pa s; alpha1*lambda and alpha1*mu unless given
    double eta;        ///< loss factor for sound, 1
    double friction_static, friction_dynamic; ///< Coulomb, against itself, 1
    double restitution;                       ///< against itself, 1
    double strength;                          ///< breaking stress, Pa
    double Gc;                                ///< breaking energy, J/m^2
    double tau;                               ///< raw separation threshold, N; paper scenes only
    double yield_strain;  ///< deviatoric elastic limit, standard Green strain, 1 (gamma1/2 of S3)
    double plastic_limit; ///< largest plastic strain, standard Green strain, 1 (gamma2/2 of S3)
    double creep; ///< of model corot: share of the elastic strain above the yield strain that
                  ///< flows per second, 1/s (c_creep of S5); 0: all above it, at once
    double conductivity;   ///< of heat, W/m/K; 0: it stays where it is
    double heat_capacity;  ///< J/kg/K; 0: it does not get warm
    double cooling;        ///< at its surface, W/m^2/K
    double softens, melts; ///< of model corot: from where to where warmth makes it soft, degrees C;
                           ///< melts 0: it does not
    double crack_alpha;    ///< residual propagation factor of S6, 1
    float colour[3];       ///< for pictures, linear RGB
    float roughness, metallic, opacity; ///< for pictures, 0..1
    float inside[3]; ///< for pictures: of faces that cracks opened, linear RGB; all 0: a lighter
                     ///< tone of `colour`
} FrMaterial;

/// A material of the library by name ("glass", "s6-iron"), false when there is none.
FR_API bool fr_material_find(const char *name, FrMaterial *material);

/// How many materials the library has.
FR_API int32_t fr_material_count(void);

/// The name of the k-th of them, 0 <= k < fr_material_count(); NULL: there is none. Static.
FR_API const char *fr_material_name(int32_t k);

/// Where a library material's values come from, in words. Never NULL; static.
typedef struct FrMaterialInfo {
    const char *summary;    ///< what it is, one sentence
    const char *density;    ///< source of density
    const char *elasticity; ///< of lambda, mu or C
    const char *damping;    ///< of alpha1, alpha2, phi, psi, eta
    const char *contact;    ///< of friction and restitution
    const char *breaking;   ///< of strength, Gc, tau, crack_alpha
    const char *plasticity; ///< of yield_strain, plastic_limit
    const char *appearance; ///< of colour, inside, roughness, metallic, opacity
} FrMaterialInfo;

/// The colour of faces that cracks opened, linear RGB: `inside`, or a lighter tone of `colour`.
FR_API void fr_material_inside(const FrMaterial *material, float rgb[3]);

/// The sources of a library material, false when there is none of that name.
FR_API bool fr_material_info(const char *name, FrMaterialInfo *info);

/// Nine constants of an orthotropic solid along its own axes x (wood: along the grain), y, z.
/// poisson_ab: contraction along b per stretch along a.
typedef struct FrOrthotropic {
    double young_x, young_y, young_z;          ///< Pa
    double shear_yz, shear_zx, shear_xy;       ///< Pa
    double poisson_xy, poisson_xz, poisson_yz; ///< 1
} FrOrthotropic;

/// Fills C, sets `anisotropic`, and sets lambda, mu to the isotropic average (Voigt) with phi, psi
/// from alpha1. False (material unchanged) when the constants describe no stable solid.
FR_API bool fr_material_set_orthotropic(FrMaterial *material, const FrOrthotropic *constants);

/// Young's modulus (Pa) and Poisson's ratio to Lame constants; fills lambda, mu, and phi, psi from
/// alpha1.
FR_API void fr_material_set_young(FrMaterial *material, double young, double poisson);

/// FR_BAD_INPUT with the field, its value and what is allowed.
FR_API FrResult fr_material_check(FrContext *ctx, const FrMaterial *material);

FR_EXTERN_C_END
