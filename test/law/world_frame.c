// world_frame.c: rigid frames in a world: they come to rest, roll and bounce.

#include "world_kit.h"

static FrBodyDef rigid(const FrMaterial *material, double radius, FrVec3 position,
                       FrVec3 velocity) {
    FrBodyDef def = fr_body_def_default();
    def.model = FR_MODEL_FRAME;
    def.radius = radius;
    def.material = material;
    def.material_count = 1;
    def.position = position;
    def.velocity = velocity;
    return def;
}

TEST(a_rigid_box_comes_to_rest) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(2, 2, 2, 0.1);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def = rigid(&material, 0.0, fr_vec3(0, 0, 0.1), fr_vec3(0.3, 0, 0));
    def.mesh = &box;
    def.rotation = fr_quat_from_rotation(fr_vec3(0.2, 0.1, 0.3));
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    test_run(ctx, world, 3.0);
    const FrFrameView *view = fr_world_view(world);
    double fastest = 0, low = 1, high = -1;
    for (int32_t n = 0; n < box.node_count; n++) {
        fastest = fr_max(fastest, fr_length(fr_get3(view->frame[0].v, n)));
        low = fr_min(low, view->frame[0].p[3 * n + 2]);
        high = fr_max(high, view->frame[0].p[3 * n + 2]);
    }
    CHECK(fastest == 0.0);             // asleep
    CHECK_NEAR(high - low, 0.2, 2e-5); // model: lies flat, on a face; the slop of the correction
    CHECK_NEAR(low, 0.0, 2e-5);        // model: the slop of the correction
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// A ball that does not slip has 2/5 of m R^2 to turn about its centre: a = 5/7 g sin(angle), up to
// tan(angle) = 7/2 mu. Constant forces are stepped exactly.
TEST(a_ball_rolls_down) {
    FrContext *ctx = test_context(1);
    for (int k = 0; k < 2; k++) {
        double angle = k ? 0.6 : 0.25, g = 9.81, R = 0.1;
        FrMaterial material = elastic_material(1e7, 0.3);
        material.restitution = 0.1; // settles soon
        FrWorld *world = test_world(ctx, fr_vec3(g * sin(angle), 0, -g * cos(angle)));
        CHECK_OK(ctx, fr_world_add_plane(world, "slope", fr_vec3(0, 0, 1), 0.0, &material));
        FrBodyDef def = rigid(&material, R, fr_vec3(0, 0, R), fr_vec3_zero);
        FrBodyId id;
        CHECK_OK(ctx, fr_body_create(world, &def, &id));
        test_run(ctx, world, 0.3);
        double v0 = fr_world_view(world)->frame[0].velocity.x, t0 = fr_world_time(world);
        test_run(ctx, world, 0.8);
        FrBodyFrame ball = fr_world_view(world)->frame[0];
        double a = (ball.velocity.x - v0) / (fr_world_time(world) - t0);
        // rounding: constant forces are stepped exactly
        CHECK_CLOSE(a, 5.0 / 7.0 * g * sin(angle), 1e-12);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

// a ball of 0.1 m at 1 m/s meets one of 0.15 m at -0.5 m/s, their centres `beside` m off the line
static FrWorld *meeting(FrContext *ctx, double restitution, double friction, double beside) {
    FrMaterial material = elastic_material(1e7, 0.3);
    material.restitution = restitution;
    material.friction_static = material.friction_dynamic = friction;
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrBodyDef a = rigid(&material, 0.1, fr_vec3(0, 0, 0), fr_vec3(1, 0, 0));
    FrBodyDef b = rigid(&material, 0.15, fr_vec3(0.3, beside, 0), fr_vec3(-0.5, 0, 0));
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, &a, &id));
    CHECK_OK(ctx, fr_body_create(world, &b, &id));
    return world;
}

// a glancing blow with friction sets both spinning; momenta stay
TEST(balls_keep_momentum) {
    FrContext *ctx = test_context(1);
    FrWorld *world = meeting(ctx, 0.5, 0.5, 0.06);
    FrVec3 P0, L0, P, L;
    fr_world_momentum(world, &P0, &L0);
    test_run(ctx, world, 0.3);
    fr_world_momentum(world, &P, &L);
    CHECK(fr_world_view(world)->frame[0].velocity.x < 0.0); // it did bounce
    CHECK(fr_distance(P, P0) < 1e-14 * 10.0);               // kg m/s: rounding of some 100 steps
    CHECK(fr_distance(L, L0) < 1e-13 * fr_length(L0));      // rounding: some 100 steps
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// head on and without loss: both get their share of the closing speed back (Newton)
TEST(balls_bounce_by_newton) {
    FrContext *ctx = test_context(1);
    double m = 8.0 / 35.0, n = 27.0 / 35.0, common = m * 1.0 - n * 0.5; // shares of the mass
    FrWorld *world = meeting(ctx, 1.0, 0.5, 0.0);
    test_run(ctx, world, 0.3);
    const FrFrameView *view = fr_world_view(world);
    CHECK_NEAR(view->frame[0].velocity.x, common - n * 1.5, 1e-12); // rounding
    CHECK_NEAR(view->frame[1].velocity.x, common + m * 1.5, 1e-12); // rounding
    fr_world_destroy(world);
    world = meeting(ctx, 0.5, 0.5, 0.0);
    test_run(ctx, world, 0.3);
    view = fr_world_view(world);
    double e = (view->frame[1].velocity.x - view->frame[0].velocity.x) / 1.5;
    CHECK_NEAR(e, 0.5, 1e-12); // rounding
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}
