// pane_kit.h: a pane and the ball that is shot at it, for tests of breaking worlds.
#pragma once
#include "world_kit.h"

#define PANE_CELLS 8

typedef struct Shot {
    int cells;       ///< along an edge; 0: PANE_CELLS
    double strength; ///< Pa
    double speed;    ///< m/s
    int32_t workers;
    bool turned;   ///< the whole scene, by 30 degrees about (1, 2, 3)
    bool middle;   ///< the ball hits the very middle: all is symmetric
    double Gc;     ///< J/m^2
    double yield;  ///< strain; 0: brittle
    double dust;   ///< pieces below so many tets leave
    double share;  ///< of the mass, at most
    double settle; ///< s without a crack after which pieces are rigid
    double hold;   ///< s: the rim is held so long; 0: it is free
    double drag;   ///< damping of its mass, 1/s
    bool whole;    ///< cracks leave it in one piece
} Shot;

/// hold the rim of a pane of 40 x 40 cm
static inline void shot_hold(const Shot *shot, FrContext *ctx, FrWorld *world, FrBodyId pane,
                             const FrTetMesh *mesh) {
    int32_t *node = malloc(sizeof *node * (size_t)mesh->node_count), count = 0;
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 x = fr_get3(mesh->x, n);
        if (fr_max(fabs(x.x - 0.2), fabs(x.z - 0.2)) > 0.199) node[count++] = n;
    }
    FrDriveDef def = fr_drive_def_default();
    def.body = pane;
    def.node = node;
    def.node_count = count;
    def.until = shot->hold;
    CHECK_OK(ctx, fr_drive_create(world, &def, NULL));
    free(node);
}

static inline FrQuat turn_of(const Shot *shot) {
    FrVec3 axis = fr_normalize(fr_vec3(1, 2, 3));
    return shot->turned ? fr_quat_from_rotation(fr_scale(FR_PI / 6.0, axis)) : fr_quat_identity;
}

/// a pane of 40 x 3 x 40 cm in free space, and a steel ball that flies at it
static inline FrWorld *shot_make(const Shot *shot, FrContext *ctx) {
    int cells = shot->cells ? shot->cells : PANE_CELLS;
    double h = 0.4 / cells;
    FrTetMesh mesh = test_box(cells, 1, cells, h);
    for (int32_t n = 0; n < mesh.node_count; n++) mesh.x[3 * n + 1] *= 0.03 / h;
    FrMaterial pane = elastic_material(1e9, 0.2), steel = elastic_material(2e11, 0.3);
    pane.density = 2500.0;
    pane.alpha1 = 1e-5;
    pane.alpha2 = shot->drag;
    fr_material_set_young(&pane, 1e9, 0.2);
    pane.strength = shot->strength;
    pane.Gc = shot->Gc;
    pane.yield_strain = shot->yield;
    pane.plastic_limit = shot->yield > 0.0 ? 0.5 : 0.0;
    steel.density = 7800.0;
    FrWorldDef def = fr_world_def_default();
    def.gravity = fr_vec3_zero;
    def.step = 2e-4;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    FrQuat q = turn_of(shot);
    FrBodyId id;
    FrBodyDef body = fr_body_def_default();
    body.mesh = &mesh;
    body.material = &pane;
    body.material_count = 1;
    body.crack = test_paper_crack();
    if (shot->dust > 0.0) {
        body.crack.min_piece = 0.0;
        body.crack.pieces.dust_piece = shot->dust;
        body.crack.pieces.dust_mass = shot->share;
    }
    if (shot->whole) {
        body.crack.min_piece = 0.6 * mesh.tet_count;
        body.crack.pieces.rigid_piece = 0.0;
    }
    body.crack.settle = shot->settle;
    body.position = fr_quat_rotate(q, fr_vec3(-0.2, 0, -0.2));
    body.rotation = q;
    CHECK_OK(ctx, fr_body_create(world, &body, &id));
    if (shot->hold > 0.0) shot_hold(shot, ctx, world, id, &mesh);
    FrBodyDef ball = fr_body_def_default();
    ball.name = "ball";
    ball.model = FR_MODEL_FRAME;
    ball.radius = 0.04;
    ball.material = &steel;
    ball.material_count = 1;
    FrVec3 from = shot->middle ? fr_vec3(0, -0.0401, 0) : fr_vec3(0.03, -0.0401, 0.02);
    ball.position = fr_quat_rotate(q, from);
    ball.velocity = fr_quat_rotate(q, fr_vec3(0, shot->speed, 0));
    CHECK_OK(ctx, fr_body_create(world, &ball, &id));
    test_mesh_free(&mesh);
    return world;
}
