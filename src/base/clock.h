// clock.h: how long things take. Never part of a result: motion must not depend on it.
#pragma once
#include <time.h>

/// Seconds of a clock that only runs forward, from an unnamed start.
static inline double fr_wall_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
