// contact_manifold.c: contact points of rigid shapes against closed forms and against each other.

#include "test.h"
#include "context.h"
#include "base/random.h"
#include "contact/manifold.h"

static FrCollider ball(FrVec3 x, double r) {
    return (FrCollider){.kind = FR_COLLIDER_SPHERE, .x = x, .R = fr_mat3_identity, .radius = r};
}
static FrCollider brick(FrVec3 x, FrQuat q, FrVec3 half) {
    return (FrCollider){.kind = FR_COLLIDER_BOX,
                        .x = x,
                        .R = fr_quat_mat3(q),
                        .half = half,
                        .radius = fr_length(half)};
}
static FrCollider floor_at(double z) {
    return (FrCollider){
        .kind = FR_COLLIDER_PLANE, .R = fr_mat3_identity, .normal = {0, 0, 1}, .offset = z};
}

static double draw(FrRandom *r, double size) { return fr_random_range(r, -size, size); }
static FrVec3 draw_vec(FrRandom *r, double size) {
    double x = draw(r, size), y = draw(r, size);
    return fr_vec3(x, y, draw(r, size));
}

// gap is n . (pa - pb), n is a unit vector
static void check_form(const FrManifold *m) {
    // rounding: places and turns of size 1
    for (int32_t k = 0; k < m->count; k++) {
        const FrManifoldPoint *p = &m->point[k];
        CHECK_NEAR(fr_length(p->n), 1.0, 1e-12);
        CHECK_NEAR(p->gap, fr_dot(p->n, fr_sub(p->pa, p->pb)), 1e-12);
    }
}

TEST(balls) {
    FrManifold m;
    FrCollider a = ball(fr_vec3(0, 0, 1.2), 0.5), b = ball(fr_vec3(0, 0, 0), 0.6),
               g = floor_at(0.4);
    fr_manifold(&a, &b, 0.2, &m);
    CHECK_INT(m.count, 1);
    // rounding: of places of size 1
    CHECK_NEAR(m.point[0].gap, 0.1, 1e-15);
    CHECK(m.point[0].n.z == 1.0); // pushes a
    fr_manifold(&b, &a, 0.2, &m);
    CHECK(m.point[0].n.z == -1.0);
    fr_manifold(&a, &b, 0.05, &m);
    CHECK_INT(m.count, 0);
    fr_manifold(&a, &g, 0.31, &m);
    CHECK_NEAR(m.point[0].gap, 0.3, 1e-15);
    check_form(&m);
}

TEST(ball_and_box) {
    FrManifold m;
    FrRandom r = fr_random_for(1, "ball and box", 0);
    FrVec3 half = fr_vec3(0.3, 0.2, 0.1);
    for (int k = 0; k < 500; k++) {
        FrQuat q = fr_quat_from_rotation(draw_vec(&r, 2.0));
        FrVec3 x = draw_vec(&r, 1.0), p = draw_vec(&r, 0.5);
        FrCollider box = brick(x, q, half), a = ball(fr_add(x, fr_quat_rotate(q, p)), 0.15);
        fr_manifold(&a, &box, 10.0, &m);
        CHECK_INT(m.count, 1);
        check_form(&m);
        FrVec3 out = fr_vec3(fr_max(fabs(p.x) - 0.3, 0), fr_max(fabs(p.y) - 0.2, 0),
                             fr_max(fabs(p.z) - 0.1, 0));
        double inside = fr_max(fabs(p.x) - 0.3, fr_max(fabs(p.y) - 0.2, fabs(p.z) - 0.1));
        double wanted = inside < 0.0 ? inside : fr_length(out);
        CHECK_NEAR(m.point[0].gap, wanted - 0.15, 1e-12); // rounding: turned there and back
    }
}

TEST(box_on_floor) {
    FrManifold m;
    FrCollider box = brick(fr_vec3(0, 0, 0.11), fr_quat_identity, fr_vec3(0.3, 0.2, 0.1));
    FrCollider g = floor_at(0.0);
    fr_manifold(&box, &g, 0.05, &m);
    CHECK_INT(m.count, 4);
    // rounding: of one subtraction
    for (int k = 0; k < 4; k++) CHECK_NEAR(m.point[k].gap, 0.01, 1e-15);
    fr_manifold(&box, &g, 1.0, &m); // all corners are near: the four lowest
    CHECK_INT(m.count, 4);
    for (int k = 0; k < 4; k++) CHECK_NEAR(m.point[k].gap, 0.01, 1e-15);
    check_form(&m);
}

// a small box on a large one, turned by any angle about the vertical: its four corners
TEST(box_on_box) {
    FrManifold m;
    FrCollider low = brick(fr_vec3_zero, fr_quat_identity, fr_vec3(1, 1, 0.5));
    for (int k = 0; k < 20; k++) {
        FrQuat q = fr_quat_from_rotation(fr_vec3(0, 0, 0.3 * k));
        FrCollider top = brick(fr_vec3(0.1, 0.2, 0.699), q, fr_vec3(0.3, 0.1, 0.2));
        for (int turned = 0; turned < 2; turned++) {
            fr_manifold(turned ? &low : &top, turned ? &top : &low, 0.01, &m);
            CHECK_INT(m.count, 4);
            check_form(&m);
            // rounding: turned there and back
            for (int32_t i = 0; i < m.count; i++) {
                CHECK_NEAR(m.point[i].gap, -1e-3, 1e-12);
                CHECK_NEAR(m.point[i].n.z, turned ? -1.0 : 1.0, 1e-12);
                FrVec3 p = turned ? m.point[i].pb : m.point[i].pa;
                FrVec3 local = fr_quat_rotate(fr_quat_conj(q), fr_sub(p, top.x));
                CHECK_NEAR(fabs(local.x), 0.3, 1e-12);
                CHECK_NEAR(fabs(local.y), 0.1, 1e-12);
            }
        }
    }
}

// edges across each other: one point between them
TEST(edge_on_edge) {
    FrManifold m;
    FrCollider a = brick(fr_vec3(0.1, 0, 1.99 * sqrt(0.5)),
                         fr_quat_from_rotation(fr_vec3(FR_PI / 4, 0, 0)), fr_vec3(2, 0.5, 0.5));
    FrCollider b =
        brick(fr_vec3_zero, fr_quat_from_rotation(fr_vec3(0, FR_PI / 4, 0)), fr_vec3(0.5, 2, 0.5));
    a.x.z = 2.0 * 0.5 * sqrt(2.0) - 0.01;
    fr_manifold(&a, &b, 0.1, &m);
    CHECK_INT(m.count, 1);
    // rounding: of places of size 1, turned
    CHECK_NEAR(m.point[0].gap, -0.01, 1e-12);
    CHECK_NEAR(m.point[0].n.z, 1.0, 1e-12);
    CHECK_NEAR(hypot(m.point[0].pa.x, m.point[0].pa.y), 0.0, 1e-12);
    check_form(&m);
}

// A cube that sways on a smaller one keeps the face it rests on, to a thousandth of its size: the
// face of the cube parts them better by as much as it leans over the rim, tilt times overhang.
TEST(small_sways_keep_the_face) {
    double low = 0.2, top = 0.3, equal = 1e-3 * low / (top - low); // rad, to its square
    for (int k = 0; k < 4; k++) {
        FrManifold m;
        double tilt = (k < 2 ? 0.75 : 1.5) * (k & 1 ? -1.0 : 1.0) * equal;
        FrCollider b = brick(fr_vec3_zero, fr_quat_identity, fr_vec3(low, low, low));
        FrCollider a = brick(fr_vec3(0, 0, low + top - 1e-3),
                             fr_quat_from_rotation(fr_vec3(0, tilt, 0)), fr_vec3(top, top, top));
        fr_manifold(&a, &b, 0.01, &m);
        CHECK_INT(m.count, 4);
        // rounding: the normal of the low one, or of the top one
        for (int32_t i = 0; i < m.count; i++)
            CHECK_NEAR(m.point[i].n.x, k < 2 ? 0.0 : sin(tilt), 1e-12);
    }
}

// Two bars on edge across each other, thin along it: edges part them by z - sqrt 2, faces by
// sqrt(1/2) (z - thin) - 1. Edges count where they part them better by 1/500 of the thinnest.
TEST(edges_must_part_better_than_faces) {
    double s = sqrt(0.5), thin = 0.05;
    for (int k = 0; k < 2; k++) {
        FrManifold m;
        double better = (k ? 1.5 : 0.75) * 2e-3 * thin;
        double z = (better + sqrt(2.0) - 1.0 - s * thin) / (1.0 - s);
        FrCollider a = brick(fr_vec3(0, 0, z), fr_quat_from_rotation(fr_vec3(FR_PI / 4, 0, 0)),
                             fr_vec3(thin, 0.5, 0.5));
        FrCollider b = brick(fr_vec3_zero, fr_quat_from_rotation(fr_vec3(0, FR_PI / 4, 0)),
                             fr_vec3(0.5, thin, 0.5));
        fr_manifold(&a, &b, 0.01, &m);
        CHECK(m.count > 0);
        CHECK_NEAR(m.point[0].n.z, k ? 1.0 : s, 1e-12);          // rounding
        if (k) CHECK_NEAR(m.point[0].gap, z - sqrt(2.0), 1e-12); // rounding
    }
}

// Two bars on edge, one above the other, a gap apart: crossed by an angle of 1.5 mrad they are told
// apart by it still, where their edges cross
TEST(edges_that_hardly_cross) {
    double gap = 0.01;
    for (int k = 0; k < 2; k++) {
        FrManifold m;
        FrQuat edge = fr_quat_from_rotation(fr_vec3(FR_PI / 4, 0, 0)),
               turn = fr_quat_from_rotation(fr_vec3(0, 0, k ? 1.5e-3 : -1.5e-3));
        FrVec3 half = {0.5, 0.5, 0.5};
        FrCollider a = brick(fr_vec3(0, 0, sqrt(2.0) + gap), edge, half);
        FrCollider b = brick(fr_vec3_zero, fr_quat_mul(turn, edge), half);
        fr_manifold(&a, &b, 0.1, &m);
        CHECK_INT(m.count, 1);
        CHECK_NEAR(m.point[0].gap, gap, 1e-12); // rounding
    }
}

// Boxes at random: the smallest gap is never below minus the smallest overlap of the 15 axes, and
// points lie on both boxes.
TEST(boxes_at_random) {
    FrRandom r = fr_random_for(4, "boxes", 0);
    int touching = 0;
    for (int k = 0; k < 3000; k++) {
        FrManifold m;
        FrCollider a = brick(draw_vec(&r, 0.5), fr_quat_from_rotation(draw_vec(&r, 2.0)),
                             fr_vec3(0.3, 0.2, 0.25));
        FrCollider b = brick(draw_vec(&r, 0.5), fr_quat_from_rotation(draw_vec(&r, 2.0)),
                             fr_vec3(0.2, 0.3, 0.15));
        fr_manifold(&a, &b, 0.02, &m);
        check_form(&m);
        touching += m.count > 0;
        for (int32_t i = 0; i < m.count; i++) {
            CHECK(m.point[i].gap < 0.02);
            FrVec3 la = fr_mat3_apply_t(a.R, fr_sub(m.point[i].pa, a.x)), n, c;
            FrVec3 lb = fr_mat3_apply_t(b.R, fr_sub(m.point[i].pb, b.x));
            // a projected point may hang over the rim of the other box by the overlap
            double off = fr_max(fabs(m.point[i].gap), 1e-12) + 1e-9;
            CHECK(fabs(fr_manifold_in_box(a.half, la, &n, &c)) <= off);
            CHECK(fabs(fr_manifold_in_box(b.half, lb, &n, &c)) <= off);
        }
    }
    CHECK(touching > 500);
}

// the surface of a box as triangles does what the box does
static const double corner[24] = {-0.3, -0.2, -0.1, 0.3,  -0.2, -0.1, -0.3, 0.2,
                                  -0.1, 0.3,  0.2,  -0.1, -0.3, -0.2, 0.1,  0.3,
                                  -0.2, 0.1,  -0.3, 0.2,  0.1,  0.3,  0.2,  0.1};
static int32_t side[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static const FrSurface sides = {.tri_count = 12, .tri = side};

TEST(mesh_is_the_box_it_is) {
    FrContext *ctx = make_context(1);
    FrColliderMesh mesh;
    CHECK_OK(ctx, fr_collider_mesh_make(ctx, corner, 8, &sides, fr_vec3_zero, &mesh));
    CHECK_INT(mesh.point_count, 8);
    FrRandom r = fr_random_for(9, "mesh", 0);
    for (int k = 0; k < 500; k++) {
        FrManifold m, n;
        FrQuat q = fr_quat_from_rotation(draw_vec(&r, 2.0));
        FrCollider box = brick(draw_vec(&r, 0.3), q, fr_vec3(0.3, 0.2, 0.1)), tri = box;
        tri.kind = FR_COLLIDER_MESH;
        tri.mesh = &mesh;
        FrVec3 p = draw_vec(&r, 0.6);
        FrCollider a = ball(fr_add(box.x, fr_quat_rotate(q, p)), 0.2), g = floor_at(-0.1);
        fr_manifold(&a, &box, 0.3, &m);
        fr_manifold(&a, &tri, 0.3, &n);
        CHECK_INT(n.count > 0, m.count > 0);
        if (m.count) {
            double least = HUGE_VAL;
            for (int32_t i = 0; i < n.count; i++) least = fr_min(least, n.point[i].gap);
            CHECK_NEAR(least, m.point[0].gap, 1e-12); // rounding: turned there and back
        }
        check_form(&n);
        fr_manifold(&box, &g, 0.1, &m);
        fr_manifold(&tri, &g, 0.1, &n);
        CHECK(n.count >= m.count);
        double low_m = HUGE_VAL, low_n = HUGE_VAL;
        for (int32_t i = 0; i < m.count; i++) low_m = fr_min(low_m, m.point[i].gap);
        for (int32_t i = 0; i < n.count; i++) low_n = fr_min(low_n, n.point[i].gap);
        if (m.count) CHECK_NEAR(low_n, low_m, 1e-12); // rounding: turned there and back
    }
    fr_collider_mesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// A tetrahedron has edges of 70 degrees: beyond one, both its faces are equally near, but for
// rounding, and one of them has its back to what is outside. It is outside all the same.
TEST(what_is_beyond_a_sharp_edge_is_outside) {
    static const double x[12] = {0.3, 0.3, 0.3, 0.3, -0.3, -0.3, -0.3, 0.3, -0.3, -0.3, -0.3, 0.3};
    static int32_t face[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    const FrSurface four = {.tri_count = 4, .tri = face};
    FrContext *ctx = make_context(1);
    FrColliderMesh mesh;
    CHECK_OK(ctx, fr_collider_mesh_make(ctx, x, 4, &four, fr_vec3_zero, &mesh));
    FrRandom r = fr_random_for(11, "tetrahedron", 0);
    int wrong = 0, outside = 0;
    for (int k = 0; k < 2000; k++) {
        FrVec3 p = draw_vec(&r, 0.5);
        double beyond = -HUGE_VAL; // the four planes
        for (int f = 0; f < 4; f++) {
            FrVec3 a = fr_get3(x, face[f][0]), b = fr_get3(x, face[f][1]),
                   c = fr_get3(x, face[f][2]);
            FrVec3 n = fr_cross(fr_sub(b, a), fr_sub(c, a));
            beyond = fr_max(beyond, fr_dot(n, fr_sub(p, a)));
        }
        FrCollider a = ball(p, 0.2);
        FrCollider tri = {.kind = FR_COLLIDER_MESH, .R = fr_mat3_identity, .mesh = &mesh};
        tri.radius = 0.3 * sqrt(3.0);
        FrManifold m;
        fr_manifold(&a, &tri, 1.0, &m);
        double least = HUGE_VAL;
        for (int32_t i = 0; i < m.count; i++) least = fr_min(least, m.point[i].gap);
        outside += beyond > 0.0;
        wrong += (least > -0.2) != (beyond > 0.0);
    }
    CHECK(outside > 1000);
    CHECK_INT(wrong, 0);
    fr_collider_mesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// 16 overlaps along a line and one across: the line becomes a few points, the other stays apart
TEST(clusters) {
    FrOverlapPoint point[17];
    for (int k = 0; k < 16; k++)
        point[k] = (FrOverlapPoint){{0.01 * k, 0, 0}, {0, 0, 1}, 1e-3, 1.0};
    point[16] = (FrOverlapPoint){{0.05, 0, 0}, {1, 0, 0}, 2e-3, 0.5};
    FrManifold m;
    fr_manifold_cluster(point, 17, 0.0401, &m);
    CHECK_INT(m.count, 5); // 5 + 5 + 5 + 1, and the one across
    double across = 0.0;
    for (int32_t k = 0; k < m.count; k++) across += m.point[k].n.x;
    CHECK_NEAR(across, 1.0, 1e-12); // rounding
    check_form(&m);
}

TEST(memory_runs_out) {
    for (int k = 1; k < 12; k++) {
        Refuser refuser = {.refuse_at = k + 1};
        FrContext *ctx = make_refusing_context(&refuser);
        if (!ctx) continue;
        int live = refuser.live;
        FrColliderMesh mesh;
        FrResult result = fr_collider_mesh_make(ctx, corner, 8, &sides, fr_vec3_zero, &mesh);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        fr_collider_mesh_free(ctx, &mesh);
        CHECK_INT(refuser.live, live);
        fr_context_destroy(ctx);
    }
}
