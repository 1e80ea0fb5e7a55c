// spectrum_picture.c: tones stand in the plot of frequencies where they are, as high as they are
// loud.

#include "test.h"
#include "context.h"
#include "output/spectrum_picture.h"
#include <math.h>
#include <stdlib.h>

#define COUNT 500
#define RATE 48000.0

TEST(tones_stand_where_they_are) {
    FrContext *ctx = make_context(1);
    int64_t frames = 96000;
    float *sample = calloc((size_t)frames, sizeof *sample);
    // bins of the transform are RATE / 16384 apart: both tones lie on one
    double hz[2] = {RATE / 16384 * 256, RATE / 16384 * 1024}, size[COUNT];
    for (int64_t n = 0; n < frames; n++)
        for (int i = 0; i < 2; i++)
            sample[n] += (float)((i ? 0.25 : 1.0) * sin(2 * M_PI * hz[i] * (double)n / RATE));
    CHECK_OK(ctx, fr_spectrum_sizes(ctx, sample, frames, RATE, size, COUNT));
    int32_t at[2] = {(int32_t)(hz[0] / FR_SPECTRUM_HIGHEST * COUNT),
                     (int32_t)(hz[1] / FR_SPECTRUM_HIGHEST * COUNT)};
    CHECK_NEAR(size[at[0]], 1.0, 1e-12); // exact: the largest
    CHECK_NEAR(size[at[1]], 0.25, 1e-3); // float32: samples
    for (int32_t c = 0; c < COUNT; c++)
        if (abs(c - at[0]) > 2 && abs(c - at[1]) > 2) CHECK(size[c] < 0.02); // model: Hann's skirt
    // silence is no division by zero
    CHECK_OK(ctx, fr_spectrum_sizes(ctx, sample, 0, RATE, size, COUNT));
    for (int32_t c = 0; c < COUNT; c++) CHECK(size[c] == 0.0);
    CHECK_OK(ctx, fr_picture_spectrum(ctx, sample, frames / 2, 2, RATE, "spectrum.png"));
    free(sample);
    fr_context_destroy(ctx);
}
