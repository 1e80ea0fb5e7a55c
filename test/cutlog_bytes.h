// cutlog_bytes.h: a cut log as unpacked bytes, for tests that change them: packed on the way in.
#pragma once
#include "base/base.h"
#include "cut/pieces.h"
#include "mesh/structured.h"
#include "record/cut_code.h"
#include "store/deflate.h"
#include <string.h>

/// The mesh that the logs are for.
static inline FrResult cutlog_mesh(FrContext *ctx, FrTetMesh *mesh) {
    FrBox box = {{0, 0, 0}, {2, 1, 1}};
    return fr_mesh_box_cells(ctx, box, (int32_t[3]){2, 1, 1}, mesh);
}

/// Head and unpacked entries of three splits; caller frees with fr_writer_free.
static inline FrResult cutlog_sample(FrContext *ctx, FrWriter *out) {
    FrTetMesh mesh;
    FrCutMesh *cut = NULL;
    FrCutLog log = {0}, one = {0};
    FrWriter raw, z;
    fr_writer_init(&raw, ctx);
    fr_writer_init(&z, ctx);
    fr_writer_init(out, ctx);
    FR_TRY(cutlog_mesh(ctx, &mesh));
    FrResult result = fr_cutmesh_create(ctx, &mesh, &cut);
    fr_cutlog_init(&log, mesh.node_count);
    FrSplitOptions options = fr_split_options_default();
    for (int32_t n = 4; n < 7 && result == FR_OK; n++) {
        FrSplitResult said;
        result =
            fr_cutmesh_split(cut, n, fr_normalize(fr_vec3(1, 0.3, 0.1 * n)), &options, &log, &said);
    }
    if (result == FR_OK) result = fr_cut_code_write(ctx, &log, mesh.tet_count, &raw, &z, out);
    if (result == FR_OK) {
        out->size = FR_CUT_HEAD_BYTES;
        fr_write_bytes(out, raw.data, raw.size);
        result = fr_writer_result(out);
    }
    fr_writer_free(&raw);
    fr_writer_free(&z);
    fr_cutlog_free(ctx, &log);
    fr_cutlog_free(ctx, &one);
    fr_cutmesh_destroy(cut);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

static inline FrResult cutlog_follow(FrContext *ctx, const FrTetMesh *mesh, const FrCutLog *log) {
    FrCutMesh *cut;
    FrPieces *pieces = NULL;
    FrSurface surface;
    FR_TRY(fr_cutmesh_create(ctx, mesh, &cut));
    FrResult result = fr_pieces_create(ctx, cut, &pieces);
    for (int32_t k = 0; result == FR_OK && k < fr_cutlog_steps(log); k++) {
        FrCutLog step = fr_cutlog_step(log, k);
        result = fr_cutmesh_apply(cut, &step, 1);
        if (result == FR_OK)
            result = fr_pieces_follow(pieces, cut, &step, step.first_group, 1, NULL);
    }
    if (result == FR_OK) {
        result = fr_cutmesh_surface(cut, fr_pieces_of_tets(pieces), &surface);
        fr_surface_free(ctx, &surface);
    }
    fr_pieces_destroy(pieces);
    fr_cutmesh_destroy(cut);
    return result;
}

/// Everything that a recording does with a log.
static inline FrResult cutlog_read(FrContext *ctx, const uint8_t *data, size_t size) {
    FrTetMesh mesh;
    FrCutLog log = {0};
    FrCutHead head;
    FrWriter z, packed;
    FR_TRY(fr_cut_code_head(ctx, data, size, &head));
    FR_TRY(cutlog_mesh(ctx, &mesh));
    fr_writer_init(&z, ctx);
    fr_writer_init(&packed, ctx);
    FrResult result = FR_OK;
    if (head.first_tet != mesh.tet_count || head.first_node != mesh.node_count)
        result = fr_fail(ctx, FR_BAD_INPUT, "a log of another mesh");
    if (result == FR_OK)
        result = fr_deflate(ctx, data + FR_CUT_HEAD_BYTES, size - FR_CUT_HEAD_BYTES, 1, &z);
    fr_write_bytes(&packed, data, FR_CUT_HEAD_BYTES);
    if (result == FR_OK) fr_write_bytes(&packed, z.data, z.size);
    if (result == FR_OK)
        result =
            fr_cut_code_read(ctx, packed.data, packed.size, (const int32_t(*)[4])mesh.tet, &log);
    if (result == FR_OK) result = cutlog_follow(ctx, &mesh, &log);
    fr_writer_free(&z);
    fr_writer_free(&packed);
    fr_cutlog_free(ctx, &log);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}
