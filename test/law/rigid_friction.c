// rigid_friction.c: Coulomb's law for rigid bodies: what holds, what slides and how fast, what
// rolls.

#include "rigid_kit.h"

// a box on a slope of this angle; speed down the slope after `until` seconds
static double slide(FrContext *ctx, double angle, double friction, double until, double *gone) {
    double g = 9.81;
    FrMaterial material = rigid_material(0.2, friction);
    FrTetMesh mesh = brick_mesh(0.2, 0.2, 0.1);
    FrWorld *world = awake_world(ctx, fr_vec3(g * sin(angle), 0, -g * cos(angle)));
    CHECK_OK(ctx, fr_world_add_plane(world, "slope", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def =
        box_def(&material, &mesh, fr_vec3(0.1, 0.1, 0.05), fr_vec3(0, 0, 0.05), fr_vec3_zero);
    put(ctx, world, &def);
    test_run(ctx, world, until);
    FrBodyFrame frame = frame_at(world, 0);
    *gone = frame.position.x;
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    return frame.velocity.x;
}

// holds if and only if tan(angle) < mu; else a = g (sin - mu cos)                       (M22)
TEST(coulombs_angle) {
    FrContext *ctx = test_context(1);
    double mu = 0.5, limit = atan(mu), gone;
    CHECK_NEAR(slide(ctx, 0.99 * limit, mu, 2.0, &gone), 0.0, 1e-6); // solver: its tolerance
    CHECK_NEAR(gone, 0.0, 1e-5);                                     // solver
    for (int k = 0; k < 3; k++) {
        double angle = limit + 0.05 + 0.15 * k;
        double a = 9.81 * (sin(angle) - mu * cos(angle));
        CHECK_CLOSE(slide(ctx, angle, mu, 1.0, &gone), a, 2e-3); // the first step still holds
    }
    fr_context_destroy(ctx);
}

// pushed along the ground it stops after v^2 / (2 mu g), in any direction
TEST(sliding_stops_where_it_should) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.2, 0.3);
    FrTetMesh mesh = brick_mesh(0.2, 0.2, 0.02); // flat: it does not tip
    for (int k = 0; k < 3; k++) {
        FrVec3 way = fr_vec3(cos(0.7 * k), sin(0.7 * k), 0);
        FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        FrBodyDef def = box_def(&material, &mesh, fr_vec3(0.1, 0.1, 0.01), fr_vec3(0, 0, 0.01),
                                fr_scale(2.0, way));
        put(ctx, world, &def);
        test_run(ctx, world, 2.0);
        FrBodyFrame frame = frame_at(world, 0);
        double far = 4.0 / (2 * 0.3 * 9.81);
        // step: half a substep of the way: 1e-3
        CHECK_NEAR(fr_distance(frame.position, fr_axpy(far, way, fr_vec3(0, 0, 0.01))), 0.0, 2e-3);
        CHECK(fr_length(frame.velocity) == 0.0); // asleep
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a ball thrown along the ground slides until it rolls with 5/7 of its speed
TEST(a_thrown_ball_comes_to_roll) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.4);
    FrWorld *world = awake_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def = ball_def(&material, 0.1, fr_vec3(0, 0, 0.1), fr_vec3(2.1, 0, 0));
    put(ctx, world, &def);
    test_run(ctx, world, 1.0);
    // rounding: it rolls, and forces are constant
    CHECK_NEAR(frame_at(world, 0).velocity.x, 1.5, 1e-9);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// the forces of a box's four contacts add up to its weight, sliding or not
TEST(samples_carry_the_weight) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.2, 0.3);
    FrTetMesh mesh = brick_mesh(0.2, 0.2, 0.02);
    FrWorld *world = awake_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def =
        box_def(&material, &mesh, fr_vec3(0.1, 0.1, 0.01), fr_vec3(0, 0, 0.01), fr_vec3(2, 0, 0));
    put(ctx, world, &def);
    test_run(ctx, world, 0.5);
    int64_t count;
    int samples = 0;
    const FrEvent *event = world_events(world, &count);
    for (int64_t k = 0; k < count; k++) {
        if (event[k].kind != FR_EVENT_CONTACT) continue;
        samples++;
        double weight = 1000.0 * 0.2 * 0.2 * 0.02 * 9.81;
        // solver: impulses of four corners
        CHECK_CLOSE(event[k].u.contact.force.z, weight, 1e-6);
        CHECK_CLOSE(event[k].u.contact.force.x, -0.3 * weight, 1e-6);
        // step: speeds are read within one
        CHECK_NEAR(event[k].u.contact.slip.x, 2.0 - 0.3 * 9.81 * (event[k].t + 2.6e-3), 1e-4);
        CHECK(event[k].u.contact.span <= 5e-3); // step: whole macro steps
        CHECK(event[k].a.index1 == 1 && event[k].b.index1 == 0);
    }
    CHECK_INT(samples, 120);            // every macro step of 1/240 s
    CHECK_INT(impacts(world, NULL), 0); // sliding is no impact
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a ball that rolls does not slip, and its sample says how fast the place of contact wanders
TEST(rolling_is_reported) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.4);
    FrWorld *world = awake_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def = ball_def(&material, 0.1, fr_vec3(0, 0, 0.1), fr_vec3(1, 0, 0));
    def.spin = fr_vec3(0, 10, 0);
    put(ctx, world, &def);
    test_run(ctx, world, 0.2);
    int64_t count;
    const FrEvent *event = world_events(world, &count);
    CHECK(count > 40);
    for (int64_t k = 1; k < count; k++) {
        CHECK_INT(event[k].kind, FR_EVENT_CONTACT);
        // rounding: it rolls without slip
        CHECK_NEAR(fr_length(event[k].u.contact.slip), 0.0, 1e-12);
        CHECK_CLOSE(event[k].u.contact.roll.x, 1.0, 1e-9);
    }
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}
