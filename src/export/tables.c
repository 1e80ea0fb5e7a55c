// tables.c: events and energies as CSV.

#include "export/tables.h"
#include "base/json.h"
#include "base/file.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(FrWriter *out, const char *text) { fr_write_bytes(out, text, strlen(text)); }

// NaN: nothing
static void put_number(FrWriter *out, double value) {
    char text[FR_NUMBER_TEXT];
    fr_number_text(value, text);
    put(out, ",");
    if (!isnan(value)) put(out, text);
}

static void put_vec(FrWriter *out, FrVec3 v) {
    put_number(out, v.x);
    put_number(out, v.y);
    put_number(out, v.z);
}

// below 0: nothing
static void put_index(FrWriter *out, int32_t index) {
    put_number(out, index < 0 ? (double)NAN : index);
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

const char *fr_body_name(const char *const *name, int32_t count, int32_t id) {
    return id >= 0 && id < count && name[id] ? name[id] : "";
}

static void put_event(FrWriter *out, const FrEvent *e, const char *const *name, int32_t count) {
    char head[32];
    FrEventFacts f = fr_event_facts(e);
    int32_t other = fr_event_other(e);
    snprintf(head, sizeof head, "%" PRIu64, e->seq);
    put(out, head);
    put_number(out, e->t);
    put_field(out, fr_event_kind_name(e->kind));
    put_index(out, fr_event_body(e));
    put_index(out, other);
    put_field(out, fr_body_name(name, count, fr_event_body(e)));
    put_field(out, fr_body_name(name, count, other));
    put_index(out, fr_event_piece(e));
    put_index(out, e->kind == FR_EVENT_PIECE ? e->u.piece.parent : -1);
    put_vec(out, f.x);
    put_vec(out, f.impulse);
    put_vec(out, f.n);
    const double value[] = {f.strength, f.limit, f.area, f.energy, f.mass, f.volume};
    for (size_t k = 0; k < sizeof value / sizeof value[0]; k++) put_number(out, value[k]);
    put(out, "\n");
}

void fr_events_csv(FrWriter *out, const FrEventLog *log, const char *const *name,
                   int32_t name_count) {
    put(out, "seq,t_s,kind,a,b,a_name,b_name,piece,parent,x_m,y_m,z_m,jx_Ns,jy_Ns,jz_Ns,nx,ny,nz,"
             "strength_N,limit_N,area_m2,energy_J,mass_kg,volume_m3\n");
    for (int32_t k = 0; k < log->count; k++) put_event(out, &log->data[k], name, name_count);
}

FrResult fr_export_events_csv(FrContext *ctx, const FrEventLog *log, const char *const *name,
                              int32_t name_count, const char *path) {
    FrWriter out;
    fr_writer_init(&out, ctx);
    fr_events_csv(&out, log, name, name_count);
    return save(&out, path);
}
