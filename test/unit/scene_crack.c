// scene_crack.c: a program and a scene that say nothing about breaking get the same body; words
// that settings had before are refused with those they have now.

#include "test.h"
#include "scene_help.h"
#include "build/build.h"
#include "math/vec.h"
#include "world/cuts.h"

// damping as the material has it: to lower it is a choice of scenes
#define PANE                                                                                       \
    "{\"scene\": {\"gravity\": [0, 0, 0], \"step\": {\"damping_limit\": 1e9}},"                    \
    " \"bodies\": [{\"name\": \"pane\", \"material\": \"glass\", \"cells\": 0.02,"                 \
    "   \"shape\": {\"box\": {\"size\": [0.12, 0.12, 0.006]}}}],"                                  \
    " \"spheres\": [{\"name\": \"ball\", \"radius\": 0.02, \"material\": \"steel\","               \
    "   \"at\": [0.01, 0, 0.0235], \"velocity\": [0, 0, -8]}]}"
#define STEP 2e-5 ///< s

static FrMaterial library_material(const char *name) {
    FrMaterial material;
    CHECK(fr_material_find(name, &material));
    return material;
}

/// the same by hand, of the same mesh
static FrWorld *pane_by_hand(FrContext *ctx, const FrTetMesh *mesh) {
    FrMaterial glass = library_material("glass"), steel = library_material("steel");
    FrWorldDef def = fr_world_def_default();
    def.gravity = fr_vec3_zero;
    def.step = STEP;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    FrBodyDef pane = fr_body_def_default(), ball = fr_body_def_default();
    FrBodyId id;
    pane.name = "pane";
    pane.mesh = mesh;
    pane.material = &glass;
    pane.material_count = 1;
    CHECK_OK(ctx, fr_body_create(world, &pane, &id));
    ball.name = "ball";
    ball.model = FR_MODEL_FRAME;
    ball.radius = 0.02;
    ball.material = &steel;
    ball.material_count = 1;
    ball.position = fr_vec3(0.01, 0, 0.0235);
    ball.velocity = fr_vec3(0, 0, -8);
    CHECK_OK(ctx, fr_body_create(world, &ball, &id));
    return world;
}

static void check_same_settings(const FrCrackDef *a, const FrCrackDef *b) {
    CHECK(a->off == b->off && a->along_faces == b->along_faces && a->upright == b->upright);
    CHECK(a->min_piece == b->min_piece && a->settle == b->settle);
    CHECK(fr_distance(a->toughness, b->toughness) + fr_length(b->cleavage) == 0.0);
    CHECK(isnan(a->residual) && isnan(b->residual)); // what the material says
    CHECK_INT(a->criterion.kind, b->criterion.kind);
    CHECK(a->criterion.elastic_only == b->criterion.elastic_only);
    CHECK(a->criterion.scan_interval == b->criterion.scan_interval);
    CHECK(a->remeshing.move == b->remeshing.move);
    const double *p = &a->remeshing.snap_distance, *q = &b->remeshing.snap_distance;
    CHECK(p[0] == q[0] && p[1] == q[1] && p[2] == q[2] && p[3] == q[3]);
    CHECK(a->remeshing.straight == b->remeshing.straight);
    CHECK(a->remeshing.back_angle == b->remeshing.back_angle);
    CHECK(a->remeshing.min_height == b->remeshing.min_height);
    CHECK(!memcmp(&a->pieces, &b->pieces, sizeof a->pieces));
    CHECK(!memcmp(&a->cost, &b->cost, sizeof a->cost));
}

TEST(a_program_and_a_scene_get_the_same_body) {
    FrContext *ctx = make_context(1);
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    FrBuilt built = {0};
    CHECK_OK(ctx, scene_from(ctx, PANE, &options, &scene));
    CHECK_OK(ctx, fr_build_meshes(ctx, scene, &(FrBuildOptions){.coarseness = 1.0}, &built));
    CHECK_OK(ctx, fr_build_world(&built, scene, STEP));
    FrWorld *world = pane_by_hand(ctx, &built.mesh[0].mesh);
    FrCrackDef chosen[2];
    CHECK(fr_world_crack_chosen(built.world, (FrBodyId){1}, &chosen[0]));
    CHECK(fr_world_crack_chosen(world, (FrBodyId){1}, &chosen[1]));
    check_same_settings(&chosen[0], &chosen[1]);
    CHECK(chosen[1].remeshing.together == 0.4 && chosen[1].settle > 0.0); // it is a brittle wall
    for (int k = 0; k < 20; k++) {
        CHECK_OK(ctx, fr_world_step(built.world));
        CHECK_OK(ctx, fr_world_step(world));
    }
    FrWorldStats stats = fr_world_stats(world);
    printf("  %d tets, %lld cracks, %lld pieces\n", built.mesh[0].mesh.tet_count,
           (long long)stats.cracks, (long long)stats.pieces);
    CHECK(stats.cracks > 10);
    CHECK(fr_world_hash(built.world) == fr_world_hash(world));
    fr_world_destroy(world);
    fr_built_free(&built);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
}

// what a scene has where it says nothing is what a program has
TEST(defaults_are_the_same_bits) {
    FrContext *ctx = make_context(1);
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    CHECK_OK(ctx,
             scene_from(ctx, "body { material = 'glass', shape = ball(1) }", &options, &scene));
    FrCrackDef program = fr_crack_def_default(), *said = &scene->bodies[0].crack;
    CHECK(isnan(said->min_piece) && isnan(program.min_piece));
    CHECK(isnan(said->settle) && isnan(program.settle));
    CHECK(isnan(said->criterion.scan_interval) && isnan(program.criterion.scan_interval));
    CHECK(isnan(said->remeshing.snap_distance) && isnan(program.remeshing.snap_distance));
    CHECK(isnan(said->remeshing.together) && isnan(program.remeshing.together));
    CHECK(isnan(said->pieces.rigid_piece) && isnan(program.pieces.rigid_piece));
    double *open[2][6] = {{&said->min_piece, &said->settle, &said->criterion.scan_interval,
                           &said->remeshing.snap_distance, &said->remeshing.together,
                           &said->pieces.rigid_piece},
                          {&program.min_piece, &program.settle, &program.criterion.scan_interval,
                           &program.remeshing.snap_distance, &program.remeshing.together,
                           &program.pieces.rigid_piece}};
    for (int k = 0; k < 6; k++) *open[0][k] = *open[1][k] = 0.0;
    check_same_settings(said, &program);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
}

TEST(earlier_words_are_refused_with_those_of_now) {
    static const char *const word[][2] = {
        {"breaks = false", "breaks: unknown key; use off = true for breaks = false"},
        {"remesh = false", "remesh: unknown key; use along_faces = true for remesh = false"},
        {"viscous = false", "viscous: unknown key; use criterion = { elastic_only = true } for "
                            "viscous = false"},
        {"interval = 1", "interval: unknown key; use criterion = { scan_interval = ... }"},
        {"snap = 0.1", "snap: unknown key; use remeshing = { snap_distance = ... }"},
        {"rigid = 1", "rigid: unknown key; use pieces = { rigid_piece = ... }"},
        {"dust = 1", "dust: unknown key; use pieces = { dust_piece = ... }"},
        {"calm = 1", "calm: unknown key; use settle"},
        // keys that are in a group now
        {"snap_angle = 1", "snap_angle: unknown key; use remeshing = { snap_angle = ... }"},
        {"snap_part = 0", "snap_part: unknown key; use remeshing = { snap_part = ... }"},
        {"together = 0", "together: unknown key; use remeshing = { together = ... }"},
        {"move = true", "move: unknown key; use remeshing = { move = ... }"},
        {"straight = 1", "straight: unknown key; use remeshing = { straight = ... }"},
        {"back_angle = 1", "back_angle: unknown key; use remeshing = { back_angle = ... }"},
        {"min_height = 1", "min_height: unknown key; use remeshing = { min_height = ... }"},
        {"dust_mass = 0", "dust_mass: unknown key; use pieces = { dust_mass = ... }"},
        {"step_floor = 0", "step_floor: unknown key; use cost = { step_floor = ... }"},
        {"added_mass = 0", "added_mass: unknown key; use cost = { added_mass = ... }"},
        // and one that is not
        {"pieces = { min_piece = 1 }", "pieces.min_piece: unknown key; use crack.min_piece"},
    };
    for (size_t k = 0; k < sizeof word / sizeof word[0]; k++) {
        char text[200], wanted[200];
        snprintf(text, sizeof text, "body { material = 'glass', shape = ball(1), crack = { %s } }",
                 word[k][0]);
        int column = k + 1 < sizeof word / sizeof word[0] ? 55 : 66;
        snprintf(wanted, sizeof wanted, "a.lua:1:%d: bodies[1].crack.%s", column, word[k][1]);
        CHECK_TEXT(scene_message(text, NULL), wanted);
    }
}

// a value out of range is named, with what is allowed
TEST(a_program_is_told_which_setting_is_wrong) {
    FrContext *ctx = make_refusing_context(NULL);
    FrScene *scene = NULL;
    FrSceneOptions options = scene_options();
    FrBuilt built = {0};
    CHECK_OK(ctx, scene_from(ctx, PANE, &options, &scene));
    CHECK_OK(ctx, fr_build_meshes(ctx, scene, &(FrBuildOptions){.coarseness = 1.0}, &built));
    FrMaterial glass = library_material("glass");
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    FrBodyDef body = fr_body_def_default();
    FrBodyId id;
    body.mesh = &built.mesh[0].mesh;
    body.material = &glass;
    body.material_count = 1;
    body.crack.remeshing.snap_distance = 0.6;
    CHECK(fr_body_create(world, &body, &id) == FR_BAD_USE);
    CHECK_TEXT(fr_context_message(ctx), "body: crack.remeshing.snap_distance is 0.6; allowed: 0 to "
                                        "0.49, or FR_CHOSEN");
    body.crack = fr_crack_def_default();
    body.crack.pieces.dust_mass = FR_CHOSEN;
    CHECK(fr_body_create(world, &body, &id) == FR_BAD_USE);
    CHECK_TEXT(fr_context_message(ctx), "body: crack.pieces.dust_mass is nan; allowed: 0 to 0.01");
    body.crack = fr_crack_def_default();
    body.crack.min_piece = -1.0;
    CHECK(fr_body_create(world, &body, &id) == FR_BAD_USE);
    CHECK_TEXT(fr_context_message(ctx), "body: crack.min_piece is -1; at least 0, or FR_CHOSEN");
    fr_world_destroy(world);
    fr_built_free(&built);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
}
