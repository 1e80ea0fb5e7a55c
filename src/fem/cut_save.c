// cut_save.c: the mesh and the chunks of a body that was cut, into a checkpoint and back.

#include "fem/fem_arrays.h"
#include "fem/element.h"
#include <string.h>

static void write_indices(FrWriter *writer, const int32_t *a, size_t count) {
    for (size_t k = 0; k < count; k++) fr_write_i32(writer, a[k]);
}

static void save_pieces(const FrFem *fem, FrWriter *writer) {
    const FrStepCost *r = &fem->state.step_cost;
    const FrRigidPieces *p = &fem->state.pieces;
    fr_write_i32(writer, p->end.count);
    fr_write_i32(writer, p->node.count);
    write_indices(writer, p->end.data, (size_t)p->end.count);
    write_indices(writer, p->node.data, (size_t)p->node.count);
    for (int32_t k = 0; k < p->end.count; k++) fr_write_f64(writer, p->still.data[k]);
    fr_write_f64(writer, r->added_mass);
    fr_write_u8(writer, r->below_floor);
    fr_write_i32(writer, r->rigid_pieces);
    fr_write_f64(writer, r->rigid_volume);
    fr_write_i32(writer, r->dust_pieces);
    fr_write_f64(writer, r->dust_mass);
}

// Chunks as they stand: sums go through them in this order, and later cuts find the same room.
void fr_fem_shape_save(const FrFem *fem, FrWriter *writer) {
    const FrChunks *c = &fem->state.chunks;
    fr_write_u64(writer, fem->state.topology);
    fr_write_f64(writer, fem->state.first_w2);
    fr_write_i32(writer, fem->state.node_count);
    fr_write_i32(writer, fem->state.tet_count);
    fr_write_i32(writer, c->chunk_count);
    fr_write_i32(writer, c->block_count);
    fr_write_i32(writer, c->slot_count);
    fr_fem_arrays_save(fem, FR_ARRAY_SHAPE, writer);
    for (int32_t k = 0; k < c->chunk_count; k++) {
        const FrChunk *h = &c->chunk[k];
        int32_t v[7] = {h->material,   h->first_block, h->block_count, h->block_room,
                        h->first_slot, h->slot_count,  h->slot_room};
        write_indices(writer, v, 7);
    }
    write_indices(writer, c->lane_tet, FR_LANES * (size_t)c->block_count);
    write_indices(writer, c->slot_node, (size_t)c->slot_count);
    save_pieces(fem, writer);
}

static FrResult bad_shape(const FrFem *fem, const FrReader *reader, const char *what) {
    return fr_fail(fem->ctx, FR_BAD_INPUT, "byte %zu: %s of a body that was cut", reader->at, what);
}

// numbers between lo and hi
static bool read_indices(FrReader *reader, int32_t *a, size_t count, int32_t lo, int32_t hi) {
    bool good = true;
    for (size_t k = 0; k < count; k++) {
        a[k] = fr_read_i32(reader);
        good = good && a[k] >= lo && a[k] <= hi;
    }
    return good && !reader->failed;
}

static FrResult read_sizes(const FrFem *fem, FrReader *reader, FrFem *shape) {
    FrFemState *s = &shape->state;
    FrChunks *c = &s->chunks;
    s->topology = fr_read_u64(reader);
    s->first_w2 = fr_read_f64(reader);
    s->node_count = fr_read_i32(reader);
    s->tet_count = fr_read_i32(reader);
    c->chunk_count = fr_read_i32(reader);
    c->block_count = fr_read_i32(reader);
    c->slot_count = fr_read_i32(reader);
    int32_t most = INT32_MAX / 64;
    bool good = !reader->failed && s->topology > 1 && s->first_w2 > 0.0 && isfinite(s->first_w2) &&
                s->node_count >= fem->state.node_count && s->tet_count >= fem->state.tet_count &&
                s->node_count <= most && s->tet_count <= most && c->chunk_count > 0 &&
                c->block_count > 0 && c->slot_count > 0 && c->chunk_count <= most &&
                c->block_count <= most && c->slot_count <= most;
    if (!good) return bad_shape(fem, reader, "sizes that are not those");
    size_t need = fr_fem_arrays_size(shape, FR_ARRAY_SHAPE) + 28 * (size_t)c->chunk_count +
                  4 * FR_LANES * (size_t)c->block_count + 4 * (size_t)c->slot_count + 8;
    if (fr_reader_left(reader) < need)
        return fr_fail(fem->ctx, FR_BAD_INPUT, "byte %zu: %zu bytes left; the shape needs %zu",
                       reader->at, fr_reader_left(reader), need);
    return FR_OK;
}

static bool allocate_shape(FrFem *shape) {
    FrContext *ctx = shape->ctx;
    FrChunks *c = &shape->state.chunks;
    int32_t chunks = c->chunk_count, blocks = c->block_count, slots = c->slot_count;
    int32_t tets = shape->state.tet_count, nodes = shape->state.node_count;
    c->chunk_count = c->block_count = c->slot_count = 0;
    bool good = fr_fem_arrays_reserve(shape, FR_PER_NODE, nodes, FR_ARRAY_SHAPE) &&
                fr_fem_arrays_reserve(shape, FR_PER_TET, tets, FR_ARRAY_SHAPE) &&
                fr_chunks_reserve(ctx, c, chunks, blocks, slots) &&
                fr_chunks_reserve_tets(ctx, c, tets);
    c->chunk_count = chunks;
    c->block_count = blocks;
    c->slot_count = slots;
    return good && fr_chunks_reserve_lists(ctx, c, nodes);
}

static FrResult read_chunks(const FrFem *fem, FrReader *reader, FrFemState *s) {
    FrChunks *c = &s->chunks;
    for (int32_t k = 0; k < c->chunk_count; k++) {
        int32_t v[7];
        bool good = read_indices(reader, v, 7, 0, INT32_MAX / 4);
        c->chunk[k] = (FrChunk){v[0], v[1], v[2], v[3], v[4], v[5], v[6]};
        if (!good || v[0] >= fem->settings.material_count || v[2] > v[3] ||
            v[3] > FR_CHUNK_BLOCKS || v[1] + v[3] > c->block_count || v[5] > v[6] ||
            v[6] > FR_CHUNK_NODES || v[4] + v[6] > c->slot_count)
            return bad_shape(fem, reader, "a chunk that is not one");
    }
    if (!read_indices(reader, c->lane_tet, FR_LANES * (size_t)c->block_count, -1, s->tet_count - 1))
        return bad_shape(fem, reader, "lanes that are not those");
    if (!read_indices(reader, c->slot_node, (size_t)c->slot_count, -1, s->node_count - 1))
        return bad_shape(fem, reader, "slots that are not those");
    return FR_OK;
}

// pieces end one after the other
static bool read_rigid(FrFem *shape, FrReader *reader, bool *memory) {
    FrRigidPieces *p = &shape->state.pieces;
    int32_t pieces = fr_read_i32(reader), nodes = fr_read_i32(reader), last = 0;
    int32_t most = shape->state.node_count;
    *memory = true;
    if (reader->failed || pieces < 0 || nodes < 0 || pieces > nodes || nodes > most ||
        fr_reader_left(reader) / 4 < (size_t)pieces + (size_t)nodes)
        return false;
    *memory = fr_array_extend(shape->ctx, &p->end, pieces) &&
              fr_array_extend(shape->ctx, &p->node, nodes) &&
              fr_array_extend(shape->ctx, &p->still, pieces);
    if (!*memory || !read_indices(reader, p->end.data, (size_t)pieces, 1, nodes)) return false;
    for (int32_t k = 0; k < pieces; last = p->end.data[k++])
        if (p->end.data[k] <= last) return false;
    bool good = last == nodes && read_indices(reader, p->node.data, (size_t)nodes, 0, most - 1);
    for (int32_t k = 0; good && k < pieces; k++) {
        p->still.data[k] = fr_read_f64(reader);
        good = p->still.data[k] >= 0.0;
    }
    return good;
}

static FrResult read_pieces(FrFem *shape, FrReader *reader) {
    FrFemState *s = &shape->state;
    FrStepCost *r = &s->step_cost;
    bool memory, fit = false, good = read_rigid(shape, reader, &memory);
    if (!memory) return fr_no_memory(shape->ctx, "a body that was cut");
    if (good) FR_TRY(fr_fem_states_fit(shape->ctx, s, &fit));
    good = good && fit;
    r->added_mass = fr_read_f64(reader);
    r->below_floor = fr_read_u8(reader) != 0;
    r->rigid_pieces = fr_read_i32(reader);
    r->rigid_volume = fr_read_f64(reader);
    r->dust_pieces = fr_read_i32(reader);
    r->dust_mass = fr_read_f64(reader);
    good = good && !reader->failed && isfinite(r->added_mass + r->rigid_volume) &&
           r->dust_pieces >= 0 && isfinite(r->dust_mass);
    return good ? FR_OK : bad_shape(shape, reader, "step_cost that are not those");
}

// every tet has a lane in a chunk of its material, and rows there for its nodes
static bool find_lanes(FrFemState *s) {
    FrChunks *c = &s->chunks;
    int32_t found = 0;
    for (int32_t k = 0; k < c->chunk_count; k++) {
        const FrChunk *h = &c->chunk[k];
        const int32_t *slot = c->slot_node + h->first_slot;
        for (int32_t j = 0; j < h->slot_count; j++)
            if (slot[j] < 0) return false;
        int32_t begin = FR_LANES * h->first_block, end = begin + FR_LANES * h->block_count;
        for (int32_t lane = begin; lane < end; lane++) {
            int32_t e = c->lane_tet[lane];
            if (e < 0) continue;
            if (c->tet_lane[e] >= 0 || s->region[e] != h->material) return false;
            c->tet_lane[e] = lane;
            found++;
            for (int i = 0; i < 4; i++) {
                int32_t row = 0;
                while (row < h->slot_count && slot[row] != s->tet[e][i]) row++;
                if (row == h->slot_count) return false;
            }
        }
    }
    return found == s->tet_count;
}

static FrResult read_shape(const FrFem *fem, FrReader *reader, FrFem *shape) {
    FR_TRY(read_sizes(fem, reader, shape));
    if (!allocate_shape(shape)) return fr_no_memory(fem->ctx, "a body that was cut");
    FR_TRY(fr_fem_arrays_load(shape, FR_ARRAY_SHAPE, reader, shape));
    FR_TRY(read_chunks(fem, reader, &shape->state));
    FR_TRY(read_pieces(shape, reader));
    bool fits = find_lanes(&shape->state);
    return fits ? FR_OK : bad_shape(fem, reader, "chunks that do not fit the tets");
}

static bool all_have_volume(const FrFemState *s) {
    for (int32_t e = 0; e < s->tet_count; e++) {
        FrVec3 m[4];
        FrElement element;
        for (int i = 0; i < 4; i++) m[i] = fr_get3(s->x, s->tet[e][i]);
        if (!fr_element_make(m, &element)) return false;
    }
    return true;
}

static bool all_nodes_used(FrContext *ctx, const FrFemState *s, bool *used) {
    uint8_t *seen = FR_NEW(ctx, uint8_t, s->node_count);
    if (!seen) return false;
    for (int32_t e = 0; e < s->tet_count; e++)
        for (int i = 0; i < 4; i++) seen[s->tet[e][i]] = 1;
    *used = true;
    for (int32_t n = 0; n < s->node_count; n++) *used = *used && seen[n];
    fr_free(ctx, seen);
    return true;
}

FrResult fr_fem_shape_read(const FrFem *fem, FrReader *reader, FrFem *shape) {
    *shape = (FrFem){.ctx = fem->ctx,
                     .settings = {.yields = fem->settings.yields,
                                  .material_count = fem->settings.material_count}};
    FR_TRY(read_shape(fem, reader, shape));
    bool used;
    if (!all_nodes_used(fem->ctx, &shape->state, &used)) return fr_no_memory(fem->ctx, "a body");
    if (!used || !all_have_volume(&shape->state))
        return bad_shape(fem, reader, "a tet without volume");
    return FR_OK;
}

FrResult fr_fem_shape_take(FrFem *fem, FrFem *shape) {
    FrFemState *s = &shape->state;
    if (!fr_fem_reserve(fem, s->node_count, s->tet_count))
        return fr_no_memory(fem->ctx, "a body that was cut");
    FrChunks chunks = fem->state.chunks;
    FrRigidPieces pieces = fem->state.pieces;
    fem->state.chunks = s->chunks;
    fem->state.pieces = s->pieces;
    s->chunks = chunks;
    s->pieces = pieces;
    fem->state.node_count = s->node_count;
    fem->state.tet_count = s->tet_count;
    fem->state.topology = s->topology;
    fem->state.first_w2 = s->first_w2;
    fem->state.step_cost = s->step_cost;
    fr_fem_arrays_copy(fem, shape, FR_ARRAY_SHAPE);
    if (!fr_fem_reserve_slots(fem)) return fr_no_memory(fem->ctx, "a body that was cut");
    for (int32_t e = 0; e < fem->state.tet_count; e++) {
        FrElement element;
        fr_fem_element(fem, e, &element);
        fr_chunks_pack(&fem->state.chunks, e, fem->state.tet[e], &element);
    }
    FR_TRY(fr_fem_set_masses(fem));
    FR_TRY(fr_fem_number_rigid(fem));
    fr_fem_set_bounds(fem);
    for (int32_t e = 0; e < fem->state.tet_count; e++)
        if (fem->scratch.is_rigid[e]) fr_fem_silence(fem, e);
    fem->scratch.gather_stale = true;
    fem->scratch.current = false;
    return FR_OK;
}
