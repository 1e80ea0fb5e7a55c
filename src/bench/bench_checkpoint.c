// bench_checkpoint.c: a box of 100k tets is recorded, moves a little, and is checkpointed.

#include "bench/bench_checkpoint.h"
#include "base/clock.h"
#include "run/simulate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 3

static const char box[] =
    "{\"scene\": {\"duration\": 1, \"gravity\": [0, 0, -9.81]}, \"bodies\": [{\"name\": \"box\", "
    "\"material\": \"silicone\", \"shape\": {\"box\": [1, 1, 1]}, \"cells\": 0.04, \"mesher\": "
    "\"structured\", \"spin\": [100, 50, 20]}]}";

static FrResult time_rounds(FrSimulation *sim, double *seconds) {
    *seconds = 0.0;
    for (int k = 0; k < ROUNDS; k++) {
        FR_TRY(fr_world_step(sim->built->world));
        double start = fr_wall_seconds();
        FR_TRY(fr_simulate_checkpoint(sim));
        *seconds += (fr_wall_seconds() - start) / ROUNDS;
    }
    return FR_OK;
}

static FrResult record(FrBuilt *built, const char *path, double *seconds) {
    FrSimulation sim = {.ctx = built->ctx,
                        .built = built,
                        .timing = fr_timing(1.0, 1000.0, 0.0),
                        .clock = fr_wall_seconds()};
    FrRecorderDef def = {.scene_json = box,
                         .fps = sim.timing.fps,
                         .duration = 1.0,
                         .tick_seconds = sim.timing.step,
                         .pose_hz = 1.0 / sim.timing.step};
    FR_TRY(fr_recorder_create(built->ctx, path, &def, &sim.recorder));
    FrResult result = fr_simulate_begin(&sim);
    if (result == FR_OK) result = time_rounds(&sim, seconds);
    fr_simulate_close(&sim);
    return result;
}

static FrResult build(FrContext *ctx, FrBuilt *built) {
    FrScene *scene;
    FrBuildOptions options = {.coarseness = 1.0};
    FR_TRY(fr_scene_parse_json(ctx, box, sizeof box - 1, "box", NULL, &scene));
    FrResult result = fr_build_meshes(ctx, scene, &options, built);
    if (result == FR_OK) result = fr_build_world(built, scene, 1e-3);
    if (result == FR_OK) result = fr_build_result(built);
    fr_scene_free(scene);
    return result;
}

FrResult fr_checkpoint_bench(FrContext *ctx, double *seconds) {
    const char *folder = getenv("TMPDIR");
    char path[512];
    FrBuilt built = {0};
    snprintf(path, sizeof path, "%.400s/fracas-bench-%ld", folder ? folder : "/tmp",
             (long)getpid());
    FrResult result = build(ctx, &built);
    if (result == FR_OK) result = record(&built, path, seconds);
    unlink(path);
    fr_built_free(&built);
    return result;
}
