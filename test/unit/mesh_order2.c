// mesh_order2.c: 10-node tets follow the true shape and stay valid.

#include "mesh_support.h"
#include "geom/shape.h"
#include "mesh/order2.h"
#include "mesh/structured.h"
#include "mesh/stuffing.h"

static const Body ball = {.kind = BALL, .a = 1, .turn = {1, 0, 0, 0}};

static FrTetMesh material(FrContext *ctx, const Body *body, double size) {
    FrField field = body_field(body);
    FrStuffingOptions options = fr_stuffing_options_default(size);
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, NULL));
    return mesh;
}

// straight tets lose volume as h^2, curved ones as h^4
TEST(ball_volume_converges_with_order_4) {
    FrContext *ctx = make_context(2);
    FrField field = body_field(&ball);
    double exact = 4 * FR_PI / 3, straight[3], curved[3];
    for (int k = 0; k < 3; k++) {
        FrTetMesh linear = material(ctx, &ball, 0.4 / (1 << k)), mesh;
        FrOrder2Report report;
        CHECK_OK(ctx, fr_tetmesh_order2(ctx, &linear, &field, &mesh, &report));
        CHECK_INT(report.pulled_back, 0);
        CHECK(report.projected > 0);
        straight[k] = fabs(fr_tetmesh_props(&linear).volume - exact);
        curved[k] = fabs(fr_order2_volume(&mesh) - exact);
        double least = 1;
        for (int32_t e = 0; e < mesh.tet_count; e++)
            least = fr_min(least, fr_order2_min_jacobian(&mesh, e));
        CHECK(least > 0.1);
        check_mesh(ctx, &mesh);
        fr_tetmesh_free(ctx, &linear);
        fr_tetmesh_free(ctx, &mesh);
    }
    // mesh: measured over two halvings; single ones scatter because the lattice meets the ball anew
    CHECK_NEAR(0.5 * log2(straight[0] / straight[2]), 2, 0.3);
    CHECK_NEAR(0.5 * log2(curved[0] / curved[2]), 4, 0.5);
    CHECK(curved[2] < 1e-2 * straight[2]);
    fr_context_destroy(ctx);
}

TEST(straight_mid_nodes_are_in_the_middle) {
    FrContext *ctx = make_context(1);
    FrTetMesh linear, mesh;
    FrBox box = {{0, 0, 0}, {1, 2, 3}};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){1, 2, 3}, &linear));
    CHECK_OK(ctx, fr_tetmesh_order2(ctx, &linear, NULL, &mesh, NULL));
    CHECK_INT(mesh.order, 2);
    CHECK_INT(mesh.corner_count, linear.node_count);
    for (int32_t e = 0; e < mesh.tet_count; e++)
        for (int k = 0; k < 6; k++) {
            FrVec3 a = fr_get3(mesh.x, mesh.tet[e][fr_tet_edge[k][0]]);
            FrVec3 b = fr_get3(mesh.x, mesh.tet[e][fr_tet_edge[k][1]]);
            CHECK_NEAR(fr_distance(fr_get3(mesh.x, mesh.mid[e][k]), fr_lerp(a, b, 0.5)), 0,
                       TOL_EXACT);
        }
    // rounding: sums of some 100 tets
    CHECK_CLOSE(fr_order2_volume(&mesh), 6, 1e-13);
    CHECK_CLOSE(fr_order2_min_jacobian(&mesh, 0), 1, 1e-14);
    // turning a 10-node tet round takes its mid-nodes along
    FrMat3 mirror = fr_mat3(fr_vec3(-1, 0, 0), fr_vec3(0, 1, 0), fr_vec3(0, 0, 1));
    CHECK_OK(ctx, fr_tetmesh_transform(ctx, &mesh, mirror, fr_vec3_zero));
    CHECK_OK(ctx, fr_tetmesh_renumber(ctx, &mesh));
    CHECK_CLOSE(fr_order2_volume(&mesh), 6, 1e-13);
    CHECK_CLOSE(fr_order2_min_jacobian(&mesh, 7), 1, 1e-14);
    check_mesh(ctx, &mesh);
    FrTetMesh again;
    CHECK_INT(fr_tetmesh_order2(ctx, &mesh, NULL, &again, NULL), FR_BAD_USE);
    fr_tetmesh_free(ctx, &linear);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// a tube of six sides: without the guard its thin wall would be turned inside out
TEST(bad_curving_is_pulled_back) {
    FrContext *ctx = make_context(1);
    FrTetMesh linear, mesh;
    CHECK_OK(ctx, fr_mesh_tube_layers(ctx, (FrTube){1, 0.93, 0.3}, 1, 1, &linear));
    Body rod = {.kind = ROD, .a = 1, .b = 0.15, .turn = {1, 0, 0, 0}};
    FrField field = body_field(&rod);
    FrOrder2Report report;
    CHECK_OK(ctx, fr_tetmesh_order2(ctx, &linear, &field, &mesh, &report));
    CHECK(report.pulled_back > 0);
    for (int32_t e = 0; e < mesh.tet_count; e++) CHECK(fr_order2_min_jacobian(&mesh, e) > 0);
    fr_tetmesh_free(ctx, &linear);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static FrResult make_order2(FrContext *ctx) {
    FrTetMesh linear, mesh;
    FrField field = body_field(&ball);
    FR_TRY(fr_mesh_tube_layers(ctx, (FrTube){1, 0, 1}, 0.9, 1, &linear));
    FrResult result = fr_tetmesh_order2(ctx, &linear, &field, &mesh, NULL);
    fr_tetmesh_free(ctx, &mesh);
    fr_tetmesh_free(ctx, &linear);
    return result;
}

TEST(order2_refusals) { refuse_each(make_order2); }

// a thin wall of 16 sides becomes round: rims on their circles, caps flat, nothing pulled back
TEST(rims_and_walls_of_a_tube) {
    FrContext *ctx = make_context(1);
    FrTetMesh linear, mesh;
    FrShapeSet *set;
    FrField field;
    FrOrder2Report report;
    CHECK_OK(ctx, fr_mesh_tube_layers(ctx, (FrTube){0.0125, 0.0115, 0.03}, 0.005, 1, &linear));
    CHECK_OK(ctx, fr_shapeset_create(ctx, &set));
    fr_shape_field(fr_shape_tube(set, 0.0125, 0.0115, 0.03), &field);
    CHECK_OK(ctx, fr_tetmesh_order2(ctx, &linear, &field, &mesh, &report));
    CHECK_INT(report.pulled_back, 0);
    int32_t rims = 0;
    for (int32_t n = mesh.corner_count; n < mesh.node_count; n++) {
        FrVec3 x = fr_get3(mesh.x, n);
        double r = sqrt(x.x * x.x + x.y * x.y);
        bool cap = fabs(fabs(x.z) - 0.015) < 1e-12,
             wall = fabs(r - 0.0125) < 1e-9 || fabs(r - 0.0115) < 1e-9;
        rims += cap && wall;
        CHECK(fabs(x.z) <= 0.015 + 1e-12); // rounding
    }
    // 16 edges on each of four circles; Newton ends within 1e-9 of them
    CHECK_INT(rims, 4 * 16);
    // mesh: a parabola through three points of an arc of 22.5 degrees is 3e-5 of the area off, and
    // what it is off outside it is off inside; straight mid-nodes lose 2.6 % of the volume
    double exact = FR_PI * (0.0125 * 0.0125 - 0.0115 * 0.0115) * 0.03;
    CHECK_CLOSE(fr_order2_volume(&mesh), exact, 1e-4);
    fr_tetmesh_free(ctx, &linear);
    fr_tetmesh_free(ctx, &mesh);
    fr_shapeset_destroy(set);
    fr_context_destroy(ctx);
}
