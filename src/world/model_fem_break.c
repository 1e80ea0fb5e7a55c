// model_fem_break.c: how a fem body breaks (by a criterion and remeshing), as the world asks.

#include "world/model_fem.h"
#include "fracture/separation.h"
#include "material/laws.h"
#include "material/material_tuning.h"
#include "world/world_tuning.h"
#include <stdlib.h>

static bool wanted(const FrBodyDef *def) {
    bool any = def->crack.cut_count > 0;
    for (int32_t k = 0; k < def->material_count; k++)
        any = any || def->material[k].strength > 0.0 || def->material[k].tau > 0.0;
    return any && !def->crack.off;
}

static FrToughness toughness_of(const FrMaterial *m, const FrCrackDef *crack) {
    FrVec3 t = crack->toughness;
    double young = fr_young(m->lambda, m->mu);
    return (FrToughness){
        .strength = m->strength,
        .tau = m->tau,
        .tip = sqrt(young * m->Gc),
        .crack_speed = FR_CRACK_SPEED * sqrt(young / m->density),
        .residual = isnan(crack->residual) ? m->crack_alpha : crack->residual,
        .directional = t.x != 1.0 || t.y != 1.0 || t.z != 1.0,
        .A = fr_toughness_scale(fr_quat_mat3(fr_quat_from_euler(crack->cleavage)), t)};
}

static int by_size(const void *a, const void *b) {
    double d = *(const double *)a - *(const double *)b;
    return (d > 0.0) - (d < 0.0);
}

// What a mesh can resolve of stresses changes within the time a wave takes along an edge, and a
// crack, which goes on by an edge at a scan at least, gets nowhere near twice the speed of waves.
// A few small tets, or damping, make steps shorter, but do not make cracks faster. Which cracks
// come first does hang on it: bowl.lua broke into 12 to 16 pieces at shorter intervals, 13 at this
// one, 9 and 6 at 1.4 and 2 times it.
static FrResult choose_interval(FrFemBody *body, double *chosen) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    double *time = FR_NEW(body->ctx, double, view.tet_count);
    if (!time) return fr_no_memory(body->ctx, "a body that breaks");
    for (int32_t e = 0; e < view.tet_count; e++) {
        const FrMaterial *m = fr_fem_material(body->fem, e);
        time[e] = fr_fem_tet_edge(&view, e) / sqrt(fr_fem_squeeze_modulus(m) / m->density);
    }
    qsort(time, (size_t)view.tet_count, sizeof *time, by_size);
    *chosen = fr_max(2.0 * fr_fem_dt_limit(body->fem), FR_SCAN_PART * time[view.tet_count / 2]);
    fr_free(body->ctx, time);
    return FR_OK;
}

static FrResult begin(void *state, const FrBodyDef *def, const FrLent *lent) {
    FrFemBody *body = state;
    const FrCrackDef *crack = &def->crack;
    FrCriterionKind kind = crack->criterion.kind;
    const FrCriterion *criterion = lent->criterion ? lent->criterion : fr_criterion_row(kind);
    if (!criterion)
        return fr_fail(body->ctx, FR_BAD_USE, "crack: no criterion has number %d", (int)kind);
    FrToughness *toughness = FR_NEW(body->ctx, FrToughness, def->material_count);
    if (!toughness) return fr_no_memory(body->ctx, "a body that breaks");
    for (int32_t k = 0; k < def->material_count; k++)
        toughness[k] = toughness_of(&def->material[k], crack);
    FrFractureDef fracture = fr_fracture_def_default();
    fracture.cut = lent->cut;
    fracture.pieces = lent->pieces;
    fracture.criterion = criterion;
    fracture.toughness = toughness;
    fracture.material_count = def->material_count;
    fracture.crack = *crack;
    fr_fem_set_floor(body->fem, crack->cost.step_floor, crack->cost.added_mass);
    fr_fem_set_dust(body->fem, crack->pieces.dust_mass);
    double chosen = 0.0;
    FrResult result = choose_interval(body, &chosen);
    if (isnan(crack->criterion.scan_interval)) fracture.crack.criterion.scan_interval = chosen;
    body->interval = fracture.crack.criterion.scan_interval;
    if (body->interval == 0.0) fracture.pace = fr_fem_dt_limit(body->fem) / chosen;
    if (result == FR_OK)
        result = fr_fracture_create(body->ctx, body->fem, &fracture, &body->fracture);
    fr_free(body->ctx, toughness);
    return result;
}

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
static FrResult sever(void *state, const FrLabels *labels, double t, FrBreakResult *result) {
    return fr_fracture_sever(fr_fracture_of(state), labels, t, result);
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

static bool flows_and_settles(const void *state) {
    return fr_fracture_settles(fr_fracture_of(state));
}
static double patience(const void *state) { return fr_fracture_patience(fr_fracture_of(state)); }
static void put_off(void *state, double t) { fr_fracture_put_off(fr_fracture_of(state), t); }
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
static FrResult wake(void *state, int32_t tet, FrPieceCause cause, double t, FrVec3 gravity,
                     bool *first) {
    return fr_fracture_wake(fr_fracture_of(state), tet, cause, t, gravity, first);
}

const FrBreakOps fr_fem_break_ops = {
    .wanted = wanted,
    .begin = begin,
    .scan_interval = scan_interval,
    .scan_wait = scan_wait,
    .scan = scan,
    .sever = sever,
    .precut = precut,
    .set_off = set_off,
    .shrink_dust = shrink_dust,
    .node_loads = node_loads,
    .chosen = chosen,
    .flows_and_settles = flows_and_settles,
    .patience = patience,
    .put_off = put_off,
    .is_whole = is_whole,
    .whole_is_quiet = whole_is_quiet,
    .settle_whole = settle_whole,
    .is_settled = is_settled,
    .feels = feels,
    .wake = wake,
};
