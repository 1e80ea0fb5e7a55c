// jacobi.h: symmetric 6x6 matrices made diagonal by Jacobi's rotations.
#pragma once

/// One rotation for each pair of rows (Golub & Van Loan, 8.5.3): converges quadratically, about six
/// sweeps make A diagonal. The rows of V (may be NULL; the identity at first) turn along and become
/// eigenvectors.
void fr_sym6_sweep(double A[6][6], double V[6][6]);
