// bench_frames.c: times whole steps of a thousand rigid boxes that rest in stacks of ten, awake.

#include "bench/bench_frames.h"
#include "base/base.h"
#include "base/clock.h"
#include "bench/bench_model.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"

#define SIDE 0.1 // m
#define STACKS 100
#define HIGH 10

static FrResult add_stacks(FrWorld *world, const FrTetMesh *mesh) {
    FrMaterial oak, ground;
    fr_material_find("oak", &oak);
    fr_material_find("concrete", &ground);
    FR_TRY(fr_world_add_plane(world, "ground", (FrVec3){0.0, 0.0, 1.0}, 0.0, &ground));
    for (int k = 0; k < STACKS * HIGH; k++) {
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        int stack = k / HIGH, level = k % HIGH;
        def.name = "box";
        def.model = fr_bench_rigid_model();
        def.mesh = mesh;
        def.material = &oak;
        def.material_count = 1;
        def.position =
            (FrVec3){1.5 * SIDE * (stack % 10), 1.5 * SIDE * (stack / 10), SIDE * (0.5 + level)};
        FR_TRY(fr_body_create(world, &def, &id));
    }
    return FR_OK;
}

static FrResult time_steps(FrWorld *world, double seconds, FrFramesBench *bench) {
    for (int k = 0; k < 24; k++) FR_TRY(fr_world_step(world)); // settles
    FrWorldStats before = fr_world_stats(world);
    double start = fr_wall_seconds(), from = fr_world_time(world), took;
    do {
        FR_TRY(fr_world_step(world));
        took = fr_wall_seconds() - start;
    } while (took < seconds);
    FrWorldStats after = fr_world_stats(world);
    bench->contacts =
        (after.contacts - before.contacts) * bench->boxes / (after.steps - before.steps);
    bench->real_time = (fr_world_time(world) - from) / took;
    return FR_OK;
}

FrResult fr_frames_bench(FrContext *ctx, double seconds, FrFramesBench *bench) {
    double h = 0.5 * SIDE;
    FrBox box = {{-h, -h, -h}, {h, h, h}};
    const int32_t n[3] = {1, 1, 1};
    FrWorldDef def = fr_world_def_default();
    def.sleep_time = 0.0;
    FrTetMesh mesh;
    FrWorld *world = NULL;
    *bench = (FrFramesBench){.boxes = STACKS * HIGH};
    FR_TRY(fr_mesh_box_cells(ctx, box, n, &mesh));
    FrResult result = fr_world_create(ctx, &def, &world);
    if (result == FR_OK) result = add_stacks(world, &mesh);
    if (result == FR_OK) result = time_steps(world, seconds, bench);
    fr_world_destroy(world);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}
