// rawmesh.c: nodes and tets as a file has them become a mesh.

#include "mesh/rawmesh.h"
#include "mesh/overlap.h"
#include "mesh/quality.h"
#include "base/table.h"
#include "base/text.h"

void fr_rawmesh_free(FrContext *ctx, FrRawMesh *raw) {
    fr_array_free(ctx, &raw->node);
    fr_array_free(ctx, &raw->number);
    fr_array_free(ctx, &raw->tet);
}

// number[n]: corners first, then mid-nodes, each in file order; -1 for unused ones
static FrResult number_nodes(FrContext *ctx, const FrRawMesh *raw, int32_t *number,
                             int32_t *corners, int32_t *nodes) {
    enum { UNUSED = 0, CORNER = 1, MIDDLE = 2 };
    for (int32_t e = 0; e < raw->tet.count; e++)
        for (int k = 0; k < (raw->order == 2 ? 10 : 4); k++)
            number[raw->tet.data[e].n[k]] |= k < 4 ? CORNER : MIDDLE;
    *corners = *nodes = 0;
    for (int32_t n = 0; n < raw->node.count; n++) *corners += number[n] == CORNER;
    int32_t corner = 0, middle = *corners;
    for (int32_t n = 0; n < raw->node.count; n++) {
        if (number[n] == (CORNER | MIDDLE))
            return fr_fail(ctx, FR_BAD_INPUT,
                           "node %lld is a corner of one tet and a mid-node of another",
                           (long long)raw->number.data[n]);
        number[n] = number[n] == CORNER ? corner++ : number[n] == MIDDLE ? middle++ : -1;
    }
    *nodes = middle;
    return FR_OK;
}

// tags in ascending order become 0, 1, 2, ...
static FrResult number_regions(FrContext *ctx, const FrRawMesh *raw, FrTetMesh *mesh) {
    uint64_t *key = FR_NEW(ctx, uint64_t, raw->tet.count);
    if (!key) return fr_no_memory(ctx, "mesh regions");
    for (int32_t e = 0; e < raw->tet.count; e++)
        key[e] = (uint64_t)raw->tet.data[e].tag ^ (uint64_t)1 << 63;
    int32_t *order, region = 0;
    FrResult result = fr_sort_keys(ctx, key, raw->tet.count, &order);
    for (int32_t k = 0; result == FR_OK && k < raw->tet.count; k++) {
        region += k > 0 && key[order[k]] != key[order[k - 1]];
        mesh->region[order[k]] = region;
    }
    if (result == FR_OK) fr_free(ctx, order);
    fr_free(ctx, key);
    if (result == FR_OK && region == 0) {
        fr_free(ctx, mesh->region);
        mesh->region = NULL;
    }
    return result;
}

// what can be reported by the numbers of the file, before they are others
static FrResult check_raw(FrContext *ctx, const FrRawMesh *raw) {
    for (int32_t e = 0; e < raw->tet.count; e++) {
        const FrRawTet *tet = &raw->tet.data[e];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++)
                if (tet->n[i] == tet->n[j])
                    return fr_fail(ctx, FR_BAD_INPUT, "tet %lld has node %lld twice",
                                   (long long)tet->number, (long long)raw->number.data[tet->n[i]]);
    }
    for (int32_t n = 0; n < raw->node.count; n++)
        if (!fr_vec3_finite(raw->node.data[n]))
            return fr_fail(ctx, FR_BAD_INPUT, "node %lld: a coordinate is not finite",
                           (long long)raw->number.data[n]);
    return FR_OK;
}

// what a file has wrong is put right, but not in silence
static void tell_repairs(FrContext *ctx, const char *name, int32_t unused, int32_t turned,
                         int32_t tets) {
    if (unused)
        fr_log(ctx, FR_LOG_WARNING, "%s: %d node%s to no tet: left out", name, unused,
               unused == 1 ? " belongs" : "s belong");
    // all of them: another program's habit, no fault
    if (turned && turned < tets)
        fr_log(ctx, FR_LOG_WARNING, "%s: %d tet%s inside out: turned over", name, turned,
               turned == 1 ? " was" : "s were");
}

// parts that lie inside each other are two solids in one place: warned of, not mended
static FrResult tell_overlap(FrContext *ctx, const char *name, const FrTetMesh *mesh) {
    FrMeshOverlap overlap;
    FR_TRY(fr_tetmesh_overlap(ctx, mesh, &overlap));
    if (overlap.tets)
        fr_log(ctx, FR_LOG_WARNING,
               "%s: %d tets lie inside each other, around (%.4g, %.4g, %.4g) of the file: %.3g %% "
               "of the volume counts twice",
               name, overlap.tets, overlap.centroid.x, overlap.centroid.y, overlap.centroid.z,
               100.0 * overlap.volume / fr_tetmesh_props(mesh).volume);
    return FR_OK;
}

static FrResult build(FrContext *ctx, const char *name, const FrRawMesh *raw, int32_t *number,
                      FrTetMesh *mesh) {
    int32_t corners = 0, nodes = 0;
    FR_TRY(check_raw(ctx, raw));
    FR_TRY(number_nodes(ctx, raw, number, &corners, &nodes));
    FR_TRY(fr_tetmesh_alloc(ctx, nodes, raw->tet.count, raw->order, true, mesh));
    mesh->corner_count = corners;
    for (int32_t n = 0; n < raw->node.count; n++)
        if (number[n] >= 0) fr_set3(mesh->x, number[n], raw->node.data[n]);
    for (int32_t e = 0; e < raw->tet.count; e++) {
        for (int k = 0; k < 4; k++) mesh->tet[e][k] = number[raw->tet.data[e].n[k]];
        for (int k = 0; k < 6 && mesh->mid; k++)
            mesh->mid[e][k] = number[raw->tet.data[e].n[4 + k]];
    }
    FR_TRY(number_regions(ctx, raw, mesh));
    tell_repairs(ctx, name, raw->node.count - nodes, fr_tetmesh_orient(mesh), mesh->tet_count);
    FrMeshCheck check;
    FrResult result = fr_tetmesh_check(ctx, mesh, &check);
    if (result == FR_OK) return tell_overlap(ctx, name, mesh);
    if (result != FR_BAD_INPUT || !check.bad_tets) return result;
    return fr_fail(ctx, result, "tet %lld has volume %g, it must be positive (%d such tets)",
                   (long long)raw->tet.data[check.first_bad].number,
                   fr_tet_volume(mesh, check.first_bad), check.bad_tets);
}

FrResult fr_rawmesh_finish(FrContext *ctx, const char *name, const FrRawMesh *raw,
                           FrTetMesh *mesh) {
    *mesh = (FrTetMesh){0};
    if (!raw->tet.count) return fr_fail(ctx, FR_BAD_INPUT, "%s: no tets in this file", name);
    int32_t *number = FR_NEW(ctx, int32_t, raw->node.count);
    FrResult result =
        number ? build(ctx, name, raw, number, mesh) : fr_no_memory(ctx, "a mesh file");
    fr_free(ctx, number);
    if (result == FR_OK) return FR_OK;
    fr_tetmesh_free(ctx, mesh);
    return result == FR_NO_MEMORY ? result : fr_fail_within(ctx, result, "%s: ", name);
}

FrResult fr_write_point(FrFileWriter *writer, const double *x) {
    FrNumber a = fr_print_double(x[0]), b = fr_print_double(x[1]), c = fr_print_double(x[2]);
    return fr_file_printf(writer, "%s %s %s\n", a.text, b.text, c.text);
}
