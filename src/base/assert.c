// assert.c: what happens when a caller's bug is found.

#include "base/base.h"
#include "base/context.h"
#include <stdio.h>
#include <stdlib.h>

void fr_assert_failed(const FrContext *ctx, const char *file, int line, const char *condition,
                      const char *advice) {
    if (ctx && ctx->def.assert_failed)
        ctx->def.assert_failed(ctx->def.user, file, line, condition, advice);
    fprintf(stderr, "%s:%d: assertion failed: %s: %s\n", file, line, condition, advice);
    abort();
}

FrResult fr_misused(FrContext *ctx, const char *file, int line, const char *condition,
                    const char *advice) {
    if (!ctx) return FR_BAD_USE;
    if (ctx->def.assert_failed)
        ctx->def.assert_failed(ctx->def.user, file, line, condition, advice);
    return fr_fail(ctx, FR_BAD_USE, "%s (needed: %s)", advice, condition);
}
