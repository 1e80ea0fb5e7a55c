// job_sizes.c: cells that are asked for are used, unless walls would have holes.

#include "context.h"
#include "job/build.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "test.h"

static void stuff_box(FrContext *ctx, FrVec3 size, double cells, FrBuiltMesh *built) {
    FrSceneBox box = {.size = size};
    FrSceneBody body = {.name = "box", .cells = cells, .mesher = FR_SCENE_MESHER_STUFFING};
    FrBuildOptions options = {.coarseness = 1.0};
    body.shape.kind = FR_SCENE_BOX;
    body.shape.box = &box;
    CHECK_OK(ctx, fr_build_tets(ctx, &body, "", &options, built));
}

static void drop(FrContext *ctx, FrBuiltMesh *built) {
    fr_embedded_free(ctx, &built->skin);
    fr_tetmesh_free(ctx, &built->mesh);
}

// a cube has no thin part, however the lattice falls on its edges
TEST(larger_cells_give_no_more_tets_of_a_cube) {
    FrContext *ctx = make_context(1);
    const double cells[] = {0.02, 0.025, 0.03, 0.035, 0.04, 0.05};
    int32_t before = INT32_MAX;
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        FrBuiltMesh built;
        stuff_box(ctx, fr_vec3(0.1, 0.1, 0.1), cells[k], &built);
        CHECK(built.cells == cells[k]);
        CHECK(built.mesh.tet_count <= before);
        before = built.mesh.tet_count;
        drop(ctx, &built);
    }
    fr_context_destroy(ctx);
}

TEST(thin_walls_still_get_smaller_cells) {
    FrContext *ctx = make_context(1);
    FrBuiltMesh built;
    FrVec3 size = fr_vec3(0.1, 0.1, 0.007);
    stuff_box(ctx, size, 0.01, &built);
    double volume = 0.0;
    for (int32_t e = 0; e < built.mesh.tet_count; e++) volume += fr_tet_volume(&built.mesh, e);
    CHECK(built.cells < 0.01);
    CHECK_CLOSE(volume, size.x * size.y * size.z, 0.12);
    drop(ctx, &built);
    fr_context_destroy(ctx);
}
