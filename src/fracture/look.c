// look.c: which nodes may fail, and how they stand.
//
// A node is a candidate where a tet round it is hot. What was found out about one holds until the
// stresses round it have drifted by as much as it had room: its room, and the stresses of its tets
// are remembered (marked) when it is looked at; each tet that is marked anew for one node takes
// what it drifted so far off the rooms of its others. Cracks are the same bits as without.

#include "fracture/inside.h"
#include "base/tasks.h"

#define NODE_GRAIN 32

FrBreakable fr_fracture_body(const FrFracture *f) {
    return (FrBreakable){.fem = f->fem,
                         .cut = f->cut,
                         .element = f->element.data,
                         .toughness = f->toughness,
                         .now = f->now,
                         .weak = f->weak.count ? f->weak.data : NULL,
                         .grown = f->grown.count ? f->grown.data : NULL,
                         .elastic_only = f->elastic_only,
                         .pulls_of = f->pulls_of.data,
                         .pulls = f->pulls.data};
}

// the Frobenius norm of the stress that counts, against the limit of the tet; the kernel has it,
// unless it is scaled. A tet whose scaled stress is above its limit has a true one above `hot`, so
// that its chunk was listed: what is hot does not hang on the tets beside it in the chunk.
static bool is_hot(const FrFracture *f, const FrBreakable *body, int32_t tet) {
    const FrToughness *t = &f->toughness[fr_fem_region(f->fem, tet)];
    double limit = f->hot.data[tet] * fr_fracture_most_scaled(t);
    if (!t->directional) return fr_fem_tet_stress2(f->fem, tet) > limit * limit;
    FrMat3 F;
    FrSym3 S = fr_breaking_stress(body, tet, &F);
    return fr_sym3_dot(S, S) > limit * limit;
}

// hot tets of a chunk, whose squared limits these are
static FrResult list_hot(FrFracture *f, int32_t chunk, const double *hot2) {
    int32_t count;
    const int32_t *tet = fr_fem_chunk_tets(f->fem, chunk, &count);
    f->chunk_bits.count = 0;
    if (!fr_array_reserve(f->ctx, &f->chunk_bits, count / 4) ||
        !fr_array_reserve(f->ctx, &f->tet, count))
        return fr_no_memory(f->ctx, "stresses");
    fr_fem_chunk_hot(f->fem, chunk, hot2, f->chunk_bits.data);
    for (int32_t j = 0; j < count; j++)
        if (tet[j] >= 0 && f->chunk_bits.data[j / 4] >> j % 4 & 1)
            f->tet.data[f->tet.count++] = tet[j];
    return FR_OK;
}

// of chunks with enough stress
static FrResult list_tets(FrFracture *f) {
    f->tet.count = 0;
    if (!fr_fracture_heat_chunks(f)) return fr_no_memory(f->ctx, "stresses");
    const double *hot2 = f->hot2.data;
    for (int32_t k = 0; k < f->chunk_hot.count; k++) {
        int32_t count;
        if (fr_fem_chunk_stress(f->fem, k) > f->chunk_hot.data[k]) FR_TRY(list_hot(f, k, hot2));
        fr_fem_chunk_tets(f->fem, k, &count);
        hot2 += count;
    }
    return FR_OK;
}

// marked nodes, ascending; no mark is left
static FrResult list_marked(FrFracture *f, int32_t count) {
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count;
    uint8_t *mark = f->mark.data;
    f->candidate.count = 0;
    bool room = fr_array_reserve(f->ctx, &f->candidate, count);
    for (int32_t n = 0; n < nodes && count; n++) {
        if (mark[n] && room) f->candidate.data[f->candidate.count++] = n;
        mark[n] = 0;
    }
    return room ? FR_OK : fr_no_memory(f->ctx, "nodes that may fail");
}

// the corners of hot tets
static FrResult list_candidates(FrFracture *f) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    FrBreakable body = fr_fracture_body(f);
    int32_t count = 0;
    for (int32_t k = 0; k < f->tet.count; k++) {
        if (f->directional && !is_hot(f, &body, f->tet.data[k])) continue;
        const int32_t *n = mesh->tet[f->tet.data[k]];
        for (int i = 0; i < 4; i++) {
            count += !f->mark.data[n[i]];
            f->mark.data[n[i]] = 1;
        }
    }
    f->tet.count = 0;
    return list_marked(f, count);
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

static void bound_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    const double *elastic, *viscous;
    fr_fem_internal_forces(f->fem, &elastic, &viscous);
    for (int32_t k = begin; k < end; k++) {
        int32_t n = f->candidate.data[k];
        FrVec3 force = fr_add(fr_get3(elastic, n), fr_get3(viscous, n));
        double most = (1.0 + ROUNDING) * fr_node_value_at_most(f->most.data[n], force);
        f->mark.data[n] = !fr_fem_held(f->fem, n) && !(most < f->tau.data[n]);
    }
}

// Candidates with a tau that surely hold go, where the force kernel's stresses are those that
// count.
static FrResult drop_safe(FrFracture *f) {
    if (!f->by_tau || f->elastic_only || f->flows) return FR_OK;
    f->most.count = 0;
    if (!fr_array_reserve(f->ctx, &f->most, fr_cutmesh_view(f->cut)->node_count))
        return fr_no_memory(f->ctx, "stresses");
    fr_fem_bound_pulls(f->fem, f->most.data);
    fr_parallel_for(f->ctx, f->candidate.count, 4 * NODE_GRAIN, bound_range, f);
    keep_marked(f);
    return FR_OK;
}

static int corner_of(const int32_t *n, int32_t node) {
    return n[0] == node ? 0 : n[1] == node ? 1 : n[2] == node ? 2 : 3;
}

// what a tet took of the room of its corner since it was marked, N
static double taken(const FrFracture *f, int32_t tet, int corner) {
    return (1.0 + ROUNDING) * f->lever.data[tet].area[corner] * fr_fem_tet_drift(f->fem, tet);
}

// is the room of the node not used up?
static bool has_room(const FrFracture *f, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double room = f->room.data[node];
    for (int32_t k = 0; k < count && room > 0.0; k++)
        room -= taken(f, star[k], corner_of(mesh->tet[star[k]], node));
    return room > 0.0;
}

static void room_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t k = begin; k < end; k++) {
        int32_t n = f->candidate.data[k];
        f->mark.data[n] = !fr_fem_held(f->fem, n) && !has_room(f, n);
    }
}

// Rooms whose nodes had a cut are gone (fr_fracture_follow); a tet that a cut moved among the
// chunks lost its mark.
static void forget_moved(FrFracture *f) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    if (f->room_topology == view.topology) return;
    f->room_topology = view.topology;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4 && !fr_fem_is_marked(f->fem, e); i++)
            f->room.data[mesh->tet[e][i]] = 0.0;
}

// candidates with room go
static void drop_roomy(FrFracture *f) {
    forget_moved(f);
    fr_fem_find_drifts(f->fem);
    fr_parallel_for(f->ctx, f->candidate.count, 4 * NODE_GRAIN, room_range, f);
    keep_marked(f);
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

void fr_fracture_forget(FrFracture *f) {
    for (int32_t k = 0; k < f->tet.count; k++) f->pulls_of.data[f->tet.data[k]] = 0;
    f->tet.count = 0;
}

// the next four of a list; its last again where there are no more
static int next_four(const int32_t *list, int32_t at, int32_t end, int32_t four[4]) {
    for (int k = 0; k < 4; k++) four[k] = list[fr_min_i(at + k, end - 1)];
    return fr_min_i(4, end - at);
}

static void pulls_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k += 4) {
        int32_t tet[4];
        FrTetPulls pulls[4];
        int count = next_four(f->tet.data, k, end, tet);
        fr_tet_pulls_four(&body, tet, pulls);
        for (int j = 0; j < count; j++) f->pulls.data[k + j] = pulls[j];
    }
}

static void state_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k += 4) {
        int32_t node[4];
        FrNodeState state[4];
        double room[4];
        bool wanted[4];
        int count = next_four(f->candidate.data, k, end, node);
        for (int j = 0; j < 4; j++) wanted[j] = !f->use.data[node[j]].wait;
        fr_node_states_four(&body, node, wanted, state, room);
        for (int j = 0; j < count; j++)
            f->state.data[k + j] = state[j], f->room.data[node[j]] = room[j];
    }
}

// how the candidates that are left stand
static FrResult judge_candidates(FrFracture *f) {
    f->state.count = 0;
    FR_TRY(list_stars(f));
    FR_TRY(fr_fracture_even_out(f, f->tet.data, f->tet.count));
    f->pulls.count = 0;
    if (!fr_array_reserve(f->ctx, &f->pulls, f->tet.count) ||
        !fr_array_extend(f->ctx, &f->state, f->candidate.count))
        return fr_no_memory(f->ctx, "stresses");
    f->pulls.count = f->tet.count;
    fr_parallel_for(f->ctx, f->tet.count, NODE_GRAIN, pulls_range, f);
    fr_parallel_for(f->ctx, f->candidate.count, NODE_GRAIN, state_range, f);
    return FR_OK;
}

static void mark_tet(FrFracture *f, int32_t tet) {
    const int32_t *n = fr_cutmesh_view(f->cut)->tet[tet];
    double weak = f->weak.count ? f->weak.data[tet] : 1.0;
    for (int i = 0; i < 4; i++)
        if (!f->mark.data[n[i]])
            f->room.data[n[i]] = fr_max(0.0, f->room.data[n[i]] - taken(f, tet, i));
    fr_fem_mark_tet(f->fem, tet, weak * f->toughness[fr_fem_region(f->fem, tet)].strength);
}

/// A mark that is of use for fewer looks than this is not worth its cost: then none is made at this
/// node for a while, for at most so many looks.
#define LEAST_USE 4
#define LONGEST_WAIT 32

static void note_mark(const FrFracture *f, FrNodeUse *use) {
    if (f->look - use->marked >= LEAST_USE)
        use->pause = 0;
    else
        use->wait = use->pause = (uint8_t)fr_min_i(2 * use->pause + 1, LONGEST_WAIT);
    use->marked = f->look;
}

// Of candidates, whose room is new, the tets are marked anew, if there is some.
static void mark_stars(FrFracture *f) {
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t n = f->candidate.data[k];
        FrNodeUse *use = &f->use.data[n];
        if (use->wait)
            use->wait--;
        else if (f->room.data[n] > 0.0)
            note_mark(f, use);
        f->mark.data[n] = 1;
    }
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t n = f->candidate.data[k], count;
        const int32_t *star = fr_cutmesh_star(f->cut, n, &count);
        for (int32_t j = 0; f->room.data[n] > 0.0 && j < count; j++) {
            if (f->fresh.data[star[j]]) continue;
            f->fresh.data[star[j]] = 1;
            mark_tet(f, star[j]);
        }
    }
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t n = f->candidate.data[k], count;
        const int32_t *star = fr_cutmesh_star(f->cut, n, &count);
        for (int32_t j = 0; j < count; j++) f->fresh.data[star[j]] = 0;
        f->mark.data[n] = 0;
    }
}

// candidates without room are judged, and have a new one
static FrResult look_closer(FrFracture *f) {
    FR_TRY(judge_candidates(f));
    mark_stars(f);
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
    FR_TRY(fr_fracture_even_out_all(f));
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
    f->candidate.count = f->state.count = 0;
    f->evened++;
    if (f->everywhere) return look_everywhere(f);
    FR_TRY(list_tets(f));
    FR_TRY(list_candidates(f));
    if (f->candidate.count) FR_TRY(drop_safe(f));
    if (!f->candidate.count) return FR_OK;
    FR_TRY(fr_fem_count_stress(f->fem, f->cap));
    f->look++;
    drop_roomy(f);
    return f->candidate.count ? look_closer(f) : FR_OK;
}
