// fracture_bar.c: a bar that is pulled breaks at its strength, whatever the mesh; what a break does
// to momentum and energy.

#include "fracture/fracture.h"
#include "fem_mesh.h"

typedef struct Bar {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial stuff;
    FrFem *fem;
    FrFracture *fracture;
    int cells;     ///< across
    double *share; ///< of a cell's face, for nodes on the ends (node_count)
} Bar;

/// a sixth for each triangle of an end face round the node
static void find_shares(Bar *b) {
    b->share = calloc((size_t)b->mesh.node_count, sizeof *b->share);
    for (int32_t e = 0; e < b->mesh.tet_count; e++)
        for (int i = 0; i < 4; i++)
            for (int side = 0; side < 2; side++) {
                int on = 0;
                for (int j = 0; j < 4; j++) // the face opposite corner i
                    on += j != i && fabs(b->mesh.x[3 * b->mesh.tet[e][j]] - 0.4 * side) < 1e-9;
                for (int j = 0; on == 3 && j < 4; j++)
                    if (j != i) b->share[b->mesh.tet[e][j]] += 1.0 / 6.0;
            }
}

/// 40 x 10 x 10 cm, `cells` across
static Bar bar_make(int cells, double poisson, double strength, double jitter) {
    double h = 0.1 / cells;
    Bar b = {.ctx = test_context(1), .mesh = test_box(4 * cells, cells, cells, h), .cells = cells};
    test_jitter(&b.mesh, 4 * cells, cells, cells, h, jitter * h);
    find_shares(&b);
    b.stuff = test_material(1e6, poisson, 2e-4);
    b.stuff.density = 1000.0;
    b.stuff.strength = strength;
    b.fem = test_body(b.ctx, &b.mesh, &b.stuff);
    FrToughness toughness = {.strength = strength};
    FrFractureDef def = fr_fracture_def_default();
    def.mesh = &b.mesh;
    def.toughness = &toughness;
    def.material_count = 1;
    CHECK_OK(b.ctx, fr_fracture_create(b.ctx, b.fem, &def, &b.fracture));
    return b;
}

static void bar_free(Bar *b) {
    fr_fracture_destroy(b->fracture);
    fr_fem_destroy(b->fem);
    test_mesh_free(&b->mesh);
    free(b->share);
    fr_context_destroy(b->ctx);
}

/// force on the end faces: each triangle hands a third of its own to its corners
static void pull(Bar *b, double stress) {
    double h = 0.1 / b->cells, cell = stress * h * h;
    for (int32_t n = 0; n < b->mesh.node_count; n++) {
        FrVec3 x = fr_get3(b->mesh.x, n);
        double side = x.x < 1e-9 ? -1.0 : x.x > 0.4 - 1e-9 ? 1.0 : 0.0;
        if (side != 0.0)
            fr_fem_add_force(b->fem, FR_FEM_LOAD, n, fr_vec3(side * cell * b->share[n], 0, 0));
    }
}

/// Pa at which the first crack comes, loading over 10 times the way of a wave there and back
static double breaking_stress(Bar *b, double strength) {
    double T = 10.0 * 0.8 / sqrt(1e6 / 1000.0), dt = 0.8 * fr_fem_dt_limit(b->fem);
    for (double t = 0.0; t < 1.3 * T; t += dt) {
        double stress = strength * t / T;
        pull(b, stress);
        CHECK_OK(b->ctx, fr_fem_step(b->fem, dt, fr_vec3_zero));
        FrFractureResult result;
        CHECK_OK(b->ctx, fr_fracture_step(b->fracture, t, &result));
        if (result.crack_count) {
            CHECK(fabs(result.crack[0].n.x) > 0.99);
            return stress;
        }
    }
    return 0.0;
}

TEST(a_pulled_bar_breaks_at_its_strength) {
    double strength = 2000.0; // strain 0.002
    for (int cells = 1; cells <= 3; cells++) {
        Bar b = bar_make(cells, 0.3, strength, cells == 2 ? 0.15 : 0.0);
        // 5 %: the end goes on being pulled while the wave is under way, 1/20 of the ramp
        CHECK_CLOSE(breaking_stress(&b, strength), strength, 0.05);
        bar_free(&b);
    }
}
