// break.c: nodes that fail are split, the most overloaded first, until none does.

#include "fracture/inside.h"
#include "fem/element.h"
#include <string.h>

// what is known of a node in this scan; made if it is not there; NULL: no memory
static FrResidual *known_of(FrFracture *f, int32_t node) {
    int32_t at = f->scratch.cuts.known.data[node] - 1;
    if (at >= 0) return &f->scratch.cuts.residual.data[at];
    FrResidual made = {.node = node};
    if (!fr_array_push(f->ctx, &f->scratch.cuts.residual, made)) return NULL;
    f->scratch.cuts.known.data[node] = f->scratch.cuts.residual.count;
    return &f->scratch.cuts.residual.data[f->scratch.cuts.residual.count - 1];
}

FrResult fr_fracture_push(FrFracture *f, int32_t node, const FrNodeState *state) {
    if (!fr_node_fails(state)) return FR_OK;
    if (fr_fracture_is_refused(f, node, state->normal)) {
        f->state.wait.data[node] = fr_fracture_wait(f, 0.0);
        return FR_OK;
    }
    FrFailing item = {(float)(state->value / state->limit), node,
                      f->scratch.cuts.version.data[node], *state};
    return fr_failing_push(f->ctx, &f->scratch.cuts.queue, item)
               ? FR_OK
               : fr_no_memory(f->ctx, "nodes that fail");
}

// May this node be split, again? A node and its copies: three planes at most, as many as stresses
// have; and no more than so many splits that follow from each other.
static bool spent(const FrFracture *f, int32_t node) {
    int32_t at = f->scratch.cuts.known.data[node] - 1;
    if (at < 0) return false;
    const FrResidual *known = &f->scratch.cuts.residual.data[at];
    return known->passed || known->splits >= FR_MOST_PLANES ||
           known->generation >= f->settings.generations;
}

// from the stresses as they are: children of a cut tet have their parent's
static FrResult test_again(FrFracture *f, int32_t node) {
    if (spent(f, node)) return FR_OK;
    int32_t at = f->scratch.cuts.known.data[node] - 1;
    FrNodeState state =
        fr_fracture_judge(f, node, at < 0 ? fr_sym3_zero : f->scratch.cuts.residual.data[at].zeta);
    return fr_fracture_push(f, node, &state);
}

// a quarter of the elastic energy of each tet round the node, J
static double energy_held(const FrFracture *f, int32_t node) {
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    const double *rest = fr_fem_rest(f->fem);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) {
        FrVec3 m[4], p[4];
        for (int i = 0; i < 4; i++) {
            m[i] = fr_get3(rest, view.tet[star[k]][i]);
            p[i] = fr_get3(view.p, view.tet[star[k]][i]);
        }
        FrElement e;
        fr_element_make(m, &e);
        FrSym3 E = fr_green_strain(fr_element_gradient(&e, p));
        sum += 0.25 * e.volume *
               fr_material_energy(fr_fem_material(f->fem, star[k]), E,
                                  fr_fem_plastic_strain(f->fem, star[k]));
    }
    return sum;
}

// add the log of one split to that of the whole scan
static bool append_log(FrContext *ctx, FrCutLog *to, const FrCutLog *from) {
    if (!fr_cutlog_reserve(ctx, to, from->tet_count, from->node_count, from->face_count,
                           from->move_count))
        return false;
    int32_t node, face = 0;
    for (int32_t k = 0; k < from->move_count; k++) fr_cutlog_move(ctx, to, from->moves[k]);
    for (int32_t k = 0; k < from->node_count; k++)
        fr_cutlog_edge_node(ctx, to, from->nodes[k].a, from->nodes[k].b, from->nodes[k].t, &node);
    for (int32_t k = 0, end; k < from->tet_count; k = end) {
        int32_t child[64], nodes[64][4];
        for (end = k; end < from->tet_count && from->tets[end].group == from->tets[k].group;
             end++) {
            FR_ASSERT_IN(ctx, end - k < 64, "a tet has few children");
            child[end - k] = from->tets[end].child;
            memcpy(nodes[end - k], from->tets[end].node, sizeof nodes[0]);
        }
        FrChildren into = {from->tets[k].parent, from->tets[k].parent_node, child,
                           (const int32_t(*)[4])nodes, end - k};
        fr_cutlog_split(ctx, to, &into);
    }
    fr_cutlog_moves_end(to, from->move_count);
    for (; face < from->face_count; face++) fr_cutlog_open(ctx, to, from->faces[face]);
    return true;
}

FrResult fr_fracture_take(FrFracture *f, const int32_t *touched, int32_t count) {
    FR_TRY(fr_fem_cut(f->fem, &f->scratch.cuts.one, f->cut));
    fr_fracture_forget(f); // damping of tets beside the cut changed, so pulls did
    if (!append_log(f->ctx, &f->scratch.cuts.log, &f->scratch.cuts.one) ||
        !fr_fracture_follow(f, &f->scratch.cuts.one))
        return fr_no_memory(f->ctx, "a crack");
    fr_fracture_allow(f, touched, count);
    for (int32_t k = 0; k < count; k++) f->scratch.cuts.version.data[touched[k]]++;
    return FR_OK;
}

FrResult fr_fracture_split(FrFracture *f, int32_t node, FrVec3 normal, FrSplitResult *result) {
    fr_cutlog_clear(&f->scratch.cuts.one, fr_cutmesh_view(f->cut)->node_count);
    FrBreakable body = fr_fracture_body(f);
    FrSplitOptions *split = &f->scratch.cuts.split;
    split->held = fr_fem_all_held(f->fem);
    split->upright = fr_wall_at(&body, node);
    FR_TRY(fr_cutmesh_split(f->cut, node, normal, split, &f->scratch.cuts.one, result));
    if (result->outcome != FR_SPLIT_DONE) return FR_OK;
    return fr_fracture_take(f, result->touched, result->touched_count);
}

// the nodes that the split node became: itself and its copies, by number
static FrResult test_copies(FrFracture *f, int32_t node, int32_t generation, int32_t splits) {
    for (int32_t k = -1; k < f->scratch.cuts.one.node_count; k++) {
        if (k >= 0 &&
            (f->scratch.cuts.one.nodes[k].a != node || f->scratch.cuts.one.nodes[k].b != node))
            continue;
        int32_t n = k < 0 ? node : f->scratch.cuts.one.first_node + k;
        FrResidual *known = known_of(f, n);
        if (!known) return fr_no_memory(f->ctx, "a crack");
        known->generation = generation;
        known->splits = splits;
        known->passed = false;
        FR_TRY(test_again(f, n));
    }
    return FR_OK;
}

// zeta_t += (alpha / n) v* n n' for the n nodes of the new front, v* = v+ - tau    [S6 eq. 4.7]
static FrResult pass_on(FrFracture *f, const FrFailing *failed, const FrSplitResult *split,
                        double alpha, int32_t generation) {
    if (!(alpha > 0.0) || !split->front_count) return FR_OK;
    double excess = failed->state.value - failed->state.limit;
    FrVec3 n = failed->state.normal;
    FrSym3 share = fr_mat3_sym(fr_outer(fr_scale(alpha * excess / split->front_count, n), n));
    for (int32_t k = 0; k < split->front_count; k++) {
        FrResidual *known = known_of(f, split->front[k]);
        if (!known) return fr_no_memory(f->ctx, "a crack's front");
        known->generation = fr_max_i(known->generation, generation);
        known->passed = false;
        known->zeta = fr_sym3_axpy(1.0, share, known->zeta);
        FR_TRY(test_again(f, split->front[k]));
    }
    return FR_OK;
}

// Nodes beside a crack that runs are relieved by it; but their stresses say so only once the body
// has had time to move. What of them exceeded the limit at the scan would make branches that are
// not there at small steps: those that share a tet with the split node and are not its front wait.
static FrResult pass_by(FrFracture *f, int32_t node, double alpha) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    for (int32_t k = -1; alpha > 0.0 && k < f->scratch.cuts.one.node_count; k++) {
        if (k >= 0 &&
            (f->scratch.cuts.one.nodes[k].a != node || f->scratch.cuts.one.nodes[k].b != node))
            continue;
        int32_t count;
        const int32_t *star =
            fr_cutmesh_star(f->cut, k < 0 ? node : f->scratch.cuts.one.first_node + k, &count);
        for (int32_t j = 0; j < 4 * count; j++) {
            int32_t beside = mesh->tet[star[j / 4]][j % 4];
            if (f->scratch.cuts.known.data[beside]) continue;
            FrResidual *known = known_of(f, beside);
            if (!known) return fr_no_memory(f->ctx, "a crack");
            known->passed = true;
        }
    }
    return FR_OK;
}

// smallest of the materials round the node
static double residual_share(const FrFracture *f, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double least = 1.0;
    for (int32_t k = 0; k < count; k++)
        least = fr_min(least, f->settings.toughness[fr_fem_region(f->fem, star[k])].residual);
    return least;
}

static FrResult break_node(FrFracture *f, const FrFailing *failed) {
    int32_t node = failed->node;
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    FrCrack crack = {.x = fr_get3(view.p, node),
                     .n = failed->state.normal,
                     .value = failed->state.value,
                     .limit = failed->state.limit,
                     .energy = energy_held(f, node),
                     .node = node};
    if (spent(f, node)) return FR_OK;
    const FrResidual *known = known_of(f, node);
    if (!known) return fr_no_memory(f->ctx, "a crack");
    int32_t generation = known->generation + 1, splits = known->splits + 1;
    double alpha = residual_share(f, node);
    FrSplitResult split;
    f->scratch.cuts.split.along_faces = f->settings.split.along_faces || failed->state.along_faces;
    FR_TRY(fr_fracture_split(f, node, crack.n, &split));
    f->scratch.cuts.planes++;
    if (split.outcome != FR_SPLIT_DONE)
        return fr_fracture_refuse(f, node, crack.n) ? FR_OK : fr_no_memory(f->ctx, "a crack");
    crack.area = split.area;
    if (!fr_array_push(f->ctx, &f->scratch.cuts.crack, crack))
        return fr_no_memory(f->ctx, "cracks");
    FR_TRY(pass_on(f, failed, &split, alpha, generation));
    FR_TRY(pass_by(f, node, alpha));
    return test_copies(f, node, generation, splits);
}

FrResult fr_fracture_break_all(FrFracture *f) {
    FrFailing failed;
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    if (f->scratch.cuts.queue.item.count) fr_cutmesh_place(f->cut, view.p);
    while (fr_failing_pop(&f->scratch.cuts.queue, &failed)) {
        if (failed.version != f->scratch.cuts.version.data[failed.node]) {
            FR_TRY(test_again(f, failed.node));
            continue;
        }
        FR_TRY(break_node(f, &failed));
    }
    return FR_OK;
}
