// mode_sum_loop.h: sums of float arrays with weights, four numbers at a time; compiled twice, with
// and without AVX2: same bits.
#pragma once
#include "math/lanes.h"
#include "modal/mode_sum.h"

typedef float Float4 __attribute__((vector_size(16)));

FR_LANE_INLINE FrLane load_floats(const float *p) {
    Float4 f;
    memcpy(&f, p, sizeof f);
    return __builtin_convertvector(f, FrLane);
}

// four arrays a walk: the sum is read and written a quarter as often
static void add_four(const FrModeSum *s, int32_t i, int32_t begin, int32_t end) {
    const float *a = s->array + (size_t)i * s->stride, *b = a + s->stride, *c = b + s->stride,
                *d = c + s->stride;
    FrLane wa = fr_lane_set(s->weight[i]), wb = fr_lane_set(s->weight[i + 1]),
           wc = fr_lane_set(s->weight[i + 2]), wd = fr_lane_set(s->weight[i + 3]);
    int32_t k = begin;
    for (; k + FR_LANES <= end; k += FR_LANES) {
        FrLane sum = fr_lane_load(s->sum + k);
        sum = sum + wa * load_floats(a + k);
        sum = sum + wb * load_floats(b + k);
        sum = sum + wc * load_floats(c + k);
        sum = sum + wd * load_floats(d + k);
        fr_lane_store(s->sum + k, sum);
    }
    for (; k < end; k++) {
        double sum = s->sum[k];
        sum = sum + s->weight[i] * (double)a[k];
        sum = sum + s->weight[i + 1] * (double)b[k];
        sum = sum + s->weight[i + 2] * (double)c[k];
        s->sum[k] = sum + s->weight[i + 3] * (double)d[k];
    }
}

static void add_one(const FrModeSum *s, int32_t i, int32_t begin, int32_t end) {
    const float *a = s->array + (size_t)i * s->stride;
    FrLane w = fr_lane_set(s->weight[i]);
    int32_t k = begin;
    for (; k + FR_LANES <= end; k += FR_LANES)
        fr_lane_store(s->sum + k, fr_lane_load(s->sum + k) + w * load_floats(a + k));
    for (; k < end; k++) s->sum[k] += s->weight[i] * (double)a[k];
}

void FR_MODE_SUM(const FrModeSum *s, int32_t begin, int32_t end) {
    int32_t i = 0;
    for (; i + 4 <= s->count; i += 4) add_four(s, i, begin, end);
    for (; i < s->count; i++) add_one(s, i, begin, end);
}
