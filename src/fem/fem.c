// fem.c: making, looking at and pushing a deformable body.

#include "fem/body.h"
#include "fem/element.h"
#include "base/tasks.h"
#include <string.h>

static FrResult check_tets(FrContext *ctx, const FrFemDef *def) {
    const FrTetMesh *mesh = def->mesh;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        int32_t region = mesh->region ? mesh->region[e] : 0;
        if (region < 0 || region >= def->material_count)
            return fr_fail(ctx, FR_BAD_INPUT, "tet %d: region is %d; allowed: 0 to %d", e, region,
                           def->material_count - 1);
        FrVec3 m[4];
        for (int i = 0; i < 4; i++) {
            int32_t n = mesh->tet[e][i];
            if (n < 0 || n >= mesh->node_count)
                return fr_fail(ctx, FR_BAD_INPUT, "tet %d: node is %d; allowed: 0 to %d", e, n,
                               mesh->node_count - 1);
            m[i] = fr_get3(mesh->x, n);
        }
        FrElement element;
        if (!fr_element_make(m, &element))
            return fr_fail(ctx, FR_BAD_INPUT,
                           "tet %d (nodes %d %d %d %d): volume is %g m^3; allowed: more than 0", e,
                           mesh->tet[e][0], mesh->tet[e][1], mesh->tet[e][2], mesh->tet[e][3],
                           element.volume);
    }
    return FR_OK;
}

static FrResult check_def(FrContext *ctx, const FrFemDef *def) {
    const FrTetMesh *mesh = def->mesh;
    if (mesh->order != 1)
        return fr_fail(ctx, FR_BAD_INPUT, "mesh order is %d; allowed: 1 (4-node tets)",
                       mesh->order);
    if (mesh->tet_count < 1 || mesh->node_count < 4)
        return fr_fail(ctx, FR_BAD_INPUT, "mesh has %d tets and %d nodes; allowed: 1 and 4 or more",
                       mesh->tet_count, mesh->node_count);
    if (def->material_count < 1)
        return fr_fail(ctx, FR_BAD_INPUT, "material_count is %d; allowed: 1 or more",
                       def->material_count);
    for (int32_t k = 0; k < def->material_count; k++)
        FR_TRY(fr_material_check(ctx, &def->material[k]));
    if (!fr_vec3_finite(def->position) || !fr_vec3_finite(def->velocity) ||
        !fr_vec3_finite(def->spin))
        return fr_fail(ctx, FR_BAD_INPUT, "position, velocity or spin is not finite");
    FrQuat q = def->rotation;
    double length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(fabs(length2 - 1.0) < 1e-6))
        return fr_fail(ctx, FR_BAD_INPUT, "rotation has length^2 %g; allowed: 1", length2);
    return check_tets(ctx, def);
}

/// Arrays with three numbers, and with one, for each node.
#define PACKED 12
#define SINGLE 6

static void node_arrays(FrFem *fem, double **packed[PACKED], double **single[SINGLE]) {
    double **three[PACKED] = {
        &fem->x, &fem->p, &fem->v,        &fem->drive,    &fem->load,         &fem->contact,
        &fem->f, &fem->d, &fem->backup_p, &fem->backup_v, &fem->backup_drive, &fem->gain};
    double **one[SINGLE] = {&fem->mass,      &fem->inverse_mass, &fem->drag,
                            &fem->stiffness, &fem->node_w2,      &fem->added};
    memcpy(packed, three, sizeof three);
    memcpy(single, one, sizeof one);
}

// the new places are zero
static bool grow(FrContext *ctx, void **data, size_t old_size, size_t size) {
    void *moved = fr_resize(ctx, *data, size ? size : 1);
    if (!moved) return false;
    memset((char *)moved + old_size, 0, size - old_size);
    *data = moved;
    return true;
}

static int32_t room_for(int32_t capacity, int32_t wanted) {
    int32_t doubled = capacity > INT32_MAX / 2 ? INT32_MAX : 2 * capacity;
    return fr_max_i(wanted, doubled);
}

static bool reserve_nodes(FrFem *fem, int32_t nodes) {
    if (nodes <= fem->node_capacity) return true;
    FrContext *ctx = fem->ctx;
    double **packed[PACKED], **single[SINGLE];
    node_arrays(fem, packed, single);
    int32_t room = room_for(fem->node_capacity, nodes);
    size_t old = (size_t)fem->node_capacity, n = (size_t)room, d = sizeof(double);
    bool good = true;
    for (int k = 0; good && k < PACKED; k++)
        good = grow(ctx, (void **)packed[k], 3 * old * d, 3 * n * d);
    for (int k = 0; good && k < SINGLE; k++) good = grow(ctx, (void **)single[k], old * d, n * d);
    size_t old_chunks = (size_t)fr_chunk_count(fem->node_capacity, FR_NODE_GRAIN);
    size_t chunks = (size_t)fr_chunk_count(room, FR_NODE_GRAIN);
    good = good && grow(ctx, (void **)&fem->held, old, n) &&
           grow(ctx, (void **)&fem->backup_held, old, n) &&
           grow(ctx, (void **)&fem->listed, old, n) &&
           grow(ctx, (void **)&fem->node_sums, old_chunks * sizeof(FrNodeSums),
                chunks * sizeof(FrNodeSums)) &&
           grow(ctx, (void **)&fem->node_works, old_chunks * sizeof(FrFemWorks),
                chunks * sizeof(FrFemWorks));
    if (good) fem->node_capacity = room;
    return good;
}

static bool reserve_tets(FrFem *fem, int32_t tets) {
    if (tets <= fem->tet_capacity) return true;
    int32_t room = room_for(fem->tet_capacity, tets);
    size_t old = (size_t)fem->tet_capacity, n = (size_t)room, four = sizeof fem->tet[0];
    bool good =
        grow(fem->ctx, (void **)&fem->tet, old * four, n * four) &&
        grow(fem->ctx, (void **)&fem->region, old * sizeof(int32_t), n * sizeof(int32_t)) &&
        grow(fem->ctx, (void **)&fem->tet_w2, old * sizeof(double), n * sizeof(double)) &&
        grow(fem->ctx, (void **)&fem->rigid_of, old * sizeof(int32_t), n * sizeof(int32_t)) &&
        grow(fem->ctx, (void **)&fem->stiff, old, n) && grow(fem->ctx, (void **)&fem->gone, old, n);
    size_t row = sizeof(FrPlasticRow);
    if (fem->yields)
        good = good && grow(fem->ctx, (void **)&fem->plastic, old * row, n * row) &&
               grow(fem->ctx, (void **)&fem->backup_plastic, old * row, n * row);
    if (good) fem->tet_capacity = room;
    return good;
}

bool fr_fem_reserve(FrFem *fem, int32_t nodes, int32_t tets) {
    // three doubles for each node and lists of blocks stay below the largest size
    if (nodes > INT32_MAX / 64 || tets > INT32_MAX / 64) return false;
    return reserve_nodes(fem, nodes) && reserve_tets(fem, tets);
}

static bool reserve_blocks(FrFem *fem) {
    size_t from = (size_t)fem->stress_capacity, to = (size_t)fem->chunks.block_capacity;
    if (to <= from) return true;
    if (!grow(fem->ctx, (void **)&fem->block_stress, from * sizeof(FrBlockStress),
              to * sizeof(FrBlockStress)))
        return false;
    fem->stress_capacity = (int32_t)to;
    return true;
}

bool fr_fem_reserve_slots(FrFem *fem) {
    const FrChunks *c = &fem->chunks;
    size_t slot = 6 * sizeof(double), sums = sizeof(FrChunkSums);
    if (c->slot_capacity > fem->slot_capacity) {
        if (!grow(fem->ctx, (void **)&fem->slot, (size_t)fem->slot_capacity * slot,
                  (size_t)c->slot_capacity * slot) ||
            !grow(fem->ctx, (void **)&fem->slot_pull, (size_t)fem->slot_capacity * sizeof(double),
                  (size_t)c->slot_capacity * sizeof(double)))
            return false;
        fem->slot_capacity = c->slot_capacity;
    }
    if (c->chunk_capacity > fem->sums_capacity) {
        if (!grow(fem->ctx, (void **)&fem->chunk_sums, (size_t)fem->sums_capacity * sums,
                  (size_t)c->chunk_capacity * sums))
            return false;
        fem->sums_capacity = c->chunk_capacity;
    }
    return reserve_blocks(fem);
}

bool fr_fem_element(const FrFem *fem, int32_t tet, FrElement *element) {
    FrVec3 m[4];
    for (int i = 0; i < 4; i++) m[i] = fr_get3(fem->x, fem->tet[tet][i]);
    return fr_element_make(m, element);
}

// lumped mass rho vol / 4 to each node                                            [S4 eq. 15] [M1]
// and mass damping alpha2 M in the same way                                            [S4 eq. 3]
FrResult fr_fem_set_masses(FrFem *fem) {
    memset(fem->mass, 0, (size_t)fem->node_count * sizeof(double));
    memset(fem->drag, 0, (size_t)fem->node_count * sizeof(double));
    for (int32_t e = 0; e < fem->tet_count; e++) {
        FrElement element;
        fr_fem_element(fem, e, &element);
        const FrMaterial *material = &fem->material[fem->region[e]];
        double share = 0.25 * material->density * element.volume;
        for (int i = 0; i < 4; i++) {
            fem->mass[fem->tet[e][i]] += share;
            fem->drag[fem->tet[e][i]] += material->alpha2 * share;
        }
    }
    for (int32_t n = 0; n < fem->node_count; n++) {
        if (!(fem->mass[n] > 0.0))
            return fr_fail(fem->ctx, FR_BAD_INPUT,
                           "node %d belongs to no tet; allowed: nodes with at least one", n);
        fem->mass[n] += fem->added[n];
        fem->inverse_mass[n] = 1.0 / fem->mass[n];
    }
    return FR_OK;
}

static void place(FrFem *fem, const FrFemDef *def) {
    FrMat3 R = fr_quat_mat3(fr_quat_normalize(def->rotation));
    FrVec3 centre = fr_vec3_zero;
    for (int32_t n = 0; n < fem->node_count; n++) {
        FrVec3 p = fr_add(fr_mat3_apply(R, fr_get3(fem->x, n)), def->position);
        fr_set3(fem->p, n, p);
        centre = fr_axpy(fem->mass[n] / fem->total_mass, p, centre);
    }
    for (int32_t n = 0; n < fem->node_count; n++) {
        FrVec3 arm = fr_sub(fr_get3(fem->p, n), centre);
        fr_set3(fem->v, n, fr_add(def->velocity, fr_cross(def->spin, arm)));
    }
}

static FrResult build(FrFem *fem, const FrFemDef *def) {
    FrContext *ctx = fem->ctx;
    fem->material = FR_NEW(ctx, FrMaterial, fem->material_count);
    fem->kernel = FR_NEW(ctx, FrKernelMaterial, fem->material_count);
    if (!fem->material || !fem->kernel || !fr_fem_reserve(fem, fem->node_count, fem->tet_count))
        return fr_no_memory(ctx, "a deformable body");
    memcpy(fem->x, def->mesh->x, 3 * (size_t)fem->node_count * sizeof(double));
    memcpy(fem->tet, def->mesh->tet, (size_t)fem->tet_count * sizeof fem->tet[0]);
    if (def->mesh->region)
        memcpy(fem->region, def->mesh->region, (size_t)fem->tet_count * sizeof(int32_t));
    memcpy(fem->material, def->material, (size_t)fem->material_count * sizeof(FrMaterial));
    for (int32_t k = 0; k < fem->material_count; k++)
        fr_kernel_material(&fem->material[k], &fem->kernel[k]);
    FR_TRY(fr_fem_set_masses(fem));
    for (int32_t n = 0; n < fem->node_count; n++) fem->total_mass += fem->mass[n];
    FR_TRY(fr_chunks_create(ctx, fem->x, fem->node_count, fem->tet, fem->region, fem->tet_count,
                            fem->material, &fem->chunks));
    if (!fr_fem_reserve_slots(fem)) return fr_no_memory(ctx, "a deformable body");
    place(fem, def);
    return FR_OK;
}

FrResult fr_fem_create(FrContext *ctx, const FrFemDef *def, FrFem **out) {
    *out = NULL;
    FR_TRY(check_def(ctx, def));
    FrFem *fem = FR_NEW(ctx, FrFem, 1);
    if (!fem) return fr_no_memory(ctx, "a deformable body");
    fem->ctx = ctx;
    fem->node_count = def->mesh->node_count;
    fem->tet_count = def->mesh->tet_count;
    fem->material_count = def->material_count;
    fem->integrator = def->integrator;
    fem->topology = 1;
    fem->run_chunk =
        !def->portable && fr_cpu_has_avx2() ? fr_fem_chunk_avx2 : fr_fem_chunk_portable;
    fem->stress =
        !def->portable && fr_cpu_has_avx2() ? &fr_fem_stress_avx2 : &fr_fem_stress_portable;
    for (int32_t k = 0; k < def->material_count; k++)
        fem->yields = fem->yields || fr_material_yields(&def->material[k]);
    FrResult result = build(fem, def);
    if (result != FR_OK) {
        fr_fem_destroy(fem);
        return result;
    }
    *out = fem;
    return FR_OK;
}

void fr_fem_destroy(FrFem *fem) {
    if (!fem) return;
    double **packed[PACKED], **single[SINGLE];
    node_arrays(fem, packed, single);
    for (int k = 0; k < PACKED; k++) fr_free(fem->ctx, *packed[k]);
    for (int k = 0; k < SINGLE; k++) fr_free(fem->ctx, *single[k]);
    void *owned[] = {fem->material,
                     fem->kernel,
                     fem->tet,
                     fem->region,
                     fem->tet_w2,
                     fem->held,
                     fem->backup_held,
                     fem->node_sums,
                     fem->slot,
                     fem->chunk_sums,
                     fem->node_works,
                     fem->plastic,
                     fem->block_stress,
                     fem->backup_plastic,
                     fem->stiff,
                     fem->gone,
                     fem->rigid.data,
                     fem->rigid_node.data,
                     fem->slot_pull,
                     fem->slot_grown.data,
                     fem->node_grown.data,
                     fem->rigid_of,
                     fem->loose.data,
                     fem->rigid_still.data,
                     fem->soft.data,
                     fem->rigid_from.data,
                     fem->lasting.data,
                     fem->listed,
                     fem->slot_tears.data,
                     fem->slot_spread.data,
                     fem->chunk_stretch.data,
                     fem->ring.data,
                     fem->motion.data,
                     fem->backup_motion.data,
                     fem->node_spring.data};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) fr_free(fem->ctx, owned[k]);
    fr_chunks_free(fem->ctx, &fem->chunks);
    fr_free(fem->ctx, fem);
}

void fr_fem_view(const FrFem *fem, FrShapeView *view) {
    *view = (FrShapeView){.node_count = fem->node_count,
                          .tet_count = fem->tet_count,
                          .p = fem->p,
                          .v = fem->v,
                          .tet = fem->tet,
                          .gone = fem->remedies.dust_pieces ? fem->gone : NULL,
                          .rigid = fem->remedies.rigid_pieces ? fem->rigid_of : NULL,
                          .topology = fem->topology};
}

double fr_fem_mass(const FrFem *fem) { return fem->total_mass; }

static void check_node(const FrFem *fem, int32_t node) {
    FR_ASSERT_IN(fem->ctx, node >= 0 && node < fem->node_count, "name a node of this body");
}

static void check_tet(const FrFem *fem, int32_t tet) {
    FR_ASSERT_IN(fem->ctx, tet >= 0 && tet < fem->tet_count, "name a tet of this body");
}

double fr_fem_node_mass(const FrFem *fem, int32_t node) {
    check_node(fem, node);
    return fem->mass[node];
}

const FrMaterial *fr_fem_material(const FrFem *fem, int32_t tet) {
    check_tet(fem, tet);
    return &fem->material[fem->region[tet]];
}

int32_t fr_fem_region(const FrFem *fem, int32_t tet) {
    check_tet(fem, tet);
    return fem->region[tet];
}

const double *fr_fem_rest(const FrFem *fem) { return fem->x; }

void fr_fem_set_state(FrFem *fem, const double *p, const double *v) {
    size_t size = 3 * (size_t)fem->node_count * sizeof(double);
    if (p) memcpy(fem->p, p, size);
    if (v) memcpy(fem->v, v, size);
    fem->last_dt = fem->step_error = fem->step_shift = fem->step_jolt = 0.0;
    fem->current = false;
}

void fr_fem_hold(FrFem *fem, int32_t node) {
    check_node(fem, node);
    fem->held[node] = 1;
    fr_set3(fem->drive, node, fr_vec3_zero);
}

void fr_fem_release(FrFem *fem, int32_t node) {
    check_node(fem, node);
    fem->held[node] = 0;
}

const uint8_t *fr_fem_all_held(const FrFem *fem) { return fem->held; }

bool fr_fem_held(const FrFem *fem, int32_t node) {
    check_node(fem, node);
    return fem->held[node] != 0;
}

void fr_fem_drive(FrFem *fem, int32_t node, FrVec3 velocity) {
    check_node(fem, node);
    FR_ASSERT_IN(fem->ctx, fem->held[node], "hold the node first (fr_fem_hold)");
    fr_set3(fem->drive, node, velocity);
}

void fr_fem_add_force(FrFem *fem, FrFemChannel channel, int32_t node, FrVec3 force) {
    check_node(fem, node);
    fr_add3(channel == FR_FEM_CONTACT ? fem->contact : fem->load, node, force);
}

void fr_fem_note_led(FrFem *fem, double work) {
    fem->works.load += work;
    fem->works.contact -= work;
}

double *fr_fem_contact_forces(FrFem *fem) { return fem->contact; }

void fr_fem_add_stiffness(FrFem *fem, int32_t node, double stiffness) {
    check_node(fem, node);
    fem->stiffness[node] += stiffness;
    fem->stiffened = true;
}

void fr_fem_internal_forces(FrFem *fem, const double **elastic, const double **viscous) {
    fr_fem_evaluate(fem);
    *elastic = fem->f;
    *viscous = fem->d;
}

int32_t fr_fem_crushed(FrFem *fem) {
    fr_fem_evaluate(fem);
    return fem->crushed;
}

void fr_fem_momentum(const FrFem *fem, FrVec3 *linear, FrVec3 *angular) {
    *linear = *angular = fr_vec3_zero;
    for (int32_t n = 0; n < fem->node_count; n++) {
        FrVec3 mv = fr_scale(fem->mass[n], fr_get3(fem->v, n));
        *linear = fr_add(*linear, mv);
        *angular = fr_add(*angular, fr_cross(fr_get3(fem->p, n), mv));
    }
}

FrVec3 fr_fem_impulse(const FrFem *fem) { return fem->works.impulse; }

// of positions: F; of velocities: its rate
static FrMat3 tet_gradient(const FrFem *fem, int32_t tet, const double *at) {
    check_tet(fem, tet);
    FrVec3 m[4], p[4];
    for (int i = 0; i < 4; i++) {
        m[i] = fr_get3(fem->x, fem->tet[tet][i]);
        p[i] = fr_get3(at, fem->tet[tet][i]);
    }
    FrElement element;
    fr_element_make(m, &element);
    return fr_element_gradient(&element, p);
}

FrSym3 fr_fem_tet_strain(const FrFem *fem, int32_t tet) {
    return fr_green_strain(tet_gradient(fem, tet, fem->p));
}

bool fr_fem_yields(const FrFem *fem) { return fem->yields; }

FrSym3 fr_fem_plastic_strain(const FrFem *fem, int32_t tet) {
    check_tet(fem, tet);
    if (!fem->plastic) return fr_sym3_zero;
    const double *r = fem->plastic[tet];
    return (FrSym3){r[0], r[1], r[2], r[4], r[5], r[6]};
}

static FrSym3 elastic_stress(const FrFem *fem, int32_t tet, FrMat3 F) {
    return fr_material_stress(fr_fem_material(fem, tet), fr_green_strain(F),
                              fr_fem_plastic_strain(fem, tet));
}

FrSym3 fr_fem_tet_stress(const FrFem *fem, int32_t tet) {
    FrMat3 F = tet_gradient(fem, tet, fem->p);
    return fr_stress_cauchy(F, elastic_stress(fem, tet, F));
}

// sigma = sigma_elastic + sigma_viscous                                  [S2 eq. 4] [S6 eq. 3.9]
FrSym3 fr_fem_tet_piola(const FrFem *fem, int32_t tet, FrMat3 *F) {
    *F = tet_gradient(fem, tet, fem->p);
    FrSym3 S = elastic_stress(fem, tet, *F);
    const FrMaterial *m = fr_fem_material(fem, tet);
    if (m->phi == 0.0 && m->psi == 0.0) return S;
    FrSym3 Ed = fr_green_rate(*F, tet_gradient(fem, tet, fem->v));
    return fr_sym3_axpy(fr_fem_damping_factor(fem, tet), fr_stress_viscous(m->phi, m->psi, Ed), S);
}
