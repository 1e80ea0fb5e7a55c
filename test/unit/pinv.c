// pinv.c: pseudoinverses of small matrices answer as Moore and Penrose ask.

#include "base/random.h"
#include "solve/pinv.h"
#include "test.h"
#include "context.h"
#include <math.h>
#include <string.h>

#define MOST 30

typedef struct Draw {
    double A[MOST * MOST], b[MOST], x[MOST];
    double *scratch;
} Draw;

// rows x columns of the given rank; `even`: G G'
static void draw(FrRandom *r, Draw *d, int rows, int columns, int rank, bool even) {
    double left[MOST * MOST], right[MOST * MOST];
    for (int k = 0; k < rows * rank; k++) left[k] = fr_random_unit(r) - 0.5;
    for (int k = 0; k < rank * columns; k++) right[k] = fr_random_unit(r) - 0.5;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0.0;
            for (int k = 0; k < rank; k++)
                sum += left[i * rank + k] * (even ? left[j * rank + k] : right[k * columns + j]);
            d->A[i * columns + j] = sum;
        }
    for (int i = 0; i < rows; i++) d->b[i] = fr_random_unit(r) - 0.5;
}

// A'(A x - b) = 0: no x is nearer; x in the rows of A: none is shorter
static void check_answer(const Draw *d, int rows, int columns, double within) {
    double r[MOST];
    for (int i = 0; i < rows; i++) {
        r[i] = -d->b[i];
        for (int j = 0; j < columns; j++) r[i] += d->A[i * columns + j] * d->x[j];
    }
    for (int j = 0; j < columns; j++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++) sum += d->A[i * columns + j] * r[i];
        CHECK_NEAR(sum, 0.0, within); // rounding: the caller says
    }
}

// what x keeps when it is answered again with b = A x
static void check_shortest(Draw *d, int rows, int columns, bool even, double within) {
    double x[MOST];
    memcpy(x, d->x, sizeof x);
    for (int i = 0; i < rows; i++) {
        d->b[i] = 0.0;
        for (int j = 0; j < columns; j++) d->b[i] += d->A[i * columns + j] * x[j];
    }
    FrPinvReport again = even ? fr_pinv_solve_psd(d->A, rows, 0.0, d->b, d->x, d->scratch)
                              : fr_pinv_solve(d->A, rows, columns, d->b, d->x, d->scratch);
    CHECK_NEAR(again.left, 0.0, within);                                 // rounding
    for (int j = 0; j < columns; j++) CHECK_NEAR(d->x[j], x[j], within); // rounding
}

TEST(nearest_and_shortest) {
    FrContext *ctx = make_context(1);
    FrRandom r = fr_random_for(5, "pinv", 0);
    Draw d = {.scratch = fr_alloc(ctx, fr_pinv_room(MOST, MOST) * sizeof(double))};
    static const int shape[6][3] = {{3, 3, 3},   {6, 9, 6},    {9, 6, 6},
                                    {12, 12, 7}, {30, 30, 30}, {30, 30, 11}};
    for (int k = 0; k < 6; k++)
        for (int even = 0; even < 2; even++) {
            int rows = shape[k][0], columns = even ? rows : shape[k][1], rank = shape[k][2];
            if (rank > columns || rank > rows) continue;
            draw(&r, &d, rows, columns, rank, even);
            FrPinvReport report = even ? fr_pinv_solve_psd(d.A, rows, 0.0, d.b, d.x, d.scratch)
                                       : fr_pinv_solve(d.A, rows, columns, d.b, d.x, d.scratch);
            CHECK_INT(report.rank, rank);
            check_answer(&d, rows, columns, 1e-8);         // rounding, of forces of 1e3 and more
            check_shortest(&d, rows, columns, even, 1e-6); // rounding, likewise
        }
    fr_free(ctx, d.scratch);
    fr_context_destroy(ctx);
}

// a row twice over changes no answer [M16]
TEST(the_same_row_twice) {
    FrContext *ctx = make_context(1);
    double A[4] = {2, 1, 1, 3}, b[2] = {1, -1}, x[2];
    double B[6] = {2, 1, 1, 3, 1, 3}, c[3] = {1, -1, -1}, y[2];
    double *scratch = fr_alloc(ctx, fr_pinv_room(3, 2) * sizeof(double));
    CHECK_INT(fr_pinv_solve(A, 2, 2, b, x, scratch).rank, 2);
    CHECK_INT(fr_pinv_solve(B, 3, 2, c, y, scratch).rank, 2);
    for (int k = 0; k < 2; k++) CHECK_NEAR(x[k], y[k], 1e-14); // rounding
    fr_free(ctx, scratch);
    fr_context_destroy(ctx);
}
