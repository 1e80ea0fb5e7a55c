// fem_motion.c: conservation, stability and dissipation of moving bodies, against closed forms.

#include "base/random.h"
#include "fem_mesh.h"
#include "math/step_control.h"
#include "fem/element.h"
#include "fem_advance.h"

static const FrVec3 none = {0, 0, 0}, down = {0, 0, -9.81};

// affine motion of an unstructured mesh: every tet has the same stress, inside nodes feel nothing
TEST(elem_patch) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(4, 4, 4, 0.25);
    test_jitter(&mesh, 4, 4, 4, 0.25, 0.06);
    FrMaterial material[2] = {test_material(3, 0.3, 0.2)};
    CHECK(fr_material_find("oak", &material[1]));
    FrRandom r = fr_random_for(1, "patch", 0);
    for (int k = 0; k < 8; k++) {
        FrFem *fem = test_body(ctx, &mesh, &material[k % 2]);
        // k / 4: squeezed until the inversion guard works
        FrMat3 F = fr_mat3_add(fr_mat3_scale(k / 4 ? 0.5 : 1.0, fr_mat3_identity),
                               test_mat(&r, 0.2)),
               L = test_mat(&r, 1.0);
        double *p = calloc(3 * (size_t)mesh.node_count, 8),
               *v = calloc(3 * (size_t)mesh.node_count, 8);
        for (int n = 0; n < mesh.node_count; n++) {
            fr_set3(p, n, fr_add(fr_mat3_apply(F, fr_get3(mesh.x, n)), fr_vec3(1, 2, 3)));
            fr_set3(v, n, fr_mat3_apply(L, fr_get3(p, n)));
        }
        fr_fem_set_state(fem, p, v);
        const double *f, *d;
        fr_fem_internal_forces(fem, &f, &d);
        double outside = 0, inside = 0, drag_out = 0, drag_in = 0;
        for (int n = 0; n < mesh.node_count; n++) {
            double size = fr_length(fr_get3(f, n)), drag = fr_length(fr_get3(d, n));
            if (test_on_box(&mesh, n, 4, 4, 4, 0.25))
                outside = fr_max(outside, size), drag_out = fr_max(drag_out, drag);
            else
                inside = fr_max(inside, size), drag_in = fr_max(drag_in, drag);
        }
        CHECK(outside > 0 && drag_out > 0);
        // rounding: some 25 tets at a node
        CHECK(inside < 2e-14 * outside * 25);
        CHECK(drag_in < 2e-14 * drag_out * 25);
        CHECK_INT(fr_fem_crushed(fem), fr_mat3_det(F) < 0.3 ? mesh.tet_count : 0);
        free(p);
        free(v);
        fr_fem_destroy(fem);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// g t^2 / 2 to rounding while the step changes, and gravity's work is the kinetic energy;
// velocities are those of half a step before
TEST(free_fall) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 2, 2, 0.1);
    FrMaterial material = test_material(10, 0.3, 0.01);
    FrFem *fem = test_body(ctx, &mesh, &material);
    double dt = 0, t = 0;
    for (int k = 0; k < 1000; k++, t += dt) {
        dt = k % 7 ? k < 500 ? 1.1e-3 : 0.7e-3 : 0.9e-3;
        CHECK_OK(ctx, fr_fem_step(fem, dt, down));
    }
    FrShapeView view;
    fr_fem_view(fem, &view);
    for (int n = 0; n < mesh.node_count; n++) {
        double fallen = mesh.x[3 * n + 2] - view.p[3 * n + 2];
        CHECK_CLOSE(fallen, 0.5 * 9.81 * t * t, 1e-12);                // rounding: 1000 steps
        CHECK_CLOSE(view.v[3 * n + 2], -9.81 * (t - 0.5 * dt), 1e-12); // rounding: 1000 steps
    }
    FrFemEnergy e;
    fr_fem_energy(fem, down, &e);
    // rounding: 1000 steps
    CHECK_CLOSE(e.gravity_work, e.kinetic, 1e-12);
    CHECK_NEAR(e.elastic, 0, 1e-20);
    // step: of the moment, but for (g dt)^2 / 8
    CHECK_CLOSE(e.kinetic, 0.5 * fr_fem_mass(fem) * 9.81 * 9.81 * t * t, 1e-6);
    test_end(ctx, &mesh, fem);
}

// 1e5 steps of free flight, spinning and wobbling: momentum to 1e-12, angular momentum to 1e-10
TEST(momentum_in_free_flight) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 2, 1, 0.1);
    FrMaterial material = test_material(100, 0.3, 1e-5);
    FrFemDef def = {.mesh = &mesh,
                    .material = &material,
                    .material_count = 1,
                    .rotation = {1, 0, 0, 0},
                    .velocity = {0.3, -0.2, 0.5},
                    .spin = {3, 1, -4}};
    FrFem *fem;
    CHECK_OK(ctx, fr_fem_create(ctx, &def, &fem));
    FrVec3 P0, L0, P, L;
    fr_fem_momentum(fem, &P0, &L0);
    double worst_P = 0, worst_L = 0;
    for (int k = 0; k < 100000; k++) {
        double dt = k % 1000 ? 2e-3 : 1e-3; // a change of step changes nothing
        CHECK_OK(ctx, fr_fem_step(fem, dt, none));
        if (k % 100) continue;
        fr_fem_momentum(fem, &P, &L);
        worst_P = fr_max(worst_P, fr_distance(P, P0) / fr_length(P0));
        // the body ends 100 m away: angular momentum about the origin is about p x P
        double arm = fr_length(L0) + 100 * fr_length(P0);
        worst_L = fr_max(worst_L, fr_distance(L, L0) / arm);
    }
    // rounding: 1e5 steps, as the root of their number
    CHECK(worst_P < 1e-12);
    CHECK(worst_L < 1e-12);
    test_end(ctx, &mesh, fem);
}

// undamped, 1e5 steps at 0.8 of the limit: staggered energy stays in a band and does not drift
TEST(energy_drift) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(3, 1, 1, 0.1);
    FrMaterial material = test_material(100, 0.3, 0);
    FrFem *fem = test_body(ctx, &mesh, &material);
    FrRandom r = fr_random_for(3, "shake", 0);
    double v[3 * 16];
    for (int k = 0; k < 48; k++) v[k] = test_random(&r, 0.002); // strains of 2e-4
    fr_fem_set_state(fem, NULL, v);
    double dt = 0.8 * fr_fem_dt_limit(fem), first = 0, early = 0, late = 0, low = 1e300, high = 0;
    int steps = 100000;
    for (int k = 0; k < steps; k++) {
        CHECK_OK(ctx, fr_fem_step(fem, dt, none));
        double E = test_ledger(fem, none);
        if (k == 0) first = E;
        low = fr_min(low, E);
        high = fr_max(high, E);
        if (k < steps / 10) early += E / (steps / 10);
        if (k >= steps - steps / 10) late += E / (steps / 10);
    }
    // step: the trapezoidal error of the cubic terms is about the strain, and comes and goes
    CHECK(high - low < 5e-4 * first);
    CHECK_CLOSE(late, early, 2e-5);
    test_end(ctx, &mesh, fem);
}

// K/m of one free tet at rest (12 x 12), and its largest eigenvalue with vector
typedef struct Tet {
    FrTetMesh mesh;
    int32_t tet[1][4];
    double x[12], K[12][12], shape[12], w2, mass;
} Tet;

static void make_tet(Tet *t, const FrMaterial *m) {
    static const double corner[12] = {0, 0, 0, 1.1, 0.1, 0, 0.2, 0.9, 0.1, 0.3, 0.2, 1.2};
    *t = (Tet){.mesh = {.node_count = 4, .corner_count = 4, .tet_count = 1, .order = 1},
               .tet = {{0, 1, 2, 3}}};
    memcpy(t->x, corner, sizeof corner);
    t->mesh.x = t->x;
    t->mesh.tet = t->tet;
    FrVec3 p[4];
    FrElement e;
    for (int i = 0; i < 4; i++) p[i] = fr_get3(t->x, i);
    CHECK(fr_element_make(p, &e));
    t->mass = m->density * e.volume / 4;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            FrVec3 a = e.G[i / 3], b = e.G[j / 3];
            double ia = fr_vec3_get(a, i % 3), jb = fr_vec3_get(b, j % 3);
            double ib = fr_vec3_get(a, j % 3), ja = fr_vec3_get(b, i % 3);
            t->K[i][j] = e.volume / t->mass *
                         (m->lambda * ia * jb + m->mu * ib * ja +
                          (i % 3 == j % 3 ? m->mu * fr_dot(a, b) : 0));
        }
    for (int i = 0; i < 12; i++) t->shape[i] = sin(i + 1.0);
    for (int k = 0; k < 500; k++) {
        double y[12] = {0}, size = 0;
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 12; j++) y[i] += t->K[i][j] * t->shape[j];
        for (int i = 0; i < 12; i++) size += y[i] * y[i];
        for (int i = 0; i < 12; i++) t->shape[i] = y[i] / sqrt(size);
        t->w2 = sqrt(size);
    }
}

// one tet kicked along its fastest mode; amplitude (of velocity) after `steps`, over the first
static double growth(const FrMaterial *m, FrIntegrator integrator, double dt, int steps) {
    FrContext *ctx = test_context(1);
    Tet t;
    make_tet(&t, m);
    FrFemDef def = {.mesh = &t.mesh,
                    .material = m,
                    .material_count = 1,
                    .rotation = {1, 0, 0, 0},
                    .integrator = integrator};
    FrFem *fem;
    CHECK_OK(ctx, fr_fem_create(ctx, &def, &fem));
    double v[12], size = 1e-6; // so small that the law is linear
    for (int i = 0; i < 12; i++) v[i] = size * sqrt(t.w2) * t.shape[i];
    fr_fem_set_state(fem, NULL, v);
    FrShapeView view;
    fr_fem_view(fem, &view);
    double largest = 0;
    for (int k = 0; k < steps; k++) {
        if (fr_fem_step(fem, dt, none) != FR_OK) {
            largest = (double)INFINITY;
            break;
        }
        if (k < steps - 400) continue; // a whole swing even at w dt = 0.02
        double amount = 0;
        for (int i = 0; i < 12; i++) amount += (view.p[i] - t.x[i]) * t.shape[i];
        largest = fr_max(largest, fabs(amount));
    }
    fr_fem_destroy(fem);
    fr_context_destroy(ctx);
    return largest / size;
}

// stable at 0.8, blown up at 1.3 of the exact limit 2/w; with damping at the formula's   [M3, E9]
TEST(cfl_exact) {
    for (int damped = 0; damped < 3; damped++) {
        FrMaterial m = test_material(1, 0.3, 0);
        Tet t;
        make_tet(&t, &m);
        double w = sqrt(t.w2), alpha = damped * 0.7 / w, xi = alpha * w / 2;
        m = test_material(1, 0.3, alpha);
        double exact = 2 / w * (sqrt(1 + xi * xi) - xi);
        CHECK(growth(&m, FR_SYMPLECTIC, 0.8 * exact, 3000) < 2);
        CHECK(growth(&m, FR_SYMPLECTIC, 0.99 * exact, 3000) < 20);
        CHECK(growth(&m, FR_SYMPLECTIC, 1.3 * exact, 200) > 1e3);
        CHECK(growth(&m, FR_SYMPLECTIC, 1.02 * exact, 600) > 1e3);
        // and the body's own bound is below it, but not far
        FrContext *ctx = test_context(1);
        FrFem *fem = test_body(ctx, &t.mesh, &m);
        double dt = fr_fem_dt_limit(fem);
        CHECK(dt <= exact * (1 + 1e-12) && dt > 0.6 * exact); // rounding: a bound that is reached
        fr_fem_destroy(fem);
        fr_context_destroy(ctx);
    }
}

// largest eigenvalue of a symmetric 12 x 12 matrix with no eigenvalue below -shift
static double largest_of(double K[12][12], double shift) {
    double y[12], x[12], size = 0;
    for (int i = 0; i < 12; i++) x[i] = sin(i + 1.0);
    for (int k = 0; k < 1500; k++) {
        size = 0;
        for (int i = 0; i < 12; i++) {
            y[i] = shift * x[i];
            for (int j = 0; j < 12; j++) y[i] += 0.5 * (K[i][j] + K[j][i]) * x[j];
            size += y[i] * y[i];
        }
        size = sqrt(size);
        for (int i = 0; i < 12; i++) x[i] = y[i] / size;
    }
    return size - shift;
}

// -df/dp and -dd/dv over the mass, by central differences (steps of 1e-5 m: errors of 1e-9)
static void tangents(FrFem *fem, const Tet *t, const double *p, double K[12][12],
                     double D[12][12]) {
    const double *f, *d, h = 1e-5;
    double q[12], v[12] = {0};
    for (int j = 0; j < 12; j++)
        for (int side = -1; side <= 1; side += 2) {
            memcpy(q, p, sizeof q);
            q[j] += side * h;
            fr_fem_set_state(fem, q, v);
            fr_fem_internal_forces(fem, &f, &d);
            for (int i = 0; i < 12; i++)
                K[i][j] = (side < 0 ? 0 : K[i][j]) - side * f[i] / (2 * h * t->mass);
        }
    for (int j = 0; j < 12; j++) {
        memset(v, 0, sizeof v);
        v[j] = 1;
        fr_fem_set_state(fem, p, v);
        fr_fem_internal_forces(fem, &f, &d);
        for (int i = 0; i < 12; i++) D[i][j] = -d[i] / t->mass;
    }
    v[11] = 0;
    fr_fem_set_state(fem, p, v);
}

// the step bound holds for stretched, squeezed, sheared and inverted tets, guard and damping
// included: it is below the root for the true largest eigenvalues of both tangents           [M3]
TEST(cfl_deformed) {
    for (int k = 0; k < 400; k++) {
        FrMaterial m = test_material(1, k % 3 ? 0.4 : -0.2, k % 2 ? 0.3 : 0);
        FrContext *ctx = test_context(1);
        FrRandom random = fr_random_for(7, "cfl", (uint64_t)k);
        Tet t;
        make_tet(&t, &m);
        FrFem *fem = test_body(ctx, &t.mesh, &m);
        FrVec3 scale =
            fr_vec3(fr_random_range(&random, -0.3, 2.5), fr_random_range(&random, 0.2, 2),
                    fr_random_range(&random, 0.2, 1.5));
        double p[12], K[12][12], D[12][12];
        for (int i = 0; i < 4; i++) {
            FrVec3 x = fr_get3(t.x, i);
            x = fr_vec3(scale.x * x.x + 0.4 * (k % 5) * x.y, scale.y * x.y, scale.z * x.z);
            fr_set3(p, i, x);
        }
        tangents(fem, &t, p, K, D);
        double w2 = largest_of(K, 10 * t.w2), rate = largest_of(D, 1e-9);
        double exact = 4 / (rate + sqrt(rate * rate + 4 * fr_max(w2, 0)));
        CHECK(fr_fem_dt_limit(fem) <= exact * (1 + 1e-6)); // step: tangents by differences
        fr_fem_destroy(fem);
        fr_context_destroy(ctx);
    }
}

// E9: the papers' forward Euler and Taylor forms gain energy at any undamped step; with alpha1 the
// Taylor form is stable exactly for dt < min(2 alpha1, 2/(alpha1 w^2))
TEST(papers_integrators) {
    FrMaterial m = test_material(1, 0.3, 0);
    Tet t;
    make_tet(&t, &m);
    double w = sqrt(t.w2);
    // spectral radius 1.0025 and 1.0050 at w dt = 0.1: over 2000 steps e^5 and e^10
    // step: the last peak comes up to half a swing, 31 of them, before the end
    CHECK_CLOSE(log(growth(&m, FR_TAYLOR, 0.1 / w, 2000)) / 2000, 0.5 * log(1.005), 3e-2);
    CHECK_CLOSE(log(growth(&m, FR_EULER, 0.1 / w, 2000)) / 2000, 0.5 * log(1.01), 3e-2);
    CHECK(growth(&m, FR_SYMPLECTIC, 0.1 / w, 2000) < 1.01);
    double alphas[] = {0.2 / w, 0.7 / w, 1.0 / w, 2.5 / w};
    for (int k = 0; k < 4; k++) {
        FrMaterial damped = test_material(1, 0.3, alphas[k]);
        double limit = fr_min(2 * alphas[k], 2 / (alphas[k] * t.w2));
        CHECK(growth(&damped, FR_TAYLOR, 0.95 * limit, 4000) < 1.1);
        CHECK(growth(&damped, FR_TAYLOR, 1.05 * limit, 4000) > 1e3);
        // the body's bound for this form never promises more
        FrContext *ctx = test_context(1);
        FrFemDef def = {.mesh = &t.mesh,
                        .material = &damped,
                        .material_count = 1,
                        .rotation = {1, 0, 0, 0},
                        .integrator = FR_TAYLOR};
        FrFem *fem;
        CHECK_OK(ctx, fr_fem_create(ctx, &def, &fem));
        CHECK(fr_fem_dt_limit(fem) <= limit * (1 + 1e-12)); // rounding: a bound that is reached
        fr_fem_destroy(fem);
        fr_context_destroy(ctx);
    }
    // forward Euler: dt < alpha1 for ringing modes
    FrMaterial damped = test_material(1, 0.3, 0.5 / w);
    CHECK(growth(&damped, FR_EULER, 0.95 * 0.5 / w, 4000) < 1.1);
    CHECK(growth(&damped, FR_EULER, 1.05 * 0.5 / w, 4000) > 1e3);
}

// E7, E8: one tet rings down at alpha1 w^2 / 2, plus alpha2 / 2 from mass damping; accumulating
// (3.29) alone, as the thesis' line 14 does, leaves out the viscous part and never decays
TEST(oscillator_decays) {
    for (int k = 0; k < 3; k++) {
        FrMaterial m = test_material(1, 0.3, 0);
        Tet t;
        make_tet(&t, &m);
        double w = sqrt(t.w2), alpha1 = k == 0 ? 0 : 0.01 / w, alpha2 = k == 2 ? 0.02 * w : 0;
        m = test_material(1, 0.3, alpha1);
        m.alpha2 = alpha2;
        double dt = 0.02 / w, rate = alpha1 * t.w2 / 2 + alpha2 / 2;
        double early = growth(&m, FR_SYMPLECTIC, dt, 1000),
               late = growth(&m, FR_SYMPLECTIC, dt, 9000);
        double found = log(early / late) / (8000 * dt);
        // step: peaks are found to within (w dt)^2/8 of a sample over 160 radians
        CHECK_NEAR(found, rate, 0.01 * rate + 1e-5 * w);
    }
}

// a step that changes all the time: the parabola is still hit, and the ledger stays as good
TEST(changing_step) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(3, 2, 2, 0.1);
    FrMaterial material = test_material(100, 0.3, 0);
    FrFem *fem = test_body(ctx, &mesh, &material);
    FrRandom r = fr_random_for(4, "steps", 0);
    double time = 0, last = 0, limit = fr_fem_dt_limit(fem);
    for (int k = 0; k < 500; k++) {
        last = limit * fr_random_range(&r, 0.01, 0.9);
        CHECK_OK(ctx, fr_fem_step(fem, last, down));
        time += last;
    }
    FrShapeView view;
    fr_fem_view(fem, &view);
    CHECK_CLOSE(view.v[2], -9.81 * (time - last / 2), 1e-12); // of half a step before the end
    CHECK_CLOSE(mesh.x[2] - view.p[2], 9.81 * time * time / 2, 1e-12); // 500 roundings
    double v[3 * 36], start = 0, worst = 0, scale = 0;
    for (int k = 0; k < 108; k++) v[k] = test_random(&r, 0.02);
    fr_fem_set_state(fem, NULL, v);
    for (int k = 0; k < 20000; k++) {
        CHECK_OK(ctx, fr_fem_step(fem, limit * (0.6 + 0.2 * sin(0.003 * k)), none));
        if (k == 0) start = test_ledger(fem, none), scale = fr_fem_watch(fem).scale;
        worst = fr_max(worst, fabs(test_ledger(fem, none) - start));
    }
    // white noise: the discrete frequency (2/dt) asin(w dt/2) of its fastest modes changes by a
    // tenth with dt, and energy goes with frequency, there and back
    CHECK(worst < 0.05 * scale);
    CHECK(fabs(test_ledger(fem, none) - start) < 0.05 * scale);
    // the impulse of an outside force is force times dt also when the step has just changed
    FrVec3 before, after, angular;
    fr_fem_momentum(fem, &before, &angular);
    fr_fem_add_force(fem, FR_FEM_CONTACT, 3, fr_vec3(0.2, 0, 0));
    CHECK_OK(ctx, fr_fem_step(fem, 0.1 * limit, none));
    fr_fem_momentum(fem, &after, &angular);
    CHECK_CLOSE(after.x - before.x, 0.2 * 0.1 * limit, 1e-12); // rounding
    test_end(ctx, &mesh, fem);
}

typedef struct Floor {
    double stiffness, damping;
} Floor;

// penalty floor at z = 0, one spring and dashpot per node
static void push_up(void *user, FrFem *fem, double time) {
    (void)time;
    const Floor *floor = user;
    FrShapeView view;
    fr_fem_view(fem, &view);
    for (int n = 0; n < view.node_count; n++) {
        double depth = -view.p[3 * n + 2];
        if (depth <= 0) continue;
        double f = floor->stiffness * depth - floor->damping * view.v[3 * n + 2];
        fr_fem_add_force(fem, FR_FEM_CONTACT, n, fr_vec3(0, 0, fr_max(0, f)));
        fr_fem_add_stiffness(fem, n, floor->stiffness);
    }
}

// a soft damped block falls on a floor and bounces: the ledger closes to 1e-3 of its peak, with
// every term the work of its own forces
TEST(ledger_closes) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(4, 3, 3, 0.05);
    FrMaterial material;
    CHECK(fr_material_find("silicone", &material));
    material.alpha2 = 0.2;
    FrFemDef def = {.mesh = &mesh,
                    .material = &material,
                    .material_count = 1,
                    .position = {0, 0, 0.15},
                    .rotation = fr_quat_from_rotation(fr_vec3(0.2, 0.4, 0)),
                    .spin = {1, 2, 0}};
    FrFem *fem;
    CHECK_OK(ctx, fr_fem_create(ctx, &def, &fem));
    FrStepControl control = fr_step_control_default();
    Floor floor = {3e3, 1.0};
    double start = test_ledger(fem, down), worst = 0, peak = 0;
    for (int frame = 0; frame < 60; frame++) {
        CHECK_OK(ctx, fem_advance(fem, &control, 1 / 100.0, down, push_up, &floor));
        FrFemEnergy e;
        fr_fem_energy(fem, down, &e);
        peak = fr_max(peak, e.kinetic + e.elastic + e.damping);
        worst = fr_max(worst, fabs(test_ledger(fem, down) - start));
    }
    FrFemEnergy e;
    fr_fem_energy(fem, down, &e);
    CHECK(e.damping > 0.05 * peak);            // it did dissipate
    CHECK(fabs(e.contact_work) > 0.01 * peak); // and bounce
    CHECK(worst < 5e-4 * peak);                // step: the promise is 1e-3; 2e-4 is what comes out
    CHECK(control.accepted > 100);
    test_end(ctx, &mesh, fem);
}

// held at one end, driven at the other: the hand's work is what is stored and dissipated
TEST(driven_ledger_closes) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(6, 2, 2, 0.05);
    FrMaterial material = test_material(1e4, 0.3, 2e-4);
    material.density = 1000;
    FrFem *fem = test_body(ctx, &mesh, &material);
    double dt = 0.8 * fr_fem_dt_limit(fem);
    for (int n = 0; n < mesh.node_count; n++)
        if (mesh.x[3 * n] < 1e-9 || mesh.x[3 * n] > 0.3 - 1e-9) fr_fem_hold(fem, n);
    double worst = 0, peak = 0, start = test_ledger(fem, down);
    for (int k = 0; k < 3000; k++) {
        for (int n = 0; n < mesh.node_count; n++)
            if (mesh.x[3 * n] > 0.3 - 1e-9)
                fr_fem_drive(fem, n, fr_vec3(0.02 * sin(0.01 * k), 0, 0.02 * cos(0.02 * k)));
        CHECK_OK(ctx, fr_fem_step(fem, dt, down));
        FrFemEnergy e;
        fr_fem_energy(fem, down, &e);
        peak = fr_max(peak, e.kinetic + e.elastic + e.damping);
        worst = fr_max(worst, fabs(test_ledger(fem, down) - start));
    }
    FrFemEnergy e;
    fr_fem_energy(fem, down, &e);
    CHECK(e.load_work > 0.01 * peak && e.damping > 0.01 * peak);
    CHECK(worst < 1e-3 * peak); // step: the promise
    FrShapeView view;
    fr_fem_view(fem, &view);
    for (int n = 0; n < mesh.node_count; n++)
        if (mesh.x[3 * n] < 1e-9) CHECK_NEAR(view.p[3 * n + 2], mesh.x[3 * n + 2], TOL_EXACT);
    test_end(ctx, &mesh, fem);
}

// given a limit three times too long, the control notices, restores and keeps the body in one piece
TEST(control_notices_a_step_too_long) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(3, 3, 3, 0.1);
    FrMaterial material = test_material(1e4, 0.3, 0);
    FrFem *fem = test_body(ctx, &mesh, &material);
    double v[3 * 64];
    FrRandom r = fr_random_for(5, "rescue", 0);
    for (int k = 0; k < 192; k++) v[k] = test_random(&r, 1.0);
    fr_fem_set_state(fem, NULL, v);
    FrStepControl control = fr_step_control_default();
    double start = test_ledger(fem, none);
    for (int k = 0; k < 60; k++) {
        fr_fem_backup(fem);
        double dt = fr_step_control_begin(&control, 3 * fr_fem_dt_limit(fem), 1e9);
        bool accepted, broke = fr_fem_step(fem, dt, none) != FR_OK;
        FrStepWatch w = fr_fem_watch(fem);
        CHECK_OK(ctx, fr_step_control_judge(ctx, &control, &w, broke, &accepted));
        if (!accepted) fr_fem_restore(fem);
    }
    CHECK(control.rejected > 0 && control.rejected < 20);
    CHECK(control.dt < fr_fem_dt_limit(fem));
    // one backup: what piled up before it was noticed, at most 16 times the energy, stays
    CHECK(fr_fem_watch(fem).scale < 16 * start);
    test_end(ctx, &mesh, fem);
}
