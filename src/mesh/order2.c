// order2.c: 10-node tets, their mid-nodes on the true shape.

#include "mesh/order2.h"
#include "mesh/order2_inside.h"
#include "mesh/topology.h"
#include <string.h>

// a curved tet keeps at least this part of its straight Jacobian everywhere it is looked at
#define MIN_JACOBIAN 0.1
#define HALVINGS 12

// x(b) = sum_i b_i (2 b_i - 1) x_i + sum_edges 4 b_i b_j x_ij
FrMat3 fr_order2_jacobian(const FrTetMesh *mesh, int32_t e, const double b[4]) {
    FrVec3 d[4]; // dx/db_i, all four taken as independent
    for (int i = 0; i < 4; i++) d[i] = fr_scale(4 * b[i] - 1, fr_get3(mesh->x, mesh->tet[e][i]));
    for (int k = 0; k < 6; k++) {
        int i = fr_tet_edge[k][0], j = fr_tet_edge[k][1];
        FrVec3 m = fr_get3(mesh->x, mesh->mid[e][k]);
        d[i] = fr_axpy(4 * b[j], m, d[i]);
        d[j] = fr_axpy(4 * b[i], m, d[j]);
    }
    return fr_mat3(fr_sub(d[1], d[0]), fr_sub(d[2], d[0]), fr_sub(d[3], d[0]));
}

// the 4-point rule of degree 2: (a, b, b, b)
static const double gauss4[2] = {0.58541019662496845446, 0.13819660112501051518};

double fr_order2_min_jacobian(const FrTetMesh *mesh, int32_t e) {
    double least = HUGE_VAL, straight = 6 * fr_tet_volume(mesh, e);
    for (int k = 0; k < 14; k++) {
        double b[4] = {0, 0, 0, 0};
        if (k < 4) {
            b[k] = 1;
        } else if (k < 10) {
            b[fr_tet_edge[k - 4][0]] = b[fr_tet_edge[k - 4][1]] = 0.5;
        } else {
            for (int i = 0; i < 4; i++) b[i] = gauss4[i != k - 10];
        }
        least = fr_min(least, fr_mat3_det(fr_order2_jacobian(mesh, e, b)));
    }
    return least / straight;
}

// det J is a cubic: the 5-point rule of degree 3 is exact
double fr_order2_volume(const FrTetMesh *mesh) {
    double volume = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        double b[4] = {0.25, 0.25, 0.25, 0.25};
        double sum = -0.8 * fr_mat3_det(fr_order2_jacobian(mesh, e, b));
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < 4; i++) b[i] = i == k ? 0.5 : 1.0 / 6;
            sum += 0.45 * fr_mat3_det(fr_order2_jacobian(mesh, e, b));
        }
        volume += sum / 6;
    }
    return volume;
}

typedef struct Mids {
    FrEdges edges;
    FrVec3 *move;    ///< from the middle of the straight edge (edges.count)
    uint8_t *halved; ///< times (edges.count)
} Mids;

static void mids_free(FrContext *ctx, Mids *mids) {
    fr_edges_free(ctx, &mids->edges);
    fr_free(ctx, mids->move);
    fr_free(ctx, mids->halved);
}

static void place_mid(FrTetMesh *mesh, const Mids *mids, int32_t k) {
    const int32_t *n = mids->edges.node[k];
    FrVec3 middle = fr_lerp(fr_get3(mesh->x, n[0]), fr_get3(mesh->x, n[1]), 0.5);
    fr_set3(mesh->x, mesh->corner_count + k, fr_add(middle, mids->move[k]));
}

// halve the moves of tets that are not positive enough, until there is none
static void pull_back(FrTetMesh *mesh, Mids *mids, FrOrder2Report *report) {
    bool again = true;
    while (again) {
        again = false;
        for (int32_t e = 0; e < mesh->tet_count; e++) {
            if (fr_order2_min_jacobian(mesh, e) >= MIN_JACOBIAN) continue;
            for (int i = 0; i < 6; i++) {
                int32_t k = mids->edges.of_tet[e][i];
                if (fr_length2(mids->move[k]) == 0) continue;
                report->pulled_back += mids->halved[k] == 0;
                double keep = ++mids->halved[k] >= HALVINGS ? 0.0 : 0.5;
                mids->move[k] = fr_scale(keep, mids->move[k]);
                place_mid(mesh, mids, k);
                again = true;
            }
        }
    }
}

static FrResult fill(FrContext *ctx, const FrTetMesh *linear, const FrField *shape, Mids *mids,
                     FrTetMesh *mesh, FrOrder2Report *report) {
    int32_t edges = mids->edges.count;
    mids->move = FR_NEW(ctx, FrVec3, edges);
    mids->halved = FR_NEW(ctx, uint8_t, edges);
    if (!mids->move || !mids->halved) return fr_no_memory(ctx, "mid-nodes");
    if (linear->node_count > INT32_MAX - edges) return fr_no_memory(ctx, "mid-nodes");
    FR_TRY(fr_tetmesh_alloc(ctx, linear->node_count + edges, linear->tet_count, 2,
                            linear->region != NULL, mesh));
    mesh->corner_count = linear->node_count;
    memcpy(mesh->x, linear->x, 3 * sizeof(double) * (size_t)linear->node_count);
    memcpy(mesh->tet, linear->tet, sizeof *linear->tet * (size_t)linear->tet_count);
    if (linear->region)
        memcpy(mesh->region, linear->region, sizeof(int32_t) * (size_t)linear->tet_count);
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int k = 0; k < 6; k++) mesh->mid[e][k] = mesh->corner_count + mids->edges.of_tet[e][k];
    if (shape) {
        FR_TRY(
            fr_order2_to_shape(ctx, linear, &mids->edges, shape, mids->move, &report->projected));
    }
    for (int32_t k = 0; k < edges; k++) place_mid(mesh, mids, k);
    if (shape) pull_back(mesh, mids, report);
    for (int32_t k = 0; k < edges; k++)
        report->max_move = fr_max(report->max_move, fr_length(mids->move[k]));
    return FR_OK;
}

FrResult fr_tetmesh_order2(FrContext *ctx, const FrTetMesh *linear, const FrField *shape,
                           FrTetMesh *mesh, FrOrder2Report *report) {
    FrOrder2Report own;
    if (!report) report = &own;
    *report = (FrOrder2Report){0};
    *mesh = (FrTetMesh){0};
    if (linear->order != 1) return fr_fail(ctx, FR_BAD_USE, "the mesh has mid-nodes already");
    Mids mids = {0};
    FR_TRY(fr_tetmesh_edges(ctx, linear, &mids.edges));
    FrResult result = fill(ctx, linear, shape, &mids, mesh, report);
    mids_free(ctx, &mids);
    if (result != FR_OK) fr_tetmesh_free(ctx, mesh);
    return result;
}
