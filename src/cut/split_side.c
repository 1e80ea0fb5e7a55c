// split_side.c: which nodes of a star lie on the plane that splits it, and on which side the
// others. [M7]

#include "cut/split_inside.h"
#include "cut/cut_tuning.h"

// which side of the plane each node of the star is on; near ones lie on it [S2 4.3, S6 4.1.3]
static void classify(Plan *plan, FrVec3 normal, const FrSplitOptions *options) {
    FrVec3 at = plan->nodes.data[plan->o].p;
    double mean = 0, sine = sin(options->snap_angle);
    for (int32_t k = 0; k < plan->nodes.count; k++) mean += fr_distance(plan->nodes.data[k].p, at);
    mean /= fr_max_i(plan->nodes.count - 1, 1);
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        PlanNode *node = &plan->nodes.data[k];
        FrVec3 r = fr_sub(node->p, at);
        node->d = k == plan->o ? 0 : fr_dot(r, normal);
        bool near = fabs(node->d) <= options->snap_distance * mean ||
                    fabs(node->d) <= sine * fr_length(r) || plan->mend.data[k] & FR_MEND_SNAPS ||
                    (node->front && fabs(node->d) <= FR_FRONT_SNAP * fr_length(r));
        node->sign = near || options->along_faces ? 0 : node->d > 0 ? 1 : -1;
    }
}

// A plane has two normals, and which one comes depends on rounding and on the frame; but one side
// keeps the number of the node, and later cuts go by numbers. So the normal is turned to the side
// of the lowest-numbered node of the star that is well off the plane.
static FrVec3 turned(const Plan *plan, FrVec3 normal) {
    FrVec3 at = plan->nodes.data[plan->o].p;
    double most = 0, side = 0;
    int32_t lowest = INT32_MAX;
    for (int32_t k = 0; k < plan->nodes.count; k++)
        most = fr_max(most, fabs(fr_dot(fr_sub(plan->nodes.data[k].p, at), normal)));
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        const PlanNode *node = &plan->nodes.data[k];
        double d = fr_dot(fr_sub(node->p, at), normal);
        if (fabs(d) > FR_WELL_OFF * most && node->id < lowest) lowest = node->id, side = d;
    }
    return side < 0 ? fr_neg(normal) : normal;
}

// cut points too near an end of their edge: that end lies on the plane. Nodes are marked first, so
// that the order of edges plays no part.
static void snap_ends(Plan *plan) {
    for (int32_t e = 0; e < plan->tets.count; e++)
        for (int k = 0; k < 6; k++) {
            PlanNode *a = &plan->nodes.data[plan->tets.data[e].n[fr_tet_edge[k][0]]];
            PlanNode *b = &plan->nodes.data[plan->tets.data[e].n[fr_tet_edge[k][1]]];
            if (a->sign * b->sign >= 0) continue;
            double t = a->d / (a->d - b->d);
            if (t < FR_END_MARGIN) a->open = true;
            if (t > 1 - FR_END_MARGIN) b->open = true;
        }
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        if (plan->nodes.data[k].open) plan->nodes.data[k].sign = 0;
        plan->nodes.data[k].open = false;
    }
}

// Faces of the surface at the split node that lie within the back angle of the plane: their corners
// lie on it, so that the new crack meets an old one, or the surface, instead of running along it.
// [M8]
static bool meet_surface(FrCutMesh *cut, FrVec3 normal, double back_angle) {
    Plan *plan = &cut->plan;
    FrVec3 o = plan->nodes.data[plan->o].p;
    double cosine = cos(fr_min(back_angle, 0.5 * FR_PI));
    if (!fr_plan_star_faces(cut, plan->o)) return false;
    for (int32_t k = 0; k < plan->faces.count; k++) {
        uint64_t key = plan->faces.data[k].key;
        if (!fr_plan_on_surface(plan, k)) continue;
        PlanNode *u = &plan->nodes.data[key >> 32], *w = &plan->nodes.data[(uint32_t)key];
        FrVec3 across = fr_cross(fr_sub(u->p, o), fr_sub(w->p, o));
        if (fabs(fr_dot(across, normal)) >= cosine * fr_length(across)) u->sign = w->sign = 0;
    }
    return true;
}

bool fr_plan_take_sides(FrCutMesh *cut, const FrSplitOptions *options, FrVec3 *normal) {
    Plan *plan = &cut->plan;
    *normal = turned(plan, *normal);
    classify(plan, *normal, options);
    if (options->back_angle > 0 && !meet_surface(cut, *normal, options->back_angle)) return false;
    snap_ends(plan);
    return true;
}
