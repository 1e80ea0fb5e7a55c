// blow_tuning.h: constants that decide how a blow is followed, each with its unit, its reason and
// the test that notices when it is another one.
#pragma once

/// Share of the closing speed that crushing takes at most, 1: beyond it bodies creep apart for
/// ever. Noticed by law/blow.
#define FR_HERTZ_MOST_LOSS 0.99
/// Steps of the shortest push of a blow, 1. The impulse is then within 1e-4. Noticed by law/blow.
#define FR_BLOW_STEPS 200.0
/// Modes that turn by more than this over the push follow the force at once, rad. Peak and
/// bounce move by less than a thousandth. Noticed by law/blow.
#define FR_BLOW_FOLLOWS 40.0
/// Length of a step while bodies are apart, in steps while they touch, 1: the fastest mode that is
/// followed still has six of them a period. No test notices it.
#define FR_BLOW_STRIDE 4.0
/// Steps of a swing of the slowest mode at most, 1. No test notices it.
#define FR_BLOW_SWING_STEPS 4000.0
/// Steps apart from one look whether they can touch again to the next, 1. No test notices it.
#define FR_BLOW_GLANCE 8
/// Steps of a blow at most, 1: chatter ends there. No test notices it.
#define FR_BLOW_MOST_STEPS 60000
/// Moments of a blow at most, 1: an even number. Noticed by law/blow.
#define FR_BLOW_MOMENTS 512
/// Slices of the way in which the largest force is sought, 1: the bound is 5 % too high at most.
/// No test notices it.
#define FR_BLOW_SLICES 64
/// Swings to this many static answers of the largest force at most, 1: 2 by a push that rises and
/// falls once, more by pushes in time with the mode. Of 300,000 random blows 1 in 700 went beyond
/// 2, none beyond 3.9. Noticed by law/blow_bound.
#define FR_BLOW_SWINGS 4.0
