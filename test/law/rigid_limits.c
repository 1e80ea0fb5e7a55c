// rigid_limits.c: how slow is too slow for rigid bodies to hit, to be told as rolling and to go on,
// how long a sample is and how near is near: just below and just above.

#include "rigid_kit.h"

static const FrVec3 earth = {0, 0, -9.81};

/// Either side of a limit, by a third of it; half and twice of it lie beyond.
static const double below = 0.75, above = 1.5;

static FrWorld *slow_world(FrContext *ctx, double step, int32_t substeps, FrVec3 gravity) {
    FrWorldDef def = fr_world_def_default();
    def.gravity = gravity;
    def.step = step;
    def.frame_substeps = substeps;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

// without weight what comes at 15 um/s bounces, and is told; what comes at 7.5 um/s stops at what
// it meets
TEST(what_creeps_up_does_not_hit) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.0);
    for (int k = 0; k < 2; k++) {
        double v = (k ? above : below) * 1e-5;
        FrWorld *world = awake_world(ctx, fr_vec3_zero);
        FrBodyDef def = ball_def(&material, 0.05, fr_vec3_zero, fr_vec3_zero);
        def.kinematic = true;
        put(ctx, world, &def);
        def = ball_def(&material, 0.05, fr_vec3(0.1 + 0.2 * v, 0, 0), fr_vec3(-v, 0, 0));
        put(ctx, world, &def);
        test_run(ctx, world, 0.5);
        CHECK_INT(impacts(world, NULL), k);
        // solver: the velocity that is left of what is stopped
        CHECK_NEAR(frame_at(world, 1).velocity.x, k ? 0.5 * v : 0.0, 1e-9);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

// contacts told of what rolls at `v` for 0.1 s, and the longest of their spans
static int rolls(FrContext *ctx, double v, double step, double *span) {
    FrMaterial material = rigid_material(0.0, 0.4);
    FrWorld *world = slow_world(ctx, step, 8, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def = ball_def(&material, 0.1, fr_vec3(0, 0, 0.1), fr_vec3(v, 0, 0));
    def.spin = fr_vec3(0, 10 * v, 0);
    put(ctx, world, &def);
    test_run(ctx, world, 0.1);
    int64_t count;
    int told = 0;
    const FrEvent *event = world_events(world, &count);
    for (int64_t k = 0; k < count; k++) {
        if (event[k].kind != FR_EVENT_CONTACT) continue;
        told++;
        *span = fr_max(*span, event[k].u.contact.span);
    }
    fr_world_destroy(world);
    return told;
}

// rolling below 1 mm/s makes no sound, and is not told
TEST(what_creeps_is_not_told) {
    FrContext *ctx = test_context(1);
    double span = 0.0;
    CHECK_INT(rolls(ctx, below * 1e-3, 1.0 / 240.0, &span), 0);
    CHECK(rolls(ctx, above * 1e-3, 1.0 / 240.0, &span) >= 20);
    fr_context_destroy(ctx);
}

// 200 samples a second at least, however long a macro step is: substeps of 1.25 ms make samples of
// four
TEST(samples_are_short_in_long_steps) {
    FrContext *ctx = test_context(1);
    double span = 0.0;
    // the first does not know yet where it came from
    CHECK_INT(rolls(ctx, 1.0, 1e-2, &span), 19);
    CHECK_NEAR(span, 5e-3, 1e-12); // rounding: a sum of four
    fr_context_destroy(ctx);
}

// A vane turns on a hinge over a block that lies on rough ground. Where it moves by less than 2
// mm/s it is taken for rest after half a second, with the block; faster it turns on.
TEST(what_is_slow_rests) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    FrVec3 half = fr_vec3(0.05, 0.05, 0.05);
    for (int k = 0; k < 2; k++) {
        FrWorld *world = test_world(ctx, earth);
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        FrBodyDef block = box_def(&material, &mesh, half, fr_vec3(0, 0, 0.05), fr_vec3_zero);
        block.mass = 100.0;
        FrBodyDef vane = box_def(&material, &mesh, half, fr_vec3(0, 0, 0.2), fr_vec3_zero);
        double spin = (k ? above : below) * 2e-3 / fr_length(half);
        vane.spin = fr_vec3(0, 0, spin);
        FrJointDef hinge = fr_joint_def_default();
        hinge.kind = FR_JOINT_HINGE;
        hinge.b = put(ctx, world, &block);
        hinge.a = put(ctx, world, &vane);
        hinge.axis = (FrVec3){0, 0, 1};
        hinge.at_a = hinge.at_b = fr_vec3(0, 0, 0.2);
        CHECK_OK(ctx, fr_joint_create(world, &hinge, NULL));
        test_run(ctx, world, 1.0);
        bool asleep;
        CHECK_OK(ctx, fr_body_asleep(world, hinge.a, &asleep));
        CHECK(asleep == !k);
        // solver: what joints leave of it
        if (k) CHECK_CLOSE(frame_at(world, 1).spin.z, spin, 1e-6);
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// on a floor without friction only 1 um/s and less is rest
TEST(what_slides_slowly_without_friction_goes_on) {
    FrContext *ctx = test_context(1);
    FrMaterial smooth = rigid_material(0.0, 0.0);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    for (int k = 0; k < 2; k++) {
        FrWorld *world = test_world(ctx, earth);
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &smooth));
        FrVec3 v = fr_vec3((k ? above : below) * 1e-6, 0, 0);
        FrBodyDef def = box_def(&smooth, &mesh, fr_vec3(0.05, 0.05, 0.05), fr_vec3(0, 0, 0.05), v);
        FrBodyId id = put(ctx, world, &def);
        test_run(ctx, world, 1.0);
        bool asleep;
        CHECK_OK(ctx, fr_body_asleep(world, id, &asleep));
        CHECK(asleep == !k);
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a cube that is taken away wakes what is as near as a twentieth of its diagonal: it may have lain
// on it
TEST(what_is_near_wakes) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    FrVec3 half = fr_vec3(0.05, 0.05, 0.05);
    for (int k = 0; k < 2; k++) {
        FrWorld *world = test_world(ctx, earth);
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        double gap = (k ? above : below) * 0.05 * 0.1 * sqrt(3.0);
        FrBodyDef goes = box_def(&material, &mesh, half, fr_vec3(0, 0, 0.05), fr_vec3_zero),
                  stays =
                      box_def(&material, &mesh, half, fr_vec3(0.1 + gap, 0, 0.05), fr_vec3_zero);
        FrBodyId gone = put(ctx, world, &goes), left = put(ctx, world, &stays);
        test_run(ctx, world, 0.7);
        bool asleep;
        CHECK_OK(ctx, fr_body_asleep(world, left, &asleep));
        CHECK(asleep);
        CHECK_OK(ctx, fr_body_destroy(world, gone));
        CHECK_OK(ctx, fr_body_asleep(world, left, &asleep));
        CHECK(asleep == (k == 1));
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}
