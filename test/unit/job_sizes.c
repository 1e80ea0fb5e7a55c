// job_sizes.c: cells that are asked for, unless walls would have holes; empty shapes, stray holes.

#include "context.h"
#include "job/build.h"
#include "job/surface_report.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "test.h"
#include <stdio.h>
#include <string.h>

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

static FrResult build_of(FrContext *ctx, FrSceneShape shape) {
    FrSceneBody body = {.name = "body", .shape = shape};
    FrBuildOptions options = {.coarseness = 1.0};
    FrBuiltMesh built;
    FrResult result = fr_build_tets(ctx, &body, "", &options, &built);
    drop(ctx, &built);
    return result;
}

TEST(a_shape_that_is_empty_at_every_size_says_so) {
    FrContext *ctx = make_context(1);
    FrSceneBall small = {0.02}, large = {0.03};
    FrSceneShape part[2] = {{.kind = FR_SCENE_BALL, .ball = &small},
                            {.kind = FR_SCENE_BALL, .ball = &large}};
    FrSceneGroup group = {.parts = part, .parts_count = 2};
    CHECK(build_of(ctx, (FrSceneShape){.kind = FR_SCENE_DIFFERENCE, .group = &group}) ==
          FR_BAD_INPUT);
    CHECK(strstr(fr_context_message(ctx), "empty"));
    fr_context_destroy(ctx);
}

TEST(a_hole_beside_its_outline_is_named) {
    FrContext *ctx = make_context(1);
    FrSceneVec2 square[4] = {{0, 0}, {0.1, 0}, {0.1, 0.1}, {0, 0.1}};
    FrSceneVec2 in[3] = {{0.02, 0.02}, {0.05, 0.02}, {0.02, 0.05}};
    FrSceneVec2 out[3] = {{0.2, 0.2}, {0.25, 0.2}, {0.2, 0.25}};
    FrSceneHole hole[2] = {{in, 3}, {out, 3}};
    FrSceneExtrude extrude = {square, 4, hole, 1, 0.02};
    FrSceneShape shape = {.kind = FR_SCENE_EXTRUDE, .extrude = &extrude};
    CHECK_OK(ctx, build_of(ctx, shape));
    extrude.holes_count = 2;
    CHECK(build_of(ctx, shape) == FR_BAD_INPUT);
    CHECK(strstr(fr_context_message(ctx), "holes[2]"));
    fr_context_destroy(ctx);
}

static double radius_of(const void *user, FrVec3 x) { return fr_length(x) - *(const double *)user; }

// a ball is as deep as its radius, and no deeper
TEST(a_field_is_below_what_its_depth_is) {
    double radius = 0.02;
    FrField ball = {radius_of, &radius, {{-0.021, -0.02, -0.02}, {0.02, 0.02, 0.023}}};
    CHECK(fr_field_below(&ball, 0.0));
    CHECK(fr_field_below(&ball, -0.97 * radius));
    CHECK(!fr_field_below(&ball, -radius));
    CHECK(!fr_field_below(&ball, -1.5 * radius));
}

TEST(what_is_wrong_with_a_surface_is_told_when_it_cannot_be_meshed) {
    FrContext *ctx = make_context(1);
    FILE *out = fopen("crossed.obj", "w");
    CHECK(out);
    fputs("v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0.5 0.5 -1\nv 0.5 0.5 1\nv 3 3 1\nf 1 2 3\nf 4 5 6\n", out);
    fclose(out);
    FrSceneFile file = {.file = "crossed.obj", .unit = 1.0};
    CHECK(fr_fail(ctx, FR_BAD_INPUT, "no inside") == FR_BAD_INPUT);
    CHECK(fr_blame_surface(ctx, &file, "") == FR_BAD_INPUT);
    const char *said = fr_context_message(ctx);
    CHECK(strstr(said, "no inside; ") && strstr(said, "6 open edges, and 2 of its 2 triangles"));
    fr_context_destroy(ctx);
}
