// hash.h: a stable 64-bit hash (XXH64's published algorithm): same bytes, same number, on every
// machine.
#pragma once
#include "base/base.h"

typedef struct FrHash {
    uint64_t lane[4];
    uint64_t total;   ///< bytes so far
    uint8_t tail[32]; ///< bytes not yet mixed
} FrHash;

void fr_hash_begin(FrHash *hash, uint64_t seed);
void fr_hash_bytes(FrHash *hash, const void *bytes, size_t size);
void fr_hash_u64(FrHash *hash, uint64_t value); ///< little-endian
void fr_hash_f64(FrHash *hash, double value);   ///< its bits
void fr_hash_text(FrHash *hash,
                  const char *text); ///< with its length, so "ab","c" differs from "a","bc"
uint64_t fr_hash_end(const FrHash *hash);
uint64_t fr_hash_of(const void *bytes, size_t size, uint64_t seed);
