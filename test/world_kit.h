// world_kit.h: small worlds for tests: boxes of tets, soft material, stepping until a time.
#pragma once
#include "crack_kit.h"
#include "checkpoint.h"
#include "event_kit.h"
#include "fem_mesh.h"
#include "fracas/world.h"

/// Young's modulus Pa, Poisson's ratio, density 1000, no damping, friction 0.5, restitution 0.5
static inline FrMaterial elastic_material(double young, double poisson) {
    FrMaterial m;
    memset(&m, 0, sizeof m);
    snprintf(m.name, sizeof m.name, "test");
    m.density = 1000.0;
    fr_material_set_young(&m, young, poisson);
    m.friction_static = m.friction_dynamic = 0.5;
    m.restitution = 0.5;
    m.opacity = 1.0f;
    return m;
}

static inline FrWorld *test_world(FrContext *ctx, FrVec3 gravity) {
    FrWorldDef def = fr_world_def_default();
    def.gravity = gravity;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

/// a fem body of this mesh and material, moving with `velocity`
static inline FrBodyId world_body(FrContext *ctx, FrWorld *world, const FrTetMesh *mesh,
                                  const FrMaterial *material, FrVec3 position, FrVec3 velocity) {
    FrBodyDef def = fr_body_def_default();
    def.mesh = mesh;
    def.material = material;
    def.material_count = 1;
    def.position = position;
    def.velocity = velocity;
    def.crack = test_paper_crack();
    def.damping_limit = HUGE_VAL; // laws are of the material as it is given
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    return id;
}

/// a ball of 10 cm radius led along x at 1 m/s, from 15 cm before the origin
static inline void world_pusher(FrContext *ctx, FrWorld *world, const FrMaterial *material) {
    FrKey key[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {1.0, {1, 0, 0}, {1, 0, 0, 0}}};
    FrBodyDef ball = fr_body_def_default();
    ball.model = FR_MODEL_FRAME;
    ball.radius = 0.1;
    ball.material = material;
    ball.material_count = 1;
    ball.position = fr_vec3(-0.15, 0, 0);
    ball.kinematic = true;
    ball.track = (FrTrack){key, 2, {0, 0, 0}};
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, &ball, &id));
}

/// hold or lead the nodes of a body that lie at x (m, at rest) until a time, s; the first of them
static inline int32_t world_drive_end(FrContext *ctx, FrWorld *world, FrBodyId body,
                                      const FrTetMesh *mesh, double x, FrTrack track,
                                      double until) {
    int32_t *node = malloc(sizeof *node * (size_t)mesh->node_count), count = 0;
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fabs(mesh->x[3 * n] - x) < 1e-9) node[count++] = n;
    FrDriveDef def = fr_drive_def_default();
    def.body = body;
    def.node = node;
    def.node_count = count;
    def.track = track;
    def.until = until;
    CHECK_OK(ctx, fr_drive_create(world, &def, NULL));
    int32_t first = node[0];
    free(node);
    return first;
}

static inline void test_run(FrContext *ctx, FrWorld *world, double until) {
    while (fr_world_time(world) < until - 1e-9) {
        FrResult result = world_step(world);
        if (result == FR_OK) continue;
        CHECK_OK(ctx, result);
        return;
    }
}

/// mean of the nodes' positions and velocities: the centre of mass when all nodes weigh the same
static inline FrVec3 test_mean(const double *a, int32_t count) {
    FrVec3 sum = fr_vec3_zero;
    for (int32_t n = 0; n < count; n++) sum = fr_add(sum, fr_get3(a, n));
    return fr_scale(1.0 / count, sum);
}

/// what the ledger has of the world now
static inline FrEnergy world_note(FrLedger *ledger, FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    fr_ledger_note(ledger, &e);
    return e;
}

/// the fastest node of the first body, m/s
static inline double world_fastest(FrWorld *world) {
    const FrFrameView *view = fr_world_view(world);
    double most = 0.0;
    for (int32_t n = 0; n < view->body[0].mesh->node_count; n++)
        most = fr_max(most, fr_length(fr_get3(view->frame[0].v, n)));
    return most;
}
