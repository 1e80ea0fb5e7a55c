// font.c: our own bold letters, drawn with lines and elliptic arcs on a grid of 1000 to a capital.

#include "geom/font.h"
#include <stdlib.h>
#include <string.h>

#define ARC_STEP 5.0 ///< degrees of an arc for one line: off by 0.05 % of the letter

#define GAP 25 ///< between letters, besides their own room

/// Path: M begins a loop; numbers after M or L are points x y; A cx cy rx ry from to is an arc in
/// degrees; @c is the glyph c upside down.
typedef struct Glyph {
    char sign;
    int16_t width, left, right; ///< of the drawing, and free room beside it
    const char *path;
} Glyph;

static const Glyph glyphs[] = {
    {'A', 780, 15, 15,
     "M 0 0 280 1000 500 1000 780 0 552 0 506 165 274 165 228 0 M 314 325 466 325 390 640"},
    {'B', 660, 60, 35,
     "M 0 0 0 1000 350 1000 A 350 732 275 268 90 -38 A 340 290 320 290 48 -90 L 340 0"
     "M 215 170 335 170 A 335 287 105 117 -90 90 L 215 404"
     "M 215 586 330 586 A 330 708 95 122 -90 90 L 215 830"},
    {'C', 720, 35, 20, "M A 390 500 390 512 40 320 A 390 500 178 318 320 40"},
    {'D', 700, 60, 35,
     "M 0 0 0 1000 290 1000 A 290 500 410 500 90 -90 M 215 180 280 180 A 280 500 200 320 -90 90 L "
     "215 820"},
    {'E', 570, 60, 30,
     "M 0 0 0 1000 560 1000 560 812 215 812 215 598 520 598 520 416 215 416 215 188 570 188 570 0"},
    {'F', 560, 60, 15,
     "M 0 0 0 1000 560 1000 560 812 215 812 215 585 515 585 515 400 215 400 215 0"},
    {'G', 745, 35, 50,
     "M A 390 500 390 512 40 312 L 745 205 745 550 425 550 425 385 540 385 540 318"
     "A 390 500 178 318 318 40"},
    {'H', 690, 60, 60,
     "M 0 0 0 1000 215 1000 215 600 475 600 475 1000 690 1000 690 0 475 0 475 410 215 410 215 0"},
    {'I', 215, 60, 60, "M 0 0 0 1000 215 1000 215 0"},
    {'J', 520, 20, 55, "M 520 1000 A 260 330 260 342 0 -172 A 260 330 46 152 -168 0 L 306 1000"},
    {'K', 730, 60, 5,
     "M 0 0 0 1000 215 1000 215 590 470 1000 715 1000 425 565 730 0 480 0 280 392 215 300 215 0"},
    {'L', 540, 60, 15, "M 0 0 0 1000 215 1000 215 190 540 190 540 0"},
    {'M', 860, 60, 60,
     "M 0 0 0 1000 265 1000 430 460 595 1000 860 1000 860 0 655 0 655 610 505 120 355 120 205 610 "
     "205 0"},
    {'N', 700, 60, 60, "M 0 0 0 1000 215 1000 490 405 490 1000 700 1000 700 0 485 0 210 595 210 0"},
    {'O', 800, 35, 35, "M A 400 500 400 512 0 360 M A 400 500 188 318 0 360"},
    {'P', 650, 60, 20,
     "M 0 0 0 1000 330 1000 A 330 665 320 335 90 -90 L 215 330 215 0"
     "M 215 510 320 510 A 320 665 115 155 -90 90 L 215 820"},
    {'Q', 800, 35, 35, "M A 400 500 400 512 -38 298 L 660 -130 830 30 M A 400 500 188 318 0 360"},
    {'R', 725, 60, 10,
     "M 0 0 0 1000 345 1000 A 345 682 325 318 90 -58 L 725 0 485 0 308 364 215 364 215 0"
     "M 215 540 335 540 A 335 682 115 142 -90 90 L 215 824"},
    {'S', 650, 30, 30,
     "M A 325 706 315 306 28 270 A 325 294 113 106 90 -152 A 325 294 325 306 -152 90"
     "A 325 706 110 106 270 28"},
    {'T', 640, 15, 15, "M 212 0 212 812 0 812 0 1000 640 1000 640 812 428 812 428 0"},
    {'U', 690, 55, 55,
     "M 0 1000 A 345 352 345 364 180 360 L 690 1000 475 1000 A 345 352 130 172 360 180 L 215 1000"},
    {'V', 760, 10, 10, "M 270 0 0 1000 228 1000 380 325 532 1000 760 1000 490 0"},
    {'W', 1100, 10, 10,
     "M 195 0 0 1000 215 1000 315 370 445 1000 655 1000 785 370 885 1000 1100 1000 905 0 680 0 550 "
     "620 420 0"},
    {'X', 740, 10, 10,
     "M 0 0 245 510 15 1000 260 1000 370 715 480 1000 725 1000 495 510 740 0 490 0 370 300 250 0"},
    {'Y', 730, 10, 10, "M 258 0 258 390 0 1000 235 1000 365 620 495 1000 730 1000 472 390 472 0"},
    {'Z', 620, 25, 25, "M 0 0 0 165 350 812 20 812 20 1000 610 1000 610 835 258 188 620 188 620 0"},
    {'0', 660, 35, 35, "M A 330 500 330 512 0 360 M A 330 500 125 325 0 360"},
    {'1', 420, 35, 70, "M 205 0 205 690 0 610 0 800 235 1000 420 1000 420 0"},
    {'2', 620, 35, 35,
     "M A 305 705 305 307 168 -40 L 318 190 620 190 620 0 0 0 0 150 330 545"
     "A 305 705 102 118 -35 168"},
    {'3', 630, 30, 35,
     "M A 300 738 290 274 158 -42 A 305 304 325 316 46 -160 A 305 304 112 128 -160 90"
     "L 205 432 205 632 300 632 A 300 738 85 100 -80 158"},
    {'4', 670, 25, 25,
     "M 360 0 360 190 0 190 0 350 320 1000 572 1000 572 372 670 372 670 190 572 190 572 0"
     "M 200 372 360 372 360 700"},
    {'5', 630, 30, 35,
     "M 70 1000 585 1000 585 812 255 812 245 655 A 305 328 325 340 98 -160"
     "A 305 328 112 150 -160 140 L 30 430"},
    {'6', 650, 35, 35,
     "M A 400 400 400 612 62 180 A 325 328 325 340 180 470 A 400 400 192 425 142 62"
     "M A 325 328 118 152 0 360"},
    {'7', 600, 20, 20, "M 90 0 350 810 0 810 0 1000 600 1000 600 830 325 0"},
    {'8', 650, 35, 35,
     "M A 325 738 300 274 -42 222 A 325 304 325 316 130 410 M A 325 304 115 128 0 360"
     "M A 325 738 98 102 0 360"},
    {'9', 650, 35, 35, "@6"},
    {' ', 220, 40, 40, ""},
    {'.', 230, 55, 55, "M 0 0 0 230 230 230 230 0"},
    {',', 230, 55, 55, "M 0 0 0 230 230 230 230 40 120 -170 10 -170 80 0"},
    {':', 230, 55, 55, "M 0 0 0 230 230 230 230 0 M 0 470 0 700 230 700 230 470"},
    {';', 230, 55, 55,
     "M 0 0 0 230 230 230 230 40 120 -170 10 -170 80 0 M 0 470 0 700 230 700 230 470"},
    {'!', 230, 60, 60, "M 0 0 0 230 230 230 230 0 M 0 1000 230 1000 195 320 35 320"},
    {'?', 580, 30, 30,
     "M A 290 712 290 300 168 -52 L 392 420 392 320 188 320 188 500 A 290 712 92 112 -50 168"
     "M 175 0 175 230 405 230 405 0"},
    {'-', 360, 45, 45, "M 0 330 0 520 360 520 360 330"},
    {'+', 560, 45, 45,
     "M 185 100 185 325 0 325 0 515 185 515 185 740 375 740 375 515 560 515 560 325 375 325 375 "
     "100"},
    {'=', 520, 50, 50, "M 0 180 0 365 520 365 520 180 M 0 485 0 670 520 670 520 485"},
    {'/', 480, 15, 15, "M 0 -60 285 1060 480 1060 195 -60"},
    {'\'', 215, 45, 45, "M 35 620 0 1000 215 1000 180 620"},
    {'(', 310, 45, 15, "M A 480 430 480 760 128 232 A 480 430 275 760 232 128"},
    {')', 310, 15, 45, "M A -170 430 480 760 -52 52 A -170 430 275 760 52 -52"},
};

static const Glyph *find_glyph(char sign) {
    if (sign >= 'a' && sign <= 'z') sign = (char)(sign - 'a' + 'A');
    for (size_t k = 0; k < sizeof glyphs / sizeof *glyphs; k++)
        if (glyphs[k].sign == sign) return &glyphs[k];
    return NULL;
}

const char *fr_font_unknown(const char *text) {
    for (; *text; text++)
        if (!find_glyph(*text)) return text;
    return NULL;
}

// where a glyph is drawn to; with NULL arrays it only counts
typedef struct Pen {
    double (*xy)[2];
    int32_t *loop_end;
    int32_t point_count, loop_count;
    double x, scale; ///< of the glyph's left side; m for one unit
    bool upside_down;
    double width;
    int32_t in_loop;          ///< points of the loop being drawn
    double first[2], last[2]; ///< of them, in units
} Pen;

static bool same_place(const double *p, double x, double y) {
    return fabs(p[0] - x) < 0.5 && fabs(p[1] - y) < 0.5;
}

// a point where the pen already is (the end of a line, the start of an arc) is not put twice
static void put_point(Pen *pen, double x, double y) {
    if (pen->in_loop && same_place(pen->last, x, y)) return;
    if (!pen->in_loop++) pen->first[0] = x, pen->first[1] = y;
    pen->last[0] = x, pen->last[1] = y;
    if (pen->upside_down) x = pen->width - x, y = 1000.0 - y;
    if (pen->xy) {
        pen->xy[pen->point_count][0] = pen->x + pen->scale * x;
        pen->xy[pen->point_count][1] = pen->scale * (y - 500.0);
    }
    pen->point_count++;
}

static void put_arc(Pen *pen, const double a[6]) {
    double turn = a[5] - a[4];
    int32_t steps = (int32_t)ceil(fabs(turn) / ARC_STEP);
    for (int32_t k = 0; k <= steps; k++) {
        double angle = (a[4] + turn * k / steps) * (FR_PI / 180.0);
        put_point(pen, a[0] + a[2] * cos(angle), a[1] + a[3] * sin(angle));
    }
}

static void end_loop(Pen *pen) {
    if (same_place(pen->last, pen->first[0], pen->first[1])) pen->point_count--;
    if (pen->loop_end) pen->loop_end[pen->loop_count] = pen->point_count;
    pen->loop_count++;
    pen->in_loop = 0;
}

// the paths are our own: numbers are small integers, letters are known
static void draw(Pen *pen, const char *path) {
    for (bool first = true; *path;) {
        char *next;
        if (*path == 'M') {
            if (!first) end_loop(pen);
            first = false;
            path++;
        } else if (*path == 'A') {
            double a[6];
            path++;
            for (int k = 0; k < 6; k++, path = next) a[k] = (double)strtol(path, &next, 10);
            put_arc(pen, a);
        } else if (*path == 'L' || *path == ' ') {
            path++;
        } else {
            double x = (double)strtol(path, &next, 10);
            double y = (double)strtol(next, &next, 10);
            put_point(pen, x, y);
            path = next;
        }
    }
}

static void draw_glyph(Pen *pen, const Glyph *glyph) {
    pen->width = glyph->width;
    pen->upside_down = glyph->path[0] == '@';
    const char *path = pen->upside_down ? find_glyph(glyph->path[1])->path : glyph->path;
    if (!*path) return;
    draw(pen, path);
    end_loop(pen);
}

static void draw_text(Pen *pen, const char *text, double size) {
    double wide = 0.0, at = 0.0;
    for (const char *c = text; *c; c++) {
        const Glyph *glyph = find_glyph(*c);
        wide += glyph->width + (c == text ? 0 : glyph->left) + (c[1] ? glyph->right + GAP : 0);
    }
    pen->scale = 0.001 * size;
    for (const char *c = text; *c; c++) {
        const Glyph *glyph = find_glyph(*c);
        if (c != text) at += glyph->left;
        pen->x = pen->scale * (at - 0.5 * wide);
        draw_glyph(pen, glyph);
        at += glyph->width + glyph->right + GAP;
    }
}

static bool inside_loop(const double (*xy)[2], int32_t begin, int32_t end, const double *p) {
    bool odd = false;
    for (int32_t k = begin, j = end - 1; k < end; j = k++)
        if ((xy[k][1] > p[1]) != (xy[j][1] > p[1]))
            odd ^=
                p[0] < xy[k][0] + (p[1] - xy[k][1]) / (xy[j][1] - xy[k][1]) * (xy[j][0] - xy[k][0]);
    return odd;
}

// outer loops turn left, loops inside another one turn right
static void orient_loops(Pen *pen) {
    for (int32_t loop = 0, begin = 0; loop < pen->loop_count; begin = pen->loop_end[loop++]) {
        int32_t end = pen->loop_end[loop];
        bool hole = false;
        for (int32_t other = 0, from = 0; other < pen->loop_count; from = pen->loop_end[other++])
            if (other != loop)
                hole ^= inside_loop((const double(*)[2])pen->xy, from, pen->loop_end[other],
                                    pen->xy[begin]);
        int32_t length = end - begin;
        FrOutline one = {1, length, &length, (const double(*)[2])(pen->xy + begin)};
        if ((fr_outline_area(&one) < 0.0) == hole) continue;
        for (int32_t k = 0; k < length / 2; k++) {
            double swap[2];
            memcpy(swap, pen->xy[begin + k], sizeof swap);
            memcpy(pen->xy[begin + k], pen->xy[end - 1 - k], sizeof swap);
            memcpy(pen->xy[end - 1 - k], swap, sizeof swap);
        }
    }
}

bool fr_font_outline(FrArena *arena, const char *text, double size, FrOutline *outline) {
    Pen count = {0}, pen = {0};
    draw_text(&count, text, size);
    // one more: a loop that ends where it began takes its last point back
    pen.xy = fr_arena_alloc(arena, (size_t)count.point_count + 1, sizeof *pen.xy);
    pen.loop_end = FR_ARENA_NEW(arena, int32_t, count.loop_count);
    if (!pen.xy || !pen.loop_end) return false;
    draw_text(&pen, text, size);
    orient_loops(&pen);
    *outline =
        (FrOutline){pen.loop_count, pen.point_count, pen.loop_end, (const double(*)[2])pen.xy};
    return true;
}
