// random.h: seeded random numbers, one stream per purpose, so that runs repeat (PCG32, O'Neill
// 2014).
#pragma once
#include "base/base.h"

typedef struct FrRandom {
    uint64_t state, stream;
} FrRandom;

/// The stream of one purpose: fr_random_for(seed, "mesh-noise", body).
FrRandom fr_random_for(uint64_t seed, const char *purpose, uint64_t index);
uint32_t fr_random_u32(FrRandom *random);
double fr_random_unit(FrRandom *random);                        ///< [0, 1), 53 bits
double fr_random_range(FrRandom *random, double lo, double hi); ///< [lo, hi)
int32_t fr_random_below(FrRandom *random, int32_t count);       ///< [0, count), no modulo bias
double fr_random_normal(FrRandom *random);                      ///< mean 0, deviation 1
