// context.h: contexts for tests: plain ones, and ones whose k-th allocation is refused.
#pragma once
#include "fracas/base.h"
#include <stdlib.h>

static inline FrContext *make_context(int32_t workers) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = workers;
    return fr_context_create(&def);
}

/// An allocator that counts what lives and refuses the refuse_at-th request (0: none).
typedef struct Refuser {
    int live, calls, refuse_at;
    bool from_then_on; ///< refuse all that follow, too
    size_t largest;    ///< the largest single request
} Refuser;

static inline void *refusing_resize(void *user, void *ptr, size_t size) {
    Refuser *r = user;
    if (size == 0) {
        if (ptr) r->live--;
        free(ptr);
        return NULL;
    }
    r->calls++;
    if (r->calls == r->refuse_at || (r->from_then_on && r->calls > r->refuse_at)) return NULL;
    if (size > r->largest) r->largest = size;
    void *moved = realloc(ptr, size);
    if (moved && !ptr) r->live++;
    return moved;
}

/// One worker; memory from `refuser` (NULL: plain memory).
static inline FrContext *make_refusing_context(Refuser *refuser) {
    FrContextDef def = fr_context_def_default();
    if (refuser) def.allocator = (FrAllocator){refusing_resize, refuser};
    def.tasks.workers = 1;
    return fr_context_create(&def);
}

static inline int no_sync(void *user, int fd) {
    (void)user, (void)fd;
    return 0;
}

/// The same, and files are not synced: tests that write thousands would wait for the disk.
static inline FrContext *make_unsynced_context(Refuser *refuser) {
    FrContextDef def = fr_context_def_default();
    if (refuser) def.allocator = (FrAllocator){refusing_resize, refuser};
    def.tasks.workers = 1;
    def.files.sync = no_sync;
    return fr_context_create(&def);
}
