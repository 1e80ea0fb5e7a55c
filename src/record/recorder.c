// recorder.c: a run's rows into its file: creating, bodies, events, energies, commits.

#include "record/recorder_inside.h"
#include "event/log.h"
#include "math/vec.h"
#include "base/json.h"
#include "record/bend_code.h"
#include "record/cut_code.h"
#include "record/material_json.h"
#include "record/mesh_code.h"
#include "store/deflate.h"
#include "base/hash.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define COMMIT_NS 1000000000 // rows of a frame stay at the latest after this much wall time

static int64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

FrResult fr_recorder_ready(FrRecorder *r) {
    if (r->broken == FR_OK && r->store) return FR_OK;
    if (r->broken == FR_OK) return fr_fail(r->ctx, FR_BAD_USE, "%s is finished already", r->path);
    return fr_fail(r->ctx, r->broken, "%s: writing failed before; it holds the last commit",
                   r->path);
}

FrResult fr_recorder_broke(FrRecorder *r, FrResult result) {
    if (result != FR_OK && r->broken == FR_OK) r->broken = result;
    return result;
}

static FrResult put_meta(FrStore *store, const char *key, FrCell value) {
    return FR_STORE_PUT(store, "INSERT OR REPLACE INTO meta VALUES(?,?)", fr_cell_text(key), value);
}

static FrResult fill_meta(void *arg, FrStore *store) {
    const FrRecorderDef *def = arg;
    char hash[20], seed[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, def->scene_hash);
    snprintf(seed, sizeof seed, "%" PRIu64, def->seed);
    FR_TRY(put_meta(store, "version", fr_cell_text(def->version ? def->version : fr_version())));
    FR_TRY(put_meta(store, "scene", fr_cell_text(def->scene_json ? def->scene_json : "{}")));
    FR_TRY(put_meta(store, "scene_hash", fr_cell_text(hash)));
    FR_TRY(put_meta(store, "seed", fr_cell_text(seed)));
    FR_TRY(put_meta(store, "fps", fr_cell_real(def->fps)));
    FR_TRY(put_meta(store, "duration", fr_cell_real(def->duration)));
    FR_TRY(put_meta(store, "tick_seconds", fr_cell_real(def->tick_seconds)));
    FR_TRY(put_meta(store, "pose_hz", fr_cell_real(def->pose_hz)));
    FR_TRY(put_meta(store, "burst_hz", fr_cell_real(def->burst_hz)));
    return put_meta(store, "state", fr_cell_text("running"));
}

FrResult fr_recorder_retarget(FrRecorder *r, const FrRecorderDef *def) {
    FR_TRY(fr_recorder_ready(r));
    FrResult result = put_meta(r->store, "scene", fr_cell_text(def->scene_json));
    if (result == FR_OK) result = put_meta(r->store, "duration", fr_cell_real(def->duration));
    if (result == FR_OK) result = put_meta(r->store, "state", fr_cell_text("running"));
    return fr_recorder_broke(r, result);
}

FrResult fr_recorder_create(FrContext *ctx, const char *path, const FrRecorderDef *def,
                            FrRecorder **recorder) {
    *recorder = NULL;
    FR_ASSERT_IN(ctx,
                 isfinite(def->fps) && isfinite(def->duration) && isfinite(def->tick_seconds) &&
                     isfinite(def->pose_hz) && isfinite(def->burst_hz),
                 "record with finite fps, duration, tick_seconds, pose_hz and burst_hz");
    FrRecorderDef copy = *def;
    FR_TRY(fr_store_replace(ctx, path, &fr_record_kind, false, fill_meta, &copy));
    FR_TRY(fr_recorder_attach(ctx, path, recorder));
    (*recorder)->last_commit = clock_ns();
    return FR_OK;
}

void fr_recorder_close(FrRecorder *r) {
    if (!r) return;
    FrContext *ctx = r->ctx;
    fr_store_close(r->store);
    for (int32_t k = 0; k < r->body.count; k++) fr_free(ctx, r->body.data[k].pose);
    for (int32_t k = 0; k < r->job.count; k++) {
        fr_free(ctx, r->job.data[k].raw);
        fr_writer_free(&r->job.data[k].z);
    }
    fr_array_free(ctx, &r->body);
    fr_array_free(ctx, &r->job);
    fr_writer_free(&r->raw);
    fr_writer_free(&r->z);
    fr_writer_free(&r->cut);
    fr_free(ctx, r->path);
    fr_free(ctx, r);
}

FrResult fr_recorder_meta(FrRecorder *r, const char *key, const char *value) {
    FR_TRY(fr_recorder_ready(r));
    return fr_recorder_broke(r, put_meta(r->store, key, fr_cell_text(value)));
}

FrResult fr_recorder_meta_get(FrRecorder *r, const char *key, FrWriter *value) {
    FR_TRY(fr_recorder_ready(r));
    FrQuery query;
    bool row = false;
    const char *text = "";
    FrCell cell = fr_cell_text(key);
    FrResult result =
        fr_query_begin(r->store, "meta", "SELECT v FROM meta WHERE k=?", &cell, 1, &query);
    if (result == FR_OK) result = fr_query_next(&query, &row);
    if (result == FR_OK && row) result = fr_query_text(&query, 0, &text);
    if (result == FR_OK) fr_write_bytes(value, text, strlen(text) + 1);
    fr_query_end(&query);
    return result == FR_OK ? fr_writer_result(value) : result;
}

// pack r->raw and store it once under its hash
static FrResult put_mesh(FrRecorder *r, const FrBodyView *view, uint64_t *hash) {
    FrMeshHead h = fr_mesh_code_head(view->mesh, view->surface);
    r->raw.size = 0;
    fr_mesh_code_write(view->mesh, view->surface, &r->raw);
    FR_TRY(fr_writer_result(&r->raw));
    *hash = fr_mesh_code_hash(&h, &r->raw);
    FR_TRY(fr_deflate(r->ctx, r->raw.data, r->raw.size, FR_DEFLATE_LEVEL, &r->z));
    return FR_STORE_PUT(r->store, "INSERT OR IGNORE INTO mesh VALUES(?,?,?,?,?,?,?,?)",
                        fr_cell_int((int64_t)*hash), fr_cell_int(h.order), fr_cell_int(h.nodes),
                        fr_cell_int(h.corners), fr_cell_int(h.tets), fr_cell_int(h.regions),
                        fr_cell_int(h.opened), fr_cell_blob(r->z.data, r->z.size));
}

static FrResult put_skin(FrRecorder *r, const FrEmbedded *skin, uint64_t *hash) {
    FrSkinHead h = fr_skin_code_head(skin);
    r->raw.size = 0;
    fr_skin_code_write(skin, &r->raw);
    FR_TRY(fr_writer_result(&r->raw));
    *hash = fr_skin_code_hash(&h, &r->raw);
    FR_TRY(fr_deflate(r->ctx, r->raw.data, r->raw.size, FR_DEFLATE_LEVEL, &r->z));
    return FR_STORE_PUT(r->store, "INSERT OR IGNORE INTO skin VALUES(?,?,?,?,?,?,?)",
                        fr_cell_int((int64_t)*hash), fr_cell_int(h.points), fr_cell_int(h.tris),
                        fr_cell_int(h.normals), fr_cell_int(h.uvs), fr_cell_int(h.closings),
                        fr_cell_blob(r->z.data, r->z.size));
}

static FrResult put_material(FrRecorder *r, const FrMaterial *material, uint64_t *hash) {
    r->raw.size = 0;
    fr_material_json_write(material, &r->raw);
    fr_write_u8(&r->raw, 0);
    FR_TRY(fr_writer_result(&r->raw));
    *hash = fr_hash_of(r->raw.data, r->raw.size - 1, 3);
    return FR_STORE_PUT(r->store, "INSERT OR IGNORE INTO material VALUES(?,?)",
                        fr_cell_int((int64_t)*hash), fr_cell_text((const char *)r->raw.data));
}

FrResult fr_recorder_know_body(FrRecorder *r, const FrRecordedKind *kind) {
    FrRecordedBody body = {.kind = kind->kind,
                           .node_count = kind->node_count,
                           .posed = kind->posed,
                           .whole = kind->posed && !kind->deforms,
                           .modes = kind->modes,
                           .chunk = -1};
    FrStateJob job = {0};
    fr_writer_init(&job.z, r->ctx);
    if (!fr_array_reserve(r->ctx, &r->body, 1) || !fr_array_push(r->ctx, &r->job, job))
        return fr_no_memory(r->ctx, "a recorded body");
    (void)fr_array_push(r->ctx, &r->body, body);
    return FR_OK;
}

static FrResult put_bend(FrRecorder *r, const FrModeShapes *modes, uint64_t *hash) {
    r->raw.size = 0;
    fr_bend_code_write(modes, &r->raw);
    FR_TRY(fr_writer_result(&r->raw));
    *hash = fr_bend_code_hash(modes, &r->raw);
    FR_TRY(fr_deflate(r->ctx, r->raw.data, r->raw.size, FR_DEFLATE_LEVEL, &r->z));
    return FR_STORE_PUT(r->store, "INSERT OR IGNORE INTO bend VALUES(?,?,?,?)",
                        fr_cell_int((int64_t)*hash), fr_cell_int(modes->mode_count),
                        fr_cell_int(modes->node_count), fr_cell_blob(r->z.data, r->z.size));
}

static FrResult put_body(FrRecorder *r, const FrRecordBody *body) {
    const FrBodyView *view = &body->view;
    FrCell mesh = fr_cell_null(), skin = fr_cell_null(), bend = fr_cell_null();
    uint64_t hash;
    if (view->mesh) {
        FR_TRY(put_mesh(r, view, &hash));
        mesh = fr_cell_int((int64_t)hash);
    }
    if (view->embedded) {
        FR_TRY(put_skin(r, view->embedded, &hash));
        skin = fr_cell_int((int64_t)hash);
    }
    if (view->modes) {
        FR_TRY(put_bend(r, view->modes, &hash));
        bend = fr_cell_int((int64_t)hash);
    }
    FR_TRY(put_material(r, &view->material, &hash));
    return FR_STORE_PUT(
        r->store,
        "INSERT INTO body VALUES(?,?,?,?,?,?,?,?,?,?,NULL,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO "
        "NOTHING",
        fr_cell_int(body->id), body->parent < 0 ? fr_cell_null() : fr_cell_int(body->parent),
        fr_cell_text(view->name ? view->name : ""), fr_cell_int(body->piece),
        fr_cell_text(view->model ? view->model : ""), fr_cell_text(fr_record_shapes[view->kind]),
        mesh, skin, fr_cell_int((int64_t)hash), fr_cell_int(body->born), fr_cell_int(view->rigid),
        fr_cell_real(view->radius), fr_cell_real(view->normal.x), fr_cell_real(view->normal.y),
        fr_cell_real(view->normal.z), fr_cell_real(view->offset), fr_cell_int(view->deforms),
        fr_cell_int(view->breaks), bend);
}

FrResult fr_recorder_add_body(FrRecorder *r, const FrRecordBody *body) {
    FR_TRY(fr_recorder_ready(r));
    bool solid = body->view.kind == FR_BODY_TETS;
    FR_ASSERT_IN(r->ctx, solid == (body->view.mesh != NULL),
                 "tets have a mesh, spheres and planes have none");
    FR_ASSERT_IN(r->ctx, body->id >= 0 && body->id <= r->body.count && body->id < FR_BODIES_MAX,
                 "number bodies 0, 1, 2, ... in the order of the frame views");
    if (body->id < r->body.count) return FR_OK;
    FR_TRY(fr_recorder_broke(r, put_body(r, body)));
    int32_t nodes = solid ? body->view.mesh->node_count : 0;
    const FrBodyView *view = &body->view;
    FrRecordedKind kind = {view->kind, nodes, view->modes ? view->modes->mode_count : 0,
                           view->rigid, view->deforms};
    return fr_recorder_broke(r, fr_recorder_know_body(r, &kind));
}

int32_t fr_recorder_body_count(const FrRecorder *r) { return r->body.count; }

// the last poses of a body go into the file, and what was kept from sample to sample goes
static FrResult let_go(FrRecorder *r, int32_t id) {
    FrRecordedBody *body = &r->body.data[id];
    FrStateJob *job = &r->job.data[id];
    if (body->chunk >= 0 && body->samples > 0) FR_TRY(fr_recorder_pack_poses(r, body, id));
    fr_free(r->ctx, body->pose);
    body->pose = NULL;
    body->chunk = -1;
    body->samples = 0;
    fr_free(r->ctx, job->raw);
    job->raw = NULL;
    job->room = 0;
    fr_writer_free(&job->z);
    return FR_OK;
}

FrResult fr_recorder_end_body(FrRecorder *r, int32_t id, int64_t tick) {
    FR_TRY(fr_recorder_ready(r));
    FR_ASSERT_IN(r->ctx, id >= 0 && id < r->body.count, "end a body that was added");
    FR_TRY(fr_recorder_broke(r, let_go(r, id)));
    return fr_recorder_broke(r, FR_STORE_PUT(r->store, "UPDATE body SET died=? WHERE id=?",
                                             fr_cell_int(tick), fr_cell_int(id)));
}

FrResult fr_recorder_topology(FrRecorder *r, int32_t id, int64_t tick, const FrCutLog *log,
                              int32_t first_tet) {
    FR_TRY(fr_recorder_ready(r));
    FR_ASSERT_IN(r->ctx, id >= 0 && id < r->body.count, "cut a body that was added");
    FrRecordedBody *body = &r->body.data[id];
    if (log->node_count == 0 && log->tet_count == 0 && log->face_count == 0) return FR_OK;
    FR_ASSERT_IN(r->ctx, body->node_count == log->first_node,
                 "record every log of a body, in order");
    FR_TRY(fr_cut_code_write(r->ctx, log, first_tet, &r->raw, &r->z, &r->cut));
    FR_TRY(fr_recorder_broke(r, FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO topo VALUES(?,?,?)",
                                             fr_cell_int(tick), fr_cell_int(id),
                                             fr_cell_blob(r->cut.data, r->cut.size))));
    body->node_count = log->first_node + log->node_count;
    return FR_OK;
}

FrResult fr_recorder_event(FrRecorder *r, const FrEvent *event) {
    FR_TRY(fr_recorder_ready(r));
    FrVec3 x, j;
    double area;
    FrEvent check;
    FrReader reader;
    fr_event_summary(event, &x, &j, &area);
    bool names_piece = fr_event_piece(event) >= 0;
    r->raw.size = 0;
    fr_event_save(event, &r->raw);
    FR_TRY(fr_writer_result(&r->raw));
    // a number that is not finite must not reach the file
    fr_reader_init(&reader, r->raw.data, r->raw.size);
    if (fr_event_load(r->ctx, &reader, &check) != FR_OK)
        return fr_fail_within(r->ctx, FR_NUMERICAL, "event %" PRIu64 ": ", event->seq);
    FR_TRY(fr_recorder_broke(
        r, FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO event VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
                        fr_cell_int((int64_t)event->seq), fr_cell_real(event->t),
                        fr_cell_int(event->kind), fr_cell_int(fr_event_body(event)),
                        fr_cell_int(names_piece ? event->piece : fr_event_other(event)),
                        fr_cell_real(x.x), fr_cell_real(x.y), fr_cell_real(x.z), fr_cell_real(j.x),
                        fr_cell_real(j.y), fr_cell_real(j.z), fr_cell_real(area),
                        fr_cell_blob(r->raw.data, r->raw.size))));
    if (event->seq >= r->next_seq) r->next_seq = event->seq + 1;
    return FR_OK;
}

FrResult fr_recorder_energy(FrRecorder *r, const FrEnergyRow *row) {
    FR_TRY(fr_recorder_ready(r));
    const double part[8] = {row->kinetic, row->elastic,  row->plastic,  row->damping,
                            row->contact, row->fracture, row->external, row->dust};
    FrCell cell[9] = {fr_cell_int(row->tick)};
    for (int k = 0; k < 8; k++) {
        if (!isfinite(part[k]))
            return fr_fail(r->ctx, FR_NUMERICAL, "an energy of tick %" PRId64 " is not finite",
                           row->tick);
        cell[k + 1] = fr_cell_real(part[k]);
    }
    return fr_recorder_broke(
        r,
        fr_store_put(r->store, "INSERT OR REPLACE INTO energy VALUES(?,?,?,?,?,?,?,?,?)", cell, 9));
}

FrResult fr_recorder_timing(FrRecorder *r, const char *stage, double seconds) {
    FR_TRY(fr_recorder_ready(r));
    return fr_recorder_broke(
        r, FR_STORE_PUT(r->store,
                        "INSERT INTO timing VALUES(?,?) ON CONFLICT(stage) DO UPDATE SET "
                        "s = s + excluded.s",
                        fr_cell_text(stage), fr_cell_real(seconds)));
}

FrResult fr_recorder_timing_get(FrRecorder *r, const char *stage, double *seconds) {
    *seconds = 0.0;
    FR_TRY(fr_recorder_ready(r));
    FrQuery query;
    bool row = false;
    FrCell cell = fr_cell_text(stage);
    FrResult result =
        fr_query_begin(r->store, "timing", "SELECT s FROM timing WHERE stage=?", &cell, 1, &query);
    if (result == FR_OK) result = fr_query_next(&query, &row);
    if (result == FR_OK && row) result = fr_query_real(&query, 0, seconds);
    fr_query_end(&query);
    return result;
}

FrResult fr_recorder_commit(FrRecorder *r) {
    FR_TRY(fr_recorder_ready(r));
    FR_TRY(fr_recorder_broke(r, fr_recorder_flush_poses(r)));
    FrResult result = fr_store_commit(r->store);
    // a reader in the way is no loss: the rows wait for the next commit
    if (result != FR_OK && fr_store_busy(r->store)) return result;
    FR_TRY(fr_recorder_broke(r, result));
    r->last_commit = clock_ns();
    return fr_recorder_broke(r, fr_store_begin(r->store));
}

// called after each frame; the clock decides only when rows are grouped, never what they hold
FrResult fr_recorder_commit_sometimes(FrRecorder *r) {
    if (clock_ns() - r->last_commit < COMMIT_NS) return FR_OK;
    FrResult result = fr_recorder_commit(r);
    if (result == FR_OK || !fr_store_busy(r->store) || r->broken != FR_OK) return result;
    fr_log(r->ctx, FR_LOG_WARNING, "%s; the rows wait", fr_context_message(r->ctx));
    r->last_commit = clock_ns();
    return FR_OK;
}
