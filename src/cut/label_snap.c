// label_snap.c: nodes that lie on the border of regions, as it passes them closely or as parts
// would be too flat. [M20]

#include "cut/label_inside.h"
#include "cut/cut_tuning.h"

bool fr_label_begin(LabelPlan *plan) {
    const FrTetMesh *mesh = plan->mesh;
    plan->of = FR_NEW(plan->ctx, NodeRegions, mesh->node_count);
    if (!plan->of) return false;
    for (int32_t n = 0; n < mesh->node_count; n++)
        plan->of[n] = (NodeRegions){{plan->labels->label[n]}, 1};
    for (int32_t k = 0; k < 6 * mesh->tet_count; k++) {
        const int32_t *n = mesh->tet[k / 6];
        FrVec3 a = fr_get3(mesh->x, n[fr_tet_edge[k % 6][0]]);
        FrVec3 b = fr_get3(mesh->x, n[fr_tet_edge[k % 6][1]]);
        plan->unit2 = fr_max(plan->unit2, fr_length2(fr_sub(b, a)));
    }
    return true;
}

// the node lies on the border of this region, too; false: it did, or there is no room
static bool add_region(LabelPlan *plan, int32_t node, int32_t region) {
    NodeRegions *of = &plan->of[node];
    for (int32_t k = 0; k < of->count; k++)
        if (of->region[k] == region) return false;
    if (of->count == FR_NODE_REGIONS) return false;
    of->region[of->count++] = region;
    return true;
}

void fr_label_snap(LabelPlan *plan) {
    const FrTetMesh *mesh = plan->mesh;
    const int32_t *label = plan->labels->label;
    for (int32_t k = 0; k < 6 * mesh->tet_count; k++) {
        const int32_t *n = mesh->tet[k / 6];
        int32_t i = n[fr_tet_edge[k % 6][0]], j = n[fr_tet_edge[k % 6][1]];
        if (label[i] == label[j]) continue;
        double t = fr_label_border(plan->labels, i, j);
        if (t < FR_LABEL_SNAP * plan->options.clamp) add_region(plan, i, label[j]);
        if (t > 1 - FR_LABEL_SNAP * plan->options.clamp) add_region(plan, j, label[i]);
    }
}

// an end of an edge that is cut
typedef struct SnapEnd {
    int32_t node, region; ///< that it may join
    double t;             ///< how far from the cut, fraction of the edge
} SnapEnd;

// both ends of the edges of a tet that are cut, the nearest to the cut first
static int32_t list_ends(const LabelPlan *plan, int32_t e, SnapEnd end[12]) {
    const int32_t *n = plan->mesh->tet[e], *label = plan->labels->label;
    int32_t count = 0;
    for (int k = 0; k < 12; k++) {
        int32_t i = n[fr_tet_edge[k / 2][k % 2]], j = n[fr_tet_edge[k / 2][1 - k % 2]];
        if (fr_label_common(&plan->of[i], &plan->of[j])) continue;
        double t = fr_clamp(fr_label_border(plan->labels, i, j), plan->options.clamp,
                            1 - plan->options.clamp);
        int32_t at = count++;
        for (; at > 0 && end[at - 1].t > t; at--) end[at] = end[at - 1];
        end[at] = (SnapEnd){i, label[j], t};
    }
    return count;
}

static double least_allowed(const LabelPlan *plan, int32_t e) {
    const int32_t *n = plan->mesh->tet[e];
    const double *x = plan->mesh->x;
    double own =
        fr_label_flatness(fr_get3(x, n[0]), fr_get3(x, n[1]), fr_get3(x, n[2]), fr_get3(x, n[3]));
    return fr_min(plan->options.flattest, FR_LABEL_OF_PARENT * own);
}

static bool too_flat(const LabelPlan *plan, int32_t e) {
    TetParts parts;
    fr_label_divide(plan, e, &parts);
    return fr_label_flattest(&parts) < least_allowed(plan, e);
}

// The first end whose joining the border leaves no part too flat joins it; where none does, the
// first. Returns the node; -1: none is left.
static int32_t mend_tet(LabelPlan *plan, int32_t e) {
    SnapEnd end[12];
    int32_t count = list_ends(plan, e, end), first = -1;
    for (int32_t k = 0; k < count; k++) {
        if (!add_region(plan, end[k].node, end[k].region)) continue;
        if (!too_flat(plan, e)) return end[k].node;
        plan->of[end[k].node].count--;
        if (first < 0) first = k;
    }
    if (first < 0) return -1;
    add_region(plan, end[first].node, end[first].region);
    return end[first].node;
}

static bool is_cut(const LabelPlan *plan, int32_t e) {
    const int32_t *n = plan->mesh->tet[e];
    for (int k = 0; k < 6; k++)
        if (!fr_label_common(&plan->of[n[fr_tet_edge[k][0]]], &plan->of[n[fr_tet_edge[k][1]]]))
            return true;
    return false;
}

FrResult fr_label_mend(LabelPlan *plan) {
    int32_t tets = plan->mesh->tet_count;
    FR_ARRAY(int32_t) queue = {0};
    bool *waits = FR_NEW(plan->ctx, bool, tets);
    bool room = waits && fr_array_reserve(plan->ctx, &queue, tets);
    for (int32_t e = 0; room && e < tets; e++)
        if ((waits[e] = is_cut(plan, e))) queue.data[queue.count++] = e;
    for (int32_t k = 0; room && k < queue.count; k++) {
        int32_t e = queue.data[k], stars;
        waits[e] = false;
        if (!is_cut(plan, e) || !too_flat(plan, e)) continue;
        int32_t node = mend_tet(plan, e);
        if (node < 0) continue;
        const int32_t *star = fr_cutmesh_star(plan->cut, node, &stars);
        for (int32_t s = 0; room && s < stars; s++)
            if (!waits[star[s]]) {
                room = fr_array_push(plan->ctx, &queue, star[s]);
                waits[star[s]] = true;
            }
    }
    fr_array_free(plan->ctx, &queue);
    fr_free(plan->ctx, waits);
    return room ? FR_OK : fr_no_memory(plan->ctx, "cutting by regions");
}
