// alone.c: BLAS on the calling thread alone; METIS, which draws its random numbers once a process.
//
// Teams of OpenMP are a setting of each thread: OpenBLAS made with OpenMP, which packages.txt names
// and CMakeLists.txt finds, and the loops of CHOLMOD follow it, and nothing is set for the process.
// OpenBLAS made with threads of its own counts them once a process. Where a host has brought that
// one it is set to 1 while somebody computes. (OpenBLAS without threads has no locks: two callers
// at once spoil each other's numbers.)
//
// With the lock of caches (store/cache_file.c) the only mutable state outside of contexts in
// Fracas. No context sees another through it: it makes each compute as if it were alone.

#include "backend/alone.h"
#include <cblas.h>
#include <pthread.h>
#include <stdbool.h>

// of OpenMP, which comes with OpenBLAS and CHOLMOD
extern int omp_get_max_threads(void) __attribute__((weak));
extern void omp_set_num_threads(int threads) __attribute__((weak));
extern int omp_get_max_active_levels(void) __attribute__((weak));
extern void omp_set_max_active_levels(int levels) __attribute__((weak));

static bool has_teams(void) {
    return omp_get_max_threads && omp_set_num_threads && omp_get_max_active_levels &&
           omp_set_max_active_levels;
}

static bool counts_by_process(void) { return openblas_get_parallel() == OPENBLAS_THREAD; }

static pthread_mutex_t blas_lock = PTHREAD_MUTEX_INITIALIZER;
static int blas_users, blas_threads; // who is inside, and what the process had set before

static void begin_for_process(void) {
    pthread_mutex_lock(&blas_lock);
    if (blas_users++ == 0) {
        blas_threads = openblas_get_num_threads();
        if (blas_threads != 1) openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&blas_lock);
}

static void end_for_process(void) {
    pthread_mutex_lock(&blas_lock);
    if (--blas_users == 0 && blas_threads != 1) openblas_set_num_threads(blas_threads);
    pthread_mutex_unlock(&blas_lock);
}

FrBlasBefore fr_blas_begin(void) {
    FrBlasBefore before = {0, 0};
    if (has_teams()) {
        before = (FrBlasBefore){omp_get_max_threads(), omp_get_max_active_levels()};
        omp_set_num_threads(1);       // OpenBLAS asks for this one
        omp_set_max_active_levels(0); // CHOLMOD names four threads itself
    }
    if (counts_by_process()) begin_for_process();
    return before;
}

void fr_blas_end(FrBlasBefore before) {
    if (counts_by_process()) end_for_process();
    if (!has_teams()) return;
    omp_set_max_active_levels(before.levels);
    omp_set_num_threads(before.threads);
}

static pthread_mutex_t ordering_lock = PTHREAD_MUTEX_INITIALIZER;

void fr_ordering_begin(void) { pthread_mutex_lock(&ordering_lock); }
void fr_ordering_end(void) { pthread_mutex_unlock(&ordering_lock); }
