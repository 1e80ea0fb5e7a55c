// hertz.h: how two bodies push each other where they touch: Hertz's law, what else gives way at
// once, and what crushing takes.
#pragma once
#include "base/base.h"

/// k_h of two elastic bodies: 4/3 E* sqrt(R), N/m^(3/2).
/// yielding = (1 - nu^2)/E of both together, 1/Pa; curvature = 1/R of both together, 1/m.
double fr_hertz_stiffness(double yielding, double curvature);

/// A blow without modes.
typedef struct FrHertzBlow {
    double force;    ///< largest, N
    double duration; ///< s
    double radius;   ///< largest, of the contact, m
} FrHertzBlow;
/// stiffness k_h, N/m^(3/2); curvature, 1/m; mobility, 1/kg; speed of closing, m/s. All above zero.
FrHertzBlow fr_hertz_blow(double stiffness, double curvature, double mobility, double speed);

/// F = k d^(3/2) (1 + c y') while y > 0, with approach y = d + C k d^(3/2); never a pull.
typedef struct FrHertzLaw {
    double stiffness;  ///< k, N/m^(3/2)
    double compliance; ///< C, m/N
    double crushing;   ///< c, s/m
} FrHertzLaw;
/// c for which two rigid masses that close at `speed` part at (1 - loss) of it, loss from 0 to
/// FR_HERTZ_MOST_LOSS, s/m.
double fr_hertz_crushing(double loss, double speed);

/// Where a contact is.
typedef struct FrHertzState {
    double y; ///< approach, m; below zero: a gap
    double s; ///< root of the indentation d, m^(1/2); 0: apart
} FrHertzState;
double fr_hertz_force(const FrHertzLaw *law, double s);  ///< without crushing, N
double fr_hertz_energy(const FrHertzLaw *law, double s); ///< stored, J
double fr_hertz_root(const FrHertzLaw *law, double y);   ///< s at approach y

/// A step of those that touch: at its end y = free - give F, F the mean force over it.
typedef struct FrHertzStep {
    FrHertzState from;
    double free; ///< approach where nothing pushes, m
    double give; ///< m/N
    double time; ///< s
} FrHertzStep;
/// What it comes to.
typedef struct FrHertzPush {
    FrHertzState to;
    double force;  ///< mean over the step, N
    double stored; ///< of it, what is stored and given back, N; the rest crushes
} FrHertzPush;
/// Work done is energy stored plus crushed, exactly, however long the step is.
FrHertzPush fr_hertz_step(const FrHertzLaw *law, const FrHertzStep *step);
