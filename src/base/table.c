// table.c: a map from 64-bit keys to indices, and a stable sort by 64-bit keys.

#include "base/table.h"
#include <string.h>

static bool grow(FrContext *ctx, FrTable *table, uint32_t slots) {
    FrTable bigger = {NULL, NULL, table->count, slots - 1};
    bigger.key = FR_NEW(ctx, uint64_t, slots);
    bigger.value = fr_alloc(ctx, (size_t)slots * sizeof(int32_t));
    if (!bigger.key || !bigger.value) {
        fr_table_free(ctx, &bigger);
        return false;
    }
    memset(bigger.value, 0xFF, (size_t)slots * sizeof(int32_t));
    for (uint32_t k = 0; table->value && k <= table->mask; k++) {
        if (table->value[k] < 0) continue;
        uint32_t slot = fr_table_slot(&bigger, table->key[k]);
        bigger.key[slot] = table->key[k];
        bigger.value[slot] = table->value[k];
    }
    fr_table_free(ctx, table);
    *table = bigger;
    return true;
}

bool fr_table_reserve(FrContext *ctx, FrTable *table, int32_t more) {
    int64_t wanted = 2 * ((int64_t)table->count + more) + 16;
    if (wanted > (int64_t)1 << 31) return false;
    uint32_t slots = table->value ? table->mask + 1 : 16;
    while (slots < wanted) slots *= 2;
    return table->value && slots == table->mask + 1 ? true : grow(ctx, table, slots);
}

void fr_table_free(FrContext *ctx, FrTable *table) {
    fr_free(ctx, table->key);
    fr_free(ctx, table->value);
    *table = (FrTable){0};
}

// one pass of a least-significant-byte radix sort; false when all keys share this byte
static bool radix_pass(const uint64_t *key, int32_t count, int shift, const int32_t *from,
                       int32_t *to) {
    int32_t start[257] = {0};
    for (int32_t k = 0; k < count; k++) start[(key[k] >> shift & 255) + 1]++;
    for (int b = 0; b < 256; b++)
        if (start[b + 1] == count) return false;
    for (int b = 0; b < 256; b++) start[b + 1] += start[b];
    for (int32_t k = 0; k < count; k++) to[start[key[from[k]] >> shift & 255]++] = from[k];
    return true;
}

FrResult fr_sort_keys(FrContext *ctx, const uint64_t *key, int32_t count, int32_t **order) {
    int32_t *a = FR_NEW(ctx, int32_t, count), *b = FR_NEW(ctx, int32_t, count);
    *order = NULL;
    if (!a || !b) {
        fr_free(ctx, a);
        fr_free(ctx, b);
        return fr_no_memory(ctx, "a sort");
    }
    for (int32_t k = 0; k < count; k++) a[k] = k;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!radix_pass(key, count, shift, a, b)) continue;
        int32_t *swap = a;
        a = b;
        b = swap;
    }
    fr_free(ctx, b);
    *order = a;
    return FR_OK;
}
