// own_breaking.h: a second model that breaks, which only tests have: a solid that is thrown, and
// falls apart at a time across a plane. It knows the mesh, the pieces and the cut log of its body,
// and nothing of the rooms that deform and judge solids.
#pragma once
#include "base/array.h"
#include "cut/split.h"
#include "mesh/quality.h"
#include "world/model.h"
#include <string.h>

/// When it comes apart, s, and across which plane: x = 0 of its mesh.
#define OWN_APART_AT 0.05

typedef struct OwnThrown {
    FrContext *ctx;
    FrMaterial material;
    double mass;        ///< kg
    FR_ARRAY(double) p; ///< m (3 * node_count)
    FR_ARRAY(double) f; ///< from contact: not felt, N (likewise)
    FrVec3 v, impulse;  ///< m/s; of weight, N s
    double work;        ///< of weight, J
    uint64_t topology;
    FrLent lent;
    FrCutLog log;
    FrCrack crack;
    FR_ARRAY(double) speed; ///< of nodes, for the view, m/s (3 * node_count)
} OwnThrown;

static OwnThrown *thrown(const void *state) { return (OwnThrown *)(uintptr_t)state; }

static bool thrown_room(OwnThrown *s, int32_t nodes) {
    return fr_array_extend(s->ctx, &s->p, 3 * nodes - s->p.count) &&
           fr_array_extend(s->ctx, &s->f, 3 * nodes - s->f.count) &&
           fr_array_extend(s->ctx, &s->speed, 3 * nodes - s->speed.count);
}

static void thrown_show(OwnThrown *s) {
    for (int32_t n = 0; n < s->speed.count / 3; n++) fr_set3(s->speed.data, n, s->v);
}

static void thrown_destroy(void *state) {
    OwnThrown *s = state;
    fr_cutlog_free(s->ctx, &s->log);
    fr_array_free(s->ctx, &s->p);
    fr_array_free(s->ctx, &s->f);
    fr_array_free(s->ctx, &s->speed);
    fr_free(s->ctx, s);
}

static FrResult thrown_create(FrContext *ctx, const FrBodyDef *def, void **state) {
    OwnThrown *s = FR_NEW(ctx, OwnThrown, 1);
    if (!s) return fr_no_memory(ctx, "a thrown solid");
    s->ctx = ctx, s->material = def->material[0], s->v = def->velocity, s->topology = 1;
    s->mass = s->material.density * fr_tetmesh_props(def->mesh).volume;
    if (!thrown_room(s, def->mesh->node_count)) {
        thrown_destroy(s);
        return fr_no_memory(ctx, "a thrown solid");
    }
    for (int32_t n = 0; n < def->mesh->node_count; n++)
        fr_set3(s->p.data, n, fr_add(def->position, fr_get3(def->mesh->x, n)));
    thrown_show(s);
    *state = s;
    return FR_OK;
}

static double thrown_limit(void *state) { return (void)state, 1.0; }

static FrResult thrown_step(void *const *state, int32_t count, double t, double dt, FrVec3 gravity,
                            int32_t *failed) {
    (void)t, *failed = 0;
    for (int32_t k = 0; k < count; k++) {
        OwnThrown *s = state[k];
        FrVec3 way = fr_axpy(0.5 * dt * dt, gravity, fr_scale(dt, s->v));
        for (int32_t n = 0; n < s->p.count / 3; n++) fr_add3(s->p.data, n, way);
        s->work += s->mass * fr_dot(gravity, way);
        s->impulse = fr_axpy(dt * s->mass, gravity, s->impulse);
        s->v = fr_axpy(dt, gravity, s->v);
        thrown_show(s);
    }
    return FR_OK;
}

static void thrown_view(const void *state, FrShapeView *view) {
    const OwnThrown *s = state;
    const FrTetMesh *mesh = fr_cutmesh_view(s->lent.cut);
    *view = (FrShapeView){.node_count = mesh->node_count,
                          .tet_count = mesh->tet_count,
                          .p = s->p.data,
                          .v = s->speed.data,
                          .tet = mesh->tet,
                          .topology = s->topology};
}

static bool thrown_pose(const void *state, FrVec3 *position, FrQuat *rotation, FrVec3 *velocity,
                        FrVec3 *spin) {
    *position = *spin = fr_vec3_zero, *velocity = thrown(state)->v, *rotation = fr_quat_identity;
    return false;
}
static FrVec3 thrown_velocity(const void *state, FrPoint at, FrVec3 x) {
    return (void)at, (void)x, thrown(state)->v;
}
static double thrown_inverse_mass(const void *state, FrPoint at, FrVec3 x) {
    return (void)at, (void)x, 1.0 / thrown(state)->mass;
}
static void thrown_force(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)state, (void)at, (void)x, (void)force; // it meets nothing
}
static void thrown_note(void *state, double work) { (void)state, (void)work; }
static void thrown_traits(const void *state, FrContactTraits *traits) {
    *traits = (FrContactTraits){.young = 1e6, .edge = 0.1, .node_mass = thrown(state)->mass};
}
static void thrown_backup(void *state) { (void)state; } // its steps are exact: none is taken back
static FrStepWatch thrown_watch(const void *state) {
    return (FrStepWatch){.scale = 0.5 * thrown(state)->mass};
}
static void thrown_energy(void *state, FrVec3 gravity, FrEnergy *energy) {
    const OwnThrown *s = state;
    (void)gravity;
    *energy = (FrEnergy){.kinetic = 0.5 * s->mass * fr_dot(s->v, s->v), .external = s->work};
}
static void thrown_momentum(const void *state, FrVec3 *linear, FrVec3 *angular) {
    *linear = fr_scale(thrown(state)->mass, thrown(state)->v), *angular = fr_vec3_zero;
}
static void thrown_impulse(const void *state, FrVec3 *impulse, double *mass) {
    *impulse = thrown(state)->impulse, *mass = thrown(state)->mass;
}
static void thrown_hash(const void *state, FrHash *hash) {
    const OwnThrown *s = state;
    fr_hash_bytes(hash, s->p.data, (size_t)s->p.count * sizeof *s->p.data);
    fr_hash_bytes(hash, &s->v, sizeof s->v);
}
static void thrown_save(const void *state, FrWriter *writer) {
    const OwnThrown *s = state;
    fr_write_u64(writer, s->topology);
    fr_write_bytes(writer, s->p.data, (size_t)s->p.count * sizeof *s->p.data);
    fr_write_vec3(writer, s->v), fr_write_vec3(writer, s->impulse), fr_write_f64(writer, s->work);
}
// the mesh is there, as it was cut
static FrResult thrown_load(void *state, FrReader *reader) {
    OwnThrown *s = state;
    if (!thrown_room(s, fr_cutmesh_view(s->lent.cut)->node_count))
        return fr_no_memory(s->ctx, "a thrown solid");
    s->topology = fr_read_u64(reader);
    fr_read_bytes(reader, s->p.data, (size_t)s->p.count * sizeof *s->p.data);
    s->v = fr_read_vec3(reader), s->impulse = fr_read_vec3(reader), s->work = fr_read_f64(reader);
    thrown_show(s);
    return reader->failed ? fr_fail(s->ctx, FR_BAD_INPUT, "a thrown solid is cut short") : FR_OK;
}

// --- nodes

static const double *thrown_rest(const void *state) {
    return fr_cutmesh_view(thrown(state)->lent.cut)->x;
}
static double *thrown_forces(void *state) { return thrown(state)->f.data; }
static const uint8_t *thrown_crumbs(const void *state) { return (void)state, NULL; }
static double thrown_node_mass(const void *state, int32_t node) {
    return (void)node, thrown(state)->mass / (thrown(state)->p.count / 3);
}
static const FrMaterial *thrown_material(const void *state, int32_t tet) {
    return (void)tet, &thrown(state)->material;
}
static bool thrown_never(const void *state) { return (void)state, false; }
static int32_t thrown_guarded(void *state) { return (void)state, 0; }
static bool thrown_supported(const void *state, int32_t node) {
    return (void)state, (void)node, false;
}
static void thrown_fix(void *state, bool fixed) { (void)state, (void)fixed; }
static double thrown_kick(const void *state, double dt) { return (void)state, dt; }
static const FrSolidOps thrown_solid = {.rest = thrown_rest,
                                        .contact_forces = thrown_forces,
                                        .crumbs = thrown_crumbs,
                                        .node_mass = thrown_node_mass,
                                        .material = thrown_material,
                                        .yields = thrown_never,
                                        .guarded = thrown_guarded,
                                        .is_supported = thrown_supported,
                                        .fix_supports = thrown_fix,
                                        .kick_time = thrown_kick,
                                        .was_cut = thrown_never};

// --- how it breaks

static bool thrown_wanted(const FrBodyDef *def) { return !def->crack.off; }
static FrResult thrown_begin(void *state, const FrBodyDef *def, const FrLent *lent) {
    (void)def;
    thrown(state)->lent = *lent;
    return FR_OK;
}
static double thrown_interval(const void *state) { return (void)state, 0.0; }
static double thrown_wait(const void *state) { return (void)state, HUGE_VAL; }

// every node of the plane, one by one
static FrResult thrown_cut(OwnThrown *s) {
    FrCutMesh *cut = s->lent.cut;
    FrSplitOptions options = fr_split_options_default();
    options.straight = 0.0;
    fr_cutmesh_place(cut, s->p.data);
    int32_t nodes = fr_cutmesh_view(cut)->node_count;
    for (int32_t n = 0; n < nodes; n++) {
        FrSplitResult one;
        if (fabs(fr_cutmesh_view(cut)->x[3 * n]) > 1e-9) continue;
        FR_TRY(fr_cutmesh_split(cut, n, fr_vec3(1, 0, 0), &options, &s->log, &one));
        s->crack.area += one.outcome == FR_SPLIT_DONE ? one.area : 0.0;
        s->crack.x = fr_get3(s->p.data, n);
    }
    if (!thrown_room(s, fr_cutmesh_view(cut)->node_count))
        return fr_no_memory(s->ctx, "a thrown solid");
    fr_cutlog_apply_positions(&s->log, s->p.data);
    thrown_show(s);
    return FR_OK;
}

static FrResult thrown_scan(void *state, double t, double dt, FrBreakResult *result) {
    OwnThrown *s = state;
    *result = (FrBreakResult){0};
    if (s->topology > 1 || t + dt < OWN_APART_AT) return FR_OK;
    fr_cutlog_clear(&s->log, fr_cutmesh_view(s->lent.cut)->node_count);
    s->crack = (FrCrack){.n = {1, 0, 0}, .value = 2.0, .limit = 1.0};
    fr_cutmesh_clock(s->lent.cut, t + dt);
    FR_TRY(thrown_cut(s));
    s->topology++;
    *result = (FrBreakResult){.crack = &s->crack, .crack_count = 1, .log = &s->log};
    fr_pieces_table(s->lent.pieces, &result->first_piece);
    return fr_pieces_follow(s->lent.pieces, s->lent.cut, &s->log, 0, t + dt, &result->piece_count);
}
static FrResult thrown_set_off(void *state, FrBreakResult *result) {
    (void)state;
    *result = (FrBreakResult){0};
    return FR_OK;
}
static void thrown_loads(void *state, double *load) {
    memset(load, 0, (size_t)(thrown(state)->p.count / 3) * sizeof *load);
}
static bool thrown_quiet(const void *state, double t) { return (void)state, (void)t, false; }
static const FrBreakOps thrown_breaks = {.wanted = thrown_wanted,
                                         .begin = thrown_begin,
                                         .scan_interval = thrown_interval,
                                         .scan_wait = thrown_wait,
                                         .scan = thrown_scan,
                                         .set_off = thrown_set_off,
                                         .node_loads = thrown_loads,
                                         .whole_is_quiet = thrown_quiet};

// clang-format off
static const FrModelOps own_thrown = {
    .name = "thrown", .stepping = FR_STEPS_EXPLICIT, .step = thrown_step, .create = thrown_create,
    .destroy = thrown_destroy, .dt_limit = thrown_limit, .view = thrown_view, .pose = thrown_pose,
    .velocity = thrown_velocity, .inverse_mass = thrown_inverse_mass, .force = thrown_force,
    .note_kinematic = thrown_note, .traits = thrown_traits, .backup = thrown_backup,
    .restore = thrown_backup, .watch = thrown_watch, .energy = thrown_energy,
    .momentum = thrown_momentum, .impulse = thrown_impulse, .hash = thrown_hash,
    .save = thrown_save, .load = thrown_load, .solid = &thrown_solid, .breaks = &thrown_breaks};
// clang-format on
