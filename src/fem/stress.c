// stress.c: the stresses that breaking looks at: of now, and how far they are from those that were
// marked.

#include "fem/body.h"
#include "base/tasks.h"
#include <string.h>

/// Chunks that one task looks at: cheap ones.
#define CHUNK_GRAIN 4
/// Blocks likewise.
#define BLOCK_GRAIN 32

int32_t fr_fem_chunk_count(const FrFem *fem) { return fem->chunks.chunk_count; }

void fr_fem_note_elastic(FrFem *fem) {
    for (int32_t k = 0; k < fem->material_count; k++) fem->kernel[k].elastic_only = true;
    fem->current = false;
}

double fr_fem_chunk_stress(FrFem *fem, int32_t chunk) {
    fr_fem_evaluate(fem);
    return sqrt(fem->chunk_sums[chunk].stress2);
}

const int32_t *fr_fem_chunk_tets(const FrFem *fem, int32_t chunk, int32_t *count) {
    const FrChunk *c = &fem->chunks.chunk[chunk];
    *count = FR_LANES * c->block_count;
    return fem->chunks.lane_tet + FR_LANES * (size_t)c->first_block;
}

void fr_fem_chunk_hot(const FrFem *fem, int32_t chunk, const double *limit2, uint8_t *hot) {
    const FrChunk *c = &fem->chunks.chunk[chunk];
    fem->stress->hot(fem->block_stress + c->first_block, limit2, c->block_count, hot);
}

double fr_fem_tet_stress2(const FrFem *fem, int32_t tet) {
    int32_t lane = fem->chunks.tet_lane[tet];
    return fem->block_stress[lane / FR_LANES].size2[lane % FR_LANES];
}

// one lane of a symmetric matrix
static FrSym3 lane_sym(const double S[6][FR_LANES], int k) {
    return (FrSym3){S[0][k], S[1][k], S[2][k], S[3][k], S[4][k], S[5][k]};
}

FrSym3 fr_fem_counted_stress(const FrFem *fem, int32_t tet) {
    int32_t lane = fem->chunks.tet_lane[tet], block = lane / FR_LANES;
    return lane_sym(fem->yields ? fem->block_counted[block] : fem->block_stress[block].S,
                    lane % FR_LANES);
}

static bool evens_out(const FrFem *fem, const FrChunk *chunk) {
    const FrKernelMaterial *m = &fem->kernel[chunk->material];
    return m->yields && !m->anisotropic;
}

static void grown_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFem *fem = arg;
    for (int32_t k = begin; k < end; k++) {
        const FrChunk *c = &fem->chunks.chunk[k];
        double *row = fem->slot_grown.data + 2 * (size_t)c->first_slot;
        memset(row, 0, 2 * (size_t)c->slot_count * sizeof *row);
        if (evens_out(fem, c))
            fem->stress->grown(fem->chunks.block + c->first_block,
                               fem->block_stress + c->first_block, c->block_count, row);
    }
}

static void grown_nodes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFem *fem = arg;
    const FrChunks *c = &fem->chunks;
    for (int32_t n = begin; n < end; n++) {
        double part = 0.0, volume = 0.0;
        for (int32_t k = c->node_first[n]; k < c->node_first[n + 1]; k++) {
            const double *slot = fem->slot_grown.data + 2 * (size_t)c->node_slot[k];
            part += slot[0], volume += slot[1];
        }
        fem->node_grown.data[n] = volume > 0.0 ? part / volume : 0.0;
    }
}

static void cap_means(const FrFem *fem, const FrChunk *c, FrMeanCap cap) {
    const int32_t *tet = fem->chunks.lane_tet + FR_LANES * (size_t)c->first_block;
    for (int32_t k = 0; k < FR_LANES * c->block_count; k++) {
        double(*S)[FR_LANES] = fem->block_counted[c->first_block + k / FR_LANES];
        int lane = k % FR_LANES;
        double mean = (S[0][lane] + S[1][lane] + S[2][lane]) / 3.0;
        if (tet[k] < 0 || !(mean > cap.most)) continue;
        FrSym3 Ep = fr_fem_plastic_strain(fem, tet[k]);
        if (!(sqrt(fr_sym3_dot(Ep, Ep)) < cap.flowed)) continue;
        for (int i = 0; i < 3; i++) S[i][lane] += cap.most - mean;
    }
}

typedef struct Counting {
    FrFem *fem;
    const FrMeanCap *cap;
} Counting;

static void count_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Counting *counting = arg;
    FrFem *fem = counting->fem;
    for (int32_t k = begin; k < end; k++) {
        const FrChunk *c = &fem->chunks.chunk[k];
        const FrKernelMaterial *m = &fem->kernel[c->material];
        const FrBlockStress *stress = fem->block_stress + c->first_block;
        double nodal[FR_CHUNK_NODES];
        if (!m->breaks) continue;
        for (int32_t s = 0; evens_out(fem, c) && s < c->slot_count; s++)
            nodal[s] = fem->node_grown.data[fem->chunks.slot_node[c->first_slot + s]];
        if (evens_out(fem, c))
            fem->stress->even(fem->chunks.block + c->first_block, stress, c->block_count,
                              m->half_bulk, nodal, fem->block_counted + c->first_block);
        for (int32_t b = 0; !evens_out(fem, c) && b < c->block_count; b++)
            memcpy(fem->block_counted[c->first_block + b], stress[b].S, sizeof stress[b].S);
        cap_means(fem, c, counting->cap[c->material]);
    }
}

FrResult fr_fem_count_stress(FrFem *fem, const FrMeanCap *cap) {
    if (!fem->yields) return FR_OK;
    int32_t slots = 2 * fem->chunks.slot_count, chunks = fem->chunks.chunk_count;
    fem->slot_grown.count = fem->node_grown.count = 0;
    if (!fr_array_reserve(fem->ctx, &fem->slot_grown, slots) ||
        !fr_array_reserve(fem->ctx, &fem->node_grown, fem->node_count))
        return fr_no_memory(fem->ctx, "stresses");
    fr_fem_evaluate(fem);
    Counting counting = {fem, cap};
    fr_parallel_for(fem->ctx, chunks, CHUNK_GRAIN, grown_chunks, fem);
    fr_parallel_for(fem->ctx, fem->node_count, FR_NODE_GRAIN, grown_nodes, fem);
    fr_parallel_for(fem->ctx, chunks, CHUNK_GRAIN, count_chunks, &counting);
    return FR_OK;
}

double fr_fem_tet_drift(const FrFem *fem, int32_t tet) {
    return fem->block_drift[fem->chunks.tet_lane[tet]];
}

bool fr_fem_is_marked(const FrFem *fem, int32_t tet) {
    int32_t lane = fem->chunks.tet_lane[tet];
    return fem->block_mark[lane / FR_LANES].tet[lane % FR_LANES] == tet + 1;
}

// Why a drift is what it is:
// |m(a) - m(b)| <= 2/sqrt(3) |a - b|: with a = (1, 0) a step along (c, s) changes m(a) by (c s; s
// 0), whose norm (c + sqrt(4 - 3 c^2))/2 is largest for c^2 = 1/3. The separation tensor has half
// of each m(f+), m(f-), m(sum f+), m(sum f-), and |df+| + |df-| <= sqrt(2) |df|: its eigenvalues
// move by 2 sqrt(2/3) sum |df|.                                                       [after M5]
// Areas vol cof(F) G change by vol |G| (s1 + s0) |F1 - F0|, since F1 u x F1 v - F0 u x F0 v =
// (F1 - F0) u x F1 v + F0 u x (F1 - F0) v; and half of sum |a.n| - |sum a.n|, or a share of the
// first, by the sum of that: limits by the strength times it.
void fr_fem_mark_tet(FrFem *fem, int32_t tet, double strength) {
    int32_t lane = fem->chunks.tet_lane[tet], block = lane / FR_LANES, k = lane % FR_LANES;
    const FrBlockStress *stress = &fem->block_stress[block];
    FrBlockMark *mark = &fem->block_mark[block];
    FrSym3 S = fr_fem_counted_stress(fem, tet);
    const double now[6] = {S.xx, S.yy, S.zz, S.yz, S.zx, S.xy};
    for (int i = 0; i < 6; i++) mark->S[i][k] = now[i];
    for (int i = 0; i < 9; i++) mark->F[i][k] = stress->F[i][k];
    mark->turn[k] = FR_PULLS_OF_STRESS * sqrt(fr_sym3_dot(S, S)) + strength * stress->stretch[k];
    mark->strength[k] = strength;
    mark->tet[k] = tet + 1;
    fem->block_drift[lane] = 0.0;
}

typedef struct Pulls {
    FrFem *fem;
    double *pull; ///< N (node_count, or four for each)
} Pulls;

static void pull_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFem *fem = ((const Pulls *)arg)->fem;
    for (int32_t k = begin; k < end; k++) {
        const FrChunk *c = &fem->chunks.chunk[k];
        double *row = fem->slot_pull + c->first_slot;
        memset(row, 0, (size_t)c->slot_count * sizeof *row);
        if (fem->kernel[c->material].breaks)
            fem->stress->pull(fem->chunks.block + c->first_block,
                              fem->block_stress + c->first_block, c->block_count, row);
    }
}

static void pull_nodes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Pulls *pulls = arg;
    const FrChunks *c = &pulls->fem->chunks;
    for (int32_t n = begin; n < end; n++) {
        double sum = 0.0;
        for (int32_t k = c->node_first[n]; k < c->node_first[n + 1]; k++)
            sum += pulls->fem->slot_pull[c->node_slot[k]];
        pulls->pull[n] = sum;
    }
}

void fr_fem_bound_pulls(FrFem *fem, double *pull) {
    fr_fem_evaluate(fem);
    Pulls pulls = {fem, pull};
    fr_parallel_for(fem->ctx, fem->chunks.chunk_count, CHUNK_GRAIN, pull_chunks, &pulls);
    fr_parallel_for(fem->ctx, fem->node_count, FR_NODE_GRAIN, pull_nodes, &pulls);
}

static void tug_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFem *fem = ((const Pulls *)arg)->fem;
    for (int32_t k = begin; k < end; k++) {
        const FrChunk *c = &fem->chunks.chunk[k];
        double *row = fem->slot_tug.data + 4 * (size_t)c->first_slot;
        memset(row, 0, 4 * (size_t)c->slot_count * sizeof *row);
        if (fem->kernel[c->material].breaks)
            fem->stress->tug(fem->chunks.block + c->first_block, fem->block_stress + c->first_block,
                             fem->yields ? fem->block_counted + c->first_block : NULL,
                             c->block_count, row);
    }
}

static void tug_nodes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Pulls *pulls = arg;
    const FrChunks *c = &pulls->fem->chunks;
    for (int32_t n = begin; n < end; n++) {
        double sum[4] = {0};
        for (int32_t k = c->node_first[n]; k < c->node_first[n + 1]; k++)
            for (int i = 0; i < 4; i++)
                sum[i] += pulls->fem->slot_tug.data[4 * (size_t)c->node_slot[k] + (size_t)i];
        memcpy(pulls->pull + 4 * (size_t)n, sum, sizeof sum);
    }
}

FrResult fr_fem_bound_tugs(FrFem *fem, double *tug) {
    fem->slot_tug.count = 0;
    if (!fr_array_reserve(fem->ctx, &fem->slot_tug, 4 * fem->chunks.slot_count))
        return fr_no_memory(fem->ctx, "stresses");
    Pulls pulls = {fem, tug};
    fr_parallel_for(fem->ctx, fem->chunks.chunk_count, CHUNK_GRAIN, tug_chunks, &pulls);
    fr_parallel_for(fem->ctx, fem->node_count, FR_NODE_GRAIN, tug_nodes, &pulls);
    return FR_OK;
}

int32_t fr_fem_tet_lane(const FrFem *fem, int32_t tet) { return fem->chunks.tet_lane[tet]; }
int32_t fr_fem_block_count(const FrFem *fem) { return fem->chunks.block_count; }

typedef struct Drifting {
    FrFem *fem;
    const int32_t *block;
} Drifting;

static void drift_blocks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Drifting *d = arg;
    const FrFem *fem = d->fem;
    for (int32_t k = begin; k < end; k++) {
        int32_t b = d->block[k];
        fem->stress->drift(&fem->block_stress[b], fem->yields ? &fem->block_counted[b] : NULL,
                           &fem->block_mark[b], &fem->block_drift[FR_LANES * (size_t)b]);
    }
}

void fr_fem_find_drifts(FrFem *fem, const int32_t *block, int32_t count) {
    Drifting d = {fem, block};
    fr_parallel_for(fem->ctx, count, BLOCK_GRAIN, drift_blocks, &d);
}

typedef struct Tearing {
    FrFem *fem;
    const int32_t *block;
    FrTears *tears;
} Tearing;

static void tear_blocks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Tearing *t = arg;
    const FrFem *fem = t->fem;
    for (int32_t k = begin; k < end; k++) {
        int32_t b = t->block[k];
        fem->stress->tear(&fem->chunks.block[b], &fem->block_stress[b],
                          fem->yields ? &fem->block_counted[b] : NULL, &t->tears[k]);
    }
}

void fr_fem_find_tears(FrFem *fem, const int32_t *block, int32_t count, FrTears *tears) {
    Tearing t = {fem, block, tears};
    fr_parallel_for(fem->ctx, count, BLOCK_GRAIN, tear_blocks, &t);
}
