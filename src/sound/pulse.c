// pulse.c: how a blow pushes over time: Hertz's duration, half-sine pulses, roughness noise.

#include "sound/pulse.h"
#include <math.h>

// t_c = 2.868 (m^2 / (R E^2 v))^(1/5), Hertz's law for spheres, elastic                   (M18)
double fr_hertz_duration(FrHertz h, double v) {
    return 2.868 * pow(h.mass * h.mass / (h.radius * h.modulus * h.modulus * fr_max(v, 1e-3)), 0.2);
}

double fr_hertz_both(double a, double b) { return 1.0 / (1.0 / a + 1.0 / b); }

double fr_hertz_modulus(double young1, double poisson1, double young2, double poisson2) {
    return 1.0 / ((1.0 - poisson1 * poisson1) / young1 + (1.0 - poisson2 * poisson2) / young2);
}

// impulse delivered up to time t: (1 - cos(pi t/t_c))/2, written so that small t keeps its digits
static double delivered(double t, double duration) {
    if (t <= 0.0) return 0.0;
    if (t >= duration) return 1.0;
    double s = sin(0.5 * M_PI * t / duration);
    return s * s;
}

// The pulse of f(t) = J pi/(2 t_c) sin(pi t/t_c), averaged over each sample: exact impulse, exact
// place, and what a held force per sample asks for.
void fr_pulse_samples(double start, double duration, double rate, int32_t frames, double *force) {
    double before = delivered(-start, duration);
    for (int32_t n = 0; n < frames; n++) {
        double after = delivered((double)(n + 1) - start, duration);
        force[n] = rate * (after - before);
        before = after;
    }
}

// The share of a Gaussian that came by time t.                                       [S4 s. 3.4]
// The variance of a half-sine over its duration squared is 1/4 - 2/pi^2 = 0.21762^2.
static double gauss_delivered(double t, double duration) {
    double deviation = 0.5 * duration / FR_GAUSS_CUT, cut = erf(FR_GAUSS_CUT / sqrt(2.0));
    if (t <= 0.0) return 0.0;
    if (t >= duration) return 1.0;
    return 0.5 + 0.5 * erf((t - 0.5 * duration) / (sqrt(2.0) * deviation)) / cut;
}

void fr_gauss_samples(double start, double duration, double rate, int32_t frames, double *force) {
    double all = FR_GAUSS_LONGER * duration, before = gauss_delivered(-start, all);
    for (int32_t n = 0; n < frames; n++) {
        double after = gauss_delivered((double)(n + 1) - start, all);
        force[n] = rate * (after - before);
        before = after;
    }
}

double fr_pulse_spectrum(double x) {
    double u = 1.0 - (x / M_PI) * (x / M_PI);
    return fabs(u) < 1e-6 ? 0.25 * M_PI : fabs(cos(0.5 * x) / u);
}

// H(z) = ((1-a)/(1-a/z))^2 turns unit white noise into variance (1-a)^4 (1+a^2)/(1-a^2)^3
FrNoise fr_noise_make(uint64_t seed, uint64_t index, double cutoff, double rate) {
    double a = exp(-2.0 * M_PI * fr_clamp(cutoff / rate, 1e-5, 0.25)), b = 1.0 - a * a;
    double variance = (1.0 + a * a) / (b * b * b);
    return (FrNoise){fr_random_for(seed, "roughness", index), a, 1.0 / sqrt(variance), 0.0, 0.0};
}

double fr_noise_next(FrNoise *noise) {
    noise->first = noise->keep * noise->first + fr_random_normal(&noise->random);
    noise->second = noise->keep * noise->second + noise->first;
    return noise->scale * noise->second;
}

// least squares with the unknowns of `mask` only, the others zero; false when singular
static bool solve_subset(double A[3][3], const double b[3], int mask, double x[3]) {
    double m[3][4];
    int index[3], n = 0;
    x[0] = x[1] = x[2] = 0.0;
    for (int i = 0; i < 3; i++)
        if (mask >> i & 1) index[n++] = i;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) m[i][k] = A[index[i]][index[k]];
        m[i][n] = b[index[i]];
    }
    for (int i = 0; i < n; i++) {
        if (!(m[i][i] > 1e-12)) return false; // columns have unit length
        for (int k = i + 1; k < n; k++)
            for (int j = n; j >= i; j--) m[k][j] -= m[k][i] / m[i][i] * m[i][j];
    }
    for (int i = n - 1; i >= 0; i--) {
        double rest = m[i][n];
        for (int k = i + 1; k < n; k++) rest -= m[i][k] * x[index[k]];
        x[index[i]] = rest / m[i][i];
    }
    return true;
}

// how much a choice of unknowns explains: larger is better; negative values are not allowed
static double explained(const double b[3], const double x[3]) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        if (x[i] < 0.0) return -1.0;
        sum += b[i] * x[i];
    }
    return sum;
}

// three unknowns, each zero or not: all eight choices, the best without a negative value
static void best_subset(double A[3][3], const double b[3], double best[3]) {
    double most = 0.0, x[3];
    best[0] = best[1] = best[2] = 0.0;
    for (int mask = 1; mask < 8; mask++) {
        if (!solve_subset(A, b, mask, x) || explained(b, x) <= most * (1.0 + 1e-12)) continue;
        most = explained(b, x);
        for (int i = 0; i < 3; i++) best[i] = x[i];
    }
}

bool fr_damping_fit(const double (*hz_t60)[2], int32_t count, double *alpha1, double *alpha2,
                    double *eta) {
    double A[3][3] = {{0}}, b[3] = {0}, length[3], x[3];
    for (int32_t k = 0; k < count; k++) {
        if (!(hz_t60[k][0] > 0.0) || !(hz_t60[k][1] > 0.0)) return false;
        double w = 2.0 * M_PI * hz_t60[k][0], c = 2.0 * log(1000.0) / hz_t60[k][1];
        double row[3] = {w * w / c, 1.0 / c, w / c};
        for (int i = 0; i < 3; i++) {
            b[i] += row[i];
            for (int j = 0; j < 3; j++) A[i][j] += row[i] * row[j];
        }
    }
    if (count < 1) return false;
    for (int i = 0; i < 3; i++) length[i] = sqrt(A[i][i]);
    for (int i = 0; i < 3; i++) {
        b[i] /= length[i];
        for (int j = 0; j < 3; j++) A[i][j] /= length[i] * length[j];
    }
    best_subset(A, b, x);
    *alpha1 = x[0] / length[0];
    *alpha2 = x[1] / length[1];
    *eta = x[2] / length[2];
    return true;
}
