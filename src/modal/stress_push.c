// stress_push.c: what a push of 1 N does: how the body gives, which stress stands in it, and what
// of both the modes leave out.

#include "modal/stress_model.h"
#include "base/tasks.h"
#include "math/vec.h"
#include <string.h>

// |K u - g| / |g| of an answer, at most
#define TOLERANCE 1e-8
#define NODES_A_CHUNK 256

void fr_stress_answer_free(FrContext *ctx, FrStressAnswer *answer) {
    FR_FREE_ALL(ctx, answer->w, answer->stress, answer->stress_left);
    *answer = (FrStressAnswer){0};
}

typedef struct Weigh {
    const FrStressModel *model;
    FrVec3 n;
    double *w;
} Weigh;

static void weigh(void *user, const int32_t node[6], const double share[6]) {
    const Weigh *g = user;
    size_t count = (size_t)g->model->count;
    for (int k = 0; k < 6; k++)
        for (int a = 0; a < 3; a++) {
            const float *row = g->model->skin_shape + (3 * (size_t)node[k] + (size_t)a) * count;
            double by = share[k] * fr_vec3_get(g->n, a);
            for (size_t i = 0; i < count; i++) g->w[i] += by * (double)row[i];
        }
}

void fr_stress_weights(const FrStressModel *model, const FrStressLoad *load, double *w) {
    Weigh g = {model, load->n, w};
    for (int32_t i = 0; i < model->count; i++) w[i] = 0.0;
    fr_stress_spread(&model->skin, load->x, load->radius, weigh, &g);
}

typedef struct Push {
    FrStressModel *model;
    FrVec3 n;
    FrSym3 *stress;
} Push;

static void apply_share(void *user, const int32_t node[6], const double share[6]) {
    const Push *p = user;
    for (int k = 0; k < 6; k++) {
        int32_t n = p->model->skin.node[node[k]];
        fr_add3(p->model->everywhere, n, fr_scale(share[k], p->n));
    }
}

// between the nodes of the mesh and those that move
static void gather(const FrStressModel *m, double *to) {
    const FrMatrices *moving = &m->fixed.system.matrices;
    for (int32_t k = 0; k < moving->node_count; k++)
        fr_set3(to, k, fr_get3(m->everywhere, moving->node[k]));
}
static void scatter(FrStressModel *m, const double *from, double scale) {
    const FrMatrices *moving = &m->fixed.system.matrices;
    memset(m->everywhere, 0, 3 * (size_t)m->mesh.node_count * sizeof(double));
    for (int32_t k = 0; k < moving->node_count; k++)
        fr_set3(m->everywhere, moving->node[k], fr_scale(scale, fr_get3(from, k)));
}

static void stress_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    const Push *p = arg;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++)
        p->stress[n] = fr_stress_at_node(&p->model->nodes, n, p->model->everywhere);
}

// The work f'u is that of the balanced load, since u has no rigid motion. Of several pushes it is
// s'C s, C_kl what push l does where k is.
static FrResult solve(FrStressModel *m, const FrStressLoads *all, FrStressAnswer *answer) {
    Push push = {.model = m, .stress = answer->stress};
    double young = m->fixed.system.scale.young, work = 0.0;
    memset(m->everywhere, 0, 3 * (size_t)m->mesh.node_count * sizeof(double));
    for (int32_t k = 0; k < all->count; k++) {
        push.n = fr_scale(all->share[k], all->load[k].n);
        fr_stress_spread(&m->skin, all->load[k].x, all->load[k].radius, apply_share, &push);
    }
    gather(m, m->f);
    fr_stress_balance(&m->fixed, m->f);
    FrStressSolve report;
    FR_TRY(fr_stress_solve(&m->fixed, m->f, TOLERANCE, m->u, &report));
    for (int32_t k = 0; k < m->fixed.size; k++) work += m->f[k] * m->u[k];
    answer->compliance = work / young;
    answer->residual = report.residual;
    scatter(m, m->u, 1.0 / young);
    fr_parallel_for(m->ctx, m->nodes.node_count, NODES_A_CHUNK, stress_chunk, &push);
    return FR_OK;
}

// left = f'u - sum w_i^2 / lambda_i, stress_left = s - sum (w_i / lambda_i) S_i [M19]
static void take_modes_off(FrStressModel *m, FrStressAnswer *answer) {
    answer->left = answer->compliance;
    for (int32_t i = 0; i < m->count; i++) {
        m->q[i] = -answer->w[i] / m->lambda[i];
        answer->left += answer->w[i] * m->q[i];
    }
    answer->left = fr_max(answer->left, 0.0); // rounding
    fr_stress_field(m, m->q, 1.0, answer->stress, answer->stress_left);
}

// what each mode takes up of all of them; q is room for as many
static void add_weights(FrStressModel *m, const FrStressLoads *all, double *w) {
    for (int32_t k = 0; k < all->count; k++) {
        fr_stress_weights(m, &all->load[k], m->q);
        for (int32_t i = 0; i < m->count; i++) w[i] += all->share[k] * m->q[i];
    }
}

FrResult fr_stress_push(FrStressModel *model, const FrStressLoads *all, FrStressAnswer *answer) {
    FrContext *ctx = model->ctx;
    *answer = (FrStressAnswer){0};
    answer->w = FR_NEW(ctx, double, model->count);
    answer->stress = FR_NEW(ctx, FrSym3, model->nodes.node_count);
    answer->stress_left = FR_NEW(ctx, FrSym3, model->nodes.node_count);
    FrResult result = FR_OK;
    if (!answer->w || !answer->stress || !answer->stress_left) result = fr_no_memory(ctx, "a push");
    if (result == FR_OK) result = solve(model, all, answer);
    if (result == FR_OK) {
        add_weights(model, all, answer->w);
        take_modes_off(model, answer);
    }
    if (result != FR_OK) fr_stress_answer_free(ctx, answer);
    return result;
}
