// fuzz_frm.c: any bytes as a cooked body end in an asset that can be hit, or in a message. The hash
// is put right first, so that what lies behind it is reached.

#include "base/hash.h"
#include "context.h"
#include "fracas/bank.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContext *ctx = make_context(1);
    uint8_t *copy = malloc(size + 1);
    FrAsset *asset;
    memcpy(copy, bytes, size);
    if (size > 32) {
        uint64_t hash = fr_hash_of(copy + 32, size - 32, 0);
        for (int k = 0; k < 8; k++) copy[24 + k] = (uint8_t)(hash >> (8 * k));
    }
    if (fr_asset_load(ctx, copy, size, &asset) == FR_OK) hit(ctx, asset);
    fr_asset_destroy(asset);
    free(copy);
    fr_context_destroy(ctx);
    return 0;
}
