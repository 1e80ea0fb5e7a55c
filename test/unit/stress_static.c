// stress_static.c: static answers of a small free body against full matrices, and against S7's way.

#include "modal_kit.h"
#include "base/random.h"
#include "modal/stress_model.h"

static double *zeros(int count) { return calloc((size_t)count, sizeof(double)); }

// x of A x = b by Gauss with pivots; false: singular (a pivot below 1e-12 of the largest)
static bool solve_full(double *A, double *b, int n) {
    double largest = 0.0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            double t = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = t;
        }
        double t = b[k];
        b[k] = b[best];
        b[best] = t;
        largest = fr_max(largest, fabs(A[k * n + k]));
        if (!(fabs(A[k * n + k]) > 1e-12 * largest)) return false; // rounding
        for (int i = k + 1; i < n; i++) {
            double by = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= by * A[k * n + j];
            b[i] -= by * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return true;
}

/// A small body in full matrices, and its static solver.
typedef struct Small {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial material;
    FrStressStatic fixed;
    int n;         ///< unknowns
    double *K;     ///< for E = 1, full (n * n)
    double *T;     ///< columns of T, orthonormal (6 * n)
    double *f, *g; ///< a load, and what inertia leaves of it (n)
} Small;

static Small make_small(void) {
    Small s = {.ctx = make_modal_context(1), .material = kit_material(2500.0, 7e10, 0.22)};
    s.mesh = kit_box(s.ctx, fr_vec3(0.05, 0.03, 0.02), 3, 2, 1, 2);
    FrModalDef def = {.mesh = &s.mesh, .material = &s.material, .material_count = 1, .count = 1};
    FrModalSystem system;
    FrModesReport report;
    CHECK_OK(s.ctx, fr_modal_system(s.ctx, &def, &system, &report));
    s.n = 3 * system.matrices.node_count;
    CHECK(s.mesh.node_count < 200);
    CHECK_OK(s.ctx,
             fr_stress_static_create(s.ctx, &system, &(FrStressStart){.lowest = 1e3}, &s.fixed));
    s.K = zeros(s.n * s.n);
    const FrBlockMatrix *K = &s.fixed.system.matrices.K;
    for (int r = 0; r < s.n / 3; r++)
        for (int32_t k = K->start[r]; k < K->start[r + 1]; k++)
            for (int a = 0; a < 9; a++)
                s.K[(3 * r + a / 3) * s.n + 3 * K->column[k] + a % 3] = K->value[9 * k + a];
    // T of S7's appendix B, then Gram-Schmidt twice
    s.T = zeros(6 * s.n);
    for (int r = 0; r < s.n / 3; r++) {
        FrVec3 x = fr_get3(s.mesh.x, r);
        double rows[3][6] = {
            {1, 0, 0, 0, x.z, -x.y}, {0, 1, 0, -x.z, 0, x.x}, {0, 0, 1, x.y, -x.x, 0}};
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 6; c++) s.T[c * s.n + 3 * r + a] = rows[a][c];
    }
    for (int c = 0; c < 6; c++) {
        double *v = s.T + c * s.n;
        for (int pass = 0; pass < 2; pass++)
            for (int p = 0; p < c; p++) {
                double along = kit_dot(v, s.T + p * s.n, s.n);
                for (int i = 0; i < s.n; i++) v[i] -= along * s.T[p * s.n + i];
            }
        double length = sqrt(kit_dot(v, v, s.n));
        for (int i = 0; i < s.n; i++) v[i] /= length;
    }
    s.f = zeros(s.n);
    s.g = zeros(s.n);
    FrRandom r = fr_random_for(1, "stress", 0);
    for (int i = 0; i < s.n; i++) s.f[i] = s.g[i] = fr_random_range(&r, -1, 1);
    fr_stress_balance(&s.fixed, s.g);
    return s;
}

static void free_small(Small *s) {
    fr_stress_static_free(&s->fixed);
    fr_tetmesh_free(s->ctx, &s->mesh);
    free(s->K);
    free(s->T);
    free(s->f);
    free(s->g);
    fr_context_destroy(s->ctx);
}

// v - Q Q' v
static void project(const Small *s, double *v) {
    for (int c = 0; c < 6; c++) {
        double along = kit_dot(v, s->T + c * s->n, s->n);
        for (int i = 0; i < s->n; i++) v[i] -= along * s->T[c * s->n + i];
    }
}

// u of the solver with S7's choice of its rigid part
static void our_u(Small *s, const double *g, double *u) {
    FrStressSolve report;
    CHECK_OK(s->ctx, fr_stress_solve(&s->fixed, g, 1e-12, u, &report));
    CHECK(report.residual <= 1e-12 && report.steps <= 4); // solver: asked for
    project(s, u);
}

static void check_same(const Small *s, const double *a, const double *b) {
    double scale = sqrt(kit_dot(b, b, s->n)), off = 0.0;
    for (int i = 0; i < s->n; i++) off = fr_max(off, fabs(a[i] - b[i]));
    CHECK(off <= 1e-10 * scale); // solver: residual 1e-12 times a condition of some 1e2
}

// K + t Q Q' has the inverse pinv(K) + Q Q' / t
TEST(u_is_the_pseudoinverse) {
    Small s = make_small();
    double *u = zeros(s.n), *b = zeros(s.n);
    double *A = zeros(s.n * s.n), t = s.K[0];
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < s.n; j++) {
            A[i * s.n + j] = s.K[i * s.n + j];
            for (int c = 0; c < 6; c++) A[i * s.n + j] += t * s.T[c * s.n + i] * s.T[c * s.n + j];
        }
    memcpy(b, s.g, (size_t)s.n * sizeof(double));
    CHECK(solve_full(A, b, s.n));
    our_u(&s, s.g, u);
    check_same(&s, u, b);
    free(A);
    free(b);
    free(u);
    free_small(&s);
}

/// S7's V: t1 stays, t2 moves along a, t3 along a and b; every other node is free.
typedef struct Held3 {
    int t[3];
    FrVec3 a, b;
} Held3;

static Held3 hold_three(const FrTetMesh *mesh) {
    Held3 h = {{0, 0, 0}, fr_vec3_zero, fr_vec3_zero};
    FrVec3 x0 = fr_get3(mesh->x, 0);
    double most = 0.0;
    for (int n = 0; n < mesh->node_count; n++)
        if (fr_distance(fr_get3(mesh->x, n), x0) > most)
            most = fr_distance(fr_get3(mesh->x, h.t[1] = n), x0);
    h.a = fr_normalize(fr_sub(fr_get3(mesh->x, h.t[1]), x0));
    most = 0.0;
    for (int n = 0; n < mesh->node_count; n++) {
        double off = fr_length(fr_cross(h.a, fr_sub(fr_get3(mesh->x, n), x0)));
        if (off > most) most = off, h.t[2] = n;
    }
    h.b = fr_normalize(fr_cross(fr_cross(h.a, fr_sub(fr_get3(mesh->x, h.t[2]), x0)), h.a));
    return h;
}

// columns of V, n - 6 of them, one after the other; t3 moves along `first` and `second`
static int make_V(const Small *s, const Held3 *h, FrVec3 first, FrVec3 second, double *V) {
    int count = 0;
    for (int r = 0; r < s->n / 3; r++) {
        FrVec3 way[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        int ways = r == h->t[0] ? 0 : r == h->t[1] ? 1 : r == h->t[2] ? 2 : 3;
        if (ways == 1) way[0] = h->a;
        if (ways == 2) way[0] = first, way[1] = second;
        for (int k = 0; k < ways; k++) fr_set3(V + (size_t)(s->n * count++), r, way[k]);
    }
    return count;
}

// u = P V (V' K V)^-1 V' g; false: V' K V is singular
static bool s7_u(const Small *s, FrVec3 first, FrVec3 second, double *u) {
    Held3 h = hold_three(&s->mesh);
    int n = s->n;
    double *V = zeros(n * n), *KV = zeros(n * n), *Kr = zeros(n * n), *r = zeros(n);
    int m = make_V(s, &h, first, second, V);
    CHECK_INT(m, n - 6);
    for (int c = 0; c < m; c++) {
        for (int i = 0; i < n; i++) KV[c * n + i] = kit_dot(s->K + i * n, V + c * n, n);
        r[c] = kit_dot(V + c * n, s->g, n);
    }
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) Kr[a * m + b] = kit_dot(V + a * n, KV + b * n, n);
    bool regular = solve_full(Kr, r, m);
    for (int i = 0; i < n; i++) u[i] = 0.0;
    for (int c = 0; c < m && regular; c++)
        for (int i = 0; i < n; i++) u[i] += r[c] * V[c * n + i];
    project(s, u);
    free(V);
    free(KV);
    free(Kr);
    free(r);
    return regular;
}

// S7's own way gives the same, with a and b for t3. With {b, a x b} the body may turn about a, and
// V'KV is singular (E46). That V'U is regular is due to V, which has no rigid motion in it: both
// are orthogonal with the misread V, too (E47).
TEST(s7s_own_way_agrees) {
    Small s = make_small();
    Held3 h = hold_three(&s.mesh);
    double *u = zeros(s.n), *v = zeros(s.n);
    CHECK(s7_u(&s, h.a, h.b, v));
    our_u(&s, s.g, u);
    check_same(&s, u, v);
    CHECK(!s7_u(&s, h.b, fr_cross(h.a, h.b), v));
    free(u);
    free(v);
    free_small(&s);
}

// f = M T c only accelerates: nothing is left of it. P leaves something (E48).
TEST(what_accelerates_does_not_strain) {
    Small s = make_small();
    double *f = zeros(s.n), *even = zeros(s.n), *Tc = zeros(s.n);
    for (int c = 0; c < 6; c++)
        for (int i = 0; i < s.n; i++) Tc[i] += (c + 1) * s.T[c * s.n + i];
    fr_block_matrix_apply(s.ctx, &s.fixed.system.matrices.M, Tc, f, 1);
    memcpy(even, f, (size_t)s.n * sizeof(double));
    double before = sqrt(kit_dot(f, f, s.n));
    fr_stress_balance(&s.fixed, f);
    project(&s, even);
    CHECK(sqrt(kit_dot(f, f, s.n)) < 1e-13 * before); // rounding
    CHECK(sqrt(kit_dot(even, even, s.n)) > 0.1 * before);
    // a balanced load stays as it is, and does no work on rigid motion
    memcpy(even, s.g, (size_t)s.n * sizeof(double));
    fr_stress_balance(&s.fixed, even);
    for (int i = 0; i < s.n; i++) CHECK_NEAR(even[i], s.g[i], 1e-12); // rounding
    project(&s, even);
    for (int i = 0; i < s.n; i++) CHECK_NEAR(even[i], s.g[i], 1e-12); // rounding
    free(f);
    free(even);
    free(Tc);
    free_small(&s);
}

// no load, no answer
TEST(nothing_does_nothing) {
    Small s = make_small();
    double *u = zeros(s.n), *g = zeros(s.n);
    FrStressSolve report;
    u[3] = 1.0;
    CHECK_OK(s.ctx, fr_stress_solve(&s.fixed, g, 1e-8, u, &report));
    for (int i = 0; i < s.n; i++) CHECK(u[i] == 0.0);
    CHECK_INT(report.steps, 0);
    // more than doubles hold: refused, with the number that was reached
    CHECK_INT(fr_stress_solve(&s.fixed, s.g, 1e-19, u, &report), FR_NUMERICAL);
    CHECK_HAS(fr_context_message(s.ctx), "keeps a residual of");
    CHECK(report.residual < 1e-10); // rounding, times the condition
    free(u);
    free(g);
    free_small(&s);
}
