// regions.c: into which regions a body falls at once: seeds where energy is dense, one after the
// other, as long as their cracks can be paid for.                       [S7 3.2, M20, M34, K6]

#include "fracture/regions_inside.h"
#include "fracture/fracture_tuning.h"
#include "mesh/tetmesh.h"

FrRegionsDef fr_regions_def_default(void) {
    return (FrRegionsDef){.exponent = 0.15, .stretch = 5.0, .most = 1000};
}

// --- lists of keys

double fr_regions_key(const Regions *R, int32_t node, int32_t region) {
    double key = HUGE_VAL;
    for (int32_t k = R->head[node]; k >= 0; k = R->keys.data[k].next)
        if (R->keys.data[k].region == region) key = fr_min(key, R->keys.data[k].key);
    return key;
}

bool fr_regions_note(Regions *R, int32_t node, int32_t region, double key) {
    RegionKey entry = {node, region, R->head[node], key};
    if (!fr_array_push(R->ctx, &R->keys, entry)) return false;
    R->head[node] = R->keys.count - 1;
    return true;
}

static void move(Regions *R, int32_t node, int32_t region, double key) {
    if (R->label[node] >= 0) R->nodes_of.data[R->label[node]]--;
    if (region >= 0) R->nodes_of.data[region]++;
    R->label[node] = region;
    R->key[node] = key;
}

bool fr_regions_give(Regions *R, int32_t node, int32_t region, double key) {
    RegionChange change = {node, R->label[node], R->key[node]};
    if (!fr_array_push(R->ctx, &R->changes, change)) return false;
    move(R, node, region, key);
    return true;
}

// --- tables that never change

static void free_all(Regions *R) {
    FR_FREE_ALL(R->ctx, R->volume, R->metric, R->length, R->star_start, R->star, R->link_start,
                R->link, R->label, R->key, R->head, R->dist, R->straight, R->outside, R->turns,
                R->seen, R->adrift, R->seen_tet, R->cost);
    FR_FREE_ALL(R->ctx, R->keys.data, R->seeds.data, R->nodes_of.data, R->best_part.data,
                R->touched.data, R->queue.data, R->parts.data, R->changes.data, R->costs.data,
                R->heap.data);
}

static bool allocate(Regions *R) {
    int32_t nodes = R->mesh->node_count, tets = R->mesh->tet_count;
    R->volume = FR_NEW(R->ctx, double, tets);
    R->metric = FR_NEW(R->ctx, FrSym3, tets);
    R->length = (double(*)[6])fr_alloc_zero(R->ctx, (size_t)tets, sizeof(double[6]));
    R->star_start = FR_NEW(R->ctx, int32_t, nodes + 1);
    R->star = FR_NEW(R->ctx, int32_t, 4 * (size_t)tets);
    R->link_start = FR_NEW(R->ctx, int32_t, nodes + 1);
    R->link = FR_NEW(R->ctx, int32_t, 12 * (size_t)tets);
    R->label = FR_NEW(R->ctx, int32_t, nodes);
    R->key = FR_NEW(R->ctx, double, nodes);
    R->head = FR_NEW(R->ctx, int32_t, nodes);
    R->dist = FR_NEW(R->ctx, double, nodes);
    R->straight = FR_NEW(R->ctx, double, nodes);
    R->outside = FR_NEW(R->ctx, uint8_t, nodes);
    R->turns = FR_NEW(R->ctx, uint8_t, nodes);
    R->seen = FR_NEW(R->ctx, uint32_t, nodes);
    R->adrift = FR_NEW(R->ctx, uint32_t, nodes);
    R->seen_tet = FR_NEW(R->ctx, uint32_t, tets);
    R->cost = FR_NEW(R->ctx, double, tets);
    return R->volume && R->metric && R->length && R->star_start && R->star && R->link_start &&
           R->link && R->label && R->key && R->head && R->dist && R->straight && R->outside &&
           R->turns && R->seen && R->adrift && R->seen_tet && R->cost;
}

static void fill_stars(Regions *R) {
    const FrTetMesh *mesh = R->mesh;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) R->star_start[mesh->tet[e][i] + 1]++;
    for (int32_t n = 0; n < mesh->node_count; n++) R->star_start[n + 1] += R->star_start[n];
    // each start runs to the start of the next, and is put back afterwards
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) R->star[R->star_start[mesh->tet[e][i]]++] = e;
    for (int32_t n = mesh->node_count; n > 0; n--) R->star_start[n] = R->star_start[n - 1];
    R->star_start[0] = 0;
}

static void fill_links(Regions *R) {
    int32_t count = 0;
    for (int32_t n = 0; n < R->mesh->node_count; n++) {
        R->seen[n] = ++R->visit;
        for (int32_t k = R->star_start[n]; k < R->star_start[n + 1]; k++)
            for (int i = 0; i < 4; i++) {
                int32_t m = R->mesh->tet[R->star[k]][i];
                if (R->seen[m] == R->visit) continue;
                R->seen[m] = R->visit;
                R->link[count++] = m;
            }
        R->link_start[n + 1] = count;
    }
}

static FrResult set_up(Regions *R) {
    if (!allocate(R)) return fr_no_memory(R->ctx, "regions");
    fill_stars(R);
    fill_links(R);
    for (int32_t e = 0; e < R->mesh->tet_count; e++) R->volume[e] = fr_tet_volume(R->mesh, e);
    for (int32_t n = 0; n < R->mesh->node_count; n++) {
        R->label[n] = R->head[n] = -1;
        R->key[n] = R->dist[n] = HUGE_VAL;
    }
    return fr_regions_measure(R);
}

// --- tries

// E_F = sum of Gc over the area of all cracks, each counted once; only tets with changed corners
// are new                                                                        [S7 3.2, M20]
static bool update_energy(Regions *R) {
    R->visit++;
    for (int32_t k = 0; k < R->changes.count; k++) {
        int32_t n = R->changes.data[k].node;
        for (int32_t s = R->star_start[n]; s < R->star_start[n + 1]; s++) {
            int32_t e = R->star[s];
            if (R->seen_tet[e] == R->visit) continue;
            R->seen_tet[e] = R->visit;
            RegionCost old = {e, R->cost[e]};
            if (!fr_array_push(R->ctx, &R->costs, old)) return false;
            R->cost[e] = R->def->Gc[e] * fr_regions_area(R, e);
            R->energy += R->cost[e] - old.energy;
        }
    }
    return true;
}

// has some region no node left?
static bool crowded(const Regions *R) {
    for (int32_t r = 0; r < R->seeds.count; r++)
        if (!R->nodes_of.data[r]) return true;
    return false;
}

// E_F <= the energy there is                                                     [S7 3.2, K6]
static bool affordable(const Regions *R) {
    return R->seeds.count == 1 || R->energy <= R->def->energy * (1.0 - FR_REGION_SUM_ROUNDING);
}

/// What a try that does not fit leaves as it was.
typedef struct Before {
    int32_t keys;
    double energy; ///< J
} Before;

static void take_back(Regions *R, Before before) {
    for (int32_t k = R->changes.count - 1; k >= 0; k--)
        move(R, R->changes.data[k].node, R->changes.data[k].label, R->changes.data[k].key);
    for (int32_t k = R->costs.count - 1; k >= 0; k--)
        R->cost[R->costs.data[k].tet] = R->costs.data[k].energy;
    for (int32_t k = R->keys.count - 1; k >= before.keys; k--)
        R->head[R->keys.data[k].node] = R->keys.data[k].next;
    R->keys.count = before.keys;
    R->energy = before.energy;
    R->seeds.count = R->nodes_of.count = R->best_part.count = R->seeds.count - 1;
}

static bool grow(Regions *R, RegionSeed seed) {
    R->changes.count = R->costs.count = 0;
    return fr_array_reserve(R->ctx, &R->seeds, 1) && fr_array_reserve(R->ctx, &R->nodes_of, 1) &&
           fr_array_reserve(R->ctx, &R->best_part, 1) && fr_array_push(R->ctx, &R->seeds, seed) &&
           fr_array_push(R->ctx, &R->nodes_of, 0) && fr_array_push(R->ctx, &R->best_part, -1) &&
           fr_regions_march(R, R->seeds.count - 1) && fr_regions_mend(R) && update_energy(R);
}

// the first region is the whole body, and every other takes from those before             [K6]
static FrResult grow_all(Regions *R, RegionSource *source, int32_t *tries) {
    int32_t misfits = 0, no_room = 0;
    RegionSeed seed;
    while (R->seeds.count < R->def->most && misfits < FR_REGION_MISFITS &&
           no_room < FR_REGION_DRAWS && fr_region_source_next(R, source, &seed)) {
        if (fr_context_cancelled(R->ctx)) return fr_fail(R->ctx, FR_INTERRUPTED, "interrupted");
        Before before = {R->keys.count, R->energy};
        (*tries)++;
        if (!grow(R, seed)) return fr_no_memory(R->ctx, "regions");
        if (R->seeds.count == 1 && R->nodes_of.data[0] < R->mesh->node_count)
            return fr_fail(R->ctx, FR_BAD_INPUT,
                           "regions: the mesh is in parts, or a node is in no tet");
        bool full = crowded(R), dear = !affordable(R);
        if (full || dear) take_back(R, before);
        misfits += dear && !full;
        no_room = full ? no_room + 1 : 0;
    }
    return FR_OK;
}

// --- all of it

static void sum_up(const Regions *R, FrRegionsReport *report) {
    for (int32_t e = 0; e < R->mesh->tet_count; e++) {
        double area = fr_regions_area(R, e);
        report->area += area;
        report->energy += R->def->Gc[e] * area;
    }
}

static FrResult grow_and_write(Regions *R, FrLabels *labels, FrRegionsReport *report) {
    RegionSource source = {0};
    int32_t count = 0;
    FrResult result = set_up(R);
    if (result == FR_OK) result = fr_region_source_open(&source, R);
    if (result == FR_OK) result = grow_all(R, &source, &report->tries);
    if (result == FR_OK) result = fr_regions_join(R, &count);
    if (result == FR_OK) result = fr_regions_write(R, count, labels);
    if (result == FR_OK) sum_up(R, report);
    fr_region_source_close(&source, R->ctx);
    return result;
}

FrResult fr_regions_grow(FrContext *ctx, const FrRegionsDef *def, FrLabels *labels,
                         FrRegionsReport *report) {
    *labels = (FrLabels){0};
    *report = (FrRegionsReport){0};
    FR_ASSERT_IN(ctx, def->mesh && def->density && def->Gc, "give mesh, density and Gc");
    FR_ASSERT_IN(ctx, def->mesh->order == 1, "give the corner mesh");
    if (!(def->energy >= 0.0) || !(def->stretch >= 0.0) || def->most < 1 || !def->mesh->tet_count)
        return fr_fail(ctx, FR_BAD_USE,
                       "regions: energy and stretch >= 0, one region or more, and tets");
    Regions R = {.ctx = ctx, .def = def, .mesh = def->mesh};
    FrResult result = grow_and_write(&R, labels, report);
    if (result != FR_OK) fr_labels_free(ctx, labels);
    free_all(&R);
    return result;
}
