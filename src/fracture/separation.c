// separation.c: how strongly, and across which plane, a node is being torn.

#include "fracture/separation.h"
#include "math/decompose.h"

/// Nodes on a loaded face hold together less than this share of the planes through them: they count
/// as if they held this share.
#define LEAST_BALANCE 0.5

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

// v+ <= 1/2 sum |f+| + 1/2 |sum f-|: the other two terms only take away                     [M5]
double fr_tearing_bound(const FrTearing *t) { return 0.5 * (t->pull + fr_length(t->compressive)); }

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
    FrSeparation s = {e.value[0], e.vector[0]};
    return s;
}

void fr_separation_four(const FrSym3 zeta[4], FrSeparation s[4]) {
    FrEigen3 e[4];
    fr_sym3_eigen_four(zeta, e);
    for (int k = 0; k < 4; k++) s[k] = (FrSeparation){e[k].value[0], e[k].vector[0]};
}

// Under a uniform uniaxial Cauchy stress s along n every force is s a_k n with a_k = n.(vol cof(F)
// G_i): at an interior node v+ = s/2 sum |a_k| (M5's oracle), on the surface the unbalanced
// part goes: v+ = s/2 (sum |a_k| - |sum a_k|). Where little is balanced (faces that are pulled from
// outside, corners) noise would be taken for stress: there a share of the whole is asked for.
double fr_hold_area(const FrHold *hold) {
    return 0.5 * fr_max(hold->size - fabs(hold->one_side), LEAST_BALANCE * hold->size);
}

// A root of a cubic with three real ones; what rounding may do to it is taken off.
static double least_eigenvalue(FrSym3 s) {
    double mean = fr_sym3_trace(s) / 3.0;
    FrSym3 rest = s;
    rest.xx -= mean, rest.yy -= mean, rest.zz -= mean;
    double p = sqrt(fr_sym3_dot(rest, rest) / 6.0), least = mean;
    if (p > 1e-12 * fabs(mean)) {
        double det = fr_mat3_det(fr_sym3_full(rest));
        double angle = acos(fr_clamp(det / (2.0 * p * p * p), -1.0, 1.0)) / 3.0;
        least = mean + 2.0 * p * cos(angle + 2.0 * FR_PI / 3.0);
    }
    return least - 1e-6 * (fabs(mean) + p);
}

// sum |a.n| >= sum (a.n)^2 / |a| = n.(sum m(a))n
static double size_at_least(const FrHoldBound *bound) {
    return fr_max(0.0, least_eigenvalue(bound->spread));
}

double fr_hold_at_least(const FrHoldBound *bound) {
    double size = size_at_least(bound);
    return 0.5 * fr_max(size - fr_length(bound->sum), LEAST_BALANCE * size);
}

double fr_hold_part_at_least(const FrHoldBound *bound) {
    return 0.5 * LEAST_BALANCE * size_at_least(bound);
}

// The limit along n is not below n.Qn with Q = s/2 LEAST_BALANCE sum m(a), nor, with all areas,
// with Q = s/2 (sum m(a) - |A|/2 (t + n n'/t)), n = A/|A|: since |x| <= (t + x^2/t)/2. Nor is it
// below what lies between the two.
double fr_hold_room(const FrHoldBound *bound, bool all, double strength, FrSym3 zeta) {
    const double t = 0.1;
    FrSym3 minus = fr_sym3_axpy(-1.0, zeta, fr_sym3_zero);
    FrSym3 some = fr_sym3_axpy(0.5 * LEAST_BALANCE * strength, bound->spread, minus);
    double room = least_eigenvalue(some), side = fr_length(bound->sum);
    if (!all) return room;
    FrSym3 one = {1, 1, 1, 0, 0, 0};
    FrSym3 full = fr_sym3_axpy(0.5 * strength, bound->spread, minus);
    full = fr_sym3_axpy(-0.25 * strength * side * t, one, full);
    full = fr_sym3_axpy(-0.25 * strength / t, fr_unit_outer(bound->sum, side), full);
    room = fr_max(room, least_eigenvalue(full));
    FrSym3 half = fr_sym3_axpy(0.5, some, fr_sym3_axpy(0.5, full, fr_sym3_zero));
    return fr_max(room, least_eigenvalue(half));
}
