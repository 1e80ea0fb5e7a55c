// stress.h: strain and stress of a tet from where its corners are.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"
#include "math/vec.h"

typedef struct FrTetStress {
    FrSym3 strain;    ///< Green strain E, 1
    FrSym3 cauchy;    ///< Pa; 0 for a tet without volume
    double von_mises; ///< Pa
    double J;         ///< volume now / volume at rest
} FrTetStress;

/// x: rest corners, p: present corners.
FrTetStress fr_tet_stress(const FrMaterial *material, const FrVec3 x[4], const FrVec3 p[4]);
/// sqrt(3/2 s:s) of the deviator s.
double fr_von_mises(FrSym3 stress);
