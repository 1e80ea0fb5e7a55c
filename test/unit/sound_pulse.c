// sound_pulse.c: pulses of the right length, place and impulse; noise; damping from measured T60.

#include "context.h"
#include "sound/pulse.h"
#include "test.h"

// Two steel balls of 1 cm at 1 m/s. The law's own differential equation m x'' = -k x^(3/2), stepped
// until they part, gives the constant.
TEST(hertz_duration) {
    double R = 0.005, m = 0.5 * 7850 * 4 / 3 * M_PI * 1e-6, E = 200e9 / (2 * (1 - 0.29 * 0.29));
    FrHertz h = {m, R, E};
    for (double v = 0.1; v < 20; v *= 7) {
        double k = 4.0 / 3 * E * sqrt(R), t = fr_hertz_duration(h, v), dt = t * 1e-5, x = 0, u = v;
        double time = 0;
        while (x >= 0) {
            double a0 = -k * x * sqrt(x > 0 ? x : 0) / m, half = u + 0.5 * dt * a0;
            x += dt * half;
            u = half + 0.5 * dt * (-k * x * sqrt(x > 0 ? x : 0) / m);
            time += dt;
        }
        CHECK_CLOSE(time, t, 2e-4); // digits: the constant has four
    }
    // rounding: a quotient of few numbers
    CHECK_CLOSE(fr_hertz_both(2, 2), 1, 1e-15);
    CHECK_CLOSE(fr_hertz_both(3, (double)INFINITY), 3, 1e-15);
    CHECK_CLOSE(fr_hertz_modulus(200e9, 0.29, 200e9, 0.29), E, 1e-15);
}

// samples add up to the impulse, their centre of mass is the pulse's, wherever it begins
TEST(pulse_has_its_impulse) {
    enum { N = 400 };
    double force[N];
    for (double start = -3.3; start < 5; start += 0.37)
        for (double duration = 0.01; duration < 200; duration *= 2.7) {
            if (start < 0) continue;
            fr_pulse_samples(start, duration, 48000, N, force);
            double sum = 0, moment = 0;
            for (int n = 0; n < N; n++) {
                CHECK(force[n] >= 0);
                sum += force[n] / 48000;
                moment += (n + 0.5) * force[n] / 48000;
            }
            CHECK_NEAR(sum, 1, 1e-14); // rounding: a telescope of N differences
            // raster: within the quarter sample that averaging over samples leaves open
            CHECK_NEAR(moment, start + 0.5 * duration, duration < 2 ? 0.5 : 0.02);
        }
}

// in pieces it is the same pulse
TEST(pulse_goes_on) {
    double whole[100], part[100];
    fr_pulse_samples(10.25, 61.7, 44100, 100, whole);
    for (int n = 0; n < 100; n += 7)
        fr_pulse_samples(10.25 - n, 61.7, 44100, n + 7 > 100 ? 100 - n : 7, part + n);
    for (int n = 0; n < 100; n++) CHECK_NEAR(part[n], whole[n], 1e-9); // of 1100: sin of rounded t
}

// a half-sine's spectrum has its first zero at 1.5/t_c and is flat below
TEST(pulse_is_a_low_pass) {
    enum { N = 2000 };
    double force[N], tc = 96.0;
    fr_pulse_samples(5.5, tc, 48000, N, force);
    double low = 0, zero_re = 0, zero_im = 0;
    for (int n = 0; n < N; n++) {
        double a = 2 * M_PI * 1.5 / tc * n;
        low += force[n];
        zero_re += force[n] * cos(a);
        zero_im += force[n] * sin(a);
    }
    // rounding of N terms; averaging over a sample moves it by 1e-4
    CHECK(hypot(zero_re, zero_im) < 1e-3 * low);
}

// S4's Gaussian beside the half-sine: the same impulse and, but for what is cut off, the same
// variance; less of high tones
TEST(gaussian_pulses_are_as_wide_and_softer) {
    enum { N = 400 };
    double sine[N], gauss[N], duration = 120.0, sum[2] = {0, 0}, mean[2] = {0, 0},
                              spread[2] = {0, 0};
    fr_pulse_samples(20, duration, 48000, N, sine);
    fr_gauss_samples(20, duration, 48000, N, gauss);
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < N; n++) {
            double part[2] = {sine[n] / 48000, gauss[n] / 48000};
            for (int i = 0; i < 2; i++) {
                if (!pass) sum[i] += part[i], mean[i] += part[i] * (n + 0.5);
                if (pass) spread[i] += part[i] * (n + 0.5 - mean[i]) * (n + 0.5 - mean[i]);
            }
        }
    for (int i = 0; i < 2; i++) CHECK_NEAR(sum[i], 1, 1e-13); // rounding
    CHECK_NEAR(mean[1], 20 + 0.5 * FR_GAUSS_LONGER * duration,
               1e-4);                        // raster: averages over samples
    CHECK_CLOSE(spread[1], spread[0], 0.03); // model: 3 deviations leave out 0.3 % of it, far out
    double re[2] = {0, 0}, im[2] = {0, 0}, w = 2 * M_PI * 2.6 / duration;
    for (int n = 0; n < N; n++) {
        re[0] += sine[n] * cos(w * n), im[0] += sine[n] * sin(w * n);
        re[1] += gauss[n] * cos(w * n), im[1] += gauss[n] * sin(w * n);
    }
    CHECK(hypot(re[1], im[1]) < 0.3 * hypot(re[0], im[0]));
    // in pieces it is the same pulse
    for (int n = 0; n < N; n += 16) {
        double part[16];
        fr_gauss_samples(20.0 - n, duration, 48000, 16, part);
        for (int k = 0; k < 16; k++) CHECK_NEAR(part[k], gauss[n + k], 1e-9); // of 400: rounding
    }
}

// unit variance, no mean, and dull above the cutoff; its neighbours repeat nothing
TEST(noise) {
    enum { N = 200000 };
    static double s[N];
    for (double cutoff = 100; cutoff < 1e5; cutoff *= 8) {
        FrNoise noise = fr_noise_make(7, 1, cutoff, 48000);
        double mean = 0, square = 0;
        for (int n = 0; n < N; n++) {
            s[n] = fr_noise_next(&noise);
            mean += s[n] / N;
            square += s[n] * s[n] / N;
        }
        // statistics: N / (samples per independent one) draws: 3 sigma of the slowest
        CHECK_NEAR(square, 1, 0.2);
        CHECK_NEAR(mean, 0, 0.2);
    }
    FrNoise a = fr_noise_make(7, 1, 500, 48000), b = fr_noise_make(7, 2, 500, 48000),
            c = fr_noise_make(7, 1, 500, 48000);
    double same = 0, other = 0;
    for (int n = 0; n < N; n++) {
        double x = fr_noise_next(&a);
        other += x * fr_noise_next(&b) / N;
        same += fabs(x - fr_noise_next(&c));
    }
    CHECK(same == 0);
    CHECK_NEAR(other, 0, 0.2); // statistics: as above
}

static double t60_of(double hz, double a1, double a2, double eta) {
    double w = 2 * M_PI * hz;
    return 2 * log(1000) / (a1 * w * w + a2 + eta * w);
}

// what was put in comes out; what cannot be had with none below zero comes near
TEST(damping_from_t60) {
    static const double want[][3] = {{1e-7, 3, 0}, {0, 10, 1e-3}, {2e-8, 1, 5e-4}, {1e-6, 0, 0}};
    for (int k = 0; k < 4; k++) {
        double pair[5][2], a1, a2, eta;
        for (int i = 0; i < 5; i++) {
            pair[i][0] = 200 * pow(2.5, i);
            pair[i][1] = t60_of(pair[i][0], want[k][0], want[k][1], want[k][2]);
        }
        CHECK(fr_damping_fit(pair, 5, &a1, &a2, &eta));
        // rounding: a fit of what is linear
        for (int i = 0; i < 5; i++) CHECK_CLOSE(t60_of(pair[i][0], a1, a2, eta), pair[i][1], 1e-12);
        CHECK(a1 >= 0 && a2 >= 0 && eta >= 0);
    }
    // higher tones that last longer: only a constant can be near
    double odd[2][2] = {{100, 1}, {1000, 2}}, a1, a2, eta;
    CHECK(fr_damping_fit(odd, 2, &a1, &a2, &eta));
    CHECK(a1 == 0 && eta == 0 && a2 > 0);
    double one[1][2] = {{440, 1.5}};
    CHECK(fr_damping_fit(one, 1, &a1, &a2, &eta));
    CHECK_CLOSE(t60_of(440, a1, a2, eta), 1.5, 1e-12); // rounding
    double bad[1][2] = {{440, 0}};
    CHECK(!fr_damping_fit(bad, 1, &a1, &a2, &eta));
    CHECK(!fr_damping_fit(bad, 0, &a1, &a2, &eta));
}
