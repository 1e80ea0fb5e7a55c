// bank_picture.c: which ellipsoids a soundbank has, as a picture.

#include "job/bank_picture.h"
#include "math/vec.h"
#include "output/spectrogram.h"
#include "render/render.h"
#include <math.h>
#include <stdio.h>

#define WIDTH 900
#define HEIGHT 760
#define MARGIN 80
/// Half of the longest axis, pixels.
#define LONGEST 30.0
/// The eye looks from above, rad.
#define TILT 0.5

static const FrInk ink = {200, 200, 205, 1.0};

/// What all entries share.
typedef struct Chart {
    FrImage image;
    double thinnest; ///< the least a/c, logarithm
    int32_t most;    ///< tones of one
} Chart;

// Where the ray through (x, y) meets the ellipsoid, seen from above the front: how bright it is
// there, 0 to 1; below 0: it misses. b/c lies across, a is up, c goes to the right.
static double light_at(const double half[3], double x, double y) {
    double c = cos(TILT), s = sin(TILT);
    FrVec3 way = {0.0, c, -s}, from = {x, y * s, y * c}; // right: c; depth: b; up: a
    FrVec3 size = {half[2], half[1], half[0]};
    FrVec3 w = {way.x / size.x, way.y / size.y, way.z / size.z},
           f = {from.x / size.x, from.y / size.y, from.z / size.z};
    double p = fr_dot(w, f) / fr_length2(w), q = (fr_length2(f) - 1.0) / fr_length2(w);
    if (p * p < q) return -1.0;
    double t = -p - sqrt(p * p - q);
    FrVec3 at = fr_axpy(t, way, from);
    FrVec3 n = fr_normalize(
        fr_vec3(at.x / (size.x * size.x), at.y / (size.y * size.y), at.z / (size.z * size.z)));
    return 0.35 + 0.65 * fr_max(fr_dot(n, fr_normalize(fr_vec3(-0.4, -0.5, 0.8))), 0.0);
}

static void draw_entry(const Chart *chart, const FrSoundbankEntry *e) {
    double across = log(e->half[1] / e->half[2]) / chart->thinnest,
           down = log(e->half[0] / e->half[2]) / chart->thinnest;
    double left = WIDTH - MARGIN - across * (WIDTH - 2 * MARGIN),
           top = MARGIN + down * (HEIGHT - 2 * MARGIN), unit = LONGEST / e->half[2];
    double tones = 0.25 + 0.75 * sqrt((double)e->mode_count / fr_max_i(chart->most, 1));
    double half[3] = {unit * e->half[0], unit * e->half[1], unit * e->half[2]};
    for (int32_t y = -(int32_t)LONGEST; y <= (int32_t)LONGEST; y++)
        for (int32_t x = -(int32_t)LONGEST; x <= (int32_t)LONGEST; x++) {
            double light = light_at(half, x, -y);
            size_t pixel = (size_t)((int32_t)top + y) * WIDTH + (size_t)((int32_t)left + x);
            if (light > 0.0)
                fr_picture_shade(e->mode_count ? light * tones : 0.15 * light,
                                 chart->image.rgba + 4 * pixel);
        }
}

static void draw_words(const Chart *chart, const FrSoundbankInfo *info) {
    char text[160];
    snprintf(text, sizeof text, "%s: %d of %d ellipsoids, %d tones; bodies up to %g kg, %g Hz",
             info->material, info->entry_count, info->samples, info->mode_count, info->most_mass,
             info->max_hz);
    fr_text_draw(chart->image, 20, 28, 12, ink, text);
    fr_text_draw(chart->image, WIDTH - 60, 60, 11, ink, "ball");
    fr_text_draw(chart->image, WIDTH - 60, HEIGHT - 24, 11, ink, "disc");
    fr_text_draw(chart->image, 30, HEIGHT - 24, 11, ink, "needle");
    snprintf(text, sizeof text, "brighter: more tones, up to %d; dark: only a click", chart->most);
    fr_text_draw(chart->image, WIDTH / 2 - 160, HEIGHT - 24, 11, ink, text);
}

FrResult fr_bank_picture_save(FrContext *ctx, const FrSoundbank *bank, const char *path) {
    FrSoundbankInfo info = fr_soundbank_info(bank);
    Chart chart = {.image = {WIDTH, HEIGHT, FR_NEW(ctx, uint8_t, 4 * WIDTH * HEIGHT)},
                   .thinnest = -1e-3};
    if (!chart.image.rgba) return fr_no_memory(ctx, "a picture");
    for (size_t k = 0; k < (size_t)WIDTH * HEIGHT; k++)
        fr_picture_shade(0.0, chart.image.rgba + 4 * k);
    for (int32_t k = 0; k < info.entry_count; k++) {
        FrSoundbankEntry e = fr_soundbank_entry(bank, k);
        chart.thinnest = fr_min(chart.thinnest, log(e.half[0] / e.half[2]));
        chart.most = fr_max_i(chart.most, e.mode_count);
    }
    for (int32_t k = 0; k < info.entry_count; k++) {
        FrSoundbankEntry e = fr_soundbank_entry(bank, k);
        draw_entry(&chart, &e);
    }
    draw_words(&chart, &info);
    FrResult result = fr_png_write(ctx, path, WIDTH, HEIGHT, chart.image.rgba);
    fr_free(ctx, chart.image.rgba);
    return result;
}
