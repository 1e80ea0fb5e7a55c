// corot_save.c: what is physical in a corot body, as a hash; its state in and out of checkpoints.

#include "corot/corot_body.h"

void fr_corot_hash(const FrCorot *b, FrHash *hash) {
    for (int32_t n = 0; n < 3 * b->node_count; n++) {
        fr_hash_f64(hash, b->p[n]);
        fr_hash_f64(hash, b->v[n]);
    }
    for (int32_t e = 0; b->yields && e < b->tet_count; e++)
        for (int k = 0; k < 6; k++) fr_hash_f64(hash, b->block[e / FR_LANES].Ep[k][e % FR_LANES]);
    for (int32_t n = 0; b->heat.feels && n < b->node_count; n++)
        fr_hash_f64(hash, b->heat.above[n]);
    for (int32_t e = 0; b->topology > 1 && e < b->tet_count; e++)
        for (int i = 0; i < 4; i++) fr_hash_u64(hash, (uint64_t)b->tet[e][i]);
}

// numbers of each tet that change: rotation (a flat tet's next one depends on it), plastic strain
static void write_tet(const FrCorot *b, int32_t e, FrWriter *writer) {
    const FrCorotBlock *block = &b->block[e / FR_LANES];
    int lane = e % FR_LANES;
    for (int k = 0; k < 9; k++) fr_write_f64(writer, block->R[k / 3][k % 3][lane]);
    for (int k = 0; b->yields && k < 6; k++) fr_write_f64(writer, block->Ep[k][lane]);
}
static void read_tet(FrCorot *b, int32_t e, FrReader *reader) {
    FrCorotBlock *block = &b->block[e / FR_LANES];
    int lane = e % FR_LANES;
    for (int k = 0; k < 9; k++) block->R[k / 3][k % 3][lane] = fr_read_f64(reader);
    for (int k = 0; b->yields && k < 6; k++) block->Ep[k][lane] = fr_read_f64(reader);
}

static double *spent_number(FrCorotEnergy *e, int k) {
    double *number[] = {&e->damping,      &e->implicit,  &e->plastic,
                        &e->gravity_work, &e->load_work, &e->contact_work};
    return number[k];
}

void fr_corot_save(const FrCorot *b, FrWriter *writer) {
    FrCorotEnergy spent = b->spent;
    fr_write_i32(writer, b->node_count);
    fr_write_i32(writer, b->tet_count);
    fr_write_i32(writer, b->hold.count);
    for (int32_t n = 0; n < 3 * b->node_count; n++) fr_write_f64(writer, b->p[n]);
    for (int32_t n = 0; n < 3 * b->node_count; n++) fr_write_f64(writer, b->v[n]);
    for (int32_t n = 0; n < 3 * b->node_count; n++) fr_write_f64(writer, b->drive[n]);
    fr_write_bytes(writer, b->held, (size_t)b->node_count);
    for (int32_t e = 0; e < b->tet_count; e++) write_tet(b, e, writer);
    for (int32_t k = 0; k < b->hold.count; k++) {
        const FrHold *hold = &b->hold.data[k];
        fr_write_u64(writer, hold->key);
        fr_write_vec3(writer, hold->shear);
        fr_write_f64(writer, hold->grip);
        fr_write_u8(writer, (uint8_t)hold->state);
    }
    for (int32_t n = 0; n < 3 * b->node_count; n++) fr_write_f64(writer, b->f[n]);
    fr_write_f64(writer, b->elastic);
    fr_write_vec3(writer, b->outer);
    fr_write_u64(writer, b->topology);
    for (int32_t n = 0; b->heat.feels && n < b->node_count; n++)
        fr_write_f64(writer, b->heat.above[n]);
    fr_write_f64(writer, b->heat.start);
    fr_write_f64(writer, b->heat.brought);
    fr_write_f64(writer, b->heat.lost);
    for (int k = 0; k < 6; k++) fr_write_f64(writer, *spent_number(&spent, k));
}

static bool finite_numbers(const double *x, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

static FrResult read_state(FrCorot *b, FrReader *reader, int32_t holds) {
    size_t n = (size_t)b->node_count;
    for (size_t k = 0; k < 3 * n; k++) b->p[k] = fr_read_f64(reader);
    for (size_t k = 0; k < 3 * n; k++) b->v[k] = fr_read_f64(reader);
    for (size_t k = 0; k < 3 * n; k++) b->drive[k] = fr_read_f64(reader);
    fr_read_bytes(reader, b->held, n);
    for (int32_t e = 0; e < b->tet_count; e++) read_tet(b, e, reader);
    for (b->hold.count = 0; b->hold.count < holds; b->hold.count++) {
        FrHold *hold = &b->hold.data[b->hold.count];
        hold->key = fr_read_u64(reader);
        hold->shear = fr_read_vec3(reader);
        hold->grip = fr_read_f64(reader);
        hold->state = (FrHoldState)(fr_read_u8(reader) % 3);
    }
    for (size_t k = 0; k < 3 * n; k++) b->f[k] = fr_read_f64(reader);
    b->elastic = fr_read_f64(reader);
    b->outer = fr_read_vec3(reader);
    b->topology = fr_read_u64(reader);
    for (size_t k = 0; b->heat.feels && k < n; k++) b->heat.above[k] = fr_read_f64(reader);
    b->heat.start = fr_read_f64(reader);
    b->heat.brought = fr_read_f64(reader);
    b->heat.lost = fr_read_f64(reader);
    for (int k = 0; k < 6; k++) *spent_number(&b->spent, k) = fr_read_f64(reader);
    bool turns = true;
    for (int32_t k = 0; k < b->block_count; k++)
        turns = turns && finite_numbers(&b->block[k].R[0][0][0], 9 * FR_LANES) &&
                finite_numbers(&b->block[k].Ep[0][0], 6 * FR_LANES);
    bool good = turns && !reader->failed && finite_numbers(b->p, 3 * n) &&
                finite_numbers(b->v, 3 * n) &&
                (!b->heat.feels || finite_numbers(b->heat.above, n)) &&
                finite_numbers(b->drive, 3 * n) && finite_numbers(b->f, 3 * n);
    if (!good)
        return fr_fail(b->ctx, FR_BAD_INPUT, "the state of a corot body, cut short or not finite");
    return FR_OK;
}

// R G of the corners of a tet, with the sums of the kernel
static void turn_gradients(FrCorot *b, int32_t e) {
    const FrCorotBlock *block = &b->block[e / FR_LANES];
    int lane = e % FR_LANES;
    for (int i = 0; i < 4; i++)
        for (int r = 0; r < 3; r++)
            b->now[e].h[i][r] = (block->R[0][r][lane] * block->G[i][0][lane] +
                                 block->R[1][r][lane] * block->G[i][1][lane]) +
                                block->R[2][r][lane] * block->G[i][2][lane];
}

FrResult fr_corot_load(FrCorot *b, FrReader *reader) {
    int32_t nodes = fr_read_i32(reader), tets = fr_read_i32(reader), holds = fr_read_i32(reader);
    size_t need = (size_t)b->node_count * 97 + (size_t)b->tet_count * (b->yields ? 120 : 72);
    if (reader->failed || nodes != b->node_count || tets != b->tet_count || holds < 0 ||
        (size_t)holds > fr_reader_left(reader) / 41 || fr_reader_left(reader) < need)
        return fr_fail(b->ctx, FR_BAD_INPUT, "not the state of this corot body, or cut short");
    b->hold.count = 0;
    if (!fr_array_reserve(b->ctx, &b->hold, holds))
        return fr_no_memory(b->ctx, "contacts that hold");
    FR_TRY(read_state(b, reader, holds));
    fr_corot_heat_recall(b);
    for (int32_t e = 0; e < FR_LANES * b->block_count; e++) turn_gradients(b, e);
    return FR_OK;
}
