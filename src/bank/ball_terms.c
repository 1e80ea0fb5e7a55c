// ball_terms.c: polynomials that are orthogonal on the unit ball, and their slopes.

#include "bank/ball_terms.h"
#include <math.h>
#include <string.h>

// n Q_n = 2 (n + l - 1) y Q_n-1 - (n + 2l - 2) s Q_n-2: Gegenbauer's polynomials times s^(n/2),
// with slopes by y and by s
static void ladder(double l, double y, double s, int32_t degree, double (*q)[3]) {
    memset(q, 0, (size_t)(degree + 1) * sizeof *q);
    q[0][0] = 1.0;
    if (degree < 1) return;
    q[1][0] = 2.0 * l * y;
    q[1][1] = 2.0 * l;
    for (int32_t n = 2; n <= degree; n++) {
        double a = 2.0 * (n + l - 1.0) / n, b = (n + 2.0 * l - 2.0) / n;
        q[n][0] = a * y * q[n - 1][0] - b * s * q[n - 2][0];
        q[n][1] = a * (q[n - 1][0] + y * q[n - 1][1]) - b * s * q[n - 2][1];
        q[n][2] = a * y * q[n - 1][2] - b * (q[n - 2][0] + s * q[n - 2][2]);
    }
}

void fr_ball_tables(const double t[3], int32_t degree, FrBallTables *tables) {
    double q[FR_BALL_DEGREES][3], u = 1.0 - t[0] * t[0], v = u - t[1] * t[1];
    memcpy(tables->t, t, sizeof tables->t);
    for (int32_t m = 0; m <= degree; m++) {
        ladder(m + 1.5, t[0], 1.0, degree - m, q);
        for (int32_t i = 0; i <= degree - m; i++)
            tables->a[m][i][0] = q[i][0], tables->a[m][i][1] = q[i][1];
        ladder(m + 1.0, t[1], u, degree - m, tables->b[m]);
    }
    ladder(0.5, t[2], v, degree, tables->c);
}

double fr_ball_term(const FrBallTables *tables, const int32_t degree[3], double slope[3]) {
    const double *a = tables->a[degree[1] + degree[2]][degree[0]],
                 *b = tables->b[degree[2]][degree[1]], *c = tables->c[degree[2]];
    const double *t = tables->t;
    double falls = a[0] * b[0] * c[2]; // by v
    slope[0] = a[1] * b[0] * c[0] - 2.0 * t[0] * (a[0] * b[2] * c[0] + falls);
    slope[1] = a[0] * b[1] * c[0] - 2.0 * t[1] * falls;
    slope[2] = a[0] * b[0] * c[1];
    return a[0] * b[0] * c[0];
}

// Newton's method on Legendre's polynomial
void fr_gauss(int32_t count, double *x, double *weight) {
    for (int32_t k = 0; k < count; k++) {
        double z = -cos(FR_PI * (k + 0.75) / (count + 0.5)), slope = 1.0;
        for (int round = 0; round < 20; round++) {
            double p = 1.0, last = 0.0;
            for (int32_t n = 0; n < count; n++) {
                double next = ((2.0 * n + 1.0) * z * p - n * last) / (n + 1.0);
                last = p;
                p = next;
            }
            slope = count * (z * p - last) / (z * z - 1.0);
            z -= p / slope;
            if (fabs(p / slope) < 1e-15) break;
        }
        x[k] = z;
        weight[k] = 2.0 / ((1.0 - z * z) * slope * slope);
    }
}

// the positive half of a rule with an even number of nodes
static int32_t half_rule(int32_t exact, double *x, double *weight) {
    int32_t count = 2 * ((exact + 2) / 2);
    fr_gauss(count, x, weight);
    for (int32_t k = 0; k < count / 2; k++)
        x[k] = x[count / 2 + k], weight[k] = weight[count / 2 + k];
    return count / 2;
}

// the same with the weight sqrt(1 - x^2): Chebyshev's of the second kind
static int32_t half_round(int32_t exact, double *x, double *weight) {
    int32_t count = 2 * ((exact + 2) / 2);
    for (int32_t k = 0; k < count / 2; k++) {
        double angle = FR_PI * (k + 1) / (count + 1);
        x[k] = cos(angle);
        weight[k] = FR_PI / (count + 1) * sin(angle) * sin(angle);
    }
    return count / 2;
}

FrResult fr_ball_points(FrContext *ctx, const int32_t degree[3], FrBallPoints *points) {
    double x[3][FR_BALL_DEGREE + 6], w[3][FR_BALL_DEGREE + 6];
    int32_t most = fr_max_i(degree[0], fr_max_i(degree[1], degree[2]));
    int32_t n0 = half_rule(most + 1, x[0], w[0]);
    int32_t n1 = half_round(fr_max_i(degree[1], degree[2]), x[1], w[1]);
    int32_t n2 = half_rule(degree[2], x[2], w[2]), count = 0;
    points->count = n0 * n1 * n2;
    points->t = FR_NEW(ctx, double, 3 * points->count);
    points->weight = FR_NEW(ctx, double, points->count);
    if (!points->t || !points->weight) return fr_no_memory(ctx, "points of a ball");
    for (int32_t i = 0; i < n0; i++)
        for (int32_t j = 0; j < n1; j++)
            for (int32_t k = 0; k < n2; k++, count++) {
                double u = 1.0 - x[0][i] * x[0][i], v = u * (1.0 - x[1][j] * x[1][j]);
                fr_set3(points->t, count, fr_vec3(x[0][i], sqrt(u) * x[1][j], sqrt(v) * x[2][k]));
                points->weight[count] = 8.0 * w[0][i] * w[1][j] * w[2][k] * u;
            }
    return FR_OK;
}

void fr_ball_points_free(FrContext *ctx, FrBallPoints *points) {
    FR_FREE_ALL(ctx, points->t, points->weight);
    *points = (FrBallPoints){0};
}
