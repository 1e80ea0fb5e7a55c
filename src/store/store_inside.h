// store_inside.h: what the files of store/ share; nobody else includes it.
#pragma once
#include "store/store.h"

#define FR_STORE_KEPT_MAX 64

typedef struct FrKeptStatement {
    const char *sql; ///< borrowed literal
    sqlite3_stmt *stmt;
} FrKeptStatement;

struct FrStore {
    FrContext *ctx;
    sqlite3 *db;
    char *path; ///< as SQLite got it: absolute, or with "./" in front
    size_t file_size;
    int64_t ops_left; ///< steps of SQLite's machine before a call gives up
    bool read_only;
    bool busy;
    FrKeptStatement kept[FR_STORE_KEPT_MAX];
    int32_t kept_count;
};

FrResult fr_store_connect(FrContext *ctx, const char *path, int flags, FrStore **store);
/// SQLite's code as our result; doing: "read it".
FrResult fr_store_fail(FrStore *store, int code, const char *doing);
/// A new budget of steps for the next call.
void fr_store_renew(FrStore *store);
/// A statement that stays prepared.
FrResult fr_store_statement(FrStore *store, const char *sql, sqlite3_stmt **stmt);
