// radiate_picture.c: which way each mode is loud, as a picture.

#include "job/radiate_picture.h"
#include "math/vec.h"
#include "output/spectrogram.h"
#include "render/render.h"
#include <math.h>
#include <stdio.h>

#define BALL 120
#define GAP 10
#define HEAD 26
#define CELL_WIDTH (2 * BALL + 3 * GAP)
#define CELL_HEIGHT (BALL + HEAD + GAP)
#define ACROSS 4
#define MOST 24
#define RANGE 30.0
/// How far from above the eye looks, rad.
#define TILT 0.45

static const FrInk ink = {200, 200, 205, 1.0};

// the direction that a pixel of a ball shows; false: beside it
static bool way_of(int32_t x, int32_t y, bool behind, FrVec3 *way) {
    double u = (x + 0.5) / (0.5 * BALL) - 1.0, v = 1.0 - (y + 0.5) / (0.5 * BALL);
    double rest = 1.0 - u * u - v * v;
    if (rest < 0.0) return false;
    double depth = sqrt(rest), c = cos(TILT), s = sin(TILT);
    double side = behind ? -1.0 : 1.0;
    // towards the eye: (0, -cos, sin); right: x; up: (0, sin, cos)
    *way = fr_vec3(side * u, side * (v * s - depth * c), v * c + depth * s);
    return true;
}

/// One ball of a picture.
typedef struct Ball {
    FrImage image;
    int32_t left, top;
    bool behind;
} Ball;

static void draw_ball(const FrDirectivity *d, const FrModeAir *m, const Ball *ball, double most,
                      float *gain) {
    FrVec3 centre = fr_radiation_about(d->radiation).x0, way;
    for (int32_t y = 0; y < BALL; y++)
        for (int32_t x = 0; x < BALL; x++) {
            if (!way_of(x, y, ball->behind, &way)) continue;
            FrVec3 at = fr_axpy(FR_RADIATE_FAR * m->radius, way, centre);
            fr_radiation_gains(d->radiation, at, FR_RADIATION_FULL, gain);
            double db = 20.0 * log10(fr_max((double)gain[m->mode] / most, 1e-9));
            size_t pixel =
                (size_t)(ball->top + y) * (size_t)ball->image.width + (size_t)(ball->left + x);
            fr_picture_shade(1.0 + db / RANGE, ball->image.rgba + 4 * pixel);
        }
}

static void draw_mode(const FrDirectivity *d, int32_t i, FrImage image, float *gain) {
    const FrModeAir *m = &d->mode[i];
    int32_t left = i % ACROSS * CELL_WIDTH + GAP, top = i / ACROSS * CELL_HEIGHT + HEAD;
    FrVec3 loudest =
        fr_axpy(FR_RADIATE_FAR * m->radius, m->loudest, fr_radiation_about(d->radiation).x0);
    fr_radiation_gains(d->radiation, loudest, FR_RADIATION_FULL, gain);
    double most = (double)gain[m->mode];
    char text[64];
    snprintf(text, sizeof text, "%.0f Hz, ka %.2g, +%.0f dB", m->hz, m->k * m->radius,
             m->directivity);
    fr_text_draw(image, left, top - 8, 10, ink, text);
    for (int behind = 0; behind < 2; behind++) {
        Ball ball = {image, left + behind * (BALL + GAP), top, behind};
        draw_ball(d, m, &ball, fr_max(most, 1e-300), gain);
    }
}

FrResult fr_directivity_save(FrContext *ctx, const FrDirectivity *d, const char *path) {
    int32_t count = fr_min_i(d->count, MOST), rows = (count + ACROSS - 1) / ACROSS;
    FrImage image = {fr_min_i(count, ACROSS) * CELL_WIDTH, rows * CELL_HEIGHT, NULL};
    size_t pixels = (size_t)image.width * (size_t)image.height;
    float *gain = FR_NEW(ctx, float, fr_radiation_mode_count(d->radiation));
    image.rgba = FR_NEW(ctx, uint8_t, 4 * pixels);
    FrResult result = gain && image.rgba ? FR_OK : fr_no_memory(ctx, "a picture");
    for (size_t k = 0; k < pixels && result == FR_OK; k++)
        fr_picture_shade(0.0, image.rgba + 4 * k);
    for (int32_t i = 0; i < count && result == FR_OK; i++) draw_mode(d, i, image, gain);
    if (result == FR_OK) result = fr_png_write(ctx, path, image.width, image.height, image.rgba);
    fr_free(ctx, gain);
    fr_free(ctx, image.rgba);
    return result;
}
