// record_fault.c: writes, syncs, disk and memory fail one by one; the file stays whole.

#include "test.h"
#include "context.h"
#include "record_world.h"
#include "base/file.h"
#include "store/store.h"
#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

// a layer over SQLite's file system that fails the k-th change of a file
typedef struct FailFile {
    sqlite3_file base;
    sqlite3_file *real; ///< right behind this struct
} FailFile;

static sqlite3_vfs *real_vfs, fail_vfs;
static int fail_calls, fail_at; ///< 0: never
static bool die;                ///< kill -9 instead of failing

static bool fails(void) {
    if (!fail_at || ++fail_calls != fail_at) return false;
    if (die) kill(getpid(), SIGKILL);
    return true;
}
static sqlite3_file *real_of(sqlite3_file *f) { return ((FailFile *)(void *)f)->real; }

static int f_close(sqlite3_file *f) { return real_of(f)->pMethods->xClose(real_of(f)); }
static int f_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at) {
    return real_of(f)->pMethods->xRead(real_of(f), to, n, at);
}
static int f_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at) {
    // killed in the middle of a write: half of it is there
    if (die && fail_calls + 1 == fail_at) real_of(f)->pMethods->xWrite(real_of(f), from, n / 2, at);
    if (fails()) return fail_at % 2 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    return real_of(f)->pMethods->xWrite(real_of(f), from, n, at);
}
static int f_truncate(sqlite3_file *f, sqlite3_int64 size) {
    if (fails()) return SQLITE_IOERR_TRUNCATE;
    return real_of(f)->pMethods->xTruncate(real_of(f), size);
}
// processes die here, power does not: syncing for real would only take time
static int f_sync(sqlite3_file *f, int flags) {
    (void)f, (void)flags;
    return fails() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}
static int f_size(sqlite3_file *f, sqlite3_int64 *size) {
    return real_of(f)->pMethods->xFileSize(real_of(f), size);
}
static int f_lock(sqlite3_file *f, int level) {
    return real_of(f)->pMethods->xLock(real_of(f), level);
}
static int f_unlock(sqlite3_file *f, int level) {
    return real_of(f)->pMethods->xUnlock(real_of(f), level);
}
static int f_reserved(sqlite3_file *f, int *out) {
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}
static int f_control(sqlite3_file *f, int op, void *arg) {
    return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}
static int f_sector(sqlite3_file *f) { return real_of(f)->pMethods->xSectorSize(real_of(f)); }
static int f_device(sqlite3_file *f) {
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}
static const sqlite3_io_methods fail_methods = {.iVersion = 1,
                                                .xClose = f_close,
                                                .xRead = f_read,
                                                .xWrite = f_write,
                                                .xTruncate = f_truncate,
                                                .xSync = f_sync,
                                                .xFileSize = f_size,
                                                .xLock = f_lock,
                                                .xUnlock = f_unlock,
                                                .xCheckReservedLock = f_reserved,
                                                .xFileControl = f_control,
                                                .xSectorSize = f_sector,
                                                .xDeviceCharacteristics = f_device};

static int v_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out) {
    (void)v;
    FailFile *file = (FailFile *)(void *)f;
    file->real = (sqlite3_file *)(void *)(file + 1);
    int code = real_vfs->xOpen(real_vfs, name, file->real, flags, out);
    f->pMethods = file->real->pMethods ? &fail_methods : NULL;
    return code;
}
static int v_delete(sqlite3_vfs *v, const char *name, int sync) {
    (void)v;
    if (fails()) return SQLITE_IOERR_DELETE;
    return real_vfs->xDelete(real_vfs, name, sync);
}

static void install(void) {
    if (real_vfs) return;
    real_vfs = sqlite3_vfs_find(NULL);
    fail_vfs = *real_vfs;
    fail_vfs.zName = "failing";
    fail_vfs.szOsFile = (int)sizeof(FailFile) + real_vfs->szOsFile;
    fail_vfs.pNext = NULL;
    fail_vfs.xOpen = v_open;
    fail_vfs.xDelete = v_delete;
    CHECK_INT(sqlite3_vfs_register(&fail_vfs, 1), SQLITE_OK);
}

enum { SHORT_RUN = 60 };

// start or go on, to the end; each step's failure ends it
static FrResult attempt(FrContext *ctx, const char *path) {
    World w;
    FrRecorder *r = NULL;
    FrResumePoint point;
    FrRecorderDef def = world_def();
    world_init(&w, ctx, 1);
    FrResult result = fr_recorder_open_resume(ctx, path, def.scene_hash, &r, &point);
    bool work = result == FR_OK && point.state != FR_RUN_FINISHED;
    if (work && point.state == FR_RUN_ABSENT) result = fr_recorder_create(ctx, path, &def, &r);
    if (point.bytes) world_load(&w, &point);
    if (work && result == FR_OK && !point.bytes) result = world_start(&w, r);
    fr_free(ctx, point.bytes);
    if (work && result == FR_OK) result = world_run(&w, r, SHORT_RUN, 20, 7);
    if (work && result == FR_OK) result = fr_recorder_finish(r);
    fr_recorder_close(r);
    world_free(&w);
    return result;
}

// the file is absent, or opens and every frame reads
static void check_whole(FrContext *ctx, const char *path) {
    FrRecording *rec;
    const FrFrameView *view;
    if (access(path, F_OK)) return;
    CHECK_OK(ctx, fr_recording_open(ctx, path, &rec));
    for (int32_t k = 0; rec && k < fr_recording_info(rec)->frame_count; k++)
        CHECK_OK(ctx, fr_recording_frame(rec, k, &view));
    fr_recording_close(rec);
}

TEST(each_change_of_the_file_may_fail) {
    FrContext *ctx = make_unsynced_context(NULL);
    const char *path = "fault.fracas";
    install();
    unlink(path);
    CHECK_OK(ctx, attempt(ctx, path));
    uint64_t truth = file_hash(ctx, path);
    int failed = 0;
    for (int at = 1;; at++) {
        unlink(path);
        fail_calls = 0;
        fail_at = at;
        FrResult result = attempt(ctx, path);
        bool reached = fail_calls >= at;
        fail_at = 0;
        CHECK(result == FR_OK || result == FR_IO);
        failed += result == FR_IO;
        check_whole(ctx, path);
        CHECK_OK(ctx, attempt(ctx, path));
        CHECK(file_hash(ctx, path) == truth);
        if (!reached) break;
    }
    CHECK(failed > 50);
    printf("  %d failures survived\n", failed);
    unlink(path);
    fr_context_destroy(ctx);
}

// every process dies at one of its next writes, again and again, until one gets through
TEST(kill_nine_in_the_middle_of_writes) {
    FrContext *ctx = make_unsynced_context(NULL);
    const char *path = "fault-kill.fracas";
    FrRandom random = fr_random_for(3, "kills", 0);
    install();
    unlink(path);
    CHECK_OK(ctx, attempt(ctx, path));
    uint64_t truth = file_hash(ctx, path);
    int kills = 0;
    for (int round = 0; round < 6; round++) {
        unlink(path);
        for (int tries = 0;; tries++) {
            int status, at = tries < 20 ? 1 + fr_random_below(&random, 150) : 0;
            pid_t child = fork();
            if (child == 0) {
                FrContext *own = make_unsynced_context(NULL);
                die = true;
                fail_calls = 0;
                fail_at = at;
                _exit(attempt(own, path) == FR_OK ? 0 : 1);
            }
            waitpid(child, &status, 0);
            kills += WIFSIGNALED(status);
            check_whole(ctx, path);
            if (!WIFEXITED(status)) continue;
            CHECK_INT(WEXITSTATUS(status), 0);
            break;
        }
        CHECK(file_hash(ctx, path) == truth);
    }
    CHECK(kills >= 20);
    printf("  %d kills\n", kills);
    unlink(path), unlink("fault-kill.fracas.new");
    fr_context_destroy(ctx);
}

// a restart over an old finished run: the old one or the new one
TEST(a_restart_leaves_the_old_file_or_a_new_one) {
    FrContext *ctx = make_unsynced_context(NULL);
    const char *path = "fault-restart.fracas";
    install();
    unlink(path);
    CHECK_OK(ctx, attempt(ctx, path));
    uint64_t old = file_hash(ctx, path);
    FrRecorderDef def = world_def();
    def.scene_hash = 5;
    int kept = 0, renewed = 0;
    for (int at = 1; at < 40 && !renewed; at++) {
        FrRecorder *r;
        fail_calls = 0;
        fail_at = at;
        FrResult result = fr_recorder_create(ctx, path, &def, &r);
        fr_recorder_close(r);
        fail_at = 0;
        check_whole(ctx, path);
        if (result == FR_OK)
            renewed++;
        else
            kept += file_hash(ctx, path) == old;
    }
    CHECK(kept > 3 && renewed == 1);
    unlink(path);
    fr_context_destroy(ctx);
}

// the real write fails: ENOSPC through SQLite's own system calls
static int room_left;
static int no_space(int fd, const void *bytes, size_t size, off_t at) {
    if ((room_left -= (int)size) < 0) return errno = ENOSPC, -1;
    return (int)pwrite(fd, bytes, size, at);
}

TEST(a_full_disk_says_so_and_the_run_goes_on_later) {
    FrContext *ctx = make_unsynced_context(NULL);
    const char *path = "fault-full.fracas", *call = "pwrite64";
    install();
    unlink(path);
    if (!real_vfs->xGetSystemCall(real_vfs, call)) call = "pwrite";
    sqlite3_syscall_ptr before = real_vfs->xGetSystemCall(real_vfs, call);
    CHECK_OK(ctx, attempt(ctx, path));
    uint64_t truth = file_hash(ctx, path);
    int full = 0;
    for (int room = 0; room < 1500000; room += 30011) {
        unlink(path);
        room_left = room;
        CHECK_INT(real_vfs->xSetSystemCall(real_vfs, call, (sqlite3_syscall_ptr)no_space),
                  SQLITE_OK);
        FrResult result = attempt(ctx, path);
        if (result == FR_IO) CHECK_HAS(fr_context_message(ctx), "disk is full");
        full += result == FR_IO;
        real_vfs->xSetSystemCall(real_vfs, call, before);
        check_whole(ctx, path);
        CHECK_OK(ctx, attempt(ctx, path));
        CHECK(file_hash(ctx, path) == truth);
        if (result == FR_OK) break;
    }
    CHECK(full > 3);
    unlink(path);
    fr_context_destroy(ctx);
}

static FrResult fill_rows(void *arg, FrStore *store) {
    uint8_t bytes[5000] = {1};
    (void)arg;
    FR_TRY(fr_store_exec(store, "PRAGMA max_page_count=20"));
    for (int k = 0; k < 100; k++)
        FR_TRY(FR_STORE_PUT(store, "INSERT INTO t VALUES(?,?)", fr_cell_int(k),
                            fr_cell_blob(bytes, sizeof bytes)));
    return FR_OK;
}

TEST(a_page_limit_is_a_full_disk) {
    FrContext *ctx = make_unsynced_context(NULL);
    FrStoreTable table = {"t", "CREATE TABLE t(k INTEGER PRIMARY KEY, z BLOB)", false};
    FrStoreKind kind = {"test", 7, 1, &table, 1};
    CHECK_INT(fr_store_replace(ctx, "fault-pages.db", &kind, false, fill_rows, NULL), FR_IO);
    CHECK_HAS(fr_context_message(ctx), "disk is full");
    CHECK(access("fault-pages.db", F_OK) && access("fault-pages.db.new", F_OK));
    fr_context_destroy(ctx);
}

// recording with one context, its world from another: only the recorder's memory is refused
static FrResult record_some(FrContext *plain, FrContext *ctx, const char *path) {
    World w;
    FrRecorder *r;
    FrResumePoint point;
    FrRecorderDef def = world_def();
    world_init(&w, plain, 1);
    FrResult result = fr_recorder_create(ctx, path, &def, &r);
    if (result == FR_OK) result = world_start(&w, r);
    if (result == FR_OK) result = world_run(&w, r, 8, 4, 0);
    fr_recorder_close(r);
    r = NULL;
    world_free(&w);
    FR_TRY(result);
    result = fr_recorder_open_resume(ctx, path, def.scene_hash, &r, &point);
    fr_free(ctx, point.bytes);
    if (result == FR_OK) result = fr_recorder_finish(r);
    fr_recorder_close(r);
    return result;
}

TEST(each_allocation_may_fail) {
    FrContext *plain = make_unsynced_context(NULL);
    const char *path = "fault-alloc.fracas";
    install();
    int refused = 0;
    unlink(path);
    for (int at = 1;; at++) {
        Refuser refuser = {.refuse_at = at};
        FrContext *ctx = make_unsynced_context(&refuser);
        FrResult result = ctx ? record_some(plain, ctx, path) : FR_NO_MEMORY;
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
        if (at % 7 == 0) check_whole(plain, path);
        refused += result != FR_OK;
        if (refuser.calls < at) break;
    }
    CHECK(refused > 50);
    printf("  %d refusals\n", refused);
    unlink(path);
    fr_context_destroy(plain);
}
