// split_plan.c: what splitting a node along a plane would do, worked out beside the mesh. [M7]

#include "mesh/split_inside.h"

// cut points this near an end of their edge (fraction of the edge) snap to it
#define END_MARGIN 0.02
// what is nearer than this (relative) differs by rounding only, and may differ in a turned frame
#define ROUNDING 1e-9
// edges are cut by length, in so many ranks; within one by number, as lengths of a mesh made by
// rule differ by rounding
#define RANKS 8
// the end of an edge of the crack's front lies on the plane up to this angle (its sine)
#define FRONT_SNAP 0.71
// how often a plan with poor children is mended
#define MENDS 12

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

// a node that the mesh will get; -1: no memory
static int32_t new_node(FrCutMesh *cut, int32_t a, int32_t b, double t, int32_t edge) {
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
                    (node->front && fabs(node->d) <= FRONT_SNAP * fr_length(r));
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
        if (fabs(d) > 0.3 * most && node->id < lowest) lowest = node->id, side = d;
    }
    return side < 0 ? fr_neg(normal) : normal;
}

static bool has_node(const PlanTet *tet, int32_t v) {
    return tet->n[0] == v || tet->n[1] == v || tet->n[2] == v || tet->n[3] == v;
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
            if (t < END_MARGIN) a->open = true;
            if (t > 1 - END_MARGIN) b->open = true;
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
        if ((k > 0 && plan->faces.data[k - 1].key == key) ||
            (k + 1 < plan->faces.count && plan->faces.data[k + 1].key == key))
            continue;
        PlanNode *u = &plan->nodes.data[key >> 32], *w = &plan->nodes.data[(uint32_t)key];
        FrVec3 across = fr_cross(fr_sub(u->p, o), fr_sub(w->p, o));
        if (fabs(fr_dot(across, normal)) >= cosine * fr_length(across)) u->sign = w->sign = 0;
    }
    return true;
}

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
                             .rank = (int32_t)(RANKS * fr_distance(na->x, nb->x) / longest + 0.37),
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
        if (!has_node(&plan->tets.data[k], a) || !has_node(&plan->tets.data[k], b)) continue;
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

static bool cut_edges(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    for (int32_t k = 0; k < plan->edges.count; k++) {
        PlanEdge edge = plan->edges.data[k];
        const PlanNode *a = &plan->nodes.data[edge.a], *b = &plan->nodes.data[edge.b];
        if (edge.dropped || a->sign * b->sign >= 0) continue;
        double t = fr_plan_cut_point(plan, &edge);
        if (!add_edge_tets(cut, a->id, b->id)) return false;
        int32_t c = new_node(cut, edge.a, edge.b, t, k);
        if (c < 0 || !bisect(cut, edge.a, edge.b, c, t)) return false;
    }
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
        if (!has_node(&plan->tets.data[k], v)) continue;
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
    return (int8_t)(least + most ? least + most : sum < -ROUNDING * size ? -1 : 1);
}

static int32_t find_group(int32_t *group, int32_t k) {
    while (group[k] != k) k = group[k] = group[group[k]];
    return k;
}

static void join_groups(int32_t *group, int32_t a, int32_t b) {
    a = find_group(group, a);
    b = find_group(group, b);
    if (a < b)
        group[b] = a;
    else
        group[a] = b;
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
            join_groups(group, face[k].tet, face[k + 1].tet);
    for (int32_t k = 0; k + 1 < plan->faces.count; k++) {
        if (face[k].key != face[k + 1].key || !is_barrier(plan, face[k].key)) continue;
        for (int s = 0; s < 2; s++) {
            PlanTet *tet = &plan->tets.data[face[k + s].tet];
            PlanTet *head = &plan->tets.data[find_group(group, face[k + s].tet)];
            int8_t side = side_of(plan, tet);
            if (head->label && head->label != side) return false;
            head->label = side;
        }
    }
    for (int32_t k = 0; k < plan->faces.count; k++) {
        int32_t t = face[k].tet;
        plan->tets.data[t].label = plan->tets.data[find_group(group, t)].label;
    }
    return true;
}

static void label_by_side(Plan *plan) {
    for (int32_t k = 0; k < plan->tets.count; k++) {
        PlanTet *tet = &plan->tets.data[k];
        if (!has_node(tet, plan->o)) continue;
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

static FrResult label_star(FrCutMesh *cut, bool *none) {
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
        if (face[k].key == face[k + 1].key) join_groups(group, face[k].tet, face[k + 1].tet);
    int32_t first = -1;
    for (int32_t k = 0; k < plan->tets.count; k++) {
        if (!has_node(&plan->tets.data[k], v) || group[k] != k) continue;
        if (first < 0) {
            first = k;
            continue;
        }
        int32_t copy = new_node(cut, v, v, 0, -1);
        if (copy < 0) return false;
        plan->nodes.data[v].parted = true;
        for (int32_t j = k; j < plan->tets.count; j++)
            if (find_group(group, j) == k) rename_corner(&plan->tets.data[j], v, copy);
    }
    return true;
}

// the split node's - side gets a copy of it; then nodes of open faces come apart where they must
static bool part(FrCutMesh *cut) {
    Plan *plan = &cut->plan;
    plan->q = new_node(cut, plan->o, plan->o, 0, -1);
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
        plane = turned(plan, plane);
        classify(plan, plane, options);
        if (options->back_angle > 0 && !meet_surface(cut, plane, options->back_angle))
            return fr_no_memory(cut->ctx, "splitting a node");
        snap_ends(plan);
        if (options->move > 0 && !options->along_faces) fr_plan_move(cut, options, plane);
        if ((!plan->edges.count && !find_edges(cut)) || !cut_edges(cut) || !fr_plan_add_moved(cut))
            return fr_no_memory(cut->ctx, "splitting a node");
        FR_TRY(label_star(cut, none));
        // once, if at all: what is kept then is not looked at again
        if (!*none && options->back_angle > 0 && first)
            FR_TRY(fr_plan_avoid_back(cut, options->back_angle, &again, none));
    }
    return FR_OK;
}

FrResult fr_plan_make(FrCutMesh *cut, int32_t node, FrVec3 normal, const FrSplitOptions *options,
                      FrSplitOutcome *outcome) {
    Plan *plan = &cut->plan;
    bool none = false;
    plan->edges.count = plan->mend.count = 0;
    for (int k = 0; k <= MENDS; k++) {
        *outcome = FR_SPLIT_VOID;
        FR_TRY(lay_out(cut, node, normal, options, &none));
        if (none) return FR_OK;
        *outcome = FR_SPLIT_DONE;
        if (fr_plan_good(cut, options)) break;
        *outcome = FR_SPLIT_POOR;
        if (k == MENDS || !fr_plan_mend(cut, options)) return FR_OK;
    }
    if (!part(cut)) return fr_no_memory(cut->ctx, "splitting a node");
    count_changes(cut);
    return FR_OK;
}
