// table.h: a map from 64-bit keys to indices, and a stable sort by 64-bit keys.
#pragma once
#include "base/base.h"

/// Open addressing, linear probing, no removal. Zero-initialise, then reserve.
typedef struct FrTable {
    uint64_t *key;
    int32_t *value; ///< -1: empty slot
    int32_t count;
    uint32_t mask; ///< slots - 1
} FrTable;

/// Room for `more` further keys. False when memory is out.
bool fr_table_reserve(FrContext *ctx, FrTable *table, int32_t more);
void fr_table_free(FrContext *ctx, FrTable *table);

static inline uint64_t fr_mix64(uint64_t x) {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 32;
    return x;
}

/// The slot that holds the key, or the empty one where it belongs.
static inline uint32_t fr_table_slot(const FrTable *table, uint64_t key) {
    uint32_t slot = (uint32_t)fr_mix64(key) & table->mask;
    while (table->value[slot] >= 0 && table->key[slot] != key) slot = (slot + 1) & table->mask;
    return slot;
}

/// The value of a key; -1 when there is none.
static inline int32_t fr_table_find(const FrTable *table, uint64_t key) {
    return table->value ? table->value[fr_table_slot(table, key)] : -1;
}

/// The value of a key, after storing `value` (>= 0) when the key is new. Reserve first.
static inline int32_t fr_table_add(FrTable *table, uint64_t key, int32_t value) {
    uint32_t slot = fr_table_slot(table, key);
    if (table->value[slot] >= 0) return table->value[slot];
    table->key[slot] = key;
    table->value[slot] = value;
    table->count++;
    return value;
}

/// order[k]: index of the k-th smallest key, ties by index. Caller frees. FR_NO_MEMORY only.
FrResult fr_sort_keys(FrContext *ctx, const uint64_t *key, int32_t count, int32_t **order);

/// The bits of x (21 of them) spread to every third place.
static inline uint64_t fr_spread3(uint64_t x) {
    x &= 0x1FFFFF;
    x = (x | x << 32) & 0x1F00000000FFFFu;
    x = (x | x << 16) & 0x1F0000FF0000FFu;
    x = (x | x << 8) & 0x100F00F00F00F00Fu;
    x = (x | x << 4) & 0x10C30C30C30C30C3u;
    x = (x | x << 2) & 0x1249249249249249u;
    return x;
}
/// Place of a cell on the Morton curve; 21 bits each.
static inline uint64_t fr_morton(uint32_t x, uint32_t y, uint32_t z) {
    return fr_spread3(x) | fr_spread3(y) << 1 | fr_spread3(z) << 2;
}
