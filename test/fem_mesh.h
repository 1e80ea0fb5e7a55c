// fem_mesh.h: small meshes, contexts and materials for the tests of deformable bodies.
#pragma once
#include "fem/fem.h"
#include "base/random.h"
#include "test.h"
#include "context.h"

static inline FrContext *test_context(int32_t workers) { return make_context(workers); }

/// nx x ny x nz cells of size h, six tets each around the diagonal (Kuhn)
static inline FrTetMesh test_box(int nx, int ny, int nz, double h) {
    static const int path[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}};
    int mx = nx + 1, my = ny + 1, step[3] = {1, mx, mx * my};
    FrTetMesh m = {.node_count = mx * my * (nz + 1), .tet_count = 6 * nx * ny * nz, .order = 1};
    m.corner_count = m.node_count;
    m.x = calloc(3 * (size_t)m.node_count, sizeof(double));
    m.tet = calloc((size_t)m.tet_count, sizeof m.tet[0]);
    for (int n = 0; n < m.node_count; n++)
        fr_set3(m.x, n, fr_vec3(h * (n % mx), h * (n / mx % my), h * (n / (mx * my))));
    for (int c = 0; c < nx * ny * nz; c++) {
        int corner = c % nx + mx * (c / nx % ny) + mx * my * (c / (nx * ny));
        for (int k = 0; k < 6; k++) {
            int first = corner + step[path[k][0]], second = first + step[path[k][1]];
            int32_t *t = m.tet[6 * c + k];
            t[0] = corner;
            t[1] = k < 3 ? first : second;
            t[2] = k < 3 ? second : first;
            t[3] = corner + step[0] + step[1] + step[2];
        }
    }
    return m;
}

/// is node n of a test_box on its outside?
static inline bool test_on_box(const FrTetMesh *m, int n, int nx, int ny, int nz, double h) {
    FrVec3 x = fr_get3(m->x, n);
    double e = 1e-9 * h;
    return x.x < e || x.y < e || x.z < e || x.x > nx * h - e || x.y > ny * h - e ||
           x.z > nz * h - e;
}

/// move inside nodes at random by up to `by` (m): an unstructured mesh
static inline void test_jitter(FrTetMesh *m, int nx, int ny, int nz, double h, double by) {
    FrRandom r = fr_random_for(7, "jitter", 0);
    for (int n = 0; n < m->node_count; n++) {
        if (test_on_box(m, n, nx, ny, nz, h)) continue;
        double a = fr_random_range(&r, -by, by), b = fr_random_range(&r, -by, by);
        fr_add3(m->x, n, fr_vec3(a, b, fr_random_range(&r, -by, by)));
    }
}

static inline void test_mesh_free(FrTetMesh *m) {
    free(m->x);
    free(m->tet);
}

/// density 1, elastic only
static inline FrMaterial test_material(double young, double poisson, double alpha1) {
    FrMaterial m = {.name = "test", .density = 1.0, .alpha1 = alpha1};
    fr_material_set_young(&m, young, poisson);
    return m;
}

static inline FrFem *test_body(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material) {
    FrFemDef def = {
        .mesh = mesh, .material = material, .material_count = 1, .rotation = {1, 0, 0, 0}};
    FrFem *fem = NULL;
    CHECK_OK(ctx, fr_fem_create(ctx, &def, &fem));
    return fem;
}

/// What a test of one body made.
static inline void test_end(FrContext *ctx, FrTetMesh *mesh, FrFem *fem) {
    fr_fem_destroy(fem);
    test_mesh_free(mesh);
    fr_context_destroy(ctx);
}

static inline double test_random(FrRandom *r, double size) {
    return fr_random_range(r, -size, size);
}

static inline FrVec3 test_vec(FrRandom *r, double size) {
    double x = test_random(r, size), y = test_random(r, size);
    return fr_vec3(x, y, test_random(r, size));
}

static inline FrMat3 test_mat(FrRandom *r, double size) {
    FrVec3 a = test_vec(r, size), b = test_vec(r, size);
    return fr_mat3(a, b, test_vec(r, size));
}

/// the work balance of fr_fem_energy, J: constant while the ledger closes
static inline double test_ledger(FrFem *fem, FrVec3 gravity) {
    FrFemEnergy e;
    fr_fem_energy(fem, gravity, &e);
    return e.kinetic + e.elastic + e.damping - e.gravity_work - e.load_work - e.contact_work;
}
