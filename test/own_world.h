// own_world.h: worlds with a mass on a spring (own_model.h), which is thrown at a plane, a solid or
// a frame.
#pragma once
#include "own_model.h"
#include "world_kit.h"

/// The first model that a world is given.
static const FrModel first_model = (FrModel)1000;
static const double own_mass = 0.5; ///< kg

static inline FrBodyDef mass_def(const FrMaterial *material) {
    FrBodyDef def = fr_body_def_default();
    def.name = "mass";
    def.model = first_model;
    def.radius = 0.05;
    def.mass = own_mass;
    def.material = material;
    def.material_count = 1;
    return def;
}

static inline FrBodyId add_mass(FrContext *ctx, FrWorld *world, const FrMaterial *material,
                                FrVec3 position, FrVec3 velocity) {
    FrBodyDef def = mass_def(material);
    FrBodyId id = {0};
    FrModel model;
    def.position = position;
    def.velocity = velocity;
    CHECK_OK(ctx, fr_world_add_model(world, &own_model, &model));
    CHECK_INT(model, first_model);
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    return id;
}

/// What it is thrown at.
typedef enum Target { PLANE, SOLID, FRAME } Target;

static inline FrWorld *make_throw(FrContext *ctx, Target target, const FrMaterial *material) {
    FrTetMesh box = test_box(2, 2, 2, 0.1);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, target == PLANE ? -9.81 : 0.0));
    add_mass(ctx, world, material, fr_vec3(0, 0, 0.2), fr_vec3(0.1, 0, -4));
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    def.mesh = &box;
    def.model = target == FRAME ? FR_MODEL_FRAME : FR_MODEL_FEM;
    def.material = material;
    def.material_count = 1;
    def.position = fr_vec3(-0.1, -0.1, -0.2);
    if (target == PLANE)
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, material));
    else
        CHECK_OK(ctx, fr_body_create(world, &def, &id));
    test_mesh_free(&box);
    return world;
}
