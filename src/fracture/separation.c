// separation.c: how strongly, and across which plane, a node is being torn.

#include "fracture/separation.h"
#include "fracture/fracture_tuning.h"
#include "math/decompose.h"
#include "math/lanes.h"
#include <stddef.h>

// S+ = sum_k max(0, s_k) m(n_k), S- = sum_k min(0, s_k) m(n_k), Pa
//                                     [S2 eq. 29] [S2 eq. 30] [S6 eq. 4.2] [S6 eq. 4.3]
static void parts_of(FrSym3 S, const FrEigen3 *e, FrSym3 *plus, FrSym3 *minus) {
    if (!(e->value[0] > 0.0)) {
        *plus = fr_sym3_zero, *minus = S;
        return;
    }
    if (!(e->value[2] < 0.0)) {
        *plus = S, *minus = fr_sym3_zero;
        return;
    }
    FrSym3 sum = fr_sym3_zero;
    for (int k = 0; k < 3; k++)
        if (e->value[k] > 0.0)
            sum = fr_sym3_axpy(1.0, fr_outer_times(e->value[k], e->vector[k]), sum);
    *plus = sum;
    *minus = fr_sym3_axpy(-1.0, sum, S);
}

void fr_stress_parts(FrSym3 S, FrSym3 *plus, FrSym3 *minus) {
    FrEigen3 e = fr_sym3_eigen(S);
    parts_of(S, &e, plus, minus);
}

void fr_stress_parts_four(const FrSym3 S[4], FrSym3 plus[4], FrSym3 minus[4]) {
    FrEigen3 e[4];
    fr_sym3_eigen_four(S, e);
    for (int k = 0; k < 4; k++) parts_of(S[k], &e[k], &plus[k], &minus[k]);
}

// S* = A S A                                                                    [S6 eq. 4.8]
// Departs from the paper: used in eqs. 4.2 to 4.5, since eq. 4.6, where the paper puts it, has no
// stress (E20).
FrSym3 fr_stress_scaled(FrMat3 A, FrSym3 S) {
    return fr_mat3_sym(fr_mat3_mul(A, fr_mat3_mul(fr_sym3_full(S), A)));
}

// A = R' diag(s) R, s_i = sqrt(1 / toughness_i); the rows of R are the preferred axes [S6 eq. 4.8]
// Departs from the paper: its s are inversely proportional to toughness, but they come in twice, so
// that half the toughness would be a quarter (E20).
FrMat3 fr_toughness_scale(FrMat3 axes, FrVec3 toughness) {
    FrMat3 scaled = {fr_scale(1.0 / sqrt(toughness.x), axes.c0),
                     fr_scale(1.0 / sqrt(toughness.y), axes.c1),
                     fr_scale(1.0 / sqrt(toughness.z), axes.c2)};
    return fr_mat3_mul(scaled, fr_mat3_transpose(axes));
}

// separation tensor of one node, N                                        [S2 eq. 32] [S6 eq. 4.6]
//
//     zeta = 1/2 ( sum m(f+) - m(sum f+) - sum m(f-) + m(sum f-) )
//
// f+, f-: tensile and compressive force on the node from each tet round it, N.
// Departs from the papers: none. S6's pseudo code drops the 1/2 (E18).
FrSym3 fr_separation_tensor(const FrTearing *t) {
    FrSym3 z = fr_sym3_axpy(-1.0, fr_unit_outer(t->tensile, fr_length(t->tensile)), t->plus);
    z = fr_sym3_axpy(-1.0, t->minus, z);
    z = fr_sym3_axpy(1.0, fr_unit_outer(t->compressive, fr_length(t->compressive)), z);
    return fr_sym3_axpy(0.5, z, fr_sym3_zero);
}

FrSeparation fr_separation(FrSym3 zeta) {
    FrEigen3 e = fr_sym3_eigen(zeta);
    FrSeparation s = {e.value[0], e.value[1], e.vector[0]};
    return s;
}

void fr_separation_four(const FrSym3 zeta[4], FrSeparation s[4]) {
    FrEigen3 e[4];
    fr_sym3_eigen_four(zeta, e);
    for (int k = 0; k < 4; k++) s[k] = (FrSeparation){e[k].value[0], e[k].value[1], e[k].vector[0]};
}

FR_LANE_INLINE FrLane in_lanes(const FrSym3 s[4], size_t at) {
    FrLane r;
    for (int k = 0; k < 4; k++) memcpy((double *)&r + k, (const char *)&s[k] + at, sizeof(double));
    return r;
}

// a root of a cubic with three real ones: mean + 2 p cos(acos(r)/3)
void fr_separation_at_most_four(const FrSym3 zeta[4], double value[4]) {
#define IN(part) in_lanes(zeta, offsetof(FrSym3, part))
    FrLane xx = IN(xx), yy = IN(yy), zz = IN(zz), yz = IN(yz), zx = IN(zx), xy = IN(xy);
#undef IN
    FrLane mean = (1.0 / 3.0) * (xx + yy + zz), tiny = fr_lane_set(1e-290);
    xx = xx - mean, yy = yy - mean, zz = zz - mean;
    FrLane shear = yz * yz + zx * zx + xy * xy;
    FrLane p2 = (1.0 / 6.0) * (xx * xx + yy * yy + zz * zz + 2.0 * shear), p = fr_lane_sqrt(p2);
    FrLane det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
    FrLane most = 2.0 * p * fr_lane_third_angle(det / fr_lane_max(2.0 * (p2 * p), tiny));
    fr_lane_store(value, mean + most + FR_EIGEN_OFF * (fr_lane_max(mean, -mean) + p));
}

// Under a uniform uniaxial Cauchy stress s along n every force is s a_k n with a_k = n.(vol cof(F)
// G_i): at an interior node v+ = s/2 sum |a_k| (M5's oracle), on the surface the unbalanced
// part goes: v+ = s/2 (sum |a_k| - |sum a_k|). Where little is balanced (faces that are pulled from
// outside, corners) noise would be taken for stress: there a share of the whole is asked for.
double fr_hold_area(const FrHold *hold) {
    return 0.5 * fr_max(hold->size - fabs(hold->one_side), FR_LEAST_BALANCE * hold->size);
}
