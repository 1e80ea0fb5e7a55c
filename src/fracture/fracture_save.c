// fracture_save.c: what a breaking body keeps from step to step, into a checkpoint and back.

#include "fracture/inside.h"

static void write_refusals(const FrFracture *f, FrWriter *writer) {
    fr_write_i32(writer, f->refusal.count);
    for (int32_t k = 0; k < f->refusal.count; k++) {
        const FrRefusal *r = &f->refusal.data[k];
        fr_write_i32(writer, r->node);
        fr_write_i32(writer, r->count);
        for (int32_t j = 0; j < r->count; j++) fr_write_f64(writer, r->off[j]);
    }
}

void fr_fracture_save_whole(const FrFracture *f, FrWriter *writer) {
    if (!f->patient) return;
    fr_write_i32(writer, f->look);
    for (int32_t n = 0; n < f->wait.count; n++) fr_write_u8(writer, f->wait.data[n]);
}

FrResult fr_fracture_load_whole(FrFracture *f, FrReader *reader) {
    if (!f->patient) return FR_OK;
    f->look = fr_read_i32(reader);
    bool good = f->look >= 0 && f->look < 1 << FR_MOST_WAIT;
    for (int32_t n = 0; n < f->wait.count; n++) {
        f->wait.data[n] = fr_read_u8(reader);
        good = good && f->wait.data[n] <= FR_MOST_WAIT;
    }
    return good && !reader->failed
               ? FR_OK
               : fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: no look that nodes wait for", reader->at);
}

void fr_fracture_save(const FrFracture *f, FrWriter *writer) {
    fr_write_i32(writer, f->weak.count);
    for (int32_t e = 0; e < f->weak.count; e++) fr_write_f64(writer, f->weak.data[e]);
    fr_cutmesh_save(f->cut, writer);
    for (int32_t e = 0; e < f->wall.count; e++) fr_write_vec3(writer, f->wall.data[e]);
    fr_pieces_save(f->pieces, writer);
    fr_write_f64(writer, f->broke_at);
    fr_write_u8(writer, f->cracked_once);
    fr_write_u8(writer, f->calmed);
    write_refusals(f, writer);
    fr_fracture_save_whole(f, writer);
}

static FrResult read_weak(FrFracture *f, FrReader *reader) {
    size_t at = reader->at;
    int32_t count = fr_read_i32(reader), had = f->weak.count;
    if (reader->failed || count < had || (had == 0 && count > 0) ||
        (size_t)count > fr_reader_left(reader) / 8)
        return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: weak places of %d tets; the body has %d",
                       at, count, had);
    if (!fr_array_extend(f->ctx, &f->weak, count - had))
        return fr_no_memory(f->ctx, "a body that breaks");
    for (int32_t e = 0; e < count; e++) {
        f->weak.data[e] = fr_read_f64(reader);
        if (!isfinite(f->weak.data[e]) || f->weak.data[e] < 0.0)
            return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: factor %g; allowed: 0 or more",
                           reader->at - 8, f->weak.data[e]);
    }
    return FR_OK;
}

static FrResult read_walls(FrFracture *f, FrReader *reader) {
    int32_t count = fr_cutmesh_view(f->cut)->tet_count;
    if (!f->wall.count) return FR_OK;
    if (!fr_array_extend(f->ctx, &f->wall, count - f->wall.count))
        return fr_no_memory(f->ctx, "a body that breaks");
    bool good = true;
    for (int32_t e = 0; e < count && good; e++) {
        f->wall.data[e] = fr_read_vec3(reader);
        good = fr_vec3_finite(f->wall.data[e]);
    }
    return good && !reader->failed
               ? FR_OK
               : fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: no way through a wall", reader->at);
}

static FrResult read_refusal(FrFracture *f, FrReader *reader) {
    size_t at = reader->at;
    double off[3 * FR_REFUSAL_TETS];
    FrRefusal r = {.node = fr_read_i32(reader), .off = off};
    r.count = fr_read_i32(reader);
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count;
    // a cut beside it may have changed how many tets the node has: the plane is tried again then
    if (reader->failed || r.node < 0 || r.node >= nodes || r.count < 1 ||
        r.count > 3 * FR_REFUSAL_TETS || f->refused.data[r.node])
        return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: no plane through node %d of %d", at, r.node,
                       nodes);
    for (int32_t j = 0; j < r.count; j++) r.off[j] = fr_read_f64(reader);
    return fr_fracture_note_refusal(f, r) ? FR_OK : fr_no_memory(f->ctx, "a body that breaks");
}

static FrResult read_refusals(FrFracture *f, FrReader *reader) {
    fr_fracture_forget_refusals(f);
    int32_t count = fr_read_i32(reader);
    if (count < 0)
        return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: %d planes", reader->at - 4, count);
    for (int32_t k = 0; k < count && !reader->failed; k++) FR_TRY(read_refusal(f, reader));
    return reader->failed ? fr_fail(f->ctx, FR_BAD_INPUT, "the file ends within %d planes", count)
                          : FR_OK;
}

FrResult fr_fracture_load(FrFracture *f, FrReader *reader) {
    FR_TRY(read_weak(f, reader));
    FR_TRY(fr_cutmesh_load(f->cut, reader));
    FR_TRY(read_walls(f, reader));
    FR_TRY(fr_pieces_load(f->pieces, f->cut, reader));
    f->broke_at = fr_read_f64(reader);
    f->cracked_once = fr_read_u8(reader) != 0;
    f->calmed = fr_read_u8(reader) != 0;
    if (reader->failed || !(f->broke_at >= 0.0 && isfinite(f->broke_at)))
        return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: broke last at %g s; allowed: 0 or more",
                       reader->at, f->broke_at);
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    if (mesh->tet_count != view.tet_count || mesh->node_count != view.node_count ||
        (f->weak.count && f->weak.count != view.tet_count))
        return fr_fail(f->ctx, FR_BAD_INPUT, "cracks of %d tets; the body has %d", mesh->tet_count,
                       view.tet_count);
    if (!fr_fracture_follow(f, NULL)) return fr_no_memory(f->ctx, "a body that breaks");
    FR_TRY(read_refusals(f, reader));
    return fr_fracture_load_whole(f, reader);
}
