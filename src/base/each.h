// each.h: many items at one time, each of which may allocate, tell of things and fail.
#pragma once
#include "base/base.h"

/// What is done to item k. `own` is a context for this call only: it allocates from the caller's,
/// has its own message, and works on one thread. What lives on must not keep it.
typedef FrResult FrEachFn(void *arg, FrContext *own, int32_t k);

typedef struct FrEach {
    int32_t count;
    FrEachFn *fn;
    void *arg;
    const char *stage; ///< of the progress that is told; NULL: none
    int32_t before;    ///< items that were done earlier, for the progress
} FrEach;

/// As if the items were done one after the other with `ctx`, whatever the number of workers: notes
/// come in the order of the items, up to the first that fails, whose result and message it gives.
/// Items after that one may not have been done. Progress is told from the calling thread only.
FrResult fr_each(FrContext *ctx, const FrEach *each);
