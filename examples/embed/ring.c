// ring.c: Fracas inside another program: a cooked body is loaded, hit, scraped and heard.
//
//     fracas bake bowl.obj --material bronze -o bowl.frm
//     cc ring.c $(pkg-config --cflags --libs fracas) -o ring && ./ring bowl.frm ring.wav

#include <fracas/fracas.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 48000, SECONDS = 3, BLOCK = 256 };

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

static FrAsset *load(FrContext *ctx, const char *path) {
    static unsigned char bytes[1 << 24];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    FrAsset *asset;
    if (file) fclose(file);
    need(ctx, fr_asset_load(ctx, bytes, size, &asset)); // copied
    return asset;
}

int main(int argc, char **argv) {
    FrContextDef context_def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&context_def);
    if (!ctx || argc != 3) return fprintf(stderr, "ring BODY.frm OUT.wav\n"), FR_BAD_USE;
    FrAsset *asset = load(ctx, argv[1]);
    FrAssetInfo info = fr_asset_info(asset);
    printf("%s, %.3f kg, %d modes\n", info.name, info.mass, info.mode_count);
    FrBankDef def = fr_bank_def_default();
    FrBank *bank;
    def.asset = asset;
    def.rate = RATE;
    need(ctx, fr_bank_create(ctx, &def, &bank));
    static float sample[RATE * SECONDS];
    FrVec3 at;
    need(ctx, fr_asset_loudest(asset, FR_MALLET_STEEL, &at));
    float peak = 0;
    for (int n = 0; n < RATE * SECONDS; n += BLOCK) { // as an audio callback would
        if (n == 0) fr_bank_strike_speed(bank, at, FR_MALLET_STEEL, 0, 1.0);
        if (n == RATE / BLOCK * BLOCK) fr_bank_strike_speed(bank, at, FR_MALLET_FELT, 0, 1.0);
        if (n == 2 * RATE / BLOCK * BLOCK) fr_bank_scrape(bank, at, 2.0, 0.4, 0.5);
        fr_bank_pull(bank, sample + n, BLOCK < RATE * SECONDS - n ? BLOCK : RATE * SECONDS - n);
    }
    for (int n = 0; n < RATE * SECONDS; n++) {
        float size = sample[n] < 0 ? -sample[n] : sample[n];
        peak = size > peak ? size : peak;
    }
    printf("peak %.4f Pa\n", FR_FULL_SCALE * (double)peak);
    write_wav(argv[2], sample, RATE * SECONDS);
    fr_bank_destroy(bank);
    fr_asset_destroy(asset);
    fr_context_destroy(ctx);
    return peak > 0 ? 0 : 1;
}
