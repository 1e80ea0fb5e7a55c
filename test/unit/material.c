// material.c: pointwise laws against closed forms, the library against the papers' tables, limits.

#include "test.h"
#include "material/laws.h"
#include "material/stress.h"
#include "math/decompose.h"
#include "base/random.h"
#include "stiffness_kit.h"

static FrSym3 random_strain(FrRandom *r, double size) {
    double a[6];
    for (int k = 0; k < 6; k++) a[k] = fr_random_range(r, -size, size);
    return (FrSym3){a[0], a[1], a[2], a[3], a[4], a[5]};
}

TEST(lame_and_back) {
    double lambda, mu;
    fr_lame_from_young(70e9, 0.22, &lambda, &mu);
    // rounding: a handful of operations on each
    CHECK_CLOSE(fr_young(lambda, mu), 70e9, 1e-14); // a handful of roundings
    CHECK_CLOSE(fr_poisson(lambda, mu), 0.22, 1e-14);
    // glass of S7 table 1
    fr_lame_from_young(6.2e10, 0.20, &lambda, &mu);
    CHECK_CLOSE(lambda, 1.722e10, 5e-4); // digits: the table has four
    CHECK_CLOSE(mu, 2.583e10, 5e-4);     // digits: as above
}

// stress is the gradient of the energy density: S = dW/dE                           [S2 eq. 7, 9]
TEST(stress_is_energy_gradient) {
    FrRandom r = fr_random_for(1, "stress", 0);
    FrMaterial oak;
    CHECK(fr_material_find("oak", &oak));
    // rounding: W is quadratic, so central differences have no other error; 1e-16 W / h
    for (int k = 0; k < 50; k++) {
        FrSym3 E = random_strain(&r, 0.3), dE = random_strain(&r, 1.0);
        double h = 1e-4; // W is quadratic: central differences are exact up to rounding
        FrSym3 up = fr_sym3_axpy(h, dE, E), down = fr_sym3_axpy(-h, dE, E);
        double slope = (fr_energy_isotropic(3, 2, up) - fr_energy_isotropic(3, 2, down)) / (2 * h);
        CHECK_NEAR(fr_sym3_dot(fr_stress_isotropic(3, 2, E), dE), slope, 1e-10);
        slope = (fr_material_energy(&oak, up, fr_sym3_zero) -
                 fr_material_energy(&oak, down, fr_sym3_zero)) /
                (2 * h);
        CHECK_NEAR(fr_sym3_dot(fr_material_stress(&oak, E, fr_sym3_zero), dE), slope,
                   1e-10 * oak.C[0][0]);
    }
}

// E1: the printed density 1/2 sigma:eps of doubled strain is four times the stored energy
TEST(printed_energy_is_four_times) {
    FrRandom r = fr_random_for(2, "printed", 0);
    // rounding: a dozen operations on numbers of order 1
    for (int k = 0; k < 20; k++) {
        FrSym3 eps = random_strain(&r, 0.4);           // F'F - I
        FrSym3 sigma = fr_stress_isotropic(3, 2, eps); // [S2 eq. 7] as printed
        double eta = 0.5 * fr_sym3_dot(sigma, eps);    // [S2 eq. 9] as printed
        double W = fr_energy_isotropic(3, 2, fr_strain_from_doubled(eps));
        CHECK_CLOSE(eta, 4.0 * W, 1e-14);
        FrSym3 S = fr_stress_isotropic(3, 2, fr_strain_from_doubled(eps));
        CHECK_NEAR(fr_stress_from_doubled(sigma).xy, S.xy, 1e-15);
        CHECK_NEAR(fr_stress_from_doubled(sigma).zz, S.zz, 1e-14);
    }
    // exact: halves
    CHECK_NEAR(fr_threshold_from_doubled(0.211), 0.1055, TOL_EXACT);
}

// E4: taking 2 mu eps_ij inside the sum over k gives 6 mu, and no gradient of the energy
TEST(sum_covers_the_trace_only) {
    FrSym3 E = {0, 0, 0, 0, 0, 0.1};                                 // pure shear: S_xy = 2 mu E_xy
    CHECK_NEAR(fr_stress_isotropic(3, 2, E).xy, 2 * 2 * 0.1, 1e-16); // rounding
    double misread = 3 * (2 * 2 * 0.1);
    double slope = (fr_energy_isotropic(3, 2, (FrSym3){0, 0, 0, 0, 0, 0.1 + 1e-6}) -
                    fr_energy_isotropic(3, 2, (FrSym3){0, 0, 0, 0, 0, 0.1 - 1e-6})) /
                   (2e-6 * 2);    // E_xy counts twice in S:dE
    CHECK_NEAR(slope, 0.4, 1e-9); // rounding: W is quadratic, 1e-16 W / 2e-6
    CHECK(fabs(misread - slope) > 0.7);
}

// E5: resistance peaks at stretch 1/sqrt(3), whatever the mode, not at 30 % of volume
TEST(collapse_threshold) {
    for (int mode = 0; mode < 2; mode++) {
        double best = 0, at = 0;
        for (double s = 0.05; s < 1.0; s += 1e-4) {
            FrMat3 F =
                fr_mat3(fr_vec3(s, 0, 0), fr_vec3(0, mode ? s : 1, 0), fr_vec3(0, 0, mode ? s : 1));
            double P = -s * fr_stress_isotropic(3, 2, fr_green_strain(F)).xx;
            if (P > best) best = P, at = s;
        }
        CHECK_NEAR(at, FR_STVK_PEAK_STRETCH, 1e-4); // step of the scan
    }
    CHECK_CLOSE(pow(FR_STVK_PEAK_STRETCH, 3), 0.192, 3e-3); // digits: 19.2 % of volume, isotropic
}

// constrained stretch, isotropic stretch and simple shear in closed form                    [M1]
TEST(closed_forms) {
    // rounding: a few operations on numbers of order 1 to 5
    double lambda = 3, mu = 2, s = 1.3, g = 0.4;
    FrMat3 F = fr_mat3(fr_vec3(s, 0, 0), fr_vec3(0, 1, 0), fr_vec3(0, 0, 1));
    double P = s * fr_stress_isotropic(lambda, mu, fr_green_strain(F)).xx;
    CHECK_NEAR(P, s * (s * s - 1) / 2 * (lambda + 2 * mu), 1e-14);
    F = fr_mat3_scale(s, fr_mat3_identity);
    P = s * fr_stress_isotropic(lambda, mu, fr_green_strain(F)).yy;
    CHECK_NEAR(P, s * (s * s - 1) / 2 * (3 * lambda + 2 * mu), 1e-14);
    F = fr_mat3(fr_vec3(1, 0, 0), fr_vec3(g, 1, 0), fr_vec3(0, 0, 1));
    FrSym3 S = fr_stress_isotropic(lambda, mu, fr_green_strain(F));
    CHECK_NEAR(S.xy, mu * g, 1e-15);
    CHECK_NEAR(S.xx, lambda * g * g / 2, 1e-15);
    CHECK_NEAR(S.yy, (lambda + 2 * mu) * g * g / 2, 1e-15);
    // Cauchy stress of a stretched cube: force over present area
    F = fr_mat3(fr_vec3(s, 0, 0), fr_vec3(0, 1, 0), fr_vec3(0, 0, 1));
    S = fr_stress_isotropic(lambda, mu, fr_green_strain(F));
    CHECK_NEAR(fr_stress_cauchy(F, S).xx, s * S.xx, 1e-14);
    CHECK_NEAR(fr_stress_cauchy(F, S).yy, S.yy / s, 1e-14);
}

static FrMat3 some_rotation(FrRandom *r) {
    double x = fr_random_range(r, -3, 3), y = fr_random_range(r, -3, 3);
    return fr_quat_mat3(fr_quat_from_rotation(fr_vec3(x, y, fr_random_range(r, -3, 3))));
}

// turning the axes of an isotropic stiffness changes nothing; of wood, energy follows the wood
TEST(rotated_stiffness) {
    FrRandom r = fr_random_for(3, "rotate", 0);
    FrMaterial oak;
    CHECK(fr_material_find("oak", &oak));
    // rounding: fourth powers of R, times 13; wood has the same to its own stiffness
    for (int k = 0; k < 10; k++) {
        FrMat3 R = some_rotation(&r);
        double C[6][6], turned[6][6];
        isotropic_stiffness(3, 2, C);
        fr_stiffness_rotate(C, R, turned);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                CHECK_NEAR(turned[i][j], C[i][j], 1e-13); // fourth powers of R, times 13
        fr_stiffness_rotate(oak.C, R, turned);
        FrSym3 E = random_strain(&r, 0.1); // seen along the wood's axes: R' E R
        FrMat3 own = fr_mat3_mul(fr_mat3_transpose(R), fr_mat3_mul(fr_sym3_full(E), R));
        CHECK_CLOSE(fr_energy_anisotropic(turned, E),
                    fr_energy_anisotropic(oak.C, fr_mat3_sym(own)), 1e-12);
    }
    double lowest, largest;
    double C[6][6];
    isotropic_stiffness(3, 2, C);
    fr_stiffness_range(C, &lowest, &largest); // eigenvalues 3 lambda + 2 mu and 2 mu
    // rounding: a dozen turns of a matrix of size 13
    CHECK_NEAR(lowest, 4, 1e-13);
    CHECK_NEAR(largest, 13, 1e-13);
}

// C of an orthotropic solid gives back its nine constants, and isotropic ones the isotropic C
TEST(orthotropic_constants) {
    FrOrthotropic o = {10, 2, 1, 0.1, 0.6, 0.7, 0.35, 0.4, 0.5};
    double C[6][6];
    CHECK(fr_stiffness_orthotropic(&o, C));
    // pull along x only: strain (1, -nu_xy, -nu_xz) / E_x per unit stress
    FrSym3 E = {1 / 10.0, -0.35 / 10, -0.4 / 10, 0, 0, 0};
    // rounding: inverse of a well-posed 3 x 3 matrix of order 10
    FrSym3 S = fr_stress_anisotropic(C, E);
    CHECK_NEAR(S.xx, 1, 1e-13);
    CHECK_NEAR(S.yy, 0, 1e-13);
    CHECK_NEAR(S.zz, 0, 1e-13);
    CHECK_NEAR(fr_stress_anisotropic(C, (FrSym3){0, 0, 0, 0, 0.5, 0}).zx, 0.6, 1e-15);
    FrMaterial m = {.alpha1 = 0.1};
    FrOrthotropic same = {5, 5, 5, 2, 2, 2, 0.25, 0.25, 0.25};
    CHECK(fr_material_set_orthotropic(&m, &same));
    CHECK_NEAR(m.lambda, 2, 1e-13);
    CHECK_NEAR(m.mu, 2, 1e-13);
    CHECK_NEAR(m.psi, 0.2, 1e-14);
    // no such solid: energy would be negative
    same.poisson_xy = same.poisson_xz = same.poisson_yz = 0.51;
    CHECK(!fr_material_set_orthotropic(&m, &same));
    same.poisson_xy = 0.25, same.shear_xy = 0;
    CHECK(!fr_material_set_orthotropic(&m, &same));
}

// E7: alpha1 is phi/lambda = psi/mu in seconds, not lambda/phi as S4 prints
TEST(alpha1_is_a_time) {
    FrMaterial m = {.alpha1 = 2.5e-6};
    fr_material_set_young(&m, 1.4e9, 0.21);
    // rounding: a product and a quotient
    CHECK_CLOSE(m.phi / m.lambda, 2.5e-6, 1e-14);
    CHECK_CLOSE(m.psi / m.mu, 2.5e-6, 1e-14);
    FrMaterial glass; // S6's glass: phi = 1.04 kPa s, lambda = 0.419 GPa
    CHECK(fr_material_find("s6-glass", &glass));
    CHECK_CLOSE(glass.alpha1, 2.5e-6, 1e-2); // digits: the table has three digits
}

// tones of library glass lose alike at all pitches, and its motion is damped as by its handbook
TEST(glass_rings_at_high_pitches) {
    FrMaterial glass;
    CHECK(fr_material_find("glass", &glass));
    double w = 2 * M_PI * 5000, c = glass.alpha1 * w * w + glass.alpha2 + glass.eta * w;
    CHECK_NEAR(2 * log(1000) / c, 0.44, 0.005); // digits: two
    double rate = 0.5 * 0.0012 / (2 * M_PI * 1000);
    CHECK(glass.alpha1 == 0 && glass.phi == rate * glass.lambda && glass.psi == rate * glass.mu);
}

TEST(library_is_sound) {
    FrContextDef def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&def);
    int everyday = 0;
    for (int32_t k = 0; k < fr_material_count(); k++) {
        FrMaterial m;
        FrMaterialInfo info;
        const char *name = fr_material_name(k);
        CHECK(fr_material_find(name, &m));
        CHECK_TEXT(m.name, name);
        CHECK_OK(ctx, fr_material_check(ctx, &m));
        CHECK(fr_material_info(name, &info));
        const char *texts[] = {info.summary, info.density,  info.elasticity, info.damping,
                               info.contact, info.breaking, info.plasticity, info.appearance};
        for (int t = 0; t < 8; t++) CHECK(texts[t] && strlen(texts[t]) > 3);
        for (int32_t j = 0; j < k; j++) CHECK(strcmp(fr_material_name(j), name));
        everyday += name[0] != 's' || name[2] != '-';
    }
    CHECK(everyday >= 20);
    FrMaterial m;
    CHECK(!fr_material_find("unobtainium", &m));
    fr_context_destroy(ctx);
}

static float most_of(const float c[3]) { return fmaxf(c[0], fmaxf(c[1], c[2])); }
static float least_of(const float c[3]) { return fminf(c[0], fminf(c[1], c[2])); }

// broken faces have the hue of their material, never darker nor more colourful, metals nearly as
// they are, and nothing comes near to white that is not so itself
TEST(broken_faces_are_a_tone_of_their_material) {
    FrMaterial m;
    float in[3];
    for (int32_t k = 0; k < fr_material_count(); k++) {
        CHECK(fr_material_find(fr_material_name(k), &m));
        fr_material_inside(&m, in);
        const float *c = m.colour;
        double most = (double)most_of(c), range = most - (double)least_of(c);
        double inside = (double)most_of(in), left = inside - (double)least_of(in);
        for (int i = 0; i < 3; i++) {
            CHECK(in[i] > 0.9999f * c[i] && in[i] <= 1);
            // hue: where each part lies between the least and the most
            if (range > 0)
                // rounding: float32, over a range of colours that may be a tenth of 1
                CHECK_NEAR((inside - (double)in[i]) / left, (most - (double)c[i]) / range, 1e-5);
        }
        CHECK(left / inside <= range / most + 1e-6); // rounding: float32
        CHECK(left / inside >= 0.85 * range / most);
        CHECK(inside < (m.metallic > 0.5f ? 1.21 : 1.51) * most);
    }
    // one that is given stays as it is
    m.inside[2] = 0.25f;
    fr_material_inside(&m, in);
    CHECK(in[0] == 0 && in[1] == 0 && in[2] == 0.25f);
}

// spot values of every table of the papers, derived figures included
TEST(library_holds_the_tables) {
    struct {
        const char *name;
        double density, young, poisson, c_p;
    } rows[] = {
        {"s2-glass-slab", 2588, 2.60e8, .250, 347},   {"s2-wall-1", 2309, 3.43e8, .416, 605},
        {"s2-wall-2", 2309, 3.62e8, 0, 396},          {"s2-bowl-1", 1013, 9.53e6, .200, 102},
        {"s2-comparison-bowl", 1013, 1.06e8, 0, 323}, {"s2-the-end", 705, 1.84e7, 0, 162},
        {"s6-glass", 2595, 1.40e9, .210, 779},        {"s6-iron", 7500, 3.45e9, .170, 703},
        {"s6-lead", 11370, 1.19e9, 0, 323},           {"s6-ceramic", 2051, 1.16e9, .199, 793},
        {"s6-polystyrene", 46.45, 2.35e6, .304, 263}, {"s6-soft-vinyl", 1580, 6.55e7, .300, 236},
        {"s6-rubber", 2100, 5.82e7, .300, 193},       {"s4-chime", 2700, 68.35e9, .330, 6117},
        {"s5-dragon", 1000, 1e5, .33, 12.17},         {"s7-glass", 2600, 6.2e10, .20, 5147},
        {"s7-ceramic", 2700, 7.2e10, .19, 5411}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        FrMaterial m;
        CHECK(fr_material_find(rows[k].name, &m));
        // digits: the tables print two or three digits
        CHECK_CLOSE(m.density, rows[k].density, 1e-12); // rounding: a number as it is printed
        CHECK_CLOSE(fr_young(m.lambda, m.mu), rows[k].young, 6e-3);
        CHECK_NEAR(fr_poisson(m.lambda, m.mu), rows[k].poisson, 2e-3);
        CHECK_CLOSE(fr_wave_speed_p(&m), rows[k].c_p, 5e-3);
    }
    FrMaterial m;
    CHECK(fr_material_find("s6-iron", &m));
    CHECK_NEAR(m.yield_strain, 0.001, TOL_EXACT); // exact: k1 = .002 of doubled strain
    CHECK_NEAR(m.plastic_limit, 0.1055, TOL_EXACT);
    CHECK_NEAR(m.tau, 24820, TOL_EXACT);
    CHECK(fr_material_find("s7-glass", &m));
    CHECK_CLOSE(fr_wave_speed_s(&m), 3152, 2e-4); // digits: four are printed
    CHECK_NEAR(m.Gc, 80, TOL_EXACT);
}

// E24: the thesis prints its ceramic twice, all numbers of the second table 1.187 times those of
// the first: waves, strains at the limit and damping are the same. Mixed, none of it would be.
TEST(both_ceramics_move_alike) {
    FrMaterial a, b;
    CHECK(fr_material_find("s6-ceramic", &a) && fr_material_find("s6-ceramic-dense", &b));
    const double ratio[6] = {b.lambda / a.lambda, b.mu / a.mu,           b.phi / a.phi,
                             b.psi / a.psi,       b.density / a.density, b.tau / a.tau};
    // digits: three are printed
    for (int k = 0; k < 6; k++) CHECK_NEAR(ratio[k], 1.187, 0.004);
    // digits: roots of quotients of numbers with three
    CHECK_CLOSE(fr_wave_speed_p(&b), fr_wave_speed_p(&a), 2e-3);
    b.density = a.density;
    CHECK(fr_wave_speed_p(&b) > 1.08 * fr_wave_speed_p(&a));
}

// a plank of oak: stiff along the grain, soft across
TEST(wood_is_stiff_along_the_grain) {
    FrMaterial oak;
    CHECK(fr_material_find("oak", &oak));
    CHECK(oak.anisotropic);
    CHECK(oak.C[0][0] > 5 * oak.C[1][1] && oak.C[1][1] > oak.C[2][2]);
    // rounding
    CHECK_CLOSE(fr_wave_speed_bar(&(FrMaterial){.density = 1, .lambda = 0, .mu = 8}), 4, 1e-15);
}

static void refused(FrContext *ctx, FrMaterial m, const char *field, const char *value) {
    CHECK_INT(fr_material_check(ctx, &m), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), field);
    CHECK_HAS(fr_context_message(ctx), value);
    CHECK_HAS(fr_context_message(ctx), "allowed");
}

TEST(limits_are_checked) {
    FrContextDef def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&def);
    FrMaterial good, oak;
    CHECK(fr_material_find("steel", &good));
    CHECK(fr_material_find("oak", &oak));
#define BAD(change, field, value)                                                                  \
    do {                                                                                           \
        FrMaterial m = good;                                                                       \
        change;                                                                                    \
        refused(ctx, m, field, value);                                                             \
    } while (0)
    BAD(m.density = 0, "density", "is 0");
    BAD(m.density = (double)NAN, "density", "nan");
    BAD(m.mu = -1, "mu", "-1");
    BAD(m.lambda = -m.mu, "lambda", "-");
    BAD(m.lambda = (double)INFINITY, "lambda", "inf");
    BAD(m.friction_static = 10, "friction_static", "10");
    BAD(m.friction_dynamic = 5, "friction_dynamic", "5");
    BAD(m.restitution = 1.5, "restitution", "1.5");
    BAD(m.alpha1 = -1e-3, "alpha1", "-0.001");
    BAD(m.psi = -1, "psi", "-1");
    BAD(m.phi = -m.psi, "phi", "-");
    BAD(m.plastic_limit = 0.745, "plastic_limit", "0.745"); // hard vinyl as printed (E11)
    BAD(m.strength = -1, "strength", "-1");
    BAD(m.colour[1] = 2.0f, "colour[1]", "2");
    BAD(m.opacity = -0.5f, "opacity", "-0.5");
    BAD(m.inside[0] = 1.5f, "inside[0]", "1.5");

#undef BAD
    FrMaterial m = good;
    memset(m.name, 'x', sizeof m.name);
    CHECK_INT(fr_material_check(ctx, &m), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "longer than 39");
    m = oak;
    m.C[0][1] *= 1.1;
    refused(ctx, m, "C", "symmetric");
    m = oak;
    m.C[3][3] = -1;
    refused(ctx, m, "C", "positive definite");
    fr_context_destroy(ctx);
}

static FrTetStress stress_of(const FrMaterial *m, FrMat3 F) {
    FrVec3 x[4] = {{0.1, 0.2, 0.3}, {1.2, 0.1, 0.2}, {0.3, 1.4, 0.1}, {0.2, 0.3, 1.1}}, p[4];
    for (int k = 0; k < 4; k++) p[k] = fr_add(fr_mat3_apply(F, x[k]), fr_vec3(5, 6, 7));
    return fr_tet_stress(m, x, p, NULL);
}

// stretched along x by s: E_xx = (s^2 - 1)/2, S_xx = (lambda + 2 mu) E_xx, cauchy_xx = s S_xx,
// cauchy_yy = lambda E_xx / s (F = diag(s,1,1), J = s)
TEST(stress_of_a_stretched_tet) {
    FrMaterial m = {.lambda = 3.0, .mu = 2.0};
    double s = 1.1, E = 0.5 * (s * s - 1);
    FrMat3 F = fr_mat3(fr_vec3(s, 0, 0), fr_vec3(0, 1, 0), fr_vec3(0, 0, 1));
    FrTetStress r = stress_of(&m, F);
    // rounding: a dozen operations on numbers of order 1, inverse of a well-shaped tet
    CHECK_NEAR(r.strain.xx, E, 1e-14);
    CHECK_NEAR(r.cauchy.xx, s * 7.0 * E, 1e-13);
    CHECK_NEAR(r.cauchy.yy, 3.0 * E / s, 1e-13);
    CHECK_NEAR(r.von_mises, r.cauchy.xx - r.cauchy.yy, 1e-13);
    CHECK_NEAR(r.J, s, 1e-14);
    // turned: strain stays, stress turns with it: R sigma R'
    FrMat3 R = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0.3, -0.7, 1.1)));
    FrTetStress t = stress_of(&m, fr_mat3_mul(R, F));
    FrMat3 turned = fr_mat3_mul(fr_mat3_mul(R, fr_sym3_full(r.cauchy)), fr_mat3_transpose(R));
    FrMat3 miss = fr_mat3_axpy(-1, turned, fr_sym3_full(t.cauchy));
    CHECK_NEAR(fr_mat3_norm(miss), 0, 1e-13);
    CHECK_NEAR(t.strain.xx, E, 1e-13);
    // moved and turned only: nothing
    FrTetStress still = stress_of(&m, R);
    CHECK_NEAR(fr_mat3_norm(fr_sym3_full(still.cauchy)), 0, 1e-13);
}

// an isotropic material written as 6x6 gives the same stress, shear included
TEST(anisotropic_form_of_an_isotropic_material) {
    FrMaterial m = {.lambda = 3.0, .mu = 2.0}, c = {.anisotropic = true};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            c.C[i][j] = (i < 3 && j < 3 ? 3.0 : 0.0) + (i == j ? (i < 3 ? 4.0 : 2.0) : 0.0);
    FrMat3 F = fr_mat3(fr_vec3(1.1, 0.2, 0.0), fr_vec3(0.1, 0.9, 0.3), fr_vec3(-0.2, 0.1, 1.2));
    FrTetStress a = stress_of(&m, F), b = stress_of(&c, F);
    FrMat3 miss = fr_mat3_axpy(-1, fr_sym3_full(a.cauchy), fr_sym3_full(b.cauchy));
    CHECK_NEAR(fr_mat3_norm(miss), 0, 1e-13); // rounding: the same sums in another order
    FrMat3 flat = fr_mat3(fr_vec3(1, 0, 0), fr_vec3(0, 1, 0), fr_vec3(0, 0, 0));
    CHECK(isfinite(stress_of(&m, flat).von_mises));
    CHECK_NEAR(stress_of(&m, fr_mat3_scale(-1, F)).von_mises, 0,
               TOL_EXACT); // inside out: none to show
}
