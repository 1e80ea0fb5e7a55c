// beam_kit.h: pitches of free beams with shear and turning inertia (Timoshenko), for comparisons.
#pragma once
#include "math/vec.h"

typedef struct Beam {
    double length, area, second, density, young, poisson;
    double shear; ///< Cowper's coefficient (1966)
} Beam;

static inline Beam beam_box(double length, double width, double height, double density,
                            double young, double poisson) {
    Beam b = {length,  width * height, width * height * height * height / 12.0,
              density, young,          poisson,
              0};
    b.shear = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
    return b;
}

static inline Beam beam_tube(double length, double outer, double inner, double density,
                             double young, double poisson) {
    double o2 = outer * outer, i2 = inner * inner, m2 = i2 / o2, p = (1.0 + m2) * (1.0 + m2);
    Beam b = {length, FR_PI * (o2 - i2), FR_PI / 4.0 * (o2 * o2 - i2 * i2), density, young, poisson,
              0};
    b.shear =
        6.0 * (1.0 + poisson) * p / ((7.0 + 6.0 * poisson) * p + (20.0 + 12.0 * poisson) * m2);
    return b;
}

// Huang 1961, both ends free: zero at b = omega L^2 sqrt(rho A / E I)
static inline double beam_equation(const Beam *beam, double b) {
    double L2 = beam->length * beam->length, G = beam->young / (2.0 * (1.0 + beam->poisson));
    double r2 = beam->second / (beam->area * L2);
    double s2 = beam->young * beam->second / (beam->shear * beam->area * G * L2);
    double root = sqrt((r2 - s2) * (r2 - s2) + 4.0 / (b * b));
    double alpha = b * sqrt(0.5 * (root - r2 - s2)), beta = b * sqrt(0.5 * (root + r2 + s2));
    double mixed =
        b / sqrt(1.0 - b * b * r2 * s2) * (b * b * r2 * (r2 - s2) * (r2 - s2) + 3.0 * r2 - s2);
    return 2.0 - 2.0 * cosh(alpha) * cos(beta) + mixed * sinh(alpha) * sin(beta);
}

// the k-th bending pitch, Hz, from 0
static inline double beam_bending(const Beam *beam, int k) {
    double a = 5.0, step = 0.05, fa = beam_equation(beam, a);
    for (;; a += step) {
        double fb = beam_equation(beam, a + step);
        if (fa * fb <= 0.0 && k-- == 0) break;
        fa = fb;
    }
    double lo = a, hi = a + step;
    for (int i = 0; i < 80; i++) {
        double middle = 0.5 * (lo + hi);
        if (beam_equation(beam, lo) * beam_equation(beam, middle) <= 0.0)
            hi = middle;
        else
            lo = middle;
    }
    double L2 = beam->length * beam->length;
    return lo / L2 * sqrt(beam->young * beam->second / (beam->density * beam->area)) /
           (2.0 * FR_PI);
}
