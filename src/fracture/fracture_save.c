// fracture_save.c: what a breaking body keeps from step to step, into a checkpoint and back.

#include "fracture/inside.h"

static void write_refusals(const FrFracture *f, FrWriter *writer) {
    fr_write_i32(writer, f->state.refusal.count);
    for (int32_t k = 0; k < f->state.refusal.count; k++) {
        const FrRefusal *r = &f->state.refusal.data[k];
        fr_write_i32(writer, r->node);
        fr_write_i32(writer, r->count);
        for (int32_t j = 0; j < r->count; j++) fr_write_f64(writer, r->off[j]);
    }
}

void fr_fracture_save_whole(const FrFracture *f, FrWriter *writer) {
    if (!f->settings.patient) return;
    fr_write_i32(writer, f->state.scan);
    fr_fracture_arrays_save(f, FR_SAVED_PATIENT, writer);
}

FrResult fr_fracture_load_whole(FrFracture *f, FrReader *reader) {
    if (!f->settings.patient) return FR_OK;
    f->state.scan = fr_read_i32(reader);
    if (reader->failed || f->state.scan < 0 || f->state.scan >= 1 << FR_MOST_WAIT)
        return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: no scan that nodes wait for", reader->at);
    return fr_fracture_arrays_load(f, FR_SAVED_PATIENT, reader);
}

void fr_fracture_save(const FrFracture *f, FrWriter *writer) {
    fr_fracture_arrays_save(f, FR_SAVED_CUT, writer);
    fr_write_f64(writer, f->state.broke_at);
    fr_write_u8(writer, f->state.cracked_once);
    fr_write_u8(writer, f->state.settled);
    write_refusals(f, writer);
    fr_fracture_save_whole(f, writer);
}

static FrResult read_refusal(FrFracture *f, FrReader *reader) {
    size_t at = reader->at;
    double off[3 * FR_REFUSAL_TETS];
    FrRefusal r = {.node = fr_read_i32(reader), .off = off};
    r.count = fr_read_i32(reader);
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count;
    // a cut beside it may have changed how many tets the node has: the plane is tried again then
    if (reader->failed || r.node < 0 || r.node >= nodes || r.count < 1 ||
        r.count > 3 * FR_REFUSAL_TETS || f->scratch.cuts.refused.data[r.node])
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

static FrResult read_times(FrFracture *f, FrReader *reader) {
    f->state.broke_at = fr_read_f64(reader);
    f->state.cracked_once = fr_read_u8(reader) != 0;
    f->state.settled = fr_read_u8(reader) != 0;
    if (reader->failed || !(f->state.broke_at >= 0.0 && isfinite(f->state.broke_at)))
        return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: broke last at %g s; allowed: 0 or more",
                       reader->at, f->state.broke_at);
    return FR_OK;
}

FrResult fr_fracture_load(FrFracture *f, FrReader *reader) {
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    if (mesh->tet_count != view.tet_count || mesh->node_count != view.node_count)
        return fr_fail(f->ctx, FR_BAD_INPUT, "cracks of %d tets; the body has %d", mesh->tet_count,
                       view.tet_count);
    FR_TRY(fr_fracture_arrays_load(f, FR_SAVED_CUT, reader));
    FR_TRY(read_times(f, reader));
    if (!fr_fracture_follow(f, NULL)) return fr_no_memory(f->ctx, "a body that breaks");
    FR_TRY(read_refusals(f, reader));
    return fr_fracture_load_whole(f, reader);
}
