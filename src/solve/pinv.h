// pinv.h: the shortest x that brings A x nearest to b, for small matrices of any rank [M16].
#pragma once
#include "base/base.h"

/// How a solve went.
typedef struct FrPinvReport {
    int32_t rank;
    double left; ///< |A x - b|, what no x can do
} FrPinvReport;

/// Numbers of scratch that a solve of `rows` x `columns` takes.
size_t fr_pinv_room(int32_t rows, int32_t columns);

/// x = A^+ b, A by rows (rows * columns), through its singular values: those below FR_PINV_CUT of
/// the largest count as 0, and others below FR_PINV_DAMP of it are damped.
FrPinvReport fr_pinv_solve(const double *A, int32_t rows, int32_t columns, const double *b,
                           double *x, double *scratch);
/// The same for a symmetric A without negative eigenvalues (size * size): by Cholesky with pivots.
/// `damp` > 0: x = (A + damp m 1)^-1 b instead, m the largest number of the diagonal; asked again
/// for what is left, it comes to A^+ b, first where A is large.
FrPinvReport fr_pinv_solve_psd(const double *A, int32_t size, double damp, const double *b,
                               double *x, double *scratch);
