// labels.h: to which region each node of a mesh belongs, and how far it is to the next regions:
// what a body is to be cut into.
#pragma once
#include "base/base.h"

/// Cut points keep this far from the ends of their edge, share of it.
#define FR_LABEL_CLAMP 0.1

/// How far a node is from the middle of a region.
typedef struct FrLabelKey {
    int32_t region;
    double key;
} FrLabelKey;

/// Regions of a mesh. Keys are weighted distances from the middle (seed) of a region; where those
/// of two regions are equal, their border runs. A node knows its own region, those of all nodes
/// that it shares an edge with, and the nearest of the others: both ends of an edge between two
/// regions know both keys.
/// Where three regions meet on a face, and three or four in a tet, cracks are joined to the mean of
/// the cut points on its edges: their energy is counted so.
typedef struct FrLabels {
    int32_t node_count;
    int32_t count;       ///< regions
    int32_t *label;      ///< region of each node, 0 .. count - 1 (node_count)
    double *key;         ///< distance to that region's middle (node_count)
    int32_t *second;     ///< the next region; -1: none reaches the node (node_count)
    double *second_key;  ///< distance to its middle; below key where a node was given to another
                         ///< region so that regions hang together (node_count)
    int32_t *near_start; ///< where the list of each node begins in `near` (node_count + 1); NULL:
                         ///< only label and second are known
    FrLabelKey *near;    ///< its own region, then others by distance (near_start[node_count])
    double *least;       ///< m^3: smaller parts of a region join a neighbour (count); NULL: none
                         ///< need to
} FrLabels;
void fr_labels_free(FrContext *ctx, FrLabels *labels); ///< fine on a zeroed one

/// Distance of a node to the middle of a region; HUGE_VAL: not known.
double fr_labels_key(const FrLabels *labels, int32_t node, int32_t region);
/// Where the border between the regions of the ends of an edge meets it, from keys: of a's and b's
/// region at a, then at b. It is (1 - t) a + t b, FR_LABEL_CLAMP <= t <= 1 - FR_LABEL_CLAMP; a half
/// where keys are not known.                                                              [M20]
double fr_label_balance(const double at_a[2], const double at_b[2]);
