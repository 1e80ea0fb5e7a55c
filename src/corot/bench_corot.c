// bench_corot.c: how fast a corot body steps, against what memory allows and against a plain loop.

#include "corot/bench_corot.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/tasks.h"
#include "corot/corot_body.h"

#define ROUNDS 20
#define STEP 0.01
#define FAR (1 << 22) // numbers of an array that no cache holds

// Bytes that a step moves at least, with doubles of 8: n nodes, t tets, b blocks of the matrix.
//   a round of the solver: blocks and columns 76 b, vectors of the product 48 n; x, r, q, p, z and
//   the inverted blocks 240 n; the new direction 72 n
//   the matrix: written 72 b, tets read 160 t, entries 80 t; its diagonal inverted 144 n
//   tets: read and written 368 t, turned gradients 160 t, forces of corners 192 t, added up 352 t
static double bytes_of(const FrCorot *b) {
    double n = b->node_count, t = b->tet_count, blocks = b->A.start[b->node_count];
    return (ROUNDS + 1) * (76.0 * blocks + 360.0 * n) + 72.0 * blocks + 240.0 * t + 144.0 * n +
           1072.0 * t;
}

typedef struct Triad {
    double *a, *b, *c;
} Triad;

static void triad_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Triad *t = arg;
    (void)chunk, (void)worker;
    for (int32_t k = begin; k < end; k++) t->a[k] = t->b[k] + 3.0 * t->c[k];
}

// a = b + 3 c: 24 bytes a number (McCalpin 1995)
static FrResult measure_bandwidth(FrContext *ctx, double seconds, double *bandwidth) {
    Triad t = {FR_NEW(ctx, double, FAR), FR_NEW(ctx, double, FAR), FR_NEW(ctx, double, FAR)};
    double begun = fr_wall_seconds();
    *bandwidth = 0.0;
    while (t.a && t.b && t.c && fr_wall_seconds() - begun < seconds) {
        double start = fr_wall_seconds();
        fr_parallel_for(ctx, FAR, 1 << 14, triad_chunk, &t);
        *bandwidth = fr_max(*bandwidth, 24.0 * FAR / (fr_wall_seconds() - start));
    }
    FR_FREE_ALL(ctx, t.a, t.b, t.c);
    return *bandwidth > 0.0 ? FR_OK : fr_no_memory(ctx, "a benchmark");
}

static FrResult make_cube(FrContext *ctx, int32_t tets, FrTetMesh *mesh) {
    static const int32_t path[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}};
    int32_t n = fr_max_i((int32_t)(cbrt(tets / 6.0) + 0.5), 1), m = n + 1, at[3] = {1, m, m * m};
    *mesh = (FrTetMesh){.node_count = m * m * m, .tet_count = 6 * n * n * n, .order = 1};
    mesh->corner_count = mesh->node_count;
    mesh->x = FR_NEW(ctx, double, 3 * (size_t)mesh->node_count);
    mesh->tet = fr_alloc_zero(ctx, (size_t)mesh->tet_count, sizeof mesh->tet[0]);
    if (!mesh->x || !mesh->tet) return fr_no_memory(ctx, "the benchmark's mesh");
    for (int32_t k = 0; k < mesh->node_count; k++)
        fr_set3(mesh->x, k, fr_vec3(0.01 * (k % m), 0.01 * (k / m % m), 0.01 * (k / (m * m))));
    for (int32_t c = 0; c < n * n * n; c++) {
        int32_t corner = c % n + m * (c / n % n) + m * m * (c / (n * n));
        for (int32_t k = 0; k < 6; k++) {
            int32_t first = corner + at[path[k][0]], second = first + at[path[k][1]];
            int32_t *t = mesh->tet[6 * c + k];
            t[0] = corner, t[1] = k < 3 ? first : second, t[2] = k < 3 ? second : first;
            t[3] = corner + at[0] + at[1] + at[2];
        }
    }
    return FR_OK;
}

static void strain(FrCorot *b) {
    FrRandom r = fr_random_for(1, "corot-bench", 0);
    for (int32_t k = 0; k < 3 * b->node_count; k++) {
        b->p[k] += fr_random_range(&r, -1e-3, 1e-3);
        b->q[k] = b->p[k];
    }
}

// the parts of a step in their order, with exactly so many rounds; returns the time of matrix and
// solver, s
static double step_once(FrCorot *b, const FrCgSystem *system) {
    FrCorotSums sums;
    double start = fr_wall_seconds();
    fr_corot_assemble(b, STEP);
    for (int32_t k = 0; k < 3 * b->node_count; k++) {
        b->cg.b[k] = STEP * b->f[k];
        b->cg.x[k] = 0.0;
    }
    fr_cg_prepare(b->ctx, system);
    fr_cg_solve(b->ctx, system, (FrCgLimit){0.0, ROUNDS});
    double took = fr_wall_seconds() - start;
    fr_corot_renew(b, b->began.p, STEP, &sums);
    fr_corot_gather(b, b->frozen, b->began.v);
    return took;
}

/// The matrix as rows of single numbers.
typedef struct Plain {
    int32_t size, *start, *column;
    double *value, *x, *r, *p, *q;
} Plain;

static FrResult make_plain(const FrCorot *b, Plain *s) {
    const FrBlockMatrix *A = &b->A;
    int32_t entries = A->start[A->node_count];
    *s = (Plain){.size = 3 * A->node_count};
    s->start = FR_NEW(b->ctx, int32_t, s->size + 1);
    s->column = FR_NEW(b->ctx, int32_t, 9 * (size_t)entries);
    s->value = FR_NEW(b->ctx, double, 9 * (size_t)entries);
    double **vector[] = {&s->x, &s->r, &s->p, &s->q};
    for (int k = 0; k < 4; k++) *vector[k] = FR_NEW(b->ctx, double, s->size);
    if (!s->start || !s->column || !s->value || !s->x || !s->r || !s->p || !s->q)
        return fr_no_memory(b->ctx, "a benchmark");
    for (int32_t row = 0, k = 0; row < s->size; row++) {
        for (int32_t e = A->start[row / 3]; e < A->start[row / 3 + 1]; e++)
            for (int32_t c = 0; c < 3; c++) s->column[k++] = 3 * A->column[e] + c;
        s->start[row + 1] = k;
    }
    return FR_OK;
}

static void free_plain(FrContext *ctx, Plain *s) {
    FR_FREE_ALL(ctx, s->start, s->column, s->value, s->x, s->r, s->p, s->q);
}

static double *entry_of(const Plain *s, int32_t row, int32_t column) {
    int32_t k = s->start[row];
    while (s->column[k] != column) k++;
    return &s->value[k];
}

// K_e = R (V B' E B) R' of a tet into rows of single numbers, one by one        [S5 eq. 4, 7]
static void plain_tet(const FrCorot *b, int32_t e, const Plain *s) {
    const FrCorotTet *t = &b->now[e];
    double lambda = STEP * STEP * t->lambda, mu = STEP * STEP * t->mu;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const double *a = t->h[i], *c = t->h[j];
            double even = mu * (a[0] * c[0] + a[1] * c[1] + a[2] * c[2]);
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++)
                    *entry_of(s, 3 * b->tet[e][i] + r, 3 * b->tet[e][j] + q) +=
                        lambda * a[r] * c[q] + mu * c[r] * a[q] + (r == q ? even : 0.0);
        }
}

static double plain_product(const Plain *s) {
    double sum = 0.0;
    for (int32_t row = 0; row < s->size; row++) {
        double y = 0.0;
        for (int32_t k = s->start[row]; k < s->start[row + 1]; k++)
            y += s->value[k] * s->p[s->column[k]];
        s->q[row] = y;
        sum += y * s->p[row];
    }
    return sum;
}

// the solver alone, without preconditioner: what a plain program does
static void plain_solve(const FrCorot *b, const Plain *s) {
    double rr = 0.0;
    for (int32_t k = 0; k < s->size; k++) {
        s->r[k] = s->p[k] = STEP * b->f[k];
        s->x[k] = 0.0;
        rr += s->r[k] * s->r[k];
    }
    for (int round = 0; round < ROUNDS; round++) {
        double a = rr / plain_product(s), next = 0.0;
        for (int32_t k = 0; k < s->size; k++) {
            s->x[k] += a * s->p[k];
            s->r[k] -= a * s->q[k];
            next += s->r[k] * s->r[k];
        }
        for (int32_t k = 0; k < s->size; k++) s->p[k] = s->r[k] + next / rr * s->p[k];
        rr = next;
    }
}

static void plain_step(const FrCorot *b, const Plain *s) {
    for (int32_t k = 0; k < s->start[s->size]; k++) s->value[k] = 0.0;
    for (int32_t n = 0; n < s->size; n++) *entry_of(s, n, n) += b->mass[n / 3];
    for (int32_t e = 0; e < b->tet_count; e++) plain_tet(b, e, s);
    plain_solve(b, s);
}

static FrResult time_body(FrCorot *b, double seconds, FrCorotBench *bench) {
    FrCgPart part = {&b->A, 0};
    FrCgSystem system = {.part = &part, .part_count = 1, .node_count = b->node_count, .at = &b->cg};
    if (!fr_cg_reserve(b->ctx, &b->cg, b->node_count)) return fr_no_memory(b->ctx, "a benchmark");
    Plain plain;
    double begun = fr_wall_seconds();
    strain(b);
    bench->step_seconds = bench->solve_seconds = bench->plain_seconds = HUGE_VAL;
    do {
        double start = fr_wall_seconds();
        bench->solve_seconds = fr_min(bench->solve_seconds, step_once(b, &system));
        bench->step_seconds = fr_min(bench->step_seconds, fr_wall_seconds() - start);
    } while (fr_wall_seconds() - begun < seconds);
    FrResult result = make_plain(b, &plain);
    for (int k = 0; result == FR_OK && k < 3; k++) {
        double start = fr_wall_seconds();
        plain_step(b, &plain);
        bench->plain_seconds = fr_min(bench->plain_seconds, fr_wall_seconds() - start);
    }
    free_plain(b->ctx, &plain);
    bench->bytes = bytes_of(b);
    return result;
}

FrResult fr_corot_bench(FrContext *ctx, int32_t tets, double seconds, FrCorotBench *bench) {
    FrTetMesh mesh;
    FrMaterial material = {.name = "bench", .density = 1000.0, .opacity = 1.0f};
    FrCorot *body = NULL;
    fr_material_set_young(&material, 1e7, 0.33);
    *bench = (FrCorotBench){0};
    FrCorotDef def = {
        .mesh = &mesh, .material = &material, .material_count = 1, .rotation = {1, 0, 0, 0}};
    FR_TRY(measure_bandwidth(ctx, 0.3 * seconds, &bench->bandwidth));
    FrResult result = make_cube(ctx, tets, &mesh);
    if (result == FR_OK) result = fr_corot_create(ctx, &def, &body);
    bench->tets = mesh.tet_count, bench->nodes = mesh.node_count;
    if (result == FR_OK) result = time_body(body, seconds, bench);
    fr_corot_destroy(body);
    fr_free(ctx, mesh.x);
    fr_free(ctx, mesh.tet);
    return result;
}
