// chunk.c: sorting tets by place, cutting them into chunks, packing blocks, making gather lists.

#include "fem/chunk.h"
#include "fem/element.h"
#include <string.h>

typedef struct Builder {
    FrContext *ctx;
    const double *x;
    const int32_t (*tet)[4];
    const int32_t *region;
    int32_t tet_count, node_count;
    uint64_t *key, *key_swap;    ///< place on the Morton curve, material in front
    int32_t *order, *order_swap; ///< tets, sorted (tet_count)
    int32_t *row;                ///< row of each node in the chunk being made, or -1 (node_count)
    FrChunks *out;
} Builder;

// put two zero bits between the low 18 bits of a
static uint64_t spread(uint64_t a) {
    uint64_t r = 0;
    for (int bit = 0; bit < 18; bit++) r |= ((a >> bit) & 1u) << (3 * bit);
    return r;
}

static uint64_t grid_cell(double x, double lo, double per) {
    double cell = (x - lo) * per;
    return cell <= 0.0 ? 0 : cell >= 262143.0 ? 262143 : (uint64_t)cell;
}

static void make_keys(Builder *b) {
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < b->node_count; n++) box = fr_box_add(box, fr_get3(b->x, n));
    FrVec3 size = fr_box_size(box);
    double longest = fr_max(size.x, fr_max(size.y, size.z));
    double per = longest > 0.0 ? 262143.0 / longest : 0.0;
    for (int32_t e = 0; e < b->tet_count; e++) {
        FrVec3 c = fr_vec3_zero;
        for (int i = 0; i < 4; i++) c = fr_axpy(0.25, fr_get3(b->x, b->tet[e][i]), c);
        uint64_t place = spread(grid_cell(c.x, box.lo.x, per)) |
                         spread(grid_cell(c.y, box.lo.y, per)) << 1 |
                         spread(grid_cell(c.z, box.lo.z, per)) << 2;
        // regions beyond 1023 only share the first sort level; chunks still never mix them
        b->key[e] = (uint64_t)fr_min_i(b->region[e], 1023) << 54 | place;
        b->order[e] = e;
    }
}

// least-significant-digit radix sort: stable, so equal keys stay in mesh order
static void sort_tets(Builder *b) {
    for (int shift = 0; shift < 64; shift += 8) {
        int32_t first[257] = {0};
        for (int32_t k = 0; k < b->tet_count; k++) first[((b->key[k] >> shift) & 255) + 1]++;
        for (int d = 0; d < 256; d++) first[d + 1] += first[d];
        for (int32_t k = 0; k < b->tet_count; k++) {
            int32_t to = first[(b->key[k] >> shift) & 255]++;
            b->key_swap[to] = b->key[k];
            b->order_swap[to] = b->order[k];
        }
        uint64_t *key = b->key;
        int32_t *order = b->order;
        b->key = b->key_swap;
        b->order = b->order_swap;
        b->key_swap = key;
        b->order_swap = order;
    }
}

// how many tets from `begin` fit in one chunk, and how many nodes they have
static int32_t chunk_length(Builder *b, int32_t begin, int32_t *node_count) {
    int32_t k = begin, rows = 0;
    for (; k < b->tet_count && k - begin < FR_LANES * FR_CHUNK_BLOCKS; k++) {
        const int32_t *t = b->tet[b->order[k]];
        if (b->region[b->order[k]] != b->region[b->order[begin]]) break;
        int32_t fresh = 0;
        for (int i = 0; i < 4; i++) fresh += b->row[t[i]] < 0;
        if (rows + fresh > FR_CHUNK_NODES) break;
        for (int i = 0; i < 4; i++)
            if (b->row[t[i]] < 0) b->row[t[i]] = rows++;
    }
    *node_count = rows;
    return k - begin;
}

static void forget_rows(Builder *b, int32_t begin, int32_t count) {
    for (int32_t k = begin; k < begin + count; k++)
        for (int i = 0; i < 4; i++) b->row[b->tet[b->order[k]][i]] = -1;
}

static void count_chunks(Builder *b) {
    FrChunks *c = b->out;
    for (int32_t begin = 0; begin < b->tet_count;) {
        int32_t nodes, tets = chunk_length(b, begin, &nodes);
        forget_rows(b, begin, tets);
        c->chunk_count++;
        c->block_count += (tets + FR_LANES - 1) / FR_LANES;
        c->slot_count += nodes;
        begin += tets;
    }
}

static void pack_lane(Builder *b, FrTetBlock *block, int lane, int32_t tet, bool used,
                      const FrMaterial *material) {
    FrVec3 m[4];
    for (int i = 0; i < 4; i++) m[i] = fr_get3(b->x, b->tet[tet][i]);
    FrElement e;
    bool good = fr_element_make(m, &e);
    FR_ASSERT(good, "check the volumes before making chunks");
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) block->B[r][c][lane] = fr_vec3_get(e.G[r + 1], c);
    block->vol[lane] = used ? e.volume : 0.0;
    block->damp[lane] = block->share[lane] = 1.0;
    block->w2[lane] = used ? fr_element_w2(&e, &material[b->region[tet]]) : 0.0;
    for (int i = 0; i < 4; i++) block->node[lane][i] = (uint16_t)b->row[b->tet[tet][i]];
}

static void pack_chunk(Builder *b, FrChunk *chunk, int32_t begin, int32_t count,
                       const FrMaterial *material) {
    FrChunks *c = b->out;
    for (int32_t k = 0; k < FR_LANES * chunk->block_count; k++) {
        int32_t tet = b->order[begin + fr_min_i(k, count - 1)];
        FrTetBlock *block = &c->block[chunk->first_block + k / FR_LANES];
        pack_lane(b, block, k % FR_LANES, tet, k < count, material);
        c->lane_tet[FR_LANES * chunk->first_block + k] = k < count ? tet : -1;
        if (k < count) c->tet_lane[tet] = FR_LANES * chunk->first_block + k;
        for (int i = 0; i < 4; i++)
            c->slot_node[chunk->first_slot + b->row[b->tet[tet][i]]] = b->tet[tet][i];
    }
}

static void pack_chunks(Builder *b, const FrMaterial *material) {
    FrChunks *c = b->out;
    int32_t begin = 0, block = 0, slot = 0;
    for (int32_t k = 0; k < c->chunk_count; k++) {
        int32_t nodes, tets = chunk_length(b, begin, &nodes);
        FrChunk *chunk = &c->chunk[k];
        chunk->material = b->region[b->order[begin]];
        chunk->first_block = block;
        chunk->block_count = chunk->block_room = (tets + FR_LANES - 1) / FR_LANES;
        chunk->first_slot = slot;
        chunk->slot_count = chunk->slot_room = nodes;
        pack_chunk(b, chunk, begin, tets, material);
        forget_rows(b, begin, tets);
        begin += tets;
        block += chunk->block_count;
        slot += nodes;
    }
}

static bool allocate_chunks(FrContext *ctx, Builder *b, FrChunks *c) {
    int32_t chunks = c->chunk_count, blocks = c->block_count, slots = c->slot_count;
    c->chunk_count = c->block_count = c->slot_count = 0;
    if (!fr_chunks_reserve(ctx, c, chunks, blocks, slots) ||
        !fr_chunks_reserve_tets(ctx, c, b->tet_count))
        return false;
    c->chunk_count = chunks, c->block_count = blocks, c->slot_count = slots;
    return fr_chunks_reserve_lists(ctx, c, b->node_count);
}

static bool allocate_builder(Builder *b) {
    b->key = FR_NEW(b->ctx, uint64_t, b->tet_count);
    b->key_swap = FR_NEW(b->ctx, uint64_t, b->tet_count);
    b->order = FR_NEW(b->ctx, int32_t, b->tet_count);
    b->order_swap = FR_NEW(b->ctx, int32_t, b->tet_count);
    b->row = FR_NEW(b->ctx, int32_t, b->node_count);
    return b->key && b->key_swap && b->order && b->order_swap && b->row;
}

static void free_builder(Builder *b) {
    FR_FREE_ALL(b->ctx, b->key, b->key_swap, b->order, b->order_swap, b->row);
}

FrResult fr_chunks_create(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                          FrChunks *chunks) {
    int32_t node_count = mesh->node_count;
    memset(chunks, 0, sizeof *chunks);
    chunks->node_count = node_count;
    Builder b = {.ctx = ctx,
                 .x = mesh->x,
                 .tet = (const int32_t(*)[4])mesh->tet,
                 .region = mesh->region,
                 .tet_count = mesh->tet_count,
                 .node_count = node_count,
                 .out = chunks};
    bool good = allocate_builder(&b);
    if (good) {
        for (int32_t n = 0; n < node_count; n++) b.row[n] = -1;
        make_keys(&b);
        sort_tets(&b);
        count_chunks(&b);
        good = allocate_chunks(ctx, &b, chunks);
    }
    if (good) {
        pack_chunks(&b, material);
        fr_chunks_gather(chunks, node_count);
    }
    free_builder(&b);
    if (good) return FR_OK;
    fr_chunks_free(ctx, chunks);
    return fr_no_memory(ctx, "the chunks of a deformable body");
}

void fr_chunks_free(FrContext *ctx, FrChunks *c) {
    FR_FREE_ALL(ctx, c->chunk, c->block_memory, c->slot_node, c->node_first, c->node_slot,
                c->lane_tet, c->tet_lane);
    memset(c, 0, sizeof *c);
}
