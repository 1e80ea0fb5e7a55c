// heap_kit.h: stiff blocks of model corot in a heap at 1/60 s, awake all the time.
#pragma once
#include "world_kit.h"

/// Six blocks of 1e9 Pa fall on each other and lie there.
static inline void watch_heap(double minutes) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(1, 1, 1, 0.1);
    FrMaterial material = elastic_material(1e9, 0.33);
    FrWorldDef world_def = fr_world_def_default();
    FrWorld *world = NULL;
    world_def.step = 1.0 / 60.0, world_def.gravity = fr_vec3(0, 0, -9.81);
    world_def.sleep_time = 0.0; // it has to stay calm by itself
    CHECK_OK(ctx, fr_world_create(ctx, &world_def, &world));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    for (int k = 0; k < 6; k++) {
        FrBodyDef def = fr_body_def_default();
        def.model = FR_MODEL_COROT, def.mesh = &box;
        def.material = &material, def.material_count = 1, def.damping_limit = HUGE_VAL;
        def.position = fr_vec3(0.03 * (k % 2), 0.02 * (k % 3), 0.01 + 0.13 * k);
        CHECK_OK(ctx, fr_body_create(world, &def, NULL));
    }
    double most = 0.0, begun = 6.0 * 9.81 * 0.7; // J: it cannot have more than it fell with
    FrEnergy e = {0};
    for (int k = 0; k < 3600 * minutes; k++) {
        FrResult result = fr_world_step(world);
        CHECK_OK(ctx, result);
        if (result != FR_OK) break;
        fr_world_energy(world, &e);
        most = fr_max(most, e.kinetic + e.elastic);
    }
    printf("  %.0f s: most energy %.3g J, at the end %.3g J; momentum %.1e\n", fr_world_time(world),
           most, e.kinetic + e.elastic, fr_world_stats(world).momentum_drift);
    CHECK(most < begun);
    CHECK(e.kinetic + e.elastic < 1e-2);                 // model: it rests
    CHECK(fr_world_stats(world).momentum_drift < 1e-12); // rounding
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}
