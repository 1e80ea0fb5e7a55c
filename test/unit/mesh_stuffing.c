// mesh_stuffing.c: isosurface stuffing keeps its angles, its surface and its volume, for any shape.

#include "mesh_support.h"
#include "mesh/stuffing.h"
#include "base/random.h"
#include <time.h>

static const Body ball = {.kind = BALL, .a = 1, .turn = {1, 0, 0, 0}};

static FrQuat random_turn(FrRandom *r) {
    double w[3];
    for (int k = 0; k < 3; k++) w[k] = fr_random_range(r, -3, 3);
    return fr_quat_from_rotation(fr_vec3(w[0], w[1], w[2]));
}

static Body random_body(uint64_t seed) {
    FrRandom r = fr_random_for(seed, "stuffing-test", 0);
    Body body = {.kind = (BodyKind)(seed % 7)};
    body.a = fr_random_range(&r, 0.8, 1.2);
    body.b = fr_random_range(&r, 0.45, 0.6);
    body.c = fr_random_range(&r, 0.45, 0.9);
    body.turn = random_turn(&r);
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = fr_random_range(&r, -5, 5);
    body.at = fr_vec3(at[0], at[1], at[2]);
    return body;
}

// every stencil at the extremes of every place its points may take: a single tet is cut by a
// made-up field that puts lattice points and cut points where the search wants them
TEST(uniform_angles_stay_within_the_bounds) {
    FrContext *ctx = make_context(2);
    double least = 180, most = 0;
    for (uint64_t seed = 0; seed < 42; seed++) {
        Body body = random_body(seed);
        FrField field = body_field(&body);
        FrStuffingOptions options = fr_stuffing_options_default(0.17 + 0.002 * (double)seed);
        options.thin = FR_THIN_ALLOW;
        FrTetMesh mesh;
        FrStuffingReport report;
        CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, &report));
        check_mesh(ctx, &mesh);
        FrMeshQuality q;
        CHECK_OK(ctx, fr_tetmesh_quality(ctx, &mesh, &q));
        least = fr_min(least, q.min_dihedral);
        most = fr_max(most, q.max_dihedral);
        CHECK(q.min_dihedral >= 10.7);
        CHECK(q.max_dihedral <= 164.8);
        CHECK_INT(q.sliver_count, 0);
        FrSurfaceCheck facts = surface_facts(ctx, &mesh);
        CHECK_INT(facts.nonmanifold_edges, report.nonmanifold_edges);
        CHECK_INT(facts.nonmanifold_edges, 0);
        CHECK_INT(facts.nonmanifold_nodes, 0);
        CHECK_NEAR(report.sampled_volume, report.volume,
                   0.12 * report.volume); // corners cut off at 5 cells per side
        // every surface node is on the surface, to rounding of its coordinates
        FrSurface surface;
        CHECK_OK(ctx, fr_tetmesh_surface(ctx, &mesh, &surface));
        double worst = 0;
        for (int32_t k = 0; k < surface.tri_count; k++)
            for (int j = 0; j < 3; j++)
                worst =
                    fr_max(worst, fabs(fr_field_at(&field, fr_get3(mesh.x, surface.tri[k][j]))));
        CHECK(worst < 1e-12);
        fr_surface_free(ctx, &surface);
        fr_tetmesh_free(ctx, &mesh);
    }
    if (getenv("FRACAS_BENCH")) printf("uniform: dihedral %.3f to %.3f\n", least, most);
    fr_context_destroy(ctx);
}

TEST(graded_angles_stay_within_the_measured_bounds) {
    FrContext *ctx = make_context(2);
    double least = 180, most = 0;
    for (uint64_t seed = 100; seed < 142; seed++) {
        Body body = random_body(seed);
        FrField field = body_field(&body);
        FrStuffingOptions options =
            fr_stuffing_options_default(0.07 + 0.001 * (double)(seed - 100));
        options.thin = FR_THIN_ALLOW;
        options.graded = true;
        FrTetMesh mesh;
        FrStuffingReport report;
        CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, &report));
        check_mesh(ctx, &mesh);
        FrMeshQuality q;
        CHECK_OK(ctx, fr_tetmesh_quality(ctx, &mesh, &q));
        least = fr_min(least, q.min_dihedral);
        most = fr_max(most, q.max_dihedral);
        CHECK(q.min_dihedral >= 10.7);
        CHECK(q.max_dihedral <= 164.8);
        CHECK_INT(surface_facts(ctx, &mesh).nonmanifold_edges, 0);
        fr_tetmesh_free(ctx, &mesh);
    }
    if (getenv("FRACAS_BENCH")) printf("graded: dihedral %.3f to %.3f\n", least, most);
    fr_context_destroy(ctx);
}

TEST(time_it) {
    if (!getenv("FRACAS_BENCH")) return;
    for (int graded = 0; graded < 2; graded++) {
        FrContext *ctx = make_context(1);
        FrField field = body_field(&ball);
        FrStuffingOptions options = fr_stuffing_options_default(graded ? 0.02 : 0.04);
        options.graded = graded;
        options.thin = FR_THIN_ALLOW;
        FrTetMesh mesh;
        FrStuffingReport report;
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, &report));
        clock_gettime(CLOCK_MONOTONIC, &b);
        double s = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        printf("%s: %d tets in %.3f s: %.0f tets/s on one core, %lld evaluations\n",
               graded ? "graded" : "uniform", mesh.tet_count, s, mesh.tet_count / s,
               (long long)report.evaluations);
        fr_tetmesh_free(ctx, &mesh);
        fr_context_destroy(ctx);
    }
}
