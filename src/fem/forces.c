// forces.c: internal forces of a whole body: chunks in parallel, then every node sums its slots.

#include "fem/body.h"
#include "fem/element.h"
#include "base/tasks.h"
#include <string.h>

static void load_rows(const FrFem *fem, const FrChunk *chunk, FrLocalNode *local) {
    const int32_t *node = fem->chunks.slot_node + chunk->first_slot;
    for (int32_t k = 0; k < chunk->slot_count; k++) {
        const double *p = fem->p + 3 * (size_t)node[k], *v = fem->v + 3 * (size_t)node[k];
        FrLocalNode *row = &local[k];
        for (int c = 0; c < 3; c++) row->p[c] = p[c];
        for (int c = 0; c < 3; c++) row->v[c] = v[c];
        row->p[3] = row->v[3] = 0.0;
        for (int c = 0; c < 4; c++) row->f[c] = row->d[c] = 0.0;
    }
}

static void store_rows(const FrFem *fem, const FrChunk *chunk, const FrLocalNode *local) {
    double *slot = fem->slot + 6 * (size_t)chunk->first_slot;
    for (int32_t k = 0; k < chunk->slot_count; k++, slot += 6) {
        for (int c = 0; c < 3; c++) slot[c] = local[k].f[c];
        for (int c = 0; c < 3; c++) slot[3 + c] = local[k].d[c];
    }
}

int32_t fr_fem_number_tasks(const FrFemSet *set, int32_t (*count_of)(const FrFem *)) {
    int32_t total = 0;
    for (int32_t k = 0; k < set->count; k++) {
        set->fem[k]->first_task = total;
        total += count_of(set->fem[k]);
    }
    return total;
}

FrFem *fr_fem_of_task(const FrFemSet *set, int32_t task) {
    int32_t lo = 0, hi = set->count - 1;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo + 1) / 2;
        if (set->fem[middle]->first_task <= task)
            lo = middle;
        else
            hi = middle - 1;
    }
    return set->fem[lo];
}

int32_t fr_fem_node_chunks(const FrFem *fem) {
    return fr_chunk_count(fem->node_count, FR_NODE_GRAIN);
}

// forces of a body at rest stay what they are
static int32_t stale_chunks(const FrFem *fem) {
    return fem->current || fem->rest_known ? 0 : fem->chunks.chunk_count;
}
static int32_t stale_nodes(const FrFem *fem) { return fem->current ? 0 : fr_fem_node_chunks(fem); }

// are all of its tets rigid, standing or dust? What yields flows on, for those who look at it.
static bool silent(const FrFem *fem, const FrChunk *chunk) {
    const int32_t *tet = fem->chunks.lane_tet + FR_LANES * (size_t)chunk->first_block;
    bool all = !fem->kernel[chunk->material].yields;
    for (int32_t k = 0; all && k < FR_LANES * chunk->block_count; k++)
        all = tet[k] < 0 || fem->stiff[tet[k]];
    return all;
}

// what comes of tets without forces
static void rest_chunk(FrFem *fem, int32_t k) {
    const FrChunk *chunk = &fem->chunks.chunk[k];
    double *slot = fem->slot + 6 * (size_t)chunk->first_slot;
    FrBlockStress *stress = fem->block_stress + chunk->first_block;
    memset(slot, 0, 6 * (size_t)chunk->slot_count * sizeof *slot);
    memset(stress, 0, (size_t)chunk->block_count * sizeof *stress);
    fem->chunk_sums[k] = (FrChunkSums){0};
}

static void run_chunk(FrFem *fem, int32_t k) {
    FrLocalNode local[FR_CHUNK_NODES];
    const FrChunk *chunk = &fem->chunks.chunk[k];
    if (silent(fem, chunk)) {
        rest_chunk(fem, k);
        return;
    }
    load_rows(fem, chunk, local);
    const FrKernelMaterial *m = &fem->kernel[chunk->material];
    FrFlow flow = {fem->plastic, fem->chunks.lane_tet + FR_LANES * (size_t)chunk->first_block,
                   fem->flow_dt};
    fem->run_chunk(fem->chunks.block + chunk->first_block, chunk->block_count, m, local,
                   m->yields ? &flow : NULL, fem->block_stress + chunk->first_block,
                   &fem->chunk_sums[k]);
    store_rows(fem, chunk, local);
}

static void run_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    for (int32_t task = begin; task < end; task++) {
        FrFem *fem = fr_fem_of_task(arg, task);
        run_chunk(fem, task - fem->first_task);
    }
}

static void gather_chunk(FrFem *fem, int32_t chunk) {
    const int32_t *first = fem->chunks.node_first, *slots = fem->chunks.node_slot;
    int32_t begin = chunk * FR_NODE_GRAIN, end = fr_min_i(begin + FR_NODE_GRAIN, fem->node_count);
    FrNodeSums sums = {0};
    for (int32_t n = begin; n < end; n++) {
        double s[6] = {0, 0, 0, 0, 0, 0};
        for (int32_t k = first[n]; k < first[n + 1]; k++) {
            const double *slot = fem->slot + 6 * (size_t)slots[k];
            for (int c = 0; c < 6; c++) s[c] += slot[c];
        }
        FrVec3 f = {s[0], s[1], s[2]}, d = {s[3], s[4], s[5]}, v = fr_get3(fem->v, n);
        fr_set3(fem->f, n, f);
        fr_set3(fem->d, n, d);
        sums.kinetic += 0.5 * fem->mass[n] * fr_dot(v, v);
        sums.elastic += fr_dot(f, v);
        sums.viscous += fr_dot(d, v);
    }
    fem->node_sums[chunk] = sums;
}

static void gather_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    for (int32_t task = begin; task < end; task++) {
        FrFem *fem = fr_fem_of_task(arg, task);
        gather_chunk(fem, task - fem->first_task);
    }
}

static void add_up(FrFem *fem) {
    fem->energy = 0.0;
    fem->crushed = 0;
    for (int32_t k = 0; k < fem->chunks.chunk_count; k++) {
        fem->energy += fem->chunk_sums[k].energy;
        fem->crushed += fem->chunk_sums[k].crushed;
    }
    fem->sums = (FrNodeSums){0};
    for (int32_t k = 0; k < fr_fem_node_chunks(fem); k++) {
        fem->sums.kinetic += fem->node_sums[k].kinetic;
        fem->sums.elastic += fem->node_sums[k].elastic;
        fem->sums.viscous += fem->node_sums[k].viscous;
    }
    fem->current = true;
    fem->rest_known = fem->rests;
}

void fr_fem_evaluate_all(const FrFemSet *set) {
    FrFemSet all = *set;
    bool any = false;
    for (int32_t k = 0; k < set->count; k++) any = any || !set->fem[k]->current;
    if (!any) return;
    FrContext *ctx = set->fem[0]->ctx;
    for (int32_t k = 0; k < set->count; k++) {
        FrFem *fem = set->fem[k];
        if (fem->gather_stale) fr_chunks_gather(&fem->chunks, fem->node_count);
        fem->gather_stale = false;
    }
    fr_parallel_for(ctx, fr_fem_number_tasks(set, stale_chunks), 1, run_chunks, &all);
    fr_parallel_for(ctx, fr_fem_number_tasks(set, stale_nodes), 1, gather_chunks, &all);
    for (int32_t k = 0; k < set->count; k++)
        if (!set->fem[k]->current) add_up(set->fem[k]);
}

void fr_fem_evaluate(FrFem *fem) {
    if (fem->current) return;
    FrFemSet set = {&fem, 1};
    fr_fem_evaluate_all(&set);
}

double fr_fem_tet_elastic(const FrFem *fem, int32_t tet) {
    FrElement element;
    const int32_t *n = fem->tet[tet];
    FrVec3 p[4], f[4];
    if (fem->stiff[tet]) return 0.0;
    for (int i = 0; i < 4; i++) p[i] = fr_get3(fem->p, n[i]);
    fr_fem_element(fem, tet, &element);
    double sum = fr_element_load(&element, &fem->material[fem->region[tet]], p,
                                 fr_fem_plastic_strain(fem, tet), f);
    for (int i = 0; i < 4; i++) sum += 0.5 * fem->last_dt * fr_dot(f[i], fr_get3(fem->v, n[i]));
    return sum;
}

double fr_fem_elastic_part(FrFem *fem) {
    fr_fem_evaluate(fem);
    return fem->energy + 0.5 * fem->last_dt * fem->sums.elastic;
}

// largest squared frequency that added stiffness alone gives, 1/s^2
static double contact_w2(const FrFem *fem) {
    double w2 = 0.0;
    if (fem->stiffened)
        for (int32_t n = 0; n < fem->node_count; n++)
            w2 = fr_max(w2, fem->stiffness[n] * fem->inverse_mass[n]);
    return w2;
}

// the papers' forms: every mode needs its damping ratio, the fastest its damping rate         [E9]
static double damped_only_step(const FrFem *fem, double alpha, double rate) {
    double ratio = fem->integrator == FR_EULER ? alpha : 2.0 * alpha;
    return alpha > 0.0 ? fr_min(ratio, 2.0 / rate) : 0.0;
}

// A sum of stiffnesses rings at most at w1^2 + w2^2: contact adds to every element's bound     [M3]
double fr_fem_dt_limit(FrFem *fem) {
    if (fem->moves_loose || fem->rests) return (double)INFINITY;
    fr_fem_evaluate(fem);
    double outside = contact_w2(fem), dt = (double)INFINITY;
    for (int32_t k = 0; k < fem->chunks.chunk_count; k++) {
        const FrKernelMaterial *m = &fem->kernel[fem->chunks.chunk[k].material];
        double w2 = fem->chunk_sums[k].w2, rate = m->damping * fem->chunk_sums[k].v2 + m->alpha2;
        double step = fem->integrator == FR_SYMPLECTIC ? fr_stable_step(w2 + outside, rate)
                                                       : damped_only_step(fem, m->damping, rate);
        dt = fr_min(dt, step);
    }
    return dt;
}

// slow path, only when a sum is not finite: the first tet in mesh order that is to blame
static int32_t first_bad_tet(const FrFem *fem) {
    for (int32_t e = 0; e < fem->tet_count; e++) {
        FrVec3 m[4], p[4], v[4], f[4];
        for (int i = 0; i < 4; i++) {
            m[i] = fr_get3(fem->x, fem->tet[e][i]);
            p[i] = fr_get3(fem->p, fem->tet[e][i]);
            v[i] = fr_get3(fem->v, fem->tet[e][i]);
        }
        FrElement element;
        const FrMaterial *material = &fem->material[fem->region[e]];
        fr_element_make(m, &element);
        fr_element_viscous(&element, material, p, v, f);
        double energy = fr_element_energy(&element, material, p), speed = 0.0;
        for (int i = 0; i < 4; i++) speed += fr_dot(v[i], v[i]) + fr_dot(f[i], f[i]);
        if (!isfinite(energy) || !isfinite(speed)) return e;
    }
    return -1;
}

FrResult fr_fem_check_finite(FrFem *fem) {
    const FrNodeSums *s = &fem->sums;
    if (isfinite(fem->energy) && isfinite(s->kinetic) && isfinite(s->elastic) &&
        isfinite(s->viscous))
        return FR_OK;
    int32_t e = first_bad_tet(fem);
    if (e < 0)
        return fr_fail(fem->ctx, FR_NUMERICAL,
                       "the energy of the body is too large for a number (elastic %g J, kinetic %g "
                       "J); no single tet is to blame",
                       fem->energy, s->kinetic);
    const int32_t *t = fem->tet[e];
    FrVec3 p = fr_get3(fem->p, t[0]);
    return fr_fail(fem->ctx, FR_NUMERICAL,
                   "tet %d (nodes %d %d %d %d) is not finite any more; its first node is at (%g, "
                   "%g, %g) m",
                   e, t[0], t[1], t[2], t[3], p.x, p.y, p.z);
}
