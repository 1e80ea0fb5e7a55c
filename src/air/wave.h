// wave.h: the inner loops of the boundary elements: waves from all panels at one point, and
// products with rows of them; eight floats at once.
#pragma once
#include "air/panels.h"

/// What a surface gives off at one wave number.
typedef struct FrWave {
    const FrPanels *panels;
    float k;             ///< 1/m
    const float *q_real; ///< dp/dn of each panel, Pa/m (padded)
    const float *q_imag; ///< (padded)
} FrWave;

/// One row at point x: row = integrals of dG/dn_y over each panel, eight real parts, eight
/// imaginary ones and so on (2 * padded); sum = sum of S q over all panels (real, imaginary). Near
/// panels are rough: near_lack is to be added.
typedef void FrWaveRowFn(const FrWave *wave, const float x[3], float *row, double sum[2]);
/// sum = row . p, p laid out as a row.
typedef void FrWaveDotFn(const float *row, const float *p, int32_t padded, double sum[2]);
/// to += conj(row) * (re + i im), over blocks [begin, end) of eight panels.
typedef void FrWaveSpreadFn(const float *row, const float factor[2], int32_t begin, int32_t end,
                            float *to);

/// The same bits with and without AVX2.
typedef struct FrWaveOps {
    FrWaveRowFn *row;
    FrWaveDotFn *dot;
    FrWaveSpreadFn *spread;
} FrWaveOps;
extern const FrWaveOps fr_wave_portable, fr_wave_avx2;
