// recording.c: opening a recording, its facts, its frame times and its lists.

#include "record/recording_inside.h"
#include "record/mesh_code.h"
#include "record/state_code.h"
#include "store/deflate.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

FrResult fr_recording_each(FrRecording *r, const FrSelect *select, FrRowFn *row, void *arg) {
    FrQuery query;
    bool more = false;
    FrResult result =
        fr_query_begin(r->store, select->what, select->sql, select->cell, select->count, &query);
    while (result == FR_OK && (result = fr_query_next(&query, &more)) == FR_OK && more)
        result = row(r, &query, arg);
    fr_query_end(&query);
    return result;
}

FrResult fr_recording_charge(FrRecording *r, size_t size) {
    r->charged += size;
    if (r->charged / 4 <= r->info.file_size + 262144) return FR_OK;
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: damaged: it holds more than its own length",
                   r->info.path);
}

static FrResult meta_row(FrRecording *r, FrQuery *query, void *arg) {
    (void)arg;
    FrMetaPair pair;
    const char *key, *value;
    FR_TRY(fr_query_text(query, 0, &key));
    FR_TRY(fr_query_text(query, 1, &value));
    // a sound tree gives rising keys; a cycle would not
    if (r->meta.count && strcmp(key, r->meta.data[r->meta.count - 1].key) <= 0)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: damaged: meta \"%.40s\" is out of order",
                       r->info.path, key);
    FR_TRY(fr_recording_charge(r, strlen(key) + strlen(value)));
    pair.key = fr_arena_text(&r->text, key, strlen(key));
    pair.value = fr_arena_text(&r->text, value, strlen(value));
    if (!pair.key || !pair.value || !fr_array_push(r->ctx, &r->meta, pair))
        return fr_no_memory(r->ctx, r->info.path);
    return FR_OK;
}

const char *fr_recording_meta(const FrRecording *r, const char *key) {
    for (int32_t k = 0; k < r->meta.count; k++)
        if (!strcmp(r->meta.data[k].key, key)) return r->meta.data[k].value;
    return NULL;
}

static FrResult need_text(FrRecording *r, const char *key, const char **value) {
    *value = fr_recording_meta(r, key);
    if (*value) return FR_OK;
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: meta has no \"%s\"", r->info.path, key);
}

static FrResult need_number(FrRecording *r, const char *key, double *value) {
    FrResult result = fr_record_meta_real(r->store, key, value);
    if (result != FR_OK || *value >= 0.0) return result;
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: meta \"%s\" is %g; at least 0 is allowed",
                   r->info.path, key, *value);
}

static FrResult need_u64(FrRecording *r, const char *key, int base, uint64_t *value) {
    const char *text;
    char *end;
    FR_TRY(need_text(r, key, &text));
    *value = strtoull(text, &end, base);
    size_t length = strlen(text);
    if (length > 0 && length <= 20 && *end == 0 && text[0] != '-' && text[0] != '+') return FR_OK;
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: meta \"%s\" is \"%.40s\", not a whole number",
                   r->info.path, key, text);
}

static FrResult load_meta(FrRecording *r) {
    const char *state;
    r->meta.count = 0;
    fr_arena_reset(&r->text);
    FR_TRY(fr_recording_each(
        r, &(FrSelect){"meta", "SELECT k, CAST(v AS TEXT) FROM meta ORDER BY k", NULL, 0}, meta_row,
        NULL));
    FR_TRY(need_text(r, "version", &r->info.version));
    FR_TRY(need_text(r, "scene", &r->info.scene_json));
    FR_TRY(need_text(r, "state", &state));
    r->info.finished = !strcmp(state, "finished");
    FR_TRY(need_u64(r, "scene_hash", 16, &r->info.scene_hash));
    FR_TRY(need_u64(r, "seed", 10, &r->info.seed));
    FR_TRY(need_number(r, "fps", &r->info.fps));
    FR_TRY(need_number(r, "duration", &r->info.duration));
    FR_TRY(need_number(r, "tick_seconds", &r->info.tick_seconds));
    FR_TRY(need_number(r, "pose_hz", &r->info.pose_hz));
    return need_number(r, "burst_hz", &r->info.burst_hz);
}

static FrResult frame_row(FrRecording *r, FrQuery *query, void *arg) {
    (void)arg;
    int64_t tick;
    double t;
    int64_t least = r->tick.count ? r->tick.data[r->tick.count - 1] + 1 : INT64_MIN / 2;
    FR_TRY(fr_query_int(query, 0, least, INT64_MAX / 2, &tick));
    FR_TRY(fr_query_real(query, 1, &t));
    if (r->tick.count == INT32_MAX - 1)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: too many frames", r->info.path);
    if (!fr_array_push(r->ctx, &r->tick, tick) || !fr_array_push(r->ctx, &r->t, t))
        return fr_no_memory(r->ctx, r->info.path);
    return FR_OK;
}

static FrResult burst_row(FrRecording *r, FrQuery *query, void *arg) {
    (void)arg;
    int64_t sample, tick;
    double t;
    int32_t count = r->burst_sample.count;
    int64_t after = count ? r->burst_sample.data[count - 1] + 1 : INT64_MIN / 2;
    int64_t least = count ? r->burst_tick.data[count - 1] : INT64_MIN / 2;
    FR_TRY(fr_query_int(query, 0, after, INT64_MAX / 2, &sample));
    FR_TRY(fr_query_int(query, 1, least, INT64_MAX / 2, &tick));
    FR_TRY(fr_query_real(query, 2, &t));
    if (count == INT32_MAX - 1)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: too many frames", r->info.path);
    if (!fr_array_push(r->ctx, &r->burst_sample, sample) ||
        !fr_array_push(r->ctx, &r->burst_tick, tick) || !fr_array_push(r->ctx, &r->burst_t, t))
        return fr_no_memory(r->ctx, r->info.path);
    return FR_OK;
}

static FrResult load_lists(FrRecording *r) {
    r->tick.count = r->t.count = 0;
    r->burst_sample.count = r->burst_tick.count = r->burst_t.count = 0;
    FR_TRY(load_meta(r));
    FR_TRY(fr_recording_each(
        r, &(FrSelect){"frame", "SELECT tick, t FROM frame ORDER BY tick", NULL, 0}, frame_row,
        NULL));
    FR_TRY(fr_recording_each(
        r, &(FrSelect){"burst", "SELECT sample, tick, t FROM burst ORDER BY sample", NULL, 0},
        burst_row, NULL));
    FR_TRY(fr_recording_load_bodies(r));
    return fr_recording_load_topo(r);
}

FrResult fr_recording_refresh(FrRecording *r) {
    FR_TRY(fr_store_begin_read(r->store));
    r->info.file_size = fr_store_file_size(r->store);
    r->info.frame_count = r->info.body_count = r->info.burst_count = 0;
    r->info.version = r->info.scene_json = NULL;
    r->charged = 0;
    FrResult result = load_lists(r);
    fr_store_rollback(r->store);
    FR_TRY(result);
    r->info.body_count = r->body.count;
    r->info.frame_count = r->tick.count;
    r->info.tick = r->tick.data;
    r->info.t = r->t.data;
    r->info.burst_count = r->burst_t.count;
    r->info.burst_t = r->burst_t.data;
    return FR_OK;
}

FrResult fr_recording_open(FrContext *ctx, const char *path, FrRecording **recording) {
    FrRecording *r = FR_NEW(ctx, FrRecording, 1);
    *recording = NULL;
    if (!r) return fr_no_memory(ctx, path);
    r->ctx = ctx;
    fr_arena_init(&r->text, ctx);
    FrResult result = fr_store_open(ctx, path, &fr_record_kind, FR_STORE_READ, &r->store);
    if (result == FR_OK) r->info.path = fr_store_path(r->store);
    if (result == FR_OK) result = fr_recording_refresh(r);
    if (result == FR_OK) {
        *recording = r;
        return FR_OK;
    }
    fr_recording_close(r);
    return result;
}

void fr_recording_close(FrRecording *r) {
    if (!r) return;
    FrContext *ctx = r->ctx;
    fr_store_close(r->store);
    for (int32_t k = 0; k < r->mesh.count; k++) {
        fr_mesh_code_free(ctx, &r->mesh.data[k]->mesh);
        fr_mesh_code_surface_free(ctx, &r->mesh.data[k]->surface);
        fr_free(ctx, r->mesh.data[k]);
    }
    for (int32_t k = 0; k < r->skin.count; k++) {
        fr_skin_code_free(ctx, &r->skin.data[k]->skin);
        fr_free(ctx, r->skin.data[k]);
    }
    for (int32_t k = 0; k < r->bend.count; k++)
        FR_FREE_ALL(ctx, r->bend.data[k]->shape, r->bend.data[k]);
    for (int32_t k = 0; k < r->body.count; k++) fr_recording_drop_body(ctx, &r->body.data[k]);
    fr_array_free(ctx, &r->topo);
    fr_cutlog_free(ctx, &r->log);
    fr_array_free(ctx, &r->mesh);
    fr_array_free(ctx, &r->skin);
    fr_array_free(ctx, &r->bend);
    fr_array_free(ctx, &r->body);
    fr_array_free(ctx, &r->view);
    fr_array_free(ctx, &r->frame);
    fr_array_free(ctx, &r->meta);
    fr_array_free(ctx, &r->tick);
    fr_array_free(ctx, &r->t);
    fr_array_free(ctx, &r->burst_sample);
    fr_array_free(ctx, &r->burst_tick);
    fr_array_free(ctx, &r->burst_t);
    fr_arena_free(&r->text);
    fr_free(ctx, r->raw);
    fr_free(ctx, r);
}

const FrRecordingInfo *fr_recording_info(const FrRecording *r) { return &r->info; }

void fr_recording_body(const FrRecording *r, int32_t id, FrRecordingBody *body) {
    FR_ASSERT_IN(r->ctx, id >= 0 && id < r->body.count,
                 "ask for a body between 0 and body_count - 1");
    const FrReadBody *from = &r->body.data[id];
    *body = (FrRecordingBody){&r->view.data[id], from->parent, from->piece,
                              from->born,        from->died,   from->mesh_hash};
}

void fr_recording_paint(FrRecording *r, int32_t id, const FrMaterial *look) {
    FR_ASSERT_IN(r->ctx, id >= 0 && id < r->body.count,
                 "paint a body between 0 and body_count - 1");
    FrMaterial *m = &r->view.data[id].material;
    memcpy(m->colour, look->colour, sizeof m->colour);
    m->roughness = look->roughness;
    m->metallic = look->metallic;
    m->opacity = look->opacity;
    memcpy(m->inside, look->inside, sizeof m->inside);
}

static FrResult event_row(FrRecording *r, FrQuery *query, void *arg) {
    FrEvent event;
    FrReader reader;
    int64_t seq;
    const void *bytes;
    size_t size;
    FR_TRY(fr_query_int(query, 0, 0, INT64_MAX - 1, &seq));
    FR_TRY(fr_query_blob(query, 1, &bytes, &size));
    fr_reader_init(&reader, bytes, size);
    FrResult result = fr_event_load(r->ctx, &reader, &event);
    if (result == FR_OK && (fr_reader_left(&reader) || event.seq != (uint64_t)seq))
        result = fr_fail(r->ctx, FR_BAD_INPUT, "its bytes belong to another event");
    if (result == FR_OK) result = fr_event_log_put(arg, &event);
    if (result == FR_OK) return FR_OK;
    return fr_fail_within(r->ctx, result, "%s: event %" PRId64 ": ", r->info.path, seq);
}

FrResult fr_recording_events(FrRecording *r, FrEventLog *log) {
    fr_event_log_clear(log);
    log->next_seq = 0;
    return fr_recording_each(
        r, &(FrSelect){"event", "SELECT seq, blob FROM event ORDER BY seq", NULL, 0}, event_row,
        log);
}

typedef struct EnergyRows {
    FrEnergyRow *data;
    int32_t count, capacity;
} EnergyRows;

static FrResult energy_row(FrRecording *r, FrQuery *query, void *arg) {
    EnergyRows *rows = arg;
    FrEnergyRow e;
    double *part[8] = {&e.kinetic, &e.elastic,  &e.plastic,  &e.damping,
                       &e.contact, &e.fracture, &e.external, &e.dust};
    int64_t least = rows->count ? rows->data[rows->count - 1].tick + 1 : INT64_MIN / 2;
    FR_TRY(fr_query_int(query, 0, least, INT64_MAX / 2, &e.tick));
    for (int k = 0; k < 8; k++) FR_TRY(fr_query_real(query, k + 1, part[k]));
    return fr_array_push(r->ctx, rows, e) ? FR_OK : fr_no_memory(r->ctx, "energies");
}

FrResult fr_recording_energy(FrRecording *r, FrEnergyRow **rows, int32_t *count) {
    EnergyRows list = {0};
    FrResult result = fr_recording_each(
        r, &(FrSelect){"energy", "SELECT * FROM energy ORDER BY tick", NULL, 0}, energy_row, &list);
    if (result != FR_OK) fr_array_free(r->ctx, &list);
    *rows = list.data;
    *count = list.count;
    return result;
}

static FrResult pose_row(FrRecording *r, FrQuery *query, void *arg) {
    FrPoseTrack *track = arg;
    int64_t chunk, end = track->first + track->count;
    int32_t first, samples;
    double hz;
    const void *z;
    size_t z_size;
    FR_TRY(fr_query_int(query, 0, 0, INT64_MAX / FR_POSE_CHUNK / 2, &chunk));
    FR_TRY(fr_query_real(query, 1, &hz));
    FR_TRY(fr_query_i32(query, 2, 0, FR_POSE_CHUNK - 1, &first));
    FR_TRY(fr_query_i32(query, 3, 1, FR_POSE_CHUNK - first, &samples));
    FR_TRY(fr_query_blob(query, 4, &z, &z_size));
    int64_t start = chunk * FR_POSE_CHUNK + first;
    if (hz <= 0.0 || (track->count && (hz != track->hz || start != end)))
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: pose: chunk %" PRId64 " does not follow",
                       r->info.path, chunk);
    float value[FR_POSE_CHUNK * FR_POSE_FLOATS];
    uint8_t planes[sizeof value];
    size_t n = (size_t)samples;
    FR_TRY(fr_inflate(r->ctx, z, z_size, planes, 4 * FR_POSE_FLOATS * n));
    fr_planes_join(planes, FR_POSE_FLOATS * n, value);
    if (!track->count) track->first = start, track->hz = hz;
    for (size_t k = 0; k < n; k++) {
        double p[FR_POSE_FLOATS];
        for (size_t c = 0; c < FR_POSE_FLOATS; c++) {
            p[c] = (double)value[c * n + k];
            if (!isfinite(p[c]))
                return fr_fail(r->ctx, FR_BAD_INPUT, "%s: pose: a number is not finite",
                               r->info.path);
        }
        FrPose pose = {{p[0], p[1], p[2]}, {p[3], p[4], p[5], p[6]}};
        if (!fr_array_push(r->ctx, track, pose)) return fr_no_memory(r->ctx, "poses");
    }
    return FR_OK;
}

FrResult fr_recording_poses(FrRecording *r, int32_t id, FrPoseTrack *track) {
    *track = (FrPoseTrack){0};
    FrCell cell = fr_cell_int(id);
    FrResult result = fr_recording_each(r,
                                        &(FrSelect){"pose",
                                                    "SELECT chunk, hz, first, samples, z FROM pose "
                                                    "WHERE body=? ORDER BY chunk",
                                                    &cell, 1},
                                        pose_row, track);
    if (result != FR_OK) fr_array_free(r->ctx, track);
    return result;
}
