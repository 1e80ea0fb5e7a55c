// modal_lowest.c: no free body rings below the bound from its size, however it tapers or bulges.

#include "base/random.h"
#include "backend/backend.h"
#include "context.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include "modal/compute.h"
#include "modal/lowest.h"
#include "score/cook.h"
#include "test.h"

static FrContext *ctx;
__attribute__((constructor)) static void start(void) {
    ctx = make_context(1);
    fr_backend_fill(ctx);
}

static FrMaterial stuff(double poisson) {
    FrMaterial m;
    CHECK(fr_material_find("glass", &m));
    fr_material_set_young(&m, 7e10, poisson);
    return m;
}

// a box about the origin, lengths in centimetres
static FrTetMesh box_of(double a, double b, double c, double cell) {
    FrTetMesh mesh;
    FrVec3 half = fr_vec3(0.005 * a, 0.005 * b, 0.005 * c);
    FrBox box = {fr_neg(half), half};
    CHECK_OK(ctx, fr_mesh_box_sized(ctx, box, 0.01 * cell, 1, &mesh));
    return mesh;
}

// first mode over the bound; 0: there is no bound. Frees the mesh
static double over_bound(FrTetMesh *mesh, double poisson) {
    FrMaterial m = stuff(poisson);
    FrTetMesh curved;
    FrModes modes;
    double bound;
    CHECK_OK(ctx, fr_modes_lowest_bound(ctx, mesh, &m, &bound));
    CHECK_OK(ctx, fr_tetmesh_order2(ctx, mesh, NULL, &curved, NULL));
    FrModalDef def = {.mesh = &curved, .material = &m, .material_count = 1, .count = 2};
    CHECK_OK(ctx, fr_modes_compute(ctx, &def, &modes, NULL));
    double first = sqrt(modes.lambda[0]) / (2 * M_PI);
    fr_modes_free(ctx, &modes);
    fr_tetmesh_free(ctx, &curved);
    fr_tetmesh_free(ctx, mesh);
    return bound > 0 ? first / bound : 0;
}

// a slender free beam, as Euler and Bernoulli have it: 4.730^2/(2 pi sqrt(12)) = 1.028 of
// sqrt(E/rho) h/L^2, so 2.57 times the bound; its ends are off the axis, and D is a little longer
TEST(bound_of_a_beam) {
    FrTetMesh beam = box_of(16, 1, 1, 1);
    // model: D^2 is L^2 + 2 h^2, 0.8 % more; shear takes 1 % of the tone
    CHECK_NEAR(over_bound(&beam, 0.22), 1.028 / 0.4, 0.03 * 2.57);
}

TEST(boxes_ring_above_the_bound) {
    static const double size[][3] = {{1, 1, 1}, {2, 1, 1}, {3, 2, 1}, {4, 4, 1}, {8, 4, 1}};
    for (size_t k = 0; k < sizeof size / sizeof size[0]; k++)
        for (double poisson = 0; poisson < 0.46; poisson += 0.45) {
            FrTetMesh mesh = box_of(size[k][0], size[k][1], size[k][2], k < 3 ? 0.5 : 1);
            double over = over_bound(&mesh, poisson);
            CHECK(over > 1.9 && over < 4); // model: half of the least, of what shards may be
        }
}

// what is scaled across by a function of x
static FrTetMesh shaped(double half, double waist, double slope, bool both) {
    FrTetMesh mesh = box_of(2 * half, 2, both ? 2 : 1, 1);
    for (int32_t n = 0; n < mesh.node_count; n++) {
        double *x = &mesh.x[3 * (size_t)n], g = waist + slope * 100 * fabs(x[0]);
        x[1] *= g;
        if (both) x[2] *= g;
    }
    return mesh;
}

// two wide ends on a waist, flat and round
TEST(waists_ring_above_the_bound) {
    double least = 9;
    for (double degrees = 20; degrees < 60; degrees += 15)
        for (int both = 0; both < 2; both++) {
            double slope = tan(degrees * M_PI / 180), waist = 0.5 / cos(degrees * M_PI / 180);
            FrTetMesh mesh = shaped(both ? 6 : 7, waist, slope, both);
            double over = over_bound(&mesh, 0.22);
            CHECK(over == 0 || over > 1.5); // model: the bound leaves a half
            if (over > 0) least = fr_min(least, over);
        }
    CHECK(least < 2.4); // these come nearer to it than beams do
}

// plates of a round outline that waves at random
TEST(random_plates_ring_above_the_bound) {
    FrRandom random = fr_random_for(3, "plates", 0);
    int bounded = 0;
    for (int t = 0; t < 24; t++) {
        double a = fr_random_range(&random, 2, 10), b = fr_random_range(&random, 1, a);
        double phase[5], height[5];
        FrTetMesh mesh = box_of(a, b, 1, fr_max(1, a / 6));
        for (int k = 0; k < 5; k++) {
            phase[k] = fr_random_range(&random, 0, 2 * M_PI);
            height[k] = fr_random_range(&random, 0, 0.5) / (k + 1);
        }
        for (int32_t n = 0; n < mesh.node_count; n++) {
            double *x = &mesh.x[3 * (size_t)n], at = atan2(x[1] / b, x[0] / a), g = 1;
            for (int k = 0; k < 5; k++) g += height[k] * sin((k + 1) * at + phase[k]);
            x[0] *= fr_max(g, 0.1), x[1] *= fr_max(g, 0.1);
        }
        bool sound = fr_tetmesh_check(ctx, &mesh, NULL) == FR_OK; // deep waves turn tets over
        double over = sound ? over_bound(&mesh, 0.22) : 0;
        if (!sound) fr_tetmesh_free(ctx, &mesh);
        CHECK(over == 0 || over > 1.5); // model: the bound leaves a half
        bounded += over > 0;
    }
    CHECK(bounded > 8);
}

// a saw cut to the middle leaves no ball; a grain none either
TEST(no_bound_is_given_where_none_is_known) {
    FrTetMesh mesh = box_of(4, 2, 2, 0.5), cut = box_of(4, 2, 2, 0.5);
    FrMaterial glass = stuff(0.22), oak;
    double hz;
    CHECK(fr_material_find("oak", &oak));
    CHECK_OK(ctx, fr_modes_lowest_bound(ctx, &mesh, &glass, &hz));
    CHECK(hz > 0);
    CHECK_OK(ctx, fr_modes_lowest_bound(ctx, &mesh, &oak, &hz));
    CHECK(hz == 0);
    int32_t kept = 0;
    for (int32_t e = 0; e < cut.tet_count; e++) {
        bool gap = true;
        for (int k = 0; k < 4; k++) {
            FrVec3 x = fr_get3(cut.x, cut.tet[e][k]);
            gap = gap && x.x > -1e-6 && x.x < 5e-3 + 1e-6 && x.z > -5e-3 - 1e-6;
        }
        if (!gap) memcpy(cut.tet[kept++], cut.tet[e], sizeof cut.tet[e]);
    }
    CHECK(kept < cut.tet_count);
    cut.tet_count = kept;
    CHECK_OK(ctx, fr_modes_lowest_bound(ctx, &cut, &glass, &hz));
    CHECK(hz == 0);
    fr_tetmesh_free(ctx, &mesh);
    fr_tetmesh_free(ctx, &cut);
}

// cooked without a search, a crumb is the body that a search gives; a held one is searched
TEST(crumbs_only_click) {
    FrTetMesh mesh = box_of(1, 0.7, 0.4, 0.4);
    FrMaterial glass = stuff(0.22);
    FrAssetOptions wide = {.highest = 400000.0};
    FrAsset *asset, *all;
    double hz;
    CHECK_OK(ctx, fr_modes_lowest_bound(ctx, &mesh, &glass, &hz));
    CHECK(hz > 20000);
    CHECK_OK(ctx, fr_cook_mesh(ctx, &mesh, NULL, &glass, NULL, &asset));
    CHECK_INT(asset->info.mode_count, 0);
    CHECK_OK(ctx, fr_cook_mesh(ctx, &mesh, NULL, &glass, &wide, &all));
    CHECK(all->info.mode_count > 0);
    double lowest = HUGE_VAL;
    for (int32_t i = 0; i < all->info.mode_count; i++)
        lowest = fr_min(lowest, sqrt(all->lambda[i]) / (2 * M_PI));
    CHECK(lowest > hz && asset->info.mass == all->info.mass);
    fr_asset_destroy(asset);
    fr_asset_destroy(all);
    fr_tetmesh_free(ctx, &mesh);
}
