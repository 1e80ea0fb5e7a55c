// wav.h: float WAV files, the same bytes for the same samples: no time stamps, no peak chunk.
#pragma once
#include "base/base.h"

/// sample: channels by turns (frames * channels). FR_NUMERICAL: a sample is not finite; nothing is
/// written.
FrResult fr_wav_save(FrContext *ctx, const char *path, const float *sample, int64_t frames,
                     int32_t channels, int32_t rate);

/// Reads what fr_wav_save writes: floats, as many channels as `channels`. FR_BAD_INPUT: something
/// else. fr_free gives the samples back.
FrResult fr_wav_load(FrContext *ctx, const char *path, int32_t channels, float **sample,
                     int64_t *frames);

/// A recording of anything, all channels added up.
typedef struct FrWavSound {
    float *sample; ///< (frames)
    int64_t frames;
    int32_t rate, channels; ///< samples per second; as many as the file has
} FrWavSound;
/// PCM of 8, 16, 24 or 32 bits or floats of 32 or 64, plain or "extensible", any number of channels
/// up to 64. FR_BAD_INPUT: the message has the byte offset and what was found. `name` is for
/// messages.
FrResult fr_wav_parse(FrContext *ctx, const char *name, const void *bytes, size_t size,
                      FrWavSound *sound);
/// The same from a file.
FrResult fr_wav_read(FrContext *ctx, const char *path, FrWavSound *sound);
void fr_wav_sound_free(FrContext *ctx, FrWavSound *sound);
