// stress_static.c: static answers of bodies that are free in space: one sparse factor, then
// conjugate gradients. [M19]

#include "modal/stress_model.h"
#include "math/vec.h"
#include <string.h>

// |shift| over the lowest squared frequency: one step leaves about so much of the slowest mode
#define SHIFT 1e-9
// and over the largest K_ii / M_ii, at least: what stays above rounding in a factor. In thin plates
// this is the larger one, and they take two steps.
#define LEAST_SHIFT 1e-13
#define SHIFT_TRIES 4
// a factor with a larger shift than this over the lowest would take many steps
#define MOST_SHIFT 1e-2
#define MOST_STEPS 40
// steps go on until the residual is this share of what is asked for: the last one is nearly free
#define AIM 0.05
// begun anew from the true residual; sums that are updated drift from it, and below this part of
// their first square they are rounding
#define MOST_ROUNDS 3
#define ROUNDING 1e-24

void fr_stress_static_free(FrStressStatic *s) {
    if (s->solver) s->solver->destroy(s->factor);
    if (s->ctx) {
        fr_modal_system_free(s->ctx, &s->system);
        FR_FREE_ALL(s->ctx, s->MR, s->r, s->z, s->p, s->Kp);
    }
    *s = (FrStressStatic){0};
}

static FrResult factorise_at(FrStressStatic *s, double shift, FrSolveReason *reason) {
    FrSparse A;
    FR_TRY(fr_sparse_shifted(s->ctx, &s->system.matrices.K, shift, &s->system.matrices.M, &A));
    FrResult result = FR_OK;
    if (!s->factor) result = s->solver->analyse(s->ctx, &A, &s->factor);
    if (result == FR_OK) result = s->solver->factorise(s->factor, &A, reason);
    fr_sparse_free(s->ctx, &A);
    return result;
}

// K of a free body is singular: a shift below 0 makes K - shift M positive
static FrResult factorise(FrStressStatic *s, double lowest) {
    double ratio = fr_block_matrix_ratio(&s->system.matrices.K, &s->system.matrices.M);
    double shift = s->system.rigid.count ? -fr_max(SHIFT * lowest, LEAST_SHIFT * ratio) : 0.0;
    FrSolveReason reason = FR_SOLVE_NOT_POSITIVE;
    for (int try = 0; try < SHIFT_TRIES && reason != FR_SOLVE_CONVERGED; try++) {
        s->shift = shift;
        FR_TRY(factorise_at(s, shift, &reason));
        shift = shift < 0.0 ? 100.0 * shift : -LEAST_SHIFT * ratio;
    }
    if (reason == FR_SOLVE_CONVERGED) return FR_OK;
    return fr_fail(s->ctx, FR_NUMERICAL,
                   "the stiffness is not positive: a material or a tet is absurd (very flat, or "
                   "nearly incompressible)");
}

// that of the modes, or one of its own
static FrResult take_factor(FrStressStatic *s, const FrStressStart *start) {
    if (s->factor && -start->shift <= MOST_SHIFT * start->lowest) {
        s->shift = start->shift;
        return FR_OK;
    }
    s->solver->destroy(s->factor);
    s->factor = NULL;
    return factorise(s, start->lowest);
}

static FrResult build(FrStressStatic *s, const FrStressStart *start) {
    s->size = 3 * s->system.matrices.node_count;
    int32_t rigid = s->system.rigid.count;
    s->MR = FR_NEW(s->ctx, double, (int64_t)s->size *(rigid + 1));
    s->r = FR_NEW(s->ctx, double, s->size);
    s->z = FR_NEW(s->ctx, double, s->size);
    s->p = FR_NEW(s->ctx, double, s->size);
    s->Kp = FR_NEW(s->ctx, double, s->size);
    if (!s->MR || !s->r || !s->z || !s->p || !s->Kp) return fr_no_memory(s->ctx, "static answers");
    fr_block_matrix_apply(s->ctx, &s->system.matrices.M, s->system.rigid.R, s->MR, rigid);
    return take_factor(s, start);
}

FrResult fr_stress_static_create(FrContext *ctx, FrModalSystem *system, const FrStressStart *start,
                                 FrStressStatic *s) {
    const FrBackend *backend;
    *s = (FrStressStatic){.ctx = ctx, .system = *system};
    *system = (FrModalSystem){0};
    FrResult result = fr_backend_of(ctx, "static answers", &backend);
    if (result == FR_OK) {
        s->solver = backend->sparse;
        s->factor = start->factor;
        result = build(s, start);
    }
    if (result != FR_OK) fr_stress_static_free(s);
    return result;
}

static double dot(const double *a, const double *b, int32_t size) {
    double sum = 0.0;
    for (int32_t i = 0; i < size; i++) sum += a[i] * b[i];
    return sum;
}

static void add(double *y, double scale, const double *x, int32_t size) {
    for (int32_t i = 0; i < size; i++) y[i] += scale * x[i];
}

// Departs from the paper: P spreads the reaction evenly over nodes, P_M over mass, as a body that
// is accelerated has it (E48).
void fr_stress_balance(const FrStressStatic *s, double *f) {
    for (int32_t k = 0; k < s->system.rigid.count; k++) {
        size_t at = (size_t)k * (size_t)s->size;
        add(f, -dot(s->system.rigid.R + at, f, s->size), s->MR + at, s->size);
    }
}

// P f = f - Q Q'f, Q an orthonormal basis of the rigid motions (Gram-Schmidt)           [S7 eq. 3]
FrResult fr_stress_balance_even(const FrStressStatic *s, double *f) {
    int32_t count = s->system.rigid.count, size = s->size;
    if (!count) return FR_OK;
    double *Q = FR_NEW(s->ctx, double, (int64_t)size *count);
    if (!Q) return fr_no_memory(s->ctx, "static answers");
    memcpy(Q, s->system.rigid.R, (size_t)size * (size_t)count * sizeof *Q);
    for (int32_t k = 0; k < count; k++) {
        double *q = Q + (size_t)k * (size_t)size;
        for (int pass = 0; pass < 2; pass++)
            for (int32_t j = 0; j < k; j++) {
                const double *p = Q + (size_t)j * (size_t)size;
                add(q, -dot(p, q, size), p, size);
            }
        double length = sqrt(dot(q, q, size));
        for (int32_t i = 0; i < size; i++) q[i] /= length;
    }
    for (int32_t k = 0; k < count; k++) {
        const double *q = Q + (size_t)k * (size_t)size;
        add(f, -dot(q, f, size), q, size);
    }
    fr_free(s->ctx, Q);
    return FR_OK;
}

// u less its rigid motion
static void settle(const FrStressStatic *s, double *u) {
    for (int32_t k = 0; k < s->system.rigid.count; k++) {
        size_t at = (size_t)k * (size_t)s->size;
        add(u, -dot(s->MR + at, u, s->size), s->system.rigid.R + at, s->size);
    }
}

// z = (K - shift M)^-1 r, without rigid motion
static FrResult precondition(FrStressStatic *s) {
    memcpy(s->z, s->r, (size_t)s->size * sizeof(double));
    fr_stress_balance(s, s->z);
    FR_TRY(s->solver->solve(s->factor, s->z, s->z, 1));
    settle(s, s->z);
    return FR_OK;
}

// r = g - K u; its length over that of g
static double true_residual(FrStressStatic *s, const double *g, const double *u, double length) {
    fr_block_matrix_apply(s->ctx, &s->system.matrices.K, u, s->r, 1);
    for (int32_t i = 0; i < s->size; i++) s->r[i] = g[i] - s->r[i];
    return sqrt(dot(s->r, s->r, s->size)) / length;
}

// conjugate gradients on K from the residual r, until it is below `enough`
static FrResult iterate(FrStressStatic *s, double enough, double *u, int32_t *steps) {
    FR_TRY(precondition(s));
    double rho = dot(s->r, s->z, s->size), first = rho;
    memcpy(s->p, s->z, (size_t)s->size * sizeof(double));
    for (int step = 1;; step++) {
        ++*steps;
        fr_block_matrix_apply(s->ctx, &s->system.matrices.K, s->p, s->Kp, 1);
        double alpha = rho / dot(s->p, s->Kp, s->size);
        if (!isfinite(alpha)) return FR_OK; // r is 0 to rounding
        add(u, alpha, s->p, s->size);
        add(s->r, -alpha, s->Kp, s->size);
        if (step == MOST_STEPS || sqrt(dot(s->r, s->r, s->size)) <= enough) return FR_OK;
        FR_TRY(precondition(s));
        double next = dot(s->r, s->z, s->size), beta = next / rho;
        if (!(next > ROUNDING * first)) return FR_OK;
        for (int32_t i = 0; i < s->size; i++) s->p[i] = s->z[i] + beta * s->p[i];
        rho = next;
    }
}

// K u = f                                                                             [S7 eq. 1]
// u* = P V (V' K V)^-1 V' P f                                                         [S7 eq. 3]
// Departs from the paper: its V, which holds three nodes, breaks the 3x3 blocks that make factors
// quick. Here the factor is that of K - s M, s < 0 and far below the lowest elastic frequency, and
// a few steps of conjugate gradients on K take away what s leaves; g = P_M f comes balanced.
FrResult fr_stress_solve(FrStressStatic *s, const double *g, double tolerance, double *u,
                         FrStressSolve *report) {
    double length = sqrt(dot(g, g, s->size));
    *report = (FrStressSolve){0};
    memset(u, 0, (size_t)s->size * sizeof(double));
    if (!(length > 0.0)) return FR_OK;
    memcpy(s->r, g, (size_t)s->size * sizeof(double));
    for (int round = 0; round < MOST_ROUNDS; round++) {
        FR_TRY(iterate(s, AIM * tolerance * length, u, &report->steps));
        report->residual = true_residual(s, g, u, length);
        if (report->residual <= tolerance) return FR_OK;
    }
    return fr_fail(s->ctx, FR_NUMERICAL,
                   "a static answer keeps a residual of %.2g after %d steps, %.2g is asked for",
                   report->residual, report->steps, tolerance);
}
