// tasks.c: fr_parallel_for, and the pthread pool behind it when the host brings none.

#include "base/tasks.h"
#include "base/context.h"
#include <pthread.h>
#include <time.h>

struct FrPool {
    pthread_mutex_t lock, run_lock;
    pthread_cond_t wake, done;
    FrTaskFn *task;
    void *arg;
    int32_t count;
    atomic_int left;        ///< chunks nobody has taken yet; may fall below 0
    atomic_int finished;    ///< chunks that are done
    atomic_uint generation; ///< run number; threads wait for it to change
    atomic_int sleepers;    ///< threads that have to be woken for the next run
    atomic_bool caller_sleeps;
    int32_t thread_count; ///< without the caller
    int32_t started;
    bool stop;
    pthread_t thread[];
};

typedef struct ThreadStart {
    FrPool *pool;
    int32_t worker;
} ThreadStart;

// how long to look for news before going to sleep, s: steps come tens of microseconds apart, and
// waking a thread takes about as long
#define PATIENCE 60e-6
#define CHECKS 16 // between two readings of the clock

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A chunk that was taken keeps its run from ending, so task, arg and count stand still meanwhile.
// A thread that wakes too late finds nothing left, or helps with the next run.
static void drain(FrPool *pool, int32_t worker) {
    for (;;) {
        int left = atomic_fetch_sub(&pool->left, 1);
        if (left <= 0) return;
        int32_t count = pool->count;
        pool->task(pool->arg, count - left, worker);
        if (atomic_fetch_add(&pool->finished, 1) + 1 < count) continue;
        if (atomic_load(&pool->caller_sleeps)) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->done);
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

// true when the run number changed within the patience
static bool spot_run(FrPool *pool, unsigned seen) {
    double start = 0.0;
    for (;;) {
        for (int k = 0; k < CHECKS; k++) {
            if (atomic_load(&pool->generation) != seen) return true;
            relax();
        }
        double now = clock_now();
        if (!(start > 0.0)) start = now;
        if (now - start > PATIENCE) return false;
    }
}

static bool wait_for_run(FrPool *pool, unsigned seen) {
    if (spot_run(pool, seen)) return true;
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->sleepers, 1); // before the check: the caller checks the other way round
    while (atomic_load(&pool->generation) == seen && !pool->stop)
        pthread_cond_wait(&pool->wake, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    bool run = !pool->stop;
    pthread_mutex_unlock(&pool->lock);
    return run;
}

static void *thread_main(void *arg) {
    FrPool *pool = arg;
    pthread_mutex_lock(&pool->lock);
    int32_t worker = ++pool->started;
    pthread_mutex_unlock(&pool->lock);
    unsigned seen = 0;
    while (wait_for_run(pool, seen)) {
        seen = atomic_load(&pool->generation);
        if (pool->stop) break;
        drain(pool, worker);
    }
    return NULL;
}

FrPool *fr_pool_create(FrContext *ctx, int32_t workers) {
    int32_t threads = workers - 1;
    FrPool *pool = fr_alloc_zero(ctx, 1, sizeof *pool + (size_t)threads * sizeof pool->thread[0]);
    if (!pool) return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->run_lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (int32_t k = 0; k < threads; k++) {
        if (pthread_create(&pool->thread[k], NULL, thread_main, pool)) {
            fr_pool_destroy(ctx, pool);
            return NULL;
        }
        pool->thread_count++;
    }
    return pool;
}

void fr_pool_destroy(FrContext *ctx, FrPool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    atomic_fetch_add(&pool->generation, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int32_t k = 0; k < pool->thread_count; k++) pthread_join(pool->thread[k], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->run_lock);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    fr_free(ctx, pool);
}

static void wait_for_end(FrPool *pool, int32_t count) {
    double start = 0.0;
    do {
        for (int k = 0; k < CHECKS; k++) {
            if (atomic_load(&pool->finished) == count) return;
            relax();
        }
        if (!(start > 0.0)) start = clock_now();
    } while (clock_now() - start < PATIENCE);
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->finished) != count) pthread_cond_wait(&pool->done, &pool->lock);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->lock);
}

void fr_pool_run(void *user, int32_t count, FrTaskFn *task, void *arg) {
    FrPool *pool = user;
    pthread_mutex_lock(&pool->run_lock);
    pool->task = task;
    pool->arg = arg;
    pool->count = count;
    atomic_store(&pool->finished, 0);
    atomic_store(&pool->left, count);
    atomic_fetch_add(&pool->generation, 1);
    if (atomic_load(&pool->sleepers)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->lock);
    }
    drain(pool, 0);
    wait_for_end(pool, count);
    pthread_mutex_unlock(&pool->run_lock);
}

typedef struct RangeRun {
    FrContext *ctx;
    FrRangeFn *fn;
    void *arg;
    int32_t count, grain;
} RangeRun;

// the tasks that this thread is inside of, innermost first
typedef struct Inside {
    const FrContext *ctx;
    int32_t worker;
    const struct Inside *outer; ///< NULL: none
} Inside;
static _Thread_local const Inside *inside;

// the worker of this context that this thread is; -1: it is inside no task of it
static int32_t worker_here(const FrContext *ctx) {
    for (const Inside *at = inside; at; at = at->outer)
        if (at->ctx == ctx) return at->worker;
    return -1;
}

static void run_chunk(const RangeRun *run, int32_t index, int32_t worker) {
    int32_t begin = index * run->grain;
    int32_t end = run->count - begin < run->grain ? run->count : begin + run->grain;
    run->fn(run->arg, begin, end, index, worker);
}

static void run_task(void *arg, int32_t index, int32_t worker) {
    const RangeRun *run = arg;
    const Inside here = {run->ctx, worker, inside};
    inside = &here;
    run_chunk(run, index, worker);
    inside = here.outer;
}

void fr_parallel_for(FrContext *ctx, int32_t count, int32_t grain, FrRangeFn *fn, void *arg) {
    FR_ASSERT_IN(ctx, grain > 0, "a chunk has at least one item");
    RangeRun run = {ctx, fn, arg, count, grain};
    int32_t chunks = fr_chunk_count(count, grain), worker = worker_here(ctx);
    const FrTasks *tasks = fr_context_tasks(ctx);
    if (chunks > 1 && tasks->workers > 1 && worker < 0) {
        tasks->run(tasks->user, chunks, run_task, &run);
        return;
    }
    for (int32_t k = 0; k < chunks; k++) run_chunk(&run, k, fr_max_i(worker, 0));
}
