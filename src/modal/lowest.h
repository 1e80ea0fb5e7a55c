// lowest.h: a frequency below which a free body has no tone, from its size alone.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"

/// A lower bound of the first mode of a free body, Hz:
///     f >= 0.4 sqrt(E/rho) 2r / D^2
/// 2r is how thick it is: the ball of radius r about the centre of mass lies in front of every
/// triangle of the surface, so that all of the body is seen from all of the ball and nothing hangs
/// on a neck. D is twice the distance of the farthest point from there. A slender free beam has
/// 1.03 instead of 0.4, a ball 0.5 to 0.6, square plates 1.3 to 1.4; of all that was tried the
/// least is 0.79, two cones that meet in a waist (test/unit/modal_lowest.c). 0: nothing can be
/// said: there is no such ball, D > 20 * 2r, or the material has a grain.
FrResult fr_modes_lowest_bound(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                               double *hz);
