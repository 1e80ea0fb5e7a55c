// hash.c: XXH64 (Collet), written from its published description: four lanes, then an avalanche.

#include "base/hash.h"
#include <string.h>

static const uint64_t P1 = 0x9E3779B185EBCA87u, P2 = 0xC2B2AE3D27D4EB4Fu, P3 = 0x165667B19E3779F9u,
                      P4 = 0x85EBCA77C2B2AE63u, P5 = 0x27D4EB2F165667C5u;

static uint64_t rotl(uint64_t x, int r) { return (x << r) | (x >> (64 - r)); }

static uint64_t read64(const uint8_t *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static uint32_t read32(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    return v;
}

static uint64_t mix(uint64_t acc, uint64_t input) { return rotl(acc + input * P2, 31) * P1; }

static void mix_block(FrHash *hash, const uint8_t *p) {
    for (int k = 0; k < 4; k++) hash->lane[k] = mix(hash->lane[k], read64(p + 8 * k));
}

void fr_hash_begin(FrHash *hash, uint64_t seed) {
    memset(hash, 0, sizeof *hash);
    hash->lane[0] = seed + P1 + P2;
    hash->lane[1] = seed + P2;
    hash->lane[2] = seed;
    hash->lane[3] = seed - P1;
}

void fr_hash_bytes(FrHash *hash, const void *bytes, size_t size) {
    const uint8_t *p = bytes;
    size_t held = (size_t)(hash->total & 31);
    hash->total += size;
    if (held + size < 32) {
        if (size) memcpy(hash->tail + held, p, size);
        return;
    }
    if (held) {
        size_t take = 32 - held;
        memcpy(hash->tail + held, p, take);
        mix_block(hash, hash->tail);
        p += take;
        size -= take;
    }
    for (; size >= 32; p += 32, size -= 32) mix_block(hash, p);
    if (size) memcpy(hash->tail, p, size);
}

static uint64_t merge_lanes(const FrHash *hash) {
    const uint64_t *v = hash->lane;
    if (hash->total < 32) return v[2] + P5; // lane 2 is the seed
    uint64_t h = rotl(v[0], 1) + rotl(v[1], 7) + rotl(v[2], 12) + rotl(v[3], 18);
    for (int k = 0; k < 4; k++) h = (h ^ mix(0, v[k])) * P1 + P4;
    return h;
}

uint64_t fr_hash_end(const FrHash *hash) {
    uint64_t h = merge_lanes(hash) + hash->total;
    const uint8_t *p = hash->tail;
    size_t left = (size_t)(hash->total & 31);
    for (; left >= 8; p += 8, left -= 8) h = rotl(h ^ mix(0, read64(p)), 27) * P1 + P4;
    if (left >= 4) {
        h = rotl(h ^ ((uint64_t)read32(p) * P1), 23) * P2 + P3;
        p += 4;
        left -= 4;
    }
    for (; left; p++, left--) h = rotl(h ^ (*p * P5), 11) * P1;
    h = (h ^ (h >> 33)) * P2;
    h = (h ^ (h >> 29)) * P3;
    return h ^ (h >> 32);
}

void fr_hash_u64(FrHash *hash, uint64_t value) {
    uint8_t bytes[8];
    for (int k = 0; k < 8; k++) bytes[k] = (uint8_t)(value >> (8 * k));
    fr_hash_bytes(hash, bytes, sizeof bytes);
}

void fr_hash_f64(FrHash *hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr_hash_u64(hash, bits);
}

void fr_hash_text(FrHash *hash, const char *text) {
    size_t length = strlen(text);
    fr_hash_u64(hash, length);
    fr_hash_bytes(hash, text, length);
}

uint64_t fr_hash_of(const void *bytes, size_t size, uint64_t seed) {
    FrHash hash;
    fr_hash_begin(&hash, seed);
    fr_hash_bytes(&hash, bytes, size);
    return fr_hash_end(&hash);
}
