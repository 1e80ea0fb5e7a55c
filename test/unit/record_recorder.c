// record_recorder.c: what is recorded comes back, the finished bytes depend on nothing else.

#include "test.h"
#include "context.h"
#include "base/clock.h"
#include "record_world.h"
#include "mesh/tetmesh.h"
#include "base/file.h"
#include "record/state_code.h"
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

// the whole run, in one go
static void record_straight(FrContext *ctx, const char *path, int checkpoint_every,
                            int commit_every) {
    World w;
    FrRecorder *r;
    FrRecorderDef def = world_def();
    world_init(&w, ctx, 3);
    CHECK_OK(ctx, fr_recorder_create(ctx, path, &def, &r));
    CHECK_OK(ctx, world_start(&w, r));
    CHECK_OK(ctx, world_run(&w, r, WORLD_TICKS, checkpoint_every, commit_every));
    CHECK_OK(ctx, fr_recorder_timing(r, "simulate", 1.25));
    CHECK_OK(ctx, fr_recorder_timing(r, "simulate", 1.25));
    double seconds;
    CHECK_OK(ctx, fr_recorder_timing_get(r, "simulate", &seconds));
    CHECK_NEAR(seconds, 2.5, 0.0); // 1.25 + 1.25 is exact
    CHECK_OK(ctx, fr_recorder_finish(r));
    CHECK_INT(fr_recorder_commit(r), FR_BAD_USE);
    fr_recorder_close(r);
    world_free(&w);
}

// hash of one live frame: fr_recording_frame_hash gives the same number for it once recorded
static FrResult frame_hash(FrContext *ctx, const FrFrameView *view, uint64_t *out) {
    FrHash hash;
    FrResult result = FR_OK;
    int32_t bad_node;
    fr_hash_begin(&hash, 0);
    fr_hash_u64(&hash, (uint64_t)view->tick);
    fr_hash_f64(&hash, view->t);
    for (int32_t k = 0; k < view->body_count && result == FR_OK; k++) {
        if (view->body[k].kind == FR_BODY_PLANE || !view->frame[k].alive) continue;
        int32_t nodes = view->body[k].mesh ? view->body[k].mesh->node_count : 0;
        uint8_t *raw = fr_alloc(ctx, fr_state_size(nodes));
        if (!raw) return fr_no_memory(ctx, "a frame");
        if (!fr_state_encode(&view->frame[k], nodes, raw, &bad_node))
            result = fr_fail(ctx, FR_NUMERICAL, "body %d is not finite", k);
        fr_hash_u64(&hash, (uint64_t)k);
        fr_hash_bytes(&hash, raw, fr_state_size(nodes));
        fr_free(ctx, raw);
    }
    *out = fr_hash_end(&hash);
    return result;
}

TEST(what_is_recorded_comes_back) {
    FrContext *ctx = make_context(2);
    record_straight(ctx, "rec-back.fracas", 100, 0);
    FrRecording *rec;
    CHECK_OK(ctx, fr_recording_open(ctx, "rec-back.fracas", &rec));
    const FrRecordingInfo *info = fr_recording_info(rec);
    CHECK(info->finished && info->seed == 7 && info->scene_hash == 0xabcdef0123456789u);
    CHECK_TEXT(info->scene_json, "{\"bodies\":[]}");
    CHECK_INT(info->frame_count, WORLD_TICKS / TICKS_PER_FRAME + 1);
    CHECK_INT(info->body_count, 5);
    CHECK_NEAR(info->t[3], 0.03, TOL_EXACT);
    FrRecordingBody late;
    fr_recording_body(rec, 4, &late);
    CHECK(late.born == 205 && late.died == 400 && late.parent == 2);
    // every frame against the world run again
    World w;
    FrRecorder *spare;
    FrRecorderDef def = world_def();
    world_init(&w, ctx, 3);
    CHECK_OK(ctx, fr_recorder_create(ctx, "rec-spare.fracas", &def, &spare));
    CHECK_OK(ctx, world_start(&w, spare));
    for (int32_t k = 0; k < info->frame_count; k++) {
        const FrFrameView *view;
        CHECK_OK(ctx, world_run(&w, spare, info->tick[k], 0, 0));
        CHECK_OK(ctx, fr_recording_frame(rec, k, &view));
        CHECK_INT(view->body_count, 5);
        CHECK(view->frame[4].alive == w.frame[4].alive);
        CHECK_TEXT(view->body[0].name, "cube \"A\"");
        CHECK(view->body[0].surface->tri_count == 6 * 9 * 2);
        double worst = 0;
        CHECK(fr_tetmesh_hash(view->body[1].mesh) == fr_tetmesh_hash(w.view[1].mesh));
        for (int b = 0; b < 2; b++)
            for (int32_t i = 0; i < 3 * w.view[b].mesh->node_count; i++)
                worst = fr_max(worst, fabs(view->frame[b].p[i] - w.frame[b].p[i]));
        // float32 about the body's middle: half a unit in the last place of 0.06 m
        CHECK(worst <= 0.06 * 6e-8);
        CHECK(view->frame[2].position.z == w.frame[2].position.z);
        FrFrameView live = world_view(&w);
        uint64_t a = 0, b = 0;
        CHECK_OK(ctx, frame_hash(ctx, &live, &a));
        CHECK_OK(ctx, fr_recording_frame_hash(rec, k, &b));
        CHECK(a == b);
    }
    const FrFrameView *view;
    CHECK_OK(ctx, fr_recording_frame(rec, 0, &view));
    CHECK(view->body[0].embedded && view->body[0].embedded->uv[4] == 1.0);
    CHECK(view->body[0].mesh == view->body[1].mesh); // stored once, loaded once
    CHECK(!memcmp(&view->body[0].material, &w.view[0].material, sizeof(FrMaterial)));
    FrPoseTrack track;
    CHECK_OK(ctx, fr_recording_poses(rec, 2, &track));
    CHECK_INT(track.count, WORLD_TICKS / TICKS_PER_POSE + 1);
    CHECK_NEAR(track.data[100].x.x, 0.2, 0.2 * 6e-8); // float32
    fr_free(ctx, track.data);
    CHECK_OK(ctx, fr_recording_poses(rec, 4, &track));
    CHECK_INT(track.first, 103); // first even tick after the birth at 205 is 206
    CHECK_INT(track.count, (398 - 206) / 2 + 1);
    fr_free(ctx, track.data);
    FrEventLog log;
    fr_event_log_init(&log, ctx);
    CHECK_OK(ctx, fr_recording_events(rec, &log));
    CHECK(log.count > 100 && (uint64_t)log.count == w.next_seq);
    fr_event_log_free(&log);
    FrEnergyRow *rows;
    int32_t count;
    CHECK_OK(ctx, fr_recording_energy(rec, &rows, &count));
    CHECK_INT(count, WORLD_TICKS / 5);
    CHECK(rows[119].tick == 600 && rows[119].external == -1.0 && rows[119].dust == 0.25);
    fr_free(ctx, rows);
    printf("  %zu bytes for %d frames, %d nodes\n", info->file_size, info->frame_count,
           2 * w.mesh.node_count);
    fr_recorder_close(spare);
    world_free(&w);
    fr_recording_close(rec);
    fr_context_destroy(ctx);
    unlink("rec-back.fracas"), unlink("rec-spare.fracas");
}

TEST(bytes_do_not_depend_on_commits_workers_or_resumes) {
    FrContext *one = make_context(1), *three = make_context(3);
    record_straight(one, "rec-a.fracas", 0, 0);
    record_straight(three, "rec-b.fracas", 37, 7);
    uint64_t first = file_hash(one, "rec-a.fracas");
    CHECK(first == file_hash(one, "rec-b.fracas"));
    // stopped every 83 ticks without a checkpoint at the end, resumed at the last one
    World w;
    FrRecorder *r;
    FrResumePoint point = {0};
    FrRecorderDef def = world_def();
    CHECK_OK(one, fr_recorder_create(one, "rec-c.fracas", &def, &r));
    fr_recorder_close(r);
    for (int64_t stop = 83;; stop += 83) {
        world_init(&w, one, 3);
        CHECK_OK(one, fr_recorder_open_resume(one, "rec-c.fracas", def.scene_hash, &r, &point));
        CHECK_INT(point.state, FR_RUN_STARTED);
        if (point.bytes)
            world_load(&w, &point);
        else
            CHECK_OK(one, world_start(&w, r));
        fr_free(one, point.bytes);
        bool last = stop >= WORLD_TICKS;
        CHECK_OK(one, world_run(&w, r, last ? WORLD_TICKS : stop, 50, 3));
        if (last) CHECK_OK(one, fr_recorder_finish(r));
        fr_recorder_close(r);
        world_free(&w);
        if (last) break;
    }
    CHECK(first == file_hash(one, "rec-c.fracas"));
    CHECK_OK(one, fr_recorder_open_resume(one, "rec-c.fracas", def.scene_hash, &r, &point));
    CHECK(point.state == FR_RUN_FINISHED && !r);
    CHECK_INT(fr_recorder_open_resume(one, "rec-c.fracas", 1, &r, &point), FR_BAD_USE);
    CHECK_HAS(fr_context_message(one), "--restart");
    CHECK(first == file_hash(one, "rec-c.fracas"));
    CHECK_OK(one, fr_recorder_open_resume(one, "rec-none.fracas", 1, &r, &point));
    CHECK(point.state == FR_RUN_ABSENT && !r);
    fr_context_destroy(one), fr_context_destroy(three);
    unlink("rec-a.fracas"), unlink("rec-b.fracas"), unlink("rec-c.fracas");
}

// a child that starts or goes on with the run and finishes it
static void run_child(const char *path) {
    FrContext *ctx = make_context(1);
    FrRecorderDef def = world_def();
    World w;
    FrRecorder *r;
    FrResumePoint point;
    world_init(&w, ctx, 3);
    if (fr_recorder_open_resume(ctx, path, def.scene_hash, &r, &point)) _exit(2);
    if (point.state == FR_RUN_FINISHED) _exit(0);
    if (point.state == FR_RUN_ABSENT && fr_recorder_create(ctx, path, &def, &r)) _exit(3);
    if (point.bytes) world_load(&w, &point);
    if (!point.bytes && world_start(&w, r)) _exit(4);
    if (world_run(&w, r, WORLD_TICKS, 40, 3)) _exit(5);
    if (fr_recorder_finish(r)) _exit(6);
    _exit(0);
}

TEST(kill_nine_at_any_moment_ends_in_the_same_bytes) {
    FrContext *ctx = make_context(1);
    const char *path = "rec-kill.fracas";
    record_straight(ctx, "rec-kill-truth.fracas", 0, 0);
    uint64_t truth = file_hash(ctx, "rec-kill-truth.fracas");
    FrRandom random = fr_random_for(9, "kills", 0);
    unlink(path);
    double begin = fr_wall_seconds();
    pid_t child = fork();
    if (child == 0) run_child(path);
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    double whole = fr_wall_seconds() - begin;
    CHECK(file_hash(ctx, path) == truth);
    int killed = 0, readable = 0;
    for (int round = 0; round < 3; round++) {
        unlink(path);
        for (int k = 0; k < 40; k++) {
            child = fork();
            if (child == 0) run_child(path);
            if (k < 8) {
                usleep((unsigned)(1e6 * whole * fr_random_range(&random, 0.02, 0.5)));
                kill(child, SIGKILL);
            }
            waitpid(child, &status, 0);
            if (WIFSIGNALED(status)) killed++;
            // a killed file is readable at once
            FrRecording *rec;
            if (access(path, F_OK) == 0) {
                CHECK_OK(ctx, fr_recording_open(ctx, path, &rec));
                const FrFrameView *view;
                for (int32_t f = 0; rec && f < fr_recording_info(rec)->frame_count; f += 7)
                    CHECK_OK(ctx, fr_recording_frame(rec, f, &view));
                fr_recording_close(rec);
                readable++;
            }
            if (WIFEXITED(status)) {
                CHECK_INT(WEXITSTATUS(status), 0);
                break;
            }
        }
        CHECK(file_hash(ctx, path) == truth);
    }
    // how many the clock allows depends on the machine; record_fault.c kills at chosen writes
    CHECK(killed >= 1 && readable >= 3);
    printf("  %d kills\n", killed);
    unlink(path), unlink("rec-kill-truth.fracas");
    unlink("rec-kill.fracas.new"), unlink("rec-kill.fracas-journal");
    fr_context_destroy(ctx);
}

TEST(readers_and_a_second_writer_meet_a_run_still_going) {
    FrContext *ctx = make_context(1);
    FrRecorderDef def = world_def();
    World w;
    FrRecorder *r, *other;
    FrRecording *rec;
    FrResumePoint point;
    const FrFrameView *view;
    world_init(&w, ctx, 2);
    CHECK_OK(ctx, fr_recorder_create(ctx, "rec-live.fracas", &def, &r));
    CHECK_OK(ctx, world_start(&w, r));
    CHECK_OK(ctx, world_run(&w, r, 100, 50, 0));
    CHECK_OK(ctx, fr_recording_open(ctx, "rec-live.fracas", &rec));
    CHECK_INT(fr_recording_info(rec)->frame_count, 11);
    CHECK(!fr_recording_info(rec)->finished);
    CHECK_OK(ctx, fr_recording_frame(rec, 10, &view));
    CHECK_OK(ctx, world_run(&w, r, 300, 50, 0));
    CHECK_OK(ctx, fr_recording_frame(rec, 5, &view));
    CHECK_OK(ctx, fr_recording_refresh(rec));
    CHECK_INT(fr_recording_info(rec)->frame_count, 31);
    CHECK_INT(fr_recording_info(rec)->body_count, 5);
    CHECK_OK(ctx, fr_recording_frame(rec, 30, &view));
    CHECK(view->frame[4].alive);
    CHECK_INT(fr_recorder_open_resume(ctx, "rec-live.fracas", def.scene_hash, &other, &point),
              FR_IO);
    CHECK_HAS(fr_context_message(ctx), "another process");
    CHECK_OK(ctx, fr_recorder_finish(r));
    // the reader keeps the old file until it is opened again
    CHECK_OK(ctx, fr_recording_frame(rec, 30, &view));
    fr_recording_close(rec);
    fr_recorder_close(r);
    world_free(&w);
    fr_context_destroy(ctx);
    unlink("rec-live.fracas");
}

TEST(what_is_not_finite_never_reaches_the_file) {
    FrContext *ctx = make_context(1);
    FrRecorderDef def = world_def();
    World w;
    FrRecorder *r;
    world_init(&w, ctx, 2);
    CHECK_OK(ctx, fr_recorder_create(ctx, "rec-nan.fracas", &def, &r));
    CHECK_OK(ctx, world_start(&w, r));
    w.p[1][3 * 5 + 1] = (double)NAN;
    FrFrameView view = world_view(&w);
    CHECK_INT(fr_recorder_frame(r, &view), FR_NUMERICAL);
    CHECK_HAS(fr_context_message(ctx), "\"cube B\": node 5");
    w.p[1][3 * 5 + 1] = (double)INFINITY;
    CHECK_INT(fr_recorder_frame(r, &view), FR_NUMERICAL);
    CHECK_HAS(fr_context_message(ctx), "node 5");
    FrEnergyRow row = {.tick = 1, .elastic = (double)INFINITY};
    CHECK_INT(fr_recorder_energy(r, &row), FR_NUMERICAL);
    FrEvent e = {.kind = FR_EVENT_CRACK, .t = (double)NAN};
    CHECK_INT(fr_recorder_event(r, &e), FR_NUMERICAL);
    FrEvent hit = {.kind = FR_EVENT_IMPACT, .t = 0.5, .a = {2}};
    hit.u.impact.duration = (double)INFINITY;
    hit.u.impact.area = (double)NAN;
    CHECK_INT(fr_recorder_event(r, &hit), FR_NUMERICAL);
    CHECK_HAS(fr_context_message(ctx), "impact of bodies 1 and -1 at 0.5 s: its impact.duration");
    w.p[1][3 * 5 + 1] = 0;
    CHECK_OK(ctx, fr_recorder_frame(r, &view)); // the recorder is not broken
    fr_recorder_close(r);
    world_free(&w);
    fr_context_destroy(ctx);
    unlink("rec-nan.fracas");
}
