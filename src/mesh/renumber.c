// renumber.c: which tets and nodes a mesh keeps, and in which order.

#include "mesh/tetmesh.h"
#include "base/table.h"
#include <string.h>

// give every node its new number (-1: drop) and move positions; numbers need not be ascending
static FrResult apply_nodes(FrContext *ctx, FrTetMesh *mesh, const int32_t *number, int32_t count,
                            int32_t corners) {
    double *x = fr_alloc_zero(ctx, (size_t)count, 3 * sizeof(double));
    if (!x) return fr_no_memory(ctx, "renumbered nodes");
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (number[n] >= 0) fr_set3(x, number[n], fr_get3(mesh->x, n));
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        for (int i = 0; i < 4; i++) mesh->tet[e][i] = number[mesh->tet[e][i]];
        for (int i = 0; i < 6 && mesh->mid; i++) mesh->mid[e][i] = number[mesh->mid[e][i]];
    }
    fr_free(ctx, mesh->x);
    mesh->x = x;
    mesh->node_count = count;
    mesh->corner_count = corners;
    return FR_OK;
}

FrResult fr_tetmesh_compact(FrContext *ctx, FrTetMesh *mesh, int32_t *removed) {
    int32_t *number = FR_NEW(ctx, int32_t, mesh->node_count);
    if (!number) return fr_no_memory(ctx, "renumbered nodes");
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        for (int i = 0; i < 4; i++) number[mesh->tet[e][i]] = 1;
        for (int i = 0; i < 6 && mesh->mid; i++) number[mesh->mid[e][i]] = 1;
    }
    int32_t count = 0, corners = 0;
    for (int32_t n = 0; n < mesh->node_count; n++) {
        number[n] = number[n] ? count++ : -1;
        if (n + 1 == mesh->corner_count) corners = count;
    }
    int32_t before = mesh->node_count;
    FrResult result = FR_OK;
    if (count != before) result = apply_nodes(ctx, mesh, number, count, corners);
    fr_free(ctx, number);
    if (removed) *removed = before - count;
    return result;
}

FrResult fr_tetmesh_keep(FrContext *ctx, FrTetMesh *mesh, const uint8_t *keep) {
    int32_t count = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        if (!keep[e]) continue;
        memmove(mesh->tet[count], mesh->tet[e], sizeof *mesh->tet);
        if (mesh->mid) memmove(mesh->mid[count], mesh->mid[e], sizeof *mesh->mid);
        if (mesh->region) mesh->region[count] = mesh->region[e];
        count++;
    }
    mesh->tet_count = count;
    return fr_tetmesh_compact(ctx, mesh, NULL);
}

// place on the curve, 21 bits per axis over the longest side of the box
static uint64_t curve_key(FrBox box, double scale, FrVec3 p) {
    FrVec3 q = fr_scale(scale, fr_sub(p, box.lo));
    return fr_morton((uint32_t)q.x, (uint32_t)q.y, (uint32_t)q.z);
}

static double curve_scale(FrBox box) {
    FrVec3 size = fr_box_size(box);
    double longest = fr_max(size.x, fr_max(size.y, size.z));
    return longest > 0 && isfinite(longest) ? 2097151.0 / longest : 0.0;
}

static FrResult renumber_nodes(FrContext *ctx, FrTetMesh *mesh, uint64_t *key, int32_t *number) {
    FrBox box = fr_tetmesh_bounds(mesh);
    double scale = curve_scale(box);
    // mid-nodes stay behind the corners: the top bit sorts them there
    for (int32_t n = 0; n < mesh->node_count; n++)
        key[n] = curve_key(box, scale, fr_get3(mesh->x, n)) |
                 (n >= mesh->corner_count ? (uint64_t)1 << 63 : 0);
    int32_t *order;
    FR_TRY(fr_sort_keys(ctx, key, mesh->node_count, &order));
    for (int32_t k = 0; k < mesh->node_count; k++) number[order[k]] = k;
    fr_free(ctx, order);
    return apply_nodes(ctx, mesh, number, mesh->node_count, mesh->corner_count);
}

// make mesh's tets the tets of `from` in this order
static void permute_tets(FrTetMesh *mesh, const FrTetMesh *from, const int32_t *order) {
    for (int32_t k = 0; k < mesh->tet_count; k++) {
        memcpy(mesh->tet[k], from->tet[order[k]], sizeof *mesh->tet);
        if (mesh->mid) memcpy(mesh->mid[k], from->mid[order[k]], sizeof *mesh->mid);
        if (mesh->region) mesh->region[k] = from->region[order[k]];
    }
}

static FrResult renumber_tets(FrContext *ctx, FrTetMesh *mesh, uint64_t *key) {
    FrBox box = fr_tetmesh_bounds(mesh);
    double scale = curve_scale(box);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 sum = fr_vec3_zero;
        for (int i = 0; i < 4; i++) sum = fr_add(sum, fr_get3(mesh->x, mesh->tet[e][i]));
        key[e] = curve_key(box, scale, fr_scale(0.25, sum));
    }
    int32_t *order;
    FR_TRY(fr_sort_keys(ctx, key, mesh->tet_count, &order));
    FrTetMesh old = {0};
    FrResult result = fr_tetmesh_copy(ctx, mesh, &old);
    if (result == FR_OK) permute_tets(mesh, &old, order);
    fr_tetmesh_free(ctx, &old);
    fr_free(ctx, order);
    return result;
}

FrResult fr_tetmesh_renumber(FrContext *ctx, FrTetMesh *mesh) {
    int32_t most = fr_max_i(mesh->node_count, mesh->tet_count);
    uint64_t *key = FR_NEW(ctx, uint64_t, most);
    int32_t *number = FR_NEW(ctx, int32_t, mesh->node_count);
    FrResult result = FR_OK;
    if (!key || !number) result = fr_no_memory(ctx, "a renumbering");
    if (result == FR_OK) result = renumber_nodes(ctx, mesh, key, number);
    if (result == FR_OK) result = renumber_tets(ctx, mesh, key);
    fr_free(ctx, key);
    fr_free(ctx, number);
    return result;
}
