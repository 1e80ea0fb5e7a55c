// store.c: opening and checking a container, transactions, statements, and SQLite's errors in our
// words.

#include "store/store_inside.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define OPS_STEP 1000

FrResult fr_store_fail(FrStore *store, int code, const char *doing) {
    FrContext *ctx = store->ctx;
    int primary = code & 0xff;
    store->busy = primary == SQLITE_BUSY || primary == SQLITE_LOCKED;
    if (primary == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM)
        return fr_fail(ctx, FR_NO_MEMORY, "%s: SQLite has no memory to %s", store->path, doing);
    if (store->busy)
        return fr_fail(ctx, FR_IO, "%s: another process holds it: cannot %s", store->path, doing);
    if (primary == SQLITE_FULL)
        return fr_fail(ctx, FR_IO, "%s: the disk is full: cannot %s", store->path, doing);
    if (primary == SQLITE_INTERRUPT)
        return fr_fail(ctx, FR_BAD_INPUT, "%s: damaged: it takes too long to %s", store->path,
                       doing);
    if (primary == SQLITE_TOOBIG && !store->read_only)
        return fr_fail(ctx, FR_FAILED, "%s: a value over 1 GB cannot be stored",
                       fr_store_path(store));
    if (primary == SQLITE_NOTADB)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "%s: a SQLite file is wanted, such as the run.fracas of `fracas run`, and "
                       "this is none",
                       fr_store_path(store));
    const char *says = store->db ? sqlite3_errmsg(store->db) : sqlite3_errstr(code);
    bool io = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY ||
              primary == SQLITE_PERM || primary == SQLITE_AUTH;
    if (io) {
        int number = store->db ? sqlite3_system_errno(store->db) : 0;
        return fr_fail(ctx, FR_IO, "%s: cannot %s: %s%s%s", fr_store_path(store), doing, says,
                       number ? ": " : "", number ? strerror(number) : "");
    }
    return fr_fail(ctx, FR_BAD_INPUT, "%s: cannot %s: %s", fr_store_path(store), doing, says);
}

// a damaged file may hold cycles or say "scan for ever": every call has a budget of steps
static int spend(void *arg) {
    FrStore *store = arg;
    store->ops_left -= OPS_STEP;
    return store->ops_left < 0;
}

size_t fr_store_file_size(FrStore *store) {
    struct stat info;
    if (stat(store->path, &info) == 0 && info.st_size > 0) store->file_size = (size_t)info.st_size;
    return store->file_size;
}

// a value longer than the file is a lie; a writer's rows may well be longer than what is there yet
static void set_limits(FrStore *store) {
    size_t size = fr_store_file_size(store);
    if (!store->read_only) return;
    int longest = size < 65536 ? 65536 : size < INT_MAX ? (int)size : INT_MAX;
    sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, longest);
}

void fr_store_renew(FrStore *store) { store->ops_left = 2000000 + (int64_t)store->file_size; }

FrResult fr_store_exec(FrStore *store, const char *sql) {
    fr_store_renew(store);
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? FR_OK : fr_store_fail(store, code, "use it");
}

FrResult fr_store_connect(FrContext *ctx, const char *path, int flags, FrStore **out) {
    FrStore *store = FR_NEW(ctx, FrStore, 1);
    *out = NULL;
    if (!store) return fr_no_memory(ctx, path);
    store->ctx = ctx;
    // "./" keeps SQLite from reading a name like "file:x" as an address
    store->path = path[0] == '/' ? fr_strdup(ctx, path) : fr_alloc(ctx, strlen(path) + 3);
    if (!store->path) {
        fr_store_close(store);
        return fr_no_memory(ctx, path);
    }
    if (path[0] != '/') memcpy(store->path, "./", 2), strcpy(store->path + 2, path);
    flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(store->path, &store->db, flags, NULL);
    if (code != SQLITE_OK) {
        FrResult result = fr_store_fail(store, code, "open it");
        fr_store_close(store);
        return result;
    }
    fr_store_wait(store, 10000);
    *out = store;
    return FR_OK;
}

void fr_store_close(FrStore *store) {
    if (!store) return;
    FrContext *ctx = store->ctx;
    for (int32_t k = 0; k < store->kept_count; k++) sqlite3_finalize(store->kept[k].stmt);
    if (store->db) sqlite3_close_v2(store->db);
    fr_free(ctx, store->path);
    fr_free(ctx, store);
}

const char *fr_store_path(const FrStore *store) {
    return strncmp(store->path, "./", 2) ? store->path : store->path + 2;
}
bool fr_store_busy(const FrStore *store) { return store->busy; }
void fr_store_wait(FrStore *store, int milliseconds) {
    sqlite3_busy_timeout(store->db, milliseconds);
}

// nothing in a file we did not write may run code, and nothing may be longer than the file
static FrResult distrust(FrStore *store, FrStoreMode mode) {
    sqlite3 *db = store->db;
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    store->read_only = mode == FR_STORE_READ;
    set_limits(store);
    fr_store_renew(store);
    sqlite3_progress_handler(db, OPS_STEP, spend, store);
    return fr_store_exec(store, mode == FR_STORE_READ
                                    ? "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
                                      "PRAGMA temp_store=MEMORY; PRAGMA query_only=ON"
                                    : "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
                                      "PRAGMA temp_store=MEMORY; PRAGMA journal_mode=DELETE;"
                                      "PRAGMA synchronous=FULL; PRAGMA cache_spill=OFF");
}

static FrResult check_number(FrStore *store, const char *pragma, const char *name, int32_t wanted,
                             const char *what) {
    FrQuery query;
    int64_t found = 0;
    FrResult result = fr_query_begin(store, name, pragma, NULL, 0, &query);
    if (result == FR_OK) result = fr_query_one(&query);
    if (result == FR_OK) result = fr_query_int(&query, 0, INT32_MIN, INT32_MAX, &found);
    fr_query_end(&query);
    if (result != FR_OK || found == wanted) return result;
    return fr_fail(store->ctx, FR_BAD_INPUT,
                   "%s: not a Fracas %s of this version: %s is %lld, not %d", fr_store_path(store),
                   what, name, (long long)found, wanted);
}

// every row of sqlite_master must be one of our tables, to the letter
static FrResult check_row(FrQuery *query, const FrStoreKind *kind, uint64_t *seen) {
    const char *type, *name, *sql;
    FR_TRY(fr_query_text(query, 0, &type));
    FR_TRY(fr_query_text(query, 1, &name));
    FR_TRY(fr_query_text(query, 2, &sql));
    for (int32_t k = 0; k < kind->table_count && !strcmp(type, "table"); k++) {
        const FrStoreTable *table = &kind->table[k];
        if (strcmp(name, table->name) || strcmp(sql, table->sql) || (*seen >> k & 1)) continue;
        *seen |= (uint64_t)1 << k;
        return FR_OK;
    }
    return fr_fail(query->store->ctx, FR_BAD_INPUT, "%s: not a Fracas %s: foreign %.20s \"%.40s\"",
                   fr_store_path(query->store), kind->what, type, name);
}

static FrResult check_tables(FrStore *store, const FrStoreKind *kind) {
    FrQuery query;
    uint64_t seen = 0;
    bool row = false;
    FrResult result = fr_query_begin(store, "the list of tables",
                                     "SELECT type, name, sql FROM sqlite_master", NULL, 0, &query);
    while (result == FR_OK && (result = fr_query_next(&query, &row)) == FR_OK && row)
        result = check_row(&query, kind, &seen);
    fr_query_end(&query);
    FR_TRY(result);
    for (int32_t k = 0; k < kind->table_count; k++)
        if (!kind->table[k].optional && !(seen >> k & 1))
            return fr_fail(store->ctx, FR_BAD_INPUT, "%s: not a Fracas %s: no table \"%s\"",
                           fr_store_path(store), kind->what, kind->table[k].name);
    return FR_OK;
}

static FrResult check_kind(FrStore *store, const FrStoreKind *kind, FrStoreMode mode) {
    FR_TRY(distrust(store, mode));
    FR_TRY(check_number(store, "PRAGMA application_id", "application_id", kind->application_id,
                        kind->what));
    FR_TRY(check_number(store, "PRAGMA user_version", "user_version", kind->version, kind->what));
    return check_tables(store, kind);
}

static FrResult check_file(FrContext *ctx, const char *path) {
    struct stat info;
    if (stat(path, &info)) {
        bool absent = errno == ENOENT || errno == ENOTDIR;
        return fr_fail(ctx, absent ? FR_BAD_INPUT : FR_IO, "cannot read %s: %s", path,
                       strerror(errno));
    }
    if (S_ISREG(info.st_mode)) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT, "%s is not a regular file", path);
}

/// How a container is opened.
typedef struct Way {
    FrStoreMode mode;
    int flags; ///< SQLite's
} Way;

static FrResult open_as(FrContext *ctx, const char *path, const FrStoreKind *kind, Way way,
                        FrStore **store, int *code) {
    FR_TRY(fr_store_connect(ctx, path, way.flags, store));
    FrResult result = check_kind(*store, kind, way.mode);
    if (result == FR_OK) return FR_OK;
    *code = sqlite3_extended_errcode((*store)->db);
    fr_store_close(*store);
    *store = NULL;
    return result;
}

FrResult fr_store_open(FrContext *ctx, const char *path, const FrStoreKind *kind, FrStoreMode mode,
                       FrStore **store) {
    *store = NULL;
    FR_ASSERT_IN(ctx, kind->table_count <= 64, "a container has at most 64 tables");
    FR_TRY(check_file(ctx, path));
    int code = 0;
    int flags = mode == FR_STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    FrResult result = open_as(ctx, path, kind, (Way){mode, flags}, store, &code);
    // a killed writer left a journal: rolling it back takes the right to write
    if (mode == FR_STORE_READ && code == SQLITE_READONLY_ROLLBACK)
        result = open_as(ctx, path, kind, (Way){mode, SQLITE_OPEN_READWRITE}, store, &code);
    return result;
}

FrResult fr_store_begin(FrStore *store) {
    int code = sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    return code == SQLITE_OK ? FR_OK : fr_store_fail(store, code, "write to it");
}

FrResult fr_store_begin_read(FrStore *store) {
    set_limits(store);
    return fr_store_exec(store, "BEGIN");
}

FrResult fr_store_commit(FrStore *store) {
    int code = sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return code == SQLITE_OK ? FR_OK : fr_store_fail(store, code, "save to it");
}

void fr_store_rollback(FrStore *store) {
    if (!sqlite3_get_autocommit(store->db)) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}
