// sound_oscillator.c: exact steps of a damped mode, alone and many at once.

#include "base/base.h"
#include "base/random.h"
#include "context.h"
#include "modal/oscillator.h"
#include "sound/resonators.h"
#include "test.h"

typedef struct M3 {
    double m[3][3];
} M3;

static M3 mul(M3 a, M3 b) {
    M3 r = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}

// exp of the matrix of (z, v T, g T^2) by its series on a small part of the step, then squared up
static M3 expm(double lambda, double c, double T) {
    int halvings = 0;
    double size = c * T + lambda * T * T + 1.0;
    while (size > 0.25) size *= 0.5, halvings++;
    double h = ldexp(1.0, -halvings);
    M3 a = {{{0, h, 0}, {-lambda * T * T * h, -c * T * h, h}, {0, 0, 0}}};
    M3 sum = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, term = sum;
    for (int k = 1; k < 24; k++) {
        term = mul(term, a);
        for (int i = 0; i < 9; i++) term.m[i / 3][i % 3] /= k;
        for (int i = 0; i < 9; i++) sum.m[i / 3][i % 3] += term.m[i / 3][i % 3];
    }
    for (int k = 0; k < halvings; k++) sum = mul(sum, sum);
    return sum;
}

static const double T = 1.0 / 48000.0;

static void compare(double lambda, double c, double tolerance) {
    // rounding: that of the reference, which the caller knows; the numbers are of size 1
    FrModeStep s = fr_mode_step(lambda, c, T);
    M3 e = expm(lambda, c, T);
    double scale = 1.0 + lambda * T * T; // of the entry that grows with the frequency
    CHECK_NEAR(s.zz, e.m[0][0], tolerance);
    CHECK_NEAR(s.zv / T, e.m[0][1], tolerance);
    CHECK_NEAR(s.vz * T, e.m[1][0], tolerance * scale);
    CHECK_NEAR(s.vv, e.m[1][1], tolerance);
    CHECK_NEAR(s.gz / (T * T), e.m[0][2], tolerance);
    CHECK_NEAR(s.gv / T, e.m[1][2], tolerance);
}

// under-, critically and over-damped, from no frequency to 20 kHz     [S1 eq. 5] [S4 eq. 8]
TEST(osc_expm) {
    static const double hz[] = {0, 1e-3, 5, 20, 440, 5000, 20000};
    static const double damping[] = {0, 1e-6, 0.01, 0.5, 0.999999, 1, 1.000001, 1.5, 10};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 9; k++) {
            double w = 2 * M_PI * hz[i];
            // squaring the reference n times multiplies its rounding by 2^n <= 256: 1e-13
            compare(w * w, 2 * damping[k] * w, 1e-13);
        }
    compare(0, 1e3, 1e-13); // no stiffness: velocity dies, and a force pushes it away
}

// T1 then T2 is T1 + T2
TEST(group_property) {
    static const double c[] = {0, 300, 2 * 2 * M_PI * 1000, 4e4};
    double w = 2 * M_PI * 1000;
    for (int k = 0; k < 4; k++) {
        FrModeStep a = fr_mode_step(w * w, c[k], 0.3 * T), b = fr_mode_step(w * w, c[k], 1.7 * T);
        FrModeStep ab = fr_mode_step(w * w, c[k], 2 * T);
        // rounding: a handful of products of numbers of size 1 (v over w): 1e-15
        CHECK_NEAR(b.zz * a.zz + b.zv * a.vz, ab.zz, 1e-15 * 4);
        CHECK_NEAR(w * (b.zz * a.zv + b.zv * a.vv), w * ab.zv, 1e-15 * 4);
        CHECK_NEAR((b.vz * a.zz + b.vv * a.vz) / w, ab.vz / w, 1e-15 * 4);
        CHECK_NEAR(b.vz * a.zv + b.vv * a.vv, ab.vv, 1e-15 * 4);
        CHECK_NEAR(w * w * (b.zz * a.gz + b.zv * a.gv + b.gz), w * w * ab.gz, 1e-15 * 4);
    }
}

// 1/2 (v^2 + lambda z^2) never grows
TEST(energy_falls) {
    FrRandom random = fr_random_for(1, "energy", 0);
    for (int k = 0; k < 2000; k++) {
        double w = exp(fr_random_range(&random, 0, 12)), c = w * fr_random_range(&random, 0, 4);
        double z = fr_random_normal(&random) / w, v = fr_random_normal(&random);
        FrModeStep s = fr_mode_step(w * w, c, T);
        double z1 = s.zz * z + s.zv * v, v1 = s.vz * z + s.vv * v;
        double before = v * v + w * w * z * z, after = v1 * v1 + w * w * z1 * z1;
        CHECK(after <= before * (1 + 1e-14)); // rounding of the entries
    }
}

static FrContext *ctx;
__attribute__((constructor)) static void start(void) { ctx = make_context(1); }

static void pull(FrResonators *r, int64_t frames, double *out) {
    static double scratch[FR_RESONATOR_BLOCK];
    for (int64_t n = 0; n < frames; n += FR_RESONATOR_BLOCK) {
        int32_t now = (int32_t)(frames - n < FR_RESONATOR_BLOCK ? frames - n : FR_RESONATOR_BLOCK);
        fr_resonators_run(r, NULL, 0, now, out ? out + n : scratch);
    }
}

// undamped modes keep their energy over 1e6 samples to 1e-10
TEST(energy_stays) {
    static const double hz[] = {20, 77.7, 440, 3021.5, 12000, 19999, 100, 1234.5};
    FrResonators r;
    CHECK_OK(ctx, fr_resonators_init(&r, ctx, 8, T, false, false));
    for (int i = 0; i < 8; i++) {
        double w = 2 * M_PI * hz[i];
        fr_resonators_set(&r, i, w * w, 0, 1, FR_RESONANCE_DISPLACEMENT);
        fr_resonators_kick(&r, i, w);
    }
    pull(&r, 1000000, NULL);
    for (int i = 0; i < 8; i++) {
        double x, y;
        fr_resonators_state(&r, i, &x, &y);
        CHECK_NEAR(x * x + y * y, 1.0, 1e-10); // as promised; 1e6/4 roundings of 1e-16 are 3e-11
    }
    fr_resonators_free(&r);
}

// z = j/w e^{-dt} sin wt, half of what is printed (E37)     [S4 eq. 16] [S4 eq. 17] [S4 eq. 18]
TEST(reson_impulse) {
    enum { N = 48000 };
    static double out[N];
    double w0 = 2 * M_PI * 587.4, c = 1e-7 * w0 * w0, d = 0.5 * c, j = 0.7;
    double w = fr_mode_omega(w0 * w0, c), worst = 0, printed = 0;
    FrResonators r;
    CHECK_OK(ctx, fr_resonators_init(&r, ctx, 1, T, false, false));
    fr_resonators_set(&r, 0, w0 * w0, c, 1, FR_RESONANCE_DISPLACEMENT);
    fr_resonators_kick(&r, 0, j);
    pull(&r, N, out);
    for (int n = 0; n < N; n++) {
        double t = n * T, z = j / w * exp(-d * t) * sin(w * t);
        worst = fmax(worst, fabs(out[n] - z) * w / j);
        printed = fmax(printed, fabs(out[n] - 2 * z) * w / j);
    }
    CHECK(worst < 1e-11); // rounding of phase: 48000 x 1e-16, and sin of 3700 rad itself
    CHECK(printed > 0.9);
    CHECK_NEAR(d, 0.68, 0.005); // digits: the chime's decay, printed as .6 (E39)
    fr_resonators_free(&r);
}

// the velocity of a mode, for the rigid click
TEST(velocity_out) {
    enum { N = 2000 };
    double out[N], w0 = 2 * M_PI * 900, c = 0.8 * w0, d = 0.5 * c, w = fr_mode_omega(w0 * w0, c);
    FrResonators r;
    CHECK_OK(ctx, fr_resonators_init(&r, ctx, 1, T, false, false));
    fr_resonators_set(&r, 0, w0 * w0, c, 2, FR_RESONANCE_VELOCITY);
    fr_resonators_kick(&r, 0, 3);
    pull(&r, N, out);
    for (int n = 0; n < N; n++) {
        double t = n * T, v = exp(-d * t) * (cos(w * t) - d / w * sin(w * t));
        CHECK_NEAR(out[n], 6 * v, 1e-12); // rounding: 2,000 steps and the phase
    }
    fr_resonators_free(&r);
}

// forces that are held over each sample, against fr_mode_step, in all regimes
TEST(reson_zoh) {
    enum { N = 256, MODES = 7 };
    static const double ratio[MODES] = {0, 1e-4, 0.1, 0.999999999, 1, 1.2, 30};
    double force[N], out[N], weight[8] = {0};
    FrRandom random = fr_random_for(1, "zoh", 0);
    for (int n = 0; n < N; n++) force[n] = fr_random_normal(&random);
    for (int i = 0; i < MODES; i++) {
        double w0 = 2 * M_PI * 700, c = 2 * ratio[i] * w0, z = 0, v = 0, worst = 0;
        FrModeStep s = fr_mode_step(w0 * w0, c, T);
        FrResonators r;
        CHECK_OK(ctx, fr_resonators_init(&r, ctx, 1, T, false, false));
        fr_resonators_set(&r, 0, w0 * w0, c, w0 * w0, FR_RESONANCE_DISPLACEMENT);
        fr_resonators_weight(&r, weight, 0, 1);
        for (int n = 0; n < N; n += FR_RESONATOR_BLOCK) {
            FrDrive drive = {weight, force + n};
            fr_resonators_run(&r, &drive, 1, FR_RESONATOR_BLOCK, out + n);
        }
        for (int n = 0; n < N; n++) {
            worst = fmax(worst, fabs(out[n] - w0 * w0 * z));
            double z1 = s.zz * z + s.zv * v + s.gz * force[n];
            v = s.vz * z + s.vv * v + s.gv * force[n];
            z = z1;
        }
        CHECK_NEAR(worst, 0, 2e-13 * N); // same steps in two coordinate systems
        fr_resonators_free(&r);
    }
}

// the two-term recurrence of methods for piecewise-constant force is the same filter
TEST(two_term_recurrence) {
    enum { N = 64 };
    double w0 = 2 * M_PI * 1500, d = 90, w = sqrt(w0 * w0 - d * d), e = exp(-d * T), l = w0 * w0;
    double co = cos(w * T), si = sin(w * T), b1 = (1 - e * (co + d / w * si)) / l,
           b2 = (e * e - e * (co - d / w * si)) / l;
    double force[N], out[N], weight[4] = {1}, z1 = 0, z2 = 0, f1 = 0, f2 = 0;
    FrRandom random = fr_random_for(2, "zoh", 0);
    for (int n = 0; n < N; n++) force[n] = fr_random_normal(&random);
    FrResonators r;
    CHECK_OK(ctx, fr_resonators_init(&r, ctx, 1, T, false, false));
    fr_resonators_set(&r, 0, l, 2 * d, l, FR_RESONANCE_DISPLACEMENT);
    FrDrive drive = {weight, force};
    fr_resonators_run(&r, &drive, 1, N, out);
    for (int n = 0; n < N; n++) {
        double z = n ? 2 * e * co * z1 - e * e * z2 + b1 * f1 + b2 * f2 : 0;
        CHECK_NEAR(out[n], l * z, 1e-11); // the recurrence itself loses digits: 2 cos - 1 is small
        z2 = z1, z1 = z, f2 = f1, f1 = force[n];
    }
    fr_resonators_free(&r);
}

static void fill(FrResonators *r, int32_t count, uint64_t seed) {
    FrRandom random = fr_random_for(seed, "modes", 0);
    for (int32_t i = 0; i < count; i++) {
        double w = 2 * M_PI * exp(fr_random_range(&random, log(20.0), log(20000.0)));
        double c = w * exp(fr_random_range(&random, -9, 1.5));
        fr_resonators_set(r, i, w * w, c, w, FR_RESONANCE_DISPLACEMENT);
    }
}

// same bits with and without AVX2, whatever the block length pattern of the portable one
TEST(same_bits_without_avx2) {
    enum { MODES = 101, N = 4096 };
    static double a[N], b[N];
    for (int single = 0; single < 2; single++) {
        FrResonators r[2];
        for (int k = 0; k < 2; k++) {
            CHECK_OK(ctx, fr_resonators_init(&r[k], ctx, MODES, T, single, k));
            fill(&r[k], MODES, 3);
            for (int i = 0; i < MODES; i++) fr_resonators_kick(&r[k], i, 1.0 + i % 5);
        }
        pull(&r[0], N, a);
        pull(&r[1], N, b);
        CHECK(memcmp(a, b, sizeof a) == 0);
        fr_resonators_free(&r[0]);
        fr_resonators_free(&r[1]);
    }
}

// float follows double to what a float can hold, for ten seconds
TEST(float_path) {
    enum { N = 480000 };
    static double a[N], b[N];
    FrResonators r[2];
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        CHECK_OK(ctx, fr_resonators_init(&r[k], ctx, 3, T, k, false));
        for (int i = 0; i < 3; i++) {
            double w = 2 * M_PI * (30 + 1000 * i);
            fr_resonators_set(&r[k], i, w * w, 0.2, w, FR_RESONANCE_DISPLACEMENT);
            fr_resonators_kick(&r[k], i, 1);
        }
        pull(&r[k], N, k ? b : a);
    }
    for (int n = 0; n < N; n++) worst = fmax(worst, fabs(a[n] - b[n]));
    // a matrix entry is off by 3e-8, and four samples are one step: 3e-8 * 120000 at the worst
    CHECK(worst < 4e-3);
    fr_resonators_free(&r[0]);
    fr_resonators_free(&r[1]);
}

// what has died away is exactly silent, and its groups are skipped
TEST(no_denormals) {
    for (int single = 0; single < 2; single++) {
        FrResonators r;
        double out[FR_RESONATOR_BLOCK];
        CHECK_OK(ctx, fr_resonators_init(&r, ctx, 20, T, single, false));
        for (int i = 0; i < 20; i++) {
            double w = 2 * M_PI * 200 * (i + 1);
            fr_resonators_set(&r, i, w * w, 2000, w, FR_RESONANCE_DISPLACEMENT);
            fr_resonators_kick(&r, i, 1);
        }
        for (int64_t n = 0; n < 96000; n += FR_RESONATOR_BLOCK) {
            fr_resonators_run(&r, NULL, 0, FR_RESONATOR_BLOCK, out);
            for (int i = 0; i < 20; i++) {
                double x, y;
                fr_resonators_state(&r, i, &x, &y);
                double size = fabs(x) + fabs(y);
                CHECK(size == 0 || size > (single ? 1e-16 : 1e-61));
            }
        }
        for (int k = 0; k < r.group_count; k++) CHECK_INT(r.live[k], 0);
        CHECK(out[0] == 0);
        fr_resonators_free(&r);
    }
}

// block lengths that are no multiple of four continue the same motion
TEST(any_block_length) {
    enum { N = 1000 };
    double a[N], b[N];
    FrResonators r[2];
    for (int k = 0; k < 2; k++) {
        CHECK_OK(ctx, fr_resonators_init(&r[k], ctx, 9, T, false, false));
        fill(&r[k], 9, 5);
        for (int i = 0; i < 9; i++) fr_resonators_kick(&r[k], i, 1);
    }
    pull(&r[0], N, a);
    for (int n = 0, now = 1; n < N; n += now, now = 1 + (now * 7) % 61) {
        if (now > N - n) now = N - n;
        fr_resonators_run(&r[1], NULL, 0, now, b + n);
    }
    for (int n = 0; n < N; n++) CHECK_NEAR(a[n], b[n], 1e-11); // rounding: other matrices
    fr_resonators_free(&r[0]);
    fr_resonators_free(&r[1]);
}

TEST(refused_memory) {
    for (int k = 1; k <= 3; k++) {
        Refuser refuser = {.refuse_at = 0};
        FrContext *c = make_refusing_context(&refuser);
        int live = refuser.live;
        refuser.refuse_at = refuser.calls + k;
        FrResonators r;
        CHECK_INT(fr_resonators_init(&r, c, 100, T, true, false), FR_NO_MEMORY);
        CHECK_INT(refuser.live, live);
        fr_context_destroy(c);
    }
}
