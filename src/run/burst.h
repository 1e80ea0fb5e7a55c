// burst.h: frames in quick succession around breaks, from a world into a recording.
#pragma once
#include "base/bytes.h"
#include "fracas/world.h"
#include "record/recorder.h"
#include "run/roster.h"
#include "scene/scene.h"

typedef struct FrBurst {
    FrSceneBurst set;   ///< rate 0: there are none
    int64_t begun;      ///< bursts so far
    double from, until; ///< of the last one, s
    double last_crack;  ///< s
    int64_t recorded;   ///< last sample that was
} FrBurst;

/// `set` NULL: none. The world takes samples from now on.
FrBurst fr_burst_begin(FrWorld *world, const FrSceneBurst *set);
/// What a burst takes samples from, and where they go.
typedef struct FrBurstInto {
    FrWorld *world;
    FrRoster *roster;
    FrRecorder *recorder;
} FrBurstInto;
/// After a macro step, its topology recorded and the world's view taken: `event`: its events.
FrResult fr_burst_record(FrBurst *burst, const FrBurstInto *into, const FrEvent *event,
                         int64_t count);
/// What it goes on from, with the samples that the world keeps.
void fr_burst_save(const FrBurst *burst, const FrWorld *world, FrWriter *writer);
FrResult fr_burst_load(FrContext *ctx, FrBurst *burst, FrWorld *world, FrReader *reader);
