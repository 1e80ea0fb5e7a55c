// split_edges.c: edges of a star that a plane crosses, cut in an order that makes good tets. [M7]

#include "cut/split_inside.h"
#include "cut/cut_tuning.h"

// long ones first: their halves make better tets than those of short ones [after Rivara]
static bool comes_later(const PlanEdge *a, const PlanEdge *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->key > b->key;
}

static void sort_edges(PlanEdge *edge, int32_t count) {
    for (int32_t gap = count / 2; gap > 0; gap /= 2)
        for (int32_t i = gap; i < count; i++) {
            PlanEdge one = edge[i];
            int32_t j = i;
            for (; j >= gap && comes_later(&edge[j - gap], &one); j -= gap) edge[j] = edge[j - gap];
            edge[j] = one;
        }
}

static double longest_edge(const Plan *plan) {
    double most2 = 0;
    for (int32_t e = 0; e < plan->tets.count; e++)
        for (int k = 0; k < 6; k++) {
            const int32_t *n = plan->tets.data[e].n;
            most2 = fr_max(most2, fr_length2(fr_sub(plan->nodes.data[n[fr_tet_edge[k][0]]].x,
                                                    plan->nodes.data[n[fr_tet_edge[k][1]]].x)));
        }
    return sqrt(most2);
}

// edges of the star with an end on either side, once each, in the order in which they are cut
static bool find_edges(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    double longest = longest_edge(plan);
    for (int32_t e = 0; e < plan->tets.count; e++)
        for (int k = 0; k < 6; k++) {
            int32_t a = plan->tets.data[e].n[fr_tet_edge[k][0]];
            int32_t b = plan->tets.data[e].n[fr_tet_edge[k][1]];
            const PlanNode *na = &plan->nodes.data[a], *nb = &plan->nodes.data[b];
            if (na->sign * nb->sign >= 0) continue;
            PlanEdge edge = {.a = na->id < nb->id ? a : b,
                             .b = na->id < nb->id ? b : a,
                             .rank = (int32_t)(FR_EDGE_RANKS * fr_distance(na->x, nb->x) / longest +
                                               FR_RANK_START),
                             .key = fr_pair_key(na->id, nb->id)};
            if (!fr_array_push(cut->ctx, &plan->edges, edge)) return false;
        }
    sort_edges(plan->edges.data, plan->edges.count);
    int32_t kept = 0;
    for (int32_t k = 0; k < plan->edges.count; k++)
        if (!kept || plan->edges.data[kept - 1].key != plan->edges.data[k].key)
            plan->edges.data[kept++] = plan->edges.data[k];
    plan->edges.count = kept;
    return true;
}

// the tets that have both ends of an edge, from two ascending lists
static bool add_edge_tets(FrCutMesh *cut, int32_t a, int32_t b) {
    NodeStar sa = cut->star[a], sb = cut->star[b];
    for (int32_t i = 0, j = 0; i < sa.count && j < sb.count;) {
        int32_t ea = cut->pool.data[sa.start + i], eb = cut->pool.data[sb.start + j];
        if (ea == eb && !fr_plan_add_root(cut, ea)) return false;
        i += ea <= eb;
        j += eb <= ea;
    }
    return true;
}

// every tet with the edge a b becomes two with c on it
static bool bisect(FrCutMesh *cut, int32_t a, int32_t b, int32_t c, double t) {
    Plan *plan = &cut->plan;
    int32_t count = plan->tets.count;
    for (int32_t k = 0; k < count; k++) {
        if (!fr_tet_has(plan->tets.data[k].n, a) || !fr_tet_has(plan->tets.data[k].n, b)) continue;
        PlanTet far = plan->tets.data[k];
        PlanTet *near = &plan->tets.data[k];
        for (int i = 0; i < 4; i++) {
            if (near->n[i] == b) near->n[i] = c;
            if (far.n[i] == a) far.n[i] = c;
        }
        near->next = plan->tets.count;
        near->part *= t;
        far.part *= 1 - t;
        if (!fr_array_push(cut->ctx, &plan->tets, far)) return false;
    }
    return true;
}

double fr_plan_cut_point(const Plan *plan, const PlanEdge *edge) {
    const PlanNode *a = &plan->nodes.data[edge->a], *b = &plan->nodes.data[edge->b];
    return fr_clamp(a->d / (a->d - b->d), edge->margin, 1 - edge->margin);
}

bool fr_plan_cut_edges(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    if (!plan->edges.count && !find_edges(cut)) return false;
    for (int32_t k = 0; k < plan->edges.count; k++) {
        PlanEdge edge = plan->edges.data[k];
        const PlanNode *a = &plan->nodes.data[edge.a], *b = &plan->nodes.data[edge.b];
        if (edge.dropped || a->sign * b->sign >= 0) continue;
        double t = fr_plan_cut_point(plan, &edge);
        if (!add_edge_tets(cut, a->id, b->id)) return false;
        int32_t c = fr_plan_new_node(cut, edge.a, edge.b, t, k);
        if (c < 0 || !bisect(cut, edge.a, edge.b, c, t)) return false;
    }
    return true;
}
