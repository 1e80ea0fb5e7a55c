// regions_facets.c: areas and volumes of the cracks in one tet, against closed forms.

#include "regions_kit.h"

static const FrVec3 unit[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static double area_of(const FrVec3 x[4], const int32_t label[4], const double cut[6], int *count) {
    RegionFacet facet[FR_REGION_FACETS];
    double area = 0.0;
    *count = fr_region_facets(x, label, cut, facet);
    for (int k = 0; k < *count; k++) {
        area += fr_region_facet_area(&facet[k]);
        CHECK(label[facet[k].a] != label[facet[k].b]);
    }
    return area;
}

TEST(one_label_has_no_crack) {
    const int32_t label[4] = {3, 3, 3, 3};
    const double cut[6] = {0};
    double share[4];
    int count;
    CHECK_NEAR(area_of(unit, label, cut, &count), 0.0, TOL_EXACT);
    CHECK_INT(count, 0);
    fr_region_shares(label, cut, share);
    CHECK_NEAR(share[0] + share[1] + share[2] + share[3], 1.0, TOL_EXACT);
}

// x + y + z < c: a triangle of sides c sqrt 2, and c^3 of the volume
TEST(one_corner_is_cut_off) {
    const int32_t label[4] = {7, 2, 2, 2};
    const double c = 0.3, cut[6] = {c, c, c, 0, 0, 0};
    double share[4];
    int count;
    // rounding: of some products
    CHECK_NEAR(area_of(unit, label, cut, &count), 0.5 * sqrt(3.0) * c * c, 1e-15);
    CHECK_INT(count, 1);
    fr_region_shares(label, cut, share);
    CHECK_NEAR(share[0], c * c * c, 1e-15);
    CHECK_NEAR(share[1] + share[2] + share[3], 1.0 - c * c * c, 1e-15);
}

// x + y < c: sums of two of four weights go as 3 c^2 - 2 c^3; a rectangle of c sqrt 2 by 1 - c
TEST(two_against_two) {
    const int32_t label[4] = {1, 0, 0, 1};
    const double c = 0.4, cut[6] = {c, c, 0, 0, 1.0 - c, 1.0 - c};
    double share[4];
    int count;
    // rounding: of some products
    CHECK_NEAR(area_of(unit, label, cut, &count), sqrt(2.0) * c * (1.0 - c), 1e-15);
    CHECK_INT(count, 2);
    fr_region_shares(label, cut, share);
    CHECK_NEAR(share[0] + share[3], 3.0 * c * c - 2.0 * c * c * c, 1e-15);
    CHECK_NEAR(share[0] + share[1] + share[2] + share[3], 1.0, 1e-15);
}

// every pair of corners may be the two: shares of the same plane, whatever their numbers
TEST(numbers_of_corners_do_not_matter) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            int32_t label[4] = {5, 5, 5, 5};
            double cut[6] = {0}, share[4], both = 0.0;
            label[i] = label[j] = 4;
            for (int k = 0; k < 6; k++) {
                int a = fr_tet_edge[k][0], b = fr_tet_edge[k][1];
                if (label[a] != label[b]) cut[k] = label[a] == 4 ? 0.3 : 0.7;
            }
            fr_region_shares(label, cut, share);
            for (int k = 0; k < 4; k++) both += label[k] == 4 ? share[k] : 0.0;
            CHECK_NEAR(both, 3.0 * 0.09 - 2.0 * 0.027, 1e-15); // rounding
        }
}

// a regular tet of side 1 in four equal parts: twelve triangles between the middles of edges, faces
// and the tet, with sides 1/(2 sqrt 6) and 1/(2 sqrt 3) at a right angle
TEST(four_labels_meet_in_the_middle) {
    const FrVec3 x[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}; // sides of 2 sqrt 2
    const int32_t label[4] = {0, 1, 2, 3};
    const double cut[6] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    double share[4];
    int count;
    CHECK_NEAR(area_of(x, label, cut, &count), 8.0 / (2.0 * sqrt(2.0)), 1e-14); // rounding
    CHECK_INT(count, 12);
    fr_region_shares(label, cut, share);
    for (int i = 0; i < 4; i++) CHECK_NEAR(share[i], 0.25, 1e-15); // rounding
}

// three labels: the parts of the two alike and of each of the others fill the tet, whichever the
// two are and wherever edges are cut
TEST(three_labels_fill_the_tet) {
    FrRandom random = fr_random_for(4, "facets", 0);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            int32_t label[4], next = 1;
            double cut[6], share[4], sum = 0.0;
            for (int k = 0; k < 4; k++) label[k] = k == i || k == j ? 0 : next++;
            for (int k = 0; k < 6; k++) cut[k] = fr_random_range(&random, 0.1, 0.9);
            fr_region_shares(label, cut, share);
            for (int k = 0; k < 4; k++) sum += share[k];
            CHECK_NEAR(sum, 1.0, 1e-15); // rounding
            RegionFacet facet[FR_REGION_FACETS];
            CHECK_INT(fr_region_facets(unit, label, cut, facet), 8); // 1 + 1 + 3 + 3
        }
}

TEST(borders_are_where_keys_are_equal) {
    const double a[2] = {1.0, 2.0}, b[2] = {4.0, 1.0}; // differences 1 and -3
    CHECK_NEAR(fr_label_balance(a, b), 0.25, TOL_EXACT);
    const double near[2] = {1.0, 1.001};
    CHECK_NEAR(fr_label_balance(near, b), FR_LABEL_CLAMP, TOL_EXACT);
    const double given[2] = {2.0, 1.0}; // to its region, although the other is nearer
    CHECK_NEAR(fr_label_balance(given, b), FR_LABEL_CLAMP, TOL_EXACT);
    const double unknown[2] = {1.0, HUGE_VAL};
    CHECK_NEAR(fr_label_balance(unknown, b), 0.5, TOL_EXACT);
}
