// spectrum_picture.h: a picture of which frequencies a sound has, 0 to 5 kHz, as S4's figure 5.
#pragma once
#include "render/image.h"

/// Its right end, Hz.
#define FR_SPECTRUM_HIGHEST 5000.0

/// Sizes at `count` frequencies, evenly from 0 to FR_SPECTRUM_HIGHEST: root of the mean power of
/// stretches of the sound, over the largest one; all 0 in silence. size: (count)
FrResult fr_spectrum_sizes(FrContext *ctx, const float *sample, int64_t frames, double rate,
                           double *size, int32_t count);
/// As a curve, in a PNG.
FrResult fr_picture_spectrum(FrContext *ctx, const float *sample, int64_t frames, int32_t channels,
                             double rate, const char *path);
