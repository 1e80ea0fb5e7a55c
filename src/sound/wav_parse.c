// wav_parse.c: WAV files that anything wrote: chunks, formats, channels to one.

#include "base/bytes.h"
#include "base/file.h"
#include "sound/wav.h"
#include <math.h>
#include <string.h>

#define PCM 1
#define IEEE_FLOAT 3
#define EXTENSIBLE 0xfffe
#define MOST_CHANNELS 64
#define LOWEST_RATE 1000
#define HIGHEST_RATE 1000000

typedef struct Wav {
    FrContext *ctx;
    const char *name;
    const uint8_t *data;
    size_t size;
    int32_t kind, bits, channels, rate;
    size_t from, bytes; ///< of the samples
} Wav;

static uint32_t little(const uint8_t *b, int32_t bytes) {
    uint32_t value = 0;
    for (int32_t k = bytes - 1; k >= 0; k--) value = value << 8 | b[k];
    return value;
}

static FrResult read_format(Wav *w, size_t at, size_t size) {
    if (size < 16)
        return fr_fail(w->ctx, FR_BAD_INPUT, "%s: byte %zu: 'fmt ' has %zu bytes; it takes 16",
                       w->name, at, size);
    const uint8_t *b = w->data + at;
    w->kind = (int32_t)little(b, 2);
    if (w->kind == EXTENSIBLE && size >= 40) w->kind = (int32_t)little(b + 24, 2);
    w->channels = (int32_t)little(b + 2, 2);
    uint32_t rate = little(b + 4, 4);
    w->bits = (int32_t)little(b + 14, 2);
    bool known = (w->kind == PCM && w->bits % 8 == 0 && w->bits >= 8 && w->bits <= 32) ||
                 (w->kind == IEEE_FLOAT && (w->bits == 32 || w->bits == 64));
    if (!known)
        return fr_fail(w->ctx, FR_BAD_INPUT,
                       "%s: byte %zu: samples of kind %d with %d bits; PCM (1) of 8, 16, 24 or 32 "
                       "bits and floats (3) of 32 or 64 are read",
                       w->name, at, w->kind, w->bits);
    if (w->channels < 1 || w->channels > MOST_CHANNELS)
        return fr_fail(w->ctx, FR_BAD_INPUT, "%s: byte %zu: %d channels; 1 to %d are read", w->name,
                       at + 2, w->channels, MOST_CHANNELS);
    if (rate < LOWEST_RATE || rate > HIGHEST_RATE)
        return fr_fail(w->ctx, FR_BAD_INPUT, "%s: byte %zu: %u samples per second; %d to %d are",
                       w->name, at + 4, rate, LOWEST_RATE, HIGHEST_RATE);
    w->rate = (int32_t)rate;
    return FR_OK;
}

// chunks are of even length; the last one may be cut off, or told to be of any length by what
// wrote into a pipe
static FrResult read_chunks(Wav *w) {
    if (w->size < 12 || memcmp(w->data, "RIFF", 4) != 0 || memcmp(w->data + 8, "WAVE", 4) != 0)
        return fr_fail(w->ctx, FR_BAD_INPUT, "%s: byte 0: not a WAV file (no 'RIFF....WAVE')",
                       w->name);
    for (size_t at = 12; at + 8 <= w->size;) {
        size_t size = little(w->data + at + 4, 4), left = w->size - at - 8;
        if (size > left) size = left;
        if (!memcmp(w->data + at, "fmt ", 4)) FR_TRY(read_format(w, at + 8, size));
        if (!memcmp(w->data + at, "data", 4)) {
            w->from = at + 8;
            w->bytes = size;
            break;
        }
        at += 8 + size + (size & 1);
    }
    if (!w->from)
        return fr_fail(w->ctx, FR_BAD_INPUT, "%s: byte %zu: the file ends, and no 'data' came",
                       w->name, w->size);
    if (!w->rate)
        return fr_fail(w->ctx, FR_BAD_INPUT, "%s: byte %zu: 'data' before 'fmt '", w->name,
                       w->from);
    return FR_OK;
}

static double sample_at(const Wav *w, const uint8_t *b) {
    int32_t bytes = w->bits / 8;
    if (w->kind == PCM && bytes == 1) return ((double)b[0] - 128.0) / 128.0;
    if (w->kind == PCM) {
        uint32_t top = little(b, bytes) << (32 - 8 * bytes);
        int32_t value;
        memcpy(&value, &top, 4);
        return (double)value / 2147483648.0;
    }
    if (bytes == 4) {
        uint32_t bits = little(b, 4);
        float value;
        memcpy(&value, &bits, 4);
        return (double)value;
    }
    uint64_t bits = little(b, 4) | (uint64_t)little(b + 4, 4) << 32;
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

static FrResult read_samples(const Wav *w, FrWavSound *sound) {
    size_t step = (size_t)(w->bits / 8), frame = step * (size_t)w->channels;
    sound->rate = w->rate;
    sound->channels = w->channels;
    sound->frames = (int64_t)(w->bytes / frame);
    sound->sample = FR_NEW(w->ctx, float, sound->frames);
    if (!sound->sample) return fr_no_memory(w->ctx, w->name);
    for (int64_t n = 0; n < sound->frames; n++) {
        const uint8_t *b = w->data + w->from + (size_t)n * frame;
        double sum = 0.0;
        for (int32_t c = 0; c < w->channels; c++) sum += sample_at(w, b + (size_t)c * step);
        // a float of 64 bits may not be one of 32
        if (!(fabs(sum) < 1e30))
            return fr_fail(w->ctx, FR_BAD_INPUT, "%s: byte %zu: a sample is %g", w->name,
                           (size_t)(b - w->data), sum);
        sound->sample[n] = (float)sum;
    }
    return FR_OK;
}

FrResult fr_wav_parse(FrContext *ctx, const char *name, const void *bytes, size_t size,
                      FrWavSound *sound) {
    Wav w = {.ctx = ctx, .name = name, .data = bytes, .size = size};
    *sound = (FrWavSound){0};
    FR_TRY(read_chunks(&w));
    FrResult result = read_samples(&w, sound);
    if (result != FR_OK) fr_wav_sound_free(ctx, sound);
    return result;
}

FrResult fr_wav_read(FrContext *ctx, const char *path, FrWavSound *sound) {
    uint8_t *bytes;
    size_t size;
    *sound = (FrWavSound){0};
    FR_TRY(fr_file_load(ctx, path, UINT32_MAX, &bytes, &size));
    FrResult result = fr_wav_parse(ctx, path, bytes, size, sound);
    fr_free(ctx, bytes);
    return result;
}

void fr_wav_sound_free(FrContext *ctx, FrWavSound *sound) {
    fr_free(ctx, sound->sample);
    *sound = (FrWavSound){0};
}
