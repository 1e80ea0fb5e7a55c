// checkpoint.h: a hash of all that a checkpoint keeps, hidden state included (fr_world_hash has
// what is physical only).
#pragma once
#include "base/hash.h"
#include "world/world.h"

/// 0: no memory for it
static inline uint64_t checkpoint_hash(const FrWorld *world) {
    uint8_t *bytes;
    size_t size;
    if (fr_world_save(world, &bytes, &size) != FR_OK) return 0;
    uint64_t hash = fr_hash_of(bytes, size, 0);
    fr_world_free_bytes(world->ctx, bytes);
    return hash;
}
