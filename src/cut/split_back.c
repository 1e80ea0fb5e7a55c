// split_back.c: keep a crack from running back along a surface that is there already. [M8]

#include "cut/split_inside.h"
#include "cut/cut_tuning.h"

// first face with this key; -1: none
static int32_t find_face(const Plan *plan, uint64_t key) {
    int32_t lo = 0, hi = plan->faces.count;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (plan->faces.data[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < plan->faces.count && plan->faces.data[lo].key == key ? lo : -1;
}

// the tet on the other side of a face round the split node; -1: the surface
static int32_t behind(const Plan *plan, int32_t tet, uint64_t key) {
    int32_t k = find_face(plan, key);
    if (k + 1 >= plan->faces.count || plan->faces.data[k + 1].key != key) return -1;
    return plan->faces.data[k].tet == tet ? plan->faces.data[k + 1].tet : plan->faces.data[k].tet;
}

// nodes of faces that are on the surface already; false: there are none
static bool mark_rim(Plan *plan) {
    bool any = false;
    for (int32_t k = 0; k < plan->nodes.count; k++) plan->nodes.data[k].rim = false;
    for (int32_t k = 0; k < plan->faces.count; k++) {
        uint64_t key = plan->faces.data[k].key;
        if (!fr_plan_on_surface(plan, k)) continue;
        plan->nodes.data[key >> 32].rim = true;
        plan->nodes.data[(uint32_t)key].rim = true;
        any = true;
    }
    return any;
}

// angle between the half-planes from the edge o u towards w and x, rad
static double dihedral(const Plan *plan, int32_t u, int32_t w, int32_t x) {
    FrVec3 o = plan->nodes.data[plan->o].p;
    FrVec3 e = fr_normalize(fr_sub(plan->nodes.data[u].p, o));
    FrVec3 a = fr_sub(plan->nodes.data[w].p, o), b = fr_sub(plan->nodes.data[x].p, o);
    a = fr_axpy(-fr_dot(a, e), e, a);
    b = fr_axpy(-fr_dot(b, e), e, b);
    return atan2(fr_length(fr_cross(a, b)), fr_dot(a, b));
}

// the angle through the material from the face o u w to the surface, starting into `tet`, rad
static double angle_to_surface(const Plan *plan, int32_t u, int32_t w, int32_t tet) {
    double sum = 0;
    for (int32_t step = 0; tet >= 0 && step < plan->tets.count; step++) {
        const int32_t *n = plan->tets.data[tet].n;
        int i = 0;
        while (n[i] == plan->o || n[i] == u || n[i] == w) i++;
        sum += dihedral(plan, u, w, n[i]);
        w = n[i];
        tet = behind(plan, tet, fr_pair_key(u, w));
    }
    return sum;
}

// Faces of the crack that meet inside the material make one sector.
static void find_sectors(Plan *plan) {
    for (int32_t k = 0; k < plan->open.count; k++) plan->open.data[k].sector = k;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t a = 0; a < plan->open.count; a++)
            for (int32_t b = 0; b < plan->open.count; b++) {
                PlanFace *f = &plan->open.data[a], *g = &plan->open.data[b];
                bool meet = ((f->u == g->u || f->u == g->w) && !plan->nodes.data[f->u].rim) ||
                            ((f->w == g->u || f->w == g->w) && !plan->nodes.data[f->w].rim);
                if (!meet || f->sector >= g->sector) continue;
                g->sector = f->sector;
                changed = true;
            }
    }
}

// the smaller angle of an open face with the surface at its corner u
static double end_angle(const Plan *plan, const PlanFace *f, int32_t u) {
    int32_t w = f->u == u ? f->w : f->u;
    return fr_min(angle_to_surface(plan, u, w, f->plus), angle_to_surface(plan, u, w, f->minus));
}

// angle[s]: the largest angle at an end of sector s (no end: a full turn); false: no memory
static bool measure_sectors(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    plan->angle.count = 0;
    if (!fr_array_reserve(cut->ctx, &plan->angle, plan->open.count)) return false;
    for (int32_t k = 0; k < plan->open.count; k++) plan->angle.data[k] = -1;
    for (int32_t k = 0; k < plan->open.count; k++)
        for (int side = 0; side < 2; side++) {
            const PlanFace *f = &plan->open.data[k];
            int32_t u = side ? f->w : f->u;
            if (!plan->nodes.data[u].rim) continue;
            double *most = &plan->angle.data[f->sector];
            *most = fr_max(*most, end_angle(plan, f, u));
        }
    for (int32_t k = 0; k < plan->open.count; k++)
        if (plan->angle.data[k] < 0) plan->angle.data[k] = 2 * FR_PI;
    return true;
}

// Only the sectors kept are cut when the plan is made anew.
static bool drop_sectors(FrCutMesh *cut, double least) {
    Plan *plan = &cut->plan;
    for (int32_t k = 0; k < plan->edges.count; k++) plan->edges.data[k].dropped = true;
    for (int32_t k = 0; k < plan->open.count; k++) {
        const PlanFace *f = &plan->open.data[k];
        if (plan->angle.data[f->sector] < least) continue;
        for (int s = 0; s < 2; s++) {
            int32_t edge = plan->nodes.data[s ? f->w : f->u].edge;
            if (edge >= 0) plan->edges.data[edge].dropped = false;
        }
        if (!fr_array_push(cut->ctx, &plan->barrier, fr_plan_face_name(plan, f->u, f->w)))
            return false;
    }
    return true;
}

// Departs from M8: where the plane opens several sectors (a turned crack tip has one ahead and one
// behind), only the one that leaves the surface most steeply is cut, and others that are no less
// steep than a right angle, so that the new surface hangs together.
FrResult fr_plan_avoid_back(FrCutMesh *cut, double back_angle, bool *again, bool *void_split) {
    Plan *plan = &cut->plan;
    if (plan->barrier.count || !mark_rim(plan)) return FR_OK;
    find_sectors(plan);
    if (!measure_sectors(cut)) return fr_no_memory(cut->ctx, "splitting a node");
    double best = 0, worst = 2 * FR_PI;
    for (int32_t k = 0; k < plan->open.count; k++) {
        double angle = plan->angle.data[plan->open.data[k].sector];
        best = fr_max(best, angle);
        worst = fr_min(worst, angle);
    }
    *void_split = best < back_angle - FR_SAME_ANGLE;
    if (*void_split) return FR_OK;
    double least = fr_max(back_angle, fr_min(best, 0.5 * FR_PI)) - FR_SAME_ANGLE;
    *again = worst < least;
    if (*again && !drop_sectors(cut, least)) return fr_no_memory(cut->ctx, "splitting a node");
    return FR_OK;
}
