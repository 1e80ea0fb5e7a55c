// checkpoint.h: a hash of all that a checkpoint keeps, hidden state included (fr_world_hash has
// what is physical only).
#pragma once
#include "base/bytes.h"
#include "base/hash.h"
#include "world/world.h"

/// The first bytes of a checkpoint, with a hash that fits them: what is wrong with them is found
/// when they are read.
static inline FrResult load_sealed(FrWorld *world, const uint8_t *bytes, size_t size) {
    FrWriter writer;
    fr_writer_init(&writer, world->ctx);
    fr_write_bytes(&writer, bytes, size);
    if (size) fr_write_u64(&writer, fr_hash_of(bytes, size, 0));
    FrResult result = fr_writer_result(&writer);
    if (result == FR_OK) result = fr_world_load(world, writer.data, writer.size);
    fr_writer_free(&writer);
    return result;
}

/// 0: no memory for it
static inline uint64_t checkpoint_hash(const FrWorld *world) {
    uint8_t *bytes;
    size_t size;
    if (fr_world_save(world, &bytes, &size) != FR_OK) return 0;
    uint64_t hash = fr_hash_of(bytes, size, 0);
    fr_world_free_bytes(world->ctx, bytes);
    return hash;
}
