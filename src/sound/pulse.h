// pulse.h: how a blow pushes over time: Hertz's duration, half-sine pulses, roughness noise.
#pragma once
#include "base/random.h"

/// What decides how long two bodies touch.
typedef struct FrHertz {
    double mass;    ///< 1/(1/m1 + 1/m2), kg
    double radius;  ///< 1/(1/R1 + 1/R2), m
    double modulus; ///< 1/((1-nu1^2)/E_1 + (1-nu2^2)/E_2), Pa
} FrHertz;
/// Duration of an elastic blow at closing speed v, s. Speeds below 1 mm/s count as 1 mm/s.
double fr_hertz_duration(FrHertz hertz, double v);
/// 1/(1/a + 1/b); INFINITY allowed.
double fr_hertz_both(double a, double b);
/// Modulus of a pair from Young's moduli, Pa, and Poisson's ratios.
double fr_hertz_modulus(double young1, double poisson1, double young2, double poisson2);

/// A half-sine force that starts at `start` and lasts `duration`, both in samples, with unit
/// impulse: averages over sample intervals [n, n+1), n = 0..frames-1, times the sample rate, 1/s.
/// They add up to the rate over all n, wherever the pulse begins.
void fr_pulse_samples(double start, double duration, double rate, int32_t frames, double *force);

/// A Gaussian as wide as a half-sine of `duration` (the same variance), cut off FR_GAUSS_CUT
/// deviations off its middle; likewise averaged, with unit impulse. It lasts FR_GAUSS_LONGER
/// times as long. S4's own results have such pulses; their width is not printed.
#define FR_GAUSS_CUT 3.0
#define FR_GAUSS_LONGER (2.0 * FR_GAUSS_CUT * 0.21762)
void fr_gauss_samples(double start, double duration, double rate, int32_t frames, double *force);

/// Spectrum of a half-sine of unit impulse: |cos(x/2) / (1 - (x/pi)^2)|, x = omega duration; 1 for
/// slow tones, 0 for fast ones.
double fr_pulse_spectrum(double x);

/// Noise of unit variance, two one-pole low-passes in a row.
typedef struct FrNoise {
    FrRandom random;
    double keep, scale, first, second;
} FrNoise;
/// Length of a surface's roughness, m: what slides over it at v is pushed at v/FR_SURFACE_GRAIN Hz.
#define FR_SURFACE_GRAIN 1e-3
/// `cutoff` Hz: of each pole, kept below a quarter of the rate.
FrNoise fr_noise_make(uint64_t seed, uint64_t index, double cutoff, double rate);
double fr_noise_next(FrNoise *noise);

/// alpha1 w^2 + alpha2 + eta w = 2 ln(1000)/T60 as well as it can be had with none below zero:
/// least squares of the relative error over `count` pairs of Hz and s. False when a value is not
/// above zero.
bool fr_damping_fit(const double (*hz_t60)[2], int32_t count, double *alpha1, double *alpha2,
                    double *eta);
