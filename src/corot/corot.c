// corot.c: making a corot body, and changing what callers may change.

#include "base/tasks.h"
#include "corot/corot_body.h"
#include "corot/corot_tuning.h"
#include "fem/element.h"
#include <string.h>

static FrResult check_mesh(FrContext *ctx, const FrCorotDef *def) {
    const FrTetMesh *m = def->mesh;
    if (m->order != 1) return fr_fail(ctx, FR_BAD_INPUT, "a corot body needs a mesh of order 1");
    for (int32_t k = 0; k < def->material_count; k++)
        if (def->material[k].anisotropic)
            return fr_fail(ctx, FR_BAD_USE,
                           "material %s has a grain: model corot takes isotropic materials only "
                           "(fem takes it)",
                           def->material[k].name);
    for (int32_t e = 0; e < m->tet_count; e++) {
        int32_t region = m->region ? m->region[e] : 0;
        if (region < 0 || region >= def->material_count)
            return fr_fail(ctx, FR_BAD_INPUT, "tet %d: no material for region %d", e, region);
    }
    return FR_OK;
}

static bool make_arrays(FrCorot *b, const FrTetMesh *m) {
    FrContext *ctx = b->ctx;
    size_t n = (size_t)m->node_count, t = (size_t)m->tet_count;
    b->node_count = m->node_count, b->tet_count = m->tet_count;
    b->block_count = (m->tet_count + FR_LANES - 1) / FR_LANES;
    size_t lanes = FR_LANES * (size_t)b->block_count;
    double **vector[] = {&b->x,       &b->p,     &b->v,       &b->drive,   &b->f, &b->load,
                         &b->contact, &b->given, &b->began.p, &b->began.v, &b->q};
    bool room = true;
    for (size_t k = 0; k < sizeof vector / sizeof vector[0]; k++)
        room = (*vector[k] = FR_NEW(ctx, double, 3 * n)) && room;
    b->mass = FR_NEW(ctx, double, n);
    b->drag = FR_NEW(ctx, double, n);
    b->held = FR_NEW(ctx, uint8_t, n);
    b->tet = fr_alloc_zero(ctx, t, sizeof *b->tet);
    b->region = FR_NEW(ctx, int32_t, t);
    b->first = FR_NEW(ctx, int32_t, n + 1);
    b->entry = FR_NEW(ctx, FrCorotEntry, 4 * t);
    b->block = FR_NEW(ctx, FrCorotBlock, b->block_count);
    b->now = FR_NEW(ctx, FrCorotTet, lanes);
    b->frozen = FR_NEW(ctx, double, 12 * lanes);
    b->force = FR_NEW(ctx, double, 12 * lanes);
    b->material = FR_NEW(ctx, FrMaterial, b->material_count);
    return room && b->mass && b->drag && b->held && b->tet && b->region && b->first && b->entry &&
           b->block && b->now && b->frozen && b->force && b->material;
}

void fr_corot_destroy(FrCorot *b) {
    if (!b) return;
    fr_corot_heat_free(b);
    FR_FREE_ALL(b->ctx, b->q, b->x, b->p, b->v, b->drive, b->f, b->load, b->contact, b->given,
                b->began.p, b->began.v, b->mass, b->drag, b->held, b->tet, b->region, b->first,
                b->entry, b->block, b->now, b->frozen, b->force, b->material);
    fr_array_free(b->ctx, &b->hold);
    fr_block_matrix_free(b->ctx, &b->A);
    fr_cg_free(b->ctx, &b->cg);
    fr_free(b->ctx, b);
}

// S5 yields at a strain that warmth lowers; its creep is what flows then in 0.1 s      [M32]
void fr_corot_fill_lane(FrCorot *b, int32_t tet) {
    FrCorotBlock *block = &b->block[tet / FR_LANES];
    int lane = tet % FR_LANES;
    const FrMaterial *m = &b->material[b->region[tet]];
    FrCorotTet *now = &b->now[tet];
    double vol = block->vol[lane], soft = b->heat.feels ? b->heat.soft[tet] : 0.0;
    double stiff = 1.0 - (1.0 - FR_COROT_MOLTEN) * soft;
    bool yields = m->plastic_limit > 0.0 && m->yield_strain > 0.0;
    block->lambda[lane] = stiff * m->lambda, block->mu[lane] = stiff * m->mu;
    block->phi[lane] = stiff * m->phi, block->psi[lane] = stiff * m->psi;
    block->yield[lane] = yields ? fr_max(1.0 - soft, FR_COROT_LEAST_YIELD) * m->yield_strain : 0.0;
    block->limit[lane] = m->plastic_limit;
    block->creep[lane] = m->creep > 0.0 ? m->creep + soft / FR_COROT_MELT_TIME : 0.0;
    now->lambda = vol * block->lambda[lane], now->mu = vol * block->mu[lane];
    now->phi = vol * block->phi[lane], now->psi = vol * block->psi[lane];
}

// gradients and constants of each lane
static FrResult fill_tets(FrCorot *b) {
    for (int32_t e = 0; e < FR_LANES * b->block_count; e++) {
        int32_t tet =
            fr_min_i(e, b->tet_count - 1); // lanes without a tet have the last one's shape
        FrVec3 x[4];
        FrElement element;
        for (int i = 0; i < 4; i++) x[i] = fr_get3(b->x, b->tet[tet][i]);
        if (!fr_element_make(x, &element))
            return fr_fail(b->ctx, FR_BAD_INPUT, "tet %d has no volume", tet);
        FrCorotBlock *block = &b->block[e / FR_LANES];
        int lane = e % FR_LANES;
        for (int i = 0; i < 4; i++) {
            block->node[i][lane] = b->tet[tet][i];
            for (int a = 0; a < 3; a++) block->G[i][a][lane] = fr_vec3_get(element.G[i], a);
        }
        for (int a = 0; a < 3; a++) block->R[a][a][lane] = 1.0;
        if (e >= b->tet_count) continue;
        block->vol[lane] = element.volume;
        fr_corot_fill_lane(b, tet);
        b->yields = b->yields || block->yield[lane] > 0.0;
    }
    return FR_OK;
}

// M: a quarter of a tet's mass at each corner
FrResult fr_corot_weigh(FrCorot *b) {
    memset(b->mass, 0, (size_t)b->node_count * sizeof *b->mass);
    memset(b->drag, 0, (size_t)b->node_count * sizeof *b->drag);
    for (int32_t e = 0; e < b->tet_count; e++) {
        const FrMaterial *m = &b->material[b->region[e]];
        double share = 0.25 * m->density * b->block[e / FR_LANES].vol[e % FR_LANES];
        for (int i = 0; i < 4; i++) {
            b->mass[b->tet[e][i]] += share;
            b->drag[b->tet[e][i]] += share * m->alpha2;
        }
    }
    for (int32_t n = 0; n < b->node_count; n++) {
        if (!(b->mass[n] > 0.0))
            return fr_fail(b->ctx, FR_BAD_INPUT, "node %d belongs to no tet", n);
        b->drag[n] /= b->mass[n];
    }
    return FR_OK;
}

// which corners a node has, ascending, and where their blocks are
static void fill_entries(FrCorot *b) {
    int32_t *first = b->first;
    memset(first, 0, ((size_t)b->node_count + 1) * sizeof *first);
    for (int32_t k = 0; k < 4 * b->tet_count; k++) first[b->tet[k / 4][k % 4] + 1]++;
    for (int32_t n = 0; n < b->node_count; n++) first[n + 1] += first[n];
    for (int32_t k = 4 * b->tet_count - 1; k >= 0; k--) {
        int32_t node = b->tet[k / 4][k % 4];
        FrCorotEntry *entry = &b->entry[--first[node + 1]];
        entry->corner = k;
        for (int j = 0; j < 4; j++)
            entry->slot[j] = fr_block_matrix_entry(&b->A, node, b->tet[k / 4][j]);
    }
    memmove(first, first + 1, (size_t)b->node_count * sizeof *first);
    first[b->node_count] = 4 * b->tet_count;
}

FrResult fr_corot_link(FrCorot *b) {
    FrElements all = {&b->tet[0][0], b->tet_count, 4};
    fr_block_matrix_free(b->ctx, &b->A);
    FR_TRY(fr_block_matrix_pattern(b->ctx, &all, b->node_count, 9, &b->A));
    size_t numbers = 9 * (size_t)b->A.start[b->node_count] + 1;
    double *value = fr_resize(b->ctx, b->A.value, numbers * sizeof *value);
    if (!value) return fr_no_memory(b->ctx, "a matrix of stiffness");
    b->A.value = value;
    value[numbers - 1] = 0.0;
    fill_entries(b);
    return FR_OK;
}

static void place(FrCorot *b, const FrCorotDef *def) {
    FrVec3 centre = fr_vec3_zero;
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 p = fr_add(fr_quat_rotate(def->rotation, fr_get3(b->x, n)), def->position);
        fr_set3(b->p, n, p);
        centre = fr_axpy(b->mass[n] / b->total, p, centre);
    }
    for (int32_t n = 0; n < b->node_count; n++)
        fr_set3(b->v, n,
                fr_add(def->velocity, fr_cross(def->spin, fr_sub(fr_get3(b->p, n), centre))));
    FrMat3 R = fr_quat_mat3(def->rotation); // Newton starts anywhere; what is flat starts here
    FrVec3 c[3] = {R.c0, R.c1, R.c2};
    for (int32_t k = 0; !def->linear && k < b->block_count; k++)
        for (int i = 0; i < 3; i++)
            for (int r = 0; r < 3; r++)
                for (int lane = 0; lane < FR_LANES; lane++)
                    b->block[k].R[i][r][lane] = fr_vec3_get(c[i], r);
}

static FrResult fill(FrCorot *b, const FrCorotDef *def) {
    const FrTetMesh *m = def->mesh;
    FR_TRY(check_mesh(b->ctx, def));
    if (!make_arrays(b, m)) return fr_no_memory(b->ctx, "a corot body");
    memcpy(b->material, def->material, (size_t)def->material_count * sizeof *b->material);
    memcpy(b->x, m->x, 3 * (size_t)b->node_count * sizeof *b->x);
    for (int32_t e = 0; e < b->tet_count; e++) {
        memcpy(b->tet[e], m->tet[e], sizeof b->tet[e]);
        b->region[e] = m->region ? m->region[e] : 0;
    }
    FR_TRY(fill_tets(b));
    FR_TRY(fr_corot_weigh(b));
    for (int32_t n = 0; n < b->node_count; n++) b->total += b->mass[n];
    FR_TRY(fr_corot_link(b));
    FR_TRY(fr_corot_heat_make(b, def->temperature));
    FR_TRY(fr_corot_heat_link(b, m, b->node_count));
    place(b, def);
    fr_corot_heat_recall(b);
    FrCorotSums sums;
    fr_corot_renew(b, NULL, 0.0, &sums);
    return FR_OK;
}

FrResult fr_corot_create(FrContext *ctx, const FrCorotDef *def, FrCorot **out) {
    FrCorot *b = FR_NEW(ctx, FrCorot, 1);
    *out = NULL;
    if (!b) return fr_no_memory(ctx, "a corot body");
    b->ctx = ctx;
    b->linear = def->linear;
    b->topology = 1;
    b->material_count = def->material_count;
    FrResult result = fill(b, def);
    if (result == FR_OK)
        *out = b;
    else
        fr_corot_destroy(b);
    return result;
}

void fr_corot_view(const FrCorot *b, FrShapeView *view) {
    *view = (FrShapeView){.p = b->p,
                          .v = b->v,
                          .tet = (const int32_t(*)[4])b->tet,
                          .node_count = b->node_count,
                          .tet_count = b->tet_count,
                          .topology = b->topology};
}

double fr_corot_mass(const FrCorot *b) { return b->total; }
double fr_corot_node_mass(const FrCorot *b, int32_t node) { return b->mass[node]; }
const double *fr_corot_rest(const FrCorot *b) { return b->x; }
const FrMaterial *fr_corot_material(const FrCorot *b, int32_t tet) {
    return &b->material[b->region[tet]];
}

void fr_corot_set_damping(FrCorot *b, int32_t region, const FrMaterial *from) {
    FrMaterial *m = &b->material[region];
    m->alpha1 = from->alpha1, m->alpha2 = from->alpha2;
    m->phi = from->phi, m->psi = from->psi, m->eta = from->eta;
    memset(b->drag, 0, (size_t)b->node_count * sizeof *b->drag);
    for (int32_t e = 0; e < b->tet_count; e++) {
        fr_corot_fill_lane(b, e);
        const FrMaterial *of = &b->material[b->region[e]];
        double share = 0.25 * of->density * b->block[e / FR_LANES].vol[e % FR_LANES] * of->alpha2;
        for (int i = 0; i < 4; i++) b->drag[b->tet[e][i]] += share / b->mass[b->tet[e][i]];
    }
}

bool fr_corot_yields(const FrCorot *b) { return b->yields; }

FrSym3 fr_corot_plastic_strain(const FrCorot *b, int32_t tet) {
    const FrCorotBlock *block = &b->block[tet / FR_LANES];
    int k = tet % FR_LANES;
    return (FrSym3){block->Ep[0][k], block->Ep[1][k], block->Ep[2][k],
                    block->Ep[3][k], block->Ep[4][k], block->Ep[5][k]};
}

// six times the volume of a tet now, m^3
static double six_volumes(const FrCorot *b, const double *x, int32_t tet) {
    const int32_t *n = b->tet[tet];
    FrVec3 o = fr_get3(x, n[0]);
    FrMat3 D = fr_mat3(fr_sub(fr_get3(x, n[1]), o), fr_sub(fr_get3(x, n[2]), o),
                       fr_sub(fr_get3(x, n[3]), o));
    return fr_mat3_det(D);
}

int32_t fr_corot_crushed(const FrCorot *b) {
    int32_t count = 0;
    for (int32_t e = 0; e < b->tet_count; e++)
        count += !(six_volumes(b, b->p, e) > 0.3 * six_volumes(b, b->x, e));
    return count;
}

void fr_corot_hold(FrCorot *b, int32_t node) {
    b->held[node] = 1;
    fr_set3(b->drive, node, fr_vec3_zero);
}
void fr_corot_release(FrCorot *b, int32_t node) { b->held[node] = 0; }
bool fr_corot_held(const FrCorot *b, int32_t node) { return b->held[node] != 0; }
void fr_corot_drive(FrCorot *b, int32_t node, FrVec3 velocity) {
    fr_set3(b->drive, node, velocity);
}

void fr_corot_add_load(FrCorot *b, int32_t node, FrVec3 force) { fr_add3(b->load, node, force); }
double *fr_corot_contact_forces(FrCorot *b) { return b->contact; }
void fr_corot_note_kinematic(FrCorot *b, double work) {
    b->spent.contact_work -= work;
    b->spent.load_work += work;
}
FrVec3 fr_corot_impulse(const FrCorot *b) { return b->outer; }

static double kinetic_of(const FrCorot *b) {
    double sum = 0.0;
    for (int32_t n = 0; n < b->node_count; n++)
        sum += 0.5 * b->mass[n] * fr_length2(fr_get3(b->v, n));
    return sum;
}

double fr_corot_speed(const FrCorot *b) {
    bool changes = b->yields || fr_corot_any_warm(b);
    return changes ? HUGE_VAL : sqrt(2.0 * kinetic_of(b) / b->total);
}

void fr_corot_stop(FrCorot *b) {
    FrVec3 linear, angular;
    fr_corot_momentum(b, &linear, &angular);
    b->spent.damping += kinetic_of(b);
    b->outer = fr_sub(b->outer, linear);
    memset(b->v, 0, 3 * (size_t)b->node_count * sizeof *b->v);
}

FrCorotSolves fr_corot_solves(const FrCorot *b) { return b->solves; }

void fr_corot_energy(const FrCorot *b, FrCorotEnergy *energy) {
    *energy = b->spent;
    energy->kinetic = kinetic_of(b);
    energy->elastic = b->elastic;
}

void fr_corot_momentum(const FrCorot *b, FrVec3 *linear, FrVec3 *angular) {
    *linear = *angular = fr_vec3_zero;
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 mv = fr_scale(b->mass[n], fr_get3(b->v, n));
        *linear = fr_add(*linear, mv);
        *angular = fr_add(*angular, fr_cross(fr_get3(b->p, n), mv));
    }
}

void fr_corot_put(FrCorot *b, const double *p, const double *v, FrVec3 gravity) {
    FrCorotSums sums;
    FrVec3 before, after, angular, moved = fr_vec3_zero;
    double held = kinetic_of(b) + b->elastic;
    fr_corot_momentum(b, &before, &angular);
    for (int32_t n = 0; n < b->node_count; n++) {
        if (p) moved = fr_axpy(b->mass[n], fr_sub(fr_get3(p, n), fr_get3(b->p, n)), moved);
        if (p) fr_set3(b->p, n, fr_get3(p, n));
        if (v) fr_set3(b->v, n, fr_get3(v, n));
    }
    fr_corot_renew(b, NULL, 0.0, &sums);
    fr_corot_momentum(b, &after, &angular);
    b->spent.gravity_work += fr_dot(gravity, moved);
    b->spent.load_work += kinetic_of(b) + b->elastic - held - fr_dot(gravity, moved);
    b->outer = fr_add(b->outer, fr_sub(after, before));
}
