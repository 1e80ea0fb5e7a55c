// rigid_bounce.c: rigid bodies part as restitution says, keep momentum, never gain energy, and
// their impacts are reported with time, place, impulse and duration.

#include "rigid_kit.h"

static const FrVec3 earth = {0, 0, -9.81};

// height of the first bounce after a fall of 1 m onto the ground; *first: the impact
static double bounce(FrContext *ctx, double e, bool box, FrEvent *first) {
    FrMaterial material = rigid_material(e, 0.5);
    FrTetMesh mesh = brick_mesh(0.1, 0.16, 0.1);
    FrWorld *world = awake_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrVec3 at = fr_vec3(0.3, 0.2, 1.05);
    FrBodyDef def = box ? box_def(&material, &mesh, fr_vec3(0.05, 0.08, 0.05), at, fr_vec3_zero)
                        : ball_def(&material, 0.05, at, fr_vec3_zero);
    put(ctx, world, &def);
    double top = 0.0;
    int hits = 0;
    while (fr_world_time(world) < 1.2 && hits < 2) {
        CHECK_OK(ctx, world_step(world));
        hits = impacts(world, first);
        if (hits == 1) top = fr_max(top, frame_at(world, 0).position.z - 0.05);
    }
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    return top;
}

// top = e^2 h. 2e-4: the top falls between two macro steps, at most g H^2 / 8 = 2e-5 m below it
TEST(drops_return_as_set) {
    FrContext *ctx = test_context(1);
    double wanted[3] = {0.0, 0.5, 1.0}, speed = sqrt(2 * 9.81);
    for (int box = 0; box < 2; box++)
        for (int k = 0; k < 3; k++) {
            FrEvent hit;
            double e = wanted[k];
            double mass = box ? 1.6 : 1000.0 * 4.0 / 3.0 * FR_PI * 0.05 * 0.05 * 0.05;
            // step: the top, between two macro steps
            CHECK_NEAR(bounce(ctx, e, box, &hit), e * e, 1e-4);
            CHECK_NEAR(hit.t, sqrt(2 / 9.81), 1e-12); // rounding: the parabola is stepped exactly
            CHECK_CLOSE(hit.u.impact.v_n, speed, 1e-12); // rounding
            // solver: impulses of four corners
            CHECK_CLOSE(hit.u.impact.impulse.z, mass * (1 + e) * speed, 1e-6);
            // solver: the moment of touch is found to 1e-12
            CHECK_NEAR(fr_distance(hit.u.impact.x, fr_vec3(0.3, 0.2, 0.0)), 0.0, 1e-6);
            CHECK(hit.a.index1 == 1 && hit.b.index1 == 0 && hit.u.impact.n.z == 1.0);
        }
    fr_context_destroy(ctx);
}

// t = 2.868 (m^2 / (R E^2 v))^(1/5) of a ball on a half space of the same material (M18)
TEST(impacts_last_as_hertz_says) {
    FrContext *ctx = test_context(1);
    FrEvent hit;
    bounce(ctx, 0.5, false, &hit);
    double m = 1000.0 * 4.0 / 3.0 * FR_PI * 0.05 * 0.05 * 0.05, E = 1e9 / (1 - 0.09) / 2;
    double v = sqrt(2 * 9.81);
    // rounding
    CHECK_CLOSE(hit.u.impact.duration, 2.868 * pow(m * m / (0.05 * E * E * v), 0.2), 1e-12);
    fr_context_destroy(ctx);
}

// Steel balls and oak boxes fall onto one another: rows that open already are pushed by their
// neighbours.
static FrWorld *heap(FrContext *ctx, uint64_t seed, const FrTetMesh *mesh) {
    FrMaterial oak = rigid_material(0.4, 0.45), steel = rigid_material(0.6, 0.3);
    steel.density = 7850.0;
    fr_material_set_young(&steel, 2e11, 0.3);
    FrWorld *world = awake_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &oak));
    FrRandom r = fr_random_for(seed, "heap", 0);
    for (int k = 0; k < 45; k++) {
        FrVec3 at = fr_vec3(0.11 * (k % 3), 0.11 * (k / 3 % 3), 0.1 + 0.12 * (k / 9));
        at = fr_add(at, test_vec(&r, 0.005));
        FrBodyDef def = ball_def(&steel, 0.035, at, fr_vec3_zero);
        if (k % 2) def = box_def(&oak, mesh, fr_vec3(0.035, 0.03, 0.025), at, fr_vec3_zero);
        def.rotation = fr_quat_from_rotation(test_vec(&r, 1.0));
        put(ctx, world, &def);
    }
    return world;
}

// Every impact of a heap lasts for a time that Hertz can give: no longer than the heaviest of the
// bodies at the slowest speed that is reported at all, 2 h g (twice that: pushes at corners), and
// no shorter than the lightest reduced mass of stiff balls at many times the speed of the fall.
TEST(impacts_of_a_heap_last_as_hertz_allows) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = brick_mesh(0.07, 0.06, 0.05);
    double ball = 7850.0 * 4.0 / 3.0 * FR_PI * pow(0.035, 3.0), soft = 0.5e9 / 0.91;
    double slow = 2.0 * 9.81 / 960.0;
    double longest = 2.0 * 2.868 * pow(ball * ball / (0.006 * soft * soft * slow), 0.2);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        FrWorld *world = heap(ctx, seed, &mesh);
        test_run(ctx, world, 0.5);
        int64_t count;
        const FrEvent *event = world_events(world, &count);
        CHECK(impacts(world, NULL) > 300);
        for (int64_t k = 0; k < count; k++) {
            if (event[k].kind != FR_EVENT_IMPACT) continue;
            CHECK(event[k].u.impact.duration > 1e-5 && event[k].u.impact.duration < longest);
            CHECK(event[k].u.impact.area > 0.0 && event[k].u.impact.area < 0.07 * 0.06);
        }
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

static FrWorld *tumble(FrContext *ctx, double e, double friction, FrVec3 gravity) {
    FrMaterial material = rigid_material(e, friction);
    FrTetMesh mesh = brick_mesh(0.2, 0.1, 0.06);
    FrWorld *world = awake_world(ctx, gravity);
    FrRandom r = fr_random_for(3, "tumble", 0);
    for (int k = 0; k < 12; k++) {
        FrVec3 at = fr_vec3(0.22 * (k % 3), 0.22 * (k / 3 % 2), 0.2 + 0.22 * (k / 6));
        FrVec3 v = fr_axpy(-3.0, fr_sub(at, fr_vec3(0.22, 0.11, 0.31)), test_vec(&r, 0.3));
        FrBodyDef def = k % 3 ? box_def(&material, &mesh, fr_vec3(0.1, 0.05, 0.03), at, v)
                              : ball_def(&material, 0.07, at, v);
        def.spin = test_vec(&r, 5.0);
        def.rotation = fr_quat_from_rotation(test_vec(&r, 1.0));
        put(ctx, world, &def);
    }
    test_mesh_free(&mesh);
    return world;
}

// Boxes and balls that fly into each other in free space: momentum and angular momentum stay.
// 1e-12 of sum m |v| and of sum m |v| |x|: rounding of some 100 impulses.
TEST(collisions_keep_momentum) {
    FrContext *ctx = test_context(1);
    FrWorld *world = tumble(ctx, 0.6, 0.4, fr_vec3_zero);
    FrVec3 P0, L0, P, L;
    fr_world_momentum(world, &P0, &L0);
    test_run(ctx, world, 1.0);
    fr_world_momentum(world, &P, &L);
    CHECK(impacts(world, NULL) > 10);
    // rounding: some 100 impulses
    CHECK(fr_distance(P, P0) < 1e-12 * 12.0);
    CHECK_NEAR(fr_distance(L, L0), 0.0, 1e-12 * 12.0);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// Kinetic plus potential energy never rises, whatever hits whatever. Correcting places lifts 13 kg
// by a part of a micrometre in a step.
TEST(energy_never_rises) {
    FrContext *ctx = test_context(1);
    for (int k = 0; k < 3; k++) {
        FrMaterial material = rigid_material(0.5 * k, 0.6);
        FrWorld *world = tumble(ctx, 0.5 * k, 0.6, earth);
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        double most = 0.0, last = HUGE_VAL;
        for (int step = 0; step < 480; step++) {
            CHECK_OK(ctx, world_step(world));
            FrEnergy e;
            fr_world_energy(world, &e);
            double height = 0.0;
            for (int b = 0; b < 12; b++) {
                double mass = b % 3 ? 1.2 : 1000.0 * 4.0 / 3.0 * FR_PI * 0.07 * 0.07 * 0.07;
                height += 9.81 * mass * frame_at(world, b).position.z;
            }
            most = fr_max(most, e.kinetic + height - last);
            last = e.kinetic + height;
            // model: what they began with, 4.4 J
            CHECK_NEAR(e.kinetic + e.contact - e.external, 0.0, 5.0);
        }
        CHECK(most < 1e-4); // step: correcting places lifts; 1e-5 J is found
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

// the ledger of frames closes: kinetic + taken out by contact - brought in by gravity is constant
TEST(ledger_closes) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.4, 0.6);
    FrWorld *world = tumble(ctx, 0.4, 0.6, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrEnergy begin, end;
    fr_world_energy(world, &begin);
    test_run(ctx, world, 2.0);
    fr_world_energy(world, &end);
    double peak = begin.kinetic + end.external; // all that ever was there, J
    // step: spinning wavers by (w h)^2 of its energy
    CHECK_NEAR(end.kinetic + end.contact - end.external, begin.kinetic, 1e-3 * peak);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// a ball in a row of eight others, apart by a little: each hands its speed on, within one substep
TEST(a_row_of_balls_hands_on) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(1.0, 0.0);
    FrWorld *world = awake_world(ctx, fr_vec3_zero);
    for (int k = 0; k < 9; k++) {
        FrBodyDef def =
            ball_def(&material, 0.05, fr_vec3(0.1001 * k, 0, 0), fr_vec3(k ? 0.0 : 2.0, 0, 0));
        put(ctx, world, &def);
    }
    test_run(ctx, world, 0.05);
    for (int k = 0; k < 9; k++)
        CHECK_NEAR(frame_at(world, k).velocity.x, k == 8 ? 2.0 : 0.0, 1e-12); // rounding
    CHECK_INT(impacts(world, NULL), 8);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

// A cradle whose balls touch: as many leave at the far end as came, with their speed, and the
// others stay. (Momentum and energy alone would allow other ends; real balls, whose contacts
// overlap in time, keep a few per cent in the row.)
TEST(a_cradle_of_touching_balls) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(1.0, 0.0);
    for (int thrown = 1; thrown <= 3; thrown++) {
        FrWorld *world = awake_world(ctx, fr_vec3_zero);
        for (int k = 0; k < 5; k++) {
            bool comes = k < thrown;
            FrBodyDef def = ball_def(&material, 0.05, fr_vec3(0.1 * k - (comes ? 0.01 : 0.0), 0, 0),
                                     fr_vec3(comes ? 2.0 : 0.0, 0, 0));
            put(ctx, world, &def);
        }
        test_run(ctx, world, 0.1);
        for (int k = 0; k < 5; k++)
            // rounding
            CHECK_NEAR(frame_at(world, k).velocity.x, k >= 5 - thrown ? 2.0 : 0.0, 1e-12);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

// a thin tube of tets is hit at its side by a fast ball: nothing goes through the wall
TEST(a_ball_does_not_pass_a_thin_wall) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.3);
    FrTetMesh wall = brick_mesh(0.002, 0.4, 0.4);
    FrWorld *world = awake_world(ctx, fr_vec3_zero);
    FrBodyDef plate = ball_def(&material, 0.0, fr_vec3_zero, fr_vec3_zero);
    plate.mesh = &wall; // no box: triangles
    plate.kinematic = true;
    put(ctx, world, &plate);
    FrBodyDef ball = ball_def(&material, 0.01, fr_vec3(-0.5, 0.05, 0.07), fr_vec3(30.0, 0, 0));
    put(ctx, world, &ball); // 31 mm a substep
    test_run(ctx, world, 0.1);
    // rounding: one impact, of a triangle that it meets in its middle
    CHECK_NEAR(frame_at(world, 1).velocity.x, -15.0, 1e-12);
    FrEvent hit;
    CHECK_INT(impacts(world, &hit), 1);
    CHECK_NEAR(hit.t, (0.5 - 0.01 - 0.001) / 30.0, 1e-12);
    fr_world_destroy(world);
    test_mesh_free(&wall);
    fr_context_destroy(ctx);
}

// a small die of tets thrown at a thin plate of tets comes back, corner first or face first
TEST(meshes_do_not_pass_each_other) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.0);
    FrTetMesh plate = test_box(4, 4, 1, 0.05), die = brick_mesh(0.02, 0.02, 0.02);
    for (int n = 0; n < plate.node_count; n++) plate.x[3 * n + 2] *= 0.04; // 2 mm
    for (int k = 0; k < 2; k++) {
        FrWorld *world = awake_world(ctx, fr_vec3_zero);
        FrBodyDef wall = ball_def(&material, 0.0, fr_vec3(-0.1, -0.1, 0), fr_vec3_zero);
        wall.mesh = &plate;
        wall.kinematic = true;
        put(ctx, world, &wall);
        FrBodyDef def = ball_def(&material, 0.0, fr_vec3(0.003, 0.004, 0.2), fr_vec3(0, 0, -20));
        def.mesh = &die;
        if (k) def.rotation = fr_quat_from_rotation(fr_vec3(0.5, 0.6, 0.2));
        put(ctx, world, &def);
        test_run(ctx, world, 0.05);
        CHECK(impacts(world, NULL) >= 1);
        CHECK(frame_at(world, 1).velocity.z > 0.0 && frame_at(world, 1).position.z > 0.0);
        // solver: impulses of four corners
        if (!k) CHECK_NEAR(frame_at(world, 1).velocity.z, 10.0, 1e-8);
        fr_world_destroy(world);
    }
    test_mesh_free(&plate);
    test_mesh_free(&die);
    fr_context_destroy(ctx);
}

// held until 0.1 s, then thrown: the parabola of a free body from there on, no energy out of
// nowhere, and a checkpoint on either side goes on to the same bits
TEST(what_is_let_go_flies) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.3);
    FrVec3 g = {0, 0, -9.81}, v = {1, 0, 2};
    for (int k = 0; k < 3; k++) {
        FrWorld *world[2];
        for (int i = 0; i < 2; i++) {
            world[i] = awake_world(ctx, g);
            FrBodyDef def = ball_def(&material, 0.05, fr_vec3(0, 0, 1), v);
            def.kinematic = true;
            def.until = 0.1;
            put(ctx, world[i], &def);
        }
        double cut = 0.05 + 0.1 * k;
        uint8_t *bytes;
        size_t size;
        test_run(ctx, world[0], cut);
        CHECK_OK(ctx, fr_world_save(world[0], &bytes, &size));
        CHECK_OK(ctx, fr_world_load(world[1], bytes, size));
        for (int i = 0; i < 2; i++) test_run(ctx, world[i], 0.4);
        double t = fr_world_time(world[0]) - 0.1;
        FrVec3 at = fr_add(fr_vec3(t, 0, 1 + 2 * t), fr_scale(0.5 * t * t, g));
        // rounding: some 40 steps that are parabolas
        CHECK(fr_distance(frame_at(world[0], 0).position, at) < 1e-12);
        FrEnergy e;
        fr_world_energy(world[0], &e);
        CHECK_NEAR(e.kinetic, e.external, 1e-12 * e.kinetic);
        CHECK(fr_world_stats(world[0]).momentum_drift < TOL_MOMENTUM);
        CHECK(checkpoint_hash(world[0]) == checkpoint_hash(world[1]));
        fr_world_free_bytes(ctx, bytes);
        fr_world_destroy(world[0]);
        fr_world_destroy(world[1]);
    }
    fr_context_destroy(ctx);
}

// let go at 0 it falls from the start as one that is free; at INFINITY, which is the default, never
TEST(what_is_let_go_at_once_or_never) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.3);
    double fallen[3];
    for (int k = 0; k < 3; k++) {
        FrWorld *world = awake_world(ctx, fr_vec3(0, 0, -9.81));
        FrBodyDef def = ball_def(&material, 0.05, fr_vec3(0, 0, 1), fr_vec3_zero);
        CHECK(isinf(def.until));
        def.kinematic = k > 0;
        if (k == 1) def.until = 0.0;
        put(ctx, world, &def);
        test_run(ctx, world, 0.1);
        fallen[k] = 1.0 - frame_at(world, 0).position.z;
        fr_world_destroy(world);
    }
    CHECK(fallen[0] > 0.04 && fallen[1] == fallen[0] && fallen[2] == 0.0);
    fr_context_destroy(ctx);
}

// a kinematic ball is not slowed: what it hits leaves with (1 + e) times its speed
TEST(a_led_ball_drives) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.0);
    FrWorld *world = awake_world(ctx, fr_vec3_zero);
    FrKey key[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {1.0, {2, 0, 0}, {1, 0, 0, 0}}};
    FrBodyDef kinematic = ball_def(&material, 0.1, fr_vec3_zero, fr_vec3_zero);
    kinematic.kinematic = true;
    kinematic.track = (FrTrack){key, 2, {0, 0, 0}};
    put(ctx, world, &kinematic);
    FrBodyDef ball = ball_def(&material, 0.05, fr_vec3(0.4, 0, 0), fr_vec3_zero);
    put(ctx, world, &ball);
    test_run(ctx, world, 0.5);
    FrEvent hit;
    CHECK_INT(impacts(world, &hit), 1);
    // rounding: one impact
    CHECK_NEAR(hit.t, 0.25 / 2.0, 1e-12);
    CHECK_NEAR(frame_at(world, 1).velocity.x, 3.0, 1e-12);
    CHECK_NEAR(frame_at(world, 0).position.x, 1.0, 1e-12);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}
