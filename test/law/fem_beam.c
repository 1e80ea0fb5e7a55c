// fem_beam.c: bars and beams ring at the frequencies of the textbooks, and better on finer meshes.

#include "fem_mesh.h"
#include "math/step_control.h"
#include "material/laws.h"

// frequency of the motion that starts with velocity `v`, from the zero crossings of its
// projection on v: time of `halves` half swings
static double ring(FrContext *ctx, FrFem *fem, const double *v, int halves) {
    FrShapeView view;
    fr_fem_view(fem, &view);
    const double *x = fr_fem_rest(fem);
    fr_fem_set_state(fem, NULL, v);
    double dt = 0.8 * fr_fem_dt_limit(fem), before = 0, begin = 0;
    int crossings = 0;
    for (int k = 1; k < 200000; k++) {
        CHECK_OK(ctx, fr_fem_step(fem, dt, fr_vec3_zero));
        double q = 0;
        for (int n = 0; n < view.node_count; n++)
            q += fr_fem_node_mass(fem, n) *
                 fr_dot(fr_sub(fr_get3(view.p, n), fr_get3(x, n)), fr_get3(v, n));
        if (k > 1 && (q > 0) != (before > 0)) {
            double t = dt * (k - q / (q - before));
            if (++crossings == 1) begin = t;
            if (crossings == 1 + halves) return halves / (2 * (t - begin));
        }
        before = q;
    }
    return 0;
}

// free-free bar: first longitudinal frequency c_bar / (2 L) within 1 %                        [M3]
TEST(free_bar) {
    FrContext *ctx = test_context(1);
    int n = 24;
    double h = 1.0 / n, v[3 * 25 * 9];
    FrTetMesh mesh = test_box(n, 2, 2, h);
    FrMaterial material = test_material(1, 0.3, 0);
    FrFem *fem = test_body(ctx, &mesh, &material);
    memset(v, 0, sizeof v);
    for (int k = 0; k < mesh.node_count; k++) v[3 * k] = 1e-5 * cos(FR_PI * mesh.x[3 * k]);
    double wanted = fr_wave_speed_bar(&material) / 2;
    // sideways inertia: -(pi nu r / L)^2 / 2 = -0.3 %; mesh: (pi h)^2 / 24 = 0.07 %
    CHECK_CLOSE(ring(ctx, fem, v, 6), wanted, 1e-2);
    test_end(ctx, &mesh, fem);
}

// one plank, wood: along the grain its bar frequency is sqrt(E_L/rho) / (2 L), across sqrt(E_T/rho)
TEST(wooden_bar) {
    FrContext *ctx = test_context(1);
    FrMaterial oak;
    CHECK(fr_material_find("oak", &oak));
    double young[2] = {13.8e9, 0.082 * 13.8e9}, hz[2];
    for (int axis = 0; axis < 2; axis++) {
        int n = 16;
        double h = 1.0 / n, v[3 * 17 * 9] = {0};
        FrTetMesh mesh = axis ? test_box(2, 2, n, h) : test_box(n, 2, 2, h);
        FrMaterial material = oak;
        material.phi = material.psi = 0;
        FrFem *fem = test_body(ctx, &mesh, &material);
        int c = axis ? 2 : 0;
        for (int k = 0; k < mesh.node_count; k++)
            v[3 * k + c] = 1e-3 * cos(FR_PI * mesh.x[3 * k + c]);
        hz[axis] = ring(ctx, fem, v, 4);
        // model: sideways inertia with Poisson ratios up to 0.45, and shear locking across the
        // grain
        CHECK_CLOSE(hz[axis], sqrt(young[axis] / oak.density) / 2, 2e-2);
        fr_fem_destroy(fem);
        test_mesh_free(&mesh);
    }
    CHECK(hz[0] > 3 * hz[1]);
    fr_context_destroy(ctx);
}

// Timoshenko's cantilever: deflection w, turn a, moment M, shear force Q along s in [0, 1]
//     w' = a + Q/(kGA), a' = M/(EI), Q' = -rho A w2 w, M' = -rho I w2 a - Q
// E = rho = 1, nu = 0 (G = 1/2, k = 5/6), square section of side d
static void beam_slope(const double y[4], double d, double w2, double out[4]) {
    double A = d * d, I = d * d * d * d / 12;
    out[0] = y[1] + y[3] / (5.0 / 12 * A);
    out[1] = y[2] / I;
    out[2] = -w2 * I * y[1] - y[3];
    out[3] = -w2 * A * y[0];
}

// M(1) Q(1) determinant of the two solutions clamped at 0: zero at an eigenfrequency
static double beam_end(double d, double w2) {
    double y[2][4] = {{0, 0, 1, 0}, {0, 0, 0, 1}};
    int steps = 400;
    double h = 1.0 / steps;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < steps; k++) {
            double k1[4], k2[4], k3[4], k4[4], t[4];
            beam_slope(y[s], d, w2, k1);
            for (int i = 0; i < 4; i++) t[i] = y[s][i] + h / 2 * k1[i];
            beam_slope(t, d, w2, k2);
            for (int i = 0; i < 4; i++) t[i] = y[s][i] + h / 2 * k2[i];
            beam_slope(t, d, w2, k3);
            for (int i = 0; i < 4; i++) t[i] = y[s][i] + h * k3[i];
            beam_slope(t, d, w2, k4);
            for (int i = 0; i < 4; i++) y[s][i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        }
    return y[0][2] * y[1][3] - y[1][2] * y[0][3];
}

static double timoshenko_hz(double d) {
    double euler = 1.875104 * 1.875104 * d / sqrt(12.0); // rad/s, thin beam
    double lo = 0.5 * euler, hi = 1.05 * euler, sign = beam_end(d, lo * lo);
    for (int k = 0; k < 60; k++) {
        double mid = 0.5 * (lo + hi);
        *(beam_end(d, mid * mid) * sign > 0 ? &lo : &hi) = mid;
    }
    return lo / (2 * FR_PI);
}

static double cantilever_hz(FrContext *ctx, double d, int cells) {
    double h = d / cells;
    int n = (int)(1 / h + 0.5);
    FrTetMesh mesh = test_box(n, cells, cells, h);
    FrMaterial material = test_material(1, 0, 0);
    FrFem *fem = test_body(ctx, &mesh, &material);
    double *v = calloc(3 * (size_t)mesh.node_count, sizeof(double));
    for (int k = 0; k < mesh.node_count; k++) {
        double s = 1.875104 * mesh.x[3 * k];
        v[3 * k + 2] = 1e-5 * (cosh(s) - cos(s) - 0.734096 * (sinh(s) - sin(s)));
        if (mesh.x[3 * k] < 1e-9) fr_fem_hold(fem, k);
    }
    double hz = ring(ctx, fem, v, 2);
    free(v);
    fr_fem_destroy(fem);
    test_mesh_free(&mesh);
    return hz;
}

// first bending frequency of a square cantilever, L/d = 5: linear tets are too stiff (they lock in
// bending) but the error falls with the square of the cell, and its limit is Timoshenko's beam
TEST(cantilever_converges) {
    FrContext *ctx = test_context(1);
    double d = 0.2, theory = timoshenko_hz(d);
    // thin-beam theory is 2 to 3 % above: the reference itself is right
    double euler = 1.875104 * 1.875104 * d / sqrt(12.0) / (2 * FR_PI);
    CHECK(theory < 0.985 * euler && theory > 0.96 * euler);
    double f2 = cantilever_hz(ctx, d, 2), f4 = cantilever_hz(ctx, d, 4),
           f8 = cantilever_hz(ctx, d, 8);
    CHECK(f2 > f4 && f4 > f8 && f8 > theory);
    // w^2 is what converges cleanly: it is a quotient of energies
    double order = log2((f2 * f2 - f4 * f4) / (f4 * f4 - f8 * f8));
    CHECK_NEAR(order, 2.0, 0.25);                           // mesh: the next power of h
    double limit = sqrt(f8 * f8 - (f4 * f4 - f8 * f8) / 3); // Richardson
    CHECK_CLOSE(limit, theory, 1e-2); // model: clamped ends are stiffer in three dimensions
    CHECK_CLOSE(f8, theory, 4e-2);    // mesh: stated limit of the finest one
    fr_context_destroy(ctx);
}
