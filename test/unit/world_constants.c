// world_constants.c: what constants of the world and of rigid frames are of, each by itself: a
// quarter less and a half more would be noticed.

#include "rigid_kit.h"
#include "event/log.h"
#include "world/member.h"
#include "world/model_fem.h"
#include <stdlib.h>

/// Either side of a limit.
static const double below = 0.75, above = 1.5;

// impacts that are reported of a touch that lasted so long and has been over for so long, s
static int64_t reports(double lasted, double over) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(1, 1, 1, 0.1);
    FrMaterial material = elastic_material(1e5, 0.3);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    world_body(ctx, world, &box, &material, fr_vec3_zero, fr_vec3_zero);
    FrTouch touch = {.a = 0, .b = -1, .first = 1.0, .last = 1.0 + lasted, .weight = 1.0};
    touch.normal = fr_vec3(0, 0, 1);
    CHECK(fr_array_push(ctx, &world->touch, touch));
    CHECK_OK(ctx, fr_world_report_touches(world, touch.last + over));
    int64_t count = world->event.count;
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
    return count;
}

TEST(a_touch_is_over_after_two_ms_apart) {
    CHECK_INT(reports(1e-3, below * 2e-3), 0);
    CHECK_INT(reports(1e-3, above * 2e-3), 1);
}

TEST(a_touch_of_50_ms_is_rest) {
    CHECK_INT(reports(below * 50e-3, 0.0), 0);
    CHECK_INT(reports(above * 50e-3, 0.0), 1);
}

// overlap of a ball and the ground a step of `substeps` later, m: weightless, it only comes out
static double overlap_after(double radius, double overlap, int32_t substeps) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.0);
    FrWorldDef world_def = fr_world_def_default();
    world_def.gravity = fr_vec3_zero;
    world_def.frame_substeps = substeps;
    world_def.sleep_time = 0.0;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &world_def, &world));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def = ball_def(&material, radius, fr_vec3(0, 0, radius - overlap), fr_vec3_zero);
    FrBodyId id = put(ctx, world, &def);
    CHECK_OK(ctx, fr_world_step(world));
    FrBodyMotion motion;
    CHECK_OK(ctx, fr_body_motion(world, id, &motion));
    CHECK(fr_length(motion.velocity) < 1e-12); // rounding: moves that are no velocities
    fr_world_destroy(world);
    fr_context_destroy(ctx);
    return radius - motion.centre.z;
}

// 2e-4 of the size is left alone, 20 um at most
TEST(a_little_overlap_is_left_alone) {
    for (int k = 0; k < 2; k++) {
        double radius = k ? 0.5 : 0.01, slop = k ? 20e-6 : 2e-4 * 2.0 * radius;
        CHECK_NEAR(overlap_after(radius, below * slop, 4), below * slop, 1e-12); // rounding
        CHECK(overlap_after(radius, above * slop, 4) < 0.9 * above * slop);
    }
}

// of what is more a fifth goes in every substep: 0.8^n is left
TEST(a_fifth_of_an_overlap_goes_in_a_substep) {
    for (int32_t n = 1; n <= 4; n *= 2) {
        double slop = 20e-6, more = 1e-3, left = overlap_after(0.5, slop + more, n) - slop;
        CHECK_NEAR(left, more * pow(0.8, n), 2e-8); // solver: FR_CORRECT_EXACT in each substep
    }
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Half of the time in which a wave runs along an edge of the median tet; one tet that is flat makes
// steps short, and changes nothing.
TEST(scans_come_twice_in_an_edge_of_the_wave) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(5, 5, 5, 0.02);
    FrMaterial material = elastic_material(1e9, 0.0);
    int32_t node = 6 * 6 * 2 + 6 * 2 + 2; // inside
    box.x[3 * node] += 0.018;
    material.strength = 1e6;
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrBodyDef def = fr_body_def_default();
    def.name = "box";
    def.mesh = &box;
    def.material = &material;
    def.material_count = 1;
    def.model = FR_MODEL_FEM;
    CHECK_OK(ctx, fr_body_create(world, &def, NULL));
    const FrBody *body = &world->body.data[0];
    FrShapeView view;
    body->ops->view(body->state, &view);
    double c = sqrt(1e9 / material.density), edge[5 * 5 * 5 * 6]; // no Poisson's ratio: c^2 = E/rho
    CHECK(view.tet_count <= 750);
    for (int32_t e = 0; e < view.tet_count; e++) edge[e] = fr_fem_tet_edge(&view, e);
    qsort(edge, (size_t)view.tet_count, sizeof *edge, by_size);
    double wanted = 0.5 * edge[view.tet_count / 2] / c;
    CHECK(2.0 * body->ops->dt_limit(body->state) < wanted);
    CHECK_CLOSE(body->ops->breaks->scan_interval(body->state), wanted, 1e-12); // rounding
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}
