// regions_grow.c: regions fill a body, hang together, cost no more than there is, and are the same
// whenever they are grown.

#include "regions_kit.h"

/// a box of 6 x 5 x 4 cm, energy dense at one end
static RegionBody uneven_box(FrContext *ctx, double Gc) {
    const int32_t n[3] = {10, 8, 6};
    RegionBody b = region_box(ctx, fr_vec3(0.06, 0.05, 0.04), n, Gc);
    for (int32_t k = 0; k < b.mesh.node_count; k++)
        b.density[k] = exp(-60.0 * fr_get3(b.mesh.x, k).x);
    b.def.energy = 1.0;
    return b;
}

static void check_whole(const RegionBody *b) {
    FrVec3 *centre;
    double *volume = region_volumes(b, &centre), sum = 0.0, all = 0.0, least = HUGE_VAL;
    for (int32_t r = 0; r < b->labels.count; r++) {
        sum += volume[r];
        least = fr_min(least, volume[r]);
    }
    for (int32_t e = 0; e < b->mesh.tet_count; e++) all += fr_tet_volume(&b->mesh, e);
    CHECK_CLOSE(sum, all, 1e-12); // rounding
    CHECK(least > 0.0);
    CHECK(least >= b->def.smallest * (1.0 - 1e-12)); // rounding
    CHECK_INT(region_pieces(b), b->labels.count);
    free(volume);
    free(centre);
}

// the area that those who cut will find is the one that was paid for
static void check_paid(const RegionBody *b) {
    double area = 0.0, energy = 0.0;
    for (int32_t e = 0; e < b->mesh.tet_count; e++) {
        RegionFacet facet[FR_REGION_FACETS];
        int32_t label[4];
        int count = region_facets(b, e, label, facet);
        for (int k = 0; k < count; k++) {
            area += fr_region_facet_area(&facet[k]);
            energy += b->Gc[e] * fr_region_facet_area(&facet[k]);
        }
    }
    CHECK_CLOSE(b->report.area, area, 1e-12);     // rounding
    CHECK_CLOSE(b->report.energy, energy, 1e-12); // rounding
    CHECK(energy <= b->def.energy);
}

// E_F = Gc A_F, and no more than there is                                            [S7 3.2]
TEST(regions_fill_the_body_and_are_paid_for) {
    FrContext *ctx = make_context(1);
    for (int k = 0; k < 10; k++) {
        RegionBody b = uneven_box(ctx, 100.0);
        for (int32_t e = 0; e < b.mesh.tet_count; e += 2) b.Gc[e] = 60.0;
        b.def.seed = (uint64_t)k;
        b.def.apart = 0.002;
        b.def.smallest = k % 2 ? 1e-7 : 0.0;
        region_grow(&b);
        CHECK(b.labels.count > 5);
        CHECK(b.report.energy > 0.8 * b.def.energy);
        check_whole(&b);
        check_paid(&b);
        region_free(&b);
    }
    fr_context_destroy(ctx);
}

// what a cut needs: where the two keys are equal on each edge between two regions
TEST(both_ends_of_cut_edges_know_both_keys) {
    FrContext *ctx = make_context(1);
    RegionBody b = uneven_box(ctx, 45.0);
    region_grow(&b);
    const FrLabels *l = &b.labels;
    FrEdges edges;
    int32_t cut = 0;
    CHECK(l->count > 30);
    CHECK_OK(ctx, fr_tetmesh_edges(ctx, &b.mesh, &edges));
    for (int32_t k = 0; k < edges.count; k++) {
        int32_t i = edges.node[k][0], j = edges.node[k][1];
        if (l->label[i] == l->label[j]) continue;
        cut++;
        CHECK(fr_labels_key(l, i, l->label[j]) < HUGE_VAL);
        CHECK(fr_labels_key(l, j, l->label[i]) < HUGE_VAL);
    }
    CHECK(cut > 1000);
    for (int32_t n = 0; n < l->node_count; n++) {
        const FrLabelKey *near = &l->near[l->near_start[n]];
        int32_t count = l->near_start[n + 1] - l->near_start[n];
        CHECK(count >= 1 && near[0].region == l->label[n] && near[0].key == l->key[n]);
        for (int32_t k = 2; k < count; k++) CHECK(near[k - 1].key <= near[k].key);
        if (l->second[n] >= 0 && count > 1) CHECK(l->second_key[n] <= near[1].key);
    }
    fr_edges_free(ctx, &edges);
    region_free_all(&b);
}

// regions of ten breaks together
static int32_t count_of_ten(FrContext *ctx, double Gc) {
    int32_t sum = 0;
    RegionBody b = uneven_box(ctx, Gc);
    for (int k = 0; k < 10; k++) {
        b.def.seed = (uint64_t)k;
        region_grow(&b);
        sum += b.labels.count;
    }
    region_free(&b);
    return sum;
}

// tougher stuff falls into fewer pieces                                               [S7 figure 4]
TEST(toughness_makes_pieces_few) {
    static const double Gc[4] = {50.0, 80.0, 120.0, 200.0};
    FrContext *ctx = make_context(1);
    int32_t count[4];
    for (int k = 0; k < 4; k++) count[k] = count_of_ten(ctx, Gc[k]);
    printf("  pieces, mean of ten: %.1f %.1f %.1f %.1f\n", count[0] / 10.0, count[1] / 10.0,
           count[2] / 10.0, count[3] / 10.0);
    for (int k = 1; k < 4; k++) CHECK(count[k] < count[k - 1]);
    fr_context_destroy(ctx);
}

TEST(no_energy_no_crack) {
    FrContext *ctx = make_context(1);
    RegionBody b = uneven_box(ctx, 100.0);
    // the least crack round a seed is that of one tet: 1e-9 J are far below
    b.def.energy = 1e-9;
    region_grow(&b);
    CHECK_INT(b.labels.count, 1);
    CHECK_NEAR(b.report.area, 0.0, TOL_EXACT);
    CHECK_INT(b.report.tries, 1 + 4); // the body, and four that do not fit [K6]
    CHECK_INT(region_pieces(&b), 1);
    b.def.energy = 1e9;
    b.def.most = 5;
    region_grow(&b);
    CHECK_INT(b.labels.count, 5);
    b.def.most = 1000;
    b.def.apart = 0.03;
    region_grow(&b);
    CHECK(b.labels.count > 1 && b.labels.count < 12); // places 3 cm apart in 6 x 5 x 4 cm
    b.def.smallest = 1.0;
    region_grow(&b);
    CHECK_INT(b.labels.count, 1);
    region_free_all(&b);
}

static bool same(const FrLabels *a, const FrLabels *b) {
    size_t n = (size_t)a->node_count;
    return a->count == b->count && !memcmp(a->label, b->label, n * sizeof *a->label) &&
           !memcmp(a->key, b->key, n * sizeof *a->key) &&
           !memcmp(a->second, b->second, n * sizeof *a->second) &&
           !memcmp(a->second_key, b->second_key, n * sizeof *a->second_key) &&
           !memcmp(a->near_start, b->near_start, (n + 1) * sizeof *a->near_start);
}

TEST(workers_do_not_matter) {
    RegionBody a = uneven_box(make_context(1), 30.0), b = uneven_box(make_context(3), 30.0);
    RegionBody *both[2] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        for (int32_t n = 0; n < both[k]->mesh.node_count; n++)
            both[k]->stress[n] = (FrSym3){.xx = fr_get3(both[k]->mesh.x, n).y, .xy = 0.01};
        both[k]->def.stretch = 4.0;
        region_grow(both[k]);
    }
    CHECK(a.labels.count > 10);
    CHECK(same(&a.labels, &b.labels));
    uint64_t first = b.def.seed;
    b.def.seed = first + 1;
    region_grow(&b);
    CHECK(!same(&a.labels, &b.labels)); // another seed is another break
    region_free_all(&a);
    region_free_all(&b);
}

// chosen seeds with the same energy everywhere: a node belongs to the nearest [S7 3.2, "Voronoi"]
TEST(even_bodies_fall_into_voronoi_cells) {
    const int32_t cells[3] = {12, 10, 8};
    FrVec3 p[12];
    FrRandom random = fr_random_for(5, "cells", 0);
    for (int k = 0; k < 12; k++) {
        p[k].x = fr_random_range(&random, -0.028, 0.028);
        p[k].y = fr_random_range(&random, -0.023, 0.023);
        p[k].z = fr_random_range(&random, -0.018, 0.018);
    }
    RegionBody b = region_box(make_context(1), fr_vec3(0.06, 0.05, 0.04), cells, 1.0);
    b.def.chosen = p;
    b.def.chosen_count = b.def.most = 12;
    region_grow(&b);
    CHECK_INT(b.labels.count, 12);
    for (int32_t n = 0; n < b.mesh.node_count; n++) {
        double least = HUGE_VAL;
        for (int k = 0; k < 12; k++) least = fr_min(least, fr_distance(fr_get3(b.mesh.x, n), p[k]));
        // mesh: a front that turned aside next to another may come late
        CHECK_NEAR(fr_distance(fr_get3(b.mesh.x, n), p[b.labels.label[n]]), least, 1e-6);
    }
    region_free_all(&b);
}

// a denser seed gets the smaller cell: k d is the same at the border, so the border of two seeds
// 1 : 16 in density divides the way between them as 16^0.15 : 1                        [S7 3.2]
TEST(dense_seeds_get_small_regions) {
    const int32_t cells[3] = {40, 4, 4};
    RegionBody b = region_box(make_context(1), fr_vec3(0.4, 0.04, 0.04), cells, 1.0);
    for (int32_t n = 0; n < b.mesh.node_count; n++)
        b.density[n] = fr_get3(b.mesh.x, n).x > 0.0 ? 16.0 : 1.0;
    const FrVec3 p[2] = {{-0.1, 0.001, 0.002}, {0.1, 0.001, 0.002}};
    b.def.chosen = p;
    b.def.chosen_count = b.def.most = 2;
    region_grow(&b);
    double k = pow(16.0, 0.15), border = 0.1 - 0.2 / (1.0 + k);
    for (int32_t n = 0; n < b.mesh.node_count; n++) {
        FrVec3 x = fr_get3(b.mesh.x, n);
        if (fabs(x.y) < 0.005 && fabs(x.z) < 0.005 && fabs(x.x - border) > 0.005)
            CHECK_INT(b.labels.label[n], x.x > border);
    }
    region_free_all(&b);
}

// a dense seed inside of a region of one that is not: a ball of its own would be a crack that
// closes on itself in the body; at a corner of the body it is a chip
TEST(no_crack_closes_round_a_bubble) {
    const int32_t cells[3] = {16, 16, 16};
    RegionBody b = region_box(make_context(1), fr_vec3(1, 1, 1), cells, 1.0);
    for (int corner = 0; corner < 2; corner++) {
        double at = corner ? 0.5 : 0.0;
        const FrVec3 p[2] = {{-0.4, -0.4, -0.4}, {at - 0.02, at - 0.03, at - 0.01}};
        for (int32_t n = 0; n < b.mesh.node_count; n++)
            b.density[n] = fr_distance(fr_get3(b.mesh.x, n), p[1]) < 0.2 ? 1e4 : 1.0;
        b.def.chosen = p;
        b.def.chosen_count = b.def.most = 2;
        region_grow(&b);
        CHECK_INT(b.labels.count, corner ? 2 : 1);
        CHECK_INT(region_pieces(&b), b.labels.count);
        CHECK(corner ? b.report.area > 0.0 : b.report.area == 0.0);
    }
    region_free_all(&b);
}

// a region that another cuts in two keeps the part with its seed; the other part finds neighbours
TEST(what_is_cut_off_finds_a_neighbour) {
    const int32_t cells[3] = {32, 4, 2};
    RegionBody b = region_box(make_context(1), fr_vec3(0.8, 0.1, 0.05), cells, 1.0);
    // k = 16^0.15 = 1.5 beside the third seed only: without a mend the second region would go on
    // behind the third, where its keys are the smaller ones
    const FrVec3 p[3] = {{-0.35, 0.01, 0.003}, {-0.1, 0.012, 0.004}, {0.0, -0.011, 0.002}};
    for (int32_t n = 0; n < b.mesh.node_count; n++)
        b.density[n] = fr_distance(fr_get3(b.mesh.x, n), p[2]) < 0.05 ? 16.0 : 1.0;
    b.def.chosen = p;
    b.def.chosen_count = b.def.most = 3;
    region_grow(&b);
    CHECK_INT(b.labels.count, 3);
    CHECK_INT(region_pieces(&b), 3);
    int32_t given = 0;
    for (int32_t n = 0; n < b.mesh.node_count; n++) {
        if (fr_get3(b.mesh.x, n).x > 0.3) CHECK_INT(b.labels.label[n], 2);
        given += b.labels.second_key[n] < b.labels.key[n];
    }
    CHECK(given > 20); // nodes that lie nearer to the second
    check_paid(&b);
    region_free_all(&b);
}

// the border of two seeds is their middle plane: its area is known
static double bisector_off(int32_t cells) {
    const int32_t n[3] = {cells, cells, cells};
    double sum = 0.0;
    FrContext *ctx = make_context(1);
    for (int k = 0; k < 6; k++) {
        RegionBody b = region_box(ctx, fr_vec3(1, 1, 1), n, 1.0);
        double a =
            0.1 + 0.11 * k; // the plane is upright, at this angle: 1 / cos(a) m^2 of it inside
        FrVec3 way = {0.3 * cos(a), 0.3 * sin(a), 0.0}, at = {0.013, 0.021, 0.017};
        const FrVec3 p[2] = {fr_sub(at, way), fr_add(at, way)};
        b.def.chosen = p;
        b.def.chosen_count = b.def.most = 2;
        region_grow(&b);
        sum += b.report.area * cos(a) - 1.0;
        region_free(&b);
    }
    fr_context_destroy(ctx);
    return sum / 6.0;
}

// cut points keep a tenth of an edge off its ends, and that is rough: it stays, at any size of
// cells
TEST(a_flat_border_has_the_area_of_a_plane) {
    double coarse = bisector_off(5), fine = bisector_off(10), finest = bisector_off(20);
    printf("  area of a plane, too large by: %.4f %.4f %.4f\n", coarse, fine, finest);
    CHECK(fabs(coarse) < 0.03);                 // mesh: five cells
    CHECK(finest >= 0.0 && finest < 0.02);      // mesh: the clamp of a tenth
    CHECK(fabs(finest) <= fabs(coarse) + 0.01); // mesh: no worse with more cells
}

TEST(bad_input_is_told) {
    FrContext *ctx = make_context(1);
    RegionBody b = uneven_box(ctx, 100.0);
    b.def.mesh = &b.mesh;
    b.def.energy = -1.0;
    CHECK_INT(fr_regions_grow(ctx, &b.def, &b.labels, &b.report), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "energy");
    b.def.energy = 1.0;
    FrSym3 *grain = FR_NEW(ctx, FrSym3, b.mesh.tet_count);
    for (int32_t e = 0; e < b.mesh.tet_count; e++) grain[e] = (FrSym3){1, 4, 1, 0, 1, 0};
    b.def.grain = grain; // no length along (1, 0, -1)
    CHECK_INT(fr_regions_grow(ctx, &b.def, &b.labels, &b.report), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "grain of tet 0");
    fr_free(ctx, grain);
    b.def.grain = NULL;
    // two boxes that do not touch
    FrTetMesh two = {.node_count = 2 * b.mesh.node_count, .tet_count = 2 * b.mesh.tet_count};
    CHECK_OK(ctx, fr_tetmesh_alloc(ctx, two.node_count, two.tet_count, 1, false, &two));
    for (int32_t n = 0; n < two.node_count; n++)
        fr_set3(two.x, n,
                fr_add(fr_get3(b.mesh.x, n % b.mesh.node_count),
                       fr_vec3(n < b.mesh.node_count ? 0.0 : 1.0, 0, 0)));
    for (int32_t e = 0; e < two.tet_count; e++)
        for (int i = 0; i < 4; i++)
            two.tet[e][i] = b.mesh.tet[e % b.mesh.tet_count][i] +
                            (e < b.mesh.tet_count ? 0 : b.mesh.node_count);
    RegionBody pair = region_body(ctx, two, 100.0);
    pair.def.mesh = &pair.mesh;
    CHECK_INT(fr_regions_grow(ctx, &pair.def, &pair.labels, &pair.report), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "parts");
    CHECK(!pair.labels.label);
    region_free(&pair);
    region_free_all(&b);
}

// each allocation is refused once: a message, nothing lost
TEST(refused_memory_is_told) {
    int32_t tried = 0;
    for (int k = 1;; k++) {
        Refuser refuser = {0};
        FrContext *ctx = make_refusing_context(&refuser);
        const int32_t n[3] = {4, 3, 2};
        const FrVec3 p = {0.01, 0.0, 0.0};
        RegionBody b = region_box(ctx, fr_vec3(0.04, 0.03, 0.02), n, 1.0);
        b.def.mesh = &b.mesh;
        b.def.stretch = 2.0;
        b.def.most = 9;
        b.def.chosen = &p;
        b.def.chosen_count = 1;
        int before = refuser.live, calls = refuser.calls;
        refuser.refuse_at = calls + k;
        FrResult result = fr_regions_grow(ctx, &b.def, &b.labels, &b.report);
        bool refused = refuser.calls >= refuser.refuse_at;
        CHECK(result == FR_OK ? !refused : result == FR_NO_MEMORY);
        if (result != FR_OK) {
            CHECK_INT(refuser.live, before);
            CHECK_HAS(fr_context_message(ctx), "memory");
        }
        tried++;
        region_free_all(&b);
        CHECK_INT(refuser.live, 0);
        if (!refused) break;
    }
    CHECK(tried > 40);
}
