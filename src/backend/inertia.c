// inertia.c: how many eigenvalues of a sparse symmetric matrix are negative: L D L' on supernodes.
//
// CHOLMOD factors indefinite matrices without supernodes only, some ten times slower. This takes
// its symbolic supernodes and does the numbers itself, left-looking (Ng & Peyton 1993), without
// pivoting: a pivot near zero makes the count unsafe, and the caller tries another shift.

#include "backend/factor.h"
#include "backend/alone.h"
#include "base/tasks.h"
#include "math/vec.h"
#include <cblas.h>
#include <string.h>

// columns factored before the rest of a supernode is updated
#define PANEL 64
// rows of a product that a worker takes at least, and the floating-point operations they are worth
#define ROWS_TOGETHER 64
#define WORTH_SHARING 2e6
// a pivot below this part of its diagonal entry has lost ten digits
#define UNSAFE 1e-10

typedef struct Inertia {
    FrFactor *f;
    cholmod_sparse *A; ///< permuted, lower triangle by columns
    const int32_t *super, *pi, *px, *rows;
    int32_t super_count, size;
    double *L;       ///< supernodes: unit lower triangles and what is below them (px[super_count])
    double *D;       ///< (size)
    double *scaled;  ///< rows of a supernode times D
    double *product; ///< an update before it is scattered
    int32_t *owner;  ///< supernode of each column (size)
    int32_t *place;  ///< row of the present supernode (size)
    int32_t *head, *next; ///< lists of supernodes that update another (super_count)
    int32_t *from;        ///< first row of a supernode that is not used up (super_count)
    bool safe;
} Inertia;

// C = alpha A B' + beta C, or A (unit L)^-T into C, by rows of A and C
typedef struct RowProduct {
    const double *A, *B; ///< A: NULL for the triangular solve, whose triangle is B
    double *C;
    int32_t columns, inner; ///< of C; of A and B
    int32_t lda, ldb, ldc;
    double alpha, beta;
} RowProduct;

static void some_rows(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    const RowProduct *p = arg;
    (void)chunk, (void)worker;
    FrBlasBefore before = fr_blas_begin(); // of this worker's thread
    if (p->A)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, end - begin, p->columns, p->inner,
                    p->alpha, p->A + begin, p->lda, p->B, p->ldb, p->beta, p->C + begin, p->ldc);
    else
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit, end - begin,
                    p->columns, 1.0, p->B, p->ldb, p->C + begin, p->ldc);
    fr_blas_end(before);
}

// all workers share it by rows
static void multiply_rows(Inertia *w, int32_t rows, const RowProduct *product) {
    RowProduct p = *product;
    double row_flops = 2.0 * p.columns * p.inner;
    int32_t grain = ROWS_TOGETHER * (1 + (int32_t)(WORTH_SHARING / (ROWS_TOGETHER * row_flops)));
    fr_parallel_for(w->f->ctx, rows, grain, some_rows, &p);
}

static void put_columns(Inertia *w, int32_t s) {
    int32_t first = w->super[s], rows = w->pi[s + 1] - w->pi[s];
    const int32_t *start = w->A->p, *row = w->A->i;
    const double *value = w->A->x;
    double *L = w->L + w->px[s];
    memset(L, 0, (size_t)(w->px[s + 1] - w->px[s]) * sizeof(double));
    for (int32_t k = 0; k < rows; k++) w->place[w->rows[w->pi[s] + k]] = k;
    for (int32_t c = first; c < w->super[s + 1]; c++)
        for (int32_t k = start[c]; k < start[c + 1]; k++)
            L[(size_t)(c - first) * (size_t)rows + (size_t)w->place[row[k]]] = value[k];
}

// supernode d waits for the one that has its next unused row
static void enlist(Inertia *w, int32_t d, int32_t from) {
    int32_t row = w->pi[d] + from;
    if (row >= w->pi[d + 1]) return;
    int32_t s = w->owner[w->rows[row]];
    w->from[d] = from;
    w->next[d] = w->head[s];
    w->head[s] = d;
}

// L_s -= L_d D_d L_d' for the rows of d from its first unused one on
static void update(Inertia *w, int32_t s, int32_t d) {
    int32_t columns = w->super[d + 1] - w->super[d], rows = w->pi[d + 1] - w->pi[d];
    int32_t from = w->from[d], to = from;
    const int32_t *row = w->rows + w->pi[d];
    while (to < rows && row[to] < w->super[s + 1]) to++;
    int32_t wide = to - from, tall = rows - from;
    const double *L = w->L + w->px[d] + from;
    for (int32_t c = 0; c < columns; c++)
        for (int32_t k = 0; k < wide; k++)
            w->scaled[(size_t)c * (size_t)wide + (size_t)k] =
                w->D[w->super[d] + c] * L[(size_t)c * (size_t)rows + (size_t)k];
    multiply_rows(
        w, tall,
        &(RowProduct){L, w->scaled, w->product, wide, columns, rows, wide, tall, 1.0, 0.0});
    double *target = w->L + w->px[s];
    size_t stride = (size_t)(w->pi[s + 1] - w->pi[s]);
    for (int32_t c = 0; c < wide; c++) {
        double *column = target + stride * (size_t)(row[from + c] - w->super[s]);
        for (int32_t k = c; k < tall; k++)
            column[w->place[row[from + k]]] -= w->product[(size_t)c * (size_t)tall + (size_t)k];
    }
    enlist(w, d, to);
}

/// The dense part of a supernode.
typedef struct Dense {
    double *L;              ///< by columns
    size_t stride;          ///< from column to column of L
    double *D;              ///< of its columns
    const double *diagonal; ///< of the matrix, likewise
} Dense;

// columns [a, b) of the diagonal block, of which everything before a is done
static void factor_panel(Inertia *w, const Dense *dense, int32_t a, int32_t b) {
    double *L = dense->L, *D = dense->D;
    size_t stride = dense->stride;
    for (int32_t c = a; c < b; c++) {
        double d = D[c] = L[(size_t)c * stride + (size_t)c];
        if (!(fabs(d) > UNSAFE * fabs(dense->diagonal[c]))) w->safe = false;
        for (int32_t j = c + 1; j < b; j++) {
            double l = L[(size_t)c * stride + (size_t)j] / d;
            for (int32_t k = j; k < b; k++)
                L[(size_t)j * stride + (size_t)k] -= l * L[(size_t)c * stride + (size_t)k];
        }
        for (int32_t k = c + 1; k < b; k++) L[(size_t)c * stride + (size_t)k] /= d;
    }
}

// the dense part: L D L' of the diagonal block, and the rows below it
static void factor_supernode(Inertia *w, int32_t s, const double *diagonal) {
    int32_t columns = w->super[s + 1] - w->super[s], rows = w->pi[s + 1] - w->pi[s];
    size_t stride = (size_t)rows;
    double *L = w->L + w->px[s], *D = w->D + w->super[s];
    Dense dense = {L, stride, D, diagonal};
    for (int32_t a = 0; a < columns && !fr_context_cancelled(w->f->ctx); a += PANEL) {
        int32_t b = fr_min_i(a + PANEL, columns), below = rows - b, right = columns - b;
        double *corner = L + (size_t)a * stride, *under = corner + b;
        factor_panel(w, &dense, a, b);
        if (below == 0) break;
        // under (unit L)' D = A
        multiply_rows(
            w, below,
            &(RowProduct){NULL, corner + a, under, b - a, b - a, rows, rows, rows, 1.0, 1.0});
        for (int32_t c = a; c < b; c++)
            for (int32_t k = 0; k < right; k++)
                w->scaled[(size_t)(c - a) * (size_t)right + (size_t)k] =
                    L[(size_t)c * stride + (size_t)(b + k)];
        for (int32_t c = a; c < b; c++)
            cblas_dscal(below, 1.0 / D[c], L + (size_t)c * stride + b, 1);
        if (right > 0)
            multiply_rows(w, below,
                          &(RowProduct){under, w->scaled, L + (size_t)b * stride + b, right, b - a,
                                        rows, right, rows, -1.0, 1.0});
    }
}

static FrResult make_room(Inertia *w) {
    FrContext *ctx = w->f->ctx;
    size_t most_rows = 1, most_columns = 1;
    for (int32_t s = 0; s < w->super_count; s++) {
        size_t rows = (size_t)(w->pi[s + 1] - w->pi[s]),
               columns = (size_t)(w->super[s + 1] - w->super[s]);
        most_rows = rows > most_rows ? rows : most_rows;
        most_columns = columns > most_columns ? columns : most_columns;
    }
    w->L = fr_alloc(ctx, (size_t)w->px[w->super_count] * sizeof(double));
    w->D = FR_NEW(ctx, double, w->size);
    w->scaled = fr_alloc(ctx, most_rows * most_columns * sizeof(double));
    w->product = fr_alloc(ctx, most_rows * most_columns * sizeof(double));
    w->owner = FR_NEW(ctx, int32_t, w->size);
    w->place = FR_NEW(ctx, int32_t, w->size);
    w->head = FR_NEW(ctx, int32_t, w->super_count);
    w->next = FR_NEW(ctx, int32_t, w->super_count);
    w->from = FR_NEW(ctx, int32_t, w->super_count);
    if (!w->L || !w->D || !w->scaled || !w->product || !w->owner || !w->place || !w->head ||
        !w->next || !w->from)
        return fr_no_memory(ctx, "counting eigenvalues");
    for (int32_t s = 0; s < w->super_count; s++) {
        w->head[s] = -1;
        for (int32_t c = w->super[s]; c < w->super[s + 1]; c++) w->owner[c] = s;
    }
    return FR_OK;
}

// the diagonal of a permuted column is its first entry: scale of its pivot
static void diagonals(const Inertia *w, int32_t s, double *diagonal) {
    const int32_t *start = w->A->p;
    const double *value = w->A->x;
    for (int32_t c = w->super[s]; c < w->super[s + 1]; c++)
        diagonal[c - w->super[s]] = value[start[c]];
}

static FrResult factor_all(Inertia *w, int32_t *negative) {
    FR_TRY(make_room(w));
    *negative = 0;
    for (int32_t s = 0; s < w->super_count; s++) {
        put_columns(w, s);
        for (int32_t d = w->head[s], next; d >= 0; d = next) {
            next = w->next[d];
            if (!fr_context_cancelled(w->f->ctx)) update(w, s, d);
        }
        diagonals(w, s, w->product);
        factor_supernode(w, s, w->product);
        enlist(w, s, w->super[s + 1] - w->super[s]);
        for (int32_t c = w->super[s]; c < w->super[s + 1]; c++) *negative += w->D[c] < 0.0;
        // large supernodes break off where they are: what they left is not used
        if (fr_context_cancelled(w->f->ctx))
            return fr_fail(w->f->ctx, FR_INTERRUPTED, "interrupted");
    }
    return FR_OK;
}

// A(p, p), lower triangle by columns: transposed twice, for CHOLMOD sorts that way
static cholmod_sparse *permuted(FrFactor *f, const FrSparse *m) {
    cholmod_sparse view = fr_cholmod_view(m);
    cholmod_sparse *upper = cholmod_ptranspose(&view, 1, f->L->Perm, NULL, 0, &f->common);
    if (!upper) return NULL;
    cholmod_sparse *lower = cholmod_ptranspose(upper, 1, NULL, NULL, 0, &f->common);
    cholmod_free_sparse(&upper, &f->common);
    return lower;
}

static void free_room(Inertia *w) {
    FrContext *ctx = w->f->ctx;
    void *all[] = {w->L,     w->D,    w->scaled, w->product, w->owner,
                   w->place, w->head, w->next,   w->from};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) fr_free(ctx, all[k]);
    cholmod_free_sparse(&w->A, &w->f->common);
}

FrResult fr_factor_inertia(FrFactor *f, const FrSparse *m, int32_t *negative, bool *safe) {
    if (f->numeric) FR_TRY(fr_factor_analyse(f, m));
    Inertia w = {.f = f,
                 .super = f->L->super,
                 .pi = f->L->pi,
                 .px = f->L->px,
                 .rows = f->L->s,
                 .super_count = (int32_t)f->L->nsuper,
                 .size = m->size,
                 .safe = true};
    w.A = permuted(f, m);
    FrBlasBefore before = fr_blas_begin();
    FrResult result = w.A ? factor_all(&w, negative) : fr_cholmod_result(f, "counting eigenvalues");
    fr_blas_end(before);
    free_room(&w);
    *safe = w.safe;
    return result;
}
