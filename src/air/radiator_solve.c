// radiator_solve.c: two iterations for the equations of sound: GMRES where there is a row for each
// panel, CGLS where there are more.

#include "air/radiator_inside.h"
#include <string.h>

static double complex dot(const double complex *a, const double complex *b, int32_t count) {
    double complex sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += conj(a[i]) * b[i];
    return sum;
}

static double norm(const double complex *a, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++)
        sum += creal(a[i]) * creal(a[i]) + cimag(a[i]) * cimag(a[i]);
    return sqrt(sum);
}

/// Arnoldi's columns, turned into a triangle as they come.
typedef struct Triangle {
    double complex h[FR_RADIATOR_STEPS + 1][FR_RADIATOR_STEPS]; ///< row, column
    double complex s[FR_RADIATOR_STEPS];                        ///< sines of the turns
    double c[FR_RADIATOR_STEPS];                                ///< cosines
    double complex g[FR_RADIATOR_STEPS + 1];                    ///< the right side, turned alike
} Triangle;

// turn rows m and m + 1 of column m so that the lower one is zero (Saad & Schultz 1986)
static void turn_column(Triangle *t, int32_t m) {
    for (int32_t k = 0; k < m; k++) {
        double complex upper = t->h[k][m], lower = t->h[k + 1][m];
        t->h[k][m] = t->c[k] * upper + conj(t->s[k]) * lower;
        t->h[k + 1][m] = -t->s[k] * upper + t->c[k] * lower;
    }
    double complex a = t->h[m][m];
    double b = creal(t->h[m + 1][m]), size = cabs(a), whole = sqrt(size * size + b * b);
    t->c[m] = size / whole;
    t->s[m] = size > 0.0 ? b * conj(a) / (size * whole) : 1.0;
    t->h[m][m] = t->c[m] * a + conj(t->s[m]) * b;
    t->g[m + 1] = -t->s[m] * t->g[m];
    t->g[m] = t->c[m] * t->g[m];
}

// the next basis vector: A v, made orthogonal to all before it
static double extend(FrRadiator *r, Triangle *t, int32_t m) {
    int32_t n = r->panels->count;
    double complex *w = r->basis + (size_t)(m + 1) * (size_t)n;
    fr_radiator_multiply(r, r->basis + (size_t)m * (size_t)n, w);
    for (int32_t k = 0; k <= m; k++) {
        const double complex *v = r->basis + (size_t)k * (size_t)n;
        t->h[k][m] = dot(v, w, n);
        for (int32_t i = 0; i < n; i++) w[i] -= t->h[k][m] * v[i];
    }
    double size = norm(w, n);
    t->h[m + 1][m] = size;
    for (int32_t i = 0; i < n && size > 0.0; i++) w[i] /= size;
    return size;
}

static void combine(const FrRadiator *r, Triangle *t, int32_t m, double complex *p) {
    int32_t n = r->panels->count;
    memset(p, 0, (size_t)n * sizeof *p);
    for (int32_t k = m - 1; k >= 0; k--) {
        for (int32_t l = k + 1; l < m; l++) t->g[k] -= t->h[k][l] * t->g[l];
        t->g[k] /= t->h[k][k];
        const double complex *v = r->basis + (size_t)k * (size_t)n;
        for (int32_t i = 0; i < n; i++) p[i] += t->g[k] * v[i];
    }
}

void fr_radiator_gmres(FrRadiator *r, double complex *p, FrRadiated *how) {
    int32_t n = r->panels->count, m = 0;
    Triangle t;
    double size = norm(r->right, n);
    memset(p, 0, (size_t)n * sizeof *p);
    if (!(size > 0.0)) return;
    t.g[0] = size;
    for (int32_t i = 0; i < n; i++) r->basis[i] = r->right[i] / size;
    do {
        double length = extend(r, &t, m);
        turn_column(&t, m++);
        how->residual = cabs(t.g[m]) / size;
        if (!(length > 0.0)) break;
    } while (m < FR_RADIATOR_STEPS && how->residual > FR_RADIATOR_GOOD);
    combine(r, &t, m, p);
    how->steps = m;
    how->end = how->residual > FR_RADIATOR_GOOD ? FR_RADIATOR_TIRED : FR_RADIATOR_CONVERGED;
}

// conjugate gradients on A* A p = A* right, without forming it (Hestenes & Stiefel 1952)
void fr_radiator_least_squares(FrRadiator *r, double complex *p, FrRadiated *how) {
    int32_t n = r->panels->count, rows = r->rows;
    double complex *left = r->work, *moved = left + r->most_rows, *slope = moved + r->most_rows,
                   *way = r->basis;
    memset(p, 0, (size_t)n * sizeof *p);
    memcpy(left, r->right, (size_t)rows * sizeof *left);
    fr_radiator_multiply_back(r, left, slope);
    memcpy(way, slope, (size_t)n * sizeof *way);
    double start = norm(slope, n), steep = start;
    how->end = FR_RADIATOR_CONVERGED;
    while (steep > FR_RADIATOR_GOOD * start) {
        if (how->steps++ == FR_RADIATOR_STEPS) {
            how->end = FR_RADIATOR_TIRED;
            break;
        }
        fr_radiator_multiply(r, way, moved);
        double size = norm(moved, rows), step = steep * steep / (size * size);
        for (int32_t i = 0; i < n; i++) p[i] += step * way[i];
        for (int32_t i = 0; i < rows; i++) left[i] -= step * moved[i];
        fr_radiator_multiply_back(r, left, slope);
        double next = norm(slope, n), keep = next * next / (steep * steep);
        for (int32_t i = 0; i < n; i++) way[i] = slope[i] + keep * way[i];
        steep = next;
    }
    double size = norm(r->right, rows);
    how->residual = size > 0.0 ? norm(left, rows) / size : 0.0;
}
