// radiator_inside.h: the equations of a radiator, for the files that solve them.
#pragma once
#include "air/radiator.h"
#include "air/wave.h"

/// Points inside the body at which there is no sound, at most.
#define FR_RADIATOR_INSIDE 64
/// Steps of an iteration, at most.
#define FR_RADIATOR_STEPS 80
/// The residual that is good enough, over the right side: matrices are floats, panels are coarse.
#define FR_RADIATOR_GOOD 1e-5

struct FrRadiator {
    FrContext *ctx;
    const FrPanels *panels;
    const FrWaveOps *ops;
    int32_t rows, most_rows; ///< panels, then points inside
    float *matrix;           ///< D, row by row, as FrWaveRowFn gives it (most_rows * 2 * padded)
    double complex *right;   ///< (most_rows)
    float *q;                ///< real parts, then imaginary ones (2 * padded)
    float *packed;           ///< what rows are multiplied with, or a sum of rows (2 * padded)
    double complex *basis;   ///< (count * (FR_RADIATOR_STEPS + 1))
    double complex *work;    ///< (3 * most_rows)
    double depth;            ///< half of how thick the body is, m
    double inside[3 * FR_RADIATOR_INSIDE]; ///< points, m
};

/// to = A p, A = 1/2 - D at panels, -D inside (rows).
void fr_radiator_multiply(FrRadiator *r, const double complex *p, double complex *to);
/// to = A* from: the adjoint (count).
void fr_radiator_multiply_back(FrRadiator *r, const double complex *from, double complex *to);
void fr_radiator_pack(const double complex *p, int32_t count, float *packed);
/// A p = right, as many rows as panels.
void fr_radiator_gmres(FrRadiator *r, double complex *p, FrRadiated *how);
/// The p that misses all rows least, in squares.
void fr_radiator_least_squares(FrRadiator *r, double complex *p, FrRadiated *how);
