// fem_matrices.c: stiffness and mass at rest against closed forms, forces and invariants.

#include "modal_kit.h"
#include "base/random.h"
#include "fem_probe.h"
#include "mesh/order2.h"
#include "stiffness_kit.h"

static FrMaterial steel(void) { return kit_material(7800.0, 2e11, 0.3); }

// a ball meshed by a box whose nodes are pushed onto it would be flat-sided; the mid-nodes of this
// one lie on a sphere
static FrTetMesh curved_mesh(FrContext *ctx) {
    FrTetMesh m = kit_box(ctx, fr_vec3(1, 1, 1), 2, 2, 2, 2);
    // a smooth bend moves corners and mid-nodes alike, so that sides become curved
    for (int32_t n = 0; n < m.node_count; n++) {
        FrVec3 x = fr_get3(m.x, n);
        fr_set3(m.x, n,
                fr_vec3(x.x + 0.15 * x.y * x.y, x.y + 0.1 * x.z * x.x, x.z - 0.1 * x.x * x.x));
    }
    return m;
}

static double power(double x, int n) {
    double p = 1.0;
    for (int k = 0; k < n; k++) p *= x;
    return p;
}

// integral of b1^i b2^j b3^k over a tet of volume 1 is 6 i! j! k! / (i + j + k + 3)!
TEST(rule_is_exact_to_degree_5) {
    static const double factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320};
    FrTetRule rule;
    fr_tet_rule(&rule);
    for (int i = 0; i <= 5; i++)
        for (int j = 0; i + j <= 5; j++)
            for (int k = 0; i + j + k <= 5; k++) {
                double sum = 0.0;
                for (int q = 0; q < FR_TET_RULE; q++)
                    sum += rule.weight[q] * power(rule.b[q][1], i) * power(rule.b[q][2], j) *
                           power(rule.b[q][3], k);
                double exact =
                    6.0 * factorial[i] * factorial[j] * factorial[k] / factorial[i + j + k + 3];
                CHECK_NEAR(sum, exact, 1e-15); // rounding: sums of 14 numbers below 1
            }
}

static const FrVec3 corner[4] = {{0.1, 0, 0}, {1.1, 0.2, 0}, {0.3, 0.9, 0.1}, {0.2, 0.1, 1.2}};

static FrTetMesh one_tet(FrContext *ctx) {
    static const int32_t tet[1][4] = {{0, 1, 2, 3}};
    FrTetMesh mesh = {0};
    CHECK_OK(ctx, fr_tetmesh_create(ctx, &corner[0].x, 4, tet, 1, &mesh));
    return mesh;
}

// k_ij,ab = vol (lambda G_ia G_jb + mu G_ib G_ja + mu G_i.G_j delta_ab), E6
TEST(linear_stiffness_is_the_closed_form) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh = one_tet(ctx);
    FrMaterial m = steel();
    double K[144];
    CHECK(fr_tet_stiffness(&mesh, 0, &m, K));
    FrElement e;
    CHECK(fr_element_make(corner, &e));
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 12; c++) {
            int i = r / 3, a = r % 3, j = c / 3, b = c % 3;
            double Gia = fr_vec3_get(e.G[i], a), Gjb = fr_vec3_get(e.G[j], b);
            double Gib = fr_vec3_get(e.G[i], b), Gja = fr_vec3_get(e.G[j], a);
            double k = e.volume * (m.lambda * Gia * Gjb + m.mu * Gib * Gja +
                                   (a == b ? m.mu * fr_dot(e.G[i], e.G[j]) : 0.0));
            CHECK_NEAR(K[12 * r + c], k, 1e-14 * K[0]); // some dozen roundings
        }
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// S4 prints half of this: the derivative of the force decides (E6)
TEST(stiffness_is_minus_the_tangent_of_the_force) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh = one_tet(ctx);
    FrMaterial m = steel();
    double K[144], step = 1e-5; // error of a central difference: step^2 of the third derivative
    CHECK(fr_tet_stiffness(&mesh, 0, &m, K));
    FrElement e;
    CHECK(fr_element_make(corner, &e));
    for (int c = 0; c < 12; c++) {
        FrVec3 p[4], plus[4], minus[4];
        for (int sign = -1; sign <= 1; sign += 2) {
            memcpy(p, corner, sizeof p);
            (&p[c / 3].x)[c % 3] += sign * step;
            element_elastic(&e, &m, p, sign > 0 ? plus : minus);
        }
        for (int r = 0; r < 12; r++) {
            double slope = ((&plus[r / 3].x)[r % 3] - (&minus[r / 3].x)[r % 3]) / (2.0 * step);
            // step: the tangent changes by its square; rounding 1e-16 / step
            CHECK_NEAR(-slope, K[12 * r + c], 1e-8 * K[0]);
        }
    }
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static FrMatrices assemble(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                           bool lumped, const uint8_t *held) {
    FrMatricesDef def = {mesh, material, 1, lumped, held};
    FrMatrices m = {0};
    CHECK_OK(ctx, fr_matrices_assemble(ctx, &def, &m));
    return m;
}

static void check_symmetric(const FrBlockMatrix *A) {
    for (int32_t n = 0; n < A->node_count; n++)
        for (int32_t k = A->start[n]; k < A->start[n + 1]; k++) {
            int32_t twin = fr_block_matrix_entry(A, A->column[k], n);
            for (int c = 0; c < A->width; c++)
                CHECK(A->value[A->width * k + c] ==
                      A->value[A->width * twin + (A->width == 9 ? 3 * (c % 3) + c / 3 : c)]);
        }
}

static double largest(const double *a, int32_t count) {
    double most = 0.0;
    for (int32_t k = 0; k < count; k++) most = fr_max(most, fabs(a[k]));
    return most;
}

// no force under the six rigid motions, also where sides are curved
static void check_rigid(FrContext *ctx, const FrTetMesh *mesh, const FrMatrices *m) {
    int32_t size = 3 * m->node_count;
    double *u = calloc(2 * (size_t)size, sizeof(double)), *f = u + size;
    for (int c = 0; c < 6; c++) {
        for (int32_t n = 0; n < m->node_count; n++) {
            FrVec3 axis = {c % 3 == 0, c % 3 == 1, c % 3 == 2};
            fr_set3(u, n, c < 3 ? axis : fr_cross(axis, fr_get3(mesh->x, n)));
        }
        fr_block_matrix_apply(ctx, &m->K, u, f, 1);
        // rounding of sums over some hundred entries
        CHECK(largest(f, size) < 1e-13 * largest(m->K.value, 9 * m->K.start[m->node_count]));
    }
    free(u);
}

static double total_mass(FrContext *ctx, const FrMatrices *m) {
    int32_t size = 3 * m->node_count;
    double *u = calloc(2 * (size_t)size, sizeof(double)), *f = u + size;
    for (int32_t n = 0; n < m->node_count; n++) fr_set3(u, n, fr_vec3(0, 1, 0));
    fr_block_matrix_apply(ctx, &m->M, u, f, 1);
    double mass = kit_dot(u, f, size);
    free(u);
    return mass;
}

TEST(symmetric_free_of_rigid_forces_and_of_the_right_mass) {
    FrContext *ctx = make_context(2);
    FrMaterial m = steel();
    for (int kind = 0; kind < 6; kind++) {
        FrTetMesh mesh =
            kind < 4 ? kit_box(ctx, fr_vec3(1, 1, 1), 2, 2, 2, 1 + kind / 2) : curved_mesh(ctx);
        FrMatrices a = assemble(ctx, &mesh, &m, kind % 2, NULL);
        double volume = mesh.order == 2 ? fr_order2_volume(&mesh) : 1.0;
        check_symmetric(&a.K);
        check_symmetric(&a.M);
        check_rigid(ctx, &mesh, &a);
        CHECK_CLOSE(total_mass(ctx, &a), 7800.0 * volume, 1e-13); // rounding: sums of 5000 numbers
        for (int32_t n = 0; n < a.node_count; n++)
            CHECK(a.M.value[fr_block_matrix_entry(&a.M, n, n)] > 0.0);
        fr_matrices_free(ctx, &a);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// stored energy of a displacement, J
static double energy(FrContext *ctx, const FrTetMesh *mesh, const FrMatrices *m,
                     FrVec3 (*field)(FrVec3)) {
    int32_t size = 3 * m->node_count;
    double *u = calloc(2 * (size_t)size, sizeof(double)), *f = u + size;
    for (int32_t n = 0; n < m->node_count; n++) fr_set3(u, n, field(fr_get3(mesh->x, n)));
    fr_block_matrix_apply(ctx, &m->K, u, f, 1);
    double half = 0.5 * kit_dot(u, f, size);
    free(u);
    return half;
}
static FrVec3 stretch(FrVec3 x) { return fr_vec3(1e-3 * x.x, 2e-3 * x.x, 0); }
static FrVec3 squares(FrVec3 x) { return fr_vec3(x.x * x.x, 0, 0); }

// patch test: a uniform strain has its exact energy in any mesh, and no force inside
TEST(patch_test) {
    FrContext *ctx = make_context(1);
    FrMaterial m = steel();
    for (int kind = 0; kind < 3; kind++) {
        FrTetMesh mesh =
            kind < 2 ? kit_box(ctx, fr_vec3(1, 1, 1), 2, 2, 2, 1 + kind) : curved_mesh(ctx);
        FrMatrices a = assemble(ctx, &mesh, &m, false, NULL);
        double volume = mesh.order == 2 ? fr_order2_volume(&mesh) : 1.0;
        // e_xx = 1e-3, e_xy = 1e-3: lambda/2 tr^2 + mu e:e
        double density = 0.5 * m.lambda * 1e-6 + m.mu * (1e-6 + 2e-6);
        // rounding, also with curved sides: the integrand is no polynomial, but u is exact and
        // strain uniform
        CHECK_CLOSE(energy(ctx, &mesh, &a, stretch), density * volume, 1e-11);
        fr_matrices_free(ctx, &a);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// u = (x^2, 0, 0) on a box of side 1 about 0: e_xx = 2 x, energy (lambda + 2 mu)/2 * 4/12
TEST(ten_nodes_hold_quadratic_fields) {
    FrContext *ctx = make_context(1);
    FrMaterial m = steel();
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), 2, 1, 2, 2);
    FrMatrices a = assemble(ctx, &mesh, &m, false, NULL);
    // rounding: sums over some tens of tets
    CHECK_CLOSE(energy(ctx, &mesh, &a, squares), (m.lambda + 2.0 * m.mu) / 6.0, 1e-13);
    fr_matrices_free(ctx, &a);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// kinetic energy of v = (x^2, 0, 0): rho/2 * integral x^4 = rho/2 / 80
TEST(ten_node_mass_is_exact_for_quadratic_fields) {
    FrContext *ctx = make_context(1);
    FrMaterial m = steel();
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), 1, 2, 1, 2);
    FrMatrices a = assemble(ctx, &mesh, &m, false, NULL);
    FrMatrices as_stiffness = a; // the same sum with M in the place of K
    as_stiffness.K = a.M;
    // rounding: sums over some tens of tets
    CHECK_CLOSE(energy(ctx, &mesh, &as_stiffness, squares), 7800.0 / 160.0, 1e-13);
    fr_matrices_free(ctx, &a);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(general_stiffness_of_an_isotropic_solid_is_the_same) {
    FrContext *ctx = make_context(1);
    FrMaterial m = steel(), general = m;
    general.anisotropic = true;
    isotropic_stiffness(m.lambda, m.mu, general.C);
    FrTetMesh mesh = curved_mesh(ctx);
    double a[900], b[900];
    CHECK(fr_tet_stiffness(&mesh, 5, &m, a) && fr_tet_stiffness(&mesh, 5, &general, b));
    // rounding: sums of 14 points
    for (int k = 0; k < 900; k++) CHECK_NEAR(a[k], b[k], 1e-13 * a[0]);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// stretching wood along y takes C_yy and along x C_xx; shearing xy takes C_xyxy
TEST(orthotropic_energy_by_axis) {
    FrContext *ctx = make_context(1);
    FrMaterial wood = kit_material(600.0, 1e9, 0.3);
    FrOrthotropic o = {12e9, 0.9e9, 0.5e9, 0.04e9, 0.7e9, 0.8e9, 0.4, 0.42, 0.6};
    CHECK(fr_material_set_orthotropic(&wood, &o));
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), 1, 1, 1, 1);
    FrMatrices a = assemble(ctx, &mesh, &wood, false, NULL);
    double both = 0.5 * (1e-6 * wood.C[0][0] + 4e-6 * wood.C[5][5]); // e_xx = 1e-3, gamma_xy = 2e-3
    CHECK_CLOSE(energy(ctx, &mesh, &a, stretch), both, 1e-13);       // rounding
    fr_matrices_free(ctx, &a);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(held_nodes_are_left_out) {
    FrContext *ctx = make_context(1);
    FrMaterial m = steel();
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), 2, 2, 2, 2);
    uint8_t *held = calloc((size_t)mesh.node_count, 1);
    for (int32_t n = 0; n < mesh.node_count; n++) held[n] = mesh.x[3 * n] < -0.4;
    FrMatrices all = assemble(ctx, &mesh, &m, false, NULL),
               some = assemble(ctx, &mesh, &m, false, held);
    CHECK(some.node_count < all.node_count && some.node_count > 0);
    for (int32_t n = 0; n < some.node_count; n++)
        for (int32_t k = some.K.start[n]; k < some.K.start[n + 1]; k++) {
            int32_t same = fr_block_matrix_entry(&all.K, some.node[n], some.node[some.K.column[k]]);
            CHECK(!memcmp(some.K.value + 9 * k, all.K.value + 9 * same, 9 * sizeof(double)));
        }
    memset(held, 1, (size_t)mesh.node_count);
    FrMatricesDef def = {&mesh, &m, 1, false, held};
    FrMatrices none;
    CHECK_INT(fr_matrices_assemble(ctx, &def, &none), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "nothing can move");
    fr_matrices_free(ctx, &all);
    fr_matrices_free(ctx, &some);
    fr_tetmesh_free(ctx, &mesh);
    free(held);
    fr_context_destroy(ctx);
}

// columns of K - s M are those of the blocks
TEST(shifted_columns) {
    FrContext *ctx = make_context(1);
    FrMaterial m = steel();
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), 1, 2, 1, 1);
    for (int lumped = 0; lumped < 2; lumped++) {
        FrMatrices a = assemble(ctx, &mesh, &m, lumped, NULL);
        FrSparse s;
        CHECK_OK(ctx, fr_sparse_shifted(ctx, &a.K, -3e7, &a.M, &s));
        int32_t size = s.size;
        CHECK_INT(size, 3 * a.node_count);
        double *x = calloc(5 * (size_t)size, sizeof(double)), *y = x + size, *Kx = y + size,
               *Mx = Kx + size;
        FrRandom r = fr_random_for(1, "columns", 0);
        for (int32_t k = 0; k < size; k++) x[k] = fr_random_range(&r, -1, 1);
        for (int32_t c = 0; c < size; c++)
            for (int32_t k = s.start[c]; k < s.start[c + 1]; k++) {
                CHECK(s.row[k] >= c && (k == s.start[c] || s.row[k] > s.row[k - 1]));
                y[s.row[k]] += s.value[k] * x[c];
                if (s.row[k] != c) y[c] += s.value[k] * x[s.row[k]];
            }
        fr_block_matrix_apply(ctx, &a.K, x, Kx, 1);
        fr_block_matrix_apply(ctx, &a.M, x, Mx, 1);
        for (int32_t k = 0; k < size; k++)
            // rounding: the same sums in another order
            CHECK_NEAR(y[k], Kx[k] + 3e7 * Mx[k], 1e-13 * largest(Kx, size));
        free(x);
        fr_sparse_free(ctx, &s);
        fr_matrices_free(ctx, &a);
    }
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(same_bits_for_any_number_of_workers) {
    FrMaterial m = steel();
    FrMatrices one = {0};
    FrContext *first = make_context(1);
    FrTetMesh mesh = kit_box(first, fr_vec3(1, 1, 1), 6, 5, 7, 2);
    one = assemble(first, &mesh, &m, false, NULL);
    int32_t size = 3 * one.node_count, columns = 11;
    double *X = calloc(3 * (size_t)(size * columns), sizeof(double));
    double *Y = X + size * columns, *Z = Y + size * columns;
    FrRandom r = fr_random_for(1, "product", 0);
    for (int32_t k = 0; k < size * columns; k++) X[k] = fr_random_range(&r, -1, 1);
    fr_block_matrix_apply(first, &one.K, X, Y, columns);
    for (int workers = 2; workers <= 4; workers++) {
        FrContext *ctx = make_context(workers);
        FrMatrices more = assemble(ctx, &mesh, &m, false, NULL);
        size_t entries = (size_t)one.K.start[one.node_count];
        CHECK(!memcmp(one.K.value, more.K.value, 9 * entries * sizeof(double)));
        CHECK(!memcmp(one.M.value, more.M.value, entries * sizeof(double)));
        fr_block_matrix_apply(ctx, &more.K, X, Z, columns);
        CHECK(!memcmp(Y, Z, (size_t)(size * columns) * sizeof(double)));
        fr_matrices_free(ctx, &more);
        fr_context_destroy(ctx);
    }
    free(X);
    fr_matrices_free(first, &one);
    fr_tetmesh_free(first, &mesh);
    fr_context_destroy(first);
}

TEST(what_is_wrong_is_named) {
    FrContext *ctx = make_context(1);
    FrMaterial m = steel();
    FrMatrices a;
    double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5};
    int32_t tet[1][4] = {{0, 1, 2, 3}}, region[1] = {2};
    FrTetMesh mesh = {
        .node_count = 5, .corner_count = 5, .tet_count = 1, .order = 1, .x = x, .tet = tet};
    FrMatricesDef def = {&mesh, &m, 1, false, NULL};
    CHECK_INT(fr_matrices_assemble(ctx, &def, &a), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "node 4 at (5, 5, 5) belongs to no tet");
    mesh.node_count = 4;
    mesh.region = region;
    CHECK_INT(fr_matrices_assemble(ctx, &def, &a), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "tet 0 is of region 2; there are 1 materials");
    mesh.region = NULL;
    x[11] = 0.0;
    CHECK_INT(fr_matrices_assemble(ctx, &def, &a), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "has volume 0 m^3");
    CHECK(a.node == NULL);
    fr_context_destroy(ctx);
}

TEST(every_refused_allocation_is_survived) {
    FrContext *plain = make_context(1);
    FrTetMesh mesh = kit_box(plain, fr_vec3(1, 1, 1), 1, 1, 1, 1);
    FrMaterial m = steel();
    FrMatricesDef def = {&mesh, &m, 1, false, NULL};
    bool done = false;
    for (int k = 1; !done && k < 100; k++) {
        Refuser refuser = {0};
        FrContext *ctx = make_refusing_context(&refuser);
        int before = refuser.live;
        refuser.refuse_at = refuser.calls + k;
        FrMatrices a = {0};
        FrSparse s = {0};
        FrResult result = fr_matrices_assemble(ctx, &def, &a);
        if (result == FR_OK) result = fr_sparse_shifted(ctx, &a.K, -1.0, &a.M, &s);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        done = result == FR_OK;
        fr_sparse_free(ctx, &s);
        fr_matrices_free(ctx, &a);
        CHECK_INT(refuser.live, before);
        fr_context_destroy(ctx);
    }
    CHECK(done);
    fr_tetmesh_free(plain, &mesh);
    fr_context_destroy(plain);
}
