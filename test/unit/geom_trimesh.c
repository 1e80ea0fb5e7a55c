// geom_trimesh.c: surfaces are measured, checked, welded and written as they should be.

#include "test.h"
#include "geom.h"
#include "geom/edges.h"
#include "geom/soup.h"
#include <unistd.h>

TEST(box_measures) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh box = make_box(ctx, fr_vec3(1, 2, 3), fr_vec3(3, 5, 7));
    FrSolidProps props = fr_trimesh_props(&box);
    double V = 24, a = 2, b = 3, c = 4;
    // rounding: a few dozen operations of numbers of order 10
    CHECK_NEAR(props.volume, V, 1e-12);
    CHECK_NEAR(fr_distance(props.centre, fr_vec3(2, 3.5, 5)), 0, 1e-13);
    CHECK_NEAR(props.inertia.xx, V * (b * b + c * c) / 12, 1e-11);
    CHECK_NEAR(props.inertia.yy, V * (a * a + c * c) / 12, 1e-11);
    CHECK_NEAR(props.inertia.zz, V * (a * a + b * b) / 12, 1e-11);
    CHECK_NEAR(fabs(props.inertia.xy) + fabs(props.inertia.yz) + fabs(props.inertia.zx), 0, 1e-11);
    CHECK_NEAR(fr_trimesh_area(&box), 52, TOL_EXACT);
    FrBox bounds = fr_trimesh_bounds(&box);
    CHECK(bounds.lo.x == 1 && bounds.hi.z == 7);
    flip(&box);
    CHECK_NEAR(fr_trimesh_props(&box).volume, -V, 1e-12);
    fr_trimesh_free(ctx, &box);
    fr_context_destroy(ctx);
}

// two boxes in one surface: apart they are two groups; one within the other is its hollow
TEST(parts_that_cannot_touch) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    for (int within = 0; within < 2; within++) {
        FrTriMesh big = make_box(ctx, fr_vec3(0, 0, 0), fr_vec3(3, 3, 3)), both;
        FrTriMesh small = within ? make_box(ctx, fr_vec3(1, 1, 1), fr_vec3(2, 2, 2))
                                 : make_box(ctx, fr_vec3(4, 1, 1), fr_vec3(5, 2, 2));
        FrTriReport report;
        CHECK_OK(ctx, fr_trimesh_alloc(ctx, big.point_count + small.point_count,
                                       big.tri_count + small.tri_count, &both));
        memcpy(both.p, big.p, 3 * sizeof(double) * (size_t)big.point_count);
        memcpy(both.p + 3 * big.point_count, small.p,
               3 * sizeof(double) * (size_t)small.point_count);
        memcpy(both.tri, big.tri, sizeof *big.tri * (size_t)big.tri_count);
        for (int32_t t = 0; t < 3 * small.tri_count; t++)
            both.tri[big.tri_count + t / 3][t % 3] = small.tri[t / 3][t % 3] + big.point_count;
        CHECK_OK(ctx, fr_trimesh_report(ctx, &both, &report));
        CHECK_INT(report.components, 2);
        CHECK_INT(report.groups, within ? 1 : 2);
        fr_trimesh_free(ctx, &big);
        fr_trimesh_free(ctx, &small);
        fr_trimesh_free(ctx, &both);
    }
    fr_context_destroy(ctx);
}

// a tilted box has products of inertia: I = R I0 R'
TEST(tilted_box_inertia) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh box = make_box(ctx, fr_vec3(-1, -2, -3), fr_vec3(1, 2, 3));
    FrMat3 R = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0.3, -0.7, 0.5)));
    FrSolidProps before = fr_trimesh_props(&box);
    for (int32_t n = 0; n < 8; n++) fr_set3(box.p, n, fr_mat3_apply(R, fr_get3(box.p, n)));
    FrMat3 found = fr_sym3_full(fr_trimesh_props(&box).inertia);
    FrMat3 wanted = fr_mat3_mul(R, fr_mat3_mul(fr_sym3_full(before.inertia), fr_mat3_transpose(R)));
    CHECK_NEAR(fr_mat3_norm(fr_mat3_axpy(-1, found, wanted)), 0, 1e-11); // rounding of order 500
    fr_trimesh_free(ctx, &box);
    fr_context_destroy(ctx);
}

// inscribed facets: errors fall with the square of the facet size
TEST(sphere_and_torus_converge) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    double last_sphere = 0, last_torus = 0;
    for (int32_t n = 16; n <= 128; n *= 2) {
        FrTriMesh sphere = make_sphere(ctx, 2, n, 2 * n), torus = make_torus(ctx, 3, 1, 2 * n, n);
        double V = 4.0 / 3 * FR_PI * 8, W = 2 * FR_PI * FR_PI * 3;
        FrSolidProps s = fr_trimesh_props(&sphere), t = fr_trimesh_props(&torus);
        double sphere_error = 1 - s.volume / V, torus_error = 1 - t.volume / W;
        CHECK(sphere_error > 0 && torus_error > 0);
        // mesh: the next order, by the square of a facet's angle
        if (n > 16) CHECK_NEAR(last_sphere / sphere_error, 4, 0.1);
        if (n > 16) CHECK_NEAR(last_torus / torus_error, 4, 0.1);
        last_sphere = sphere_error, last_torus = torus_error;
        if (n == 128) {
            // mesh: volume error 4e-4, inertia goes with the 5/3 power of it
            CHECK_CLOSE(s.inertia.xx, 0.4 * V * 4, 1e-3);
            CHECK_CLOSE(t.inertia.zz, W * (9 + 0.75), 2e-3);
            CHECK_CLOSE(t.inertia.xx, W * (4.5 + 0.625), 2e-3);
            CHECK_CLOSE(fr_trimesh_area(&torus), 4 * FR_PI * FR_PI * 3, 1e-3);
        }
        fr_trimesh_free(ctx, &sphere);
        fr_trimesh_free(ctx, &torus);
    }
    fr_context_destroy(ctx);
}

TEST(report_counts_faults) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriReport report;
    FrTriMesh box = make_box(ctx, fr_vec3(0, 0, 0), fr_vec3(1, 1, 1));
    CHECK_OK(ctx, fr_trimesh_report(ctx, &box, &report));
    CHECK(report.closed);
    CHECK_INT(report.components, 1);
    CHECK_INT(report.open_edges + report.nonmanifold_edges + report.inconsistent_edges, 0);
    // one triangle turned over: three edges are run the same way twice
    int32_t swap = box.tri[4][0];
    box.tri[4][0] = box.tri[4][1], box.tri[4][1] = swap;
    CHECK_OK(ctx, fr_trimesh_report(ctx, &box, &report));
    CHECK_INT(report.inconsistent_edges, 3);
    CHECK(!report.closed);
    // taken away: three open edges
    box.tri_count = 11;
    box.tri[4][0] = box.tri[11][0], box.tri[4][1] = box.tri[11][1], box.tri[4][2] = box.tri[11][2];
    CHECK_OK(ctx, fr_trimesh_report(ctx, &box, &report));
    CHECK_INT(report.open_edges, 3);
    // the same again, its points in another order: its edges have three triangles
    box.tri_count = 12;
    box.tri[11][0] = box.tri[3][1], box.tri[11][1] = box.tri[3][0], box.tri[11][2] = box.tri[3][2];
    CHECK_OK(ctx, fr_trimesh_report(ctx, &box, &report));
    CHECK_INT(report.duplicate_tris, 1);
    CHECK_INT(report.nonmanifold_edges, 3);
    // and one that is a line
    box.tri[10][0] = box.tri[10][1];
    CHECK_OK(ctx, fr_trimesh_report(ctx, &box, &report));
    CHECK_INT(report.degenerate_tris, 1);
    fr_trimesh_free(ctx, &box);
    fr_context_destroy(ctx);
}

// two boxes of 12 triangles: apart, face on face, one through the other
TEST(crossings_are_found) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    static const struct {
        FrVec3 shift;
        int32_t wanted;
    } at[] = {
        {{2, 0, 0}, 0},
        {{1, 0, 0}, 0},
        {{0.2, 0.3, 1}, 0},
        // three faces of each box, two triangles each, run through the other one's
        {{0.5, 0.3, 0.4}, 12},
        // the same, edges exactly on the diagonals of faces
        {{0.5, 0.5, 0.5}, 12},
        // slid along: no edge goes through a face, four faces of each lie in each other
        {{0.5, 0, 0}, 16},
        {{0.5, 0, 1}, 0},
        // as before, and two ends of each run through
        {{0.5, 0.25, 0}, 16},
    };
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        FrTriMesh a = make_box(ctx, fr_vec3(0, 0, 0), fr_vec3(1, 1, 1)), both;
        CHECK_OK(ctx, fr_trimesh_alloc(ctx, 16, 24, &both));
        for (int32_t n = 0; n < 8; n++) {
            fr_set3(both.p, n, fr_get3(a.p, n));
            fr_set3(both.p, 8 + n, fr_add(fr_get3(a.p, n), at[k].shift));
        }
        for (int32_t t = 0; t < 12; t++)
            for (int c = 0; c < 3; c++) {
                both.tri[t][c] = a.tri[t][c];
                both.tri[12 + t][c] = 8 + a.tri[t][c];
            }
        int32_t count;
        CHECK_OK(ctx, fr_trimesh_crossings(ctx, &both, &count));
        CHECK_INT(count, at[k].wanted);
        fr_trimesh_free(ctx, &a);
        fr_trimesh_free(ctx, &both);
    }
    fr_context_destroy(ctx);
}

// two tets, one's lowest edge across the other's highest: they touch in a point, and nothing
// crosses
TEST(edges_that_touch_do_not_cross) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    static const FrVec3 point[8] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 1},  {0, 1, 1},
                                    {0, -1, 0}, {0, 1, 0}, {-1, 0, -1}, {1, 0, -1}};
    static const int32_t face[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    for (int deep = 0; deep < 2; deep++) {
        FrTriMesh mesh;
        int32_t count;
        CHECK_OK(ctx, fr_trimesh_alloc(ctx, 8, 8, &mesh));
        for (int32_t n = 0; n < 8; n++) {
            // the lower one is raised, straight through the edge of the upper one
            FrVec3 up = fr_vec3(0, 0, deep && n >= 4 ? 0.1 : 0);
            fr_set3(mesh.p, n, fr_add(point[n], up));
        }
        for (int32_t t = 0; t < 8; t++)
            for (int c = 0; c < 3; c++) mesh.tri[t][c] = face[t % 4][c] + (t < 4 ? 0 : 4);
        CHECK_OK(ctx, fr_trimesh_crossings(ctx, &mesh, &count));
        CHECK_INT(count, deep ? 4 : 0);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// A needle, four faces round a corner, and a leaf with an edge straight through that corner: down
// into the needle, or past it where the needle leans away. The leaf is so wide that no other edge
// meets anything.
TEST(an_edge_through_a_corner_crosses) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    for (int lean = 0; lean < 2; lean++) {
        FrTriMesh mesh;
        int32_t count;
        CHECK_OK(ctx, fr_trimesh_alloc(ctx, 8, 5, &mesh));
        double far = lean ? 5.0 : 0.0;
        fr_set3(mesh.p, 0, fr_vec3(0, 0, 0));
        for (int32_t k = 0; k < 4; k++)
            fr_set3(mesh.p, 1 + k,
                    fr_vec3(far + cos(FR_PI / 2 * k), sin(FR_PI / 2 * k), lean ? 0.5 : -8.0));
        fr_set3(mesh.p, 5, fr_vec3(0, 0, 1));
        fr_set3(mesh.p, 6, fr_vec3(0, 0, -1));
        fr_set3(mesh.p, 7, fr_vec3(-3, -3, 0.125));
        for (int32_t k = 0; k < 4; k++)
            mesh.tri[k][0] = 0, mesh.tri[k][1] = 1 + k, mesh.tri[k][2] = 1 + (k + 1) % 4;
        mesh.tri[4][0] = 5, mesh.tri[4][1] = 6, mesh.tri[4][2] = 7;
        CHECK_OK(ctx, fr_trimesh_crossings(ctx, &mesh, &count));
        if (lean)
            CHECK_INT(count, 0);
        else
            CHECK(count >= 2);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

TEST(weld_closes_a_soup) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh ball = make_sphere(ctx, 1, 20, 40), soup;
    CHECK_OK(ctx, fr_trimesh_alloc(ctx, 3 * ball.tri_count, ball.tri_count, &soup));
    FrRandom random = fr_random_for(1, "weld", 0);
    for (int32_t t = 0; t < ball.tri_count; t++) {
        for (int k = 0; k < 3; k++) {
            soup.tri[t][k] = 3 * t + k;
            FrVec3 x = fr_get3(ball.p, ball.tri[t][k]);
            for (int c = 0; c < 3; c++)
                soup.p[9 * t + 3 * k + c] = fr_vec3_get(x, c) + 1e-9 * fr_random_unit(&random);
        }
    }
    FrTriReport report;
    CHECK_OK(ctx, fr_trimesh_weld(ctx, &soup, 0.0, NULL));
    CHECK_INT(soup.tri_count, ball.tri_count);
    CHECK_INT(soup.point_count, 3 * ball.tri_count); // none are equal
    CHECK_OK(ctx, fr_trimesh_weld(ctx, &soup, 1e-7, NULL));
    CHECK_INT(soup.point_count, ball.point_count);
    CHECK_OK(ctx, fr_trimesh_report(ctx, &soup, &report));
    CHECK(report.closed);
    // a tolerance as wide as the ball leaves nothing
    CHECK_OK(ctx, fr_trimesh_weld(ctx, &soup, 5.0, NULL));
    CHECK_INT(soup.tri_count, 0);
    CHECK_INT(soup.point_count, 0);
    fr_trimesh_free(ctx, &soup);
    fr_trimesh_free(ctx, &ball);
    fr_context_destroy(ctx);
}

TEST(frames) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh box = make_box(ctx, fr_vec3_zero, fr_vec3(1, 1, 1));
    fr_trimesh_y_up_to_z_up(&box);
    CHECK(fr_trimesh_bounds(&box).lo.y == -1 && fr_trimesh_bounds(&box).hi.z == 1);
    CHECK_NEAR(fr_trimesh_props(&box).volume, 1, 1e-14); // rounding
    fr_trimesh_scale(&box, 0.001);
    CHECK_NEAR(fr_trimesh_props(&box).volume, 1e-9, 1e-22); // rounding: of 1e-9
    fr_trimesh_free(ctx, &box);
    fr_context_destroy(ctx);
}

// every triangle with points of its own, with its place as UV and normals along the diagonals
static FrTriMesh apart(FrContext *ctx, const FrTriMesh *from) {
    FrTriMesh to;
    CHECK_OK(ctx, fr_trimesh_alloc(ctx, 3 * from->tri_count, from->tri_count, &to));
    to.uv = fr_alloc_zero(ctx, 6 * (size_t)from->tri_count, sizeof *to.uv);
    to.normal = fr_alloc_zero(ctx, 9 * (size_t)from->tri_count, sizeof *to.normal);
    for (int32_t k = 0; k < 3 * from->tri_count; k++) {
        FrVec3 x = fr_get3(from->p, from->tri[k / 3][k % 3]);
        to.tri[k / 3][k % 3] = k;
        fr_set3(to.p, k, x);
        fr_set3(to.normal, k, fr_normalize(x));
        to.uv[2 * k] = x.x + 2 * x.y, to.uv[2 * k + 1] = x.z - x.y;
    }
    return to;
}

// a beam of twelve long triangles, each by itself: seams stay closed, sides flat, triangles round
TEST(refined_without_gaps) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrVec3 half = {10, 1.5, 1};
    FrTriMesh box = make_box(ctx, fr_neg(half), half), fine = apart(ctx, &box);
    double area = fr_trimesh_area(&box), longest = 0.7, round = 1;
    CHECK_OK(ctx, fr_trimesh_refine(ctx, &fine, longest));
    // rounding: sums of some 2,000 triangles
    CHECK_CLOSE(fr_trimesh_area(&fine), area, 1e-13);
    CHECK_CLOSE(fr_trimesh_props(&fine).volume, 120, 1e-13);
    for (int32_t t = 0; t < fine.tri_count; t++) {
        double side = 0;
        FrVec3 x[3];
        for (int i = 0; i < 3; i++) x[i] = fr_get3(fine.p, fine.tri[t][i]);
        for (int i = 0; i < 3; i++) side = fr_max(side, fr_distance(x[i], x[(i + 1) % 3]));
        CHECK(side <= longest);
        double twice = fr_length(fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0])));
        round = fr_min(round, twice / (side * side));
    }
    CHECK(round > 0.5 * 40 / 404.0); // halving the longest sides halves no angle twice
    CHECK(fine.tri_count < 7 * area / (longest * longest));
    for (int32_t n = 0; n < fine.point_count; n++) {
        FrVec3 x = fr_get3(fine.p, n);
        CHECK(fabs(x.x) == half.x || fabs(x.y) == half.y || fabs(x.z) == half.z);
        // rounding: means of means of what is linear
        CHECK_NEAR(fine.uv[2 * n], x.x + 2 * x.y, 1e-13);
        CHECK_NEAR(fine.uv[2 * n + 1], x.z - x.y, 1e-13);         // rounding
        CHECK_NEAR(fr_length(fr_get3(fine.normal, n)), 1, 1e-14); // rounding
    }
    FrTriReport report;
    CHECK_OK(ctx, fr_trimesh_weld(ctx, &fine, 0, NULL)); // equal places only
    CHECK_OK(ctx, fr_trimesh_report(ctx, &fine, &report));
    CHECK(report.closed && report.components == 1);
    int32_t before = box.tri_count;
    CHECK_OK(ctx, fr_trimesh_refine(ctx, &box, 30));
    CHECK_INT(box.tri_count, before);
    fr_trimesh_free(ctx, &fine);
    fr_trimesh_free(ctx, &box);
    fr_context_destroy(ctx);
}

// ears cover the polygon: areas add up and no triangle is turned over
TEST(triangulate_combs) {
    for (int32_t teeth = 1; teeth <= 60; teeth++) {
        int32_t n = 2 * teeth + 3;
        double(*xy)[2] = calloc((size_t)n, sizeof *xy);
        int32_t *link = calloc(2 * (size_t)n, sizeof *link),
                (*tri)[3] = calloc((size_t)n, sizeof *tri);
        xy[0][0] = 2 * teeth, xy[0][1] = -1, xy[1][0] = 2 * teeth, xy[1][1] = 0;
        for (int32_t k = 1; k <= 2 * teeth; k++)
            xy[k + 1][0] = 2 * teeth - k, xy[k + 1][1] = k % 2 ? 5 : 0;
        xy[n - 1][0] = 0, xy[n - 1][1] = -1;
        fr_face_triangles((const double(*)[2])xy, n, link, tri);
        double area = 0;
        for (int32_t t = 0; t < n - 2; t++) {
            double *a = xy[tri[t][0]], *b = xy[tri[t][1]], *c = xy[tri[t][2]];
            double part = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
            CHECK(part >= 0);
            area += part;
        }
        CHECK_NEAR(area, 2 * teeth + 5 * teeth, TOL_EXACT); // exact: small integers and halves
        free(xy), free(link), free(tri);
    }
}

TEST(allocations_may_fail) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh ball = make_sphere(ctx, 1, 6, 8);
    EVERY_ALLOCATION_FAILS(ctx, &refuser, {
        FrTriMesh copy;
        FrTriReport report;
        result = fr_trimesh_copy(ctx, &ball, &copy);
        if (result == FR_OK) result = fr_trimesh_refine(ctx, &copy, 0.3);
        if (result == FR_OK) result = fr_trimesh_report(ctx, &copy, &report);
        if (result == FR_OK) result = fr_trimesh_crossings(ctx, &copy, &report.components);
        if (result == FR_OK) result = fr_trimesh_weld(ctx, &copy, 1e-6, NULL);
        fr_trimesh_free(ctx, &copy);
    });
    fr_trimesh_free(ctx, &ball);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}
