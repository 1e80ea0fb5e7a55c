// mesh_solids.c: the meshes that a host asks for have the volume of their solids, are closed, and
// leave nothing behind when something is wrong.

#include "test.h"
#include "context.h"
#include "geom/trimesh.h"
#include "mesh/quality.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"

// every tet positive, the outside closed; its volume, m^3
static double volume_of(FrContext *ctx, const FrTetMesh *mesh) {
    FrSurface surface = {0};
    FrTriReport report;
    CHECK_OK(ctx, fr_tetmesh_check(ctx, mesh, NULL));
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, mesh, &surface));
    FrTriMesh outside = {mesh->node_count, surface.tri_count, mesh->x, surface.tri, NULL, NULL};
    CHECK_OK(ctx, fr_trimesh_report(ctx, &outside, &report));
    CHECK(report.closed);
    CHECK_INT(report.components, 1);
    fr_surface_free(ctx, &surface);
    return fr_tetmesh_props(mesh).volume;
}

TEST(box) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_box(ctx, fr_vec3(0.2, 0.3, 0.01), 0.05, &mesh));
    CHECK_CLOSE(volume_of(ctx, &mesh), 0.2 * 0.3 * 0.01, 1e-12); // rounding
    CHECK_INT(mesh.node_count, 5 * 7 * 3);                       // two layers through a plate
    fr_tetmesh_free(ctx, &mesh);
    CHECK_OK(ctx, fr_mesh_box(ctx, fr_vec3(1, 1, 1), 0.0, &mesh)); // 600 cells or a few more
    CHECK(mesh.tet_count >= 6 * 512 && mesh.tet_count <= 6 * 729);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(sphere_and_its_error) {
    FrContext *ctx = make_context(1);
    double off[2];
    for (int k = 0; k < 2; k++) {
        FrTetMesh mesh;
        CHECK_OK(ctx, fr_mesh_sphere(ctx, 0.1, 0.04 / (k + 1), &mesh));
        off[k] = 1.0 - volume_of(ctx, &mesh) / (4.0 / 3.0 * FR_PI * 1e-3);
        fr_tetmesh_free(ctx, &mesh);
    }
    CHECK(off[0] > 0.0 && off[0] < 0.1); // chords cut off (h / r)^2 / 5 or so
    CHECK(off[1] < 0.35 * off[0]);       // second order
    fr_context_destroy(ctx);
}

TEST(tube_and_cylinder) {
    FrContext *ctx = make_context(1);
    for (int k = 0; k < 2; k++) {
        double inner = k ? 0.08 : 0.0;
        FrTetMesh mesh;
        CHECK_OK(ctx, fr_mesh_tube(ctx, 0.1, inner, 0.3, 0.01, &mesh));
        // a polygon of 60 sides and more: 0.2 % less area
        CHECK_CLOSE(volume_of(ctx, &mesh), FR_PI * (0.01 - inner * inner) * 0.3,
                    0.002); // mesh: polygons instead of circles, (pi/n)^2
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// Pappus: a sheet bent from a cone has the area of its middle times its wall
TEST(lathe) {
    FrContext *ctx = make_context(1);
    double rz[2][2] = {{0.05, 0.0}, {0.10, 0.12}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_lathe(ctx, rz, 2, 0.004, 0.01, &mesh));
    CHECK_CLOSE(volume_of(ctx, &mesh), FR_PI * 0.15 * 0.13 * 0.004, 0.01); // mesh: polygons again
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static const double corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int32_t face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                    {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                    {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static const FrTriangles cube = {8, 12, &corner[0][0], face, NULL};

TEST(from_surface) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    FrEmbedded skin;
    CHECK_OK(ctx, fr_mesh_from_surface(ctx, &cube, 0.08, &mesh, &skin));
    CHECK_CLOSE(volume_of(ctx, &mesh), 1.0, 0.02); // mesh: edges are cut off within a cell
    CHECK_INT(skin.tri_count, 12);
    CHECK(skin.point_count >= 8);
    fr_embedded_free(ctx, &skin);
    fr_tetmesh_free(ctx, &mesh);
    CHECK_OK(ctx, fr_mesh_from_surface(ctx, &cube, 0.0, &mesh, NULL));
    CHECK_CLOSE(volume_of(ctx, &mesh), 1.0, 0.05); // mesh: edges are cut off within a cell
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// a plate that is thinner than the cells: the message names cells that would do
TEST(walls_too_thin_for_the_cells) {
    FrContext *ctx = make_context(1);
    double point[24];
    FrTriangles plate = cube;
    for (int k = 0; k < 24; k++) point[k] = corner[k / 3][k % 3] * (k % 3 == 2 ? 0.05 : 1.0);
    plate.point = point;
    FrTetMesh mesh;
    CHECK_INT(fr_mesh_from_surface(ctx, &plate, 0.08, &mesh, NULL), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "0.02");
    CHECK(!mesh.x);
    CHECK_OK(ctx, fr_mesh_from_surface(ctx, &plate, 0.0, &mesh, NULL));
    CHECK_CLOSE(volume_of(ctx, &mesh), 0.05, 0.05); // mesh: edges are cut off within a cell
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static void refused(FrContext *ctx, FrResult result, FrResult wanted, const char *says,
                    const FrTetMesh *mesh) {
    CHECK_INT(result, wanted);
    CHECK_HAS(fr_context_message(ctx), says);
    CHECK(!mesh->x && !mesh->tet && mesh->tet_count == 0);
}

TEST(what_makes_no_sense_is_refused) {
    FrContext *ctx = make_context(1);
    FrTetMesh m;
    double rz[2][2] = {{0.1, 0.0}, {-0.1, 0.1}};
    int32_t wrong[12][3];
    FrTriangles bad = cube, open = cube;
    memcpy(wrong, face, sizeof face);
    wrong[7][1] = 8;
    bad.tri = wrong;
    open.tri_count = 3;
    refused(ctx, fr_mesh_box(ctx, fr_vec3(1, 0, 1), 0.1, &m), FR_BAD_USE, "1 x 0 x 1 m", &m);
    refused(ctx, fr_mesh_box(ctx, fr_vec3(1, 1, 1), -0.1, &m), FR_BAD_USE, "cells of -0.1 m", &m);
    refused(ctx, fr_mesh_box(ctx, fr_vec3(1, 1, 1), (double)NAN, &m), FR_BAD_USE, "above 0 m", &m);
    refused(ctx, fr_mesh_box(ctx, fr_vec3(1, 1, 1), 1e-5, &m), FR_BAD_INPUT, "too many", &m);
    refused(ctx, fr_mesh_sphere(ctx, (double)INFINITY, 0.1, &m), FR_BAD_USE, "fr_mesh_sphere", &m);
    refused(ctx, fr_mesh_tube(ctx, 0.1, 0.1, 1, 0.1, &m), FR_BAD_USE, "below the outer", &m);
    refused(ctx, fr_mesh_lathe(ctx, rz, 1, 0.01, 0.1, &m), FR_BAD_USE, "1 points", &m);
    refused(ctx, fr_mesh_lathe(ctx, rz, 2, 0.01, 0.1, &m), FR_BAD_USE, "rz[1]", &m);
    refused(ctx, fr_mesh_from_surface(ctx, &bad, 0.1, &m, NULL), FR_BAD_INPUT, "triangle 7", &m);
    refused(ctx, fr_mesh_from_surface(ctx, &open, 0.1, &m, NULL), FR_BAD_USE, "3 triangles", &m);
    fr_context_destroy(ctx);
}

static FrResult make(FrContext *ctx, int which, FrTetMesh *mesh, FrEmbedded *skin) {
    double rz[2][2] = {{0.05, 0.0}, {0.10, 0.12}};
    *skin = (FrEmbedded){0};
    switch (which) {
    case 0:
        return fr_mesh_box(ctx, fr_vec3(1, 1, 1), 0.5, mesh);
    case 1:
        return fr_mesh_sphere(ctx, 1.0, 0.5, mesh);
    case 2:
        return fr_mesh_tube(ctx, 1.0, 0.5, 1.0, 0.5, mesh);
    case 3:
        return fr_mesh_lathe(ctx, rz, 2, 0.02, 0.05, mesh);
    default:
        return fr_mesh_from_surface(ctx, &cube, 0.3, mesh, skin);
    }
}

// each allocation refused once; some of them can be done without
TEST(refused_memory_leaves_nothing_behind) {
    for (int which = 0; which < 5; which++) {
        bool done = false;
        for (int k = 1; !done && k < 500; k++) {
            Refuser refuser = {0};
            FrContext *ctx = make_refusing_context(&refuser);
            int before = refuser.live;
            refuser.refuse_at = refuser.calls + k;
            FrTetMesh mesh;
            FrEmbedded skin;
            FrResult result = make(ctx, which, &mesh, &skin);
            done = refuser.calls < refuser.refuse_at;
            CHECK(result == FR_OK || (!done && result == FR_NO_MEMORY));
            CHECK(result == FR_OK || (!mesh.x && !skin.at));
            fr_tetmesh_free(ctx, &mesh);
            fr_embedded_free(ctx, &skin);
            CHECK_INT(refuser.live, before);
            fr_context_destroy(ctx);
        }
        CHECK(done);
    }
}
