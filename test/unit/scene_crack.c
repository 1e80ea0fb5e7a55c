// scene_crack.c: a program and a scene that say nothing about breaking get the same body; words
// that settings had before are refused with those they have now.

#include "test.h"
#include "scene_help.h"
#include "build/build.h"
#include "fracas/body.h"
#include "fracas/mesh.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "world/cuts.h"

#define PANE                                                                                       \
    "{\"bodies\": [{\"name\": \"pane\", \"material\": \"glass\", \"model\": \"fem\", \"cells\": "  \
    "0.02,"                                                                                        \
    "   \"shape\": {\"box\": {\"size\": [0.12, 0.12, 0.006]}}}],"                                  \
    " \"spheres\": [{\"name\": \"ball\", \"radius\": 0.02, \"material\": \"steel\","               \
    "   \"at\": [0.01, 0, 0.0235], \"velocity\": [0, 0, -8]}]}"
#define PANE_LUA                                                                                   \
    "body { name = 'pane', material = 'glass', model = 'fem', cells = 2*cm, shape = box { 12*cm, " \
    "12*cm, 6*mm } "                                                                               \
    "} "                                                                                           \
    "sphere { name = 'ball', radius = 2*cm, material = 'steel', at = {1*cm, 0, 23.5*mm}, "         \
    "  velocity = {0, 0, -8} }"
#define STEP 2e-5 ///< s
#define DEGREE (FR_PI / 180.0)

static FrMaterial library_material(const char *name) {
    FrMaterial material;
    CHECK(fr_material_find(name, &material));
    return material;
}

static FrWorld *plain_world(FrContext *ctx, double step) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL;
    def.step = step;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

/// a body of a box, with as few words as a scene has
static FrBodyDef box_of(FrContext *ctx, const char *name, FrVec3 size, double cells,
                        const FrMaterial *material, FrTetMesh *mesh) {
    FrBodyDef def = fr_body_def_default();
    CHECK_OK(ctx, fr_mesh_box(ctx, size, cells, mesh));
    def.name = name;
    def.mesh = mesh;
    def.material = material;
    def.material_count = 1;
    return def;
}

/// the pane and the ball by hand
static FrWorld *pane_by_hand(FrContext *ctx) {
    FrMaterial glass = library_material("glass"), steel = library_material("steel");
    FrWorld *world = plain_world(ctx, STEP);
    FrTetMesh mesh;
    FrBodyDef pane = box_of(ctx, "pane", fr_vec3(0.12, 0.12, 0.006), 0.02, &glass, &mesh);
    pane.model = FR_MODEL_FEM;
    FrBodyDef ball = fr_body_def_default();
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, &pane, &id));
    ball.name = "ball";
    ball.radius = 0.02;
    ball.material = &steel;
    ball.material_count = 1;
    ball.position = fr_vec3(0.01, 0, 0.0235);
    ball.velocity = fr_vec3(0, 0, -8);
    CHECK_OK(ctx, fr_body_create(world, &ball, &id));
    fr_tetmesh_free(ctx, &mesh);
    return world;
}

/// the world of a scene; `built` and `scene` are to be freed
static FrWorld *world_of(FrContext *ctx, const char *text, double step, FrScene **scene,
                         FrBuilt *built) {
    FrSceneOptions options = scene_options();
    CHECK_OK(ctx, scene_from(ctx, text, &options, scene));
    CHECK_OK(ctx, fr_build_meshes(ctx, *scene, &(FrBuildOptions){.coarseness = 1.0}, built));
    CHECK_OK(ctx, fr_build_world(built, *scene, step));
    CHECK_OK(ctx, fr_build_result(built));
    return built->world;
}

/// Does the scene end as the world by hand does after so many steps? That one moved by then.
static void check_same_motion(FrContext *ctx, FrWorld *by_hand, const char *text, double step,
                              int steps) {
    FrScene *scene = NULL;
    FrBuilt built = {0};
    FrWorld *world = world_of(ctx, text, step, &scene, &built);
    for (int k = 0; k < steps; k++) CHECK_OK(ctx, fr_world_step(world));
    CHECK(fr_world_hash(world) == fr_world_hash(by_hand));
    fr_built_free(&built);
    fr_scene_free(scene);
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

TEST(a_program_and_a_scene_break_the_same_way) {
    FrContext *ctx = make_context(1);
    FrScene *scene = NULL;
    FrBuilt built = {0};
    FrWorld *world = pane_by_hand(ctx), *other = world_of(ctx, PANE, STEP, &scene, &built);
    FrCrackDef chosen[2];
    CHECK(fr_world_crack_chosen(other, (FrBodyId){1}, &chosen[0]));
    CHECK(fr_world_crack_chosen(world, (FrBodyId){1}, &chosen[1]));
    check_same_settings(&chosen[0], &chosen[1]);
    CHECK(chosen[1].remeshing.together == 0.4 && chosen[1].settle > 0.0); // it is a brittle wall
    double kept = fr_world_damping_kept(world, (FrBodyId){1});
    CHECK(kept == fr_world_damping_kept(other, (FrBodyId){1}));
    fr_built_free(&built);
    fr_scene_free(scene);
    for (int k = 0; k < 20; k++) CHECK_OK(ctx, fr_world_step(world));
    FrWorldStats stats = fr_world_stats(world);
    printf("  %lld cracks, %lld pieces\n", (long long)stats.cracks, (long long)stats.pieces);
    CHECK(stats.cracks > 10);
    check_same_motion(ctx, world, PANE, STEP, 20);
    check_same_motion(ctx, world, PANE_LUA, STEP, 20);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// A soft cube and a rigid one, both tilted, fall on the ground: self contact, lowered damping, and
// the rigid one's corners, which are those of a box.
#define CUBES                                                                                      \
    "{\"ground\": {\"material\": \"concrete\"}, \"bodies\": ["                                     \
    " {\"name\": \"soft\", \"material\": \"rubber\", \"cells\": 0.05, \"at\": [0, 0, 0.081],"      \
    "  \"shape\": {\"box\": {\"size\": [0.1, 0.1, 0.1]}}, \"turn\": [30, 10, 0]},"                 \
    " {\"name\": \"hard\", \"material\": \"oak\", \"cells\": 0.05, \"at\": [0.5, 0, 0.081],"       \
    "  \"shape\": {\"box\": {\"size\": [0.1, 0.1, 0.1]}}, \"turn\": [30, 10, 0],"                  \
    "  \"model\": \"frame\"}]}"
#define CUBES_LUA                                                                                  \
    "ground { material = 'concrete' } "                                                            \
    "local shape = box { 10*cm, 10*cm, 10*cm } "                                                   \
    "body { name = 'soft', material = 'rubber', cells = 5*cm, at = {0, 0, 0.081}, shape = shape, " \
    "  turn = {30, 10, 0} } "                                                                      \
    "body { name = 'hard', material = 'oak', cells = 5*cm, at = {0.5, 0, 0.081}, shape = shape, "  \
    "  turn = {30, 10, 0}, model = 'frame' }"

static FrWorld *cubes_by_hand(FrContext *ctx, FrVec3 box) {
    FrMaterial material[2] = {library_material("rubber"), library_material("oak")};
    FrMaterial concrete = library_material("concrete");
    FrWorld *world = plain_world(ctx, 1e-3);
    for (int k = 0; k < 2; k++) {
        FrTetMesh mesh;
        FrBodyId id;
        FrBodyDef def =
            box_of(ctx, k ? "hard" : "soft", fr_vec3(0.1, 0.1, 0.1), 0.05, &material[k], &mesh);
        def.position = fr_vec3(0.5 * k, 0, 0.081);
        def.rotation = fr_quat_from_euler(fr_vec3(30 * DEGREE, 10 * DEGREE, 0));
        if (k) def.model = FR_MODEL_FRAME;
        if (k && !isnan(box.x)) def.box = box;
        CHECK_OK(ctx, fr_body_create(world, &def, &id));
        fr_tetmesh_free(ctx, &mesh);
    }
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &concrete));
    for (int k = 0; k < 100; k++) CHECK_OK(ctx, fr_world_step(world));
    return world;
}

TEST(a_program_and_a_scene_get_the_same_cubes) {
    FrContext *ctx = make_context(1);
    FrWorld *world = cubes_by_hand(ctx, fr_vec3(FR_CHOSEN, FR_CHOSEN, FR_CHOSEN));
    CHECK(fr_world_damping_kept(world, (FrBodyId){1}) < 1.0);
    check_same_motion(ctx, world, CUBES, 1e-3, 100);
    check_same_motion(ctx, world, CUBES_LUA, 1e-3, 100);
    // the box that is seen is the one that can be said; as a mesh it bounces off otherwise
    FrWorld *said = cubes_by_hand(ctx, fr_vec3(0.05, 0.05, 0.05));
    FrWorld *none = cubes_by_hand(ctx, fr_vec3_zero);
    CHECK(fr_world_hash(said) == fr_world_hash(world));
    CHECK(fr_world_hash(none) != fr_world_hash(world));
    fr_world_destroy(none);
    fr_world_destroy(said);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// a material changes on a body whose damping was lowered, and a limit is a number
TEST(lowered_damping_is_no_other_material) {
    FrContext *ctx = make_refusing_context(NULL);
    FrMaterial rubber = library_material("rubber");
    FrWorld *world = plain_world(ctx, 1e-3);
    FrTetMesh mesh;
    FrBodyId id;
    FrBodyDef def = box_of(ctx, "soft", fr_vec3(0.1, 0.1, 0.1), 0.05, &rubber, &mesh);
    def.damping_limit = -1.0;
    CHECK(fr_body_create(world, &def, &id) == FR_BAD_USE);
    CHECK_TEXT(fr_context_message(ctx), "soft: damping_limit is -1; at least 0, or INFINITY");
    def.damping_limit = HUGE_VAL;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    CHECK(fr_world_damping_kept(world, id) == 1.0);
    def.damping_limit = 1.0;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    CHECK(fr_world_damping_kept(world, id) < 1.0);
    rubber.friction_dynamic = 0.1;
    CHECK_OK(ctx, fr_body_set_material(world, id, 0, &rubber));
    rubber.alpha1 *= 0.5;
    CHECK_OK(ctx, fr_body_set_material(world, id, 0, &rubber));
    rubber.density *= 0.5;
    CHECK(fr_body_set_material(world, id, 0, &rubber) == FR_BAD_USE);
    fr_tetmesh_free(ctx, &mesh);
    fr_world_destroy(world);
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
    // and of what is not about breaking
    FrBodyDef body = fr_body_def_default();
    FrWorldDef world = fr_world_def_default();
    const FrSceneStep *step = &scene->scene.step;
    CHECK(scene->bodies[0].self_contact == body.self_contact);
    CHECK(step->damping_limit == body.damping_limit);
    CHECK(step->safety == world.step_safety && step->tolerance == world.energy_tolerance);
    CHECK(step->rigid_steps == world.frame_substeps && step->sleep == world.sleep_time);
    CHECK(fr_distance(scene->scene.gravity, world.gravity) == 0.0);
    const FrSceneContact *contact = &scene->scene.contact;
    CHECK(contact->stiffness == world.contact_stiffness);
    CHECK(contact->damping == world.contact_damping);
    CHECK(contact->stick_speed == world.stick_speed && contact->rolling == world.rolling);
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
TEST(a_program_learns_which_setting_is_wrong) {
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
