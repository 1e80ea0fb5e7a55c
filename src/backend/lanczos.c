// lanczos.c: the lowest eigenvalues of K x = lambda M x by block Lanczos on (K - s M)^-1 M, s < 0.
// [M14, K3]
//
// Full reorthogonalisation in the M inner product, thick restarts (Wu & Simon 2000), known rigid
// motions projected out, and a count of eigenvalues by inertia that says whether some were missed.
// Blocks make solves quick (BLAS 3) and find eigenvalues of any multiplicity up to their size at
// once.

#include "backend/eigen.h"
#include "backend/factor.h"
#include "backend/krylov.h"
#include "base/clock.h"
#include "math/vec.h"
#include <string.h>

// wide enough for quick solves and for clusters; 12 and 24 need fewer steps and more time
// (15,708-node tube, 106 modes: 3.4 s, 3.6 s, 4.6 s)
#define BLOCK 8
// |s| over the largest K_ii / M_ii: far below the lowest modes, far above rounding
#define SHIFT 1e-10
// and where the factor serves static answers, too: they take a step less
#define SHIFT_UNPROVED 1e-12
#define SHIFT_TRIES 4
// nudge of a cut where a pivot came out near zero, relative
#define NUDGE 1e-7
#define NUDGE_TRIES 6
// neighbours closer than this (relative) are not cut apart
#define GAP 1e-6
// of Lanczos (FrKrylovDef)
#define TOLERANCE 1e-8
#define TOLERANCE_UNPROVED 1e-7

typedef struct Search {
    FrContext *ctx;
    const FrEigenProblem *problem;
    FrEigenReport *report;
    FrFactor *factor;
    FrKrylov krylov;
} Search;

// eigenvalues of the elastic body below the cut: all, less the rigid ones
static FrResult count_below(Search *s, double cut, int32_t *count) {
    const FrEigenProblem *p = s->problem;
    bool safe = false;
    for (int try = 0; try < NUDGE_TRIES && !safe; try++, cut *= 1.0 + NUDGE) {
        FrSparse A;
        FR_TRY(fr_sparse_shifted(s->ctx, p->K, cut, p->M, &A));
        FrResult result = FR_OK;
        if (!s->factor) result = fr_cholmod_solver.analyse(s->ctx, &A, &s->factor);
        if (result == FR_OK) result = fr_cholmod_solver.inertia(s->factor, &A, count, &safe);
        fr_sparse_free(s->ctx, &A);
        FR_TRY(result);
    }
    *count -= p->rigid_count;
    if (!safe)
        return fr_fail(
            s->ctx, FR_NUMERICAL,
            "eigenvalues below %g cannot be counted: every cut near it meets a zero pivot", cut);
    return FR_OK;
}

static FrResult factorise_at(Search *s, double shift, FrSolveReason *reason) {
    FrSparse A;
    FR_TRY(fr_sparse_shifted(s->ctx, s->problem->K, shift, s->problem->M, &A));
    FrResult result = FR_OK;
    if (!s->factor) result = fr_cholmod_solver.analyse(s->ctx, &A, &s->factor);
    if (result == FR_OK) result = fr_cholmod_solver.factorise(s->factor, &A, reason);
    fr_sparse_free(s->ctx, &A);
    return result;
}

// K is singular for a free body: a small s < 0 makes K - s M positive
static FrResult factorise(Search *s) {
    double begun = fr_wall_seconds();
    double share = s->problem->unproved ? SHIFT_UNPROVED : SHIFT;
    double shift = -share * fr_block_matrix_ratio(s->problem->K, s->problem->M);
    FrSolveReason reason = FR_SOLVE_NOT_POSITIVE;
    for (int try = 0; try < SHIFT_TRIES && reason != FR_SOLVE_CONVERGED; try++, shift *= 100.0) {
        s->report->shift = shift;
        FR_TRY(factorise_at(s, shift, &reason));
    }
    s->report->reason = reason;
    s->report->factor_entries = (int64_t)s->factor->L->xsize;
    s->report->factor_seconds += fr_wall_seconds() - begun;
    if (reason != FR_SOLVE_CONVERGED)
        return fr_fail(s->ctx, FR_NUMERICAL,
                       "the stiffness is not positive: a material or a tet is absurd (very flat, "
                       "or nearly incompressible)");
    return FR_OK;
}

// is there a gap between the found ones number i - 1 and i? Then its middle is a cut
static bool gap_before(const FrKrylov *k, int32_t i, double *cut) {
    double a = fr_krylov_lambda(k, i - 1), b = fr_krylov_lambda(k, i);
    *cut = a + 0.5 * (b - a);
    return b - a > GAP * b;
}

// where to count: behind the wanted ones, or, inside a cluster, at the nearest gap; `with` of the
// found are below it. False: all that is known is one cluster
static bool find_cut(const FrKrylov *k, int32_t wanted, double *cut, int32_t *with) {
    for (*with = wanted; *with < k->converged; ++*with)
        if (gap_before(k, *with, cut)) return true;
    for (*with = wanted - 1; *with > 0; --*with)
        if (gap_before(k, *with, cut)) return true;
    return false;
}

// were some missed? A limit has been counted before: all found must lie below it
static FrResult check_complete(Search *s, int32_t wanted, bool counted, bool *complete) {
    const FrKrylov *k = &s->krylov;
    int32_t with, below;
    double cut;
    *complete = true;
    if (counted) {
        *complete =
            fr_krylov_lambda(k, wanted - 1) <= (1.0 + NUDGE_TRIES * NUDGE) * s->problem->limit;
        return FR_OK;
    }
    if (!find_cut(k, wanted, &cut, &with)) return FR_OK;
    double begun = fr_wall_seconds();
    FR_TRY(count_below(s, cut, &below));
    s->report->factor_seconds += fr_wall_seconds() - begun;
    s->report->counted = below;
    *complete = below == with;
    return FR_OK;
}

static FrResult take(Search *s, int32_t count, FrEigenPairs *pairs) {
    pairs->lambda = FR_NEW(s->ctx, double, count);
    pairs->X = fr_alloc(s->ctx, (size_t)count * (size_t)pairs->size * sizeof(double));
    if (!pairs->lambda || !pairs->X) return fr_no_memory(s->ctx, "modes");
    pairs->count = count;
    for (int32_t i = 0; i < count; i++) pairs->lambda[i] = fr_krylov_lambda(&s->krylov, i);
    return count > 0 ? fr_krylov_vectors(&s->krylov, count, pairs->X) : FR_OK;
}

static FrResult attempt(Search *s, int32_t wanted, bool counted, int32_t block, bool *complete) {
    FR_TRY(factorise(s));
    double begun = fr_wall_seconds();
    FrKrylovDef def = {.problem = s->problem,
                       .factor = s->factor,
                       .shift = s->report->shift,
                       .wanted = wanted,
                       .more = counted ? 0 : 1,
                       .block = block,
                       .tolerance = TOLERANCE};
    fr_krylov_free(&s->krylov);
    FR_TRY(fr_krylov_create(s->ctx, &def, &s->krylov));
    FrResult result = fr_krylov_run(&s->krylov, s->report);
    s->report->eigen_seconds += fr_wall_seconds() - begun;
    FR_TRY(result);
    return check_complete(s, wanted, counted, complete);
}

// what comes first: as many as wanted, or all up to the limit
static FrResult search_unproved(Search *s, FrEigenPairs *pairs) {
    const FrEigenProblem *p = s->problem;
    FrKrylov *k = &s->krylov;
    FR_TRY(factorise(s));
    double begun = fr_wall_seconds();
    FrKrylovDef def = {.problem = p,
                       .factor = s->factor,
                       .shift = s->report->shift,
                       .wanted = fr_min_i(p->count, pairs->size - p->rigid_count),
                       .block = BLOCK,
                       .limit = p->limit,
                       .tolerance = TOLERANCE_UNPROVED};
    FR_TRY(fr_krylov_create(s->ctx, &def, k));
    FrResult result = fr_krylov_run(k, s->report);
    s->report->eigen_seconds += fr_wall_seconds() - begun;
    FR_TRY(result);
    int32_t count = fr_min_i(k->converged, def.wanted);
    while (p->limit > 0.0 && count > 0 && fr_krylov_lambda(k, count - 1) > p->limit) count--;
    FR_TRY(take(s, count, pairs));
    if (!p->factor) return FR_OK;
    *p->factor = s->factor;
    s->factor = NULL;
    return FR_OK;
}

static FrResult search(Search *s, FrEigenPairs *pairs) {
    const FrEigenProblem *p = s->problem;
    int32_t most = pairs->size - p->rigid_count,
            wanted = p->count > 0 ? fr_min_i(p->count, most) : most;
    if (p->limit > 0.0) {
        // a limit says how many there are before the search begins
        double begun = fr_wall_seconds();
        FR_TRY(count_below(s, p->limit, &s->report->counted));
        wanted = fr_min_i(wanted, s->report->counted);
        s->report->factor_seconds = fr_wall_seconds() - begun;
    }
    if (wanted <= 0) return take(s, 0, pairs);
    if (p->limit > 0.0 && fr_eigen_most(wanted, pairs->size))
        return fr_eigen_dense(s->ctx, p, pairs, s->report);
    bool counted = p->limit > 0.0 && wanted == s->report->counted, complete = false;
    FR_TRY(attempt(s, wanted, counted, BLOCK, &complete));
    // many equal parts ring alike: wider blocks see more of the same at once
    if (!complete) FR_TRY(attempt(s, wanted, counted, FR_KRYLOV_BLOCK, &complete));
    if (complete) return take(s, wanted, pairs);
    s->report->reason = FR_SOLVE_INCOMPLETE;
    return fr_fail(
        s->ctx, FR_NUMERICAL,
        "modes were missed: by count there are %d, among the %d found some are not the lowest",
        s->report->counted, wanted);
}

FrResult fr_eigen_lanczos(FrContext *ctx, const FrEigenProblem *problem, FrEigenPairs *pairs,
                          FrEigenReport *report) {
    Search s = {.ctx = ctx, .problem = problem, .report = report};
    FrResult result = problem->unproved ? search_unproved(&s, pairs) : search(&s, pairs);
    fr_krylov_free(&s.krylov);
    fr_cholmod_solver.destroy(s.factor);
    return result;
}
