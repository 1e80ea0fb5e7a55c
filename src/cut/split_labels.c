// split_labels.c: cut a mesh along the borders of regions: plan all children, open the faces
// between regions, then let the mesh follow the log. [M20]

#include "cut/label_inside.h"
#include "base/groups.h"
#include "mesh/topology.h"

FrLabelCutOptions fr_label_cut_options_default(void) {
    return (FrLabelCutOptions){.clamp = FR_LABEL_CLAMP, .flattest = 0.02};
}

void fr_label_cut_free(FrContext *ctx, FrLabelCut *cut) {
    FR_FREE_ALL(ctx, cut->facet, cut->region);
    *cut = (FrLabelCut){0};
}

static FrResult no_memory(const LabelPlan *plan) {
    return fr_no_memory(plan->ctx, "cutting by regions");
}

static void plan_free(LabelPlan *plan) {
    FrContext *ctx = plan->ctx;
    fr_array_free(ctx, &plan->node);
    fr_array_free(ctx, &plan->child);
    fr_array_free(ctx, &plan->root);
    fr_array_free(ctx, &plan->region);
    fr_table_free(ctx, &plan->edge_node);
    FR_FREE_ALL(ctx, plan->of, plan->x, plan->across, plan->corner, plan->number);
}

// the tet lies in one region: as all of its corners do
static bool is_whole(const LabelPlan *plan, int32_t e) {
    const int32_t *n = plan->mesh->tet[e], *label = plan->labels->label;
    return label[n[0]] == label[n[1]] && label[n[0]] == label[n[2]] && label[n[0]] == label[n[3]];
}

// numbers of the nodes of parts, new ones made where no tet before had them; false: no memory
static bool name_nodes(LabelPlan *plan, const TetParts *p, int32_t id[FR_PART_NODES]) {
    for (int32_t k = 0; k < p->node_count; k++) {
        const PartNode *node = &p->node[k];
        if (k < 4) {
            id[k] = p->corner[k];
            continue;
        }
        int32_t a = id[node->a], b = id[node->b];
        if (!fr_table_reserve(plan->ctx, &plan->edge_node, 1)) return false;
        int32_t at = fr_table_add(&plan->edge_node, fr_pair_key(a, b), plan->node.count);
        if (at == plan->node.count &&
            !fr_array_push(plan->ctx, &plan->node, ((FrNewNode){a, b, node->t})))
            return false;
        id[k] = plan->mesh->node_count + at;
    }
    return true;
}

static bool add_child(LabelPlan *plan, int32_t root, int32_t region, const int32_t n[4]) {
    if (!fr_array_reserve(plan->ctx, &plan->child, 1)) return false;
    int32_t *child = plan->child.data[plan->child.count++];
    for (int i = 0; i < 4; i++) child[i] = n[i];
    return fr_array_push(plan->ctx, &plan->root, root) &&
           fr_array_push(plan->ctx, &plan->region, region);
}

static bool add_parts(LabelPlan *plan, int32_t e) {
    TetParts p;
    int32_t id[FR_PART_NODES];
    fr_label_divide(plan, e, &p);
    if (!name_nodes(plan, &p, id)) return false;
    if (p.tet_count > 1) plan->flattest = fr_min(plan->flattest, fr_label_flattest(&p));
    for (int32_t k = 0; k < p.tet_count; k++) {
        int32_t n[4];
        for (int i = 0; i < 4; i++) n[i] = id[p.tet[k][i]];
        if (!add_child(plan, e, fr_label_part_region(plan, &p, k), n)) return false;
    }
    return true;
}

static FrResult add_children(LabelPlan *plan) {
    bool room = true;
    plan->flattest = 1;
    for (int32_t e = 0; room && e < plan->mesh->tet_count; e++) {
        const int32_t *n = plan->mesh->tet[e];
        room = is_whole(plan, e) ? add_child(plan, e, plan->labels->label[n[0]], n)
                                 : add_parts(plan, e);
    }
    plan->edge_nodes = plan->node.count;
    return room ? FR_OK : no_memory(plan);
}

static FrResult place_nodes(LabelPlan *plan) {
    int32_t old = plan->mesh->node_count;
    plan->x = FR_NEW(plan->ctx, double, 3 * ((size_t)old + (size_t)plan->edge_nodes));
    if (!plan->x) return no_memory(plan);
    for (int32_t k = 0; k < 3 * old; k++) plan->x[k] = plan->mesh->x[k];
    for (int32_t k = 0; k < plan->edge_nodes; k++) {
        FrNewNode n = plan->node.data[k];
        fr_set3(plan->x, old + k, fr_lerp(fr_get3(plan->x, n.a), fr_get3(plan->x, n.b), n.t));
    }
    return FR_OK;
}

static FrResult find_neighbours(LabelPlan *plan) {
    FrTetMesh now = {.node_count = plan->mesh->node_count + plan->edge_nodes,
                     .tet_count = plan->child.count,
                     .order = 1,
                     .x = plan->x,
                     .tet = plan->child.data};
    now.corner_count = now.node_count;
    return fr_tet_neighbours(plan->ctx, &now, &plan->across);
}

static bool is_open(const LabelPlan *plan, int32_t k, int i) {
    int32_t other = plan->across[k][i];
    return other >= 0 && plan->region.data[k] != plan->region.data[other];
}

static int slot_of(const int32_t n[4], int32_t v) {
    int i = 0;
    while (i < 3 && n[i] != v) i++;
    return i;
}

// corners of children at nodes of open faces hang together through faces that stay closed
static void group_corners(const LabelPlan *plan, const bool *open, int32_t *group) {
    for (int32_t k = 0; k < 4 * plan->child.count; k++) {
        int32_t e = k / 4, other = plan->across[e][k % 4];
        if (other < e || is_open(plan, e, k % 4)) continue;
        for (int j = 0; j < 3; j++) {
            int at = fr_tet_face[k % 4][j];
            int32_t n = plan->child.data[e][at];
            if (open[n])
                fr_group_join(group, 4 * e + at, 4 * other + slot_of(plan->child.data[other], n));
        }
    }
}

// the first group at a node keeps its number, the others get copies
static bool number_groups(LabelPlan *plan, const bool *open, int32_t *group, bool *taken) {
    for (int32_t k = 0; k < 4 * plan->child.count; k++) {
        int32_t n = plan->child.data[k / 4][k % 4], head = open[n] ? fr_group_head(group, k) : k;
        int32_t id = n;
        if (head < k) id = plan->corner[head / 4][head % 4];
        if (head == k && open[n] && taken[n]) {
            id = plan->mesh->node_count + plan->node.count;
            if (!fr_array_push(plan->ctx, &plan->node, ((FrNewNode){n, n, 0}))) return false;
        }
        taken[n] = true;
        plan->corner[k / 4][k % 4] = id;
    }
    return true;
}

// nodes of open faces come apart [M7]
static FrResult part_nodes(LabelPlan *plan) {
    FrContext *ctx = plan->ctx;
    int32_t count = plan->child.count, nodes = plan->mesh->node_count + plan->edge_nodes;
    bool *open = FR_NEW(ctx, bool, nodes), *taken = FR_NEW(ctx, bool, nodes);
    int32_t *group = FR_NEW(ctx, int32_t, 4 * (size_t)count);
    plan->corner = fr_alloc_zero(ctx, (size_t)count, sizeof *plan->corner);
    bool room = open && taken && group && plan->corner;
    for (int32_t k = 0; room && k < 4 * count; k++) {
        group[k] = k;
        for (int j = 0; j < 3 && is_open(plan, k / 4, k % 4); j++)
            open[plan->child.data[k / 4][fr_tet_face[k % 4][j]]] = true;
    }
    if (room) group_corners(plan, open, group);
    if (room) room = number_groups(plan, open, group, taken);
    FR_FREE_ALL(ctx, open, taken, group);
    return room ? FR_OK : no_memory(plan);
}

// the first child takes over its parent's number, the others follow the mesh's last
static FrResult number_children(LabelPlan *plan) {
    int32_t next = plan->mesh->tet_count;
    plan->number = FR_NEW(plan->ctx, int32_t, plan->child.count);
    if (!plan->number) return no_memory(plan);
    for (int32_t k = 0; k < plan->child.count; k++) {
        bool first = k == 0 || plan->root.data[k] != plan->root.data[k - 1];
        plan->number[k] = first ? plan->root.data[k] : next++;
    }
    return FR_OK;
}

static FrResult make_plan(LabelPlan *plan) {
    if (!fr_label_begin(plan)) return no_memory(plan);
    fr_label_snap(plan);
    FR_TRY(fr_label_mend(plan));
    FR_TRY(add_children(plan));
    FR_TRY(place_nodes(plan));
    FR_TRY(find_neighbours(plan));
    FR_TRY(fr_label_join_crumbs(plan));
    FR_TRY(part_nodes(plan));
    return number_children(plan);
}

static int32_t count_open(const LabelPlan *plan) {
    int32_t count = 0;
    for (int32_t k = 0; k < 4 * plan->child.count; k++) count += is_open(plan, k / 4, k % 4);
    return count / 2;
}

// tets that were divided or whose corners were renamed; room was made
static void log_children(const LabelPlan *plan, FrCutLog *log) {
    for (int32_t k = 0, end; k < plan->child.count; k = end) {
        int32_t root = plan->root.data[k];
        const int32_t *was = plan->mesh->tet[root];
        bool same = true;
        for (end = k; end < plan->child.count && plan->root.data[end] == root; end++)
            for (int i = 0; i < 4; i++) same &= plan->corner[end][i] == was[i];
        if (same) continue;
        FrChildren into = {root, was, plan->number + k,
                           (const int32_t(*)[4])(const void *)(plan->corner + k), end - k};
        FrResult result = fr_cutlog_split(plan->ctx, log, &into);
        FR_ASSERT_IN(plan->ctx, result == FR_OK, "room in the log was made");
    }
}

// face i of child k, on the side of the lower region
static void log_face(const LabelPlan *plan, FrCutLog *log, int32_t k, int i) {
    int32_t other = plan->across[k][i];
    FrOpenFace face = {.plus = plan->number[k], .minus = plan->number[other]};
    for (int j = 0; j < 3; j++) {
        int at = fr_tet_face[i][j];
        face.plus_node[j] = plan->corner[k][at];
        face.minus_node[j] =
            plan->corner[other][slot_of(plan->child.data[other], plan->child.data[k][at])];
    }
    FrResult result = fr_cutlog_open(plan->ctx, log, face);
    FR_ASSERT_IN(plan->ctx, result == FR_OK, "room in the log was made");
}

static FrLabelFacet facet_of(const LabelPlan *plan, int32_t k, int i) {
    FrLabelFacet facet = {.a = plan->region.data[k],
                          .b = plan->region.data[plan->across[k][i]],
                          .tet = plan->root.data[k]};
    FrVec3 x[3];
    for (int j = 0; j < 3; j++) {
        facet.node[j] = plan->corner[k][fr_tet_face[i][j]];
        x[j] = fr_get3(plan->x, plan->child.data[k][fr_tet_face[i][j]]);
        facet.x = fr_axpy(1 / 3.0, x[j], facet.x);
    }
    FrVec3 twice = fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]));
    facet.area = 0.5 * fr_length(twice);
    facet.n = fr_normalize(twice);
    return facet;
}

static FrResult tell(const LabelPlan *plan, FrLabelCut *result) {
    int32_t count = plan->child.count;
    result->flattest = plan->flattest;
    result->region = FR_NEW(plan->ctx, int32_t, count);
    result->facet = FR_NEW(plan->ctx, FrLabelFacet, count_open(plan));
    if (!result->region || !result->facet) return no_memory(plan);
    for (int32_t k = 0; k < count; k++) result->region[plan->number[k]] = plan->region.data[k];
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t e = k / 4;
        if (!is_open(plan, e, k % 4) ||
            plan->region.data[e] > plan->region.data[plan->across[e][k % 4]])
            continue;
        FrLabelFacet facet = facet_of(plan, e, k % 4);
        result->area += facet.area;
        result->facet[result->facet_count++] = facet;
    }
    return FR_OK;
}

// the whole cut into the log; `entries`: its part of it
static FrResult write_log(const LabelPlan *plan, FrCutLog *log, FrCutLog *entries) {
    FrCutStep from = fr_cutlog_end(log, plan->cut->clock);
    if (!fr_cutlog_reserve(plan->ctx, log, plan->child.count, plan->node.count, count_open(plan),
                           0))
        return no_memory(plan);
    for (int32_t k = 0; k < plan->node.count; k++)
        log->nodes[log->node_count++] = plan->node.data[k];
    log_children(plan, log);
    for (int32_t k = 0; k < 4 * plan->child.count; k++) {
        int32_t e = k / 4;
        if (is_open(plan, e, k % 4) &&
            plan->region.data[e] < plan->region.data[plan->across[e][k % 4]])
            log_face(plan, log, e, k % 4);
    }
    *entries = fr_cutlog_between(log, from, fr_cutlog_end(log, plan->cut->clock));
    return FR_OK;
}

FrResult fr_cutmesh_split_labels(FrCutMesh *cut, const FrLabels *labels,
                                 const FrLabelCutOptions *options, FrCutLog *log,
                                 FrLabelCut *result) {
    FR_ASSERT_IN(cut->ctx, labels->node_count == cut->mesh.node_count,
                 "labels are of the mesh as it is now");
    FR_ASSERT_IN(cut->ctx, log->first_node + log->node_count == cut->mesh.node_count,
                 "the log follows this mesh from its first cut on");
    FR_ASSERT_IN(cut->ctx, options->clamp > 0 && options->clamp < 0.5,
                 "cut points keep away from both ends");
    LabelPlan plan = {
        .ctx = cut->ctx, .cut = cut, .mesh = &cut->mesh, .labels = labels, .options = *options};
    FrCutLog before = *log, entries;
    *result = (FrLabelCut){0};
    FrResult made = make_plan(&plan);
    if (made == FR_OK) made = tell(&plan, result);
    if (made == FR_OK) made = write_log(&plan, log, &entries);
    if (made == FR_OK) made = fr_cutmesh_apply(cut, &entries, cut->clock);
    if (made != FR_OK) {
        fr_label_cut_free(cut->ctx, result);
        log->node_count = before.node_count;
        log->tet_count = before.tet_count;
        log->face_count = before.face_count;
        log->group_count = before.group_count;
    }
    plan_free(&plan);
    return made;
}
