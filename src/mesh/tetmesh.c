// tetmesh.c: making, checking, moving and freeing tet meshes.

#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "base/hash.h"
#include <string.h>

const int8_t fr_tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
const int8_t fr_tet_edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

double fr_tet_volume(const FrTetMesh *mesh, int32_t e) {
    const int32_t *n = mesh->tet[e];
    return fr_volume6(fr_get3(mesh->x, n[0]), fr_get3(mesh->x, n[1]), fr_get3(mesh->x, n[2]),
                      fr_get3(mesh->x, n[3])) /
           6.0;
}

void fr_tetmesh_free(FrContext *ctx, FrTetMesh *mesh) {
    if (!ctx || !mesh) return;
    fr_free(ctx, mesh->x);
    fr_free(ctx, mesh->tet);
    fr_free(ctx, mesh->mid);
    fr_free(ctx, mesh->region);
    *mesh = (FrTetMesh){0};
}

FrResult fr_tetmesh_alloc(FrContext *ctx, int32_t node_count, int32_t tet_count, int32_t order,
                          bool with_region, FrTetMesh *mesh) {
    FR_ASSERT_IN(ctx, node_count >= 0 && tet_count >= 0, "counts are not negative");
    FR_ASSERT_IN(ctx, order == 1 || order == 2, "tets have 4 or 10 nodes: order 1 or 2");
    *mesh = (FrTetMesh){.node_count = node_count,
                        .corner_count = node_count,
                        .tet_count = tet_count,
                        .order = order};
    mesh->x = fr_alloc_zero(ctx, (size_t)node_count, 3 * sizeof(double));
    mesh->tet = fr_alloc_zero(ctx, (size_t)tet_count, sizeof *mesh->tet);
    if (order == 2) mesh->mid = fr_alloc_zero(ctx, (size_t)tet_count, sizeof *mesh->mid);
    if (with_region) mesh->region = FR_NEW(ctx, int32_t, tet_count);
    if (mesh->x && mesh->tet && (order == 1 || mesh->mid) && (!with_region || mesh->region))
        return FR_OK;
    fr_tetmesh_free(ctx, mesh);
    return fr_no_memory(ctx, "a tet mesh");
}

// numbers finite, corners in range and different
static FrResult check_entries(FrContext *ctx, const FrTetMesh *mesh) {
    if ((mesh->node_count > 0 && !mesh->x) || (mesh->tet_count > 0 && !mesh->tet))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "the mesh has %d nodes and %d tets, but no arrays of them", mesh->node_count,
                       mesh->tet_count);
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (!fr_vec3_finite(fr_get3(mesh->x, n)))
            return fr_fail(ctx, FR_BAD_INPUT, "node %d (from 0): a coordinate is not finite", n);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        for (int i = 0; i < 4; i++) {
            int32_t n = mesh->tet[e][i];
            if (n < 0 || n >= mesh->corner_count)
                return fr_fail(ctx, FR_BAD_INPUT, "tet %d (from 0): node %d, allowed 0 to %d", e, n,
                               mesh->corner_count - 1);
            for (int j = 0; j < i; j++)
                if (mesh->tet[e][j] == n)
                    return fr_fail(ctx, FR_BAD_INPUT, "tet %d (from 0): node %d twice", e, n);
        }
        for (int i = 0; i < 6 && mesh->order == 2; i++)
            if (mesh->mid[e][i] < mesh->corner_count || mesh->mid[e][i] >= mesh->node_count)
                return fr_fail(ctx, FR_BAD_INPUT, "tet %d (from 0): mid-node %d, allowed %d to %d",
                               e, mesh->mid[e][i], mesh->corner_count, mesh->node_count - 1);
    }
    return FR_OK;
}

FrResult fr_tetmesh_create(FrContext *ctx, const double *x, int32_t node_count,
                           const int32_t (*tet)[4], int32_t tet_count, FrTetMesh *mesh) {
    FR_TRY(fr_tetmesh_alloc(ctx, node_count, tet_count, 1, false, mesh));
    if (node_count) memcpy(mesh->x, x, 3 * sizeof(double) * (size_t)node_count);
    if (tet_count) memcpy(mesh->tet, tet, sizeof *tet * (size_t)tet_count);
    FrResult result = check_entries(ctx, mesh);
    if (result != FR_OK) fr_tetmesh_free(ctx, mesh);
    return result;
}

FrResult fr_tetmesh_copy(FrContext *ctx, const FrTetMesh *from, FrTetMesh *to) {
    FR_TRY(fr_tetmesh_alloc(ctx, from->node_count, from->tet_count, from->order,
                            from->region != NULL, to));
    to->corner_count = from->corner_count;
    memcpy(to->x, from->x, 3 * sizeof(double) * (size_t)from->node_count);
    memcpy(to->tet, from->tet, sizeof *from->tet * (size_t)from->tet_count);
    if (from->mid) memcpy(to->mid, from->mid, sizeof *from->mid * (size_t)from->tet_count);
    if (from->region) memcpy(to->region, from->region, sizeof(int32_t) * (size_t)from->tet_count);
    return FR_OK;
}

// a flat tet can come out as +1e-20: volumes below rounding of the longest edge cubed count as flat
static bool volume_is_positive(const FrTetMesh *mesh, int32_t e, double volume) {
    double longest = 0;
    for (int k = 0; k < 6; k++) {
        const int8_t *ends = fr_tet_edge[k];
        double d = fr_distance(fr_get3(mesh->x, mesh->tet[e][ends[0]]),
                               fr_get3(mesh->x, mesh->tet[e][ends[1]]));
        longest = fr_max(longest, d);
    }
    return volume > 1e-15 * longest * longest * longest;
}

static int32_t check_volumes(const FrTetMesh *mesh, FrMeshCheck *report) {
    int32_t first = -1;
    report->min_volume = HUGE_VAL;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        double volume = fr_tet_volume(mesh, e);
        report->volume += volume;
        report->min_volume = fr_min(report->min_volume, volume);
        if (volume_is_positive(mesh, e, volume)) continue;
        if (first < 0) first = e;
        report->bad_tets++;
    }
    return first;
}

static FrResult check_floating(FrContext *ctx, const FrTetMesh *mesh, FrMeshCheck *report) {
    uint8_t *used = FR_NEW(ctx, uint8_t, mesh->node_count);
    if (!used) return fr_no_memory(ctx, "a mesh check");
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        for (int i = 0; i < 4; i++) used[mesh->tet[e][i]] = 1;
        for (int i = 0; i < 6 && mesh->mid; i++) used[mesh->mid[e][i]] = 1;
    }
    int32_t first = -1;
    for (int32_t n = mesh->node_count - 1; n >= 0; n--) {
        if (used[n]) continue;
        report->floating_nodes++;
        first = n;
    }
    fr_free(ctx, used);
    if (first < 0) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT, "node %d (from 0) is in no tet (%d such nodes)", first,
                   report->floating_nodes);
}

static FrResult check_surface(FrContext *ctx, const FrTetMesh *mesh, int32_t (*across)[4],
                              FrMeshCheck *report) {
    FrSurface surface = {0};
    FR_TRY(fr_tetmesh_surface_across(ctx, mesh, across, &surface));
    FrSurfaceCheck check;
    FrResult result = fr_surface_check(ctx, &surface, &check);
    report->nonmanifold_edges = check.nonmanifold_edges;
    fr_surface_free(ctx, &surface);
    return result;
}

static FrResult check_faces(FrContext *ctx, const FrMeshCheck *report) {
    if (report->duplicate_tets)
        return fr_fail(ctx, FR_BAD_INPUT, "%d tets have the same four corners as another",
                       report->duplicate_tets);
    if (report->crowded_faces)
        return fr_fail(ctx, FR_BAD_INPUT, "%d faces are shared by more than two tets",
                       report->crowded_faces);
    return FR_OK;
}

FrResult fr_tetmesh_check(FrContext *ctx, const FrTetMesh *mesh, FrMeshCheck *report) {
    FrMeshCheck own;
    if (!report) report = &own;
    *report = (FrMeshCheck){0};
    FR_TRY(check_entries(ctx, mesh));
    int32_t bad = check_volumes(mesh, report);
    report->first_bad = bad;
    if (bad >= 0)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "tet %d (from 0) has volume %g m^3, it must be positive (%d such tets)", bad,
                       fr_tet_volume(mesh, bad), report->bad_tets);
    int32_t(*across)[4], *component = NULL;
    FR_TRY(fr_tetmesh_face_counts(ctx, mesh, &report->duplicate_tets, &report->crowded_faces,
                                  &across));
    FrResult result = check_faces(ctx, report);
    if (result == FR_OK) result = check_floating(ctx, mesh, report);
    if (result == FR_OK)
        result = fr_tet_components_across(ctx, mesh->tet_count, across, &component,
                                          &report->component_count);
    if (result == FR_OK) result = check_surface(ctx, mesh, across, report);
    FR_FREE_ALL(ctx, component, across);
    return result;
}

static void swap_i32(int32_t *a, int32_t *b) {
    int32_t t = *a;
    *a = *b;
    *b = t;
}

// exchange corners 2 and 3; mid-nodes 01 02 03 12 13 23 follow
static void flip_tet(FrTetMesh *mesh, int32_t e) {
    swap_i32(&mesh->tet[e][2], &mesh->tet[e][3]);
    if (!mesh->mid) return;
    swap_i32(&mesh->mid[e][1], &mesh->mid[e][2]);
    swap_i32(&mesh->mid[e][3], &mesh->mid[e][4]);
}

int32_t fr_tetmesh_orient(FrTetMesh *mesh) {
    int32_t flipped = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        if (fr_tet_volume(mesh, e) >= 0) continue;
        flip_tet(mesh, e);
        flipped++;
    }
    return flipped;
}

uint64_t fr_tetmesh_hash(const FrTetMesh *mesh) {
    FrHash hash;
    fr_hash_begin(&hash, 0x7465746D657368);
    fr_hash_u64(&hash, (uint64_t)mesh->order);
    fr_hash_u64(&hash, (uint64_t)mesh->corner_count);
    fr_hash_u64(&hash, (uint64_t)mesh->node_count);
    fr_hash_u64(&hash, (uint64_t)mesh->tet_count);
    fr_hash_bytes(&hash, mesh->x, 3 * sizeof(double) * (size_t)mesh->node_count);
    fr_hash_bytes(&hash, mesh->tet, sizeof *mesh->tet * (size_t)mesh->tet_count);
    if (mesh->mid) fr_hash_bytes(&hash, mesh->mid, sizeof *mesh->mid * (size_t)mesh->tet_count);
    if (mesh->region) fr_hash_bytes(&hash, mesh->region, sizeof(int32_t) * (size_t)mesh->tet_count);
    return fr_hash_end(&hash);
}

FrBox fr_tetmesh_bounds(const FrTetMesh *mesh) {
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < mesh->node_count; n++) box = fr_box_add(box, fr_get3(mesh->x, n));
    return box;
}

FrResult fr_tetmesh_transform(FrContext *ctx, FrTetMesh *mesh, FrMat3 linear, FrVec3 offset) {
    double det = fr_mat3_det(linear);
    if (!isfinite(det) || det == 0.0 || !fr_vec3_finite(offset))
        return fr_fail(ctx, FR_BAD_USE, "a mesh cannot be moved by a matrix of determinant %g",
                       det);
    for (int32_t n = 0; n < mesh->node_count; n++)
        fr_set3(mesh->x, n, fr_add(fr_mat3_apply(linear, fr_get3(mesh->x, n)), offset));
    for (int32_t e = 0; e < mesh->tet_count && det < 0; e++) flip_tet(mesh, e);
    return FR_OK;
}
