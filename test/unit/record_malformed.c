// record_malformed.c: whatever the file holds, reading it ends in a result or a message.

#include "test.h"
#include "base/clock.h"
#include "meter.h"
#include "record_world.h"
#include "base/file.h"
#include <sqlite3.h>
#include <unistd.h>

static FrResult read_lists(FrContext *ctx, FrRecording *rec) {
    FrEventLog log;
    FrEnergyRow *rows;
    int32_t count;
    uint64_t a, b;
    fr_event_log_init(&log, ctx);
    FrResult result = fr_recording_events(rec, &log);
    fr_event_log_free(&log);
    FR_TRY(result);
    FR_TRY(fr_recording_energy(rec, &rows, &count));
    fr_free(ctx, rows);
    for (int32_t k = 0; k < fr_recording_info(rec)->body_count; k++) {
        FrPoseTrack track;
        FR_TRY(fr_recording_poses(rec, k, &track));
        fr_free(ctx, track.data);
    }
    return fr_recording_hash(rec, &a, &b);
}

// everything a reader can ask for
static FrResult read_all(FrContext *ctx, const char *path) {
    FrRecording *rec;
    const FrFrameView *view;
    FR_TRY(fr_recording_open(ctx, path, &rec));
    FrResult result = FR_OK;
    for (int32_t k = 0; k < fr_recording_info(rec)->frame_count && result == FR_OK; k++)
        result = fr_recording_frame(rec, k, &view);
    for (int32_t k = 0; k < fr_recording_info(rec)->burst_count && result == FR_OK; k++)
        result = fr_recording_burst(rec, k, &view);
    if (result == FR_OK) result = read_lists(ctx, rec);
    if (result == FR_OK) result = fr_recording_refresh(rec);
    fr_recording_close(rec);
    return result;
}

static FrResult resume(FrContext *ctx, const char *path) {
    FrRecorder *r;
    FrResumePoint point;
    FrResult result = fr_recorder_open_resume(ctx, path, world_def().scene_hash, &r, &point);
    fr_free(ctx, point.bytes);
    if (r) result = fr_recorder_finish(r);
    fr_recorder_close(r);
    return result;
}

static void write_file(const char *path, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    CHECK(file && (!size || fwrite(bytes, 1, size, file) == size));
    if (file) fclose(file);
}

static void make_recording(FrContext *ctx, const char *path, bool finish) {
    World w;
    FrRecorder *r;
    FrRecorderDef def = world_def();
    world_init(&w, ctx, 1);
    CHECK_OK(ctx, fr_recorder_create(ctx, path, &def, &r));
    CHECK_OK(ctx, world_start(&w, r));
    CHECK_OK(ctx, world_run(&w, r, 260, finish ? 0 : 100, 0));
    CHECK_OK(ctx, finish ? fr_recorder_finish(r) : fr_recorder_commit(r));
    fr_recorder_close(r);
    world_free(&w);
}

static void put_be32(uint8_t *to, uint32_t value) {
    for (int k = 0; k < 4; k++) to[k] = (uint8_t)(value >> (24 - 8 * k));
}

// bit flips, bytes, zeros, page numbers, copied pages, a cut
static size_t mutate(FrRandom *random, uint8_t *bytes, size_t size) {
    size_t page = 8192, pages = size / page;
    int changes = 1 + fr_random_below(random, 6);
    for (int k = 0; k < changes; k++) {
        size_t at = fr_random_u32(random) % size;
        // headers of pages and of the file get their share
        if (fr_random_below(random, 2)) at = at / page * page + fr_random_u32(random) % 120;
        if (at + 200 >= size) at = 0;
        int kind = fr_random_below(random, 7);
        size_t a = fr_random_u32(random) % pages, b = fr_random_u32(random) % pages;
        if (kind == 0) bytes[at] ^= (uint8_t)(1u << fr_random_below(random, 8));
        if (kind == 1) bytes[at] = (uint8_t)fr_random_u32(random);
        if (kind == 2) memset(bytes + at, fr_random_below(random, 2) ? 0 : 255, 8);
        if (kind == 3) put_be32(bytes + at, fr_random_u32(random) % (uint32_t)(pages + 2));
        if (kind == 4) memcpy(bytes + a * page, bytes + b * page, page);
        if (kind == 5) memmove(bytes + at, bytes + at + 1, 100);
        if (kind == 6 && k == 0 && changes == 1) return fr_random_u32(random) % size;
    }
    return size;
}

static void mutate_many(const char *path, bool finish, int rounds) {
    Meter meter = {0};
    FrContext *plain = metered_context(NULL), *ctx = metered_context(&meter);
    uint8_t *bytes, *copy;
    size_t size, before = meter.live, worst = 0;
    int refused = 0, read = 0;
    double slowest = 0;
    make_recording(plain, path, finish);
    CHECK_OK(plain, fr_file_load(plain, path, (size_t)1 << 28, &bytes, &size));
    copy = malloc(size);
    if (!copy) abort();
    FrRandom random = fr_random_for(4, finish ? "finished" : "running", 0);
    for (int round = 0; round < rounds; round++) {
        memcpy(copy, bytes, size);
        size_t left = mutate(&random, copy, size);
        write_file(path, copy, left);
        meter.peak = meter.live;
        double start = fr_wall_seconds();
        FrResult result = read_all(ctx, path);
        if (!finish) {
            FrResult again = resume(ctx, path);
            if (again != FR_OK && again != FR_BAD_INPUT && again != FR_IO && again != FR_BAD_USE)
                TEST_FAIL("round %d: resuming ends in %d: %s", round, (int)again,
                          fr_context_message(ctx));
        }
        slowest = fr_max(slowest, fr_wall_seconds() - start);
        // FR_IO: a header that asks for a write-ahead log cannot be opened for reading
        CHECK(result == FR_OK || result == FR_BAD_INPUT || result == FR_IO);
        CHECK(meter.live == before);
        if (meter.peak > worst) worst = meter.peak;
        read += result == FR_OK;
        refused += result != FR_OK;
    }
    printf("  %d refused, %d read; most memory %zu bytes for a file of %zu, slowest %.3f s\n",
           refused, read, worst, size, slowest);
    CHECK(refused > rounds / 10 && read > 0);
    // whole runs of this recording take 1 MB; a damaged one must not take a multiple
    CHECK(worst < 8 * size + 4000000);
    CHECK(slowest < 5);
    free(copy);
    fr_free(plain, bytes);
    fr_context_destroy(ctx), fr_context_destroy(plain);
    unlink(path);
    char journal[64];
    snprintf(journal, sizeof journal, "%s-journal", path), unlink(journal);
}

TEST(mutated_finished_recordings) { mutate_many("bad-finished.fracas", true, 1600); }
TEST(mutated_running_recordings) { mutate_many("bad-running.fracas", false, 400); }

// statements that make a well-formed file say something false, or try to run code
static const char *const lies[] = {
    "UPDATE mesh SET nodes = 60000000",
    "UPDATE mesh SET tets = 60000000",
    "UPDATE mesh SET nodes = -1",
    "UPDATE mesh SET nodes = 'many'",
    "UPDATE mesh SET ord = 2",
    "UPDATE mesh SET ord = 3",
    "UPDATE mesh SET regions = 1",
    "UPDATE mesh SET z = zeroblob(1000)",
    "UPDATE mesh SET z = NULL",
    "DELETE FROM mesh",
    "UPDATE skin SET points = 50000000",
    "UPDATE skin SET uvs = 0",
    "DELETE FROM skin",
    "UPDATE material SET json = '{\"density\":1e999}'",
    "UPDATE material SET json = '{\"density\":[1]}'",
    "UPDATE material SET json = '{'",
    "UPDATE material SET json = x'00'",
    "UPDATE material SET json = '{\"C\":[1,2]}'",
    "UPDATE body SET id = 77 WHERE id = 2",
    "UPDATE body SET shape = 'cow'",
    "UPDATE body SET parent = 4",
    "UPDATE body SET parent = id WHERE id = 2",
    "UPDATE body SET radius = 9e999",
    "UPDATE body SET name = x'ff'",
    "DELETE FROM body WHERE id = 4",
    "UPDATE frame SET t = 'now' WHERE tick = 20",
    "UPDATE frame SET t = 9e999 WHERE tick = 20",
    "UPDATE state SET enc = 9 WHERE tick = 20",
    "UPDATE state SET z = zeroblob(100000) WHERE tick = 20",
    "UPDATE state SET body = 3000 WHERE tick = 20 AND body = 1",
    "UPDATE topo SET cutlog = zeroblob(28)",
    "UPDATE topo SET cutlog = zeroblob(10)",
    "UPDATE topo SET cutlog = NULL",
    "UPDATE topo SET cutlog = substr(cutlog, 1, length(cutlog) - 9)",
    "UPDATE topo SET body = 2",
    "UPDATE topo SET body = 0",
    "UPDATE topo SET body = 300",
    "UPDATE topo SET tick = 1000 - tick",
    "DELETE FROM topo WHERE tick = (SELECT min(tick) FROM topo)",
    "UPDATE pose SET samples = 99999",
    "UPDATE pose SET hz = 0",
    "UPDATE event SET blob = x'0102' WHERE seq = 3",
    "UPDATE event SET seq = seq + 1000 WHERE seq = 3",
    "UPDATE energy SET elastic = 9e999",
    "UPDATE meta SET v = 'x' WHERE k = 'fps'",
    "UPDATE meta SET v = -1 WHERE k = 'fps'",
    "UPDATE meta SET v = 'seven' WHERE k = 'seed'",
    "DELETE FROM meta WHERE k = 'scene'",
    "CREATE VIEW v AS WITH RECURSIVE r(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM r) SELECT x FROM "
    "r",
    "CREATE TRIGGER tr AFTER INSERT ON frame BEGIN SELECT 1; END",
    "CREATE TABLE extra(x)",
    "CREATE INDEX ix ON frame(t)",
    "DROP TABLE energy",
    "DROP TABLE frame; CREATE TABLE frame(tick INTEGER PRIMARY KEY, t REAL, u AS (tick * 2))",
    "DROP TABLE frame; CREATE VIEW frame AS WITH RECURSIVE r(tick, t) AS (VALUES(1, 0.0) UNION ALL "
    "SELECT tick+1, 0.0 FROM r) SELECT * FROM r",
    "PRAGMA user_version = 1",
    "UPDATE field SET load = zeroblob(3)",
    "UPDATE field SET strain = 7 WHERE tick > 100",
    "UPDATE strain SET tets = tets + 1",
    "UPDATE strain SET tets = 1, z = (SELECT z FROM strain LIMIT 1)",
    "UPDATE strain SET z = zeroblob(9)",
    "UPDATE burst SET tick = tick - 1",
    "UPDATE burst SET t = 'soon'",
    "UPDATE burst_state SET cuts = 7 WHERE body = 1",
    "UPDATE burst_state SET load = zeroblob(3) WHERE body = 1",
    "UPDATE burst_state SET cuts = -1 WHERE body = 1",
    "UPDATE burst_state SET nodes = nodes + 1 WHERE body = 1",
    "UPDATE burst_state SET nodes = 1 WHERE body = 1",
    "UPDATE burst_state SET cuts = 0 WHERE body = 1",
    "UPDATE burst_state SET cuts = 1 WHERE body = 0",
    "DELETE FROM meta WHERE k = 'burst_hz'",
    "PRAGMA application_id = 2",
};

TEST(lies_are_reported_with_a_message) {
    Meter meter = {0};
    FrContext *plain = metered_context(NULL), *ctx = metered_context(&meter);
    const char *path = "bad-lie.fracas";
    uint8_t *bytes;
    size_t size;
    make_recording(plain, path, true);
    CHECK_OK(plain, fr_file_load(plain, path, (size_t)1 << 28, &bytes, &size));
    CHECK_OK(ctx, read_all(ctx, path));
    for (size_t k = 0; k < sizeof lies / sizeof lies[0]; k++) {
        sqlite3 *db;
        write_file(path, bytes, size);
        CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
        if (sqlite3_exec(db, lies[k], NULL, NULL, NULL) != SQLITE_OK)
            TEST_FAIL("%s: %s", lies[k], sqlite3_errmsg(db));
        sqlite3_close(db);
        meter.peak = meter.live;
        FrResult result = read_all(ctx, path);
        if (result != FR_BAD_INPUT) TEST_FAIL("\"%s\" ends in %d", lies[k], (int)result);
        CHECK_HAS(fr_context_message(ctx), " ");
        CHECK(meter.peak < 4000000);
    }
    fr_free(plain, bytes);
    fr_context_destroy(ctx), fr_context_destroy(plain);
    unlink(path);
}

TEST(what_is_no_recording_says_so) {
    FrContext *ctx = metered_context(NULL);
    CHECK_INT(read_all(ctx, "bad-absent.fracas"), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "bad-absent.fracas");
    CHECK_INT(read_all(ctx, "."), FR_BAD_INPUT);
    write_file("bad-text.fracas", (const uint8_t *)"hello, this is a text and no database", 37);
    CHECK_INT(read_all(ctx, "bad-text.fracas"), FR_BAD_INPUT);
    write_file("bad-text.fracas", NULL, 0);
    CHECK_INT(read_all(ctx, "bad-text.fracas"), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "not a Fracas recording");
    unlink("bad-text.fracas");
    fr_context_destroy(ctx);
}

TEST(a_damaged_checkpoint_falls_back_to_the_older_one) {
    FrContext *ctx = metered_context(NULL);
    const char *path = "bad-slot.fracas";
    FrRecorder *r;
    FrResumePoint point;
    sqlite3 *db;
    make_recording(ctx, path, false); // checkpoints at ticks 100 and 200
    CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_INT(sqlite3_exec(db, "UPDATE checkpoint SET crc = crc + 1 WHERE tick = 200", 0, 0, 0), 0);
    sqlite3_close(db);
    CHECK_OK(ctx, fr_recorder_open_resume(ctx, path, world_def().scene_hash, &r, &point));
    CHECK_INT(point.tick, 100);
    CHECK(point.bytes && point.body_count == 4);
    fr_free(ctx, point.bytes);
    fr_recorder_close(r);
    fr_context_destroy(ctx);
    unlink(path);
}
