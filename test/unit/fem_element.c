// fem_element.c: the element against its energy, closed forms and the printed equations; the lanes
// against the element.

#include "fem_mesh.h"
#include "fem_probe.h"
#include "fem/chunk.h"
#include "math/decompose.h"
#include "stiffness_kit.h"

static void random_tet(FrRandom *r, FrVec3 m[4], FrElement *e) {
    do
        for (int i = 0; i < 4; i++) m[i] = test_vec(r, 1.0);
    while (!fr_element_make(m, e) || e->volume < 0.02);
}

// F = I + random, det F above `least`
static FrMat3 random_gradient(FrRandom *r, double size, double least, double most) {
    FrMat3 F;
    do F = fr_mat3_add(fr_mat3_identity, test_mat(r, size));
    while (fr_mat3_det(F) < least || fr_mat3_det(F) > most);
    return F;
}

static void deform(FrMat3 F, const FrVec3 m[4], FrVec3 p[4]) {
    for (int i = 0; i < 4; i++) p[i] = fr_add(fr_mat3_apply(F, m[i]), fr_vec3(3, -2, 1));
}

static double largest(const FrVec3 f[4]) {
    double size = 0;
    for (int i = 0; i < 4; i++) size = fr_max(size, fr_length(f[i]));
    return size;
}

static void set(FrVec3 *v, int c, double value) {
    if (c == 0) v->x = value;
    if (c == 1) v->y = value;
    if (c == 2) v->z = value;
}

typedef double EnergyFn(const FrElement *e, const FrMaterial *m, const FrVec3 p[4]);

// largest difference between f and -dW/dp by central differences, over the largest force
static double gradient_error(EnergyFn *energy, const FrElement *e, const FrMaterial *m,
                             const FrVec3 p[4], const FrVec3 f[4]) {
    double worst = 0, h = 2e-6; // h^2 W''' ~ 1e-11, rounding 1e-16 W/h ~ 1e-10 of a force
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            FrVec3 q[4];
            memcpy(q, p, sizeof q);
            double at = fr_vec3_get(p[i], c);
            set(&q[i], c, at + h);
            double up = energy(e, m, q);
            set(&q[i], c, at - h);
            double slope = -(up - energy(e, m, q)) / (2 * h);
            worst = fr_max(worst, fabs(slope - fr_vec3_get(f[i], c)));
        }
    return worst / largest(f);
}

// force = -dW/dp: isotropic, wood, and with the inversion guard at work        [S2 eq. 24; M1, E1]
TEST(elem_grad) {
    FrRandom r = fr_random_for(1, "grad", 0);
    FrMaterial iso = test_material(2.5, 0.3, 0), wood;
    CHECK(fr_material_find("oak", &wood));
    for (int k = 0; k < 60; k++) {
        FrVec3 m[4], p[4], f[4];
        FrElement e;
        random_tet(&r, m, &e);
        const FrMaterial *material = k % 3 == 1 ? &wood : &iso;
        FrMat3 F =
            k % 3 == 2 ? random_gradient(&r, 0.9, -0.5, 0.65) : random_gradient(&r, 0.4, 0.75, 9);
        deform(F, m, p);
        element_elastic(&e, material, p, f);
        // step of the differences: see gradient_error
        CHECK(gradient_error(fr_element_energy, &e, material, p, f) < 1e-8);
    }
}

// vol times the printed eta = 1/2 sigma:eps of doubled strain                      [S2 eq. 9]
static double printed_energy(const FrElement *e, const FrMaterial *m, const FrVec3 p[4]) {
    FrSym3 E = fr_green_strain(fr_element_gradient(e, p));
    FrSym3 eps = fr_sym3_axpy(2.0, E, fr_sym3_zero);
    return e->volume * 0.5 * fr_sym3_dot(fr_stress_isotropic(m->lambda, m->mu, eps), eps);
}

// E1: the printed chain "eta -> force" gives four times the printed force; the force itself,
// -vol/2 sum_j p_j sum_kl beta_jl beta_ik sigma_kl, is right as printed             [S2 eq. 24]
TEST(printed_energy_form_fails) {
    FrRandom r = fr_random_for(2, "E1", 0);
    FrMaterial iso = test_material(2.5, 0.3, 0);
    for (int k = 0; k < 20; k++) {
        FrVec3 m[4], p[4], f[4], four[4], printed[4];
        FrElement e;
        random_tet(&r, m, &e);
        deform(random_gradient(&r, 0.4, FR_GUARD_J0, 9), m, p); // the law alone
        element_elastic(&e, &iso, p, f);
        CHECK(gradient_error(printed_energy, &e, &iso, p, f) > 1.0);
        for (int i = 0; i < 4; i++) four[i] = fr_scale(4, f[i]);
        // step of the differences: see gradient_error
        CHECK(gradient_error(printed_energy, &e, &iso, p, four) < 1e-8);
        FrSym3 E = fr_green_strain(fr_element_gradient(&e, p));
        FrMat3 sigma = fr_sym3_full(
            fr_stress_isotropic(iso.lambda, iso.mu, fr_sym3_axpy(2.0, E, fr_sym3_zero)));
        for (int i = 0; i < 4; i++) {
            printed[i] = fr_vec3_zero;
            for (int j = 0; j < 4; j++) {
                double s = fr_dot(e.G[j], fr_mat3_apply(sigma, e.G[i]));
                printed[i] = fr_axpy(-e.volume / 2 * s, p[j], printed[i]);
            }
            // rounding: p is a few metres from the origin: cancellation costs a digit
            CHECK(fr_distance(printed[i], f[i]) < 1e-12 * largest(f) + 1e-13);
        }
    }
}

// E4: with 2 mu eps_ij taken inside the sum over k the force is not the energy's gradient
TEST(misread_sum_fails) {
    FrRandom r = fr_random_for(3, "E4", 0);
    FrMaterial iso = test_material(2.5, 0.3, 0), misread = iso;
    misread.mu = 3 * iso.mu; // lambda tr + 6 mu E
    for (int k = 0; k < 10; k++) {
        FrVec3 m[4], p[4], f[4];
        FrElement e;
        random_tet(&r, m, &e);
        deform(random_gradient(&r, 0.3, FR_GUARD_J0, 9), m, p);
        element_elastic(&e, &misread, p, f);
        CHECK(gradient_error(fr_element_energy, &e, &iso, p, f) > 0.1);
    }
}

// a rigid motion strains nothing; forces of any shape have no sum and no moment              [M1]
TEST(elem_rigid) {
    FrRandom r = fr_random_for(4, "rigid", 0);
    FrMaterial iso = test_material(2.5, 0.3, 0.1);
    for (int k = 0; k < 40; k++) {
        FrVec3 m[4], p[4], v[4], f[4];
        FrElement e;
        random_tet(&r, m, &e);
        deform(fr_quat_mat3(fr_quat_from_rotation(test_vec(&r, 3))), m, p);
        element_elastic(&e, &iso, p, f);
        CHECK(largest(f) < 1e-12 * 2.5); // rounding: E h^2 with h of the order of a metre
        deform(random_gradient(&r, 0.5, 0.35, 9), m, p);
        element_elastic(&e, &iso, p, f);
        FrVec3 sum = fr_vec3_zero, moment = fr_vec3_zero;
        for (int i = 0; i < 4; i++) {
            sum = fr_add(sum, f[i]);
            moment = fr_add(moment, fr_cross(p[i], f[i]));
        }
        // rounding: four forces, then four moments with arms of up to 8 m
        CHECK(fr_length(sum) < 1e-15 * largest(f) * 4);
        CHECK(fr_length(moment) < 1e-14 * largest(f) * 8); // arms are up to 8 m long
        // a rigid velocity field in any deformed state meets no viscous force              [M2]
        FrVec3 drift = test_vec(&r, 2), spin = test_vec(&r, 2);
        for (int i = 0; i < 4; i++) v[i] = fr_add(drift, fr_cross(spin, p[i]));
        fr_element_viscous(&e, &iso, p, v, f);
        CHECK(largest(f) < 1e-13); // rounding: of products of size 1 to 10
    }
}

// -sum f.v = vol Sv:Ed >= 0; the printed kappa = 1/2 sigma_v:nu is twice the power per volume (E2)
TEST(damp_power) {
    FrRandom r = fr_random_for(5, "damp", 0);
    FrMaterial iso = test_material(2.5, 0.3, 0);
    iso.phi = -0.2, iso.psi = 0.35; // 3 phi + 2 psi = 0.1 >= 0
    for (int k = 0; k < 40; k++) {
        FrVec3 m[4], p[4], v[4], f[4];
        FrElement e;
        random_tet(&r, m, &e);
        deform(random_gradient(&r, 0.5, 0.35, 9), m, p);
        for (int i = 0; i < 4; i++) v[i] = test_vec(&r, 2);
        fr_element_viscous(&e, &iso, p, v, f);
        double power = 0;
        for (int i = 0; i < 4; i++) power -= fr_dot(f[i], v[i]);
        FrSym3 Ed = fr_green_rate(fr_element_gradient(&e, p), fr_element_gradient(&e, v));
        double exact = e.volume * fr_sym3_dot(fr_stress_viscous(iso.phi, iso.psi, Ed), Ed);
        // rounding: twelve products
        CHECK_NEAR(power, exact, 1e-13 * fabs(exact) + 1e-14);
        CHECK(power >= 0);
        FrSym3 nu = fr_sym3_axpy(2.0, Ed, fr_sym3_zero);
        double kappa = 0.5 * fr_sym3_dot(fr_stress_viscous(iso.phi, iso.psi, nu), nu);
        CHECK_NEAR(power, e.volume * kappa / 2, 1e-13 * fabs(exact) + 1e-14);
        CHECK(fabs(power - e.volume * kappa) > 0.9 * power);
    }
}

// at rest -df/dp is K of linear elasticity with the full vol; S4 prints vol/2 and a minus (E6)
TEST(stiffness_at_rest) {
    FrRandom r = fr_random_for(6, "K", 0);
    FrMaterial iso = test_material(2.5, 0.3, 0);
    FrVec3 m[4], p[4], up[4], down[4];
    FrElement e;
    random_tet(&r, m, &e);
    double h = 1e-6, size = 0, worst = 0, worst_printed = 0;
    for (int j = 0; j < 4; j++)
        for (int b = 0; b < 3; b++) {
            memcpy(p, m, sizeof p);
            set(&p[j], b, fr_vec3_get(m[j], b) + h);
            element_elastic(&e, &iso, p, up);
            set(&p[j], b, fr_vec3_get(m[j], b) - h);
            element_elastic(&e, &iso, p, down);
            for (int i = 0; i < 4; i++)
                for (int a = 0; a < 3; a++) {
                    double K = -(fr_vec3_get(up[i], a) - fr_vec3_get(down[i], a)) / (2 * h);
                    double Gia = fr_vec3_get(e.G[i], a), Gjb = fr_vec3_get(e.G[j], b);
                    double Gib = fr_vec3_get(e.G[i], b), Gja = fr_vec3_get(e.G[j], a);
                    double linear = iso.lambda * Gia * Gjb + iso.mu * Gib * Gja +
                                    (a == b ? iso.mu * fr_dot(e.G[i], e.G[j]) : 0);
                    size = fr_max(size, fabs(K));
                    worst = fr_max(worst, fabs(K - e.volume * linear));
                    worst_printed = fr_max(worst_printed, fabs(K + e.volume / 2 * linear));
                }
        }
    CHECK(worst < 1e-9 * size);        // rounding 1e-16/h
    CHECK(worst_printed > 0.5 * size); // half the stiffness, wrong sign
}

/// S5's B: u of the four nodes -> strain xx yy zz yz zx xy with engineering shears
static void strain_rows(const FrElement *e, double B[6][12]) {
    static const int shear[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    memset(B, 0, 6 * sizeof B[0]);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            B[c][3 * i + c] = fr_vec3_get(e->G[i], c);
            B[3 + c][3 * i + shear[c][0]] = fr_vec3_get(e->G[i], shear[c][1]);
            B[3 + c][3 * i + shear[c][1]] = fr_vec3_get(e->G[i], shear[c][0]);
        }
}

// f = vol B' C strain, N
static void forces_of(const double B[6][12], const FrElement *e, const FrMaterial *m,
                      const double strain[6], double f[12]) {
    memset(f, 0, 12 * sizeof *f);
    double trace = strain[0] + strain[1] + strain[2];
    for (int k = 0; k < 6; k++) {
        double stress = k < 3 ? m->lambda * trace + 2 * m->mu * strain[k] : m->mu * strain[k];
        for (int j = 0; j < 12; j++) f[j] += e->volume * B[k][j] * stress;
    }
}

// S5's plastic force is P e with P = vol B' C: B is 6 x 12, and its "inverse" is any u with B u =
// e, such as those that differ by a small turn: K u = vol B' C B u = P e for all of them (E14). At
// the plastic rest shape K u - P e is nothing; with the plus of the algorithm's box it is 2 P e
// (E13).
TEST(plastic_forces_need_no_inverse_and_a_minus) {
    FrRandom r = fr_random_for(12, "plastic", 0);
    FrMaterial m = test_material(2.5, 0.3, 0);
    m.yield_strain = 0.01, m.plastic_limit = 0.3;
    for (int round = 0; round < 20; round++) {
        FrVec3 at[4], ours[4], turn = test_vec(&r, 1), shift = test_vec(&r, 1);
        FrElement e;
        double B[6][12], P[12], K[12], strain[6], size = 0, off = 0, printed = 0, off_ours = 0;
        random_tet(&r, at, &e);
        strain_rows(&e, B);
        FrMat3 any = test_mat(&r, 0.1);
        FrSym3 Ep = fr_mat3_sym(any);
        double third = fr_sym3_trace(Ep) / 3;
        Ep = (FrSym3){Ep.xx - third, Ep.yy - third, Ep.zz - third, Ep.yz, Ep.zx, Ep.xy};
        const double e6[6] = {Ep.xx, Ep.yy, Ep.zz, 2 * Ep.yz, 2 * Ep.zx, 2 * Ep.xy};
        memset(strain, 0, sizeof strain);
        for (int i = 0; i < 4; i++) {
            FrVec3 u = fr_add(fr_add(fr_sym3_apply(Ep, at[i]), fr_cross(turn, at[i])), shift);
            for (int k = 0; k < 18; k++)
                strain[k / 3] += B[k / 3][3 * i + k % 3] * fr_vec3_get(u, k % 3);
        }
        // rounding: of places and turns of size 1
        for (int k = 0; k < 6; k++) CHECK_NEAR(strain[k], e6[k], 1e-13);
        forces_of(B, &e, &m, e6, P);
        forces_of(B, &e, &m, strain, K);
        fr_element_load(&e, &m, at, Ep, ours); // at u = 0: what pulls it to its new shape
        for (int j = 0; j < 12; j++) {
            size = fr_max(size, fabs(P[j]));
            off = fr_max(off, fabs(K[j] - P[j]));
            printed = fr_max(printed, fabs(K[j] + P[j]));
            off_ours = fr_max(off_ours, fabs(fr_vec3_get(ours[j / 3], j % 3) - P[j]));
        }
        // rounding: sums of 18 products
        CHECK(off < 1e-12 * size && off_ours < 1e-12 * size);
        CHECK_CLOSE(printed, 2 * size, 1e-12);
    }
}

// one pass of the kernel over one tet in lane 0
static void run_lane(FrChunkFn *fn, const FrElement *e, const FrMaterial *m, const FrVec3 p[4],
                     const FrVec3 v[4], FrLocalNode local[4], FrChunkSums *sums) {
    FrKernelMaterial k;
    fr_kernel_material(m, &k);
    FrTetBlock block = {0};
    for (int lane = 0; lane < FR_LANES; lane++) {
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 3; c++) block.B[i][c][lane] = fr_vec3_get(e->G[i + 1], c);
        for (int i = 0; i < 4; i++) block.node[lane][i] = (uint16_t)i;
    }
    block.vol[0] = e->volume;
    block.w2[0] = fr_element_w2(e, m);
    block.damp[0] = block.share[0] = 1.0;
    memset(local, 0, 4 * sizeof local[0]);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            local[i].p[c] = fr_vec3_get(p[i], c);
            local[i].v[c] = fr_vec3_get(v[i], c);
        }
    FrBlockStress stress;
    fn(&block, 1, &k, local, NULL, &stress, sums);
}

// the lanes compute what the element says: stretched, wooden, inverted; same bits with AVX2
TEST(kernel_is_the_element) {
    FrRandom r = fr_random_for(7, "kernel", 0);
    FrMaterial iso = test_material(2.5, 0.3, 0.2), wood;
    CHECK(fr_material_find("oak", &wood));
    int guarded = 0, crushed = 0;
    for (int k = 0; k < 400; k++) {
        FrVec3 m[4], p[4], v[4], f[4], d[4];
        FrElement e;
        random_tet(&r, m, &e);
        deform(random_gradient(&r, 0.9, -2, 9), m, p);
        for (int i = 0; i < 4; i++) v[i] = test_vec(&r, 2);
        const FrMaterial *material = k % 2 ? &wood : &iso;
        FrLocalNode local[4], fast[4];
        FrChunkSums sums, fast_sums;
        run_lane(fr_fem_chunk_portable, &e, material, p, v, local, &sums);
        element_elastic(&e, material, p, f);
        fr_element_viscous(&e, material, p, v, d);
        double size = largest(f), drag = largest(d);
        for (int i = 0; i < 4; i++) {
            // rounding: sums of some tens of terms of that size
            CHECK(fr_distance(fr_get3(local[i].f, 0), f[i]) < 1e-13 * size);
            CHECK(fr_distance(fr_get3(local[i].d, 0), d[i]) < 1e-13 * drag);
        }
        CHECK_CLOSE(sums.energy, fr_element_energy(&e, material, p), 1e-12); // rounding
        double J = fr_mat3_det(fr_element_gradient(&e, p));
        CHECK_INT(sums.crushed, J < FR_CRUSHED_J);
        crushed += J < FR_CRUSHED_J;
        guarded += J < FR_GUARD_J0;
        if (!fr_cpu_has_avx2()) continue;
        run_lane(fr_fem_chunk_avx2, &e, material, p, v, fast, &fast_sums);
        for (int i = 0; i < 4; i++) {
            CHECK(!memcmp(local[i].f, fast[i].f, 3 * sizeof(double)));
            CHECK(!memcmp(local[i].d, fast[i].d, 3 * sizeof(double)));
        }
        CHECK(sums.energy == fast_sums.energy && sums.w2 == fast_sums.w2);
    }
    CHECK(crushed > 50 && guarded > crushed + 50);
}

// rotated isotropic C gives the force of lambda and mu
TEST(anisotropic_force_of_isotropic_stiffness) {
    FrRandom r = fr_random_for(8, "aniso", 0);
    FrMaterial iso = test_material(2.5, 0.3, 0.1), general = iso;
    double C[6][6];
    isotropic_stiffness(iso.lambda, iso.mu, C);
    fr_stiffness_rotate(C, fr_quat_mat3(fr_quat_from_rotation(fr_vec3(1, 2, 0.5))), general.C);
    general.anisotropic = true;
    for (int k = 0; k < 20; k++) {
        FrVec3 m[4], p[4], v[4] = {{0}};
        FrElement e;
        FrLocalNode a[4], b[4];
        FrChunkSums sums;
        random_tet(&r, m, &e);
        deform(random_gradient(&r, 0.4, 0.1, 9), m, p);
        run_lane(fr_fem_chunk_portable, &e, &iso, p, v, a, &sums);
        run_lane(fr_fem_chunk_portable, &e, &general, p, v, b, &sums);
        for (int i = 0; i < 4; i++)
            // rounding: a stiffness turned by fourth powers of R
            CHECK(fr_distance(fr_get3(a[i].f, 0), fr_get3(b[i].f, 0)) < 1e-13);
    }
}

// K u of one element in shape p: change of force -df, exact for the law's quadratic part
static void tangent(const FrElement *e, const FrMaterial *m, FrMat3 F, const FrVec3 u[4],
                    FrVec3 out[4]) {
    FrMat3 dF = fr_element_gradient(e, u);
    FrSym3 S = fr_material_stress(m, fr_green_strain(F), fr_sym3_zero);
    FrSym3 dS = fr_material_stress(m, fr_green_rate(F, dF), fr_sym3_zero);
    FrMat3 dP = fr_mat3_add(fr_mat3_mul(dF, fr_sym3_full(S)), fr_mat3_mul(F, fr_sym3_full(dS)));
    for (int i = 0; i < 4; i++) out[i] = fr_scale(e->volume, fr_mat3_apply(dP, e->G[i]));
}

// largest w^2 of one free element by power iteration on K/m + shift, m = rho vol/4
static double largest_w2(const FrElement *e, const FrMaterial *m, FrMat3 F, double shift,
                         int iterations) {
    FrRandom r = fr_random_for(9, "power", 0);
    FrVec3 u[4], Ku[4];
    for (int i = 0; i < 4; i++) u[i] = test_vec(&r, 1);
    double w2 = 0, mass = m->density * e->volume / 4;
    for (int k = 0; k < iterations; k++) {
        double uu = 0, uKu = 0;
        tangent(e, m, F, u, Ku);
        for (int i = 0; i < 4; i++) uu += fr_dot(u[i], u[i]), uKu += fr_dot(u[i], Ku[i]);
        w2 = fr_max(w2, uKu / (mass * uu));
        double scale = 1 / sqrt(uu);
        for (int i = 0; i < 4; i++)
            u[i] = fr_scale(scale, fr_axpy(1 / mass, Ku[i], fr_scale(shift, u[i])));
        double size = largest(u);
        for (int i = 0; i < 4; i++) u[i] = fr_scale(1 / size, u[i]);
    }
    return w2;
}

// the bound holds for 20,000 random tets at rest; the plain estimate (lambda+2mu) lmax does not
// [M3]
TEST(cfl_bound_at_rest) {
    FrRandom r = fr_random_for(10, "cfl", 0);
    int violations = 0, plain_violations = 0;
    double tightest = 0;
    for (int k = 0; k < 20000; k++) {
        FrVec3 m[4];
        FrElement e;
        do
            for (int i = 0; i < 4; i++) m[i] = test_vec(&r, 1.0);
        while (!fr_element_make(m, &e) || e.volume < 1e-4);
        FrMaterial iso = test_material(1.0, fr_random_range(&r, -0.3, 0.48), 0);
        double bound = fr_element_w2(&e, &iso), w2 = largest_w2(&e, &iso, fr_mat3_identity, 0, 25);
        violations += w2 > bound * (1 + 1e-12);
        tightest = fr_max(tightest, w2 / bound);
        FrMat3 GG = fr_mat3_zero;
        for (int i = 0; i < 4; i++) GG = fr_mat3_add(GG, fr_outer(e.G[i], e.G[i]));
        double plain = 4 * (iso.lambda + 2 * iso.mu) * fr_sym3_eigen(fr_mat3_sym(GG)).value[0];
        plain_violations += w2 > plain * (1 + 1e-9);
    }
    CHECK_INT(violations, 0);
    CHECK(tightest > 0.8); // and is not wasteful
    CHECK(plain_violations > 100);
}

// the kernel's bound holds for strained, turned, sheared and squeezed tets too; s^2 alone does not
TEST(cfl_bound_deformed) {
    FrRandom r = fr_random_for(11, "cfl", 1);
    FrMaterial wood;
    CHECK(fr_material_find("oak", &wood));
    int violations = 0, stretch_violations = 0;
    for (int k = 0; k < 4000; k++) {
        FrVec3 m[4], p[4], v[4] = {{0}};
        FrElement e;
        random_tet(&r, m, &e);
        FrMaterial iso = test_material(1.0, fr_random_range(&r, -0.3, 0.48), 0);
        const FrMaterial *material = k % 4 ? &iso : &wood;
        FrMat3 F = random_gradient(&r, 0.8, FR_GUARD_J0, 20);
        deform(F, m, p);
        FrLocalNode local[4];
        FrChunkSums sums;
        run_lane(fr_fem_chunk_portable, &e, material, p, v, local, &sums);
        double w2 = largest_w2(&e, material, F, sums.w2, 40);
        violations += w2 > sums.w2 * (1 + 1e-12);
        double s = fr_mat3_svd(F).sigma[0];
        stretch_violations += w2 > fr_element_w2(&e, material) * s * s * (1 + 1e-9);
    }
    CHECK_INT(violations, 0);
    CHECK(stretch_violations > 10);
}

// with the guard at work: compare with the curvature of the energy along random lines
TEST(cfl_bound_guarded) {
    FrRandom r = fr_random_for(12, "cfl", 2);
    FrMaterial iso = test_material(1.0, 0.3, 0);
    for (int k = 0; k < 2000; k++) {
        FrVec3 m[4], p[4], v[4] = {{0}}, u[4], up[4], down[4];
        FrElement e;
        random_tet(&r, m, &e);
        deform(random_gradient(&r, 0.9, -1, FR_GUARD_J0 - 0.01), m, p);
        FrLocalNode local[4];
        FrChunkSums sums;
        run_lane(fr_fem_chunk_portable, &e, &iso, p, v, local, &sums);
        double h = 1e-4, uu = 0;
        for (int i = 0; i < 4; i++) {
            u[i] = test_vec(&r, 1);
            uu += fr_dot(u[i], u[i]);
            up[i] = fr_axpy(h, u[i], p[i]);
            down[i] = fr_axpy(-h, u[i], p[i]);
        }
        double bend = fr_element_energy(&e, &iso, up) + fr_element_energy(&e, &iso, down) -
                      2 * fr_element_energy(&e, &iso, p);
        // step: differences over h = 1e-4 of an energy that is not quadratic
        CHECK(bend / (h * h) <= sums.w2 * uu * e.volume / 4 * (1 + 1e-4));
    }
}

// (2/w)(sqrt(1 + xi^2) - xi) written without cancellation                                    [M3]
TEST(stable_step_formula) {
    double w = 3, c = 0.7, xi = c / (2 * w);
    // rounding: a root and a few products
    CHECK_CLOSE(fr_stable_step(w * w, c), 2 / w * (sqrt(1 + xi * xi) - xi), 1e-14);
    CHECK_CLOSE(fr_stable_step(w * w, 0), 2 / w, 1e-15);
    // iron at h = 1 cm, w = 2 c_p / h: 14.2 us undamped, 3.8 us damped
    FrMaterial iron;
    CHECK(fr_material_find("s6-iron", &iron));
    double wi = 2 * fr_wave_speed_p(&iron) / 0.01;
    // digits: three and two are printed
    CHECK_CLOSE(fr_stable_step(wi * wi, 0), 14.2e-6, 5e-3);
    CHECK_CLOSE(fr_stable_step(wi * wi, iron.alpha1 * wi * wi), 3.8e-6, 1.5e-2);
}
