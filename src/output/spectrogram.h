// spectrogram.h: a picture of what is heard: time to the right, pitch upwards.
#pragma once
#include "render/image.h"

/// A picture of what is heard: time to the right, pitch upwards, 80 dB from dark to bright.
FrResult fr_picture_sound(FrContext *ctx, const float *sample, int64_t frames, int32_t channels,
                          double rate, const char *path);
/// Black, violet, orange, white for levels from 0 to 1.
void fr_picture_shade(double level, uint8_t *rgba);
/// Only the levels, for the foot of a film: `wanted` frames of stereo at 48 kHz over the width of
/// `strip`, of which the first `frames` are there. Makes strip->rgba; fr_free.
FrResult fr_picture_strip(FrContext *ctx, const float *sample, int64_t frames, int64_t wanted,
                          FrImage *strip);
