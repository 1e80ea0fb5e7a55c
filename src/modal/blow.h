// blow.h: an impact in numbers: Hertz contact between two bodies that give way by their rigid
// mobility, their modes and what the modes leave out: force, bounce and modal motion over time.
#pragma once
#include "base/base.h"

/// One blow. All borrowed. Modes of both bodies follow each other.
typedef struct FrModalBlowDef {
    double speed;      ///< of closing, along the normal, m/s
    double mobility;   ///< rigid, of both bodies along the normal: b0 = n'K_A n + n'K_B n, 1/kg
    double hertz;      ///< k_h of F = k_h d^(3/2), N/m^(3/2)
    double compliance; ///< of both bodies, what the modes leave out, m/N
    double loss;       ///< share of the closing speed that crushing takes where nothing vibrates:
                       ///< 1 - restitution of the materials, 0 to 1
    int32_t mode_count;
    const double *lambda;  ///< 1/s^2 (mode_count)
    const double *damping; ///< c, 1/s (mode_count)
    const double *w;       ///< n . shape at the place, kg^-1/2 (mode_count)
    int32_t stressed;      ///< the first so many modes are those of the body that is judged
} FrModalBlowDef;

/// A moment of the blow.
typedef struct FrBlowMoment {
    double t;       ///< since the first touch, s
    double force;   ///< N
    double impulse; ///< so far, N s
    double elastic; ///< in the modes that are judged, and what they leave out, J
} FrBlowMoment;

/// What came of it.
typedef struct FrModalBlow {
    double impulse;   ///< N s, all hits
    double bounce;    ///< speed of parting over speed of closing, of the centres: e
    double duration;  ///< until they part for good, s
    double peak;      ///< largest force, N
    int32_t hits;     ///< times that they touched
    double vibration; ///< energy left in modes when they part, J
    double lost;      ///< to damping and crushing until then, J
    double error;     ///< of the balance of energy, relative to what came in
    int32_t moment_count;
    FrBlowMoment *moment; ///< evenly dense in what happens (moment_count)
    float *q;             ///< modal displacements of the judged body, moment after moment, m kg^1/2
                          ///< (moment_count * stressed)
} FrModalBlow;
void fr_modal_blow_free(FrContext *ctx, FrModalBlow *blow);

/// Follow the blow until the bodies have parted and the slowest judged mode has swung once. [M35]
FrResult fr_modal_blow(FrContext *ctx, const FrModalBlowDef *def, FrModalBlow *blow);

/// k_h of two elastic bodies: 4/3 E* sqrt(R).
/// yielding = (1 - nu^2)/E of both together, 1/Pa; curvature = 1/R of both together, 1/m.
double fr_hertz_stiffness(double yielding, double curvature);
/// Force, duration and largest radius of contact of a blow without modes.
typedef struct FrHertz {
    double force, duration, radius; ///< N, s, m
} FrHertz;
FrHertz fr_hertz_blow(double stiffness, double curvature, double mobility, double speed);
