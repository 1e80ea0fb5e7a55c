// spectrogram.c: a picture of what is heard: time to the right, pitch upwards.

#include "output/spectrogram.h"
#include "render/render.h"
#include "sound/spectrum.h"
#include <math.h>
#include <stdio.h>

#define WIDTH 1200
#define HEIGHT 500
#define LEFT 70
#define BOTTOM 40
#define TOP 16
#define RIGHT 16
/// From black to bright, dB.
#define RANGE 80.0

// black, violet, orange, white: brighter is louder
void fr_picture_shade(double level, uint8_t *rgba) {
    static const double key[5][3] = {{0.02, 0.02, 0.05},
                                     {0.25, 0.07, 0.40},
                                     {0.75, 0.20, 0.35},
                                     {0.98, 0.60, 0.15},
                                     {1.0, 1.0, 0.85}};
    double at = 4.0 * fr_clamp(level, 0.0, 1.0);
    int k = at < 3.0 ? (int)at : 3;
    for (int c = 0; c < 3; c++)
        rgba[c] = (uint8_t)(255.0 * (key[k][c] + (at - k) * (key[k + 1][c] - key[k][c])) + 0.5);
    rgba[3] = 255;
}

static void draw_levels(FrImage image, const FrSpectrogram *g, int32_t left, int32_t top) {
    for (int32_t c = 0; c < g->columns; c++)
        for (int32_t r = 0; r < g->rows; r++) {
            double level = 1.0 + (double)g->db[(int64_t)c * g->rows + r] / RANGE;
            int32_t x = left + c, y = top + g->rows - 1 - r;
            fr_picture_shade(level, image.rgba + 4 * ((size_t)y * (size_t)image.width + (size_t)x));
        }
}

static const FrInk ink = {200, 200, 205, 1.0}, line = {255, 255, 255, 0.12};

static void draw_pitches(FrImage image, const FrSpectrogram *g) {
    static const double hz[] = {50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000};
    for (size_t k = 0; k < sizeof hz / sizeof hz[0]; k++) {
        double at = log(hz[k] / g->lowest) / log(g->highest / g->lowest);
        if (at < 0.0 || at > 1.0) continue;
        int32_t y = TOP + (int32_t)((1.0 - at) * (g->rows - 1));
        char text[32];
        snprintf(text, sizeof text, hz[k] < 1000 ? "%.0f Hz" : "%.0f kHz",
                 hz[k] < 1000 ? hz[k] : hz[k] / 1000);
        fr_image_fill(image, LEFT, y, g->columns, 1, line);
        fr_text_draw(image, LEFT - 8 - fr_text_width(10, text), y + 5, 10, ink, text);
    }
}

static void draw_times(FrImage image, const FrSpectrogram *g) {
    double step = 1e-3;
    for (int k = 0; g->span / step > 8.0; k++) step *= k % 3 == 1 ? 2.5 : 2.0;
    for (int k = 0; k * step <= g->span; k++) {
        int32_t x = LEFT + (int32_t)(k * step / g->span * (g->columns - 1));
        char text[32];
        snprintf(text, sizeof text, "%g s", k * step);
        fr_image_fill(image, x, TOP, 1, g->rows, line);
        double width = fr_text_width(10, text);
        fr_text_draw(image, fr_min(x - 0.5 * width, WIDTH - 4 - width), HEIGHT - 14, 10, ink, text);
    }
}

static FrResult mono(FrContext *ctx, const float *sample, int64_t frames, int32_t channels,
                     float **to) {
    *to = FR_NEW(ctx, float, frames);
    if (!*to) return fr_no_memory(ctx, "a spectrogram");
    for (int64_t n = 0; n < frames; n++)
        for (int32_t c = 0; c < channels; c++)
            (*to)[n] += sample[n * channels + c] / (float)channels;
    return FR_OK;
}

FrResult fr_picture_sound(FrContext *ctx, const float *sample, int64_t frames, int32_t channels,
                          double rate, const char *path) {
    FrSpectrogram g = {0};
    float *one = NULL;
    FrImage image = {WIDTH, HEIGHT, FR_NEW(ctx, uint8_t, 4 * WIDTH * HEIGHT)};
    FrResult result =
        image.rgba ? mono(ctx, sample, frames, channels, &one) : fr_no_memory(ctx, "a spectrogram");
    if (result == FR_OK)
        result = fr_spectrogram_make(ctx, &(FrMono){one, frames, rate}, WIDTH - LEFT - RIGHT,
                                     HEIGHT - TOP - BOTTOM, &g);
    if (result == FR_OK) {
        for (size_t k = 0; k < WIDTH * HEIGHT; k++) fr_picture_shade(0.0, image.rgba + 4 * k);
        draw_levels(image, &g, LEFT, TOP);
        draw_pitches(image, &g);
        draw_times(image, &g);
        result = fr_png_write(ctx, path, WIDTH, HEIGHT, image.rgba);
    }
    fr_spectrogram_free(ctx, &g);
    fr_free(ctx, one);
    fr_free(ctx, image.rgba);
    return result;
}

FrResult fr_picture_strip(FrContext *ctx, const float *sample, int64_t frames, int64_t wanted,
                          FrImage *strip) {
    FrSpectrogram g = {0};
    float *one = FR_NEW(ctx, float, wanted);
    strip->rgba = FR_NEW(ctx, uint8_t, 4 * (size_t)strip->width * (size_t)strip->height);
    FrResult result = one && strip->rgba ? FR_OK : fr_no_memory(ctx, "a spectrogram");
    for (int64_t n = 0; result == FR_OK && n < frames; n++)
        one[n] = 0.5f * (sample[2 * n] + sample[2 * n + 1]);
    if (result == FR_OK)
        result = fr_spectrogram_make(ctx, &(FrMono){one, wanted, 48000.0}, strip->width,
                                     strip->height, &g);
    if (result == FR_OK) draw_levels(*strip, &g, 0, 0);
    fr_spectrogram_free(ctx, &g);
    fr_free(ctx, one);
    return result;
}
