// query.c: prepared statements with typed values in and checked values out.

#include "store/store_inside.h"
#include <math.h>
#include <string.h>

FrCell fr_cell_text(const char *text) {
    return (FrCell){.kind = SQLITE_TEXT, .p = text, .size = strlen(text)};
}

FrResult fr_store_statement(FrStore *store, const char *sql, sqlite3_stmt **stmt) {
    for (int32_t k = 0; k < store->kept_count; k++)
        if (store->kept[k].sql == sql) return *stmt = store->kept[k].stmt, FR_OK;
    FR_ASSERT_IN(store->ctx, store->kept_count < FR_STORE_KEPT_MAX,
                 "use fewer different statements");
    *stmt = NULL;
    int code = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL);
    if (code != SQLITE_OK) return fr_store_fail(store, code, "use it");
    store->kept[store->kept_count++] = (FrKeptStatement){sql, *stmt};
    return FR_OK;
}

static int bind_cell(sqlite3_stmt *stmt, int at, const FrCell *cell) {
    switch (cell->kind) {
    case SQLITE_INTEGER:
        return sqlite3_bind_int64(stmt, at, cell->i);
    case SQLITE_FLOAT:
        return sqlite3_bind_double(stmt, at, cell->d);
    case SQLITE_TEXT:
        return sqlite3_bind_text64(stmt, at, cell->p, cell->size, SQLITE_STATIC, SQLITE_UTF8);
    case SQLITE_BLOB:
        // an empty blob is a blob, not a null
        return sqlite3_bind_blob64(stmt, at, cell->size ? cell->p : "", cell->size, SQLITE_STATIC);
    default:
        return sqlite3_bind_null(stmt, at);
    }
}

static FrResult bind_all(FrStore *store, sqlite3_stmt *stmt, const FrCell *cell, int32_t count) {
    FR_ASSERT_IN(store->ctx, sqlite3_bind_parameter_count(stmt) == count,
                 "give each ? of the statement a value");
    for (int32_t k = 0; k < count; k++) {
        int code = bind_cell(stmt, k + 1, &cell[k]);
        if (code != SQLITE_OK) return fr_store_fail(store, code, "use it");
    }
    return FR_OK;
}

FrResult fr_store_put(FrStore *store, const char *sql, const FrCell *cell, int32_t count) {
    sqlite3_stmt *stmt;
    fr_store_renew(store);
    FR_TRY(fr_store_statement(store, sql, &stmt));
    FrResult result = bind_all(store, stmt, cell, count);
    if (result == FR_OK) {
        int code = sqlite3_step(stmt);
        if (code != SQLITE_DONE && code != SQLITE_ROW)
            result = fr_store_fail(store, code, "write to it");
    }
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return result;
}

FrResult fr_query_begin(FrStore *store, const char *what, const char *sql, const FrCell *cell,
                        int32_t count, FrQuery *query) {
    *query = (FrQuery){.store = store, .what = what};
    fr_store_renew(store);
    FR_TRY(fr_store_statement(store, sql, &query->stmt));
    return bind_all(store, query->stmt, cell, count);
}

FrResult fr_query_next(FrQuery *query, bool *row) {
    int code = sqlite3_step(query->stmt);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE) return FR_OK;
    return fr_store_fail(query->store, code, "read it");
}

FrResult fr_query_one(FrQuery *query) {
    bool row;
    FR_TRY(fr_query_next(query, &row));
    if (row) return FR_OK;
    return fr_fail(query->store->ctx, FR_BAD_INPUT, "%s: %s is missing", query->store->path,
                   query->what);
}

void fr_query_end(FrQuery *query) {
    if (!query->stmt) return;
    sqlite3_reset(query->stmt);
    sqlite3_clear_bindings(query->stmt);
    query->stmt = NULL;
}

static FrResult wrong(FrQuery *query, int column, const char *wanted) {
    static const char *const kinds[] = {"?", "whole number", "number", "text", "blob", "null"};
    int kind = sqlite3_column_type(query->stmt, column);
    const char *name = sqlite3_column_name(query->stmt, column);
    char value[64] = "";
    if (kind == SQLITE_INTEGER || kind == SQLITE_FLOAT)
        sqlite3_snprintf((int)sizeof value, value, " %.17g",
                         sqlite3_column_double(query->stmt, column));
    return fr_fail(query->store->ctx, FR_BAD_INPUT, "%s: %s: %s is a %s%s; allowed: %s",
                   query->store->path, query->what, name ? name : "a column",
                   kinds[kind >= 1 && kind <= 5 ? kind : 0], value, wanted);
}

FrResult fr_query_int(FrQuery *query, int column, int64_t lo, int64_t hi, int64_t *value) {
    *value = sqlite3_column_int64(query->stmt, column);
    if (sqlite3_column_type(query->stmt, column) == SQLITE_INTEGER && *value >= lo && *value <= hi)
        return FR_OK;
    char wanted[64];
    sqlite3_snprintf((int)sizeof wanted, wanted, "%lld to %lld", (long long)lo, (long long)hi);
    return wrong(query, column, wanted);
}

FrResult fr_query_i32(FrQuery *query, int column, int32_t lo, int32_t hi, int32_t *value) {
    int64_t wide = 0;
    FrResult result = fr_query_int(query, column, lo, hi, &wide);
    *value = result == FR_OK ? (int32_t)wide : lo;
    return result;
}

FrResult fr_query_real(FrQuery *query, int column, double *value) {
    int kind = sqlite3_column_type(query->stmt, column);
    *value = sqlite3_column_double(query->stmt, column);
    if ((kind == SQLITE_FLOAT || kind == SQLITE_INTEGER) && isfinite(*value)) return FR_OK;
    return wrong(query, column, "finite numbers");
}

FrResult fr_query_text(FrQuery *query, int column, const char **text) {
    *text = NULL;
    if (sqlite3_column_type(query->stmt, column) != SQLITE_TEXT)
        return wrong(query, column, "texts");
    *text = (const char *)sqlite3_column_text(query->stmt, column);
    if (*text) return FR_OK;
    // no text: memory ran out, or the row leads nowhere
    int code = sqlite3_errcode(query->store->db);
    return fr_store_fail(query->store, code == SQLITE_NOMEM ? code : SQLITE_CORRUPT, "read it");
}

FrResult fr_query_blob(FrQuery *query, int column, const void **bytes, size_t *size) {
    *size = 0;
    *bytes = NULL;
    if (sqlite3_column_type(query->stmt, column) != SQLITE_BLOB)
        return wrong(query, column, "blobs");
    *bytes = sqlite3_column_blob(query->stmt, column);
    *size = (size_t)sqlite3_column_bytes(query->stmt, column);
    if (!*bytes && sqlite3_errcode(query->store->db) == SQLITE_NOMEM)
        return fr_store_fail(query->store, SQLITE_NOMEM, "read it");
    if (!*bytes) *bytes = "";
    return FR_OK;
}

bool fr_query_null(FrQuery *query, int column) {
    return sqlite3_column_type(query->stmt, column) == SQLITE_NULL;
}

static FrResult copy_row(sqlite3_stmt *from, FrStore *target, sqlite3_stmt *into) {
    int count = sqlite3_bind_parameter_count(into);
    int code = SQLITE_OK;
    for (int k = 0; k < count && code == SQLITE_OK; k++)
        code = sqlite3_bind_value(into, k + 1, sqlite3_column_value(from, k));
    if (code == SQLITE_OK) code = sqlite3_step(into);
    sqlite3_reset(into);
    return code == SQLITE_DONE ? FR_OK : fr_store_fail(target, code, "write to it");
}

FrResult fr_store_copy(FrStore *source, const char *from, FrStore *target, const char *into) {
    FrQuery query;
    sqlite3_stmt *insert = NULL;
    bool row = false;
    FR_TRY(fr_store_statement(target, into, &insert));
    fr_store_file_size(source);
    FrResult result;
    result = fr_query_begin(source, "a table", from, NULL, 0, &query);
    while (result == FR_OK && (result = fr_query_next(&query, &row)) == FR_OK && row)
        result = copy_row(query.stmt, target, insert);
    fr_query_end(&query);
    sqlite3_clear_bindings(insert);
    return result;
}
