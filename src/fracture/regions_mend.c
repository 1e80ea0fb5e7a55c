// regions_mend.c: regions hang together and are not too small.                        [M20, K6]
//
// A cut leaves each label one piece where its nodes hang together by edges: all tets round an edge
// inside a label share faces that have a part of it.

#include "fracture/regions_inside.h"
#include "fracture/fracture_tuning.h"
#include "mesh/topology.h"
#include <stdlib.h>

// the nodes of one label that hang together with this one
static bool flood(Regions *R, int32_t node) {
    RegionPart part = {R->label[node], R->queue.count, 0, HUGE_VAL};
    R->seen[node] = R->visit;
    if (!fr_array_push(R->ctx, &R->queue, node)) return false;
    for (int32_t k = part.first; k < R->queue.count; k++) {
        int32_t n = R->queue.data[k];
        part.key = fr_min(part.key, R->key[n]);
        for (int32_t j = R->link_start[n]; j < R->link_start[n + 1]; j++) {
            int32_t m = R->link[j];
            if (R->label[m] != part.label || R->seen[m] == R->visit) continue;
            R->seen[m] = R->visit;
            if (!fr_array_push(R->ctx, &R->queue, m)) return false;
        }
    }
    part.count = R->queue.count - part.first;
    return fr_array_push(R->ctx, &R->parts, part);
}

// all parts of regions that lost or got nodes: each has such a node in it or beside it
static bool find_parts(Regions *R) {
    R->queue.count = R->parts.count = 0;
    for (int32_t k = 0; k < R->changes.count; k++) {
        int32_t n = R->changes.data[k].node;
        if (R->seen[n] != R->visit && !flood(R, n)) return false;
        for (int32_t j = R->link_start[n]; j < R->link_start[n + 1]; j++) {
            int32_t m = R->link[j];
            if (R->label[m] >= 0 && R->seen[m] != R->visit && !flood(R, m)) return false;
        }
    }
    return true;
}

// of each label the part with the smallest key, where its seed is, stays; others are adrift.
// Returns how many nodes are
static int32_t set_adrift(Regions *R) {
    int32_t count = 0, *best = R->best_part.data;
    const RegionPart *part = R->parts.data;
    for (int32_t k = 0; k < R->parts.count; k++) best[part[k].label] = k;
    for (int32_t k = 0; k < R->parts.count; k++)
        if (part[k].key < part[best[part[k].label]].key) best[part[k].label] = k;
    for (int32_t k = 0; k < R->parts.count; k++) {
        if (best[part[k].label] == k) continue;
        for (int32_t j = 0; j < part[k].count; j++)
            R->adrift[R->queue.data[part[k].first + j]] = R->visit;
        count += part[k].count;
    }
    return count;
}

// key of a region at corner x of a tet, from those at the others
static double carried(const Regions *R, int32_t e, int x, int32_t region) {
    double d[4], weight = R->seeds.data[region].weight;
    for (int i = 0; i < 4; i++) {
        double key = i == x ? HUGE_VAL : fr_regions_key(R, R->mesh->tet[e][i], region);
        d[i] = key / weight;
    }
    return weight * fr_region_update(R->length[e], x, d);
}

// may the key of a region at this node change? Not where cracks were counted with it: it was known
// before the keys from `first` on, and the node stays where it is
static bool open_to(const Regions *R, int32_t node, int32_t region, int32_t first) {
    if (R->adrift[node] == R->visit) return true;
    for (int32_t k = R->head[node]; k >= 0; k = R->keys.data[k].next)
        if (k < first && R->keys.data[k].region == region) return false;
    return true;
}

// a node that changed sides passes its region on to nodes adrift; all nodes that it shares an edge
// with get to know its key
static bool pass_on(Regions *R, int32_t node, int32_t first) {
    int32_t region = R->label[node];
    for (int32_t s = R->star_start[node]; s < R->star_start[node + 1]; s++) {
        int32_t e = R->star[s];
        for (int i = 0; i < 4; i++) {
            int32_t m = R->mesh->tet[e][i];
            if (m == node || R->label[m] == region || !open_to(R, m, region, first)) continue;
            double key = carried(R, e, i, region), old = fr_regions_key(R, m, region);
            if (key < old * (1.0 - FR_REGION_ROUNDING)) {
                if (!fr_regions_note(R, m, region, key)) return false;
                old = key;
            }
            if (R->adrift[m] == R->visit && !fr_region_heap_push(R, (RegionStep){old, m, region}))
                return false;
        }
    }
    return true;
}

// ways onto nodes adrift from what is beside them
static bool offer(Regions *R, int32_t node) {
    for (int32_t j = R->link_start[node]; j < R->link_start[node + 1]; j++) {
        int32_t m = R->link[j], region = R->label[m];
        if (R->adrift[m] == R->visit || region < 0) continue;
        if (!fr_region_heap_push(R, (RegionStep){fr_regions_key(R, node, region), node, region}))
            return false;
    }
    return true;
}

bool fr_regions_mend(Regions *R) {
    R->visit++;
    if (!find_parts(R)) return false;
    if (!set_adrift(R)) return true;
    R->heap.count = 0;
    int32_t first = R->keys.count;
    for (int32_t k = 0; k < R->queue.count; k++)
        if (R->adrift[R->queue.data[k]] == R->visit && !offer(R, R->queue.data[k])) return false;
    while (R->heap.count) {
        RegionStep step = fr_region_heap_pop(&R->heap);
        if (R->adrift[step.node] != R->visit) continue;
        R->adrift[step.node] = 0;
        if (!fr_regions_give(R, step.node, step.region, step.key) || !pass_on(R, step.node, first))
            return false;
    }
    return true;
}

// --- small regions

/// Crack area that two regions share in one tet.
typedef struct Shared {
    int32_t a, b;
    double area; ///< m^2
} Shared;

typedef struct Join {
    Regions *R;
    double *volume; ///< of each region, m^3
    double *beside; ///< area shared with each region, m^2
    int32_t *into;  ///< region that it is part of now
    uint8_t *outer; ///< 1: it is seen from outside
    FR_ARRAY(Shared) shared;
} Join;

static bool measure_tet(Join *J, int32_t e) {
    Regions *R = J->R;
    int32_t label[4];
    double cut[6], share[4];
    FrVec3 x[4];
    if (!fr_regions_cuts(R, e, label, cut)) {
        J->volume[label[0]] += R->volume[e];
        return true;
    }
    fr_region_shares(label, cut, share);
    for (int i = 0; i < 4; i++) {
        J->volume[label[i]] += share[i] * R->volume[e];
        x[i] = fr_get3(R->mesh->x, R->mesh->tet[e][i]);
    }
    RegionFacet facet[FR_REGION_FACETS];
    int count = fr_region_facets(x, label, cut, facet);
    for (int k = 0; k < count; k++) {
        Shared s = {label[facet[k].a], label[facet[k].b], fr_region_facet_area(&facet[k])};
        if (!fr_array_push(R->ctx, &J->shared, s)) return false;
    }
    return true;
}

// m^3: less is no region of its own
double fr_regions_smallest(const Regions *R, int32_t region) {
    double closer = R->seeds.data[region].closer;
    return closer * closer * R->def->smallest;
}

// the smallest region of its own that is too small; -1: none
static int32_t too_small(const Join *J, int32_t count) {
    int32_t least = -1;
    for (int32_t r = 0; r < count; r++)
        if (J->into[r] == r && J->volume[r] < fr_regions_smallest(J->R, r) &&
            (least < 0 || J->volume[r] < J->volume[least]))
            least = r;
    return least;
}

// the region that shares most area with r; -1: none does. *others: how many share some
static int32_t neighbour(Join *J, int32_t r, int32_t count, int32_t *others) {
    int32_t most = -1;
    *others = 0;
    for (int32_t k = 0; k < count; k++) J->beside[k] = 0.0;
    for (int32_t k = 0; k < J->shared.count; k++) {
        const Shared *s = &J->shared.data[k];
        if (s->a == r && s->b != r) J->beside[s->b] += s->area;
        if (s->b == r && s->a != r) J->beside[s->a] += s->area;
    }
    for (int32_t k = 0; k < count; k++) {
        *others += J->beside[k] > 0.0;
        if (J->beside[k] > 0.0 && (most < 0 || J->beside[k] > J->beside[most])) most = k;
    }
    return most;
}

static int shared_order(const void *a, const void *b) {
    const Shared *s = a, *t = b;
    if (s->a != t->a) return s->a < t->a ? -1 : 1;
    if (s->b != t->b) return s->b < t->b ? -1 : 1;
    return (s->area > t->area) - (s->area < t->area);
}

// one entry per pair of regions, the lower first
static void sum_shared(Join *J) {
    Shared *s = J->shared.data;
    int32_t count = 0;
    for (int32_t k = 0; k < J->shared.count; k++)
        if (s[k].a > s[k].b) s[k] = (Shared){s[k].b, s[k].a, s[k].area};
    if (J->shared.count) qsort(s, (size_t)J->shared.count, sizeof *s, shared_order);
    for (int32_t k = 0; k < J->shared.count; k++) {
        if (count && s[count - 1].a == s[k].a && s[count - 1].b == s[k].b)
            s[count - 1].area += s[k].area;
        else
            s[count++] = s[k];
    }
    J->shared.count = count;
}

static void join(Join *J, int32_t r, int32_t to) {
    J->into[r] = to;
    J->volume[to] += J->volume[r];
    for (int32_t k = 0; k < J->shared.count; k++) {
        if (J->shared.data[k].a == r) J->shared.data[k].a = to;
        if (J->shared.data[k].b == r) J->shared.data[k].b = to;
    }
}

// no crack closes round a bubble: what lies wholly inside of one other region joins it
static void join_bubbles(Join *J, int32_t count) {
    int32_t others, joined = 1;
    while (joined) { // one that held another may be one now
        joined = 0;
        for (int32_t r = 0; r < count; r++) {
            bool hidden = J->into[r] == r && !J->outer[r];
            int32_t to = hidden ? neighbour(J, r, count, &others) : -1;
            if (to < 0 || others > 1) continue;
            join(J, r, to);
            joined++;
        }
    }
}

static void join_small(Join *J, int32_t count) {
    int32_t others;
    for (int32_t r = too_small(J, count); r >= 0; r = too_small(J, count)) {
        int32_t to = neighbour(J, r, count, &others);
        if (to < 0) return;
        join(J, r, to);
    }
}

static FrResult find_outer(Join *J) {
    FrSurface surface;
    FR_TRY(fr_tetmesh_surface(J->R->ctx, J->R->mesh, &surface));
    for (int32_t k = 0; k < surface.tri_count; k++)
        for (int i = 0; i < 3; i++) J->outer[J->R->label[surface.tri[k][i]]] = 1;
    fr_surface_free(J->R->ctx, &surface);
    return FR_OK;
}

// numbers without gaps in the old order; a joined region is as near as the nearest of its parts
static int32_t renumber(Join *J, int32_t count) {
    Regions *R = J->R;
    int32_t kept = 0, *number = J->into;
    for (int32_t r = 0; r < count; r++) // all lead to a region of its own, by one step now
        while (number[number[r]] != number[r]) number[r] = number[number[r]];
    int32_t *order = R->best_part.data;
    for (int32_t r = 0; r < count; r++)
        if (number[r] == r) {
            R->seeds.data[kept] = R->seeds.data[r];
            order[r] = kept++;
        }
    for (int32_t r = 0; r < count; r++) number[r] = order[number[r]];
    for (int32_t k = 0; k < R->keys.count; k++)
        R->keys.data[k].region = number[R->keys.data[k].region];
    for (int32_t n = 0; n < R->mesh->node_count; n++) {
        R->label[n] = number[R->label[n]];
        R->key[n] = fr_regions_key(R, n, R->label[n]);
    }
    return kept;
}

static FrResult measure(Join *J, int32_t regions) {
    Regions *R = J->R;
    J->volume = FR_NEW(R->ctx, double, regions);
    J->beside = FR_NEW(R->ctx, double, regions);
    J->into = FR_NEW(R->ctx, int32_t, regions);
    J->outer = FR_NEW(R->ctx, uint8_t, regions);
    bool ok = J->volume && J->beside && J->into && J->outer;
    for (int32_t r = 0; ok && r < regions; r++) J->into[r] = r;
    for (int32_t e = 0; ok && e < R->mesh->tet_count; e++) ok = measure_tet(J, e);
    return ok ? find_outer(J) : fr_no_memory(R->ctx, "regions");
}

FrResult fr_regions_join(Regions *R, int32_t *count) {
    int32_t regions = R->seeds.count;
    Join J = {.R = R};
    FrResult result = measure(&J, regions);
    if (result == FR_OK) {
        sum_shared(&J);
        join_bubbles(&J, regions);
        join_small(&J, regions);
        *count = renumber(&J, regions);
    }
    FR_FREE_ALL(R->ctx, J.volume, J.beside, J.into, J.outer, J.shared.data);
    return result;
}
