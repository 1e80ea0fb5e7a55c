// stress_nodes.c: stress at the corner nodes of 10-node tets, from displacements.
//
// The strain of a 10-node tet is linear in it. It is taken at the corner itself, so that the stress
// at both sides of a wall of one tet is seen.

#include "modal/stress_model.h"
#include "material/laws.h"
#include "mesh/order2.h"
#include "mesh/tetmesh.h"
#include <string.h>

void fr_stress_nodes_free(FrContext *ctx, FrStressNodes *nodes) {
    FR_FREE_ALL(ctx, nodes->start, nodes->part, nodes->region);
    *nodes = (FrStressNodes){0};
}

// tets around each corner node, as 4 * tet + corner, ascending
typedef struct Around {
    int32_t *start;  ///< (corner_count + 1)
    int32_t *corner; ///< (4 * tet_count)
} Around;

static FrResult find_around(FrContext *ctx, const FrTetMesh *mesh, Around *around) {
    int32_t nodes = mesh->corner_count;
    around->start = FR_NEW(ctx, int32_t, (int64_t)nodes + 1);
    around->corner = FR_NEW(ctx, int32_t, 4 * (int64_t)mesh->tet_count);
    if (!around->start || !around->corner) return fr_no_memory(ctx, "stress at nodes");
    const int32_t *node = mesh->tet[0];
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++) around->start[node[k]]++;
    for (int32_t n = 0; n < nodes; n++) around->start[n + 1] += around->start[n];
    for (int32_t k = 4 * mesh->tet_count - 1; k >= 0; k--)
        around->corner[--around->start[node[k]]] = k;
    return FR_OK;
}

static int32_t region_of(const FrTetMesh *mesh, int32_t e) {
    return mesh->region ? mesh->region[e] : 0;
}

// Stress jumps where stiffness does. A node between regions shows that of the region that has most
// of the volume around it; of equals, the lowest.
static int32_t region_at(const FrTetMesh *mesh, const Around *around, int32_t n, double *volume) {
    int32_t best = -1;
    for (int32_t k = around->start[n]; k < around->start[n + 1]; k++)
        volume[region_of(mesh, around->corner[k] / 4)] = 0.0;
    for (int32_t k = around->start[n]; k < around->start[n + 1]; k++) {
        int32_t e = around->corner[k] / 4;
        volume[region_of(mesh, e)] += fr_tet_volume(mesh, e);
    }
    for (int32_t k = around->start[n]; k < around->start[n + 1]; k++) {
        int32_t r = region_of(mesh, around->corner[k] / 4);
        if (best < 0 || volume[r] > volume[best] || (volume[r] == volume[best] && r < best))
            best = r;
    }
    return best;
}

static bool equally_stiff(const FrMaterial *a, const FrMaterial *b) {
    if (a->anisotropic != b->anisotropic) return false;
    if (!a->anisotropic) return a->lambda == b->lambda && a->mu == b->mu;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            if (a->C[i][j] != b->C[i][j]) return false;
    return true;
}

static int32_t mid_of(const FrTetMesh *mesh, int32_t e, int i, int j) {
    for (int k = 0; k < 6; k++)
        if ((fr_tet_edge[k][0] == i && fr_tet_edge[k][1] == j) ||
            (fr_tet_edge[k][0] == j && fr_tet_edge[k][1] == i))
            return mesh->mid[e][k];
    return -1;
}

// At corner i the gradients of the ten shape functions are 3 g_i, -g_j, and 4 g_j of the edge ij;
// with g_i = -sum g_j the gradient of u is sum_j (4 u_ij - u_j - 3 u_i) g_j'.
static FrStressPart make_part(const FrTetMesh *mesh, int32_t e, int i) {
    double b[4] = {i == 0, i == 1, i == 2, i == 3};
    FrMat3 rows = fr_mat3_transpose(fr_mat3_inverse(fr_order2_jacobian(mesh, e, b)));
    FrVec3 g[4] = {fr_neg(fr_add(rows.c0, fr_add(rows.c1, rows.c2))), rows.c0, rows.c1, rows.c2};
    FrStressPart part;
    for (int j = 0, at = 0; j < 4; j++) {
        if (j == i) continue;
        part.other[at] = mesh->tet[e][j];
        part.mid[at] = mid_of(mesh, e, i, j);
        part.g[at++] = g[j];
    }
    return part;
}

// the parts of node n, behind those of the nodes before it
static void gather(FrStressNodes *nodes, const FrTetMesh *mesh, const Around *around, int32_t n) {
    int32_t at = nodes->start[n];
    double total = 0.0;
    for (int32_t k = around->start[n]; k < around->start[n + 1]; k++) {
        int32_t e = around->corner[k] / 4;
        if (!equally_stiff(&nodes->material[region_of(mesh, e)],
                           &nodes->material[nodes->region[n]]))
            continue;
        FrStressPart *part = &nodes->part[at++];
        double volume = fr_tet_volume(mesh, e);
        *part = make_part(mesh, e, around->corner[k] % 4);
        for (int j = 0; j < 3; j++) part->g[j] = fr_scale(volume, part->g[j]);
        total += volume;
    }
    for (int32_t k = nodes->start[n]; k < at; k++)
        for (int j = 0; j < 3; j++)
            nodes->part[k].g[j] = fr_scale(1.0 / total, nodes->part[k].g[j]);
    nodes->start[n + 1] = at;
}

static FrResult build(FrContext *ctx, const FrTetMesh *mesh, Around *around, double *volume,
                      FrStressNodes *nodes) {
    nodes->node_count = mesh->corner_count;
    nodes->start = FR_NEW(ctx, int32_t, (int64_t)nodes->node_count + 1);
    nodes->part = FR_NEW(ctx, FrStressPart, 4 * (int64_t)mesh->tet_count);
    nodes->region = FR_NEW(ctx, int32_t, nodes->node_count);
    if (!volume || !nodes->start || !nodes->part || !nodes->region)
        return fr_no_memory(ctx, "stress at nodes");
    FR_TRY(find_around(ctx, mesh, around));
    for (int32_t n = 0; n < nodes->node_count; n++) {
        nodes->region[n] = region_at(mesh, around, n, volume);
        gather(nodes, mesh, around, n);
    }
    return FR_OK;
}

FrResult fr_stress_nodes_create(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                                int32_t material_count, FrStressNodes *nodes) {
    Around around = {0};
    double *volume = FR_NEW(ctx, double, material_count);
    *nodes = (FrStressNodes){.material = material};
    FrResult result = build(ctx, mesh, &around, volume, nodes);
    FR_FREE_ALL(ctx, around.start, around.corner, volume);
    if (result != FR_OK) fr_stress_nodes_free(ctx, nodes);
    return result;
}

FrSym3 fr_stress_at_node(const FrStressNodes *nodes, int32_t n, const double *u) {
    FrMat3 H = fr_mat3_zero;
    FrVec3 here = fr_scale(3.0, fr_get3(u, n));
    for (int32_t k = nodes->start[n]; k < nodes->start[n + 1]; k++) {
        const FrStressPart *part = &nodes->part[k];
        for (int j = 0; j < 3; j++) {
            FrVec3 at = fr_add(here, fr_get3(u, part->other[j]));
            FrVec3 d = fr_axpy(4.0, fr_get3(u, part->mid[j]), fr_neg(at));
            H.c0 = fr_axpy(part->g[j].x, d, H.c0);
            H.c1 = fr_axpy(part->g[j].y, d, H.c1);
            H.c2 = fr_axpy(part->g[j].z, d, H.c2);
        }
    }
    const FrMaterial *m = &nodes->material[nodes->region[n]];
    FrSym3 strain = fr_mat3_sym(H);
    return m->anisotropic ? fr_stress_anisotropic(m->C, strain)
                          : fr_stress_isotropic(m->lambda, m->mu, strain);
}
