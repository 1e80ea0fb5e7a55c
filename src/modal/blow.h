// blow.h: an impact in numbers: Hertz contact between two bodies that give way by their rigid
// mobility, their modes and what the modes leave out: force, bounce and modal motion over time.
#pragma once
#include "modal/hertz.h"

/// One blow. All borrowed. Modes of both bodies follow each other.
typedef struct FrModalBlowDef {
    double speed;    ///< of closing, along the normal, m/s (> 0)
    double mobility; ///< rigid, of both bodies along the normal: b0 = n'K_A n + n'K_B n, 1/kg (> 0)
    double hertz;    ///< k_h of F = k_h d^(3/2), N/m^(3/2) (> 0)
    double compliance;        ///< of both bodies, what the modes leave out, m/N (>= 0)
    double compliance_judged; ///< of that, what the judged body's modes leave out, m/N
    double loss; ///< share of the closing speed that crushing takes where nothing vibrates: 1 -
                 ///< restitution of the materials, 0 to 1; above 0.99 counts as 0.99
    int32_t mode_count;
    const double *lambda;  ///< 1/s^2, above zero (mode_count)
    const double *damping; ///< c, 1/s (mode_count)
    const double *w;       ///< n . shape at the place, kg^-1/2; of either sign (mode_count)
    int32_t stressed;      ///< the first so many modes are those of the body that is judged
    double step;           ///< while they touch, s; 0: chosen
    double fastest;        ///< modes above it follow the force at once, rad/s; 0: chosen
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
    bool parted;      ///< false: they still chattered or closed in when the steps were spent
    double vibration; ///< energy left in modes when they part, J
    double lost;      ///< to damping and crushing until then, J
    double error;     ///< of the balance of energy, relative to what came in
    double step;      ///< while they touched, s
    int32_t steps;    ///< in all
    int32_t followed; ///< modes that were followed in time; the others follow the force at once
    int32_t moment_count;
    FrBlowMoment *moment; ///< evenly dense in what happens: four times as dense while they touch
                          ///< (moment_count <= 512)
    float *q;             ///< modal displacements of the judged body, moment after moment, m kg^1/2
                          ///< (moment_count * stressed)
    double *most;         ///< largest |q_i| of all steps, between moments too, m kg^1/2 (stressed)
} FrModalBlow;
void fr_modal_blow_free(FrContext *ctx, FrModalBlow *blow);

/// Follow the blow until the bodies have parted and the slowest judged mode has swung once. [M35]
FrResult fr_modal_blow(FrContext *ctx, const FrModalBlowDef *def, FrModalBlow *blow);

/// Bounds of a blow that is not followed: the largest force, N (returned), and the largest |q_i| of
/// each judged mode, m kg^1/2 (stressed). Force and slow modes: from energy and momentum, so
/// certain. Fast modes: four static answers to that force, which random blows never passed.
double fr_modal_blow_bound(const FrModalBlowDef *def, double *most);
