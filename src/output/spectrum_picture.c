// spectrum_picture.c: a picture of which frequencies a sound has, 0 to 5 kHz, as S4's figure 5.

#include "output/spectrum_picture.h"
#include "render/render.h"
#include "sound/spectrum.h"
#include <math.h>
#include <stdio.h>

#define WIDTH 1000
#define HEIGHT 240
#define LEFT 16
#define BOTTOM 40
#define TOP 16
#define RIGHT 16
/// Samples of one stretch; they overlap by half.
#define STRETCH 16384

// a stretch under Hann's window, its power added up
static void add_stretch(const float *sample, int64_t frames, int64_t from, double *re, double *im,
                        double *power) {
    for (int32_t n = 0; n < STRETCH; n++) {
        double window = 0.5 - 0.5 * cos(2.0 * M_PI * n / STRETCH);
        re[n] = from + n < frames ? window * (double)sample[from + n] : 0.0;
        im[n] = 0.0;
    }
    fr_fft(re, im, STRETCH);
    for (int32_t k = 0; k < STRETCH / 2; k++) power[k] += re[k] * re[k] + im[k] * im[k];
}

// the largest power from one frequency to the next, so that no line is missed between columns
static double largest(const double *power, double rate, double from, double to) {
    int32_t a = (int32_t)(from * STRETCH / rate), b = (int32_t)(to * STRETCH / rate);
    double most = 0.0;
    for (int32_t k = a; k <= b && k < STRETCH / 2; k++) most = fr_max(most, power[k]);
    return most;
}

static void take_sizes(const double *power, double rate, double *size, int32_t count) {
    double step = FR_SPECTRUM_HIGHEST / count, top = 0.0;
    for (int32_t c = 0; c < count; c++) {
        size[c] = sqrt(largest(power, rate, c * step, (c + 1) * step));
        top = fr_max(top, size[c]);
    }
    for (int32_t c = 0; c < count && top > 0.0; c++) size[c] /= top;
}

FrResult fr_spectrum_sizes(FrContext *ctx, const float *sample, int64_t frames, double rate,
                           double *size, int32_t count) {
    double *re = FR_NEW(ctx, double, STRETCH), *im = FR_NEW(ctx, double, STRETCH);
    double *power = FR_NEW(ctx, double, STRETCH / 2);
    bool there = re && im && power;
    for (int64_t from = 0; there && from < frames; from += STRETCH / 2)
        add_stretch(sample, frames, from, re, im, power);
    if (there) take_sizes(power, rate, size, count);
    FR_FREE_ALL(ctx, re, im, power);
    return there ? FR_OK : fr_no_memory(ctx, "a spectrum");
}

static const FrInk paper = {255, 255, 255, 1.0}, ink = {40, 40, 46, 1.0},
                   curve = {30, 80, 150, 1.0}, line = {0, 0, 0, 0.10};

static void draw(FrImage image, const double *size, int32_t count) {
    int32_t high = HEIGHT - TOP - BOTTOM, foot = TOP + high;
    fr_image_fill(image, 0, 0, WIDTH, HEIGHT, paper);
    for (int k = 0; k <= 5; k++) {
        int32_t x = LEFT + k * (count - 1) / 5;
        char text[16];
        snprintf(text, sizeof text, k ? "%d kHz" : "%d", k);
        double width = fr_text_width(10, text);
        fr_image_fill(image, x, TOP, 1, high, line);
        fr_text_draw(image, fr_clamp(x - 0.5 * width, 4.0, WIDTH - 4.0 - width), HEIGHT - 14, 10,
                     ink, text);
    }
    for (int32_t c = 0; c < count; c++) {
        int32_t h = (int32_t)(size[c] * high + 0.5);
        fr_image_fill(image, LEFT + c, foot - h, 1, h, curve);
    }
    fr_image_fill(image, LEFT, foot, count, 1, ink);
}

static FrResult draw_sound(FrContext *ctx, const float *sample, int64_t frames, double rate,
                           FrImage image, const char *path) {
    double size[WIDTH - LEFT - RIGHT];
    FR_TRY(fr_spectrum_sizes(ctx, sample, frames, rate, size, WIDTH - LEFT - RIGHT));
    draw(image, size, WIDTH - LEFT - RIGHT);
    return fr_png_write(ctx, path, WIDTH, HEIGHT, image.rgba);
}

FrResult fr_picture_spectrum(FrContext *ctx, const float *sample, int64_t frames, int32_t channels,
                             double rate, const char *path) {
    float *one = FR_NEW(ctx, float, frames);
    FrImage image = {WIDTH, HEIGHT, FR_NEW(ctx, uint8_t, 4 * WIDTH * HEIGHT)};
    for (int64_t n = 0; one && n < frames; n++)
        for (int32_t c = 0; c < channels; c++) one[n] += sample[n * channels + c] / (float)channels;
    FrResult result = one && image.rgba ? draw_sound(ctx, one, frames, rate, image, path)
                                        : fr_no_memory(ctx, "a spectrum");
    FR_FREE_ALL(ctx, one, image.rgba);
    return result;
}
