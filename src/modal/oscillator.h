// oscillator.h: one damped mode over one time step, exactly: under-, critically and over-damped.
#pragma once
#include "base/base.h"

/// z'' + c z' + lambda z = g over a step T with g constant:
///     z' = zz z + zv v + gz g,   v' = vz z + vv v + gv g
typedef struct FrModeStep {
    double zz, zv; ///< 1, s
    double vz, vv; ///< 1/s, 1
    double gz, gv; ///< s^2, s
} FrModeStep;

/// lambda >= 0: squared angular frequency, 1/s^2; c >= 0: damping, 1/s; T > 0, s.
FrModeStep fr_mode_step(double lambda, double c, double T);

/// The same free motion in coordinates x = (v + c/2 z)/kappa and y = z:
///     x' = c x + q y,   y' = s x + c y
/// With kappa = sqrt(lambda - c^2/4) it is a damped rotation: q = -s.
typedef struct FrModeTurn {
    double c, s, q; ///< 1
} FrModeTurn;
FrModeTurn fr_mode_turn(double lambda, double c, double kappa, double T);

/// A scale for x: the damped angular frequency; near critical damping 1/T, so that nothing is
/// divided by zero. 1/s.
double fr_mode_kappa(double lambda, double c, double T);

/// Damped angular frequency, rad/s; 0 when over-damped: such a mode carries no tone.
double fr_mode_omega(double lambda, double c);
