// cholmod.c: sparse Cholesky by CHOLMOD's supernodes, many right-hand sides at a time.

#include "backend/factor.h"
#include "backend/alone.h"
#include "math/vec.h"
#include <string.h>
#include <unistd.h>

/// Numbers that a factor can have: CHOLMOD counts them with 31 bits.
#define MOST_ENTRIES 2147483647.0
/// What one core does of a factor, and the seconds from which its time is reported.
#define FLOPS_A_SECOND 1e10
#define WORTH_TELLING 30.0

cholmod_sparse fr_cholmod_view(const FrSparse *m) {
    cholmod_sparse view = {.nrow = (size_t)m->size,
                           .ncol = (size_t)m->size,
                           .nzmax = (size_t)m->start[m->size],
                           .p = m->start,
                           .i = m->row,
                           .x = m->value,
                           .stype = -1,
                           .itype = CHOLMOD_INT,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE,
                           .sorted = 1,
                           .packed = 1};
    return view;
}

FrResult fr_cholmod_result(FrFactor *f, const char *what) {
    switch (f->common.status) {
    case CHOLMOD_OUT_OF_MEMORY:
        return fr_no_memory(f->ctx, what);
    case CHOLMOD_TOO_LARGE:
        return fr_fail(f->ctx, FR_BAD_INPUT,
                       "%s: the factor has more than 2^31 entries; use a coarser mesh", what);
    default:
        return fr_fail(f->ctx, FR_NUMERICAL, "%s: CHOLMOD ended with status %d", what,
                       f->common.status);
    }
}

static void destroy(FrFactor *f) {
    if (!f) return;
    cholmod_free_factor(&f->L, &f->common);
    cholmod_free_dense(&f->X, &f->common);
    cholmod_free_dense(&f->Y, &f->common);
    cholmod_free_dense(&f->E, &f->common);
    cholmod_finish(&f->common);
    fr_free(f->ctx, f->permutation);
    fr_free(f->ctx, f);
}

// the graph of the nodes, lower triangle: every third column, every third row
static cholmod_sparse *node_graph(FrFactor *f, const FrSparse *m) {
    size_t nodes = (size_t)m->size / 3, entries = 0;
    for (int32_t c = 0; c < m->size; c += 3) entries += (size_t)(m->start[c + 1] - m->start[c]) / 3;
    cholmod_sparse *g =
        cholmod_allocate_sparse(nodes, nodes, entries, 1, 1, -1, CHOLMOD_PATTERN, &f->common);
    if (!g) return NULL;
    int32_t *start = g->p, *row = g->i, at = 0;
    for (int32_t c = 0; c < m->size; c += 3) {
        start[c / 3] = at;
        for (int32_t k = m->start[c]; k < m->start[c + 1]; k += 3) row[at++] = m->row[k] / 3;
    }
    start[nodes] = at;
    return g;
}

double fr_memory_bytes(void) {
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

FrResult fr_factor_afford(FrContext *ctx, const FrFactorCost *cost, double memory) {
    double bytes = cost->entries * sizeof(double), seconds = cost->flops / FLOPS_A_SECOND;
    if (bytes > memory || cost->entries > MOST_ENTRIES)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "modes of %d nodes are too many: their factor has %.2g numbers, %.0f GB, of "
                       "the %.0f GB there are; larger cells make it smaller",
                       cost->nodes, cost->entries, bytes / 1e9,
                       fr_min(memory, MOST_ENTRIES * sizeof(double)) / 1e9);
    if (seconds > WORTH_TELLING)
        fr_log(ctx, FR_LOG_INFO,
               "modes of %d nodes: each of two factors takes %.1f GB and about %.1f minutes; "
               "larger cells are quicker",
               cost->nodes, bytes / 1e9, seconds / 60.0);
    return FR_OK;
}

// Order the nodes, not the unknowns: a ninth of the graph, and the three axes stay together.
static FrResult order_nodes(FrFactor *f, const FrSparse *m) {
    cholmod_sparse *graph = node_graph(f, m);
    if (!graph) return fr_cholmod_result(f, "ordering");
    f->common.supernodal = CHOLMOD_SIMPLICIAL; // only the order is wanted, and what it costs
    fr_ordering_begin();
    cholmod_factor *symbolic = cholmod_analyze(graph, &f->common);
    fr_ordering_end();
    f->common.supernodal = CHOLMOD_SUPERNODAL;
    cholmod_free_sparse(&graph, &f->common);
    if (!symbolic) return fr_cholmod_result(f, "ordering");
    f->cost = (FrFactorCost){m->size / 3, 9.0 * f->common.lnz, 27.0 * f->common.fl};
    const int32_t *order = symbolic->Perm;
    for (int32_t n = 0; n < m->size / 3; n++)
        for (int a = 0; a < 3; a++) f->permutation[3 * n + a] = 3 * order[n] + a;
    cholmod_free_factor(&symbolic, &f->common);
    return FR_OK;
}

FrResult fr_factor_analyse(FrFactor *f, const FrSparse *m) {
    cholmod_free_factor(&f->L, &f->common);
    f->numeric = false;
    cholmod_sparse view = fr_cholmod_view(m);
    f->common.nmethods = 1;
    f->common.method[0].ordering = CHOLMOD_GIVEN;
    f->L = cholmod_analyze_p(&view, f->permutation, NULL, 0, &f->common);
    return f->L ? FR_OK : fr_cholmod_result(f, "analysing a matrix");
}

static FrResult stopped(FrContext *ctx) {
    return fr_context_cancelled(ctx) ? fr_fail(ctx, FR_INTERRUPTED, "interrupted") : FR_OK;
}

static FrResult analyse(FrContext *ctx, const FrSparse *m, FrFactor **factor) {
    FrFactor *f = *factor = FR_NEW(ctx, FrFactor, 1);
    if (!f) return fr_no_memory(ctx, "a sparse factor");
    f->ctx = ctx;
    cholmod_start(&f->common);
    f->common.supernodal = CHOLMOD_SUPERNODAL;
    f->common.print = 0;
    f->common.error_handler = NULL;
    f->permutation = FR_NEW(ctx, int32_t, m->size);
    FrResult result = f->permutation ? order_nodes(f, m) : fr_no_memory(ctx, "a sparse factor");
    if (result == FR_OK) result = fr_factor_afford(ctx, &f->cost, fr_memory_bytes());
    if (result == FR_OK) result = stopped(ctx);
    if (result == FR_OK) result = fr_factor_analyse(f, m);
    if (result != FR_OK) {
        destroy(f);
        *factor = NULL;
    }
    return result;
}

static FrResult factorise(FrFactor *f, const FrSparse *m, FrSolveReason *reason) {
    FR_TRY(stopped(f->ctx));
    cholmod_sparse view = fr_cholmod_view(m);
    FrBlasBefore before = fr_blas_begin();
    bool done = cholmod_factorize(&view, f->L, &f->common);
    fr_blas_end(before);
    f->numeric = done && f->common.status == CHOLMOD_OK;
    *reason = f->numeric ? FR_SOLVE_CONVERGED : FR_SOLVE_NOT_POSITIVE;
    if (f->numeric || f->common.status == CHOLMOD_NOT_POSDEF) return FR_OK;
    return fr_cholmod_result(f, "factorising a matrix");
}

static FrResult solve(FrFactor *f, const double *B, double *X, int32_t columns) {
    FR_ASSERT_IN(f->ctx, f->numeric, "factorise before solving");
    size_t size = f->L->n, total = size * (size_t)columns;
    union {
        const double *from;
        void *to;
    } borrowed = {B};
    cholmod_dense rhs = {.nrow = size,
                         .ncol = (size_t)columns,
                         .nzmax = total,
                         .d = size,
                         .x = borrowed.to,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
    FrBlasBefore before = fr_blas_begin();
    bool done =
        cholmod_solve2(CHOLMOD_A, f->L, &rhs, NULL, &f->X, NULL, &f->Y, &f->E, &f->common) != 0;
    fr_blas_end(before);
    if (!done) return fr_cholmod_result(f, "solving");
    memcpy(X, f->X->x, total * sizeof(double));
    return FR_OK;
}

static size_t bytes(const FrFactor *f) {
    return sizeof *f + f->L->n * sizeof(int32_t) + f->common.memory_inuse;
}

const FrSparseSolver fr_cholmod_solver = {
    "cholmod", analyse, factorise, solve, fr_factor_inertia, bytes, destroy,
};
