// page_energy.c: energies over time as an inline SVG: curves, axes, legend.

#include "export/page_inside.h"
#include <math.h>
#include <stddef.h>

enum { WIDTH = 960, HEIGHT = 340, LEFT = 84, RIGHT = 12, TOP = 40, BOTTOM = 34, POINTS_MAX = 480 };

static const struct {
    const char *name, *colour;
    size_t offset;
} curves[] = {
    {"kinetic", "#2f7ed8", offsetof(FrEnergyRow, kinetic)},
    {"elastic", "#1aa179", offsetof(FrEnergyRow, elastic)},
    {"plastic", "#b0761b", offsetof(FrEnergyRow, plastic)},
    {"damping", "#d64550", offsetof(FrEnergyRow, damping)},
    {"contact", "#8e5bd0", offsetof(FrEnergyRow, contact)},
    {"fracture", "#e08a1e", offsetof(FrEnergyRow, fracture)},
    {"dust", "#c2a878", offsetof(FrEnergyRow, dust)},
    {"external", "#7a8699", offsetof(FrEnergyRow, external)},
};
enum { CURVES = sizeof curves / sizeof curves[0] };

typedef struct Plot {
    const FrPage *page;
    double t0, t1, lo, hi;
} Plot;

static double value_of(const FrEnergyRow *row, int curve) {
    return *(const double *)((const char *)row + curves[curve].offset);
}

static double x_of(const Plot *p, double t) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (t - p->t0) / (p->t1 - p->t0);
}
static double y_of(const Plot *p, double e) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (e - p->lo) / (p->hi - p->lo);
}

static bool always_zero(const FrPage *page, int curve) {
    for (int32_t k = 0; k < page->energy_count; k++)
        if (value_of(&page->energy[k], curve) != 0.0) return false;
    return true;
}

static Plot measure(const FrPage *page) {
    const FrEnergyRow *row = page->energy;
    Plot p = {page, page->tick_seconds * (double)row[0].tick,
              page->tick_seconds * (double)row[page->energy_count - 1].tick, 0.0, 0.0};
    for (int32_t k = 0; k < page->energy_count; k++)
        for (int c = 0; c < CURVES; c++) {
            double e = value_of(&row[k], c);
            if (isfinite(e) && e < p.lo) p.lo = e;
            if (isfinite(e) && e > p.hi) p.hi = e;
        }
    if (!(p.t1 > p.t0)) p.t1 = p.t0 + 1.0;
    if (!(p.hi > p.lo)) p.hi = p.lo + 1.0;
    return p;
}

static void put_curve(FrWriter *out, const Plot *p, int curve) {
    const FrPage *page = p->page;
    int32_t stride = (page->energy_count - 1) / POINTS_MAX + 1;
    fr_page_put(out, "<polyline fill=\"none\" stroke-width=\"1.8\" stroke=\"");
    fr_page_put(out, curves[curve].colour);
    fr_page_put(out, "\" points=\"");
    for (int32_t k = 0; k < page->energy_count; k += stride) {
        double e = value_of(&page->energy[k], curve);
        if (!isfinite(e)) continue;
        fr_page_number(out, x_of(p, page->tick_seconds * (double)page->energy[k].tick), 5);
        fr_page_put(out, ",");
        fr_page_number(out, y_of(p, e), 5);
        fr_page_put(out, " ");
    }
    fr_page_put(out, "\"/>\n");
}

static void put_label(FrWriter *out, double x, double y, const char *anchor) {
    fr_page_put(out, "<text x=\"");
    fr_page_number(out, x, 5);
    fr_page_put(out, "\" y=\"");
    fr_page_number(out, y, 5);
    fr_page_put(out, "\" text-anchor=\"");
    fr_page_put(out, anchor);
    fr_page_put(out, "\">");
}

static void put_line(FrWriter *out, double x1, double y1, double x2, double y2) {
    static const char *const name[4] = {"<line x1=\"", "\" y1=\"", "\" x2=\"", "\" y2=\""};
    const double value[4] = {x1, y1, x2, y2};
    for (int k = 0; k < 4; k++) {
        fr_page_put(out, name[k]);
        fr_page_number(out, value[k], 5);
    }
    fr_page_put(out, "\" stroke=\"currentColor\" stroke-opacity=\".15\"/>\n");
}

static void put_axes(FrWriter *out, const Plot *p) {
    for (int k = 0; k <= 4; k++) {
        double e = p->lo + (p->hi - p->lo) * k / 4, t = p->t0 + (p->t1 - p->t0) * k / 4;
        put_line(out, LEFT, y_of(p, e), WIDTH - RIGHT, y_of(p, e));
        put_label(out, LEFT - 8, y_of(p, e) + 4, "end");
        fr_page_number(out, e, 3);
        fr_page_put(out, " J</text>\n");
        put_label(out, x_of(p, t), HEIGHT - 12, k == 4 ? "end" : "middle");
        fr_page_number(out, t, 3);
        fr_page_put(out, " s</text>\n");
    }
}

void fr_page_energy(FrWriter *out, const FrPage *page) {
    if (!page->energy || page->energy_count <= 0) return;
    Plot p = measure(page);
    double x = LEFT;
    fr_page_put(out, "<h2>Energy</h2>\n<svg viewBox=\"0 0 960 340\" role=\"img\" "
                     "aria-label=\"energies over time\">\n");
    put_axes(out, &p);
    for (int c = 0; c < CURVES; c++) {
        if (always_zero(page, c)) continue;
        put_curve(out, &p, c);
        fr_page_put(out, "<circle r=\"5\" cy=\"20\" cx=\"");
        fr_page_number(out, x + 6, 5);
        fr_page_put(out, "\" fill=\"");
        fr_page_put(out, curves[c].colour);
        fr_page_put(out, "\"/>");
        put_label(out, x + 16, 24, "start");
        fr_page_put(out, curves[c].name);
        fr_page_put(out, "</text>\n");
        x += 100;
    }
    fr_page_put(out, "</svg>\n");
}
