// context.c: makes a context from the host's hooks; messages, log and progress go through it.

#include "base/context.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *libc_resize(void *user, void *ptr, size_t size) {
    (void)user;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, size);
}

FrContextDef fr_context_def_default(void) {
    FrContextDef def;
    memset(&def, 0, sizeof def);
    def.cookie = FR_COOKIE;
    return def;
}

static int32_t core_count(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 256 ? 256 : (int32_t)cores;
}

FrContext *fr_context_create(const FrContextDef *def) {
    if (!def || def->cookie != FR_COOKIE) return NULL;
    FrAllocator allocator = def->allocator;
    if (!allocator.resize) allocator.resize = libc_resize;
    FrContext *ctx = allocator.resize(allocator.user, NULL, sizeof *ctx);
    if (!ctx) return NULL;
    memset(ctx, 0, sizeof *ctx);
    ctx->def = *def;
    ctx->def.allocator = allocator;
    atomic_init(&ctx->cancelled, false);
    if (ctx->def.tasks.run) return ctx;

    // no tasks from the host: an own pool
    int32_t workers = def->tasks.workers > 0 ? def->tasks.workers : core_count();
    ctx->pool = fr_pool_create(ctx, workers);
    if (!ctx->pool) {
        allocator.resize(allocator.user, ctx, 0);
        return NULL;
    }
    ctx->def.tasks = (FrTasks){fr_pool_run, ctx->pool, workers};
    return ctx;
}

void fr_context_destroy(FrContext *ctx) {
    if (!ctx) return;
    FrAllocator allocator = ctx->def.allocator;
    if (ctx->pool) fr_pool_destroy(ctx, ctx->pool);
    allocator.resize(allocator.user, ctx, 0);
}

const char *fr_context_message(const FrContext *ctx) {
    return ctx ? ctx->message
               : "there is no context: no memory, or its def is not from fr_context_def_default()";
}
void fr_context_cancel(FrContext *ctx) {
    if (!ctx) return;
    atomic_store(&ctx->cancelled, true);
}
void fr_context_resume(FrContext *ctx) {
    if (!ctx) return;
    atomic_store(&ctx->cancelled, false);
}
bool fr_context_cancelled(const FrContext *ctx) {
    if (!ctx) return false;

    return atomic_load(ctx->of ? &ctx->of->cancelled : &ctx->cancelled);
}
int32_t fr_context_workers(const FrContext *ctx) {
    if (!ctx) return 0;
    return ctx->def.tasks.workers;
}
const FrFileCalls *fr_context_files(const FrContext *ctx) { return &ctx->def.files; }
const FrTasks *fr_context_tasks(const FrContext *ctx) { return &ctx->def.tasks; }

const FrBackend *fr_context_backend(const FrContext *ctx) { return ctx->def.backend; }
void fr_context_set_backend(FrContext *ctx, const FrBackend *backend) {
    ctx->def.backend = backend;
}

const char *fr_result_name(FrResult result) {
    switch (result) {
    case FR_OK:
        return "ok";
    case FR_FAILED:
        return "failed";
    case FR_BAD_USE:
        return "bad use";
    case FR_BAD_INPUT:
        return "bad input";
    case FR_IO:
        return "input or output failed";
    case FR_NUMERICAL:
        return "numerical failure";
    case FR_NO_MEMORY:
        return "out of memory";
    case FR_INTERRUPTED:
        return "interrupted";
    }
    return "unknown result";
}

#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)
const char *fr_version(void) {
    return VERSION_TEXT(FR_VERSION_MAJOR, FR_VERSION_MINOR, FR_VERSION_PATCH);
}

FrResult fr_fail(FrContext *ctx, FrResult result, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    return result;
}

FrResult fr_fail_within(FrContext *ctx, FrResult result, const char *format, ...) {
    char old[sizeof ctx->message];
    memcpy(old, ctx->message, sizeof old);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof ctx->message)
        snprintf(ctx->message + length, sizeof ctx->message - (size_t)length, "%s", old);
    return result;
}

FrResult fr_no_memory(FrContext *ctx, const char *what) {
    return fr_fail(ctx, FR_NO_MEMORY, "out of memory for %s", what);
}

void fr_log(FrContext *ctx, FrLogLevel level, const char *format, ...) {
    if (ctx->muted || (!ctx->def.log && !ctx->hear)) return;
    char text[2048];
    int used = ctx->subject ? snprintf(text, sizeof text, "%.200s: ", ctx->subject) : 0;
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, args);
    va_end(args);
    // readers name the file themselves
    bool named = used && !strncmp(text, text + used, (size_t)used - 1);
    const char *shown = named ? text + used : text;
    bool heard = !ctx->hushed || level == FR_LOG_WARNING;
    if (ctx->def.log && heard) ctx->def.log(ctx->def.user, level, shown);
    if (ctx->hear) ctx->hear(ctx->listener, level, shown);
}

void fr_log_about(FrContext *ctx, const char *subject) { ctx->subject = subject; }

void fr_log_hush(FrContext *ctx, bool hushed) { ctx->hushed = hushed; }

void fr_log_mute(FrContext *ctx, bool muted) { ctx->muted = muted; }

void fr_log_listen(FrContext *ctx, void (*hear)(void *user, FrLogLevel level, const char *text),
                   void *user) {
    ctx->hear = hear;
    ctx->listener = user;
}

void fr_progress(FrContext *ctx, const char *stage, double done, double total) {
    if (ctx->def.progress) ctx->def.progress(ctx->def.user, stage, done, total);
}
