// cut.c: a deformable body follows the cuts of its mesh, at the cost of what they touched.

#include "fem/fem_arrays.h"
#include "fem/element.h"
#include "fem/step_cost.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

typedef struct Cut {
    FrFem *fem;
    const FrCutLog *log;
    const FrCutMesh *cut;
    FR_ARRAY(int32_t) node; ///< whose tets changed, each once
    double kinetic;         ///< of those nodes before, J
    FrVec3 momentum;        ///< likewise, kg m/s
    double elastic;         ///< where nodes move: of the tets before, J
} Cut;

static double kinetic(const FrFem *fem, int32_t n) {
    FrVec3 v = fr_get3(fem->state.v, n);
    return 0.5 * fem->scratch.mass[n] * fr_dot(v, v);
}

// one that moved, or a copy of one
static bool has_moved(const FrCutLog *log, int32_t node) {
    if (node >= log->first_node) {
        const FrNewNode *made = &log->nodes[node - log->first_node];
        return made->a == made->b && has_moved(log, made->a);
    }
    for (int32_t k = 0; k < log->move_count; k++)
        if (log->moves[k].node == node) return true;
    return false;
}

// Where nodes move, tets beside them do not keep their strain.
static void note_before(Cut *c) {
    const FrFem *fem = c->fem;
    const FrCutLog *log = c->log;
    for (int32_t k = 0; k < c->node.count && c->node.data[k] < log->first_node; k++) {
        int32_t n = c->node.data[k];
        c->kinetic += kinetic(fem, n);
        c->momentum = fr_axpy(fem->scratch.mass[n], fr_get3(fem->state.v, n), c->momentum);
    }
    for (int32_t k = 0; log->move_count && k < log->tet_count; k++) {
        int32_t parent = log->tets[k].parent;
        if (k > 0 && log->tets[k].group == log->tets[k - 1].group) continue;
        c->elastic += fr_fem_tet_elastic(fem, parent);
    }
}

// The velocity between two nodes is not linear over the tets beside: nodes that moved take the one
// that keeps the momentum, which is the same where it is linear.
static void keep_momentum(const Cut *c) {
    FrFem *fem = c->fem;
    FrVec3 lost = c->momentum;
    double mass = 0.0;
    for (int32_t k = 0; k < c->node.count; k++) {
        int32_t n = c->node.data[k];
        lost = fr_axpy(-fem->scratch.mass[n], fr_get3(fem->state.v, n), lost);
        if (has_moved(c->log, n)) mass += fem->scratch.mass[n];
    }
    for (int32_t k = 0; k < c->node.count; k++) {
        int32_t n = c->node.data[k];
        if (has_moved(c->log, n))
            fr_set3(fem->state.v, n, fr_axpy(1.0 / mass, lost, fr_get3(fem->state.v, n)));
    }
}

// new nodes take place and velocity of where they lie; one between two held nodes is held
static void add_nodes(Cut *c) {
    FrFem *fem = c->fem;
    const FrCutLog *log = c->log;
    const FrTetMesh *mesh = fr_cutmesh_view(c->cut);
    size_t first = 3 * (size_t)log->first_node;
    memcpy(fem->state.x + first, mesh->x + first, 3 * (size_t)log->node_count * sizeof(double));
    for (int32_t k = 0; k < log->move_count; k++)
        fr_set3(fem->state.x, log->moves[k].node, fr_get3(mesh->x, log->moves[k].node));
    fr_cutlog_apply_positions(log, fem->state.p);
    fr_cutlog_apply_positions(log, fem->state.v);
    fr_cutlog_apply_positions(log, fem->state.drive);
    if (fem->scratch.pulled) fr_cutlog_apply_positions(log, fem->scratch.gain);
    for (int32_t k = 0; k < log->node_count; k++) {
        const FrNewNode *made = &log->nodes[k];
        int32_t n = log->first_node + k;
        fem->state.held[n] = fem->state.held[made->a] && fem->state.held[made->b];
    }
    fr_fem_arrays_clear_new(fem, log->first_node, log->node_count);
    fem->state.node_count = log->first_node + log->node_count;
}

static bool put_tets(Cut *c) {
    FrFem *fem = c->fem;
    for (int32_t k = 0; k < c->log->tet_count; k++) {
        const FrSplitTet *s = &c->log->tets[k];
        memcpy(fem->state.tet[s->child], s->node, sizeof fem->state.tet[0]);
        fem->state.region[s->child] = fem->state.region[s->parent];
        fr_fem_new_tet(fem, s->child);
        if (fem->settings.yields && s->child != s->parent)
            memcpy(fem->state.plastic[s->child], fem->state.plastic[s->parent],
                   sizeof(FrPlasticRow));
        FrElement element;
        bool good = fr_fem_element(fem, s->child, &element);
        FR_ASSERT(good, "cuts leave tets with volume");
        fem->scratch.tet_w2[s->child] =
            fr_element_w2(&element, &fem->settings.material[fem->state.region[s->child]]);
        if (!fr_chunks_put(fem->ctx, &fem->state.chunks, s->child, s->parent, s->node, &element))
            return false;
    }
    return true;
}

static int by_number(const void *x, const void *y) {
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return a < b ? -1 : a > b;
}

// the nodes of all tets that changed, ascending
static bool list_nodes(Cut *c) {
    for (int32_t k = 0; k < c->log->tet_count; k++) {
        const FrSplitTet *s = &c->log->tets[k];
        for (int i = 0; i < 4; i++)
            if (!fr_array_push(c->fem->ctx, &c->node, s->parent_node[i]) ||
                !fr_array_push(c->fem->ctx, &c->node, s->node[i]))
                return false;
    }
    if (!c->node.count) return true;
    qsort(c->node.data, (size_t)c->node.count, sizeof *c->node.data, by_number);
    int32_t kept = 0;
    for (int32_t k = 0; k < c->node.count; k++)
        if (k == 0 || c->node.data[k] != c->node.data[k - 1])
            c->node.data[kept++] = c->node.data[k];
    c->node.count = kept;
    return true;
}

// rho vol / 4 from each tet round it, ascending: the bits fr_fem_set_masses gives
static void weigh_node(FrFem *fem, const FrCutMesh *cut, int32_t n) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(cut, n, &count);
    fem->scratch.mass[n] = fem->scratch.drag[n] = 0.0;
    for (int32_t k = 0; k < count; k++) {
        const FrMaterial *material = &fem->settings.material[fem->state.region[star[k]]];
        double share = 0.25 * material->density * fr_chunks_volume(&fem->state.chunks, star[k]);
        fem->scratch.mass[n] += share;
        fem->scratch.drag[n] += material->alpha2 * share;
    }
    FR_ASSERT_IN(fem->ctx, fem->scratch.mass[n] > 0.0, "every node of a cut mesh belongs to a tet");
    fem->scratch.mass[n] += fem->state.added[n];
    fem->scratch.inverse_mass[n] = 1.0 / fem->scratch.mass[n];
}

// A body of lumped masses rings at most as fast as the mean of its tets' bounds round some node,
// weighted with their masses: with k_e the largest stiffness of tet e, K <= sum_e k_e |x_e|^2 =
// sum_n |x_n|^2 sum_(e round n) k_e, and k_e = w_e^2 rho vol / 4. The thinnest tets that cuts leave
// hardly count so, while the largest w_e would shorten every step.                     [after M3]
static void bound_node(FrFem *fem, const FrCutMesh *cut, int32_t n) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(cut, n, &count);
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++)
        sum += 0.25 * fem->settings.material[fem->state.region[star[k]]].density *
               fr_chunks_volume(&fem->state.chunks, star[k]) * fem->scratch.tet_w2[star[k]];
    fem->scratch.node_w2[n] = sum * fem->scratch.inverse_mass[n];
}

// Strain-rate damping of a thin tet would ask for steps in proportion to the square of its height:
// it is lowered there, so that it never damps faster than anywhere in the body before the first
// cut. The guard pushes on nodes that are heavier than the tet's own share: up to four such tets a
// node.
void fr_fem_bound_tet(FrFem *fem, int32_t e) {
    const int32_t *n = fem->state.tet[e];
    int32_t lane = fem->state.chunks.tet_lane[e];
    FrTetBlock *block = &fem->state.chunks.block[lane / FR_LANES];
    double w2 = 0.0, lightest = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        w2 = fr_max(w2, fem->scratch.node_w2[n[i]]);
        lightest = fr_min(lightest, fem->scratch.mass[n[i]]);
    }
    double mass =
        0.25 * fem->settings.material[fem->state.region[e]].density * block->vol[lane % FR_LANES];
    block->w2[lane % FR_LANES] = w2;
    block->damp[lane % FR_LANES] = fr_min(1.0, fem->state.first_w2 / w2);
    block->share[lane % FR_LANES] = fr_min(1.0, FR_GUARD_TETS * mass / lightest);
}

void fr_fem_set_bounds(FrFem *fem) {
    memset(fem->scratch.node_w2, 0, (size_t)fem->state.node_count * sizeof(double));
    for (int32_t e = 0; e < fem->state.tet_count; e++) {
        FrElement element;
        fr_fem_element(fem, e, &element);
        const FrMaterial *material = &fem->settings.material[fem->state.region[e]];
        fem->scratch.tet_w2[e] = fr_element_w2(&element, material);
        double share = 0.25 * material->density * element.volume * fem->scratch.tet_w2[e];
        for (int i = 0; i < 4; i++) fem->scratch.node_w2[fem->state.tet[e][i]] += share;
    }
    for (int32_t n = 0; n < fem->state.node_count; n++)
        fem->scratch.node_w2[n] *= fem->scratch.inverse_mass[n];
    for (int32_t e = 0; e < fem->state.tet_count; e++) fr_fem_bound_tet(fem, e);
}

// of the listed nodes and of the tets round them
static void bound_all(const Cut *c) {
    for (int32_t k = 0; k < c->node.count; k++) bound_node(c->fem, c->cut, c->node.data[k]);
    for (int32_t k = 0; k < c->node.count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(c->cut, c->node.data[k], &count);
        for (int32_t j = 0; j < count; j++) fr_fem_bound_tet(c->fem, star[j]);
    }
}

static void update_nodes(Cut *c) {
    FrFem *fem = c->fem;
    for (int32_t k = 0; k < c->node.count; k++) weigh_node(fem, c->cut, c->node.data[k]);
    if (c->log->move_count) keep_momentum(c);
    double now = 0.0;
    for (int32_t k = 0; k < c->node.count; k++) now += kinetic(fem, c->node.data[k]);
    fem->state.works.fracture += c->kinetic - now;
    for (int32_t k = 0; c->log->move_count && k < c->log->tet_count; k++)
        c->elastic -= fr_fem_tet_elastic(fem, c->log->tets[k].child);
    fem->state.works.fracture += c->elastic;
    if (fem->state.topology == 2) fr_fem_set_bounds(fem);
    bound_all(c);
}

static FrResult follow(Cut *c) {
    FrFem *fem = c->fem;
    const FrTetMesh *mesh = fr_cutmesh_view(c->cut);
    FR_ASSERT(c->log->first_node == fem->state.node_count &&
                  mesh->node_count == fem->state.node_count + c->log->node_count,
              "tell a body of every cut of its mesh, in order");
    if (!fr_fem_reserve(fem, mesh->node_count, mesh->tet_count) ||
        !fr_chunks_reserve_tets(fem->ctx, &fem->state.chunks, mesh->tet_count) || !list_nodes(c))
        return fr_no_memory(fem->ctx, "a body that is cut");
    fr_fem_note_pulls(fem);
    note_before(c);
    if (fem->state.topology == 1)
        for (int32_t e = 0; e < fem->state.tet_count; e++)
            fem->state.first_w2 = fr_max(fem->state.first_w2, *fr_chunks_w2(&fem->state.chunks, e));
    add_nodes(c);
    fem->state.tet_count = mesh->tet_count;
    if (!put_tets(c) ||
        !fr_chunks_reserve_lists(fem->ctx, &fem->state.chunks, fem->state.node_count) ||
        !fr_fem_reserve_slots(fem))
        return fr_no_memory(fem->ctx, "a body that is cut");
    fem->state.topology++;
    fem->scratch.current = false;
    fem->scratch.gather_stale = true;
    update_nodes(c);
    return FR_OK;
}

double fr_fem_damping_factor(const FrFem *fem, int32_t tet) {
    FR_ASSERT_IN(fem->ctx, tet >= 0 && tet < fem->state.tet_count, "name a tet of this body");
    int32_t lane = fem->state.chunks.tet_lane[tet];
    return fem->state.chunks.block[lane / FR_LANES].damp[lane % FR_LANES];
}

FrResult fr_fem_cut(FrFem *fem, const FrCutLog *log, const FrCutMesh *cut) {
    Cut c = {.fem = fem, .log = log, .cut = cut};
    FrResult result = follow(&c);
    fr_array_free(fem->ctx, &c.node);
    return result;
}

// nodes of rigid pieces need no floor
static void leave_rigid(Cut *c) {
    int32_t kept = 0;
    for (int32_t k = 0; k < c->node.count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(c->cut, c->node.data[k], &count);
        if (!c->fem->scratch.is_rigid[star[0]]) c->node.data[kept++] = c->node.data[k];
    }
    c->node.count = kept;
}

FrResult fr_fem_keep_floor(FrFem *fem, const FrCutLog *log, const FrCutMesh *cut) {
    Cut c = {.fem = fem, .log = log, .cut = cut};
    bool listed = list_nodes(&c);
    double elastic = fr_fem_elastic_part(fem);
    if (listed) leave_rigid(&c);
    if (listed && fr_fem_weigh_down(fem, c.node.data, c.node.count)) {
        // to the bits that a checkpoint gives
        for (int32_t k = 0; k < c.node.count; k++) weigh_node(fem, cut, c.node.data[k]);
        bound_all(&c);
        fem->scratch.current = false;
        fem->state.works.fracture += elastic - fr_fem_elastic_part(fem);
    }
    fr_array_free(fem->ctx, &c.node);
    return listed ? FR_OK : fr_no_memory(fem->ctx, "the floor of the step");
}
