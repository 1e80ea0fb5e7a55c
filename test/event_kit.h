// event_kit.h: all events of a world from its first step on: worlds keep those of the last step.
#pragma once
#include "fracas/world.h"
#include <stdlib.h>
#include <string.h>

typedef struct EventKit {
    const FrWorld *world;
    int64_t tick; ///< at the last look
    FrEvent *event;
    int64_t count;
    uint64_t next; ///< seq of the first that is not there yet
} EventKit;

#define EVENT_KITS 64
static EventKit event_kits[EVENT_KITS];

// the kit of a world; begun anew when another world lies where one was
static inline EventKit *event_kit(const FrWorld *world) {
    int at = 0;
    while (at < EVENT_KITS - 1 && event_kits[at].world && event_kits[at].world != world) at++;
    EventKit *kit = &event_kits[at];
    if (kit->world != world || fr_world_tick(world) < kit->tick)
        kit->count = 0, kit->next = 0, kit->world = world;
    kit->tick = fr_world_tick(world);
    return kit;
}

static inline void event_kit_look(const FrWorld *world) {
    EventKit *kit = event_kit(world);
    int64_t count;
    const FrEvent *event = fr_world_events(world, &count);
    if (kit->tick <= 1 && count && event->seq == 0 && kit->next > (uint64_t)count)
        kit->count = 0, kit->next = 0;
    for (int64_t k = 0; k < count; k++) {
        if (event[k].seq < kit->next) continue;
        kit->event = realloc(kit->event, sizeof *kit->event * (size_t)(kit->count + 1));
        kit->event[kit->count++] = event[k];
        kit->next = event[k].seq + 1;
    }
}

/// a step whose events are kept
static inline FrResult world_step(FrWorld *world) {
    if (fr_world_tick(world) == 0) event_kit(world)->count = 0, event_kit(world)->next = 0;
    FrResult result = fr_world_step(world);
    event_kit_look(world);
    return result;
}

/// all of them
static inline const FrEvent *world_events(const FrWorld *world, int64_t *count) {
    event_kit_look(world);
    *count = event_kit(world)->count;
    return event_kit(world)->event;
}
