// event_push.h: events as pushes on what rings: one rule for recordings and for live scenes.
#pragma once
#include "fracas/event.h"
#include "sound/mallet.h"
#include "sound/mix.h"

/// Slower touches than this are rest, m/s.
#define FR_SLOWEST_TOUCH 1e-3
/// Blows are no longer and no shorter than these, s: what is softer makes no sound.
#define FR_SHORTEST_PUSH 5e-6
#define FR_LONGEST_PUSH 0.02

/// What two bodies do to each other.
typedef struct FrEventPush {
    FrVec3 x, on_a; ///< place, m; impulse N s, or force N
    double speed;   ///< of closing, m/s; 0: it slides
    FrHit hit;      ///< when and how long; its push is not set yet
} FrEventPush;

/// Of an impact or a sample of contact. False: it makes no sound.
bool fr_event_push(const FrEvent *e, FrEventPush *push);
/// The impulse and Hertz's duration were found for rigid bodies, J = (1 + e) v/(1/m*). A thin wall
/// gives way: its tones get no more than half of the energy 1/2 J v/(1 + e) of the blow.
FrBlowDef fr_event_blow(FrVec3 impulse, double duration, double speed);
