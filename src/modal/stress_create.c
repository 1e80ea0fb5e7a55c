// stress_create.c: making a stress model: mid-nodes, modes and their stress, and the factor of
// static answers.

#include "modal/stress_model.h"
#include "base/tasks.h"
#include "math/decompose.h"
#include "mesh/order2.h"
#include <string.h>

static void free_model(FrStressModel *m) {
    FrContext *ctx = m->ctx;
    fr_stress_static_free(&m->fixed);
    fr_stress_nodes_free(ctx, &m->nodes);
    fr_stress_skin_free(ctx, &m->skin);
    if (m->has_full) fr_matrices_free(ctx, &m->full);
    fr_tetmesh_free(ctx, &m->mesh);
    FR_FREE_ALL(ctx, m->material, m->lambda, m->damping, m->most, m->shape, m->stress,
                m->skin_shape, m->f, m->u, m->q, m->everywhere);
    fr_free(ctx, m);
}

void fr_stress_destroy(FrStressModel *model) {
    if (model && atomic_fetch_sub(&model->sharers, 1) == 0) free_model(model);
}

FrStressModel *fr_stress_share(FrStressModel *model) {
    atomic_fetch_add(&model->sharers, 1);
    return model;
}

void fr_stress_move(FrStressModel *model, FrContext *ctx) {
    model->ctx = ctx;
    model->fixed.ctx = ctx;
}

FrStressModes fr_stress_modes(const FrStressModel *m) {
    FrStressModes modes = {.node_count = m->nodes.node_count,
                           .count = m->count,
                           .lambda = m->lambda,
                           .damping = m->damping,
                           .shape = m->shape,
                           .stress = m->stress,
                           .most = m->most,
                           .region = m->nodes.region};
    return modes;
}

static size_t matrix_bytes(const FrBlockMatrix *A) {
    size_t entries = (size_t)A->start[A->node_count];
    return entries * (sizeof(double) * (size_t)A->width + sizeof(int32_t)) +
           sizeof(int32_t) * ((size_t)A->node_count + 1);
}

size_t fr_stress_bytes(const FrStressModel *m) {
    size_t nodes = (size_t)m->nodes.node_count, all = (size_t)m->mesh.node_count,
           tets = (size_t)m->mesh.tet_count, count = (size_t)m->count,
           skin = (size_t)m->skin.node_count, size = (size_t)m->fixed.size,
           parts = (size_t)m->nodes.start[nodes];
    const FrModalSystem *system = &m->fixed.system;
    size_t bytes = sizeof *m + (size_t)m->material_count * sizeof *m->material;
    bytes += all * 3 * sizeof(double) + tets * (m->mesh.region ? 11 : 10) * sizeof(int32_t);
    bytes += parts * sizeof(FrStressPart) + nodes * 2 * sizeof(int32_t);
    bytes += (size_t)m->skin.tri_count * sizeof(FrStressTri) +
             skin * (sizeof(int32_t) + 3 * sizeof(double));
    bytes += count * (4 * sizeof(double) + (9 * nodes + 3 * skin) * sizeof(float));
    bytes += matrix_bytes(&system->matrices.K) + matrix_bytes(&system->matrices.M);
    if (m->has_full) bytes += matrix_bytes(&m->full.K) + matrix_bytes(&m->full.M);
    bytes +=
        size / 3 * sizeof(int32_t) + size * (2 * (size_t)system->rigid.count + 7) * sizeof(double);
    return bytes + all * 3 * sizeof(double) + m->fixed.solver->bytes(m->fixed.factor);
}

// to a mid-node between two held corners
static void hold_mids(const FrTetMesh *mesh, uint8_t *held) {
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int k = 0; k < 6; k++) {
            const int32_t *n = mesh->tet[e];
            held[mesh->mid[e][k]] = held[n[fr_tet_edge[k][0]]] && held[n[fr_tet_edge[k][1]]];
        }
}

typedef struct Create {
    const FrStressDef *def;
    FrStressModel *model;
    FrModalDef modal;
    FrModalSystem system;
    FrModes modes; ///< of all nodes
    uint8_t *held; ///< of all nodes; NULL: none
    FrStressStart start;
} Create;

static FrResult prepare_mesh(Create *c) {
    FrStressModel *m = c->model;
    const FrStressDef *def = c->def;
    size_t bytes = (size_t)def->material_count * sizeof *m->material;
    m->material_count = def->material_count;
    m->material = fr_alloc(m->ctx, bytes);
    if (!m->material) return fr_no_memory(m->ctx, "materials");
    memcpy(m->material, def->material, bytes);
    FR_TRY(fr_tetmesh_order2(m->ctx, def->mesh, def->shape, &m->mesh, NULL));
    if (!def->held) return FR_OK;
    c->held = FR_NEW(m->ctx, uint8_t, m->mesh.node_count);
    if (!c->held) return fr_no_memory(m->ctx, "held nodes");
    memcpy(c->held, def->held, (size_t)def->mesh->node_count);
    hold_mids(&m->mesh, c->held);
    return FR_OK;
}

static FrResult find_modes(Create *c) {
    FrStressModel *m = c->model;
    FrModesReport report = {0};
    c->modal = (FrModalDef){.mesh = &m->mesh,
                            .material = m->material,
                            .material_count = m->material_count,
                            .held = c->held,
                            .max_hz = c->def->max_hz > 0.0 ? c->def->max_hz : FR_MODES_MAX_HZ,
                            .count = c->def->most_modes,
                            .unproved = c->def->most_modes > 0,
                            .factor = &c->start.factor};
    FR_TRY(fr_modal_system(m->ctx, &c->modal, &c->system, &report));
    FrResult result = fr_modal_system_modes(m->ctx, &c->modal, &c->system, &c->modes, &report);
    c->start.shift = report.eigen.shift;
    return result;
}

static FrResult prepare_static(Create *c) {
    FrStressModel *m = c->model;
    double omega = 2.0 * FR_PI * c->modal.max_hz;
    double lowest = m->count ? m->lambda[0] : omega * omega;
    FrModesScale scale = c->system.scale;
    FrStressStart start = c->start;
    c->start.factor = NULL;
    start.lowest = lowest * scale.density / scale.young;
    FR_TRY(fr_stress_static_create(m->ctx, &c->system, &start, &m->fixed));
    m->f = FR_NEW(m->ctx, double, m->fixed.size);
    m->u = FR_NEW(m->ctx, double, m->fixed.size);
    m->q = FR_NEW(m->ctx, double, m->count);
    m->everywhere = FR_NEW(m->ctx, double, 3 * (int64_t)m->mesh.node_count);
    return m->f && m->u && m->q && m->everywhere ? FR_OK : fr_no_memory(m->ctx, "static answers");
}

static double most_principal(FrSym3 s) {
    FrEigen3 e = fr_sym3_eigen(s);
    return fr_max(fabs(e.value[0]), fabs(e.value[2]));
}

// stress of some modes at all corner nodes; |principal| <= |s|, so few nodes need their eigenvalues
static void stress_of_modes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    const Create *c = arg;
    FrStressModel *m = c->model;
    size_t nodes = (size_t)m->nodes.node_count;
    (void)chunk, (void)worker;
    for (int32_t i = begin; i < end; i++) {
        const double *u = c->modes.shape + 3 * (size_t)c->modes.node_count * (size_t)i;
        float *shape = m->shape + 3 * nodes * (size_t)i, *to = m->stress + 6 * nodes * (size_t)i;
        double most = 0.0;
        for (size_t k = 0; k < 3 * nodes; k++) shape[k] = (float)u[k];
        for (int32_t n = 0; n < m->nodes.node_count; n++, to += 6) {
            FrSym3 s = fr_stress_at_node(&m->nodes, n, u);
            const double six[6] = {s.xx, s.yy, s.zz, s.yz, s.zx, s.xy};
            for (int k = 0; k < 6; k++) to[k] = (float)six[k];
            if (fr_sym3_dot(s, s) > most * most) most = fr_max(most, most_principal(s));
        }
        m->most[i] = most;
    }
}

static void shapes_of_skin(const Create *c) {
    FrStressModel *m = c->model;
    size_t count = (size_t)m->count, stride = 3 * (size_t)c->modes.node_count;
    for (size_t s = 0; s < (size_t)m->skin.node_count; s++)
        for (size_t a = 0; a < 3; a++)
            for (size_t i = 0; i < count; i++)
                m->skin_shape[(3 * s + a) * count + i] =
                    (float)c->modes.shape[stride * i + 3 * (size_t)m->skin.node[s] + a];
}

static FrResult keep_modes(Create *c) {
    FrStressModel *m = c->model;
    int64_t count = c->modes.mode_count, nodes = m->nodes.node_count;
    m->count = c->modes.mode_count;
    m->lambda = FR_NEW(m->ctx, double, count);
    m->damping = FR_NEW(m->ctx, double, count);
    m->most = FR_NEW(m->ctx, double, count);
    m->shape = FR_NEW(m->ctx, float, 3 * nodes * count);
    m->stress = FR_NEW(m->ctx, float, 6 * nodes * count);
    m->skin_shape = FR_NEW(m->ctx, float, 3 * (int64_t)m->skin.node_count * count);
    if (!m->lambda || !m->damping || !m->most || !m->shape || !m->stress || !m->skin_shape)
        return fr_no_memory(m->ctx, "stress of modes");
    for (int64_t i = 0; i < count; i++) {
        m->lambda[i] = c->modes.lambda[i];
        m->damping[i] = fr_mode_damping(&m->material[0], m->lambda[i], sqrt(m->lambda[i]));
    }
    fr_parallel_for(m->ctx, m->count, 1, stress_of_modes, c);
    shapes_of_skin(c);
    return FR_OK;
}

static FrResult build(Create *c) {
    FrStressModel *m = c->model;
    if (c->def->material_count < 1) return fr_fail(m->ctx, FR_BAD_USE, "no material was given");
    FR_TRY(prepare_mesh(c));
    FR_TRY(find_modes(c));
    FR_TRY(fr_stress_nodes_create(m->ctx, &m->mesh, m->material, m->material_count, &m->nodes));
    FR_TRY(fr_stress_skin_create(m->ctx, &m->mesh, &m->skin));
    FR_TRY(keep_modes(c));
    fr_modes_free(m->ctx, &c->modes); // of all nodes: more than a factor
    return prepare_static(c);
}

FrResult fr_stress_create(FrContext *ctx, const FrStressDef *def, FrStressModel **model) {
    Create c = {.def = def};
    *model = NULL;
    c.model = FR_NEW(ctx, FrStressModel, 1);
    if (!c.model) return fr_no_memory(ctx, "a stress model");
    c.model->ctx = ctx;
    FrResult result = build(&c);
    fr_modes_free(ctx, &c.modes);
    fr_modal_system_free(ctx, &c.system);
    const FrBackend *backend = fr_context_backend(ctx);
    if (backend) backend->sparse->destroy(c.start.factor);
    fr_free(ctx, c.held);
    if (result != FR_OK)
        free_model(c.model);
    else
        *model = c.model;
    return result;
}
