// bench.c: how many modes one core can sound in real time.

#include "sound/bench.h"
#include "base/clock.h"
#include "modal/oscillator.h"
#include "sound/resonators.h"
#include <math.h>

#define RATE 44100.0
#define MODES 16384
#define BLOCKS 20

static double hz_of(int32_t i) { return 40.0 * pow(450.0, (i + 0.5) / MODES); }

static FrResult make(FrContext *ctx, bool single, FrResonators *r) {
    FR_TRY(fr_resonators_init(r, ctx, MODES, 1.0 / RATE, single, false));
    for (int32_t i = 0; i < MODES; i++) {
        double w = 2.0 * M_PI * hz_of(i);
        fr_resonators_set(r, i, w * w, 1.0, w, FR_RESONANCE_DISPLACEMENT);
        fr_resonators_kick(r, i, 1.0);
    }
    return FR_OK;
}

// modes times samples per second, over samples per second
static double rate_of(double seconds) {
    return (double)MODES * BLOCKS * FR_RESONATOR_BLOCK / (seconds * RATE);
}

static double best_of(FrResonators *r, const FrDrive *drive, double seconds) {
    double best = HUGE_VAL, out[FR_RESONATOR_BLOCK], end = fr_wall_seconds() + seconds;
    do {
        double start = fr_wall_seconds();
        for (int k = 0; k < BLOCKS; k++)
            fr_resonators_run(r, drive, drive ? 1 : 0, FR_RESONATOR_BLOCK, out);
        best = fr_min(best, fr_wall_seconds() - start);
    } while (fr_wall_seconds() < end);
    return rate_of(best);
}

typedef struct Naive {
    double a1, a2, z1, z2, gain;
} Naive;

// as one would write it first: all modes for a sample, each z = 2 e cos z1 - e^2 z2
static double naive_sample(Naive *mode) {
    double sum = 0.0;
    for (int32_t i = 0; i < MODES; i++) {
        double z = mode[i].a1 * mode[i].z1 + mode[i].a2 * mode[i].z2;
        mode[i].z2 = mode[i].z1;
        mode[i].z1 = z;
        sum += mode[i].gain * z;
    }
    return sum;
}

static double best_naive(Naive *mode, double seconds) {
    double best = HUGE_VAL, end = fr_wall_seconds() + seconds;
    volatile double sink = 0.0;
    do {
        double start = fr_wall_seconds();
        for (int k = 0; k < BLOCKS * FR_RESONATOR_BLOCK; k++) sink += naive_sample(mode);
        best = fr_min(best, fr_wall_seconds() - start);
    } while (fr_wall_seconds() < end);
    (void)sink;
    return rate_of(best);
}

static FrResult bench_naive(FrContext *ctx, double seconds, FrSoundBench *bench) {
    Naive *mode = FR_NEW(ctx, Naive, MODES);
    if (!mode) return fr_no_memory(ctx, "a benchmark");
    for (int32_t i = 0; i < MODES; i++) {
        double th = 2.0 * M_PI * hz_of(i) / RATE, e = exp(-0.5 / RATE);
        mode[i] = (Naive){2.0 * e * cos(th), -e * e, sin(th), 0.0, 1.0};
    }
    bench->naive_modes = best_naive(mode, seconds);
    fr_free(ctx, mode);
    return FR_OK;
}

static FrResult bench_kind(FrContext *ctx, bool single, double seconds, double *modes,
                           double *driven) {
    FrResonators r;
    FR_TRY(make(ctx, single, &r));
    *modes = best_of(&r, NULL, seconds);
    double force[FR_RESONATOR_BLOCK] = {1.0};
    void *weight = fr_alloc_zero(ctx, (size_t)fr_resonators_slots(&r), sizeof(double));
    if (weight && driven) {
        FrDrive drive = {weight, force};
        *driven = best_of(&r, &drive, seconds);
    }
    fr_free(ctx, weight);
    fr_resonators_free(&r);
    return weight ? FR_OK : fr_no_memory(ctx, "a benchmark");
}

FrResult fr_sound_bench(FrContext *ctx, double seconds, FrSoundBench *bench) {
    FR_TRY(bench_kind(ctx, true, 0.3 * seconds, &bench->float_modes, &bench->driven_modes));
    FR_TRY(bench_kind(ctx, false, 0.2 * seconds, &bench->double_modes, NULL));
    return bench_naive(ctx, 0.2 * seconds, bench);
}
