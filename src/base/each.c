// each.c: many items at one time, each with a context of its own; their notes are told in order.

#include "base/each.h"
#include "base/array.h"
#include "base/context.h"
#include "base/tasks.h"
#include <pthread.h>
#include <string.h>

/// Something that an item told.
typedef struct Note {
    int32_t item;
    FrLogLevel level;
    char *text;
} Note;

typedef struct Run {
    FrContext *ctx;
    const FrEach *each;
    pthread_mutex_t lock; ///< of all below, and of the host's allocator
    pthread_t caller;
    FR_ARRAY(Note) note;
    int32_t done, failed; ///< failed: the first item that did; count: none
    FrResult result;      ///< of it
    bool deaf;            ///< notes were lost: no memory
    char message[sizeof((FrContext *)0)->message];
} Run;

/// What the context of one item hands on.
typedef struct Item {
    Run *run;
    int32_t k;
} Item;

static void *resize(void *user, void *ptr, size_t size) {
    Run *run = ((Item *)user)->run;
    const FrAllocator *from = &run->ctx->def.allocator;
    pthread_mutex_lock(&run->lock);
    void *moved = from->resize(from->user, ptr, size);
    pthread_mutex_unlock(&run->lock);
    return moved;
}

static void keep_note(void *user, FrLogLevel level, const char *text) {
    Item *item = user;
    Run *run = item->run;
    pthread_mutex_lock(&run->lock);
    Note note = {item->k, level, fr_strdup(run->ctx, text)};
    if (!note.text || !fr_array_push(run->ctx, &run->note, note)) {
        fr_free(run->ctx, note.text);
        run->deaf = true;
    }
    pthread_mutex_unlock(&run->lock);
}

static void hand_on(void *user, const char *file, int line, const char *condition,
                    const char *advice) {
    const FrContextDef *def = &((Item *)user)->run->ctx->def;
    if (def->assert_failed) def->assert_failed(def->user, file, line, condition, advice);
}

static void one_by_one(void *user, int32_t count, FrTaskFn *task, void *arg) {
    (void)user;
    for (int32_t k = 0; k < count; k++) task(arg, k, 0);
}

static FrContext context_of(Item *item) {
    const FrContext *ctx = item->run->ctx;
    FrContext own = {.def = ctx->def, .muted = ctx->muted, .of = item->run->ctx};
    own.def.allocator = (FrAllocator){resize, item};
    own.def.tasks = (FrTasks){one_by_one, NULL, 1};
    own.def.log = keep_note;
    own.def.progress = NULL;
    own.def.assert_failed = hand_on;
    own.def.user = item;
    return own;
}

static void end_item(Run *run, int32_t k, FrResult result, const char *message) {
    pthread_mutex_lock(&run->lock);
    int32_t done = ++run->done;
    if (result != FR_OK && k < run->failed) {
        run->failed = k;
        run->result = result;
        memcpy(run->message, message, sizeof run->message);
    }
    pthread_mutex_unlock(&run->lock);
    const FrEach *each = run->each;
    if (each->stage && pthread_equal(pthread_self(), run->caller))
        fr_progress(run->ctx, each->stage, each->before + done, each->before + each->count);
}

static bool wanted(Run *run, int32_t k) {
    pthread_mutex_lock(&run->lock);
    bool before = k < run->failed;
    pthread_mutex_unlock(&run->lock);
    return before;
}

static void item_task(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Run *run = arg;
    (void)chunk, (void)worker;
    for (int32_t k = begin; k < end; k++) {
        if (!wanted(run, k)) continue;
        Item item = {run, k};
        FrContext own = context_of(&item);
        FrResult result = run->each->fn(run->each->arg, &own, k);
        end_item(run, k, result, own.message);
    }
}

// item after item, in the order in which each told them
static void tell(Run *run) {
    for (int32_t k = 0; k < run->each->count && k <= run->failed; k++)
        for (int32_t n = 0; n < run->note.count; n++)
            if (run->note.data[n].item == k)
                fr_log(run->ctx, run->note.data[n].level, "%s", run->note.data[n].text);
    for (int32_t n = 0; n < run->note.count; n++) fr_free(run->ctx, run->note.data[n].text);
    fr_array_free(run->ctx, &run->note);
}

FrResult fr_each(FrContext *ctx, const FrEach *each) {
    Run run = {.ctx = ctx, .each = each, .caller = pthread_self(), .failed = each->count};
    pthread_mutex_init(&run.lock, NULL);
    fr_parallel_for(ctx, each->count, 1, item_task, &run);
    pthread_mutex_destroy(&run.lock);
    tell(&run);
    if (run.result != FR_OK) return fr_fail(ctx, run.result, "%s", run.message);
    return run.deaf ? fr_no_memory(ctx, "notes") : FR_OK;
}
