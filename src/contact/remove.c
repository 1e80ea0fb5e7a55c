// remove.c: items that go, and the numbers that they leave free.

#include "contact/contact_scene.h"

void fr_contact_pair_free(FrContext *ctx, FrContactPair *pair) {
    fr_array_free(ctx, &pair->candidate);
    fr_array_free(ctx, &pair->apart);
    fr_array_free(ctx, &pair->parting);
    fr_array_free(ctx, &pair->next);
    fr_array_free(ctx, &pair->next_apart);
    fr_array_free(ctx, &pair->next_parting);
    fr_array_free(ctx, &pair->fresh);
    fr_array_free(ctx, &pair->beyond);
    fr_array_free(ctx, &pair->kept);
}

int32_t fr_contact_free_number(const FrContactScene *scene) {
    if (scene->next) return scene->next - 1;
    int32_t at = 0;
    while (at < scene->item.count && scene->item.data[at].kind != FR_ITEM_NONE) at++;
    return at;
}

FrResult fr_contact_number_next(FrContactScene *scene, int32_t item) {
    while (scene->item.count <= item) {
        FrContactItem none = {.kind = FR_ITEM_NONE};
        if (!fr_array_push(scene->ctx, &scene->item, none))
            return fr_no_memory(scene->ctx, "a contact item");
    }
    if (item < 0 || scene->item.data[item].kind != FR_ITEM_NONE)
        return fr_fail(scene->ctx, FR_BAD_INPUT, "contact item %d is not free", item);
    scene->next = item + 1;
    return FR_OK;
}

static bool of_item(int32_t a, int32_t b, int32_t item) { return a == item || b == item; }

static void drop_pairs(FrContactScene *scene, int32_t item) {
    int32_t kept = 0;
    for (int32_t k = 0; k < scene->pair.count; k++) {
        FrContactPair *pair = &scene->pair.data[k];
        if (of_item(pair->a, pair->b, item))
            fr_contact_pair_free(scene->ctx, pair);
        else
            scene->pair.data[kept++] = *pair;
    }
    scene->pair.count = kept;
}

// keys without a number in them are looked at anew at each detection
static bool key_of_item(uint64_t key, int32_t item) {
    return !(key >> 63) && (int32_t)(key >> 53) == item;
}

static void forget(FrContactScene *scene, int32_t item) {
    int32_t kept = 0;
    for (int32_t k = 0; k < scene->ignored.count; k++)
        if (!of_item(scene->ignored.data[k].a, scene->ignored.data[k].b, item))
            scene->ignored.data[kept++] = scene->ignored.data[k];
    scene->ignored.count = kept;
    kept = 0;
    for (int32_t k = 0; k < scene->past.count; k++)
        if (!of_item(scene->past.data[k].a, scene->past.data[k].b, item))
            scene->past.data[kept++] = scene->past.data[k];
    scene->past.count = kept;
    kept = 0;
    for (int32_t k = 0; k < scene->barred.count; k++)
        if (!key_of_item(scene->barred.data[k], item))
            scene->barred.data[kept++] = scene->barred.data[k];
    scene->barred.count = kept;
}

void fr_contact_remove(FrContactScene *scene, int32_t item) {
    FR_ASSERT(item >= 0 && item < scene->item.count && scene->item.data[item].kind != FR_ITEM_NONE,
              "remove an item of this scene, once");
    fr_contact_body_free(scene->ctx, &scene->item.data[item].body);
    scene->item.data[item] = (FrContactItem){.kind = FR_ITEM_NONE};
    drop_pairs(scene, item);
    forget(scene, item);
    int32_t count = scene->item.count;
    while (count > 0 && scene->item.data[count - 1].kind == FR_ITEM_NONE) count--;
    scene->item.count = count;
}
