// spherical.h: waves from and to a point: Hankel functions, real harmonics.
//
// Y of order n: 2n + 1 of them from n^2 on: P_n0, then P_nm cos(m phi), P_nm sin(m phi) by turns, m
// > 0 with sqrt(2), orthonormal, z upright. A sum over them is the sum over S7's complex ones: both
// kinds span the same functions, and the sum over m of Y(x) Y(y)* does not depend on the kind
// [S7 eq. 7].
#pragma once
#include "math/vec.h"

/// Orders reach up to this.
#define FR_SPHERICAL_ORDER 64
#define FR_SPHERICAL_COUNT ((FR_SPHERICAL_ORDER + 1) * (FR_SPHERICAL_ORDER + 1))

/// h_n^(2)(z) without its phase: g_n, h_n = e^{-iz} g_n, real and imaginary parts (2 * (order +
/// 1)). z > 0; above 1e-4 nothing overflows a float up to order 8 or z + 4.
void fr_spherical_hankel(double z, int32_t order, double *g);

/// Factors of the three-term recurrence P_nm = a (cos P_n-1,m - b P_n-2,m) (E66), by n (n + 1)/2 +
/// m (a and b by turns).
typedef struct FrSphericalTable {
    double ab[2 * (FR_SPHERICAL_ORDER + 1) * (FR_SPHERICAL_ORDER + 2) / 2];
} FrSphericalTable;
void fr_spherical_table(FrSphericalTable *table);
/// Y (at least (order + 1)^2) of the direction of `way`, any length above 0.
void fr_spherical_harmonics(const FrSphericalTable *table, FrVec3 way, int32_t order, float *y);
