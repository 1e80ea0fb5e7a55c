// labels.c: keys of regions at nodes, and where borders meet edges.

#include "cut/labels.h"
#include <math.h>

void fr_labels_free(FrContext *ctx, FrLabels *labels) {
    FR_FREE_ALL(ctx, labels->label, labels->key, labels->second, labels->second_key,
                labels->near_start, labels->near, labels->least);
    *labels = (FrLabels){0};
}

double fr_labels_key(const FrLabels *labels, int32_t node, int32_t region) {
    if (labels->label[node] == region) return labels->key[node];
    if (labels->second[node] == region) return labels->second_key[node];
    if (!labels->near_start) return HUGE_VAL;
    for (int32_t k = labels->near_start[node]; k < labels->near_start[node + 1]; k++)
        if (labels->near[k].region == region) return labels->near[k].key;
    return HUGE_VAL;
}

// f = key of b's region - key of a's region, 1 along the edge: t = f(a) / (f(a) - f(b))      [M20]
double fr_label_balance(const double at_a[2], const double at_b[2]) {
    double fa = at_a[1] - at_a[0], fb = at_b[1] - at_b[0];
    if (!isfinite(fa) || !isfinite(fb)) return 0.5;
    if (fa <= 0.0 && fb >= 0.0) return 0.5;
    if (fa <= 0.0) return FR_LABEL_CLAMP;
    if (fb >= 0.0) return 1.0 - FR_LABEL_CLAMP;
    return fr_clamp(fa / (fa - fb), FR_LABEL_CLAMP, 1.0 - FR_LABEL_CLAMP);
}
