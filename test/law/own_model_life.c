// own_model_life.c: the mass on a spring (own_model.h) is recorded, killed while others of its kind
// are born and die, and taken up to the same bytes. KILL_SEED: which moments (1).

#include "own_world.h"
#include "base/file.h"
#include "base/random.h"
#include "record/recording.h"
#include "run/roster.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICKS = 120, KILLS = 20 };

static const FrRecorderDef recorder_def = {.scene_json = "{}",
                                           .scene_hash = 7,
                                           .fps = 240,
                                           .duration = TICKS / 240.0,
                                           .tick_seconds = 1.0 / 240.0,
                                           .pose_hz = 240,
                                           .version = "test"};

static void add_bodies(FrContext *ctx, FrWorld *world, FrRecorder *recorder) {
    const FrFrameView *view = fr_world_view(world);
    for (int32_t k = 0; k < view->body_count; k++) {
        FrRecordBody body = {.id = k, .parent = -1, .view = view->body[k]};
        CHECK_OK(ctx, fr_recorder_add_body(recorder, &body));
    }
}

static void record(FrContext *ctx, FrWorld *world, FrRecorder *recorder, FrRoster *roster) {
    const FrFrameView *view = fr_roster_view(ctx, roster, fr_world_view(world));
    CHECK_OK(ctx, fr_recorder_poses(recorder, view->tick, view));
    CHECK_OK(ctx, fr_recorder_frame(recorder, view));
}

static void keep(FrContext *ctx, FrWorld *world, FrRecorder *recorder) {
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
    CHECK_OK(ctx, fr_recorder_checkpoint(recorder, fr_world_tick(world), bytes, size));
    fr_world_free_bytes(ctx, bytes);
}

// others of its kind come and go: every tenth tick one is born, and is dead 15 ticks later
enum { FIRST_BIRTH = 20, LAST_BIRTH = 100, BETWEEN = 10, LIFE = 15 };

static void bear(FrContext *ctx, FrWorld *world, FrRecorder *recorder, FrBodyDef def) {
    int64_t tick = fr_world_tick(world);
    if (tick % BETWEEN || tick < FIRST_BIRTH || tick > LAST_BIRTH) return;
    FrBodyId id;
    def.position = fr_vec3(tick / BETWEEN % 2 ? -0.1 : 0.1, 0.05, 0.3);
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    CHECK_INT(id.index1, tick / BETWEEN + 1);
    FrRecordBody body = {.id = id.index1 - 1, .parent = -1, .born = tick};
    body.view = fr_world_view(world)->body[fr_world_view(world)->body_count - 1];
    CHECK_OK(ctx, fr_recorder_add_body(recorder, &body));
}

static void bury(FrContext *ctx, FrWorld *world, FrRecorder *recorder) {
    int64_t tick = fr_world_tick(world), born = tick - LIFE;
    if (born % BETWEEN || born < FIRST_BIRTH || born > LAST_BIRTH) return;
    FrBodyId id = {(int32_t)(born / BETWEEN) + 1};
    CHECK_OK(ctx, fr_recorder_end_body(recorder, id.index1 - 1, tick));
    CHECK_OK(ctx, fr_body_destroy(world, id));
}

/// What a child says of itself, for the one who kills it.
typedef struct Progress {
    volatile int64_t tick; ///< the world's; -1: there is none yet
    volatile bool resumed; ///< from a checkpoint
} Progress;

// a run into `path`, from where an earlier one was stopped
static void run_into(const char *path, Progress *progress) {
    FrContext *ctx = make_unsynced_context(NULL);
    FrMaterial material = elastic_material(1e6, 0.3);
    material.colour[0] = 0.9f;
    FrWorld *world = make_throw(ctx, SOLID, &material);
    FrRecorder *recorder;
    FrResumePoint point;
    FrRoster roster = {0};
    CHECK_OK(ctx, fr_recorder_open_resume(ctx, path, 7, &recorder, &point));
    if (!recorder && point.state == FR_RUN_ABSENT)
        CHECK_OK(ctx, fr_recorder_create(ctx, path, &recorder_def, &recorder));
    progress->resumed = point.bytes != NULL;
    if (recorder && point.bytes) {
        CHECK_OK(ctx, fr_world_load(world, point.bytes, point.size));
        CHECK(fr_roster_reserve(ctx, &roster, fr_recorder_body_count(recorder)));
    } else if (recorder) {
        add_bodies(ctx, world, recorder);
        record(ctx, world, recorder, &roster);
    }
    fr_free(ctx, point.bytes);
    while (recorder && (progress->tick = fr_world_tick(world)) < TICKS) {
        bury(ctx, world, recorder);
        bear(ctx, world, recorder, mass_def(&material));
        CHECK_OK(ctx, fr_world_step(world));
        record(ctx, world, recorder, &roster);
        if (fr_world_tick(world) % 7 == 0) keep(ctx, world, recorder);
    }
    if (recorder) CHECK_OK(ctx, fr_recorder_finish(recorder));
    fr_recorder_close(recorder);
    fr_roster_free(ctx, &roster);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

static uint64_t file_hash(FrContext *ctx, const char *path) {
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_file_load(ctx, path, (size_t)1 << 28, &bytes, &size));
    uint64_t hash = fr_hash_of(bytes, size, 0);
    fr_free(ctx, bytes);
    return hash;
}

static void wait_us(int32_t us) { nanosleep(&(struct timespec){.tv_nsec = 1000L * us}, NULL); }

// a life of a run that is killed some ticks and microseconds after its first; true: it came to its
// end before, and without a failure
static bool live_and_die(const char *path, Progress *progress, int32_t ticks, int32_t us) {
    fflush(stdout);
    *progress = (Progress){.tick = -1};
    pid_t child = fork();
    if (child == 0) {
        run_into(path, progress);
        _exit(test_failures != 0);
    }
    int status;
    int64_t first = -1;
    while (waitpid(child, &status, WNOHANG) == 0) {
        int64_t tick = progress->tick;
        if (first < 0) first = tick;
        if (first < 0 || tick < first + ticks) {
            wait_us(20);
            continue;
        }
        wait_us(us);
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        break;
    }
    CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFEXITED(status);
}

static void must_be_same(FrContext *ctx, const char *path, uint64_t hash) {
    CHECK(file_hash(ctx, path) == hash);
    unlink(path);
}

TEST(killed_through_births_and_deaths_and_taken_up_to_the_same_bytes) {
    FrContext *ctx = test_context(1);
    const char *text = getenv("KILL_SEED"), *path = "own-killed.fracas";
    uint64_t seed = text ? strtoull(text, NULL, 10) : 1;
    FrRandom random = fr_random_for(seed, "kills", 0);
    Progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(progress != MAP_FAILED);
    run_into("own-once.fracas", progress);
    uint64_t hash = file_hash(ctx, "own-once.fracas");
    int kills = 0, resumed = 0;
    printf("  seed %llu, killed at tick", (unsigned long long)seed);
    while (kills < KILLS) {
        int32_t ticks = fr_random_below(&random, 25), us = fr_random_below(&random, 1000);
        bool ended = live_and_die(path, progress, ticks, us);
        resumed += progress->resumed;
        if (ended)
            must_be_same(ctx, path, hash);
        else
            kills++, printf(" %lld", (long long)progress->tick);
    }
    run_into(path, progress);
    must_be_same(ctx, path, hash);
    printf("; %d lives went on from a checkpoint\n", resumed);
    CHECK(resumed >= KILLS / 2);
    munmap(progress, sizeof *progress);
    unlink("own-once.fracas");
    fr_context_destroy(ctx);
}

TEST(recordings_show_a_rigid_ball) {
    FrContext *ctx = test_context(1);
    FrRecording *recording;
    FrRecordingBody body;
    FrPoseTrack track;
    const FrFrameView *view;
    run_into("own-read.fracas", &(Progress){0});
    CHECK_OK(ctx, fr_recording_open(ctx, "own-read.fracas", &recording));
    fr_recording_body(recording, 0, &body);
    CHECK_TEXT(body.view->model, own_model.name);
    CHECK(body.view->kind == FR_BODY_SPHERE && body.view->rigid);
    CHECK(!body.view->deforms && !body.view->breaks);
    CHECK_NEAR(body.view->radius, 0.05, TOL_EXACT);
    CHECK_OK(ctx, fr_recording_poses(recording, 0, &track));
    CHECK_INT(track.count, TICKS + 1);
    fr_recording_body(recording, 2, &body);
    CHECK(body.born == FIRST_BIRTH && body.died == FIRST_BIRTH + LIFE);
    CHECK_INT(fr_recording_info(recording)->body_count,
              2 + (LAST_BIRTH - FIRST_BIRTH) / BETWEEN + 1);
    CHECK_OK(ctx, fr_recording_frame(recording, 30, &view));
    // rounding: of float32 within 20 cm
    CHECK_NEAR(fr_distance(view->frame[0].position, track.data[30].x), 0.0, 0.2 * 6e-8);
    fr_free(ctx, track.data);
    fr_recording_close(recording);
    unlink("own-read.fracas");
    fr_context_destroy(ctx);
}
