// world.c: bodies in a world keep the laws: momentum, Coulomb, Newton, and the same bits however
// they are run.

#include "base/clock.h"
#include "world_kit.h"

static const FrVec3 weightless = {0, 0, 0}, earth = {0, 0, -9.81};

// two soft boxes meet off centre in empty space
static FrWorld *collision(FrContext *ctx, const FrTetMesh *box, const FrMaterial *material) {
    FrWorld *world = test_world(ctx, weightless);
    world_body(ctx, world, box, material, fr_vec3(0, 0, 0), fr_vec3(1, 0, 0));
    world_body(ctx, world, box, material, fr_vec3(0.25, 0.08, 0.03), fr_vec3(-1, 0, 0.2));
    return world;
}

// penalty forces act on both sides at the same point: linear and angular momentum stay [M11]
TEST(collisions_keep_momentum) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(4, 4, 4, 0.05);
    FrMaterial material = elastic_material(2e5, 0.3);
    FrWorld *world = collision(ctx, &box, &material);
    FrVec3 p0, L0, p, L;
    fr_world_momentum(world, &p0, &L0);
    test_run(ctx, world, 0.25);
    fr_world_momentum(world, &p, &L);
    double size = 8.0 * 1.0; // mass of a box times its speed: the scale that rounding acts on
    CHECK(fr_world_stats(world).contacts > 1000);
    // rounding: 1,000 contacts
    CHECK_NEAR(fr_distance(p, p0), 0, 1e-12 * size);
    CHECK_NEAR(fr_distance(L, L0), 0, 1e-12 * size * 0.2);
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

TEST(same_bits_for_any_number_of_workers) {
    static const int32_t workers[] = {1, 2, 3, 8};
    FrTetMesh box = test_box(5, 5, 5, 0.04);
    FrMaterial material = elastic_material(2e5, 0.3);
    uint64_t first = 0;
    for (int k = 0; k < 4; k++) {
        FrContext *ctx = test_context(workers[k]);
        FrWorld *world = collision(ctx, &box, &material);
        test_run(ctx, world, 0.08);
        if (k == 0) first = checkpoint_hash(world);
        CHECK(checkpoint_hash(world) == first && first != 0);
        fr_world_destroy(world);
        fr_context_destroy(ctx);
    }
    test_mesh_free(&box);
}

// a checkpoint in the middle of a collision goes on to the same bits
TEST(checkpoints_go_on_with_the_same_bits) {
    FrContext *ctx = test_context(2);
    FrTetMesh box = test_box(4, 4, 4, 0.05);
    FrMaterial material = elastic_material(2e5, 0.3);
    FrWorld *whole = collision(ctx, &box, &material), *resumed = collision(ctx, &box, &material);
    uint8_t *bytes;
    size_t size;
    test_run(ctx, whole, 0.06);
    CHECK_OK(ctx, fr_world_save(whole, &bytes, &size));
    CHECK_OK(ctx, fr_world_load(resumed, bytes, size));
    CHECK(checkpoint_hash(whole) == checkpoint_hash(resumed));
    test_run(ctx, whole, 0.12);
    test_run(ctx, resumed, 0.12);
    CHECK(checkpoint_hash(whole) == checkpoint_hash(resumed));
    CHECK(fr_world_hash(whole) == fr_world_hash(resumed));
    // any cut of it is refused, never taken
    for (size_t cut = 0; cut < size; cut += 997)
        CHECK_INT(fr_world_load(resumed, bytes, cut), FR_BAD_INPUT);
    fr_world_free_bytes(ctx, bytes);
    fr_world_destroy(whole);
    fr_world_destroy(resumed);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// block on a slope that rises along x; gravity is turned instead of the ground
static double slide(FrContext *ctx, double angle, double friction, double from, double until,
                    double *speed) {
    FrTetMesh block = test_box(4, 4, 2, 0.05);
    FrMaterial material = elastic_material(1e6, 0.3);
    material.friction_static = material.friction_dynamic = friction;
    material.alpha1 = 1e-4;
    fr_material_set_young(&material, 1e6, 0.3);
    double g = 9.81;
    FrWorld *world = test_world(ctx, fr_vec3(g * sin(angle), 0, -g * cos(angle)));
    CHECK_OK(ctx, fr_world_add_plane(world, "slope", fr_vec3(0, 0, 1), 0.0, &material));
    world_body(ctx, world, &block, &material, fr_vec3(0, 0, 0), fr_vec3(0, 0, 0));
    test_run(ctx, world, from);
    const FrFrameView *view = fr_world_view(world);
    FrVec3 v0 = test_mean(view->frame[0].v, block.node_count),
           x0 = test_mean(view->frame[0].p, block.node_count);
    test_run(ctx, world, until);
    view = fr_world_view(world);
    FrVec3 v1 = test_mean(view->frame[0].v, block.node_count),
           x1 = test_mean(view->frame[0].p, block.node_count);
    *speed = (x1.x - x0.x) / (until - from);
    fr_world_destroy(world);
    test_mesh_free(&block);
    return (v1.x - v0.x) / (until - from);
}

// asked to stop, a macro step of a hundred thousand substeps ends within about a second, undone;
// one of a few comes to its end
TEST(a_long_step_stops_when_asked) {
    FrTetMesh box = test_box(6, 6, 6, 0.05);
    FrMaterial material = elastic_material(2e11, 0.3), soft = elastic_material(2e5, 0.3);
    int32_t node = 0;
    for (int longer = 0; longer < 2; longer++) {
        FrContext *ctx = test_context(1);
        FrWorld *world = test_world(ctx, weightless);
        world_body(ctx, world, &box, longer ? &material : &soft, fr_vec3_zero, fr_vec3(0, 0, 1));
        CHECK_OK(ctx, fr_world_set_step(world, longer ? 0.5 : 1.0 / 240.0));
        FrDriveDef held = fr_drive_def_default(); // what flies takes one step, however long
        held.body = (FrBodyId){1};
        held.node = &node;
        held.node_count = 1;
        CHECK_OK(ctx, fr_drive_create(world, &held, NULL));
        double start = fr_wall_seconds();
        fr_context_cancel(ctx);
        CHECK_INT(world_step(world), longer ? FR_INTERRUPTED : FR_OK);
        CHECK(fr_wall_seconds() - start < 5.0); // on a busy machine
        CHECK_INT(fr_world_tick(world), !longer);
        fr_world_destroy(world);
        fr_context_destroy(ctx);
    }
    test_mesh_free(&box);
}

// Coulomb: sticks below atan(mu), slides with g (sin - mu cos) above [M11]
TEST(friction_incline) {
    FrContext *ctx = test_context(2);
    double mu = 0.5, limit = atan(mu), speed;
    slide(ctx, limit - 0.05, mu, 0.5, 0.75, &speed);
    // promise: holds, but for the rest of the settling swing over a quarter second
    CHECK_NEAR(speed, 0.0, 1e-4);
    double steep = limit + 0.2;
    double a = slide(ctx, steep, mu, 0.3, 0.6, &speed);
    // model: the block still swings a little
    CHECK_CLOSE(a, 9.81 * (sin(steep) - mu * cos(steep)), 0.02);
    fr_context_destroy(ctx);
}

// The kinetic energy of a soft block at 2.5 m/s is 0.4 of what would squeeze all of it flat (E = 8
// kPa: rho v^2 / (2 E)), yet no node sinks further than 1.5 cells into the ground (1.2 is found):
// the tets below the surface carry when those of the surface are under it, and what is deep in the
// ground is pushed harder. If it were not, the block, whose tets stiffen when they are squeezed,
// would sink by 1.73 cells.
TEST(soft_blocks_do_not_sink_through_the_ground) {
    FrContext *ctx = test_context(1);
    double h = 0.02, deepest = 0.0;
    FrTetMesh box = test_box(4, 4, 6, h);
    FrMaterial material = elastic_material(8e3, 0.4);
    FrWorld *world = test_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    world_body(ctx, world, &box, &material, fr_vec3(0, 0, 0.01), fr_vec3(0, 0, -2.5));
    while (fr_world_time(world) < 0.12) {
        test_run(ctx, world, fr_world_time(world) + 0.004);
        const FrFrameView *view = fr_world_view(world);
        for (int32_t n = 0; n < box.node_count; n++)
            deepest = fr_min(deepest, view->frame[0].p[3 * n + 2]);
    }
    CHECK(deepest > -1.5 * h);
    CHECK(deepest < 0.0);
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// mean over all tets of the mean of their edges, m: the size of cells that contact knows
static double cell_size(const FrTetMesh *mesh) {
    double sum = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++)
                sum += fr_distance(fr_get3(mesh->x, mesh->tet[e][i]),
                                   fr_get3(mesh->x, mesh->tet[e][j]));
    return sum / (6.0 * mesh->tet_count);
}

// What lies deep under a plane, at rest and without weight, is pushed up in proportion to its
// depth: k_err = M / 2h on its volume (M the modulus of a squeezed tet), four times that (the layer
// is as crowded as it gets) times d / h, so z'' = -w^2 z, w^2 = 2 M / (rho h^2) [M11].
TEST(what_is_under_a_plane_is_pushed_by_its_depth) {
    FrTetMesh box = test_box(4, 4, 4, 0.02);
    FrMaterial material = elastic_material(8e4, 0.3);
    material.restitution = 1.0; // no dashpot
    double w =
        sqrt(2.0 * (material.lambda + 2.0 * material.mu) / material.density) / cell_size(&box);
    for (double depth = 0.2; depth < 2.0; depth *= 2.0) {
        FrContext *ctx = test_context(1);
        FrWorld *world = test_world(ctx, weightless);
        double t = 0.05 / w; // velocities are half a step behind
        CHECK_OK(ctx, fr_world_set_step(world, t / 100.0));
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        FrVec3 middle = test_mean(box.x, box.node_count);
        world_body(ctx, world, &box, &material, fr_vec3(0, 0, -depth - middle.z), fr_vec3_zero);
        test_run(ctx, world, t);
        const FrFrameView *view = fr_world_view(world);
        FrVec3 v = test_mean(view->frame[0].v, box.node_count);
        // step: velocities are half of one behind, 1 / 200
        CHECK_CLOSE(v.z, w * depth * sin(w * fr_world_time(world)), 0.01);
        fr_world_destroy(world);
        fr_context_destroy(ctx);
    }
    test_mesh_free(&box);
}

// thrown up and caught by the ground: what the impact event says is what the momentum did
TEST(impacts_are_reported) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(3, 3, 3, 0.04);
    FrMaterial material = elastic_material(3e5, 0.3);
    FrWorld *world = test_world(ctx, weightless);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    world_body(ctx, world, &box, &material, fr_vec3(0, 0, 0.05), fr_vec3(0, 0, -1.0));
    FrVec3 before, after, L;
    fr_world_momentum(world, &before, &L);
    test_run(ctx, world, 0.3);
    fr_world_momentum(world, &after, &L);
    int64_t count;
    const FrEvent *event = world_events(world, &count);
    CHECK_INT(count, 1);
    if (count == 1) {
        CHECK_INT(event->a.index1, 1);
        CHECK_INT(event->b.index1, 0);
        // step: 5 cm at 1 m/s; a few substeps until the overlap counts
        CHECK_NEAR(event->t, 0.05, 2e-3);
        CHECK_NEAR(event->u.impact.v_n, 1.0, 1e-12); // rounding: nothing acts before
        // rounding
        CHECK_NEAR(fr_distance(event->u.impact.impulse, fr_sub(after, before)), 0, 1e-12);
        // mesh: the mean over contacts of a face that swings
        CHECK_NEAR(event->u.impact.x.x, 0.06, 1e-3);
    }
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

TEST(a_constant_force_gives_a_constant_acceleration) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(2, 2, 2, 0.05);
    FrMaterial material = elastic_material(1e5, 0.3);
    FrWorld *world = test_world(ctx, weightless);
    FrBodyId id = world_body(ctx, world, &box, &material, fr_vec3_zero, fr_vec3_zero);
    FrLoadDef load = fr_load_def_default();
    load.kind = FR_LOAD_FORCE;
    load.body = id;
    load.vector = (FrVec3){2, 0, 0};
    CHECK_OK(ctx, fr_load_create(world, &load, NULL));
    test_run(ctx, world, 0.5);
    FrVec3 p, L;
    fr_world_momentum(world, &p, &L);
    double dt = 0.5 / (double)fr_world_stats(world).steps, t = 0.5 - 0.5 * dt;
    CHECK_NEAR(p.x, 2.0 * t, 1e-12); // impulse = force x time, of half a step before
    // on the parabola, to rounding
    CHECK_CLOSE(fr_world_view(world)->frame[0].p[0] - box.x[0], 0.5 * 2.0 * 0.5 * 0.5, 1e-12);
    FrEnergy e;
    fr_world_energy(world, &e);
    CHECK_CLOSE(e.external, 0.5 * p.x * p.x / 1.0, 1e-6); // mass 1 kg, up to that half step
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// pressure on a closed surface pushes nowhere; a blast comes when it should
TEST(pressure_and_blast) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(3, 3, 3, 0.05);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = test_world(ctx, weightless);
    FrBodyId id = world_body(ctx, world, &box, &material, fr_vec3_zero, fr_vec3_zero);
    FrLoadDef all_round = fr_load_def_default();
    all_round.kind = FR_LOAD_PRESSURE;
    all_round.body = id;
    all_round.pressure = 1e3;
    CHECK_OK(ctx, fr_load_create(world, &all_round, NULL));
    FrLoadDef blast = fr_load_def_default();
    blast.kind = FR_LOAD_BLAST;
    blast.body = id;
    blast.pressure = 1e3;
    blast.origin = (FrVec3){-5, 0.075, 0.075};
    blast.speed = 100.0;
    blast.decay = 1e-3;
    CHECK_OK(ctx, fr_load_create(world, &blast, NULL));
    FrVec3 p, L;
    test_run(ctx, world, 0.0495);
    fr_world_momentum(world, &p, &L);
    CHECK_NEAR(fr_length(p), 0.0,
               1e-13); // rounding: 1e3 Pa x 0.0225 m^2 x 0.05 s = 1.1 N s on each side cancel
    test_run(ctx, world, 0.1);
    fr_world_momentum(world, &p, &L);
    // impulse of a plane wave on the near side: P A T, the decay being long over
    CHECK_CLOSE(p.x, 1e3 * 0.15 * 0.15 * 1e-3,
                2e-3); // exact in time; the pressure shrinks the face by 0.1 %
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// one end held, the other led along a path and let go
TEST(driven_nodes_follow_their_track) {
    FrContext *ctx = test_context(1);
    FrTetMesh bar = test_box(8, 2, 2, 0.05);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = test_world(ctx, weightless);
    FrBodyId id = world_body(ctx, world, &bar, &material, fr_vec3_zero, fr_vec3_zero);
    FrKey key[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {0.1, {0.02, 0, 0}, {1, 0, 0, 0}}};
    world_drive_end(ctx, world, id, &bar, 0.0, (FrTrack){0}, HUGE_VAL);
    FrTrack track = {key, 2, {0, 0, 0}};
    int32_t node = world_drive_end(ctx, world, id, &bar, 0.4, track, 0.2);
    test_run(ctx, world, 0.05);
    const FrFrameView *view = fr_world_view(world);
    // rounding: one mean of two keys
    CHECK_NEAR(view->frame[0].p[3 * node], 0.41, 1e-12);
    test_run(ctx, world, 0.2);
    view = fr_world_view(world);
    CHECK_NEAR(view->frame[0].p[3 * node], 0.42, 1e-12);
    test_run(ctx, world, 0.25);
    view = fr_world_view(world);
    CHECK(fabs(view->frame[0].p[3 * node] - 0.42) > 1e-3); // free again
    FrEnergy e;
    fr_world_energy(world, &e);
    // step: what the hand put in is what is there, but for (w dt)^2
    CHECK_CLOSE(e.kinetic + e.elastic, e.external, 2e-3);
    fr_world_destroy(world);
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

// nodes in two drives: the end of one leaves them to the other
TEST(a_node_that_is_led_twice_stays_held) {
    FrContext *ctx = test_context(1);
    FrTetMesh bar = test_box(4, 2, 2, 0.05);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = test_world(ctx, earth);
    FrBodyId id = world_body(ctx, world, &bar, &material, fr_vec3_zero, fr_vec3_zero);
    int32_t node = world_drive_end(ctx, world, id, &bar, 0.0, (FrTrack){0}, HUGE_VAL);
    world_drive_end(ctx, world, id, &bar, 0.0, (FrTrack){0}, 0.05);
    test_run(ctx, world, 0.2);
    const FrFrameView *view = fr_world_view(world);
    CHECK_NEAR(view->frame[0].p[3 * node + 2], bar.x[3 * node + 2], TOL_EXACT);
    fr_world_destroy(world);
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

// a kinematic sphere pushes a block that was at rest; the block ends up faster than the sphere,
// never inside it
TEST(a_led_sphere_pushes) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(4, 4, 4, 0.05);
    FrMaterial material = elastic_material(5e5, 0.3);
    FrWorld *world = test_world(ctx, weightless);
    world_body(ctx, world, &box, &material, fr_vec3(0, -0.1, -0.1), fr_vec3_zero);
    world_pusher(ctx, world, &material);
    test_run(ctx, world, 0.4);
    const FrFrameView *view = fr_world_view(world);
    // rounding: where its track says, whatever it hit
    CHECK_NEAR(view->frame[1].position.x, 0.25, 1e-12);
    FrVec3 v = test_mean(view->frame[0].v, box.node_count);
    CHECK(v.x > 1.0 &&
          v.x < 2.0); // a hit by something very heavy: between once and twice its speed
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// a heavy free ball falls on the ground and stays there
TEST(a_free_sphere_comes_to_rest) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e7, 0.3);
    FrWorld *world = test_world(ctx, earth);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef ball = fr_body_def_default();
    ball.model = FR_MODEL_FRAME;
    ball.radius = 0.1;
    ball.material = &material;
    ball.material_count = 1;
    ball.position = fr_vec3(0, 0, 0.3);
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, &ball, &id));
    test_run(ctx, world, 4.0);
    const FrFrameView *view = fr_world_view(world);
    CHECK_NEAR(view->frame[0].position.z, 0.1, 2e-5); // model: slop of the correction of places
    CHECK(fr_length(view->frame[0].velocity) == 0.0); // asleep
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

TEST(mistakes_are_reported) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(1, 1, 1, 0.1);
    FrMaterial material = elastic_material(1e6, 0.3), bad = material;
    bad.density = -1.0;
    FrWorldDef wrong = fr_world_def_default();
    FrWorld *world = NULL;
    wrong.step = 0.0;
    CHECK_INT(fr_world_create(ctx, &wrong, &world), FR_BAD_USE);
    CHECK(world == NULL);
    world = test_world(ctx, earth);
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    def.mesh = &box;
    def.name = "brick";
    def.material = &bad;
    def.material_count = 1;
    CHECK_INT(fr_body_create(world, &def, &id), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "brick");
    CHECK_HAS(fr_context_message(ctx), "density");
    def.material = &material;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    int32_t node = 99;
    FrDriveDef drive = fr_drive_def_default();
    drive.body = id;
    drive.node = &node;
    drive.node_count = 1;
    CHECK_INT(fr_drive_create(world, &drive, NULL), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "node 99");
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}
