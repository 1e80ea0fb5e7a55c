// split.c: split a node along a plane: plan, commit, undo where a piece would be too small. [M7]

#include "cut/split_inside.h"

// each node's star as large as the plan will make it
static bool reserve_stars(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    cut->queue.count = 0;
    if (!fr_array_extend(cut->ctx, &cut->queue, plan->nodes.count)) return false;
    int32_t *change = cut->queue.data;
    for (int32_t r = 0; r < plan->roots.count; r++) {
        const PlanRoot *root = &plan->roots.data[r];
        if (!root->touched) continue;
        for (int i = 0; i < 4; i++) change[cut->local_node[root->node[i]]]--;
        for (int32_t k = root->first; k >= 0; k = plan->tets.data[k].next)
            for (int i = 0; i < 4; i++) change[plan->tets.data[k].n[i]]++;
    }
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        int32_t id = plan->nodes.data[k].id;
        if (!fr_cutmesh_star_room(cut, id, cut->star[id].count + change[k])) return false;
    }
    return true;
}

static bool reserve(FrCutMesh *cut, FrCutLog *log) {
    const Plan *plan = &cut->plan;
    int32_t parts = plan->roots.count + plan->new_tets;
    return fr_cutmesh_reserve(cut, plan->new_nodes, plan->new_tets) && reserve_stars(cut) &&
           fr_array_reserve(cut->ctx, &cut->child, parts) &&
           fr_array_reserve(cut->ctx, &cut->child_node, 4 * parts) &&
           fr_array_reserve(cut->ctx, &cut->touched, plan->nodes.count) &&
           fr_array_reserve(cut->ctx, &cut->front, plan->nodes.count) &&
           fr_cutlog_reserve(cut->ctx, log, parts, plan->new_nodes, plan->open.count,
                             plan->nodes.count);
}

static void write_nodes(FrCutMesh *cut) {
    const Plan *plan = &cut->plan;
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        const PlanNode *node = &plan->nodes.data[k];
        if (node->a < 0 && node->to < 0) continue;
        fr_set3(cut->mesh.x, node->id, node->x);
        fr_set3(cut->p, node->id, node->p);
    }
    cut->mesh.node_count += plan->new_nodes;
    cut->mesh.corner_count = cut->mesh.node_count;
}

// group[k]: the number of each part: the first keeps its root's, the others follow the mesh's last
static void write_tets(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    for (int32_t r = 0; r < plan->roots.count; r++) {
        const PlanRoot *root = &plan->roots.data[r];
        for (int i = 0; i < 4 && root->touched; i++) fr_cutmesh_leave(cut, root->node[i], root->e);
    }
    for (int32_t r = 0; r < plan->roots.count; r++) {
        const PlanRoot *root = &plan->roots.data[r];
        plan->group.data[root->first] = root->e;
        for (int32_t k = root->first; root->touched && k >= 0; k = plan->tets.data[k].next) {
            int32_t e = k == root->first ? root->e : cut->mesh.tet_count++;
            for (int i = 0; i < 4; i++) {
                int32_t id = plan->nodes.data[plan->tets.data[k].n[i]].id;
                cut->mesh.tet[e][i] = id;
                fr_cutmesh_join(cut, id, e);
            }
            cut->height[e] = cut->height[root->e];
            if (cut->mesh.region) cut->mesh.region[e] = cut->mesh.region[root->e];
            plan->group.data[k] = e;
        }
    }
}

// the mesh as it was; needs no memory, as stars never lose room
static void undo(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    for (int32_t r = 0; r < plan->roots.count; r++) {
        const PlanRoot *root = &plan->roots.data[r];
        for (int32_t k = root->first; root->touched && k >= 0; k = plan->tets.data[k].next)
            for (int i = 0; i < 4; i++)
                fr_cutmesh_leave(cut, plan->nodes.data[plan->tets.data[k].n[i]].id,
                                 plan->group.data[k]);
    }
    for (int32_t r = 0; r < plan->roots.count; r++) {
        const PlanRoot *root = &plan->roots.data[r];
        for (int i = 0; i < 4 && root->touched; i++) {
            cut->mesh.tet[root->e][i] = root->node[i];
            fr_cutmesh_join(cut, root->node[i], root->e);
        }
    }
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        if (plan->nodes.data[k].to < 0) continue;
        fr_set3(cut->mesh.x, plan->nodes.data[k].id, plan->nodes.data[k].was_x);
        fr_set3(cut->p, plan->nodes.data[k].id, plan->nodes.data[k].was_p);
    }
    cut->mesh.tet_count -= plan->new_tets;
    cut->mesh.node_count -= plan->new_nodes;
    cut->mesh.corner_count = cut->mesh.node_count;
}

// Does the piece with tet `seed` hold at least `least` m^3? Tets that are known to lie in large
// enough pieces were seen since `known`.
static FrResult large_enough(FrCutMesh *cut, int32_t seed, double least, uint32_t known,
                             bool *yes) {
    double volume = 0;
    *yes = false;
    if (cut->seen[seed] >= known) {
        *yes = true;
        return FR_OK;
    }
    uint32_t visit = ++cut->visit;
    cut->queue.count = 0;
    if (!fr_array_push(cut->ctx, &cut->queue, seed)) return fr_no_memory(cut->ctx, "a piece");
    cut->seen[seed] = visit;
    for (int32_t k = 0; k < cut->queue.count; k++) {
        int32_t e = cut->queue.data[k];
        volume += fr_tet_volume(&cut->mesh, e);
        if (volume >= least) *yes = true;
        for (int i = 0; i < 4 && !*yes; i++) {
            int32_t other = fr_cutmesh_across(cut, e, i);
            if (other < 0 || cut->seen[other] == visit) continue;
            if (cut->seen[other] >= known) *yes = true;
            cut->seen[other] = visit;
            if (!fr_array_push(cut->ctx, &cut->queue, other))
                return fr_no_memory(cut->ctx, "a piece");
        }
        if (*yes) return FR_OK;
    }
    return FR_OK;
}

// every piece that the cut made has a side of a face that opened
static FrResult pieces_large_enough(FrCutMesh *cut, double least, bool *yes) {
    *yes = true;
    uint32_t known = cut->visit + 1;
    for (int32_t k = 0; *yes && k < cut->plan.open.count; k++) {
        const PlanFace *f = &cut->plan.open.data[k];
        FR_TRY(large_enough(cut, cut->plan.group.data[f->plus], least, known, yes));
        if (*yes) FR_TRY(large_enough(cut, cut->plan.group.data[f->minus], least, known, yes));
    }
    return FR_OK;
}

// children of one tet into the log; room was made
static void log_root(FrCutMesh *cut, FrCutLog *log, const PlanRoot *root) {
    const Plan *plan = &cut->plan;
    int32_t count = 0;
    for (int32_t k = root->first; k >= 0; k = plan->tets.data[k].next, count++) {
        cut->child.data[count] = plan->group.data[k];
        for (int i = 0; i < 4; i++)
            cut->child_node.data[4 * count + i] = plan->nodes.data[plan->tets.data[k].n[i]].id;
    }
    FrChildren into = {root->e, root->node, cut->child.data,
                       (const int32_t(*)[4])(const void *)cut->child_node.data, count};
    FrResult result = fr_cutlog_split(cut->ctx, log, &into);
    FR_ASSERT_IN(cut->ctx, result == FR_OK, "room in the log was made");
}

// before anything else of the cut; returns how many. The mesh has them moved already.
static int32_t log_moves(FrCutMesh *cut, FrCutLog *log) {
    const Plan *plan = &cut->plan;
    int32_t first = log->move_count;
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        const PlanNode *node = &plan->nodes.data[k];
        FrMovedNode move = {.node = node->id, .to = node->to, .t = node->t, .was = node->was_x};
        if (node->to >= 0) fr_cutlog_move(cut->ctx, log, move);
    }
    return log->move_count - first;
}

static void write_log(FrCutMesh *cut, FrCutLog *log) {
    int32_t tet0 = log->tet_count, face0 = log->face_count;
    const Plan *plan = &cut->plan;
    const PlanNode *node = plan->nodes.data;
    FrResult result = FR_OK;
    int32_t moves = log_moves(cut, log);
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        int32_t id;
        if (node[k].a < 0) continue;
        result |= fr_cutlog_edge_node(cut->ctx, log, node[node[k].a].id, node[node[k].b].id,
                                      node[k].t, &id);
        FR_ASSERT_IN(cut->ctx, id == node[k].id, "the log follows this mesh from its first cut on");
    }
    for (int32_t r = 0; r < plan->roots.count; r++)
        if (plan->roots.data[r].touched) log_root(cut, log, &plan->roots.data[r]);
    fr_cutlog_moves_end(log, moves);
    for (int32_t k = 0; k < plan->open.count; k++) {
        const PlanFace *f = &plan->open.data[k];
        FrOpenFace open = {.plus = plan->group.data[f->plus], .minus = plan->group.data[f->minus]};
        for (int i = 0; i < 3; i++) {
            open.plus_node[i] = cut->mesh.tet[open.plus][f->plus_slot[i]];
            open.minus_node[i] = cut->mesh.tet[open.minus][f->minus_slot[i]];
        }
        result |= fr_cutlog_open(cut->ctx, log, open);
    }
    result |= fr_cutmesh_mark(cut, log, tet0, face0);
    FR_ASSERT_IN(cut->ctx, result == FR_OK, "room in the log was made");
}

static void sort_numbers(int32_t *v, int32_t count) {
    for (int32_t gap = count / 2; gap > 0; gap /= 2)
        for (int32_t i = gap; i < count; i++) {
            int32_t one = v[i], j = i;
            for (; j >= gap && v[j - gap] > one; j -= gap) v[j] = v[j - gap];
            v[j] = one;
        }
}

static void tell(FrCutMesh *cut, FrSplitResult *result) {
    Plan *plan = &cut->plan;
    const PlanNode *node = plan->nodes.data;
    for (int32_t k = 0; k < plan->open.count; k++) {
        const PlanFace *f = &plan->open.data[k];
        FrVec3 o = node[plan->o].x;
        result->area += 0.5 * fr_length(fr_cross(fr_sub(node[f->u].x, o), fr_sub(node[f->w].x, o)));
    }
    cut->front.count = cut->touched.count = 0;
    for (int32_t k = 0; k < plan->nodes.count; k++) {
        if (node[k].open && !node[k].parted) cut->front.data[cut->front.count++] = node[k].id;
        plan->nodes.data[k].in_star = false; // from here: a corner of a tet that changed
    }
    for (int32_t k = 0; k < plan->tets.count; k++)
        for (int i = 0; i < 4 && plan->roots.data[plan->tets.data[k].root].touched; i++)
            plan->nodes.data[plan->tets.data[k].n[i]].in_star = true;
    for (int32_t k = 0; k < plan->nodes.count; k++)
        if (node[k].in_star) cut->touched.data[cut->touched.count++] = node[k].id;
    sort_numbers(cut->front.data, cut->front.count);
    sort_numbers(cut->touched.data, cut->touched.count);
    result->front = cut->front.data;
    result->front_count = cut->front.count;
    result->touched = cut->touched.data;
    result->touched_count = cut->touched.count;
}

// the plan is good: make it so, unless a piece would be too small
static FrResult carry_out(FrCutMesh *cut, const FrSplitOptions *options, FrCutLog *log,
                          FrSplitResult *result) {
    if (!reserve(cut, log)) return fr_no_memory(cut->ctx, "splitting a node");
    write_nodes(cut);
    write_tets(cut);
    bool keep = true;
    FrResult checked = FR_OK;
    if (options->min_piece > 0) checked = pieces_large_enough(cut, options->min_piece, &keep);
    if (checked != FR_OK || !keep) {
        undo(cut);
        result->outcome = FR_SPLIT_POOR;
        return checked;
    }
    write_log(cut, log);
    tell(cut, result);
    return FR_OK;
}

FrResult fr_cutmesh_split(FrCutMesh *cut, int32_t node, FrVec3 normal,
                          const FrSplitOptions *options, FrCutLog *log, FrSplitResult *result) {
    FR_ASSERT_IN(cut->ctx, node >= 0 && node < cut->mesh.node_count, "the node is in the mesh");
    FR_ASSERT_IN(cut->ctx, log->first_node + log->node_count == cut->mesh.node_count,
                 "the log follows this mesh from its first cut on");
    FrSplitOutcome outcome = FR_SPLIT_POOR;
    *result = (FrSplitResult){.outcome = FR_SPLIT_VOID};
    FrResult made = fr_plan_make(cut, node, normal, options, &outcome);
    if (made == FR_OK) result->outcome = outcome;
    if (made == FR_OK && outcome == FR_SPLIT_DONE) made = carry_out(cut, options, log, result);
    fr_plan_forget(cut);
    return made;
}
