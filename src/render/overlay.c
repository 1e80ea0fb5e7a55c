// overlay.c: time stamps and the colour bar of the stress picture.

#include "render/overlay.h"
#include "render/colour.h"
#include <math.h>
#include <stdio.h>

// light letters with a dark rim are read on any ground
void fr_overlay_text(FrImage image, double x, double y, double size, const char *text) {
    FrInk dark = {20, 24, 30, 0.28}, light = {255, 255, 255, 0.95};
    double rim = fr_max(1, size * 0.07);
    for (int k = 0; k < 4; k++)
        fr_text_draw(image, x + (k < 2 ? (k ? rim : -rim) : 0),
                     y + (k < 2   ? 0
                          : k - 2 ? rim
                                  : -rim),
                     size, dark, text);
    fr_text_draw(image, x, y, size, light, text);
}

static double text_size(FrImage image) { return fr_clamp(image.height / 40.0, 8, 40); }

void fr_overlay_time(FrImage image, double t, bool in_ms) {
    char text[32];
    double size = text_size(image);
    snprintf(text, sizeof text, in_ms ? "%.2f ms" : "%.3f s", in_ms ? 1e3 * t : t);
    fr_overlay_text(image, size, image.height - size, size, text);
}

FrLegendBar fr_legend_bar(FrImage image) {
    double size = text_size(image);
    FrLegendBar bar = {.width = image.width * 2 / 5, .height = fr_max_i((int32_t)(0.7 * size), 5)};
    bar.x = (image.width - bar.width) / 2;
    bar.y = image.height - (int32_t)(2.6 * size);
    return bar;
}

void fr_stress_text(double pascal, char *text) {
    static const char *const prefix[] = {"", "k", "M", "G"};
    int k = 0;
    while (k < 3 && fabs(pascal) >= 999.5) pascal /= 1000, k++;
    snprintf(text, 32, "%.3g %sPa", pascal, prefix[k]);
}

// marks are smaller than the time, but never so small that a decimal point is lost
static double mark_size(double size) { return fr_max(0.75 * size, 8.0); }

// do marks k, k + step, ... keep clear of each other?
static bool clear(FrLegendBar bar, const char mark[5][32], double size, int step) {
    double apart = (bar.width - 1) * step / 4.0;
    for (int k = 0; k + step <= 4; k += step)
        if (0.5 * (fr_text_width(size, mark[k]) + fr_text_width(size, mark[k + step])) + size >
            apart)
            return false;
    return true;
}

int fr_legend_step(FrImage image, const char mark[5][32]) {
    FrLegendBar bar = fr_legend_bar(image);
    double small = mark_size(text_size(image));
    int step = 1;
    while (step < 4 && !clear(bar, mark, small, step)) step *= 2;
    return step;
}

// five marks, those with a text that have room for it, and a title
static void draw_bar(FrImage image, const char mark[5][32], const char *title) {
    uint8_t map[FR_COLOUR_STEPS][3];
    fr_colour_map(map);
    double size = text_size(image), small = mark_size(size);
    FrLegendBar bar = fr_legend_bar(image);
    FrInk frame = {30, 33, 38, 0.85};
    fr_image_fill(image, bar.x - 2, bar.y - 2, bar.width + 4, bar.height + 4, frame);
    for (int32_t i = 0; i < bar.width; i++) {
        const uint8_t *c = map[(FR_COLOUR_STEPS - 1) * i / fr_max_i(bar.width - 1, 1)];
        fr_image_fill(image, bar.x + i, bar.y, 1, bar.height, (FrInk){c[0], c[1], c[2], 1});
    }
    int step = fr_legend_step(image, mark);
    for (int k = 0; k <= 4; k++) {
        int32_t at = bar.x + (bar.width - 1) * k / 4;
        fr_image_fill(image, at, bar.y + bar.height + 2, 1, 4, frame);
        if (k % step) continue;
        fr_overlay_text(image, at - 0.5 * fr_text_width(small, mark[k]),
                        bar.y + bar.height + 1.2 * size, small, mark[k]);
    }
    fr_overlay_text(image, bar.x + 0.5 * bar.width - 0.5 * fr_text_width(small, title),
                    bar.y - 0.55 * size, small, title);
}

void fr_overlay_legend(FrImage image, double stress_max) {
    char mark[5][32];
    for (int k = 0; k <= 4; k++) fr_stress_text(stress_max * k / 4, mark[k]);
    draw_bar(image, (const char(*)[32])mark, "von Mises stress");
}

void fr_overlay_speed_legend(FrImage image, double fastest) {
    char mark[5][32];
    for (int k = 0; k <= 4; k++) snprintf(mark[k], sizeof mark[k], "%.3g m/s", fastest * k / 4);
    draw_bar(image, (const char(*)[32])mark, "speed");
}

void fr_overlay_load_legend(FrImage image) {
    static const char mark[5][32] = {"0", "25 %", "50 %", "75 %", "breaks"};
    draw_bar(image, mark, FR_LOAD_TITLE);
}

void fr_overlay_heat_legend(FrImage image) {
    static const char mark[5][32] = {"20 C", "", "", "", "melts"};
    draw_bar(image, mark, "temperature; grey: does not get warm");
}

void fr_overlay_crack_legend(FrImage image, double first, double last, bool precut) {
    char mark[5][32];
    for (int k = 0; k <= 4; k++)
        snprintf(mark[k], sizeof mark[k], "%.4g", 1e3 * (first + (last - first) * k / 4));
    draw_bar(image, (const char(*)[32])mark, precut ? FR_PRECUT_TITLE : FR_CRACK_TITLE);
}
