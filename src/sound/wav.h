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
