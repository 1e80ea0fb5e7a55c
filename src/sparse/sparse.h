// sparse.h: symmetric sparse matrices of mechanics: 3x3 blocks to multiply with, columns to factor.
//
// Unknown 3 n + a is axis a of node n, everywhere.
#pragma once
#include "base/base.h"

/// A symmetric matrix between nodes, both triangles kept, so that a product is one sum a row: the
/// same bits for any number of workers.
typedef struct FrBlockMatrix {
    int32_t node_count;
    int32_t width;  ///< numbers an entry has: 9, a 3x3 block by rows; 1, a multiple of the identity
    int32_t *start; ///< entries of row n: start[n] .. start[n + 1] - 1 (node_count + 1)
    int32_t *column; ///< ascending in each row (start[node_count])
    double *value;   ///< (width * start[node_count])
} FrBlockMatrix;
/// Fine on a zeroed one.
void fr_block_matrix_free(FrContext *ctx, FrBlockMatrix *matrix);

/// The lower triangle by columns (CSC), rows ascending: what a factoriser takes.
typedef struct FrSparse {
    int32_t size;   ///< rows and columns, a multiple of 3
    int32_t *start; ///< (size + 1)
    int32_t *row;   ///< (start[size])
    double *value;  ///< (start[size])
} FrSparse;
void fr_sparse_free(FrContext *ctx, FrSparse *matrix);

/// Element e has the nodes node[e * per_element ..]; those below 0 are left out.
typedef struct FrElements {
    const int32_t *node; ///< (count * per_element)
    int32_t count, per_element;
} FrElements;
/// A zeroed matrix whose nodes n and m share an entry where some element has both.
FrResult fr_block_matrix_pattern(FrContext *ctx, const FrElements *elements, int32_t node_count,
                                 int32_t width, FrBlockMatrix *matrix);
/// A zeroed matrix with entries on its diagonal only.
FrResult fr_block_matrix_diagonal(FrContext *ctx, int32_t node_count, FrBlockMatrix *matrix);
/// Number of the entry (row, column), which must be there.
int32_t fr_block_matrix_entry(const FrBlockMatrix *matrix, int32_t row, int32_t column);
/// Add element matrices (rows of 3 per_element; width 1: of per_element) in the order of the
/// elements. Only entries with node row >= node column are touched: see fr_block_matrix_mirror.
void fr_block_matrix_add(FrBlockMatrix *matrix, const int32_t *node, int32_t per_element,
                         const double *element);
/// Copy the lower triangle of entries into the upper.
void fr_block_matrix_mirror(FrContext *ctx, FrBlockMatrix *matrix);

/// Y = A X; `columns` vectors of 3 node_count numbers, one after the other. In parallel.
void fr_block_matrix_apply(FrContext *ctx, const FrBlockMatrix *A, const double *X, double *Y,
                           int32_t columns);
/// max over unknowns of K_ii / M_ii; a scale of the largest eigenvalue. 0 where there are none.
double fr_block_matrix_ratio(const FrBlockMatrix *K, const FrBlockMatrix *M);

/// K - shift M as columns. The pattern is that of K, which holds that of M. FR_BAD_INPUT: too
/// large.
FrResult fr_sparse_shifted(FrContext *ctx, const FrBlockMatrix *K, double shift,
                           const FrBlockMatrix *M, FrSparse *matrix);
