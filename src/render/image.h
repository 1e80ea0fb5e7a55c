// image.h: pictures in memory: text, bars and boxes drawn on them, and one picture put in another.
#pragma once
#include "base/base.h"

/// 8-bit RGBA, sRGB, rows from the top. Borrowed.
typedef struct FrImage {
    int32_t width, height; ///< pixels
    uint8_t *rgba;         ///< (4 * width * height)
} FrImage;

typedef struct FrInk {
    uint8_t r, g, b;
    double opacity; ///< 0..1
} FrInk;

void fr_image_fill(FrImage image, int32_t x, int32_t y, int32_t width, int32_t height, FrInk ink);
/// Copy `from` to (x, y) of `to`, cut to what fits.
void fr_image_paste(FrImage to, int32_t x, int32_t y, FrImage from);

/// Printable ASCII in an own stroke font; anything else is drawn as a box. (x, y): the left end of
/// the base line, pixels. `size`: height of a capital, pixels.
void fr_text_draw(FrImage image, double x, double y, double size, FrInk ink, const char *text);
/// How wide fr_text_draw makes it, pixels.
double fr_text_width(double size, const char *text);
