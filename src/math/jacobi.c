// jacobi.c: symmetric 6x6 matrices made diagonal by Jacobi's rotations.

#include "math/jacobi.h"
#include <math.h>

static void turn_rows(double m[6][6], int p, int q, double c, double s) {
    for (int k = 0; k < 6; k++) {
        double pk = m[p][k], qk = m[q][k];
        m[p][k] = c * pk - s * qk;
        m[q][k] = s * pk + c * qk;
    }
}

static void turn_columns(double m[6][6], int p, int q, double c, double s) {
    for (int k = 0; k < 6; k++) {
        double kp = m[k][p], kq = m[k][q];
        m[k][p] = c * kp - s * kq;
        m[k][q] = s * kp + c * kq;
    }
}

// the rotation in the (p, q) plane that makes A[p][q] vanish (Golub & Van Loan, 8.5.2)
static void rotate(double A[6][6], double (*V)[6], int p, int q) {
    if (A[p][q] == 0.0) return;
    double theta = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
    double t = 1.0 / (fabs(theta) + sqrt(theta * theta + 1.0));
    if (theta < 0.0) t = -t;
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    turn_columns(A, p, q, c, s);
    turn_rows(A, p, q, c, s);
    if (V) turn_rows(V, p, q, c, s);
}

void fr_sym6_sweep(double A[6][6], double V[6][6]) {
    for (int p = 0; p < 5; p++)
        for (int q = p + 1; q < 6; q++) rotate(A, V, p, q);
}
