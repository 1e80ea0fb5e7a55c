// material_plastic.c: plastic flow at a point: oracles of the rule, and what the papers misprint.

#include "base/random.h"
#include "material/laws.h"
#include "material/stress.h"
#include "test.h"
#include "context.h"

static FrMaterial yielding(double yield, double limit) {
    FrMaterial m = {
        .name = "test", .density = 1000.0, .yield_strain = yield, .plastic_limit = limit};
    fr_material_set_young(&m, 1e6, 0.3);
    return m;
}

static double norm(FrSym3 a) { return sqrt(fr_sym3_dot(a, a)); }

static FrSym3 deviator(FrSym3 a) {
    FrSym3 identity = {1, 1, 1, 0, 0, 0};
    return fr_sym3_axpy(-fr_sym3_trace(a) / 3, identity, a);
}

static FrSym3 scaled(double s, FrSym3 a) { return fr_sym3_axpy(s, a, fr_sym3_zero); }

static FrSym3 random_strain(FrRandom *r, double size) {
    double v[6];
    for (int k = 0; k < 6; k++) v[k] = fr_random_range(r, -size, size);
    return (FrSym3){v[0], v[1], v[2], v[3], v[4], v[5]};
}

// no trace; the elastic deviator ends within g1, unless capped; a second pass changes nothing  [M4]
TEST(flow_keeps_its_bounds) {
    FrRandom r = fr_random_for(1, "flow", 0);
    FrMaterial m = yielding(0.05, 0.2);
    FrSym3 Ep = fr_sym3_zero;
    int flowed = 0, capped = 0;
    for (int k = 0; k < 2000; k++) {
        FrSym3 E = random_strain(&r, k % 2 ? 0.3 : 0.1);
        flowed += fr_plastic_flow(&m, E, &Ep);
        CHECK_NEAR(fr_sym3_trace(Ep), 0, 1e-15); // 2000 roundings of 0.2, which random signs hide
        CHECK(norm(Ep) <= 0.2 * (1 + 1e-15));    // rounding
        double left = norm(deviator(fr_sym3_axpy(-1, Ep, E)));
        bool at_cap = norm(Ep) > 0.2 * (1 - 1e-12);
        capped += at_cap;
        if (!at_cap) CHECK(left <= 0.05 * (1 + 1e-14)); // rounding
        FrSym3 again = Ep;
        fr_plastic_flow(&m, E, &again);
        if (!at_cap) CHECK(norm(fr_sym3_axpy(-1, Ep, again)) < 1e-16); // one rounding of g1
        // what flows is pulled by the stress: it never gives energy
    }
    CHECK(flowed > 500 && capped > 50 && capped < 1500);
}

// a closed cycle within g1 leaves no trace; so does pressure of any size                       [M4]
TEST(small_cycles_and_pressure_are_elastic) {
    FrMaterial m = yielding(0.05, 0.2);
    FrSym3 Ep = fr_sym3_zero,
           turn[] = {{0.04, -0.02, -0.02, 0.005, 0, 0}, {0, 0, 0, 0.03, 0.01, 0}};
    for (int k = 0; k < 100; k++)
        CHECK(!fr_plastic_flow(&m, scaled(sin(0.3 * k), turn[k % 2]), &Ep));
    CHECK(!fr_plastic_flow(&m, (FrSym3){-0.4, -0.4, -0.4, 0, 0, 0}, &Ep));
    CHECK(!fr_plastic_flow(&m, (FrSym3){3, 3, 3, 0, 0, 0}, &Ep));
    CHECK(norm(Ep) == 0.0);
}

// det(I + 2E)
static double volume2(FrSym3 E) {
    FrSym3 C = fr_sym3_axpy(2, E, (FrSym3){1, 1, 1, 0, 0, 0});
    return fr_mat3_det(fr_sym3_full(C));
}

// the strain with this deviator that keeps the volume: det(I + 2E) = 1, by Newton
static FrSym3 at_own_volume(FrSym3 dev) {
    FrSym3 E = dev, identity = {1, 1, 1, 0, 0, 0};
    for (int k = 0; k < 30; k++) {
        double h = 1e-6, up = volume2(fr_sym3_axpy(h, identity, E));
        double slope = (up - volume2(fr_sym3_axpy(-h, identity, E))) / (2 * h);
        E = fr_sym3_axpy((1 - volume2(E)) / slope, identity, E);
    }
    return E;
}

// along a ray Ep = (|e| - g1) e/|e|; the deviatoric stress stands at 2 mu g1, the mean one at 0
// while the volume is kept; after unloading the strain that is left without stress is e_max - g1;
// reversed, it yields again at e_max - 2 g1                                                  [M4]
TEST(one_axis_cycle) {
    FrMaterial m = yielding(0.01, 0.2);
    FrSym3 ray = deviator((FrSym3){1, -0.2, 0.1, 0.4, -0.3, 0.2}), Ep = fr_sym3_zero;
    ray = scaled(1 / norm(ray), ray);
    for (double e = 0; e < 0.1; e += 1e-3) {
        FrSym3 E = at_own_volume(scaled(e, ray));
        fr_plastic_flow(&m, E, &Ep);
        CHECK_NEAR(norm(fr_sym3_axpy(-fr_max(0, e - 0.01), ray, Ep)), 0, 1e-15); // rounding
        FrSym3 S = fr_material_stress(&m, E, Ep);
        // rounding: 1e-16 of a strain of 0.1, of which 0.01 is left; the volume is found by steps
        if (e > 0.011) CHECK_CLOSE(norm(S), 2 * m.mu * 0.01, 1e-12);
    }
    fr_plastic_flow(&m, at_own_volume(scaled(0.1, ray)), &Ep);
    FrSym3 rest = at_own_volume(scaled(0.09, ray)), kept = Ep;
    CHECK(!fr_plastic_flow(&m, rest, &Ep));
    CHECK(norm(fr_material_stress(&m, rest, Ep)) < 1e-12 * m.mu); // rounding: strains of 0.1 cancel
    CHECK(!fr_plastic_flow(&m, scaled(0.0801, ray), &Ep));
    CHECK_NEAR(norm(fr_sym3_axpy(-1, kept, Ep)), 0, TOL_EXACT);
    CHECK(fr_plastic_flow(&m, scaled(0.0799, ray), &Ep));
}

// Rolled flat at its own volume, clay that yields at 20 kPa bears 20 kPa and not more. As S3 prints
// it, k tr(E - Ep) = k tr(E) pulls it apart from all sides with thirty times that.            [E11]
TEST(flow_at_constant_volume_does_not_pull) {
    FrMaterial m = yielding(0.01, 0.4);
    fr_lame_from_young(4e6, 0.4, &m.lambda, &m.mu);
    FrSym3 Ep = fr_sym3_zero, E = fr_sym3_zero;
    for (double thick = 1; thick > 0.7; thick -= 0.001) {
        double wide2 = 1 / thick;
        E = (FrSym3){0.5 * (wide2 - 1), 0.5 * (wide2 - 1), 0.5 * (thick * thick - 1), 0, 0, 0};
        fr_plastic_flow(&m, E, &Ep);
        CHECK(norm(fr_material_stress(&m, E, Ep)) < 2 * m.mu * 0.01 * (1 + 1e-12)); // rounding
    }
    FrSym3 printed = fr_stress_isotropic(m.lambda, m.mu, fr_sym3_axpy(-1, Ep, E));
    CHECK(fr_sym3_trace(printed) / 3 > 30 * m.mu * 0.01);
}

// S = dW/dE; flow only takes: stored energy never grows by it, whatever the pressure
TEST(stress_is_the_slope_of_the_energy) {
    FrRandom r = fr_random_for(6, "slope", 0);
    FrMaterial m = yielding(0.02, 0.3);
    for (int k = 0; k < 200; k++) {
        FrSym3 E = random_strain(&r, 0.2), Ep = deviator(random_strain(&r, 0.1)),
               dE = random_strain(&r, 1);
        double h = 1e-5, up = fr_material_energy(&m, fr_sym3_axpy(h, dE, E), Ep),
               down = fr_material_energy(&m, fr_sym3_axpy(-h, dE, E), Ep);
        CHECK_NEAR(fr_sym3_dot(fr_material_stress(&m, E, Ep), dE), (up - down) / (2 * h),
                   1e-8 * (m.lambda + 2 * m.mu)); // step: h^2 of the cubic term
        double before = fr_material_energy(&m, E, Ep);
        fr_plastic_flow(&m, E, &Ep);
        CHECK(fr_material_energy(&m, E, Ep) <= before);
    }
}

// small strains: the law of all other solids
TEST(small_strains_know_no_difference) {
    FrRandom r = fr_random_for(7, "small", 0);
    FrMaterial m = yielding(0.02, 0.3);
    for (double size = 1e-2; size > 1e-5; size *= 0.1) {
        FrSym3 E = random_strain(&r, size), Ep = deviator(random_strain(&r, size));
        FrSym3 linear = fr_stress_isotropic(m.lambda, m.mu, fr_sym3_axpy(-1, Ep, E));
        FrSym3 off = fr_sym3_axpy(-1, linear, fr_material_stress(&m, E, Ep));
        CHECK(norm(off) < 20 * size * size * (m.lambda + 2 * m.mu));
    }
}

// turned strain gives turned plastic strain; with the norm S5 prints (E15) it would not
TEST(axes_do_not_matter) {
    FrRandom r = fr_random_for(2, "axes", 0);
    FrMaterial m = yielding(0.05, 0.3);
    for (int k = 0; k < 50; k++) {
        FrSym3 E = random_strain(&r, 0.3), Ep = fr_sym3_zero, turned_Ep = fr_sym3_zero;
        double a = fr_random_range(&r, -2, 2), b = fr_random_range(&r, -2, 2);
        FrMat3 R = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(a, b, 1)));
        FrMat3 Rt = fr_mat3_transpose(R);
        FrSym3 turned = fr_mat3_sym(fr_mat3_mul(fr_mat3_mul(R, fr_sym3_full(E)), Rt));
        fr_plastic_flow(&m, E, &Ep);
        fr_plastic_flow(&m, turned, &turned_Ep);
        FrSym3 wanted = fr_mat3_sym(fr_mat3_mul(fr_mat3_mul(R, fr_sym3_full(Ep)), Rt));
        // rounding: turned by three products
        CHECK(norm(fr_sym3_axpy(-1, wanted, turned_Ep)) < 1e-15);
    }
    // E15: a unit strain along x, and the same at 45 degrees, in the 2-norm of engineering shears
    double along = 1, half = 0.5, shear = 2 * 0.5, across = sqrt(2 * half * half + shear * shear);
    CHECK_CLOSE(across / along, 1.2247, 1e-4); // digits: five are printed
}

// S6 writes dev(E) - Ep where S3 has dev(E - Ep): the same, because Ep has no trace       [S6
// eq. 3.7]
TEST(both_papers_agree) {
    FrRandom r = fr_random_for(3, "both", 0);
    FrMaterial m = yielding(0.02, 0.3);
    FrSym3 Ep = fr_sym3_zero, other = fr_sym3_zero;
    for (int k = 0; k < 300; k++) {
        FrSym3 E = random_strain(&r, 0.2), d = fr_sym3_axpy(-1, other, deviator(E));
        double J = fr_sym3_dot(d, d);
        if (sqrt(J) > 0.02) other = fr_sym3_axpy((sqrt(J) - 0.02) / sqrt(J), d, other);
        other = scaled(fr_min(1, 0.3 / fr_max(1e-300, norm(other))), other);
        fr_plastic_flow(&m, E, &Ep);
        // rounding: sums in another order, 300 times
        CHECK(norm(fr_sym3_axpy(-1, Ep, other)) < 1e-15);
    }
}

// g2 = 0 is brittle, g1 = 0 means that nothing yields: no division by zero                 [M4,
// E12]
TEST(brittle_stays_brittle) {
    FrMaterial brittle = yielding(0.01, 0), elastic = yielding(0, 0.3);
    FrSym3 Ep = fr_sym3_zero, E = {0.3, -0.2, 0, 0.1, 0, 0};
    CHECK(!fr_plastic_flow(&brittle, E, &Ep) && !fr_plastic_flow(&elastic, E, &Ep));
    CHECK(norm(Ep) == 0.0 && !fr_material_yields(&brittle) && !fr_material_yields(&elastic));
}

// E10: S6's pseudo code tests J(eps') > k1 with the squared norm of the total deviator. A cycle
// with its k1 = .1, k2 = .4 then yields at .316 instead of .1, and on the way back not at all: the
// elastic deviator reaches .64 instead of .1.
TEST(printed_yield_test_fails) {
    double k1 = 0.1, k2 = 0.4, Ep = 0, first = 0, largest = 0;
    FrMaterial m = yielding(k1 / 2, k2 / 2);
    FrSym3 ray = {sqrt(2.0 / 3), -sqrt(1.0 / 6), -sqrt(1.0 / 6), 0, 0, 0}, right = fr_sym3_zero;
    double right_first = 0, right_largest = 0;
    for (int k = 0; k < 4000; k++) {
        double e = 0.428 * sin(2 * FR_PI * k / 2000.0), left = e - Ep;
        if (e * e > k1) { // as printed
            if (fabs(left) > k1) Ep += (fabs(left) - k1) / fabs(left) * left;
            Ep *= fr_min(1, k2 / fr_max(1e-300, fabs(Ep)));
        }
        if (Ep != 0 && first == 0) first = fabs(e);
        if (fabs(e - Ep) > largest) largest = fabs(e - Ep);
        FrSym3 E = scaled(e / 2, ray); // standard strain
        if (fr_plastic_flow(&m, E, &right) && right_first == 0) right_first = fabs(e);
        right_largest = fr_max(right_largest, 2 * norm(fr_sym3_axpy(-1, right, E)));
    }
    CHECK_NEAR(first, 0.316, 2e-3); // steps of 1.3e-3
    // step: 1.3e-3 of strain between two of them
    CHECK_NEAR(largest, 0.644, 2e-3);
    CHECK_NEAR(right_first, 0.1, 2e-3);
    CHECK(right_largest <= 0.1 * (1 + 1e-12)); // rounding
}

// E17: S5 lets dt c of the elastic strain flow in a step. What is left of it is 1 - dt c of what
// was: above 1 it flows past the rest shape, above 2 it grows without end. What exceeds the yield
// strain flows here, and no more, however often it is looked at.
TEST(printed_creep_needs_short_steps) {
    FrMaterial m = yielding(0.05, 0.5);
    FrSym3 E = {0.2, -0.1, -0.1, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        double rate = (const double[]){0.9, 1.5, 2.1}[k], left = norm(E), first = left;
        for (int step = 0; step < 50; step++) left -= rate * left;
        // step: 50 of them leave 0.5^50 = 1e-15
        CHECK(rate < 2 ? fabs(left) < 1e-10 : fabs(left) > 100 * first);
        CHECK(rate < 1 || first - rate * first < 0); // past it after one step
    }
    FrSym3 Ep = fr_sym3_zero;
    for (int step = 0; step < 50; step++) {
        fr_plastic_flow(&m, E, &Ep);
        CHECK_CLOSE(norm(fr_sym3_axpy(-1, Ep, E)), 0.05, 1e-14); // rounding
    }
}

// E11: without trace is not without change of volume. The worst rest shape of norm k2 (doubled) has
// sqrt((1 + a)^2 (1 - 2a)) of the volume, a = k2/sqrt(6), and beyond sqrt(3/2) there is none. So
// limits above 0.55 are refused.
TEST(limit_of_the_limit) {
    double k2[] = {0.211, 0.486, 0.98}, volume[] = {0.988, 0.931, 0.626};
    for (int k = 0; k < 3; k++) {
        double a = k2[k] / sqrt(6.0);
        FrMat3 shape = fr_sym3_full((FrSym3){1 + a, 1 + a, 1 - 2 * a, 0, 0, 0});
        CHECK_NEAR(sqrt(fr_mat3_det(shape)), volume[k], 6e-4); // digits: three are printed
    }
    CHECK(1 - 2 * (1.23 / sqrt(6.0)) < 0 && 1 - 2 * (2 * FR_PLASTIC_LIMIT_MAX / sqrt(6.0)) > 0.1);
    FrContext *ctx = make_context(1);
    FrMaterial m = yielding(0.01, FR_PLASTIC_LIMIT_MAX);
    CHECK_OK(ctx, fr_material_check(ctx, &m));
    m.plastic_limit = 0.56;
    CHECK_INT(fr_material_check(ctx, &m), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "plastic_limit is 0.56");
    fr_context_destroy(ctx);
}

// what pictures show of material that yields stays at the yield stress until the limit is reached
TEST(shown_stress_stops_at_yield) {
    FrMaterial m = yielding(0.01, 0.1), elastic = m;
    elastic.yield_strain = 0;
    double yield = sqrt(1.5) * 2 * m.mu * 0.01;
    for (double g = 0.001; g < 0.15; g += 0.01) {
        FrMat3 F = fr_mat3_identity;
        F.c1.x = g; // simple shear: Cauchy stress is turned and stretched a little (g)
        double shown = fr_stress_at(&m, F).von_mises, law = fr_stress_at(&elastic, F).von_mises;
        if (g < 0.01) CHECK_CLOSE(shown, law, 2 * g * g); // model: of second order in the shear
        // model: simple shear of size g, linear in it
        if (g > 0.03) CHECK(fabs(shown / yield - 1) < 2 * g && law > 2 * yield);
    }
}

// where the plastic strain is known, a dent that was let go shows no stress, and one that springs
// back shows what it springs with
TEST(known_plastic_strain_is_taken_off) {
    FrMaterial m = yielding(0.01, 0.1), elastic = m;
    elastic.yield_strain = 0;
    FrMat3 F = fr_mat3_identity;
    F.c1.x = 0.05;
    FrSym3 E = fr_green_strain(F);
    double whole = fr_stress_at(&elastic, F).von_mises;
    // rounding: E - E, and half of it
    CHECK(fr_stress_beyond(&m, F, E).von_mises < 1e-12 * whole);
    double shear = fr_stress_beyond(&m, F, fr_sym3_zero).von_mises;
    CHECK_CLOSE(shear, whole, 2 * 0.05 * 0.05); // model: of second order in the shear
    FrSym3 half = fr_sym3_axpy(0.5, E, fr_sym3_zero);
    CHECK_CLOSE(fr_stress_beyond(&m, F, half).von_mises, 0.5 * shear, 1e-12);
}
