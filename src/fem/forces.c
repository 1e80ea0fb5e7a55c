// forces.c: internal forces of a whole body: chunks in parallel, then every node sums its slots.

#include "fem/body.h"
#include "fem/element.h"
#include "base/tasks.h"
#include <string.h>

static void load_rows(const FrFem *fem, const FrChunk *chunk, FrLocalNode *local) {
    const int32_t *node = fem->state.chunks.slot_node + chunk->first_slot;
    for (int32_t k = 0; k < chunk->slot_count; k++) {
        const double *p = fem->state.p + 3 * (size_t)node[k],
                     *v = fem->state.v + 3 * (size_t)node[k];
        FrLocalNode *row = &local[k];
        for (int c = 0; c < 3; c++) row->p[c] = p[c];
        for (int c = 0; c < 3; c++) row->v[c] = v[c];
        row->p[3] = row->v[3] = 0.0;
        for (int c = 0; c < 4; c++) row->f[c] = row->d[c] = 0.0;
    }
}

static void store_rows(const FrFem *fem, const FrChunk *chunk, const FrLocalNode *local) {
    double *slot = fem->scratch.slots.force + 6 * (size_t)chunk->first_slot;
    for (int32_t k = 0; k < chunk->slot_count; k++, slot += 6) {
        for (int c = 0; c < 3; c++) slot[c] = local[k].f[c];
        for (int c = 0; c < 3; c++) slot[3 + c] = local[k].d[c];
    }
}

int32_t fr_fem_number_tasks(const FrFemSet *set, int32_t (*count_of)(const FrFem *)) {
    int32_t total = 0;
    for (int32_t k = 0; k < set->count; k++) {
        set->fem[k]->scratch.first_task = total;
        total += count_of(set->fem[k]);
    }
    return total;
}

FrFem *fr_fem_of_task(const FrFemSet *set, int32_t task) {
    int32_t lo = 0, hi = set->count - 1;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo + 1) / 2;
        if (set->fem[middle]->scratch.first_task <= task)
            lo = middle;
        else
            hi = middle - 1;
    }
    return set->fem[lo];
}

int32_t fr_fem_node_chunks(const FrFem *fem) {
    return fr_chunk_count(fem->state.node_count, FR_NODE_GRAIN);
}

// forces of a body at rest stay what they are
static int32_t stale_chunks(const FrFem *fem) {
    return fem->scratch.current || fem->scratch.rest_known ? 0 : fem->state.chunks.chunk_count;
}
static int32_t stale_nodes(const FrFem *fem) {
    return fem->scratch.current ? 0 : fr_fem_node_chunks(fem);
}

// are all of its tets rigid, standing or dust? What yields flows on, for those who read its stress.
static bool silent(const FrFem *fem, const FrChunk *chunk) {
    const int32_t *tet = fem->state.chunks.lane_tet + FR_LANES * (size_t)chunk->first_block;
    bool all = !fem->settings.kernel[chunk->material].yields;
    for (int32_t k = 0; all && k < FR_LANES * chunk->block_count; k++)
        all = tet[k] < 0 || fem->scratch.is_rigid[tet[k]];
    return all;
}

// what comes of tets without forces
static void rest_chunk(FrFem *fem, int32_t k) {
    const FrChunk *chunk = &fem->state.chunks.chunk[k];
    double *slot = fem->scratch.slots.force + 6 * (size_t)chunk->first_slot;
    FrBlockStress *stress = fem->scratch.slots.block_stress + chunk->first_block;
    memset(slot, 0, 6 * (size_t)chunk->slot_count * sizeof *slot);
    memset(stress, 0, (size_t)chunk->block_count * sizeof *stress);
    fem->scratch.slots.chunk_sums[k] = (FrChunkSums){0};
}

static void run_chunk(FrFem *fem, int32_t k) {
    FrLocalNode local[FR_CHUNK_NODES];
    const FrChunk *chunk = &fem->state.chunks.chunk[k];
    if (silent(fem, chunk)) {
        rest_chunk(fem, k);
        return;
    }
    load_rows(fem, chunk, local);
    const FrKernelMaterial *m = &fem->settings.kernel[chunk->material];
    FrFlow flow = {fem->state.plastic,
                   fem->state.chunks.lane_tet + FR_LANES * (size_t)chunk->first_block,
                   fem->scratch.watch.flow_dt};
    fem->settings.run_chunk(fem->state.chunks.block + chunk->first_block, chunk->block_count, m,
                            local, m->yields ? &flow : NULL,
                            fem->scratch.slots.block_stress + chunk->first_block,
                            &fem->scratch.slots.chunk_sums[k]);
    store_rows(fem, chunk, local);
}

static void run_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    for (int32_t task = begin; task < end; task++) {
        FrFem *fem = fr_fem_of_task(arg, task);
        run_chunk(fem, task - fem->scratch.first_task);
    }
}

static void gather_chunk(FrFem *fem, int32_t chunk) {
    const int32_t *first = fem->state.chunks.node_first, *slots = fem->state.chunks.node_slot;
    int32_t begin = chunk * FR_NODE_GRAIN,
            end = fr_min_i(begin + FR_NODE_GRAIN, fem->state.node_count);
    FrNodeSums sums = {0};
    for (int32_t n = begin; n < end; n++) {
        double s[6] = {0, 0, 0, 0, 0, 0};
        for (int32_t k = first[n]; k < first[n + 1]; k++) {
            const double *slot = fem->scratch.slots.force + 6 * (size_t)slots[k];
            for (int c = 0; c < 6; c++) s[c] += slot[c];
        }
        FrVec3 f = {s[0], s[1], s[2]}, d = {s[3], s[4], s[5]}, v = fr_get3(fem->state.v, n);
        fr_set3(fem->scratch.f, n, f);
        fr_set3(fem->scratch.d, n, d);
        sums.kinetic += 0.5 * fem->scratch.mass[n] * fr_dot(v, v);
        sums.elastic += fr_dot(f, v);
        sums.viscous += fr_dot(d, v);
    }
    fem->scratch.node_sums[chunk] = sums;
}

static void gather_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    for (int32_t task = begin; task < end; task++) {
        FrFem *fem = fr_fem_of_task(arg, task);
        gather_chunk(fem, task - fem->scratch.first_task);
    }
}

static void add_up(FrFem *fem) {
    fem->scratch.energy = 0.0;
    fem->scratch.crushed = 0;
    for (int32_t k = 0; k < fem->state.chunks.chunk_count; k++) {
        fem->scratch.energy += fem->scratch.slots.chunk_sums[k].energy;
        fem->scratch.crushed += fem->scratch.slots.chunk_sums[k].crushed;
    }
    fem->scratch.sums = (FrNodeSums){0};
    for (int32_t k = 0; k < fr_fem_node_chunks(fem); k++) {
        fem->scratch.sums.kinetic += fem->scratch.node_sums[k].kinetic;
        fem->scratch.sums.elastic += fem->scratch.node_sums[k].elastic;
        fem->scratch.sums.viscous += fem->scratch.node_sums[k].viscous;
    }
    fem->scratch.current = true;
    fem->scratch.rest_known = fem->scratch.rests;
}

void fr_fem_evaluate_all(const FrFemSet *set) {
    FrFemSet all = *set;
    bool any = false;
    for (int32_t k = 0; k < set->count; k++) any = any || !set->fem[k]->scratch.current;
    if (!any) return;
    FrContext *ctx = set->fem[0]->ctx;
    for (int32_t k = 0; k < set->count; k++) {
        FrFem *fem = set->fem[k];
        if (fem->scratch.gather_stale) fr_chunks_gather(&fem->state.chunks, fem->state.node_count);
        fem->scratch.gather_stale = false;
    }
    fr_parallel_for(ctx, fr_fem_number_tasks(set, stale_chunks), 1, run_chunks, &all);
    fr_parallel_for(ctx, fr_fem_number_tasks(set, stale_nodes), 1, gather_chunks, &all);
    for (int32_t k = 0; k < set->count; k++)
        if (!set->fem[k]->scratch.current) add_up(set->fem[k]);
}

void fr_fem_evaluate(FrFem *fem) {
    if (fem->scratch.current) return;
    FrFemSet set = {&fem, 1};
    fr_fem_evaluate_all(&set);
}

double fr_fem_tet_elastic(const FrFem *fem, int32_t tet) {
    FrElement element;
    const int32_t *n = fem->state.tet[tet];
    FrVec3 p[4], f[4];
    if (fem->scratch.is_rigid[tet]) return 0.0;
    for (int i = 0; i < 4; i++) p[i] = fr_get3(fem->state.p, n[i]);
    fr_fem_element(fem, tet, &element);
    double sum = fr_element_load(&element, &fem->settings.material[fem->state.region[tet]], p,
                                 fr_fem_plastic_strain(fem, tet), f);
    for (int i = 0; i < 4; i++)
        sum += 0.5 * fem->state.last_dt * fr_dot(f[i], fr_get3(fem->state.v, n[i]));
    return sum;
}

double fr_fem_elastic_part(FrFem *fem) {
    fr_fem_evaluate(fem);
    return fem->scratch.energy + 0.5 * fem->state.last_dt * fem->scratch.sums.elastic;
}

// largest squared frequency that added stiffness alone gives, 1/s^2
static double contact_w2(const FrFem *fem) {
    double w2 = 0.0;
    if (fem->state.has_stiffness)
        for (int32_t n = 0; n < fem->state.node_count; n++)
            w2 = fr_max(w2, fem->state.stiffness[n] * fem->scratch.inverse_mass[n]);
    return w2;
}

// the papers' forms: every mode needs its damping ratio, the fastest its damping rate         [E9]
static double damped_only_step(const FrFem *fem, double alpha, double rate) {
    double ratio = fem->settings.integrator == FR_EULER ? alpha : 2.0 * alpha;
    return alpha > 0.0 ? fr_min(ratio, 2.0 / rate) : 0.0;
}

// A sum of stiffnesses rings at most at w1^2 + w2^2: contact adds to every element's bound     [M3]
double fr_fem_dt_limit(FrFem *fem) {
    if (fem->scratch.loose.moves || fem->scratch.rests) return (double)INFINITY;
    fr_fem_evaluate(fem);
    double outside = contact_w2(fem), dt = (double)INFINITY;
    for (int32_t k = 0; k < fem->state.chunks.chunk_count; k++) {
        const FrKernelMaterial *m = &fem->settings.kernel[fem->state.chunks.chunk[k].material];
        double w2 = fem->scratch.slots.chunk_sums[k].w2,
               rate = m->damping * fem->scratch.slots.chunk_sums[k].v2 + m->alpha2;
        double step = fem->settings.integrator == FR_SYMPLECTIC
                          ? fr_stable_step(w2 + outside, rate)
                          : damped_only_step(fem, m->damping, rate);
        dt = fr_min(dt, step);
    }
    return dt;
}

// slow path, only when a sum is not finite: the first tet in mesh order that is to blame
static int32_t first_bad_tet(const FrFem *fem) {
    for (int32_t e = 0; e < fem->state.tet_count; e++) {
        FrVec3 m[4], p[4], v[4], f[4];
        for (int i = 0; i < 4; i++) {
            m[i] = fr_get3(fem->state.x, fem->state.tet[e][i]);
            p[i] = fr_get3(fem->state.p, fem->state.tet[e][i]);
            v[i] = fr_get3(fem->state.v, fem->state.tet[e][i]);
        }
        FrElement element;
        const FrMaterial *material = &fem->settings.material[fem->state.region[e]];
        fr_element_make(m, &element);
        fr_element_viscous(&element, material, p, v, f);
        double energy = fr_element_energy(&element, material, p), speed = 0.0;
        for (int i = 0; i < 4; i++) speed += fr_dot(v[i], v[i]) + fr_dot(f[i], f[i]);
        if (!isfinite(energy) || !isfinite(speed)) return e;
    }
    return -1;
}

FrResult fr_fem_check_finite(FrFem *fem) {
    const FrNodeSums *s = &fem->scratch.sums;
    if (isfinite(fem->scratch.energy) && isfinite(s->kinetic) && isfinite(s->elastic) &&
        isfinite(s->viscous))
        return FR_OK;
    int32_t e = first_bad_tet(fem);
    if (e < 0)
        return fr_fail(fem->ctx, FR_NUMERICAL,
                       "the energy of the body is too large for a number (elastic %g J, kinetic %g "
                       "J); no single tet is to blame",
                       fem->scratch.energy, s->kinetic);
    const int32_t *t = fem->state.tet[e];
    FrVec3 p = fr_get3(fem->state.p, t[0]);
    return fr_fail(fem->ctx, FR_NUMERICAL,
                   "tet %d (nodes %d %d %d %d) is not finite any more; its first node is at (%g, "
                   "%g, %g) m",
                   e, t[0], t[1], t[2], t[3], p.x, p.y, p.z);
}
