// piece_list.c: the pieces of a recording with their masses and places, and its cracks in sum.

#include "export/piece_list.h"
#include "export/tables.h"
#include "base/array.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>

typedef FR_ARRAY(FrPieceRow) Rows;

void fr_piece_name(const char *body, int32_t piece, char name[FR_PIECE_NAME]) {
    size_t used = 0;
    if (!body || !body[0]) body = "body";
    if (isdigit((unsigned char)body[0])) name[used++] = '_';
    for (const char *c = body; *c && used < 64; c++)
        name[used++] = (unsigned char)*c < 128 && isalnum((unsigned char)*c) ? *c : '_';
    name[used] = 0;
    if (piece >= 0) snprintf(name + used, FR_PIECE_NAME - used, "_p%04d", piece);
}

// did a body break into this one?
static bool broke_off(const FrEventLog *log, int32_t parent) {
    for (int32_t k = 0; parent >= 0 && k < log->count; k++)
        if (log->data[k].kind == FR_EVENT_CRACK && fr_event_body(&log->data[k]) == parent)
            return true;
    return false;
}

static FrResult add_rows(FrContext *ctx, FrRecording *recording, const FrEventLog *log, int32_t id,
                         Rows *rows) {
    const double no = (double)NAN;
    const FrPiece *piece;
    int32_t count;
    FrRecordingBody body;
    FR_TRY(fr_recording_pieces(recording, id, &piece, &count));
    fr_recording_body(recording, id, &body);
    bool own = body.view->mesh && broke_off(log, body.parent);
    for (int32_t k = 0; (count > 1 || own) && k < count; k++) {
        FrPieceRow row = {.body = id,
                          .piece = k,
                          .parent = piece[k].parent,
                          .parent_body = own ? body.parent : -1,
                          .born = piece[k].t,
                          .born_mass = no,
                          .born_centre = {no, no, no},
                          .gone = no};
        fr_piece_name(body.view->name, count > 1 ? k : -1, row.name);
        if (!fr_array_push(ctx, rows, row)) return fr_no_memory(ctx, "the pieces");
    }
    return FR_OK;
}

// rows are by body and piece, all pieces of a body one after the other
static FrPieceRow *find(const Rows *rows, int32_t body, int32_t piece) {
    int32_t lo = 0, hi = rows->count;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (rows->data[mid].body < body)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (piece < 0 || piece >= rows->count - lo) return NULL;
    FrPieceRow *row = &rows->data[lo + piece];
    return row->body == body && row->piece == piece ? row : NULL;
}

// all its pieces go with it
static void note_death(const Rows *rows, const FrEvent *e) {
    FrPieceRow *row = find(rows, fr_event_body(e), 0);
    for (; row && row < rows->data + rows->count && row->body == fr_event_body(e); row++)
        if (isnan(row->gone)) row->gone = e->t;
}

static void note_events(const FrEventLog *log, const Rows *rows) {
    for (int32_t k = 0; k < log->count; k++) {
        const FrEvent *e = &log->data[k];
        FrPieceRow *row = find(rows, fr_event_body(e), fr_event_piece(e));
        if (row && e->kind == FR_EVENT_PIECE) {
            row->born_mass = e->u.piece.mass;
            row->born_centre = e->u.piece.centre;
        }
        if (e->kind == FR_EVENT_BIRTH && (row = find(rows, fr_event_body(e), 0))) {
            row->born = e->t;
            row->born_mass = e->u.birth.mass;
            row->born_centre = e->u.birth.centre;
        }
        if (row && e->kind == FR_EVENT_DUST) row->gone = e->t;
        if (e->kind == FR_EVENT_DEATH) note_death(rows, e);
    }
}

// volume at rest and where it is, over the tets of each piece; no place where the body is gone
static void measure(const FrBodyView *view, const FrBodyFrame *frame, FrPieceRow *row) {
    for (int32_t e = 0; e < view->mesh->tet_count; e++) {
        const int32_t *n = view->mesh->tet[e];
        FrPieceRow *piece = &row[view->piece ? view->piece[e] : 0];
        double volume = fr_tet_volume(view->mesh, e), no = (double)NAN;
        piece->volume += volume;
        if (!frame->alive) piece->centre = piece->velocity = (FrVec3){no, no, no};
        if (!frame->alive) continue;
        FrVec3 sum = fr_add(fr_add(fr_get3(frame->p, n[0]), fr_get3(frame->p, n[1])),
                            fr_add(fr_get3(frame->p, n[2]), fr_get3(frame->p, n[3])));
        piece->centre = fr_axpy(0.25 * volume, sum, piece->centre);
        for (int i = 0; i < 4; i++)
            piece->velocity = fr_axpy(0.25 * volume, fr_get3(frame->v, n[i]), piece->velocity);
    }
}

static FrResult measure_all(FrRecording *recording, Rows *rows) {
    const FrFrameView *view;
    int32_t frames = fr_recording_info(recording)->frame_count;
    if (!rows->count || !frames) return FR_OK;
    fr_recording_set_topology(recording, FR_TOPOLOGY_FINAL);
    FrResult result = fr_recording_bare_frame(recording, frames - 1, &view);
    for (int32_t k = 0; result == FR_OK && k < rows->count; k++)
        if (rows->data[k].piece == 0)
            measure(&view->body[rows->data[k].body], &view->frame[rows->data[k].body],
                    &rows->data[k]);
    for (int32_t k = 0; result == FR_OK && k < rows->count; k++) {
        FrPieceRow *row = &rows->data[k];
        row->mass = view->body[row->body].material.density * row->volume;
        row->centre = fr_scale(1.0 / row->volume, row->centre);
        row->velocity = fr_scale(1.0 / row->volume, row->velocity);
    }
    fr_recording_set_topology(recording, FR_TOPOLOGY_CHANGING);
    return result;
}

FrResult fr_recorded_pieces(FrContext *ctx, FrRecording *recording, const FrEventLog *log,
                            FrPieceRow **row, int32_t *count) {
    Rows rows = {0};
    FrResult result = FR_OK;
    int32_t bodies = fr_recording_info(recording)->body_count;
    for (int32_t k = 0; result == FR_OK && k < bodies; k++)
        result = add_rows(ctx, recording, log, k, &rows);
    if (result == FR_OK) result = measure_all(recording, &rows);
    if (result != FR_OK) {
        fr_array_free(ctx, &rows);
        return result;
    }
    note_events(log, &rows);
    *row = rows.data;
    *count = rows.count;
    return FR_OK;
}

int64_t fr_pieces_by(const FrEventLog *log, int64_t bodies, double t) {
    for (int32_t k = 0; k < log->count; k++)
        bodies += log->data[k].kind == FR_EVENT_PIECE && log->data[k].t <= t;
    return bodies;
}

FrCrackSum fr_crack_sum(const FrEventLog *log) {
    FrCrackSum sum = {.first = (double)NAN, .last = (double)NAN};
    for (int32_t k = 0; k < log->count; k++) {
        const FrEvent *e = &log->data[k];
        if (e->kind != FR_EVENT_CRACK) continue;
        if (!sum.count++) sum.first = sum.last = e->t;
        sum.first = fr_min(sum.first, e->t);
        sum.last = fr_max(sum.last, e->t);
        sum.area += e->u.crack.area;
        sum.energy += e->u.crack.energy;
    }
    return sum;
}

void fr_pieces_json(FrJson *json, const FrPieceRow *row, int32_t count) {
    fr_json_array(json, "piece_table");
    for (int32_t k = 0; k < count; k++) {
        fr_json_object(json, NULL);
        fr_json_text(json, "name", row[k].name);
        fr_json_int(json, "body", row[k].body);
        fr_json_int(json, "piece", row[k].piece);
        fr_json_int(json, "parent", row[k].parent);
        fr_json_int(json, "parent_body", row[k].parent_body);
        fr_json_number(json, "born_s", row[k].born);
        fr_json_number(json, "born_mass_kg", row[k].born_mass);
        fr_json_vec3(json, "born_centre_m", row[k].born_centre);
        fr_json_number(json, "mass_kg", row[k].mass);
        fr_json_number(json, "volume_m3", row[k].volume);
        fr_json_vec3(json, "centre_m", row[k].centre);
        fr_json_vec3(json, "velocity_m_s", row[k].velocity);
        fr_json_number(json, "gone_s", row[k].gone);
        fr_json_end(json);
    }
    fr_json_end(json);
}

void fr_cracks_json(FrJson *json, const FrCrackSum *sum) {
    fr_json_number(json, "crack_area_m2", sum->area);
    fr_json_number(json, "crack_energy_J", sum->energy);
    fr_json_number(json, "crack_first_s", sum->first);
    fr_json_number(json, "crack_last_s", sum->last);
}

void fr_crack_list_json(FrJson *json, const FrEventLog *log, const char *const *name,
                        int32_t name_count) {
    fr_json_array(json, "crack_table");
    for (int32_t k = 0; k < log->count; k++) {
        const FrEvent *e = &log->data[k];
        if (e->kind != FR_EVENT_CRACK) continue;
        fr_json_object(json, NULL);
        fr_json_number(json, "t_s", e->t);
        fr_json_int(json, "body", fr_event_body(e));
        fr_json_text(json, "name", fr_body_name(name, name_count, fr_event_body(e)));
        fr_json_vec3(json, "x_m", e->u.crack.x);
        fr_json_vec3(json, "normal", e->u.crack.n);
        fr_json_number(json, "strength_N", e->u.crack.strength);
        fr_json_number(json, "limit_N", e->u.crack.limit);
        fr_json_number(json, "area_m2", e->u.crack.area);
        fr_json_number(json, "energy_J", e->u.crack.energy);
        fr_json_end(json);
    }
    fr_json_end(json);
}
