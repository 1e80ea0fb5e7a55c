// corot.c: turning tets in plain numbers: rotations, forces, flow, one implicit step.

#include "corot/corot_body.h"
#include "fem_mesh.h"
#include "math/decompose.h"

static FrCorot *make(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material) {
    FrCorotDef def = {
        .mesh = mesh, .material = material, .material_count = 1, .rotation = {1, 0, 0, 0}};
    FrCorot *body = NULL;
    CHECK_OK(ctx, fr_corot_create(ctx, &def, &body));
    return body;
}

static void finish(FrContext *ctx, FrTetMesh *mesh, FrCorot *body) {
    fr_corot_destroy(body);
    test_mesh_free(mesh);
    fr_context_destroy(ctx);
}

static FrMat3 rotation_of(const FrCorot *body, int32_t tet) {
    const FrCorotBlock *b = &body->block[tet / FR_LANES];
    FrVec3 c[3];
    for (int k = 0; k < 3; k++)
        c[k] = fr_vec3(b->R[k][0][tet % 4], b->R[k][1][tet % 4], b->R[k][2][tet % 4]);
    return fr_mat3(c[0], c[1], c[2]);
}

static FrMat3 random_rotation(FrRandom *r) {
    return fr_quat_mat3(fr_quat_from_rotation(test_vec(r, 3.0)));
}

// all tets with the gradient F
static void strain_to(FrCorot *body, FrMat3 F, double *p) {
    for (int32_t n = 0; n < body->node_count; n++)
        fr_set3(p, n, fr_mat3_apply(F, fr_get3(body->x, n)));
    fr_corot_put(body, p, NULL, fr_vec3_zero);
}

static double far_from_rotation(FrMat3 R) {
    FrMat3 RR = fr_mat3_mul(fr_mat3_transpose(R), R);
    return fr_mat3_norm(fr_mat3_axpy(-1.0, fr_mat3_identity, RR)) + fabs(fr_mat3_det(R) - 1.0);
}

// det +1 and orthogonal for anything: turned inside out, flat, a line, a point              [M12]
TEST(every_gradient_has_a_rotation) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(1, 1, 1, 1.0);
    FrMaterial material = test_material(1.0, 0.3, 0.0);
    FrCorot *body = make(ctx, &mesh, &material);
    FrRandom r = fr_random_for(1, "rotations", 0);
    double worst = 0.0, p[24];
    for (int k = 0; k < 2000; k++) {
        FrMat3 F = test_mat(&r, 1.0);
        if (k % 5 == 1) F.c2 = F.c1;
        if (k % 5 == 2) F.c1 = F.c2 = F.c0;
        if (k % 50 == 3) F = fr_mat3_zero;
        strain_to(body, F, p);
        for (int32_t e = 0; e < 6; e++)
            worst = fr_max(worst, far_from_rotation(rotation_of(body, e)));
    }
    printf("  farthest from a rotation: %.1e\n", worst);
    CHECK(worst < 1e-13); // rounding
    finish(ctx, &mesh, body);
}

// F = Q diag(s) Q'' gives Q Q'', the nearest rotation, and -s3 the same one            [M12] [K4]
TEST(the_rotation_is_that_of_the_polar_decomposition) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(1, 1, 1, 1.0);
    FrMaterial material = test_material(1.0, 0.3, 0.0);
    FrCorot *body = make(ctx, &mesh, &material);
    FrRandom r = fr_random_for(2, "rotations", 0);
    double worst = 0.0, p[24];
    for (int k = 0; k < 2000; k++) {
        FrMat3 Q = random_rotation(&r), P = random_rotation(&r);
        double a = fr_random_range(&r, 1.0, 3.0), b = fr_random_range(&r, 0.6, 0.9);
        double c = fr_random_range(&r, 0.02, 0.5) * (k % 3 ? 1.0 : -1.0);
        FrMat3 S = {{a, 0, 0}, {0, b, 0}, {0, 0, c}};
        strain_to(body, fr_mat3_mul(Q, fr_mat3_mul(S, fr_mat3_transpose(P))), p);
        FrMat3 wanted = fr_mat3_mul(Q, fr_mat3_transpose(P));
        for (int32_t e = 0; e < 6; e++)
            worst = fr_max(worst, fr_mat3_norm(fr_mat3_axpy(-1.0, wanted, rotation_of(body, e))));
    }
    printf("  farthest from it: %.1e\n", worst);
    CHECK(worst < 1e-11); // rounding over the gap of the stretches
    finish(ctx, &mesh, body);
}

/// Sums over nodes.
typedef struct Sums {
    FrVec3 force, torque;
    double size;
} Sums;
static Sums sums_of(const FrCorot *body) {
    Sums s = {fr_vec3_zero, fr_vec3_zero, 0.0};
    for (int32_t n = 0; n < body->node_count; n++) {
        FrVec3 f = fr_get3(body->f, n);
        s.force = fr_add(s.force, f);
        s.torque = fr_add(s.torque, fr_cross(fr_get3(body->p, n), f));
        s.size += fr_length(f);
    }
    return s;
}

// no ghost forces; no ghost torques where nothing flowed; none at all in a rigid motion
//                                                                         [S5 section 2.3] [M12]
TEST(forces_cancel) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(3, 3, 3, 0.1);
    FrMaterial material = test_material(1e6, 0.3, 0.0);
    FrCorot *body = make(ctx, &mesh, &material);
    FrRandom r = fr_random_for(3, "forces", 0);
    double *p = calloc(3 * (size_t)mesh.node_count, sizeof *p);
    for (int k = 0; k < 50; k++) {
        FrMat3 Q = random_rotation(&r);
        for (int32_t n = 0; n < mesh.node_count; n++)
            fr_set3(p, n, fr_add(fr_mat3_apply(Q, fr_get3(mesh.x, n)), test_vec(&r, 0.03)));
        fr_corot_put(body, p, NULL, fr_vec3_zero);
        Sums s = sums_of(body);
        CHECK(fr_length(s.force) < 1e-12 * s.size);  // rounding
        CHECK(fr_length(s.torque) < 1e-12 * s.size); // rounding, arms below 1 m
    }
    strain_to(body, random_rotation(&r), p);
    CHECK(sums_of(body).size < 1e-12 * 1e6 * 0.01 * 64); // rounding of E h^2 a node
    free(p);
    finish(ctx, &mesh, body);
}

// of small displacements the forces are those of the finite-strain model            [S5 eq. 4]
TEST(small_displacements_give_the_forces_of_linear_fem) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 2, 2, 0.1);
    FrMaterial material = test_material(1e6, 0.3, 0.0);
    FrCorot *body = make(ctx, &mesh, &material);
    FrFem *fem = test_body(ctx, &mesh, &material);
    FrRandom r = fr_random_for(4, "forces", 0);
    double p[81], worst = 0.0, size = 0.0;
    const double *elastic, *viscous;
    for (int32_t n = 0; n < 27; n++) fr_set3(p, n, fr_add(fr_get3(mesh.x, n), test_vec(&r, 1e-7)));
    fr_corot_put(body, p, NULL, fr_vec3_zero);
    fr_fem_set_state(fem, p, NULL);
    fr_fem_internal_forces(fem, &elastic, &viscous);
    for (int k = 0; k < 81; k++) {
        worst = fr_max(worst, fabs(elastic[k] - body->f[k]));
        size = fr_max(size, fabs(elastic[k]));
    }
    CHECK(worst < 1e-5 * size); // model: strain 1e-6, second-order terms
    fr_fem_destroy(fem);
    finish(ctx, &mesh, body);
}

// K' of the matrix is what the frozen forces of a step follow from                  [S5 eq. 7]
TEST(the_matrix_is_that_of_the_forces) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 2, 2, 0.1);
    FrMaterial material = test_material(1e6, 0.3, 0.01);
    FrCorot *body = make(ctx, &mesh, &material);
    FrRandom r = fr_random_for(5, "matrix", 0);
    double p[81], d[81], y[81], before[81], after[81], dt = 0.01, worst = 0.0, size = 0.0;
    FrCorotSums sums;
    for (int32_t n = 0; n < 27; n++) {
        fr_set3(p, n, fr_add(fr_get3(mesh.x, n), test_vec(&r, 0.03)));
        fr_set3(d, n, test_vec(&r, 0.02));
    }
    fr_corot_put(body, p, NULL, fr_vec3_zero);
    memcpy(before, body->f, sizeof before);
    fr_corot_assemble(body, dt);
    for (int32_t n = 0; n < 27; n++) { // A d / dt, blocks by columns
        FrVec3 sum = fr_vec3_zero;
        for (int32_t k = body->A.start[n]; k < body->A.start[n + 1]; k++) {
            const double *B = body->A.value + 9 * k;
            FrMat3 block = fr_mat3(fr_get3(B, 0), fr_get3(B, 1), fr_get3(B, 2));
            sum = fr_add(sum, fr_mat3_apply(block, fr_get3(d, body->A.column[k])));
        }
        fr_set3(y, n, fr_axpy(-body->mass[n], fr_get3(d, n), sum));
    }
    for (int k = 0; k < 81; k++) body->p[k] += d[k];
    memcpy(body->q, body->p, sizeof p);
    fr_corot_renew(body, d, dt, &sums);
    fr_corot_gather(body, body->frozen, after);
    for (int k = 0; k < 81; k++) {
        worst = fr_max(worst, fabs(y[k] / (dt * dt) + (after[k] - before[k])));
        size = fr_max(size, fabs(after[k]));
    }
    CHECK(worst < 1e-11 * size); // rounding
    finish(ctx, &mesh, body);
}

// a block that flowed to another form rests there: K' x + f0' - f_pl = 0       [S5 eq. 16] (E13)
TEST(the_plastic_rest_state_has_no_force) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(1, 1, 1, 1.0);
    FrMaterial material = test_material(1e6, 0.3, 0.0);
    FrCorot *body = make(ctx, &mesh, &material);
    FrMat3 U = {{1.2, 0.1, 0.0}, {0.1, 0.9, 0.05}, {0.0, 0.05, 0.95}};
    const double Ep[6] = {0.2, -0.1, -0.05, 0.05, 0.0, 0.1};
    FrRandom r = fr_random_for(6, "plastic", 0);
    double p[24];
    for (int32_t k = 0; k < body->block_count; k++)
        for (int c = 0; c < 6; c++)
            for (int lane = 0; lane < FR_LANES; lane++) body->block[k].Ep[c][lane] = Ep[c];
    strain_to(body, fr_mat3_mul(random_rotation(&r), U), p);
    CHECK(sums_of(body).size < 1e-12 * 1e6); // rounding of E h^2
    finish(ctx, &mesh, body);
}

// A regular tet that breathes is one oscillator: v+ = (v - dt w^2 x)/(1 + dt c + dt^2 w^2)   [M12]
TEST(one_mode_follows_implicit_euler) {
    FrContext *ctx = test_context(1);
    double x[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    int32_t tet[1][4] = {{0, 2, 1, 3}};
    FrTetMesh mesh = {.node_count = 4, .corner_count = 4, .tet_count = 1, .order = 1, .x = x};
    mesh.tet = tet;
    FrMaterial material = test_material(1e3, 0.3, 0.02);
    FrCorot *body = make(ctx, &mesh, &material);
    double a = 0.01, rate = 0.3, dt = 0.05, p[12], v[12], volume = 8.0 / 3.0;
    for (int k = 0; k < 12; k++) p[k] = (1.0 + a) * x[k], v[k] = rate * x[k];
    fr_corot_put(body, p, v, fr_vec3_zero);
    // energy V/2 (9 lambda + 6 mu) a^2, inertia sum m x^2 = rho V 3
    double w2 = (9.0 * material.lambda + 6.0 * material.mu) / (3.0 * material.density);
    double c = material.alpha1 * w2;
    double wanted = (rate - dt * w2 * a) / (1.0 + dt * c + dt * dt * w2);
    FrMeetStep step = {.dt = dt};
    int32_t failed;
    CHECK_OK(ctx, fr_corot_step(&body, 1, &step, &failed));
    for (int k = 0; k < 12; k++) CHECK_NEAR(body->v[k], wanted * x[k], 1e-12); // rounding
    (void)volume;
    fr_corot_destroy(body);
    fr_context_destroy(ctx);
}

// what is above the yield strain flows at once, or by creep, no more than all of it; the limit
// holds; volume is kept                                   [S5 section 3] [M4] (E15) (E17)
TEST(it_flows_as_it_is_told) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(1, 1, 1, 1.0);
    FrMaterial material = test_material(1e6, 0.3, 0.0);
    FrMat3 U = {{1.1, 0, 0}, {0, 0.95, 0}, {0, 0, 0.95}};
    double norm = sqrt(0.1 * 0.1 + 2 * 0.05 * 0.05), p[24];
    material.yield_strain = 0.02, material.plastic_limit = 0.5;
    for (int kind = 0; kind < 3; kind++) {
        material.creep = kind == 1 ? 10.0 : 0.0;
        if (kind == 2) material.plastic_limit = 0.03;
        FrCorot *one = make(ctx, &mesh, &material), *many = make(ctx, &mesh, &material);
        FrCorotSums sums;
        strain_to(one, U, p), strain_to(many, U, p);
        fr_corot_renew(one, NULL, 0.04, &sums);
        for (int k = 0; k < 40; k++) fr_corot_renew(many, NULL, kind == 1 ? 1.0 : 0.001, &sums);
        FrSym3 Ep = fr_corot_plastic_strain(one, 0), also = fr_corot_plastic_strain(many, 0);
        double flowed = sqrt(fr_sym3_dot(Ep, Ep));
        double wanted = kind == 0 ? norm - 0.02 : kind == 1 ? 0.4 * norm : 0.03;
        CHECK_NEAR(flowed, wanted, 1e-12);                                           // rounding
        CHECK_NEAR(sqrt(fr_sym3_dot(also, also)), kind == 1 ? norm : wanted, 1e-12); // rounding
        CHECK_NEAR(fr_sym3_trace(Ep), 0.0, 1e-14);                                   // rounding
        CHECK_NEAR(Ep.xx / flowed, 0.1 / norm, 1e-12);                               // rounding
        fr_corot_destroy(one);
        fr_corot_destroy(many);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a steady flow has the stress of its rate, 2 mu rate / creep, whatever the step is       [M4]
TEST(a_steady_flow_does_not_ask_for_the_step) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(1, 1, 1, 1.0);
    FrMaterial material = test_material(1e6, 0.3, 0.0);
    material.yield_strain = 1e-6, material.plastic_limit = 10.0, material.creep = 50.0;
    double rate = 0.5, p[24]; // 1/s, of xx; half of it less of yy and zz
    for (int k = 0; k < 3; k++) {
        FrCorot *body = make(ctx, &mesh, &material);
        double dt = 0.005 * (1 << k), stretch = 0.0;
        FrCorotSums sums;
        for (int step = 0; step < 80 >> k; step++) {
            stretch += rate * dt;
            FrMat3 U = {
                {1.0 + stretch, 0, 0}, {0, 1.0 - 0.5 * stretch, 0}, {0, 0, 1.0 - 0.5 * stretch}};
            strain_to(body, U, p);
            if (step + 1 < 80 >> k) fr_corot_renew(body, NULL, dt, &sums);
        }
        double elastic = stretch - fr_corot_plastic_strain(body, 0).xx;
        CHECK_NEAR(elastic, rate / material.creep, 1e-5); // rounding, and what is left of the start
        fr_corot_destroy(body);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// the two builds of the kernels, bit by bit
TEST(lanes_do_not_matter) {
    if (!fr_cpu_has_avx2()) return;
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(3, 2, 2, 0.1);
    FrMaterial material = test_material(1e6, 0.3, 0.01);
    FrRandom r = fr_random_for(8, "lanes", 0);
    FrCorot *body[2];
    FrCorotSums sums[2];
    double p[108], d[108];
    for (int k = 0; k < 108; k++)
        p[k] = mesh.x[k] + test_random(&r, 0.08), d[k] = test_random(&r, 0.01);
    material.yield_strain = 0.01, material.plastic_limit = 0.5, material.creep = 3.0;
    for (int i = 0; i < 2; i++) {
        FrCorot *b = body[i] = make(ctx, &mesh, &material);
        memcpy(b->p, p, sizeof p);
        FrCorotPass pass = {b->p, b->p, d, 0.01, false, b->block, b->now, b->frozen, b->force};
        FrCorotRows rows = {b->now, b->entry, b->first, b->mass, b->drag, 0.01, &b->A};
        (i ? fr_corot_tets_avx2 : fr_corot_tets_portable)(&pass, 0, b->block_count, &sums[i]);
        (i ? fr_corot_rows_avx2 : fr_corot_rows_portable)(&rows, 0, b->node_count);
    }
    size_t corners = 12 * (size_t)mesh.tet_count * sizeof(double);
    size_t numbers = 9 * (size_t)body[0]->A.start[36] * sizeof(double);
    CHECK(memcmp(&sums[0], &sums[1], sizeof sums[0]) == 0);
    CHECK(memcmp(body[0]->force, body[1]->force, corners) == 0);
    CHECK(memcmp(body[0]->frozen, body[1]->frozen, corners) == 0);
    CHECK(memcmp(body[0]->A.value, body[1]->A.value, numbers) == 0);
    fr_corot_destroy(body[1]);
    finish(ctx, &mesh, body[0]);
}
