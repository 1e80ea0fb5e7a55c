// world_stepping.c: how long macro steps are where nobody says: for a program as for a scene.

#include "build/build.h"
#include "build/scene_load.h"
#include "context.h"
#include "fracas/studio.h"
#include "run/simulate.h"
#include "world/world.h"
#include "world_kit.h"

static FrWorld *open_world(FrContext *ctx, double step) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL;
    if (!isnan(step)) def.step = step;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

static void add(FrContext *ctx, FrWorld *world, const char *material) {
    FrTetMesh mesh = test_box(1, 1, 1, 0.1);
    FrMaterial m;
    FrBodyDef def = fr_body_def_default();
    CHECK(fr_material_find(material, &m));
    def.name = material;
    def.mesh = &mesh;
    def.material = &m;
    def.material_count = 1;
    CHECK_OK(ctx, fr_body_create(world, &def, NULL));
    test_mesh_free(&mesh);
}

static FrContext *studio_context(void) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    def.backend = fr_studio_backend(); // without one nothing shatters
    return fr_context_create(&def);
}

TEST(steps_suit_the_bodies_that_are_there) {
    FrContext *ctx = studio_context();
    FrWorld *world = open_world(ctx, FR_CHOSEN);
    CHECK_OK(ctx, fr_world_step(world));
    CHECK(fr_world_time(world) == 1.0 / 240.0);
    add(ctx, world, "glass"); // too late
    CHECK_OK(ctx, fr_world_step(world));
    CHECK(fr_world_time(world) == 2.0 / 240.0);
    fr_world_destroy(world);
    world = open_world(ctx, FR_CHOSEN);
    add(ctx, world, "rubber");
    CHECK(world->def.step == 1.0 / 240.0 && world->def.frame_substeps == 4);
    add(ctx, world, "glass");
    CHECK(world->def.step == 1.0 / 4800.0 && world->def.frame_substeps == 1);
    add(ctx, world, "glass");
    CHECK(world->def.step == 1.0 / 4800.0 && world->def.frame_substeps == 1);
    CHECK_OK(ctx, fr_world_step(world));
    CHECK(fr_world_time(world) == 1.0 / 4800.0);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

TEST(a_step_that_is_given_stays) {
    FrContext *ctx = studio_context();
    FrWorld *world = open_world(ctx, 1e-3);
    add(ctx, world, "glass");
    CHECK(world->def.step == 1e-3 && world->def.frame_substeps == 4);
    fr_world_destroy(world);
    world = open_world(ctx, FR_CHOSEN);
    CHECK_OK(ctx, fr_world_set_step(world, 2e-3));
    add(ctx, world, "glass");
    CHECK(world->def.step == 2e-3 && world->def.frame_substeps == 4);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// the same from a scene with the same words
static void compare_scene(const char *material) {
    FrContext *ctx = studio_context();
    char text[256];
    snprintf(text, sizeof text,
             "body { name = 'a', material = '%s', shape = box { 10*cm, 10*cm, 10*cm } }\n"
             "scene { duration = 1*s, fps = 60 }\n",
             material);
    FILE *file = fopen("stepping.lua", "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
    FrScene *scene;
    FrBuilt built;
    CHECK_OK(ctx, fr_load_scene_with(ctx, "stepping.lua", NULL, 0, &scene));
    FrTiming timing = fr_timing(1.0, scene->scene.fps, fr_step_rate(scene, false));
    FrBuildOptions options = {.coarseness = 1.5};
    CHECK_OK(ctx, fr_build_meshes(ctx, scene, &options, &built));
    CHECK_OK(ctx, fr_build_world(&built, scene, timing.step));
    FrWorld *world = open_world(ctx, FR_CHOSEN);
    add(ctx, world, material);
    CHECK_CLOSE(world->def.step, timing.step, 1e-15); // rounding: 1 / (60 * 80)
    CHECK_INT(world->def.frame_substeps, built.world->def.frame_substeps);
    fr_world_destroy(world);
    fr_built_free(&built);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
}

TEST(a_scene_and_a_program_take_the_same_steps) {
    compare_scene("glass");
    compare_scene("oak");
}
