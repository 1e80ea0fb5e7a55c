// fem_guard.c: what keeps a tet from being squeezed flat or turned inside out.

#include "fem_mesh.h"
#include "math/step_control.h"
#include "fem/chunk.h"
#include "fem_probe.h"
#include "fem_advance.h"

static const FrVec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static FrElement corner_tet(void) {
    FrElement e;
    CHECK(fr_element_make(corner, &e));
    return e;
}

static void stretch(double x, double y, double z, FrVec3 p[4]) {
    for (int i = 0; i < 4; i++) p[i] = fr_vec3(x * corner[i].x, y * corner[i].y, z * corner[i].z);
}

// energy per volume beyond that of the law
static double guard_energy(const FrElement *e, const FrMaterial *m, double s) {
    FrVec3 p[4];
    stretch(s, 1, 1, p);
    double E = (s * s - 1) / 2, law = (0.5 * m->lambda + m->mu) * E * E;
    return fr_element_energy(e, m, p) / e->volume - law;
}

// From J0 on the guard adds kb (J0 - J)^3 / (3 J0) and higher powers: energy, stress and stiffness
// have no jump there. Above it adds nothing at all.
TEST(joins_the_law_smoothly) {
    FrElement e = corner_tet();
    for (double nu = 0; nu < 0.5; nu += 0.245) {
        FrMaterial m = test_material(1, nu, 0);
        double kb = m.lambda + 2 * m.mu;
        CHECK_NEAR(guard_energy(&e, &m, FR_GUARD_J0 + 1e-9), 0, 1e-16 * kb); // rounding: of kb
        for (double h = 1e-2; h > 1e-4; h /= 4) {
            double lead = kb * h * h * h / (3 * FR_GUARD_J0);
            // model: next power: 21/5 q^2 of the first; 1e-16 kb of rounding
            double q = h / FR_GUARD_J0, next = 4.2 * q * q * lead;
            CHECK_NEAR(guard_energy(&e, &m, FR_GUARD_J0 - h), lead + next,
                       1e-16 * kb + 1e-3 * next);
        }
    }
}

// stiffness over lambda + 2 mu of a tet squeezed along x, the sides kept
static double stiffness(const FrElement *e, const FrMaterial *m, double s) {
    FrVec3 p[4], up[4], down[4];
    double h = 1e-5;
    stretch(s + h, 1, 1, p);
    element_elastic(e, m, p, up);
    stretch(s - h, 1, 1, p);
    element_elastic(e, m, p, down);
    return -(up[1].x - down[1].x) / (2 * h) / e->volume / (m->lambda + 2 * m->mu);
}

// E5: the law alone loses its stiffness at 0.577 of the volume, and the guard of M1, which starts
// at 0.3, leaves that gap open: (3 s^2 - 1)/2 < 0. With this guard stiffness never falls below 0.2.
TEST(squeezed_along_one_axis_it_never_gives_way) {
    FrElement e = corner_tet();
    FrMaterial m = test_material(1, 0.45, 0);
    for (double s = 1.0; s > -0.5; s -= 0.01) {
        CHECK(stiffness(&e, &m, s) > 0.2);
        double law = (3 * s * s - 1) / 2;
        if (s < 0.57 && s > 0.3) CHECK(law < 0.0);
        // step of the differences in stiffness
        if (s > FR_GUARD_J0 + 0.01) CHECK_NEAR(stiffness(&e, &m, s), law, 1e-8);
    }
}

// no way into a flat shape is cheap: at J = 0 the guard alone holds 0.49 (1/3 + 7/5) kb
TEST(flat_is_dear) {
    FrRandom r = fr_random_for(1, "flat", 0);
    FrElement e = corner_tet();
    FrMaterial m = test_material(1, 0.45, 0);
    double kb = m.lambda + 2 * m.mu;
    for (int k = 0; k < 200; k++) {
        FrMat3 F = fr_mat3_add(fr_mat3_identity, test_mat(&r, 0.8));
        F.c2 = fr_add(fr_scale(test_random(&r, 1), F.c0), fr_scale(test_random(&r, 1), F.c1));
        FrVec3 p[4];
        for (int i = 0; i < 4; i++) p[i] = fr_mat3_apply(F, corner[i]);
        CHECK(fr_element_energy(&e, &m, p) > 0.49 * (1.0 / 3 + 1.4) * kb * e.volume * (1 - 1e-12));
    }
}

// damped until nothing moves; the largest energy a tet still holds over kb vol
static double left_over(FrContext *ctx, const FrTetMesh *mesh, const double *p) {
    FrMaterial material = test_material(1, 0.3, 0.05);
    material.alpha2 = 2.0;
    FrFem *fem = test_body(ctx, mesh, &material);
    fr_fem_set_state(fem, p, NULL);
    CHECK(fr_fem_crushed(fem) > 0);
    FrStepControl control = fr_step_control_default();
    CHECK_OK(ctx, fem_advance(fem, &control, 60.0, fr_vec3_zero, NULL, NULL));
    CHECK_INT(fr_fem_crushed(fem), 0);
    FrFemEnergy energy;
    fr_fem_energy(fem, fr_vec3_zero, &energy);
    double volume = fr_fem_mass(fem) / material.density;
    fr_fem_destroy(fem);
    return energy.elastic / (volume * (material.lambda + 2 * material.mu));
}

// a body that starts inside out in places, or a mirrored tet, finds its way back
TEST(inverted_starts_recover) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 2, 2, 0.5), single = test_box(1, 1, 1, 1);
    double p[81];
    memcpy(p, mesh.x, sizeof p);
    p[3 * 13] += 0.7; // the middle node, out through the side
    p[3 * 13 + 1] += 0.1;
    // model: 60 s of damping leave nothing but rounding
    CHECK(left_over(ctx, &mesh, p) < 1e-20);
    memcpy(p, mesh.x, sizeof p);
    for (int n = 18; n < 27; n++) p[3 * n + 2] = 0.3; // the upper layer pushed through the middle
    p[3 * 22 + 2] = 0.25;
    CHECK(left_over(ctx, &mesh, p) < 1e-20);
    test_mesh_free(&mesh);
    single.tet_count = 1; // one of the six, on its own four nodes
    for (int i = 0; i < 4; i++) fr_set3(single.x, i, corner[i]), single.tet[0][i] = i;
    single.node_count = single.corner_count = 4;
    for (int k = 0; k < 12; k++) p[k] = single.x[k] * (k % 3 == 2 ? -1 : 1) + 0.01 * (k % 5);
    CHECK(left_over(ctx, &single, p) < 1e-20);
    test_mesh_free(&single);
    fr_context_destroy(ctx);
}
