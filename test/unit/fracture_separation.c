// fracture_separation.c: stresses in two parts, the separation tensor, toughness by direction, and
// the area a node holds: closed forms of M5 and M8, and printed forms that fail.

#include "fracture/separation.h"
#include "fem_mesh.h"
#include "fem/element.h"
#include "math/decompose.h"

static FrSym3 random_sym(FrRandom *r, double size) {
    FrSym3 s = {test_random(r, size), test_random(r, size), test_random(r, size),
                test_random(r, size), test_random(r, size), test_random(r, size)};
    return s;
}

static FrMat3 random_turn(FrRandom *r) {
    return fr_quat_mat3(fr_quat_from_rotation(test_vec(r, 3.0)));
}

static double sym_size(FrSym3 s) { return sqrt(fr_sym3_dot(s, s)); }

static double sym_off(FrSym3 a, FrSym3 b) { return sym_size(fr_sym3_axpy(-1.0, b, a)); }

static FrSym3 turned(FrMat3 Q, FrSym3 s) {
    return fr_mat3_sym(fr_mat3_mul(fr_mat3_mul(Q, fr_sym3_full(s)), fr_mat3_transpose(Q)));
}

// the parts add up, have no eigenvalue of the wrong sign, and are orthogonal [S2 eq. 29]
TEST(stress_parts_are_the_signs) {
    FrRandom r = fr_random_for(1, "parts", 0);
    for (int k = 0; k < 1000; k++) {
        FrSym3 S = random_sym(&r, 1.0), plus, minus;
        fr_stress_parts(S, &plus, &minus);
        // rounding: eigenvalues to 1e-15 of the size; sums of three terms
        CHECK_NEAR(sym_off(fr_sym3_axpy(1.0, plus, minus), S), 0.0, 1e-14);
        CHECK(fr_sym3_eigen(plus).value[2] > -1e-14);
        CHECK(fr_sym3_eigen(minus).value[0] < 1e-14);
        CHECK_NEAR(fr_sym3_dot(plus, minus), 0.0, 1e-14);
    }
    FrSym3 S = {2, -3, 0, 0, 0, 0}, plus, minus;
    fr_stress_parts(S, &plus, &minus);
    // rounding: eigenvectors along the axes
    CHECK_NEAR(plus.xx, 2.0, 1e-15);
    CHECK_NEAR(minus.yy, -3.0, 1e-15);
    CHECK_NEAR(plus.yy, 0.0, 1e-15);
}

static FrSym3 zeta_of(const FrVec3 *plus, const FrVec3 *minus, int count) {
    FrTearing t = {0};
    for (int k = 0; k < count; k++)
        fr_tearing_add(&t, plus ? plus[k] : fr_vec3_zero, minus ? minus[k] : fr_vec3_zero);
    return fr_separation_tensor(&t);
}

static void add_outer(FrVec3 f, double sign, double to[3][3]) {
    double x[3] = {f.x, f.y, f.z}, size = sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
    for (int i = 0; i < 3 && size > 0.0; i++)
        for (int j = 0; j < 3; j++) to[i][j] += sign * x[i] * x[j] / size;
}

// n.s n for the tensor as S6's pseudo code builds it from tensile forces (4.1.4, lines 13 and 14):
// s = -m(sum f+) + sum m(f+)
static double printed_along(const FrVec3 *pull, int count, FrVec3 n) {
    double s[3][3] = {{0}}, along[3] = {n.x, n.y, n.z}, value = 0.0;
    FrVec3 sum = {0, 0, 0};
    for (int k = 0; k < count; k++) {
        add_outer(pull[k], 1.0, s);
        sum = fr_vec3(sum.x + pull[k].x, sum.y + pull[k].y, sum.z + pull[k].z);
    }
    add_outer(sum, -1.0, s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) value += along[i] * s[i][j] * along[j];
    return value;
}

// Pulled both ways by f, a node tears across that axis with strength |f|, however large f is and
// wherever it points. S6's pseudo code, without the 1/2 of its eq. 4.6, says twice that: a node
// would fail at half its limit (E18).                                             [S2 eq. 32]
TEST(opposed_tension_tears) {
    FrRandom r = fr_random_for(5, "pull", 0);
    for (int k = 0; k < 100; k++) {
        FrVec3 f = test_vec(&r, pow(10.0, test_random(&r, 3.0)));
        FrVec3 pull[2] = {f, {-f.x, -f.y, -f.z}};
        double size = sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
        FrVec3 along = {f.x / size, f.y / size, f.z / size};
        FrSeparation s = fr_separation(zeta_of(pull, NULL, 2));
        // rounding: eigenvalues of one matrix
        CHECK_CLOSE(s.value, size, 1e-14); // eigenvalues to rounding
        CHECK_NEAR(fabs(fr_dot(s.normal, along)), 1.0, 1e-14);
        double most = fr_max(fr_max(s.normal.x, s.normal.y), s.normal.z);
        CHECK(most >= fabs(s.normal.x) && most >= fabs(s.normal.y) && most >= fabs(s.normal.z));
        double printed = printed_along(pull, 2, along); // n is its eigenvector, too
        CHECK_CLOSE(printed, 2.0 * size, 1e-14);
        CHECK(printed > 1.99 * s.value);
    }
}

TEST(one_force_alone_tears_nothing) {
    FrVec3 pull = {1, 2, 3};
    // rounding: m(f) - m(f)
    CHECK_NEAR(sym_size(zeta_of(&pull, NULL, 1)), 0.0, 1e-15); // m(f) - m(f)
    CHECK_NEAR(sym_size(zeta_of(NULL, &pull, 1)), 0.0, 1e-15);
}

// opposed pushes hold together: the tensor is negative
TEST(opposed_compression_holds) {
    FrVec3 push[2] = {{2, 0, 0}, {-2, 0, 0}};
    FrSym3 zeta = zeta_of(NULL, push, 2);
    // rounding: one eigenvalue
    CHECK_NEAR(zeta.xx, -2.0, 1e-15);
    CHECK_NEAR(fr_separation(zeta).value, 0.0, 1e-15);
}

TEST(forces_turned_turn_the_tensor) {
    FrRandom r = fr_random_for(2, "turn", 0);
    for (int k = 0; k < 200; k++) {
        FrVec3 plus[7], minus[7], plus_q[7], minus_q[7];
        FrMat3 Q = random_turn(&r);
        for (int i = 0; i < 7; i++) {
            plus[i] = test_vec(&r, 1.0), minus[i] = test_vec(&r, 1.0);
            plus_q[i] = fr_mat3_apply(Q, plus[i]), minus_q[i] = fr_mat3_apply(Q, minus[i]);
        }
        // rounding: seven terms of size 1
        CHECK_NEAR(sym_off(zeta_of(plus_q, minus_q, 7), turned(Q, zeta_of(plus, minus, 7))), 0.0,
                   1e-14);
    }
}

// a force in two collinear halves is the same force; in two skew ones it is not (E19)
TEST(halves_of_a_force_count_once) {
    FrVec3 whole[3] = {{1, 2, 0}, {-2, 1, 1}, {0.5, -1, 2}};
    FrVec3 halves[4] = {{0.5, 1, 0}, {0.5, 1, 0}, {-2, 1, 1}, {0.5, -1, 2}};
    FrVec3 skew[4] = {{1, 0, 0}, {0, 2, 0}, {-2, 1, 1}, {0.5, -1, 2}};
    CHECK_NEAR(sym_off(zeta_of(halves, NULL, 4), zeta_of(whole, NULL, 3)), 0.0, 1e-14); // rounding
    CHECK(sym_off(zeta_of(skew, NULL, 4), zeta_of(whole, NULL, 3)) > 0.1);
}

// two pushes at a right angle give a positive eigenvalue (sqrt(2) - 1)/2: the guard of the
// criterion is for this (E65)
TEST(pushes_at_a_right_angle_look_like_a_tear) {
    FrVec3 push[2] = {{1, 0, 0}, {0, 1, 0}};
    FrEigen3 e = fr_sym3_eigen(zeta_of(NULL, push, 2));
    // rounding: one eigenvalue
    CHECK_NEAR(e.value[0], 0.5 * (sqrt(2.0) - 1.0), 1e-15);
    CHECK_NEAR(e.value[2], -0.5, 1e-15);
}

// v+ <= 1/2 sum |f+| + 1/2 |sum f-|: the other two terms only take away                     [M5]
static double tearing_bound(const FrTearing *t) {
    return 0.5 * (t->pull + fr_length(t->compressive));
}

TEST(the_cheap_bound_is_a_bound) {
    FrRandom r = fr_random_for(3, "bound", 0);
    for (int k = 0; k < 2000; k++) {
        FrTearing t = {0};
        for (int i = 0; i < 6; i++) fr_tearing_add(&t, test_vec(&r, 1.0), test_vec(&r, 1.0));
        CHECK(fr_separation(fr_separation_tensor(&t)).value <= tearing_bound(&t) + 1e-14);
    }
}

/// forces and areas at one node of a mesh under a uniform F and S
static void star(const FrTetMesh *m, int32_t node, FrMat3 F, FrSym3 S, FrTearing *t, FrHold *hold) {
    FrSym3 plus, minus;
    fr_stress_parts(S, &plus, &minus);
    *t = (FrTearing){0};
    for (int32_t e = 0; e < m->tet_count; e++)
        for (int i = 0; i < 4; i++) {
            if (m->tet[e][i] != node) continue;
            FrVec3 x[4];
            for (int j = 0; j < 4; j++) x[j] = fr_get3(m->x, m->tet[e][j]);
            FrElement el;
            CHECK(fr_element_make(x, &el));
            FrVec3 f = fr_mat3_apply(F, fr_sym3_apply(plus, el.G[i]));
            FrVec3 g = fr_mat3_apply(F, fr_sym3_apply(minus, el.G[i]));
            fr_tearing_add(t, fr_scale(-el.volume, f), fr_scale(-el.volume, g));
            fr_hold_add(hold, fr_scale(el.volume, fr_mat3_apply(fr_mat3_cofactor(F), el.G[i])));
        }
}

// uniform uniaxial Cauchy stress s along n: v+ = s * held area at every node that nothing pulls
// from outside, inside and on free faces, edges; n+ is n; where something does, v+ is less    [M5]
TEST(uniaxial_stress_gives_the_closed_form) {
    FrRandom r = fr_random_for(4, "uniaxial", 0);
    FrTetMesh m = test_box(3, 3, 3, 0.1);
    test_jitter(&m, 3, 3, 3, 0.1, 0.02);
    FrVec3 e = {1, 0, 0};
    for (int32_t node = 0; node < m.node_count; node++) {
        FrVec3 x = fr_get3(m.x, node);
        bool loaded = x.x < 1e-9 || x.x > 0.3 - 1e-9;
        FrMat3 F = fr_mat3_axpy(0.1, fr_mat3(test_vec(&r, 1), test_vec(&r, 1), test_vec(&r, 1)),
                                fr_mat3_identity);
        double s = 3.0, stretch = fr_length(fr_mat3_apply(F, e));
        FrVec3 n = fr_normalize(fr_mat3_apply(F, e));
        FrSym3 S = {s * fr_mat3_det(F) / (stretch * stretch), 0, 0, 0, 0, 0}; // J F^-1 sigma F^-T
        FrTearing t;
        FrHold hold = {.normal = n};
        star(&m, node, F, S, &t, &hold);
        FrSeparation found = fr_separation(fr_separation_tensor(&t));
        if (loaded) {
            CHECK(found.value < s * fr_hold_area(&hold) * (1.0 + 1e-12));
            continue;
        }
        // rounding: sums of up to 24 terms
        CHECK_CLOSE(found.value, s * fr_hold_area(&hold), 1e-12);
        CHECK_NEAR(fabs(fr_dot(found.normal, n)), 1.0, 1e-12);
    }
    test_mesh_free(&m);
}

// compression in every direction at an inside node: nothing tears                            [M5]
TEST(pressure_tears_nothing) {
    FrTetMesh m = test_box(2, 2, 2, 0.1);
    FrRandom r = fr_random_for(5, "pressure", 0);
    for (int k = 0; k < 100; k++) {
        FrMat3 Q = random_turn(&r);
        FrSym3 d = {-fr_random_range(&r, 0, 2),
                    -fr_random_range(&r, 0, 2),
                    -fr_random_range(&r, 0, 2),
                    0,
                    0,
                    0};
        FrTearing t;
        FrHold hold = {.normal = {1, 0, 0}};
        star(&m, 13, fr_mat3_identity, turned(Q, d), &t, &hold);
        CHECK(fr_separation(fr_separation_tensor(&t)).value < 1e-15); // rounding: forces of 1e-2 N
        CHECK_NEAR(t.pull, 0.0, TOL_EXACT);                           // exact
    }
    test_mesh_free(&m);
}

TEST(separation_grows_with_stress) {
    FrTetMesh m = test_box(2, 2, 2, 0.1);
    FrRandom r = fr_random_for(6, "degree", 0);
    FrSym3 S = random_sym(&r, 1.0);
    FrTearing one, three;
    FrHold hold = {.normal = {1, 0, 0}};
    star(&m, 13, fr_mat3_identity, S, &one, &hold);
    star(&m, 13, fr_mat3_identity, fr_sym3_axpy(3.0, S, fr_sym3_zero), &three, &hold);
    FrSym3 thrice = fr_sym3_axpy(3.0, fr_separation_tensor(&one), fr_sym3_zero);
    // rounding: forces of 1e-2 N
    CHECK_NEAR(sym_off(fr_separation_tensor(&three), thrice), 0.0, 1e-15);
    test_mesh_free(&m);
}

TEST(a_lone_tet_does_not_tear) {
    FrTetMesh m = test_box(1, 1, 1, 1.0);
    m.tet_count = 1;
    FrRandom r = fr_random_for(7, "lone", 0);
    for (int i = 0; i < 4; i++) {
        FrTearing t;
        FrHold hold = {.normal = {1, 0, 0}};
        star(&m, m.tet[0][i], fr_mat3_identity, random_sym(&r, 1.0), &t, &hold);
        // rounding: m(f) - m(f), four times
        CHECK_NEAR(sym_size(fr_separation_tensor(&t)), 0.0, 1e-15);
    }
    test_mesh_free(&m);
}

// half the toughness along x: tension along x counts twice, along y once. The printed S =
// diag(1, 1/2, 1/2) makes the others four times as tough, not twice (E20)           [S6 eq. 4.8]
TEST(half_the_toughness_is_twice_the_stress) {
    FrMat3 A = fr_toughness_scale(fr_mat3_identity, fr_vec3(0.5, 1, 1));
    FrSym3 x = {1, 0, 0, 0, 0, 0}, y = {0, 1, 0, 0, 0, 0};
    // rounding: roots of 2, squared again
    CHECK_NEAR(fr_stress_scaled(A, x).xx, 2.0, 1e-15);
    CHECK_NEAR(fr_stress_scaled(A, y).yy, 1.0, 1e-15);
    FrMat3 printed = {{1, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
    double ratio = fr_stress_scaled(printed, x).xx / fr_stress_scaled(printed, y).yy;
    CHECK_NEAR(ratio, 4.0, 1e-15);
    CHECK(fabs(ratio - 2.0) > 1.0);
}

// Pulled at 30 degrees to an axis of a fifth of the toughness: A S A of one pull is one pull along
// A n, so the plane turns from the pull towards the axis by 15.5 degrees and stays 14.5 off it, and
// it breaks at a quarter of the strength. All others five times as tough turn it as far.
TEST(a_pull_aside_of_the_weak_axis_turns_the_plane_part_of_the_way) {
    double a = FR_PI / 6.0;
    FrVec3 n = {cos(a), sin(a), 0};
    FrSym3 pull = fr_mat3_sym(fr_outer(n, n));
    const struct {
        FrVec3 toughness;
        double off_axis, times; ///< degrees, 1
    } row[] = {{{0.2, 1, 1}, 14.48, 4.0}, {{0.01, 1, 1}, 3.30, 75.25}, {{1, 5, 5}, 14.48, 0.8}};
    for (int k = 0; k < 3; k++) {
        FrMat3 A = fr_toughness_scale(fr_mat3_identity, row[k].toughness);
        FrSym3 S = fr_stress_scaled(A, pull);
        FrEigen3 e = fr_sym3_eigen(S);
        double off = acos(fabs(e.vector[0].x)) * 180.0 / FR_PI;
        CHECK_NEAR(off, row[k].off_axis, 0.005); // digits: angles are written with two decimals
        CHECK_CLOSE(e.value[0], row[k].times, 1e-12); // rounding
        double weak = row[k].toughness.x / row[k].toughness.y;
        CHECK_NEAR(off, atan(sqrt(weak) * tan(a)) * 180.0 / FR_PI, 1e-12); // rounding: in degrees
    }
}

TEST(even_toughness_changes_nothing) {
    FrRandom r = fr_random_for(8, "even", 0);
    FrSym3 S = random_sym(&r, 1.0);
    FrMat3 A = fr_toughness_scale(random_turn(&r), fr_vec3(1, 1, 1));
    // rounding: two products of matrices of size 1
    CHECK_NEAR(sym_off(fr_stress_scaled(A, S), S), 0.0, 1e-15);
}

// turned axes: uniaxial stress along preferred axis i is scaled by 1/toughness_i
TEST(toughness_follows_its_axes) {
    FrRandom r = fr_random_for(9, "axes", 0);
    FrMat3 axes = random_turn(&r);
    FrMat3 A = fr_toughness_scale(axes, fr_vec3(0.25, 1, 4));
    FrSym3 S = fr_mat3_sym(fr_outer(axes.c0, axes.c0));
    // rounding: two products of matrices of size 4
    CHECK_NEAR(sym_off(fr_stress_scaled(A, S), fr_sym3_axpy(4.0, S, fr_sym3_zero)), 0.0, 1e-14);
    S = fr_mat3_sym(fr_outer(axes.c2, axes.c2));
    CHECK_NEAR(sym_off(fr_stress_scaled(A, S), fr_sym3_axpy(0.25, S, fr_sym3_zero)), 0.0, 1e-14);
}
