// page.c: index.html of a run, with the energies as an inline drawing.

#include "export/page.h"
#include "export/page_inside.h"
#include "base/json.h"
#include "base/file.h"
#include "math/vec.h"
#include <locale.h>
#include <stdio.h>
#include <string.h>

#define EVENTS_SHOWN 200

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--ink:#1d2430;--soft:#667085;--line:#d9dee7;--paper:#fbfcfe;"
    "--card:#fff}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8ecf3;--soft:#9aa4b5;--line:#2c3442;"
    "--paper:#12161d;--card:#1a202a}}\n"
    "body{margin:0 auto;max-width:1000px;padding:2rem 1rem 4rem;background:var(--paper);"
    "color:var(--ink);font:16px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:2rem;margin:0}h2{font-size:1.1rem;margin:2.5rem 0 .6rem}\n"
    "p.summary{color:var(--soft);margin:.3rem 0 1.5rem}\n"
    "video,img{width:100%;border-radius:10px;background:#000;display:block}audio{width:100%;"
    "margin-top:.8rem}\n"
    "pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem;"
    "overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "th,td{text-align:left;padding:.25rem .7rem .25rem 0;border-bottom:1px solid var(--line)}"
    "th{color:var(--soft);font-weight:500}\n"
    "div.scroll{max-height:22rem;overflow:auto;border:1px solid var(--line);border-radius:8px;"
    "padding:0 .8rem;background:var(--card)}div.scroll td{white-space:nowrap}\n"
    "svg{width:100%;height:auto;background:var(--card);border:1px solid var(--line);"
    "border-radius:8px}svg text{fill:var(--soft);font:12px system-ui,sans-serif}\n"
    "</style>\n";

void fr_page_put(FrWriter *out, const char *text) { fr_write_bytes(out, text, strlen(text)); }

void fr_page_text(FrWriter *out, const char *text) {
    for (const char *c = text; *c; c++) {
        const char *code = *c == '&'    ? "&amp;"
                           : *c == '<'  ? "&lt;"
                           : *c == '>'  ? "&gt;"
                           : *c == '"'  ? "&quot;"
                           : *c == '\'' ? "&#39;"
                                        : NULL;
        fr_write_bytes(out, code ? code : c, code ? strlen(code) : 1);
    }
}

void fr_page_number(FrWriter *out, double value, int digits) {
    char text[48];
    snprintf(text, sizeof text, "%.*g", digits, value);
    char *point = strchr(text, localeconv()->decimal_point[0]);
    if (point) *point = '.';
    fr_page_put(out, text);
}

// before + escaped text + after
static void wrap(FrWriter *out, const char *before, const char *text, const char *after) {
    fr_page_put(out, before);
    fr_page_text(out, text);
    fr_page_put(out, after);
}

static bool given(const char *text) { return text && text[0]; }

static void put_media(FrWriter *out, const FrPage *page) {
    if (given(page->film)) {
        fr_page_put(out, given(page->sound) ? "<video controls" : "<video controls loop muted");
        fr_page_put(out, " playsinline preload=\"metadata\"");
        if (given(page->poster)) wrap(out, " poster=\"", page->poster, "\"");
        wrap(out, " src=\"", page->film, "\"></video>\n");
    } else if (given(page->poster)) {
        wrap(out, "<img alt=\"poster\" src=\"", page->poster, "\">\n");
    }
    if (given(page->sound)) wrap(out, "<audio controls src=\"", page->sound, "\"></audio>\n");
    if (given(page->spectrogram))
        wrap(out, "<img alt=\"spectrogram\" src=\"", page->spectrogram, "\">\n");
    if (given(page->sheet))
        wrap(out, "<h2>Sheet</h2>\n<img alt=\"contact sheet\" loading=\"lazy\" src=\"", page->sheet,
             "\">\n");
}

static void put_pairs(FrWriter *out, const char *title, const FrPagePair *pair, int32_t count,
                      bool links) {
    if (count <= 0) return;
    wrap(out, "<h2>", title, "</h2>\n<table>\n");
    for (int32_t k = 0; k < count; k++) {
        fr_page_put(out, "<tr><th>");
        if (links) wrap(out, "<a href=\"", pair[k].name, "\">");
        fr_page_text(out, pair[k].name);
        wrap(out, links ? "</a></th><td>" : "</th><td>", pair[k].value, "</td></tr>\n");
    }
    fr_page_put(out, "</table>\n");
}

void fr_page_body(FrWriter *out, const FrPage *page, int32_t id) {
    fr_page_put(out, "<td>");
    if (id >= 0 && id < page->body_name_count && page->body_name[id])
        fr_page_text(out, page->body_name[id]);
    else if (id >= 0)
        fr_page_number(out, id, 9);
    fr_page_put(out, "</td>");
}

static void put_event(FrWriter *out, const FrPage *page, const FrEvent *e) {
    FrEventFacts f = fr_event_facts(e);
    fr_page_put(out, "<tr>");
    fr_page_cell(out, e->t, 6);
    wrap(out, "<td>", fr_event_kind_name(e->kind), "</td>");
    fr_page_body(out, page, fr_event_body(e));
    fr_page_body(out, page, fr_event_other(e));
    fr_page_place(out, f.x);
    fr_page_cell(out, fr_length(f.impulse), 4);
    fr_page_cell(out, f.area, 4);
    fr_page_put(out, "</tr>\n");
}

// cracks and births have tables of their own
static bool listed(const FrEvent *e) {
    return e->kind != FR_EVENT_CRACK && e->kind != FR_EVENT_PIECE;
}

static void put_events(FrWriter *out, const FrPage *page) {
    int32_t count = 0, shown = 0;
    for (int32_t k = 0; page->events && k < page->events->count; k++)
        count += listed(&page->events->data[k]);
    if (!count) return;
    char text[96];
    snprintf(text, sizeof text, "<h2>Events</h2>\n<p class=\"summary\">%d in all", count);
    fr_page_put(out, text);
    if (count > EVENTS_SHOWN) {
        snprintf(text, sizeof text, ", the first %d here", EVENTS_SHOWN);
        fr_page_put(out, text);
    }
    fr_page_put(out, ".</p>\n<div class=\"scroll\"><table>\n<tr><th>time, s</th><th>kind</th><th>a"
                     "</th><th>b</th><th colspan=\"3\">place, m</th><th>impulse, N s</th>"
                     "<th>area, m&sup2;</th></tr>\n");
    for (int32_t k = 0; k < page->events->count && shown < EVENTS_SHOWN; k++) {
        const FrEvent *e = &page->events->data[k];
        if (!listed(e)) continue;
        put_event(out, page, e);
        shown++;
    }
    fr_page_put(out, "</table></div>\n");
}

static FrResult put_page(FrWriter *out, const FrPage *page) {
    const char *title = given(page->title) ? page->title : "Fracas run";
    wrap(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>",
         title, "</title>\n");
    fr_page_put(out, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    fr_page_put(out, style);
    wrap(out, "</head>\n<body>\n<h1>", title, "</h1>\n");
    wrap(out, "<p class=\"summary\">", given(page->summary) ? page->summary : "", "</p>\n");
    put_media(out, page);
    if (given(page->command)) wrap(out, "<h2>Make it again</h2>\n<pre>", page->command, "</pre>\n");
    put_pairs(out, "Parameters", page->parameter, page->parameter_count, false);
    fr_page_energy(out, page);
    FR_TRY(fr_page_pieces(out, page));
    FR_TRY(fr_page_cracks(out, page));
    put_events(out, page);
    put_pairs(out, "Numbers", page->fact, page->fact_count, false);
    put_pairs(out, "Files", page->file, page->file_count, true);
    fr_page_put(out, "</body>\n</html>\n");
    return fr_writer_result(out);
}

FrResult fr_export_page(FrContext *ctx, const FrPage *page, const char *path) {
    FrWriter out;
    fr_writer_init(&out, ctx);
    FrResult result = put_page(&out, page);
    if (result == FR_OK) result = fr_file_save(ctx, path, out.data, out.size);
    fr_writer_free(&out);
    return result;
}
