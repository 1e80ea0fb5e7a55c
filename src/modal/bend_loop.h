// bend_loop.h: displacements of four nodes in the lanes of one register; compiled twice, with and
// without AVX2: same bits.
#pragma once
#include "math/lanes.h"
#include "modal/bend_lanes.h"

typedef float Float4 __attribute__((vector_size(16)));

FR_LANE_INLINE FrLane load_floats(const float *p) {
    Float4 f;
    memcpy(&f, p, sizeof f);
    return __builtin_convertvector(f, FrLane);
}

// d = W z, one axis of four nodes; with `speed` W v too
FR_LANE_INLINE void four_nodes(const FrBend *bend, const float *at, bool speeds, FrLane out[2]) {
    FrLane d = fr_lane_set(0.0), s = d;
    for (int32_t m = 0; m < bend->count; m++) {
        FrLane w = load_floats(at + 4 * m);
        d += w * fr_lane_set(bend->z[m]);
        if (speeds) s += w * fr_lane_set(bend->v[m]);
    }
    out[0] = d, out[1] = s;
}

void FR_BEND_FIELD(const FrBend *bend, int32_t begin, int32_t end, double *shift, double *speed) {
    for (int32_t slot = begin; slot < end; slot += 4) {
        int32_t lanes = end - slot < 4 ? end - slot : 4;
        for (int axis = 0; axis < 3; axis++) {
            FrLane out[2];
            four_nodes(bend, fr_bend_at(bend, slot, axis), speed != NULL, out);
            for (int32_t k = 0; k < lanes; k++) {
                size_t to = 3 * (size_t)(slot - begin + k) + (size_t)axis;
                shift[to] = out[0][k];
                if (speed) speed[to] = out[1][k];
            }
        }
    }
}
