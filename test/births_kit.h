// births_kit.h: a world in which bodies of all kinds are born and die, by a script that follows
// from a number: the same bodies, joints, supports and loads wherever the script is gone on with.
#pragma once
#include "base/random.h"
#include "mesh/topology.h"
#include "own_model.h"
#include "world_kit.h"

/// Bodies that live at one time, at most.
#define NURSERY_BODIES 12

typedef struct Nursery {
    FrContext *ctx;
    FrWorld *world;
    FrModel own;
    FrTetMesh cube, bar;
    FrSurface shell; ///< of the bar, its triangles the other way round
    FrMaterial soft, brittle;
    FrRandom random;
    bool crowded;                  ///< born anywhere, into each other, and some break
    FrBodyId id[NURSERY_BODIES];   ///< the oldest first
    int kind[NURSERY_BODIES];      ///< of each
    int count;                     ///< of them
    int64_t births, deaths, holds; ///< so far; holds: drives, loads and joints
} Nursery;

/// What is born.
typedef enum BirthKind {
    BORN_SOLID,
    BORN_BRITTLE,
    BORN_BOX,
    BORN_MESH,
    BORN_BALL,
    BORN_MASS,
    BORN_KINEMATIC,
    BIRTH_KINDS
} BirthKind;

static inline void nursery_free_shapes(Nursery *n) {
    test_mesh_free(&n->cube);
    test_mesh_free(&n->bar);
    fr_surface_free(n->ctx, &n->shell);
}

static inline void nursery_free(Nursery *n) {
    fr_world_destroy(n->world);
    nursery_free_shapes(n);
}

static inline bool nursery_is_frame(int kind) {
    return kind == BORN_BOX || kind == BORN_MESH || kind == BORN_BALL;
}

// shape and model of one kind
static inline void nursery_shape(const Nursery *n, BirthKind kind, FrBodyDef *def) {
    bool frame = nursery_is_frame(kind) || kind == BORN_KINEMATIC;
    def->material = kind == BORN_BRITTLE ? &n->brittle : &n->soft;
    def->material_count = 1;
    def->model = kind == BORN_MASS ? n->own : frame ? FR_MODEL_FRAME : FR_MODEL_FEM;
    if (kind == BORN_BALL || kind == BORN_MASS || kind == BORN_KINEMATIC)
        def->radius = 0.05;
    else
        def->mesh = kind == BORN_SOLID || kind == BORN_BOX ? &n->cube : &n->bar;
    if (kind == BORN_MESH) def->surface = &n->shell;
    if (kind == BORN_BOX) def->box = def->box_centre = fr_vec3(0.05, 0.05, 0.05);
}

/// The middle of a body, m
static inline FrVec3 nursery_place(FrWorld *world, FrBodyId id) {
    const FrFrameView *view = fr_world_view(world);
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        if (body->id.index1 == id.index1)
            return body->mesh ? test_mean(view->frame[k].p, body->mesh->node_count)
                              : view->frame[k].position;
    }
    CHECK(false);
    return fr_vec3_zero;
}

// of 25 places above the ground the one that is farthest from all others
static inline FrVec3 nursery_site(Nursery *n) {
    FrVec3 best = fr_vec3_zero, other[NURSERY_BODIES];
    double most = -1.0;
    for (int k = 0; k < n->count; k++) other[k] = nursery_place(n->world, n->id[k]);
    for (int s = 0; s < 25; s++) {
        FrVec3 site = fr_vec3(0.25 * (s % 5) - 0.5, 0.25 * (s / 5) - 0.5, 0.2);
        double nearest = HUGE_VAL;
        for (int k = 0; k < n->count; k++) nearest = fr_min(nearest, fr_distance(site, other[k]));
        if (nearest > most) most = nearest, best = site;
    }
    return best;
}

// supports, a load or a joint with the frame before it
static inline void nursery_hold(Nursery *n, int kind, FrBodyId id) {
    int32_t node[2] = {0, 1};
    double until = fr_world_time(n->world) + fr_random_range(&n->random, 0.0, 0.1);
    FrDriveDef drive = fr_drive_def_default();
    drive.body = id;
    drive.node = node;
    drive.node_count = 2;
    drive.until = until;
    FrLoadDef load = fr_load_def_default();
    load.kind = FR_LOAD_FORCE;
    load.body = id;
    load.vector = (FrVec3){0.5, 0, 0};
    if (kind == BORN_SOLID) CHECK_OK(n->ctx, fr_drive_create(n->world, &drive, NULL));
    if (kind == BORN_BRITTLE) CHECK_OK(n->ctx, fr_load_create(n->world, &load, NULL));
    int before = n->count - 1;
    while (before >= 0 && !nursery_is_frame(n->kind[before])) before--;
    n->holds += kind == BORN_SOLID || kind == BORN_BRITTLE;
    if (!nursery_is_frame(kind) || before < 0) return;
    FrJointDef joint = fr_joint_def_default();
    joint.kind = FR_JOINT_STRING;
    joint.a = id;
    joint.b = n->id[before];
    joint.at_a = nursery_place(n->world, id);
    joint.at_b = nursery_place(n->world, n->id[before]);
    CHECK_OK(n->ctx, fr_joint_create(n->world, &joint, NULL));
    n->holds++;
}

// a place or a velocity between two, x before y before z
static inline FrVec3 nursery_draw(Nursery *n, FrVec3 lo, FrVec3 hi) {
    double x = fr_random_range(&n->random, lo.x, hi.x), y = fr_random_range(&n->random, lo.y, hi.y);
    return fr_vec3(x, y, fr_random_range(&n->random, lo.z, hi.z));
}

static inline FrBodyId nursery_bear(Nursery *n) {
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    double now = fr_world_time(n->world);
    FrKey key[2] = {{now, {0, 0, 0}, {1, 0, 0, 0}}, {now + 1, {0.3, 0, 0}, {1, 0, 0, 0}}};
    BirthKind kind = (BirthKind)(n->births % BIRTH_KINDS);
    if (kind == BORN_BRITTLE && !n->crowded) kind = BORN_SOLID;
    nursery_shape(n, kind, &def);
    def.position = n->crowded ? nursery_draw(n, fr_vec3(-0.3, -0.3, 0.06), fr_vec3(0.3, 0.3, 0.3))
                              : nursery_site(n);
    if (def.mesh) def.position = fr_sub(def.position, fr_vec3(0.05, 0.05, 0.05));
    def.velocity = nursery_draw(n, fr_vec3(-1, 0, -3), fr_vec3(1, 0, 0));
    def.kinematic = kind == BORN_KINEMATIC;
    if (def.kinematic) def.track = (FrTrack){key, 2, {0, 0, 0}};
    CHECK_OK(n->ctx, fr_body_create(n->world, &def, &id));
    nursery_hold(n, (int)kind, id);
    if (n->count) CHECK_OK(n->ctx, fr_world_ignore(n->world, id, n->id[n->count - 1]));
    n->id[n->count] = id;
    n->kind[n->count++] = (int)kind;
    n->births++;
    return id;
}

static inline void nursery_shell(Nursery *n) {
    CHECK_OK(n->ctx, fr_tetmesh_surface(n->ctx, &n->bar, &n->shell));
    for (int32_t k = 0, j = n->shell.tri_count - 1; k < j; k++, j--) {
        int32_t tet = n->shell.tet[k];
        for (int i = 0; i < 3; i++) {
            int32_t node = n->shell.tri[k][i];
            n->shell.tri[k][i] = n->shell.tri[j][i];
            n->shell.tri[j][i] = node;
        }
        n->shell.tet[k] = n->shell.tet[j];
        n->shell.tet[j] = tet;
    }
}

static inline Nursery nursery(FrContext *ctx, bool crowded) {
    Nursery n = {.ctx = ctx, .cube = test_box(1, 1, 1, 0.1), .bar = test_box(2, 1, 1, 0.1)};
    n.crowded = crowded;
    nursery_shell(&n);
    n.soft = n.brittle = elastic_material(2e5, 0.3);
    n.brittle.strength = 2e3;
    n.world = test_world(ctx, fr_vec3(0, 0, -9.81));
    n.random = fr_random_for(17, "nursery", 0);
    CHECK_OK(ctx, fr_world_add_plane(n.world, "ground", fr_vec3(0, 0, 1), 0.0, &n.soft));
    CHECK_OK(ctx, fr_world_add_model(n.world, &own_model, &n.own));
    return n;
}

/// One of them, by its place
static inline void nursery_bury(Nursery *n, int at) {
    CHECK_OK(n->ctx, fr_body_destroy(n->world, n->id[at]));
    n->count--;
    for (int k = at; k < n->count; k++) n->id[k] = n->id[k + 1], n->kind[k] = n->kind[k + 1];
    n->deaths++;
}

/// Time goes on, one is born, one dies where there are too many.
static inline void nursery_cycle(Nursery *n) {
    for (int k = 0; k < 2; k++) CHECK_OK(n->ctx, fr_world_step(n->world));
    if (n->count == NURSERY_BODIES) nursery_bury(n, n->births % 3 ? 0 : n->count / 2);
    nursery_bear(n);
}

static inline void nursery_empty(Nursery *n) {
    while (n->count) nursery_bury(n, n->count - 1);
    CHECK_OK(n->ctx, fr_world_step(n->world));
}
