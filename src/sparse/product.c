// product.c: a symmetric matrix of blocks times vectors, some or many; the same sums in the same
// order.

#include "sparse/sparse.h"
#include "base/tasks.h"
#include <string.h>

#define ROWS_A_CHUNK 512
// vectors multiplied in one walk over the matrix; they are laid side by side, node after node
#define WIDE 8

typedef struct Product {
    const FrBlockMatrix *A;
    const double *X;
    double *Y;
    double (*packed)[3][WIDE]; ///< WIDE vectors (node_count)
} Product;

static void multiply_one(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    const Product *p = arg;
    const FrBlockMatrix *A = p->A;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++) {
        double y[3] = {0.0, 0.0, 0.0};
        for (int32_t k = A->start[n]; k < A->start[n + 1]; k++) {
            const double *x = p->X + 3 * (size_t)A->column[k],
                         *B = A->value + (size_t)A->width * (size_t)k;
            for (int a = 0; a < 3; a++)
                y[a] += A->width == 9 ? B[3 * a] * x[0] + B[3 * a + 1] * x[1] + B[3 * a + 2] * x[2]
                                      : B[0] * x[a];
        }
        memcpy(p->Y + 3 * (size_t)n, y, sizeof y);
    }
}

static void pack(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    const Product *p = arg;
    size_t stride = 3 * (size_t)p->A->node_count;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++)
        for (int a = 0; a < 3; a++)
            for (size_t c = 0; c < WIDE; c++)
                p->packed[n][a][c] = p->X[stride * c + 3 * (size_t)n + (size_t)a];
}

static inline void add_scaled(const double *s, const double x[3][WIDE], double y[3][WIDE]) {
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < WIDE; c++) y[a][c] += s[0] * x[a][c];
}
static inline void add_block(const double *B, const double x[3][WIDE], double y[3][WIDE]) {
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < WIDE; c++)
            y[a][c] += B[3 * a] * x[0][c] + B[3 * a + 1] * x[1][c] + B[3 * a + 2] * x[2][c];
}

static void multiply_wide(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    const Product *p = arg;
    const FrBlockMatrix *A = p->A;
    size_t stride = 3 * (size_t)A->node_count;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++) {
        double y[3][WIDE] = {{0.0}};
        if (A->width == 9)
            for (int32_t k = A->start[n]; k < A->start[n + 1]; k++)
                add_block(A->value + 9 * (size_t)k, p->packed[A->column[k]], y);
        else
            for (int32_t k = A->start[n]; k < A->start[n + 1]; k++)
                add_scaled(A->value + k, p->packed[A->column[k]], y);
        for (size_t c = 0; c < WIDE; c++)
            for (size_t a = 0; a < 3; a++) p->Y[stride * c + 3 * (size_t)n + a] = y[a][c];
    }
}

void fr_block_matrix_apply(FrContext *ctx, const FrBlockMatrix *A, const double *X, double *Y,
                           int32_t columns) {
    size_t stride = 3 * (size_t)A->node_count;
    Product p = {A, X, Y, NULL};
    // without room for it they go one by one: the same bits, only slower
    if (columns >= WIDE) p.packed = fr_alloc(ctx, (size_t)A->node_count * sizeof *p.packed);
    int32_t c = 0;
    for (; p.packed && c + WIDE <= columns; c += WIDE, p.X += WIDE * stride, p.Y += WIDE * stride) {
        fr_parallel_for(ctx, A->node_count, ROWS_A_CHUNK, pack, &p);
        fr_parallel_for(ctx, A->node_count, ROWS_A_CHUNK, multiply_wide, &p);
    }
    for (; c < columns; c++, p.X += stride, p.Y += stride)
        fr_parallel_for(ctx, A->node_count, ROWS_A_CHUNK, multiply_one, &p);
    fr_free(ctx, p.packed);
}
