// job_timing.c: how time is cut into frames, poses and macro steps.

#include "context.h"
#include "fracas/world.h"
#include "run/simulate.h"
#include "test.h"
#include <math.h>

TEST(macro_steps_divide_frames_and_serve_poses) {
    FrTiming t = fr_timing(0.5, 30.0, 240.0);
    CHECK_INT(t.ticks_per_frame, 8);
    CHECK_NEAR(t.step, 1.0 / 240.0, 1e-15); // rounding
    CHECK_INT(t.tick_count, 120);
    CHECK_INT(t.ticks_per_pose, 1);
}

// what is soft keeps its macro steps; what is stiff gets shorter ones, poses stay where they were
TEST(macro_steps_hold_few_substeps) {
    FrTiming t = fr_timing(0.5, 30.0, 240.0), soft = fr_timing_for(t, 1e-4);
    CHECK_INT(soft.tick_count, t.tick_count);
    static const double substep[3] = {1e-5, 6e-7, 1e-8};
    for (int k = 0; k < 3; k++) {
        FrTiming stiff = fr_timing_for(t, substep[k]);
        // rounding: one or two products
        CHECK(stiff.step <= 256.0 * substep[k] * (1 + 1e-12));
        CHECK(stiff.step > 128.0 * substep[k]);
        CHECK_NEAR(stiff.step * stiff.ticks_per_frame, 1.0 / t.fps, 1e-15);
        CHECK_NEAR(stiff.step * stiff.ticks_per_pose, t.step * t.ticks_per_pose, 1e-15);
        CHECK_NEAR(stiff.step * (double)stiff.tick_count, t.duration, 1e-12);
    }
}

TEST(a_world_takes_another_macro_step_before_its_first) {
    FrContext *ctx = make_unsynced_context(NULL);
    FrWorldDef def = fr_world_def_default();
    FrWorld *world;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    CHECK_OK(ctx, fr_world_set_step(world, 1e-3));
    CHECK_OK(ctx, fr_world_step(world));
    CHECK_NEAR(fr_world_time(world), 1e-3, TOL_EXACT); // exact
    CHECK_INT(fr_world_set_step(world, 2e-3), FR_BAD_USE);
    fr_world_destroy(world);
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    CHECK_INT(fr_world_set_step(world, 0.0), FR_BAD_USE);
    CHECK_INT(fr_world_set_step(world, (double)NAN), FR_BAD_USE);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}
