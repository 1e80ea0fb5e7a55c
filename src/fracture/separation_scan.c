// separation_scan.c: which nodes may fail by the separation tensor, and how they stand.
//
// A node is a candidate where a tet round it is overstressed. Those that bounds
// (separation_screen.c) do not show to hold are judged.

#include "fracture/inside.h"
#include "base/tasks.h"

// the Frobenius norm of the stress that counts, against the limit of the tet; the kernel has it,
// unless it is scaled. A tet whose scaled stress is above its limit has a true one above
// `overstress`, so that its chunk was listed: what is overstressed does not hang on the tets beside
// it in the chunk.
static bool is_overstressed(const FrFracture *f, const FrBreakable *body, int32_t tet) {
    const FrToughness *t = &f->settings.toughness[fr_fem_region(f->fem, tet)];
    double limit = f->scratch.limits.overstress.data[tet] * fr_fracture_most_scaled(t);
    if (!t->directional) return fr_fem_tet_stress2(f->fem, tet) > limit * limit;
    FrMat3 F;
    FrSym3 S = fr_breaking_stress(body, tet, &F);
    return fr_sym3_dot(S, S) > limit * limit;
}

// The corners of overstressed tets of a chunk, whose squared limits these are, get a mark.
static void mark_overstressed(FrFracture *f, int32_t chunk, const double *limit2) {
    if (!f->settings.directional) {
        fr_fem_mark_overstressed(f->fem, chunk, limit2, f->scratch.scan.mark.data);
        return;
    }
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    FrBreakable body = fr_fracture_body(f);
    int32_t count;
    const int32_t *tet = fr_fem_chunk_tets(f->fem, chunk, &count);
    for (int32_t j = 0; j < count; j++) {
        if (tet[j] < 0 || !(fr_fem_tet_stress2(f->fem, tet[j]) > limit2[j])) continue;
        for (int i = 0; i < 4 && is_overstressed(f, &body, tet[j]); i++)
            f->scratch.scan.mark.data[mesh->tet[tet[j]][i]] = 1;
    }
}

// of chunks with enough stress; false: none has
static bool mark_chunks(FrFracture *f) {
    const double *limit2 = f->scratch.limits.overstress2.data;
    bool any = false;
    for (int32_t k = 0; k < f->scratch.limits.chunk_overstress.count; k++) {
        int32_t count;
        fr_fem_chunk_tets(f->fem, k, &count);
        if (fr_fem_chunk_stress(f->fem, k) > f->scratch.limits.chunk_overstress.data[k])
            mark_overstressed(f, k, limit2), any = true;
        limit2 += count;
    }
    return any;
}

static bool is_due(const FrFracture *f, int32_t node) {
    return !f->settings.patient || f->state.scan % (1 << f->state.wait.data[node]) == 0;
}

// corners of overstressed tets that do not wait, ascending; no mark is left
static FrResult list_overstressed(FrFracture *f) {
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count;
    uint8_t *mark = f->scratch.scan.mark.data;
    if (!fr_fracture_limit_chunks(f) ||
        !fr_array_reserve(f->ctx, &f->scratch.scan.candidate, nodes))
        return fr_no_memory(f->ctx, "nodes that may fail");
    if (!mark_chunks(f)) return FR_OK;
    for (int32_t n = 0; n < nodes; n++) {
        if (mark[n] && is_due(f, n))
            f->scratch.scan.candidate.data[f->scratch.scan.candidate.count++] = n;
        mark[n] = 0;
    }
    return FR_OK;
}

static bool star_is_overstressed(const FrFracture *f, const FrBreakable *body, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    for (int32_t k = 0; k < count; k++)
        if (is_overstressed(f, body, star[k])) return true;
    return false;
}

// does it take more than this to show that the node holds?
static bool may_fail(const FrFracture *f, int32_t node, double pull, FrVec3 force) {
    double most = (1.0 + FR_SCAN_ROUNDING) * fr_node_value_at_most(pull, force);
    return !fr_fem_held(f->fem, node) && !(most < f->scratch.limits.limit.data[node].tau);
}

static void pull_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    const double *elastic, *viscous;
    fr_fem_internal_forces(f->fem, &elastic, &viscous);
    for (int32_t n = begin; n < end; n++) {
        FrVec3 force = fr_add(fr_get3(elastic, n), fr_get3(viscous, n));
        f->scratch.scan.mark.data[n] = may_fail(f, n, f->scratch.scan.most.data[n], force);
    }
}

static bool some_chunk_is_overstressed(const FrFracture *f) {
    for (int32_t k = 0; k < f->scratch.limits.chunk_overstress.count; k++)
        if (fr_fem_chunk_stress(f->fem, k) > f->scratch.limits.chunk_overstress.data[k])
            return true;
    return false;
}

// Where a tau is the limit bounds on pulls leave few nodes: candidates are those of them with an
// overstressed tet. The stresses that count are the kernel's here.
static FrResult list_unsafe(FrFracture *f) {
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count;
    if (!fr_fracture_limit_chunks(f)) return fr_no_memory(f->ctx, "stresses");
    if (!some_chunk_is_overstressed(f)) return FR_OK;
    f->scratch.scan.most.count = 0;
    if (!fr_array_reserve(f->ctx, &f->scratch.scan.candidate, nodes) ||
        !fr_array_reserve(f->ctx, &f->scratch.scan.most, nodes))
        return fr_no_memory(f->ctx, "nodes that may fail");
    fr_fem_bound_pulls(f->fem, f->scratch.scan.most.data);
    fr_parallel_for(f->ctx, nodes, FR_PULL_GRAIN, pull_range, f);
    FrBreakable body = fr_fracture_body(f);
    for (int32_t n = 0; n < nodes; n++) {
        if (f->scratch.scan.mark.data[n] && star_is_overstressed(f, &body, n))
            f->scratch.scan.candidate.data[f->scratch.scan.candidate.count++] = n;
        f->scratch.scan.mark.data[n] = 0;
    }
    return FR_OK;
}

// the tets round the candidates, each once
static FrResult list_stars(FrFracture *f) {
    f->scratch.scan.tet.count = 0;
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, f->scratch.scan.candidate.data[k], &count);
        if (!fr_array_reserve(f->ctx, &f->scratch.scan.tet, count))
            return fr_no_memory(f->ctx, "stresses");
        for (int32_t j = 0; j < count; j++) {
            if (f->scratch.scan.pulls_of.data[star[j]]) continue;
            f->scratch.scan.tet.data[f->scratch.scan.tet.count++] = star[j];
            f->scratch.scan.pulls_of.data[star[j]] = f->scratch.scan.tet.count;
        }
    }
    return FR_OK;
}

void fr_fracture_forget(FrFracture *f) {
    for (int32_t k = 0; k < f->scratch.scan.tet.count; k++)
        f->scratch.scan.pulls_of.data[f->scratch.scan.tet.data[k]] = 0;
    f->scratch.scan.tet.count = 0;
}

int fr_next_four(const int32_t *list, int32_t at, int32_t end, int32_t four[4]) {
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
        int count = fr_next_four(f->scratch.scan.tet.data, k, end, tet);
        fr_tet_pulls_four(&body, tet, pulls);
        for (int j = 0; j < count; j++) f->scratch.scan.pulls.data[k + j] = pulls[j];
    }
}

static void state_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k += 4) {
        int32_t node[4];
        FrNodeState state[4];
        int count = fr_next_four(f->scratch.scan.candidate.data, k, end, node);
        fr_node_states_four(&body, node, state);
        for (int j = 0; j < count; j++) f->scratch.scan.state.data[k + j] = state[j];
    }
}

// how the candidates that are left stand
static FrResult judge_candidates(FrFracture *f) {
    f->scratch.scan.state.count = 0;
    FR_TRY(list_stars(f));
    FR_TRY(fr_fracture_even_out(f, f->scratch.scan.tet.data, f->scratch.scan.tet.count));
    f->scratch.scan.pulls.count = 0;
    if (!fr_array_reserve(f->ctx, &f->scratch.scan.pulls, f->scratch.scan.tet.count) ||
        !fr_array_extend(f->ctx, &f->scratch.scan.state, f->scratch.scan.candidate.count))
        return fr_no_memory(f->ctx, "stresses");
    f->scratch.scan.pulls.count = f->scratch.scan.tet.count;
    fr_parallel_for(f->ctx, f->scratch.scan.tet.count, FR_SCAN_GRAIN, pulls_range, f);
    fr_parallel_for(f->ctx, f->scratch.scan.candidate.count, FR_SCAN_GRAIN, state_range, f);
    return FR_OK;
}

// Every node, by itself; what its limits hang on is found anew.
static FrResult scan_everywhere(FrFracture *f) {
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count;
    f->scratch.scan.state.count = 0;
    if (!fr_fracture_follow(f, NULL)) return fr_no_memory(f->ctx, "nodes that may fail");
    FR_TRY(fr_fracture_even_out_all(f));
    if (!fr_array_reserve(f->ctx, &f->scratch.scan.candidate, nodes) ||
        !fr_array_reserve(f->ctx, &f->scratch.scan.state, nodes))
        return fr_no_memory(f->ctx, "nodes that may fail");
    FrBreakable body = fr_fracture_body(f);
    fr_fem_chunk_stress(f->fem, 0);
    for (int32_t n = 0; n < nodes; n++) {
        if (!star_is_overstressed(f, &body, n)) continue;
        f->scratch.scan.candidate.data[f->scratch.scan.candidate.count++] = n;
        f->scratch.scan.state.data[f->scratch.scan.state.count++] =
            fr_node_state(&body, n, fr_sym3_zero);
    }
    return FR_OK;
}

static FrResult scan(FrFracture *f) {
    if (f->settings.everywhere) return scan_everywhere(f);
    bool own = !f->settings.elastic_only && !f->settings.flows && !f->settings.directional;
    FR_TRY(f->settings.by_tau && own ? list_unsafe(f) : list_overstressed(f));
    if (f->scratch.scan.candidate.count) FR_TRY(fr_separation_screen(f));
    return f->scratch.scan.candidate.count ? judge_candidates(f) : FR_OK;
}

const FrCriterion fr_criterion_separation = {.name = "separation tensor",
                                             .judge = fr_node_state,
                                             .scan = scan,
                                             .at_ease = fr_fracture_at_ease};
