// model_corot_break.c: how a corot body tears along faces of its mesh, as the world asks.

#include "fracture/criterion.h"
#include "fracture/separation.h"
#include "material/laws.h"
#include "corot/tear.h"
#include "world/model.h"

static FrTear *tear_of(const void *state) { return ((const FrCorotBody *)state)->tear; }

static bool wanted(const FrBodyDef *def) {
    bool any = def->crack.cut_count > 0;
    for (int32_t k = 0; k < def->material_count; k++) any = any || def->material[k].strength > 0.0;
    return any && !def->crack.off;
}

static FrTearMaterial material_of(const FrMaterial *m, const FrCrackDef *crack) {
    FrVec3 t = crack->toughness;
    return (FrTearMaterial){
        .strength = m->strength,
        .Gc = m->Gc,
        .young = fr_young(m->lambda, m->mu),
        .directional = t.x != 1.0 || t.y != 1.0 || t.z != 1.0,
        .A = fr_toughness_scale(fr_quat_mat3(fr_quat_from_euler(crack->cleavage)), t)};
}

static FrResult begin(void *state, const FrBodyDef *def, const FrLent *lent) {
    FrCorotBody *body = state;
    if (def->crack.cut_count)
        return fr_fail(body->ctx, FR_BAD_USE,
                       "crack: a corot body has no cuts from the start: its cracks follow faces "
                       "of the mesh (model fem cuts them)");
    FrTearMaterial *material = FR_NEW(body->ctx, FrTearMaterial, def->material_count);
    if (!material) return fr_no_memory(body->ctx, "a body that tears");
    for (int32_t k = 0; k < def->material_count; k++)
        material[k] = material_of(&def->material[k], &def->crack);
    FrTetJudge *judge = lent->criterion ? lent->criterion->judge_tet : NULL;
    FrTearDef tear = {.cut = lent->cut,
                      .pieces = lent->pieces,
                      .material = material,
                      .material_count = def->material_count,
                      .crack = &def->crack,
                      .judge = judge ? judge : fr_tear_tension,
                      .seed = lent->seed};
    body->crack = def->crack;
    body->crack.weak = NULL, body->crack.cut = NULL, body->crack.cut_count = 0;
    body->crack.along_faces = true;
    FrResult result = fr_tear_create(body->ctx, body->corot, &tear, &body->tear);
    fr_free(body->ctx, material);
    return result;
}

static double scan_interval(const void *state) { return (void)state, 0.0; }
static double never(const void *state) { return (void)state, HUGE_VAL; }
static bool no(const void *state) { return (void)state, false; }

static FrResult scan(void *state, double t, double dt, FrBreakResult *result) {
    return fr_tear_step(tear_of(state), t + dt, result);
}

static FrResult precut(void *state, const FrPreCut *disc, FrBreakResult *result) {
    (void)disc;
    *result = (FrBreakResult){0};
    return fr_fail(((FrCorotBody *)state)->ctx, FR_BAD_USE, "a corot body has no cuts");
}
static FrResult set_off(void *state, FrBreakResult *result) {
    (void)state;
    *result = (FrBreakResult){0};
    return FR_OK;
}
static FrResult shrink_dust(void *state) { return (void)state, FR_OK; }
static void node_loads(void *state, double *load) { fr_tear_loads(tear_of(state), load); }
static void chosen(const void *state, FrCrackDef *crack) {
    *crack = ((const FrCorotBody *)state)->crack;
}
static void put_off(void *state, double t) { (void)state, (void)t; }
static bool is_whole(const void *state) { return fr_tear_is_whole(tear_of(state)); }
static bool never_quiet(const void *state, double t) { return (void)state, (void)t, false; }
static FrResult settle_whole(void *state) { return (void)state, FR_OK; }
static bool is_settled(const void *state, int32_t tet) { return (void)state, (void)tet, false; }
static bool feels(const void *state, int32_t tet, FrBlow blow) {
    return (void)state, (void)tet, (void)blow, false;
}
static FrResult wake(void *state, int32_t tet, FrPieceCause cause, double t, FrVec3 gravity,
                     bool *first) {
    (void)state, (void)tet, (void)cause, (void)t, (void)gravity;
    *first = false;
    return FR_OK;
}

const FrBreakOps fr_corot_break_ops = {
    .along_faces = true,
    .wanted = wanted,
    .begin = begin,
    .scan_interval = scan_interval,
    .scan_wait = never,
    .scan = scan,
    .precut = precut,
    .set_off = set_off,
    .shrink_dust = shrink_dust,
    .node_loads = node_loads,
    .chosen = chosen,
    .flows_and_settles = no,
    .patience = never,
    .put_off = put_off,
    .is_whole = is_whole,
    .whole_is_quiet = never_quiet,
    .settle_whole = settle_whole,
    .is_settled = is_settled,
    .feels = feels,
    .wake = wake,
};
