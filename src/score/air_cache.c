// air_cache.c: how bodies radiate, computed once and kept beside their modes, in one SQLite file.

#include "score/air_cache.h"
#include "base/hash.h"
#include "mesh/tetmesh.h"
#include "store/cache_file.h"

#define CACHE_FILE "air.sqlite"
/// The oldest rows go when all are larger than this, bytes.
#define MOST_ALL 500000000
/// Another way to compute them has another number.
#define WAY 1

static const FrStoreTable tables[] = {
    {"air", "CREATE TABLE air(key INTEGER PRIMARY KEY, stamp INTEGER, bytes BLOB)", false},
};
static const FrStoreKind kind = {"air cache", 0x46724163, 1, tables, 1};

// the surface, its modes and their pitches are all that there is to it
static int64_t key_of(const FrTetMesh *mesh, const FrAsset *a) {
    FrHash h;
    fr_hash_begin(&h, WAY);
    fr_hash_u64(&h, fr_tetmesh_hash(mesh));
    fr_hash_u64(&h, (uint64_t)mesh->order);
    size_t modes = (size_t)a->info.mode_count, points = 3 * (size_t)a->info.vertex_count;
    fr_hash_u64(&h, fr_hash_of(a->lambda, modes * sizeof *a->lambda, 0));
    fr_hash_u64(&h, fr_hash_of(a->shape, modes * points * sizeof *a->shape, 0));
    return (int64_t)fr_hash_end(&h);
}

static FrResult take_row(FrQuery *q, FrAsset *asset) {
    const void *bytes;
    size_t size;
    FrReader r;
    FR_TRY(fr_query_blob(q, 0, &bytes, &size));
    fr_reader_init(&r, bytes, size);
    FR_TRY(fr_radiation_read(asset->ctx, &r, "air cache", &asset->radiation));
    if (fr_radiation_mode_count(asset->radiation) == asset->info.mode_count) return FR_OK;
    fr_radiation_destroy(asset->radiation);
    asset->radiation = NULL;
    return fr_fail(asset->ctx, FR_BAD_INPUT, "a row of the air cache has another number of modes");
}

static FrResult look_up(FrStore *store, int64_t key, FrAsset *asset) {
    FrQuery q;
    FrCell cell = fr_cell_int(key);
    bool row = false;
    FR_TRY(fr_query_begin(store, "air", "SELECT bytes FROM air WHERE key = ?", &cell, 1, &q));
    FrResult result = fr_query_next(&q, &row);
    if (result == FR_OK && row) result = take_row(&q, asset);
    fr_query_end(&q);
    return result;
}

static FrResult put_row(FrStore *store, int64_t key, const FrWriter *w) {
    FR_TRY(fr_store_begin(store));
    FrResult result =
        FR_STORE_PUT(store, "INSERT OR REPLACE INTO air VALUES(?, " FR_CACHE_STAMP("air") ", ?)",
                     fr_cell_int(key), fr_cell_blob(w->data, w->size));
    if (result == FR_OK)
        result = FR_STORE_PUT(store, FR_CACHE_TRIM("air", "bytes"), fr_cell_int(MOST_ALL));
    if (result == FR_OK) return fr_store_commit(store);
    fr_store_rollback(store);
    return result;
}

static FrResult keep(FrContext *ctx, FrStore *store, int64_t key, const FrAsset *asset) {
    FrWriter w;
    fr_writer_init(&w, ctx);
    fr_radiation_write(&w, asset->radiation);
    FrResult result = fr_writer_result(&w);
    if (result == FR_OK) result = put_row(store, key, &w);
    fr_writer_free(&w);
    return result;
}

// open, read or (with something to keep) write, close
static bool use_cache(FrContext *ctx, const char *folder, int64_t key, FrAsset *asset) {
    FrStore *store = NULL;
    bool write = asset->radiation;
    fr_cache_begin();
    FrResult result = fr_cache_open(ctx, folder, CACHE_FILE, &kind, &store);
    if (result == FR_OK) result = write ? keep(ctx, store, key, asset) : look_up(store, key, asset);
    fr_store_close(store);
    fr_cache_end();
    if (result != FR_OK)
        fr_log(ctx, FR_LOG_WARNING, "radiation is not %s the cache: %s",
               write ? "kept in" : "read from", fr_context_message(ctx));
    return result == FR_OK;
}

static void tell(FrContext *ctx, const FrAsset *asset, const FrRadiateReport *report) {
    if (report->rough)
        fr_log(ctx, FR_LOG_INFO,
               "%s: the waves of %d of %d modes are short beside the %d panels that there is time "
               "for: where they are loud is rough",
               asset->info.name, report->rough, asset->info.mode_count, report->most_panels);
    if (report->tired)
        fr_log(ctx, FR_LOG_WARNING, "%s: the radiation of %d modes is rough: the iteration ended",
               asset->info.name, report->tired);
}

FrResult fr_air_cached(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                       const char *folder, FrAsset *asset, FrRadiateReport *report) {
    FrRadiateReport own, *how = report ? report : &own;
    int64_t key = key_of(mesh, asset);
    *how = (FrRadiateReport){0};
    if (asset->info.mode_count == 0) return FR_OK;
    bool usable = folder && use_cache(ctx, folder, key, asset);
    if (asset->radiation) return FR_OK;
    FrResult result = fr_asset_radiate(asset, mesh, modes, how);
    if (result == FR_BAD_INPUT) {
        fr_log(ctx, FR_LOG_WARNING, "%s: it is heard alike in all directions: %s", asset->info.name,
               fr_context_message(ctx));
        return FR_OK;
    }
    FR_TRY(result);
    tell(ctx, asset, how);
    if (usable) use_cache(ctx, folder, key, asset);
    return FR_OK;
}
