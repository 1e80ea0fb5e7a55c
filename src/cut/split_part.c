// split_part.c: the two sides of a star, the faces between them that open, and nodes that come
// apart. [M7]

#include "cut/split_inside.h"
#include "base/groups.h"

// the side that a tet's corners are on; 0: on both. One that lies in the plane but for rounding is
// on the plus side.
static int8_t side_of(const Plan *plan, const PlanTet *tet) {
    int least = 0, most = 0;
    double sum = 0, size = 0;
    for (int i = 0; i < 4; i++) {
        const PlanNode *node = &plan->nodes.data[tet->n[i]];
        if (node->sign < least) least = -1;
        if (node->sign > most) most = 1;
        sum += node->d;
        size += fr_distance(node->p, plan->nodes.data[plan->o].p);
    }
    if (least < 0 && most > 0) return 0;
    return (int8_t)(least + most ? least + most : sum < -FR_SPLIT_ROUNDING * size ? -1 : 1);
}

static bool start_groups(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    plan->group.count = 0;
    if (!fr_array_reserve(cut->ctx, &plan->group, plan->tets.count)) return false;
    for (int32_t k = 0; k < plan->tets.count; k++) plan->group.data[k] = k;
    return true;
}

static bool is_barrier(const Plan *plan, uint64_t key) {
    uint64_t name = fr_plan_face_name(plan, (int32_t)(key >> 32), (int32_t)(uint32_t)key);
    for (int32_t k = 0; k < plan->barrier.count; k++)
        if (plan->barrier.data[k] == name) return true;
    return false;
}

// Label by flood fill: the parts of the star between the faces kept take the side that they have
// there. False: the faces kept do not divide the star.
static bool label_by_flood(Plan *plan) {
    int32_t *group = plan->group.data;
    const StarFace *face = plan->faces.data;
    for (int32_t k = 0; k + 1 < plan->faces.count; k++)
        if (face[k].key == face[k + 1].key && !is_barrier(plan, face[k].key))
            fr_group_join(group, face[k].tet, face[k + 1].tet);
    for (int32_t k = 0; k + 1 < plan->faces.count; k++) {
        if (face[k].key != face[k + 1].key || !is_barrier(plan, face[k].key)) continue;
        for (int s = 0; s < 2; s++) {
            PlanTet *tet = &plan->tets.data[face[k + s].tet];
            PlanTet *head = &plan->tets.data[fr_group_head(group, face[k + s].tet)];
            int8_t side = side_of(plan, tet);
            if (head->label && head->label != side) return false;
            head->label = side;
        }
    }
    for (int32_t k = 0; k < plan->faces.count; k++) {
        int32_t t = face[k].tet;
        plan->tets.data[t].label = plan->tets.data[fr_group_head(group, t)].label;
    }
    return true;
}

static void label_by_side(Plan *plan) {
    for (int32_t k = 0; k < plan->tets.count; k++) {
        PlanTet *tet = &plan->tets.data[k];
        if (!fr_tet_has(tet->n, plan->o)) continue;
        tet->label = side_of(plan, tet);
    }
}

static int8_t slot_of(const PlanTet *tet, int32_t v) {
    int8_t i = 0;
    while (i < 3 && tet->n[i] != v) i++;
    return i;
}

// the faces between the two labels open
static bool find_open_faces(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    plan->open.count = 0;
    for (int32_t k = 0; k + 1 < plan->faces.count; k++) {
        StarFace f = plan->faces.data[k], g = plan->faces.data[k + 1];
        if (f.key != g.key || plan->tets.data[f.tet].label == plan->tets.data[g.tet].label)
            continue;
        PlanFace open = {.plus = f.tet,
                         .minus = g.tet,
                         .u = (int32_t)(f.key >> 32),
                         .w = (int32_t)(uint32_t)f.key};
        if (plan->tets.data[f.tet].label < 0) open.plus = g.tet, open.minus = f.tet;
        const PlanTet *plus = &plan->tets.data[open.plus], *minus = &plan->tets.data[open.minus];
        int8_t apart = 0; // the corner of `plus` that is not on the face
        while (plus->n[apart] == plan->o || plus->n[apart] == open.u || plus->n[apart] == open.w)
            apart++;
        for (int i = 0; i < 3; i++) {
            open.plus_slot[i] = fr_tet_face[apart][i];
            open.minus_slot[i] = slot_of(minus, plus->n[open.plus_slot[i]]);
        }
        if (!fr_array_push(cut->ctx, &plan->open, open)) return false;
    }
    return true;
}

FrResult fr_plan_label(FrCutMesh *cut, bool *none) {
    Plan *plan = &cut->plan;
    bool divided = true;
    if (!fr_plan_star_faces(cut, plan->o) || !start_groups(cut))
        return fr_no_memory(cut->ctx, "splitting a node");
    if (plan->barrier.count)
        divided = label_by_flood(plan);
    else
        label_by_side(plan);
    if (divided && !find_open_faces(cut)) return fr_no_memory(cut->ctx, "splitting a node");
    *none = !divided || plan->open.count == 0;
    return FR_OK;
}

static void rename_corner(PlanTet *tet, int32_t from, int32_t to) {
    for (int i = 0; i < 4; i++)
        if (tet->n[i] == from) tet->n[i] = to;
}

// a node whose tets no longer hang together through faces gets a copy for each further part
static bool separate(FrCutMesh *cut, int32_t v) {
    Plan *plan = &cut->plan;
    PlanNode at = plan->nodes.data[v];
    if (at.a < 0) {
        NodeStar star = cut->star[at.id];
        for (int32_t k = 0; k < star.count; k++)
            if (!fr_plan_add_root(cut, cut->pool.data[star.start + k])) return false;
    }
    if (!fr_plan_star_faces(cut, v) || !start_groups(cut)) return false;
    int32_t *group = plan->group.data;
    const StarFace *face = plan->faces.data;
    for (int32_t k = 0; k + 1 < plan->faces.count; k++)
        if (face[k].key == face[k + 1].key) fr_group_join(group, face[k].tet, face[k + 1].tet);
    int32_t first = -1;
    for (int32_t k = 0; k < plan->tets.count; k++) {
        if (!fr_tet_has(plan->tets.data[k].n, v) || group[k] != k) continue;
        if (first < 0) {
            first = k;
            continue;
        }
        int32_t copy = fr_plan_new_node(cut, v, v, 0, -1);
        if (copy < 0) return false;
        plan->nodes.data[v].parted = true;
        for (int32_t j = k; j < plan->tets.count; j++)
            if (fr_group_head(group, j) == k) rename_corner(&plan->tets.data[j], v, copy);
    }
    return true;
}

// the split node's - side gets a copy of it; then nodes of open faces come apart where they must
bool fr_plan_part(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    plan->q = fr_plan_new_node(cut, plan->o, plan->o, 0, -1);
    if (plan->q < 0) return false;
    for (int32_t k = 0; k < plan->tets.count; k++)
        if (plan->tets.data[k].label < 0) rename_corner(&plan->tets.data[k], plan->o, plan->q);
    for (int32_t k = 0; k < plan->open.count; k++) {
        plan->nodes.data[plan->open.data[k].u].open = true;
        plan->nodes.data[plan->open.data[k].w].open = true;
    }
    int32_t count = plan->q;
    if (!separate(cut, plan->o) || !separate(cut, plan->q)) return false;
    for (int32_t v = 0; v < count; v++)
        if (plan->nodes.data[v].open && !separate(cut, v)) return false;
    return true;
}
