// breaking_stress.c: the stresses that decide on breaking, what tears at nodes by them, and what
// holds them.

#include "fem/body.h"
#include "base/tasks.h"
#include <string.h>

/// Numbers in FrNodeTears.
#define TEARS 20
_Static_assert(sizeof(FrNodeTears) == TEARS * sizeof(double), "FrNodeTears is a row of numbers");

int32_t fr_fem_chunk_count(const FrFem *fem) { return fem->state.chunks.chunk_count; }

void fr_fem_note_elastic(FrFem *fem) {
    for (int32_t k = 0; k < fem->settings.material_count; k++)
        fem->settings.kernel[k].elastic_only = true;
    fem->scratch.current = false;
}

double fr_fem_chunk_stress(FrFem *fem, int32_t chunk) {
    fr_fem_evaluate(fem);
    return sqrt(fem->scratch.slots.chunk_sums[chunk].stress2);
}

const int32_t *fr_fem_chunk_tets(const FrFem *fem, int32_t chunk, int32_t *count) {
    const FrChunk *c = &fem->state.chunks.chunk[chunk];
    *count = FR_LANES * c->block_count;
    return fem->state.chunks.lane_tet + FR_LANES * (size_t)c->first_block;
}

void fr_fem_mark_overstressed(const FrFem *fem, int32_t chunk, const double *limit2,
                              uint8_t *mark) {
    const FrChunk *c = &fem->state.chunks.chunk[chunk];
    const FrTetBlock *block = fem->state.chunks.block + c->first_block;
    const int32_t *node = fem->state.chunks.slot_node + c->first_slot;
    uint8_t over[FR_CHUNK_BLOCKS], slot[FR_CHUNK_NODES] = {0};
    fem->settings.stress->overstressed(fem->scratch.slots.block_stress + c->first_block, limit2,
                                       c->block_count, over);
    for (int32_t b = 0; b < c->block_count; b++)
        for (int k = 0; over[b] >> k; k++)
            for (int i = 0; i < 4; i++) slot[block[b].node[k][i]] |= over[b] >> k & 1;
    for (int32_t s = 0; s < c->slot_count; s++) mark[node[s]] |= slot[s];
}

double fr_fem_tet_stress2(const FrFem *fem, int32_t tet) {
    int32_t lane = fem->state.chunks.tet_lane[tet];
    return fem->scratch.slots.block_stress[lane / FR_LANES].size2[lane % FR_LANES];
}

static bool evens_out(const FrFem *fem, const FrChunk *chunk) {
    const FrKernelMaterial *m = &fem->settings.kernel[chunk->material];
    return m->yields && !m->anisotropic;
}

typedef struct Wanted {
    FrFem *fem;
    const uint8_t *node;
    FrTearsDef by;
} Wanted;

/// Where the nodes of a chunk that are wanted are summed: rows from 1 on. All others share row 0,
/// which nobody reads.
typedef struct Rows {
    uint16_t of[FR_CHUNK_NODES];       ///< each slot
    uint16_t slot[FR_CHUNK_NODES + 1]; ///< of each row
    int32_t count;                     ///< with row 0
} Rows;

// false: none is wanted
static bool find_rows(const Wanted *wanted, const FrChunk *c, Rows *rows) {
    const int32_t *node = wanted->fem->state.chunks.slot_node + c->first_slot;
    rows->count = 1;
    for (int32_t s = 0; s < c->slot_count; s++) {
        bool want = wanted->node[node[s]];
        rows->of[s] = want ? (uint16_t)rows->count : 0;
        rows->slot[rows->count] = (uint16_t)s;
        rows->count += want;
    }
    return rows->count > 1;
}

// sums of the wanted nodes, to where each slot has its own
static inline void keep_rows(const Rows *rows, const double *sum, size_t width, double *slot) {
    for (int32_t r = 1; r < rows->count; r++)
        memcpy(slot + width * rows->slot[r], sum + width * (size_t)r, width * sizeof *sum);
}

// the nodes of all tets round nodes that are wanted
static void mark_ring(const Wanted *wanted, uint8_t *ring) {
    const FrChunks *c = &wanted->fem->state.chunks;
    Rows rows;
    memset(ring, 0, (size_t)wanted->fem->state.node_count);
    for (int32_t k = 0; k < c->chunk_count; k++) {
        const FrChunk *chunk = &c->chunk[k];
        const int32_t *node = c->slot_node + chunk->first_slot;
        if (!find_rows(wanted, chunk, &rows)) continue;
        for (int32_t b = 0; b < chunk->block_count; b++) {
            const uint16_t *row = c->block[chunk->first_block + b].node[0];
            uint16_t any = 0;
            for (int i = 0; i < 4 * FR_LANES; i++) any |= rows.of[row[i]];
            for (int i = 0; any && i < 4 * FR_LANES; i++) ring[node[row[i]]] = 1;
        }
    }
}

static void grown_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Wanted *ring = arg;
    FrFem *fem = ring->fem;
    for (int32_t k = begin; k < end; k++) {
        const FrChunk *c = &fem->state.chunks.chunk[k];
        double sum[2 * (FR_CHUNK_NODES + 1)];
        Rows rows;
        if (!find_rows(ring, c, &rows)) continue;
        memset(sum, 0, 2 * (size_t)rows.count * sizeof *sum);
        if (evens_out(fem, c))
            fem->settings.stress->grown(fem->state.chunks.block + c->first_block,
                                        fem->scratch.slots.block_stress + c->first_block,
                                        c->block_count, rows.of, sum);
        keep_rows(&rows, sum, 2, fem->scratch.tears.slot_grown.data + 2 * (size_t)c->first_slot);
    }
}

static void grown_nodes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Wanted *ring = arg;
    FrFem *fem = ring->fem;
    const FrChunks *c = &fem->state.chunks;
    for (int32_t n = begin; n < end; n++) {
        double part = 0.0, volume = 0.0;
        if (!ring->node[n]) continue;
        for (int32_t k = c->node_first[n]; k < c->node_first[n + 1]; k++) {
            const double *slot = fem->scratch.tears.slot_grown.data + 2 * (size_t)c->node_slot[k];
            part += slot[0], volume += slot[1];
        }
        fem->scratch.tears.node_grown.data[n] = volume > 0.0 ? part / volume : 0.0;
    }
}

FrResult fr_fem_find_grown(FrFem *fem, const uint8_t *node) {
    fem->scratch.tears.slot_grown.count = fem->scratch.tears.node_grown.count =
        fem->scratch.tears.ring.count = 0;
    if (!fr_array_reserve(fem->ctx, &fem->scratch.tears.slot_grown,
                          2 * fem->state.chunks.slot_count) ||
        !fr_array_reserve(fem->ctx, &fem->scratch.tears.node_grown, fem->state.node_count) ||
        !fr_array_reserve(fem->ctx, &fem->scratch.tears.ring, fem->state.node_count))
        return fr_no_memory(fem->ctx, "stresses");
    fr_fem_evaluate(fem);
    Wanted wanted = {.fem = fem, .node = node},
           ring = {.fem = fem, .node = fem->scratch.tears.ring.data};
    if (node)
        mark_ring(&wanted, fem->scratch.tears.ring.data);
    else
        memset(fem->scratch.tears.ring.data, 1, (size_t)fem->state.node_count);
    fr_parallel_for(fem->ctx, fem->state.chunks.chunk_count, FR_CHUNK_GRAIN, grown_chunks, &ring);
    fr_parallel_for(fem->ctx, fem->state.node_count, FR_NODE_GRAIN, grown_nodes, &ring);
    return FR_OK;
}

double fr_fem_node_grown(const FrFem *fem, int32_t node) {
    return fem->scratch.tears.node_grown.data[node];
}

// returns the largest stretch
static double tear_chunk(const Wanted *wanted, const FrChunk *c, const Rows *rows, double *sum) {
    FrFem *fem = wanted->fem;
    const FrKernelMaterial *m = &fem->settings.kernel[c->material];
    double nodal[FR_CHUNK_NODES];
    for (int32_t s = 0; evens_out(fem, c) && s < c->slot_count; s++)
        nodal[s] =
            fem->scratch.tears.node_grown.data[fem->state.chunks.slot_node[c->first_slot + s]];
    size_t lane = FR_LANES * (size_t)c->first_block;
    FrCounting counting = {.half_bulk = m->half_bulk,
                           .nodal = evens_out(fem, c) ? nodal : NULL,
                           .plastic = (const FrPlasticRow *)fem->state.plastic,
                           .tet = fem->state.chunks.lane_tet + lane,
                           .most = wanted->by.cap[c->material].most,
                           .flowed = wanted->by.cap[c->material].flowed};
    FrHolding holding = {0};
    if (wanted->by.strength)
        holding = (FrHolding){wanted->by.strength + lane, wanted->by.skip + lane};
    return fem->settings.stress->tear(
        fem->state.chunks.block + c->first_block, fem->scratch.slots.block_stress + c->first_block,
        c->block_count, rows->of, m->yields ? &counting : NULL, holding, sum);
}

static void tear_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Wanted *wanted = arg;
    FrFem *fem = wanted->fem;
    for (int32_t k = begin; k < end; k++) {
        const FrChunk *c = &fem->state.chunks.chunk[k];
        _Alignas(64) double sum[TEARS * (FR_CHUNK_NODES + 1)];
        Rows rows;
        fem->scratch.tears.chunk_stretch.data[k] = 0.0;
        if (!find_rows(wanted, c, &rows)) continue;
        memset(sum, 0, TEARS * (size_t)rows.count * sizeof *sum);
        if (fem->settings.kernel[c->material].breaks)
            fem->scratch.tears.chunk_stretch.data[k] = tear_chunk(wanted, c, &rows, sum);
        keep_rows(&rows, sum, TEARS,
                  (double *)(fem->scratch.tears.slot_tears.data + c->first_slot));
    }
}

FrResult fr_fem_find_tears(FrFem *fem, const uint8_t *node, const FrTearsDef *def,
                           double *stretch) {
    int32_t chunks = fem->state.chunks.chunk_count;
    fem->scratch.tears.slot_tears.count = fem->scratch.tears.chunk_stretch.count = 0;
    if (!fr_array_reserve(fem->ctx, &fem->scratch.tears.slot_tears, fem->state.chunks.slot_count) ||
        !fr_array_reserve(fem->ctx, &fem->scratch.tears.chunk_stretch, chunks))
        return fr_no_memory(fem->ctx, "stresses");
    fr_fem_evaluate(fem);
    Wanted wanted = {.fem = fem, .node = node, .by = *def};
    if (fem->settings.yields) FR_TRY(fr_fem_find_grown(fem, node));
    fr_parallel_for(fem->ctx, chunks, 1, tear_chunks, &wanted);
    *stretch = 1.0;
    for (int32_t k = 0; k < chunks; k++)
        *stretch = fr_max(*stretch, fem->scratch.tears.chunk_stretch.data[k]);
    return FR_OK;
}

FrNodeTears fr_fem_node_tears(const FrFem *fem, int32_t node) {
    const FrChunks *c = &fem->state.chunks;
    FrNodeTears sum = {0};
    for (int32_t k = c->node_first[node]; k < c->node_first[node + 1]; k++) {
        const double *slot = (const double *)&fem->scratch.tears.slot_tears.data[c->node_slot[k]];
        double *to = (double *)&sum;
        for (int i = 0; i < TEARS; i++) to[i] += slot[i];
    }
    return sum;
}

static void spread_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Wanted *wanted = arg;
    FrFem *fem = wanted->fem;
    for (int32_t k = begin; k < end; k++) {
        const FrChunk *c = &fem->state.chunks.chunk[k];
        _Alignas(64) double sum[8 * (FR_CHUNK_NODES + 1)];
        Rows rows;
        if (!find_rows(wanted, c, &rows)) continue;
        memset(sum, 0, 8 * (size_t)rows.count * sizeof *sum);
        if (fem->settings.kernel[c->material].breaks)
            fem->settings.stress->spread(
                fem->state.chunks.block + c->first_block,
                fem->scratch.slots.block_stress + c->first_block, c->block_count, rows.of,
                wanted->by.strength + FR_LANES * (size_t)c->first_block, sum);
        keep_rows(&rows, sum, 8, fem->scratch.tears.slot_spread.data + 8 * (size_t)c->first_slot);
    }
}

FrResult fr_fem_find_spreads(FrFem *fem, const uint8_t *node, const double *strength) {
    fem->scratch.tears.slot_spread.count = 0;
    if (!fr_array_reserve(fem->ctx, &fem->scratch.tears.slot_spread,
                          8 * fem->state.chunks.slot_count))
        return fr_no_memory(fem->ctx, "stresses");
    fr_fem_evaluate(fem);
    Wanted wanted = {.fem = fem, .node = node, .by.strength = strength};
    fr_parallel_for(fem->ctx, fem->state.chunks.chunk_count, 1, spread_chunks, &wanted);
    return FR_OK;
}

FrNodeSpread fr_fem_node_spread(const FrFem *fem, int32_t node) {
    const FrChunks *c = &fem->state.chunks;
    double s[7] = {0};
    for (int32_t k = c->node_first[node]; k < c->node_first[node + 1]; k++)
        for (int i = 0; i < 7; i++)
            s[i] += fem->scratch.tears.slot_spread.data[8 * (size_t)c->node_slot[k] + (size_t)i];
    return (FrNodeSpread){{s[0], s[1], s[2], s[3], s[4], s[5]}, s[6]};
}

int32_t fr_fem_tet_lane(const FrFem *fem, int32_t tet) { return fem->state.chunks.tet_lane[tet]; }
int32_t fr_fem_block_count(const FrFem *fem) { return fem->state.chunks.block_count; }

typedef struct Pulls {
    FrFem *fem;
    double *pull; ///< N (node_count)
} Pulls;

static void pull_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFem *fem = ((const Pulls *)arg)->fem;
    for (int32_t k = begin; k < end; k++) {
        const FrChunk *c = &fem->state.chunks.chunk[k];
        double *row = fem->scratch.slots.pull + c->first_slot;
        memset(row, 0, (size_t)c->slot_count * sizeof *row);
        if (fem->settings.kernel[c->material].breaks)
            fem->settings.stress->pull(fem->state.chunks.block + c->first_block,
                                       fem->scratch.slots.block_stress + c->first_block,
                                       c->block_count, row);
    }
}

static void pull_nodes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Pulls *pulls = arg;
    const FrChunks *c = &pulls->fem->state.chunks;
    for (int32_t n = begin; n < end; n++) {
        double sum = 0.0;
        for (int32_t k = c->node_first[n]; k < c->node_first[n + 1]; k++)
            sum += pulls->fem->scratch.slots.pull[c->node_slot[k]];
        pulls->pull[n] = sum;
    }
}

void fr_fem_bound_pulls(FrFem *fem, double *pull) {
    fr_fem_evaluate(fem);
    Pulls pulls = {fem, pull};
    fr_parallel_for(fem->ctx, fem->state.chunks.chunk_count, FR_CHUNK_GRAIN, pull_chunks, &pulls);
    fr_parallel_for(fem->ctx, fem->state.node_count, FR_NODE_GRAIN, pull_nodes, &pulls);
}
