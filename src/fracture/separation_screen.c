// separation_screen.c: of the nodes that may fail, those that surely hold go.
//
// What tears at nodes, and what holds them together, comes from the stresses of the force kernel,
// in lanes and nearly exact. What may be off is known: who holds for all that is not judged. Cracks
// are the same bits as without.

#include "fracture/inside.h"
#include "base/tasks.h"

static FrSym3 tensor_of(const FrNodeTears *t) {
    FrTearing tearing = {
        .plus = {t->tear[0], t->tear[1], t->tear[2], t->tear[3], t->tear[4], t->tear[5]},
        .tensile = {t->plus[0], t->plus[1], t->plus[2]},
        .compressive = {t->minus[0], t->minus[1], t->minus[2]}};
    return fr_separation_tensor(&tearing);
}

static bool by_strength(const FrNodeLimit *limit) {
    return limit->kind == FR_LIMIT_STRENGTH || limit->kind == FR_LIMIT_CRACK;
}

// of nodes by strength: 0: nothing pulls, 1: not known yet
static double first_load(const FrFracture *f, int32_t node, double value) {
    const FrNodeLimit *limit = &f->scratch.limits.limit.data[node];
    if (limit->kind == FR_LIMIT_MIXED) return HUGE_VAL;
    if (limit->kind == FR_LIMIT_TAU) return (1.0 + FR_SCAN_ROUNDING) * value / limit->tau;
    return value > 0.0 ? 1.0 : 0.0;
}

/// Candidates of one task, four at a time.
typedef struct Four {
    const FrFracture *f;
    FrScreened *s[4];
    int32_t node[4];
    int count;
} Four;

// a node by strength with n.zeta n < c n.Qn for all n has a load below c, if its limit along n is
// not below n.Qn
static void note_below(const Four *four, const FrSym3 Q[4], double c) {
    FrSym3 left[4];
    double most[4];
    for (int k = 0; k < 4; k++) left[k] = fr_sym3_axpy(-c, Q[k], four->s[k]->zeta);
    fr_separation_at_most_four(left, most);
    for (int k = 0; k < four->count; k++)
        if (most[k] + four->s[k]->off < 0.0 &&
            by_strength(&four->f->scratch.limits.limit.data[four->node[k]]))
            four->s[k]->load = fr_min(four->s[k]->load, c);
}

// The limit along n is not below share * sum s |a.n| (FrNodeLimit), and that is not below n.Qn, Q =
// share * sum s m(a).
static FrSym3 least_limit(const FrFracture *f, int32_t node, const double hold[6]) {
    const FrNodeLimit *limit = &f->scratch.limits.limit.data[node];
    double tip = fr_min(1.0, limit->tip / sqrt(f->scratch.scan.stretch));
    FrSym3 sum = {hold[0], hold[1], hold[2], hold[3], hold[4], hold[5]};
    return fr_sym3_axpy(limit->share * tip, sum, fr_sym3_zero);
}

// what tears at four candidates, and whether it is enough for any plane; where nodes wait, whether
// for long
static void tensor_four(const Four *four) {
    const FrFracture *f = four->f;
    FrSym3 zeta[4], Q[4], spared[4];
    double value[4];
    for (int j = 0; j < 4; j++) {
        FrNodeTears tears = fr_fem_node_tears(f->fem, four->node[j]);
        four->s[j]->zeta = zeta[j] = tensor_of(&tears);
        four->s[j]->off = FR_TEARS_OFF * tears.size;
        Q[j] = least_limit(f, four->node[j], tears.hold);
        spared[j] = four->s[j]->hold;
    }
    fr_separation_at_most_four(zeta, value);
    for (int j = 0; j < four->count; j++)
        four->s[j]->load = first_load(f, four->node[j], value[j] + four->s[j]->off);
    if (f->scratch.scan.spares) note_below(four, spared, 1.0 - FR_SCAN_ROUNDING);
    if (!f->settings.patient) note_below(four, Q, 1.0 - FR_SCAN_ROUNDING);
    for (int wait = 2; f->settings.patient && wait <= FR_MOST_WAIT; wait++)
        note_below(four, Q, FR_WAIT_MARGIN * fr_load_to_wait(f, wait));
}

// along their own planes
static void load_four(const Four *four) {
    const FrFracture *f = four->f;
    FrBreakable body = fr_fracture_body(f);
    FrSym3 zeta[4];
    double off[4], load[4];
    for (int k = 0; k < 4; k++) zeta[k] = four->s[k]->zeta, off[k] = four->s[k]->off;
    fr_node_loads_at_most_four(&body, four->node, zeta, off, four->count, load);
    for (int k = 0; k < four->count; k++) four->s[k]->load = load[k];
}

// nodes of a range that are by strength and may fail for all that is known
static void each_four(FrFracture *f, int32_t begin, int32_t end, void (*visit)(const Four *)) {
    Four four = {.f = f};
    for (int32_t k = begin; k < end; k++) {
        int32_t n = f->scratch.scan.candidate.data[k];
        if (by_strength(&f->scratch.limits.limit.data[n]) &&
            f->scratch.scan.screened.data[k].load >= 1.0) {
            four.node[four.count] = n;
            four.s[four.count++] = &f->scratch.scan.screened.data[k];
        }
        if (!four.count || (four.count < 4 && k + 1 < end)) continue;
        for (int j = four.count; j < 4; j++) four.s[j] = four.s[0], four.node[j] = four.node[0];
        visit(&four);
        four.count = 0;
    }
}

static void tensor_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t k = begin; k < end; k += 4) {
        Four four = {.f = f};
        for (int j = 0; j < 4; j++)
            four.s[j] = &f->scratch.scan.screened.data[fr_min_i(k + j, end - 1)];
        four.count = fr_next_four(f->scratch.scan.candidate.data, k, end, four.node);
        tensor_four(&four);
    }
    each_four(f, begin, end, load_four);
}

static bool some_by_strength(const FrFracture *f) {
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++)
        if (by_strength(&f->scratch.limits.limit.data[f->scratch.scan.candidate.data[k]]))
            return true;
    return false;
}

// v+ <= 1/2 sum (|f+| + |f-|) <= sqrt(1/2) sum vol |F| |S G|, since the squares of S+ G and S- G
// add up to that of S G; the limit where no crack has its tip is not below n.Qn, Q = share * sum s
// m(a). On sides of cracks n has no part along their normals: there Q may be as large as it likes.
static void spare_four(const Four *four) {
    const FrFracture *f = four->f;
    FrBreakable body = fr_fracture_body(f);
    FrSym3 across[4], left[4];
    double pull[4], most[4];
    bool tips[4], passed[4];
    for (int k = 0; k < 4; k++)
        passed[k] = tips[k] = k < four->count && f->scratch.limits.limit.data[four->node[k]].tips;
    fr_cracks_passed_four(&body, four->node, passed, across);
    for (int k = 0; k < 4; k++) {
        FrNodeSpread spread = fr_fem_node_spread(f->fem, four->node[k]);
        double all = FR_PASSED_HOLD * fr_sym3_trace(spread.hold);
        left[k] = fr_sym3_axpy(-all, across[k], fr_sym3_zero);
        left[k] =
            fr_sym3_axpy(-f->scratch.limits.limit.data[four->node[k]].share, spread.hold, left[k]);
        pull[k] = (sqrt(0.5) + FR_SCAN_ROUNDING) * spread.pull;
    }
    fr_separation_at_most_four(left, most);
    for (int k = 0; k < four->count; k++) {
        if (passed[k] != tips[k]) continue;
        four->s[k]->hold = fr_sym3_axpy(-1.0, left[k], fr_sym3_zero);
        if (most[k] + pull[k] < 0.0) four->s[k]->load = 0.0;
    }
}

static void spare_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    each_four(arg, begin, end, spare_four);
}

// do tips lower the limits of most candidates?
static bool most_at_tips(const FrFracture *f) {
    int32_t lowered = 0;
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++) {
        const FrNodeLimit *limit = &f->scratch.limits.limit.data[f->scratch.scan.candidate.data[k]];
        lowered += limit->kind == FR_LIMIT_CRACK && limit->tip < 1.0;
    }
    return 2 * lowered > f->scratch.scan.candidate.count;
}

// Where cracks may go on at little stress all that shards have left is overstress. Most of their
// nodes are on sides that a crack left behind: it has no tip there, and they are far from their
// strength.
static FrResult drop_spared(FrFracture *f) {
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++)
        f->scratch.scan.screened.data[k] = (FrScreened){.load = 1.0};
    f->scratch.scan.spares = !f->settings.flows && most_at_tips(f);
    if (!f->scratch.scan.spares) return FR_OK;
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++)
        f->scratch.scan.mark.data[f->scratch.scan.candidate.data[k]] =
            by_strength(&f->scratch.limits.limit.data[f->scratch.scan.candidate.data[k]]);
    FR_TRY(fr_fem_find_spreads(f->fem, f->scratch.scan.mark.data, f->scratch.limits.strength.data));
    fr_parallel_for(f->ctx, f->scratch.scan.candidate.count, FR_SCAN_GRAIN, spare_range, f);
    int32_t kept = 0;
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++) {
        int32_t n = f->scratch.scan.candidate.data[k];
        f->scratch.scan.mark.data[n] = !(f->scratch.scan.screened.data[k].load < 1.0);
        if (!f->scratch.scan.mark.data[n]) continue;
        f->scratch.scan.screened.data[kept] = f->scratch.scan.screened.data[k];
        f->scratch.scan.candidate.data[kept++] = n;
    }
    f->scratch.scan.spared = f->scratch.scan.candidate.count - kept;
    f->scratch.scan.candidate.count = kept;
    return FR_OK;
}

static FrResult find_loads(FrFracture *f) {
    f->scratch.scan.screened.count = 0;
    if (!fr_array_reserve(f->ctx, &f->scratch.scan.screened, f->scratch.scan.candidate.count))
        return fr_no_memory(f->ctx, "nodes that may fail");
    FR_TRY(drop_spared(f));
    if (!f->scratch.scan.candidate.count) return FR_OK;
    FrTearsDef by = {.cap = f->settings.cap};
    if (some_by_strength(f))
        by.strength = f->scratch.limits.strength.data, by.skip = f->scratch.limits.behind.data;
    FR_TRY(fr_fem_find_tears(f->fem, f->scratch.scan.mark.data, &by, &f->scratch.scan.stretch));
    f->scratch.scan.evened = FR_EVENED_CANDIDATES;
    fr_parallel_for(f->ctx, f->scratch.scan.candidate.count, FR_SCAN_GRAIN, tensor_range, f);
    return FR_OK;
}

static void mark_candidates(FrFracture *f, uint8_t mark) {
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++)
        f->scratch.scan.mark.data[f->scratch.scan.candidate.data[k]] = mark;
}

static void drop_unbreakable(FrFracture *f) {
    int32_t kept = 0;
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++) {
        int32_t n = f->scratch.scan.candidate.data[k];
        bool never =
            f->scratch.limits.limit.data[n].kind == FR_LIMIT_NONE || fr_fem_held(f->fem, n);
        if (never) f->state.wait.data[n] = fr_fracture_wait(f, 0.0);
        if (!never) f->scratch.scan.candidate.data[kept++] = n;
    }
    f->scratch.scan.candidate.count = kept;
}

FrResult fr_separation_screen(FrFracture *f) {
    if (f->settings.directional) return FR_OK; // stresses that count are not those of the kernel
    drop_unbreakable(f);
    mark_candidates(f, 1);
    FrResult result = find_loads(f);
    mark_candidates(f, 0);
    if (result != FR_OK) return result;
    int32_t kept = 0;
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++) {
        int32_t n = f->scratch.scan.candidate.data[k];
        double load = f->scratch.scan.screened.data[k].load;
        f->state.wait.data[n] = fr_fracture_wait(f, load);
        if (!(load < 1.0)) f->scratch.scan.candidate.data[kept++] = n;
    }
    f->scratch.scan.candidate.count = kept;
    return FR_OK;
}
