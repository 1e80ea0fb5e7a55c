// page_broken.c: what broke, on the page of a run: a table of pieces, cracks in sum and the largest
// of them.

#include "export/page_inside.h"
#include "math/vec.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PIECES_SHOWN 200
#define CRACKS_SHOWN 100

void fr_page_cell(FrWriter *out, double value, int digits) {
    fr_page_put(out, "<td>");
    if (!isnan(value)) fr_page_number(out, value, digits);
    fr_page_put(out, "</td>");
}

void fr_page_place(FrWriter *out, FrVec3 x) {
    for (int k = 0; k < 3; k++) fr_page_cell(out, fr_vec3_get(x, k), 4);
}

static int by_mass(const void *a, const void *b) {
    const FrPieceRow *x = *(const FrPieceRow *const *)a, *y = *(const FrPieceRow *const *)b;
    if (x->mass != y->mass) return x->mass > y->mass ? -1 : 1;
    return x < y ? -1 : 1;
}

static int by_area(const void *a, const void *b) {
    const FrEvent *x = *(const FrEvent *const *)a, *y = *(const FrEvent *const *)b;
    double p = x->u.crack.area, q = y->u.crack.area;
    if (p != q) return p > q ? -1 : 1;
    return x->seq < y->seq ? -1 : 1;
}

static void put_piece(FrWriter *out, const FrPieceRow *row) {
    fr_page_put(out, "<tr><td>");
    fr_page_text(out, row->name);
    fr_page_put(out, "</td>");
    fr_page_cell(out, row->parent < 0 ? (double)NAN : row->parent, 9);
    fr_page_cell(out, row->born, 6);
    fr_page_cell(out, row->born_mass, 4);
    fr_page_place(out, row->born_centre);
    fr_page_cell(out, row->mass, 4);
    fr_page_cell(out, row->volume, 4);
    fr_page_place(out, row->centre);
    fr_page_put(out, isnan(row->gone)       ? "</tr>\n"
                     : isnan(row->centre.x) ? "<td>went with its body</td></tr>\n"
                                            : "<td>left as dust</td></tr>\n");
}

FrResult fr_page_pieces(FrWriter *out, const FrPage *page) {
    if (!page->piece_count) return FR_OK;
    int32_t count = page->piece_count, shown = fr_min_i(count, PIECES_SHOWN);
    const FrPieceRow **order =
        (const FrPieceRow **)fr_alloc_zero(out->ctx, (size_t)count, sizeof *order);
    if (!order) return fr_no_memory(out->ctx, "the page");
    for (int32_t k = 0; k < count; k++) order[k] = &page->piece[k];
    if (shown < count) qsort(order, (size_t)count, sizeof *order, by_mass);
    char text[160];
    snprintf(text, sizeof text,
             "<h2>Pieces</h2>\n<p class=\"summary\">%d of bodies that fell apart", count);
    fr_page_put(out, text);
    if (shown < count) {
        snprintf(text, sizeof text, ", the %d heaviest here; all are in report.json", shown);
        fr_page_put(out, text);
    }
    fr_page_put(out,
                ".</p>\n<div class=\"scroll\"><table>\n<tr><th>name</th><th>broke off piece</th>"
                "<th>when, s</th><th>mass then, kg</th><th colspan=\"3\">centre then, m</th>"
                "<th>mass at the end, kg</th><th>volume, m&sup3;</th>"
                "<th colspan=\"3\">centre at the end, m</th></tr>\n");
    for (int32_t k = 0; k < shown; k++) put_piece(out, order[k]);
    fr_page_put(out, "</table></div>\n");
    fr_free(out->ctx, order);
    return FR_OK;
}

static void put_crack(FrWriter *out, const FrPage *page, const FrEvent *e) {
    fr_page_put(out, "<tr>");
    fr_page_cell(out, e->t, 6);
    fr_page_body(out, page, fr_event_body(e));
    fr_page_place(out, e->u.crack.x);
    fr_page_place(out, e->u.crack.n);
    fr_page_cell(out, e->u.crack.strength, 4);
    fr_page_cell(out, e->u.crack.limit, 4);
    fr_page_cell(out, e->u.crack.area, 4);
    fr_page_cell(out, e->u.crack.energy, 4);
    fr_page_put(out, "</tr>\n");
}

static void put_crack_sum(FrWriter *out, const FrCrackSum *sum, int32_t shown) {
    char text[96];
    snprintf(text, sizeof text, "<h2>Cracks</h2>\n<p class=\"summary\">%" PRId64 " between ",
             sum->count);
    fr_page_put(out, text);
    fr_page_number(out, sum->first, 6);
    fr_page_put(out, " s and ");
    fr_page_number(out, sum->last, 6);
    fr_page_put(out, " s, ");
    fr_page_number(out, sum->area, 4);
    fr_page_put(out, " m&sup2; in all, at nodes that held ");
    fr_page_number(out, sum->energy, 4);
    fr_page_put(out, " J of elastic energy");
    if (shown < sum->count) {
        snprintf(text, sizeof text, "; the %d largest here, all are in events.csv", shown);
        fr_page_put(out, text);
    }
    fr_page_put(out, ".</p>\n<div class=\"scroll\"><table>\n<tr><th>time, s</th><th>body</th>"
                     "<th colspan=\"3\">place, m</th><th colspan=\"3\">normal</th>"
                     "<th>strength, N</th><th>limit, N</th><th>area, m&sup2;</th>"
                     "<th>energy held, J</th></tr>\n");
}

FrResult fr_page_cracks(FrWriter *out, const FrPage *page) {
    if (!page->events) return FR_OK;
    const FrEventLog *log = page->events;
    FrCrackSum sum = fr_crack_sum(log);
    if (!sum.count) return FR_OK;
    int32_t shown = (int32_t)sum.count, count = 0;
    const FrEvent **order = (const FrEvent **)fr_alloc_zero(out->ctx, (size_t)shown, sizeof *order);
    if (!order) return fr_no_memory(out->ctx, "the page");
    for (int32_t k = 0; k < log->count; k++)
        if (log->data[k].kind == FR_EVENT_CRACK) order[count++] = &log->data[k];
    shown = fr_min_i(count, CRACKS_SHOWN);
    if (shown < count) qsort(order, (size_t)count, sizeof *order, by_area);
    put_crack_sum(out, &sum, shown);
    for (int32_t k = 0; k < shown; k++) put_crack(out, page, order[k]);
    fr_page_put(out, "</table></div>\n");
    fr_free(out->ctx, order);
    return FR_OK;
}
