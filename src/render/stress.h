// stress.h: Cauchy stress of one tet from rest shape, material and present shape; for colours.
#pragma once
#include "fracas/material.h"
#include "math/vec.h"

/// Elastic Cauchy stress, Pa. F: deformation gradient, det F > 0. Zero where det F <= 0.
FrSym3 fr_render_cauchy(const FrMaterial *material, FrMat3 F);
/// von Mises stress, Pa.
double fr_render_von_mises(FrSym3 stress);
