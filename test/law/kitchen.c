// kitchen.c: what is not cooked does not break; cooked, it breaks within a step that does not wait
// for modes; a replay without a kitchen, and going back, break the same at the same tick.

#include "test.h"
#include "context.h"
#include "fracas/live.h"
#include <inttypes.h>

static FrContext *ctx, *kitchen_ctx;
static FrKitchen *kitchen;

// a tile that flies against the ground
static FrLive *open_scene(void) {
    FrLiveDef def = fr_live_def_default();
    FrLive *live = NULL;
    FILE *file = fopen("kitchen.lua", "wb");
    fputs("ground { material = 'concrete' }\n"
          "body { name = 'tile', material = 'porcelain', shape = box { 10*cm, 10*cm, 8*mm },\n"
          "  cells = 12*mm, at = {0, 0, 6*cm}, turn = {0, 20, 10}, velocity = {0, 0, -6} }\n",
          file);
    fclose(file);
    def.scene = "kitchen.lua";
    CHECK_OK(ctx, fr_live_open(ctx, &def, &live));
    return live;
}

static void begin(void) {
    ctx = make_context(1);
    kitchen_ctx = make_context(1);
    CHECK_OK(ctx, fr_kitchen_create(ctx, &kitchen));
}

static void end(FrLive *live) {
    fr_live_close(live);
    fr_kitchen_destroy(kitchen);
    fr_context_destroy(ctx);
    fr_context_destroy(kitchen_ctx);
}

static int32_t bodies_of(FrLive *live) {
    FrSnapshot *s;
    CHECK_OK(ctx, fr_snapshot_create(ctx, &s));
    CHECK_OK(ctx, fr_live_snapshot(live, s, false));
    int32_t count = fr_snapshot_moment(s)->view.body_count;
    fr_snapshot_destroy(s);
    return count;
}

static void go(FrLive *live, int32_t steps) {
    int32_t done;
    CHECK_OK(ctx, fr_live_advance(live, 1e9, steps, &done));
}

#define STEPS 60

TEST(what_is_raw_does_not_break) {
    begin();
    FrLive *live = open_scene();
    CHECK_OK(ctx, fr_live_use_kitchen(live, kitchen));
    CHECK(fr_live_raw(live) == 1);
    go(live, STEPS);
    CHECK(fr_live_raw(live) == 1);
    CHECK(bodies_of(live) == 2);                             // with the ground
    CHECK(fr_live_use_kitchen(live, kitchen) == FR_BAD_USE); // too late
    end(live);
}

TEST(what_is_cooked_breaks_the_same_when_it_is_played_again) {
    begin();
    FrLive *live = open_scene(), *again = NULL;
    int64_t last;
    uint64_t hash, wanted;
    CHECK_OK(ctx, fr_live_use_kitchen(live, kitchen));
    CHECK(fr_kitchen_cook(kitchen, kitchen_ctx));
    CHECK(!fr_kitchen_cook(kitchen, kitchen_ctx)); // once
    go(live, STEPS);
    CHECK(bodies_of(live) > 3);
    while (fr_kitchen_cook(kitchen, kitchen_ctx)) continue; // shards
    go(live, 5);
    hash = fr_live_hash(live);
    CHECK_OK(ctx, fr_live_save_inputs(live, "kitchen.json"));
    CHECK_OK(ctx, fr_live_replay(ctx, "kitchen.json", &again, &last, &wanted));
    CHECK(wanted == hash && last == STEPS + 5);
    CHECK(fr_live_waiting(again) > 0); // bodies that became ready are among the inputs
    go(again, (int32_t)last);
    CHECK(fr_live_hash(again) == hash);
    fr_live_close(again);
    // back to the start: everything is on the shelf
    CHECK_OK(ctx, fr_live_rewind(live, 0));
    go(live, STEPS + 5);
    CHECK(fr_live_hash(live) == hash);
    CHECK(!fr_kitchen_cook(kitchen, kitchen_ctx));
    end(live);
}
