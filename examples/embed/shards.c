// shards.c: a thing in 300 pieces, none of which was ever cooked: each borrows its sound by its
// mass and its moments of inertia, and all are heard at once.
//
//     fracas bank pack -o glass.bank
//     cc shards.c $(pkg-config --cflags --libs fracas) -lm -o shards && ./shards glass.bank
//     shards.wav

#include <fracas/fracas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 48000, SECONDS = 2, BLOCK = 256, PIECES = 300 };

static void need(FrContext *ctx, FrResult result) {
    if (result == FR_OK) return;
    fprintf(stderr, "%s: %s\n", fr_result_name(result), fr_context_message(ctx));
    exit((int)result);
}

static void put(FILE *file, uint32_t value, int bytes) {
    for (int k = 0; k < bytes; k++) fputc((int)(value >> (8 * k) & 255), file);
}

// a WAV file of floats, mono
static void write_wav(const char *path, const float *sample, uint32_t count) {
    FILE *file = fopen(path, "wb");
    if (!file) exit(FR_IO);
    fputs("RIFF", file), put(file, 36 + 4 * count, 4), fputs("WAVEfmt ", file);
    put(file, 16, 4), put(file, 3, 2), put(file, 1, 2); // IEEE floats, one channel
    put(file, RATE, 4), put(file, 4 * RATE, 4), put(file, 4, 2), put(file, 32, 2);
    fputs("data", file), put(file, 4 * count, 4);
    fwrite(sample, 4, count, file); // little-endian machines
    if (fclose(file)) exit(FR_IO);
}

static FrSoundbank *load(FrContext *ctx, const char *path) {
    static unsigned char bytes[1 << 24];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    FrSoundbank *bank;
    if (file) fclose(file);
    need(ctx, fr_soundbank_load(ctx, bytes, size, &bank)); // copied
    return bank;
}

// a shard as a game has it: a box of 3 mm, and x by y
static FrAsset *shard(FrContext *ctx, const FrSoundbank *bank, double x, double y) {
    FrProxyDef def = fr_proxy_def_default();
    double z = 0.003;
    def.bank = bank;
    def.mass = fr_soundbank_info(bank).density * x * y * z;
    double m = def.mass / 12.0;
    def.inertia = (FrSym3){m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y), 0, 0, 0};
    FrAsset *asset;
    need(ctx, fr_proxy_create(ctx, &def, &asset, NULL));
    return asset;
}

int main(int argc, char **argv) {
    FrContextDef context_def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&context_def);
    if (!ctx || argc != 3) return fprintf(stderr, "shards PACKED.bank OUT.wav\n"), FR_BAD_USE;
    FrSoundbank *bank = load(ctx, argv[1]);
    static FrAsset *asset[PIECES];
    static FrBank *voice[PIECES];
    for (int k = 0; k < PIECES; k++) {
        FrBankDef def = fr_bank_def_default();
        def.asset = asset[k] =
            shard(ctx, bank, 0.01 + 0.0003 * k, 0.01 + 0.0002 * (k * 7 % PIECES));
        def.rate = RATE;
        def.air = FR_AIR_FULL;
        need(ctx, fr_bank_create(ctx, &def, &voice[k]));
    }
    fr_soundbank_destroy(bank); // pieces live on
    static float sample[RATE * SECONDS], one[BLOCK];
    float peak = 0;
    for (int n = 0; n + BLOCK <= RATE * SECONDS; n += BLOCK) // as an audio callback would
        for (int k = 0; k < PIECES; k++) {
            if (n / BLOCK == k % 150) // it lands: 2 m/s stop within 50 microseconds
                fr_bank_strike(voice[k], (FrVec3){0, 0, 0},
                               (FrVec3){0, 0.3 * fr_asset_info(asset[k]).mass,
                                        2.0 * fr_asset_info(asset[k]).mass},
                               5e-5);
            fr_bank_pull(voice[k], one, BLOCK);
            for (int i = 0; i < BLOCK; i++) sample[n + i] += one[i];
        }
    for (int n = 0; n < RATE * SECONDS; n++) peak = fmaxf(peak, fabsf(sample[n]));
    printf("%d pieces, peak %.4f Pa\n", PIECES, FR_FULL_SCALE * (double)peak);
    write_wav(argv[2], sample, RATE * SECONDS);
    for (int k = 0; k < PIECES; k++) fr_bank_destroy(voice[k]), fr_asset_destroy(asset[k]);
    fr_context_destroy(ctx);
    return peak > 0 ? 0 : 1;
}
