// world_constants.c: what constants of the world and of rigid frames are of, each by itself: a
// quarter less and a half more would be noticed.

#include "rigid_kit.h"
#include "event/log.h"
#include "world/member.h"
#include "world/model_fem.h"
#include "world/model_frame.h"
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

// Three balls in a row, the middle one this far from the last, shares of their size: how fast the
// last one is after the step in which the first runs into the middle one, m/s.
static double handed_on(double share) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.0);
    FrWorldDef world_def = fr_world_def_default();
    world_def.gravity = fr_vec3_zero;
    world_def.frame_substeps = 1;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &world_def, &world));
    double size = 0.1, at[3] = {-size, 0.0, size * (1.0 + share)};
    FrBodyId id = {0};
    for (int k = 0; k < 3; k++) {
        FrVec3 v = fr_vec3(k ? 0.0 : 0.24, 0, 0);
        FrBodyDef def = ball_def(&material, 0.5 * size, fr_vec3(at[k], 0, 0), v);
        id = put(ctx, world, &def);
    }
    FrBodyMotion motion;
    CHECK_OK(ctx, fr_world_step(world));
    CHECK_OK(ctx, fr_body_motion(world, id, &motion));
    fr_world_destroy(world);
    fr_context_destroy(ctx);
    return motion.velocity.x;
}

// what is within 1e-3 of its size takes a blow on in the same substep, though nothing moved towards
// it before; what is farther away a step later
TEST(points_a_thousandth_away_already_hold) {
    CHECK(handed_on(below * 1e-3) > 0.01);
    CHECK(handed_on(above * 1e-3) == 0.0);
}

// A world without weight and bounce, one substep a step, and a frictionless floor.
static FrWorld *plain_world(FrContext *ctx, const FrMaterial *material) {
    FrWorldDef def = fr_world_def_default();
    def.gravity = fr_vec3_zero;
    def.frame_substeps = 1;
    def.sleep_time = 0.0;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, material));
    return world;
}

// Does a brick that slides this share of its size in a step keep the points that were found before?
static bool keeps_points(bool box, double share) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.0);
    FrTetMesh brick = brick_mesh(0.1, 0.1, 0.1);
    FrWorld *world = plain_world(ctx, &material);
    double size = 0.1 * cbrt(6.0 / FR_PI), h = fr_world_dt(world);
    FrBodyDef def = box_def(&material, &brick, fr_vec3(0.05, 0.05, 0.05), fr_vec3(0, 0, 0.05),
                            fr_vec3(share * size / h, 0, 0));
    if (!box) def.box = fr_vec3_zero;
    put(ctx, world, &def);
    for (int k = 0; k < 2; k++) CHECK_OK(ctx, fr_world_step(world));
    CHECK_INT(world->frames.pair.count, 1);
    bool kept = world->frames.pair.data[0].rel_x.x < 0.5 * share * size; // where they were found
    fr_world_destroy(world);
    test_mesh_free(&brick);
    fr_context_destroy(ctx);
    return kept;
}

// boxes by 4e-3 of their size, meshes by 1e-4
TEST(points_serve_until_bodies_moved) {
    CHECK(keeps_points(true, below * 4e-3) && !keeps_points(true, above * 4e-3));
    CHECK(keeps_points(false, below * 1e-4) && !keeps_points(false, above * 1e-4));
}

// a push counts as touching for a macro step of four substeps
TEST(what_touched_is_known_for_four_substeps) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.5, 0.0);
    FrWorldDef world_def = fr_world_def_default();
    world_def.frame_substeps = 1;
    world_def.sleep_time = 0.0;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &world_def, &world));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrBodyDef def = ball_def(&material, 0.05, fr_vec3(0, 0, 0.05), fr_vec3_zero);
    FrBodyId id = put(ctx, world, &def);
    for (int k = 0; k < 3; k++) CHECK_OK(ctx, fr_world_step(world));
    CHECK_INT(world->frames.pair.count, 1);
    CHECK_OK(ctx, fr_world_set_gravity(world, fr_vec3_zero));
    CHECK_OK(ctx, fr_body_set_velocity(world, id, fr_vec3(0, 0, 1e-4), fr_vec3_zero));
    int known = 0;
    for (int k = 0; k < 12; k++) {
        CHECK_OK(ctx, fr_world_step(world));
        known += world->frames.pair.count && world->frames.pair.data[0].touched;
    }
    CHECK_INT(known, 3); // and the substep of the push itself
    fr_world_destroy(world);
    fr_context_destroy(ctx);
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

// glass-like in all but stiffness
static bool is_stiff(const FrTetMesh *mesh, double young) {
    FrMaterial material;
    FrBodyDef def = fr_body_def_default();
    CHECK(fr_material_find("glass", &material));
    fr_material_set_young(&material, young, 0.3);
    def.mesh = mesh;
    def.material = &material;
    def.material_count = 1;
    return fr_model_traits(fr_model_choose(&def)).shatters;
}

// what breaks before one sees it bend shatters; what gives like hard rubber bends
TEST(stiff_is_what_has_a_gigapascal) {
    FrTetMesh box = test_box(1, 1, 1, 0.1);
    CHECK(!is_stiff(&box, below * 1e9));
    CHECK(is_stiff(&box, above * 1e9));
    test_mesh_free(&box);
}

// Two balls of one body with far more energy than glass stores: pulled apart by their common face
// they part in opposite ways, and neither gains more than 5 m/s.
TEST(pieces_fly_off_at_5_m_s_at_most) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.0);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrBodyId id[2];
    for (int k = 0; k < 2; k++) {
        FrBodyDef def = ball_def(&material, 0.01, fr_vec3(0.03 * k, 0, 0), fr_vec3_zero);
        id[k] = put(ctx, world, &def);
    }
    FrFallenFacet facet = {.b = 1, .area = 1e-4, .x = {0.015, 0, 0}, .n = {1, 0, 0}};
    facet.stress.xx = 1e8;
    bool dust[2] = {false, false};
    FrFallen fallen = {.ctx = ctx, .count = 2, .dust = dust, .facet = &facet, .facet_count = 1};
    fallen.free = 1e3;
    FrAxes axes = {fr_vec3_zero, fr_quat_identity};
    CHECK_OK(ctx, fr_world_drive_apart(world, &fallen, id, &axes));
    for (int k = 0; k < 2; k++) {
        FrBodyMotion motion;
        CHECK_OK(ctx, fr_body_motion(world, id[k], &motion));
        CHECK_NEAR(motion.velocity.x, k ? 5.0 : -5.0, 1e-12); // rounding
    }
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

static bool dropped[3];
static size_t most_of_a_gigabyte(const void *state) {
    const FrFrameBody *body = state;
    int32_t k = (int32_t)floor(body->rigid.x.x + 0.5);
    return dropped[k] ? 0 : (size_t)900 << 20;
}
static bool may_break(const void *state) { return state != NULL; }
static void drop_one(void *state) {
    dropped[(int32_t)floor(((FrFrameBody *)state)->rigid.x.x + 0.5)] = true;
}

// of three bodies that hold 0.9 GB of stress each, the one struck longest ago gives it up: 1.8 GB
// are within the 2 GB that all may have
TEST(stress_models_take_two_gigabytes_at_most) {
    FrContext *ctx = test_context(1);
    FrMaterial material = rigid_material(0.0, 0.0);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrModelOps row = *fr_model_row(FR_MODEL_SHATTER);
    FrShatterOps shatters = *row.shatters;
    shatters.bytes = most_of_a_gigabyte;
    shatters.drop = drop_one;
    shatters.may = may_break;
    row.shatters = &shatters;
    for (int k = 0; k < 3; k++) {
        FrBodyDef def = ball_def(&material, 0.1, fr_vec3(k, 0, 0), fr_vec3_zero);
        put(ctx, world, &def);
        world->body.data[k].ops = &row;
        world->body.data[k].struck = (k + 2) % 3;
    }
    FrBroken gone = {.id = {99}};
    CHECK(fr_array_push(ctx, &world->now.broken, gone));
    CHECK_OK(ctx, fr_world_fall_apart(world));
    CHECK(!dropped[0] && dropped[1] && !dropped[2]);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}
