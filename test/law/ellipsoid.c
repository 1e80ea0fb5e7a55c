// ellipsoid.c: modes of free ellipsoids against closed forms.

#include "bank/ball_terms.h"
#include "bank/ellipsoid.h"
#include "modal_kit.h"
#include <math.h>

static FrEllipsoidDef glass(double a, double b, double c) {
    return (FrEllipsoidDef){
        .half = {a, b, c}, .young = 6.2e10, .poisson = 0.2, .density = 2600.0, .most = 40};
}

static double hz(const FrEllipsoid *e, int32_t i) { return sqrt(e->mode[i].lambda) / (2.0 * M_PI); }

TEST(terms_are_orthogonal_on_the_ball) {
    FrContext *ctx = make_modal_context(1);
    int32_t degree[3] = {8, 8, 8},
            one[][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 2, 2}};
    FrBallPoints points;
    FrBallTables tables;
    CHECK_OK(ctx, fr_ball_points(ctx, degree, &points));
    double sum[5][5] = {{0}};
    for (int32_t q = 0; q < points.count; q++) {
        double slope[3], value[5];
        fr_ball_tables(points.t + 3 * q, 8, &tables);
        for (int i = 0; i < 5; i++) value[i] = fr_ball_term(&tables, one[i], slope);
        for (int i = 0; i < 5; i++)
            for (int k = 0; k < 5; k++) sum[i][k] += points.weight[q] * value[i] * value[k];
    }
    CHECK_NEAR(sum[0][0], 4.0 / 3.0 * M_PI, 1e-13); // rounding
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            CHECK_NEAR(sum[i][k] / sqrt(sum[i][i] * sum[k][k]), 0.0, 1e-13); // rounding
    fr_ball_points_free(ctx, &points);
    fr_context_destroy(ctx);
}

// slopes against differences of values
TEST(slopes_are_those_of_the_values) {
    FrBallTables tables[3];
    int32_t degree[3] = {3, 2, 4};
    double t[3] = {0.3, -0.4, 0.5}, slope[3], other[3];
    fr_ball_tables(t, 12, &tables[0]);
    fr_ball_term(&tables[0], degree, slope);
    for (int k = 0; k < 3; k++) {
        double h = 1e-6, to[3] = {t[0], t[1], t[2]};
        to[k] += h;
        fr_ball_tables(to, 12, &tables[1]);
        to[k] -= 2.0 * h;
        fr_ball_tables(to, 12, &tables[2]);
        double found =
            (fr_ball_term(&tables[1], degree, other) - fr_ball_term(&tables[2], degree, other)) /
            (2.0 * h);
        CHECK_NEAR(found, slope[k],
                   1e-7 * (1.0 + fabs(slope[k]))); // step: differences of second order
    }
}

// Twisting of a ball: (n - 1) j_n(x) = x j_n+1(x), x = w a/c_s; breathing: tan y/y = 1/(1 - y^2
// (c_p/2c_s)^2), y = w a/c_p (Lamb 1882)
TEST(a_ball_has_lambs_frequencies) {
    FrContext *ctx = make_modal_context(1);
    FrEllipsoidDef def = glass(0.5, 0.5, 0.5);
    FrEllipsoid e;
    def.most = 120;
    CHECK_OK(ctx, fr_ellipsoid_modes(ctx, &def, &e));
    double shear = sqrt(6.2e10 / (2.0 * 1.2 * 2600.0)), unit = shear / (2.0 * M_PI * 0.5);
    // n = 2 five times, n = 3 seven times
    for (int i = 0; i < 5; i++) CHECK_NEAR(hz(&e, i) / unit, 2.50113, 2e-5); // six digits
    int sevens = 0, breathing = 0;
    double ratio = sqrt(2.0 * (1.0 - 0.2) / (1.0 - 0.4)), y = 0.0;
    for (double at = 1.0; at < 3.0; at += 1e-5) {
        double slack = sin(at) * (1.0 - at * at * ratio * ratio / 4.0) - at * cos(at);
        if (y == 0.0 &&
            slack * (sin(at + 1e-5) * (1.0 - (at + 1e-5) * (at + 1e-5) * ratio * ratio / 4.0) -
                     (at + 1e-5) * cos(at + 1e-5)) <=
                0.0)
            y = at;
    }
    for (int32_t i = 0; i < e.mode_count; i++) {
        sevens += fabs(hz(&e, i) / unit - 3.86470) < 1e-4;
        breathing += fabs(hz(&e, i) / unit / ratio - y) < 1e-4;
    }
    CHECK_INT(sevens, 7);
    CHECK_INT(breathing, 1);
    fr_ellipsoid_free(ctx, &e);
    fr_context_destroy(ctx);
}

TEST(axes_may_come_in_any_order_and_size) {
    FrContext *ctx = make_modal_context(1);
    FrEllipsoidDef def = glass(0.1, 0.3, 0.8);
    FrEllipsoid e, other;
    CHECK_OK(ctx, fr_ellipsoid_modes(ctx, &def, &e));
    def = glass(0.4, 0.05, 0.15);
    CHECK_OK(ctx, fr_ellipsoid_modes(ctx, &def, &other));
    for (int32_t i = 0; i < 40; i++)
        CHECK_NEAR(hz(&other, i) / hz(&e, i), 2.0, 1e-8); // rounding of the eigenvalues
    fr_ellipsoid_free(ctx, &e);
    fr_ellipsoid_free(ctx, &other);
    fr_context_destroy(ctx);
}

// from above, and there with the degree that is chosen
TEST(frequencies_come_down_to_the_true_ones) {
    FrContext *ctx = make_modal_context(1);
    const double shape[][3] = {{0.06, 0.7, 0.71}, {0.05, 0.3, 0.95}};
    for (int s = 0; s < 2; s++) {
        FrEllipsoid e, fine;
        FrEllipsoidDef def = glass(shape[s][0], shape[s][1], shape[s][2]);
        def.most = 60;
        CHECK_OK(ctx, fr_ellipsoid_modes(ctx, &def, &e));
        def.degree = e.most_degree + 4;
        CHECK_OK(ctx, fr_ellipsoid_modes(ctx, &def, &fine));
        double worst = 0.0;
        for (int32_t i = 0; i < 60; i++) {
            worst = fmax(worst, hz(&e, i) / hz(&fine, i) - 1.0);
            CHECK(hz(&e, i) > hz(&fine, i) * (1.0 - 1e-7)); // rounding
        }
        CHECK_NEAR(worst, 0.0, 0.01); // promise: sixty modes
        fr_ellipsoid_free(ctx, &e);
        fr_ellipsoid_free(ctx, &fine);
    }
    fr_context_destroy(ctx);
}
