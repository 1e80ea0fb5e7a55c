// ellipsoid.c: how a free ellipsoid vibrates: Ritz's method on orthogonal polynomials, class by
// class (Visscher et al. 1991, with polynomials that do not lose digits).

#include "bank/ellipsoid.h"
#include "bank/ball_terms.h"
#include "sparse/solver.h"
#include <stdlib.h>
#include <string.h>

/// Terms of one component, about: what 60 modes of a plate or of a ball take for 0.5 %.
#define TERMS 700
/// The degree along the shortest axis is not less than this.
#define LEAST_DEGREE 6
/// Strains at a point, as rows whose squares add up to twice the energy.
#define ROWS 7

typedef struct Ritz {
    FrContext *ctx;
    const FrEllipsoidDef *def;
    FrEllipsoid *to;
    int32_t degree[3]; ///< along longest, middle, shortest
    FrBallPoints points;
    double *slope; ///< of terms over their sizes, along t: point after point (3 * term_count)
    double *rows, *K, *lambda;
    int32_t kept, room; ///< numbers in to->coefficient
} Ritz;

void fr_ellipsoid_free(FrContext *ctx, FrEllipsoid *e) {
    FR_FREE_ALL(ctx, e->term, e->mode, e->coefficient);
    *e = (FrEllipsoid){0};
}

static void sort_axes(FrEllipsoid *e) {
    for (int k = 0; k < 3; k++) e->axis[k] = k;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (e->half[e->axis[k]] < e->half[e->axis[k + 1]]) {
                int32_t other = e->axis[k];
                e->axis[k] = e->axis[k + 1];
                e->axis[k + 1] = other;
            }
}

static bool within(const int32_t degree[3], int32_t i, int32_t j, int32_t k) {
    return (double)i / degree[0] + (double)j / degree[1] + (double)k / degree[2] <= 1.0 + 1e-9;
}

static int32_t count_terms(const int32_t degree[3]) {
    int32_t count = 0;
    for (int32_t i = 0; i <= degree[0]; i++)
        for (int32_t j = 0; j <= degree[1]; j++)
            for (int32_t k = 0; k <= degree[2]; k++) count += within(degree, i, j, k);
    return count;
}

// waves are as short along short axes as along long ones, so that these need fewer degrees
static void degrees_for(const FrEllipsoid *e, int32_t longest, int32_t degree[3]) {
    for (int k = 0; k < 3; k++) {
        double part = sqrt(e->half[e->axis[k]] / e->half[e->axis[0]]);
        degree[k] = fr_min_i(longest, fr_max_i(LEAST_DEGREE, (int32_t)ceil(longest * part)));
    }
}

static void choose_degrees(Ritz *r) {
    int32_t most = r->def->degree > 0 ? fr_min_i(r->def->degree, FR_BALL_DEGREE) : 0;
    if (most > 0) {
        degrees_for(r->to, most, r->degree);
        return;
    }
    most = LEAST_DEGREE;
    do {
        degrees_for(r->to, most, r->degree);
    } while (count_terms(r->degree) < TERMS && most++ < FR_BALL_DEGREE - 4);
}

/// Bit e: odd along axis e, as the body lies.
static int32_t parity_of(const FrEllipsoid *e, int32_t i, int32_t j, int32_t k) {
    return (i & 1) << e->axis[0] | (j & 1) << e->axis[1] | (k & 1) << e->axis[2];
}

// terms of one parity, in the order of their degrees
static void list_group(FrEllipsoid *e, const int32_t *d, int32_t parity) {
    for (int32_t i = 0; i <= d[0]; i++)
        for (int32_t j = 0; j <= d[1]; j++)
            for (int32_t k = 0; k <= d[2]; k++)
                if (within(d, i, j, k) && parity_of(e, i, j, k) == parity)
                    e->term[e->term_count++] = (FrBallTerm){{i, j, k}, 0.0};
}

static FrResult list_terms(Ritz *r) {
    FrEllipsoid *e = r->to;
    const int32_t *d = r->degree;
    e->term = FR_NEW(r->ctx, FrBallTerm, count_terms(d));
    if (!e->term) return fr_no_memory(r->ctx, "an ellipsoid");
    for (int32_t g = 0; g < 8; g++) {
        e->group[g] = e->term_count;
        list_group(e, d, g);
    }
    e->group[8] = e->term_count;
    e->most_degree = fr_max_i(d[0], fr_max_i(d[1], d[2]));
    return FR_OK;
}

// slopes at all points, of terms whose squares have the integral 1
static FrResult tabulate(Ritz *r) {
    FrEllipsoid *e = r->to;
    FrBallTables *tables = FR_NEW(r->ctx, FrBallTables, 1);
    size_t stride = 3 * (size_t)e->term_count;
    r->slope = fr_alloc(r->ctx, stride * (size_t)r->points.count * sizeof *r->slope);
    if (!tables || !r->slope) return fr_free(r->ctx, tables), fr_no_memory(r->ctx, "an ellipsoid");
    for (int32_t q = 0; q < r->points.count; q++) {
        fr_ball_tables(r->points.t + 3 * (size_t)q, e->most_degree, tables);
        for (int32_t n = 0; n < e->term_count; n++) {
            double value = fr_ball_term(tables, e->term[n].degree,
                                        r->slope + stride * (size_t)q + 3 * (size_t)n);
            e->term[n].size += r->points.weight[q] * value * value;
        }
    }
    for (int32_t n = 0; n < e->term_count; n++) e->term[n].size = sqrt(e->term[n].size);
    fr_free(r->ctx, tables);
    return FR_OK;
}

// the row of a point: strains of every unknown, times roots of stiffness (E = 1) and weight
static void strain_column(const Ritz *r, int32_t d, const double slope[3], double size,
                          double *column) {
    const FrEllipsoid *e = r->to;
    double nu = r->def->poisson, mu = 0.5 / (1.0 + nu), lame = nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    double along[3];
    for (int k = 0; k < 3; k++) along[e->axis[k]] = slope[k] / (e->half[e->axis[k]] * size);
    memset(column, 0, ROWS * sizeof *column);
    column[0] = sqrt(lame) * along[d];
    column[1 + d] = sqrt(2.0 * mu) * along[d];
    for (int k = 0; k < 3; k++) // shear in the plane across axis k
        if (k != d) column[4 + k] = sqrt(mu) * along[3 - k - d];
}

/// Unknowns of a class: the terms of x, y and z that have its parity.
typedef struct Class {
    int32_t parity, size;
    int32_t first[3], count[3]; ///< terms
} Class;

static Class class_of(const FrEllipsoid *e, int32_t parity) {
    Class c = {.parity = parity};
    for (int d = 0; d < 3; d++) {
        int32_t g = parity ^ 1 << d;
        c.first[d] = e->group[g];
        c.count[d] = e->group[g + 1] - e->group[g];
        c.size += c.count[d];
    }
    return c;
}

static void fill_rows(Ritz *r, const Class *c, int32_t q) {
    const FrEllipsoid *e = r->to;
    double weight = sqrt(r->points.weight[q]), column[ROWS];
    size_t stride = 3 * (size_t)e->term_count;
    int32_t n = 0;
    for (int d = 0; d < 3; d++)
        for (int32_t k = 0; k < c->count[d]; k++, n++) {
            int32_t term = c->first[d] + k;
            strain_column(r, d, r->slope + stride * (size_t)q + 3 * (size_t)term,
                          e->term[term].size, column);
            for (int row = 0; row < ROWS; row++)
                r->rows[(size_t)row * (size_t)c->size + (size_t)n] = weight * column[row];
        }
}

// K += R'R, its lower half by rows
static void add_rows(const Ritz *r, int32_t size) {
    for (int32_t i = 0; i < size; i++) {
        double *to = r->K + (size_t)i * (size_t)size;
        double f[ROWS];
        for (int row = 0; row < ROWS; row++)
            f[row] = r->rows[(size_t)row * (size_t)size + (size_t)i];
        for (int row = 0; row < ROWS; row++) {
            const double *g = r->rows + (size_t)row * (size_t)size;
            if (f[row] == 0.0) continue;
            for (int32_t j = 0; j <= i; j++) to[j] += f[row] * g[j];
        }
    }
}

static void stiffness(Ritz *r, const Class *c) {
    memset(r->K, 0, (size_t)c->size * (size_t)c->size * sizeof *r->K);
    for (int32_t q = 0; q < r->points.count; q++) {
        fill_rows(r, c, q);
        add_rows(r, c->size);
    }
    for (int32_t i = 0; i < c->size; i++) // LAPACK's lower half is our upper one
        for (int32_t j = 0; j < i; j++)
            r->K[(size_t)j * (size_t)c->size + (size_t)i] =
                r->K[(size_t)i * (size_t)c->size + (size_t)j];
}

static FrResult keep_mode(Ritz *r, const Class *c, int32_t k, double lambda) {
    FrEllipsoid *e = r->to;
    e->mode[e->mode_count++] = (FrEllipsoidMode){lambda, c->parity, r->kept};
    if (r->kept + c->size > r->room) {
        int32_t room = 2 * r->room + c->size;
        double *more = fr_resize(r->ctx, e->coefficient, (size_t)room * sizeof *more);
        if (!more) return fr_no_memory(r->ctx, "an ellipsoid");
        e->coefficient = more;
        r->room = room;
    }
    memcpy(e->coefficient + r->kept, r->K + (size_t)k * (size_t)c->size,
           (size_t)c->size * sizeof(double));
    r->kept += c->size;
    return FR_OK;
}

// classes with one bit have a translation, those with two a rotation
static int32_t rigid_of(int32_t parity) { return parity != 0 && parity != 7; }

static FrResult solve_class(Ritz *r, const FrBackend *backend, int32_t parity) {
    Class c = class_of(r->to, parity);
    double unit = r->def->young / r->def->density, most = r->def->highest * r->def->highest;
    stiffness(r, &c);
    FR_TRY(backend->dense(r->ctx, c.size, r->K, NULL, r->lambda));
    for (int32_t k = rigid_of(parity); k < c.size; k++) {
        double lambda = r->lambda[k] * unit;
        if (most > 0.0 && lambda > most) break;
        if (r->def->most > 0 && k - rigid_of(parity) >= r->def->most) break;
        FR_TRY(keep_mode(r, &c, k, lambda));
    }
    return FR_OK;
}

static int by_lambda(const void *a, const void *b) {
    const FrEllipsoidMode *x = a, *y = b;
    if (x->lambda != y->lambda) return x->lambda < y->lambda ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static FrResult solve_all(Ritz *r) {
    FrEllipsoid *e = r->to;
    const FrBackend *backend;
    size_t most = 0;
    FR_TRY(fr_backend_of(r->ctx, "modes of ellipsoids", &backend));
    for (int32_t g = 0; g < 8; g++) {
        size_t size = (size_t)class_of(e, g).size;
        most = size > most ? size : most;
    }
    e->mode = fr_alloc(r->ctx, 8 * most * sizeof *e->mode);
    r->rows = FR_NEW(r->ctx, double, ROWS *most);
    r->K = FR_NEW(r->ctx, double, most *most);
    r->lambda = FR_NEW(r->ctx, double, most);
    if (!e->mode || !r->rows || !r->K || !r->lambda) return fr_no_memory(r->ctx, "an ellipsoid");
    for (int32_t g = 0; g < 8; g++) FR_TRY(solve_class(r, backend, g));
    qsort(e->mode, (size_t)e->mode_count, sizeof *e->mode, by_lambda);
    if (r->def->most > 0) e->mode_count = fr_min_i(e->mode_count, r->def->most);
    return FR_OK;
}

FrResult fr_ellipsoid_modes(FrContext *ctx, const FrEllipsoidDef *def, FrEllipsoid *ellipsoid) {
    Ritz r = {.ctx = ctx, .def = def, .to = ellipsoid};
    *ellipsoid = (FrEllipsoid){0};
    memcpy(ellipsoid->half, def->half, sizeof ellipsoid->half);
    if (!(def->poisson >= 0.0 && def->poisson <= 0.49))
        return fr_fail(ctx, FR_BAD_USE, "Poisson's ratio of an ellipsoid is 0 to 0.49, not %g",
                       def->poisson);
    sort_axes(ellipsoid);
    choose_degrees(&r);
    double volume = def->half[0] * def->half[1] * def->half[2];
    ellipsoid->scale = 1.0 / sqrt(def->density * volume);
    FrResult result = list_terms(&r);
    if (result == FR_OK) result = fr_ball_points(ctx, r.degree, &r.points);
    if (result == FR_OK) result = tabulate(&r);
    if (result == FR_OK) result = solve_all(&r);
    fr_ball_points_free(ctx, &r.points);
    FR_FREE_ALL(ctx, r.slope, r.rows, r.K, r.lambda);
    if (result != FR_OK) fr_ellipsoid_free(ctx, ellipsoid);
    return result;
}

// values of all terms there, over their sizes
static void terms_at(const FrEllipsoid *e, FrVec3 unit, FrBallTables *tables, double *value) {
    double t[3], slope[3];
    for (int k = 0; k < 3; k++) t[k] = fr_vec3_get(unit, e->axis[k]);
    fr_ball_tables(t, e->most_degree, tables);
    for (int32_t n = 0; n < e->term_count; n++)
        value[n] = fr_ball_term(tables, e->term[n].degree, slope) / e->term[n].size;
}

FrResult fr_ellipsoid_shapes(FrContext *ctx, const FrEllipsoid *e, FrVec3 unit, double *w) {
    FrBallTables *tables = FR_NEW(ctx, FrBallTables, 1);
    double *value = FR_NEW(ctx, double, e->term_count);
    if (!tables || !value) return fr_free(ctx, tables), fr_no_memory(ctx, "shapes");
    terms_at(e, unit, tables, value);
    for (int32_t i = 0; i < e->mode_count; i++) {
        Class c = class_of(e, e->mode[i].parity);
        const double *from = e->coefficient + e->mode[i].first;
        for (int d = 0; d < 3; d++) {
            double sum = 0.0;
            for (int32_t k = 0; k < c.count[d]; k++) sum += *from++ * value[c.first[d] + k];
            w[3 * i + d] = e->scale * sum;
        }
    }
    FR_FREE_ALL(ctx, tables, value);
    return FR_OK;
}
