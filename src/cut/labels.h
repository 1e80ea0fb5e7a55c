// labels.h: to which region each node of a mesh belongs, and how near the next region is: what a
// body is to be cut into.
#pragma once
#include "base/base.h"

/// Regions of a mesh. Keys are weighted distances from the middle (seed) of a region; where those
/// of two regions are equal, their border runs.
typedef struct FrLabels {
    int32_t node_count;
    int32_t count;      ///< regions
    int32_t *label;     ///< region of each node, 0 .. count - 1 (node_count)
    double *key;        ///< distance to that region's middle (node_count)
    int32_t *second;    ///< the next region; -1: none reaches the node (node_count)
    double *second_key; ///< distance to its middle, >= key (node_count)
} FrLabels;

void fr_labels_free(FrContext *ctx, FrLabels *labels); ///< fine on a zeroed one
