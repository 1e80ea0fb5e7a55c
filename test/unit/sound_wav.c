// sound_wav.c: WAV files that others wrote: every format, chunks in between, and what is refused.

#include "context.h"
#include "sound/wav.h"
#include "test.h"
#include <math.h>
#include <string.h>

typedef struct Bytes {
    uint8_t data[4096];
    size_t size;
} Bytes;

static void put(Bytes *b, uint64_t value, int bytes) {
    for (int k = 0; k < bytes; k++) b->data[b->size++] = (uint8_t)(value >> (8 * k));
}

static void put_text(Bytes *b, const char *text) {
    memcpy(b->data + b->size, text, 4);
    b->size += 4;
}

static const double wanted[6] = {0.0, 0.5, -0.5, 0.25, -1.0, 0.75};

static void put_sample(Bytes *b, int kind, int bits, double value) {
    float narrow = (float)value;
    uint64_t wide = 0;
    if (kind == 3 && bits == 32) {
        memcpy(&wide, &narrow, 4);
    } else if (kind == 3) {
        memcpy(&wide, &value, 8);
    } else if (bits == 8) {
        wide = (uint64_t)(128.0 + 128.0 * value);
    } else {
        wide = (uint64_t)(int64_t)(value * ldexp(1.0, bits - 1));
    }
    put(b, wide, bits / 8);
}

// wanted[] in each channel; a chunk of odd length that nobody knows comes before it
static Bytes wav_of(int kind, int bits, int channels, bool extensible) {
    Bytes b = {.size = 0};
    put_text(&b, "RIFF");
    put(&b, 0xffffffff, 4); // as what writes into a pipe has it
    put_text(&b, "WAVE");
    put_text(&b, "LIST");
    put(&b, 3, 4);
    put(&b, 0, 4);
    put_text(&b, "fmt ");
    put(&b, extensible ? 40 : 16, 4);
    put(&b, extensible ? 0xfffe : (uint64_t)kind, 2);
    put(&b, (uint64_t)channels, 2);
    put(&b, 44100, 4);
    put(&b, 0, 4);
    put(&b, (uint64_t)(channels * bits / 8), 2);
    put(&b, (uint64_t)bits, 2);
    if (extensible) {
        put(&b, 22, 2);
        put(&b, (uint64_t)bits, 2);
        put(&b, 0, 4);
        put(&b, (uint64_t)kind, 8);
        put(&b, 0, 8);
    }
    put_text(&b, "data");
    put(&b, 0xffffffff, 4);
    for (int n = 0; n < 6; n++)
        for (int c = 0; c < channels; c++) put_sample(&b, kind, bits, wanted[n]);
    return b;
}

TEST(every_format) {
    FrContext *ctx = make_context(1);
    int format[][2] = {{1, 8}, {1, 16}, {1, 24}, {1, 32}, {3, 32}, {3, 64}};
    for (int k = 0; k < 24; k++) {
        int channels = k % 12 < 6 ? 1 : 3;
        Bytes b = wav_of(format[k % 6][0], format[k % 6][1], channels, k >= 12);
        FrWavSound sound;
        CHECK_OK(ctx, fr_wav_parse(ctx, "x.wav", b.data, b.size, &sound));
        CHECK_INT(sound.frames, 6);
        CHECK_INT(sound.rate, 44100);
        CHECK_INT(sound.channels, channels);
        for (int n = 0; n < 6; n++) // exact: powers of two
            CHECK_NEAR((double)sound.sample[n], channels * wanted[n], TOL_EXACT);
        fr_wav_sound_free(ctx, &sound);
    }
    fr_context_destroy(ctx);
}

static void refused(FrContext *ctx, const Bytes *b, const char *part) {
    FrWavSound sound;
    CHECK_INT(fr_wav_parse(ctx, "x.wav", b->data, b->size, &sound), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), part);
    CHECK(!sound.sample);
}

TEST(what_is_refused) {
    FrContext *ctx = make_context(1);
    Bytes b = {.size = 4};
    refused(ctx, &b, "byte 0: not a WAV");
    b = wav_of(2, 16, 1, false);
    refused(ctx, &b, "byte 32: samples of kind 2 with 16 bits");
    b = wav_of(1, 16, 1, false);
    b.data[34] = 0;
    refused(ctx, &b, "byte 34: 0 channels");
    b = wav_of(1, 16, 1, false);
    memset(b.data + 36, 0, 4);
    refused(ctx, &b, "byte 36: 0 samples per second");
    b = wav_of(1, 16, 1, false);
    memcpy(b.data + 24, "fmx ", 4);
    refused(ctx, &b, "'data' before 'fmt '");
    b = wav_of(1, 16, 1, false);
    b.size = 48;
    refused(ctx, &b, "no 'data' came");
    b = wav_of(3, 32, 1, false);
    memset(b.data + b.size - 4, 0xff, 4);
    refused(ctx, &b, "a sample is");
    fr_context_destroy(ctx);
}

// cut anywhere, or any byte changed: an answer
TEST(any_bytes) {
    FrContext *ctx = make_context(1);
    Bytes whole = wav_of(1, 24, 2, true);
    for (size_t size = 0; size < whole.size; size++)
        for (int flip = 0; flip < 3; flip++) {
            Bytes b = whole;
            if (flip) b.data[size] ^= (uint8_t)(flip == 1 ? 0xff : 1 << (size % 8));
            FrWavSound sound;
            if (fr_wav_parse(ctx, "x.wav", b.data, flip ? b.size : size, &sound) == FR_OK)
                CHECK(sound.frames >= 0);
            fr_wav_sound_free(ctx, &sound);
        }
    fr_context_destroy(ctx);
}
