// blow_loop.h: four modes of a blow in the lanes of one register. Compiled twice, with and without
// AVX2: same bits.
#pragma once
#include "math/lanes.h"
#include "modal/blow_lanes.h"

double FR_BLOW_REACH(const FrBlowModes *modes, const FrBlowTable *table) {
    FrLane by_z = fr_lane_set(0.0), by_v = by_z;
    for (int32_t k = 0; k < modes->padded; k += FR_LANES) {
        by_z += fr_lane_load(table->reach_z + k) * fr_lane_load(modes->z + k);
        by_v += fr_lane_load(table->reach_v + k) * fr_lane_load(modes->v + k);
    }
    FrLane sum = by_z + by_v;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// z' = zz z + zv v - w H F,  v' = vz z + vv v - w h F                                      (M15)
void FR_BLOW_STEP(FrBlowModes *modes, const FrBlowTable *table, double force) {
    FrLane F = fr_lane_set(force);
    for (int32_t k = 0; k < modes->padded; k += FR_LANES) {
        FrLane z = fr_lane_load(modes->z + k), v = fr_lane_load(modes->v + k);
        FrLane to = fr_lane_load(table->zz + k) * z + fr_lane_load(table->zv + k) * v +
                    fr_lane_load(table->zf + k) * F;
        FrLane rate = fr_lane_load(table->vz + k) * z + fr_lane_load(table->vv + k) * v +
                      fr_lane_load(table->vf + k) * F;
        fr_lane_store(modes->z + k, to);
        fr_lane_store(modes->v + k, rate);
        fr_lane_store(modes->most2 + k, fr_lane_max(fr_lane_load(modes->most2 + k), to * to));
    }
}
