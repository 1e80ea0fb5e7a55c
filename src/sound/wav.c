// wav.c: float WAV files, the same bytes for the same samples: no time stamps, no peak chunk.

#include "sound/wav.h"
#include "base/bytes.h"
#include "base/file.h"
#include <math.h>
#include <string.h>

#define IEEE_FLOAT 3
#define HEAD 58

static void write_u16(FrWriter *w, int32_t value) {
    fr_write_u8(w, (uint8_t)value);
    fr_write_u8(w, (uint8_t)(value >> 8));
}

static void write_head(FrWriter *w, int64_t frames, int32_t channels, int32_t rate) {
    int64_t bytes = frames * channels * 4;
    fr_write_bytes(w, "RIFF", 4);
    fr_write_i32(w, (int32_t)(uint32_t)(HEAD - 8 + bytes));
    fr_write_bytes(w, "WAVEfmt ", 8);
    fr_write_i32(w, 18);
    write_u16(w, IEEE_FLOAT);
    write_u16(w, channels);
    fr_write_i32(w, rate);
    fr_write_i32(w, rate * channels * 4);
    write_u16(w, channels * 4);
    write_u16(w, 32);
    write_u16(w, 0);
    fr_write_bytes(w, "fact", 4);
    fr_write_i32(w, 4);
    fr_write_i32(w, (int32_t)(uint32_t)frames);
    fr_write_bytes(w, "data", 4);
    fr_write_i32(w, (int32_t)(uint32_t)bytes);
}

static FrResult write_samples(FrFileWriter *file, const float *sample, int64_t count) {
    uint8_t bytes[4096];
    for (int64_t n = 0; n < count;) {
        int32_t now = count - n < 1024 ? (int32_t)(count - n) : 1024;
        for (int32_t k = 0; k < now; k++) {
            uint32_t bits;
            memcpy(&bits, &sample[n + k], 4);
            for (int b = 0; b < 4; b++) bytes[4 * k + b] = (uint8_t)(bits >> (8 * b));
        }
        FR_TRY(fr_file_write(file, bytes, 4 * (size_t)now));
        n += now;
    }
    return FR_OK;
}

FrResult fr_wav_save(FrContext *ctx, const char *path, const float *sample, int64_t frames,
                     int32_t channels, int32_t rate) {
    for (int64_t n = 0; n < frames * channels; n++)
        if (!isfinite(sample[n]))
            return fr_fail(ctx, FR_NUMERICAL, "%s: sample %lld is not a finite number", path,
                           (long long)n);
    if (frames * channels > (int64_t)(UINT32_MAX - HEAD) / 4)
        return fr_fail(ctx, FR_BAD_USE, "%s: a WAV file cannot be longer than 4 GB", path);
    FrWriter head;
    FrFileWriter file = {0};
    fr_writer_init(&head, ctx);
    write_head(&head, frames, channels, rate);
    FrResult result = fr_writer_result(&head);
    if (result == FR_OK) result = fr_file_begin(ctx, path, &file);
    if (result == FR_OK) result = fr_file_write(&file, head.data, head.size);
    if (result == FR_OK) result = write_samples(&file, sample, frames * channels);
    fr_writer_free(&head);
    if (result == FR_OK) return fr_file_commit(&file);
    fr_file_abort(&file);
    return result;
}

FrResult fr_wav_load(FrContext *ctx, const char *path, int32_t channels, float **sample,
                     int64_t *frames) {
    uint8_t *bytes;
    size_t size;
    *sample = NULL;
    *frames = 0;
    FR_TRY(fr_file_load(ctx, path, UINT32_MAX, &bytes, &size));
    bool ours = size >= HEAD && !memcmp(bytes, "RIFF", 4) && !memcmp(bytes + 8, "WAVEfmt ", 8) &&
                bytes[20] == IEEE_FLOAT && bytes[22] == channels && bytes[34] == 32 &&
                !memcmp(bytes + 50, "data", 4) && (size - HEAD) % (4 * (size_t)channels) == 0;
    FrResult result = ours
                          ? FR_OK
                          : fr_fail(ctx, FR_BAD_INPUT,
                                    "%s: not a WAV of %d channels of floats as this program writes",
                                    path, channels);
    if (ours) {
        size_t count = (size - HEAD) / 4;
        *sample = FR_NEW(ctx, float, count);
        if (!*sample) result = fr_no_memory(ctx, path);
        for (size_t k = 0; *sample && k < count; k++) {
            const uint8_t *b = bytes + HEAD + 4 * k;
            uint32_t bits =
                b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
            memcpy(&(*sample)[k], &bits, 4);
        }
        *frames = *sample ? (int64_t)(count / (size_t)channels) : 0;
    }
    fr_free(ctx, bytes);
    return result;
}
