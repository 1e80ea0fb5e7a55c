// regions_march.c: distances through tets: one corner from three, and all nodes from a seed.

#include "regions_kit.h"

/// a tet, a metric, and a distance that is linear in it
typedef struct Corner {
    FrVec3 x[4];
    FrSym3 G;
    double length[6], d[4];
} Corner;

static FrVec3 random_vector(FrRandom *random) {
    FrVec3 v;
    v.x = fr_random_normal(random), v.y = fr_random_normal(random), v.z = fr_random_normal(random);
    return v;
}

static Corner corner_make(FrRandom *random) {
    Corner c = {.G = {1, 1, 1, 0, 0, 0}};
    FrVec3 n = fr_normalize(random_vector(random));
    double s = fr_random_range(random, 1.0, 4.0);
    FrSym3 nn = {n.x * n.x, n.y * n.y, n.z * n.z, n.y * n.z, n.z * n.x, n.x * n.y};
    c.G = fr_sym3_axpy(s * s - 1.0, nn, c.G);
    for (int i = 0; i < 4; i++) c.x[i] = random_vector(random);
    for (int k = 0; k < 6; k++) {
        FrVec3 D = fr_sub(c.x[fr_tet_edge[k][1]], c.x[fr_tet_edge[k][0]]);
        c.length[k] = fr_dot(D, fr_sym3_apply(c.G, D));
    }
    return c;
}

static double way(const Corner *c, FrVec3 from, FrVec3 to) {
    FrVec3 D = fr_sub(to, from);
    return sqrt(fr_dot(D, fr_sym3_apply(c->G, D)));
}

// a plane wave that comes through the face opposite corner 0 arrives when it should
TEST(plane_waves_arrive_in_time) {
    FrRandom random = fr_random_for(1, "march", 0);
    for (int k = 0; k < 200; k++) {
        Corner c = corner_make(&random);
        // it runs along the way from a point of the face to corner 0: slope G D / |D|
        FrVec3 y = fr_axpy(0.3, c.x[1], fr_axpy(0.5, c.x[2], fr_scale(0.2, c.x[3])));
        FrVec3 slope = fr_scale(1.0 / way(&c, y, c.x[0]), fr_sym3_apply(c.G, fr_sub(c.x[0], y)));
        for (int i = 1; i < 4; i++) c.d[i] = 10.0 + fr_dot(slope, fr_sub(c.x[i], y));
        // rounding: of an inverse of lengths, in tets of any shape
        CHECK_NEAR(fr_region_update(c.length, 0, c.d), 10.0 + way(&c, y, c.x[0]), 1e-6);
    }
}

// it is the shortest of all ways through the face: none of many is shorter, one is nearly as short
TEST(updates_are_shortest_ways) {
    FrRandom random = fr_random_for(2, "march", 0);
    for (int k = 0; k < 50; k++) {
        Corner c = corner_make(&random);
        for (int i = 1; i < 4; i++) c.d[i] = fr_random_range(&random, 0.0, 1.0);
        double found = fr_region_update(c.length, 0, c.d), best = HUGE_VAL;
        for (int i = 0; i <= 60; i++)
            for (int j = 0; i + j <= 60; j++) {
                double u = i / 60.0, v = j / 60.0, w = 1.0 - u - v;
                FrVec3 y = fr_axpy(u, c.x[1], fr_axpy(v, c.x[2], fr_scale(w, c.x[3])));
                double d = u * c.d[1] + v * c.d[2] + w * c.d[3] + way(&c, y, c.x[0]);
                best = fr_min(best, d);
            }
        CHECK(found <= best + 1e-9);   // rounding
        CHECK_NEAR(found, best, 0.05); // step: of the scan, a sixtieth of a face
    }
}

TEST(unknown_corners_are_left_out) {
    FrRandom random = fr_random_for(3, "march", 0);
    Corner c = corner_make(&random);
    for (int i = 0; i < 4; i++) c.d[i] = HUGE_VAL;
    CHECK(fr_region_update(c.length, 2, c.d) == HUGE_VAL);
    c.d[1] = 2.0;
    CHECK_NEAR(fr_region_update(c.length, 2, c.d), 2.0 + way(&c, c.x[1], c.x[2]),
               1e-12); // rounding
    c.d[3] = 2.0;
    double two = fr_region_update(c.length, 2, c.d);
    CHECK(two <= 2.0 + fr_min(way(&c, c.x[1], c.x[2]), way(&c, c.x[3], c.x[2])));
    CHECK(two > 2.0);
}

/// the largest distance off the straight one, as a share of it; of nodes not too near
static double farthest_off(RegionBody *b, double s, FrVec3 q, FrVec3 p) {
    double most = 0.0;
    for (int32_t n = 0; n < b->mesh.node_count; n++) {
        FrVec3 D = fr_sub(fr_get3(b->mesh.x, n), p);
        double along = fr_dot(D, q), d = sqrt(fr_length2(D) + (s * s - 1.0) * along * along);
        if (fr_length(D) > 0.2) most = fr_max(most, fabs(b->labels.key[n] / d - 1.0));
    }
    return most;
}

static double off_in_box(int32_t cells, double s) {
    const int32_t n[3] = {cells, cells, cells};
    RegionBody b = region_box(make_context(1), fr_vec3(1, 1, 1), n, 1.0);
    FrVec3 p = {0.0511, 0.0322, 0.0133}, q = fr_normalize(fr_vec3(1.0, 0.3, 0.2));
    for (int32_t k = 0; k < b.mesh.node_count; k++)
        b.stress[k] = (FrSym3){q.x * q.x, q.y * q.y, q.z * q.z, q.y * q.z, q.z * q.x, q.x * q.y};
    b.def.stretch = s - 1.0;
    b.def.chosen = &p;
    b.def.chosen_count = b.def.most = 1;
    region_grow(&b);
    double off = farthest_off(&b, s, q, p);
    region_free_all(&b);
    return off;
}

// where nothing is in the way and the metric is the same all over, distances are straight; along
// edges they would be up to 36 % too long
TEST(distances_in_a_box_are_straight) {
    CHECK_NEAR(off_in_box(6, 1.0), 0.0, 1e-9);  // rounding, and what fronts leave out
    CHECK_NEAR(off_in_box(12, 1.0), 0.0, 1e-9); // rounding, and what fronts leave out
}

// a metric of 6 : 1 in cells of 1 : 1: the straight way leaves some stars at once, and corners get
// by from further off; along edges distances are up to three times too long
TEST(distances_in_a_stretched_box_are_straight) {
    double coarse = off_in_box(6, 6.0), fine = off_in_box(12, 6.0);
    printf("  6 : 1, farthest off: %.4f in 6 cells, %.4f in 12\n", coarse, fine);
    CHECK(coarse < 0.06); // mesh: found 0.042
    CHECK(fine < 0.03);   // mesh: found 0.012
}

// round a slot the way is bent: it is longer than straight, and converges to what a string measures
TEST(ways_go_round_a_slot) {
    double off[2];
    for (int k = 0; k < 2; k++) {
        int32_t c = k ? 24 : 12;
        const int32_t n[3] = {c, c, 2};
        FrContext *ctx = make_context(1);
        FrTetMesh mesh;
        FrBox box = {{-0.5, -0.5, -0.05}, {0.5, 0.5, 0.05}};
        CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, n, &mesh));
        uint8_t *keep = malloc((size_t)mesh.tet_count);
        for (int32_t e = 0; e < mesh.tet_count; e++) {
            FrVec3 m = fr_vec3_zero;
            for (int i = 0; i < 4; i++) m = fr_axpy(0.25, fr_get3(mesh.x, mesh.tet[e][i]), m);
            keep[e] = !(fabs(m.x) < 1.0 / 12.0 && m.y < 1.0 / 6.0);
        }
        CHECK_OK(ctx, fr_tetmesh_keep(ctx, &mesh, keep));
        free(keep);
        RegionBody b = region_body(ctx, mesh, 1.0);
        FrVec3 p = {-0.4, -0.3, 0.0};
        b.def.chosen = &p;
        b.def.chosen_count = b.def.most = 1;
        region_grow(&b);
        int32_t far = 0;
        FrVec3 corner = {0.5, -0.5, 0.0};
        for (int32_t i = 0; i < b.mesh.node_count; i++)
            if (fr_distance(fr_get3(b.mesh.x, i), corner) <
                fr_distance(fr_get3(b.mesh.x, far), corner))
                far = i;
        FrVec3 left = {-1.0 / 12.0, 1.0 / 6.0, 0.0}, right = {1.0 / 12.0, 1.0 / 6.0, 0.0};
        FrVec3 end = fr_get3(b.mesh.x, far);
        double string = fr_distance(p, left) + fr_distance(left, right) + fr_distance(right, end);
        off[k] = b.labels.key[far] / string - 1.0;
        region_free_all(&b);
    }
    printf("  round a slot: off by %.4f in 12 cells, %.4f in 24\n", off[0], off[1]);
    CHECK(fabs(off[0]) < 0.03); // mesh: found -0.016
    CHECK(fabs(off[1]) < 0.02); // mesh: found -0.010
}
