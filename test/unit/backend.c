// backend.c: factors, solves, counts of eigenvalues, and what happens when they cannot be had.

#include "modal_kit.h"
#include "backend/alone.h"
#include "backend/backend.h"
#include "backend/factor.h"
#include "base/hash.h"
#include "base/random.h"
#include "modal/compute.h"
#include <cblas.h>
#include <dlfcn.h>
#include <pthread.h>

typedef struct System {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMatrices m;
} System;

static System make_system(FrContext *ctx, int n, int order) {
    System s = {.ctx = ctx, .mesh = kit_box(ctx, fr_vec3(1, 0.8, 0.7), n, n, n, order)};
    FrMaterial material = kit_material(1.0, 1.0, 0.3);
    FrMatricesDef def = {&s.mesh, &material, 1, false, NULL};
    CHECK_OK(ctx, fr_matrices_assemble(ctx, &def, &s.m));
    return s;
}
static void free_system(System *s) {
    fr_matrices_free(s->ctx, &s->m);
    fr_tetmesh_free(s->ctx, &s->mesh);
}

// (K + M) x = b, many at a time, and another shift on the same analysis
TEST(solves_are_right) {
    FrContext *ctx = make_context(1);
    System s = make_system(ctx, 5, 2);
    const FrSparseSolver *solver = fr_studio_backend()->sparse;
    FrFactor *factor = NULL;
    int32_t size = 3 * s.m.node_count, columns = 5;
    double *X = calloc(4 * (size_t)(size * columns), sizeof(double)), *B = X + size * columns,
           *KX = B + size * columns, *MX = KX + size * columns;
    FrRandom r = fr_random_for(1, "solve", 0);
    for (int32_t k = 0; k < size * columns; k++) B[k] = fr_random_range(&r, -1, 1);
    for (int pass = 0; pass < 2; pass++) {
        double shift = pass ? -0.5 : -3.0;
        FrSparse A;
        FrSolveReason reason;
        CHECK_OK(ctx, fr_sparse_shifted(ctx, &s.m.K, shift, &s.m.M, &A));
        if (!factor) CHECK_OK(ctx, solver->analyse(ctx, &A, &factor));
        CHECK_OK(ctx, solver->factorise(factor, &A, &reason));
        CHECK_INT(reason, FR_SOLVE_CONVERGED);
        CHECK_OK(ctx, solver->solve(factor, B, X, columns));
        fr_block_matrix_apply(ctx, &s.m.K, X, KX, columns);
        fr_block_matrix_apply(ctx, &s.m.M, X, MX, columns);
        double worst = 0.0;
        for (int32_t k = 0; k < size * columns; k++)
            worst = fr_max(worst, fabs(KX[k] - shift * MX[k] - B[k]));
        CHECK(worst < 1e-10); // rounding times a condition of some 1e4
        fr_sparse_free(ctx, &A);
    }
    solver->destroy(factor);
    solver->destroy(NULL);
    free(X);
    free_system(&s);
    fr_context_destroy(ctx);
}

TEST(not_positive_is_a_reason) {
    FrContext *ctx = make_context(1);
    System s = make_system(ctx, 3, 1);
    const FrSparseSolver *solver = fr_studio_backend()->sparse;
    FrFactor *factor;
    FrSparse A;
    FrSolveReason reason;
    CHECK_OK(ctx, fr_sparse_shifted(ctx, &s.m.K, 40.0, &s.m.M, &A));
    CHECK_OK(ctx, solver->analyse(ctx, &A, &factor));
    CHECK_OK(ctx, solver->factorise(factor, &A, &reason));
    CHECK_INT(reason, FR_SOLVE_NOT_POSITIVE);
    solver->destroy(factor);
    fr_sparse_free(ctx, &A);
    free_system(&s);
    fr_context_destroy(ctx);
}

// Sylvester: negative pivots of K - s M are eigenvalues below s: six rigid ones, then ever more
TEST(inertia_grows_with_the_cut) {
    int32_t counts[2][6];
    for (int workers = 1; workers <= 2; workers++) {
        FrContext *ctx = make_context(workers);
        System s = make_system(ctx, 5, 2);
        const FrSparseSolver *solver = fr_studio_backend()->sparse;
        FrFactor *factor = NULL;
        for (int k = 0; k < 6; k++) {
            FrSparse A;
            bool safe;
            CHECK_OK(ctx, fr_sparse_shifted(ctx, &s.m.K, 0.05 * (1 << (2 * k)), &s.m.M, &A));
            if (!factor) CHECK_OK(ctx, solver->analyse(ctx, &A, &factor));
            CHECK_OK(ctx, solver->inertia(factor, &A, &counts[workers - 1][k], &safe));
            CHECK(safe);
            fr_sparse_free(ctx, &A);
        }
        solver->destroy(factor);
        free_system(&s);
        fr_context_destroy(ctx);
    }
    CHECK_INT(counts[0][0], 6);
    for (int k = 0; k < 6; k++) CHECK_INT(counts[1][k], counts[0][k]);
    for (int k = 1; k < 6; k++) CHECK(counts[0][k] >= counts[0][k - 1]);
    CHECK(counts[0][5] > 50);
}

// the same counts as the list of all eigenvalues of a small body
TEST(inertia_is_the_list) {
    FrContext *ctx = make_context(1);
    System s = make_system(ctx, 3, 1);
    uint8_t held[64] = {0};
    FrMaterial material = kit_material(1.0, 1.0, 0.3);
    for (int32_t n = 0; n < s.mesh.node_count; n++) held[n] = s.mesh.x[3 * n] < -0.49;
    FrMatricesDef def = {&s.mesh, &material, 1, false, held};
    FrMatrices m;
    CHECK_OK(ctx, fr_matrices_assemble(ctx, &def, &m));
    FrEigenProblem problem = {.K = &m.K, .M = &m.M, .count = 3 * m.node_count};
    FrEigenPairs all;
    FrEigenReport report;
    CHECK_OK(ctx, fr_studio_backend()->eigen(ctx, &problem, &all, &report));
    CHECK(report.dense);
    CHECK_INT(all.count, 3 * m.node_count);
    const FrSparseSolver *solver = fr_studio_backend()->sparse;
    FrFactor *factor = NULL;
    for (int32_t i = 0; i + 1 < all.count; i += 7) {
        if (all.lambda[i + 1] - all.lambda[i] < 1e-6 * all.lambda[i]) continue;
        double cut = 0.5 * (all.lambda[i] + all.lambda[i + 1]);
        FrSparse A;
        int32_t negative;
        bool safe;
        CHECK_OK(ctx, fr_sparse_shifted(ctx, &m.K, cut, &m.M, &A));
        if (!factor) CHECK_OK(ctx, solver->analyse(ctx, &A, &factor));
        CHECK_OK(ctx, solver->inertia(factor, &A, &negative, &safe));
        CHECK(safe);
        CHECK_INT(negative, i + 1);
        fr_sparse_free(ctx, &A);
    }
    solver->destroy(factor);
    fr_eigen_pairs_free(ctx, &all);
    fr_matrices_free(ctx, &m);
    free_system(&s);
    fr_context_destroy(ctx);
}

// (K - shift M)^-1 M x = x / (lambda - shift) of an eigenvector
static void check_factor(FrContext *ctx, const FrMatrices *m, FrFactor *factor, double shift,
                         const FrEigenPairs *pairs) {
    double *y = malloc((size_t)pairs->size * sizeof *y), most = 0, off = 0;
    fr_block_matrix_apply(ctx, &m->M, pairs->X, y, 1);
    CHECK_OK(ctx, fr_studio_backend()->sparse->solve(factor, y, y, 1));
    for (int32_t i = 0; i < pairs->size; i++) {
        double x = pairs->X[i] / (pairs->lambda[0] - shift);
        most = fmax(most, fabs(x));
        off = fmax(off, fabs(y[i] - x));
    }
    CHECK(off < 1e-6 * most); // solver: the eigenvector is good to its tolerance of 1e-7
    free(y);
}

// a limit finds exactly those below it; a count stops there; both: whichever is fewer
TEST(limits_and_counts) {
    FrContext *ctx = make_context(1);
    System s = make_system(ctx, 6, 1);
    uint8_t *held = calloc((size_t)s.mesh.node_count, 1);
    for (int32_t n = 0; n < s.mesh.node_count; n++) held[n] = s.mesh.x[3 * n] < -0.49;
    FrMaterial material = kit_material(1.0, 1.0, 0.3);
    FrMatricesDef def = {&s.mesh, &material, 1, false, held};
    FrMatrices m;
    CHECK_OK(ctx, fr_matrices_assemble(ctx, &def, &m));
    FrEigenProblem problem = {.K = &m.K, .M = &m.M, .count = 40};
    FrEigenPairs first, pairs;
    FrEigenReport report;
    CHECK_OK(ctx, fr_studio_backend()->eigen(ctx, &problem, &first, &report));
    CHECK(!report.dense);
    CHECK_INT(first.count, 40);
    problem.count = 0;
    problem.limit = 0.5 * (first.lambda[24] + first.lambda[25]);
    CHECK_OK(ctx, fr_studio_backend()->eigen(ctx, &problem, &pairs, &report));
    CHECK_INT(pairs.count, 25);
    CHECK_INT(report.counted, 25);
    // solver: eigenvalues converge to some 1e-13
    for (int32_t i = 0; i < 25; i++) CHECK_CLOSE(pairs.lambda[i], first.lambda[i], 1e-11);
    fr_eigen_pairs_free(ctx, &pairs);
    problem.count = 7;
    CHECK_OK(ctx, fr_studio_backend()->eigen(ctx, &problem, &pairs, &report));
    CHECK_INT(pairs.count, 7);
    fr_eigen_pairs_free(ctx, &pairs);
    FrFactor *factor = NULL;
    problem.unproved = true;
    problem.factor = &factor;
    const int32_t most[] = {40, 12};
    for (int k = 0; k < 2; k++) { // ended by the limit, then by the count
        problem.count = most[k];
        CHECK_OK(ctx, fr_studio_backend()->eigen(ctx, &problem, &pairs, &report));
        CHECK_INT(pairs.count, fr_min_i(25, most[k]));
        CHECK_INT(report.counted, -1);
        // solver: 1e-7 of the equation is 1e-14 of the value, over the gap to the next
        for (int32_t i = 0; i < pairs.count; i++)
            CHECK_CLOSE(pairs.lambda[i], first.lambda[i], 1e-10);
        CHECK(factor != NULL && report.shift < 0);
        check_factor(ctx, &m, factor, report.shift, &pairs);
        fr_studio_backend()->sparse->destroy(factor);
        factor = NULL;
        fr_eigen_pairs_free(ctx, &pairs);
    }
    problem.unproved = false;
    problem.limit = 0.5 * first.lambda[0];
    CHECK_OK(ctx, fr_studio_backend()->eigen(ctx, &problem, &pairs, &report));
    CHECK_INT(pairs.count, 0);
    fr_eigen_pairs_free(ctx, &pairs);
    fr_eigen_pairs_free(ctx, &first);
    fr_matrices_free(ctx, &m);
    free(held);
    free_system(&s);
    fr_context_destroy(ctx);
}

TEST(every_refused_allocation_is_survived) {
    FrContext *plain = make_context(1);
    System s = make_system(plain, 5, 1);
    bool done = false;
    for (int k = 1; !done && k < 400; k++) {
        Refuser refuser = {0};
        FrContext *ctx = make_refusing_context(&refuser);
        int before = refuser.live;
        refuser.refuse_at = refuser.calls + k;
        FrEigenProblem problem = {.K = &s.m.K, .M = &s.m.M, .limit = 2.0};
        FrEigenPairs pairs;
        FrEigenReport report;
        FrResult result = fr_studio_backend()->eigen(ctx, &problem, &pairs, &report);
        // without the rigid motions given, their residuals are judged: that is a numerical failure
        CHECK(result == FR_NUMERICAL || result == FR_OK || result == FR_NO_MEMORY);
        done = result != FR_NO_MEMORY;
        fr_eigen_pairs_free(ctx, &pairs);
        CHECK_INT(refuser.live, before);
        fr_context_destroy(ctx);
    }
    CHECK(done);
    free_system(&s);
    fr_context_destroy(plain);
}

TEST(cancelled_on_the_way) {
    FrContext *ctx = make_context(1);
    System s = make_system(ctx, 5, 1);
    FrEigenProblem problem = {.K = &s.m.K, .M = &s.m.M, .count = 5};
    FrEigenPairs pairs;
    FrEigenReport report;
    fr_context_cancel(ctx);
    CHECK_INT(fr_studio_backend()->eigen(ctx, &problem, &pairs, &report), FR_INTERRUPTED);
    CHECK(pairs.X == NULL);
    free_system(&s);
    fr_context_destroy(ctx);
}

// what a factor takes is known before its numbers are made: entries within the padding of
// supernodes; what does not fit is refused, what takes long is reported
TEST(costs_are_known_before) {
    FrContext *ctx = make_context(1);
    System s = make_system(ctx, 6, 2);
    const FrSparseSolver *solver = fr_studio_backend()->sparse;
    FrFactor *factor;
    FrSparse A;
    CHECK_OK(ctx, fr_sparse_shifted(ctx, &s.m.K, -1.0, &s.m.M, &A));
    CHECK_OK(ctx, solver->analyse(ctx, &A, &factor));
    CHECK_INT(factor->cost.nodes, s.m.node_count);
    double made = (double)factor->L->xsize; // blocks on the diagonal are whole there
    CHECK(factor->cost.entries < 1.05 * made && factor->cost.entries > 0.7 * made);
    CHECK_OK(ctx, fr_factor_afford(ctx, &factor->cost, fr_memory_bytes()));
    CHECK_INT(fr_factor_afford(ctx, &factor->cost, 7.9 * factor->cost.entries), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "larger cells");
    FrFactorCost huge = {400000, 2.2e9, 1e13};
    CHECK_INT(fr_factor_afford(ctx, &huge, 1e12), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "2.2e+09 numbers, 18 GB, of the 17 GB");
    solver->destroy(factor);
    // Ctrl-C is heard between the stages: assembly, order, numbers
    FrMaterial material = kit_material(1.0, 1.0, 0.3);
    FrMatricesDef def = {&s.mesh, &material, 1, false, NULL};
    FrMatrices m;
    fr_context_cancel(ctx);
    CHECK_INT(fr_matrices_assemble(ctx, &def, &m), FR_INTERRUPTED);
    CHECK_INT(solver->analyse(ctx, &A, &factor), FR_INTERRUPTED);
    CHECK(factor == NULL);
    fr_context_resume(ctx);
    CHECK_OK(ctx, solver->analyse(ctx, &A, &factor));
    fr_context_cancel(ctx);
    FrSolveReason reason;
    CHECK_INT(solver->factorise(factor, &A, &reason), FR_INTERRUPTED);
    solver->destroy(factor);
    fr_sparse_free(ctx, &A);
    free_system(&s);
    fr_context_destroy(ctx);
}

typedef struct Alone {
    int32_t cells, workers; ///< of the box along each side, and of its context
    uint64_t hash;          ///< of its modes; 0: it failed
} Alone;

// counts (inertia), orders (METIS), factors, Lanczos steps and the check after them
static void *ring_alone(void *arg) {
    Alone *a = arg;
    FrContext *ctx = make_modal_context(a->workers);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 0.8, 0.7), a->cells, a->cells, a->cells, 2);
    FrMaterial material = kit_material(1.0, 1.0, 0.3);
    FrModalDef def = {.mesh = &mesh, .material = &material, .material_count = 1, .max_hz = 0.45};
    FrModes modes;
    a->hash = 0;
    if (fr_modes_compute(ctx, &def, &modes, NULL) == FR_OK) {
        size_t count = (size_t)modes.mode_count, numbers = 3 * count * (size_t)modes.node_count;
        a->hash = fr_hash_of(modes.lambda, count * sizeof(double), count);
        a->hash = fr_hash_of(modes.shape, numbers * sizeof(double), a->hash);
    }
    fr_modes_free(ctx, &modes);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    return NULL;
}

// One after the other, and side by side while the process has BLAS threads of its own: the same
// bits, and the process keeps its threads. (Where BLAS is not of OpenMP they are set meanwhile.)
TEST(two_contexts_in_two_threads) {
    Alone first[2] = {{9, 1, 0}, {7, 2, 0}};
    for (int k = 0; k < 2; k++) ring_alone(&first[k]);
    CHECK(first[0].hash && first[1].hash);
    int before = openblas_get_num_threads();
    for (int threads = 1; threads <= 3; threads += 2) {
        Alone again[2] = {first[0], first[1]};
        pthread_t thread[2];
        openblas_set_num_threads(threads);
        for (int k = 0; k < 2; k++)
            CHECK_INT(pthread_create(&thread[k], NULL, ring_alone, &again[k]), 0);
        for (int k = 0; k < 2; k++) pthread_join(thread[k], NULL);
        for (int k = 0; k < 2; k++) CHECK(again[k].hash == first[k].hash);
        CHECK_INT(openblas_get_num_threads(), threads);
    }
    openblas_set_num_threads(before);
}

// of OpenMP, which comes with BLAS: how many threads a team of the calling thread would have
extern int omp_get_max_threads(void) __attribute__((weak));
extern int omp_get_max_active_levels(void) __attribute__((weak));
extern void omp_set_num_threads(int threads) __attribute__((weak));

static void *teams_of_another(void *arg) {
    omp_set_num_threads(3);
    pthread_barrier_wait(arg); // the first thread computes from here
    pthread_barrier_wait(arg);
    CHECK_INT(omp_get_max_threads(), 3);
    return NULL;
}

// Computing alone is a setting of the calling thread: neither the process nor another thread sees
// it, and it nests. BLAS, and CHOLMOD's own calls of it, are the library that was linked.
TEST(one_thread_is_a_setting_of_a_thread) {
    CHECK_INT(openblas_get_parallel(), OPENBLAS_OPENMP);
    pthread_barrier_t meet;
    pthread_t thread;
    CHECK_INT(pthread_barrier_init(&meet, NULL, 2), 0);
    CHECK_INT(pthread_create(&thread, NULL, teams_of_another, &meet), 0);
    pthread_barrier_wait(&meet);
    int process = openblas_get_num_threads();
    omp_set_num_threads(2);
    int levels = omp_get_max_active_levels();
    FrBlasBefore outer = fr_blas_begin(), inner = fr_blas_begin();
    CHECK_INT(omp_get_max_threads(), 1);
    CHECK_INT(omp_get_max_active_levels(), 0);
    CHECK_INT(openblas_get_num_threads(), process);
    fr_blas_end(inner);
    CHECK_INT(omp_get_max_threads(), 1);
    pthread_barrier_wait(&meet);
    pthread_join(thread, NULL);
    fr_blas_end(outer);
    CHECK_INT(omp_get_max_threads(), 2);
    CHECK_INT(omp_get_max_active_levels(), levels);
    pthread_barrier_destroy(&meet);
    Dl_info ours, theirs;
    CHECK(dladdr(dlsym(RTLD_DEFAULT, "cblas_dgemm"), &ours) != 0);
    CHECK(dladdr(dlsym(RTLD_DEFAULT, "dgemm_"), &theirs) != 0);
    CHECK_TEXT(theirs.dli_fname, ours.dli_fname);
    CHECK(dladdr(dlsym(RTLD_DEFAULT, "dpotrf_"), &theirs) != 0);
    CHECK_TEXT(theirs.dli_fname, ours.dli_fname);
}

TEST(a_context_without_a_back_end_says_so) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), 2, 2, 2, 1);
    FrMaterial material = kit_material(1.0, 1.0, 0.3);
    FrModalDef def = {.mesh = &mesh, .material = &material, .material_count = 1, .count = 3};
    FrModes modes;
    CHECK_INT(fr_modes_compute(ctx, &def, &modes, NULL), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "FrContextDef.backend = fr_studio_backend()");
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}
