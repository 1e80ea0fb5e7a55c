// regions_write.c: labels and keys of all nodes, as those who cut want them.

#include "fracture/regions_inside.h"

/// Keys of one node while its list is written.
typedef struct Gather {
    double *key;     ///< of each region, m (count)
    uint8_t *wanted; ///< 1: known, 2: beside the node (count)
    int32_t *found;  ///< regions that are known (count)
    FR_ARRAY(FrLabelKey) near;
} Gather;

static int32_t gather(const Regions *R, Gather *g, int32_t node) {
    int32_t count = 0;
    for (int32_t k = R->head[node]; k >= 0; k = R->keys.data[k].next) {
        const RegionKey *entry = &R->keys.data[k];
        if (!g->wanted[entry->region]) {
            g->wanted[entry->region] = 1;
            g->key[entry->region] = entry->key;
            g->found[count++] = entry->region;
        }
        g->key[entry->region] = fr_min(g->key[entry->region], entry->key);
    }
    for (int32_t j = R->link_start[node]; j < R->link_start[node + 1]; j++) {
        int32_t region = R->label[R->link[j]];
        if (g->wanted[region]) g->wanted[region] = 2;
    }
    return count;
}

// its own region, then by key; of equal keys the lower region
static bool comes_before(const FrLabelKey *a, const FrLabelKey *b, int32_t own) {
    if ((a->region == own) != (b->region == own)) return a->region == own;
    return a->key != b->key ? a->key < b->key : a->region < b->region;
}

static bool write_node(const Regions *R, Gather *g, FrLabels *labels, int32_t node) {
    int32_t own = R->label[node], found = gather(R, g, node), first = g->near.count;
    labels->label[node] = own;
    labels->key[node] = R->key[node];
    FrLabelKey second = {-1, HUGE_VAL};
    bool ok = fr_array_reserve(R->ctx, &g->near, found);
    for (int32_t k = 0; k < found; k++) {
        FrLabelKey near = {g->found[k], g->key[g->found[k]]};
        bool beside = g->wanted[near.region] == 2 || near.region == own;
        g->wanted[near.region] = 0;
        if (near.region != own && comes_before(&near, &second, own)) second = near;
        if (!beside || !ok) continue;
        int32_t at = g->near.count++;
        for (; at > first && comes_before(&near, &g->near.data[at - 1], own); at--)
            g->near.data[at] = g->near.data[at - 1];
        g->near.data[at] = near;
    }
    labels->second[node] = second.region;
    labels->second_key[node] = second.key;
    labels->near_start[node + 1] = g->near.count;
    return ok;
}

static bool write_nodes(const Regions *R, Gather *g, FrLabels *labels) {
    for (int32_t n = 0; n < labels->node_count; n++)
        if (!write_node(R, g, labels, n)) return false;
    labels->near = g->near.data;
    g->near.data = NULL;
    return true;
}

FrResult fr_regions_write(const Regions *R, int32_t count, FrLabels *labels) {
    int32_t nodes = R->mesh->node_count;
    labels->node_count = nodes;
    labels->count = count;
    labels->label = FR_NEW(R->ctx, int32_t, nodes);
    labels->key = FR_NEW(R->ctx, double, nodes);
    labels->second = FR_NEW(R->ctx, int32_t, nodes);
    labels->second_key = FR_NEW(R->ctx, double, nodes);
    labels->near_start = FR_NEW(R->ctx, int32_t, nodes + 1);
    labels->least = FR_NEW(R->ctx, double, count);
    for (int32_t r = 0; labels->least && r < count; r++)
        labels->least[r] = fr_regions_smallest(R, r);
    Gather g = {.key = FR_NEW(R->ctx, double, count),
                .wanted = FR_NEW(R->ctx, uint8_t, count),
                .found = FR_NEW(R->ctx, int32_t, count)};
    bool ok = labels->label && labels->key && labels->second && labels->second_key &&
              labels->near_start && labels->least && g.key && g.wanted && g.found &&
              write_nodes(R, &g, labels);
    FR_FREE_ALL(R->ctx, g.key, g.wanted, g.found, g.near.data);
    return ok ? FR_OK : fr_no_memory(R->ctx, "regions");
}
