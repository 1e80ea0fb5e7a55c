// stress.h: strain and stress at a point or in a tet, as pictures and exports show them.
#pragma once
#include "fracas/material.h"
#include "math/vec.h"

/// The elastic part; what strain rates add is left out. Where plastic strain is not known, material
/// that yields shows the stress of having been strained straight to this shape, which is right
/// while it is being deformed and the yield stress where it was dented and let go.
typedef struct FrTetStress {
    FrSym3 strain;    ///< Green strain E, 1
    FrSym3 cauchy;    ///< Pa; 0 where J <= 0 or the stress is not finite
    double von_mises; ///< Pa; the same
    double J;         ///< volume now / volume at rest
} FrTetStress;

/// sqrt(3/2 s:s) of the deviator s, Pa.
double fr_von_mises(FrSym3 stress);
/// From a deformation gradient.
FrTetStress fr_stress_at(const FrMaterial *material, FrMat3 F);
/// The same with this plastic strain.
FrTetStress fr_stress_beyond(const FrMaterial *material, FrMat3 F, FrSym3 plastic);
/// The same with the six numbers that a frame has of a tet (FrBodyFrame); NULL: not known.
FrTetStress fr_stress_shown(const FrMaterial *material, FrMat3 F, const float *plastic);
/// x: rest corners, p: present corners, m; plastic as above. All zero for a tet without rest
/// volume.
FrTetStress fr_tet_stress(const FrMaterial *material, const FrVec3 x[4], const FrVec3 p[4],
                          const float *plastic);
