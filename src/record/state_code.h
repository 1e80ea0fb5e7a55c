// state_code.h: where one body is, as bytes and back.
//
// Little-endian. Encoding 1, bodies that bend: 13 float64: origin xyz, position xyz, rotation wxyz,
// velocity xyz; then 6 n float32: x - origin of all nodes, y, z, then vx, vy, vz, split in four
// byte planes (all first bytes, all second bytes, ...), which is what makes zlib find something.
// The origin is the middle of the body, so that float32 resolves the body, not the world.
// Encoding 2, rigid ones: 13 float64: spin xyz, position xyz, rotation wxyz, velocity xyz.
// Encoding 3, frames that bend by modes: as 2, then float64: how far out each mode is, and how
// fast.
#pragma once
#include "fracas/frame.h"
#include "base/base.h"

#define FR_STATE_NODES 1 ///< encodings
#define FR_STATE_POSE 2
#define FR_STATE_MODES 3
#define FR_STATE_HEAD 104 ///< bytes before the planes

static inline size_t fr_state_size(int32_t node_count) {
    return FR_STATE_HEAD + 24 * (size_t)node_count;
}
static inline size_t fr_state_modes_size(int32_t modes) {
    return FR_STATE_HEAD + 16 * (size_t)modes;
}
/// Encoding 3, of a frame with z and z_speed. False: not finite.
bool fr_state_encode_modes(const FrBodyFrame *frame, int32_t modes, uint8_t *raw);
/// z: 2 * modes, filled and pointed to by `frame`, whose nodes are still to be placed. False: not
/// finite, or too large.
bool fr_state_decode_modes(const uint8_t *raw, int32_t modes, double *z, FrBodyFrame *frame);
/// node_count 0: encoding 2. False when a number is not finite (or too large for float32);
/// `bad_node` says which, -1 the pose.
bool fr_state_encode(const FrBodyFrame *frame, int32_t node_count, uint8_t *raw, int32_t *bad_node);
/// p and v: 3 * node_count each, filled and pointed to by `frame`. node_count 0: encoding 2. False:
/// not finite.
bool fr_state_decode(const uint8_t *raw, int32_t node_count, double *p, double *v,
                     FrBodyFrame *frame);

/// Split `count` float32 in four byte planes, and back.
void fr_planes_split(const float *value, size_t count, uint8_t *planes);
void fr_planes_join(const uint8_t *planes, size_t count, float *value);
