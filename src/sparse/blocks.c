// blocks.c: symmetric matrices of 3x3 blocks: pattern, assembly in a fixed order.

#include "sparse/sparse.h"
#include "base/tasks.h"
#include <stdlib.h>
#include <string.h>

#define ROWS_A_CHUNK 512

void fr_block_matrix_free(FrContext *ctx, FrBlockMatrix *m) {
    fr_free(ctx, m->start);
    fr_free(ctx, m->column);
    fr_free(ctx, m->value);
    *m = (FrBlockMatrix){0};
}

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

// the elements around each node, ascending; start has one slot more than needed for counting
static FrResult elements_of_nodes(FrContext *ctx, const FrElements *all, int32_t node_count,
                                  int32_t **start, int32_t **element) {
    const int32_t *node = all->node;
    int64_t slots = (int64_t)all->count * all->per_element;
    *start = FR_NEW(ctx, int32_t, (int64_t)node_count + 1);
    *element = FR_NEW(ctx, int32_t, slots);
    if (!*start || !*element) return fr_no_memory(ctx, "the pattern of a matrix");
    for (int64_t k = 0; k < slots; k++)
        if (node[k] >= 0) (*start)[node[k] + 1]++;
    for (int32_t n = 0; n < node_count; n++) (*start)[n + 1] += (*start)[n];
    // fill from the back of each list, so that start ends up where it should
    for (int64_t k = slots - 1; k >= 0; k--)
        if (node[k] >= 0) (*element)[--(*start)[node[k] + 1]] = (int32_t)(k / all->per_element);
    memmove(*start, *start + 1, (size_t)node_count * sizeof(int32_t));
    int64_t used = 0;
    for (int64_t k = 0; k < slots; k++) used += node[k] >= 0;
    (*start)[node_count] = (int32_t)used;
    return FR_OK;
}

typedef struct Row {
    int32_t *item; ///< nodes seen, not sorted yet
    int32_t *mark; ///< the last row that saw this node (node_count)
    int32_t count;
} Row;

static void collect_row(Row *row, int32_t n, const FrElements *all, const int32_t *element,
                        int32_t count) {
    row->count = 0;
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = 0; i < all->per_element; i++) {
            int32_t m = all->node[(int64_t)element[k] * all->per_element + i];
            if (m < 0 || row->mark[m] == n) continue;
            row->mark[m] = n;
            row->item[row->count++] = m;
        }
}

// two walks: count the entries of each row, then write them
static FrResult fill_pattern(FrContext *ctx, Row *row, const FrElements *all, const int32_t *start,
                             const int32_t *element, FrBlockMatrix *m) {
    for (int32_t n = 0; n < m->node_count; n++) row->mark[n] = -1;
    int64_t total = 0;
    for (int32_t n = 0; n < m->node_count; n++) {
        collect_row(row, n, all, element + start[n], start[n + 1] - start[n]);
        total += row->count;
        if (total > INT32_MAX)
            return fr_fail(ctx, FR_BAD_INPUT, "a matrix of %d nodes is too large", m->node_count);
        m->start[n + 1] = (int32_t)total;
    }
    m->column = FR_NEW(ctx, int32_t, total);
    m->value = FR_NEW(ctx, double, total * m->width);
    if (!m->column || !m->value) return fr_no_memory(ctx, "a sparse matrix");
    for (int32_t n = 0; n < m->node_count; n++) row->mark[n] = -1;
    for (int32_t n = 0; n < m->node_count; n++) {
        collect_row(row, n, all, element + start[n], start[n + 1] - start[n]);
        qsort(row->item, (size_t)row->count, sizeof(int32_t), by_number);
        memcpy(m->column + m->start[n], row->item, (size_t)row->count * sizeof(int32_t));
    }
    return FR_OK;
}

FrResult fr_block_matrix_pattern(FrContext *ctx, const FrElements *elements, int32_t node_count,
                                 int32_t width, FrBlockMatrix *m) {
    *m = (FrBlockMatrix){.node_count = node_count, .width = width};
    int32_t *start = NULL, *element = NULL;
    Row row = {FR_NEW(ctx, int32_t, node_count), FR_NEW(ctx, int32_t, node_count), 0};
    m->start = FR_NEW(ctx, int32_t, (int64_t)node_count + 1);
    FrResult result = FR_OK;
    if (!row.item || !row.mark || !m->start) result = fr_no_memory(ctx, "a sparse matrix");
    if (result == FR_OK) result = elements_of_nodes(ctx, elements, node_count, &start, &element);
    if (result == FR_OK) result = fill_pattern(ctx, &row, elements, start, element, m);
    fr_free(ctx, start);
    fr_free(ctx, element);
    fr_free(ctx, row.item);
    fr_free(ctx, row.mark);
    if (result != FR_OK) fr_block_matrix_free(ctx, m);
    return result;
}

FrResult fr_block_matrix_diagonal(FrContext *ctx, int32_t node_count, FrBlockMatrix *m) {
    *m = (FrBlockMatrix){.node_count = node_count, .width = 1};
    m->start = FR_NEW(ctx, int32_t, (int64_t)node_count + 1);
    m->column = FR_NEW(ctx, int32_t, node_count);
    m->value = FR_NEW(ctx, double, node_count);
    if (!m->start || !m->column || !m->value) {
        fr_block_matrix_free(ctx, m);
        return fr_no_memory(ctx, "a diagonal matrix");
    }
    for (int32_t n = 0; n < node_count; n++) {
        m->column[n] = n;
        m->start[n + 1] = n + 1;
    }
    return FR_OK;
}

int32_t fr_block_matrix_entry(const FrBlockMatrix *m, int32_t row, int32_t column) {
    int32_t lo = m->start[row], hi = m->start[row + 1] - 1;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (m->column[middle] < column)
            lo = middle + 1;
        else
            hi = middle;
    }
    FR_ASSERT(m->column[lo] == column, "ask for entries of the pattern only");
    return lo;
}

void fr_block_matrix_add(FrBlockMatrix *m, const int32_t *node, int32_t per_element,
                         const double *element) {
    bool full = m->width == 9;
    int32_t stride = full ? 3 * per_element : per_element;
    for (int32_t i = 0; i < per_element; i++)
        for (int32_t j = 0; j < per_element; j++) {
            if (node[j] < 0 || node[i] < node[j]) continue;
            int32_t k = fr_block_matrix_entry(m, node[i], node[j]);
            if (!full) {
                m->value[k] += element[i * stride + j];
                continue;
            }
            double *to = m->value + 9 * (int64_t)k;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    to[3 * a + b] += element[(3 * i + a) * stride + 3 * j + b];
        }
}

typedef struct Mirror {
    FrBlockMatrix *m;
} Mirror;

static void mirror_rows(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    FrBlockMatrix *m = ((Mirror *)arg)->m;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++)
        for (int32_t k = m->start[n]; k < m->start[n + 1]; k++) {
            if (m->column[k] <= n) continue;
            int32_t twin = fr_block_matrix_entry(m, m->column[k], n);
            if (m->width == 1) {
                m->value[k] = m->value[twin];
                continue;
            }
            const double *from = m->value + 9 * (int64_t)twin;
            double *to = m->value + 9 * (int64_t)k;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) to[3 * a + b] = from[3 * b + a];
        }
}

void fr_block_matrix_mirror(FrContext *ctx, FrBlockMatrix *m) {
    Mirror mirror = {m};
    fr_parallel_for(ctx, m->node_count, ROWS_A_CHUNK, mirror_rows, &mirror);
}

double fr_block_matrix_ratio(const FrBlockMatrix *K, const FrBlockMatrix *M) {
    double ratio = 0.0;
    for (int32_t n = 0; n < K->node_count; n++) {
        double m = M->value[fr_block_matrix_entry(M, n, n)];
        const double *k = K->value + 9 * (int64_t)fr_block_matrix_entry(K, n, n);
        for (int a = 0; a < 3; a++) ratio = fr_max(ratio, k[4 * a] / m);
    }
    return ratio;
}
