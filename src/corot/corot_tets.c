// corot_tets.c: passes over tets and nodes of a corot body, in parallel; the sums are the same for
// any number of workers.

#include "base/tasks.h"
#include "corot/corot_body.h"

#define BLOCKS_A_CHUNK 64
#define ROWS_A_CHUNK 256
#define NODES_A_CHUNK 2048

/// Tets in parallel: sums of each chunk.
typedef struct TetsJob {
    FrCorotPass pass;
    FrCorotTetsFn *fn;
    FrCorotSums *sums; ///< (chunks)
} TetsJob;

static void tets_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    TetsJob *job = arg;
    (void)worker;
    job->fn(&job->pass, begin, end, &job->sums[chunk]);
}

/// Corners of each node added up.
typedef struct GatherJob {
    const FrCorot *body;
    const double *corner;
    double *to;
} GatherJob;

static void gather_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    GatherJob *job = arg;
    const FrCorot *b = job->body;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++) {
        FrVec3 f = fr_vec3_zero;
        for (int32_t k = b->first[n]; k < b->first[n + 1]; k++)
            f = fr_add(f, fr_get3(job->corner, b->entry[k].corner));
        fr_set3(job->to, n, f);
    }
}

void fr_corot_gather(const FrCorot *b, const double *corner, double *to) {
    GatherJob job = {b, corner, to};
    fr_parallel_for(b->ctx, b->node_count, NODES_A_CHUNK, gather_chunk, &job);
}

void fr_corot_renew(FrCorot *b, const double *d, double dt, FrCorotSums *sums) {
    int32_t grain = fr_max_i(BLOCKS_A_CHUNK, fr_chunk_count(b->block_count, 1024));
    FrCorotSums part[1024];
    TetsJob job = {.pass = {b->p, b->q, d, dt, b->linear, b->block, b->now, b->frozen, b->force},
                   .fn = fr_cpu_has_avx2() ? fr_corot_tets_avx2 : fr_corot_tets_portable,
                   .sums = part};
    fr_parallel_for(b->ctx, b->block_count, grain, tets_chunk, &job);
    *sums = (FrCorotSums){0};
    for (int32_t k = 0; k < fr_chunk_count(b->block_count, grain); k++) {
        sums->elastic += part[k].elastic, sums->turned += part[k].turned;
        sums->bent += part[k].bent, sums->viscous += part[k].viscous;
        sums->plastic += part[k].plastic;
    }
    b->elastic = sums->elastic;
    fr_corot_gather(b, b->force, b->f);
}

typedef struct RowsJob {
    FrCorotRows rows;
    FrCorotRowsFn *fn;
} RowsJob;

static void rows_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    RowsJob *job = arg;
    (void)chunk, (void)worker;
    job->fn(&job->rows, begin, end);
}

void fr_corot_assemble(FrCorot *b, double dt) {
    RowsJob job = {{b->now, b->entry, b->first, b->mass, b->drag, dt, &b->A},
                   fr_cpu_has_avx2() ? fr_corot_rows_avx2 : fr_corot_rows_portable};
    fr_parallel_for(b->ctx, b->node_count, ROWS_A_CHUNK, rows_chunk, &job);
}
