// bench_world.c: times whole steps of two soft boxes that rest on each other and on the ground.

#include "bench/bench_world.h"
#include "base/base.h"
#include "base/clock.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include <math.h>

#define SIDE 0.1 // m

static FrResult add_boxes(FrWorld *world, const FrTetMesh *mesh) {
    static const char *const name[2] = {"lower", "upper"};
    FrMaterial soft, ground;
    fr_material_find("silicone", &soft);
    fr_material_find("concrete", &ground);
    FR_TRY(fr_world_add_plane(world, "ground", (FrVec3){0.0, 0.0, 1.0}, 0.0, &ground));
    for (int k = 0; k < 2; k++) {
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        def.name = name[k];
        def.mesh = mesh;
        def.material = &soft;
        def.material_count = 1;
        def.damping_limit = HUGE_VAL; // what is timed stays what it was
        // as deep as their weight would press them, about 1e-4 of the side
        def.position = (FrVec3){0.03 * SIDE * k, 0.02 * SIDE * k, (0.9999 * k - 1e-4) * SIDE};
        FR_TRY(fr_body_create(world, &def, &id));
    }
    return FR_OK;
}

static FrResult time_steps(FrWorld *world, double seconds, FrWorldBench *bench) {
    FR_TRY(fr_world_step(world)); // warms up
    FrWorldStats before = fr_world_stats(world);
    double start = fr_wall_seconds(), took;
    do {
        FR_TRY(fr_world_step(world));
        took = fr_wall_seconds() - start;
    } while (took < seconds);
    FrWorldStats after = fr_world_stats(world);
    bench->substeps = after.steps - before.steps;
    bench->contacts = 2 * (after.contacts - before.contacts) / bench->substeps;
    bench->seconds_per_tet = took / ((double)bench->substeps * 0.5 * bench->tets);
    return FR_OK;
}

FrResult fr_world_bench(FrContext *ctx, int32_t cells, double seconds, FrWorldBench *bench) {
    FrBox box = {{0.0, 0.0, 0.0}, {SIDE, SIDE, SIDE}};
    const int32_t n[3] = {cells, cells, cells};
    FrWorldDef def = fr_world_def_default();
    def.step = 1.0 / 960.0;
    FrTetMesh mesh;
    FrWorld *world = NULL;
    *bench = (FrWorldBench){0};
    FR_TRY(fr_mesh_box_cells(ctx, box, n, &mesh));
    bench->tets = 2 * mesh.tet_count;
    FrResult result = fr_world_create(ctx, &def, &world);
    if (result == FR_OK) result = add_boxes(world, &mesh);
    if (result == FR_OK) result = time_steps(world, seconds, bench);
    fr_world_destroy(world);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}
