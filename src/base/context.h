// context.h: what a context holds; only base/ looks inside.
#pragma once
#include "base/base.h"
#include <stdatomic.h>

typedef struct FrPool FrPool;

struct FrContext {
    const char *subject;                                          ///< of notes; NULL: none
    void (*hear)(void *user, FrLogLevel level, const char *text); ///< NULL: nobody
    void *listener;                                               ///< handed to hear
    bool hushed;                                                  ///< the host hears warnings only
    bool muted;                                                   ///< nothing at all is logged
    FrContextDef def;
    FrPool *pool;        ///< own threads; NULL when the host brings its tasks
    const FrContext *of; ///< whose item this one is for (each.h): cancelled when that is; or NULL
    atomic_bool cancelled;
    char message[4096];
};

FrPool *fr_pool_create(FrContext *ctx, int32_t workers);
void fr_pool_destroy(FrContext *ctx, FrPool *pool);
void fr_pool_run(void *pool, int32_t count, FrTaskFn *task, void *arg);
