// cut_save.c: the mesh and the chunks of a body that was cut, into a checkpoint and back.

#include "fem/body.h"
#include "fem/element.h"
#include <string.h>

static void write_indices(FrWriter *writer, const int32_t *a, size_t count) {
    for (size_t k = 0; k < count; k++) fr_write_i32(writer, a[k]);
}

static void save_remedies(const FrFem *fem, FrWriter *writer) {
    const FrFemRemedies *r = &fem->remedies;
    for (int32_t n = 0; n < fem->node_count; n++) fr_write_f64(writer, fem->added[n]);
    fr_write_bytes(writer, fem->stiff, (size_t)fem->tet_count);
    fr_write_bytes(writer, fem->gone, (size_t)fem->tet_count);
    fr_write_i32(writer, fem->rigid.count);
    fr_write_i32(writer, fem->rigid_node.count);
    write_indices(writer, fem->rigid.data, (size_t)fem->rigid.count);
    write_indices(writer, fem->rigid_node.data, (size_t)fem->rigid_node.count);
    for (int32_t k = 0; k < fem->rigid.count; k++) fr_write_f64(writer, fem->rigid_still.data[k]);
    fr_write_f64(writer, r->added_mass);
    fr_write_u8(writer, r->below_floor);
    fr_write_i32(writer, r->rigid_pieces);
    fr_write_f64(writer, r->rigid_volume);
    fr_write_i32(writer, r->dust_pieces);
    fr_write_f64(writer, r->dust_mass);
}

// Chunks as they stand: sums go through them in this order, and later cuts find the same room.
void fr_fem_shape_save(const FrFem *fem, FrWriter *writer) {
    const FrChunks *c = &fem->chunks;
    fr_write_u64(writer, fem->topology);
    fr_write_f64(writer, fem->first_w2);
    fr_write_i32(writer, fem->node_count);
    fr_write_i32(writer, fem->tet_count);
    fr_write_i32(writer, c->chunk_count);
    fr_write_i32(writer, c->block_count);
    fr_write_i32(writer, c->slot_count);
    for (size_t k = 0; k < 3 * (size_t)fem->node_count; k++) fr_write_f64(writer, fem->x[k]);
    write_indices(writer, fem->tet[0], 4 * (size_t)fem->tet_count);
    write_indices(writer, fem->region, (size_t)fem->tet_count);
    for (int32_t k = 0; k < c->chunk_count; k++) {
        const FrChunk *h = &c->chunk[k];
        int32_t v[7] = {h->material,   h->first_block, h->block_count, h->block_room,
                        h->first_slot, h->slot_count,  h->slot_room};
        write_indices(writer, v, 7);
    }
    write_indices(writer, c->lane_tet, FR_LANES * (size_t)c->block_count);
    write_indices(writer, c->slot_node, (size_t)c->slot_count);
    save_remedies(fem, writer);
}

void fr_fem_shape_free(FrContext *ctx, FrFemShape *shape) {
    FR_FREE_ALL(ctx, shape->x, shape->tet, shape->region, shape->added, shape->stiff, shape->gone);
    fr_array_free(ctx, &shape->rigid);
    fr_array_free(ctx, &shape->rigid_node);
    fr_array_free(ctx, &shape->rigid_still);
    fr_chunks_free(ctx, &shape->chunks);
    memset(shape, 0, sizeof *shape);
}

static FrResult bad_shape(FrFem *fem, const FrReader *reader, const char *what) {
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

static FrResult read_sizes(FrFem *fem, FrReader *reader, FrFemShape *s) {
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
                s->node_count >= fem->node_count && s->tet_count >= fem->tet_count &&
                s->node_count <= most && s->tet_count <= most && c->chunk_count > 0 &&
                c->block_count > 0 && c->slot_count > 0 && c->chunk_count <= most &&
                c->block_count <= most && c->slot_count <= most;
    if (!good) return bad_shape(fem, reader, "sizes that are not those");
    size_t need = 24 * (size_t)s->node_count + 20 * (size_t)s->tet_count +
                  28 * (size_t)c->chunk_count + 4 * FR_LANES * (size_t)c->block_count +
                  4 * (size_t)c->slot_count + 8 * (size_t)s->node_count + 2 * (size_t)s->tet_count +
                  8;
    if (fr_reader_left(reader) < need)
        return fr_fail(fem->ctx, FR_BAD_INPUT, "byte %zu: %zu bytes left; the shape needs %zu",
                       reader->at, fr_reader_left(reader), need);
    return FR_OK;
}

static bool allocate_shape(FrFem *fem, FrFemShape *s) {
    FrContext *ctx = fem->ctx;
    int32_t chunks = s->chunks.chunk_count, blocks = s->chunks.block_count,
            slots = s->chunks.slot_count;
    s->chunks.chunk_count = s->chunks.block_count = s->chunks.slot_count = 0;
    s->x = FR_NEW(ctx, double, 3 * (size_t)s->node_count);
    s->tet = fr_alloc_zero(ctx, (size_t)s->tet_count, sizeof s->tet[0]);
    s->region = FR_NEW(ctx, int32_t, s->tet_count);
    s->added = FR_NEW(ctx, double, s->node_count);
    s->stiff = FR_NEW(ctx, uint8_t, s->tet_count);
    s->gone = FR_NEW(ctx, uint8_t, s->tet_count);
    bool good = s->x && s->tet && s->region && s->added && s->stiff && s->gone &&
                fr_chunks_reserve(ctx, &s->chunks, chunks, blocks, slots) &&
                fr_chunks_reserve_tets(ctx, &s->chunks, s->tet_count);
    s->chunks.chunk_count = chunks;
    s->chunks.block_count = blocks;
    s->chunks.slot_count = slots;
    return good && fr_chunks_reserve_lists(ctx, &s->chunks, s->node_count);
}

static FrResult read_chunks(FrFem *fem, FrReader *reader, FrFemShape *s) {
    FrChunks *c = &s->chunks;
    for (int32_t k = 0; k < c->chunk_count; k++) {
        int32_t v[7];
        bool good = read_indices(reader, v, 7, 0, INT32_MAX / 4);
        c->chunk[k] = (FrChunk){v[0], v[1], v[2], v[3], v[4], v[5], v[6]};
        if (!good || v[0] >= fem->material_count || v[2] > v[3] || v[3] > FR_CHUNK_BLOCKS ||
            v[1] + v[3] > c->block_count || v[5] > v[6] || v[6] > FR_CHUNK_NODES ||
            v[4] + v[6] > c->slot_count)
            return bad_shape(fem, reader, "a chunk that is not one");
    }
    if (!read_indices(reader, c->lane_tet, FR_LANES * (size_t)c->block_count, -1, s->tet_count - 1))
        return bad_shape(fem, reader, "lanes that are not those");
    if (!read_indices(reader, c->slot_node, (size_t)c->slot_count, -1, s->node_count - 1))
        return bad_shape(fem, reader, "slots that are not those");
    return FR_OK;
}

// pieces end one after the other
static bool read_pieces(FrFem *fem, FrReader *reader, FrFemShape *s, bool *memory) {
    int32_t pieces = fr_read_i32(reader), nodes = fr_read_i32(reader), last = 0;
    *memory = true;
    if (reader->failed || pieces < 0 || nodes < 0 || pieces > nodes || nodes > s->node_count ||
        fr_reader_left(reader) / 4 < (size_t)pieces + (size_t)nodes)
        return false;
    *memory = fr_array_extend(fem->ctx, &s->rigid, pieces) &&
              fr_array_extend(fem->ctx, &s->rigid_node, nodes) &&
              fr_array_extend(fem->ctx, &s->rigid_still, pieces);
    if (!*memory || !read_indices(reader, s->rigid.data, (size_t)pieces, 1, nodes)) return false;
    for (int32_t k = 0; k < pieces; last = s->rigid.data[k++])
        if (s->rigid.data[k] <= last) return false;
    bool good = last == nodes &&
                read_indices(reader, s->rigid_node.data, (size_t)nodes, 0, s->node_count - 1);
    for (int32_t k = 0; good && k < pieces; k++) {
        s->rigid_still.data[k] = fr_read_f64(reader);
        good = s->rigid_still.data[k] >= 0.0;
    }
    return good;
}

static FrResult read_remedies(FrFem *fem, FrReader *reader, FrFemShape *s) {
    FrFemRemedies *r = &s->remedies;
    bool good = true, memory;
    for (int32_t n = 0; n < s->node_count; n++) {
        s->added[n] = fr_read_f64(reader);
        good = good && s->added[n] >= 0.0 && isfinite(s->added[n]);
    }
    fr_read_bytes(reader, s->stiff, (size_t)s->tet_count);
    fr_read_bytes(reader, s->gone, (size_t)s->tet_count);
    for (int32_t e = 0; e < s->tet_count; e++)
        good = good && s->stiff[e] <= 1 && s->gone[e] <= s->stiff[e];
    good = read_pieces(fem, reader, s, &memory) && good;
    if (!memory) return fr_no_memory(fem->ctx, "a body that was cut");
    r->added_mass = fr_read_f64(reader);
    r->below_floor = fr_read_u8(reader) != 0;
    r->rigid_pieces = fr_read_i32(reader);
    r->rigid_volume = fr_read_f64(reader);
    r->dust_pieces = fr_read_i32(reader);
    r->dust_mass = fr_read_f64(reader);
    good = good && !reader->failed && isfinite(r->added_mass + r->rigid_volume) &&
           r->dust_pieces >= 0 && isfinite(r->dust_mass);
    return good ? FR_OK : bad_shape(fem, reader, "remedies that are not those");
}

// every tet has a lane in a chunk of its material, and rows there for its nodes
static bool find_lanes(FrFemShape *s) {
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

static FrResult read_shape(FrFem *fem, FrReader *reader, FrFemShape *s) {
    FR_TRY(read_sizes(fem, reader, s));
    if (!allocate_shape(fem, s)) return fr_no_memory(fem->ctx, "a body that was cut");
    bool finite = true;
    for (size_t k = 0; k < 3 * (size_t)s->node_count; k++) {
        s->x[k] = fr_read_f64(reader);
        finite = finite && isfinite(s->x[k]);
    }
    if (!finite || !read_indices(reader, s->tet[0], 4 * (size_t)s->tet_count, 0, s->node_count - 1))
        return bad_shape(fem, reader, "nodes that are not those");
    if (!read_indices(reader, s->region, (size_t)s->tet_count, 0, fem->material_count - 1))
        return bad_shape(fem, reader, "regions that are not those");
    FR_TRY(read_chunks(fem, reader, s));
    FR_TRY(read_remedies(fem, reader, s));
    return find_lanes(s) ? FR_OK : bad_shape(fem, reader, "chunks that do not fit the tets");
}

static bool all_have_volume(const FrFemShape *s) {
    for (int32_t e = 0; e < s->tet_count; e++) {
        FrVec3 m[4];
        FrElement element;
        for (int i = 0; i < 4; i++) m[i] = fr_get3(s->x, s->tet[e][i]);
        if (!fr_element_make(m, &element)) return false;
    }
    return true;
}

static bool all_nodes_used(FrContext *ctx, const FrFemShape *s, bool *used) {
    uint8_t *seen = FR_NEW(ctx, uint8_t, s->node_count);
    if (!seen) return false;
    for (int32_t e = 0; e < s->tet_count; e++)
        for (int i = 0; i < 4; i++) seen[s->tet[e][i]] = 1;
    *used = true;
    for (int32_t n = 0; n < s->node_count; n++) *used = *used && seen[n];
    fr_free(ctx, seen);
    return true;
}

FrResult fr_fem_shape_read(FrFem *fem, FrReader *reader, FrFemShape *shape) {
    memset(shape, 0, sizeof *shape);
    FR_TRY(read_shape(fem, reader, shape));
    bool used;
    if (!all_nodes_used(fem->ctx, shape, &used)) return fr_no_memory(fem->ctx, "a body");
    if (!used || !all_have_volume(shape)) return bad_shape(fem, reader, "a tet without volume");
    return FR_OK;
}

// lists of rigid pieces change hands
static void swap_lists(FrFem *fem, FrFemShape *s) {
    FrFemShape old;
    memcpy(&old.rigid, &fem->rigid, sizeof old.rigid);
    memcpy(&old.rigid_node, &fem->rigid_node, sizeof old.rigid_node);
    memcpy(&old.rigid_still, &fem->rigid_still, sizeof old.rigid_still);
    memcpy(&fem->rigid, &s->rigid, sizeof fem->rigid);
    memcpy(&fem->rigid_node, &s->rigid_node, sizeof fem->rigid_node);
    memcpy(&fem->rigid_still, &s->rigid_still, sizeof fem->rigid_still);
    memcpy(&s->rigid, &old.rigid, sizeof s->rigid);
    memcpy(&s->rigid_node, &old.rigid_node, sizeof s->rigid_node);
    memcpy(&s->rigid_still, &old.rigid_still, sizeof s->rigid_still);
}

FrResult fr_fem_shape_take(FrFem *fem, FrFemShape *s) {
    if (!fr_fem_reserve(fem, s->node_count, s->tet_count))
        return fr_no_memory(fem->ctx, "a body that was cut");
    FrChunks old = fem->chunks;
    fem->chunks = s->chunks;
    s->chunks = old;
    fem->node_count = s->node_count;
    fem->tet_count = s->tet_count;
    fem->topology = s->topology;
    fem->first_w2 = s->first_w2;
    memcpy(fem->x, s->x, 3 * (size_t)s->node_count * sizeof(double));
    memcpy(fem->tet, s->tet, (size_t)s->tet_count * sizeof fem->tet[0]);
    memcpy(fem->region, s->region, (size_t)s->tet_count * sizeof(int32_t));
    memcpy(fem->added, s->added, (size_t)s->node_count * sizeof(double));
    memcpy(fem->stiff, s->stiff, (size_t)s->tet_count);
    memcpy(fem->gone, s->gone, (size_t)s->tet_count);
    swap_lists(fem, s);
    fem->remedies = s->remedies;
    if (!fr_fem_reserve_slots(fem)) return fr_no_memory(fem->ctx, "a body that was cut");
    for (int32_t e = 0; e < fem->tet_count; e++) {
        FrElement element;
        fr_fem_element(fem, e, &element);
        fr_chunks_pack(&fem->chunks, e, fem->tet[e], &element);
    }
    FR_TRY(fr_fem_set_masses(fem));
    FR_TRY(fr_fem_number_rigid(fem));
    fr_fem_set_bounds(fem);
    for (int32_t e = 0; e < fem->tet_count; e++)
        if (fem->stiff[e]) fr_fem_silence(fem, e);
    fem->gather_stale = true;
    fem->current = false;
    return FR_OK;
}
