// cutmesh.c: a tet mesh whose arrays grow and whose nodes know their tets.

#include "cut/split_inside.h"
#include <string.h>

FrSplitOptions fr_split_options_default(void) {
    return (FrSplitOptions){.snap_distance = 0.1,
                            .snap_angle = 0.1,
                            .snap_part = 0.5,
                            .back_angle = 0.35,
                            .min_quality = 1e-4,
                            .min_height = 0.05,
                            .straight = 0.8,
                            .move = 0.1};
}

double fr_tet_height(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 d) {
    FrVec3 u = fr_sub(b, a), v = fr_sub(c, a), w = fr_sub(d, a);
    double most = fr_length(fr_cross(u, v));
    most = fr_max(most, fr_length(fr_cross(v, w)));
    most = fr_max(most, fr_length(fr_cross(w, u)));
    most = fr_max(most, fr_length(fr_cross(fr_sub(v, u), fr_sub(w, u))));
    return most > 0 ? fr_dot(u, fr_cross(v, w)) / most : 0;
}

void fr_cutmesh_destroy(FrCutMesh *cut) {
    if (!cut) return;
    FrContext *ctx = cut->ctx;
    Plan *plan = &cut->plan;
    fr_tetmesh_free(ctx, &cut->mesh);
    FR_FREE_ALL(ctx, cut->p, cut->height, cut->opened, cut->star, cut->local_node, cut->local_tet,
                cut->seen);
    fr_array_free(ctx, &cut->pool);
    fr_array_free(ctx, &cut->front);
    fr_array_free(ctx, &cut->touched);
    fr_array_free(ctx, &cut->queue);
    fr_array_free(ctx, &cut->child);
    fr_array_free(ctx, &cut->child_node);
    fr_array_free(ctx, &plan->nodes);
    fr_array_free(ctx, &plan->tets);
    fr_array_free(ctx, &plan->roots);
    fr_array_free(ctx, &plan->edges);
    fr_array_free(ctx, &plan->faces);
    fr_array_free(ctx, &plan->open);
    fr_array_free(ctx, &plan->group);
    fr_array_free(ctx, &plan->mend);
    fr_array_free(ctx, &plan->barrier);
    fr_array_free(ctx, &plan->angle);
    fr_free(ctx, cut);
}

// one array of a group that grows together; its capacity is raised when all have grown
static bool grow(FrContext *ctx, void **data, int32_t room, size_t item) {
    void *moved = fr_resize(ctx, *data, (size_t)room * item);
    if (moved) *data = moved;
    return moved != NULL;
}

static int32_t grown(int32_t capacity, int32_t wanted) {
    int32_t doubled = capacity > INT32_MAX / 2 ? INT32_MAX : 2 * capacity;
    return fr_max_i(fr_max_i(wanted, doubled), 16);
}

static bool reserve_nodes(FrCutMesh *cut, int32_t more) {
    FrContext *ctx = cut->ctx;
    int32_t wanted, old = cut->node_capacity;
    if (__builtin_add_overflow(cut->mesh.node_count, more, &wanted)) return false;
    if (wanted <= old) return true;
    int32_t room = grown(old, wanted);
    if (!grow(ctx, (void **)&cut->mesh.x, room, 3 * sizeof(double)) ||
        !grow(ctx, (void **)&cut->p, room, 3 * sizeof(double)) ||
        !grow(ctx, (void **)&cut->star, room, sizeof *cut->star) ||
        !grow(ctx, (void **)&cut->local_node, room, sizeof(int32_t)))
        return false;
    memset(cut->star + old, 0, (size_t)(room - old) * sizeof *cut->star);
    memset(cut->local_node + old, 0xFF, (size_t)(room - old) * sizeof(int32_t));
    cut->node_capacity = room;
    return true;
}

static bool reserve_tets(FrCutMesh *cut, int32_t more) {
    FrContext *ctx = cut->ctx;
    int32_t wanted, old = cut->tet_capacity;
    if (__builtin_add_overflow(cut->mesh.tet_count, more, &wanted)) return false;
    if (wanted <= old) return true;
    int32_t room = grown(old, wanted);
    if (!grow(ctx, (void **)&cut->mesh.tet, room, sizeof *cut->mesh.tet) ||
        (cut->mesh.region && !grow(ctx, (void **)&cut->mesh.region, room, sizeof(int32_t))) ||
        !grow(ctx, (void **)&cut->height, room, sizeof(double)) ||
        !grow(ctx, (void **)&cut->opened, room, sizeof *cut->opened) ||
        !grow(ctx, (void **)&cut->local_tet, room, sizeof(int32_t)) ||
        !grow(ctx, (void **)&cut->seen, room, sizeof(uint32_t)))
        return false;
    memset(cut->local_tet + old, 0xFF, (size_t)(room - old) * sizeof(int32_t));
    memset(cut->seen + old, 0, (size_t)(room - old) * sizeof(uint32_t));
    cut->tet_capacity = room;
    return true;
}

bool fr_cutmesh_reserve(FrCutMesh *cut, int32_t nodes, int32_t tets) {
    return reserve_nodes(cut, nodes) && reserve_tets(cut, tets);
}

// a block of 2^k entries: a freed one, or from the end of the pool; -1: no memory
static int32_t take_block(FrCutMesh *cut, int k) {
    int32_t block = cut->free_block[k], room = 1 << k;
    if (block >= 0) {
        cut->free_block[k] = cut->pool.data[block];
        return block;
    }
    if (!fr_array_reserve(cut->ctx, &cut->pool, room)) return -1;
    block = cut->pool.count;
    cut->pool.count += room;
    return block;
}

bool fr_cutmesh_star_room(FrCutMesh *cut, int32_t node, int32_t count) {
    NodeStar *star = &cut->star[node];
    if (count <= star->room) return true;
    int k = 3; // stars in space have about 24 tets
    while (1 << k < count) k++;
    int32_t block = take_block(cut, k);
    if (block < 0) return false;
    if (star->count)
        memcpy(cut->pool.data + block, cut->pool.data + star->start,
               (size_t)star->count * sizeof(int32_t));
    if (star->room) {
        int old = 3;
        while (1 << old < star->room) old++;
        cut->pool.data[star->start] = cut->free_block[old];
        cut->free_block[old] = star->start;
    }
    star->start = block;
    star->room = 1 << k;
    return true;
}

void fr_cutmesh_join(FrCutMesh *cut, int32_t node, int32_t tet) {
    NodeStar *star = &cut->star[node];
    FR_ASSERT_IN(cut->ctx, star->count < star->room, "make room in the star first");
    int32_t *list = cut->pool.data + star->start, k = star->count++;
    for (; k > 0 && list[k - 1] > tet; k--) list[k] = list[k - 1];
    list[k] = tet;
}

void fr_cutmesh_leave(FrCutMesh *cut, int32_t node, int32_t tet) {
    NodeStar *star = &cut->star[node];
    int32_t *list = cut->pool.data + star->start, k = 0;
    while (k < star->count && list[k] != tet) k++;
    FR_ASSERT_IN(cut->ctx, k < star->count, "the tet is in the star of its corners");
    for (star->count--; k < star->count; k++) list[k] = list[k + 1];
}

int32_t fr_cutmesh_across(const FrCutMesh *cut, int32_t e, int i) {
    const int32_t *n = cut->mesh.tet[e];
    const int8_t *c = fr_tet_face[i];
    // the corner with the fewest tets is looked at
    int32_t a = n[c[0]], b = n[c[1]], d = n[c[2]];
    if (cut->star[b].count < cut->star[a].count) {
        int32_t swap = a;
        a = b;
        b = swap;
    }
    if (cut->star[d].count < cut->star[a].count) {
        int32_t swap = a;
        a = d;
        d = swap;
    }
    const NodeStar *star = &cut->star[a];
    for (int32_t k = 0; k < star->count; k++) {
        int32_t other = cut->pool.data[star->start + k];
        if (other != e && fr_tet_has(cut->mesh.tet[other], b) &&
            fr_tet_has(cut->mesh.tet[other], d))
            return other;
    }
    return -1;
}

bool fr_cutmesh_fill_stars(FrCutMesh *cut) {
    const FrTetMesh *mesh = &cut->mesh;
    int32_t *count = cut->local_node; // borrowed: back to -1 below
    for (int32_t n = 0; n < mesh->node_count; n++) count[n] = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) count[mesh->tet[e][i]]++;
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (!fr_cutmesh_star_room(cut, n, count[n])) return false;
    for (int32_t n = 0; n < mesh->node_count; n++) count[n] = -1;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) fr_cutmesh_join(cut, mesh->tet[e][i], e);
    return true;
}

static bool fill(FrCutMesh *cut, const FrTetMesh *mesh) {
    cut->mesh = (FrTetMesh){.order = 1};
    if (mesh->region) cut->mesh.region = FR_NEW(cut->ctx, int32_t, 1);
    if ((mesh->region && !cut->mesh.region) ||
        !fr_cutmesh_reserve(cut, mesh->node_count, mesh->tet_count))
        return false;
    cut->mesh.node_count = cut->mesh.corner_count = mesh->node_count;
    cut->mesh.tet_count = mesh->tet_count;
    size_t nodes = (size_t)mesh->node_count, tets = (size_t)mesh->tet_count;
    if (nodes) memcpy(cut->mesh.x, mesh->x, 3 * sizeof(double) * nodes);
    if (nodes) memcpy(cut->p, mesh->x, 3 * sizeof(double) * nodes);
    if (tets) memcpy(cut->mesh.tet, mesh->tet, sizeof *mesh->tet * tets);
    if (tets && mesh->region) memcpy(cut->mesh.region, mesh->region, sizeof(int32_t) * tets);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        const int32_t *n = mesh->tet[e];
        cut->height[e] = fr_tet_height(fr_get3(mesh->x, n[0]), fr_get3(mesh->x, n[1]),
                                       fr_get3(mesh->x, n[2]), fr_get3(mesh->x, n[3]));
    }
    if (!fr_cutmesh_fill_stars(cut)) return false;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++)
            cut->opened[e][i] = fr_cutmesh_across(cut, e, i) < 0 ? FR_FACE_OUTER : FR_FACE_INNER;
    return true;
}

FrResult fr_cutmesh_create(FrContext *ctx, const FrTetMesh *mesh, FrCutMesh **cut) {
    *cut = NULL;
    FR_ASSERT_IN(ctx, mesh->order == 1, "only meshes of 4-node tets can be cut");
    FrCutMesh *made = FR_NEW(ctx, FrCutMesh, 1);
    if (!made) return fr_no_memory(ctx, "a mesh that can be cut");
    made->ctx = ctx;
    memset(made->free_block, 0xFF, sizeof made->free_block);
    if (!fill(made, mesh)) {
        fr_cutmesh_destroy(made);
        return fr_no_memory(ctx, "a mesh that can be cut");
    }
    *cut = made;
    return FR_OK;
}

const FrTetMesh *fr_cutmesh_view(const FrCutMesh *cut) { return &cut->mesh; }

const int32_t *fr_cutmesh_star(const FrCutMesh *cut, int32_t node, int32_t *count) {
    FR_ASSERT_IN(cut->ctx, node >= 0 && node < cut->mesh.node_count, "the node is in the mesh");
    *count = cut->star[node].count;
    return cut->pool.data + cut->star[node].start;
}

const double *fr_cutmesh_placed(const FrCutMesh *cut) { return cut->p; }

void fr_cutmesh_place(FrCutMesh *cut, const double *p) {
    if (cut->mesh.node_count) memcpy(cut->p, p, 3 * sizeof(double) * (size_t)cut->mesh.node_count);
}
