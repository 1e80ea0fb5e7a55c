// regions_metric.c: how far it is through a stressed body: distances across the largest tension
// count more, so that regions stretch across it and their borders run as cracks do.         [M34]

#include "fracture/regions_inside.h"
#include "base/tasks.h"
#include "fracture/fracture_tuning.h"
#include "fracture/separation.h"
#include "math/decompose.h"
#include "mesh/tetmesh.h"

typedef struct Metric {
    Regions *R;
    FrSym3 *at_node; ///< tensile part of the stress, Pa (node_count)
    FrSym3 *in_tet;  ///< its mean (tet_count)
} Metric;

static void tensile_at_nodes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    Metric *m = arg;
    for (int32_t n = begin; n < end; n++) {
        FrSym3 minus;
        fr_stress_parts(m->R->def->stress[n], &m->at_node[n], &minus);
    }
}

static void mean_in_tets(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    Metric *m = arg;
    for (int32_t e = begin; e < end; e++) {
        FrSym3 sum = fr_sym3_zero;
        for (int i = 0; i < 4; i++)
            sum = fr_sym3_axpy(0.25, m->at_node[m->R->mesh->tet[e][i]], sum);
        m->in_tet[e] = sum;
    }
}

static void mean_at_nodes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    Metric *m = arg;
    const Regions *R = m->R;
    for (int32_t n = begin; n < end; n++) {
        FrSym3 sum = fr_sym3_zero;
        double volume = 0.0;
        for (int32_t k = R->star_start[n]; k < R->star_start[n + 1]; k++) {
            sum = fr_sym3_axpy(R->volume[R->star[k]], m->in_tet[R->star[k]], sum);
            volume += R->volume[R->star[k]];
        }
        if (volume > 0.0) m->at_node[n] = fr_sym3_axpy(1.0 / volume, sum, fr_sym3_zero);
    }
}

// G = I + ((1 + g r)^2 - 1) n n', r = clamp((s1 - s2) / s1, 0, 1)                           [M34]
//
// s1 >= s2, n: the largest tensile stresses and the direction of the first. The tensile part has
// s2 = 0 where s2 is a pressure, and r = 1 either way.
static FrSym3 stretched(FrSym3 tensile, double g) {
    FrSym3 G = {1, 1, 1, 0, 0, 0};
    FrEigen3 e = fr_sym3_eigen(tensile);
    if (!(e.value[0] > 0.0)) return G;
    double r = fr_clamp((e.value[0] - e.value[1]) / e.value[0], 0.0, 1.0);
    double s = 1.0 + g * r;
    return fr_sym3_axpy(1.0, fr_outer_times(s * s - 1.0, e.vector[0]), G);
}

// S G S, S S = grain: the grain's metric where G = I, and G where the grain's is I          [M34]
static FrSym3 with_grain(FrSym3 G, FrSym3 grain) {
    FrEigen3 e = fr_sym3_eigen(grain);
    FrSym3 root = fr_sym3_zero;
    for (int k = 0; k < 3; k++)
        root = fr_sym3_axpy(1.0, fr_outer_times(sqrt(fr_max(e.value[k], 0.0)), e.vector[k]), root);
    FrMat3 S = fr_sym3_full(root);
    return fr_mat3_sym(fr_mat3_mul(S, fr_mat3_mul(fr_sym3_full(G), S)));
}

static void measure_tets(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    Metric *m = arg;
    Regions *R = m->R;
    const FrSym3 *grain = R->def->grain;
    for (int32_t e = begin; e < end; e++) {
        FrSym3 G = stretched(m->in_tet ? m->in_tet[e] : fr_sym3_zero, R->def->stretch);
        if (grain) G = with_grain(G, grain[e]);
        R->metric[e] = G;
        for (int k = 0; k < 6; k++) {
            FrVec3 D = fr_sub(fr_get3(R->mesh->x, R->mesh->tet[e][fr_tet_edge[k][1]]),
                              fr_get3(R->mesh->x, R->mesh->tet[e][fr_tet_edge[k][0]]));
            R->length[e][k] = fr_dot(D, fr_sym3_apply(G, D));
        }
    }
}

// a bent wall pulls on one side only: means over the tets round nodes, and over nodes of tets,
// carry that through it, cell by cell. Only the direction and s2 / s1 count, so a little is enough
static void through_walls(Metric *m) {
    Regions *R = m->R;
    fr_parallel_for(R->ctx, R->mesh->node_count, FR_REGION_GRAIN, tensile_at_nodes, m);
    for (int k = 0; k < FR_REGION_WALL_PASSES; k++) {
        fr_parallel_for(R->ctx, R->mesh->tet_count, FR_REGION_GRAIN, mean_in_tets, m);
        fr_parallel_for(R->ctx, R->mesh->node_count, FR_REGION_GRAIN, mean_at_nodes, m);
    }
    fr_parallel_for(R->ctx, R->mesh->tet_count, FR_REGION_GRAIN, mean_in_tets, m);
}

// longer than nothing in all directions
static FrResult check_grain(const Regions *R) {
    for (int32_t e = 0; R->def->grain && e < R->mesh->tet_count; e++) {
        FrEigen3 g = fr_sym3_eigen(R->def->grain[e]);
        if (!(g.value[0] > 0.0) || !(g.value[2] >= FR_REGION_LEAST_GRAIN * g.value[0]))
            return fr_fail(
                R->ctx, FR_BAD_USE,
                "regions: the grain of tet %d has eigenvalues %g to %g: the least must be "
                "%g of the largest or more",
                (int)e, g.value[2], g.value[0], FR_REGION_LEAST_GRAIN);
    }
    return FR_OK;
}

FrResult fr_regions_measure(Regions *R) {
    Metric m = {.R = R};
    FR_TRY(check_grain(R));
    bool follow = R->def->stress && R->def->stretch > 0.0;
    if (follow) {
        m.at_node = FR_NEW(R->ctx, FrSym3, R->mesh->node_count);
        m.in_tet = FR_NEW(R->ctx, FrSym3, R->mesh->tet_count);
    }
    bool ok = !follow || (m.at_node && m.in_tet);
    if (ok && follow) through_walls(&m);
    if (ok) fr_parallel_for(R->ctx, R->mesh->tet_count, FR_REGION_GRAIN, measure_tets, &m);
    FR_FREE_ALL(R->ctx, m.at_node, m.in_tet);
    return ok ? FR_OK : fr_no_memory(R->ctx, "regions");
}
