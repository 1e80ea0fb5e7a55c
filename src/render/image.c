// image.c: filling, pasting and stroke-font text on 8-bit pictures.

#include "render/image.h"
#include <math.h>
#include <string.h>

static void blend(FrImage image, int32_t x, int32_t y, FrInk ink, double cover) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    uint8_t *at = image.rgba + 4 * ((size_t)y * (size_t)image.width + (size_t)x);
    double a = fr_clamp(cover * ink.opacity, 0, 1);
    at[0] = (uint8_t)(at[0] + a * (ink.r - at[0]) + 0.5);
    at[1] = (uint8_t)(at[1] + a * (ink.g - at[1]) + 0.5);
    at[2] = (uint8_t)(at[2] + a * (ink.b - at[2]) + 0.5);
}

void fr_image_fill(FrImage image, int32_t x, int32_t y, int32_t width, int32_t height, FrInk ink) {
    int32_t x1 = fr_min_i(x + width, image.width), y1 = fr_min_i(y + height, image.height);
    for (int32_t j = fr_max_i(y, 0); j < y1; j++)
        for (int32_t i = fr_max_i(x, 0); i < x1; i++) blend(image, i, j, ink, 1);
}

void fr_image_paste(FrImage to, int32_t x, int32_t y, FrImage from) {
    int32_t x0 = fr_max_i(x, 0), x1 = fr_min_i(x + from.width, to.width);
    if (x0 >= x1) return;
    for (int32_t j = fr_max_i(y, 0); j < fr_min_i(y + from.height, to.height); j++)
        memcpy(to.rgba + 4 * ((size_t)j * (size_t)to.width + (size_t)x0),
               from.rgba + 4 * ((size_t)(j - y) * (size_t)from.width + (size_t)(x0 - x)),
               4 * (size_t)(x1 - x0));
}

// Strokes of ' ' to '~'. A stroke is a chain of points, strokes are separated by blanks. A point is
// a digit and a letter: x in eighths of the width of a capital, y from 'a' (below the line) through
// 'c' (the line) and 'g' (small letters) to 'i' (capitals).
static const char *const glyph[95] = {
    "",
    "0c0c 0e0i",
    "0g0i 3g3i",
    "2c3i 5c6i 0e7e 1g8g",
    "8h6i2i0h0g2f6f8e8d6c2c0d 4b4j",
    "0c8i 0i3i3g0g0i 5e8e8c5c5e",
    "8c1h1i3i4h0e0d2c5c8f",
    "0g0i",
    "2j0h0d2b",
    "0j2h2d0b",
    "4d4h 0g8e 0e8g",
    "0f6f 3d3h",
    "1c0b",
    "0f5f",
    "1c1c",
    "0b6j",
    "2c6c8d8h6i2i0h0d2c",
    "1g4i4c 1c7c",
    "0h2i6i8h8f0c8c",
    "0i8i4f6f8e8d6c2c0d",
    "6c6i0e8e",
    "8i0i0f6f8e8d6c2c0d",
    "8h6i2i0h0d2c6c8d8e6f2f0e",
    "0i8i3c",
    "2f0g0h2i6i8h8g6f2f0e0d2c6c8d8e6f",
    "0d2c6c8d8h6i2i0h0g2f6f8g",
    "0c0c 0f0f",
    "1c0b 1f1f",
    "5h0f5d",
    "0e6e 0g6g",
    "0h5f0d",
    "0h2i5i7h7g4f4e 4c4c",
    "6e4e4g6g6d8d8h6i2i0h0d2c6c",
    "0c4i8c 2f6f",
    "0c0i6i8h8g6f0f 6f8e8d6c0c",
    "8h6i2i0h0d2c6c8d",
    "0c0i5i8g8e5c0c",
    "8i0i0c8c 0f6f",
    "8i0i0c 0f6f",
    "8h6i2i0h0d2c6c8d8f5f",
    "0c0i 8c8i 0f8f",
    "0c4c 2c2i 0i4i",
    "0d2c4c6d6i",
    "0c0i 8i0e 2f8c",
    "0i0c7c",
    "0c0i4f8i8c",
    "0c0i8c8i",
    "2c6c8d8h6i2i0h0d2c",
    "0c0i6i8h8g6f0f",
    "2c6c8d8h6i2i0h0d2c 5e8b",
    "0c0i6i8h8g6f0f 4f8c",
    "8h6i2i0h0g2f6f8e8d6c2c0d",
    "0i8i 4i4c",
    "0i0d2c6c8d8i",
    "0i4c8i",
    "0i2c4g6c8i",
    "0c8i 0i8c",
    "0i4f8i 4f4c",
    "0i8i0c8c",
    "2j0j0b2b",
    "0j6b",
    "0j2j2b0b",
    "0g3i6g",
    "0b8b",
    "0i2h",
    "0g4g6f6c 6e1e0d1c4c6d",
    "0i0c 0f2g4g6f6d4c2c0d",
    "6f4g2g0f0d2c4c6d",
    "6i6c 6f4g2g0f0d2c4c6d",
    "0e6e6f4g2g0f0d2c5c",
    "5i3i2h2c 0g4g",
    "6g6b4a1a 6f4g2g0f0d2c4c6d",
    "0i0c 0f2g4g6f6c",
    "0g0c 0i0i",
    "2g2b0a 2i2i",
    "0i0c 5g0e 2e6c",
    "0i0d1c",
    "0g0c 0f1g3g4f4c 4f5g7g8f8c",
    "0g0c 0f2g4g6f6c",
    "2g4g6f6d4c2c0d0f2g",
    "0g0a 0f2g4g6f6d4c2c0d",
    "6g6a 6f4g2g0f0d2c4c6d",
    "0g0c 0f2g4g",
    "5g1g0f1e5e6d5c0c",
    "2i2d3c4c 0g4g",
    "0g0d2c4c6d 6g6c",
    "0g3c6g",
    "0g2c4f6c8g",
    "0c6g 0g6c",
    "0g3c 6g2a0a",
    "0g6g0c6c",
    "3j2i2g0f2e2c3b",
    "0b0j",
    "0j1i1g3f1e1c0b",
    "0f2g5e7f",
};

// ' ' .. '~' or the box of what is not there
static const char *strokes_of(char c) {
    return c >= ' ' && c <= '~' ? glyph[c - ' '] : "0c0i6i6c0c";
}

// how far the pen moves, in eighths
static double advance_of(char c) {
    if (c == ' ') return 6;
    if (c == '.') return 5.2; // room on both sides, or it melts into digits of few pixels
    char widest = '0';
    for (const char *s = strokes_of(c); *s; s++)
        if (*s >= '0' && *s <= '9' && *s > widest) widest = *s;
    return (widest - '0') + 3.2;
}

double fr_text_width(double size, const char *text) {
    double width = 0;
    for (; *text; text++) width += advance_of(*text);
    return size * 0.625 / 8 * (width > 0 ? width - 3.2 : 0);
}

static double segment_distance(double px, double py, const double a[2], const double b[2]) {
    double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((px - a[0]) * dx + (py - a[1]) * dy) / length2 : 0;
    t = fr_clamp(t, 0, 1);
    double ex = px - a[0] - t * dx, ey = py - a[1] - t * dy;
    return sqrt(ex * ex + ey * ey);
}

#define GLYPH_SEGMENTS 32

// segments of a glyph in pixels; a stroke of one point is a dot
static int segments_of(char c, double x, double y, double size, double segment[][2][2]) {
    double unit_x = size * 0.625 / 8, unit_y = size / 6, previous[2] = {0, 0};
    int count = 0;
    bool start = true;
    for (const char *s = strokes_of(c); *s && count < GLYPH_SEGMENTS; s++) {
        if (*s == ' ') {
            start = true;
            continue;
        }
        double at[2] = {x + unit_x * (s[0] - '0'), y - unit_y * (s[1] - 'c')};
        s++;
        if (!start) {
            memcpy(segment[count][0], previous, sizeof at);
            memcpy(segment[count++][1], at, sizeof at);
        }
        memcpy(previous, at, sizeof at);
        start = false;
    }
    return count;
}

// how much of a pixel is inside a stroke: one pixel of slope at its rim. A dot is bolder than a
// line, and wider than a pixel however small the text is, or it is not seen between digits.
static double cover_of(double px, double py, const double segment[2][2], double half) {
    bool dot = segment[0][0] == segment[1][0] && segment[0][1] == segment[1][1];
    double reach = dot ? fr_max(0.95, 1.3 * half) : half;
    return reach + 0.5 - segment_distance(px, py, segment[0], segment[1]);
}

static void draw_glyph(FrImage image, double x, double y, double size, FrInk ink, char c) {
    double segment[GLYPH_SEGMENTS][2][2], half = fr_max(0.55, size * 0.062), rim = 1.3 * half + 1;
    int count = segments_of(c, x, y, size, segment);
    int32_t x0 = (int32_t)floor(x - rim), x1 = (int32_t)ceil(x + size * 0.72 + rim);
    int32_t y0 = (int32_t)floor(y - size * 1.2 - rim), y1 = (int32_t)ceil(y + size * 0.4 + rim);
    for (int32_t j = y0; j <= y1; j++) {
        for (int32_t i = x0; i <= x1; i++) {
            double cover = 0;
            for (int k = 0; k < count; k++)
                cover =
                    fr_max(cover, cover_of(i + 0.5, j + 0.5, (const double(*)[2])segment[k], half));
            if (cover > 0) blend(image, i, j, ink, fr_min(cover, 1));
        }
    }
}

void fr_text_draw(FrImage image, double x, double y, double size, FrInk ink, const char *text) {
    for (; *text; text++) {
        draw_glyph(image, x, y, size, ink, *text);
        x += advance_of(*text) * size * 0.625 / 8;
    }
}
