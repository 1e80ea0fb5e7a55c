// wav.h: float WAV files, the same bytes for the same samples: no time stamps, no peak chunk.
#pragma once
#include "base/base.h"

/// sample: channels by turns (frames * channels). FR_NUMERICAL: a sample is not finite; nothing is
/// written.
FrResult fr_wav_save(FrContext *ctx, const char *path, const float *sample, int64_t frames,
                     int32_t channels, int32_t rate);
