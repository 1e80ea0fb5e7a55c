// chunk_edit.c: chunks that grow and change: tets that were cut are put in, moved, and found again.

#include "fem/chunk.h"
#include "fem/element.h"
#include <string.h>

static int32_t grown(int32_t capacity, int32_t wanted) {
    int32_t doubled = capacity > INT32_MAX / 2 ? INT32_MAX : 2 * capacity;
    return fr_max_i(wanted, doubled);
}

static bool resize(FrContext *ctx, void **data, int32_t count, size_t item) {
    size_t size;
    if (__builtin_mul_overflow((size_t)count, item, &size)) return false;
    void *moved = fr_resize(ctx, *data, size ? size : 1);
    if (moved) *data = moved;
    return moved != NULL;
}

static bool reserve_chunks(FrContext *ctx, FrChunks *c, int32_t wanted) {
    if (wanted <= c->chunk_capacity && c->chunk) return true;
    int32_t room = grown(c->chunk_capacity, wanted);
    if (!resize(ctx, (void **)&c->chunk, room, sizeof *c->chunk)) return false;
    c->chunk_capacity = room;
    return true;
}

// blocks stay aligned, so they are copied, not resized
static bool reserve_blocks(FrContext *ctx, FrChunks *c, int32_t wanted) {
    if (wanted <= c->block_capacity && c->block) return true;
    int32_t room = grown(c->block_capacity, wanted), lanes;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)room, sizeof(FrTetBlock), &bytes) ||
        __builtin_mul_overflow(room, FR_LANES, &lanes))
        return false;
    if (!resize(ctx, (void **)&c->lane_tet, lanes, sizeof *c->lane_tet)) return false;
    void *memory = fr_alloc_zero(ctx, 1, bytes + 64);
    if (!memory) return false;
    FrTetBlock *block = (FrTetBlock *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    if (c->block_count) memcpy(block, c->block, (size_t)c->block_count * sizeof *block);
    fr_free(ctx, c->block_memory);
    c->block_memory = memory;
    c->block = block;
    c->block_capacity = room;
    return true;
}

static bool reserve_slots(FrContext *ctx, FrChunks *c, int32_t wanted) {
    if (wanted <= c->slot_capacity && c->slot_node) return true;
    int32_t room = grown(c->slot_capacity, wanted);
    if (!resize(ctx, (void **)&c->slot_node, room, sizeof *c->slot_node)) return false;
    c->slot_capacity = room;
    return true;
}

bool fr_chunks_reserve(FrContext *ctx, FrChunks *c, int32_t chunks, int32_t blocks, int32_t slots) {
    return reserve_chunks(ctx, c, chunks) && reserve_blocks(ctx, c, blocks) &&
           reserve_slots(ctx, c, slots);
}

bool fr_chunks_reserve_tets(FrContext *ctx, FrChunks *c, int32_t tet_count) {
    if (tet_count <= c->tet_capacity && c->tet_lane) return true;
    int32_t room = grown(c->tet_capacity, tet_count);
    if (!resize(ctx, (void **)&c->tet_lane, room, sizeof *c->tet_lane)) return false;
    for (int32_t e = c->tet_capacity; e < room; e++) c->tet_lane[e] = -1;
    c->tet_capacity = room;
    return true;
}

bool fr_chunks_reserve_lists(FrContext *ctx, FrChunks *c, int32_t node_count) {
    if (node_count >= c->first_capacity) {
        int32_t room = grown(c->first_capacity, node_count + 1);
        if (!resize(ctx, (void **)&c->node_first, room, sizeof *c->node_first)) return false;
        c->first_capacity = room;
    }
    if (c->slot_count > c->list_capacity || !c->node_slot) {
        int32_t room = grown(c->list_capacity, c->slot_count);
        if (!resize(ctx, (void **)&c->node_slot, room, sizeof *c->node_slot)) return false;
        c->list_capacity = room;
    }
    return true;
}

// slots of each node, ascending: a counting sort
void fr_chunks_gather(FrChunks *c, int32_t node_count) {
    c->node_count = node_count;
    int32_t *first = c->node_first;
    memset(first, 0, ((size_t)node_count + 1) * sizeof *first);
    for (int32_t s = 0; s < c->slot_count; s++)
        if (c->slot_node[s] >= 0) first[c->slot_node[s] + 1]++;
    for (int32_t n = 0; n < node_count; n++) first[n + 1] += first[n];
    int32_t used = first[node_count];
    for (int32_t s = c->slot_count - 1; s >= 0; s--)
        if (c->slot_node[s] >= 0) c->node_slot[--first[c->slot_node[s] + 1]] = s;
    // the loop above moved every start one place down: first[n + 1] is now the start of n
    memmove(first, first + 1, (size_t)node_count * sizeof *first);
    first[node_count] = used;
}

static int32_t row_of(const FrChunks *c, const FrChunk *chunk, int32_t node) {
    const int32_t *slot = c->slot_node + chunk->first_slot;
    for (int32_t k = 0; k < chunk->slot_count; k++)
        if (slot[k] == node) return k;
    return -1;
}

static FrChunk *chunk_of_block(const FrChunks *c, int32_t block) {
    // chunks that moved are out of order: try all
    for (int32_t k = 0; k < c->chunk_count; k++)
        if (block >= c->chunk[k].first_block &&
            block < c->chunk[k].first_block + c->chunk[k].block_count)
            return &c->chunk[k];
    return NULL;
}

void fr_chunks_pack(FrChunks *c, int32_t tet, const int32_t node[4], const FrElement *e) {
    int32_t lane = c->tet_lane[tet];
    const FrChunk *chunk = chunk_of_block(c, lane / FR_LANES);
    FrTetBlock *block = &c->block[lane / FR_LANES];
    int k = lane % FR_LANES;
    for (int r = 0; r < 3; r++)
        for (int col = 0; col < 3; col++) block->B[r][col][k] = fr_vec3_get(e->G[r + 1], col);
    block->vol[k] = e->volume;
    block->damp[k] = block->share[k] = 1.0;
    for (int i = 0; i < 4; i++) block->node[k][i] = (uint16_t)row_of(c, chunk, node[i]);
}

static void clear_lane(FrChunks *c, int32_t lane) {
    FrTetBlock *block = &c->block[lane / FR_LANES];
    int k = lane % FR_LANES;
    for (int r = 0; r < 3; r++)
        for (int col = 0; col < 3; col++) block->B[r][col][k] = 0.0;
    block->vol[k] = block->w2[k] = block->damp[k] = block->share[k] = 0.0;
    memset(block->node[k], 0, sizeof block->node[k]);
    c->lane_tet[lane] = -1;
}

// the slots of a chunk go to the end of the list, where there is room for more
static bool more_slots(FrContext *ctx, FrChunks *c, FrChunk *chunk, int32_t wanted) {
    if (wanted <= chunk->slot_room) return true;
    int32_t room =
        fr_min_i(FR_CHUNK_NODES, wanted + wanted / FR_CHUNK_GROWTH + FR_CHUNK_SPARE_SLOTS);
    if (!reserve_slots(ctx, c, c->slot_count + room)) return false;
    int32_t *from = c->slot_node + chunk->first_slot, *to = c->slot_node + c->slot_count;
    for (int32_t k = 0; k < room; k++) to[k] = k < chunk->slot_count ? from[k] : -1;
    for (int32_t k = 0; k < chunk->slot_count; k++) from[k] = -1;
    chunk->first_slot = c->slot_count;
    chunk->slot_room = room;
    c->slot_count += room;
    return true;
}

static void move_lane(FrChunks *c, int32_t from, int32_t to) {
    c->lane_tet[to] = c->lane_tet[from];
    if (c->lane_tet[to] >= 0) c->tet_lane[c->lane_tet[to]] = to;
    c->lane_tet[from] = -1;
}

// likewise its blocks
static bool more_blocks(FrContext *ctx, FrChunks *c, FrChunk *chunk) {
    if (chunk->block_count == chunk->block_room) {
        int32_t room =
            fr_min_i(FR_CHUNK_BLOCKS, chunk->block_count + chunk->block_count / FR_CHUNK_GROWTH +
                                          FR_CHUNK_SPARE_BLOCKS);
        int32_t from = chunk->first_block, to = c->block_count;
        if (!reserve_blocks(ctx, c, to + room)) return false;
        memcpy(&c->block[to], &c->block[from], (size_t)chunk->block_count * sizeof *c->block);
        for (int32_t k = 0; k < FR_LANES * chunk->block_count; k++)
            move_lane(c, FR_LANES * from + k, FR_LANES * to + k);
        for (int32_t k = FR_LANES * chunk->block_count; k < FR_LANES * room; k++)
            clear_lane(c, FR_LANES * to + k);
        chunk->first_block = to;
        chunk->block_room = room;
        c->block_count += room;
    }
    for (int k = 0; k < FR_LANES; k++)
        clear_lane(c, FR_LANES * (chunk->first_block + chunk->block_count) + k);
    chunk->block_count++;
    return true;
}

// drop rows that no tet of the chunk uses any more
static void compact_rows(FrChunks *c, FrChunk *chunk) {
    int32_t row[FR_CHUNK_NODES], kept = 0, *slot = c->slot_node + chunk->first_slot;
    for (int32_t k = 0; k < chunk->slot_count; k++) row[k] = -1;
    int32_t begin = FR_LANES * chunk->first_block, end = begin + FR_LANES * chunk->block_count;
    for (int32_t lane = begin; lane < end; lane++)
        for (int i = 0; c->lane_tet[lane] >= 0 && i < 4; i++)
            row[c->block[lane / FR_LANES].node[lane % FR_LANES][i]] = 0;
    for (int32_t k = 0; k < chunk->slot_count; k++) {
        if (row[k] < 0) continue;
        slot[kept] = slot[k];
        row[k] = kept++;
    }
    for (int32_t k = kept; k < chunk->slot_count; k++) slot[k] = -1;
    for (int32_t lane = begin; lane < end; lane++) {
        uint16_t *node = c->block[lane / FR_LANES].node[lane % FR_LANES];
        for (int i = 0; i < 4; i++)
            node[i] = c->lane_tet[lane] >= 0 ? (uint16_t)row[node[i]] : (uint16_t)0;
    }
    chunk->slot_count = kept;
}

static int32_t missing_rows(const FrChunks *c, const FrChunk *chunk, const int32_t node[4]) {
    int32_t missing = 0;
    for (int i = 0; i < 4; i++) missing += row_of(c, chunk, node[i]) < 0;
    return missing;
}

static int32_t free_lane(const FrChunks *c, const FrChunk *chunk) {
    int32_t begin = FR_LANES * chunk->first_block, end = begin + FR_LANES * chunk->block_count;
    for (int32_t lane = begin; lane < end; lane++)
        if (c->lane_tet[lane] < 0) return lane;
    return -1;
}

typedef enum Fit { FITS, FULL, NO_MEMORY } Fit;

// rows for the nodes, and a lane for the tet, in this chunk
static Fit enter(FrContext *ctx, FrChunks *c, FrChunk *chunk, int32_t tet, const int32_t node[4]) {
    int32_t missing = missing_rows(c, chunk, node), lane = c->tet_lane[tet];
    if (chunk->slot_count + missing > FR_CHUNK_NODES) {
        compact_rows(c, chunk);
        missing = missing_rows(c, chunk, node);
        if (chunk->slot_count + missing > FR_CHUNK_NODES) return FULL;
    }
    bool inside = lane >= 0 && lane / FR_LANES >= chunk->first_block &&
                  lane / FR_LANES < chunk->first_block + chunk->block_count;
    int32_t to = inside ? lane : free_lane(c, chunk);
    if (to < 0) {
        if (chunk->block_count == FR_CHUNK_BLOCKS) return FULL;
        if (!more_blocks(ctx, c, chunk)) return NO_MEMORY;
        to = FR_LANES * (chunk->first_block + chunk->block_count - 1);
    }
    if (!more_slots(ctx, c, chunk, chunk->slot_count + missing)) return NO_MEMORY;
    for (int i = 0; i < 4; i++)
        if (row_of(c, chunk, node[i]) < 0)
            c->slot_node[chunk->first_slot + chunk->slot_count++] = node[i];
    if (lane >= 0 && lane != to) clear_lane(c, lane);
    c->lane_tet[to] = tet;
    c->tet_lane[tet] = to;
    return FITS;
}

static bool open_chunk(FrContext *ctx, FrChunks *c, int32_t material) {
    if (!fr_chunks_reserve(ctx, c, c->chunk_count + 1, c->block_count, c->slot_count)) return false;
    c->chunk[c->chunk_count++] =
        (FrChunk){.material = material, .first_block = c->block_count, .first_slot = c->slot_count};
    return true;
}

bool fr_chunks_put(FrContext *ctx, FrChunks *c, int32_t tet, int32_t beside, const int32_t node[4],
                   const FrElement *e) {
    int32_t home = (int32_t)(chunk_of_block(c, c->tet_lane[beside] / FR_LANES) - c->chunk);
    int32_t material = c->chunk[home].material;
    Fit fit = enter(ctx, c, &c->chunk[home], tet, node);
    // the newest chunk of the material, then a fresh one
    for (int32_t k = c->chunk_count - 1; fit == FULL && k >= 0; k--) {
        if (c->chunk[k].material != material || k == home) continue;
        fit = enter(ctx, c, &c->chunk[k], tet, node);
        break;
    }
    if (fit == FULL) {
        if (!open_chunk(ctx, c, material)) return false;
        fit = enter(ctx, c, &c->chunk[c->chunk_count - 1], tet, node);
    }
    if (fit != FITS) return false;
    fr_chunks_pack(c, tet, node, e);
    return true;
}
