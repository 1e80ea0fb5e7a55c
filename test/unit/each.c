// each.c: items that are done side by side tell, fail and allocate as if one came after the other.

#include "base/each.h"
#include "base/tasks.h"
#include "context.h"
#include "test.h"
#include <string.h>

enum { ITEMS = 40 };

typedef struct Told {
    char text[4000];
    int progress, last;
} Told;

static void hear(void *user, FrLogLevel level, const char *text) {
    Told *told = user;
    size_t at = strlen(told->text);
    snprintf(told->text + at, sizeof told->text - at, "%d %s\n", (int)level, text);
}

static void see(void *user, const char *stage, double done, double total) {
    Told *told = user;
    CHECK_TEXT(stage, "items");
    CHECK(done >= 3 && done <= total && total == ITEMS + 3);
    told->progress++;
    told->last = (int)done;
}

static FrContext *telling(int32_t workers, Told *told) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = workers;
    def.log = hear;
    def.progress = see;
    def.user = told;
    return fr_context_create(&def);
}

typedef struct Job {
    int fail_from; ///< every third item from here on fails
    char *made[ITEMS];
    int seen[ITEMS], sum[ITEMS], workers[ITEMS];
} Job;

static void count_up(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    for (int32_t k = begin; k < end; k++) *(int *)arg += k;
}

static FrResult one(void *arg, FrContext *own, int32_t k) {
    Job *job = arg;
    job->workers[k] = fr_context_workers(own);
    fr_parallel_for(own, 10, 2, count_up, &job->sum[k]); // in place
    fr_log(own, k % 2 ? FR_LOG_WARNING : FR_LOG_INFO, "item %d", k);
    job->made[k] = fr_strdup(own, "made");
    job->seen[k]++;
    if (!job->made[k]) return fr_no_memory(own, "an item");
    if (k >= job->fail_from && k % 3 == 0) return fr_fail(own, FR_BAD_INPUT, "item %d is bad", k);
    fr_log(own, FR_LOG_INFO, "done %d", k);
    return FR_OK;
}

static FrResult do_all(FrContext *ctx, Job *job) {
    FrEach each = {.count = ITEMS, .fn = one, .arg = job, .stage = "items", .before = 3};
    return fr_each(ctx, &each);
}

static void drop(FrContext *ctx, Job *job) {
    for (int k = 0; k < ITEMS; k++) fr_free(ctx, job->made[k]);
}

TEST(notes_come_in_order_for_any_workers) {
    static char first[4000];
    for (int32_t workers = 1; workers <= 4; workers++) {
        Told told = {0};
        Job job = {.fail_from = ITEMS};
        FrContext *ctx = telling(workers, &told);
        CHECK_OK(ctx, do_all(ctx, &job));
        for (int k = 0; k < ITEMS; k++)
            CHECK(job.seen[k] == 1 && job.sum[k] == 45 && job.workers[k] == 1);
        if (workers == 1) memcpy(first, told.text, sizeof first);
        if (workers == 1) CHECK(told.progress == ITEMS && told.last == ITEMS + 3);
        CHECK_TEXT(told.text, first);
        CHECK(strstr(first, "item 0\n") == first + 2);
        CHECK_HAS(first, "item 7\n");
        drop(ctx, &job);
        fr_context_destroy(ctx);
    }
}

// the first failure is told, and nothing of what comes after it
TEST(the_first_failure_counts) {
    for (int32_t workers = 1; workers <= 4; workers++) {
        Told told = {0};
        Job job = {.fail_from = 10};
        FrContext *ctx = telling(workers, &told);
        CHECK_INT(do_all(ctx, &job), FR_BAD_INPUT);
        CHECK_TEXT(fr_context_message(ctx), "item 12 is bad");
        for (int k = 0; k <= 12; k++) CHECK_INT(job.seen[k], 1);
        CHECK_HAS(told.text, "item 12\n");
        CHECK(!strstr(told.text, "item 13\n"));
        if (workers == 1) CHECK_INT(job.seen[13], 0);
        drop(ctx, &job);
        fr_context_destroy(ctx);
    }
}

static FrResult ask(void *arg, FrContext *own, int32_t k) {
    (void)arg, (void)k;
    return fr_context_cancelled(own) ? fr_fail(own, FR_INTERRUPTED, "interrupted") : FR_OK;
}

TEST(items_hear_of_a_cancel) {
    FrContext *ctx = make_context(2);
    FrEach each = {.count = 5, .fn = ask};
    CHECK_OK(ctx, fr_each(ctx, &each));
    fr_context_cancel(ctx);
    CHECK_INT(fr_each(ctx, &each), FR_INTERRUPTED);
    fr_context_destroy(ctx);
}

TEST(each_refused_memory) {
    bool done = false;
    for (int k = 1; k < 300 && !done; k++) {
        Refuser refuser = {.refuse_at = 0};
        FrContext *own = make_refusing_context(&refuser);
        int live = refuser.live;
        Job job = {.fail_from = ITEMS};
        refuser.refuse_at = refuser.calls + k;
        FrResult result = do_all(own, &job);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        done = refuser.calls < refuser.refuse_at;
        CHECK(!done || result == FR_OK);
        drop(own, &job);
        CHECK_INT(refuser.live, live);
        fr_context_destroy(own);
    }
    CHECK(done);
}
