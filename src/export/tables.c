// tables.c: events and energies as CSV.

#include "export/tables.h"
#include "record/json.h"
#include "base/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put(FrWriter *out, const char *text) { fr_write_bytes(out, text, strlen(text)); }

static void put_number(FrWriter *out, double value) {
    char text[FR_NUMBER_TEXT];
    fr_number_text(value, text);
    put(out, ",");
    put(out, text);
}

// quoted when it has to be, quotes doubled (RFC 4180); a leading = + - @ would run as a formula
static void put_field(FrWriter *out, const char *text) {
    bool formula = text[0] && strchr("=+-@", text[0]);
    bool quoted = formula || strpbrk(text, ",\"\r\n") != NULL;
    put(out, quoted ? ",\"" : ",");
    if (formula) put(out, "'");
    for (const char *c = text; *c; c++) {
        if (*c == '"') put(out, "\"");
        fr_write_bytes(out, c, 1);
    }
    if (quoted) put(out, "\"");
}

static FrResult save(FrWriter *out, const char *path) {
    FrResult result = fr_writer_result(out);
    if (result == FR_OK) result = fr_file_save(out->ctx, path, out->data, out->size);
    fr_writer_free(out);
    return result;
}

FrResult fr_export_events_csv(FrContext *ctx, const FrEventLog *log, const char *const *name,
                              int32_t name_count, const char *path) {
    FrWriter out;
    fr_writer_init(&out, ctx);
    put(&out, "seq,t,kind,a,b,a_name,b_name,x,y,z,jx,jy,jz,area\n");
    for (int32_t k = 0; k < log->count; k++) {
        const FrEvent *e = &log->data[k];
        char head[64];
        FrVec3 x, j;
        double area;
        fr_event_summary(e, &x, &j, &area);
        snprintf(head, sizeof head, "%" PRIu64, e->seq);
        put(&out, head);
        put_number(&out, e->t);
        snprintf(head, sizeof head, ",%s,%d,%d", fr_event_kind_name(e->kind), e->a, e->b);
        put(&out, head);
        put_field(&out, e->a >= 0 && e->a < name_count && name[e->a] ? name[e->a] : "");
        put_field(&out, e->b >= 0 && e->b < name_count && name[e->b] ? name[e->b] : "");
        const double value[7] = {x.x, x.y, x.z, j.x, j.y, j.z, area};
        for (int c = 0; c < 7; c++) put_number(&out, value[c]);
        put(&out, "\n");
    }
    return save(&out, path);
}
