// bad_writes.c: each write, sync, truncation and rename of the operations that write fails once,
// SQLite's among them: FR_IO with the file's name, nothing leaks, files are the old ones or the new
// ones.

#include "test.h"
#include "operations.h"
#include <sqlite3.h>

static long changes, fail_at; ///< of this trial; fail_at 0: never

static bool fails(void) {
    if (++changes != fail_at) return false;
    errno = fail_at % 2 ? ENOSPC : EIO;
    return true;
}
static long bad_write(void *user, int fd, const void *bytes, size_t size) {
    (void)user;
    return fails() ? -1 : write(fd, bytes, size);
}
static int bad_sync(void *user, int fd) {
    (void)user, (void)fd;
    return fails() ? -1 : 0;
}
static int bad_rename(void *user, const char *from, const char *to) {
    (void)user;
    return fails() ? -1 : rename(from, to);
}
static const FrFileCalls bad_files = {bad_write, bad_sync, bad_rename, NULL};

static ssize_t bad_pwrite(int fd, const void *bytes, size_t size, off_t at_byte) {
    return fails() ? -1 : pwrite(fd, bytes, size, at_byte);
}
static int bad_truncate(int fd, off_t size) { return fails() ? -1 : ftruncate(fd, size); }

static void hook_sqlite(bool on) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    sqlite3_syscall_ptr put = on ? (sqlite3_syscall_ptr)bad_pwrite : NULL;
    const char *calls[] = {"pwrite", "pwrite64"};
    for (int k = 0; k < 2; k++)
        if (vfs->xGetSystemCall(vfs, calls[k])) vfs->xSetSystemCall(vfs, calls[k], put);
    vfs->xSetSystemCall(vfs, "ftruncate", on ? (sqlite3_syscall_ptr)bad_truncate : NULL);
}

static bool break_write(const Operation *op, long k, long *failures) {
    Refuser counter = {0};
    FrContext *ctx = new_context(&counter, &bad_files);
    hook_sqlite(true);
    changes = 0;
    fail_at = k;
    FrResult result = op->call(ctx);
    hook_sqlite(false);
    bool reached = changes >= k;
    if (result != FR_OK && result != FR_IO)
        TEST_FAIL("%s, change %ld: %d, %s", op->name, k, (int)result, fr_context_message(ctx));
    if (result == FR_IO) CHECK_HAS(fr_context_message(ctx), place);
    *failures += result == FR_IO;
    fr_context_destroy(ctx);
    CHECK_INT(counter.live, 0);
    check_output(op, result, k);
    return reached;
}

TEST(each_write_may_fail) {
    CHECK(set_up());
    for (int o = 0; o < OPERATION_COUNT; o++) {
        const Operation *op = &operations[o];
        if (!op->call || !op->output) continue;
        long k = 1, failures = 0;
        set_stage(op);
        while (break_write(op, k, &failures))
            k += op->share > 2 && getenv("FRACAS_SANITIZED") ? 2 : 1;
        CHECK(failures >= 2); // of a write, a sync and a rename at least
        printf("  %-12s %3ld changes of files, %ld failures\n", op->name, k - 1, failures);
        fflush(stdout);
    }
    tear_down();
}

// a rename would put a plain file in their place
TEST(devices_pipes_and_folders_are_not_replaced) {
    CHECK(set_up());
    FrContext *ctx = new_context(NULL, NULL);
    struct stat info;
    CHECK_INT(mkfifo(at("pipe"), 0600), 0);
    CHECK_INT(fr_file_save(ctx, at("pipe"), "x", 1), FR_IO);
    CHECK_HAS(fr_context_message(ctx), "pipe");
    CHECK(stat(at("pipe"), &info) == 0 && S_ISFIFO(info.st_mode));
    CHECK_INT(fr_file_save(ctx, at("truth"), "x", 1), FR_IO);
    CHECK(stat(at("truth"), &info) == 0 && S_ISDIR(info.st_mode));
    unlink(at("pipe"));
    fr_context_destroy(ctx);
    tear_down();
}
