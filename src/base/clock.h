// clock.h: how long things take. Never part of a result: motion must not depend on it.
#pragma once
#include <time.h>

/// Seconds of a clock that only runs forward, from an unnamed start.
static inline double fr_wall_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Seconds that processors have worked for this program, all threads together.
static inline double fr_processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Seconds that a processor has worked for the calling thread.
static inline double fr_thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
