// alone.c: OpenBLAS counts its threads, and METIS draws its random numbers, once a process.
//
// With the lock of caches (store/cache_file.c) the only mutable state outside of contexts in
// Fracas. No context sees another through it: it makes each compute as if it were alone.

#include "backend/alone.h"
#include <cblas.h>
#include <pthread.h>

static pthread_mutex_t blas_lock = PTHREAD_MUTEX_INITIALIZER;
static int blas_users, blas_threads; // who is inside, and what the process had set before

void fr_blas_begin(void) {
    pthread_mutex_lock(&blas_lock);
    if (blas_users++ == 0) {
        blas_threads = openblas_get_num_threads();
        if (blas_threads != 1) openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&blas_lock);
}

void fr_blas_end(void) {
    pthread_mutex_lock(&blas_lock);
    if (--blas_users == 0 && blas_threads != 1) openblas_set_num_threads(blas_threads);
    pthread_mutex_unlock(&blas_lock);
}

static pthread_mutex_t ordering_lock = PTHREAD_MUTEX_INITIALIZER;

void fr_ordering_begin(void) { pthread_mutex_lock(&ordering_lock); }
void fr_ordering_end(void) { pthread_mutex_unlock(&ordering_lock); }
