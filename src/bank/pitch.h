// pitch.h: the lowest tone of a body from polynomials over its tets: a small full problem instead
// of a sparse one.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"

/// The lowest tone of a free body, Hz, for straight sides. Polynomials of degree 6 come down to it
/// from above: what they leave is the difference to degree 4, about, as `slack` over the result.
/// Chunky, flat and slender pieces: within 2 %; curved shells: far off, and `slack` says so. Needs
/// a back end. FR_BAD_INPUT: a material with a grain, or no volume.
FrResult fr_body_pitch(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                       double *hz, double *slack);
