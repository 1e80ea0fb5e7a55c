// spectrum.h: Fourier transforms, spectrograms and what one reads off them.
#pragma once
#include "base/base.h"

/// In place, count a power of two: sum_n x_n e^{-2 pi i n k/count}.
void fr_fft(double *re, double *im, int32_t count);

typedef struct FrSpectrogram {
    int32_t columns, rows;  ///< moments; frequencies, the lowest first
    double lowest, highest; ///< Hz; rows are spaced by equal ratios
    double span;            ///< seconds of all columns
    float *db;              ///< level over the loudest one, dB (columns * rows), column by column
} FrSpectrogram;
/// One channel.
typedef struct FrMono {
    const float *sample; ///< (frames)
    int64_t frames;
    double rate; ///< samples per second
} FrMono;
/// Columns are `frames/columns` apart.
FrResult fr_spectrogram_make(FrContext *ctx, const FrMono *sound, int32_t columns, int32_t rows,
                             FrSpectrogram *spectrogram);
void fr_spectrogram_free(FrContext *ctx, FrSpectrogram *spectrogram);

/// Mean frequency of the power, Hz: brightness. 0: silence.
FrResult fr_spectrum_centroid(FrContext *ctx, const double *sample, int64_t frames, double rate,
                              double *hz);

/// How far two sounds of the same length are apart, dB: the difference of their levels in third
/// octaves from 100 Hz to 16 kHz, root mean square over bands and moments of 43 ms in which one of
/// them is within 60 dB of the loudest; what is fainter counts as that. 0: they are the same.
FrResult fr_spectrum_distance(FrContext *ctx, const FrMono *a, const FrMono *b, double *db);
