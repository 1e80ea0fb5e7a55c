// alone.c: METIS draws its random numbers once a process; CHOLMOD's loops make teams of threads.
//
// With the lock of caches (store/cache_file.c) the only mutable state outside of contexts in
// Fracas. No context sees another through it: it makes each compute as if it were alone.

#include "backend/alone.h"
#include <pthread.h>

static pthread_mutex_t ordering_lock = PTHREAD_MUTEX_INITIALIZER;

void fr_ordering_begin(void) { pthread_mutex_lock(&ordering_lock); }
void fr_ordering_end(void) { pthread_mutex_unlock(&ordering_lock); }

// of the OpenMP that CHOLMOD was made with, if it was; kept per thread, not per process
extern void omp_set_max_active_levels(int levels) __attribute__((weak));
extern int omp_get_max_active_levels(void) __attribute__((weak));

int fr_team_begin(void) {
    if (!omp_get_max_active_levels || !omp_set_max_active_levels) return 0;
    int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
    return levels;
}

void fr_team_end(int levels) {
    if (omp_get_max_active_levels && omp_set_max_active_levels) omp_set_max_active_levels(levels);
}
