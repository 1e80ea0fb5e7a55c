// eigen_loop.h: the rotations of fr_sym3_eigen for four matrices at once. Compiled twice, with and
// without AVX2: same bits, and those of one matrix alone.
#pragma once
#include "math/eigen_four.h"
#include "math/lanes.h"

typedef struct Four {
    FrLane a[3][3], v[3][3];
    FrLaneMask live; ///< lanes that are not diagonal yet
} Four;

static inline FrLane size_of(FrLane x) { return fr_lane_pick(x < 0.0, -x, x); }

static inline void put(FrLane *at, FrLaneMask turn, FrLane x) { *at = fr_lane_pick(turn, x, *at); }

// as rotate of decompose.c, in the lanes that need it
static inline void rotate_four(Four *j, int p, int q) {
    FrLane apq = j->a[p][q];
    FrLaneMask turn = j->live & (apq != 0.0);
    if (!fr_lane_any(turn)) return;
    FrLane theta = (j->a[q][q] - j->a[p][p]) / (2.0 * apq);
    FrLane t = 1.0 / (size_of(theta) + fr_lane_sqrt(theta * theta + 1.0));
    t = fr_lane_pick(theta < 0.0, -t, t);
    FrLane c = 1.0 / fr_lane_sqrt(t * t + 1.0), s = t * c;
    int r = 3 - p - q;
    FrLane arp = j->a[r][p], arq = j->a[r][q];
    put(&j->a[p][p], turn, j->a[p][p] - t * apq);
    put(&j->a[q][q], turn, j->a[q][q] + t * apq);
    put(&j->a[p][q], turn, fr_lane_set(0.0));
    j->a[q][p] = j->a[p][q];
    put(&j->a[r][p], turn, c * arp - s * arq);
    put(&j->a[r][q], turn, s * arp + c * arq);
    j->a[p][r] = j->a[r][p], j->a[q][r] = j->a[r][q];
    for (int k = 0; k < 3; k++) {
        FrLane vp = j->v[k][p], vq = j->v[k][q];
        put(&j->v[k][p], turn, c * vp - s * vq);
        put(&j->v[k][q], turn, s * vp + c * vq);
    }
}

static inline bool still_live(Four *j) {
    FrLane off = size_of(j->a[0][1]) + size_of(j->a[0][2]) + size_of(j->a[1][2]);
    FrLane diagonal = size_of(j->a[0][0]) + size_of(j->a[1][1]) + size_of(j->a[2][2]);
    j->live &= off > FR_EIGEN_ROUND * diagonal;
    return fr_lane_any(j->live);
}

void FR_EIGEN_FOUR(FrJacobi four[4]) {
    Four j;
    j.live = fr_lane_set(0.0) == 0.0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 4; k++) {
                j.a[r][c][k] = four[k].a[r][c];
                j.v[r][c][k] = four[k].v[r][c];
            }
    for (int sweep = 0; sweep < FR_EIGEN_SWEEPS && still_live(&j); sweep++) {
        rotate_four(&j, 0, 1);
        rotate_four(&j, 0, 2);
        rotate_four(&j, 1, 2);
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 4; k++) {
                four[k].a[r][c] = j.a[r][c][k];
                four[k].v[r][c] = j.v[r][c][k];
            }
}
