// mesh_coarsen.c: tets made larger keep solid, surface and holes, and thin walls stay whole.

#include "mesh_support.h"
#include "mesh/coarsen.h"
#include "mesh/stuffing.h"

static const FrQuat turn = {0.9, 0.3, 0.1, 0.3};

static FrTetMesh stuffed(FrContext *ctx, Body body, double size) {
    body.turn = fr_quat_normalize(turn);
    FrField field = body_field(&body);
    FrStuffingOptions options = fr_stuffing_options_default(size);
    FrTetMesh mesh;
    options.thin = FR_THIN_ALLOW;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, NULL));
    return mesh;
}

static double area_of(FrContext *ctx, const FrTetMesh *mesh) {
    FrSurface surface;
    double sum = 0;
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, mesh, &surface));
    for (int32_t k = 0; k < surface.tri_count; k++) {
        FrVec3 a = fr_get3(mesh->x, surface.tri[k][0]);
        FrVec3 u = fr_sub(fr_get3(mesh->x, surface.tri[k][1]), a);
        FrVec3 v = fr_sub(fr_get3(mesh->x, surface.tri[k][2]), a);
        sum += 0.5 * fr_length(fr_cross(u, v));
    }
    fr_surface_free(ctx, &surface);
    return sum;
}

static double farthest(FrContext *ctx, const FrTetMesh *mesh, Body body) {
    FrSurface surface;
    double most = 0;
    body.turn = fr_quat_normalize(turn);
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, mesh, &surface));
    for (int32_t k = 0; k < 3 * surface.tri_count; k++) {
        FrVec3 x = fr_get3(mesh->x, surface.tri[k / 3][k % 3]);
        most = fmax(most, fabs(body_distance(&body, x)));
    }
    fr_surface_free(ctx, &surface);
    return most;
}

// solids of every genus: fewer tets, same topology, corners of the surface still on it
TEST(solids_stay_what_they_are) {
    FrContext *ctx = make_context(1);
    static const Body body[] = {{.kind = BALL, .a = 1},
                                {.kind = TORUS, .a = 1, .b = 0.4},
                                {.kind = ROD, .a = 0.5, .b = 1},
                                {.kind = BRICK, .a = 1, .b = 0.8, .c = 0.6},
                                {.kind = PLATE, .a = 1, .b = 0.8, .c = 0.08},
                                {.kind = PAIR, .a = 0.6, .b = 0.55},
                                {.kind = BITTEN, .a = 0.8, .b = 0.9}};
    for (size_t k = 0; k < sizeof body / sizeof body[0]; k++) {
        double size = body[k].kind == PLATE ? 0.08 : 0.12;
        FrTetMesh mesh = stuffed(ctx, body[k], size);
        FrSurfaceCheck before = surface_facts(ctx, &mesh);
        int32_t tets = mesh.tet_count;
        double volume = fr_tetmesh_props(&mesh).volume, area = area_of(ctx, &mesh);
        FrCoarsenOptions options = {.longest = 3 * size, .tolerance = 0.15 * size};
        CHECK_OK(ctx, fr_tetmesh_coarsen(ctx, &options, &mesh));
        check_mesh(ctx, &mesh);
        FrSurfaceCheck after = surface_facts(ctx, &mesh);
        CHECK_INT(after.euler, before.euler);
        CHECK_INT(after.component_count, before.component_count);
        CHECK_INT(after.nonmanifold_edges, 0);
        CHECK_INT(after.nonmanifold_nodes, 0);
        CHECK(mesh.tet_count < 0.4 * tets);
        // mesh: a layer as thick as the tolerance is all that can be missing
        CHECK_NEAR(fr_tetmesh_props(&mesh).volume, volume, options.tolerance * area);
        CHECK(farthest(ctx, &mesh, body[k]) < 1e-12); // rounding: corners are on the surface
        FrMeshQuality quality;
        CHECK_OK(ctx, fr_tetmesh_quality(ctx, &mesh, &quality));
        CHECK(quality.max_edge <= 3 * size);
        CHECK_INT(quality.sliver_count, 0);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// as many as asked for, and none where nothing may change
TEST(it_stops_when_there_are_few_enough) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh = stuffed(ctx, (Body){.kind = BALL, .a = 1}, 0.15);
    int32_t tets = mesh.tet_count;
    FrCoarsenOptions options = {.longest = 1, .tolerance = 0.1, .enough = tets * 3 / 4};
    CHECK_OK(ctx, fr_tetmesh_coarsen(ctx, &options, &mesh));
    CHECK(mesh.tet_count <= options.enough && mesh.tet_count > options.enough - 40);
    fr_tetmesh_free(ctx, &mesh);
    options.enough = 0;
    options.tolerance = 0; // on a ball no corner can leave without a trace on the surface
    mesh = stuffed(ctx, (Body){.kind = BALL, .a = 1}, 0.25);
    FrSurfaceCheck before = surface_facts(ctx, &mesh);
    CHECK_OK(ctx, fr_tetmesh_coarsen(ctx, &options, &mesh));
    CHECK_INT(surface_facts(ctx, &mesh).tri_count, before.tri_count);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static FrResult small(FrContext *ctx) {
    Body body = {.kind = BALL, .a = 1, .turn = {1, 0, 0, 0}};
    FrField field = body_field(&body);
    FrStuffingOptions stuffing = fr_stuffing_options_default(0.5);
    FrCoarsenOptions options = {.longest = 2, .tolerance = 0.2};
    FrTetMesh mesh;
    FR_TRY(fr_mesh_stuff(ctx, &field, &stuffing, &mesh, NULL));
    FrResult result = fr_tetmesh_coarsen(ctx, &options, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

TEST(coarsen_refusals) { refuse_each(small); }
