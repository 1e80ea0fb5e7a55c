// bank_file.c: soundbanks as SQLite files: reading, packing, merging.

#include "score/bank_file.h"
#include "base/file.h"
#include "score/bank_store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const FrStoreTable tables[] = {
    {"head", "CREATE TABLE head(bytes BLOB)", false},
    {"entry", "CREATE TABLE entry(number INTEGER PRIMARY KEY, bytes BLOB)", false},
};
const FrStoreKind fr_bank_kind = {"soundbank", 0x46724242, 1, tables, 2};

FrResult fr_bank_store_head(FrStore *store, FrWriter *w) {
    FrQuery q;
    const void *bytes;
    size_t size;
    FR_TRY(fr_query_begin(store, "head", "SELECT bytes FROM head", NULL, 0, &q));
    FrResult result = fr_query_one(&q);
    if (result == FR_OK) result = fr_query_blob(&q, 0, &bytes, &size);
    if (result == FR_OK) fr_write_bytes(w, bytes, size);
    fr_query_end(&q);
    return result == FR_OK ? fr_writer_result(w) : result;
}

static FrResult count_rows(FrStore *store, int32_t *count) {
    FrQuery q;
    FR_TRY(fr_query_begin(store, "entry", "SELECT count(*) FROM entry", NULL, 0, &q));
    FrResult result = fr_query_one(&q);
    if (result == FR_OK) result = fr_query_i32(&q, 0, 0, 10000, count);
    fr_query_end(&q);
    return result;
}

static FrResult pack_entries(FrStore *store, FrWriter *w) {
    FrQuery q;
    bool row = false;
    FR_TRY(fr_query_begin(store, "entry", "SELECT bytes FROM entry ORDER BY number", NULL, 0, &q));
    FrResult result = fr_query_next(&q, &row);
    while (result == FR_OK && row) {
        const void *bytes;
        size_t size;
        result = fr_query_blob(&q, 0, &bytes, &size);
        if (result == FR_OK) fr_write_bytes(w, bytes, size);
        if (result == FR_OK) result = fr_query_next(&q, &row);
    }
    fr_query_end(&q);
    return result == FR_OK ? fr_writer_result(w) : result;
}

FrResult fr_bank_pack(FrContext *ctx, const char *path, FrWriter *w) {
    FrStore *store;
    int32_t count = 0;
    FR_TRY(fr_store_open(ctx, path, &fr_bank_kind, FR_STORE_READ, &store));
    FrResult result = fr_store_begin_read(store);
    if (result == FR_OK) result = fr_bank_store_head(store, w);
    if (result == FR_OK) result = count_rows(store, &count);
    if (result == FR_OK) {
        fr_bank_write_count(w, count);
        result = pack_entries(store, w);
    }
    fr_store_close(store);
    return result;
}

FrResult fr_bank_open(FrContext *ctx, const char *path, FrSoundbank **bank) {
    FrWriter w;
    *bank = NULL;
    fr_writer_init(&w, ctx);
    FrResult result = fr_bank_pack(ctx, path, &w);
    if (result == FR_OK) {
        result = fr_soundbank_load(ctx, w.data, w.size, bank);
        if (result != FR_OK) result = fr_fail_within(ctx, result, "%s: ", path);
    }
    fr_writer_free(&w);
    return result;
}

typedef struct Merge {
    FrContext *ctx;
    const char *const *path;
    int32_t count;
    FrWriter head;
} Merge;

static FrResult same_head(Merge *m, FrStore *store, const char *path) {
    FrWriter w;
    fr_writer_init(&w, m->ctx);
    FrResult result = fr_bank_store_head(store, &w);
    if (result == FR_OK && (w.size != m->head.size || memcmp(w.data, m->head.data, w.size)))
        result = fr_fail(m->ctx, FR_BAD_INPUT,
                         "%s is of another bank than %s: material, limits or samples differ", path,
                         m->path[0]);
    fr_writer_free(&w);
    return result;
}

// rows come by their numbers: those of all parts are put by rising number in one pass over each
static FrResult copy_part(Merge *m, FrStore *target, const char *path) {
    FrStore *store;
    FR_TRY(fr_store_open(m->ctx, path, &fr_bank_kind, FR_STORE_READ, &store));
    FrResult result =
        m->head.size ? same_head(m, store, path) : fr_bank_store_head(store, &m->head);
    if (result == FR_OK)
        result = fr_store_copy(store, "SELECT number, bytes FROM entry ORDER BY number", target,
                               "INSERT OR IGNORE INTO temp.gathered VALUES(?, ?)");
    fr_store_close(store);
    return result;
}

static FrResult fill_merged(void *arg, FrStore *target) {
    Merge *m = arg;
    FR_TRY(fr_store_exec(target,
                         "CREATE TEMP TABLE gathered(number INTEGER PRIMARY KEY, bytes BLOB)"));
    for (int32_t k = 0; k < m->count; k++) FR_TRY(copy_part(m, target, m->path[k]));
    FR_TRY(FR_STORE_PUT(target, "INSERT INTO head VALUES(?)",
                        fr_cell_blob(m->head.data, m->head.size)));
    FR_TRY(fr_store_exec(
        target, "INSERT INTO entry SELECT number, bytes FROM temp.gathered ORDER BY number"));
    return fr_store_exec(target, "DROP TABLE temp.gathered");
}

FrResult fr_bank_merge(FrContext *ctx, const char *const *path, int32_t count, const char *output) {
    Merge m = {ctx, path, count, {0}};
    FrSoundbank *bank = NULL;
    for (int32_t k = 0; k < count; k++) { // nothing unchecked goes on
        FR_TRY(fr_bank_open(ctx, path[k], &bank));
        fr_soundbank_destroy(bank);
    }
    fr_writer_init(&m.head, ctx);
    FrResult result = fr_store_replace(ctx, output, &fr_bank_kind, false, fill_merged, &m);
    fr_writer_free(&m.head);
    return result;
}

#define SHIPPED "glass.frb"

char *fr_bank_shipped(FrContext *ctx) {
    static const char *const beside[] = {"../share/fracas/" SHIPPED, "../assets/" SHIPPED,
                                         "../../assets/" SHIPPED};
    char self[4096], path[4200];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size <= 0) return NULL;
    self[size] = 0;
    char *slash = strrchr(self, '/');
    if (!slash) return NULL;
    *slash = 0;
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", self, beside[k]);
        if (!access(path, R_OK)) return fr_strdup(ctx, path);
    }
    return NULL;
}
