// memory.c: allocation through the context's hook, and the growing of typed arrays.

#include "base/array.h"
#include "base/context.h"
#include <string.h>

void *fr_alloc(FrContext *ctx, size_t size) { return fr_resize(ctx, NULL, size ? size : 1); }

void *fr_alloc_zero(FrContext *ctx, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) return NULL;
    void *ptr = fr_alloc(ctx, total);
    if (ptr) memset(ptr, 0, total);
    return ptr;
}

void *fr_resize(FrContext *ctx, void *ptr, size_t size) {
    return ctx->def.allocator.resize(ctx->def.allocator.user, ptr, size);
}

void fr_free(FrContext *ctx, void *ptr) {
    if (ptr) ctx->def.allocator.resize(ctx->def.allocator.user, ptr, 0);
}

void fr_free_all(FrContext *ctx, void *const *list, size_t count) {
    for (size_t k = 0; k < count; k++) fr_free(ctx, list[k]);
}

char *fr_strdup(FrContext *ctx, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = fr_alloc(ctx, size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

bool fr_array_grow_(FrContext *ctx, void **data, int32_t *capacity, int32_t count, int32_t more,
                    size_t item) {
    FR_ASSERT_IN(ctx, more >= 0, "ask for a count that is not negative");
    int32_t wanted;
    if (__builtin_add_overflow(count, more, &wanted)) return false;
    if (wanted <= *capacity) return true;
    int32_t doubled = *capacity > INT32_MAX / 2 ? INT32_MAX : 2 * *capacity;
    int32_t grown = fr_max_i(fr_max_i(wanted, doubled), 16);
    size_t size;
    if (__builtin_mul_overflow((size_t)grown, item, &size)) return false;
    void *moved = fr_resize(ctx, *data, size);
    if (!moved) return false;
    *data = moved;
    *capacity = grown;
    return true;
}

void fr_array_zero_(void *at, size_t size) {
    if (size) memset(at, 0, size);
}
