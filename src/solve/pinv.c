// pinv.c: pseudoinverses of small matrices: by singular values, or by Cholesky with pivots [M16].

#include "solve/pinv.h"
#include "math/vec.h"
#include "solve/solve_tuning.h"
#include <math.h>
#include <string.h>

size_t fr_pinv_room(int32_t rows, int32_t columns) {
    size_t m = (size_t)(rows > columns ? rows : columns);
    return 3 * m * m + 6 * m;
}

static double dot(const double *a, const double *b, int32_t n) {
    double sum = 0.0;
    for (int32_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

static void turn(double *a, double *b, int32_t n, double c, double s) {
    for (int32_t k = 0; k < n; k++) {
        double x = a[k], y = b[k];
        a[k] = c * x - s * y;
        b[k] = s * x + c * y;
    }
}

// One sweep of one-sided Jacobi (Golub & Van Loan 8.6.3): rows of U (columns of A) become
// orthogonal; V turns along. Returns the largest cosine between two of them before.
static double sweep(double *U, double *V, int32_t rows, int32_t columns) {
    double worst = 0.0;
    for (int32_t p = 0; p < columns; p++)
        for (int32_t q = p + 1; q < columns; q++) {
            double *a = U + p * rows, *b = U + q * rows;
            double aa = dot(a, a, rows), bb = dot(b, b, rows), ab = dot(a, b, rows);
            if (!(fabs(ab) > FR_PINV_ORTHOGONAL * sqrt(aa * bb))) continue;
            worst = fr_max(worst, fabs(ab) / sqrt(aa * bb));
            double zeta = (bb - aa) / (2.0 * ab);
            double t = (zeta < 0.0 ? -1.0 : 1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
            double c = 1.0 / sqrt(1.0 + t * t);
            turn(a, b, rows, c, c * t);
            turn(V + p * columns, V + q * columns, columns, c, c * t);
        }
    return worst;
}

static double residual(const double *A, int32_t rows, int32_t columns, const double *b,
                       const double *x) {
    double sum = 0.0;
    for (int32_t r = 0; r < rows; r++) {
        double d = dot(A + r * columns, x, columns) - b[r];
        sum += d * d;
    }
    return sqrt(sum);
}

// A = sum_k s_k u_k v_k', x = sum_k v_k (u_k . b) / s_k; where s_k is small s_k / (s_k^2 + e^2)
FrPinvReport fr_pinv_solve(const double *A, int32_t rows, int32_t columns, const double *b,
                           double *x, double *scratch) {
    double *U = scratch, *V = U + rows * columns, most = 0.0;
    for (int32_t r = 0; r < rows; r++)
        for (int32_t c = 0; c < columns; c++) U[c * rows + r] = A[r * columns + c];
    for (int32_t p = 0; p < columns; p++)
        for (int32_t q = 0; q < columns; q++) V[p * columns + q] = p == q;
    for (int k = 0; k < FR_PINV_SWEEPS && sweep(U, V, rows, columns) > FR_PINV_ORTHOGONAL; k++) {
    }
    for (int32_t c = 0; c < columns; c++)
        most = fr_max(most, sqrt(dot(U + c * rows, U + c * rows, rows)));
    FrPinvReport report = {0};
    memset(x, 0, (size_t)columns * sizeof *x);
    for (int32_t c = 0; c < columns; c++) {
        const double *us = U + c * rows;
        double s2 = dot(us, us, rows), s = sqrt(s2);
        if (!(s > FR_PINV_CUT * most)) continue;
        double e = s < FR_PINV_DAMP * most ? FR_PINV_DAMP * most : 0.0;
        double by = dot(us, b, rows) / (s2 + e * e);
        for (int32_t k = 0; k < columns; k++) x[k] += by * V[c * columns + k];
        report.rank++;
    }
    report.left = residual(A, rows, columns, b, x);
    return report;
}

// rows of L: the pivot's column of what is left of A, over the root of the pivot
static int32_t factor(double *left, int32_t n, double *L) {
    int32_t rank = 0;
    double most = 0.0;
    for (int32_t k = 0; k < n; k++) most = fr_max(most, left[k * n + k]);
    for (; rank < n; rank++) {
        int32_t p = 0;
        for (int32_t k = 1; k < n; k++)
            if (left[k * n + k] > left[p * n + p]) p = k;
        double pivot = left[p * n + p];
        if (!(pivot > FR_PINV_PIVOT * most)) break;
        double *row = L + rank * n, by = 1.0 / sqrt(pivot);
        for (int32_t k = 0; k < n; k++) row[k] = by * left[p * n + k];
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++) left[i * n + j] -= row[i] * row[j];
        // what was taken out is exactly 0 from now on
        for (int32_t k = 0; k < n; k++) left[p * n + k] = left[k * n + p] = 0.0;
    }
    return rank;
}

// S y = y of a positive definite S (r x r), in place, by Cholesky
static void solve_small(double *S, int32_t r, double *y) {
    for (int32_t k = 0; k < r; k++) {
        for (int32_t j = 0; j <= k; j++) {
            double sum = S[k * r + j] - dot(S + k * r, S + j * r, j);
            S[k * r + j] = j == k ? sqrt(sum) : sum / S[j * r + j];
        }
        y[k] = (y[k] - dot(S + k * r, y, k)) / S[k * r + k];
    }
    for (int32_t k = r - 1; k >= 0; k--) {
        for (int32_t j = k + 1; j < r; j++) y[k] -= S[j * r + k] * y[j];
        y[k] /= S[k * r + k];
    }
}

// A = L' L with the r rows of L: A^+ = L' (L L')^-1 (L L')^-1 L
FrPinvReport fr_pinv_solve_psd(const double *A, int32_t n, double damp, const double *b, double *x,
                               double *scratch) {
    double *left = scratch, *L = left + n * n, *S = L + n * n, *y = S + n * n;
    memcpy(left, A, (size_t)n * (size_t)n * sizeof *left);
    FrPinvReport report = {.rank = factor(left, n, L)};
    int32_t r = report.rank;
    if (damp > 0.0) {
        double most = 0.0;
        for (int32_t k = 0; k < n; k++) most = fr_max(most, A[k * n + k]);
        memcpy(S, A, (size_t)n * (size_t)n * sizeof *S);
        for (int32_t k = 0; k < n; k++) S[k * n + k] += damp * most;
        memcpy(x, b, (size_t)n * sizeof *x);
        solve_small(S, n, x);
        report.left = residual(A, n, n, b, x);
        return report;
    }
    for (int32_t i = 0; i < r; i++) y[i] = dot(L + i * n, b, n);
    for (int twice = 0; twice < 2; twice++) {
        for (int32_t i = 0; i < r; i++)
            for (int32_t j = 0; j < r; j++) S[i * r + j] = dot(L + i * n, L + j * n, n);
        solve_small(S, r, y);
    }
    memset(x, 0, (size_t)n * sizeof *x);
    for (int32_t i = 0; i < r; i++)
        for (int32_t k = 0; k < n; k++) x[k] += y[i] * L[i * n + k];
    report.left = residual(A, n, n, b, x);
    return report;
}
