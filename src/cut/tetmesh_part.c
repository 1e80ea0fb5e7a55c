// tetmesh_part.c: some tets of a mesh as a mesh of their own.

#include "cut/split_labels.h"

// which nodes and tets are taken: their numbers in the whole
typedef struct PartPicks {
    int32_t *node, *tet; ///< (node_count), (tet_count)
    int32_t *local;      ///< of each node of the whole: its number in the part; -1: not taken
    int32_t node_count, corner_count, tet_count;
} PartPicks;

static FrResult pick(FrContext *ctx, const FrTetMesh *mesh, FrTetPart part, PartPicks *p) {
    p->node = FR_NEW(ctx, int32_t, mesh->node_count);
    p->tet = FR_NEW(ctx, int32_t, mesh->tet_count);
    p->local = FR_NEW(ctx, int32_t, mesh->node_count);
    if (!p->node || !p->tet || !p->local) return fr_no_memory(ctx, "a part of a mesh");
    for (int32_t n = 0; n < mesh->node_count; n++) p->local[n] = -1;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        if (part.of[e] != part.which) continue;
        p->tet[p->tet_count++] = e;
        for (int i = 0; i < 4; i++) p->local[mesh->tet[e][i]] = 0;
        for (int i = 0; i < 6 && mesh->mid; i++) p->local[mesh->mid[e][i]] = 0;
    }
    for (int32_t n = 0; n < mesh->node_count; n++) {
        if (p->local[n] < 0) continue;
        p->corner_count += n < mesh->corner_count;
        p->local[n] = p->node_count;
        p->node[p->node_count++] = n;
    }
    return FR_OK;
}

static FrResult fill(FrContext *ctx, const FrTetMesh *mesh, const PartPicks *p, FrTetMesh *piece) {
    FR_TRY(fr_tetmesh_alloc(ctx, p->node_count, p->tet_count, mesh->order, mesh->region != NULL,
                            piece));
    piece->corner_count = p->corner_count;
    for (int32_t n = 0; n < p->node_count; n++) fr_set3(piece->x, n, fr_get3(mesh->x, p->node[n]));
    for (int32_t k = 0; k < p->tet_count; k++) {
        int32_t e = p->tet[k];
        for (int i = 0; i < 4; i++) piece->tet[k][i] = p->local[mesh->tet[e][i]];
        for (int i = 0; i < 6 && mesh->mid; i++) piece->mid[k][i] = p->local[mesh->mid[e][i]];
        if (mesh->region) piece->region[k] = mesh->region[e];
    }
    return FR_OK;
}

FrResult fr_tetmesh_part(FrContext *ctx, const FrTetMesh *mesh, FrTetPart part, FrTetMesh *piece,
                         int32_t **node, int32_t **tet) {
    PartPicks p = {0};
    *piece = (FrTetMesh){0};
    if (node) *node = NULL;
    if (tet) *tet = NULL;
    FrResult result = pick(ctx, mesh, part, &p);
    if (result == FR_OK) result = fill(ctx, mesh, &p, piece);
    if (result == FR_OK && node) *node = p.node, p.node = NULL;
    if (result == FR_OK && tet) *tet = p.tet, p.tet = NULL;
    FR_FREE_ALL(ctx, p.node, p.tet, p.local);
    return result;
}
