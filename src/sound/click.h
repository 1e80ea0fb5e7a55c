// click.h: what a body that is jolted as a whole sends out: the sound of its acceleration.
//
// A rigid body that is jolted pushes the air ahead of it and draws it in behind: a dipole. Far away
// and for slow pushes
//     p r = rho/(4 pi c) cos(theta) d/dt (W A)
// with A its acceleration and W its volume and the volume of the air that it takes along, which
// hangs on the direction: half of the volume of a ball, ten times that of a thin plate that is
// pushed through its face. W is that of the ellipsoid of the body's surface. cos(theta) is taken at
// its root mean square over all listeners, 1/sqrt(3).
#pragma once
#include "sound/asset.h"

typedef struct FrClick {
    double radius; ///< of the ball that moves as much air, mean over directions, m
    FrSym3 way;    ///< W over that ball's, 1: of a ball the identity
} FrClick;
FrClick fr_click_of(const FrAsset *asset);
/// Acceleration takes air along as if the push were so large: |way push|, in its unit.
double fr_click_push(const FrClick *click, FrVec3 push);

/// Volume of air that an ellipsoid of half axes a (m) takes along over its own volume, for each
/// axis: alpha/(2 - alpha), alpha = a b c times the integral over s > 0 of
/// 1/((a_i^2 + s) sqrt((a^2 + s)(b^2 + s)(c^2 + s))) (Lamb, Hydrodynamics, 114 and 121).
void fr_added_mass(const double half[3], double added[3]);
