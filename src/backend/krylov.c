// krylov.c: block Lanczos steps with full reorthogonalisation, and thick restarts.

#include "backend/krylov.h"
#include "backend/factor.h"
#include "base/random.h"
#include "math/vec.h"
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

// a vector that lost this part of its length to the basis was made of rounding
#define LOST 1e-11
#define MOST_RESTARTS 60
// the basis grows by one part in so many between two checks: they cost the cube of its columns
#define CHECKS 24
// blocks after which a search with a limit is first looked at
#define FIRST_CHECK 3
// rows handled at a time when the basis is turned in place
#define ROWS 256

void fr_krylov_free(FrKrylov *k) {
    if (!k->ctx) return;
    void *all[] = {k->V, k->MV, k->W, k->MR, k->C, k->H, k->R, k->Y, k->theta};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) fr_free(k->ctx, all[i]);
    *k = (FrKrylov){0};
}

static double *column(const FrKrylov *k, int32_t c) { return k->V + (size_t)c * (size_t)k->size; }

// W -= R (R' M W): no rigid motion is left
static void drop_rigid(FrKrylov *k, double *W, int32_t columns) {
    const FrEigenProblem *p = k->def.problem;
    int32_t n = k->size, r = p->rigid_count;
    if (r == 0) return;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, r, columns, n, 1.0, k->MR, n, W, n, 0.0,
                k->C, r);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, columns, r, -1.0, p->rigid, n, k->C,
                r, 1.0, W, n);
}

// W -= V (V' M W) for the first columns of the basis; the coefficients are added to H where asked
static void drop_basis(FrKrylov *k, int32_t width, double *W, const double *MW, int32_t columns,
                       double *H) {
    int32_t n = k->size;
    if (width <= 0) return;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, columns, n, 1.0, column(k, 0), n,
                MW, n, 0.0, k->C, width);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, columns, width, -1.0, column(k, 0), n,
                k->C, width, 1.0, W, n);
    if (!H) return;
    for (int32_t c = 0; c < columns; c++)
        for (int32_t i = 0; i < width; i++)
            H[(size_t)c * (size_t)k->most + (size_t)i] += k->C[c * width + i];
}

static void times_mass(FrKrylov *k, const double *X, double *MX, int32_t columns) {
    fr_block_matrix_apply(k->ctx, k->def.problem->M, X, MX, columns);
}

// a random direction outside of all that is there: the first `to` columns and the rigid motions
static void fresh_column(FrKrylov *k, int32_t to, FrRandom *random, double *w, double *Mw) {
    for (int32_t i = 0; i < k->size; i++) w[i] = fr_random_range(random, -1.0, 1.0);
    for (int pass = 0; pass < 3; pass++) {
        drop_rigid(k, w, 1);
        times_mass(k, w, Mw, 1);
        drop_basis(k, to, w, Mw, 1, NULL);
    }
    times_mass(k, w, Mw, 1);
}

// M-orthonormal columns behind the first `to`, in place; R: what they were made of
static void orthonormalise(FrKrylov *k, int32_t to, FrRandom *random, const double *length) {
    int32_t n = k->size, b = k->block;
    memset(k->R, 0, (size_t)(b * b) * sizeof(double));
    for (int32_t c = 0; c < b; c++) {
        double *w = column(k, to + c), *Mw = k->MV + (size_t)c * (size_t)n, norm = 0.0;
        for (int pass = 0; pass < 2; pass++)
            for (int32_t p = 0; p < c; p++) {
                double r = cblas_ddot(n, column(k, to + p), 1, Mw, 1);
                cblas_daxpy(n, -r, column(k, to + p), 1, w, 1);
                cblas_daxpy(n, -r, k->MV + (size_t)p * (size_t)n, 1, Mw, 1);
                k->R[c * b + p] += r;
            }
        norm = sqrt(fr_max(cblas_ddot(n, w, 1, Mw, 1), 0.0));
        bool lost = !(norm > LOST * length[c]);
        if (lost) {
            fresh_column(k, to + c, random, w, Mw);
            norm = sqrt(fr_max(cblas_ddot(n, w, 1, Mw, 1), 0.0));
        }
        k->R[c * b + c] = lost ? 0.0 : norm;
        cblas_dscal(n, 1.0 / norm, w, 1);
        cblas_dscal(n, 1.0 / norm, Mw, 1);
    }
}

static FrResult make_room(FrKrylov *k) {
    size_t n = (size_t)k->size, m = (size_t)k->most, b = (size_t)k->block;
    size_t r = (size_t)k->def.problem->rigid_count;
    size_t coefficients = m * b > r * b ? m * b : r * b;
    k->V = fr_alloc(k->ctx, n * (m + b) * sizeof(double));
    k->MV = fr_alloc(k->ctx, n * b * sizeof(double));
    k->W = fr_alloc(k->ctx, n * b * sizeof(double));
    k->MR = fr_alloc(k->ctx, n * (r + 1) * sizeof(double));
    k->C = FR_NEW(k->ctx, double, coefficients);
    k->H = FR_NEW(k->ctx, double, m *m);
    k->R = FR_NEW(k->ctx, double, b *b);
    k->Y = FR_NEW(k->ctx, double, m *m);
    k->theta = FR_NEW(k->ctx, double, m);
    if (!k->V || !k->MV || !k->W || !k->MR || !k->C || !k->H || !k->R || !k->Y || !k->theta)
        return fr_no_memory(k->ctx, "the basis of modes");
    return FR_OK;
}

FrResult fr_krylov_create(FrContext *ctx, const FrKrylovDef *def, FrKrylov *k) {
    const FrEigenProblem *p = def->problem;
    *k = (FrKrylov){.ctx = ctx, .def = *def, .size = 3 * p->K->node_count, .block = def->block};
    FR_ASSERT_IN(ctx, def->block <= FR_KRYLOV_BLOCK, "take smaller blocks");
    int32_t b = def->block;
    int32_t goal = def->wanted + def->more, room = k->size - p->rigid_count;
    // twice the goal suffices without a restart for most bodies; a multiple of the block
    int32_t blocks = (2 * goal + 8 * b) / b;
    k->most = fr_min_i(blocks, room / b - 1) * b;
    if (k->most < goal + b)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "%d modes of %d unknowns are too many for the sparse way; ask for fewer or "
                       "use a finer mesh",
                       goal, k->size);
    FrResult result = make_room(k);
    if (result != FR_OK) {
        fr_krylov_free(k);
        return result;
    }
    if (p->rigid_count > 0) times_mass(k, p->rigid, k->MR, p->rigid_count);
    return FR_OK;
}

static void start_block(FrKrylov *k, FrRandom *random) {
    double length[FR_KRYLOV_BLOCK] = {0};
    for (size_t i = 0; i < (size_t)k->size * (size_t)k->block; i++)
        k->V[i] = fr_random_range(random, -1.0, 1.0);
    drop_rigid(k, k->V, k->block);
    times_mass(k, k->V, k->MV, k->block);
    orthonormalise(k, 0, random, length);
}

// W less its parts along the last block, MV' W, and the one before, R': nearly orthogonal to all
static void three_terms(FrKrylov *k, double *H, double *length) {
    int32_t n = k->size, b = k->block, first = k->count;
    double back[FR_KRYLOV_BLOCK * FR_KRYLOV_BLOCK];
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, b, b, n, 1.0, k->MV, n, k->W, n, 0.0, k->C,
                b);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, b, b, -1.0, column(k, first), n, k->C,
                b, 1.0, k->W, n);
    for (int32_t c = 0; c < b; c++) {
        double squares = 0.0;
        for (int32_t i = 0; i < b; i++) {
            back[c * b + i] = k->R[i * b + c];
            H[(size_t)c * (size_t)k->most + (size_t)(first + i)] += k->C[c * b + i];
            H[(size_t)c * (size_t)k->most + (size_t)(first - b + i)] += back[c * b + i];
            squares += k->C[c * b + i] * k->C[c * b + i] + back[c * b + i] * back[c * b + i];
        }
        length[c] = sqrt(squares);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, b, b, -1.0, column(k, first - b), n,
                back, b, 1.0, k->W, n);
}

// the same at the start and after a restart, when all kept vectors couple
static void all_terms(FrKrylov *k, double *H, double *length) {
    int32_t n = k->size, b = k->block;
    times_mass(k, k->W, k->MV, b);
    for (int32_t c = 0; c < b; c++) {
        size_t at = (size_t)c * (size_t)n;
        length[c] = sqrt(fr_max(0.0, cblas_ddot(n, k->W + at, 1, k->MV + at, 1)));
    }
    drop_basis(k, k->count + b, k->W, k->MV, b, H);
}

// the next block: A^-1 M times the last one, less all that the basis has already
static FrResult step(FrKrylov *k, FrRandom *random) {
    int32_t n = k->size, b = k->block, first = k->count, next = first + b;
    double length[FR_KRYLOV_BLOCK], *H = k->H + (size_t)first * (size_t)k->most;
    FR_TRY(fr_cholmod_solver.solve(k->def.factor, k->MV, k->W, b));
    drop_rigid(k, k->W, b);
    if (first == k->since)
        all_terms(k, H, length);
    else
        three_terms(k, H, length);
    // what rounding left along any of them
    times_mass(k, k->W, k->MV, b);
    drop_basis(k, next, k->W, k->MV, b, H);
    drop_rigid(k, k->W, b);
    memcpy(column(k, next), k->W, (size_t)n * (size_t)b * sizeof(double));
    times_mass(k, k->W, k->MV, b);
    k->count = next;
    orthonormalise(k, next, random, length);
    return FR_OK;
}

// eigenvalues of H, and how many of the largest have converged without a hole
static FrResult check_converged(FrKrylov *k) {
    int32_t m = k->count, b = k->block;
    for (int32_t c = 0; c < m; c++)
        memcpy(k->Y + (size_t)c * (size_t)m, k->H + (size_t)c * (size_t)k->most,
               (size_t)m * sizeof(double));
    int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', m, k->Y, m, k->theta);
    if (info == LAPACK_WORK_MEMORY_ERROR) return fr_no_memory(k->ctx, "modes");
    if (info != 0) return fr_fail(k->ctx, FR_NUMERICAL, "LAPACK's dsyevd ended with %d", info);
    k->solved = m;
    for (k->converged = 0; k->converged < m; k->converged++) {
        int32_t i = m - 1 - k->converged;
        const double *y = k->Y + (size_t)i * (size_t)m + (size_t)(m - b);
        double rest[FR_KRYLOV_BLOCK];
        memcpy(rest, y, (size_t)b * sizeof(double));
        cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, b, k->R, b, rest, 1);
        if (!(cblas_dnrm2(b, rest, 1) <= k->def.tolerance * k->theta[i])) break;
    }
    return FR_OK;
}

// the first `keep` columns of V become the Ritz vectors of the largest theta, largest first; `to`
// may be V itself
static void turn_basis(const FrKrylov *k, int32_t keep, double *scratch, double *to) {
    int32_t m = k->solved, n = k->size;
    for (int32_t row = 0; row < n; row += ROWS) {
        int32_t rows = fr_min_i(ROWS, n - row);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, keep, m, 1.0, k->V + row, n,
                    k->Y + (size_t)(m - keep) * (size_t)m, m, 0.0, scratch, rows);
        for (int32_t c = 0; c < keep; c++)
            memcpy(to + (size_t)c * (size_t)n + row,
                   scratch + (size_t)(keep - 1 - c) * (size_t)rows, (size_t)rows * sizeof(double));
    }
}

static FrResult restart(FrKrylov *k) {
    int32_t goal = k->def.wanted + k->def.more, m = k->count, b = k->block;
    int32_t keep = fr_min_i(goal + (k->most - goal) / 3, m - b);
    double *scratch = fr_alloc(k->ctx, (size_t)ROWS * (size_t)keep * sizeof(double));
    if (!scratch) return fr_no_memory(k->ctx, "the basis of modes");
    turn_basis(k, keep, scratch, k->V);
    fr_free(k->ctx, scratch);
    memmove(column(k, keep), column(k, m), (size_t)k->size * (size_t)b * sizeof(double));
    memset(k->H, 0, (size_t)k->most * (size_t)k->most * sizeof(double));
    for (int32_t i = 0; i < keep; i++)
        k->H[(size_t)i * (size_t)k->most + (size_t)i] = k->theta[m - 1 - i];
    k->count = k->since = keep;
    return FR_OK;
}

// all that were asked for, or one beyond the limit
static bool enough(const FrKrylov *k) {
    if (k->converged >= k->def.wanted + k->def.more) return true;
    return k->def.limit > 0.0 && k->converged > 0 &&
           fr_krylov_lambda(k, k->converged - 1) > k->def.limit;
}

FrResult fr_krylov_run(FrKrylov *k, FrEigenReport *report) {
    FrRandom random = fr_random_for(1, "block-lanczos", (uint64_t)k->size);
    int32_t goal = k->def.wanted + k->def.more, check_at = goal + k->block;
    if (k->def.limit > 0.0) check_at = fr_min_i(check_at, FIRST_CHECK * k->block);
    start_block(k, &random);
    for (;;) {
        if (fr_context_cancelled(k->ctx)) return fr_fail(k->ctx, FR_INTERRUPTED, "interrupted");
        FR_TRY(step(k, &random));
        report->steps++;
        bool full = k->count + k->block > k->most;
        if (k->count < check_at && !full) continue;
        FR_TRY(check_converged(k));
        check_at = k->count + k->count / CHECKS;
        fr_progress(k->ctx, "modes", fr_min_i(k->converged, goal), goal);
        if (enough(k)) return FR_OK;
        if (!full) continue;
        if (++report->restarts > MOST_RESTARTS) break;
        FR_TRY(restart(k));
    }
    report->reason = FR_SOLVE_STALLED;
    return fr_fail(k->ctx, FR_NUMERICAL, "only %d of %d modes converged in %d steps", k->converged,
                   goal, report->steps);
}

double fr_krylov_lambda(const FrKrylov *k, int32_t i) {
    return k->def.shift + 1.0 / k->theta[k->solved - 1 - i];
}

// x + V_next R y / theta = A^-1 M x / theta, exactly: what high frequencies are left in a Ritz
// vector shrink by lambda over theirs, and no solve is needed (Ericsson & Ruhe 1980)
static void purify(const FrKrylov *k, int32_t count, double *C, double *X) {
    int32_t m = k->solved, b = k->block;
    for (int32_t i = 0; i < count; i++) {
        int32_t ritz = m - 1 - i;
        memcpy(C + (size_t)i * (size_t)b, k->Y + (size_t)ritz * (size_t)m + (size_t)(m - b),
               (size_t)b * sizeof(double));
        cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, b, k->R, b,
                    C + (size_t)i * (size_t)b, 1);
        cblas_dscal(b, 1.0 / k->theta[ritz], C + (size_t)i * (size_t)b, 1);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k->size, count, b, 1.0, column(k, m),
                k->size, C, b, 1.0, X, k->size);
}

FrResult fr_krylov_vectors(const FrKrylov *k, int32_t count, double *X) {
    int32_t tall = ROWS > k->block ? ROWS : k->block;
    double *scratch = fr_alloc(k->ctx, (size_t)tall * (size_t)count * sizeof(double));
    if (!scratch) return fr_no_memory(k->ctx, "modes");
    turn_basis(k, count, scratch, X);
    purify(k, count, scratch, X);
    fr_free(k->ctx, scratch);
    return FR_OK;
}
