// matrices.c: the stiffness and the mass of a whole mesh, put together in a fixed order.

#include "fem/matrices.h"
#include "base/tasks.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include <string.h>

#define NODES FR_TET_NODES
// tets whose matrices are made in parallel before they are added one after the other
#define TETS_A_BATCH 512
#define TETS_A_CHUNK 32

void fr_matrices_free(FrContext *ctx, FrMatrices *m) {
    fr_free(ctx, m->node);
    fr_block_matrix_free(ctx, &m->K);
    fr_block_matrix_free(ctx, &m->M);
    *m = (FrMatrices){0};
}

typedef struct Assembly {
    FrContext *ctx;
    const FrMatricesDef *def;
    int32_t per_tet;
    int32_t *unknown; ///< free number of each mesh node; -1: held (mesh node_count)
    int32_t *node;    ///< free numbers of the nodes of each tet (per_tet * tet_count)
    double *K, *M;    ///< of one batch
    bool *good;       ///< (TETS_A_BATCH)
    int32_t first;    ///< tet of the batch
} Assembly;

static FrResult number_nodes(Assembly *a, FrMatrices *m) {
    const FrTetMesh *mesh = a->def->mesh;
    for (int32_t n = 0; n < mesh->node_count; n++) {
        bool held = a->def->held && a->def->held[n];
        a->unknown[n] = held ? -1 : m->node_count;
        if (!held) m->node[m->node_count++] = n;
    }
    if (m->node_count == 0)
        return fr_fail(a->ctx, FR_BAD_INPUT, "all %d nodes are held: nothing can move",
                       mesh->node_count);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        int32_t node[NODES];
        fr_tet_nodes(mesh, e, node);
        for (int32_t i = 0; i < a->per_tet; i++)
            a->node[(int64_t)e * a->per_tet + i] = a->unknown[node[i]];
    }
    return FR_OK;
}

static FrResult check_regions(const Assembly *a) {
    const FrTetMesh *mesh = a->def->mesh;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        int32_t region = mesh->region ? mesh->region[e] : 0;
        if (region < 0 || region >= a->def->material_count)
            return fr_fail(a->ctx, FR_BAD_INPUT, "tet %d is of region %d; there are %d materials",
                           e, region, a->def->material_count);
    }
    return FR_OK;
}

static FrResult check_floating(const Assembly *a, const FrMatrices *m) {
    for (int32_t n = 0; n < m->node_count; n++)
        if (m->K.start[n] == m->K.start[n + 1]) {
            FrVec3 x = fr_get3(a->def->mesh->x, m->node[n]);
            return fr_fail(a->ctx, FR_BAD_INPUT,
                           "node %d at (%g, %g, %g) belongs to no tet: it floats; remove it",
                           m->node[n], x.x, x.y, x.z);
        }
    return FR_OK;
}

static void make_batch(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Assembly *a = arg;
    const FrTetMesh *mesh = a->def->mesh;
    (void)chunk, (void)worker;
    for (int32_t k = begin; k < end; k++) {
        int32_t e = a->first + k;
        const FrMaterial *material = &a->def->material[mesh->region ? mesh->region[e] : 0];
        a->good[k] = fr_tet_stiffness(mesh, e, material, a->K + 9 * (size_t)(NODES * NODES) * k) &&
                     fr_tet_mass(mesh, e, material->density, a->def->lumped,
                                 a->M + (size_t)(NODES * NODES) * k);
    }
}

static FrResult no_volume(const Assembly *a, int32_t e) {
    const FrTetMesh *mesh = a->def->mesh;
    FrVec3 x = fr_get3(mesh->x, mesh->tet[e][0]);
    return fr_fail(a->ctx, FR_BAD_INPUT,
                   "tet %d near (%g, %g, %g) has volume %g m^3%s; every tet needs a positive one",
                   e, x.x, x.y, x.z, fr_tet_volume(mesh, e),
                   mesh->order == 2 ? ", or its curved sides fold" : "");
}

static void add_mass(FrBlockMatrix *M, bool lumped, const int32_t *node, int32_t per_tet,
                     const double *element) {
    if (!lumped) {
        fr_block_matrix_add(M, node, per_tet, element);
        return;
    }
    for (int32_t i = 0; i < per_tet; i++)
        if (node[i] >= 0) M->value[node[i]] += element[i * per_tet + i];
}

static FrResult add_all(Assembly *a, FrMatrices *m) {
    int32_t tet_count = a->def->mesh->tet_count;
    for (a->first = 0; a->first < tet_count; a->first += TETS_A_BATCH) {
        int32_t count = fr_min_i(TETS_A_BATCH, tet_count - a->first);
        if (fr_context_cancelled(a->ctx)) return fr_fail(a->ctx, FR_INTERRUPTED, "interrupted");
        fr_parallel_for(a->ctx, count, TETS_A_CHUNK, make_batch, a);
        for (int32_t k = 0; k < count; k++) {
            int32_t e = a->first + k;
            if (!a->good[k]) return no_volume(a, e);
            const int32_t *node = a->node + (int64_t)e * a->per_tet;
            fr_block_matrix_add(&m->K, node, a->per_tet, a->K + 9 * (size_t)(NODES * NODES) * k);
            add_mass(&m->M, a->def->lumped, node, a->per_tet, a->M + (size_t)(NODES * NODES) * k);
        }
    }
    fr_block_matrix_mirror(a->ctx, &m->K);
    if (!a->def->lumped) fr_block_matrix_mirror(a->ctx, &m->M);
    return FR_OK;
}

static FrResult assemble(Assembly *a, FrMatrices *m) {
    const FrTetMesh *mesh = a->def->mesh;
    a->unknown = FR_NEW(a->ctx, int32_t, mesh->node_count);
    a->node = FR_NEW(a->ctx, int32_t, (int64_t)mesh->tet_count * a->per_tet);
    a->K = FR_NEW(a->ctx, double, 9 * NODES * NODES * TETS_A_BATCH);
    a->M = FR_NEW(a->ctx, double, NODES *NODES *TETS_A_BATCH);
    a->good = FR_NEW(a->ctx, bool, TETS_A_BATCH);
    m->node = FR_NEW(a->ctx, int32_t, mesh->node_count);
    if (!a->unknown || !a->node || !a->K || !a->M || !a->good || !m->node)
        return fr_no_memory(a->ctx, "stiffness and mass");
    FR_TRY(number_nodes(a, m));
    FR_TRY(check_regions(a));
    FrElements tets = {a->node, mesh->tet_count, a->per_tet};
    FR_TRY(fr_block_matrix_pattern(a->ctx, &tets, m->node_count, 9, &m->K));
    FR_TRY(check_floating(a, m));
    FR_TRY(a->def->lumped ? fr_block_matrix_diagonal(a->ctx, m->node_count, &m->M)
                          : fr_block_matrix_pattern(a->ctx, &tets, m->node_count, 1, &m->M));
    return add_all(a, m);
}

// K and M of K d + C v + M a = f, with C = alpha1 K + alpha2 M                        [S4 eq. 2]
FrResult fr_matrices_assemble(FrContext *ctx, const FrMatricesDef *def, FrMatrices *m) {
    Assembly a = {.ctx = ctx, .def = def, .per_tet = def->mesh->order == 2 ? NODES : 4};
    *m = (FrMatrices){0};
    FrResult result = assemble(&a, m);
    FR_FREE_ALL(ctx, a.unknown, a.node, a.K, a.M, a.good);
    if (result != FR_OK) fr_matrices_free(ctx, m);
    return result;
}
