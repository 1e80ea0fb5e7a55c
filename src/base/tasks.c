// tasks.c: fr_parallel_for, and the pthread pool behind it when the host brings none.

#include "base/tasks.h"
#include "base/context.h"
#include <pthread.h>
#include <sched.h>

struct FrPool {
    pthread_mutex_t lock, run_lock;
    pthread_cond_t wake, done;
    FrTaskFn *task;
    void *arg;
    int32_t count;
    atomic_int next;
    atomic_int busy;        ///< threads still inside the present run
    atomic_uint generation; ///< run number; threads wait for it to change
    int32_t thread_count;   ///< without the caller
    int32_t started;
    bool stop;
    pthread_t thread[];
};

typedef struct ThreadStart {
    FrPool *pool;
    int32_t worker;
} ThreadStart;

// how long to look for new work before going to sleep: steps come microseconds apart
#define SPINS 2000

static void drain(FrPool *pool, int32_t worker) {
    for (;;) {
        int index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->count) return;
        pool->task(pool->arg, index, worker);
    }
}

static bool wait_for_run(FrPool *pool, unsigned seen) {
    for (int k = 0; k < SPINS; k++) {
        if (atomic_load(&pool->generation) != seen) return true;
        sched_yield();
    }
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->generation) == seen && !pool->stop)
        pthread_cond_wait(&pool->wake, &pool->lock);
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
        if (atomic_fetch_sub(&pool->busy, 1) == 1) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->done);
            pthread_mutex_unlock(&pool->lock);
        }
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

static void wait_until_idle(FrPool *pool) {
    for (int k = 0; k < SPINS; k++) {
        if (atomic_load(&pool->busy) == 0) return;
        sched_yield();
    }
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->busy) != 0) pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void fr_pool_run(void *user, int32_t count, FrTaskFn *task, void *arg) {
    FrPool *pool = user;
    pthread_mutex_lock(&pool->run_lock);
    pool->task = task;
    pool->arg = arg;
    pool->count = count;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->busy, pool->thread_count);
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->generation, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    drain(pool, 0);
    wait_until_idle(pool);
    pthread_mutex_unlock(&pool->run_lock);
}

typedef struct RangeRun {
    FrRangeFn *fn;
    void *arg;
    int32_t count, grain;
} RangeRun;

static void run_chunk(void *arg, int32_t index, int32_t worker) {
    RangeRun *run = arg;
    int32_t begin = index * run->grain;
    int32_t end = run->count - begin < run->grain ? run->count : begin + run->grain;
    run->fn(run->arg, begin, end, index, worker);
}

void fr_parallel_for(FrContext *ctx, int32_t count, int32_t grain, FrRangeFn *fn, void *arg) {
    FR_ASSERT(grain > 0, "a chunk has at least one item");
    RangeRun run = {fn, arg, count, grain};
    int32_t chunks = fr_chunk_count(count, grain);
    const FrTasks *tasks = fr_context_tasks(ctx);
    if (chunks > 1 && tasks->workers > 1) {
        tasks->run(tasks->user, chunks, run_chunk, &run);
        return;
    }
    for (int32_t k = 0; k < chunks; k++) run_chunk(&run, k, 0);
}
