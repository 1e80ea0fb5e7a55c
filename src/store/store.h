// store.h: a crash-safe container of tables in one SQLite file; recordings and caches are made of
// it.
//
// Journal: rollback (DELETE), not WAL. Both survive kill -9 with atomic commits and both let others
// read meanwhile. Recordings only grow, so a rollback journal writes each new page once where WAL
// writes it twice; the content is one file at every moment (a copy or a rename never meets a stale
// -wal that SQLite would replay into it); and it works where shared memory does not (network
// folders). The price: a commit waits for readers, and they for it; ours hold their lock for
// milliseconds, and a writer that finds a long reader keeps its rows and commits later.
#pragma once
#include "base/bytes.h"
#include <sqlite3.h>

typedef struct FrStore FrStore;

typedef enum FrStoreMode {
    FR_STORE_READ,  ///< others may be writing
    FR_STORE_WRITE, ///< exists already; one writer at a time
} FrStoreMode;

/// One table: how it is made, exactly. A file with any other table, view, index or trigger is
/// refused.
typedef struct FrStoreTable {
    const char *name;
    const char *sql; ///< "CREATE TABLE name(...)"
    bool optional;   ///< the file may lack it
} FrStoreTable;

/// What kind of container it is.
typedef struct FrStoreKind {
    const char *what;       ///< "recording", for messages
    int32_t application_id; ///< in the file's header
    int32_t version;        ///< user_version; another one is refused
    const FrStoreTable *table;
    int32_t table_count;
} FrStoreKind;

/// FR_BAD_INPUT: absent, not a database, of another kind or version, or with foreign tables.
FrResult fr_store_open(FrContext *ctx, const char *path, const FrStoreKind *kind, FrStoreMode mode,
                       FrStore **store);
/// Uncommitted rows are dropped. Accepts NULL.
void fr_store_close(FrStore *store);
const char *fr_store_path(const FrStore *store);
/// Size of the file now, bytes. No value in it can be longer.
size_t fr_store_file_size(FrStore *store);
/// How long a call waits for another process, ms. Default 10,000.
void fr_store_wait(FrStore *store, int milliseconds);

/// Makes a new container beside `path`, lets `fill` put rows into it (one transaction), syncs it
/// and renames it over `path`: the old file or the new one, whatever fails. The bytes depend on the
/// rows and their order only. `skip_optional`: make only the tables that are not optional.
FrResult fr_store_replace(FrContext *ctx, const char *path, const FrStoreKind *kind,
                          bool skip_optional, FrResult (*fill)(void *arg, FrStore *store),
                          void *arg);

FrResult fr_store_begin(FrStore *store); ///< takes the writer's lock
/// FR_IO with fr_store_busy(): a reader is in the way, the rows are kept, try again later.
FrResult fr_store_commit(FrStore *store);
void fr_store_rollback(FrStore *store);
bool fr_store_busy(const FrStore *store);                ///< the last failure was a lock
FrResult fr_store_begin_read(FrStore *store);            ///< one moment for all that follows
FrResult fr_store_exec(FrStore *store, const char *sql); ///< no values; not kept prepared

/// A value to bind. Texts and blobs are borrowed during the call.
typedef struct FrCell {
    int kind; ///< SQLITE_INTEGER, ...
    int64_t i;
    double d;
    const void *p;
    size_t size;
} FrCell;

static inline FrCell fr_cell_int(int64_t i) { return (FrCell){.kind = SQLITE_INTEGER, .i = i}; }
static inline FrCell fr_cell_real(double d) { return (FrCell){.kind = SQLITE_FLOAT, .d = d}; }
static inline FrCell fr_cell_null(void) { return (FrCell){.kind = SQLITE_NULL}; }
static inline FrCell fr_cell_blob(const void *p, size_t size) {
    return (FrCell){.kind = SQLITE_BLOB, .p = p, .size = size};
}
FrCell fr_cell_text(const char *text);

/// Run a statement that gives no rows. `sql` must outlive the store (a literal): it stays prepared.
FrResult fr_store_put(FrStore *store, const char *sql, const FrCell *cell, int32_t count);
#define FR_STORE_PUT(store, sql, ...)                                                              \
    fr_store_put((store), (sql), (const FrCell[]){__VA_ARGS__},                                    \
                 (int32_t)(sizeof((const FrCell[]){__VA_ARGS__}) / sizeof(FrCell)))

/// A statement that gives rows. Always end it. Columns from 0; values borrowed until the next row.
typedef struct FrQuery {
    FrStore *store;
    sqlite3_stmt *stmt;
    const char *what; ///< "mesh", for messages
} FrQuery;

FrResult fr_query_begin(FrStore *store, const char *what, const char *sql, const FrCell *cell,
                        int32_t count, FrQuery *query);
FrResult fr_query_next(FrQuery *query, bool *row);
/// A row must come.
FrResult fr_query_one(FrQuery *query);
void fr_query_end(FrQuery *query);
/// Typed columns: FR_BAD_INPUT names the column, what it holds and what is allowed.
FrResult fr_query_int(FrQuery *query, int column, int64_t lo, int64_t hi, int64_t *value);
FrResult fr_query_i32(FrQuery *query, int column, int32_t lo, int32_t hi, int32_t *value);
FrResult fr_query_real(FrQuery *query, int column, double *value); ///< finite
FrResult fr_query_text(FrQuery *query, int column, const char **text);
FrResult fr_query_blob(FrQuery *query, int column, const void **bytes, size_t *size);
bool fr_query_null(FrQuery *query, int column);

/// Copy all rows of one statement into another; a column of `from` for each parameter of `into`.
FrResult fr_store_copy(FrStore *source, const char *from, FrStore *target, const char *into);
