// radiator.c: the sound pressure on a surface that moves: rows of the equations, and what follows
// from the pressure.

#include "air/radiator_inside.h"
#include "base/tasks.h"
#include "math/lanes.h"
#include "math/complex.h"
#include <string.h>

#define LANES FR_PANEL_LANES
/// More than this of all directions is a hole.
#define OPEN 0.02
/// Rows that one task works on.
#define ROWS 16

static FrResult make(FrRadiator *r) {
    FrContext *ctx = r->ctx;
    size_t n = (size_t)r->panels->count, padded = (size_t)r->panels->padded, cells = 0;
    r->most_rows = r->panels->count + FR_RADIATOR_INSIDE;
    bool fits = !__builtin_mul_overflow((size_t)r->most_rows, 2 * padded, &cells);
    r->matrix = fits ? FR_NEW(ctx, float, cells) : NULL;
    r->right = FR_NEW(ctx, double complex, r->most_rows);
    r->q = FR_NEW(ctx, float, 2 * padded);
    r->packed = FR_NEW(ctx, float, 2 * padded);
    r->basis = FR_NEW(ctx, double complex, n *(FR_RADIATOR_STEPS + 1));
    r->work = FR_NEW(ctx, double complex, 3 * (size_t)r->most_rows);
    bool good = r->matrix && r->right && r->q && r->packed && r->basis && r->work;
    return good ? FR_OK : fr_no_memory(ctx, "the equations of sound");
}

FrResult fr_radiator_create(FrContext *ctx, const FrPanels *panels, FrRadiator **radiator) {
    FrRadiator *r = FR_NEW(ctx, FrRadiator, 1);
    *radiator = NULL;
    if (!r) return fr_no_memory(ctx, "the equations of sound");
    r->ctx = ctx;
    r->panels = panels;
    r->ops = fr_cpu_has_avx2() ? &fr_wave_avx2 : &fr_wave_portable;
    r->depth = fr_panels_depth(panels, r->inside, FR_RADIATOR_INSIDE);
    FrResult result = make(r);
    // as seen from inside, a closed surface is all around
    double around = fr_panels_around(panels, fr_get3(r->inside, 0));
    if (result == FR_OK && r->depth > 0.0 && fabs(around - 1.0) > OPEN)
        result = fr_fail(ctx, FR_BAD_INPUT,
                         "the surface that sounds is not closed: from inside it covers %.3g of all "
                         "directions",
                         around);
    if (result == FR_OK)
        *radiator = r;
    else
        fr_radiator_destroy(r);
    return result;
}

void fr_radiator_destroy(FrRadiator *r) {
    if (!r) return;
    FR_FREE_ALL(r->ctx, r->matrix, r->right, r->q, r->packed, r->basis, r->work);
    fr_free(r->ctx, r);
}

void fr_radiator_pack(const double complex *p, int32_t count, float *packed) {
    for (int32_t i = 0; i < count; i++) {
        float *block = packed + 2 * (size_t)(i / LANES * LANES) + i % LANES;
        block[0] = (float)creal(p[i]);
        block[LANES] = (float)cimag(p[i]);
    }
}

// where to look at the surface from: panels, then points inside
static FrVec3 place_of(const FrRadiator *r, int32_t row) {
    int32_t count = r->panels->count;
    return row < count ? fr_get3(r->panels->middle, row) : fr_get3(r->inside, row - count);
}

// p/2 - D p = -S q at panels, -D p = -S q inside                                         [M23]
static void fill_row(FrRadiator *r, const FrWave *wave, int32_t i) {
    const FrPanels *p = r->panels;
    float *row = r->matrix + 2 * (size_t)i * (size_t)p->padded;
    FrVec3 at = place_of(r, i);
    float x[3] = {(float)at.x, (float)at.y, (float)at.z};
    double sum[2];
    r->ops->row(wave, x, row, sum);
    if (i < p->count)
        for (int32_t k = p->near_first[i]; k < p->near_first[i + 1]; k++) {
            size_t j = (size_t)p->near[k];
            row[2 * (j / LANES * LANES) + j % LANES] += p->near_lack[k][1];
            sum[0] += (double)(p->near_lack[k][0] * wave->q_real[j]);
            sum[1] += (double)(p->near_lack[k][0] * wave->q_imag[j]);
        }
    r->right[i] = fr_complex(-sum[0], -sum[1]);
}

typedef struct Filling {
    FrRadiator *r;
    const FrWave *wave;
} Filling;

static void fill_rows(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Filling *f = arg;
    (void)chunk, (void)worker;
    for (int32_t i = begin; i < end; i++) fill_row(f->r, f->wave, i);
}

typedef struct Product {
    FrRadiator *r;
    const double complex *from;
    double complex *to;
} Product;

static void multiply_rows(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Product *product = arg;
    FrRadiator *r = product->r;
    (void)chunk, (void)worker;
    for (int32_t i = begin; i < end; i++) {
        double sum[2];
        r->ops->dot(r->matrix + 2 * (size_t)i * (size_t)r->panels->padded, r->packed,
                    r->panels->padded, sum);
        product->to[i] =
            (i < r->panels->count ? 0.5 * product->from[i] : 0.0) - fr_complex(sum[0], sum[1]);
    }
}

void fr_radiator_multiply(FrRadiator *r, const double complex *p, double complex *to) {
    Product product = {r, p, to};
    fr_radiator_pack(p, r->panels->count, r->packed);
    fr_parallel_for(r->ctx, r->rows, ROWS, multiply_rows, &product);
}

// every task has columns of its own, and goes through all rows in their order
static void multiply_columns(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Product *product = arg;
    FrRadiator *r = product->r;
    (void)chunk, (void)worker;
    memset(r->packed + 2 * LANES * (size_t)begin, 0,
           2 * LANES * (size_t)(end - begin) * sizeof *r->packed);
    for (int32_t i = 0; i < r->rows; i++) {
        float factor[2] = {(float)creal(product->from[i]), (float)cimag(product->from[i])};
        r->ops->spread(r->matrix + 2 * (size_t)i * (size_t)r->panels->padded, factor, begin, end,
                       r->packed);
    }
}

void fr_radiator_multiply_back(FrRadiator *r, const double complex *from, double complex *to) {
    Product product = {r, from, to};
    fr_parallel_for(r->ctx, r->panels->padded / LANES, ROWS, multiply_columns, &product);
    for (int32_t j = 0; j < r->panels->count; j++) {
        const float *block = r->packed + 2 * (size_t)(j / LANES * LANES) + j % LANES;
        to[j] = 0.5 * from[j] - fr_complex((double)block[0], (double)block[LANES]);
    }
}

static FrWave wave_of(const FrRadiator *r, double k, const double complex *q) {
    int32_t padded = r->panels->padded;
    for (int32_t j = 0; j < r->panels->count; j++) {
        r->q[j] = (float)creal(q[j]);
        r->q[padded + j] = (float)cimag(q[j]);
    }
    return (FrWave){r->panels, (float)k, r->q, r->q + padded};
}

// No wave stands inside a body while its thickest part is thinner than half a wave: there the
// equations at the panels alone have one solution [M31]. Else some points inside are asked, too:
// more of them, the more waves can stand there (CHIEF) [M23].
static int32_t rows_inside(const FrRadiator *r, double k) {
    if (k * 2.0 * r->depth < FR_PI) return 0;
    double waves = k * r->depth / FR_PI;
    return fr_min_i(FR_RADIATOR_INSIDE, fr_max_i(4, (int32_t)ceil(8.0 * waves * waves)));
}

// P = 1/2 Re sum A p conj(v), v = i q/(omega rho)                               [S7 eq. 16] (E50)
static double power_of(const FrPanels *panels, double k, const double complex *q,
                       const double complex *p) {
    double sum = 0.0;
    for (int32_t i = 0; i < panels->count; i++) sum += panels->area[i] * cimag(p[i] * conj(q[i]));
    return 0.5 * sum / (k * FR_SOUND_SPEED * FR_AIR_DENSITY);
}

FrResult fr_radiator_solve(FrRadiator *r, double k, const double complex *q, double complex *p,
                           FrRadiated *how) {
    FrWave wave = wave_of(r, k, q);
    int32_t inside = rows_inside(r, k);
    r->rows = r->panels->count + inside;
    Filling filling = {r, &wave};
    fr_parallel_for(r->ctx, r->rows, ROWS, fill_rows, &filling);
    *how = (FrRadiated){.inside = inside};
    if (inside)
        fr_radiator_least_squares(r, p, how);
    else
        fr_radiator_gmres(r, p, how);
    how->power = power_of(r->panels, k, q, p);
    return FR_OK;
}

double complex fr_radiator_field(FrRadiator *r, double k, const double complex *q,
                                 const double complex *p, FrVec3 x) {
    FrWave wave = wave_of(r, k, q);
    float at[3] = {(float)x.x, (float)x.y, (float)x.z};
    double sum[2], from_p[2];
    float *row = (float *)r->basis;
    r->ops->row(&wave, at, row, sum);
    fr_radiator_pack(p, r->panels->count, r->packed);
    r->ops->dot(row, r->packed, r->panels->padded, from_p);
    return fr_complex(from_p[0] - sum[0], from_p[1] - sum[1]);
}
