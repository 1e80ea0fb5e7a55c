// corot_heat.c: heat in a corot body: it spreads, leaves at the surface, and makes soft.    [M32]
//
//     C dT/dt = -L T - h A (T - T_air) + q,  L_ij = sum k V G_i.G_j
//
// by implicit Euler. C is lumped; T is kept above the air. What the solver leaves is taken from all
// nodes alike, so that no heat is lost to it.

#include "corot/corot_body.h"
#include "corot/corot_tuning.h"
#include "material/laws.h"
#include "mesh/topology.h"
#include <string.h>

void fr_corot_heat_free(FrCorot *b) {
    FrCorotHeat *h = &b->heat;
    FR_FREE_ALL(b->ctx, h->above, h->soft, h->capacity, h->cooling, h->conducts, h->r, h->z, h->p,
                h->q);
}

FrResult fr_corot_heat_make(FrCorot *b, double temperature) {
    FrCorotHeat *h = &b->heat;
    for (int32_t k = 0; k < b->material_count; k++)
        h->feels = h->feels || b->material[k].heat_capacity > 0.0;
    if (!h->feels) return FR_OK;
    h->above = FR_NEW(b->ctx, double, b->node_count);
    h->soft = FR_NEW(b->ctx, double, b->tet_count);
    if (!h->above || !h->soft) return fr_no_memory(b->ctx, "a warm body");
    for (int32_t n = 0; n < b->node_count; n++) h->above[n] = temperature - FR_AIR;
    return FR_OK;
}

static bool room(FrCorot *b, int32_t before) {
    FrCorotHeat *h = &b->heat;
    double **each[] = {&h->above, &h->capacity, &h->cooling, &h->r, &h->z, &h->p, &h->q};
    size_t nodes = (size_t)b->node_count, blocks = (size_t)b->A.start[b->node_count];
    for (size_t k = 0; k < sizeof each / sizeof each[0]; k++) {
        double *more = fr_resize(b->ctx, *each[k], fr_max_i(b->node_count, 1) * sizeof *more);
        if (!more) return false;
        *each[k] = more;
    }
    double *conducts = fr_resize(b->ctx, h->conducts, (blocks + 1) * sizeof *conducts);
    if (!conducts) return false;
    h->conducts = conducts;
    memset(conducts, 0, (blocks + 1) * sizeof *conducts);
    memset(h->capacity, 0, nodes * sizeof *h->capacity);
    memset(h->cooling, 0, nodes * sizeof *h->cooling);
    for (size_t n = (size_t)before; n < nodes; n++) h->above[n] = 0.0;
    return true;
}

static FrVec3 gradient(const FrCorot *b, int32_t tet, int i) {
    const FrCorotBlock *block = &b->block[tet / FR_LANES];
    int lane = tet % FR_LANES;
    return fr_vec3(block->G[i][0][lane], block->G[i][1][lane], block->G[i][2][lane]);
}

// faces that have no tet behind them give heat to the air, at rest as large as they are
static FrResult find_cooling(FrCorot *b, const FrTetMesh *mesh) {
    int32_t(*across)[4];
    FR_TRY(fr_tet_neighbours(b->ctx, mesh, &across));
    for (int32_t k = 0; k < 4 * b->tet_count; k++) {
        const int8_t *f = fr_tet_face[k % 4];
        const int32_t *n = b->tet[k / 4];
        if (across[k / 4][k % 4] >= 0) continue;
        FrVec3 o = fr_get3(b->x, n[f[0]]), u = fr_sub(fr_get3(b->x, n[f[1]]), o);
        double area = 0.5 * fr_length(fr_cross(u, fr_sub(fr_get3(b->x, n[f[2]]), o)));
        double share = b->material[b->region[k / 4]].cooling * area / 3.0;
        for (int i = 0; i < 3; i++) b->heat.cooling[n[f[i]]] += share;
    }
    fr_free(b->ctx, across);
    return FR_OK;
}

// heat above the air, J
static double held(const FrCorot *b) {
    double sum = 0.0;
    for (int32_t n = 0; n < b->node_count; n++) sum += b->heat.capacity[n] * b->heat.above[n];
    return sum;
}

FrResult fr_corot_heat_link(FrCorot *b, const FrTetMesh *mesh, int32_t nodes_before) {
    FrCorotHeat *h = &b->heat;
    if (!h->feels) return FR_OK;
    bool first = !h->capacity;
    if (!room(b, nodes_before)) return fr_no_memory(b->ctx, "a warm body");
    for (int32_t n = 0; n < b->node_count; n++)
        for (int32_t k = b->first[n]; k < b->first[n + 1]; k++) {
            const FrCorotEntry *entry = &b->entry[k];
            int32_t tet = entry->corner >> 2;
            const FrMaterial *m = &b->material[b->region[tet]];
            double vol = b->block[tet / FR_LANES].vol[tet % FR_LANES];
            FrVec3 G = fr_scale(m->conductivity * vol, gradient(b, tet, entry->corner & 3));
            h->capacity[n] += 0.25 * m->density * m->heat_capacity * vol;
            for (int j = 0; j < 4; j++)
                h->conducts[entry->slot[j]] += fr_dot(G, gradient(b, tet, j));
        }
    FR_TRY(find_cooling(b, mesh));
    if (first) h->start = held(b);
    return FR_OK;
}

// q = A p, A = C/dt + L + hA; returns p.q
static double apply(const FrCorot *b, double rate, const double *p, double *q) {
    const FrCorotHeat *h = &b->heat;
    double sum = 0.0;
    for (int32_t n = 0; n < b->node_count; n++) {
        double y = (rate * h->capacity[n] + h->cooling[n]) * p[n];
        for (int32_t k = b->A.start[n]; k < b->A.start[n + 1]; k++)
            y += h->conducts[k] * p[b->A.column[k]];
        q[n] = y;
        sum += y * p[n];
    }
    return sum;
}

static double diagonal(const FrCorot *b, double rate, int32_t n) {
    const FrCorotHeat *h = &b->heat;
    double d = rate * h->capacity[n] + h->cooling[n];
    for (int32_t k = b->A.start[n]; k < b->A.start[n + 1]; k++)
        if (b->A.column[k] == n) d += h->conducts[k];
    return d;
}

// nodes without any capacity, of material that stays cold, stay as they are
static double preconditioned(FrCorot *b, double rate) {
    FrCorotHeat *h = &b->heat;
    double sum = 0.0;
    for (int32_t n = 0; n < b->node_count; n++) {
        double d = diagonal(b, rate, n);
        h->z[n] = d > 0.0 ? h->r[n] / d : 0.0;
        sum += h->r[n] * h->z[n];
    }
    return sum;
}

// A (T+ - T) = -(L + hA) T, by conjugate gradients
static void solve(FrCorot *b, double rate, double *T) {
    FrCorotHeat *h = &b->heat;
    double size = 0.0, all = 0.0;
    apply(b, 0.0, T, h->r);
    for (int32_t n = 0; n < b->node_count; n++) {
        h->r[n] = -h->r[n];
        size += fabs(rate * h->capacity[n] * T[n]);
    }
    double rz = preconditioned(b, rate);
    memcpy(h->p, h->z, (size_t)b->node_count * sizeof *h->p);
    for (int k = 0; k < FR_COROT_HEAT_ROUNDS && rz > 0.0; k++) {
        double a = rz / apply(b, rate, h->p, h->q);
        all = 0.0;
        for (int32_t n = 0; n < b->node_count; n++) {
            T[n] += a * h->p[n];
            h->r[n] -= a * h->q[n];
            all += fabs(h->r[n]);
        }
        if (all <= FR_COROT_HEAT_LEFT * size) break;
        double next = preconditioned(b, rate), beta = next / rz;
        for (int32_t n = 0; n < b->node_count; n++) h->p[n] = h->z[n] + beta * h->p[n];
        rz = next;
    }
}

// what the equations lack in sum goes to all alike, so that what is lost went to the air
static void close_books(FrCorot *b, double dt, double before) {
    FrCorotHeat *h = &b->heat;
    double lost = 0.0, gives = 0.0;
    for (int32_t n = 0; n < b->node_count; n++) {
        lost += dt * h->cooling[n] * h->above[n];
        gives += h->capacity[n] + dt * h->cooling[n];
    }
    double shift = (before - lost - held(b)) / gives;
    for (int32_t n = 0; n < b->node_count; n++) h->above[n] += shift;
    h->lost += before - held(b);
}

// s = u^2 (3 - 2 u) of a tet's mean temperature between soft and molten               [M32]
static double softness(const FrCorot *b, int32_t tet) {
    const FrMaterial *m = &b->material[b->region[tet]];
    const int32_t *n = b->tet[tet];
    const double *T = b->heat.above;
    if (!fr_material_melts(m)) return 0.0;
    double mean = FR_AIR + 0.25 * ((T[n[0]] + T[n[1]]) + (T[n[2]] + T[n[3]]));
    double u = fr_clamp((mean - m->softens) / (m->melts - m->softens), 0.0, 1.0);
    return u * u * (3.0 - 2.0 * u);
}

// true: something is softer or harder than it was
static bool soften(FrCorot *b) {
    bool changed = false;
    for (int32_t e = 0; e < b->tet_count; e++) {
        double soft = softness(b, e);
        if (!(soft < b->heat.soft[e]) && !(soft > b->heat.soft[e])) continue;
        b->heat.soft[e] = soft;
        fr_corot_fill_lane(b, e);
        changed = true;
    }
    return changed;
}

void fr_corot_heat_recall(FrCorot *b) {
    if (b->heat.feels) soften(b);
}

bool fr_corot_any_warm(const FrCorot *b) {
    if (!b->heat.feels) return false;
    for (int32_t n = 0; n < b->node_count; n++)
        if (b->heat.above[n] < 0.0 || b->heat.above[n] > 0.0) return true;
    return false;
}

void fr_corot_heat_step(FrCorot *b, double dt) {
    FrCorotSums sums;
    if (!fr_corot_any_warm(b)) return;
    double before = held(b), elastic = b->elastic;
    solve(b, 1.0 / dt, b->heat.above);
    close_books(b, dt, before);
    if (!soften(b)) return;
    fr_corot_renew(b, NULL, 0.0, &sums);
    b->spent.plastic += elastic - b->elastic; // what stiffness held that is not there any more
}

double fr_corot_hardness(const FrCorot *b, int32_t tet) {
    return b->heat.feels ? fr_max(1.0 - b->heat.soft[tet], FR_COROT_MOLTEN) : 1.0;
}

const double *fr_corot_temperature(const FrCorot *b) {
    if (!b->heat.feels) return NULL;
    for (int32_t n = 0; n < b->node_count; n++) b->heat.q[n] = FR_AIR + b->heat.above[n];
    return b->heat.q;
}

void fr_corot_warm(FrCorot *b, int32_t node, double heat) {
    FrCorotHeat *h = &b->heat;
    if (!(h->capacity[node] > 0.0)) return;
    h->above[node] += heat / h->capacity[node];
    h->brought += heat;
}

void fr_corot_heat(const FrCorot *b, double *stored, double *brought, double *lost) {
    *stored = b->heat.feels ? held(b) - b->heat.start : 0.0;
    *brought = b->heat.brought, *lost = b->heat.lost;
}
