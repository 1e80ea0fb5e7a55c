// live_raw.c: bodies that shatter and are not cooked yet: nothing breaks them until they are.

#include "live/kitchen.h"
#include "live/live.h"
#include "shatter/shatter.h"
#include "world/cuts.h"

static bool is_ready(const FrLive *live, int32_t number) {
    for (int32_t k = 0; k < live->ready.count; k++)
        if (live->ready.data[k] == number) return true;
    return false;
}

static bool is_raw(const FrLive *live, int32_t number) {
    for (int32_t k = 0; k < live->raw.count; k++)
        if (live->raw.data[k].number == number) return true;
    return false;
}

// it goes on as it is from what is on the shelf, or is made when a blow asks for it
static void give(FrLive *live, FrShatter *shatter) {
    FrStressDef def;
    bool failed;
    if (!live->kitchen || !fr_shatter_lacks(shatter, &def)) return;
    FrStressModel *model = fr_kitchen_take(live->kitchen, fr_kitchen_key(&def), &failed);
    if (!model) return;
    fr_shatter_give(shatter, model);
    fr_stress_destroy(model); // the body is an owner now
}

static FrResult look_at(FrLive *live, FrShatter *shatter, int32_t number) {
    FrStressDef def;
    if (is_ready(live, number)) return give(live, shatter), FR_OK;
    fr_shatter_wait(shatter, true); // crumbs for ever
    if (is_raw(live, number) || !fr_shatter_lacks(shatter, &def)) return FR_OK;
    FrRaw raw = {number, fr_kitchen_key(&def)};
    if (live->kitchen) FR_TRY(fr_kitchen_order(live->kitchen, raw.key, &def));
    return fr_array_push(live->ctx, &live->raw, raw) ? FR_OK : fr_no_memory(live->ctx, "orders");
}

FrResult fr_live_order(FrLive *live) {
    if (!live->waits || !live->births) return FR_OK;
    const FrFrameView *view = fr_world_view(live->built.world);
    live->births = false;
    if (!view) return fr_no_memory(live->ctx, "a view");
    for (int32_t k = 0; k < view->body_count; k++) {
        if (view->body[k].kind == FR_BODY_PLANE) continue;
        FrShatter *shatter = fr_world_shatter(live->built.world, k);
        if (shatter) FR_TRY(look_at(live, shatter, view->body[k].id.index1));
    }
    return FR_OK;
}

static FrShatter *shatter_of(const FrLive *live, FrBodyId body) {
    int32_t k = fr_world_view_of(live->built.world, body);
    return fr_body_alive(live->built.world, body) ? fr_world_shatter(live->built.world, k) : NULL;
}

static void drop_raw(FrLive *live, int32_t number) {
    for (int32_t k = 0; k < live->raw.count; k++)
        if (live->raw.data[k].number == number)
            live->raw.data[k--] = live->raw.data[--live->raw.count];
}

FrResult fr_live_make_ready(FrLive *live, FrBodyId body) {
    FrShatter *shatter = shatter_of(live, body);
    if (!shatter) return fr_fail(live->ctx, FR_BAD_USE, "body %d does not shatter", body.index1);
    if (!is_ready(live, body.index1) && !fr_array_push(live->ctx, &live->ready, body.index1))
        return fr_no_memory(live->ctx, "orders");
    give(live, shatter);
    fr_shatter_wait(shatter, false);
    drop_raw(live, body.index1);
    return FR_OK;
}

// a replay says itself when a body is ready
FrResult fr_live_serve(FrLive *live) {
    if (!live->kitchen || (live->old_story && fr_live_waiting(live) > 0)) return FR_OK;
    for (int32_t k = 0; k < live->raw.count; k++) {
        bool failed;
        FrRaw raw = live->raw.data[k];
        FrStressModel *model = fr_kitchen_take(live->kitchen, raw.key, &failed);
        bool gone = !shatter_of(live, (FrBodyId){raw.number});
        if (!model && !failed && !gone) continue;
        FrInput input = {.kind = FR_INPUT_READY, .body = {raw.number}};
        FrResult result = model && !gone ? fr_live_make_ready(live, input.body) : FR_OK;
        drop_raw(live, raw.number);
        k--;
        fr_stress_destroy(model);
        FR_TRY(result);
        if (model && !gone) FR_TRY(fr_live_note(live, &input));
    }
    return FR_OK;
}

FrResult fr_live_use_kitchen(FrLive *live, FrKitchen *kitchen) {
    FR_NEED_ALL(live ? live->ctx : NULL, live && kitchen);
    if (fr_live_tick(live) > 0)
        return fr_fail(live->ctx, FR_BAD_USE, "a kitchen is used from the first step on");
    if (live->old_story && !live->waits)
        return fr_fail(live->ctx, FR_BAD_USE, "these inputs are of a scene without a kitchen");
    live->kitchen = kitchen;
    live->waits = live->births = true;
    return fr_live_order(live);
}

int32_t fr_live_raw(const FrLive *live) { return live ? live->raw.count : 0; }
