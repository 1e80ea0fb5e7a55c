// own_model.c: the model table is open: a mass on a spring that only tests know (own_model.h)
// swings, bounces off planes, solids and frames, and is checkpointed and filmed.

#include "own_world.h"
#include "event/log.h"
#include "render/render.h"

// T = 2 pi sqrt(m / k), from x = A sin(2 pi t / T)
TEST(it_swings_with_its_period) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    add_mass(ctx, world, &material, fr_vec3_zero, fr_vec3(1, 0, 0));
    double w = sqrt(OWN_STIFFNESS / own_mass), before = 0.0, crossed[2] = {0, 0};
    for (int rises = 0; rises < 2;) {
        CHECK_OK(ctx, fr_world_step(world));
        double x = fr_world_view(world)->frame[0].position.x, t = fr_world_time(world);
        CHECK_NEAR(x, sin(w * t) / w, 1e-14 * t * 240.0); // rounding: of each of 240 steps a second
        if (before < 0.0 && x >= 0.0)
            crossed[rises++] =
                t - fr_world_time(world) / (double)fr_world_tick(world) * x / (x - before);
        before = x;
    }
    // step: x is straight between two of them but for (w dt)^2 / 6, and that at both ends alike
    CHECK_CLOSE(crossed[1] - crossed[0], 2.0 * FR_PI * sqrt(own_mass / OWN_STIFFNESS), 1e-3);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

TEST(it_bounces_off_planes_solids_and_frames) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e6, 0.3);
    for (int target = PLANE; target <= FRAME; target++) {
        FrWorld *world = make_throw(ctx, (Target)target, &material);
        FrLedger ledger = {0};
        double lowest = 1.0;
        int64_t count;
        world_note(&ledger, world);
        while (fr_world_time(world) < 0.15) {
            CHECK_OK(ctx, world_step(world));
            world_note(&ledger, world);
            lowest = fr_min(lowest, fr_world_view(world)->frame[0].position.z);
        }
        FrVec3 p, angular;
        FrBodyFrame ball = fr_world_view(world)->frame[0];
        fr_world_momentum(world, &p, &angular);
        const FrEvent *event = world_events(world, &count);
        CHECK(count >= 1 && event[0].kind == FR_EVENT_IMPACT && fr_event_body(&event[0]) == 0);
        CHECK(lowest > 0.02 && lowest < 0.05); // it met the surface with its ball
        CHECK(ball.velocity.z > -1.0 && ball.position.z > 0.05);
        // the other side is pushed along: z of all but the mass, kg m/s
        if (target != PLANE) CHECK(p.z - own_mass * ball.velocity.z < -0.5);
        CHECK(fr_ledger_closure(&ledger) < TOL_LEDGER);
        CHECK(fr_world_stats(world).momentum_drift < TOL_MOMENTUM);
        printf("  target %d: ledger %.1e, momentum %.1e\n", target, fr_ledger_closure(&ledger),
               fr_world_stats(world).momentum_drift);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

TEST(a_checkpoint_has_all_of_it) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e6, 0.3);
    for (int target = PLANE; target <= FRAME; target++) {
        FrWorld *world = make_throw(ctx, (Target)target, &material);
        FrWorld *other = make_throw(ctx, (Target)target, &material);
        uint8_t *bytes;
        size_t size;
        test_run(ctx, world, 0.045); // while they touch
        CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
        CHECK_OK(ctx, fr_world_load(other, bytes, size));
        fr_world_free_bytes(ctx, bytes);
        CHECK(checkpoint_hash(world) == checkpoint_hash(other));
        test_run(ctx, world, 0.2);
        test_run(ctx, other, 0.2);
        CHECK(checkpoint_hash(world) == checkpoint_hash(other));
        CHECK(fr_world_hash(world) == fr_world_hash(other));
        fr_world_destroy(world);
        fr_world_destroy(other);
    }
    fr_context_destroy(ctx);
}

static FrVec3 place_of_ball(FrWorld *world) { return fr_world_view(world)->frame[0].position; }

/// The sum that stays, J.
static double ledger_sum(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic + e.contact - e.external;
}

// in all that it is given, and in the steps after that
static void check_books(FrContext *ctx, FrWorld *world, double before) {
    for (int k = 0; k < 5; k++) CHECK_OK(ctx, world_step(world));
    CHECK_NEAR(ledger_sum(world), before, 1e-13); // rounding
    CHECK(fr_world_stats(world).momentum_drift < TOL_MOMENTUM);
}

TEST(callers_push_and_put_it) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    FrBodyId id = add_mass(ctx, world, &material, fr_vec3_zero, fr_vec3(1, 0, 0));
    FrVec3 J = fr_vec3(0.1, -0.2, 0.3), to = fr_vec3(0.5, 0, 0.2), zero = fr_vec3_zero;
    double sum = ledger_sum(world), h = 1.0 / 240.0;
    FrBodyMotion m;
    check_books(ctx, world, sum);
    CHECK_OK(ctx, fr_body_motion(world, id, &m));
    CHECK_NEAR(m.mass, own_mass, TOL_EXACT);
    FrVec3 want = fr_axpy(1.0 / own_mass, J, m.velocity);
    CHECK_OK(ctx, fr_body_add_impulse(world, id, m.centre, J));
    CHECK_OK(ctx, fr_body_motion(world, id, &m));
    CHECK_NEAR(fr_distance(m.velocity, want), 0.0, 1e-15); // rounding
    check_books(ctx, world, sum);
    CHECK_OK(ctx, fr_body_set_place(world, id, to, fr_quat_identity));
    CHECK_OK(ctx, fr_body_set_velocity(world, id, J, zero));
    CHECK_OK(ctx, fr_body_motion(world, id, &m));
    CHECK_NEAR(fr_distance(m.centre, to) + fr_distance(m.velocity, J), 0.0, TOL_EXACT);
    check_books(ctx, world, sum);
    FrWorld *other = test_world(ctx, fr_vec3(0, 0, -9.81)); // the same without the force
    FrBodyId twin = add_mass(ctx, other, &material, fr_vec3_zero, zero);
    CHECK_OK(ctx, fr_body_set_place(other, twin, to, fr_quat_identity));
    CHECK_OK(ctx, fr_body_set_place(world, id, to, fr_quat_identity));
    CHECK_OK(ctx, fr_body_set_velocity(other, twin, fr_scale(h / own_mass, J), zero));
    CHECK_OK(ctx, fr_body_set_velocity(world, id, zero, zero));
    CHECK_OK(ctx, fr_body_add_force(world, id, to, J));
    CHECK_OK(ctx, world_step(world));
    CHECK_OK(ctx, world_step(other));
    // reason: rounding
    CHECK_NEAR(fr_distance(place_of_ball(world), place_of_ball(other)), 0.0, 1e-15);
    check_books(ctx, world, sum);
    CHECK_INT(fr_body_add_torque(world, id, J), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "no inertia to turn");
    CHECK_INT(fr_body_sleep(world, id), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "never sleeps");
    fr_world_destroy(world);
    fr_world_destroy(other);
    fr_context_destroy(ctx);
}

// a grab beside its own spring: w^2 = (k + K) / m, also where a checkpoint goes on
TEST(callers_grab_it) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world[2];
    FrBodyId id = {0};
    for (int k = 0; k < 2; k++) {
        world[k] = test_world(ctx, fr_vec3_zero);
        id = add_mass(ctx, world[k], &material, fr_vec3_zero, fr_vec3(0.1, 0, 0));
    }
    FrGrabDef def = fr_grab_def_default();
    FrGrabId grab;
    def.body = id;
    def.stiffness = 25.0;
    def.damping = 0.0;
    CHECK_OK(ctx, fr_grab_create(world[0], &def, &grab));
    double half = FR_PI / sqrt((OWN_STIFFNESS + def.stiffness) / own_mass), x = 1.0, before = 1.0;
    double start = ledger_sum(world[0]);
    while (x > 0.0) {
        before = x;
        CHECK_OK(ctx, world_step(world[0]));
        x = place_of_ball(world[0]).x;
    }
    // step: an implicit spring is late by (w h)^2 and damps
    CHECK_CLOSE(fr_world_time(world[0]) - x / (x - before) / 240.0, half, 5e-3);
    CHECK_NEAR(ledger_sum(world[0]), start, 1e-13); // rounding
    CHECK(fr_world_stats(world[0]).momentum_drift < TOL_MOMENTUM);
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_world_save(world[0], &bytes, &size));
    CHECK_OK(ctx, fr_world_load(world[1], bytes, size));
    fr_world_free_bytes(ctx, bytes);
    for (int k = 0; k < 50; k++)
        for (int i = 0; i < 2; i++) CHECK_OK(ctx, world_step(world[i]));
    CHECK(checkpoint_hash(world[0]) == checkpoint_hash(world[1]));
    CHECK_OK(ctx, fr_grab_destroy(world[1], grab));
    for (int k = 0; k < 2; k++) fr_world_destroy(world[k]);
    fr_context_destroy(ctx);
}

enum { WIDTH = 320, HEIGHT = 180 };

static const uint8_t *seen(const FrCamera *camera, const uint8_t *rgba, FrVec3 at) {
    FrVec3 p = fr_camera_project(camera, WIDTH, HEIGHT, at);
    CHECK(p.x > 0 && p.x < WIDTH && p.y > 0 && p.y < HEIGHT);
    return rgba + 4 * ((int32_t)p.y * WIDTH + (int32_t)p.x);
}

TEST(a_film_shows_it) {
    FrContext *ctx = test_context(1);
    FrMaterial red = elastic_material(1e6, 0.3);
    FrRendererDef def = fr_renderer_def_default();
    FrRenderOptions options = fr_render_options_default();
    static uint8_t rgba[4 * WIDTH * HEIGHT];
    FrRenderer *renderer;
    FrCamera camera;
    red.colour[0] = 0.9f;
    def.width = WIDTH, def.height = HEIGHT;
    FrWorld *world = make_throw(ctx, PLANE, &red);
    test_run(ctx, world, 0.1);
    const FrFrameView *view = fr_world_view(world);
    FrVec3 at = view->frame[0].position;
    CHECK_OK(ctx, fr_renderer_create(ctx, &def, &renderer));
    CHECK_OK(ctx, fr_camera_auto_view(ctx, view, WIDTH / (double)HEIGHT, &camera));
    CHECK_OK(ctx, fr_render_frame(renderer, view, &camera, &options, rgba));
    const uint8_t *in = seen(&camera, rgba, at);
    CHECK(in[0] > 80 && in[0] > 2 * in[1] && in[0] > 2 * in[2]);
    fr_renderer_destroy(renderer);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}
