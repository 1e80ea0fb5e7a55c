// eigen_four.h: what one and four symmetric eigenproblems share; only math/ looks inside.
#pragma once
#include "math/decompose.h"

/// Quadratic convergence: 3x3 needs at most 5 or 6 sweeps.
#define FR_EIGEN_SWEEPS 12
/// Off the diagonal over what is on it: rounding.
#define FR_EIGEN_ROUND 1e-17

typedef void FrEigenFourFn(const FrSym3 s[4], FrEigen3 e[4]);
FrEigenFourFn fr_eigen_four_portable, fr_eigen_four_avx2;
