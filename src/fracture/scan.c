// scan.c: which nodes may fail, and how they stand, by the body's criterion.

#include "fracture/inside.h"
#include "base/tasks.h"

const FrCriterion *fr_criterion_row(FrCriterionKind kind) {
    static const FrCriterion *const row[] = {[FR_CRITERION_SEPARATION] = &fr_criterion_separation};
    return (size_t)kind < sizeof row / sizeof row[0] ? row[kind] : NULL;
}

FrBreakable fr_fracture_body(const FrFracture *f) {
    return (FrBreakable){.fem = f->fem,
                         .cut = f->cut,
                         .element = f->scratch.limits.element.data,
                         .toughness = f->settings.toughness,
                         .now = f->scratch.scan.now,
                         .weak = f->state.weak.count ? f->state.weak.data : NULL,
                         .wall = f->state.wall.count ? f->state.wall.data : NULL,
                         .grown = f->scratch.scan.grown.count ? f->scratch.scan.grown.data : NULL,
                         .limit = f->scratch.limits.limit.data,
                         .open = f->scratch.limits.open.data,
                         .sides = &f->scratch.limits.sides,
                         .elastic_only = f->settings.elastic_only,
                         .pulls_of = f->scratch.scan.pulls_of.data,
                         .pulls = f->scratch.scan.pulls.data};
}

FrNodeState fr_fracture_judge(const FrFracture *f, int32_t node, FrSym3 residual) {
    if (fr_fem_held(f->fem, node))
        return (FrNodeState){.limit = (double)INFINITY, .normal = {1, 0, 0}};
    FrBreakable body = fr_fracture_body(f);
    return f->settings.criterion->judge(&body, node, residual);
}

// Material that flows keeps its stress, and most of its nodes stay far below their limits for long;
// where scans come after each step loads rise little from one to the next. So nodes wait: at pace 1
// for two scans below 5/6, four below 2/3, eight below 1/3; all that end with the same scans, so
// that others are quick; until something is cut beside them.
uint8_t fr_fracture_wait(const FrFracture *f, double load) {
    uint8_t wait = 0;
    while (f->settings.patient && wait < FR_MOST_WAIT && load < fr_load_to_wait(f, wait + 1))
        wait++;
    return wait;
}

static void judge_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t k = begin; k < end; k++)
        f->scratch.scan.state.data[k] =
            fr_fracture_judge(f, f->scratch.scan.candidate.data[k], fr_sym3_zero);
}

// all nodes that deform
static FrResult judge_all(FrFracture *f) {
    int32_t nodes = fr_cutmesh_view(f->cut)->node_count, count;
    FR_TRY(fr_fracture_even_out_all(f));
    if (!fr_array_reserve(f->ctx, &f->scratch.scan.candidate, nodes))
        return fr_no_memory(f->ctx, "nodes that may fail");
    for (int32_t n = 0; n < nodes; n++)
        if (!fr_fem_is_rigid(f->fem, fr_cutmesh_star(f->cut, n, &count)[0]))
            f->scratch.scan.candidate.data[f->scratch.scan.candidate.count++] = n;
    if (!fr_array_extend(f->ctx, &f->scratch.scan.state, f->scratch.scan.candidate.count))
        return fr_no_memory(f->ctx, "nodes that may fail");
    fr_parallel_for(f->ctx, f->scratch.scan.candidate.count, FR_SCAN_GRAIN, judge_range, f);
    return FR_OK;
}

FrResult fr_fracture_scan(FrFracture *f) {
    const FrCriterion *by = f->settings.criterion;
    f->scratch.scan.candidate.count = f->scratch.scan.state.count = f->scratch.scan.spared = 0;
    f->state.scan = (f->state.scan + 1) % (1 << FR_MOST_WAIT);
    f->scratch.scan.evened = FR_EVENED_NONE;
    return by->scan ? by->scan(f) : judge_all(f);
}
