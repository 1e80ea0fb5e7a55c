// look.c: which nodes are worth a closer look, and how they stand.

#include "fracture/inside.h"
#include "base/tasks.h"
#include "fem/element.h"
#include "fem/remedy.h"
#include "mesh/tetmesh.h"

/// A node can only fail where some tet round it has at least this share of the strength: a plane
/// through a node has half the area of all faces opposite it, on average; less for flat stars.
#define HOT_SHARE 0.4

#define TET_GRAIN 1024
#define NODE_GRAIN 32
#define BOUND_GRAIN 1024

/// Marks that are of use for fewer looks than this are not worth their cost; then none is made for
/// a while, for at most so many looks.
#define LEAST_USE 4
#define LONGEST_WAIT 64

FrBreakable fr_fracture_body(const FrFracture *f) {
    return (FrBreakable){.fem = f->fem,
                         .cut = f->cut,
                         .toughness = f->toughness,
                         .now = f->now,
                         .weak = f->weak.count ? f->weak.data : NULL,
                         .grown = f->grown.count ? f->grown.data : NULL,
                         .elastic_only = f->elastic_only,
                         .pulls_of = f->pulls_of.data,
                         .pulls = f->pulls.data};
}

// a third of the face of a tet opposite a node, at rest, m^2
static double area_opposite(const FrTetMesh *mesh, int32_t tet, int32_t node) {
    const int32_t *n = mesh->tet[tet];
    int32_t o[3];
    for (int j = 0, m = 0; j < 4; j++)
        if (n[j] != node && m < 3) o[m++] = n[j];
    FrVec3 a = fr_get3(mesh->x, o[0]);
    return fr_length(
               fr_cross(fr_sub(fr_get3(mesh->x, o[1]), a), fr_sub(fr_get3(mesh->x, o[2]), a))) /
           6.0;
}

static double area_round(const FrFracture *f, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double area = 0.0;
    for (int32_t k = 0; k < count; k++) area += area_opposite(mesh, star[k], node);
    return area;
}

// v+ <= 1/2 sum |f+| + ..., |f| <= vol |F| |S| |G|: with all tets at the same stress the node fails
// above tau / (1/2 sum vol |G|); a quarter of that is looked at
static double hot_by_tau(const FrFracture *f, int32_t tet, double tau) {
    const int32_t *n = fr_cutmesh_view(f->cut)->tet[tet];
    double least = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        double area = f->area.data[n[i]];
        if (area > 0.0) least = fr_min(least, 2.0 * tau / area);
    }
    return HOT_SHARE * least;
}

// tips of cracks fail below the strength, down to what stops a crack in tets of this size
static double tip_share(const FrFracture *f, const FrToughness *t, int32_t tet) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    const int32_t *n = mesh->tet[tet];
    bool near = false;
    double edge = 0.0;
    for (int i = 0; i < 4; i++) near = near || f->cracked.data[n[i]];
    if (!near || !(t->tip > 0.0) || !(t->strength > 0.0)) return 1.0;
    for (int k = 0; k < 6; k++)
        edge = fr_max(edge, fr_distance(fr_get3(mesh->x, n[fr_tet_edge[k][0]]),
                                        fr_get3(mesh->x, n[fr_tet_edge[k][1]])));
    return fr_min(1.0, t->tip * sqrt(2.0 / (FR_PI * edge)) / t->strength);
}

// scaled stresses are at most this times the true ones: |A S A| <= |A|^2 |S|, and rounding
static double most_scaled(const FrToughness *t) {
    return t->directional ? (1.0 + 1e-9) * fr_mat3_norm(t->A) * fr_mat3_norm(t->A) : 1.0;
}

// of the true stress
static double hot_limit(const FrFracture *f, int32_t tet) {
    if (fr_fem_is_stiff(f->fem, tet)) return HUGE_VAL;
    const FrToughness *t = &f->toughness[fr_fem_region(f->fem, tet)];
    double weak = f->weak.count ? f->weak.data[tet] : 1.0, scale = most_scaled(t);
    if (t->tau > 0.0) return hot_by_tau(f, tet, weak * t->tau) / scale;
    if (!(t->strength > 0.0)) return HUGE_VAL;
    return HOT_SHARE * weak * t->strength * tip_share(f, t, tet) / scale;
}

// what is known of a tet at rest
static void heat_tet(FrFracture *f, int32_t tet) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    f->hot.data[tet] = hot_limit(f, tet);
    for (int i = 0; i < 4; i++)
        f->lever.data[tet].area[i] = area_opposite(mesh, tet, mesh->tet[tet][i]);
    f->lever.data[tet].flowing = fr_fracture_flows(f, tet) ? fr_tet_volume(mesh, tet) : 0.0;
}

static bool crack_ends_at(const FrFracture *f, int32_t node) {
    const double(*opened)[4] = fr_cutmesh_opened(f->cut);
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++)
            if (opened[star[k]][i] >= 0.0 && mesh->tet[star[k]][i] != node) return true;
    return false;
}

// what limits hang on at a node, once
static void look_round(FrFracture *f, int32_t node) {
    if (f->mark.data[node]) return;
    f->area.data[node] = area_round(f, node);
    f->cracked.data[node] = crack_ends_at(f, node);
    f->mark.data[node] = 1;
}

static void heat_star(FrFracture *f, int32_t node) {
    if (!f->mark.data[node]) return;
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    for (int32_t k = 0; k < count; k++) heat_tet(f, star[k]);
    f->mark.data[node] = 0;
}

static void heat_all(FrFracture *f) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    for (int32_t n = 0; n < mesh->node_count; n++) look_round(f, n);
    for (int32_t n = 0; n < mesh->node_count; n++) f->mark.data[n] = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) heat_tet(f, e);
}

static void each_node(FrFracture *f, const FrCutLog *log, void (*visit)(FrFracture *, int32_t)) {
    for (int32_t k = 0; k < log->tet_count; k++)
        for (int i = 0; i < 4; i++) {
            visit(f, log->tets[k].parent_node[i]);
            visit(f, log->tets[k].node[i]);
        }
    for (int32_t k = 0; k < log->face_count; k++)
        for (int i = 0; i < 3; i++) {
            visit(f, log->faces[k].plus_node[i]);
            visit(f, log->faces[k].minus_node[i]);
        }
}

// Tets that changed; where limits hang on what is round their nodes, all there: first the nodes,
// then the tets. The same limits follow from a checkpoint.
static void heat_cut(FrFracture *f, const FrCutLog *log) {
    if (f->by_round) {
        each_node(f, log, look_round);
        each_node(f, log, heat_star);
        return;
    }
    for (int32_t k = 0; k < log->tet_count; k++) heat_tet(f, log->tets[k].child);
}

bool fr_fracture_follow(FrFracture *f, const FrCutLog *log) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t tets = mesh->tet_count - f->hot.count, nodes = mesh->node_count - f->version.count;
    if (!fr_array_extend(f->ctx, &f->hot, tets) || !fr_array_extend(f->ctx, &f->pulls_of, tets) ||
        !fr_array_extend(f->ctx, &f->version, nodes) || !fr_array_extend(f->ctx, &f->mark, nodes) ||
        !fr_array_extend(f->ctx, &f->known, nodes) || !fr_array_extend(f->ctx, &f->area, nodes) ||
        !fr_array_extend(f->ctx, &f->cracked, nodes) || !fr_array_extend(f->ctx, &f->lever, tets))
        return false;
    if (f->weak.count) {
        if (!fr_array_extend(f->ctx, &f->weak, mesh->tet_count - f->weak.count)) return false;
        for (int32_t k = 0; log && k < log->tet_count; k++)
            f->weak.data[log->tets[k].child] = f->weak.data[log->tets[k].parent];
    }
    if (!log) {
        f->grown.count = 0;
        heat_all(f);
        return true;
    }
    if (f->grown.count) {
        if (!fr_array_extend(f->ctx, &f->grown, mesh->tet_count - f->grown.count)) return false;
        for (int32_t k = 0; k < log->tet_count; k++)
            f->grown.data[log->tets[k].child] = f->grown.data[log->tets[k].parent];
    }
    for (int32_t k = 0; k < log->tet_count; k++) f->pulls_of.data[log->tets[k].child] = 0;
    heat_cut(f, log);
    return true;
}

// the smallest limit in each chunk
static bool heat_chunks(FrFracture *f) {
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    if (f->hot_topology == view.topology) return true;
    int32_t chunks = fr_fem_chunk_count(f->fem);
    f->chunk_hot.count = 0;
    if (!fr_array_extend(f->ctx, &f->chunk_hot, chunks)) return false;
    for (int32_t k = 0; k < chunks; k++) {
        int32_t count;
        const int32_t *tet = fr_fem_chunk_tets(f->fem, k, &count);
        double least = HUGE_VAL;
        for (int32_t j = 0; j < count; j++)
            if (tet[j] >= 0) least = fr_min(least, f->hot.data[tet[j]]);
        f->chunk_hot.data[k] = least;
    }
    f->hot_topology = view.topology;
    return true;
}

// tets of chunks with enough stress
static FrResult list_tets(FrFracture *f) {
    f->tet.count = f->tet_hot.count = 0;
    if (!heat_chunks(f)) return fr_no_memory(f->ctx, "stresses");
    for (int32_t k = 0; k < f->chunk_hot.count; k++) {
        if (!(fr_fem_chunk_stress(f->fem, k) > f->chunk_hot.data[k])) continue;
        int32_t count;
        const int32_t *tet = fr_fem_chunk_tets(f->fem, k, &count);
        if (!fr_array_reserve(f->ctx, &f->tet, count)) return fr_no_memory(f->ctx, "stresses");
        for (int32_t j = 0; j < count; j++)
            if (tet[j] >= 0) f->tet.data[f->tet.count++] = tet[j];
    }
    return fr_array_extend(f->ctx, &f->tet_hot, f->tet.count) ? FR_OK
                                                              : fr_no_memory(f->ctx, "stresses");
}

// the Frobenius norm of the stress that counts, against the limit of the tet; the kernel has it,
// unless it is scaled. A tet whose scaled stress is above its limit has a true one above `hot`, so
// that its chunk was listed: what is hot does not hang on the tets beside it in the chunk.
static bool is_hot(const FrFracture *f, const FrBreakable *body, int32_t tet) {
    const FrToughness *t = &f->toughness[fr_fem_region(f->fem, tet)];
    double limit = f->hot.data[tet] * most_scaled(t);
    if (!t->directional) return fr_fem_tet_stress2(f->fem, tet) > limit * limit;
    FrMat3 F;
    FrSym3 S = fr_breaking_stress(body, tet, &F);
    return fr_sym3_dot(S, S) > limit * limit;
}

static void heat_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k++) f->tet_hot.data[k] = is_hot(f, &body, f->tet.data[k]);
}

// the corners of hot tets, ascending
static FrResult list_candidates(FrFracture *f) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    uint8_t *mark = f->mark.data;
    int32_t count = 0;
    for (int32_t k = 0; k < f->tet.count; k++) {
        const int32_t *n = mesh->tet[f->tet.data[k]];
        for (int i = 0; f->tet_hot.data[k] && i < 4; i++) {
            count += !mark[n[i]];
            mark[n[i]] = 1;
        }
    }
    f->candidate.count = f->state.count = 0;
    if (!count) return FR_OK;
    bool room =
        fr_array_reserve(f->ctx, &f->candidate, count) && fr_array_extend(f->ctx, &f->state, count);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        if (mark[n] && room) f->candidate.data[f->candidate.count++] = n;
        mark[n] = 0;
    }
    return room ? FR_OK : fr_no_memory(f->ctx, "nodes that may fail");
}

// the tets round the candidates, each once
static FrResult list_stars(FrFracture *f) {
    f->tet.count = 0;
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, f->candidate.data[k], &count);
        if (!fr_array_reserve(f->ctx, &f->tet, count)) return fr_no_memory(f->ctx, "stresses");
        for (int32_t j = 0; j < count; j++) {
            if (f->pulls_of.data[star[j]]) continue;
            f->tet.data[f->tet.count++] = star[j];
            f->pulls_of.data[star[j]] = f->tet.count;
        }
    }
    return FR_OK;
}

static void pulls_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    int32_t k = begin;
    for (; k + 4 <= end; k += 4) fr_tet_pulls_four(&body, &f->tet.data[k], &f->pulls.data[k]);
    for (; k < end; k++) fr_tet_pulls(&body, f->tet.data[k], &f->pulls.data[k]);
}

// are the force kernel's stresses those that count?
static bool by_kernel(const FrFracture *f) { return !f->elastic_only && !f->flows; }

static void state_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    int32_t k = begin;
    for (; k + 4 <= end; k += 4)
        fr_node_states_four(&body, &f->candidate.data[k], by_kernel(f) ? f->limit.data : NULL,
                            &f->state.data[k]);
    for (; k < end; k++)
        f->state.data[k] = fr_node_state(&body, f->candidate.data[k], fr_sym3_zero);
}

void fr_fracture_forget(FrFracture *f) {
    for (int32_t k = 0; k < f->tet.count; k++) f->pulls_of.data[f->tet.data[k]] = 0;
    f->tet.count = 0;
}

// candidates without a mark go
static void keep_marked(FrFracture *f) {
    int32_t kept = 0;
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t n = f->candidate.data[k];
        if (f->mark.data[n]) f->candidate.data[kept++] = n;
        f->mark.data[n] = 0;
    }
    f->candidate.count = kept;
}

/// Rounding of what is compared, times what it is compared with.
#define ROUNDING 1e-9

static bool surely_holds(double most, double limit) { return (1.0 + ROUNDING) * most < limit; }

static void bound_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    const double *elastic, *viscous;
    fr_fem_internal_forces(f->fem, &elastic, &viscous);
    for (int32_t n = begin; n < end; n++)
        f->most.data[n] = fr_node_value_at_most(f->most.data[n],
                                                fr_add(fr_get3(elastic, n), fr_get3(viscous, n)));
}

static void hold_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k++) {
        int32_t n = f->candidate.data[k];
        double *limit = &f->limit.data[n];
        if (!f->only_tau || !(*limit > 0.0)) *limit = fr_node_limit_at_least(&body, n);
        f->mark.data[n] = !fr_fem_held(f->fem, n) && !surely_holds(f->most.data[n], *limit);
    }
}

// candidates that surely hold go, before stresses are split
static FrResult drop_safe(FrFracture *f) {
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count;
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    if (f->limit_topology != view.topology) f->limit.count = 0;
    f->limit_topology = view.topology;
    f->most.count = 0;
    if (!fr_array_extend(f->ctx, &f->most, nodes) ||
        !fr_array_extend(f->ctx, &f->limit, nodes - f->limit.count))
        return fr_no_memory(f->ctx, "stresses");
    fr_fem_bound_pulls(f->fem, f->most.data);
    fr_parallel_for(f->ctx, nodes, BOUND_GRAIN, bound_range, f);
    fr_parallel_for(f->ctx, f->candidate.count, NODE_GRAIN, hold_range, f);
    keep_marked(f);
    return FR_OK;
}

static void change_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k++) {
        int32_t e = f->tet.data[k];
        const FrSym3 *was = f->flows ? &f->counted.data[e] : NULL;
        f->change.data[k] =
            fr_node_drift(&body, e, was, f->flows ? f->strain.data[e] : fr_sym3_zero);
    }
}

static double change_round(const FrFracture *f, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t *n = mesh->tet[star[k]];
        int i = n[0] == node ? 0 : n[1] == node ? 1 : n[2] == node ? 2 : 3;
        sum += f->lever.data[star[k]].area[i] * f->change.data[f->pulls_of.data[star[k]] - 1];
    }
    return sum;
}

static void drift_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t k = begin; k < end; k++) {
        int32_t n = f->candidate.data[k];
        f->mark.data[n] = !surely_holds(change_round(f, n), f->room.data[n]);
    }
}

// Candidates that were far enough from failing when all were looked at last, for how little their
// stresses changed since, go; when those that did not cost as many looks as there are candidates,
// all are looked at again.
static FrResult drop_unchanged(FrFracture *f, bool *all) {
    *all = !fr_fem_has_mark(f->fem) || f->room.count != fr_cutmesh_view(f->cut)->node_count;
    if (*all || !f->candidate.count) return FR_OK;
    FR_TRY(list_stars(f));
    f->change.count = 0;
    if (!fr_array_extend(f->ctx, &f->change, f->tet.count)) return fr_no_memory(f->ctx, "stresses");
    fr_parallel_for(f->ctx, f->tet.count, TET_GRAIN, change_range, f);
    fr_parallel_for(f->ctx, f->candidate.count, NODE_GRAIN, drift_range, f);
    int32_t changed = 0;
    for (int32_t k = 0; k < f->candidate.count; k++) changed += f->mark.data[f->candidate.data[k]];
    f->looked_at += changed;
    f->uses++;
    *all = f->looked_at > f->candidate.count;
    for (int32_t k = 0; *all && k < f->candidate.count; k++) f->mark.data[f->candidate.data[k]] = 1;
    keep_marked(f);
    fr_fracture_forget(f);
    return FR_OK;
}

static void room_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k++) {
        int32_t n = f->candidate.data[k];
        f->room.data[n] = fr_node_room(&body, n, f->state.data[k].value);
    }
}

static void count_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k++) {
        int32_t e = f->tet.data[k];
        f->counted.data[e] = fr_counted_stress(&body, e, f->strain.data[e]);
    }
}

// what flows has other stresses than the force kernel knows: those round the candidates
static FrResult mark_counted(FrFracture *f) {
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count;
    if (!f->flows) return FR_OK;
    if (!fr_array_extend(f->ctx, &f->counted, tets - f->counted.count))
        return fr_no_memory(f->ctx, "stresses");
    fr_parallel_for(f->ctx, f->tet.count, NODE_GRAIN, count_range, f);
    return FR_OK;
}

// A mark that was soon of no more use, or lost, is not made again at once.
static bool worth_a_mark(FrFracture *f) {
    if (f->room.count) {
        f->next_wait = f->uses < LEAST_USE ? fr_min_i(2 * f->next_wait + 1, LONGEST_WAIT) : 0;
        f->wait = f->next_wait;
    }
    f->room.count = 0;
    return f->wait-- <= 0;
}

// how far from failing the candidates are, for the looks to come; 0: not known
static FrResult keep_room(FrFracture *f) {
    if (!worth_a_mark(f)) return FR_OK;
    f->uses = 0;
    if (!fr_array_extend(f->ctx, &f->room, fr_cutmesh_view(f->cut)->node_count))
        return fr_no_memory(f->ctx, "nodes that may fail");
    FR_TRY(mark_counted(f));
    fr_parallel_for(f->ctx, f->candidate.count, NODE_GRAIN, room_range, f);
    fr_fem_mark_stress(f->fem);
    f->looked_at = 0;
    return FR_OK;
}

// is all stress below a thousandth of what may break something?
bool fr_fracture_at_ease(FrFracture *f) {
    if (f->by_tau || !heat_chunks(f)) return false;
    for (int32_t k = 0; k < f->chunk_hot.count; k++)
        if (fr_fem_chunk_stress(f->fem, k) >= 1e-3 / HOT_SHARE * f->chunk_hot.data[k]) return false;
    return true;
}

// how the candidates that are left stand
static FrResult judge_candidates(FrFracture *f) {
    FR_TRY(list_stars(f));
    f->pulls.count = 0;
    if (!fr_array_reserve(f->ctx, &f->pulls, f->tet.count)) return fr_no_memory(f->ctx, "stresses");
    f->pulls.count = f->tet.count;
    fr_parallel_for(f->ctx, f->tet.count, NODE_GRAIN, pulls_range, f);
    fr_parallel_for(f->ctx, f->candidate.count, NODE_GRAIN, state_range, f);
    return FR_OK;
}

static bool star_is_hot(const FrFracture *f, const FrBreakable *body, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    for (int32_t k = 0; k < count; k++)
        if (is_hot(f, body, star[k])) return true;
    return false;
}

// every tet, every node with enough stress, by itself
static FrResult look_everywhere(FrFracture *f) {
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count;
    f->state.count = 0;
    FR_TRY(fr_fracture_even_out(f));
    if (!fr_array_reserve(f->ctx, &f->candidate, nodes) ||
        !fr_array_reserve(f->ctx, &f->state, nodes))
        return fr_no_memory(f->ctx, "nodes that may fail");
    FrBreakable body = fr_fracture_body(f);
    fr_fem_chunk_stress(f->fem, 0);
    for (int32_t n = 0; n < nodes; n++) {
        if (!star_is_hot(f, &body, n)) continue;
        f->candidate.data[f->candidate.count++] = n;
        f->state.data[f->state.count++] = fr_node_state(&body, n, fr_sym3_zero);
    }
    return FR_OK;
}

FrResult fr_fracture_look(FrFracture *f) {
    f->candidate.count = 0;
    if (f->everywhere) return look_everywhere(f);
    FR_TRY(list_tets(f));
    if (!f->tet.count) return FR_OK;
    FR_TRY(fr_fracture_even_out(f));
    fr_parallel_for(f->ctx, f->tet.count, TET_GRAIN, heat_range, f);
    FR_TRY(list_candidates(f));
    fr_fracture_forget(f);
    if (!f->candidate.count) return FR_OK;
    bool all;
    if (by_kernel(f)) FR_TRY(drop_safe(f));
    FR_TRY(drop_unchanged(f, &all));
    FR_TRY(judge_candidates(f));
    return all ? keep_room(f) : FR_OK;
}
