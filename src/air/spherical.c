// spherical.c: waves from and to a point: Hankel functions, real harmonics.

#include "air/spherical.h"

// h_0 = i e^{-iz}/z, h_1 = -(z - i) e^{-iz}/z^2, h_n+1 = (2n + 1)/z h_n - h_n-1: upward it is
// stable [M24]
void fr_spherical_hankel(double z, int32_t order, double *g) {
    g[0] = 0.0, g[1] = 1.0 / z;
    if (order < 1) return;
    g[2] = -1.0 / z, g[3] = 1.0 / (z * z);
    for (int32_t n = 1; n < order; n++)
        for (int k = 0; k < 2; k++)
            g[2 * n + 2 + k] = (2 * n + 1) / z * g[2 * n + k] - g[2 * n - 2 + k];
}

// a = sqrt((4n^2 - 1)/(n^2 - m^2)), b = sqrt(((n - 1)^2 - m^2)/(4 (n - 1)^2 - 1)); P_mm =
// sqrt((2m + 1)/2m) sin P_m-1,m-1                                                        [M24]
void fr_spherical_table(FrSphericalTable *table) {
    double *ab = table->ab;
    for (int n = 0; n <= FR_SPHERICAL_ORDER; n++)
        for (int m = 0; m <= n; m++, ab += 2) {
            double n2 = (double)n * n, m2 = (double)m * m, l2 = (n - 1.0) * (n - 1.0);
            ab[0] = n == m ? (m ? sqrt((2.0 * m + 1.0) / (2.0 * m)) : 1.0)
                           : sqrt((4.0 * n2 - 1.0) / (n2 - m2));
            ab[1] = n < m + 2 ? 0.0 : sqrt((l2 - m2) / (4.0 * l2 - 1.0));
        }
}

/// Harmonics of one m.
typedef struct Column {
    int32_t m;
    double diagonal; ///< P_mm
    double turn[2];  ///< the azimuth's factors
} Column;

// P_mm .. P_order,m by the azimuth's factors
static void fill_column(const FrSphericalTable *table, const Column *column, double cosine,
                        int32_t order, float *y) {
    int32_t m = column->m;
    double last = 0.0, p = column->diagonal;
    for (int32_t n = m; n <= order; n++) {
        const double *ab = table->ab + (size_t)n * (size_t)(n + 1) + 2 * (size_t)m;
        if (n > m) {
            double next = ab[0] * (cosine * p - ab[1] * last);
            last = p;
            p = next;
        }
        float *to = y + (size_t)n * (size_t)n + (m ? 2 * (size_t)m - 1 : 0);
        to[0] = (float)(p * column->turn[0]);
        if (m) to[1] = (float)(p * column->turn[1]);
    }
}

void fr_spherical_harmonics(const FrSphericalTable *table, FrVec3 way, int32_t order, float *y) {
    FrVec3 d = fr_normalize(way);
    double sine = sqrt(d.x * d.x + d.y * d.y);
    double c = sine > 0.0 ? d.x / sine : 1.0, s = sine > 0.0 ? d.y / sine : 0.0;
    Column column = {0, sqrt(0.25 / FR_PI), {1.0, 0.0}};
    double *turn = column.turn;
    for (int32_t m = 0; m <= order; m++) {
        if (m) column.diagonal *= sine * table->ab[(size_t)m * (size_t)(m + 1) + 2 * (size_t)m];
        column.m = m;
        fill_column(table, &column, d.z, order, y);
        double re = turn[0] * c - turn[1] * s, im = turn[1] * c + turn[0] * s;
        double grow = m ? 1.0 : sqrt(2.0);
        turn[0] = grow * re;
        turn[1] = grow * im;
    }
}
