// fuzz_soundbank.c: any bytes as a soundbank end in one that bodies can borrow from, or in a
// message.

#include "context.h"
#include "fracas/soundbank.h"

// a flat body, struck and heard
static void borrow(FrContext *ctx, const FrSoundbank *bank) {
    FrProxyDef def = fr_proxy_def_default();
    FrBankDef play = fr_bank_def_default();
    FrBank *voice;
    FrAsset *asset;
    float out[64];
    def.bank = bank;
    def.mass = 0.01;
    def.inertia = (FrSym3){1e-5, 6e-6, 5e-6, 0, 0, 0};
    if (fr_proxy_create(ctx, &def, &asset, NULL) != FR_OK) return;
    play.asset = asset;
    play.most_blows = 2;
    play.air = FR_AIR_FULL;
    if (fr_bank_create(ctx, &play, &voice) == FR_OK) {
        fr_bank_strike(voice, (FrVec3){0, 0, 0}, (FrVec3){1e-3, 0, 0}, 1e-4);
        fr_bank_pull(voice, out, 64);
        fr_bank_destroy(voice);
    }
    fr_asset_destroy(asset);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContext *ctx = make_context(1);
    FrSoundbank *bank;
    if (fr_soundbank_load(ctx, bytes, size, &bank) == FR_OK) borrow(ctx, bank);
    fr_soundbank_destroy(bank);
    fr_context_destroy(ctx);
    return 0;
}
