// cook_recording.c: the rigid bodies of a recording as bodies that ring, many at one time.

#include "score/cook_recording.h"
#include "base/each.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Meshes of more tets are not made 10-node ones.
#define MOST_CURVED 30000
/// What the factor and the basis of a tet take at most, bytes, and what all that are cooked side by
/// side may take.
#define TET_BYTES 5e4
#define MOST_BYTES 4e9

typedef struct Kitchen {
    FrContext *ctx;
    const FrScene *scene;
    FrCookItem *item;
    const FrProxyRule *rule;
    FrAssetOptions options;
    int32_t *order; ///< items to cook: the large ones first, then those cooked side by side
    int32_t count, large;
} Kitchen;

const FrSceneBody *fr_cook_scene_body(const FrScene *scene, const char *name) {
    for (int32_t k = 0; scene && k < scene->bodies_count; k++)
        if (!strcmp(scene->bodies[k].name, name)) return &scene->bodies[k];
    return NULL;
}

static bool same_stuff(const FrRecordingBody *a, const FrRecordingBody *b) {
    return a->view->mesh && b->view->mesh && a->mesh_hash == b->mesh_hash &&
           !memcmp(&a->view->material, &b->view->material, sizeof a->view->material);
}

// 10-node tets as long as that is not too much, mid-nodes on the shape where the scene tells it
static FrResult raise_order(FrContext *ctx, const FrScene *scene, const FrCookItem *item,
                            FrBuiltMesh *built) {
    const FrTetMesh *mesh = item->body.view->mesh;
    FR_TRY(fr_tetmesh_copy(ctx, mesh, &built->mesh));
    if (mesh->order == 2 || mesh->tet_count > MOST_CURVED) return FR_OK;
    if (item->from && fr_build_order2(ctx, item->from, scene->folder, built) == FR_OK) return FR_OK;
    FrTetMesh curved;
    FR_TRY(fr_tetmesh_order2(ctx, &built->mesh, NULL, &curved, NULL));
    fr_tetmesh_free(ctx, &built->mesh);
    built->mesh = curved;
    return FR_OK;
}

// what has no modes that can be found still clicks
static FrResult cook_tets(FrContext *ctx, const Kitchen *kitchen, FrCookItem *item) {
    const FrScene *scene = kitchen->scene;
    FrBuiltMesh built = {.method = "recording"};
    const FrBodyView *view = item->body.view;
    uint8_t *held = NULL;
    FrResult result = raise_order(ctx, scene, item, &built);
    if (result == FR_OK && item->from)
        result = fr_held_nodes(ctx, scene, item->from, scene->folder, &built.mesh, &held);
    if (result == FR_OK)
        result =
            fr_cook_mesh(ctx, &built.mesh, held, &view->material, &kitchen->options, &item->asset);
    fr_free(ctx, held);
    fr_tetmesh_free(ctx, &built.mesh);
    if (result != FR_BAD_INPUT && result != FR_NUMERICAL) return result;
    fr_log(ctx, FR_LOG_WARNING, "%s only clicks: %s", view->name, fr_context_message(ctx));
    FrModes none = {.node_count = view->mesh->node_count};
    return fr_asset_make(ctx, view->mesh, &none, &view->material, NULL, &item->asset);
}

// what can borrow does, if its lowest tone is as the rule wants it
static FrResult cook_mesh(FrContext *ctx, const Kitchen *kitchen, FrCookItem *item) {
    const FrBodyView *view = item->body.view;
    if (item->borrows)
        FR_TRY(fr_cook_proxy(ctx, kitchen->rule, view->mesh, &view->material, &item->proxied));
    item->asset = item->proxied.asset;
    return item->asset ? FR_OK : cook_tets(ctx, kitchen, item);
}

static FrResult cook(FrContext *ctx, const Kitchen *kitchen, FrCookItem *item) {
    const FrBodyView *view = item->body.view;
    FrResult result = view->kind == FR_BODY_SPHERE
                          ? fr_cook_ball(ctx, view->radius, &view->material, &item->asset)
                          : cook_mesh(ctx, kitchen, item);
    return result == FR_OK ? FR_OK : fr_fail_within(ctx, result, "%s: ", view->name);
}

static FrResult cook_side_by_side(void *arg, FrContext *own, int32_t k) {
    Kitchen *kitchen = arg;
    FrCookItem *item = &kitchen->item[kitchen->order[kitchen->large + k]];
    FrResult result = cook(own, kitchen, item);
    if (item->asset) fr_asset_adopt(item->asset, kitchen->ctx);
    return result;
}

// tets, most first; the first of equals first
typedef struct Size {
    int32_t tets, item;
} Size;

static int by_size(const void *a, const void *b) {
    const Size *x = a, *y = b;
    if (x->tets != y->tets) return x->tets > y->tets ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static void find_twin(FrCookItem *item, int32_t k) {
    item[k].twin = -1;
    for (int32_t i = 0; i < k && item[k].twin < 0; i++)
        if (item[i].twin < 0 && same_stuff(&item[i].body, &item[k].body) && !item[i].clamped &&
            !item[k].clamped)
            item[k].twin = i;
}

static FrResult put_in_order(Kitchen *kitchen, int32_t count) {
    Size *size = FR_NEW(kitchen->ctx, Size, count);
    if (!size) return fr_no_memory(kitchen->ctx, "bodies");
    double most = MOST_BYTES / TET_BYTES / fr_context_workers(kitchen->ctx);
    for (int32_t k = 0; k < count; k++) {
        const FrTetMesh *mesh = kitchen->item[k].body.view->mesh;
        if (kitchen->item[k].twin < 0)
            size[kitchen->count++] = (Size){mesh ? mesh->tet_count : 0, k};
    }
    qsort(size, (size_t)kitchen->count, sizeof *size, by_size);
    for (int32_t k = 0; k < kitchen->count; k++) {
        kitchen->order[k] = size[k].item;
        kitchen->large += size[k].tets > most;
    }
    fr_free(kitchen->ctx, size);
    return FR_OK;
}

static FrResult cook_all(Kitchen *kitchen, int32_t count) {
    FR_TRY(put_in_order(kitchen, count));
    for (int32_t k = 0; k < kitchen->large; k++) {
        FR_TRY(cook(kitchen->ctx, kitchen, &kitchen->item[kitchen->order[k]]));
        fr_progress(kitchen->ctx, "modes", k + 1, kitchen->count);
    }
    FrEach each = {.count = kitchen->count - kitchen->large,
                   .fn = cook_side_by_side,
                   .arg = kitchen,
                   .stage = "modes",
                   .before = kitchen->large};
    return fr_each(kitchen->ctx, &each);
}

static double longest_side(const FrTetMesh *mesh) {
    FrVec3 size = fr_box_size(fr_tetmesh_bounds(mesh));
    return fr_max(size.x, fr_max(size.y, size.z));
}

/// A body that may borrow.
typedef struct Debris {
    double mass; ///< kg
    int32_t item;
} Debris;

static int by_mass(const void *a, const void *b) {
    const Debris *x = a, *y = b;
    if (x->mass != y->mass) return x->mass < y->mass ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

// the lightest share, the small ones, or all until their tone is known
static FrResult choose_debris(const Kitchen *kitchen, int32_t count) {
    FrProxyLimit limit = kitchen->rule->limit;
    Debris *debris = FR_NEW(kitchen->ctx, Debris, count);
    if (!debris) return fr_no_memory(kitchen->ctx, "bodies");
    int32_t found = 0;
    for (int32_t k = 0; k < count; k++) {
        FrCookItem *item = &kitchen->item[k];
        const FrBodyView *view = item->body.view;
        if (!view->mesh || item->clamped || item->twin >= 0 || view->material.anisotropic) continue;
        item->borrows = limit.kind != FR_PROXY_BELOW || longest_side(view->mesh) < limit.value;
        double volume = fr_tetmesh_props(view->mesh).volume;
        debris[found++] = (Debris){view->material.density * volume, k};
    }
    qsort(debris, (size_t)found, sizeof *debris, by_mass);
    if (limit.kind == FR_PROXY_SHARE)
        for (int32_t k = (int32_t)ceil(limit.value * found - 1e-9); k < found; k++)
            kitchen->item[debris[k].item].borrows = false;
    fr_free(kitchen->ctx, debris);
    return FR_OK;
}

FrResult fr_cook_recorded(FrContext *ctx, const FrScene *scene, FrCookItem *item, int32_t count,
                          const FrProxyRule *rule, bool radiate) {
    Kitchen kitchen = {
        .ctx = ctx, .scene = scene, .item = item, .rule = rule, .options = {.radiate = radiate}};
    for (int32_t k = 0; k < count; k++) {
        item[k].from = fr_cook_scene_body(scene, item[k].body.view->name);
        item[k].clamped = item[k].from && fr_body_clamped(scene, item[k].from);
        find_twin(item, k);
    }
    kitchen.order = FR_NEW(ctx, int32_t, count);
    FrResult result = kitchen.order ? FR_OK : fr_no_memory(ctx, "bodies");
    if (result == FR_OK && rule->bank) result = choose_debris(&kitchen, count);
    if (result == FR_OK) result = cook_all(&kitchen, count);
    fr_free(ctx, kitchen.order);
    return result;
}
