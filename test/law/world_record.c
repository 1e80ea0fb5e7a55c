// world_record.c: a pane is shot, recorded tick by tick, and read back: the same mesh, pieces and
// places at every frame, and the same bytes when the run was stopped in the middle of the break.

#include "pane_kit.h"
#include "base/file.h"
#include "base/hash.h"
#include "record/recording.h"
#include "world/cuts.h"
#include <unistd.h>

enum { TICKS = 10 };

static FrWorld *make_world(FrContext *ctx) {
    return shot_make(&(Shot){.cells = 6, .strength = 2e6, .speed = 6.0}, ctx);
}

static const FrRecorderDef recorder_def = {.scene_json = "{}",
                                           .scene_hash = 5,
                                           .fps = 5000,
                                           .duration = 2e-4 * TICKS,
                                           .tick_seconds = 2e-4,
                                           .pose_hz = 5000,
                                           .version = "test"};

static void record(FrContext *ctx, FrWorld *world, FrRecorder *recorder) {
    const FrFrameView *view = fr_world_view(world);
    int32_t first_tet;
    const FrCutLog *log = fr_world_cuts(world, 0, &first_tet);
    CHECK_OK(ctx, fr_recorder_topology(recorder, 0, view->tick, log, first_tet));
    fr_world_cuts_reported(world, 0);
    CHECK_OK(ctx, fr_recorder_poses(recorder, view->tick, view));
    CHECK_OK(ctx, fr_recorder_frame(recorder, view));
}

static void begin(FrContext *ctx, FrWorld *world, FrRecorder *recorder) {
    const FrFrameView *view = fr_world_view(world);
    for (int32_t k = 0; k < view->body_count; k++) {
        FrRecordBody body = {.id = k, .parent = -1, .view = view->body[k]};
        if (k == 0) body.view = fr_world_first_view(world, k);
        CHECK_OK(ctx, fr_recorder_add_body(recorder, &body));
    }
    record(ctx, world, recorder);
}

static void run_to(FrContext *ctx, FrWorld *world, FrRecorder *recorder, int64_t tick) {
    while (fr_world_tick(world) < tick) {
        CHECK_OK(ctx, fr_world_step(world));
        record(ctx, world, recorder);
    }
}

TEST(every_frame_of_a_break_comes_back) {
    FrContext *ctx = test_context(1);
    FrWorld *world = make_world(ctx);
    FrRecorder *recorder;
    FrRecording *recording;
    CHECK_OK(ctx, fr_recorder_create(ctx, "law-break.fracas", &recorder_def, &recorder));
    begin(ctx, world, recorder);
    for (int32_t k = 0; k <= TICKS; k++) {
        const FrFrameView *read;
        run_to(ctx, world, recorder, k);
        CHECK_OK(ctx, fr_recorder_commit(recorder));
        const FrFrameView *view = fr_world_view(world);
        CHECK_OK(ctx, fr_recording_open(ctx, "law-break.fracas", &recording));
        CHECK_OK(ctx, fr_recording_frame(recording, k, &read));
        const FrBodyView *a = &view->body[0], *b = &read->body[0];
        CHECK_INT(b->mesh->tet_count, a->mesh->tet_count);
        CHECK(fr_tetmesh_hash(b->mesh) == fr_tetmesh_hash(a->mesh));
        CHECK_INT(b->surface->tri_count, a->surface->tri_count);
        // rounding: float32 about the middle of a body of 40 cm that comes apart: half a unit of
        // 0.25 m
        double worst = 0;
        for (int32_t n = 0; n < 3 * a->mesh->node_count; n++)
            worst = fr_max(worst, fabs(read->frame[0].p[n] - view->frame[0].p[n]));
        CHECK(worst < 0.25 * 6e-8);
        size_t tets = (size_t)a->mesh->tet_count, tris = (size_t)a->surface->tri_count;
        if (a->piece && b->piece) CHECK(!memcmp(a->piece, b->piece, tets * sizeof *a->piece));
        CHECK(!memcmp(a->surface->tri, b->surface->tri, tris * sizeof *a->surface->tri));
        fr_recording_close(recording);
    }
    CHECK(fr_world_stats(world).cracks > 10);
    fr_recorder_close(recorder);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
    unlink("law-break.fracas");
}

static uint64_t hash_of(FrContext *ctx, const char *path) {
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_file_load(ctx, path, (size_t)1 << 28, &bytes, &size));
    uint64_t hash = fr_hash_of(bytes, size, 0);
    fr_free(ctx, bytes);
    return hash;
}

TEST(stopped_in_the_break_and_taken_up) {
    FrContext *ctx = test_context(1);
    uint64_t hash[2];
    for (int stop = 0; stop < 2; stop++) {
        FrWorld *world = make_world(ctx);
        FrRecorder *recorder;
        CHECK_OK(ctx, fr_recorder_create(ctx, "law-stop.fracas", &recorder_def, &recorder));
        begin(ctx, world, recorder);
        if (stop) {
            uint8_t *bytes;
            size_t size;
            FrResumePoint point;
            run_to(ctx, world, recorder, 5);
            CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
            CHECK_OK(ctx, fr_recorder_checkpoint(recorder, 5, bytes, size));
            fr_world_free_bytes(ctx, bytes);
            run_to(ctx, world, recorder, 7); // rows past the checkpoint
            CHECK_OK(ctx, fr_recorder_commit(recorder));
            fr_recorder_close(recorder);
            fr_world_destroy(world);
            world = make_world(ctx);
            CHECK_OK(ctx, fr_recorder_open_resume(ctx, "law-stop.fracas", 5, &recorder, &point));
            CHECK_INT(point.tick, 5);
            CHECK_OK(ctx, fr_world_load(world, point.bytes, point.size));
            fr_free(ctx, point.bytes);
        }
        run_to(ctx, world, recorder, TICKS);
        CHECK_OK(ctx, fr_recorder_finish(recorder));
        fr_recorder_close(recorder);
        fr_world_destroy(world);
        hash[stop] = hash_of(ctx, "law-stop.fracas");
    }
    CHECK(hash[0] == hash[1]);
    fr_context_destroy(ctx);
    unlink("law-stop.fracas");
}
