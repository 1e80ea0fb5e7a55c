// separation.c: how strongly, and across which plane, a node is being torn.

#include "fracture/separation.h"
#include "math/decompose.h"
#include "math/lanes.h"

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
    FrSeparation s = {e.value[0], e.value[1], e.vector[0]};
    return s;
}

void fr_separation_four(const FrSym3 zeta[4], FrSeparation s[4]) {
    FrEigen3 e[4];
    fr_sym3_eigen_four(zeta, e);
    for (int k = 0; k < 4; k++) s[k] = (FrSeparation){e[k].value[0], e[k].value[1], e[k].vector[0]};
}

// Under a uniform uniaxial Cauchy stress s along n every force is s a_k n with a_k = n.(vol cof(F)
// G_i): at an interior node v+ = s/2 sum |a_k| (M5's oracle), on the surface the unbalanced
// part goes: v+ = s/2 (sum |a_k| - |sum a_k|). Where little is balanced (faces that are pulled from
// outside, corners) noise would be taken for stress: there a share of the whole is asked for.
double fr_hold_area(const FrHold *hold) {
    return 0.5 * fr_max(hold->size - fabs(hold->one_side), LEAST_BALANCE * hold->size);
}

// The least eigenvalue, a root of a cubic with three real ones, less what rounding may do to it,
// and a vector near its own.
static double least_eigenvalue(FrSym3 s, FrVec3 *vector) {
    double mean = fr_sym3_trace(s) / 3.0;
    FrSym3 rest = s;
    rest.xx -= mean, rest.yy -= mean, rest.zz -= mean;
    double p = sqrt(fr_sym3_dot(rest, rest) / 6.0), least = 0.0;
    if (p > 1e-12 * fabs(mean)) {
        double det = fr_mat3_det(fr_sym3_full(rest));
        least = -2.0 * p * fr_third_angle(-det / (2.0 * p * p * p));
    }
    FrVec3 a = {rest.xx - least, rest.xy, rest.zx}, b = {rest.xy, rest.yy - least, rest.yz},
           c = {rest.zx, rest.yz, rest.zz - least};
    FrVec3 ab = fr_cross(a, b), bc = fr_cross(b, c), ca = fr_cross(c, a), best = ab;
    if (fr_length2(bc) > fr_length2(best)) best = bc;
    if (fr_length2(ca) > fr_length2(best)) best = ca;
    double length = fr_length(best);
    *vector = length > 0.0 ? fr_scale(1.0 / length, best) : fr_vec3(1, 0, 0);
    return mean + least - 1e-6 * (fabs(mean) + p);
}

double fr_separation_at_most(FrSym3 zeta) {
    FrVec3 u;
    return -least_eigenvalue(fr_sym3_axpy(-1.0, zeta, fr_sym3_zero), &u);
}

/// Weights of bounds are bettered this often.
#define TURNS 5

// The limit along n is sum s |a.n| / 2 times max(1 - |A.n| / sum |a.n|, LEAST_BALANCE), A = sum a:
// not below sum s |a.n| / 2 - S |A.n| / 2 with the largest strength S, nor below LEAST_BALANCE / 2
// sum s |a.n|. In both sum s |a.n| >= n.(sum s m(a))n and >= |b.n| >= n.m(b)n with b = sum s a
// sign(a.m), for any m: exact along m; and |A.n| <= |A| (t + (n.A/|A|)^2 / t) / 2 for any t. So
// the limit is not below n.Qn with four Q, nor with what lies between them. The least eigenvalue of
// Q - zeta is concave in their weights: each turn gives more to the Q that is largest along its
// vector (Frank & Wolfe 1956).
double fr_hold_room(const FrHoldBound *bound, bool all, FrSym3 zeta, double enough) {
    double side = fr_length(bound->sum);
    FrVec3 out = side > 0.0 ? fr_scale(1.0 / side, bound->sum) : fr_vec3_zero;
    double t = fr_max(0.1, fabs(fr_dot(out, bound->along)));
    FrSym3 straight = fr_unit_outer(bound->signs, fr_length(bound->signs)), Q[4],
           one = {1, 1, 1, 0, 0, 0};
    Q[0] = fr_sym3_axpy(0.5 * LEAST_BALANCE, bound->spread, fr_sym3_zero);
    Q[1] = fr_sym3_axpy(0.5 * LEAST_BALANCE, straight, fr_sym3_zero);
    FrSym3 less = fr_sym3_axpy(-0.25 * bound->most * side * t, one,
                               fr_outer_times(-0.25 * bound->most * side / t, out));
    Q[2] = fr_sym3_axpy(0.5, bound->spread, less);
    Q[3] = fr_sym3_axpy(0.5, straight, less);
    int count = all ? 4 : 2;
    FrSym3 mean = fr_sym3_zero;
    for (int k = 0; k < count; k++) mean = fr_sym3_axpy(1.0 / count, Q[k], mean);
    double room = -HUGE_VAL;
    for (int turn = 0; turn < TURNS && room < enough; turn++) {
        FrVec3 u;
        room = fr_max(room, least_eigenvalue(fr_sym3_axpy(-1.0, zeta, mean), &u));
        int best = 0;
        double most = -HUGE_VAL, part = 2.0 / (turn + 3.0);
        for (int k = 0; k < count; k++) {
            double along = fr_dot(u, fr_sym3_apply(Q[k], u));
            if (along > most) most = along, best = k;
        }
        FrSym3 kept = fr_sym3_axpy(1.0 - part, mean, fr_sym3_zero);
        mean = fr_sym3_axpy(part, Q[best], kept);
    }
    return room;
}

/// Halvings of the room that is looked for.
#define HALVINGS 12

// When the tensor changes by d its first vector turns by no more than the angle whose sine is
// x = d / (value - second - d) (Davis & Kahan 1970), and then, as for fr_hold_room,
//     sum s |a.n| >= |b.n| >= |b.m| c - |b'| x,   |A.n| <= |A.m| + |A'| x,   c^2 = 1 - x^2
// where m is `along`, b' and A' are across it. The largest d with value + d below that limit.
/// What that hangs on.
typedef struct Near {
    double value, gap;        ///< first eigenvalue, and how far the second is off, N
    double b, b_across;       ///< N
    double side, side_across; ///< N
} Near;

static bool holds_near(const Near *near, double d) {
    double x = d / (near->gap - d);
    double size = near->b * sqrt(fr_max(0.0, 1.0 - x * x)) - near->b_across * x;
    double limit = 0.5 * fr_max(size - (near->side + near->side_across * x), LEAST_BALANCE * size);
    return near->value + d < (1.0 - 1e-9) * limit;
}

double fr_hold_room_near(const FrHoldBound *bound, double value, double second, double enough) {
    FrVec3 m = bound->along;
    double b = fr_dot(bound->signs, m), side = fr_dot(bound->sum, m);
    Near near = {.value = value,
                 .gap = value - second,
                 .b = b,
                 .b_across = fr_length(fr_axpy(-b, m, bound->signs)),
                 .side = bound->most * fabs(side),
                 .side_across = bound->most * fr_length(fr_axpy(-side, m, bound->sum))};
    double low = 0.0, high = 0.5 * near.gap;
    if (enough < high) return holds_near(&near, enough) ? enough : 0.0;
    for (int k = 0; k < HALVINGS; k++) {
        double d = 0.5 * (low + high);
        if (holds_near(&near, d))
            low = d;
        else
            high = d;
    }
    return low;
}
