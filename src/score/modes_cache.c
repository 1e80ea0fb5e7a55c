// modes_cache.c: modes that were computed once are kept: for E = rho = 1, in one SQLite file.

#include "score/modes_cache.h"
#include "backend/backend.h"
#include "base/hash.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "store/cache_file.h"
#include <string.h>

#define CACHE_FILE "modes.sqlite"
// larger results are not kept, and the oldest rows go when all are larger than this, bytes
#define MOST_ROW 500000000
#define MOST_ALL 2000000000
// ratios of constants closer than this are the same
#define SAME 1e12

static const FrStoreTable tables[] = {
    {"modes",
     "CREATE TABLE modes(key INTEGER PRIMARY KEY, stamp INTEGER, nodes INTEGER, count INTEGER, "
     "rigid INTEGER, "
     "complete REAL, lambda BLOB, shape BLOB)",
     false},
};
static const FrStoreKind kind = {"mode cache", 0x46724d63, 1, tables, 1};

static void hash_ratio(FrHash *h, double ratio) { fr_hash_u64(h, (uint64_t)llround(ratio * SAME)); }

static void hash_material(FrHash *h, const FrMaterial *unit) {
    fr_hash_u64(h, unit->anisotropic);
    hash_ratio(h, unit->density);
    hash_ratio(h, unit->anisotropic ? 0.0 : unit->lambda);
    hash_ratio(h, unit->anisotropic ? 0.0 : unit->mu);
    for (int i = 0; unit->anisotropic && i < 6; i++)
        for (int j = 0; j < 6; j++) hash_ratio(h, unit->C[i][j]);
}

uint64_t fr_modes_key(const FrModalDef *def) {
    FrHash h;
    fr_hash_begin(&h, 1);
    fr_hash_u64(&h, fr_tetmesh_hash(def->mesh));
    fr_hash_u64(&h, (uint64_t)def->mesh->order);
    fr_hash_u64(&h, (uint64_t)def->lumped + 2 * (uint64_t)def->parts);
    for (int32_t n = 0; n < def->mesh->node_count && def->held; n++)
        if (def->held[n]) fr_hash_u64(&h, (uint64_t)n);
    FrModesScale scale = fr_modes_scale(&def->material[0]);
    for (int32_t k = 0; k < def->material_count; k++) {
        FrMaterial unit = fr_modes_unit_material(&def->material[k], scale);
        hash_material(&h, &unit);
    }
    return fr_hash_end(&h);
}

typedef struct Cache {
    FrContext *ctx;
    const FrModalDef *def;
    FrStore *store;
    FrModesScale scale;
    int64_t key;
    double limit; ///< lambda for E = rho = 1; 0: none
} Cache;

// how many modes of a row answer the request; -1: it has too few
static int32_t answers(const Cache *c, const double *lambda, int32_t count, double complete) {
    int32_t below = count, wanted = c->def->count;
    if (c->limit > 0.0) {
        below = 0;
        while (below < count && lambda[below] <= c->limit) below++;
        if (complete < c->limit && !(wanted > 0 && count >= wanted)) return -1;
    } else if (count < wanted) {
        return -1;
    }
    return wanted > 0 ? fr_min_i(below, wanted) : below;
}

static FrResult take_row(Cache *c, FrQuery *q, FrModes *modes, bool *hit) {
    int32_t nodes, count, rigid;
    double complete;
    const void *lambda, *shape;
    size_t lambda_size, shape_size;
    FR_TRY(fr_query_i32(q, 0, 1, INT32_MAX, &nodes));
    FR_TRY(fr_query_i32(q, 1, 0, INT32_MAX, &count));
    FR_TRY(fr_query_i32(q, 2, 0, INT32_MAX, &rigid));
    FR_TRY(fr_query_real(q, 3, &complete));
    FR_TRY(fr_query_blob(q, 4, &lambda, &lambda_size));
    FR_TRY(fr_query_blob(q, 5, &shape, &shape_size));
    size_t mode = 3 * (size_t)nodes * sizeof(double);
    if (nodes != c->def->mesh->node_count || lambda_size != (size_t)count * sizeof(double) ||
        shape_size != (size_t)count * mode)
        return fr_fail(c->ctx, FR_BAD_INPUT,
                       "a row of the mode cache has another size than it says");
    double *all = fr_alloc(c->ctx, lambda_size);
    if (!all) return fr_no_memory(c->ctx, "modes");
    if (lambda_size) memcpy(all, lambda, lambda_size);
    int32_t enough = answers(c, all, count, complete);
    *modes = (FrModes){.node_count = nodes, .rigid_count = rigid, .lambda = all};
    if (enough < 0) return FR_OK;
    modes->shape = fr_alloc(c->ctx, (size_t)enough * mode);
    if (!modes->shape) return fr_no_memory(c->ctx, "modes");
    if (enough) memcpy(modes->shape, shape, (size_t)enough * mode);
    modes->mode_count = enough;
    *hit = true;
    return FR_OK;
}

static FrResult look_up(Cache *c, FrModes *modes, bool *hit) {
    FrQuery q;
    FrCell key = fr_cell_int(c->key);
    bool row = false;
    FR_TRY(fr_query_begin(
        c->store, "modes",
        "SELECT nodes, count, rigid, complete, lambda, shape FROM modes WHERE key = ?", &key, 1,
        &q));
    FrResult result = fr_query_next(&q, &row);
    if (result == FR_OK && row) result = take_row(c, &q, modes, hit);
    fr_query_end(&q);
    if (result != FR_OK || !*hit) fr_modes_free(c->ctx, modes);
    return result;
}

static FrResult put_row(Cache *c, const FrModes *modes) {
    size_t lambda = (size_t)modes->mode_count * sizeof(double);
    size_t shape = 3 * (size_t)modes->node_count * lambda;
    if (shape > MOST_ROW || modes->mode_count == 0) return FR_OK;
    double complete = c->limit;
    if (c->def->count > 0 && modes->mode_count >= c->def->count)
        complete = modes->lambda[modes->mode_count - 1];
    FR_TRY(fr_store_begin(c->store));
    FrResult result = FR_STORE_PUT(
        c->store,
        "INSERT OR REPLACE INTO modes VALUES(?, " FR_CACHE_STAMP("modes") ", ?, ?, ?, ?, ?, ?)",
        fr_cell_int(c->key), fr_cell_int(modes->node_count), fr_cell_int(modes->mode_count),
        fr_cell_int(modes->rigid_count), fr_cell_real(complete),
        fr_cell_blob(modes->lambda, lambda), fr_cell_blob(modes->shape, shape));
    if (result == FR_OK) // the oldest go first
        result = FR_STORE_PUT(c->store, FR_CACHE_TRIM("modes", "shape"), fr_cell_int(MOST_ALL));
    if (result == FR_OK) return fr_store_commit(c->store);
    fr_store_rollback(c->store);
    return result;
}

static void warn(Cache *c, const char *what) {
    fr_log(c->ctx, FR_LOG_WARNING, "modes are not %s the cache: %s", what,
           fr_context_message(c->ctx));
}

// computed for E = rho = 1, kept, and scaled: the same bits whether it was there or not
static FrResult compute(Cache *c, FrModes *modes, FrModesReport *report) {
    FrModalDef unit = *c->def;
    FrMaterial *material = FR_NEW(c->ctx, FrMaterial, unit.material_count);
    if (!material) return fr_no_memory(c->ctx, "materials");
    for (int32_t k = 0; k < unit.material_count; k++)
        material[k] = fr_modes_unit_material(&c->def->material[k], c->scale);
    unit.material = material;
    unit.max_hz = c->def->max_hz * sqrt(c->scale.density / c->scale.young);
    FrResult result = fr_modes_compute(c->ctx, &unit, modes, report);
    fr_free(c->ctx, material);
    return result;
}

// open, look up, close; false: the cache cannot be used
static bool ask(Cache *c, const char *folder, FrModes *modes, bool *hit) {
    fr_cache_begin();
    bool usable = fr_cache_open(c->ctx, folder, CACHE_FILE, &kind, &c->store) == FR_OK &&
                  look_up(c, modes, hit) == FR_OK;
    fr_store_close(c->store);
    c->store = NULL;
    fr_cache_end();
    if (!usable) warn(c, "read from");
    return usable;
}

static void keep(Cache *c, const char *folder, const FrModes *modes) {
    fr_cache_begin();
    bool kept = fr_cache_open(c->ctx, folder, CACHE_FILE, &kind, &c->store) == FR_OK &&
                put_row(c, modes) == FR_OK;
    fr_store_close(c->store);
    c->store = NULL;
    fr_cache_end();
    if (!kept) warn(c, "kept in");
}

FrResult fr_modes_cached(FrContext *ctx, const FrModalDef *def, const char *folder, FrModes *modes,
                         FrModesReport *report, bool *hit) {
    bool found = false;
    fr_backend_fill(ctx);
    if (hit) *hit = false;
    *modes = (FrModes){0};
    if (report) *report = (FrModesReport){0};
    for (int32_t k = 0; k < def->material_count; k++)
        FR_TRY(fr_material_check(ctx, &def->material[k]));
    if (!folder || def->material_count < 1) return fr_modes_compute(ctx, def, modes, report);
    Cache c = {.ctx = ctx, .def = def, .scale = fr_modes_scale(&def->material[0])};
    double omega = 2.0 * FR_PI * def->max_hz;
    c.key = (int64_t)fr_modes_key(def);
    c.limit = omega * omega * (c.scale.density / c.scale.young);
    bool usable = ask(&c, folder, modes, &found);
    FrResult result = found ? FR_OK : compute(&c, modes, report);
    if (result == FR_OK && !found && usable) keep(&c, folder, modes);
    if (result == FR_OK) fr_modes_rescale(modes, (FrRescale){c.scale.young, c.scale.density, 1.0});
    if (hit) *hit = found;
    return result;
}
