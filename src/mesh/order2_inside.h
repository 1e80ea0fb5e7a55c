// order2_inside.h: where mid-nodes go: those of the surface to the shape, those inside after them.
#pragma once
#include "geom/field.h"
#include "mesh/topology.h"

/// Moves of all mid-nodes from the middle of their straight edges, m (edges->count, zeroed before).
/// `projected`: how many were put on the shape.
FrResult fr_order2_to_shape(FrContext *ctx, const FrTetMesh *mesh, const FrEdges *edges,
                            const FrField *shape, FrVec3 *move, int32_t *projected);
/// Moves of the mid-nodes that are not fixed, from those that are.
FrResult fr_order2_spread(FrContext *ctx, const FrTetMesh *mesh, const FrEdges *edges,
                          const uint8_t *fixed, FrVec3 *move);
