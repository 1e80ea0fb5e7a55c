// geom_solid.c: bad surfaces still have an inside; distances and winding numbers are right.

#include "test.h"
#include "base/clock.h"
#include "geom.h"
#include "geom/shape.h"
#include "geom/solid_tree.h"

static FrSolid *make_solid(FrContext *ctx, const FrTriMesh *mesh) {
    FrSolid *solid;
    CHECK_OK(ctx, fr_solid_create(ctx, mesh, &solid));
    if (!solid) abort();
    return solid;
}

TEST(tree_agrees_with_brute_force) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrRandom random = fr_random_for(1, "brute", 0);
    for (int kind = 0; kind < 3; kind++) {
        FrTriMesh mesh = kind == 0   ? make_torus(ctx, 3, 1, 40, 20)
                         : kind == 1 ? make_sphere(ctx, 1, 3, 3)
                                     : make_sphere(ctx, 1, 24, 48);
        if (kind == 2) mesh.tri_count -= 300; // open at the bottom
        FrSolid *solid = make_solid(ctx, &mesh);
        FrBox box = fr_box_grow(fr_solid_bounds(solid), 0.7);
        double worst = 0;
        FrTree tree;
        CHECK_OK(ctx, fr_tree_create(ctx, fr_solid_mesh(solid), &tree));
        fr_tree_fill(ctx, &tree, fr_solid_mesh(solid));
        for (int k = 0; k < 1500; k++) {
            FrVec3 x = random_in(&random, box);
            double d = exact_distance(&mesh, x), w = exact_winding(fr_solid_mesh(solid), x);
            // rounding: sums over all triangles, of which the exact one counts; nearest points of
            // them
            CHECK_NEAR(fr_solid_unsigned(solid, x), d, 1e-13);
            if (kind < 2) CHECK_NEAR(fr_solid_winding(solid, x), w, 1e-12); // counted, not summed
            worst = fr_max(worst, fabs(fr_tree_winding(&tree, x, 1.0).turns - w));
        }
        // three terms: found 0.007 on the torus; 1/2 decides
        CHECK(worst < 0.02);
        fr_tree_free(ctx, &tree);
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// every point farther than `skin` from the true surface must be on its right side
static void check_sides(const FrSolid *solid, double (*truth)(FrVec3), double skin) {
    FrRandom random = fr_random_for(4, "sides", 0);
    FrBox box = fr_box_grow(fr_solid_bounds(solid), 0.3);
    int wrong = 0, asked = 0;
    for (int k = 0; k < 4000; k++) {
        FrVec3 x = random_in(&random, box);
        double d = truth(x);
        if (fabs(d) < skin) continue;
        asked++;
        wrong += (fr_solid_distance(solid, x) < 0) != (d < 0);
    }
    CHECK_INT(wrong, 0);
    CHECK(asked > 1000);
}

static double unit_ball(FrVec3 x) { return fr_length(x) - 1; }

TEST(flipped_and_inverted_spheres) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    for (int percent = 10; percent <= 100; percent += 30) {
        FrTriMesh mesh = make_sphere(ctx, 1, 30, 60);
        FrRandom random = fr_random_for(5, "flip", (uint64_t)percent);
        for (int32_t t = 0; t < mesh.tri_count; t++) {
            if (fr_random_below(&random, 100) >= percent) continue;
            int32_t swap = mesh.tri[t][0];
            mesh.tri[t][0] = mesh.tri[t][1], mesh.tri[t][1] = swap;
        }
        FrSolid *solid = make_solid(ctx, &mesh);
        CHECK(fr_solid_report(solid)->after.closed);
        CHECK_CLOSE(fr_solid_report(solid)->volume, 4 * FR_PI / 3, 0.01); // mesh: facets, 0.6 %
        CHECK(fr_solid_report(solid)->flipped_tris > 0);
        CHECK_OK(ctx, fr_solid_check(ctx, "ball", solid));
        check_sides(solid, unit_ball, 0.01);
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

TEST(sphere_with_a_hole) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh = make_sphere(ctx, 1, 40, 80);
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh.tri_count; t++) { // no top: 25 degrees around the pole
        if (mesh.p[3 * mesh.tri[t][0] + 2] > 0.9 || mesh.p[3 * mesh.tri[t][1] + 2] > 0.9) continue;
        memcpy(mesh.tri[kept++], mesh.tri[t], sizeof *mesh.tri);
    }
    mesh.tri_count = kept;
    FrSolid *solid = make_solid(ctx, &mesh);
    CHECK(!fr_solid_report(solid)->after.closed);
    CHECK_OK(ctx, fr_solid_check(ctx, "ball", solid));
    // mesh: the cap over the hole lies between flat (0.1 below the pole) and round
    CHECK_CLOSE(fr_solid_report(solid)->volume, 4 * FR_PI / 3, 0.03);
    // down the axis the field passes through zero once, without a jump
    double last = fr_solid_distance(solid, fr_vec3(0, 0, 1.5));
    int changes = 0;
    for (double z = 1.5; z > -0.9; z -= 0.005) {
        double d = fr_solid_distance(solid, fr_vec3(0.01, 0.02, z));
        changes += (d < 0) != (last < 0);
        CHECK(fabs(d - last) < 0.05); // ten times the step: the estimate is of first order
        last = d;
    }
    CHECK_INT(changes, 1);
    fr_solid_destroy(ctx, solid);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(duplicates_in_both_windings) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh ball = make_sphere(ctx, 1, 20, 40), back = make_sphere(ctx, 1, 20, 40);
    flip(&back);
    FrTriMesh both = join_meshes(ctx, &ball, &back); // as a two-sided export has it
    FrSolid *solid = make_solid(ctx, &both);
    CHECK_INT(fr_solid_report(solid)->dropped_tris, ball.tri_count);
    CHECK(fr_solid_report(solid)->after.closed);
    check_sides(solid, unit_ball, 0.02);
    fr_solid_destroy(ctx, solid);
    fr_trimesh_free(ctx, &both);
    fr_trimesh_free(ctx, &back);
    fr_trimesh_free(ctx, &ball);
    fr_context_destroy(ctx);
}

static double one_box(FrVec3 x, FrVec3 lo, FrVec3 hi) {
    double dx = fr_max(lo.x - x.x, x.x - hi.x), dy = fr_max(lo.y - x.y, x.y - hi.y);
    return fr_max(fr_max(dx, dy), fr_max(lo.z - x.z, x.z - hi.z));
}
static double two_boxes(FrVec3 x) {
    return fr_min(one_box(x, fr_vec3(0, 0, 0), fr_vec3(2, 2, 2)),
                  one_box(x, fr_vec3(1, 1, 1), fr_vec3(3, 3, 3)));
}

// overlapping boxes, one of them inside out: the inside is that of either
TEST(overlapping_boxes) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    for (int inverted = 0; inverted < 4; inverted++) {
        FrTriMesh a = make_box(ctx, fr_vec3(0, 0, 0), fr_vec3(2, 2, 2));
        FrTriMesh b = make_box(ctx, fr_vec3(1, 1, 1), fr_vec3(3, 3, 3));
        if (inverted & 1) flip(&a);
        if (inverted & 2) flip(&b);
        FrTriMesh both = join_meshes(ctx, &a, &b);
        FrSolid *solid = make_solid(ctx, &both);
        check_sides(solid, two_boxes, 0.001);
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &both);
        fr_trimesh_free(ctx, &b);
        fr_trimesh_free(ctx, &a);
    }
    fr_context_destroy(ctx);
}

static double hollow_box(FrVec3 x) {
    return fr_max(one_box(x, fr_vec3(0, 0, 0), fr_vec3(3, 3, 3)),
                  -one_box(x, fr_vec3(1, 1, 1), fr_vec3(2, 2, 2)));
}

// a cavity (its wall facing into it) stays one, also when all is inside out
TEST(cavity_stays) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    for (int inverted = 0; inverted < 2; inverted++) {
        FrTriMesh a = make_box(ctx, fr_vec3(0, 0, 0), fr_vec3(3, 3, 3));
        FrTriMesh b = make_box(ctx, fr_vec3(1, 1, 1), fr_vec3(2, 2, 2));
        flip(&b);
        FrTriMesh both = join_meshes(ctx, &a, &b);
        if (inverted) both.tri_count -= 12, flip(&both), both.tri_count += 12;
        FrSolid *solid = make_solid(ctx, &both);
        check_sides(solid, hollow_box, 0.001);
        CHECK_NEAR(fr_solid_report(solid)->volume, 26, 1e-12); // rounding: of the same 24 triangles
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &both);
        fr_trimesh_free(ctx, &b);
        fr_trimesh_free(ctx, &a);
    }
    fr_context_destroy(ctx);
}

static double shifted_box(FrVec3 x) { return one_box(x, fr_vec3(0, 0, 0), fr_vec3(2, 3, 4)); }

// six sheets that do not share points, slightly apart, some wound wrongly
TEST(loose_sheets) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    for (int wrong = 0; wrong < 8; wrong++) {
        FrTriMesh box = make_box(ctx, fr_vec3(0, 0, 0), fr_vec3(2, 3, 4)), soup;
        CHECK_OK(ctx, fr_trimesh_alloc(ctx, 36, 12, &soup));
        for (int32_t t = 0; t < 12; t++)
            for (int k = 0; k < 3; k++) {
                FrVec3 x = fr_get3(box.p, box.tri[t][k]), m = fr_vec3(1, 1.5, 2);
                fr_set3(soup.p, 3 * t + k, fr_add(m, fr_scale(1 + 0.001 * (t / 2), fr_sub(x, m))));
                soup.tri[t][k] = 3 * t + k;
            }
        for (int side = 0; side < 6; side++) // up to three wrong sides: bits of `wrong`
            if (side < 3 && wrong >> side & 1)
                for (int t = 2 * side; t < 2 * side + 2; t++)
                    soup.tri[t][0] = 3 * t + 1, soup.tri[t][1] = 3 * t;
        FrSolid *solid = make_solid(ctx, &soup);
        check_sides(solid, shifted_box, 0.05);
        CHECK_OK(ctx, fr_solid_check(ctx, "sheets", solid));
        // statistics: 13,824 samples, half of them at the skin
        CHECK_CLOSE(fr_solid_report(solid)->volume, 24, 0.04);
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &soup);
        fr_trimesh_free(ctx, &box);
    }
    fr_context_destroy(ctx);
}

TEST(sheets_without_inside_are_refused) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh box = make_box(ctx, fr_vec3_zero, fr_vec3(1, 1, 1));
    box.tri_count = 2; // one side
    FrSolid *solid = make_solid(ctx, &box);
    CHECK_INT(fr_solid_check(ctx, "patch.obj", solid), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "patch.obj: is a sheet, not a solid: ");
    CHECK_HAS(fr_context_message(ctx), "4 open edges");
    fr_solid_destroy(ctx, solid);
    // nearly flat cap of a sphere
    FrTriMesh cap = make_sphere(ctx, 1, 60, 30);
    cap.tri_count = 30 * 9;
    solid = make_solid(ctx, &cap);
    CHECK_INT(fr_solid_check(ctx, "cap", solid), FR_OK); // 27 degrees: a lens is inside
    fr_solid_destroy(ctx, solid);
    cap.tri_count = 30;
    solid = make_solid(ctx, &cap);
    CHECK_INT(fr_solid_check(ctx, "cap", solid), FR_BAD_INPUT); // 3 degrees: flat
    fr_solid_destroy(ctx, solid);
    // points in a line
    for (int32_t n = 0; n < 8; n++) fr_set3(box.p, n, fr_vec3(n, n, n));
    CHECK_INT(fr_solid_create(ctx, &box, &solid), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "no triangle with an area");
    fr_trimesh_free(ctx, &box);
    fr_trimesh_free(ctx, &cap);
    fr_context_destroy(ctx);
}

static FrSolid *load_asset(FrContext *ctx, const char *path) {
    FrTriMesh mesh;
    CHECK_OK(ctx, fr_trimesh_read(ctx, path, &mesh));
    FrSolid *solid = make_solid(ctx, &mesh);
    fr_trimesh_free(ctx, &mesh);
    return solid;
}

TEST(bunny_and_teapot_have_an_inside) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrSolid *bunny = load_asset(ctx, FRACAS_SOURCE_DIR "/assets/bunny.obj");
    FrVec3 size = fr_box_size(fr_solid_bounds(bunny));
    CHECK(fr_solid_report(bunny)->after.closed);
    CHECK_NEAR(size.z, 0.16, 1e-5); // digits: coordinates have six decimals
    CHECK(fr_solid_distance(bunny, fr_vec3(0, 0, 0.05)) < -0.02);
    // digits: 194.288 cubic units at 9.658 units to 0.16 m
    CHECK_CLOSE(fr_solid_report(bunny)->volume, 194.288 * pow(0.16 / 9.657897, 3), 1e-5);
    CHECK_OK(ctx, fr_solid_check(ctx, "bunny", bunny));
    FrSolid *pot = load_asset(ctx, FRACAS_SOURCE_DIR "/assets/teapot.obj");
    CHECK(!fr_solid_report(pot)->after.closed);
    CHECK_OK(ctx, fr_solid_check(ctx, "teapot", pot));
    // digits: coordinates have six decimals
    CHECK_NEAR(fr_box_size(fr_solid_bounds(pot)).x, 0.25, 1e-5);
    CHECK(fr_solid_distance(pot, fr_vec3(0, 0, 0.05)) < -0.02); // the body is full
    // model: 3,170 cubic units at 32.14 to 0.25 m, open patches and overlaps: within a tenth
    CHECK_CLOSE(fr_solid_report(pot)->volume, 3172 * pow(0.25 / 32.140626, 3), 0.1);
    fr_solid_destroy(ctx, pot);
    fr_solid_destroy(ctx, bunny);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}

TEST(distance_is_lipschitz_on_closed_surfaces) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrSolid *bunny = load_asset(ctx, FRACAS_SOURCE_DIR "/assets/bunny.obj");
    FrRandom random = fr_random_for(6, "lipschitz", 0);
    FrBox box = fr_box_grow(fr_solid_bounds(bunny), 0.03);
    for (int k = 0; k < 5000; k++) {
        FrVec3 x = random_in(&random, box), y = random_in(&random, box);
        y = fr_lerp(x, y, pow(10, -5 * fr_random_unit(&random)));
        double dx = fr_solid_distance(bunny, x), dy = fr_solid_distance(bunny, y);
        CHECK(fabs(dx - dy) <= fr_distance(x, y) * (1 + 1e-9) + 1e-15); // rounding
    }
    fr_solid_destroy(ctx, bunny);
    fr_context_destroy(ctx);
}

// a figure for people, not a check: points within 5 % of the size from the surface
TEST(speed_near_the_bunny) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    double start = fr_wall_seconds();
    FrSolid *bunny = load_asset(ctx, FRACAS_SOURCE_DIR "/assets/bunny.obj");
    double built = fr_wall_seconds() - start;
    FrRandom random = fr_random_for(7, "speed", 0);
    enum { COUNT = 20000 };
    FrVec3 *x = malloc(COUNT * sizeof *x);
    for (int k = 0; k < COUNT;) {
        x[k] = random_in(&random, fr_solid_bounds(bunny));
        if (fr_solid_unsigned(bunny, x[k]) < 0.008) k++;
    }
    FrTree tree;
    CHECK_OK(ctx, fr_tree_create(ctx, fr_solid_mesh(bunny), &tree));
    fr_tree_fill(ctx, &tree, fr_solid_mesh(bunny));
    double sum = 0, t0 = fr_wall_seconds();
    for (int k = 0; k < COUNT; k++) sum += fr_solid_unsigned(bunny, x[k]);
    double t1 = fr_wall_seconds();
    for (int k = 0; k < COUNT; k++) sum += fr_solid_winding(bunny, x[k]);
    double t2 = fr_wall_seconds();
    for (int k = 0; k < COUNT; k++) sum += fr_tree_winding(&tree, x[k], 1.0).turns;
    double t3 = fr_wall_seconds();
    printf("bunny: read and built in %.1f ms; a point: nearest %.2f us, side %.2f us; side of an "
           "open surface %.2f us\n",
           1e3 * built, 1e6 * (t1 - t0) / COUNT, 1e6 * (t2 - t1) / COUNT, 1e6 * (t3 - t2) / COUNT);
    fr_tree_free(ctx, &tree);
    CHECK(isfinite(sum));
    free(x);
    fr_solid_destroy(ctx, bunny);
    fr_context_destroy(ctx);
}

TEST(allocations_may_fail) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh ball = make_sphere(ctx, 1, 6, 8);
    ball.tri_count -= 3;
    EVERY_ALLOCATION_FAILS(ctx, &refuser, {
        FrSolid *solid;
        result = fr_solid_create(ctx, &ball, &solid);
        fr_solid_destroy(ctx, solid);
    });
    EVERY_ALLOCATION_FAILS(ctx, &refuser, {
        FrShapeSet *set;
        result = fr_shapeset_create(ctx, &set);
        if (result == FR_OK) {
            const FrShape *shape = fr_shape_surface(set, "ball", &ball);
            result = fr_shapeset_result(set);
            CHECK(!shape == (result != FR_OK));
        }
        fr_shapeset_destroy(set);
    });
    fr_trimesh_free(ctx, &ball);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}

// doubles, slivers, one triangle many times, everything in one place: an answer, and no hang
TEST(hostile_surfaces) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrRandom random = fr_random_for(8, "hostile", 0);
    for (int kind = 0; kind < 4; kind++) {
        FrTriMesh mesh;
        int32_t n = 2000;
        CHECK_OK(ctx, fr_trimesh_alloc(ctx, n, n, &mesh));
        for (int32_t k = 0; k < n; k++) {
            double far = kind == 0 ? pow(10, 20 * fr_random_unit(&random)) : 1;
            FrBox unit = {{-far, -far, -far}, {far, far, far}};
            fr_set3(mesh.p, k, random_in(&random, unit));
            if (kind == 1) mesh.p[3 * k + 1] = mesh.p[3 * k + 2] = 1e-9 * mesh.p[3 * k];
            if (kind == 2) fr_set3(mesh.p, k, fr_vec3(k % 3, k % 7, k % 2));
            for (int c = 0; c < 3; c++)
                mesh.tri[k][c] = fr_random_below(&random, kind == 3 ? 40 : n);
        }
        FrSolid *solid = NULL;
        FrResult result = fr_solid_create(ctx, &mesh, &solid);
        CHECK(result == FR_OK || result == FR_BAD_INPUT);
        if (solid) CHECK(!isnan(fr_solid_distance(solid, fr_vec3(0.1, 0.2, 0.3))));
        if (solid) CHECK(!isnan(fr_solid_distance(solid, fr_get3(mesh.p, 5))));
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// a ball that lacks some triangles has its inside behind it; a patch beside it has none
TEST(points_of_a_skin_have_an_inside_behind_them) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh ball = make_sphere(ctx, 1, 12, 24), both, points;
    int32_t tris = ball.tri_count;
    CHECK_OK(ctx, fr_trimesh_alloc(ctx, ball.point_count + 3, tris - 19, &both));
    memcpy(both.p, ball.p, 3 * sizeof *ball.p * (size_t)ball.point_count);
    memcpy(both.tri, ball.tri + 20, sizeof *ball.tri * (size_t)(tris - 20));
    for (int c = 0; c < 3; c++) {
        both.tri[tris - 20][c] = ball.point_count + c;
        fr_set3(both.p, ball.point_count + c, fr_vec3(2, c == 1, c == 2));
    }
    FrSolid *solid;
    CHECK_OK(ctx, fr_solid_create(ctx, &both, &solid));
    CHECK_OK(ctx, fr_solid_skin_points(ctx, solid, 100000, 0.01, &points));
    CHECK(points.point_count > (tris - 20) * 9 / 10 && points.point_count <= tris - 20);
    for (int32_t k = 0; k < points.point_count; k++)
        CHECK(fr_length(fr_get3(points.p, k)) < 1.0 + 1e-12); // rounding: on the ball's triangles
    fr_trimesh_free(ctx, &points);
    CHECK_OK(ctx, fr_solid_skin_points(ctx, solid, 50, 0.01, &points));
    CHECK(points.point_count > 20 && points.point_count <= 50); // evenly
    fr_trimesh_free(ctx, &points);
    fr_solid_destroy(ctx, solid);
    fr_trimesh_free(ctx, &both);
    fr_trimesh_free(ctx, &ball);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}
