// state_hash.c: one number for where everything is, how it moves and what happened to it.
//
// It covers physical content alone: places, velocities and plastic strains of each body, its tets
// and places at rest once it was cut (before, they are those it was made with), and the events so
// far. How a checkpoint is laid out, and what only helps to go on (caches, warm starts, step
// control), does not count: a hash that changes means a motion that changed.

#include "base/hash.h"
#include "event/log.h"
#include "world/world.h"

void fr_world_hash_event(FrWorld *w, const FrEvent *event) {
    FrHash hash;
    fr_hash_begin(&hash, w->event_hash);
    fr_event_hash(event, &hash);
    w->event_hash = fr_hash_end(&hash);
}

uint64_t fr_world_hash(const FrWorld *w) {
    if (!w) return 0;

    FrHash hash;
    fr_hash_begin(&hash, 0);
    fr_hash_u64(&hash, (uint64_t)w->tick);
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        fr_hash_u64(&hash, (uint64_t)body->number);
        body->ops->hash(body->state, &hash);
    }
    fr_hash_u64(&hash, w->event_hash);
    return fr_hash_end(&hash);
}
