// split_mend.c: cuts that would leave flat tets: move their points along the edges, snap nodes, or
// leave nodes where they are.
// [M7]

#include "cut/split_inside.h"
#include "cut/cut_tuning.h"

static const double margins[] = {FR_CUT_MARGIN, FR_CUT_MARGIN_NEXT};

// of a tet of the mesh
static double height_before(const FrCutMesh *cut, const PlanTet *tet) {
    const int32_t *n = cut->plan.roots.data[tet->root].node;
    const double *x = cut->mesh.x;
    return fr_tet_height(fr_get3(x, n[0]), fr_get3(x, n[1]), fr_get3(x, n[2]), fr_get3(x, n[3]));
}

static FrMat3 edges_of(const FrVec3 x[4]) {
    return fr_mat3(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]), fr_sub(x[3], x[0]));
}

// dp/dx of a tet
static FrMat3 gradient_of(const FrVec3 x[4], const FrVec3 p[4]) {
    return fr_mat3_mul(edges_of(p), fr_mat3_inverse(edges_of(x)));
}

// would a move strain it by more than is allowed?
static bool is_bent(const FrCutMesh *cut, const FrSplitOptions *options, const PlanTet *tet) {
    const int32_t *n = cut->plan.roots.data[tet->root].node;
    FrVec3 x[2][4], p[2][4];
    for (int i = 0; i < 4; i++) {
        const PlanNode *node = &cut->plan.nodes.data[tet->n[i]];
        x[0][i] = fr_get3(cut->mesh.x, n[i]), p[0][i] = fr_get3(cut->p, n[i]);
        x[1][i] = node->x, p[1][i] = node->p;
    }
    FrMat3 change = fr_mat3_axpy(-1, gradient_of(x[0], p[0]), gradient_of(x[1], p[1]));
    return !(fr_mat3_norm(change) <= options->move);
}

static bool is_poor(const FrCutMesh *cut, const FrSplitOptions *options, const PlanTet *tet) {
    const PlanNode *node = cut->plan.nodes.data;
    bool moved = fr_plan_has_moved(&cut->plan, tet);
    if (tet->part == 1 && !moved) return false;
    double least = options->min_height * cut->height[cut->plan.roots.data[tet->root].e];
    if (tet->part == 1) least = fr_min(least, height_before(cut, tet));
    if (moved && is_bent(cut, options, tet)) return true;
    double height =
        fr_tet_height(node[tet->n[0]].x, node[tet->n[1]].x, node[tet->n[2]].x, node[tet->n[3]].x);
    return tet->part < options->min_quality || !(height > 0) ||
           height < (1 - 0.5 * FR_SPLIT_ROUNDING) * least;
}

bool fr_plan_good(const FrCutMesh *cut, const FrSplitOptions *options) {
    for (int32_t k = 0; k < cut->plan.tets.count; k++)
        if (is_poor(cut, options, &cut->plan.tets.data[k])) return false;
    return true;
}

// how near the plane passes by an end of the edge, fraction of the edge
static double nearness(const Plan *plan, const PlanEdge *edge) {
    double a = fabs(plan->nodes.data[edge->a].d), b = fabs(plan->nodes.data[edge->b].d);
    return fr_min(a, b) / (a + b);
}

// the end nearer to the plane lies on it; false: it is too far off
static bool snap_end(Plan *plan, const PlanEdge *edge) {
    double a = fabs(plan->nodes.data[edge->a].d), b = fabs(plan->nodes.data[edge->b].d);
    int32_t end = a <= (1 + FR_SPLIT_ROUNDING) * b ? edge->a : edge->b;
    const PlanNode *node = &plan->nodes.data[end];
    if (fabs(node->d) > FR_MOST_SNAP * fr_distance(node->p, plan->nodes.data[plan->o].p))
        return false;
    plan->mend.data[end] |= FR_MEND_SNAPS;
    return true;
}

static FrVec3 cut_place(const Plan *plan, const PlanEdge *edge) {
    const PlanNode *a = &plan->nodes.data[edge->a], *b = &plan->nodes.data[edge->b];
    return fr_lerp(a->x, b->x, a->d / (a->d - b->d));
}

static bool is_cut(const Plan *plan, const PlanEdge *edge) {
    return plan->nodes.data[edge->a].sign * plan->nodes.data[edge->b].sign < 0;
}

static double edge_length(const Plan *plan, const PlanEdge *edge) {
    return fr_distance(plan->nodes.data[edge->a].x, plan->nodes.data[edge->b].x);
}

// does the plane cut both alike, at about the same place? The sides of a thin wall, for instance
static bool beside(const Plan *plan, const PlanEdge *e, const PlanEdge *f, double together) {
    if (!is_cut(plan, f) || fabs(nearness(plan, e) - nearness(plan, f)) > FR_CUT_ALIKE)
        return false;
    double apart = fr_distance(cut_place(plan, e), cut_place(plan, f));
    return apart < together * fr_min(edge_length(plan, e), edge_length(plan, f));
}

// the next margin for this cut point; 0: the end near it is to snap
static double next_margin(const Plan *plan, const PlanEdge *edge, double snap_part) {
    double near = nearness(plan, edge);
    for (size_t k = 0; k < sizeof margins / sizeof *margins; k++) {
        if (margins[k] <= edge->margin || near >= margins[k]) continue;
        return near < snap_part * margins[k] ? 0 : margins[k];
    }
    return 0;
}

// Move the cut point away from the end near it, or snap that end; likewise those beside it.
static bool press(Plan *plan, PlanEdge *edge, const FrSplitOptions *options) {
    if (edge->pressed) return true;
    edge->pressed = true;
    double margin = next_margin(plan, edge, options->snap_part);
    if (!(margin > 0) && !snap_end(plan, edge)) return false;
    edge->margin = fr_max(edge->margin, margin);
    for (int32_t k = 0; options->together > 0 && k < plan->edges.count; k++) {
        PlanEdge *other = &plan->edges.data[k];
        if (other->pressed || !beside(plan, edge, other, options->together)) continue;
        other->pressed = true;
        other->margin = fr_max(other->margin, margin);
        if (!(margin > 0)) snap_end(plan, other);
    }
    return true;
}

// the cut edge of this child whose end is nearest to the plane; -1: none
static int32_t worst_edge(const Plan *plan, const PlanTet *tet) {
    int32_t worst = -1;
    for (int i = 0; i < 4; i++) {
        int32_t edge = plan->nodes.data[tet->n[i]].edge;
        if (edge < 0) continue;
        if (worst < 0 || nearness(plan, &plan->edges.data[edge]) <
                             nearness(plan, &plan->edges.data[worst]) - FR_SPLIT_ROUNDING)
            worst = edge;
    }
    return worst;
}

// its corners that would move stay; false: there are none
static bool keep_in_place(Plan *plan, const PlanTet *tet) {
    if (!fr_plan_has_moved(plan, tet)) return false;
    for (int i = 0; i < 4; i++)
        if (plan->nodes.data[tet->n[i]].to >= 0) plan->mend.data[tet->n[i]] |= FR_MEND_STAYS;
    return true;
}

bool fr_plan_mend(FrCutMesh *cut, const FrSplitOptions *options) {
    Plan *plan = &cut->plan;
    bool changed = false;
    for (int32_t k = 0; k < plan->edges.count; k++) plan->edges.data[k].pressed = false;
    for (int32_t k = 0; k < plan->tets.count; k++) {
        const PlanTet *tet = &plan->tets.data[k];
        if (!is_poor(cut, options, tet)) continue;
        if (keep_in_place(plan, tet)) {
            changed = true;
            continue;
        }
        int32_t edge = worst_edge(plan, tet);
        if (edge >= 0 && press(plan, &plan->edges.data[edge], options)) changed = true;
    }
    return changed;
}
