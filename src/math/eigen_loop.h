// eigen_loop.h: fr_sym3_eigen for four matrices at once. Compiled twice, with and without AVX2:
// same bits, and those of one matrix alone.
#pragma once
#include "math/eigen_four.h"
#include "math/lanes.h"

typedef struct Four {
    FrLane a[3][3];  ///< upper half; becomes diagonal
    FrLane v[3][3];  ///< rows: eigenvectors
    FrLaneMask live; ///< lanes that are not diagonal yet
} Four;

FR_LANE_INLINE FrLane size_of(FrLane x) { return fr_lane_pick(x < 0.0, -x, x); }

FR_LANE_INLINE void put(FrLane *at, FrLaneMask turn, FrLane x) { *at = fr_lane_pick(turn, x, *at); }

// as rotate of decompose.c, in the lanes that need it: *rp and *rq are the other two off the
// diagonal
FR_LANE_INLINE void rotate_four(Four *j, int p, int q, FrLane *rp, FrLane *rq) {
    FrLane apq = j->a[p][q];
    FrLaneMask turn = j->live & (apq != 0.0);
    if (!fr_lane_any(turn)) return;
    FrLane theta = (j->a[q][q] - j->a[p][p]) / (2.0 * apq);
    FrLane t = 1.0 / (size_of(theta) + fr_lane_sqrt(theta * theta + 1.0));
    t = fr_lane_pick(theta < 0.0, -t, t);
    FrLane c = 1.0 / fr_lane_sqrt(t * t + 1.0), s = t * c;
    FrLane arp = *rp, arq = *rq;
    put(&j->a[p][p], turn, j->a[p][p] - t * apq);
    put(&j->a[q][q], turn, j->a[q][q] + t * apq);
    put(&j->a[p][q], turn, fr_lane_set(0.0));
    put(rp, turn, c * arp - s * arq);
    put(rq, turn, s * arp + c * arq);
    for (int k = 0; k < 3; k++) {
        FrLane vp = j->v[p][k], vq = j->v[q][k];
        put(&j->v[p][k], turn, c * vp - s * vq);
        put(&j->v[q][k], turn, s * vp + c * vq);
    }
}

FR_LANE_INLINE bool still_live(Four *j) {
    FrLane off = size_of(j->a[0][1]) + size_of(j->a[0][2]) + size_of(j->a[1][2]);
    FrLane diagonal = size_of(j->a[0][0]) + size_of(j->a[1][1]) + size_of(j->a[2][2]);
    j->live &= off > FR_EIGEN_ROUND * diagonal;
    return fr_lane_any(j->live);
}

// the larger one first; ties keep their order
FR_LANE_INLINE void order(Four *j, int p, int q) {
    FrLaneMask swap = j->a[p][p] < j->a[q][q];
    FrLane first = j->a[p][p];
    put(&j->a[p][p], swap, j->a[q][q]);
    put(&j->a[q][q], swap, first);
    for (int k = 0; k < 3; k++) {
        FrLane was = j->v[p][k];
        put(&j->v[p][k], swap, j->v[q][k]);
        put(&j->v[q][k], swap, was);
    }
}

// its largest component becomes positive
FR_LANE_INLINE void make_positive(FrLane v[3]) {
    FrLane ax = size_of(v[0]), ay = size_of(v[1]), az = size_of(v[2]);
    FrLane lead = fr_lane_pick((ax >= ay) & (ax >= az), v[0], fr_lane_pick(ay >= az, v[1], v[2]));
    FrLaneMask turn = lead < 0.0;
    for (int k = 0; k < 3; k++) put(&v[k], turn, -v[k]);
}

FR_LANE_INLINE void finish(Four *j, FrEigen3 e[4]) {
    order(j, 0, 1);
    order(j, 1, 2);
    order(j, 0, 1);
    make_positive(j->v[0]);
    make_positive(j->v[1]);
    const FrLane *a = j->v[0], *b = j->v[1];
    FrLane cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) e[k].value[i] = j->a[i][i][k];
        e[k].vector[0] = fr_vec3(a[0][k], a[1][k], a[2][k]);
        e[k].vector[1] = fr_vec3(b[0][k], b[1][k], b[2][k]);
        e[k].vector[2] = fr_vec3(cross[0][k], cross[1][k], cross[2][k]);
    }
}

void FR_EIGEN_FOUR(const FrSym3 s[4], FrEigen3 e[4]) {
    Four j;
    j.live = fr_lane_set(0.0) == 0.0;
#define EACH(part) {s[0].part, s[1].part, s[2].part, s[3].part}
    FrLane xx = EACH(xx), yy = EACH(yy), zz = EACH(zz), yz = EACH(yz), zx = EACH(zx), xy = EACH(xy);
#undef EACH
    j.a[0][0] = xx, j.a[1][1] = yy, j.a[2][2] = zz;
    j.a[0][1] = xy, j.a[0][2] = zx, j.a[1][2] = yz;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) j.v[r][c] = fr_lane_set(r == c ? 1.0 : 0.0);
    for (int sweep = 0; sweep < FR_EIGEN_SWEEPS && still_live(&j); sweep++) {
        rotate_four(&j, 0, 1, &j.a[0][2], &j.a[1][2]);
        rotate_four(&j, 0, 2, &j.a[0][1], &j.a[1][2]);
        rotate_four(&j, 1, 2, &j.a[0][1], &j.a[0][2]);
    }
    finish(&j, e);
}
