// stress_still.c: what acts slowly on a body, all at once: pushes, its weight, supports that moved.

#include "base/tasks.h"
#include "mesh/topology.h"
#include "modal/stress_model.h"
#include <string.h>

// |K u - g| / |g| of an answer, at most
#define TOLERANCE 1e-8
#define NODES_A_CHUNK 256

typedef struct Pull {
    FrStressModel *model;
    FrVec3 force; ///< N
} Pull;

static void apply_share(void *user, const int32_t node[6], const double share[6]) {
    const Pull *p = user;
    for (int k = 0; k < 6; k++)
        fr_add3(p->model->everywhere, p->model->skin.node[node[k]], fr_scale(share[k], p->force));
}

// A steady pull on a tet of 10 nodes with straight edges: the integral of its shape functions is
// -V/20 at corners, V/5 at mid-nodes.
static void add_weight(FrStressModel *m, FrVec3 weight) {
    for (int32_t e = 0; e < m->mesh.tet_count; e++) {
        int32_t node[FR_TET_NODES], count = fr_tet_nodes(&m->mesh, e, node);
        FrVec3 x[4];
        for (int i = 0; i < 4; i++) x[i] = fr_get3(m->mesh.x, node[i]);
        double volume =
            fr_dot(fr_sub(x[1], x[0]), fr_cross(fr_sub(x[2], x[0]), fr_sub(x[3], x[0]))) / 6.0;
        int32_t region = m->mesh.region ? m->mesh.region[e] : 0;
        double mass = m->material[region].density * volume;
        for (int i = 0; i < count; i++)
            fr_add3(m->everywhere, node[i], fr_scale(i < 4 ? -mass / 20.0 : mass / 5.0, weight));
    }
}

// stiffness of all nodes, held ones too
static FrResult need_full(FrStressModel *m) {
    if (m->has_full) return FR_OK;
    FrMatricesDef def = {
        .mesh = &m->mesh, .material = m->material, .material_count = m->material_count};
    FR_TRY(fr_matrices_assemble(m->ctx, &def, &m->full));
    m->has_full = true;
    return FR_OK;
}

// Displacements of all nodes: held ones as they were moved, one between two of them as their mean.
static void place_held(const FrStressModel *m, const double *moved, double *u) {
    const FrMatrices *moving = &m->fixed.system.matrices;
    int32_t corners = m->nodes.node_count;
    memcpy(u, moved, 3 * (size_t)corners * sizeof *u);
    for (int32_t e = 0; e < m->mesh.tet_count; e++)
        for (int k = 0; k < 6; k++) {
            const int32_t *n = m->mesh.tet[e];
            FrVec3 a = fr_get3(moved, n[fr_tet_edge[k][0]]);
            FrVec3 b = fr_get3(moved, n[fr_tet_edge[k][1]]);
            fr_set3(u, m->mesh.mid[e][k], fr_lerp(a, b, 0.5));
        }
    for (int32_t k = 0; k < moving->node_count; k++) fr_set3(u, moving->node[k], fr_vec3_zero);
}

static void gather(const FrStressModel *m, const double *from, double *to) {
    const FrMatrices *moving = &m->fixed.system.matrices;
    for (int32_t k = 0; k < moving->node_count; k++) fr_set3(to, k, fr_get3(from, moving->node[k]));
}

typedef struct Answer {
    FrStressModel *model;
    double *u; ///< of all nodes, m
    FrSym3 *stress;
} Answer;

static void stress_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    const Answer *a = arg;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++)
        a->stress[n] = fr_stress_at_node(&a->model->nodes, n, a->u);
}

// loads of all nodes into `everywhere`, N; `u`: of held nodes, `pulled`: room for as many
static FrResult add_loads(FrStressModel *m, const FrStressStill *still, double *u, double *pulled) {
    size_t bytes = 3 * (size_t)m->mesh.node_count * sizeof(double);
    memset(m->everywhere, 0, bytes);
    for (int32_t k = 0; k < still->load_count; k++) {
        Pull pull = {m, fr_scale(still->force[k], still->load[k].n)};
        fr_stress_spread(&m->skin, still->load[k].x, still->load[k].radius, apply_share, &pull);
    }
    if (fr_length2(still->weight) > 0.0) add_weight(m, still->weight);
    if (!still->moved) return FR_OK;
    FR_TRY(need_full(m));
    place_held(m, still->moved, u);
    fr_block_matrix_apply(m->ctx, &m->full.K, u, pulled, 1);
    for (int32_t k = 0; k < 3 * m->mesh.node_count; k++) m->everywhere[k] -= pulled[k];
    return FR_OK;
}

// K u = f with u given where it is held: K_ff u_f = f_f - K_fp u_p          [S7 eq. 1, M19]
static FrResult solve(FrStressModel *m, bool even, double *u) {
    FrStressSolve report;
    const FrMatrices *moving = &m->fixed.system.matrices;
    double young = m->fixed.system.scale.young;
    gather(m, m->everywhere, m->f);
    if (even)
        FR_TRY(fr_stress_balance_even(&m->fixed, m->f));
    else
        fr_stress_balance(&m->fixed, m->f);
    FR_TRY(fr_stress_solve(&m->fixed, m->f, TOLERANCE, m->u, &report));
    for (int32_t k = 0; k < moving->node_count; k++)
        fr_set3(u, moving->node[k], fr_scale(1.0 / young, fr_get3(m->u, k)));
    return FR_OK;
}

// f'u / 2 where nothing moved, else u'K u / 2, J
static double energy_of(FrStressModel *m, const FrStressStill *still, const double *u,
                        double *pulled) {
    double sum = 0.0;
    if (still->moved) {
        fr_block_matrix_apply(m->ctx, &m->full.K, u, pulled, 1);
        for (int32_t k = 0; k < 3 * m->mesh.node_count; k++) sum += u[k] * pulled[k];
        return 0.5 * sum;
    }
    for (int32_t k = 0; k < m->fixed.size; k++) sum += m->f[k] * m->u[k];
    return 0.5 * sum / m->fixed.system.scale.young;
}

FrResult fr_stress_still(FrStressModel *m, const FrStressStill *still, FrSym3 *stress,
                         double *energy) {
    int64_t numbers = 3 * (int64_t)m->mesh.node_count;
    double *u = FR_NEW(m->ctx, double, numbers), *pulled = FR_NEW(m->ctx, double, numbers);
    FrResult result = u && pulled ? FR_OK : fr_no_memory(m->ctx, "a static answer");
    if (result == FR_OK) result = add_loads(m, still, u, pulled);
    if (result == FR_OK) result = solve(m, still->even, u);
    if (result == FR_OK) {
        Answer answer = {m, u, stress};
        *energy = energy_of(m, still, u, pulled);
        fr_parallel_for(m->ctx, m->nodes.node_count, NODES_A_CHUNK, stress_chunk, &answer);
    }
    FR_FREE_ALL(m->ctx, u, pulled);
    return result;
}
