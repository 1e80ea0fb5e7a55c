// cut.c: a deformable body follows the cuts of its mesh, at the cost of what they touched.

#include "fem/body.h"
#include "fem/element.h"
#include "fem/remedy.h"
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
    FrVec3 v = fr_get3(fem->v, n);
    return 0.5 * fem->mass[n] * fr_dot(v, v);
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
        c->momentum = fr_axpy(fem->mass[n], fr_get3(fem->v, n), c->momentum);
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
        lost = fr_axpy(-fem->mass[n], fr_get3(fem->v, n), lost);
        if (has_moved(c->log, n)) mass += fem->mass[n];
    }
    for (int32_t k = 0; k < c->node.count; k++) {
        int32_t n = c->node.data[k];
        if (has_moved(c->log, n)) fr_set3(fem->v, n, fr_axpy(1.0 / mass, lost, fr_get3(fem->v, n)));
    }
}

// new nodes take place and velocity of where they lie; one between two held nodes is held
static void add_nodes(Cut *c) {
    FrFem *fem = c->fem;
    const FrCutLog *log = c->log;
    const FrTetMesh *mesh = fr_cutmesh_view(c->cut);
    size_t first = 3 * (size_t)log->first_node;
    memcpy(fem->x + first, mesh->x + first, 3 * (size_t)log->node_count * sizeof(double));
    for (int32_t k = 0; k < log->move_count; k++)
        fr_set3(fem->x, log->moves[k].node, fr_get3(mesh->x, log->moves[k].node));
    fr_cutlog_apply_positions(log, fem->p);
    fr_cutlog_apply_positions(log, fem->v);
    fr_cutlog_apply_positions(log, fem->drive);
    if (fem->pulled) fr_cutlog_apply_positions(log, fem->gain);
    for (int32_t k = 0; k < log->node_count; k++) {
        const FrNewNode *made = &log->nodes[k];
        int32_t n = log->first_node + k;
        fem->held[n] = fem->held[made->a] && fem->held[made->b];
        fr_set3(fem->load, n, fr_vec3_zero);
        fr_set3(fem->contact, n, fr_vec3_zero);
        fem->stiffness[n] = 0.0;
        fem->mass[n] = fem->drag[n] = fem->added[n] = 0.0;
    }
    fem->node_count = log->first_node + log->node_count;
}

static bool put_tets(Cut *c) {
    FrFem *fem = c->fem;
    for (int32_t k = 0; k < c->log->tet_count; k++) {
        const FrSplitTet *s = &c->log->tets[k];
        memcpy(fem->tet[s->child], s->node, sizeof fem->tet[0]);
        fem->region[s->child] = fem->region[s->parent];
        fem->stiff[s->child] = fem->gone[s->child] = 0;
        fem->rigid_of[s->child] = 0;
        if (fem->yields && s->child != s->parent)
            memcpy(fem->plastic[s->child], fem->plastic[s->parent], sizeof(FrPlasticRow));
        FrElement element;
        bool good = fr_fem_element(fem, s->child, &element);
        FR_ASSERT(good, "cuts leave tets with volume");
        fem->tet_w2[s->child] = fr_element_w2(&element, &fem->material[fem->region[s->child]]);
        if (!fr_chunks_put(fem->ctx, &fem->chunks, s->child, s->parent, s->node, &element))
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
    fem->mass[n] = fem->drag[n] = 0.0;
    for (int32_t k = 0; k < count; k++) {
        const FrMaterial *material = &fem->material[fem->region[star[k]]];
        double share = 0.25 * material->density * fr_chunks_volume(&fem->chunks, star[k]);
        fem->mass[n] += share;
        fem->drag[n] += material->alpha2 * share;
    }
    FR_ASSERT_IN(fem->ctx, fem->mass[n] > 0.0, "every node of a cut mesh belongs to a tet");
    fem->mass[n] += fem->added[n];
    fem->inverse_mass[n] = 1.0 / fem->mass[n];
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
        sum += 0.25 * fem->material[fem->region[star[k]]].density *
               fr_chunks_volume(&fem->chunks, star[k]) * fem->tet_w2[star[k]];
    fem->node_w2[n] = sum * fem->inverse_mass[n];
}

// Strain-rate damping of a thin tet would ask for steps in proportion to the square of its height:
// it is lowered there, so that it never damps faster than anywhere in the body before the first
// cut. The guard pushes on nodes that are heavier than the tet's own share: up to four such tets a
// node.
void fr_fem_bound_tet(FrFem *fem, int32_t e) {
    const int32_t *n = fem->tet[e];
    int32_t lane = fem->chunks.tet_lane[e];
    FrTetBlock *block = &fem->chunks.block[lane / FR_LANES];
    double w2 = 0.0, lightest = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        w2 = fr_max(w2, fem->node_w2[n[i]]);
        lightest = fr_min(lightest, fem->mass[n[i]]);
    }
    double mass = 0.25 * fem->material[fem->region[e]].density * block->vol[lane % FR_LANES];
    block->w2[lane % FR_LANES] = w2;
    block->damp[lane % FR_LANES] = fr_min(1.0, fem->first_w2 / w2);
    block->share[lane % FR_LANES] = fr_min(1.0, 4.0 * mass / lightest);
}

void fr_fem_set_bounds(FrFem *fem) {
    memset(fem->node_w2, 0, (size_t)fem->node_count * sizeof(double));
    for (int32_t e = 0; e < fem->tet_count; e++) {
        FrElement element;
        fr_fem_element(fem, e, &element);
        const FrMaterial *material = &fem->material[fem->region[e]];
        fem->tet_w2[e] = fr_element_w2(&element, material);
        double share = 0.25 * material->density * element.volume * fem->tet_w2[e];
        for (int i = 0; i < 4; i++) fem->node_w2[fem->tet[e][i]] += share;
    }
    for (int32_t n = 0; n < fem->node_count; n++) fem->node_w2[n] *= fem->inverse_mass[n];
    for (int32_t e = 0; e < fem->tet_count; e++) fr_fem_bound_tet(fem, e);
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
    fem->works.fracture += c->kinetic - now;
    for (int32_t k = 0; c->log->move_count && k < c->log->tet_count; k++)
        c->elastic -= fr_fem_tet_elastic(fem, c->log->tets[k].child);
    fem->works.fracture += c->elastic;
    if (fem->topology == 2) fr_fem_set_bounds(fem);
    bound_all(c);
}

static FrResult follow(Cut *c) {
    FrFem *fem = c->fem;
    const FrTetMesh *mesh = fr_cutmesh_view(c->cut);
    FR_ASSERT(c->log->first_node == fem->node_count &&
                  mesh->node_count == fem->node_count + c->log->node_count,
              "tell a body of every cut of its mesh, in order");
    if (!fr_fem_reserve(fem, mesh->node_count, mesh->tet_count) ||
        !fr_chunks_reserve_tets(fem->ctx, &fem->chunks, mesh->tet_count) || !list_nodes(c))
        return fr_no_memory(fem->ctx, "a body that is cut");
    fr_fem_note_pulls(fem);
    note_before(c);
    if (fem->topology == 1)
        for (int32_t e = 0; e < fem->tet_count; e++)
            fem->first_w2 = fr_max(fem->first_w2, *fr_chunks_w2(&fem->chunks, e));
    add_nodes(c);
    fem->tet_count = mesh->tet_count;
    if (!put_tets(c) || !fr_chunks_reserve_lists(fem->ctx, &fem->chunks, fem->node_count) ||
        !fr_fem_reserve_slots(fem))
        return fr_no_memory(fem->ctx, "a body that is cut");
    fem->topology++;
    fem->current = false;
    fem->gather_stale = true;
    update_nodes(c);
    return FR_OK;
}

double fr_fem_damping_factor(const FrFem *fem, int32_t tet) {
    FR_ASSERT_IN(fem->ctx, tet >= 0 && tet < fem->tet_count, "name a tet of this body");
    int32_t lane = fem->chunks.tet_lane[tet];
    return fem->chunks.block[lane / FR_LANES].damp[lane % FR_LANES];
}

FrResult fr_fem_cut(FrFem *fem, const FrCutLog *log, const FrCutMesh *cut) {
    Cut c = {.fem = fem, .log = log, .cut = cut};
    FrResult result = follow(&c);
    fr_array_free(fem->ctx, &c.node);
    return result;
}

// nodes of rigid pieces need no floor
static void leave_stiff(Cut *c) {
    int32_t kept = 0;
    for (int32_t k = 0; k < c->node.count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(c->cut, c->node.data[k], &count);
        if (!c->fem->stiff[star[0]]) c->node.data[kept++] = c->node.data[k];
    }
    c->node.count = kept;
}

FrResult fr_fem_keep_floor(FrFem *fem, const FrCutLog *log, const FrCutMesh *cut) {
    Cut c = {.fem = fem, .log = log, .cut = cut};
    bool listed = list_nodes(&c);
    double elastic = fr_fem_elastic_part(fem);
    if (listed) leave_stiff(&c);
    if (listed && fr_fem_weigh_down(fem, c.node.data, c.node.count)) {
        // to the bits that a checkpoint gives
        for (int32_t k = 0; k < c.node.count; k++) weigh_node(fem, cut, c.node.data[k]);
        bound_all(&c);
        fem->current = false;
        fem->works.fracture += elastic - fr_fem_elastic_part(fem);
    }
    fr_array_free(fem->ctx, &c.node);
    return listed ? FR_OK : fr_no_memory(fem->ctx, "the floor of the step");
}
