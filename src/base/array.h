// array.h: typed growable arrays: struct { T *data; int32_t count, capacity; }.
#pragma once
#include "base/base.h"

#define FR_ARRAY(T)                                                                                \
    struct {                                                                                       \
        T *data;                                                                                   \
        int32_t count, capacity;                                                                   \
    }

/// Room for `n` more. False when memory is out; the array is unchanged then.
#define fr_array_reserve(ctx, a, n)                                                                \
    fr_array_grow_((ctx), (void **)&(a)->data, &(a)->capacity, (a)->count, (n), sizeof *(a)->data)

/// Append; false when memory is out.
#define fr_array_push(ctx, a, value)                                                               \
    (((a)->count < (a)->capacity || fr_array_reserve((ctx), (a), 1))                               \
         ? ((a)->data[(a)->count++] = (value), true)                                               \
         : false)

/// Append n zeroed elements; false when memory is out.
#define fr_array_extend(ctx, a, n)                                                                 \
    (fr_array_reserve((ctx), (a), (n))                                                             \
         ? (fr_array_zero_((a)->data + (a)->count, (size_t)(n) * sizeof *(a)->data),               \
            (a)->count += (n), true)                                                               \
         : false)

#define fr_array_free(ctx, a)                                                                      \
    (fr_free((ctx), (a)->data), (a)->data = NULL, (a)->count = (a)->capacity = 0)

bool fr_array_grow_(FrContext *ctx, void **data, int32_t *capacity, int32_t count, int32_t more,
                    size_t item);
void fr_array_zero_(void *at, size_t size);
