// verify.c: are they eigenvectors, and are they orthogonal? Asked of every result.

#include "backend/eigen.h"
#include "math/vec.h"
#include <cblas.h>
#include <float.h>

// vectors checked at a time
#define AT_ONCE 16
// of the largest |K x - lambda M x| / (lambda |M x|), and of X' M X - 1
#define MOST_RESIDUAL 1e-6
#define MOST_OVERLAP 1e-8
// a residual that no excuse covers
#define HOPELESS 1e-4

typedef struct Verify {
    FrContext *ctx;
    const FrEigenProblem *problem;
    const FrEigenPairs *pairs;
    double *KX, *MX; ///< (size * AT_ONCE)
    double *G;       ///< overlaps (rows * AT_ONCE)
} Verify;

static const double *vectors(const Verify *v, int32_t first) {
    return v->pairs->X + (size_t)first * (size_t)v->pairs->size;
}

static double worst_residual(const Verify *v, int32_t first, int32_t count) {
    size_t n = (size_t)v->pairs->size;
    double worst = 0.0;
    for (int32_t c = 0; c < count; c++) {
        double *Kx = v->KX + n * (size_t)c, *Mx = v->MX + n * (size_t)c,
               lambda = v->pairs->lambda[first + c];
        double size = cblas_dnrm2((int)n, Mx, 1);
        cblas_daxpy((int)n, -lambda, Mx, 1, Kx, 1);
        double residual = cblas_dnrm2((int)n, Kx, 1) / (fabs(lambda) * size);
        if (!(residual <= worst)) worst = residual;
    }
    return worst;
}

// overlaps of some vectors with `count` others, of which vector `same` + c is itself
static double worst_overlap(const Verify *v, const double *others, int32_t count, int32_t same,
                            int32_t columns) {
    int32_t n = v->pairs->size;
    double worst = 0.0;
    if (count == 0) return worst;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count, columns, n, 1.0, others, n, v->MX,
                n, 0.0, v->G, count);
    for (int32_t c = 0; c < columns; c++)
        for (int32_t i = 0; i < count; i++) {
            double off =
                fabs(v->G[(size_t)c * (size_t)count + (size_t)i] - (i == same + c ? 1.0 : 0.0));
            if (!(off <= worst)) worst = off;
        }
    return worst;
}

static void check_some(const Verify *v, int32_t first, int32_t columns, FrEigenReport *report) {
    const FrEigenProblem *p = v->problem;
    fr_block_matrix_apply(v->ctx, p->K, vectors(v, first), v->KX, columns);
    fr_block_matrix_apply(v->ctx, p->M, vectors(v, first), v->MX, columns);
    double residual = worst_residual(v, first, columns);
    double overlap = worst_overlap(v, v->pairs->X, first + columns, first, columns);
    double rigid = worst_overlap(v, p->rigid, p->rigid_count, -columns, columns);
    if (!(residual <= report->residual)) report->residual = residual;
    if (!(overlap <= report->orthogonality)) report->orthogonality = overlap;
    if (!(rigid <= report->orthogonality)) report->orthogonality = rigid;
}

// K x itself is rounded by some eps K_ii: where stiffness spans ten digits more than the lowest
// mode (nearly incompressible material, very flat tets) no vector does better
static double allowed_residual(const Verify *v) {
    if (v->pairs->count == 0) return MOST_RESIDUAL;
    double span = fr_block_matrix_ratio(v->problem->K, v->problem->M) / fabs(v->pairs->lambda[0]);
    return fr_clamp(10.0 * DBL_EPSILON * span, MOST_RESIDUAL, HOPELESS);
}

static FrResult judge(const Verify *v, const FrEigenReport *report) {
    double allowed = allowed_residual(v);
    if (!(report->residual <= allowed))
        return fr_fail(
            v->ctx, FR_NUMERICAL,
            "a mode has a residual of %g; allowed: %g (nearly incompressible materials and "
            "very flat tets make it large)",
            report->residual, allowed);
    if (!(report->orthogonality <= MOST_OVERLAP))
        return fr_fail(v->ctx, FR_NUMERICAL, "two modes overlap by %g; allowed: %g",
                       report->orthogonality, MOST_OVERLAP);
    return FR_OK;
}

FrResult fr_eigen_verify(FrContext *ctx, const FrEigenProblem *problem, const FrEigenPairs *pairs,
                         FrEigenReport *report) {
    Verify v = {.ctx = ctx, .problem = problem, .pairs = pairs};
    size_t numbers = (size_t)pairs->size * AT_ONCE;
    int32_t rows = fr_max_i(pairs->count, problem->rigid_count);
    v.KX = fr_alloc(ctx, numbers * sizeof(double));
    v.MX = fr_alloc(ctx, numbers * sizeof(double));
    v.G = FR_NEW(ctx, double, (int64_t)rows *AT_ONCE);
    report->residual = report->orthogonality = 0.0;
    bool room = v.KX && v.MX && v.G;
    for (int32_t first = 0; room && first < pairs->count; first += AT_ONCE)
        check_some(&v, first, fr_min_i(AT_ONCE, pairs->count - first), report);
    fr_free(ctx, v.KX);
    fr_free(ctx, v.MX);
    fr_free(ctx, v.G);
    return room ? judge(&v, report) : fr_no_memory(ctx, "checking modes");
}
