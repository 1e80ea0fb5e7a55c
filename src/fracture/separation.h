// separation.h: how strongly, and across which plane, a node is being torn.
#pragma once
#include "math/vec.h"

// a a' times s
static inline FrSym3 fr_outer_times(double s, FrVec3 a) {
    FrSym3 r = {s * a.x * a.x, s * a.y * a.y, s * a.z * a.z,
                s * a.y * a.z, s * a.z * a.x, s * a.x * a.y};
    return r;
}

// m(a) = a a' / |a|, and m(0) = 0                                     [S2 eq. 28] [S6 eq. 4.1]
static inline FrSym3 fr_unit_outer(FrVec3 a, double length) {
    return length > 0.0 ? fr_outer_times(1.0 / length, a) : fr_sym3_zero;
}

/// The pulling and the pushing part of a stress, Pa: S = plus + minus.
void fr_stress_parts(FrSym3 S, FrSym3 *plus, FrSym3 *minus);
/// The same bits, for four at once.
void fr_stress_parts_four(const FrSym3 S[4], FrSym3 plus[4], FrSym3 minus[4]);

/// S* = A S A, the stress a solid feels whose toughness depends on direction, Pa. `A` as
/// fr_toughness_scale makes it.
FrSym3 fr_stress_scaled(FrMat3 A, FrSym3 S);
/// A = R' diag(s) R with s_i = sqrt(1 / toughness_i): `toughness` along the preferred axes, as
/// multiples of `strength` (or `tau`); the axes are the columns of `axes`, in the rest frame.
FrMat3 fr_toughness_scale(FrMat3 axes, FrVec3 toughness);

/// What the tets round a node do to it. Start from zeros.
typedef struct FrTearing {
    FrSym3 plus, minus;          ///< sum m(f+), sum m(f-), N
    FrVec3 tensile, compressive; ///< sum f+, sum f-, N
    double pull;                 ///< sum |f+|, N
} FrTearing;
/// Add one tet: its f+ and f- on the node, N.
static inline void fr_tearing_add(FrTearing *t, FrVec3 tensile, FrVec3 compressive) {
    double pull = fr_length(tensile);
    t->plus = fr_sym3_axpy(1.0, fr_unit_outer(tensile, pull), t->plus);
    t->minus = fr_sym3_axpy(1.0, fr_unit_outer(compressive, fr_length(compressive)), t->minus);
    t->tensile = fr_add(t->tensile, tensile);
    t->compressive = fr_add(t->compressive, compressive);
    t->pull += pull;
}

/// Separation tensor, N.
FrSym3 fr_separation_tensor(const FrTearing *tearing);
/// Largest eigenvalue of a separation tensor and its unit vector; of the vector's two senses the
/// one whose largest component is positive.
typedef struct FrSeparation {
    double value;  ///< v+, N
    double second; ///< the next eigenvalue, N
    FrVec3 normal;
} FrSeparation;
FrSeparation fr_separation(FrSym3 zeta);
/// The same bits as fr_separation, for four at once.
void fr_separation_four(const FrSym3 zeta[4], FrSeparation s[4]);
/// No eigenvalues are above these, and the largest hardly below, N: cheap.
void fr_separation_at_most_four(const FrSym3 zeta[4], double value[4]);

/// How large a plane with normal n a node holds together, m^2. Add `area`, vol cof(F) G_i of
/// each tet (a third of the present area vector of the face opposite the node).
typedef struct FrHold {
    FrVec3 normal;
    double size;     ///< sum |a.n|, m^2
    double one_side; ///< sum a.n, m^2
} FrHold;
static inline void fr_hold_add(FrHold *hold, FrVec3 area) {
    double a = fr_dot(area, hold->normal);
    hold->size += fabs(a);
    hold->one_side += a;
}
/// m^2: a uniform uniaxial Cauchy stress s along n gives v+ = s times this.
double fr_hold_area(const FrHold *hold);
