// columns.c: from 3x3 blocks to the lower triangle by columns that factorisers take.

#include "sparse/sparse.h"

void fr_sparse_free(FrContext *ctx, FrSparse *m) {
    fr_free(ctx, m->start);
    fr_free(ctx, m->row);
    fr_free(ctx, m->value);
    *m = (FrSparse){0};
}

// numbers in column 3 n + a: whole blocks below the diagonal one, and what is left of that
static int64_t column_length(const FrBlockMatrix *K, int32_t n, int32_t diagonal, int a) {
    return 3 * (int64_t)(K->start[n + 1] - diagonal - 1) + 3 - a;
}

static FrResult count_columns(FrContext *ctx, const FrBlockMatrix *K, FrSparse *m) {
    int64_t total = 0;
    for (int32_t n = 0; n < K->node_count; n++) {
        int32_t diagonal = fr_block_matrix_entry(K, n, n);
        for (int a = 0; a < 3; a++) {
            total += column_length(K, n, diagonal, a);
            if (total > INT32_MAX)
                return fr_fail(ctx, FR_BAD_INPUT,
                               "a stiffness matrix of %d nodes has more than 2^31 entries; use a "
                               "coarser mesh",
                               K->node_count);
            m->start[3 * n + a + 1] = (int32_t)total;
        }
    }
    return FR_OK;
}

// column 3 n + a of K - shift M, taken from row n of the symmetric blocks: entry (b, a) of the
// block (m, n) is entry (a, b) of the block (n, m)
static void fill_column(const FrBlockMatrix *K, double shift, const FrBlockMatrix *M, int32_t n,
                        int a, FrSparse *to) {
    int32_t at = to->start[3 * n + a], mass = M->start[n];
    for (int32_t k = fr_block_matrix_entry(K, n, n); k < K->start[n + 1]; k++) {
        int32_t m = K->column[k];
        while (mass < M->start[n + 1] && M->column[mass] < m) mass++;
        bool weighs = mass < M->start[n + 1] && M->column[mass] == m;
        for (int b = m == n ? a : 0; b < 3; b++, at++) {
            to->row[at] = 3 * m + b;
            to->value[at] = K->value[9 * (int64_t)k + 3 * a + b];
            if (a == b && weighs) to->value[at] -= shift * M->value[mass];
        }
    }
}

FrResult fr_sparse_shifted(FrContext *ctx, const FrBlockMatrix *K, double shift,
                           const FrBlockMatrix *M, FrSparse *m) {
    FR_ASSERT_IN(ctx, K->width == 9 && M->width == 1, "K has blocks, M has numbers");
    *m = (FrSparse){.size = 3 * K->node_count};
    m->start = FR_NEW(ctx, int32_t, (int64_t)m->size + 1);
    if (!m->start) return fr_no_memory(ctx, "a sparse matrix");
    FrResult result = count_columns(ctx, K, m);
    if (result == FR_OK) {
        m->row = FR_NEW(ctx, int32_t, m->start[m->size]);
        m->value = FR_NEW(ctx, double, m->start[m->size]);
        if (!m->row || !m->value) result = fr_no_memory(ctx, "a sparse matrix");
    }
    if (result != FR_OK) {
        fr_sparse_free(ctx, m);
        return result;
    }
    for (int32_t n = 0; n < K->node_count; n++)
        for (int a = 0; a < 3; a++) fill_column(K, shift, M, n, a, m);
    return FR_OK;
}
