// bench_births.c: times the births of 300 bodies between two steps, solids that break and frames.

#include "bench/bench_births.h"
#include "base/base.h"
#include "base/clock.h"
#include "bench/bench_model.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"

#define BIRTHS 300
#define SIDE 0.1 // m
#define CELLS 2  // along it: 48 tets

static FrResult bear(FrWorld *world, const FrTetMesh *mesh, const FrMaterial *material, int k) {
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    def.name = "shard";
    if (k % 2) def.model = fr_bench_rigid_model();
    def.mesh = mesh;
    def.material = material;
    def.material_count = 1;
    def.position = (FrVec3){2.0 * SIDE * (k % 20), 2.0 * SIDE * (k / 20), SIDE};
    return fr_body_create(world, &def, &id);
}

static FrResult time_births(FrWorld *world, const FrTetMesh *mesh, double *seconds) {
    FrMaterial glass;
    fr_material_find("glass", &glass);
    FR_TRY(fr_world_add_plane(world, "ground", (FrVec3){0.0, 0.0, 1.0}, 0.0, &glass));
    FR_TRY(fr_world_step(world));
    double start = fr_wall_seconds();
    for (int k = 0; k < BIRTHS; k++) FR_TRY(bear(world, mesh, &glass, k));
    *seconds = (fr_wall_seconds() - start) / BIRTHS;
    return FR_OK;
}

FrResult fr_births_bench(FrContext *ctx, double *seconds) {
    FrBox box = {{0.0, 0.0, 0.0}, {SIDE, SIDE, SIDE}};
    const int32_t n[3] = {CELLS, CELLS, CELLS};
    FrWorldDef def = fr_world_def_default();
    FrTetMesh mesh;
    FrWorld *world = NULL;
    FR_TRY(fr_mesh_box_cells(ctx, box, n, &mesh));
    FrResult result = fr_world_create(ctx, &def, &world);
    if (result == FR_OK) result = time_births(world, &mesh, seconds);
    fr_world_destroy(world);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}
