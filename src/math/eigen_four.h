// eigen_four.h: what one and four symmetric eigenproblems share; only math/ looks inside.
#pragma once

/// Quadratic convergence: 3x3 needs at most 5 or 6 sweeps.
#define FR_EIGEN_SWEEPS 12
/// Off the diagonal over what is on it: rounding.
#define FR_EIGEN_ROUND 1e-17

typedef struct FrJacobi {
    double a[3][3]; ///< becomes diagonal
    double v[3][3]; ///< columns: eigenvectors
} FrJacobi;

typedef void FrEigenFourFn(FrJacobi four[4]);
FrEigenFourFn fr_eigen_four_portable, fr_eigen_four_avx2;
