// job_sizes.c: cells that are asked for, unless walls would have holes; plates and prisms, and what
// is none; empty shapes, stray holes.

#include "build/build.h"
#include "context.h"
#include "export/surface_report.h"
#include "math/vec.h"
#include "mesh/flat.h"
#include "mesh/tetmesh.h"
#include "test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void stuff_box(FrContext *ctx, FrVec3 size, double cells, bool coarse, FrBuiltMesh *built) {
    FrSceneBox box = {.size = size};
    FrSceneBody body = {
        .name = "box", .cells = cells, .coarse = coarse, .mesher = FR_SCENE_MESHER_STUFFING};
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
        stuff_box(ctx, fr_vec3(0.1, 0.1, 0.1), cells[k], false, &built);
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
    stuff_box(ctx, size, 0.01, false, &built);
    double volume = 0.0;
    for (int32_t e = 0; e < built.mesh.tet_count; e++) volume += fr_tet_volume(&built.mesh, e);
    CHECK(built.cells < 0.01);
    // mesh: rims are cut off, cells of half the thickness
    CHECK_CLOSE(volume, size.x * size.y * size.z, 0.12);
    drop(ctx, &built);
    fr_context_destroy(ctx);
}

TEST(coarse_cells_stay) {
    FrContext *ctx = make_context(1);
    FrBuiltMesh built;
    stuff_box(ctx, fr_vec3(0.1, 0.1, 0.007), 0.01, true, &built);
    CHECK(built.cells == 0.01);
    CHECK(built.mesh.tet_count > 0);
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

TEST(what_is_wrong_with_a_surface_is_reported_when_it_cannot_be_meshed) {
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

// a surface of quads as a file
static void write_quads(const char *path, const double (*x)[3], int points, const int (*quad)[4],
                        int quads) {
    FILE *out = fopen(path, "w");
    CHECK(out);
    for (int k = 0; k < points; k++)
        fprintf(out, "v %.17g %.17g %.17g\n", x[k][0], x[k][1], x[k][2]);
    for (int k = 0; k < quads; k++)
        fprintf(out, "f %d %d %d %d\n", 1 + quad[k][0], 1 + quad[k][1], 1 + quad[k][2],
                1 + quad[k][3]);
    fclose(out);
}

// turned by a pair of angles, so that its axes are not the file's
static void turn(double x[3]) {
    double a = x[0], b = x[1], c = x[2];
    x[0] = 0.8 * (0.28 * a - 0.96 * b) - 0.6 * c;
    x[1] = 0.96 * a + 0.28 * b;
    x[2] = 0.6 * (0.28 * a - 0.96 * b) + 0.8 * c;
}

// a box, its sides of x in by in[0] and its sides of y by in[1] at the top
static void write_box(const char *path, FrVec3 size, const double in[2], bool turned) {
    static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double x[8][3];
    for (int k = 0; k < 8; k++) {
        bool top = k & 4;
        x[k][0] = k & 1 ? size.x - top * in[0] : top * in[0];
        x[k][1] = k & 2 ? size.y - top * in[1] : top * in[1];
        x[k][2] = top ? size.z : 0.0;
        if (turned) turn(x[k]);
    }
    write_quads(path, x, 8, quad, 6);
}

// 0.1 x 0.08 m and 4 mm thick, tilted
static void write_slab(const char *path, double in_x, double in_y) {
    write_box(path, fr_vec3(0.1, 0.08, 0.004), (double[]){in_x, in_y}, true);
}

#define AROUND 48
// a cymbal: a cone 0.2 m in radius, `rise` high, 0.5 mm thick, with a hole 5 mm in radius
static void write_cone(const char *path, double rise) {
    double x[4 * AROUND][3];
    int quad[4 * AROUND][4];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < AROUND; k++) {
            double r = i == 0 || i == 3 ? 0.005 : 0.2, turn = 2.0 * M_PI * k / AROUND;
            int at = AROUND * i + k, right = AROUND * i + (k + 1) % AROUND;
            x[at][0] = r * cos(turn);
            x[at][1] = r * sin(turn);
            x[at][2] = -rise * r / 0.2 - (i > 1 ? 0.0005 : 0.0);
            int *q = quad[at];
            q[0] = at;
            q[1] = AROUND * ((i + 1) % 4) + k;
            q[2] = AROUND * ((i + 1) % 4) + (k + 1) % AROUND;
            q[3] = right;
        }
    write_quads(path, x, 4 * AROUND, quad, 4 * AROUND);
}

// is the surface swept, as a plate or as a prism?
static bool swept(FrContext *ctx, const char *path, double cells, FrBuiltMesh *built) {
    FrSceneFile file = {.file = path, .unit = 1.0};
    FrSceneShape from = {.kind = FR_SCENE_SURFACE, .file = &file};
    FrShapeSet *set;
    const FrShape *shape;
    bool done = false;
    FrFlatTets flat = {0};
    CHECK_OK(ctx, fr_shapeset_create(ctx, &set));
    CHECK_OK(ctx, fr_build_shape(ctx, set, &from, "", &shape));
    CHECK_OK(ctx, fr_tets_flat(ctx, shape, cells, &flat, &done));
    fr_shapeset_destroy(set);
    *built = (FrBuiltMesh){.mesh = flat.mesh, .method = flat.method, .cells = flat.cells};
    return done;
}

static double volume_of(const FrTetMesh *mesh) {
    double sum = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++) sum += fr_tet_volume(mesh, e);
    return sum;
}

TEST(only_plates_are_meshed_as_plates) {
    FrContext *ctx = make_context(1);
    FrBuiltMesh built;
    write_slab("slab.obj", 0.0, 0.0);
    write_slab("wedge.obj", 0.035, 0.01);
    // its cut half way up is as large as its volume over 4 mm; but it is a prism the other way
    write_slab("roof.obj", 0.035, 0.0);
    write_cone("ring.obj", 0.0);
    write_cone("cone.obj", 0.016);
    CHECK(swept(ctx, "slab.obj", 0.0, &built));
    CHECK_NEAR(volume_of(&built.mesh), 0.1 * 0.08 * 0.004, 1e-16); // rounding: sums over tets
    drop(ctx, &built);
    CHECK(swept(ctx, "ring.obj", 0.0, &built));
    drop(ctx, &built);
    CHECK(swept(ctx, "roof.obj", 0.0, &built));
    CHECK(!strcmp(built.method, "prism"));
    CHECK_CLOSE(volume_of(&built.mesh), 0.065 * 0.08 * 0.004, 1e-12); // rounding
    drop(ctx, &built);
    CHECK(!swept(ctx, "wedge.obj", 0.0, &built));
    CHECK(!swept(ctx, "cone.obj", 0.0, &built));
    fr_context_destroy(ctx);
}

// a size that is asked for is the size of the sweep: larger, smaller, and below the thickness
TEST(a_plate_is_swept_at_the_size_asked_for) {
    FrContext *ctx = make_context(1);
    FrSceneFile file = {.file = "slab.obj", .unit = 1.0};
    const double cells[] = {0.01, 0.005, 0.002};
    int32_t before = 0;
    write_slab("slab.obj", 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        FrSceneBody body = {.name = "slab", .cells = cells[k]};
        body.shape.kind = FR_SCENE_SURFACE;
        body.shape.file = &file;
        FrBuildOptions options = {.coarseness = 1.0, .walls = true};
        FrBuiltMesh built;
        CHECK_OK(ctx, fr_build_tets(ctx, &body, "", &options, &built));
        CHECK(!strcmp(built.method, "flat"));
        CHECK(built.cells == cells[k]);
        CHECK(built.mesh.tet_count > 2 * before);
        before = built.mesh.tet_count;
        CHECK_NEAR(volume_of(&built.mesh), 0.1 * 0.08 * 0.004, 1e-16); // rounding
        drop(ctx, &built);
    }
    fr_context_destroy(ctx);
}

// what an OBJ of eight points weighs, however thick and however it lies
TEST(bars_of_any_thickness_keep_their_volume) {
    FrContext *ctx = make_context(1);
    static const FrVec3 size[] = {{0.3, 0.03, 0.004}, {0.3, 0.03, 0.006}, {0.3, 0.03, 0.01},
                                  {0.3, 0.03, 0.03},  {0.1, 0.1, 0.1},    {1.0, 0.005, 0.005}};
    for (int k = 0; k < 12; k++) {
        FrVec3 s = size[k / 2];
        FrBuiltMesh built;
        write_box("bar.obj", s, (double[]){0, 0}, k % 2);
        CHECK(swept(ctx, "bar.obj", 0.0, &built));
        CHECK_CLOSE(volume_of(&built.mesh), s.x * s.y * s.z, 1e-12); // rounding
        CHECK(built.mesh.tet_count < 20000);
        drop(ctx, &built);
    }
    fr_context_destroy(ctx);
}

// a bar with a step on it, flat ends at its sides
static void write_step(const char *path) {
    static const double outline[6][2] = {{0, 0},       {0.1, 0},     {0.1, 0.03},
                                         {0.05, 0.03}, {0.05, 0.02}, {0, 0.02}};
    static const int caps[4][4] = {{0, 5, 4, 3}, {0, 3, 2, 1}, {6, 9, 10, 11}, {6, 7, 8, 9}};
    double x[12][3];
    int quad[10][4];
    memcpy(quad, caps, sizeof caps);
    for (int k = 0; k < 6; k++) {
        int next = (k + 1) % 6, *q = quad[4 + k];
        for (int top = 0; top < 2; top++) {
            x[k + 6 * top][0] = outline[k][0];
            x[k + 6 * top][1] = top ? 0.04 : 0.0;
            x[k + 6 * top][2] = outline[k][1];
        }
        q[0] = k, q[1] = next, q[2] = 6 + next, q[3] = 6 + k;
    }
    write_quads(path, x, 12, quad, 10);
}

// swept only along the sides that are upright: a step is, seen from its side; what tapers is not
TEST(prisms_are_swept_along_their_sides) {
    FrContext *ctx = make_context(1);
    FrBuiltMesh built;
    write_step("step.obj");
    CHECK(swept(ctx, "step.obj", 0.0, &built));
    CHECK(!strcmp(built.method, "prism"));
    CHECK_CLOSE(volume_of(&built.mesh), 0.04 * (0.1 * 0.02 + 0.05 * 0.01), 1e-12); // rounding
    drop(ctx, &built);
    write_box("taper.obj", fr_vec3(0.3, 0.03, 0.03), (double[]){0.003, 0.003}, true);
    CHECK(!swept(ctx, "taper.obj", 0.0, &built));
    fr_context_destroy(ctx);
}
