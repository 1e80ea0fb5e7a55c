// groups.h: things that hang together, found by joining pairs (union-find): the lowest number of a
// group heads it, so that the result does not depend on the order of joining.
#pragma once
#include "base/base.h"

/// The head of k's group. At first everything heads itself: group[k] = k.
static inline int32_t fr_group_head(int32_t *group, int32_t k) {
    while (group[k] != k) k = group[k] = group[group[k]];
    return k;
}

static inline void fr_group_join(int32_t *group, int32_t a, int32_t b) {
    a = fr_group_head(group, a);
    b = fr_group_head(group, b);
    group[fr_max_i(a, b)] = fr_min_i(a, b);
}
