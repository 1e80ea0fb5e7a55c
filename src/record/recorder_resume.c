// recorder_resume.c: checkpoints in two slots, going back to one, and the final file.

#include "record/recorder_inside.h"
#include "math/vec.h"
#include "record/cut_code.h"
#include "record/state_code.h"
#include "store/deflate.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

FrResult fr_recorder_checkpoint(FrRecorder *r, int64_t tick, const void *bytes, size_t size) {
    FR_TRY(fr_recorder_ready(r));
    FR_TRY(fr_deflate(r->ctx, bytes, size, FR_DEFLATE_FAST_LEVEL, &r->z));
    uint32_t crc = (uint32_t)crc32_z(0, bytes, size);
    FR_TRY(fr_recorder_broke(
        r, FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO checkpoint VALUES(?,?,?,?,?,?,?)",
                        fr_cell_int(r->slot), fr_cell_int(tick), fr_cell_int((int64_t)r->next_seq),
                        fr_cell_int(r->next_sample), fr_cell_int((int64_t)size), fr_cell_int(crc),
                        fr_cell_blob(r->z.data, r->z.size))));
    FR_TRY(fr_recorder_commit(r));
    r->slot = 1 - r->slot;
    return FR_OK;
}

FrResult fr_recorder_ending(FrRecorder *r, int64_t tick, const void *bytes, size_t size) {
    FR_TRY(fr_recorder_ready(r));
    FR_TRY(fr_deflate(r->ctx, bytes, size, FR_DEFLATE_FAST_LEVEL, &r->z));
    uint32_t crc = (uint32_t)crc32_z(0, bytes, size);
    FR_TRY(fr_recorder_broke(r, fr_store_exec(r->store, "DELETE FROM ending")));
    return fr_recorder_broke(r,
                             FR_STORE_PUT(r->store, "INSERT INTO ending VALUES(?,?,?,?,?,?)",
                                          fr_cell_int(tick), fr_cell_int((int64_t)r->next_seq),
                                          fr_cell_int(r->next_sample), fr_cell_int((int64_t)size),
                                          fr_cell_int(crc), fr_cell_blob(r->z.data, r->z.size)));
}

static FrResult read_meta(FrStore *store, const char *key, char *out, size_t room) {
    FrQuery query;
    const char *text = "";
    FrCell cell = fr_cell_text(key);
    FrResult result =
        fr_query_begin(store, key, "SELECT CAST(v AS TEXT) FROM meta WHERE k=?", &cell, 1, &query);
    if (result == FR_OK) result = fr_query_one(&query);
    if (result == FR_OK) result = fr_query_text(&query, 0, &text);
    if (result == FR_OK) {
        strncpy(out, text, room - 1);
        out[room - 1] = 0;
    }
    fr_query_end(&query);
    return result;
}

static FrResult know_row(FrRecorder *r, FrQuery *query) {
    int32_t id, posed, deforms;
    FrRecordedKind know = {0};
    const char *shape;
    FR_TRY(fr_query_i32(query, 0, r->body.count, r->body.count, &id));
    FR_TRY(fr_query_text(query, 1, &shape));
    FR_TRY(fr_query_i32(query, 2, 0, 1, &posed));
    FR_TRY(fr_query_i32(query, 4, 0, 1, &deforms));
    int kind = 0;
    while (kind < 3 && strcmp(shape, fr_record_shapes[kind])) kind++;
    if (kind == 3)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: body %d: shape \"%.20s\" is not known", r->path,
                       id, shape);
    if (kind == FR_BODY_TETS) FR_TRY(fr_query_i32(query, 3, 1, INT32_MAX / 24, &know.node_count));
    if (!fr_query_null(query, 5)) FR_TRY(fr_query_i32(query, 5, 1, INT32_MAX / 24, &know.modes));
    know.kind = (FrBodyKind)kind;
    know.posed = posed != 0;
    know.deforms = deforms != 0;
    return fr_recorder_know_body(r, &know);
}

// the nodes that cuts have added to a body so far
static FrResult know_cuts(FrRecorder *r, FrQuery *query) {
    int32_t id;
    const void *bytes;
    size_t size;
    FrCutHead head;
    FR_TRY(fr_query_i32(query, 0, 0, r->body.count - 1, &id));
    FR_TRY(fr_query_blob(query, 1, &bytes, &size));
    FR_TRY(fr_cut_code_head(r->ctx, bytes, size, &head));
    if (head.first_node != r->body.data[id].node_count)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: a cut of body %d begins at node %d of %d",
                       r->path, id, head.first_node, r->body.data[id].node_count);
    r->body.data[id].node_count += head.nodes;
    return FR_OK;
}

static FrResult know_rows(FrRecorder *r, const char *what, const char *sql,
                          FrResult (*know)(FrRecorder *r, FrQuery *query)) {
    FrQuery query;
    bool row = false;
    FrResult result = fr_query_begin(r->store, what, sql, NULL, 0, &query);
    while (result == FR_OK && (result = fr_query_next(&query, &row)) == FR_OK && row)
        result = know(r, &query);
    fr_query_end(&query);
    return result;
}

static FrResult know_bodies(FrRecorder *r) {
    FR_TRY(know_rows(r, "body",
                     "SELECT id, shape, posed, (SELECT nodes FROM mesh WHERE hash = body.mesh), "
                     "deforms, (SELECT modes FROM bend WHERE hash = body.bend) FROM body ORDER BY "
                     "id",
                     know_row));
    return know_rows(r, "topo", "SELECT body, cutlog FROM topo ORDER BY body, tick", know_cuts);
}

static FrResult attach(FrRecorder *r) {
    FR_TRY(fr_store_open(r->ctx, r->path, &fr_record_kind, FR_STORE_WRITE, &r->store));
    return fr_record_meta_real(r->store, "pose_hz", &r->pose_hz);
}

FrResult fr_recorder_attach(FrContext *ctx, const char *path, FrRecorder **recorder) {
    FrRecorder *r = FR_NEW(ctx, FrRecorder, 1);
    *recorder = NULL;
    if (!r) return fr_no_memory(ctx, path);
    r->ctx = ctx;
    fr_writer_init(&r->raw, ctx);
    fr_writer_init(&r->z, ctx);
    fr_writer_init(&r->cut, ctx);
    r->path = fr_strdup(ctx, path);
    FrResult result = r->path ? attach(r) : fr_no_memory(ctx, path);
    // a second run on the same file should say so soon; later a commit waits longer for readers
    if (result == FR_OK) fr_store_wait(r->store, 2000);
    if (result == FR_OK) result = fr_store_begin(r->store);
    if (result == FR_OK) {
        fr_store_wait(r->store, 10000);
        *recorder = r;
        return FR_OK;
    }
    fr_recorder_close(r);
    return result;
}

// the row's bytes, if they are what was written
static FrResult unpack_checkpoint(FrRecorder *r, FrQuery *query, FrResumePoint *point) {
    int64_t size, crc, seq, sample, tick;
    const void *z;
    size_t z_size;
    FR_TRY(fr_query_int(query, 1, -1, INT64_MAX, &tick));
    FR_TRY(fr_query_int(query, 2, 0, INT64_MAX, &seq));
    FR_TRY(fr_query_int(query, 3, 0, INT64_MAX, &sample));
    FR_TRY(fr_query_int(query, 4, 0, INT64_MAX / 2, &size));
    FR_TRY(fr_query_int(query, 5, 0, UINT32_MAX, &crc));
    FR_TRY(fr_query_blob(query, 6, &z, &z_size));
    FR_TRY(fr_inflate_check(r->ctx, z, z_size, (size_t)size));
    uint8_t *bytes = fr_alloc(r->ctx, (size_t)size);
    if (!bytes) return fr_no_memory(r->ctx, "a checkpoint");
    FrResult result = fr_inflate(r->ctx, z, z_size, bytes, (size_t)size);
    if (result == FR_OK && (int64_t)(uint32_t)crc32_z(0, bytes, (size_t)size) != crc)
        result = fr_fail(r->ctx, FR_BAD_INPUT, "the checkpoint's bytes are not what was written");
    if (result != FR_OK) {
        fr_free(r->ctx, bytes);
        return result;
    }
    point->tick = tick;
    point->bytes = bytes;
    point->size = (size_t)size;
    point->next_seq = (uint64_t)seq;
    point->next_sample = sample;
    return FR_OK;
}

// newest first; a damaged slot is passed over
static FrResult find_checkpoint(FrRecorder *r, FrResumePoint *point) {
    FrQuery query;
    bool row = false;
    point->tick = -1;
    FrResult result = fr_query_begin(r->store, "checkpoint",
                                     "SELECT slot, tick, events, poses, size, crc, z "
                                     "FROM checkpoint ORDER BY tick DESC LIMIT 2",
                                     NULL, 0, &query);
    while (result == FR_OK && !point->bytes && (result = fr_query_next(&query, &row)) == FR_OK &&
           row) {
        int32_t slot = 0;
        FrResult found = fr_query_i32(&query, 0, 0, 1, &slot);
        if (found == FR_OK) found = unpack_checkpoint(r, &query, point);
        if (found == FR_OK) r->slot = 1 - slot;
        if (found == FR_NO_MEMORY) result = found;
        if (found != FR_OK && found != FR_NO_MEMORY)
            fr_log(r->ctx, FR_LOG_WARNING, "%s: checkpoint passed over: %s", r->path,
                   fr_context_message(r->ctx));
    }
    fr_query_end(&query);
    return result;
}

static FrResult drop_rows(FrRecorder *r, const FrResumePoint *point) {
    FrStore *s = r->store;
    FrCell tick = fr_cell_int(point->tick), seq = fr_cell_int((int64_t)point->next_seq);
    // the first chunk that holds no sample before the checkpoint
    FrCell chunk = fr_cell_int((point->next_sample + FR_POSE_CHUNK - 1) / FR_POSE_CHUNK);
    FR_TRY(fr_store_put(s, "DELETE FROM frame WHERE tick > ?", &tick, 1));
    FR_TRY(fr_store_put(s, "DELETE FROM state WHERE tick > ?", &tick, 1));
    FR_TRY(fr_store_put(s, "DELETE FROM topo WHERE tick > ?", &tick, 1));
    FR_TRY(fr_store_put(s, "DELETE FROM field WHERE tick > ?", &tick, 1));
    FR_TRY(fr_store_exec(s, "DELETE FROM strain WHERE hash NOT IN (SELECT strain FROM field WHERE "
                            "strain IS NOT NULL)"));
    FR_TRY(fr_store_put(s,
                        "DELETE FROM burst_state WHERE sample IN (SELECT sample FROM burst WHERE "
                        "tick > ?)",
                        &tick, 1));
    FR_TRY(fr_store_put(s, "DELETE FROM burst WHERE tick > ?", &tick, 1));
    FR_TRY(fr_store_put(s, "DELETE FROM energy WHERE tick > ?", &tick, 1));
    FR_TRY(fr_store_put(s, "DELETE FROM event WHERE seq >= ?", &seq, 1));
    FR_TRY(fr_store_put(s, "DELETE FROM pose WHERE chunk >= ?", &chunk, 1));
    // births of the checkpoint's own tick come after it; bodies of the start are there before it
    FR_TRY(fr_store_put(s, "DELETE FROM body WHERE born >= max(?, 1)", &tick, 1));
    FR_TRY(fr_store_put(s, "UPDATE body SET died = NULL WHERE died > ?", &tick, 1));
    FR_TRY(fr_store_put(s, "DELETE FROM checkpoint WHERE tick > ?", &tick, 1));
    FR_TRY(fr_store_exec(s, "DELETE FROM mesh WHERE hash NOT IN (SELECT mesh FROM body WHERE mesh "
                            "IS NOT NULL)"));
    FR_TRY(fr_store_exec(s, "DELETE FROM skin WHERE hash NOT IN (SELECT skin FROM body WHERE skin "
                            "IS NOT NULL)"));
    FR_TRY(fr_store_exec(s, "DELETE FROM bend WHERE hash NOT IN (SELECT bend FROM body WHERE bend "
                            "IS NOT NULL)"));
    return fr_store_exec(s, "DELETE FROM material WHERE hash NOT IN (SELECT material FROM body)");
}

// the samples of a body's half-filled chunk that are older than the checkpoint
static FrResult reload_chunk(FrRecorder *r, FrRecordedBody *body, FrQuery *query, int32_t end) {
    int32_t first, samples;
    const void *z;
    size_t z_size;
    float column[FR_POSE_CHUNK * FR_POSE_FLOATS];
    uint8_t planes[sizeof column];
    FR_TRY(fr_query_i32(query, 0, 0, FR_POSE_CHUNK - 1, &first));
    FR_TRY(fr_query_i32(query, 1, 1, FR_POSE_CHUNK - first, &samples));
    FR_TRY(fr_query_blob(query, 2, &z, &z_size));
    size_t count = (size_t)samples;
    FR_TRY(fr_inflate(r->ctx, z, z_size, planes, 4 * FR_POSE_FLOATS * count));
    fr_planes_join(planes, FR_POSE_FLOATS * count, column);
    FR_TRY(fr_recorder_new_chunk(r, body));
    for (size_t c = 0; c < FR_POSE_FLOATS; c++)
        for (size_t k = 0; k < count; k++) body->pose[k][c] = column[c * count + k];
    body->first = first;
    body->samples = fr_min_i(samples, end - first);
    return FR_OK;
}

// cut one body's open chunk at the checkpoint: the row goes, or becomes the chunk being filled
static FrResult cut_chunk(FrRecorder *r, int32_t id, int64_t chunk, int32_t end) {
    FrRecordedBody *body = &r->body.data[id];
    FrQuery query;
    bool row = false;
    FrCell cell[2] = {fr_cell_int(id), fr_cell_int(chunk)};
    FrResult result = fr_query_begin(r->store, "pose",
                                     "SELECT first, samples, z FROM pose WHERE body=? AND chunk=?",
                                     cell, 2, &query);
    if (result == FR_OK) result = fr_query_next(&query, &row);
    if (result == FR_OK && row) result = reload_chunk(r, body, &query, end);
    fr_query_end(&query);
    if (result != FR_OK || !row) return result;
    // a body that ended inside the chunk gets no new samples, and its row stays as it is
    body->chunk = body->samples > 0 ? chunk : -1;
    if (body->samples > 0) return fr_recorder_pack_poses(r, body, id);
    return fr_store_put(r->store, "DELETE FROM pose WHERE body=? AND chunk=?", cell, 2);
}

static FrResult cut_poses(FrRecorder *r, int64_t next_sample) {
    int32_t end = (int32_t)(next_sample % FR_POSE_CHUNK);
    for (int32_t k = 0; k < r->body.count && end > 0; k++)
        if (r->body.data[k].posed) FR_TRY(cut_chunk(r, k, next_sample / FR_POSE_CHUNK, end));
    return FR_OK;
}

// what is damaged is not gone on with: everything written after would stand on it
static FrResult check_pages(FrRecorder *r) {
    FrQuery query;
    const char *found = "";
    FrResult result =
        fr_query_begin(r->store, "quick_check", "PRAGMA quick_check(1)", NULL, 0, &query);
    if (result == FR_OK) result = fr_query_one(&query);
    if (result == FR_OK) result = fr_query_text(&query, 0, &found);
    if (result == FR_OK && strcmp(found, "ok"))
        result = fr_fail(r->ctx, FR_BAD_INPUT, "%s is damaged: %.200s", r->path, found);
    fr_query_end(&query);
    return result;
}

static FrResult go_back_to(FrRecorder *r, FrResumePoint *point) {
    FR_TRY(drop_rows(r, point));
    FR_TRY(know_bodies(r));
    FR_TRY(cut_poses(r, point->next_sample));
    r->next_seq = point->next_seq;
    r->next_sample = point->next_sample;
    point->body_count = r->body.count;
    return fr_recorder_commit(r);
}

static FrResult go_back(FrRecorder *r, FrResumePoint *point) {
    FR_TRY(check_pages(r));
    FR_TRY(find_checkpoint(r, point));
    return go_back_to(r, point);
}

static FrResult check_scene(FrRecorder *r, uint64_t scene_hash, FrResumePoint *point) {
    char state[16], hash[20];
    FR_TRY(read_meta(r->store, "state", state, sizeof state));
    FR_TRY(read_meta(r->store, "scene_hash", hash, sizeof hash));
    char wanted[20];
    sqlite3_snprintf((int)sizeof wanted, wanted, "%016llx", (unsigned long long)scene_hash);
    if (strcmp(hash, wanted))
        return fr_fail(r->ctx, FR_BAD_USE,
                       "%s was made from another scene (%s, now %s): use --restart to replace it",
                       r->path, hash, wanted);
    point->state = strcmp(state, "finished") ? FR_RUN_STARTED : FR_RUN_FINISHED;
    FR_TRY(fr_record_meta_real(r->store, "tick_seconds", &point->tick_seconds));
    return fr_record_meta_real(r->store, "duration", &point->duration);
}

FrResult fr_recorder_open_resume(FrContext *ctx, const char *path, uint64_t scene_hash,
                                 FrRecorder **recorder, FrResumePoint *point) {
    struct stat info;
    FrRecorder *r;
    *recorder = NULL;
    *point = (FrResumePoint){.state = FR_RUN_ABSENT, .tick = -1};
    if (stat(path, &info)) return FR_OK;
    FR_TRY(fr_recorder_attach(ctx, path, &r));
    FrResult result = check_scene(r, scene_hash, point);
    if (result == FR_OK && point->state == FR_RUN_STARTED) result = go_back(r, point);
    if (result == FR_OK && point->state == FR_RUN_STARTED) {
        *recorder = r;
        return FR_OK;
    }
    if (result != FR_OK) {
        fr_free(ctx, point->bytes);
        *point = (FrResumePoint){.state = point->state, .tick = -1};
    }
    fr_recorder_close(r);
    return result;
}

// a longer run has no frame at the old end, unless it is its turn
static FrResult drop_odd_frame(FrRecorder *r, const FrResumePoint *point) {
    static const char *const drop[] = {
        "DELETE FROM frame WHERE tick = ?", "DELETE FROM state WHERE tick = ?",
        "DELETE FROM field WHERE tick = ?", "DELETE FROM energy WHERE tick = ?"};
    double fps, tick_seconds;
    FR_TRY(fr_record_meta_real(r->store, "fps", &fps));
    FR_TRY(fr_record_meta_real(r->store, "tick_seconds", &tick_seconds));
    FrCell tick = fr_cell_int(point->tick);
    if (point->tick % (int64_t)fr_max(1.0, round(1.0 / (fps * tick_seconds))) == 0) return FR_OK;
    for (int k = 0; k < 4; k++) FR_TRY(fr_store_put(r->store, drop[k], &tick, 1));
    return FR_OK;
}

// the end becomes a checkpoint of a run that is going
static FrResult take_up(FrRecorder *r, const FrRecorderDef *def, FrResumePoint *point) {
    for (int32_t k = 0; k < fr_record_kind.table_count; k++)
        if (fr_record_kind.table[k].optional)
            FR_TRY(fr_store_exec(r->store, fr_record_kind.table[k].sql));
    FR_TRY(fr_store_exec(r->store,
                         "INSERT INTO checkpoint SELECT 0, tick, events, poses, size, crc, z FROM "
                         "ending"));
    FR_TRY(fr_store_exec(r->store, "DELETE FROM ending"));
    FR_TRY(fr_recorder_retarget(r, def));
    FR_TRY(check_pages(r));
    FR_TRY(find_checkpoint(r, point));
    if (!point->bytes)
        return fr_fail(r->ctx, FR_BAD_USE, "%s does not hold the state it ended in", r->path);
    FR_TRY(drop_odd_frame(r, point));
    return go_back_to(r, point);
}

FrResult fr_recorder_open_extend(FrContext *ctx, const char *path, const FrRecorderDef *def,
                                 FrRecorder **recorder, FrResumePoint *point) {
    FrRecorder *r;
    *recorder = NULL;
    *point = (FrResumePoint){.state = FR_RUN_FINISHED, .tick = -1};
    FR_TRY(fr_recorder_attach(ctx, path, &r));
    FrResult result = take_up(r, def, point);
    if (result == FR_OK) {
        point->state = FR_RUN_STARTED;
        *recorder = r;
        return FR_OK;
    }
    fr_free(ctx, point->bytes);
    *point = (FrResumePoint){.state = FR_RUN_FINISHED, .tick = -1};
    fr_recorder_close(r);
    return result;
}

static FrResult copy_rows(void *arg, FrStore *target) {
    FrRecorder *r = arg;
    for (int32_t k = 0; k < fr_record_copy_count; k++)
        FR_TRY(fr_store_copy(r->store, fr_record_copies[k].from, target, fr_record_copies[k].into));
    return FR_OK;
}

FrResult fr_recorder_finish(FrRecorder *r) {
    FR_TRY(fr_recorder_commit(r));
    FR_TRY(fr_store_replace(r->ctx, r->path, &fr_record_kind, true, copy_rows, r));
    fr_store_close(r->store);
    r->store = NULL;
    return FR_OK;
}
