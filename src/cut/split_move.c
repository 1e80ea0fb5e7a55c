// split_move.c: nodes beside the plane of a split move onto it, so that cracks leave the faces of
// the mesh. [M7]

#include "cut/split_inside.h"
#include "cut/cut_tuning.h"

// twice the area of a face, as a vector; corner `node` may have moved to x
static FrVec3 face_area(const FrCutMesh *cut, int32_t e, int face, int32_t node, FrVec3 x) {
    FrVec3 at[3];
    for (int k = 0; k < 3; k++) {
        int32_t n = cut->mesh.tet[e][fr_tet_face[face][k]];
        at[k] = n == node ? x : fr_get3(cut->mesh.x, n);
    }
    return fr_cross(fr_sub(at[1], at[0]), fr_sub(at[2], at[0]));
}

// Would the solid keep its shape, and cracks end where they do? Then all faces of the surface round
// the node hold the way, and have the same area together after it.
static bool slides(const FrCutMesh *cut, int32_t node, FrVec3 way) {
    const NodeStar *star = &cut->star[node];
    FrVec3 from = fr_get3(cut->mesh.x, node);
    double before = 0, after = 0;
    for (int32_t k = 0; k < 4 * star->count; k++) {
        int32_t e = cut->pool.data[star->start + k / 4];
        int i = k % 4;
        if (cut->mesh.tet[e][i] == node || cut->opened[e][i] == FR_FACE_INNER) continue;
        FrVec3 area = face_area(cut, e, i, node, from);
        if (fabs(fr_dot(area, way)) > FR_SPLIT_ROUNDING * fr_length(area) * fr_length(way))
            return false;
        before += fr_length(area);
        after += fr_length(face_area(cut, e, i, node, fr_add(from, way)));
    }
    return fabs(after - before) <= FR_SPLIT_ROUNDING * before;
}

// masses would change where stuffs meet
static bool one_stuff(const FrCutMesh *cut, int32_t node) {
    const NodeStar *star = &cut->star[node];
    const int32_t *region = cut->mesh.region, *e = &cut->pool.data[star->start];
    for (int32_t k = 1; region && k < star->count; k++)
        if (region[e[k]] != region[e[0]]) return false;
    return true;
}

// one that lies on the plane, or will
static bool on_plane(const FrCutMesh *cut, int32_t node) {
    int32_t k = cut->local_node[node];
    return k >= 0 && cut->plan.nodes.data[k].sign == 0;
}

// the shortest way to the plane along an edge; node->to stays -1: there is none
static void find_way(const FrCutMesh *cut, FrVec3 normal, PlanNode *node) {
    FrVec3 at = cut->plan.nodes.data[cut->plan.o].p;
    const NodeStar *star = &cut->star[node->id];
    double shortest = HUGE_VAL;
    for (int32_t k = 0; k < 4 * star->count; k++) {
        int32_t to = cut->mesh.tet[cut->pool.data[star->start + k / 4]][k % 4];
        double d = fr_dot(fr_sub(fr_get3(cut->p, to), at), normal);
        if (to == node->to || on_plane(cut, to) || d * node->d >= 0) continue;
        FrVec3 edge = fr_sub(fr_get3(cut->mesh.x, to), node->x);
        double t = node->d / (node->d - d), way = t * fr_length(edge);
        bool alike = fabs(way - shortest) <= FR_SPLIT_ROUNDING * way;
        if (t > FR_MOST_WAY || (alike ? to > node->to : way > shortest)) continue;
        if (!slides(cut, node->id, fr_scale(t, edge))) continue;
        shortest = way;
        node->to = to;
        node->t = t;
    }
}

void fr_plan_move(FrCutMesh *cut, const FrSplitOptions *options, FrVec3 normal) {
    Plan *plan = &cut->plan;
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        PlanNode *node = &plan->nodes.data[k];
        double size = fr_distance(node->p, plan->nodes.data[plan->o].p);
        if (k == plan->o || node->sign || fabs(node->d) <= FR_SPLIT_ROUNDING * size ||
            plan->mend.data[k] & FR_MEND_STAYS || (options->held && options->held[node->id]) ||
            !one_stuff(cut, node->id))
            continue;
        find_way(cut, normal, node);
        if (node->to < 0) continue;
        node->was_x = node->x;
        node->was_p = node->p;
        node->x = fr_lerp(node->x, fr_get3(cut->mesh.x, node->to), node->t);
        node->p = fr_lerp(node->p, fr_get3(cut->p, node->to), node->t);
        node->d = 0;
    }
}

bool fr_plan_add_moved(FrCutMesh *cut) {
    const Plan *plan = &cut->plan;
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        if (plan->nodes.data[k].to < 0) continue;
        NodeStar star = cut->star[plan->nodes.data[k].id];
        for (int32_t j = 0; j < star.count; j++)
            if (!fr_plan_add_root(cut, cut->pool.data[star.start + j])) return false;
    }
    return true;
}

bool fr_plan_has_moved(const Plan *plan, const PlanTet *tet) {
    for (int i = 0; i < 4; i++)
        if (plan->nodes.data[tet->n[i]].to >= 0) return true;
    return false;
}
