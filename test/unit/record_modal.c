// record_modal.c: bodies that bend by modes are recorded as a pose and modal coordinates, and come
// back with all nodes; in small files, through resuming, and lies about them end in a message.

#include "modal_kit.h"
#include "rigid_kit.h"
#include "base/file.h"
#include "record/recorder.h"
#include "record/recording.h"
#include "record/state_code.h"
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TICKS = 120, EACH = 4 };

static FrWorld *two_lumps(FrContext *ctx, const FrTetMesh *mesh) {
    FrMaterial m = rigid_material(0.0, 0.5);
    fr_material_set_young(&m, 1e5, 0.4);
    strcpy(m.name, "jelly");
    FrWorld *world = awake_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &m));
    for (int k = 0; k < 2; k++) {
        FrBodyDef def = ball_def(&m, 0.0, fr_vec3(0.03 * k, 0, 0.15 + 0.25 * k), fr_vec3_zero);
        def.model = FR_MODEL_MODAL;
        def.mesh = mesh;
        def.modes = 12;
        put(ctx, world, &def);
    }
    return world;
}

static FrRecorderDef record_def(void) {
    return (FrRecorderDef){.scene_hash = 5,
                           .fps = 60,
                           .duration = TICKS / 240.0,
                           .tick_seconds = 1 / 240.0,
                           .pose_hz = 240,
                           .burst_hz = 0};
}

// from the world's tick on; a checkpoint at half time
static void go_on(FrContext *ctx, FrWorld *world, FrRecorder *r, int64_t until) {
    for (int64_t tick = fr_world_tick(world); tick <= until; tick = fr_world_tick(world)) {
        const FrFrameView *view = fr_world_view(world);
        for (int32_t k = 0; k < view->body_count; k++)
            CHECK_OK(ctx, fr_recorder_add_body(
                              r, &(FrRecordBody){.view = view->body[k], .id = k, .parent = -1}));
        CHECK_OK(ctx, fr_recorder_poses(r, tick, view));
        if (tick % EACH == 0) CHECK_OK(ctx, fr_recorder_frame(r, view));
        if (tick == TICKS / 2) {
            uint8_t *bytes;
            size_t size;
            CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
            CHECK_OK(ctx, fr_recorder_checkpoint(r, tick, bytes, size));
            fr_world_free_bytes(ctx, bytes);
        }
        if (tick == until) break;
        CHECK_OK(ctx, world_step(world));
    }
}

static void record(FrContext *ctx, const FrTetMesh *mesh, const char *path) {
    FrWorld *world = two_lumps(ctx, mesh);
    FrRecorderDef def = record_def();
    FrRecorder *r;
    CHECK_OK(ctx, fr_recorder_create(ctx, path, &def, &r));
    go_on(ctx, world, r, TICKS);
    CHECK_OK(ctx, fr_recorder_finish(r));
    fr_recorder_close(r);
    fr_world_destroy(world);
}

static int64_t number_of(const char *path, const char *sql) {
    sqlite3 *db;
    sqlite3_stmt *query;
    CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_INT(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(query), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(db);
    return value;
}

// nodes to rounding, not to the floats of recorded nodes; a twentieth of their bytes
TEST(pose_and_modes_come_back_as_nodes) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.2, 0.2, 0.2), 6, 6, 6, 1);
    const char *path = "rec-modal.fracas";
    record(ctx, &mesh, path);
    FrWorld *world = two_lumps(ctx, &mesh);
    FrRecording *rec;
    CHECK_OK(ctx, fr_recording_open(ctx, path, &rec));
    double worst = 0.0, fastest = 0.0, bent = 0.0;
    for (int32_t k = 0; k < fr_recording_info(rec)->frame_count; k++) {
        const FrFrameView *view, *live;
        CHECK_OK(ctx, fr_recording_frame(rec, k, &view));
        while (fr_world_tick(world) < view->tick) CHECK_OK(ctx, world_step(world));
        live = fr_world_view(world);
        for (int b = 0; b < 2; b++) {
            CHECK(view->body[b].modes && view->body[b].modes->mode_count == 12);
            for (int32_t i = 0; i < 3 * mesh.node_count; i++) {
                worst = fr_max(worst, fabs(view->frame[b].p[i] - live->frame[b].p[i]));
                fastest = fr_max(fastest, fabs(view->frame[b].v[i] - live->frame[b].v[i]));
            }
            for (int m = 0; m < 12; m++) {
                CHECK(view->frame[b].z[m] == live->frame[b].z[m]);
                bent = fr_max(bent, fabs(view->frame[b].z[m]));
            }
        }
    }
    CHECK(bent > 1e-3);
    CHECK(worst < 1e-13 && fastest < 1e-12); // rounding
    int64_t bytes = number_of(path, "SELECT sum(length(z)) FROM state");
    int64_t nodes = 2 * (TICKS / EACH + 1) * (int64_t)fr_state_size(mesh.node_count);
    printf("  frames: %lld bytes, as nodes before packing %lld\n", (long long)bytes,
           (long long)nodes);
    CHECK(bytes * 20 < nodes);
    fr_recording_close(rec);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
    unlink(path);
}

// stopped a little after its checkpoint, gone on with by another recorder: the same bytes
TEST(what_is_resumed_ends_in_the_same_bytes) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.2, 0.2, 0.2), 3, 3, 3, 1);
    const char *whole = "rec-whole.fracas", *parts = "rec-parts.fracas";
    record(ctx, &mesh, whole);
    FrWorld *world = two_lumps(ctx, &mesh);
    FrRecorderDef def = record_def();
    FrRecorder *r;
    FrResumePoint point;
    CHECK_OK(ctx, fr_recorder_create(ctx, parts, &def, &r));
    go_on(ctx, world, r, TICKS / 2 + 17);
    CHECK_OK(ctx, fr_recorder_commit(r));
    fr_recorder_close(r);
    fr_world_destroy(world);
    CHECK_OK(ctx, fr_recorder_open_resume(ctx, parts, def.scene_hash, &r, &point));
    CHECK_INT(point.tick, TICKS / 2);
    world = two_lumps(ctx, &mesh);
    CHECK_OK(ctx, fr_world_load(world, point.bytes, point.size));
    fr_free(ctx, point.bytes);
    CHECK_OK(ctx, world_step(world));
    go_on(ctx, world, r, TICKS);
    CHECK_OK(ctx, fr_recorder_finish(r));
    fr_recorder_close(r);
    fr_world_destroy(world);
    uint8_t *bytes[2];
    size_t size[2];
    CHECK_OK(ctx, fr_file_load(ctx, whole, (size_t)1 << 28, &bytes[0], &size[0]));
    CHECK_OK(ctx, fr_file_load(ctx, parts, (size_t)1 << 28, &bytes[1], &size[1]));
    CHECK(size[0] == size[1] && !memcmp(bytes[0], bytes[1], size[0]));
    for (int k = 0; k < 2; k++) fr_free(ctx, bytes[k]);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
    unlink(whole), unlink(parts);
}

static const char *const lies[] = {
    "DELETE FROM bend",
    "UPDATE bend SET modes = modes + 1",
    "UPDATE bend SET nodes = nodes - 1",
    "UPDATE bend SET modes = 2000000000",
    "UPDATE bend SET z = zeroblob(9)",
    "UPDATE body SET bend = NULL WHERE id = 0",
    "UPDATE body SET bend = 'none' WHERE id = 1",
    "UPDATE state SET enc = 1 WHERE tick = 20",
    "UPDATE state SET enc = 2 WHERE tick = 20",
    "UPDATE state SET enc = 4 WHERE tick = 20",
    "UPDATE state SET z = zeroblob(30) WHERE tick = 40 AND body = 1",
};

static FrResult read_all(FrContext *ctx, const char *path) {
    FrRecording *rec;
    FR_TRY(fr_recording_open(ctx, path, &rec));
    FrResult result = FR_OK;
    const FrFrameView *view;
    for (int32_t k = 0; result == FR_OK && k < fr_recording_info(rec)->frame_count; k++)
        result = fr_recording_frame(rec, k, &view);
    fr_recording_close(rec);
    return result;
}

TEST(lies_end_in_a_message) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.2, 0.2, 0.2), 3, 3, 3, 1);
    const char *path = "rec-lie.fracas";
    uint8_t *bytes;
    size_t size;
    record(ctx, &mesh, path);
    CHECK_OK(ctx, fr_file_load(ctx, path, (size_t)1 << 28, &bytes, &size));
    for (size_t k = 0; k < sizeof lies / sizeof lies[0]; k++) {
        sqlite3 *db;
        CHECK_OK(ctx, fr_file_save(ctx, path, bytes, size));
        CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
        CHECK_INT(sqlite3_exec(db, lies[k], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        if (read_all(ctx, path) != FR_BAD_INPUT) TEST_FAIL("\"%s\" is believed", lies[k]);
        CHECK_HAS(fr_context_message(ctx), " ");
    }
    fr_free(ctx, bytes);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
    unlink(path);
}
