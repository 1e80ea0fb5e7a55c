// bench.c: 300 pieces that borrow their sound, struck and heard at once.

#include "bank/bench.h"
#include "base/clock.h"
#include "math/vec.h"
#include <math.h>

#define PIECES 300
#define RATE 48000
#define BLOCK 256
#define BLOCKS 188 ///< a second

typedef struct Shard {
    FrAsset *asset;
    FrBank *bank;
} Shard;

// flat pieces of any outline: half axes 1 : 3..10 : 3..20, masses by equal ratios
static FrProxyDef shard_def(const FrSoundbank *bank, int32_t k) {
    FrProxyDef def = fr_proxy_def_default();
    double b = 3.0 + k % 8, c = b * (1.0 + 0.1 * (k % 11)), size;
    def.bank = bank;
    def.mass = 1e-4 * pow(1e3, (double)k / PIECES);
    size = cbrt(def.mass / (fr_soundbank_info(bank).density * 4.0 / 3.0 * FR_PI * b * c));
    double m = def.mass * size * size / 5.0;
    def.inertia = (FrSym3){m * (b * b + c * c), m * (1.0 + c * c), m * (1.0 + b * b), 0, 0, 0};
    return def;
}

static FrResult make_shards(FrContext *ctx, const FrSoundbank *bank, Shard *shard,
                            FrBankBench *bench) {
    double start = fr_processor_seconds();
    for (int32_t k = 0; k < PIECES; k++) {
        FrProxyDef def = shard_def(bank, k);
        FrBankDef play = fr_bank_def_default();
        FR_TRY(fr_proxy_create(ctx, &def, &shard[k].asset, NULL));
        play.asset = shard[k].asset;
        play.rate = RATE;
        play.air = FR_AIR_FULL;
        FR_TRY(fr_bank_create(ctx, &play, &shard[k].bank));
        bench->modes += fr_asset_info(shard[k].asset).mode_count;
    }
    bench->make = (fr_processor_seconds() - start) / PIECES;
    bench->pieces = PIECES;
    return FR_OK;
}

// a second of it
static void play(Shard *shard, FrBankBench *bench) {
    float out[BLOCK], sum[BLOCK];
    volatile float sink = 0.0f;
    double start = fr_processor_seconds();
    for (int32_t n = 0; n < BLOCKS; n++)
        for (int32_t k = 0; k < PIECES; k++) {
            if ((n + k) % (BLOCKS / 2) == 0)
                fr_bank_strike(shard[k].bank, fr_vec3_zero, fr_vec3(1e-3, 0, 5e-4), 5e-5);
            fr_bank_pull(shard[k].bank, out, BLOCK);
            for (int32_t i = 0; i < BLOCK; i++) sum[i] = k ? sum[i] + out[i] : out[i];
            sink += sum[0];
        }
    (void)sink;
    bench->share = (fr_processor_seconds() - start) * RATE / (BLOCKS * (double)BLOCK);
}

FrResult fr_bank_bench(FrContext *ctx, const FrSoundbank *bank, FrBankBench *bench) {
    Shard *shard = FR_NEW(ctx, Shard, PIECES);
    *bench = (FrBankBench){0};
    if (!shard) return fr_no_memory(ctx, "a benchmark");
    FrResult result = make_shards(ctx, bank, shard, bench);
    if (result == FR_OK) play(shard, bench);
    for (int32_t k = 0; k < PIECES; k++) {
        fr_bank_destroy(shard[k].bank);
        fr_asset_destroy(shard[k].asset);
    }
    fr_free(ctx, shard);
    return result;
}
