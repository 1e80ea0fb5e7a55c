// surface.c: the closed outside of a tet mesh, what is known about it, and hinges taken apart.

#include "base/groups.h"
#include "mesh/topology.h"
#include "mesh/quality.h"
#include "base/table.h"
#include <string.h>

void fr_surface_free(FrContext *ctx, FrSurface *surface) {
    if (!ctx || !surface) return;
    fr_free(ctx, surface->tri);
    fr_free(ctx, surface->tet);
    fr_free(ctx, surface->opened);
    fr_free(ctx, surface->piece);
    *surface = (FrSurface){0};
}

FrResult fr_tetmesh_surface_across(FrContext *ctx, const FrTetMesh *mesh, int32_t (*across)[4],
                                   FrSurface *surface) {
    *surface = (FrSurface){0};
    int32_t count = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) count += across[e][i] < 0;
    surface->tri = fr_alloc_zero(ctx, (size_t)count, sizeof *surface->tri);
    surface->tet = FR_NEW(ctx, int32_t, count);
    if (!surface->tri || !surface->tet) {
        fr_surface_free(ctx, surface);
        return fr_no_memory(ctx, "a surface");
    }
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) {
            if (across[e][i] >= 0) continue;
            int32_t k = surface->tri_count++;
            for (int j = 0; j < 3; j++) surface->tri[k][j] = mesh->tet[e][fr_tet_face[i][j]];
            surface->tet[k] = e;
        }
    return FR_OK;
}

FrResult fr_tetmesh_surface(FrContext *ctx, const FrTetMesh *mesh, FrSurface *surface) {
    *surface = (FrSurface){0};
    int32_t(*across)[4];
    FR_TRY(fr_tet_neighbours(ctx, mesh, &across));
    FrResult result = fr_tetmesh_surface_across(ctx, mesh, across, surface);
    fr_free(ctx, across);
    return result;
}

// half-edge 3 t + k runs from corner k to corner k + 1 of triangle t
static int32_t half_from(const FrSurface *s, int32_t h) { return s->tri[h / 3][h % 3]; }
static int32_t half_to(const FrSurface *s, int32_t h) { return s->tri[h / 3][(h % 3 + 1) % 3]; }

// the sector (triangle corner, 3 t + k) of half-edge h at node n
static int32_t sector_at(const FrSurface *s, int32_t h, int32_t n) {
    return half_from(s, h) == n ? h : 3 * (h / 3) + (h % 3 + 1) % 3;
}

typedef struct SurfaceWork {
    uint64_t *key;    ///< of half-edges (low, high)
    int32_t *order;   ///< half-edges by key
    int32_t *tri;     ///< union-find of triangles through edges
    int32_t *sector;  ///< union-find of triangle corners around their node
    uint8_t *seen;    ///< nodes
    int32_t node_max; ///< highest node + 1
} SurfaceWork;

static void join_edge(const FrSurface *s, SurfaceWork *w, int32_t begin, int32_t end,
                      FrSurfaceCheck *check) {
    int32_t first = w->order[begin];
    bool twins = end - begin == 2 && half_from(s, first) == half_to(s, w->order[begin + 1]);
    check->edge_count++;
    check->nonmanifold_edges += !twins;
    for (int32_t k = begin + 1; k < end; k++) {
        int32_t other = w->order[k];
        fr_group_join(w->tri, first / 3, other / 3);
        for (int end_node = 0; end_node < 2; end_node++) {
            int32_t n = end_node ? half_from(s, first) : half_to(s, first);
            fr_group_join(w->sector, sector_at(s, first, n), sector_at(s, other, n));
        }
    }
}

static void count_surface(const FrSurface *s, SurfaceWork *w, FrSurfaceCheck *check) {
    int32_t halves = 3 * s->tri_count;
    for (int32_t k = 0; k < s->tri_count; k++) w->tri[k] = k;
    for (int32_t k = 0; k < halves; k++) w->sector[k] = k;
    for (int32_t begin = 0, end; begin < halves; begin = end) {
        for (end = begin + 1; end < halves; end++)
            if (w->key[w->order[end]] != w->key[w->order[begin]]) break;
        join_edge(s, w, begin, end, check);
    }
    for (int32_t k = 0; k < s->tri_count; k++) check->component_count += w->tri[k] == k;
    // a node is seen once per fan of sectors
    for (int32_t k = 0; k < halves; k++) {
        if (fr_group_head(w->sector, k) != k) continue;
        uint8_t *seen = &w->seen[half_from(s, k)];
        check->node_count += *seen == 0;
        check->nonmanifold_nodes += *seen == 1;
        if (*seen < 2) ++*seen;
    }
    check->euler = check->node_count - check->edge_count + check->tri_count;
}

static FrResult prepare(FrContext *ctx, const FrSurface *s, SurfaceWork *w) {
    int32_t halves = 3 * s->tri_count;
    for (int32_t h = 0; h < halves; h++) w->node_max = fr_max_i(w->node_max, half_from(s, h) + 1);
    w->key = FR_NEW(ctx, uint64_t, halves);
    w->tri = FR_NEW(ctx, int32_t, s->tri_count);
    w->sector = FR_NEW(ctx, int32_t, halves);
    w->seen = FR_NEW(ctx, uint8_t, w->node_max);
    if (!w->key || !w->tri || !w->sector || !w->seen) return fr_no_memory(ctx, "a surface check");
    for (int32_t h = 0; h < halves; h++) {
        int32_t a = half_from(s, h), b = half_to(s, h);
        w->key[h] = (uint64_t)fr_min_i(a, b) << 32 | (uint32_t)fr_max_i(a, b);
    }
    return fr_sort_keys(ctx, w->key, halves, &w->order);
}

FrResult fr_surface_check(FrContext *ctx, const FrSurface *surface, FrSurfaceCheck *check) {
    *check = (FrSurfaceCheck){.tri_count = surface->tri_count};
    SurfaceWork work = {0};
    FrResult result = prepare(ctx, surface, &work);
    if (result == FR_OK) count_surface(surface, &work, check);
    FR_FREE_ALL(ctx, work.key, work.order, work.tri, work.sector, work.seen);
    return result;
}

// join the corners (4 e + i) that meet at the same node through a shared face
static void join_corners(const FrTetMesh *mesh, const int32_t (*across)[4], int32_t *corner) {
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++) corner[k] = k;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) {
            int32_t other = across[e][i];
            if (other < e) continue;
            for (int j = 0; j < 3; j++) {
                int a = fr_tet_face[i][j], b = 0;
                while (mesh->tet[other][b] != mesh->tet[e][a]) b++;
                fr_group_join(corner, 4 * e + a, 4 * other + b);
            }
        }
}

static FrResult append_copies(FrContext *ctx, FrTetMesh *mesh, int32_t *corner, int32_t *owner,
                              int32_t copies) {
    double *x = fr_resize(ctx, mesh->x, 3 * sizeof(double) * (size_t)(mesh->node_count + copies));
    if (!x) return fr_no_memory(ctx, "copied nodes");
    mesh->x = x;
    // the first group keeps the node; owner becomes the group root of each node
    memset(owner, 0xFF, sizeof(int32_t) * (size_t)mesh->node_count);
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++) {
        if (fr_group_head(corner, k) != k) continue;
        int32_t n = mesh->tet[k >> 2][k & 3];
        if (owner[n] < 0) {
            owner[n] = k;
            continue;
        }
        fr_set3(x, mesh->node_count, fr_get3(x, n));
        mesh->tet[k >> 2][k & 3] = mesh->node_count++;
    }
    // roots have their new node; everyone else follows the root
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++) {
        int32_t root = fr_group_head(corner, k);
        mesh->tet[k >> 2][k & 3] = mesh->tet[root >> 2][root & 3];
    }
    mesh->corner_count = mesh->node_count;
    return FR_OK;
}

FrResult fr_tetmesh_split_hinges(FrContext *ctx, FrTetMesh *mesh, int32_t (*across)[4],
                                 int32_t *split) {
    FR_ASSERT_IN(ctx, mesh->order == 1, "split hinges before adding mid-nodes");
    int32_t *corner = FR_NEW(ctx, int32_t, 4 * (size_t)mesh->tet_count);
    int32_t *groups = FR_NEW(ctx, int32_t, mesh->node_count);
    FrResult result = corner && groups ? FR_OK : fr_no_memory(ctx, "hinges");
    int32_t copies = 0;
    if (result == FR_OK) {
        join_corners(mesh, (const int32_t(*)[4])across, corner);
        for (int32_t k = 0; k < 4 * mesh->tet_count; k++)
            if (fr_group_head(corner, k) == k) copies += groups[mesh->tet[k >> 2][k & 3]]++ > 0;
        if (copies) result = append_copies(ctx, mesh, corner, groups, copies);
    }
    fr_free(ctx, corner);
    fr_free(ctx, groups);
    if (split) *split = copies;
    return result;
}

double fr_tetmesh_wall(const FrTetMesh *mesh, const FrSurface *surface) {
    double area = 0.0;
    for (int32_t k = 0; k < surface->tri_count; k++) {
        FrVec3 a = fr_get3(mesh->x, surface->tri[k][0]);
        FrVec3 ab = fr_sub(fr_get3(mesh->x, surface->tri[k][1]), a);
        FrVec3 ac = fr_sub(fr_get3(mesh->x, surface->tri[k][2]), a);
        area += 0.5 * fr_length(fr_cross(ab, ac));
    }
    return 2.0 * fr_tetmesh_props(mesh).volume / area;
}
