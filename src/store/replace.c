// replace.c: a whole new container beside the old one, synced, then renamed over it.

#include "store/store_inside.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FrResult io_failed(FrContext *ctx, const char *verb, const char *path) {
    return fr_fail(ctx, FR_IO, "cannot %s %s: %s", verb, path, strerror(errno));
}

static char *with_ending(FrContext *ctx, const char *path, const char *ending) {
    size_t size = strlen(path) + strlen(ending) + 1;
    char *text = fr_alloc(ctx, size);
    if (text) snprintf(text, size, "%s%s", path, ending);
    return text;
}

static FrResult make_tables(FrStore *store, const FrStoreKind *kind, bool skip_optional) {
    char number[96];
    snprintf(number, sizeof number, "PRAGMA application_id=%d; PRAGMA user_version=%d",
             (int)kind->application_id, (int)kind->version);
    FR_TRY(fr_store_exec(store, number));
    for (int32_t k = 0; k < kind->table_count; k++)
        if (!kind->table[k].optional || !skip_optional)
            FR_TRY(fr_store_exec(store, kind->table[k].sql));
    return FR_OK;
}

// no journal: the file does not count until it is renamed. One transaction from an empty file, so
// that pages and counters depend on the rows only; secure_delete zeroes what rows leave behind.
static FrResult build(FrContext *ctx, const char *temp, const FrStoreKind *kind, bool skip_optional,
                      FrResult (*fill)(void *, FrStore *), void *arg) {
    FrStore *store;
    FR_TRY(fr_store_connect(ctx, temp, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &store));
    FrResult result = fr_store_exec(
        store, "PRAGMA page_size=8192; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
               "PRAGMA locking_mode=EXCLUSIVE; PRAGMA secure_delete=ON;"
               "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; BEGIN");
    if (result == FR_OK) result = make_tables(store, kind, skip_optional);
    if (result == FR_OK) result = fill(arg, store);
    if (result == FR_OK) result = fr_store_commit(store);
    fr_store_close(store);
    return result;
}

static FrResult sync_file(FrContext *ctx, const char *path) {
    const FrFileCalls *calls = fr_context_files(ctx);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return io_failed(ctx, "write", path);
    int bad = calls->sync ? calls->sync(calls->user, fd) : fsync(fd);
    FrResult result = bad ? io_failed(ctx, "write", path) : FR_OK;
    close(fd);
    return result;
}

// the rename itself must survive a power cut
static void sync_folder(FrContext *ctx, const char *path) {
    char *folder = fr_path_folder(ctx, path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    fr_free(ctx, folder);
}

// a journal that a killed writer left must not be replayed into the new file: let SQLite undo the
// old half-written rows first, so that the old file is whole until the rename
static FrResult settle_old(FrContext *ctx, const char *path) {
    char *journal = with_ending(ctx, path, "-journal");
    if (!journal) return fr_no_memory(ctx, path);
    if (access(journal, F_OK) == 0 && access(path, F_OK) == 0) {
        FrStore *old;
        if (fr_store_connect(ctx, path, SQLITE_OPEN_READWRITE, &old) == FR_OK) {
            sqlite3_exec(old->db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
            fr_store_close(old);
        }
    }
    unlink(journal);
    fr_free(ctx, journal);
    return FR_OK;
}

static FrResult put_in_place(FrContext *ctx, const char *temp, const char *path) {
    const FrFileCalls *calls = fr_context_files(ctx);
    FR_TRY(sync_file(ctx, temp));
    FR_TRY(settle_old(ctx, path));
    if (calls->rename ? calls->rename(calls->user, temp, path) : rename(temp, path))
        return io_failed(ctx, "replace", path);
    sync_folder(ctx, path);
    return FR_OK;
}

FrResult fr_store_replace(FrContext *ctx, const char *path, const FrStoreKind *kind,
                          bool skip_optional, FrResult (*fill)(void *arg, FrStore *store),
                          void *arg) {
    char *temp = with_ending(ctx, path, ".new");
    if (!temp) return fr_no_memory(ctx, path);
    unlink(temp);
    FrResult result = build(ctx, temp, kind, skip_optional, fill, arg);
    if (result == FR_OK) result = put_in_place(ctx, temp, path);
    if (result != FR_OK) unlink(temp);
    fr_free(ctx, temp);
    return result;
}
