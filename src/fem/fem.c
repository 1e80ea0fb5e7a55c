// fem.c: making, viewing and pushing a deformable body.

#include "fem/fem_arrays.h"
#include "fem/element.h"
#include "fem/rigid_piece.h"
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

// room for so many, or twice as many as there was
static bool reserve(FrFem *fem, FrFemPer per, int32_t wanted) {
    int32_t capacity = fem->scratch.capacity[per];
    int32_t doubled = capacity > INT32_MAX / 2 ? INT32_MAX : 2 * capacity;
    return wanted <= capacity || fr_fem_arrays_reserve(fem, per, fr_max_i(wanted, doubled), 0);
}

bool fr_fem_reserve(FrFem *fem, int32_t nodes, int32_t tets) {
    // three doubles for each node and lists of blocks stay below the largest size
    if (nodes > INT32_MAX / 64 || tets > INT32_MAX / 64) return false;
    return reserve(fem, FR_PER_NODE, nodes) &&
           reserve(fem, FR_PER_NODE_CHUNK, fr_chunk_count(nodes, FR_NODE_GRAIN)) &&
           reserve(fem, FR_PER_TET, tets);
}

// as many as the chunks have room for
static bool follow_chunks(FrFem *fem, FrFemPer per, int32_t capacity) {
    return capacity <= fem->scratch.capacity[per] || fr_fem_arrays_reserve(fem, per, capacity, 0);
}

bool fr_fem_reserve_slots(FrFem *fem) {
    const FrChunks *c = &fem->state.chunks;
    return follow_chunks(fem, FR_PER_SLOT, c->slot_capacity) &&
           follow_chunks(fem, FR_PER_CHUNK, c->chunk_capacity) &&
           follow_chunks(fem, FR_PER_BLOCK, c->block_capacity);
}

bool fr_fem_element(const FrFem *fem, int32_t tet, FrElement *element) {
    FrVec3 m[4];
    for (int i = 0; i < 4; i++) m[i] = fr_get3(fem->state.x, fem->state.tet[tet][i]);
    return fr_element_make(m, element);
}

// lumped mass rho vol / 4 to each node                                            [S4 eq. 15] [M1]
// and mass damping alpha2 M in the same way                                            [S4 eq. 3]
FrResult fr_fem_set_masses(FrFem *fem) {
    memset(fem->scratch.mass, 0, (size_t)fem->state.node_count * sizeof(double));
    memset(fem->scratch.drag, 0, (size_t)fem->state.node_count * sizeof(double));
    for (int32_t e = 0; e < fem->state.tet_count; e++) {
        FrElement element;
        fr_fem_element(fem, e, &element);
        const FrMaterial *material = &fem->settings.material[fem->state.region[e]];
        double share = 0.25 * material->density * element.volume;
        for (int i = 0; i < 4; i++) {
            fem->scratch.mass[fem->state.tet[e][i]] += share;
            fem->scratch.drag[fem->state.tet[e][i]] += material->alpha2 * share;
        }
    }
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        if (!(fem->scratch.mass[n] > 0.0))
            return fr_fail(fem->ctx, FR_BAD_INPUT,
                           "node %d belongs to no tet; allowed: nodes with at least one", n);
        fem->scratch.mass[n] += fem->state.added[n];
        fem->scratch.inverse_mass[n] = 1.0 / fem->scratch.mass[n];
    }
    return FR_OK;
}

void fr_fem_set_damping(FrFem *fem, int32_t region, const FrMaterial *from) {
    FrMaterial *m = &fem->settings.material[region];
    FrKernelMaterial *kernel = &fem->settings.kernel[region];
    bool elastic_only = kernel->elastic_only;
    m->alpha1 = from->alpha1, m->alpha2 = from->alpha2, m->eta = from->eta;
    m->phi = from->phi, m->psi = from->psi;
    fr_kernel_material(m, kernel);
    kernel->elastic_only = elastic_only;
    fr_fem_set_masses(fem); // every node has its tets: it did when the body was made
    fr_rigid_pieces_free_of_drag(fem);
    fem->scratch.current = fem->scratch.rest_known = false;
}

static void place(FrFem *fem, const FrFemDef *def) {
    FrMat3 R = fr_quat_mat3(fr_quat_normalize(def->rotation));
    FrVec3 centre = fr_vec3_zero;
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        FrVec3 p = fr_add(fr_mat3_apply(R, fr_get3(fem->state.x, n)), def->position);
        fr_set3(fem->state.p, n, p);
        centre = fr_axpy(fem->scratch.mass[n] / fem->settings.total_mass, p, centre);
    }
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        FrVec3 arm = fr_sub(fr_get3(fem->state.p, n), centre);
        fr_set3(fem->state.v, n, fr_add(def->velocity, fr_cross(def->spin, arm)));
    }
}

static FrResult build(FrFem *fem, const FrFemDef *def) {
    FrContext *ctx = fem->ctx;
    fem->settings.material = FR_NEW(ctx, FrMaterial, fem->settings.material_count);
    fem->settings.kernel = FR_NEW(ctx, FrKernelMaterial, fem->settings.material_count);
    if (!fem->settings.material || !fem->settings.kernel ||
        !fr_fem_reserve(fem, fem->state.node_count, fem->state.tet_count))
        return fr_no_memory(ctx, "a deformable body");
    memcpy(fem->state.x, def->mesh->x, 3 * (size_t)fem->state.node_count * sizeof(double));
    memcpy(fem->state.tet, def->mesh->tet, (size_t)fem->state.tet_count * sizeof fem->state.tet[0]);
    if (def->mesh->region)
        memcpy(fem->state.region, def->mesh->region,
               (size_t)fem->state.tet_count * sizeof(int32_t));
    memcpy(fem->settings.material, def->material,
           (size_t)fem->settings.material_count * sizeof(FrMaterial));
    for (int32_t k = 0; k < fem->settings.material_count; k++)
        fr_kernel_material(&fem->settings.material[k], &fem->settings.kernel[k]);
    FR_TRY(fr_fem_set_masses(fem));
    for (int32_t n = 0; n < fem->state.node_count; n++)
        fem->settings.total_mass += fem->scratch.mass[n];
    FrTetMesh mesh = {.node_count = fem->state.node_count,
                      .tet_count = fem->state.tet_count,
                      .x = fem->state.x,
                      .tet = fem->state.tet,
                      .region = fem->state.region};
    FR_TRY(fr_chunks_create(ctx, &mesh, fem->settings.material, &fem->state.chunks));
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
    fem->state.node_count = def->mesh->node_count;
    fem->state.tet_count = def->mesh->tet_count;
    fem->settings.material_count = def->material_count;
    fem->settings.integrator = def->integrator;
    fem->state.topology = 1;
    fem->settings.run_chunk =
        !def->portable && fr_cpu_has_avx2() ? fr_fem_chunk_avx2 : fr_fem_chunk_portable;
    fem->settings.stress =
        !def->portable && fr_cpu_has_avx2() ? &fr_fem_stress_avx2 : &fr_fem_stress_portable;
    for (int32_t k = 0; k < def->material_count; k++)
        fem->settings.yields = fem->settings.yields || fr_material_yields(&def->material[k]);
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
    fr_fem_arrays_free(fem);
    fr_free(fem->ctx, fem);
}

void fr_fem_view(const FrFem *fem, FrShapeView *view) {
    *view = (FrShapeView){.node_count = fem->state.node_count,
                          .tet_count = fem->state.tet_count,
                          .p = fem->state.p,
                          .v = fem->state.v,
                          .tet = fem->state.tet,
                          .gone = fem->state.step_cost.dust_pieces ? fem->scratch.gone : NULL,
                          .rigid = fem->state.step_cost.rigid_pieces ? fem->scratch.rigid_of : NULL,
                          .topology = fem->state.topology};
}

double fr_fem_mass(const FrFem *fem) { return fem->settings.total_mass; }

static void check_node(const FrFem *fem, int32_t node) {
    FR_ASSERT_IN(fem->ctx, node >= 0 && node < fem->state.node_count, "name a node of this body");
}

static void check_tet(const FrFem *fem, int32_t tet) {
    FR_ASSERT_IN(fem->ctx, tet >= 0 && tet < fem->state.tet_count, "name a tet of this body");
}

double fr_fem_node_mass(const FrFem *fem, int32_t node) {
    check_node(fem, node);
    return fem->scratch.mass[node];
}

const FrMaterial *fr_fem_material(const FrFem *fem, int32_t tet) {
    check_tet(fem, tet);
    return &fem->settings.material[fem->state.region[tet]];
}

int32_t fr_fem_region(const FrFem *fem, int32_t tet) {
    check_tet(fem, tet);
    return fem->state.region[tet];
}

const double *fr_fem_rest(const FrFem *fem) { return fem->state.x; }

void fr_fem_set_state(FrFem *fem, const double *p, const double *v) {
    size_t size = 3 * (size_t)fem->state.node_count * sizeof(double);
    if (p) memcpy(fem->state.p, p, size);
    if (v) memcpy(fem->state.v, v, size);
    fem->state.flies = false;
    fem->state.last_dt = fem->state.step_error = fem->scratch.watch.shift =
        fem->scratch.watch.jolt = 0.0;
    fem->scratch.current = false;
}

void fr_fem_hold(FrFem *fem, int32_t node) {
    check_node(fem, node);
    fem->state.held[node] = 1;
    fr_set3(fem->state.drive, node, fr_vec3_zero);
}

void fr_fem_release(FrFem *fem, int32_t node) {
    check_node(fem, node);
    fem->state.held[node] = 0;
}

const uint8_t *fr_fem_all_held(const FrFem *fem) { return fem->state.held; }

bool fr_fem_held(const FrFem *fem, int32_t node) {
    check_node(fem, node);
    return fem->state.held[node] != 0;
}

void fr_fem_drive(FrFem *fem, int32_t node, FrVec3 velocity) {
    check_node(fem, node);
    FR_ASSERT_IN(fem->ctx, fem->state.held[node], "hold the node first (fr_fem_hold)");
    fr_set3(fem->state.drive, node, velocity);
}

void fr_fem_add_force(FrFem *fem, FrFemChannel channel, int32_t node, FrVec3 force) {
    check_node(fem, node);
    fr_add3(channel == FR_FEM_CONTACT ? fem->state.contact : fem->state.load, node, force);
}

void fr_fem_note_kinematic(FrFem *fem, double work) {
    fem->state.works.load += work;
    fem->state.works.contact -= work;
}

double *fr_fem_contact_forces(FrFem *fem) { return fem->state.contact; }

void fr_fem_add_stiffness(FrFem *fem, int32_t node, double stiffness) {
    check_node(fem, node);
    fem->state.stiffness[node] += stiffness;
    fem->state.has_stiffness = true;
}

void fr_fem_internal_forces(FrFem *fem, const double **elastic, const double **viscous) {
    fr_fem_evaluate(fem);
    *elastic = fem->scratch.f;
    *viscous = fem->scratch.d;
}

int32_t fr_fem_crushed(FrFem *fem) {
    if (fem->state.flies) return 0; // its shape is that at rest
    fr_fem_evaluate(fem);
    return fem->scratch.crushed;
}

void fr_fem_momentum(const FrFem *fem, FrVec3 *linear, FrVec3 *angular) {
    *linear = *angular = fr_vec3_zero;
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        FrVec3 mv = fr_scale(fem->scratch.mass[n], fr_get3(fem->state.v, n));
        *linear = fr_add(*linear, mv);
        *angular = fr_add(*angular, fr_cross(fr_get3(fem->state.p, n), mv));
    }
}

FrVec3 fr_fem_impulse(const FrFem *fem) { return fem->state.works.impulse; }

// plastic strain need not be zero at the start                                         [S3 s. 4.1]
FrResult fr_fem_set_plastic_strain(FrFem *fem, int32_t tet, FrSym3 strain) {
    check_tet(fem, tet);
    const FrMaterial *m = fr_fem_material(fem, tet);
    double size = sqrt(fr_sym3_dot(strain, strain)),
           most = fr_min(m->plastic_limit, m->yield_strain);
    if (!(size <= most))
        return fr_fail(fem->ctx, FR_BAD_USE,
                       "a tet cannot begin with a plastic strain of %g: it would flow back at once "
                       "to %g, the least of its material's yield strain and plastic limit",
                       size, most);
    if (!(fabs(fr_sym3_trace(strain)) <= 1e-9))
        return fr_fail(fem->ctx, FR_BAD_USE,
                       "plastic strain keeps the volume: xx + yy + zz must be 0, not %g",
                       fr_sym3_trace(strain));
    if (!fem->state.plastic) return FR_OK; // nothing yields: the limit let only 0 through
    double *r = fem->state.plastic[tet];
    r[0] = strain.xx, r[1] = strain.yy, r[2] = strain.zz;
    r[4] = strain.yz, r[5] = strain.zx, r[6] = strain.xy;
    return FR_OK;
}

bool fr_fem_yields(const FrFem *fem) { return fem->settings.yields; }

FrSym3 fr_fem_plastic_strain(const FrFem *fem, int32_t tet) {
    check_tet(fem, tet);
    if (!fem->state.plastic) return fr_sym3_zero;
    const double *r = fem->state.plastic[tet];
    return (FrSym3){r[0], r[1], r[2], r[4], r[5], r[6]};
}
