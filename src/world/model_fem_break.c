// model_fem_break.c: how a fem body breaks (by the separation tensor and remeshing), as the world
// asks.

#include "world/model_fem.h"

static bool breaks(const void *state) { return fr_fracture_of(state) != NULL; }

static double scan_interval(const void *state) { return ((const FrFemBody *)state)->interval; }

static double scan_wait(const void *state) {
    const FrFemBody *body = state;
    bool scans = body->fracture && body->interval > 0.0 && !fr_fem_is_loose(body->fem);
    return scans ? body->interval : HUGE_VAL;
}

// scans come at multiples of the interval, whatever the substeps
static FrResult scan(void *state, double t, double dt, FrBreakResult *result) {
    FrFemBody *body = state;
    *result = (FrBreakResult){0};
    if (fr_fem_rests(body->fem)) return FR_OK;
    double now = t + dt;
    if (body->interval > 0.0 && floor(now / body->interval) == floor(t / body->interval))
        return FR_OK;
    return fr_fracture_step(body->fracture, now, result);
}

static FrResult precut(void *state, const FrPreCut *disc, FrBreakResult *result) {
    return fr_fracture_precut(fr_fracture_of(state), disc->centre, disc->normal, disc->radius,
                              result);
}
static FrResult set_off(void *state, FrBreakResult *result) {
    return fr_fracture_set_off(fr_fracture_of(state), result);
}
static FrResult shrink_dust(void *state) { return fr_fracture_shrink_dust(fr_fracture_of(state)); }
static void node_loads(void *state, double *load) {
    fr_fracture_loads(fr_fracture_of(state), load);
}

static void chosen(const void *state, FrCrackDef *crack) {
    *crack = fr_fracture_settings(fr_fracture_of(state));
}

static const FrCutMesh *mesh(const void *state) { return fr_fracture_mesh(fr_fracture_of(state)); }
static const FrPieces *pieces(const void *state) {
    return fr_fracture_pieces(fr_fracture_of(state));
}
static bool flows_and_settles(const void *state) {
    return fr_fracture_settles(fr_fracture_of(state));
}
static double patience(const void *state) { return fr_fracture_patience(fr_fracture_of(state)); }
static bool is_whole(const void *state) { return fr_fracture_is_whole(fr_fracture_of(state)); }
static bool whole_is_quiet(const void *state, double t) {
    return fr_fracture_whole_is_quiet(fr_fracture_of(state), t);
}
static FrResult settle_whole(void *state) {
    return fr_fracture_settle_whole(fr_fracture_of(state));
}
static bool is_settled(const void *state, int32_t tet) {
    return fr_fracture_is_settled(fr_fracture_of(state), tet);
}
static bool feels(const void *state, int32_t tet, FrBlow blow) {
    return fr_fracture_feels(fr_fracture_of(state), tet, blow);
}
static FrResult wake(void *state, int32_t tet, double t, FrVec3 gravity, bool *first) {
    return fr_fracture_wake(fr_fracture_of(state), tet, t, gravity, first);
}

const FrBreakOps fr_fem_break_ops = {
    .breaks = breaks,
    .scan_interval = scan_interval,
    .scan_wait = scan_wait,
    .scan = scan,
    .precut = precut,
    .set_off = set_off,
    .shrink_dust = shrink_dust,
    .node_loads = node_loads,
    .chosen = chosen,
    .mesh = mesh,
    .pieces = pieces,
    .flows_and_settles = flows_and_settles,
    .patience = patience,
    .is_whole = is_whole,
    .whole_is_quiet = whole_is_quiet,
    .settle_whole = settle_whole,
    .is_settled = is_settled,
    .feels = feels,
    .wake = wake,
};
