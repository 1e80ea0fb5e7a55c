// live.h: what a live scene holds; only live/ looks inside.
#pragma once
#include "base/array.h"
#include "build/build.h"
#include "fracas/live.h"
#include "run/simulate.h"

/// What a hand holds.
typedef struct FrHand {
    int32_t number; ///< the caller's
    FrGrabId grab;  ///< null: it twists
    FrBodyId body;  ///< that it twists
    FrVec3 spin;    ///< that it wants, rad/s
} FrHand;

/// A body that nothing breaks so far.
typedef struct FrRaw {
    int32_t number; ///< of its id
    uint64_t key;   ///< of what the kitchen makes for it
} FrRaw;

/// A moment that can be gone back to.
typedef struct FrKept {
    int64_t tick;
    uint8_t *bytes; ///< checkpoint of the world
    size_t size;
    FrHand *hand; ///< (hand_count)
    int32_t hand_count;
    int32_t *ready; ///< bodies that blows may break, by number (ready_count)
    int32_t ready_count;
    int32_t spawned;
} FrKept;

/// The shape of a body, shared by snapshots.
typedef struct FrShapeCopy FrShapeCopy;

/// The shape of a body as it was copied last.
typedef struct FrKnownShape {
    int32_t number;   ///< of the body's id
    uint64_t cuts;    ///< fr_world_cut_number
    FrShapeCopy *own; ///< counts as one user
} FrKnownShape;

struct FrLive {
    FrContext *ctx;
    FrLiveDef def; ///< its texts are copies
    char **set;    ///< (def.set_count)
    FrScene *scene;
    FrBuilt built;
    FrTiming timing;
    bool quick;              ///< nothing bends but what steps implicitly
    double every;            ///< ticks between kept moments
    FR_ARRAY(FrInput) input; ///< in the order in which they are done
    int32_t done;            ///< of those
    bool old_story;          ///< those that wait are of what was gone back from, or of a file
    FR_ARRAY(FrHand) hand;
    int32_t spawned; ///< bodies so far
    FR_ARRAY(FrEvent) event;
    bool told;           ///< `event` was asked for
    uint64_t next_event; ///< seq of the first that was not taken
    FR_ARRAY(FrKept) kept;
    int64_t kept_bytes;
    FR_ARRAY(FrKnownShape) shape; ///< by number
    double seconds;               ///< of the last step, wall time
    bool waits;                   ///< what is not cooked does not break
    FrKitchen *kitchen;           ///< NULL: none
    bool births;                  ///< there may be bodies that were not looked at
    FR_ARRAY(FrRaw) raw;
    FR_ARRAY(int32_t) ready; ///< by number
};

// live_input.c
/// Do it now, between two steps.
FrResult fr_live_do(FrLive *live, const FrInput *input);
// live_spawn.c
FrResult fr_live_spawn(FrLive *live, const FrInput *input);
// live_raw.c
/// Bodies that came since the last time: what of them waits, and is ordered.
FrResult fr_live_order(FrLive *live);
/// What was cooked meanwhile is told to the bodies that wait for it.
FrResult fr_live_serve(FrLive *live);
/// Blows may break it from now on.
FrResult fr_live_make_ready(FrLive *live, FrBodyId body);
// live_input.c
/// Hands that twist push for another step.
FrResult fr_live_twist(FrLive *live);
/// Log what was done just now.
FrResult fr_live_note(FrLive *live, const FrInput *input);
// live_history.c
/// Keep the present moment, if its time has come.
FrResult fr_live_keep(FrLive *live);
void fr_kept_free(FrLive *live, FrKept *kept);
// live.c
/// The model of soft bodies that stay whole, where the clock counts.
FrModel fr_live_quick_model(void);
/// A world as it was at the start.
FrResult fr_live_fill(FrLive *live);
/// One macro step with what hands do before it.
FrResult fr_live_step_once(FrLive *live);
/// Events that the world has and that were not taken.
FrResult fr_live_take_events(FrLive *live);
// snapshot.c
void fr_live_drop_shapes(FrLive *live);
