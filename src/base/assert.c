// assert.c: what happens when a caller's bug is found.

#include "base/base.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static void print_and_abort(const char *file, int line, const char *condition, const char *advice) {
    fprintf(stderr, "%s:%d: assertion failed: %s: %s\n", file, line, condition, advice);
    abort();
}

static _Atomic(FrAssertFn *) assert_handler = print_and_abort;

void fr_set_assert(FrAssertFn *handler) {
    atomic_store(&assert_handler, handler ? handler : print_and_abort);
}

void fr_assert_failed(const char *file, int line, const char *condition, const char *advice) {
    atomic_load (&assert_handler)(file, line, condition, advice);
}
