// decompose.c: eigenvectors, polar rotation and singular values, random, repeated, singular and
// inverted.

#include "test.h"
#include "base/random.h"
#include "math/decompose.h"
#include "math/jacobi.h"

static FrMat3 random_mat3(FrRandom *r) {
    double a[9];
    for (int k = 0; k < 9; k++) a[k] = fr_random_range(r, -1, 1);
    return fr_mat3(fr_vec3(a[0], a[1], a[2]), fr_vec3(a[3], a[4], a[5]), fr_vec3(a[6], a[7], a[8]));
}

static FrMat3 random_rotation(FrRandom *r) {
    double x = fr_random_normal(r), y = fr_random_normal(r), z = fr_random_normal(r);
    FrQuat q = {fr_random_normal(r), x, y, z};
    return fr_quat_mat3(fr_quat_normalize(q));
}

static FrMat3 diagonal(double a, double b, double c) {
    return fr_mat3(fr_vec3(a, 0, 0), fr_vec3(0, b, 0), fr_vec3(0, 0, c));
}

static double distance_to(FrMat3 a, FrMat3 b) { return fr_mat3_norm(fr_mat3_axpy(-1, b, a)); }

static double rotation_error(FrMat3 r) {
    return distance_to(fr_mat3_mul(fr_mat3_transpose(r), r), fr_mat3_identity) +
           fabs(fr_mat3_det(r) - 1.0);
}

static void check_eigen(FrSym3 s) {
    FrEigen3 e = fr_sym3_eigen(s);
    double size = fr_mat3_norm(fr_sym3_full(s));
    CHECK(e.value[0] >= e.value[1] && e.value[1] >= e.value[2]);
    // rounding: some ten turns
    CHECK_NEAR(rotation_error(fr_mat3(e.vector[0], e.vector[1], e.vector[2])), 0, 1e-14);
    for (int k = 0; k < 3; k++) {
        FrVec3 r = fr_axpy(-e.value[k], e.vector[k], fr_sym3_apply(s, e.vector[k]));
        CHECK_NEAR(fr_length(r), 0, 4e-15 * size); // rounding of the largest entry, a few times
    }
}

TEST(eigen_random_and_repeated) {
    FrRandom r = fr_random_for(1, "eigen", 0);
    for (int k = 0; k < 5000; k++) check_eigen(fr_mat3_sym(random_mat3(&r)));
    double triple[][3] = {{2, 2, 2},     {0, 0, 0},   {1, 1, 0},         {1, 0, 0},
                          {1e-12, 1, 1}, {-1, -1, 3}, {1e200, 1, 1e-200}};
    for (int t = 0; t < 7; t++)
        for (int k = 0; k < 200; k++) {
            FrMat3 q = random_rotation(&r);
            FrMat3 d = diagonal(triple[t][0], triple[t][1], triple[t][2]);
            check_eigen(fr_mat3_sym(fr_mat3_mul(q, fr_mat3_mul(d, fr_mat3_transpose(q)))));
        }
}

static void check_svd(FrMat3 m) {
    FrSvd3 s = fr_mat3_svd(m);
    // rounding: some ten turns
    CHECK_NEAR(rotation_error(s.U), 0, 1e-14);
    CHECK_NEAR(rotation_error(s.V), 0, 1e-14);
    CHECK(s.sigma[0] >= s.sigma[1] * (1 - 1e-9) && s.sigma[1] >= 0);
    FrMat3 back = fr_mat3_mul(
        s.U, fr_mat3_mul(diagonal(s.sigma[0], s.sigma[1], s.sigma[2]), fr_mat3_transpose(s.V)));
    // rounding: small singular values come from the square of m: absolute accuracy is sqrt(eps) of
    // the largest
    CHECK_NEAR(distance_to(back, m), 0, 3e-8 * (s.sigma[0] + 1e-300));
}

// four at once: the bits of each alone, however soon each of them is done
TEST(four_eigenproblems_have_the_bits_of_one) {
    FrRandom random = fr_random_for(3, "eigen-four", 0);
    for (int k = 0; k < 2000; k++) {
        FrSym3 s[4];
        FrEigen3 e[4];
        for (int i = 0; i < 4; i++) {
            double off = fr_random_below(&random, 3) - 1.0; // some are diagonal, some are not
            s[i] = (FrSym3){fr_random_normal(&random),       fr_random_normal(&random),
                            fr_random_normal(&random),       off * fr_random_normal(&random),
                            off * fr_random_normal(&random), off * fr_random_normal(&random)};
            if (k % 7 == i) s[i].yy = s[i].zz = s[i].xx;
            if (k % 11 == i) s[i] = fr_sym3_zero;
        }
        fr_sym3_eigen_four(s, e);
        for (int i = 0; i < 4; i++) {
            FrEigen3 one = fr_sym3_eigen(s[i]);
            CHECK(memcmp(&one, &e[i], sizeof one) == 0);
        }
    }
}

TEST(svd_random_and_degenerate) {
    FrRandom r = fr_random_for(2, "svd", 0);
    for (int k = 0; k < 5000; k++) check_svd(random_mat3(&r));
    double sigma[][3] = {{1, 1, 1}, {1, 1, -1},    {1, 0, 0},     {1, 1e-9, 0},
                         {0, 0, 0}, {3, 2, -1e-3}, {1e6, 1, 1e-6}};
    for (int t = 0; t < 7; t++)
        for (int k = 0; k < 200; k++) {
            FrMat3 d = diagonal(sigma[t][0], sigma[t][1], sigma[t][2]);
            check_svd(fr_mat3_mul(random_rotation(&r), fr_mat3_mul(d, random_rotation(&r))));
        }
}

// F = Q diag(s) Q'  has polar rotation Q Q2', also inverted (smallest stretch flips)      [M12, K4]
TEST(polar_random) {
    FrRandom r = fr_random_for(3, "polar", 0);
    for (int k = 0; k < 10000; k++) {
        FrMat3 q1 = random_rotation(&r), q2 = random_rotation(&r);
        double a = fr_random_range(&r, 1, 2), b = fr_random_range(&r, 0.3, 0.9);
        double c = fr_random_range(&r, -0.2, 0.2);
        FrMat3 m = fr_mat3_mul(q1, fr_mat3_mul(diagonal(a, b, c), fr_mat3_transpose(q2)));
        FrMat3 R = fr_mat3_polar(m, fr_mat3_identity);
        // rounding: a dozen turns; the smallest sum of stretches is 0.1
        CHECK_NEAR(rotation_error(R), 0, 1e-14);
        CHECK_NEAR(distance_to(R, fr_mat3_mul(q1, fr_mat3_transpose(q2))), 0, 1e-12);
    }
}

TEST(polar_keeps_the_previous_where_open) {
    FrRandom r = fr_random_for(4, "polar-open", 0);
    FrMat3 before = random_rotation(&r);
    // rounding: a few products
    CHECK_NEAR(distance_to(fr_mat3_polar(fr_mat3_zero, before), before), 0, 1e-14);
    // rank one along before's own first axis: the rest must follow `before`
    FrMat3 flat = fr_outer(before.c0, fr_vec3(1, 0, 0));
    CHECK_NEAR(distance_to(fr_mat3_polar(flat, before), before), 0, 1e-14);
}

TEST(quaternions_rotate) {
    FrQuat q = fr_quat_from_rotation(fr_vec3(0, 0, FR_PI / 2));
    // rounding: products of numbers of size 1
    CHECK_NEAR(fr_distance(fr_quat_rotate(q, fr_vec3(1, 0, 0)), fr_vec3(0, 1, 0)), 0, 1e-15);
    FrRandom r = fr_random_for(5, "quat", 0);
    for (int k = 0; k < 1000; k++) {
        FrMat3 m = random_rotation(&r);
        CHECK_NEAR(distance_to(fr_quat_mat3(fr_quat_from_mat3(m)), m), 0, 1e-14);
    }
    // x first, then z: x stays, then turns to y
    FrQuat e = fr_quat_from_euler(fr_vec3(FR_PI / 2, 0, FR_PI / 2));
    CHECK_NEAR(fr_distance(fr_quat_rotate(e, fr_vec3(1, 0, 0)), fr_vec3(0, 1, 0)), 0, 1e-15);
    CHECK_NEAR(fr_distance(fr_quat_rotate(e, fr_vec3(0, 1, 0)), fr_vec3(0, 0, 1)), 0, 1e-15);
}

// sweeps make a symmetric 6x6 matrix diagonal, and the rows of V are its eigenvectors
TEST(sweeps_find_eigenvectors_of_six) {
    FrRandom r = fr_random_for(11, "sweep", 0);
    for (int round = 0; round < 100; round++) {
        double A[6][6], D[6][6], V[6][6];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j <= i; j++) A[i][j] = A[j][i] = fr_random_range(&r, -1, 1);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) D[i][j] = A[i][j], V[i][j] = i == j;
        for (int sweep = 0; sweep < 8; sweep++) fr_sym6_sweep(D, V);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                double product = 0.0, image = 0.0;
                for (int k = 0; k < 6; k++) {
                    product += V[i][k] * V[j][k];
                    image += A[j][k] * V[i][k];
                }
                CHECK_NEAR(product, i == j, 1e-14); // about 100 rotations, each to rounding
                // rounding: as above
                CHECK_NEAR(image, D[i][i] * V[i][j], 1e-14);
                if (i != j) CHECK_NEAR(D[i][j], 0.0, 1e-15);
            }
    }
}
