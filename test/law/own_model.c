// own_model.c: the model table is open: a mass on a spring that only tests know (own_model.h)
// swings, bounces off planes, solids and frames, and is checkpointed and filmed.

#include "own_world.h"
#include "event/log.h"
#include "render/render.h"

// T = 2 pi sqrt(m / k), from x = A sin(2 pi t / T)
TEST(it_swings_with_its_period) {
    FrContext *ctx = test_context(1);
    FrMaterial material = test_stuff(1e6, 0.3);
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
    FrMaterial material = test_stuff(1e6, 0.3);
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
    FrMaterial material = test_stuff(1e6, 0.3);
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

enum { WIDTH = 320, HEIGHT = 180 };

static const uint8_t *seen(const FrCamera *camera, const uint8_t *rgba, FrVec3 at) {
    FrVec3 p = fr_camera_project(camera, WIDTH, HEIGHT, at);
    CHECK(p.x > 0 && p.x < WIDTH && p.y > 0 && p.y < HEIGHT);
    return rgba + 4 * ((int32_t)p.y * WIDTH + (int32_t)p.x);
}

TEST(a_film_shows_it) {
    FrContext *ctx = test_context(1);
    FrMaterial red = test_stuff(1e6, 0.3);
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
