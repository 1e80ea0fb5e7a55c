// save.c: what a breaking body keeps from step to step, into a checkpoint and back.

#include "fracture/inside.h"
#include <string.h>

void fr_fracture_save(const FrFracture *f, FrWriter *writer) {
    const double *height = fr_cutmesh_heights(f->cut);
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count;
    fr_write_i32(writer, tets);
    fr_write_u64(writer, (uint64_t)f->refused);
    for (int32_t e = 0; e < tets; e++) fr_write_f64(writer, height[e]);
    for (int32_t e = 0; e < f->weak.count; e++) fr_write_f64(writer, f->weak.data[e]);
}

static FrResult read_numbers(FrFracture *f, FrReader *reader, double *to, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        to[k] = fr_read_f64(reader);
        if (!isfinite(to[k]) || to[k] < 0.0)
            return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: %g; allowed: 0 or more", reader->at - 8,
                           to[k]);
    }
    return FR_OK;
}

// the mesh anew from that of the body
static FrResult take_mesh(FrFracture *f, const double *height) {
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    int32_t *region = FR_NEW(f->ctx, int32_t, view.tet_count);
    if (!region) return fr_no_memory(f->ctx, "a body that breaks");
    for (int32_t e = 0; e < view.tet_count; e++) region[e] = fr_fem_region(f->fem, e);
    FrTetMesh mesh = {.node_count = view.node_count,
                      .corner_count = view.node_count,
                      .tet_count = view.tet_count,
                      .order = 1,
                      .x = (double *)(uintptr_t)fr_fem_rest(f->fem),
                      .tet = (int32_t(*)[4])(uintptr_t)view.tet,
                      .region = fr_cutmesh_view(f->cut)->region ? region : NULL};
    FrCutMesh *cut;
    FrResult result = fr_cutmesh_create(f->ctx, &mesh, &cut);
    fr_free(f->ctx, region);
    if (result != FR_OK) return result;
    fr_cutmesh_set_heights(cut, height);
    fr_cutmesh_destroy(f->cut);
    f->cut = cut;
    return FR_OK;
}

static FrResult load_into(FrFracture *f, FrReader *reader, double *height, double *weak,
                          int32_t tets) {
    FR_TRY(read_numbers(f, reader, height, tets));
    if (f->weak.count) FR_TRY(read_numbers(f, reader, weak, tets));
    FR_TRY(take_mesh(f, height));
    if (f->weak.count) {
        if (!fr_array_extend(f->ctx, &f->weak, tets - f->weak.count))
            return fr_no_memory(f->ctx, "a body that breaks");
        memcpy(f->weak.data, weak, (size_t)tets * sizeof *weak);
    }
    return fr_fracture_follow(f, NULL) ? FR_OK : fr_no_memory(f->ctx, "a body that breaks");
}

FrResult fr_fracture_load(FrFracture *f, FrReader *reader) {
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    size_t at = reader->at, lists = f->weak.count ? 2 : 1;
    int32_t tets = fr_read_i32(reader);
    f->refused = (int64_t)fr_read_u64(reader);
    if (reader->failed || tets != view.tet_count ||
        fr_reader_left(reader) < 8 * lists * (size_t)tets)
        return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: cracks of %d tets; the body has %d", at,
                       tets, view.tet_count);
    double *height = FR_NEW(f->ctx, double, tets), *weak = FR_NEW(f->ctx, double, tets);
    FrResult result = height && weak ? load_into(f, reader, height, weak, tets)
                                     : fr_no_memory(f->ctx, "a body that breaks");
    fr_free(f->ctx, height);
    fr_free(f->ctx, weak);
    return result;
}
