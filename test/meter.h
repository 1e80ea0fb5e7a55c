// meter.h: contexts that count the bytes they hold, for tests of memory in proportion.
#pragma once
#include "fracas/base.h"
#include <stdlib.h>

typedef struct Meter {
    size_t live, peak; ///< bytes
    int64_t blocks;    ///< that are live
} Meter;

// a size is kept before each block
static inline void *metered_resize(void *user, void *ptr, size_t size) {
    Meter *m = user;
    size_t *block = ptr ? (size_t *)ptr - 2 : NULL;
    if (block) m->live -= block[0];
    if (size == 0) {
        m->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    m->blocks += !block;
    block = realloc(block, size + 2 * sizeof *block);
    if (!block) return NULL;
    block[0] = size;
    m->live += size;
    if (m->live > m->peak) m->peak = m->live;
    return block + 2;
}

/// One worker; `meter` may be NULL: nothing is counted.
static inline FrContext *metered_context(Meter *meter) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    if (meter) def.allocator = (FrAllocator){metered_resize, meter};
    return fr_context_create(&def);
}
