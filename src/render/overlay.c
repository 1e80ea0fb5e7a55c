// overlay.c: time stamps and the colour bar of the stress picture.

#include "render/overlay.h"
#include "render/colour.h"
#include <math.h>
#include <stdio.h>

// light letters with a dark rim are read on any ground
static void write(FrImage image, double x, double y, double size, const char *text) {
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

void fr_overlay_time(FrImage image, double t) {
    char text[32];
    double size = text_size(image);
    snprintf(text, sizeof text, fabs(t) < 0.1 && t != 0 ? "%.2f ms" : "%.3f s",
             fabs(t) < 0.1 && t != 0 ? 1e3 * t : t);
    write(image, size, image.height - size, size, text);
}

void fr_stress_text(double pascal, char *text) {
    static const char *const prefix[] = {"", "k", "M", "G"};
    int k = 0;
    while (k < 3 && fabs(pascal) >= 999.5) pascal /= 1000, k++;
    snprintf(text, 32, "%.3g %sPa", pascal, prefix[k]);
}

void fr_overlay_legend(FrImage image, double stress_max) {
    uint8_t map[FR_COLOUR_STEPS][3];
    fr_colour_map(map);
    double size = text_size(image);
    int32_t height = image.height * 55 / 100, width = fr_max_i((int32_t)(size * 0.9), 6);
    int32_t x = (int32_t)(image.width - 7.5 * size), y = (image.height - height) / 2;
    fr_image_fill(image, x - 2, y - 2, width + 4, height + 4, (FrInk){30, 33, 38, 0.85});
    for (int32_t j = 0; j < height; j++) {
        const uint8_t *c = map[(FR_COLOUR_STEPS - 1) * (height - 1 - j) / fr_max_i(height - 1, 1)];
        fr_image_fill(image, x, y + j, width, 1, (FrInk){c[0], c[1], c[2], 1});
    }
    for (int k = 0; k <= 4; k++) {
        char text[32];
        double at = y + height * (1 - k / 4.0);
        fr_stress_text(stress_max * k / 4, text);
        fr_image_fill(image, x + width, (int32_t)at - (k > 0), 6, 1, (FrInk){30, 33, 38, 0.85});
        write(image, x + width + 0.9 * size, at + 0.4 * size, 0.8 * size, text);
    }
    const char *title = "von Mises";
    write(image, x + width / 2.0 - 0.5 * fr_text_width(0.8 * size, title), y - 1.1 * size,
          0.8 * size, title);
}
