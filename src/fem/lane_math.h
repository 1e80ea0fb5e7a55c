// lane_math.h: vectors and matrices of four tets at a time, one per lane.
#pragma once
#include "math/lanes.h"

typedef struct Lane3 {
    FrLane x, y, z;
} Lane3;

/// symmetric matrix, order of FrSym3
typedef struct LaneSym {
    FrLane xx, yy, zz, yz, zx, xy;
} LaneSym;

/// 3x3 by columns; no array, so that it lives in registers
typedef struct LaneMat {
    Lane3 c0, c1, c2;
} LaneMat;

FR_LANE_INLINE Lane3 lane3_sub(Lane3 a, Lane3 b) {
    Lane3 r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}
// s a + b
FR_LANE_INLINE Lane3 lane3_axpy(FrLane s, Lane3 a, Lane3 b) {
    Lane3 r = {s * a.x + b.x, s * a.y + b.y, s * a.z + b.z};
    return r;
}
FR_LANE_INLINE FrLane lane3_dot(Lane3 a, Lane3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FR_LANE_INLINE Lane3 lane3_cross(Lane3 a, Lane3 b) {
    Lane3 r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}
// a0 s0 + a1 s1 + a2 s2
FR_LANE_INLINE Lane3 lane3_mix(Lane3 a0, FrLane s0, Lane3 a1, FrLane s1, Lane3 a2, FrLane s2) {
    Lane3 r = {a0.x * s0 + a1.x * s1 + a2.x * s2, a0.y * s0 + a1.y * s1 + a2.y * s2,
               a0.z * s0 + a1.z * s1 + a2.z * s2};
    return r;
}

// twice the Green strain: F'F - I                                           [S2 eq. 1] [S6 eq. 3.1]
FR_LANE_INLINE LaneSym doubled_strain(const LaneMat *F) {
    FrLane one = fr_lane_set(1.0);
    LaneSym e = {lane3_dot(F->c0, F->c0) - one, lane3_dot(F->c1, F->c1) - one,
                 lane3_dot(F->c2, F->c2) - one, lane3_dot(F->c1, F->c2),
                 lane3_dot(F->c2, F->c0),       lane3_dot(F->c0, F->c1)};
    return e;
}

/// how the volume of what yields stands
typedef struct LaneVolume {
    LaneSym adj;  ///< of C = F'F
    FrLane grown; ///< det C - 1
} LaneVolume;

FR_LANE_INLINE LaneVolume volume_of(const LaneSym *e) {
    FrLane one = fr_lane_set(1.0), xx = e->xx + one, yy = e->yy + one, zz = e->zz + one;
    LaneSym adj = {yy * zz - e->yz * e->yz,    zz * xx - e->zx * e->zx,
                   xx * yy - e->xy * e->xy,    e->zx * e->xy - xx * e->yz,
                   e->xy * e->yz - yy * e->zx, e->yz * e->zx - zz * e->xy};
    LaneVolume v = {adj, (xx * adj.xx + e->xy * adj.xy + e->zx * adj.zx) - one};
    return v;
}

FR_LANE_INLINE FrLane sym_dot(const LaneSym *a, const LaneSym *b) {
    FrLane shear = a->yz * b->yz + a->zx * b->zx + a->xy * b->xy;
    return (a->xx * b->xx + a->yy * b->yy + a->zz * b->zz) + (shear + shear);
}

FR_LANE_INLINE FrLane sym_trace(const LaneSym *a) { return a->xx + a->yy + a->zz; }

// a + s b
FR_LANE_INLINE LaneSym sym_axpy(FrLane s, const LaneSym *b, const LaneSym *a) {
    LaneSym r = {a->xx + s * b->xx, a->yy + s * b->yy, a->zz + s * b->zz,
                 a->yz + s * b->yz, a->zx + s * b->zx, a->xy + s * b->xy};
    return r;
}

// -vol F S
FR_LANE_INLINE LaneMat loaded(const LaneMat *F, const LaneSym *S, FrLane minus_vol) {
    FrLane xx = minus_vol * S->xx, yy = minus_vol * S->yy, zz = minus_vol * S->zz,
           yz = minus_vol * S->yz, zx = minus_vol * S->zx, xy = minus_vol * S->xy;
    LaneMat T = {lane3_mix(F->c0, xx, F->c1, xy, F->c2, zx),
                 lane3_mix(F->c0, xy, F->c1, yy, F->c2, yz),
                 lane3_mix(F->c0, zx, F->c1, yz, F->c2, zz)};
    return T;
}

#define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)

// xyz of four nodes, one per lane, from four rows x y z -
FR_LANE_INLINE Lane3 gather(const double *r0, const double *r1, const double *r2,
                            const double *r3) {
    FrLane a = fr_lane_load(r0), b = fr_lane_load(r1), c = fr_lane_load(r2), d = fr_lane_load(r3);
    FrLane ab_xz = SHUFFLE(a, b, 0, 4, 2, 6), ab_y = SHUFFLE(a, b, 1, 5, 3, 7);
    FrLane cd_xz = SHUFFLE(c, d, 0, 4, 2, 6), cd_y = SHUFFLE(c, d, 1, 5, 3, 7);
    Lane3 r = {SHUFFLE(ab_xz, cd_xz, 0, 1, 4, 5), SHUFFLE(ab_y, cd_y, 0, 1, 4, 5),
               SHUFFLE(ab_xz, cd_xz, 2, 3, 6, 7)};
    return r;
}

FR_LANE_INLINE void add_row(double *row, FrLane v) { fr_lane_store(row, fr_lane_load(row) + v); }

// add xyz and w of each lane to its node's row; lane by lane, because two lanes may share a node
FR_LANE_INLINE void scatter(double *r0, double *r1, double *r2, double *r3, Lane3 f, FrLane w) {
    FrLane xy02 = SHUFFLE(f.x, f.y, 0, 4, 2, 6), xy13 = SHUFFLE(f.x, f.y, 1, 5, 3, 7);
    FrLane zw02 = SHUFFLE(f.z, w, 0, 4, 2, 6), zw13 = SHUFFLE(f.z, w, 1, 5, 3, 7);
    add_row(r0, SHUFFLE(xy02, zw02, 0, 1, 4, 5));
    add_row(r1, SHUFFLE(xy13, zw13, 0, 1, 4, 5));
    add_row(r2, SHUFFLE(xy02, zw02, 2, 3, 6, 7));
    add_row(r3, SHUFFLE(xy13, zw13, 2, 3, 6, 7));
}
