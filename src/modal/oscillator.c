// oscillator.c: one damped mode over one time step, exactly: under-, critically and over-damped
// [M15].

#include "modal/oscillator.h"
#include <math.h>

/// e^{-dT} C and e^{-dT} Sn, where C and Sn solve u'' = D u with (1, 0) and (0, 1) at the start.
typedef struct Pair {
    double C, Sn; ///< 1, s
} Pair;

// roots of w^2 + c w + lambda = 0 are -d +- sqrt(D), d = c/2, D = d^2 - lambda   [S4 eq. 9]
// [S1 eq. 6]
static Pair pair_of(double lambda, double d, double T) {
    double D = d * d - lambda, small = D * T * T, e = exp(-d * T);
    if (fabs(small) < 1e-6) // the next terms are below 1e-20
        return (Pair){e * (1.0 + small * (0.5 + small / 24.0)),
                      e * T * (1.0 + small * (1.0 / 6.0 + small / 120.0))};
    if (D < 0.0) {
        double w = sqrt(-D);
        return (Pair){e * cos(w * T), e * sin(w * T) / w};
    }
    // -d + w = -lambda/(d + w): without the difference of two equal numbers, and nothing overflows
    double w = sqrt(D), slow = exp(-lambda / (d + w) * T), fast = exp(-(d + w) * T);
    return (Pair){0.5 * (slow + fast), 0.5 * (slow - fast) / w};
}

// z(T) for z(0) = v(0) = 0 and g = 1 by its power series; for c T < 1 and lambda T^2 < 1
static double held_series(double lambda, double c, double T) {
    double before = 0.0, term = 0.5 * T * T, sum = term;
    for (int k = 3; k < 24; k++) {
        double next = -(c * T * term + lambda * T * T / (double)(k - 1) * before) / (double)k;
        before = term;
        term = next;
        sum += term;
    }
    return sum;
}

// H = (1 - e^{-dT} (C + d Sn)) / lambda, the same z(T), without loss of digits (E32)
static double held(double lambda, double c, double T, Pair p) {
    double d = 0.5 * c, D = d * d - lambda;
    if (c * T < 1.0 && lambda * T * T < 1.0) return held_series(lambda, c, T);
    if (D * T * T > 1e-6) {
        double w = sqrt(D), slow = lambda / (d + w) * T, share = 0.5 * (1.0 + d / w);
        double rise = slow > 0.0 ? -expm1(-slow) / slow : 1.0;
        return (share * T * rise + 0.5 * expm1(-(d + w) * T) / w) / (d + w);
    }
    return (1.0 - (p.C + d * p.Sn)) / lambda;
}

// The two exponentials of [S4 eq. 8] with real numbers: the free motion of [S4 eq. 7] from (z, v)
// is z(T) = e^{-dT} (C z + Sn (v + d z)).
FrModeStep fr_mode_step(double lambda, double c, double T) {
    FR_ASSERT(lambda >= 0.0 && c >= 0.0 && T > 0.0,
              "give a mode a time step and no negative values");
    double d = 0.5 * c;
    Pair p = pair_of(lambda, d, T);
    return (FrModeStep){.zz = p.C + d * p.Sn,
                        .zv = p.Sn,
                        .vz = -lambda * p.Sn,
                        .vv = p.C - d * p.Sn,
                        .gz = held(lambda, c, T, p),
                        .gv = p.Sn};
}

// u = v + d z obeys u' = -d u + D z, and z' = u - d z
FrModeTurn fr_mode_turn(double lambda, double c, double kappa, double T) {
    double d = 0.5 * c;
    Pair p = pair_of(lambda, d, T);
    return (FrModeTurn){p.C, kappa * p.Sn, (d * d - lambda) * p.Sn / kappa};
}

double fr_mode_kappa(double lambda, double c, double T) {
    double w = sqrt(fabs(lambda - 0.25 * c * c));
    return w * T > 1e-5 ? w : 1.0 / T;
}

double fr_mode_omega(double lambda, double c) {
    double w2 = lambda - 0.25 * c * c;
    return w2 > 0.0 ? sqrt(w2) : 0.0;
}
