// fuzz_frm.c: any bytes as a cooked body end in an asset that can be hit and a motion that can
// fall, or in a message. The hash is put right first, so that what lies behind it is reached.

#include "base/hash.h"
#include "context.h"
#include "fracas/bank.h"
#include "fracas/world.h"
#include <string.h>

static void hit(FrContext *ctx, FrAsset *asset) {
    FrBankDef def = fr_bank_def_default();
    FrBank *bank;
    float out[64];
    def.asset = asset;
    def.most_blows = 2;
    if (fr_bank_create(ctx, &def, &bank) != FR_OK) return;
    FrVec3 at = {0};
    if (fr_asset_info(asset).mode_count < 100) (void)fr_asset_loudest(asset, FR_MALLET_WOOD, &at);
    fr_bank_strike_speed(bank, at, FR_MALLET_WOOD, 0.0, 1.0);
    fr_bank_pull(bank, out, 64);
    fr_bank_destroy(bank);
}

static void drop(FrContext *ctx, const FrMotion *motion) {
    FrWorldDef world_def = fr_world_def_default();
    FrBodyDef def = fr_motion_body_def(motion);
    FrWorld *world;
    FrBodyId id;
    if (fr_world_create(ctx, &world_def, &world) != FR_OK) return;
    if (fr_body_create(world, &def, &id) == FR_OK) (void)fr_world_step(world);
    fr_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContext *ctx = make_context(1);
    uint8_t *copy = malloc(size + 1);
    FrAsset *asset;
    FrMotion *motion;
    memcpy(copy, bytes, size);
    if (size > 32) {
        uint64_t hash = fr_hash_of(copy + 32, size - 32, 0);
        for (int k = 0; k < 8; k++) copy[24 + k] = (uint8_t)(hash >> (8 * k));
    }
    if (fr_asset_load(ctx, copy, size, &asset) == FR_OK) hit(ctx, asset);
    fr_asset_destroy(asset);
    if (fr_motion_load(ctx, copy, size, &motion) == FR_OK) drop(ctx, motion);
    fr_motion_destroy(motion);
    free(copy);
    fr_context_destroy(ctx);
    return 0;
}
