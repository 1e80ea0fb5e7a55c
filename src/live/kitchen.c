// kitchen.c: what blows are judged by, made in another thread, on a shelf that scenes share.

#include "live/kitchen.h"
#include "backend/backend.h"
#include "base/array.h"
#include "base/hash.h"
#include "mesh/tetmesh.h"
#include <pthread.h>
#include <string.h>

/// Bytes on the shelf; what was asked for longest ago leaves first.
#define SHELF ((size_t)512 << 20)

typedef enum Stage { WANTED, COOKING, THERE, FAILED } Stage;

/// Made, or to be made. Copies are given back once it is.
typedef struct Dish {
    uint64_t key;
    Stage stage;
    FrStressDef def;
    FrTetMesh mesh;
    FrMaterial material;
    uint8_t *held;
    FrStressModel *model;
    size_t bytes;  ///< of it
    int64_t asked; ///< when last
} Dish;

struct FrKitchen {
    FrContext *ctx;
    pthread_mutex_t lock;
    FR_ARRAY(Dish *) dish;
    int64_t asked; ///< so far
};

FrResult fr_kitchen_create(FrContext *ctx, FrKitchen **kitchen) {
    FR_NEED_ALL(ctx, ctx && kitchen);
    *kitchen = FR_NEW(ctx, FrKitchen, 1);
    if (!*kitchen) return fr_no_memory(ctx, "a kitchen");
    (*kitchen)->ctx = ctx;
    pthread_mutex_init(&(*kitchen)->lock, NULL);
    return FR_OK;
}

static void clear(FrContext *ctx, Dish *dish) {
    fr_tetmesh_free(ctx, &dish->mesh);
    fr_free(ctx, dish->held);
    dish->held = NULL;
}

static void throw_away(FrKitchen *k, int32_t at) {
    Dish *dish = k->dish.data[at];
    clear(k->ctx, dish);
    fr_stress_destroy(dish->model);
    fr_free(k->ctx, dish);
    k->dish.data[at] = k->dish.data[--k->dish.count];
}

void fr_kitchen_destroy(FrKitchen *k) {
    if (!k) return;
    while (k->dish.count) throw_away(k, 0);
    fr_array_free(k->ctx, &k->dish);
    pthread_mutex_destroy(&k->lock);
    fr_free(k->ctx, k);
}

uint64_t fr_kitchen_key(const FrStressDef *def) {
    FrHash hash;
    const FrTetMesh *mesh = def->mesh;
    fr_hash_begin(&hash, 0);
    fr_hash_bytes(&hash, mesh->x, 3 * sizeof(double) * (size_t)mesh->node_count);
    fr_hash_bytes(&hash, mesh->tet, 4 * sizeof(int32_t) * (size_t)mesh->tet_count);
    fr_hash_bytes(&hash, def->material, sizeof *def->material);
    if (def->held) fr_hash_bytes(&hash, def->held, (size_t)mesh->node_count);
    fr_hash_f64(&hash, def->max_hz);
    fr_hash_u64(&hash, (uint64_t)def->most_modes);
    return fr_hash_end(&hash);
}

// with the lock
static Dish *find(FrKitchen *k, uint64_t key) {
    for (int32_t i = 0; i < k->dish.count; i++)
        if (k->dish.data[i]->key == key) return k->dish.data[i];
    return NULL;
}

static FrResult fill(FrContext *ctx, const FrStressDef *def, Dish *dish) {
    dish->def = *def;
    dish->material = *def->material;
    dish->def.material = &dish->material;
    FR_TRY(fr_tetmesh_copy(ctx, def->mesh, &dish->mesh));
    dish->def.mesh = &dish->mesh;
    if (!def->held) return FR_OK;
    dish->held = FR_NEW(ctx, uint8_t, def->mesh->node_count);
    if (!dish->held) return fr_no_memory(ctx, "what holds a body");
    memcpy(dish->held, def->held, (size_t)def->mesh->node_count);
    dish->def.held = dish->held;
    return FR_OK;
}

// with the lock
static FrResult add(FrKitchen *k, uint64_t key, const FrStressDef *def) {
    Dish *dish = FR_NEW(k->ctx, Dish, 1);
    if (!dish) return fr_no_memory(k->ctx, "an order");
    *dish = (Dish){.key = key, .asked = ++k->asked};
    FrResult result = fill(k->ctx, def, dish);
    if (result == FR_OK && !fr_array_push(k->ctx, &k->dish, dish))
        result = fr_no_memory(k->ctx, "an order");
    if (result != FR_OK) clear(k->ctx, dish), fr_free(k->ctx, dish);
    return result;
}

FrResult fr_kitchen_order(FrKitchen *k, uint64_t key, const FrStressDef *def) {
    pthread_mutex_lock(&k->lock);
    Dish *dish = find(k, key);
    if (dish) dish->asked = ++k->asked;
    FrResult result = dish ? FR_OK : add(k, key, def);
    pthread_mutex_unlock(&k->lock);
    return result;
}

FrStressModel *fr_kitchen_take(FrKitchen *k, uint64_t key, bool *failed) {
    pthread_mutex_lock(&k->lock);
    Dish *dish = find(k, key);
    bool there = dish && dish->stage == THERE;
    *failed = dish && dish->stage == FAILED;
    FrStressModel *model = there ? fr_stress_share(dish->model) : NULL;
    pthread_mutex_unlock(&k->lock);
    return model;
}

// with the lock: large ones first, for they break first
static Dish *most_wanted(FrKitchen *k) {
    Dish *best = NULL;
    for (int32_t i = 0; i < k->dish.count; i++) {
        Dish *dish = k->dish.data[i];
        if (dish->stage != WANTED) continue;
        if (!best || dish->mesh.tet_count > best->mesh.tet_count) best = dish;
    }
    return best;
}

// with the lock
static void bound(FrKitchen *k) {
    for (;;) {
        size_t bytes = 0;
        int32_t oldest = -1;
        for (int32_t i = 0; i < k->dish.count; i++) {
            const Dish *dish = k->dish.data[i];
            if (dish->stage != THERE) continue;
            bytes += dish->bytes;
            if (oldest < 0 || dish->asked < k->dish.data[oldest]->asked) oldest = i;
        }
        if (bytes <= SHELF || oldest < 0) return;
        throw_away(k, oldest);
    }
}

bool fr_kitchen_cook(FrKitchen *k, FrContext *ctx) {
    if (!k || !ctx) return false;
    pthread_mutex_lock(&k->lock);
    Dish *dish = most_wanted(k);
    if (dish) dish->stage = COOKING;
    pthread_mutex_unlock(&k->lock);
    if (!dish) return false;
    FrStressModel *model = NULL;
    fr_backend_fill(ctx);
    FrResult result = fr_stress_create(ctx, &dish->def, &model);
    if (result != FR_OK) fr_log(ctx, FR_LOG_WARNING, "%s", fr_context_message(ctx));
    pthread_mutex_lock(&k->lock);
    dish->model = model;
    dish->bytes = model ? fr_stress_bytes(model) : 0;
    dish->stage = result == FR_OK ? THERE : FAILED;
    clear(k->ctx, dish);
    bound(k);
    pthread_mutex_unlock(&k->lock);
    return true;
}
