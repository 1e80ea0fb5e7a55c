// split_plan.c: what splitting a node along a plane would do, worked out beside the mesh. [M7]

#include "cut/split_inside.h"
#include "cut/cut_tuning.h"

void fr_plan_forget(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    for (int32_t k = 0; k < plan->nodes.count; k++)
        if (plan->nodes.data[k].a < 0) cut->local_node[plan->nodes.data[k].id] = -1;
    for (int32_t k = 0; k < plan->roots.count; k++) cut->local_tet[plan->roots.data[k].e] = -1;
    plan->nodes.count = plan->tets.count = plan->roots.count = plan->open.count = 0;
    plan->new_nodes = plan->new_tets = 0;
    plan->q = -1;
}

// the plan's name for a node of the mesh; -1: no memory
static int32_t plan_node(FrCutMesh *cut, int32_t id) {
    if (cut->local_node[id] >= 0) return cut->local_node[id];
    PlanNode node = {.id = id,
                     .a = -1,
                     .b = -1,
                     .edge = -1,
                     .to = -1,
                     .x = fr_get3(cut->mesh.x, id),
                     .p = fr_get3(cut->p, id)};
    if (!fr_array_push(cut->ctx, &cut->plan.nodes, node)) return -1;
    return cut->local_node[id] = cut->plan.nodes.count - 1;
}

int32_t fr_plan_new_node(FrCutMesh *cut, int32_t a, int32_t b, double t, int32_t edge) {
    Plan *plan = &cut->plan;
    PlanNode node = plan->nodes.data[a];
    const PlanNode *to = &plan->nodes.data[b];
    node.id = cut->mesh.node_count + plan->new_nodes;
    node.a = a;
    node.b = b;
    node.t = t;
    node.edge = edge;
    node.to = -1;
    if (a != b) {
        node.x = fr_lerp(node.x, to->x, t);
        node.p = fr_lerp(node.p, to->p, t);
        node.d = 0;
        node.sign = 0;
    }
    node.in_star = true;
    node.rim = node.front = node.open = node.parted = false;
    if (!fr_array_push(cut->ctx, &plan->nodes, node)) return -1;
    plan->new_nodes++;
    return plan->nodes.count - 1;
}

bool fr_plan_add_root(FrCutMesh *cut, int32_t e) {
    Plan *plan = &cut->plan;
    if (cut->local_tet[e] >= 0) return true;
    PlanRoot root = {.e = e, .first = plan->tets.count};
    PlanTet tet = {.root = plan->roots.count, .next = -1, .part = 1};
    for (int i = 0; i < 4; i++) {
        root.node[i] = cut->mesh.tet[e][i];
        tet.n[i] = plan_node(cut, root.node[i]);
        if (tet.n[i] < 0) return false;
    }
    if (!fr_array_reserve(cut->ctx, &plan->roots, 1) || !fr_array_reserve(cut->ctx, &plan->tets, 1))
        return false;
    cut->local_tet[e] = plan->roots.count;
    plan->roots.data[plan->roots.count++] = root;
    plan->tets.data[plan->tets.count++] = tet;
    return true;
}

static bool gather_star(FrCutMesh *cut, int32_t node) {
    Plan *plan = &cut->plan;
    plan->o = plan_node(cut, node);
    if (plan->o < 0) return false;
    const NodeStar *star = &cut->star[node];
    for (int32_t k = 0; k < star->count; k++)
        if (!fr_plan_add_root(cut, cut->pool.data[star->start + k])) return false;
    for (int32_t k = 0; k < plan->nodes.count; k++) plan->nodes.data[k].in_star = true;
    return true;
}

static void sort_faces(StarFace *face, int32_t count) {
    for (int32_t gap = count / 2; gap > 0; gap /= 2)
        for (int32_t i = gap; i < count; i++) {
            StarFace one = face[i];
            int32_t j = i;
            for (; j >= gap && (face[j - gap].key > one.key ||
                                (face[j - gap].key == one.key && face[j - gap].tet > one.tet));
                 j -= gap)
                face[j] = face[j - gap];
            face[j] = one;
        }
}

bool fr_plan_star_faces(FrCutMesh *cut, int32_t v) {
    Plan *plan = &cut->plan;
    plan->faces.count = 0;
    for (int32_t k = 0; k < plan->tets.count; k++) {
        const int32_t *n = plan->tets.data[k].n;
        if (!fr_tet_has(plan->tets.data[k].n, v)) continue;
        int32_t link[3], count = 0;
        for (int i = 0; i < 4; i++)
            if (n[i] != v) link[count++] = n[i];
        if (!fr_array_reserve(cut->ctx, &plan->faces, 3)) return false;
        for (int i = 0; i < 3; i++)
            plan->faces.data[plan->faces.count++] =
                (StarFace){fr_pair_key(link[i], link[(i + 1) % 3]), k};
    }
    sort_faces(plan->faces.data, plan->faces.count);
    return true;
}

static uint32_t node_name(const PlanNode *node) {
    return node->edge >= 0 ? 0x80000000u | (uint32_t)node->edge : (uint32_t)node->id;
}

uint64_t fr_plan_face_name(const Plan *plan, int32_t u, int32_t w) {
    uint32_t a = node_name(&plan->nodes.data[u]), b = node_name(&plan->nodes.data[w]);
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// which tets of the mesh change, and how many more there will be
static void count_changes(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    for (int32_t r = 0; r < plan->roots.count; r++) {
        PlanRoot *root = &plan->roots.data[r];
        root->touched = false;
        for (int32_t k = root->first; k >= 0; k = plan->tets.data[k].next) {
            if (k != root->first) plan->new_tets++;
            for (int i = 0; i < 4; i++)
                root->touched |= plan->nodes.data[plan->tets.data[k].n[i]].id != root->node[i] ||
                                 plan->nodes.data[plan->tets.data[k].n[i]].to >= 0;
        }
    }
}

// What the plane does to the star, with what was mended so far; *none: one side is empty.
static FrResult lay_out(FrCutMesh *cut, int32_t node, FrVec3 normal, const FrSplitOptions *options,
                        bool *none) {
    Plan *plan = &cut->plan;
    plan->barrier.count = 0;
    for (int32_t k = 0; k < plan->edges.count; k++) plan->edges.data[k].dropped = false;
    for (bool again = true, first = true; again && !*none; first = false) {
        again = false;
        fr_plan_forget(cut);
        if (!gather_star(cut, node) ||
            !fr_array_extend(cut->ctx, &plan->mend, plan->nodes.count - plan->mend.count))
            return fr_no_memory(cut->ctx, "splitting a node");
        FrVec3 plane = fr_plan_turn(cut, options, normal);
        if (!fr_plan_take_sides(cut, options, &plane))
            return fr_no_memory(cut->ctx, "splitting a node");
        if (options->move > 0 && !options->along_faces) fr_plan_move(cut, options, plane);
        if (!fr_plan_cut_edges(cut) || !fr_plan_add_moved(cut))
            return fr_no_memory(cut->ctx, "splitting a node");
        FR_TRY(fr_plan_label(cut, none));
        // once, if at all: what is kept then is not looked at again
        if (!*none && options->back_angle > 0 && first)
            FR_TRY(fr_plan_avoid_back(cut, options->back_angle, &again, none));
    }
    return FR_OK;
}

// would a face open that does not stand upright at all?
static bool lies_flat(const Plan *plan, FrVec3 upright) {
    const PlanNode *node = plan->nodes.data;
    for (int32_t k = 0; k < plan->open.count; k++) {
        FrVec3 o = node[plan->o].p;
        FrVec3 u = node[plan->open.data[k].u].p, w = node[plan->open.data[k].w].p;
        FrVec3 across = fr_cross(fr_sub(u, o), fr_sub(w, o));
        if (fabs(fr_dot(across, upright)) > FR_LIES_FLAT * fr_length(across)) return true;
    }
    return false;
}

FrResult fr_plan_make(FrCutMesh *cut, int32_t node, FrVec3 normal, const FrSplitOptions *options,
                      FrSplitOutcome *outcome) {
    Plan *plan = &cut->plan;
    bool none = false;
    plan->edges.count = plan->mend.count = 0;
    for (int k = 0; k <= FR_MENDS; k++) {
        *outcome = FR_SPLIT_VOID;
        FR_TRY(lay_out(cut, node, normal, options, &none));
        if (none) return FR_OK;
        *outcome = FR_SPLIT_DONE;
        if (fr_plan_good(cut, options)) {
            if (lies_flat(plan, options->upright)) *outcome = FR_SPLIT_POOR;
            break;
        }
        *outcome = FR_SPLIT_POOR;
        if (k == FR_MENDS || !fr_plan_mend(cut, options)) return FR_OK;
    }
    if (*outcome != FR_SPLIT_DONE) return FR_OK;
    if (!fr_plan_part(cut)) return fr_no_memory(cut->ctx, "splitting a node");
    count_changes(cut);
    return FR_OK;
}
