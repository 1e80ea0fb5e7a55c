// rigid_joint.c: pendulums on balls, hinges and strings keep time, a gyroscope precesses, mistakes
// are reported.

#include "rigid_kit.h"

static const FrVec3 earth = {0, 0, -9.81};

// time from the first to the fifth passage through x = 0, halved: two periods
static double period(FrContext *ctx, FrWorld *world) {
    double first = 0.0, last = 0.0, x0 = frame_at(world, 0).position.x, t0 = 0.0;
    for (int passed = 0; passed < 5 && fr_world_time(world) < 20.0;) {
        CHECK_OK(ctx, fr_world_step(world));
        double x = frame_at(world, 0).position.x, t = fr_world_time(world);
        if (x0 * x < 0.0) {
            last = t0 + (t - t0) * x0 / (x0 - x);
            if (!passed++) first = last;
        }
        x0 = x, t0 = t;
    }
    return 0.5 * (last - first);
}

// a ball on a string of 1 m, 0.1 rad off: T = 2 pi sqrt(I / (m g l)) (1 + a^2 / 16)
TEST(a_string_keeps_time) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrWorld *world = awake_world(ctx, earth);
    double l = 1.0, r = 0.02, a = 0.1;
    FrBodyDef def = ball_def(&material, r, fr_vec3(l * sin(a), 0, -l * cos(a)), fr_vec3_zero);
    FrJointDef string = fr_joint_def_default();
    string.kind = FR_JOINT_STRING;
    string.a = put(ctx, world, &def);
    string.at_a = def.position; // at its centre: it does not turn
    CHECK_OK(ctx, fr_joint_create(world, &string, NULL));
    // model: the next term of the series is 11 a^4 / 3072 = 4e-7; joints let go by g h^2 in a step
    CHECK_CLOSE(period(ctx, world), 2 * FR_PI * sqrt(l / 9.81) * (1 + a * a / 16), 1e-6);
    CHECK_NEAR(fr_length(frame_at(world, 0).position), l, 1e-6);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// a bar hung at its end by a ball joint or a hinge: l = 2/3 of its length, nearly
TEST(a_bar_on_a_joint_keeps_time) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrTetMesh mesh = brick_mesh(0.04, 0.04, 0.6);
    for (int hinge = 0; hinge < 2; hinge++) {
        FrWorld *world = awake_world(ctx, earth);
        double a = 0.1, d = 0.3;
        FrBodyDef def = box_def(&material, &mesh, fr_vec3(0.02, 0.02, 0.3),
                                fr_vec3(d * sin(a), 0, -d * cos(a)), fr_vec3_zero);
        def.rotation = fr_quat_from_rotation(fr_vec3(0, -a, 0));
        FrJointDef joint = fr_joint_def_default();
        joint.kind = hinge ? FR_JOINT_HINGE : FR_JOINT_BALL;
        joint.a = put(ctx, world, &def);
        joint.axis = (FrVec3){0, 1, 0};
        CHECK_OK(ctx, fr_joint_create(world, &joint, NULL));
        double moment = (0.6 * 0.6 + 0.04 * 0.04) / 12 + d * d; // of 1 kg about the joint
        // model: the next term of the series is 4e-7; joints let go by g h^2 in a step
        CHECK_CLOSE(period(ctx, world), 2 * FR_PI * sqrt(moment / (9.81 * d)) * (1 + a * a / 16),
                    1e-5);
        FrBodyFrame frame = frame_at(world, 0);
        FrVec3 top = fr_add(frame.position, fr_quat_rotate(frame.rotation, fr_vec3(0, 0, d)));
        CHECK_NEAR(fr_length(top), 0.0, 1e-6);
        CHECK_NEAR(frame.position.y, 0.0, 1e-12); // rounding
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a hinge lets nothing turn but its axis: a blow from the side does not tilt it
TEST(a_hinge_holds_its_axis) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.02, 0.3);
    FrWorld *world = awake_world(ctx, earth);
    FrBodyDef def =
        box_def(&material, &mesh, fr_vec3(0.05, 0.01, 0.15), fr_vec3_zero, fr_vec3_zero);
    FrJointDef joint = fr_joint_def_default();
    joint.kind = FR_JOINT_HINGE;
    joint.a = put(ctx, world, &def);
    joint.axis = (FrVec3){0, 0, 1};
    joint.at_a = fr_vec3(0.05, 0, 0); // a door
    CHECK_OK(ctx, fr_joint_create(world, &joint, NULL));
    FrBodyDef ball = ball_def(&material, 0.03, fr_vec3(-0.03, -0.3, 0.05), fr_vec3(0, 3, 1));
    put(ctx, world, &ball);
    test_run(ctx, world, 0.5);
    FrBodyFrame door = frame_at(world, 0);
    FrVec3 axis = fr_quat_rotate(door.rotation, fr_vec3(0, 0, 1));
    CHECK(impacts(world, NULL) > 0);
    CHECK(fabs(door.rotation.z) > 0.1); // it was opened
    // step: joints are corrected once in each
    CHECK_NEAR(fr_distance(axis, fr_vec3(0, 0, 1)), 0.0, 1e-6);
    CHECK_NEAR(door.position.z, 0.0, 1e-6);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// A fast top held at a point below its centre precesses at m g l / (I3 w3), slowly and evenly when
// begun with that rate: (I1 - I3) cos(angle) W^2 + I3 w3 W - m g l = 0 for a level axis gives
// W = m g l / (I3 w3) exactly.
TEST(a_gyroscope_precesses) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrTetMesh mesh = brick_mesh(0.02, 0.1, 0.1); // a square wheel with its axle along x
    FrWorld *world = awake_world(ctx, earth);
    double l = 0.1, m = 0.2, I3 = m * 0.02 / 12, w3 = 300.0, W = m * 9.81 * l / (I3 * w3);
    FrBodyDef def = box_def(&material, &mesh, fr_vec3(0.01, 0.05, 0.05), fr_vec3(l, 0, 0),
                            fr_vec3(0, W * l, 0));
    def.spin = fr_vec3(w3, 0, W);
    FrJointDef joint = fr_joint_def_default();
    joint.kind = FR_JOINT_BALL;
    joint.a = put(ctx, world, &def);
    CHECK_OK(ctx, fr_joint_create(world, &joint, NULL));
    double turned = 0.0, before = 0.0, T = 2.0;
    while (fr_world_time(world) < T - 1e-9) {
        CHECK_OK(ctx, fr_world_step(world));
        FrVec3 x = frame_at(world, 0).position;
        double angle = atan2(x.y, x.x), step = angle - before;
        turned += step - 2 * FR_PI * floor(step / (2 * FR_PI) + 0.5);
        before = angle;
    }
    CHECK_CLOSE(turned, W * T, 0.01); // step: the axis wavers by (w h)^2
    // step: it neither falls nor rises, but wavers
    CHECK_NEAR(frame_at(world, 0).position.z, 0.0, 2e-3);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// two balls on one string over nothing: the string hangs between them, then pulls
TEST(a_slack_string_pulls_when_taut) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrWorld *world = awake_world(ctx, fr_vec3_zero);
    FrBodyDef a = ball_def(&material, 0.02, fr_vec3_zero, fr_vec3_zero);
    FrBodyDef b = ball_def(&material, 0.02, fr_vec3(0.1, 0, 0), fr_vec3(1, 0, 0));
    FrJointDef string = fr_joint_def_default();
    string.kind = FR_JOINT_STRING;
    string.length = 0.3;
    string.a = put(ctx, world, &a);
    string.b = put(ctx, world, &b);
    string.at_b = b.position;
    CHECK_OK(ctx, fr_joint_create(world, &string, NULL));
    test_run(ctx, world, 0.15);
    CHECK(frame_at(world, 0).velocity.x == 0.0); // taut at 0.2 s
    test_run(ctx, world, 1.0);
    CHECK_NEAR(frame_at(world, 0).velocity.x, 0.5, 1e-12); // rounding: no bounce, together
    CHECK_NEAR(frame_at(world, 1).velocity.x, 0.5, 1e-12); // rounding
    FrVec3 apart = fr_sub(frame_at(world, 1).position, frame_at(world, 0).position);
    CHECK_NEAR(fr_length(apart), 0.3, 1e-12); // rounding
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// a kinematic frame pulls what hangs on it, and sleeping bodies on its string wake
TEST(a_led_frame_leads_its_string) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrKey key[2] = {{2.0, {0, 0, 0}, {1, 0, 0, 0}}, {3.0, {0, 0, 0.5}, {1, 0, 0, 0}}};
    FrWorld *world = test_world(ctx, earth);
    FrBodyDef hook = ball_def(&material, 0.02, fr_vec3_zero, fr_vec3_zero);
    hook.kinematic = true;
    hook.track = (FrTrack){key, 2, {0, 0, 0}};
    FrBodyDef load = ball_def(&material, 0.02, fr_vec3(0, 0, -0.3), fr_vec3_zero);
    FrJointDef string = fr_joint_def_default();
    string.kind = FR_JOINT_STRING;
    string.a = put(ctx, world, &load);
    string.at_a = load.position;
    string.b = put(ctx, world, &hook);
    CHECK_OK(ctx, fr_joint_create(world, &string, NULL));
    test_run(ctx, world, 1.9);
    CHECK(fr_length(frame_at(world, 0).velocity) == 0.0); // asleep
    test_run(ctx, world, 3.0);
    CHECK_NEAR(frame_at(world, 0).position.z, 0.2, 1e-9); // rounding: the swing has died
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

TEST(mistakes_are_reported) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.1, 0.1);
    FrWorld *world = awake_world(ctx, earth);
    FrBodyDef ball = ball_def(&material, 0.1, fr_vec3_zero, fr_vec3_zero);
    FrBodyId id = put(ctx, world, &ball);
    FrBodyId soft = world_body(ctx, world, &mesh, &material, fr_vec3(1, 0, 0), fr_vec3_zero);
    FrJointDef joint = fr_joint_def_default();
    joint.kind = FR_JOINT_BALL;
    joint.a = soft;
    CHECK_INT(fr_joint_create(world, &joint, NULL), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "fem body");
    joint.a = id, joint.b = id;
    CHECK_INT(fr_joint_create(world, &joint, NULL), FR_BAD_USE);
    joint = fr_joint_def_default();
    joint.kind = FR_JOINT_HINGE;
    joint.a = id;
    CHECK_INT(fr_joint_create(world, &joint, NULL), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "axis");
    joint = fr_joint_def_default();
    joint.kind = FR_JOINT_STRING;
    joint.a = id;
    CHECK_INT(fr_joint_create(world, &joint, NULL), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "length");
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}
