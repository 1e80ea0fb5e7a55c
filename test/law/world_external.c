// world_external.c: what callers do to bodies between steps: closed forms, and ledgers that close.

#include "fracas/body.h"
#include "rigid_kit.h"

/// The sum that stays, J.
static double ledger_sum(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic + e.plastic + e.fracture + e.dust + e.damping + e.contact -
           e.external;
}

/// A ledger is noted, and momentum drift looked at, through some steps.
static void run_closed(FrContext *ctx, FrWorld *world, int32_t steps, double tolerance) {
    FrLedger ledger = {0};
    world_note(&ledger, world);
    for (int32_t k = 0; k < steps; k++) {
        CHECK_OK(ctx, world_step(world));
        world_note(&ledger, world);
    }
    CHECK(ledger.gap <= tolerance * fr_max(ledger.peak, ledger.moved));
    CHECK(fr_world_stats(world).momentum_drift < TOL_MOMENTUM);
}

static FrBodyMotion motion_of(FrContext *ctx, FrWorld *world, FrBodyId id) {
    FrBodyMotion m;
    CHECK_OK(ctx, fr_body_motion(world, id, &m));
    return m;
}

static void check_vec(FrVec3 found, FrVec3 wanted, double tolerance) {
    CHECK_NEAR(found.x, wanted.x, tolerance); // rounding, or as the caller says
    CHECK_NEAR(found.y, wanted.y, tolerance); // likewise rounding
    CHECK_NEAR(found.z, wanted.z, tolerance); // likewise rounding
}

/// Sizes 0.1, 0.2, 0.3 m, density 1000.
#define BRICK_MASS 6.0
static FrBodyId add_brick(FrContext *ctx, FrWorld *world, const FrMaterial *material,
                          const FrTetMesh *mesh, FrQuat rotation) {
    FrBodyDef def = box_def(material, mesh, fr_vec3(0.05, 0.1, 0.15), fr_vec3_zero, fr_vec3_zero);
    def.rotation = rotation;
    return put(ctx, world, &def);
}

// I^-1 (r x J) of that brick
static FrVec3 spin_after(FrQuat q, FrVec3 r, FrVec3 J) {
    FrVec3 t = fr_quat_rotate(fr_quat_conj(q), fr_cross(r, J));
    double m = BRICK_MASS / 12.0, a = 0.01, b = 0.04, c = 0.09;
    FrVec3 w = fr_vec3(t.x / (m * (b + c)), t.y / (m * (a + c)), t.z / (m * (a + b)));
    return fr_quat_rotate(q, w);
}

TEST(an_impulse_moves_and_turns_a_box) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.2, 0.3);
    FrWorld *world = awake_world(ctx, fr_vec3_zero);
    FrQuat q = fr_quat_from_rotation(fr_vec3(0.4, -0.3, 0.9));
    FrBodyId id = add_brick(ctx, world, &material, &mesh, q);
    FrVec3 at = fr_vec3(0.03, -0.02, 0.05), J = fr_vec3(1.0, 2.0, -0.5);
    double before = ledger_sum(world);
    CHECK_OK(ctx, fr_body_add_impulse(world, id, at, J));
    FrBodyMotion m = motion_of(ctx, world, id);
    // reason: rounding
    CHECK_NEAR(ledger_sum(world), before, 1e-14);
    CHECK_CLOSE(m.mass, BRICK_MASS, 1e-14); // rounding
    check_vec(m.velocity, fr_scale(1.0 / BRICK_MASS, J), 1e-14);
    check_vec(m.spin, spin_after(q, at, J), 1e-12);
    run_closed(ctx, world, 100, 1e-7); // step: the energy of a tumbling box wavers
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

TEST(a_force_for_a_step_gives_force_times_step) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.2, 0.3);
    FrWorld *world = awake_world(ctx, fr_vec3_zero);
    FrBodyId id = add_brick(ctx, world, &material, &mesh, fr_quat_identity);
    FrVec3 at = fr_vec3(0.0, 0.1, 0.0), F = fr_vec3(24.0, 0.0, 0.0);
    double h = 1.0 / 240.0;
    CHECK_OK(ctx, fr_body_add_force(world, id, at, F));
    CHECK_OK(ctx, fr_body_add_torque(world, id, fr_vec3(0.0, 0.0, 1.0)));
    run_closed(ctx, world, 1, 1e-9);
    FrBodyMotion m = motion_of(ctx, world, id);
    FrVec3 twist = fr_vec3(0.0, 0.0, h / (BRICK_MASS / 12.0 * 0.05));
    check_vec(m.velocity, fr_scale(h / BRICK_MASS, F), 1e-15);
    // reason: rounding
    check_vec(m.spin, fr_add(spin_after(fr_quat_identity, at, fr_scale(h, F)), twist), 1e-13);
    run_closed(ctx, world, 10, 1e-9); // and no more
    check_vec(motion_of(ctx, world, id).velocity, m.velocity, TOL_EXACT);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

TEST(a_solid_gets_the_same_momenta) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrTetMesh mesh = test_box(3, 3, 3, 0.1);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrBodyId id = world_body(ctx, world, &mesh, &material, fr_vec3_zero, fr_vec3(0.1, 0, 0));
    run_closed(ctx, world, 3, TOL_LEDGER);
    FrVec3 p0, l0, p1, l1, at = fr_vec3(0.12, 0.11, 0.25), J = fr_vec3(0.3, -0.2, 0.5);
    fr_world_momentum(world, &p0, &l0);
    double before = ledger_sum(world);
    CHECK_OK(ctx, fr_body_add_impulse(world, id, at, J));
    // reason: rounding
    CHECK_NEAR(ledger_sum(world), before, 1e-12);
    fr_world_momentum(world, &p1, &l1);
    check_vec(fr_sub(p1, p0), J, 1e-13);
    check_vec(fr_sub(l1, l0), fr_cross(at, J), 1e-13);
    run_closed(ctx, world, 10, TOL_LEDGER);
    fr_world_momentum(world, &p0, &l0);
    FrBodyMotion m = motion_of(ctx, world, id);
    CHECK_OK(ctx, fr_body_add_force(world, id, m.centre, fr_vec3(0, 48.0, 0)));
    CHECK_OK(ctx, fr_body_add_torque(world, id, fr_vec3(0, 0, 2.4)));
    run_closed(ctx, world, 1, TOL_LEDGER);
    fr_world_momentum(world, &p1, &l1);
    check_vec(fr_sub(p1, p0), fr_vec3(0, 0.2, 0), 1e-12);
    FrVec3 turn = fr_sub(fr_sub(l1, l0), fr_cross(m.centre, fr_vec3(0, 0.2, 0)));
    CHECK_NEAR(turn.z, 0.01, 1e-4); // step: the point that is pushed moves on the way
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

TEST(a_solid_is_set_elsewhere_while_it_swings) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e5, 0.3);
    FrTetMesh mesh = test_box(2, 2, 4, 0.1);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    FrBodyId id = world_body(ctx, world, &mesh, &material, fr_vec3_zero, fr_vec3(1, 2, 3));
    CHECK_OK(ctx, fr_body_add_impulse(world, id, fr_vec3(0.1, 0.1, 0.4), fr_vec3(0.5, 0, 0)));
    run_closed(ctx, world, 5, TOL_LEDGER);
    FrEnergy e0, e1;
    fr_world_energy(world, &e0);
    FrBodyMotion from = motion_of(ctx, world, id);
    double before = ledger_sum(world);
    FrQuat turn = fr_quat_from_rotation(fr_vec3(0.3, 1.0, -0.4));
    CHECK_OK(ctx, fr_body_set_place(world, id, fr_vec3(5, 6, 7), turn));
    FrBodyMotion to = motion_of(ctx, world, id);
    fr_world_energy(world, &e1);
    // reason: rounding
    check_vec(to.centre, fr_vec3(5, 6, 7), 1e-13);
    check_vec(to.velocity, from.velocity, 1e-13);
    check_vec(to.spin, from.spin, 1e-11);
    CHECK_CLOSE(e1.elastic, e0.elastic, 1e-9);    // rounding of strains
    CHECK_NEAR(ledger_sum(world), before, 1e-11); // rounding
    CHECK_OK(ctx, fr_body_set_velocity(world, id, fr_vec3(-1, 0, 2), fr_vec3(0, 3, 0)));
    to = motion_of(ctx, world, id);
    check_vec(to.velocity, fr_vec3(-1, 0, 2), 1e-13);
    check_vec(to.spin, fr_vec3(0, 3, 0), 1e-11);
    CHECK_NEAR(ledger_sum(world), before, 1e-11); // rounding
    run_closed(ctx, world, 20, TOL_LEDGER);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

TEST(a_frame_is_set_elsewhere) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.2, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), -0.15, &material));
    FrBodyId id = add_brick(ctx, world, &material, &mesh, fr_quat_identity);
    run_closed(ctx, world, 300, 1e-9);
    bool asleep;
    CHECK_OK(ctx, fr_body_asleep(world, id, &asleep));
    CHECK(asleep);
    double before = ledger_sum(world);
    CHECK_OK(ctx, fr_body_set_place(world, id, fr_vec3(1, 2, 3), fr_quat_identity));
    CHECK_OK(ctx, fr_body_set_velocity(world, id, fr_vec3(1, 0, 0), fr_vec3(0, 0, 5)));
    // reason: rounding
    CHECK_NEAR(ledger_sum(world), before, 1e-12);
    FrBodyMotion m = motion_of(ctx, world, id);
    check_vec(m.centre, fr_vec3(1, 2, 3), TOL_EXACT);
    check_vec(m.velocity, fr_vec3(1, 0, 0), 1e-14);
    check_vec(m.spin, fr_vec3(0, 0, 5), 1e-13);
    run_closed(ctx, world, 60, 1e-9);
    double t = 60.0 / 240.0;
    check_vec(motion_of(ctx, world, id).centre, fr_vec3(1.0 + t, 2.0, 3.0 - 0.5 * 9.81 * t * t),
              1e-12);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// time between two zeros of the same sense, s
static double swing_period(FrContext *ctx, FrWorld *world, FrBodyId id) {
    double last = motion_of(ctx, world, id).centre.x, first = -1.0;
    for (int32_t k = 0; k < 2000; k++) {
        CHECK_OK(ctx, world_step(world));
        double x = motion_of(ctx, world, id).centre.x, t = fr_world_time(world);
        double zero = t - x / (x - last) / 240.0;
        if (last < 0.0 && x >= 0.0 && first >= 0.0) return zero - first;
        if (last < 0.0 && x >= 0.0) first = zero;
        last = x;
    }
    return -1.0;
}

TEST(a_grab_swings_like_a_spring) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    for (int solid = 0; solid < 2; solid++) {
        FrTetMesh mesh = test_box(2, 2, 2, 0.05);
        FrMaterial firm = elastic_material(1e6, 0.3);
        FrWorld *world = test_world(ctx, fr_vec3_zero);
        FrBodyDef ball = ball_def(&material, 0.1, fr_vec3(0.1, 0, 0), fr_vec3_zero);
        FrBodyId id =
            solid ? world_body(ctx, world, &mesh, &firm, fr_vec3(0.05, -0.05, -0.05), fr_vec3_zero)
                  : put(ctx, world, &ball);
        FrBodyMotion m = motion_of(ctx, world, id);
        FrGrabDef def = fr_grab_def_default();
        FrGrabId grab;
        def.body = id;
        def.at = m.centre;
        def.stiffness = m.mass * 4.0 * FR_PI * FR_PI; // a period of 1 s
        def.damping = 0.0;
        CHECK_OK(ctx, fr_grab_create(world, &def, &grab));
        double period = swing_period(ctx, world, id);
        CHECK_NEAR(period, 1.0, 2e-3); // step: an implicit one is late by (w h)^2 and damps
        run_closed(ctx, world, 10, solid ? TOL_LEDGER : 1e-9);
        fr_world_destroy(world);
        test_mesh_free(&mesh);
    }
    fr_context_destroy(ctx);
}

/// What a body of this mass that hangs on a point and is drawn along slowly can have, J: it falls
/// by twice 0.2 m.
static double most_kinetic(double mass) { return mass * 9.81 * 0.4; }

// 2 s in which the target goes 0.2 m along x; at rest after half of that
static void draw_along(FrContext *ctx, FrWorld *world, FrGrabId grab, FrVec3 target, double most) {
    for (int32_t k = 0; k < 480; k++) {
        FrEnergy e;
        target.x += k < 240 ? 0.2 / 240.0 : 0.0;
        CHECK_OK(ctx, fr_grab_move(world, grab, target));
        CHECK_OK(ctx, world_step(world));
        fr_world_energy(world, &e);
        CHECK(e.kinetic < most);
    }
}

TEST(a_stiff_grab_is_stable) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5), soft = elastic_material(1e6, 0.3);
    FrTetMesh brick = brick_mesh(0.1, 0.2, 0.3), block = test_box(2, 2, 2, 0.05);
    for (int run = 0; run < 16; run++) {
        bool solid = run & 1, damped = run & 2;
        double k = pow(10.0, 3.0 + 2.0 * (run >> 2)); // 1e3 to 1e9
        FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
        FrBodyId id = solid ? world_body(ctx, world, &block, &soft, fr_vec3_zero, fr_vec3_zero)
                            : add_brick(ctx, world, &material, &brick, fr_quat_identity);
        FrGrabDef def = fr_grab_def_default();
        FrGrabId grab;
        def.body = id;
        def.at = def.target = fr_vec3(0.05, 0.1, 0.05);
        def.stiffness = k;
        def.damping = damped ? 2.0 * sqrt(k) : 0.0;
        CHECK_OK(ctx, fr_grab_create(world, &def, &grab));
        draw_along(ctx, world, grab, def.target, most_kinetic(solid ? 1.0 : BRICK_MASS));
        FrBodyMotion m = motion_of(ctx, world, id);
        CHECK(fr_distance(m.centre, fr_vec3(0.25, 0.1, 0.05)) < 0.3);
        run_closed(ctx, world, 24, TOL_LEDGER);
        fr_world_destroy(world);
    }
    test_mesh_free(&brick);
    test_mesh_free(&block);
    fr_context_destroy(ctx);
}

// Steps of 0.9 of the stable one, a spring that no step can follow, on the lightest nodes: what it
// stirs up dies away (with the mobility of the node alone two thirds of it stay).
// A nail that is far from what it holds, by a corner, as a hand drives it (25 Hz). A spring with a
// damper cannot give more energy than it had.
TEST(a_far_nail_does_not_whirl_a_splinter) {
    static const double spins[] = {0.0, 2e3};
    for (int k = 0; k < 2; k++) {
        FrContext *ctx = test_context(1);
        FrMaterial material = rigid_material(0.5, 0.5);
        FrTetMesh mesh = brick_mesh(0.001, 0.002, 0.012);
        FrWorld *world = awake_world(ctx, fr_vec3_zero);
        FrBodyDef box = box_def(&material, &mesh, fr_vec3_zero, fr_vec3_zero, fr_vec3_zero);
        box.spin = fr_vec3(0.3 * spins[k], spins[k], -0.6 * spins[k]);
        FrBodyId id = put(ctx, world, &box);
        double mass = motion_of(ctx, world, id).mass, omega = 2.0 * FR_PI * 25.0;
        FrGrabDef def = fr_grab_def_default();
        def.body = id;
        def.at = fr_vec3(0.0005, 0.001, 0.006);
        def.target = fr_vec3(30.0, -60.0, 20.0);
        def.stiffness = mass * omega * omega;
        def.damping = 1.4 * mass * omega;
        CHECK_OK(ctx, fr_grab_create(world, &def, NULL));
        FrEnergy e;
        fr_world_energy(world, &e);
        double most = e.kinetic + 0.5 * def.stiffness * fr_length2(def.target), highest = 0.0;
        for (int32_t n = 0; n < 2000; n++) {
            CHECK_OK(ctx, world_step(world));
            fr_world_energy(world, &e);
            highest = fr_max(highest, e.kinetic);
        }
        CHECK(highest < most);
        // step: it hangs at the nail, by a corner or about its centre
        CHECK_NEAR(fr_distance(motion_of(ctx, world, id).centre, def.target), 0.0, 0.02);
        fr_world_destroy(world);
        test_mesh_free(&mesh);
        fr_context_destroy(ctx);
    }
}

TEST(what_is_too_fast_for_a_number_is_told) {
    static const double much[] = {1e160, 1e200};
    for (int k = 0; k < 2; k++) {
        FrContext *ctx = test_context(1);
        FrMaterial material = rigid_material(0.5, 0.5);
        FrTetMesh mesh = brick_mesh(0.1, 0.2, 0.3);
        FrWorld *world = awake_world(ctx, fr_vec3_zero);
        FrBodyId id = add_brick(ctx, world, &material, &mesh, fr_quat_identity);
        FrVec3 at = fr_vec3(0.03, -0.02, 0.05);
        CHECK_OK(ctx, fr_body_add_impulse(world, id, at, fr_vec3(1.0, 2.0, much[k])));
        CHECK(world_step(world) == FR_NUMERICAL);
        CHECK(strstr(fr_context_message(ctx), "not finite"));
        fr_world_destroy(world);
        test_mesh_free(&mesh);
        fr_context_destroy(ctx);
    }
}

TEST(a_stiff_grab_of_a_node_stirs_nothing_up) {
    FrContext *ctx = test_context(1);
    FrMaterial soft = elastic_material(1e6, 0.3);
    FrTetMesh block = test_box(2, 2, 2, 0.05);
    for (int corner = 0; corner < 8; corner++) {
        FrWorld *world = test_world(ctx, fr_vec3_zero);
        FrGrabDef def = fr_grab_def_default();
        FrGrabId grab;
        FrEnergy e = {0};
        double most = 0.0;
        def.body = world_body(ctx, world, &block, &soft, fr_vec3_zero, fr_vec3_zero);
        def.at = fr_vec3(0.1 * (corner & 1), 0.1 * (corner >> 1 & 1), 0.1 * (corner >> 2));
        def.target = fr_add(def.at, fr_vec3(1e-4, 0, 0));
        def.stiffness = 1e9;
        def.damping = 0.0;
        CHECK_OK(ctx, fr_grab_create(world, &def, &grab));
        for (int32_t k = 0; k < 100; k++) {
            CHECK_OK(ctx, world_step(world));
            fr_world_energy(world, &e);
            most = fr_max(most, e.kinetic + e.elastic);
        }
        CHECK(most < 1e-4 &&
              e.kinetic + e.elastic < 0.2 * most); // step: 5e-5 to 8e-5 J, 0.15 of it
        fr_world_destroy(world);
    }
    test_mesh_free(&block);
    fr_context_destroy(ctx);
}

// a hand that is not strong enough does not lift it
TEST(a_grab_pulls_with_no_more_than_its_force) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5), soft = elastic_material(1e6, 0.3);
    FrTetMesh block = test_box(2, 2, 2, 0.05); // 1 kg
    for (int solid = 0; solid < 2; solid++) {
        FrWorld *world = test_world(ctx, fr_vec3_zero);
        FrBodyDef ball = ball_def(&material, cbrt(0.75e-3 / FR_PI), fr_vec3_zero, fr_vec3_zero);
        FrBodyId id = solid ? world_body(ctx, world, &block, &soft, fr_vec3_zero, fr_vec3_zero)
                            : put(ctx, world, &ball);
        FrGrabDef def = fr_grab_def_default();
        FrGrabId grab;
        def.body = id;
        def.at = motion_of(ctx, world, id).centre;
        def.target = fr_vec3(1000, def.at.y, def.at.z);
        def.max_force = 2.0;
        CHECK_OK(ctx, fr_grab_create(world, &def, &grab));
        run_closed(ctx, world, 120, solid ? TOL_LEDGER : 1e-9);
        CHECK_CLOSE(motion_of(ctx, world, id).velocity.x, 1.0, 1e-10); // rounding: F t / m
        fr_world_destroy(world);
    }
    test_mesh_free(&block);
    fr_context_destroy(ctx);
}

// a world with a grabbed frame and a grabbed solid, a pending force and another friction
static FrWorld *grabbed_world(FrContext *ctx, const FrTetMesh *brick, const FrTetMesh *block,
                              FrBodyId id[2]) {
    FrMaterial material = rigid_material(0.5, 0.5), soft = elastic_material(1e5, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), -0.2, &material));
    id[0] = add_brick(ctx, world, &material, brick, fr_quat_identity);
    id[1] = world_body(ctx, world, block, &soft, fr_vec3(0.5, 0, -0.19), fr_vec3_zero);
    return world;
}

static void grab_both(FrContext *ctx, FrWorld *world, const FrBodyId id[2], FrGrabId grab[2]) {
    FrMaterial slick = rigid_material(0.1, 0.05);
    for (int k = 0; k < 2; k++) {
        FrGrabDef def = fr_grab_def_default();
        def.body = id[k];
        def.at = k ? fr_vec3(0.55, 0.05, 0) : fr_vec3(0.02, 0, 0.1);
        def.target = k ? fr_vec3(0.5, 0, 0.3) : fr_vec3(0.3, 0, 0.2);
        CHECK_OK(ctx, fr_grab_create(world, &def, &grab[k]));
        CHECK_OK(ctx, fr_body_add_force(world, id[k], def.at, fr_vec3(1, 2, 3)));
        CHECK_OK(ctx, fr_body_add_torque(world, id[k], fr_vec3(0.1, 0, 0)));
    }
    CHECK_OK(ctx, fr_body_set_material(world, id[0], 0, &slick));
    CHECK_OK(ctx, fr_world_set_gravity(world, fr_vec3(1, 0, -5)));
}

TEST(a_checkpoint_has_pushes_and_grabs) {
    FrContext *ctx = test_context(1);
    FrTetMesh brick = brick_mesh(0.1, 0.2, 0.3), block = test_box(2, 2, 2, 0.05);
    FrBodyId id[2];
    FrGrabId grab[2];
    uint8_t *bytes;
    size_t size;
    FrWorld *first = grabbed_world(ctx, &brick, &block, id);
    run_closed(ctx, first, 10, TOL_LEDGER);
    grab_both(ctx, first, id, grab);
    CHECK_OK(ctx, fr_world_save(first, &bytes, &size));
    FrWorld *second = grabbed_world(ctx, &brick, &block, id);
    CHECK_OK(ctx, fr_world_load(second, bytes, size));
    for (int32_t k = 0; k < 100; k++) {
        if (k == 50) CHECK_OK(ctx, fr_grab_move(first, grab[0], fr_vec3(0, 0, 1)));
        if (k == 50) CHECK_OK(ctx, fr_grab_move(second, grab[0], fr_vec3(0, 0, 1)));
        CHECK_OK(ctx, world_step(first));
        CHECK_OK(ctx, world_step(second));
    }
    CHECK(fr_world_hash(first) == fr_world_hash(second));
    CHECK(checkpoint_hash(first) == checkpoint_hash(second));
    for (size_t cut = 0; cut < size; cut += 97) { // cut short: refused, never read beyond
        FrWorld *third = grabbed_world(ctx, &brick, &block, id);
        CHECK(load_sealed(third, bytes, cut) != FR_OK);
        fr_world_destroy(third);
    }
    fr_world_free_bytes(ctx, bytes);
    fr_world_destroy(first);
    fr_world_destroy(second);
    test_mesh_free(&brick);
    test_mesh_free(&block);
    fr_context_destroy(ctx);
}

TEST(a_grab_dies_with_its_body) {
    FrContext *ctx = test_context(1);
    FrTetMesh brick = brick_mesh(0.1, 0.2, 0.3), block = test_box(2, 2, 2, 0.05);
    FrBodyId id[2];
    FrGrabId grab[2];
    FrWorld *world = grabbed_world(ctx, &brick, &block, id);
    grab_both(ctx, world, id, grab);
    CHECK_OK(ctx, fr_body_destroy(world, id[0]));
    CHECK_INT(fr_grab_move(world, grab[0], fr_vec3_zero), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "no grab has id");
    run_closed(ctx, world, 10, TOL_LEDGER);
    CHECK_OK(ctx, fr_grab_destroy(world, grab[1]));
    CHECK_INT(fr_grab_destroy(world, grab[1]), FR_BAD_USE);
    CHECK_OK(ctx, fr_body_destroy(world, id[1]));
    run_closed(ctx, world, 10, TOL_LEDGER);
    fr_world_destroy(world);
    test_mesh_free(&brick);
    test_mesh_free(&block);
    fr_context_destroy(ctx);
}

TEST(stale_ids_are_refused_everywhere) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrBodyDef ball = ball_def(&material, 0.1, fr_vec3_zero, fr_vec3_zero);
    FrBodyId id = put(ctx, world, &ball);
    CHECK_OK(ctx, world_step(world));
    CHECK_OK(ctx, fr_body_destroy(world, id));
    FrBodyMotion m;
    FrGrabId grab;
    FrGrabDef def = fr_grab_def_default();
    void *user;
    bool asleep;
    def.body = id;
    FrVec3 zero = fr_vec3_zero;
    FrResult result[] = {fr_body_motion(world, id, &m),
                         fr_body_set_place(world, id, zero, fr_quat_identity),
                         fr_body_set_velocity(world, id, zero, zero),
                         fr_body_add_force(world, id, zero, zero),
                         fr_body_add_torque(world, id, zero),
                         fr_body_add_impulse(world, id, zero, zero),
                         fr_grab_create(world, &def, &grab),
                         fr_body_set_user(world, id, NULL),
                         fr_body_get_user(world, id, &user),
                         fr_body_wake(world, id),
                         fr_body_sleep(world, id),
                         fr_body_asleep(world, id, &asleep),
                         fr_body_set_material(world, id, 0, &material)};
    for (size_t k = 0; k < sizeof result / sizeof result[0]; k++) CHECK_INT(result[k], FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "body 1 is gone: its id is stale");
    CHECK_INT(fr_world_view_of(world, id), -1);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

TEST(a_ray_hits_a_turned_box) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.2, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), -1.0, &material));
    FrBodyDef ball = ball_def(&material, 0.1, fr_vec3(2, 0, 0), fr_vec3_zero);
    // 45 degrees about z: an edge of the 0.1 x 0.2 section points at the ray
    FrBodyId box =
        add_brick(ctx, world, &material, &mesh, fr_quat_from_rotation(fr_vec3(0, 0, FR_PI / 4)));
    FrBodyId round = put(ctx, world, &ball);
    FrRay ray = {fr_vec3(-3, 0, 0.01), fr_vec3(2, 0, 0), (double)INFINITY};
    FrRayHit hit;
    CHECK_OK(ctx, fr_world_ray(world, &ray, &hit));
    CHECK_INT(hit.body.index1, box.index1);
    // reason: rounding. Along (1, 0) the side x = -0.05 of the box is 0.05 sqrt(2) away
    CHECK_NEAR(hit.distance, 3.0 - 0.05 * sqrt(2.0), 1e-14);
    check_vec(hit.x, fr_vec3(-0.05 * sqrt(2.0), 0, 0.01), 1e-14);
    check_vec(hit.normal, fr_vec3(-sqrt(0.5), -sqrt(0.5), 0), 1e-14);
    FrVec3 x = fr_vec3_zero;
    const FrFrameView *view = fr_world_view(world);
    int32_t k = fr_world_view_of(world, box);
    for (int i = 0; i < 4; i++)
        x = fr_axpy(hit.at.b[i], fr_get3(view->frame[k].p, mesh.tet[hit.at.tet][i]), x);
    check_vec(x, hit.x, 1e-14);
    ray.from.y = 0.5, ray.along.y = -0.2; // past the box, onto the ball
    CHECK_OK(ctx, fr_world_ray(world, &ray, &hit));
    CHECK_INT(hit.body.index1, round.index1);
    CHECK_NEAR(fr_distance(hit.x, fr_vec3(2, 0, 0)), 0.1, 1e-12); // rounding
    ray.along = fr_vec3(0, 0, -1);
    CHECK_OK(ctx, fr_world_ray(world, &ray, &hit));
    CHECK_NEAR(hit.distance, 1.01, 1e-14); // rounding
    CHECK_INT(view->body[fr_world_view_of(world, hit.body)].kind, FR_BODY_PLANE);
    ray.length = 1.0;
    CHECK_OK(ctx, fr_world_ray(world, &ray, &hit));
    CHECK_INT(hit.body.index1, 0);
    ray.along = fr_vec3_zero;
    CHECK_INT(fr_world_ray(world, &ray, &hit), FR_BAD_USE);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

TEST(who_reaches_into_a_region) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5), soft = elastic_material(1e6, 0.3);
    FrTetMesh mesh = brick_mesh(0.1, 0.2, 0.3), block = test_box(2, 2, 2, 0.1);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrBodyDef ball = ball_def(&material, 0.1, fr_vec3(0, 1, 0), fr_vec3_zero);
    FrBodyId id[3], found[3];
    int32_t count;
    id[0] =
        add_brick(ctx, world, &material, &mesh, fr_quat_from_rotation(fr_vec3(0, 0, FR_PI / 4)));
    id[1] = put(ctx, world, &ball);
    id[2] = world_body(ctx, world, &block, &soft, fr_vec3(1, 0, 0), fr_vec3_zero);
    FrBox all = {fr_vec3(-2, -2, -2), fr_vec3(2, 2, 2)};
    CHECK_OK(ctx, fr_world_overlap_box(world, all, found, 2, &count));
    CHECK_INT(count, 3);
    CHECK_INT(found[1].index1, id[1].index1);
    // beside the turned box, within its bounds: sides at 0.05 sqrt(2) along x
    FrBox beside = {fr_vec3(0.0712, -0.01, -0.01), fr_vec3(0.2, 0.01, 0.01)};
    CHECK_OK(ctx, fr_world_overlap_box(world, beside, found, 3, &count));
    CHECK_INT(count, 1); // at y = -0.01 it reaches further: 0.0807
    beside.lo.y = 0.0;
    CHECK_OK(ctx, fr_world_overlap_box(world, beside, found, 3, &count));
    CHECK_INT(count, 0);
    CHECK_OK(ctx, fr_world_overlap_sphere(world, fr_vec3(0, 0.85, 0), 0.0499, found, 3, &count));
    CHECK_INT(count, 0);
    CHECK_OK(ctx, fr_world_overlap_sphere(world, fr_vec3(0, 0.85, 0), 0.0501, found, 3, &count));
    CHECK_INT(count, 1);
    CHECK_OK(ctx, fr_world_overlap_sphere(world, fr_vec3(1.1, 0.1, 0.1), 0.001, found, 3, &count));
    CHECK_INT(count, 1); // inside it
    CHECK_INT(found[0].index1, id[2].index1);
    CHECK_INT(fr_world_overlap_sphere(world, fr_vec3_zero, -1.0, found, 3, &count), FR_BAD_USE);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    test_mesh_free(&block);
    fr_context_destroy(ctx);
}

TEST(sleep_surface_and_user_data) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.0);
    FrTetMesh mesh = brick_mesh(0.1, 0.2, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), -0.15, &material));
    FrBodyId id = add_brick(ctx, world, &material, &mesh, fr_quat_identity);
    bool asleep;
    void *user = NULL;
    CHECK_OK(ctx, fr_body_set_user(world, id, &mesh));
    CHECK_OK(ctx, fr_body_get_user(world, id, &user));
    CHECK(user == &mesh);
    CHECK_OK(ctx, fr_body_set_velocity(world, id, fr_vec3(1, 0, 0), fr_vec3_zero));
    double before = ledger_sum(world);
    CHECK_OK(ctx, fr_body_sleep(world, id));
    CHECK_NEAR(ledger_sum(world), before, 1e-14); // rounding
    run_closed(ctx, world, 10, 1e-9);
    CHECK_OK(ctx, fr_body_asleep(world, id, &asleep));
    CHECK(asleep);
    check_vec(motion_of(ctx, world, id).centre, fr_vec3_zero, TOL_EXACT);
    CHECK_OK(ctx, fr_body_wake(world, id));
    CHECK_OK(ctx, fr_body_set_velocity(world, id, fr_vec3(1, 0, 0), fr_vec3_zero));
    run_closed(ctx, world, 24, 1e-9);
    CHECK_NEAR(motion_of(ctx, world, id).velocity.x, 1.0, 1e-12); // rounding: nothing rubs
    FrMaterial other = material;
    other.density = 1.0;
    CHECK_INT(fr_body_set_material(world, id, 0, &other), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "another density");
    FrMaterial rough = rigid_material(0.0, 0.5);
    CHECK_OK(ctx, fr_body_set_material(world, id, 0, &rough));
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

TEST(kinematic_frames_are_put_but_not_pushed) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.5);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrBodyDef ball = ball_def(&material, 0.1, fr_vec3_zero, fr_vec3_zero);
    ball.kinematic = true;
    FrBodyId id = put(ctx, world, &ball);
    CHECK_OK(ctx, fr_body_set_place(world, id, fr_vec3(1, 2, 3), fr_quat_identity));
    run_closed(ctx, world, 5, 1e-9);
    check_vec(motion_of(ctx, world, id).centre, fr_vec3(1, 2, 3), TOL_EXACT);
    CHECK_INT(fr_body_add_impulse(world, id, fr_vec3_zero, fr_vec3(1, 0, 0)), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "kinematic");
    fr_world_destroy(world);
    world = test_world(ctx, fr_vec3_zero);
    world_pusher(ctx, world, &material);
    FrBodyId led = fr_world_view(world)->body[0].id;
    CHECK_INT(fr_body_set_place(world, led, fr_vec3_zero, fr_quat_identity), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "track");
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// what a broken joint held apart meets again, unless another joint or a caller keeps it so
TEST(a_broken_joint_lets_them_touch) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.5);
    enum { BROKEN, ONE_LEFT, ASKED, ASKED_FIRST, RESUMED, CASES };
    for (int how = BROKEN; how < CASES; how++) {
        FrWorld *world[2];
        FrBodyId low, high;
        FrJointId joint[2];
        for (int k = 0; k < 2; k++) {
            world[k] = test_world(ctx, fr_vec3(0, 0, -9.81));
            CHECK_OK(ctx, fr_world_add_plane(world[k], "ground", fr_vec3(0, 0, 1), 0.0, &material));
            FrBodyDef ball = ball_def(&material, 0.1, fr_vec3(0, 0, 0.1), fr_vec3_zero);
            low = put(ctx, world[k], &ball);
            ball.position.z = 0.5;
            high = put(ctx, world[k], &ball);
        }
        FrWorld *w = world[0];
        FrJointDef def = fr_joint_def_default();
        def.kind = FR_JOINT_BALL;
        def.a = low;
        def.b = high;
        def.at_a = (FrVec3){0, 0, 0.3};
        if (how == ASKED_FIRST) CHECK_OK(ctx, fr_world_ignore(w, high, low));
        for (int k = 0; k < 2; k++) CHECK_OK(ctx, fr_joint_create(w, &def, &joint[k]));
        if (how == ASKED) CHECK_OK(ctx, fr_world_ignore(w, high, low));
        CHECK_OK(ctx, fr_joint_destroy(w, joint[0]));
        if (how == RESUMED) {
            uint8_t *bytes;
            size_t size;
            CHECK_OK(ctx, fr_world_save(w, &bytes, &size));
            CHECK_OK(ctx, fr_world_load(world[1], bytes, size));
            fr_world_free_bytes(ctx, bytes);
            w = world[1];
        }
        if (how != ONE_LEFT) CHECK_OK(ctx, fr_joint_destroy(w, joint[1]));
        CHECK_INT(w->frames.ignored.count, how == ONE_LEFT || how == ASKED || how == ASKED_FIRST);
        for (int k = 0; how != ONE_LEFT && k < 240; k++) CHECK_OK(ctx, world_step(w));
        bool asked = how == ASKED || how == ASKED_FIRST;
        // solver: what lies sinks in a little
        if (how != ONE_LEFT) CHECK_NEAR(motion_of(ctx, w, high).centre.z, asked ? 0.1 : 0.3, 2e-3);
        for (int k = 0; k < 2; k++) fr_world_destroy(world[k]);
    }
    fr_context_destroy(ctx);
}

static FrBodyId plane_below(FrContext *ctx, FrWorld *world, FrVec3 from) {
    FrRay ray = {from, fr_vec3(0, 0, -1), (double)INFINITY};
    FrRayHit hit;
    CHECK_OK(ctx, fr_world_ray(world, &ray, &hit));
    return hit.body;
}

// an id that was given out stays, whatever is added then; else planes come after the first bodies
TEST(ids_of_planes_stay) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.5);
    FrBodyDef ball = ball_def(&material, 0.1, fr_vec3(5, 0, 1), fr_vec3_zero);
    for (int early = 0; early < 2; early++) {
        FrWorld *world = test_world(ctx, fr_vec3_zero);
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        FrBodyId ground = {0}, cellar;
        if (early) ground = plane_below(ctx, world, fr_vec3(0, 0, 1));
        FrBodyId body = put(ctx, world, &ball);
        if (!early) ground = fr_world_view(world)->body[1].id;
        CHECK_INT(ground.index1, early ? 1 : 2);
        CHECK_INT(body.index1, early ? 2 : 1);
        CHECK_OK(ctx, fr_world_add_plane(world, "cellar", fr_vec3(0, 0, 1), -1.0, &material));
        FrBodyId second = put(ctx, world, &ball);
        for (int k = 0; k < 2; k++) {
            const FrFrameView *view = fr_world_view(world);
            int32_t at = fr_world_view_of(world, ground);
            cellar = view->body[view->body_count - 1].id;
            CHECK_TEXT(view->body[at].name, "ground");
            CHECK_INT(plane_below(ctx, world, fr_vec3(0, 0, 1)).index1, ground.index1);
            CHECK_INT(cellar.index1, 4);
            CHECK_INT(plane_below(ctx, world, fr_vec3(0, 0, -0.5)).index1, cellar.index1);
            CHECK(fr_body_alive(world, body) && fr_body_alive(world, second));
            CHECK_OK(ctx, world_step(world));
        }
        CHECK_INT(fr_body_destroy(world, ground), FR_BAD_USE);
        CHECK_HAS(fr_context_message(ctx), "ground: a plane");
        FrWorld *other = test_world(ctx, fr_vec3_zero);
        CHECK_OK(ctx, fr_world_add_plane(other, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        uint8_t *bytes;
        size_t size;
        CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
        CHECK_INT(fr_world_load(other, bytes, size), FR_BAD_INPUT);
        CHECK_HAS(fr_context_message(ctx), "2 planes, this world 1");
        fr_world_free_bytes(ctx, bytes);
        fr_world_destroy(other);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}
