// random.c: PCG32 (O'Neill 2014): 64-bit state, 32-bit output, streams that do not overlap.

#include "base/random.h"
#include "base/hash.h"
#include <math.h>

FrRandom fr_random_for(uint64_t seed, const char *purpose, uint64_t index) {
    FrHash hash;
    fr_hash_begin(&hash, seed);
    fr_hash_text(&hash, purpose);
    fr_hash_u64(&hash, index);
    FrRandom random = {fr_hash_end(&hash), 0};
    fr_hash_u64(&hash, 1);
    random.stream = fr_hash_end(&hash) | 1u;
    fr_random_u32(&random);
    return random;
}

uint32_t fr_random_u32(FrRandom *random) {
    uint64_t old = random->state;
    random->state = old * 6364136223846793005u + random->stream;
    uint32_t x = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t r = (uint32_t)(old >> 59);
    return (x >> r) | (x << ((32 - r) & 31));
}

double fr_random_unit(FrRandom *random) {
    uint64_t high = fr_random_u32(random);
    uint64_t low = fr_random_u32(random);
    return (double)((high << 21) ^ (low >> 11)) * 0x1p-53;
}

double fr_random_range(FrRandom *random, double lo, double hi) {
    return lo + (hi - lo) * fr_random_unit(random);
}

int32_t fr_random_below(FrRandom *random, int32_t count) {
    FR_ASSERT(count > 0, "draw from at least one");
    uint32_t n = (uint32_t)count;
    uint32_t threshold = (0u - n) % n; // draws below it would favour small results
    for (;;) {
        uint32_t draw = fr_random_u32(random);
        if (draw >= threshold) return (int32_t)(draw % n);
    }
}

double fr_random_normal(FrRandom *random) {
    // polar method: a point in the unit disc, not at its centre
    for (;;) {
        double x = fr_random_range(random, -1.0, 1.0);
        double y = fr_random_range(random, -1.0, 1.0);
        double r2 = x * x + y * y;
        if (r2 > 0.0 && r2 < 1.0) return x * sqrt(-2.0 * log(r2) / r2);
    }
}
