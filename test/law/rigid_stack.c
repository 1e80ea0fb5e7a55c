// rigid_stack.c: what rests stays put, sleeps and wakes, with the same bits for any worker count
// and after a checkpoint.

#include "mesh/structured.h"
#include "rigid_kit.h"

static const FrVec3 earth = {0, 0, -9.81};

static void pile(FrContext *ctx, FrWorld *world, const FrMaterial *material, const FrTetMesh *mesh,
                 FrVec3 at, int count) {
    for (int k = 0; k < count; k++) {
        FrBodyDef def = box_def(material, mesh, fr_vec3(0.05, 0.05, 0.05),
                                fr_add(at, fr_vec3(0, 0, 0.05 + 0.1 * k)), fr_vec3_zero);
        put(ctx, world, &def);
    }
}

// ten boxes stand for 10 s, awake: less than 1 mm of drift, no impact reported (M22: 1 mm in 5 s)
TEST(ten_boxes_stand) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.3, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    FrWorld *world = awake_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    pile(ctx, world, &material, &mesh, fr_vec3_zero, 10);
    test_run(ctx, world, 10.0);
    for (int k = 0; k < 10; k++) {
        FrBodyFrame frame = frame_at(world, k);
        // promise: less than 1 mm, and 1 mm/s
        CHECK_NEAR(fr_distance(frame.position, fr_vec3(0, 0, 0.05 + 0.1 * k)), 0.0, 1e-3);
        CHECK(fr_length(frame.velocity) < 1e-3);
    }
    CHECK_INT(impacts(world, NULL), 0);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// tall stacks rest as well: less than 1 mm of drift awake, no impact reported, and they fall asleep
TEST(tall_stacks_rest) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.3, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.06);
    for (int k = 0; k < 3; k++) {
        int count = k ? 20 : 16;
        FrWorld *world = k < 2 ? awake_world(ctx, earth) : test_world(ctx, earth);
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        for (int i = 0; i < count; i++) {
            FrBodyDef def = box_def(&material, &mesh, fr_vec3(0.05, 0.05, 0.03),
                                    fr_vec3(0, 0, 0.03 + 0.06 * i), fr_vec3_zero);
            put(ctx, world, &def);
        }
        test_run(ctx, world, k < 2 ? 10.0 : 6.0);
        for (int i = 0; i < count; i++) {
            FrBodyFrame frame = frame_at(world, i);
            // promise: less than 1 mm, and 5 mm/s awake
            CHECK_NEAR(fr_distance(frame.position, fr_vec3(0, 0, 0.03 + 0.06 * i)), 0.0, 1e-3);
            CHECK(fr_length(frame.velocity) <= (k < 2 ? 5e-3 : 0.0));
        }
        CHECK_INT(impacts(world, NULL), 0);
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a box ten times as heavy on top of five: the stack still stands
TEST(a_stack_carries_a_load) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.3, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    FrWorld *world = awake_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    pile(ctx, world, &material, &mesh, fr_vec3_zero, 5);
    FrBodyDef load =
        box_def(&material, &mesh, fr_vec3(0.05, 0.05, 0.05), fr_vec3(0, 0, 0.55), fr_vec3_zero);
    load.mass = 10.0;
    put(ctx, world, &load);
    test_run(ctx, world, 3.0);
    // promise: less than 1 mm
    CHECK_NEAR(fr_distance(frame_at(world, 5).position, fr_vec3(0, 0, 0.55)), 0.0, 1e-3);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// what lies still holds hardly any energy: rounding over rounding is no gap of the ledger
TEST(the_ledger_of_what_lies_still_closes) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.3, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    FrWorld *world = awake_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    pile(ctx, world, &material, &mesh, fr_vec3_zero, 1);
    FrLedger ledger = {0};
    for (int k = 0; k < 240; k++) {
        FrEnergy e;
        fr_world_energy(world, &e);
        fr_ledger_note(&ledger, &e);
        CHECK_OK(ctx, world_step(world));
    }
    CHECK(fr_ledger_closure(&ledger) < TOL_LEDGER);
    ledger.gap = 1e-3 * ledger.moved; // one that is no rounding is seen
    CHECK(fr_ledger_closure(&ledger) > 1e-3);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// bodies at rest go to sleep, keep still exactly, and wake when something comes
TEST(sleep_and_wake) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.3, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    FrWorld *world = test_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    pile(ctx, world, &material, &mesh, fr_vec3_zero, 3);
    FrBodyDef ball = ball_def(&material, 0.05, fr_vec3(0, 0, 12.0), fr_vec3_zero);
    put(ctx, world, &ball);
    test_run(ctx, world, 1.4);
    FrWorldStats before = fr_world_stats(world);
    FrVec3 x = frame_at(world, 2).position;
    test_run(ctx, world, 1.45);
    CHECK(fr_length(frame_at(world, 2).velocity) == 0.0);
    CHECK(fr_distance(frame_at(world, 2).position, x) == 0.0);
    // only the ball was stepped: 12 macro steps of 4
    CHECK_INT(fr_world_stats(world).steps - before.steps, 48);
    test_run(ctx, world, 1.6); // it arrives at 1.54 s
    CHECK(impacts(world, NULL) > 0);
    CHECK(fr_length(frame_at(world, 2).velocity) > 0.0);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// Sleep stops nothing that coasts: a slow ball in free space, two that touch, a box on a floor
// without friction, a door on its hinge, a ball that rolls. After 3 s (sleep comes after 0.5 s of
// slowness) they are where their speed takes them; only the box on a rough floor rests.
TEST(what_coasts_does_not_sleep) {
    FrContext *ctx = test_context(1);
    FrMaterial smooth = rigid_material(0.0, 0.0), rough = rigid_material(0.0, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    FrVec3 half = fr_vec3(0.05, 0.05, 0.05), v = fr_vec3(1.5e-3, 0, 0);
    FrWorld *space = test_world(ctx, fr_vec3_zero);
    for (int k = 0; k < 3; k++) {
        FrBodyDef ball = ball_def(&rough, 0.05, fr_vec3(0, k ? 0.9 + 0.1 * k : 0.0, 0), v);
        put(ctx, space, &ball);
    }
    test_run(ctx, space, 3.0);
    for (int k = 0; k < 3; k++) {
        // rounding: 720 steps
        CHECK_CLOSE(frame_at(space, k).velocity.x, 1.5e-3, 1e-12);
        CHECK_CLOSE(frame_at(space, k).position.x, 4.5e-3, 1e-12);
    }
    fr_world_destroy(space);
    FrWorld *world = test_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &rough));
    FrBodyDef slides = box_def(&smooth, &mesh, half, fr_vec3(0, 0, 0.05), v);
    FrBodyDef stays = box_def(&rough, &mesh, half, fr_vec3(0, 1, 0.05), v);
    FrBodyDef door = box_def(&smooth, &mesh, half, fr_vec3(0.05, 2, 1), fr_vec3(0, 5e-5, 0));
    door.spin = fr_vec3(0, 0, 1e-3);
    FrBodyDef rolls = ball_def(&rough, 0.05, fr_vec3(0, -1, 0.05), v);
    rolls.spin = fr_vec3(0, 1.5e-3 / 0.05, 0);
    put(ctx, world, &slides);
    put(ctx, world, &stays);
    FrJointDef hinge = fr_joint_def_default();
    hinge.kind = FR_JOINT_HINGE;
    hinge.a = put(ctx, world, &door);
    hinge.axis = (FrVec3){0, 0, 1};
    hinge.at_a = fr_vec3(0, 2, 1);
    CHECK_OK(ctx, fr_joint_create(world, &hinge, NULL));
    put(ctx, world, &rolls);
    test_run(ctx, world, 3.0);
    // solver: what friction and joints leave
    CHECK_CLOSE(frame_at(world, 0).position.x, 4.5e-3, 1e-9);
    CHECK_CLOSE(frame_at(world, 3).position.x, 4.5e-3, 1e-9);
    CHECK(fr_length(frame_at(world, 1).velocity) == 0.0);
    CHECK_CLOSE(frame_at(world, 2).position.y - 2.0, 0.05 * sin(3e-3), 1e-5);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// piles beside each other, knocked over by a heavy ball
static FrWorld *bowling(FrContext *ctx, const FrTetMesh *mesh) {
    FrMaterial material = rigid_material(0.4, 0.4);
    FrWorld *world = test_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    for (int k = 0; k < 4; k++)
        pile(ctx, world, &material, mesh, fr_vec3(0.13 * k, 0.02 * k, 0), 4);
    FrBodyDef ball = ball_def(&material, 0.1, fr_vec3(-0.5, 0, 0.2), fr_vec3(5, 0, 0));
    ball.mass = 8.0;
    put(ctx, world, &ball);
    FrBodyDef far = ball_def(&material, 0.1, fr_vec3(0, 3, 0.2), fr_vec3(0, 0, 1));
    put(ctx, world, &far);
    return world;
}

static uint64_t events_hash(FrWorld *world) {
    int64_t count;
    const FrEvent *event = world_events(world, &count);
    uint64_t hash = 1469598103934665603u;
    for (int64_t k = 0; k < count; k++) {
        double word[4] = {event[k].t, (double)event[k].kind, (double)event[k].a.index1,
                          event[k].b.index1 + 0.5};
        for (size_t i = 0; i < sizeof word; i++)
            hash = (hash ^ ((const uint8_t *)word)[i]) * 1099511628211u;
    }
    return hash;
}

TEST(same_bits_for_any_worker_count) {
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    uint64_t wanted = 0, wanted_events = 0;
    int32_t workers[4] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) {
        FrContext *ctx = test_context(workers[k]);
        FrWorld *world = bowling(ctx, &mesh);
        test_run(ctx, world, 0.5);
        CHECK(impacts(world, NULL) > 20);
        if (!k) wanted = checkpoint_hash(world), wanted_events = events_hash(world);
        CHECK(checkpoint_hash(world) == wanted);
        CHECK(events_hash(world) == wanted_events);
        fr_world_destroy(world);
        fr_context_destroy(ctx);
    }
    test_mesh_free(&mesh);
}

TEST(a_checkpoint_goes_on_to_the_same_bits) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    for (int k = 1; k < 4; k++) {
        FrWorld *whole = bowling(ctx, &mesh), *part = bowling(ctx, &mesh);
        uint8_t *bytes;
        size_t size;
        test_run(ctx, whole, 0.1 * k);
        CHECK_OK(ctx, fr_world_save(whole, &bytes, &size));
        CHECK_OK(ctx, fr_world_load(part, bytes, size));
        CHECK(checkpoint_hash(part) == checkpoint_hash(whole));
        test_run(ctx, whole, 0.1 * k + 0.2);
        test_run(ctx, part, 0.1 * k + 0.2);
        CHECK(checkpoint_hash(part) == checkpoint_hash(whole));
        for (size_t cut = 0; cut < size; cut += 97) CHECK(load_sealed(part, bytes, cut) != FR_OK);
        fr_world_free_bytes(ctx, bytes);
        fr_world_destroy(whole);
        fr_world_destroy(part);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// two boxes given as plain tet meshes: overlaps of the shared detection, clustered
TEST(meshes_rest_on_meshes) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.5);
    FrTetMesh mesh = test_box(3, 3, 1, 0.04);
    FrWorld *world = awake_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    for (int k = 0; k < 3; k++) {
        FrBodyDef def = ball_def(&material, 0.0, fr_vec3(0.005 * k, 0, 0.0401 * k), fr_vec3_zero);
        def.mesh = &mesh;
        put(ctx, world, &def);
    }
    test_run(ctx, world, 2.0);
    for (int k = 0; k < 3; k++) {
        FrVec3 off = fr_sub(frame_at(world, k).position, fr_vec3(0.005 * k, 0, 0.04 * k));
        CHECK(fr_length(off) < 2e-5); // model: slop of the correction of places
    }
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// A bowl thrown down rolls on its rim of many corners and then lies still: no contact tells of
// sliding or rolling any more, and it would sleep.
TEST(a_bowl_comes_to_rest) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.45, 0.4);
    static const double rz[5][2] = {{0, 0}, {.035, 0}, {.062, .014}, {.078, .04}, {.084, .062}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_lathe_layers(ctx, (FrProfile){rz, 5, 0.004}, 0.008, 0, &mesh));
    FrWorld *world = awake_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def = ball_def(&material, 0.0, fr_vec3(0, 0, 0.4), fr_vec3_zero);
    def.mesh = &mesh;
    def.rotation = fr_quat_from_rotation(fr_vec3(0.49, 0, 0));
    def.spin = fr_vec3(0, 0.14, 0.21);
    put(ctx, world, &def);
    test_run(ctx, world, 3.5);
    int64_t before, after;
    const FrEvent *event = world_events(world, &before);
    CHECK(before > 0 && event[before - 1].t < 3.4);
    test_run(ctx, world, 4.5);
    world_events(world, &after);
    CHECK_INT(after, before);
    // promise: it would sleep; rounding is found
    CHECK(fr_length(frame_at(world, 0).velocity) < 1e-12);
    fr_world_destroy(world);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// A soft block carries a rigid plate by penalty, the plate a rigid box by rows: they share
// substeps, and the weight arrives at the ground.
static FrWorld *sandwich(FrContext *ctx, const FrTetMesh *block, const FrTetMesh *plate,
                         const FrTetMesh *brick) {
    FrMaterial soft = elastic_material(3e5, 0.3), material = rigid_material(0.0, 0.5);
    soft.alpha1 = 2e-3;
    soft.restitution = 0.0;
    fr_material_set_young(&soft, 3e5, 0.3);
    FrWorld *world = test_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &soft));
    world_body(ctx, world, block, &soft, fr_vec3(-0.1, -0.1, 0), fr_vec3_zero);
    FrBodyDef low =
        box_def(&material, plate, fr_vec3(0.08, 0.08, 0.01), fr_vec3(0, 0, 0.11), fr_vec3_zero);
    put(ctx, world, &low);
    FrBodyDef top =
        box_def(&material, brick, fr_vec3(0.05, 0.05, 0.05), fr_vec3(0, 0, 0.17), fr_vec3_zero);
    put(ctx, world, &top);
    return world;
}

TEST(rigid_on_soft) {
    FrContext *ctx = test_context(2);
    FrTetMesh block = test_box(4, 4, 2, 0.05), plate = brick_mesh(0.16, 0.16, 0.02),
              brick = brick_mesh(0.1, 0.1, 0.1);
    FrWorld *world = sandwich(ctx, &block, &plate, &brick);
    test_run(ctx, world, 0.3);
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
    FrWorld *other = sandwich(ctx, &block, &plate, &brick);
    CHECK_OK(ctx, fr_world_load(other, bytes, size));
    test_run(ctx, world, 0.5);
    test_run(ctx, other, 0.5);
    CHECK(checkpoint_hash(world) == checkpoint_hash(other));
    FrBodyFrame low = frame_at(world, 1), top = frame_at(world, 2);
    // the box stands on the plate, both sank into the block by less than its weight squeezes it:
    // (1 + 0.5) kg over 0.0256 m^2 is 0.2 % of Young's modulus, of 0.1 m; and the penalty's depth
    // model: slop of the correction of places
    CHECK_NEAR(top.position.z - low.position.z, 0.06, 2e-5);
    CHECK(low.position.z < 0.11 && low.position.z > 0.107);
    CHECK(fr_length(top.velocity) < 0.02);
    fr_world_free_bytes(ctx, bytes);
    fr_world_destroy(world);
    fr_world_destroy(other);
    test_mesh_free(&block);
    test_mesh_free(&plate);
    test_mesh_free(&brick);
    fr_context_destroy(ctx);
}
