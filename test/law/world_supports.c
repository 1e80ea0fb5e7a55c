// world_supports.c: supports that come and go under pieces that had settled, grabs that keep them
// from it, and dust, which nothing supports.

#include "cut/piece_state.h"
#include "fracas/body.h"
#include "pane_kit.h"
#include "world/model_fem.h"

static int32_t tets_of(const FrWorld *world) {
    FrShapeView view;
    world->body.data[0].ops->view(world->body.data[0].state, &view);
    return view.tet_count;
}

static FrPieceState state_of(const FrWorld *world, int32_t tet) {
    return fr_fem_piece_state(fr_fem_of(world->body.data[0].state), tet);
}

/// Tets of the first body whose pieces do this.
static int32_t how_many(const FrWorld *world, FrPieceState state) {
    int32_t sum = 0, tets = tets_of(world);
    for (int32_t e = 0; e < tets; e++) sum += state_of(world, e) == state;
    return sum;
}

/// A corner of the first tet whose piece does this; -1: none.
static int32_t a_node(const FrWorld *world, FrPieceState state) {
    FrShapeView view;
    world->body.data[0].ops->view(world->body.data[0].state, &view);
    for (int32_t e = 0; e < view.tet_count; e++)
        if (state_of(world, e) == state) return view.tet[e][0];
    return -1;
}

static FrVec3 place_of(const FrWorld *world, int32_t node) {
    FrShapeView view;
    world->body.data[0].ops->view(world->body.data[0].state, &view);
    return fr_get3(view.p, node);
}

/// How far the ledger may be off after what was done between two steps.
static void check_sums(FrWorld *world, const FrLedger *ledger) {
    CHECK(fr_ledger_closure(ledger) < TOL_LEDGER);
    CHECK(fr_world_stats(world).momentum_drift < TOL_MOMENTUM);
}

static void run_noted(FrContext *ctx, FrWorld *world, FrLedger *ledger, double seconds) {
    double until = fr_world_time(world) + seconds - 1e-9;
    while (fr_world_time(world) < until) {
        CHECK_OK(ctx, world_step(world));
        world_note(ledger, world);
    }
}

// a pane that is held at its rim, shot through, and settled: most of it stands
static FrWorld *settled_pane(FrContext *ctx, double gravity, FrLedger *ledger) {
    Shot shot = {.strength = 2e6, .speed = 6.0, .workers = 1, .settle = 4e-4, .hold = HUGE_VAL};
    FrWorld *world = shot_make(&shot, ctx);
    CHECK_OK(ctx, fr_world_set_gravity(world, fr_vec3(0, 0, -gravity)));
    world_note(ledger, world);
    run_noted(ctx, world, ledger, 6e-3);
    CHECK(how_many(world, FR_PIECE_SUPPORTED) > tets_of(world) / 2);
    return world;
}

TEST(what_stood_on_supports_falls_without_them) {
    FrContext *ctx = test_context(1);
    FrLedger ledger = {0};
    FrWorld *world = settled_pane(ctx, 9.81, &ledger);
    int32_t node = a_node(world, FR_PIECE_SUPPORTED);
    FrVec3 from = place_of(world, node);
    CHECK_OK(ctx, fr_drive_destroy(world, (FrDriveId){1}));
    CHECK_INT(how_many(world, FR_PIECE_SUPPORTED), 0);
    run_noted(ctx, world, &ledger, 0.05);
    // model: freely, but for what swings in it and what its pieces push each other
    CHECK_NEAR(from.z - place_of(world, node).z, 0.5 * 9.81 * 0.05 * 0.05, 5e-3);
    check_sums(world, &ledger);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// gravity that turns round bends what stands
TEST(another_gravity_is_felt_by_what_settled) {
    FrContext *ctx = test_context(1);
    FrLedger ledger = {0};
    FrWorld *world = settled_pane(ctx, 0.0, &ledger);
    CHECK_OK(ctx, fr_world_set_gravity(world, fr_vec3_zero)); // as it was
    CHECK(how_many(world, FR_PIECE_SUPPORTED) > tets_of(world) / 2);
    CHECK_OK(ctx, fr_world_set_gravity(world, fr_vec3(0, 200.0, 0)));
    CHECK_INT(how_many(world, FR_PIECE_SUPPORTED), 0);
    run_noted(ctx, world, &ledger, 2e-3);
    check_sums(world, &ledger);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// a bar cut into two, each of which is small enough to be rigid, falls to the ground
static FrWorld *two_rigid_halves(FrContext *ctx, FrBodyId *id) {
    FrTetMesh mesh = test_box(4, 2, 2, 0.05);
    FrMaterial material = elastic_material(1e7, 0.3);
    FrPreCut cut = {{0.1, 0.05, 0.05}, {1, 0, 0}, 1.0};
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    material.strength = 1e9;
    material.restitution = 0.0;
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def = fr_body_def_default();
    def.mesh = &mesh;
    def.material = &material;
    def.material_count = 1;
    def.position = fr_vec3(0, 0, 0.0005);
    def.crack.cut = &cut;
    def.crack.cut_count = 1;
    def.crack.pieces.rigid_piece = 1e5;
    def.crack.min_piece = 1;
    CHECK_OK(ctx, fr_body_create(world, &def, id));
    test_mesh_free(&mesh);
    return world;
}

// one node of a rigid piece, or of one that sleeps, is drawn up at 0.4 m/s: the piece deforms and
// goes along
TEST(a_drive_takes_hold_of_what_was_rigid) {
    FrContext *ctx = test_context(1);
    static const FrPieceState state[] = {FR_PIECE_RIGID, FR_PIECE_ASLEEP};
    for (int k = 0; k < 2; k++) {
        FrBodyId id;
        FrLedger ledger = {0};
        FrWorld *world = two_rigid_halves(ctx, &id);
        world_note(&ledger, world);
        run_noted(ctx, world, &ledger, state[k] == FR_PIECE_ASLEEP ? 4.0 : 0.1);
        int32_t node = a_node(world, state[k]);
        CHECK(node >= 0);
        double now = fr_world_time(world), from = place_of(world, node).z;
        FrKey key[2] = {{now, {0, 0, 0}, {1, 0, 0, 0}}, {now + 1, {0, 0, 0.4}, {1, 0, 0, 0}}};
        FrDriveDef def = fr_drive_def_default();
        def.body = id;
        def.node = &node;
        def.node_count = 1;
        def.until = HUGE_VAL;
        FrDriveId drive;
        def.track = (FrTrack){key, 2, {0, 0, 0}};
        CHECK_OK(ctx, fr_drive_create(world, &def, &drive));
        CHECK(how_many(world, FR_PIECE_DEFORMS) > 0);
        run_noted(ctx, world, &ledger, 0.25);
        CHECK_NEAR(place_of(world, node).z - from, 0.1, 1e-9); // rounding: of the track's times
        FrBodyMotion motion;
        CHECK_OK(ctx, fr_body_motion(world, id, &motion));
        CHECK(motion.centre.z > 0.06); // one half hangs on the node
        CHECK_OK(ctx, fr_drive_destroy(world, drive));
        run_noted(ctx, world, &ledger, 0.1);
        check_sums(world, &ledger);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

// whether a bar that comes in two halves is there from the start or later: nodes are those of its
// mesh, and supports at the cut, or a force on all of one half, reach both copies of each
TEST(supports_of_a_new_body_follow_its_first_cuts) {
    FrContext *ctx = test_context(1);
    double drop[2];
    for (int late = 0; late < 2; late++) {
        FrTetMesh mesh = test_box(4, 2, 2, 0.05);
        FrMaterial material = elastic_material(1e6, 0.3);
        FrPreCut cut = {{0.1, 0.05, 0.05}, {1, 0, 0}, 1.0};
        FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        material.strength = 1e9;
        def.mesh = &mesh;
        def.material = &material;
        def.material_count = 1;
        def.crack.cut = &cut;
        def.crack.cut_count = 1;
        for (int k = 0; k < 3 * late; k++) CHECK_OK(ctx, world_step(world));
        CHECK_OK(ctx, fr_body_create(world, &def, &id));
        world_drive_end(ctx, world, id, &mesh, 0.1, (FrTrack){0}, HUGE_VAL);
        CHECK_INT(world->drive.data[0].node_count, 18); // 9 at the cut, and copies
        int32_t *half = malloc(sizeof *half * (size_t)mesh.node_count), count = 0;
        for (int32_t n = 0; n < mesh.node_count; n++)
            if (mesh.x[3 * n] > 0.099) half[count++] = n;
        FrLoadDef load = fr_load_def_default();
        load.kind = FR_LOAD_FORCE;
        load.body = id;
        load.node = half;
        load.node_count = count;
        load.vector = fr_vec3(0, 0, 1);
        CHECK_OK(ctx, fr_load_create(world, &load, NULL));
        CHECK_INT(world->load.data[0].def.node_count, count + 9);
        free(half);
        for (int k = 0; k < 48; k++) CHECK_OK(ctx, world_step(world));
        FrBodyMotion motion;
        CHECK_OK(ctx, fr_body_motion(world, id, &motion));
        drop[late] = 0.05 - motion.centre.z;
        CHECK(drop[late] < 0.01); // free it would be 0.2 m
        int32_t node = tets_of(world) * 4;
        FrDriveDef none = fr_drive_def_default();
        none.body = id;
        none.node = &node;
        none.node_count = 1;
        none.until = HUGE_VAL;
        CHECK_INT(fr_drive_create(world, &none, NULL), FR_BAD_USE);
        CHECK_HAS(fr_context_message(ctx), "does not exist");
        fr_world_destroy(world);
        test_mesh_free(&mesh);
    }
    CHECK_NEAR(drop[0], drop[1], 1e-12); // rounding: places of tracks by time
    fr_context_destroy(ctx);
}

// a pane in free space that shed dust is still moved as a whole; the dust is no part of it
TEST(dust_supports_nothing) {
    FrContext *ctx = test_context(1);
    Shot shot = {
        .strength = 2e6, .speed = 6.0, .workers = 1, .settle = 4e-4, .dust = 0.5, .share = 0.005};
    FrWorld *world = shot_make(&shot, ctx);
    FrBodyId id = {1};
    FrBodyMotion motion;
    CHECK_OK(ctx, fr_body_motion(world, id, &motion));
    double whole = motion.mass;
    CHECK_CLOSE(whole, 12.0, 1e-12); // rounding
    for (int k = 0; k < 100 && !fr_world_stats(world).dust_pieces; k++)
        CHECK_OK(ctx, world_step(world));
    CHECK(fr_world_stats(world).dust_pieces > 0);
    CHECK_OK(ctx, fr_body_motion(world, id, &motion));
    CHECK_CLOSE(motion.mass, whole - fr_world_stats(world).dust_mass, 1e-12); // rounding
    int32_t node = a_node(world, FR_PIECE_DUST);
    FrVec3 left = place_of(world, node);
    CHECK_OK(ctx, fr_body_set_velocity(world, id, fr_vec3(1, 2, 3), fr_vec3(0, 0, 1)));
    CHECK_OK(ctx, fr_body_motion(world, id, &motion));
    // reason: rounding
    CHECK_NEAR(fr_distance(motion.velocity, fr_vec3(1, 2, 3)), 0.0, 1e-12);
    CHECK_OK(ctx, fr_body_set_place(world, id, fr_vec3(5, 0, 0), fr_quat_identity));
    CHECK_OK(ctx, fr_body_motion(world, id, &motion));
    // reason: rounding
    CHECK_NEAR(fr_distance(motion.centre, fr_vec3(5, 0, 0)), 0.0, 1e-12);
    CHECK_NEAR(fr_distance(place_of(world, node), left), 0.0, TOL_EXACT);
    for (int k = 0; k < 20; k++) CHECK_OK(ctx, world_step(world));
    CHECK(fr_world_stats(world).momentum_drift < TOL_MOMENTUM);
    FrDriveDef def = fr_drive_def_default();
    def.body = id;
    def.node = &node;
    def.node_count = 1;
    def.until = HUGE_VAL;
    CHECK_INT(fr_drive_create(world, &def, NULL), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "left as dust");
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// a cracked pane in one piece settles, unless somebody pulls it; what settled deforms when pulled
TEST(what_is_grabbed_does_not_settle) {
    FrContext *ctx = test_context(1);
    for (int how = 0; how < 3; how++) { // left alone, grabbed, pushed in each step
        Shot shot = {.strength = 6e5, .speed = 2.0, .workers = 1, .settle = 4e-4, .whole = true};
        FrWorld *world = shot_make(&shot, ctx);
        FrGrabDef def = fr_grab_def_default();
        FrGrabId grab;
        def.body = (FrBodyId){1};
        def.at = def.target = fr_vec3(0.15, 0.015, 0.15);
        if (how == 1) CHECK_OK(ctx, fr_grab_create(world, &def, &grab));
        for (int k = 0; k < 100; k++) {
            FrVec3 push = fr_vec3(0, 0.1, 0);
            if (how == 2) CHECK_OK(ctx, fr_body_add_force(world, def.body, def.at, push));
            CHECK_OK(ctx, world_step(world));
        }
        CHECK(fr_world_stats(world).cracks > 0);
        CHECK_INT(how_many(world, FR_PIECE_RIGID), how ? 0 : tets_of(world));
        if (how == 0) {
            FrVec3 tap = fr_vec3(0, 1e-3, 0);
            CHECK_OK(ctx, fr_body_add_impulse(world, def.body, def.at, tap));
            CHECK_INT(how_many(world, FR_PIECE_RIGID), 0);
            for (int k = 0; k < 20; k++) CHECK_OK(ctx, world_step(world));
            CHECK_INT(how_many(world, FR_PIECE_RIGID), tets_of(world)); // it settles again
            CHECK_OK(ctx, fr_grab_create(world, &def, &grab));
            for (int k = 0; k < 20; k++) CHECK_OK(ctx, world_step(world));
            CHECK_INT(how_many(world, FR_PIECE_RIGID), 0);
        }
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

// what a tet that holds the point does
static FrPieceState state_at(FrWorld *world, FrBodyId body, FrVec3 x) {
    FrAnchor anchor;
    CHECK_OK(world->ctx, fr_world_anchor(world, fr_world_find(world, body), x, &anchor));
    return state_of(world, anchor.at.tet);
}

// neither does a piece of several, in any step, while the others do
TEST(a_grabbed_piece_stays_deformable) {
    FrContext *ctx = test_context(1);
    for (int grabbed = 0; grabbed < 2; grabbed++) {
        Shot shot = {.strength = 2e6, .speed = 6.0, .workers = 1, .settle = 4e-4};
        FrWorld *world = shot_make(&shot, ctx);
        FrGrabDef def = fr_grab_def_default();
        FrGrabId grab;
        int32_t rigid = 0;
        def.body = (FrBodyId){1};
        def.at = def.target = fr_vec3(-0.19, 0.015, -0.19);
        if (grabbed) CHECK_OK(ctx, fr_grab_create(world, &def, &grab));
        for (int k = 0; k < 60; k++) {
            CHECK_OK(ctx, world_step(world));
            rigid += state_at(world, def.body, def.at) == FR_PIECE_RIGID;
        }
        CHECK(fr_world_stats(world).pieces > 0);
        CHECK(grabbed ? rigid == 0 : rigid > 20);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

static bool sleeps(FrContext *ctx, FrWorld *world, FrBodyId id) {
    bool asleep;
    CHECK_OK(ctx, fr_body_asleep(world, id, &asleep));
    return asleep;
}

// two rigid halves in the air are put to sleep: they hang there until one is woken, or struck
TEST(rigid_solids_sleep_when_asked) {
    FrContext *ctx = test_context(1);
    for (int struck = 0; struck < 2; struck++) {
        FrBodyId id, ball;
        FrLedger ledger = {0};
        FrWorld *world = two_rigid_halves(ctx, &id);
        CHECK_INT(fr_body_sleep(world, id), FR_BAD_USE); // it deforms until its first step
        CHECK_HAS(fr_context_message(ctx), "parts of it deform");
        CHECK_OK(ctx, world_step(world));
        CHECK_OK(ctx, fr_body_set_place(world, id, fr_vec3(0, 0, 2), fr_quat_identity));
        CHECK_OK(ctx, fr_body_set_velocity(world, id, fr_vec3(1, 0, 1), fr_vec3(0, 2, 0)));
        world_note(&ledger, world);
        CHECK_OK(ctx, fr_body_sleep(world, id));
        world_note(&ledger, world);
        CHECK(sleeps(ctx, world, id));
        CHECK_INT(how_many(world, FR_PIECE_ASLEEP), tets_of(world));
        run_noted(ctx, world, &ledger, 0.2);
        CHECK(sleeps(ctx, world, id));
        FrBodyMotion motion;
        CHECK_OK(ctx, fr_body_motion(world, id, &motion));
        CHECK_NEAR(motion.centre.z, 2.0, 1e-12); // rounding
        if (struck) {
            FrMaterial material = elastic_material(1e7, 0.3);
            FrBodyDef def = fr_body_def_default();
            def.radius = 0.03;
            def.material = &material;
            def.material_count = 1;
            def.position = fr_add(motion.centre, fr_vec3(0.05, 0, 0.2));
            def.velocity = fr_vec3(0, 0, -2);
            CHECK_OK(ctx, fr_body_create(world, &def, &ball));
        } else {
            CHECK_OK(ctx, fr_body_wake(world, id));
        }
        run_noted(ctx, world, &ledger, 0.2);
        CHECK(!sleeps(ctx, world, id));
        CHECK_OK(ctx, fr_body_motion(world, id, &motion));
        CHECK(motion.centre.z < 1.99);
        check_sums(world, &ledger);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

// a beam that is held at one end swings, and stops when it is put to rest
TEST(solids_on_fixed_supports_rest_when_asked) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(4, 1, 1, 0.05);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    FrBodyId id = world_body(ctx, world, &mesh, &material, fr_vec3_zero, fr_vec3_zero);
    FrLedger ledger = {0};
    world_note(&ledger, world);
    run_noted(ctx, world, &ledger, 0.02);
    CHECK_INT(fr_body_sleep(world, id), FR_BAD_USE); // it falls
    CHECK(!sleeps(ctx, world, id));
    world_drive_end(ctx, world, id, &mesh, 0.0, (FrTrack){0}, HUGE_VAL);
    run_noted(ctx, world, &ledger, 0.05);
    CHECK_OK(ctx, fr_body_sleep(world, id));
    CHECK(sleeps(ctx, world, id));
    CHECK_INT(how_many(world, FR_PIECE_RESTS), tets_of(world));
    run_noted(ctx, world, &ledger, 0.05);
    CHECK_NEAR(world_fastest(world), 0.0, TOL_EXACT);
    CHECK_OK(ctx, fr_body_wake(world, id));
    run_noted(ctx, world, &ledger, 0.05);
    CHECK(world_fastest(world) > 0.01);
    check_sums(world, &ledger);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

/// Mass damping of the half that a caller changes, 1/s.
#define LATE_DRAG 20.0

// a bar of two materials in free fall: mass damping of one half is changed, and again after that
// half was cut off; what is loaded in between goes on to the same bytes
TEST(damping_of_any_material_can_change) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(4, 2, 2, 0.05);
    FrMaterial material[2] = {elastic_material(1e6, 0.3), elastic_material(1e6, 0.3)};
    FrPreCut cut = {{0.1, 0.05, 0.05}, {1, 0, 0}, 1.0};
    FrWorld *world[2];
    FrBodyId id;
    int32_t *region = calloc((size_t)mesh.tet_count, sizeof *region);
    for (int32_t e = 0; e < mesh.tet_count; e++) {
        double x = 0.0;
        for (int i = 0; i < 4; i++) x += 0.25 * mesh.x[3 * mesh.tet[e][i]];
        region[e] = x > 0.1;
    }
    mesh.region = region;
    material[0].strength = material[1].strength = 1e9;
    for (int k = 0; k < 2; k++) {
        FrBodyDef def = fr_body_def_default();
        def.mesh = &mesh;
        def.material = material;
        def.material_count = 2;
        def.velocity = fr_vec3(-1, 0, 0); // what is braked trails
        def.crack.cut = &cut;
        def.crack.cut_count = 1;
        world[k] = test_world(ctx, fr_vec3_zero);
        CHECK_OK(ctx, fr_body_create(world[k], &def, &id));
    }
    CHECK_OK(ctx, world_step(world[0]));
    FrMaterial other = material[1];
    other.alpha2 = LATE_DRAG;
    CHECK_OK(ctx, fr_body_set_material(world[0], id, 1, &other));
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_world_save(world[0], &bytes, &size));
    CHECK_OK(ctx, fr_world_load(world[1], bytes, size));
    fr_world_free_bytes(ctx, bytes);
    FrLedger ledger = {0};
    world_note(&ledger, world[0]);
    FrVec3 p, turn;
    fr_world_momentum(world[0], &p, &turn);
    for (int k = 0; k < 24; k++)
        for (int i = 0; i < 2; i++) CHECK_OK(ctx, world_step(world[i]));
    world_note(&ledger, world[0]);
    CHECK(checkpoint_hash(world[0]) == checkpoint_hash(world[1]));
    check_sums(world[0], &ledger);
    FrVec3 late;
    fr_world_momentum(world[0], &late, &turn);
    // model: the halves part, but for what they touch at first; one keeps its speed, one is braked
    CHECK_CLOSE(late.x, p.x * 0.5 * (1.0 + exp(-LATE_DRAG * 0.1)), 0.01);
    other.density *= 2.0;
    CHECK_INT(fr_body_set_material(world[0], id, 1, &other), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "another density");
    CHECK_INT(fr_body_set_material(world[0], id, 2, &material[1]), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "it has 2 materials");
    for (int k = 0; k < 2; k++) fr_world_destroy(world[k]);
    mesh.region = NULL;
    free(region);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}
