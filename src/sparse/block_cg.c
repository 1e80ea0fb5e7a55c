// block_cg.c: conjugate gradients with the inverse of the diagonal blocks as preconditioner (Saad
// 2003, algorithm 9.1). Sums are made per chunk of nodes and added in order.

#include "sparse/block_cg.h"
#include "base/tasks.h"
#include "sparse/block_rows.h"
#include <string.h>

#define NODES_A_CHUNK 1024
#define MOST_CHUNKS 4096 // of a system: partial sums on the stack

FrVec3 fr_link_velocity(const FrLink *link, const double *x) {
    FrVec3 u[2];
    const FrLinkSide *side[2] = {&link->a, &link->b};
    for (int k = 0; k < 2; k++) {
        u[k] = fr_vec3_zero;
        for (int32_t i = 0; i < side[k]->count && !side[k]->turns; i++)
            u[k] = fr_axpy(side[k]->weight[i], fr_get3(x, side[k]->node[i]), u[k]);
        if (side[k]->turns)
            u[k] = fr_add(fr_get3(x, side[k]->node[0]),
                          fr_cross(fr_get3(x, side[k]->node[1]), side[k]->arm));
    }
    return fr_sub(u[0], u[1]);
}

static void push_side(const FrLinkSide *side, FrVec3 impulse, double *y) {
    if (side->turns) {
        fr_add3(y, side->node[0], impulse);
        fr_add3(y, side->node[1], fr_cross(side->arm, impulse));
        return;
    }
    for (int32_t i = 0; i < side->count; i++)
        fr_add3(y, side->node[i], fr_scale(side->weight[i], impulse));
}

void fr_link_push(const FrLink *link, FrVec3 impulse, double *y) {
    push_side(&link->a, impulse, y);
    push_side(&link->b, fr_neg(impulse), y);
}

bool fr_cg_reserve(FrContext *ctx, FrCgArrays *at, int32_t node_count) {
    if (at->b && node_count <= at->capacity) return true;
    size_t n = (size_t)node_count + (size_t)node_count / 4 + 1;
    fr_cg_free(ctx, at);
    double **vector[] = {&at->b, &at->x, &at->r, &at->z, &at->p, &at->q};
    bool room = true;
    for (size_t k = 0; k < sizeof vector / sizeof vector[0]; k++)
        room = (*vector[k] = FR_NEW(ctx, double, 3 * n)) && room;
    at->inverse = FR_NEW(ctx, double, 9 * n);
    at->held = FR_NEW(ctx, uint8_t, n);
    at->capacity = (int32_t)n;
    if (room && at->inverse && at->held) return true;
    fr_cg_free(ctx, at);
    return false;
}

void fr_cg_free(FrContext *ctx, FrCgArrays *at) {
    FR_FREE_ALL(ctx, at->b, at->x, at->r, at->z, at->p, at->q, at->inverse, at->held);
    *at = (FrCgArrays){0};
}

static FrMat3 block_at(const double *B) {
    return fr_mat3(fr_get3(B, 0), fr_get3(B, 1), fr_get3(B, 2));
}
static void set_block(double *B, FrMat3 m) {
    fr_set3(B, 0, m.c0);
    fr_set3(B, 1, m.c1);
    fr_set3(B, 2, m.c2);
}

static void add_to_block(double *inverse, int32_t node, FrMat3 m) {
    double *B = inverse + 9 * (size_t)node;
    set_block(B, fr_mat3_add(block_at(B), m));
}

// what a link adds to the diagonal: w^2 W; of a spin A' W A, A u = spin x arm
static void add_side(const FrLinkSide *side, FrSym3 W, double *inverse) {
    FrMat3 full = fr_sym3_full(W);
    if (side->turns) {
        FrVec3 r = side->arm;
        FrMat3 A = {{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}};
        add_to_block(inverse, side->node[0], full);
        add_to_block(inverse, side->node[1],
                     fr_mat3_mul(fr_mat3_transpose(A), fr_mat3_mul(full, A)));
        return;
    }
    for (int32_t i = 0; i < side->count; i++)
        add_to_block(inverse, side->node[i],
                     fr_mat3_scale(side->weight[i] * side->weight[i], full));
}

static void invert(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    double *inverse = arg;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++) {
        double *B = inverse + 9 * (size_t)n;
        set_block(B, fr_mat3_inverse(block_at(B)));
    }
}

static void take_diagonal(const FrCgPart *part, double *inverse) {
    const FrBlockMatrix *A = part->A;
    for (int32_t n = 0; n < A->node_count; n++) {
        int32_t k = A->start[n];
        while (A->column[k] != n) k++;
        memcpy(inverse + 9 * (size_t)(part->first + n), A->value + 9 * (size_t)k,
               9 * sizeof(double));
    }
}

void fr_cg_prepare(FrContext *ctx, const FrCgSystem *s) {
    for (int32_t k = 0; k < s->part_count; k++) take_diagonal(&s->part[k], s->at->inverse);
    for (int32_t k = 0; k < s->link_count; k++) {
        add_side(&s->link[k].a, s->link[k].W, s->at->inverse);
        add_side(&s->link[k].b, s->link[k].W, s->at->inverse);
    }
    fr_parallel_for(ctx, s->node_count, NODES_A_CHUNK, invert, s->at->inverse);
}

/// One pass over all nodes.
typedef struct Pass {
    const FrCgSystem *s;
    const FrCgPart *part;
    FrBlockRows *rows;
    const double *from; ///< vector that is multiplied
    double *to;
    double factor;
    double partial[MOST_CHUNKS];
} Pass;

static double add_up(const double *partial, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) sum += partial[k];
    return sum;
}

static void multiply_rows(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    size_t first = 3 * (size_t)pass->part->first;
    (void)worker;
    pass->partial[chunk] =
        pass->rows(pass->part->A, pass->from + first, pass->to + first, begin, end);
}

// rows in a chunk: as many as keep the number of chunks in bounds
static int32_t grain_of(int32_t count) {
    int32_t least = fr_chunk_count(count, MOST_CHUNKS);
    return fr_max_i(NODES_A_CHUNK, least);
}

// to = A from; returns from.to
static double multiply(FrContext *ctx, Pass *pass, const double *from, double *to) {
    const FrCgSystem *s = pass->s;
    double sum = 0.0;
    pass->from = from, pass->to = to;
    for (int32_t k = 0; k < s->part_count; k++) {
        int32_t count = s->part[k].A->node_count, grain = grain_of(count);
        pass->part = &s->part[k];
        fr_parallel_for(ctx, count, grain, multiply_rows, pass);
        sum += add_up(pass->partial, fr_chunk_count(count, grain));
    }
    for (int32_t k = 0; k < s->link_count; k++) {
        FrVec3 u = fr_link_velocity(&s->link[k], from), Wu = fr_sym3_apply(s->link[k].W, u);
        fr_link_push(&s->link[k], Wu, to);
        sum += fr_dot(u, Wu);
    }
    return sum;
}

// z = P r, the sum of r.z
static double precondition(const FrCgArrays *at, const double *r, double *z, int32_t n) {
    const double *B = at->inverse + 9 * (size_t)n;
    FrVec3 to = at->held[n] ? fr_vec3_zero : fr_mat3_apply(block_at(B), fr_get3(r, n));
    if (z) fr_set3(z, n, to);
    return fr_dot(to, fr_get3(r, n));
}

static void norm_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    double sum = 0.0;
    (void)worker;
    for (int32_t n = begin; n < end; n++) sum += precondition(pass->s->at, pass->from, NULL, n);
    pass->partial[chunk] = sum;
}

static double over_nodes(FrContext *ctx, Pass *pass, FrRangeFn *fn) {
    int32_t count = pass->s->node_count, grain = grain_of(count);
    fr_parallel_for(ctx, count, grain, fn, pass);
    return add_up(pass->partial, fr_chunk_count(count, grain));
}

double fr_cg_norm2(FrContext *ctx, const FrCgSystem *s, const double *y) {
    Pass pass = {.s = s, .from = y};
    return over_nodes(ctx, &pass, norm_chunk);
}

// p takes the free part of x, x keeps what is held; r = b
static void part_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    FrCgArrays *at = pass->s->at;
    double held = 0.0;
    (void)worker;
    for (int32_t n = begin; n < end; n++) {
        FrVec3 x = fr_get3(at->x, n);
        fr_set3(at->p, n, at->held[n] ? fr_vec3_zero : x);
        fr_set3(at->x, n, at->held[n] ? x : fr_vec3_zero);
        fr_set3(at->q, n, fr_vec3_zero);
        held += at->held[n] ? fr_length2(x) : 0.0;
    }
    pass->partial[chunk] = held;
}

// r = b - q
static void rest_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    FrCgArrays *at = pass->s->at;
    (void)worker;
    for (int32_t n = begin; n < end; n++)
        fr_set3(at->r, n,
                at->held[n] ? fr_vec3_zero : fr_sub(fr_get3(at->b, n), fr_get3(at->q, n)));
    pass->partial[chunk] = 0.0;
}

// p = the other guess
static void other_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    FrCgArrays *at = pass->s->at;
    (void)worker;
    for (int32_t n = begin; n < end; n++)
        fr_set3(at->p, n, at->held[n] ? fr_vec3_zero : fr_get3(pass->s->other, n));
    pass->partial[chunk] = 0.0;
}

// the sum of r.p
static void along_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    FrCgArrays *at = pass->s->at;
    double sum = 0.0;
    (void)worker;
    for (int32_t n = begin; n < end; n++) sum += fr_dot(fr_get3(at->r, n), fr_get3(at->p, n));
    pass->partial[chunk] = sum;
}

// x += factor p, r -= factor q; then p = z = P r
static void take_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    FrCgArrays *at = pass->s->at;
    double sum = 0.0;
    (void)worker;
    for (int32_t n = begin; n < end; n++) {
        FrVec3 r = fr_axpy(-pass->factor, fr_get3(at->q, n), fr_get3(at->r, n));
        fr_set3(at->x, n, fr_axpy(pass->factor, fr_get3(at->p, n), fr_get3(at->x, n)));
        fr_set3(at->r, n, at->held[n] ? fr_vec3_zero : r);
        sum += precondition(at, at->r, at->z, n);
        fr_set3(at->p, n, fr_get3(at->z, n));
    }
    pass->partial[chunk] = sum;
}

// x += factor p, r -= factor q, z = P r
static void step_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    FrCgArrays *at = pass->s->at;
    double sum = 0.0;
    (void)worker;
    for (int32_t n = begin; n < end; n++) {
        if (at->held[n]) continue;
        fr_set3(at->x, n, fr_axpy(pass->factor, fr_get3(at->p, n), fr_get3(at->x, n)));
        fr_set3(at->r, n, fr_axpy(-pass->factor, fr_get3(at->q, n), fr_get3(at->r, n)));
        sum += precondition(at, at->r, at->z, n);
    }
    pass->partial[chunk] = sum;
}

// p = z + factor p
static void turn_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Pass *pass = arg;
    FrCgArrays *at = pass->s->at;
    (void)worker;
    for (int32_t n = begin; n < end; n++)
        fr_set3(at->p, n, fr_axpy(pass->factor, fr_get3(at->p, n), fr_get3(at->z, n)));
    pass->partial[chunk] = 0.0;
}

// the best multiple of p; returns r.z
static double take_guess(FrContext *ctx, Pass *pass) {
    FrCgArrays *at = pass->s->at;
    double along = over_nodes(ctx, pass, along_chunk);
    double curved = multiply(ctx, pass, at->p, at->q);
    pass->factor = curved > 0.0 ? along / curved : 0.0;
    return over_nodes(ctx, pass, take_chunk);
}

static double begin(FrContext *ctx, Pass *pass) {
    FrCgArrays *at = pass->s->at;
    if (over_nodes(ctx, pass, part_chunk) > 0.0) multiply(ctx, pass, at->x, at->q);
    over_nodes(ctx, pass, rest_chunk);
    double rz = take_guess(ctx, pass);
    if (!pass->s->other) return rz;
    over_nodes(ctx, pass, other_chunk);
    return take_guess(ctx, pass);
}

FrCgReport fr_cg_solve(FrContext *ctx, const FrCgSystem *s, FrCgLimit limit) {
    Pass pass = {.s = s, .rows = fr_cpu_has_avx2() ? fr_block_rows_avx2 : fr_block_rows_portable};
    FrCgArrays *at = s->at;
    FrCgReport report = {.reason = FR_SOLVE_STALLED};
    double enough = limit.residual * limit.residual;
    double rz = begin(ctx, &pass);
    for (; report.iterations < limit.iterations && rz > enough; report.iterations++) {
        double pq = multiply(ctx, &pass, at->p, at->q);
        if (!(pq > 0.0)) {
            report.reason = FR_SOLVE_NOT_POSITIVE;
            break;
        }
        pass.factor = rz / pq;
        double next = over_nodes(ctx, &pass, step_chunk);
        pass.factor = next / rz;
        rz = next;
        over_nodes(ctx, &pass, turn_chunk);
    }
    if (rz <= enough) report.reason = FR_SOLVE_CONVERGED;
    report.residual = sqrt(fr_max(rz, 0.0));
    return report;
}
