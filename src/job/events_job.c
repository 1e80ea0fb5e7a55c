// events_job.c: `fracas events`: the cracks of a recording and the pieces that came of them.

#include "base/file_names.h"
#include "export/piece_list.h"
#include "export/report_text.h"
#include "export/tables.h"
#include "fracas/studio.h"
#include <math.h>

/// What a recording holds of breaking.
typedef struct Broke {
    FrContext *ctx;
    FrRecording *recording;
    FrEventLog log;
    const char **name; ///< of the bodies, by index
    int32_t name_count;
    FrCrackSum sum;
    FrPieceRow *piece; ///< of bodies that fell apart (piece_count)
    int32_t piece_count;
} Broke;

// numbers of different sizes in columns; NaN: a dash
static void print_cell(FrWriter *w, int width, int digits, double value) {
    if (isnan(value))
        fr_print(w, " %*s", width, "-");
    else
        fr_print(w, " %*.*g", width, digits, value);
}

static void print_place(FrWriter *w, FrVec3 x) {
    print_cell(w, 10, 4, x.x);
    print_cell(w, 10, 4, x.y);
    print_cell(w, 10, 4, x.z);
}

static void print_cracks(FrWriter *w, const Broke *b) {
    fr_print(w, "%14s  %-16s%11s%11s%11s%11s%11s%11s %10s %10s %10s %10s\n", "crack at s", "body",
             "x m", "y m", "z m", "plane nx", "ny", "nz", "strength N or Pa", "limit", "area m^2",
             "held J");
    for (int32_t k = 0; k < b->log.count; k++) {
        const FrEvent *e = &b->log.data[k];
        if (e->kind != FR_EVENT_CRACK) continue;
        fr_print(w, "%14.8g  %-16s", e->t, fr_body_name(b->name, b->name_count, fr_event_body(e)));
        print_place(w, e->u.crack.x);
        print_place(w, e->u.crack.n);
        print_cell(w, 10, 4, e->u.crack.strength);
        print_cell(w, 10, 4, e->u.crack.limit);
        print_cell(w, 10, 4, e->u.crack.area);
        print_cell(w, 10, 4, e->u.crack.energy);
        fr_print(w, "\n");
    }
}

static void print_pieces(FrWriter *w, const Broke *b) {
    fr_print(w, "%14s  %-20s %6s %10s %10s%11s%11s%11s %10s\n", "born at s", "piece", "off",
             "mass kg", "volume m^3", "centre x m", "y m", "z m", "gone at s");
    for (int32_t k = 0; k < b->piece_count; k++) {
        const FrPieceRow *row = &b->piece[k];
        fr_print(w, "%14.8g  %-20s", row->born, row->name);
        print_cell(w, 6, 6, row->parent < 0 ? (double)NAN : row->parent);
        print_cell(w, 10, 4, row->mass);
        print_cell(w, 10, 4, row->volume);
        print_place(w, row->centre);
        print_cell(w, 10, 6, row->gone);
        fr_print(w, "\n");
    }
}

static void print_all(FrWriter *w, const Broke *b) {
    fr_print(w, "%s: ", fr_recording_info(b->recording)->path);
    if (!b->sum.count && !b->piece_count) {
        fr_print(w, "nothing broke\n");
        return;
    }
    fr_print(w, "%lld crack%s", (long long)b->sum.count, fr_s(b->sum.count));
    if (b->sum.count)
        fr_print(w, " of %.4g m^2 in all from %.6g s to %.6g s", b->sum.area, b->sum.first,
                 b->sum.last);
    fr_print(w, b->piece_count ? ", %d pieces of bodies that fell apart\n" : "\n", b->piece_count);
    if (b->sum.count) print_cracks(w, b);
    if (b->piece_count) print_pieces(w, b);
}

static void put_json(FrWriter *w, const Broke *b) {
    FrJson j;
    fr_json_begin(&j, w, true);
    fr_json_object(&j, NULL);
    fr_json_int(&j, "cracks", b->sum.count);
    fr_cracks_json(&j, &b->sum);
    fr_crack_list_json(&j, &b->log, b->name, b->name_count);
    fr_pieces_json(&j, b->piece, b->piece_count);
    fr_json_end(&j);
}

static FrResult read_names(Broke *b) {
    b->name_count = fr_recording_info(b->recording)->body_count;
    b->name = (const char **)fr_alloc_zero(b->ctx, (size_t)b->name_count, sizeof *b->name);
    if (!b->name) return fr_no_memory(b->ctx, "names");
    for (int32_t k = 0; k < b->name_count; k++) {
        FrRecordingBody body;
        fr_recording_body(b->recording, k, &body);
        b->name[k] = body.view->name;
    }
    return FR_OK;
}

static FrResult read_broke(Broke *b) {
    FR_TRY(fr_recording_events(b->recording, &b->log));
    b->sum = fr_crack_sum(&b->log);
    FR_TRY(fr_recorded_pieces(b->ctx, b->recording, &b->log, &b->piece, &b->piece_count));
    return read_names(b);
}

static FrResult tell(FrContext *ctx, const char *path, FrEventsForm form, FrWriter *w) {
    Broke b = {.ctx = ctx};
    FR_TRY(fr_recording_open(ctx, path, &b.recording));
    fr_event_log_init(&b.log, ctx);
    FrResult result = read_broke(&b);
    if (result == FR_OK && form == FR_EVENTS_TABLE) print_all(w, &b);
    if (result == FR_OK && form == FR_EVENTS_JSON) put_json(w, &b);
    if (result == FR_OK && form == FR_EVENTS_CSV) fr_events_csv(w, &b.log, b.name, b.name_count);
    FR_FREE_ALL(ctx, b.piece, b.name);
    fr_event_log_free(&b.log);
    fr_recording_close(b.recording);
    return result;
}

FrResult fr_job_events(FrContext *ctx, const char *path, FrEventsForm form, FrText *text) {
    FR_NEED_ALL(ctx, ctx && path && text);
    FrWriter w;
    char *file;
    *text = (FrText){NULL, 0};
    FR_TRY(fr_recording_file(ctx, path, &file));
    fr_writer_init(&w, ctx);
    FrResult result =
        fr_file_kind(file) == FR_FILE_RECORDING
            ? tell(ctx, file, form, &w)
            : fr_fail(ctx, FR_BAD_INPUT, "%s is no recording: a run leaves run.fracas", file);
    fr_free(ctx, file);
    if (result == FR_OK) return fr_text_take(&w, text);
    fr_writer_free(&w);
    return result;
}
