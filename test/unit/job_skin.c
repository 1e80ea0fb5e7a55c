// job_skin.c: the drawn skin of a thin tube is whole: its area is the closed form's; an imported
// one keeps its triangles, unless the body can break.

#include "build/build.h"
#include "context.h"
#include "math/vec.h"
#include "test.h"
#include <stdio.h>
#include <unistd.h>

static FrVec3 skin_place(const FrBuiltMesh *built, int32_t point) {
    const FrPoint *at = &built->skin.at[point];
    FrVec3 x = fr_vec3_zero;
    for (int c = 0; c < 4; c++)
        x = fr_axpy(at->b[c], fr_get3(built->mesh.x, built->mesh.tet[at->tet][c]), x);
    return x;
}

static double tri_area(const FrBuiltMesh *built, int32_t k) {
    FrVec3 p[3];
    for (int i = 0; i < 3; i++) p[i] = skin_place(built, built->skin.tri[k][i]);
    return 0.5 * fr_length(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
}

static double skin_area(const FrBuiltMesh *built) {
    double area = 0;
    for (int32_t k = 0; k < built->skin.tri_count; k++) area += tri_area(built, k);
    return area;
}

// a wall of a sixth of a cell: no lattice of the skin's fineness would meet it
TEST(thin_walls_are_drawn_whole) {
    FrContext *ctx = make_context(1);
    FrSceneTube tube = {.radius = 0.012, .wall = 0.001, .height = 0.1};
    FrSceneBody body = {.name = "tube", .cells = 0.006, .skin = FR_SCENE_SKIN_SHAPE};
    FrBuildOptions options = {.coarseness = 1.0};
    FrBuiltMesh built;
    body.shape.kind = FR_SCENE_TUBE;
    body.shape.tube = &tube;
    CHECK_OK(ctx, fr_build_tets(ctx, &body, "", &options, &built));
    double outer = tube.radius, inner = outer - tube.wall;
    CHECK_CLOSE(skin_area(&built),
                2 * FR_PI * (outer + inner) * tube.height +
                    2 * FR_PI * (outer * outer - inner * inner),
                0.01); // mesh: chords of a circle
    CHECK(built.skin.tri_count > 2000 && built.skin.tri_count < 16000);
    fr_embedded_free(ctx, &built.skin);
    fr_tetmesh_free(ctx, &built.mesh);
    fr_context_destroy(ctx);
}

// a bar of twelve triangles with the place along it as u
static void write_bar(void) {
    FILE *file = fopen("bar.obj", "w");
    for (int k = 0; k < 8; k++)
        fprintf(file, "v %g %g %g\nvt %d %d\n", k & 4 ? 0.1 : -0.1, k & 2 ? 0.015 : -0.015,
                k & 1 ? 0.01 : -0.01, k >> 2, k & 1);
    fputs("f 1/1 2/2 4/4 3/3\nf 5/5 7/7 8/8 6/6\nf 1/1 5/5 6/6 2/2\nf 3/3 4/4 8/8 7/7\n"
          "f 1/1 3/3 7/7 5/5\nf 2/2 6/6 8/8 4/4\n",
          file);
    fclose(file);
}

// only a bar that breaks is refined
TEST(imported_skins_can_be_cut) {
    FrContext *ctx = make_context(1);
    write_bar();
    FrSceneFile from = {.file = "bar.obj", .unit = 1};
    FrSceneBody body = {.name = "bar", .cells = 0.009};
    body.shape.kind = FR_SCENE_SURFACE;
    body.shape.file = &from;
    for (int breaks = 0; breaks < 2; breaks++) {
        FrBuildOptions options = {.coarseness = 1.0, .breaks = breaks};
        FrBuiltMesh built;
        CHECK_OK(ctx, fr_build_tets(ctx, &body, "", &options, &built));
        // rounding
        CHECK_CLOSE(skin_area(&built), 2 * (0.2 * 0.03 + 0.2 * 0.02 + 0.03 * 0.02), 1e-12);
        double longest = 0;
        for (int32_t k = 0; k < 3 * built.skin.tri_count; k++)
            longest = fr_max(longest,
                             fr_distance(skin_place(&built, built.skin.tri[k / 3][k % 3]),
                                         skin_place(&built, built.skin.tri[k / 3][(k + 1) % 3])));
        CHECK((built.skin.tri_count == 12) == !breaks);
        CHECK(built.skin.tri_count < 16000);
        CHECK((longest <= 0.5 * built.cells) == breaks);
        // sharp edges and UVs as they came
        for (int32_t k = 0; k < built.skin.point_count; k++) {
            FrVec3 n = fr_get3(built.skin.normal, k), x = skin_place(&built, k);
            // rounding: places that were read in full
            CHECK_NEAR(fr_max(fabs(n.x), fr_max(fabs(n.y), fabs(n.z))), 1, 1e-12);
            CHECK_NEAR(built.skin.uv[2 * k], 5 * x.x + 0.5, 1e-12);
        }
        fr_embedded_free(ctx, &built.skin);
        fr_tetmesh_free(ctx, &built.mesh);
    }
    unlink("bar.obj");
    fr_context_destroy(ctx);
}

// of the bar, > -1e-9 at its outside, m
static double bar_distance(FrVec3 x) {
    return fr_max(fabs(x.x) - 0.1, fr_max(fabs(x.y) - 0.015, fabs(x.z) - 0.01));
}

// A hollow bar has the file's triangles, UVs and sharp edges outside, and a hollow of the right
// area.
TEST(shells_keep_what_a_file_has) {
    FrContext *ctx = make_context(1);
    write_bar();
    FrSceneFile from = {.file = "bar.obj", .unit = 1};
    FrSceneShape bar = {.kind = FR_SCENE_SURFACE, .file = &from};
    FrSceneShell shell = {.shape = &bar, .thickness = 0.005};
    FrSceneBody body = {.name = "bar", .cells = 0.005};
    body.shape.kind = FR_SCENE_SHELL;
    body.shape.shell = &shell;
    for (int breaks = 0; breaks < 2; breaks++) {
        FrBuildOptions options = {.coarseness = 1.0, .breaks = breaks};
        FrBuiltMesh built;
        int32_t outside = 0;
        CHECK_OK(ctx, fr_build_tets(ctx, &body, "", &options, &built));
        double outer = 0, inner = 0;
        for (int32_t k = 0; k < built.skin.tri_count; k++) {
            bool out = bar_distance(skin_place(&built, built.skin.tri[k][0])) > -1e-9;
            *(out ? &outer : &inner) += tri_area(&built, k);
        }
        CHECK_CLOSE(outer, 2 * (0.2 * 0.03 + 0.2 * 0.02 + 0.03 * 0.02), 1e-12); // rounding
        // mesh: as drawn: its edges are rounded by a third of a cell
        CHECK_CLOSE(inner, 2 * (0.19 * 0.02 + 0.19 * 0.01 + 0.02 * 0.01), 0.06);
        CHECK(built.skin.uv && built.skin.normal);
        for (int32_t k = 0; built.skin.uv && k < built.skin.point_count; k++) {
            FrVec3 n = fr_get3(built.skin.normal, k), x = skin_place(&built, k);
            double out = bar_distance(x);
            // the hollow: nearest point of the outside
            // rounding outside; in the hollow mesh: of the nearest point
            CHECK_NEAR(built.skin.uv[2 * k], 5 * x.x + 0.5, out > -1e-9 ? 1e-9 : breaks ? 0.05 : 1);
            if (out < -1e-9) continue;
            CHECK_NEAR(fr_max(fabs(n.x), fr_max(fabs(n.y), fabs(n.z))), 1, 1e-12); // rounding
            outside++;
        }
        CHECK(outside >= 24 && (outside == 24) == !breaks);
        fr_embedded_free(ctx, &built.skin);
        fr_tetmesh_free(ctx, &built.mesh);
    }
    unlink("bar.obj");
    fr_context_destroy(ctx);
}
