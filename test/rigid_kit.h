// rigid_kit.h: worlds of rigid boxes and balls for tests.
#pragma once
#include "world_kit.h"

/// density 1000, Young's modulus 1 GPa, Poisson's ratio 0.3
static inline FrMaterial rigid_material(double restitution, double friction) {
    FrMaterial m = elastic_material(1e9, 0.3);
    m.restitution = restitution;
    m.friction_static = m.friction_dynamic = friction;
    return m;
}

/// a world that never puts anything to rest
static inline FrWorld *awake_world(FrContext *ctx, FrVec3 gravity) {
    FrWorldDef def = fr_world_def_default();
    def.gravity = gravity;
    def.sleep_time = 0.0;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

static inline FrBodyDef ball_def(const FrMaterial *material, double radius, FrVec3 at, FrVec3 v) {
    FrBodyDef def = fr_body_def_default();
    def.model = FR_MODEL_FRAME;
    def.radius = radius;
    def.material = material;
    def.material_count = 1;
    def.position = at;
    def.velocity = v;
    return def;
}

/// six tets in a box of these sizes about the origin
static inline FrTetMesh brick_mesh(double x, double y, double z) {
    FrTetMesh m = test_box(1, 1, 1, 1.0);
    for (int n = 0; n < m.node_count; n++) {
        FrVec3 p = fr_get3(m.x, n);
        fr_set3(m.x, n, fr_vec3(x * (p.x - 0.5), y * (p.y - 0.5), z * (p.z - 0.5)));
    }
    return m;
}

/// a box with analytic contact; `mesh` is a brick_mesh of twice `half`
static inline FrBodyDef box_def(const FrMaterial *material, const FrTetMesh *mesh, FrVec3 half,
                                FrVec3 at, FrVec3 v) {
    FrBodyDef def = ball_def(material, 0.0, at, v);
    def.mesh = mesh;
    def.box = half;
    return def;
}

static inline FrBodyId put(FrContext *ctx, FrWorld *world, const FrBodyDef *def) {
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, def, &id));
    return id;
}

static inline FrBodyFrame frame_at(FrWorld *world, int32_t k) {
    return fr_world_view(world)->frame[k];
}

/// impacts so far; *first: the first of them
static inline int32_t impacts(FrWorld *world, FrEvent *first) {
    int64_t count;
    int32_t found = 0;
    const FrEvent *event = world_events(world, &count);
    if (first) memset(first, 0, sizeof *first);
    for (int64_t k = 0; k < count; k++) {
        if (event[k].kind != FR_EVENT_IMPACT) continue;
        if (!found++ && first) *first = event[k];
    }
    return found;
}
