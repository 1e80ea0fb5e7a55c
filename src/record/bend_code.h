// bend_code.h: the modes of a body as bytes and back, checked; and its nodes from a pose and modal
// coordinates.
//
// Modes: float32 x y z of each node, mode after mode, split in four byte planes.
#pragma once
#include "base/bytes.h"
#include "fracas/frame.h"

static inline size_t fr_bend_code_numbers(int32_t modes, int32_t nodes) {
    return 3 * (size_t)modes * (size_t)nodes;
}
void fr_bend_code_write(const FrModeShapes *shapes, FrWriter *out);
uint64_t fr_bend_code_hash(const FrModeShapes *shapes, const FrWriter *raw);
/// *shape (fr_bend_code_numbers) from ctx. FR_BAD_INPUT: a number is not finite, or too large.
FrResult fr_bend_code_read(FrContext *ctx, int32_t modes, int32_t nodes, const void *z,
                           size_t z_size, float **shape);

/// p_w = t + R (x + W z), and velocities, of the nodes of a mesh, into p and v (3 * node_count), to
/// which the frame points from then on. `frame` has pose, z and z_speed. [S1 eqs. 17 to 19] (E33)
void fr_bend_code_place(const FrTetMesh *mesh, const FrModeShapes *shapes, double *p, double *v,
                        FrBodyFrame *frame);
