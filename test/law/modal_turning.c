// modal_turning.c: a body that spins and bends: a ring widens, energy and angular momentum stay,
// and nothing happens to what does not spin.

#include "modal_kit.h"
#include "rigid_kit.h"
#include "modal/turning.h"

static FrBodyDef spinning(const FrMaterial *m, const FrTetMesh *mesh, int modes, FrVec3 spin) {
    FrBodyDef def = fr_body_def_default();
    def.model = FR_MODEL_MODAL;
    def.mesh = mesh;
    def.material = m;
    def.material_count = 1;
    def.modes = modes;
    def.spin = spin;
    def.turning = true;
    return def;
}

static FrWorld *empty(FrContext *ctx, double step) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world;
    def.gravity = fr_vec3_zero;
    def.step = step;
    def.sleep_time = 0.0;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

// mean distance of the nodes from the axis, m
static double width(FrWorld *world, int32_t nodes) {
    FrBodyFrame f = frame_at(world, 0);
    double sum = 0.0;
    for (int32_t n = 0; n < nodes; n++)
        sum += hypot(f.p[3 * n] - f.position.x, f.p[3 * n + 1] - f.position.y);
    return sum / nodes;
}

// A thin ring widens by rho w^2 r^3 / E, and to the side its spin falls with its inertia.     [M33]
TEST(a_spinning_ring_widens) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_tube(ctx, 0.105, 0.095, 0.01, 5e-3, &mesh));
    FrMaterial m = kit_material(1000.0, 1e6, 0.0);
    m.alpha1 = 5e-3; // dies within some strokes
    const double w = 20.0, r = 0.1;
    FrWorld *world = empty(ctx, 1.0 / 240);
    FrBodyDef def = spinning(&m, &mesh, 60, fr_vec3(0, 0, w));
    put(ctx, world, &def);
    double rest = width(world, mesh.node_count);
    for (int i = 0; i < 480; i++) CHECK_OK(ctx, world_step(world));
    double wider = width(world, mesh.node_count) - rest, ring = 1000.0 * w * w * r * r * r / 1e6;
    printf("  wider by %.4g m, a thin ring by %.4g\n", wider, ring);
    CHECK_CLOSE(wider, ring, 0.03); // mesh: two cells across a wall of a tenth; first order
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a lump spins about no axis of its own and quivers
static double drift(FrContext *ctx, const FrTetMesh *mesh, double step, double *turned) {
    FrMaterial m = kit_material(1000.0, 3e4, 0.3);
    FrWorld *world = empty(ctx, step);
    FrBodyDef def = spinning(&m, mesh, 20, fr_vec3(5, 3, -4));
    put(ctx, world, &def);
    FrEnergy e;
    FrVec3 p, L0, L;
    fr_world_energy(world, &e);
    fr_world_momentum(world, &p, &L0);
    double start = e.kinetic + e.elastic, worst = 0.0, bent = 0.0;
    for (int i = 0; i < (int)(1.0 / step + 0.5); i++) {
        CHECK_OK(ctx, world_step(world));
        fr_world_energy(world, &e);
        worst = fr_max(worst, fabs(e.kinetic + e.elastic - start) / start);
        bent = fr_max(bent, e.elastic / start);
    }
    fr_world_momentum(world, &p, &L);
    CHECK(fr_distance(L, L0) < 1e-12 * fr_length(L0)); // rounding
    CHECK(bent > 1e-4);                                // modes take part
    FrQuat q = frame_at(world, 0).rotation;
    *turned = atan2(q.z, q.w);
    fr_world_destroy(world);
    return worst;
}

// all terms on: energy stays to 1e-6 with short steps, and comes nearer by the square of the step
TEST(energy_and_momentum_of_a_spinning_body_stay) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.3, 0.2, 0.1), 4, 3, 2, 1);
    double a, b, usual = drift(ctx, &mesh, 1.0 / 240, &a), fine = drift(ctx, &mesh, 1.0 / 960, &b);
    double finest = drift(ctx, &mesh, 1.0 / 3840, &b);
    printf("  energy off by %.2g, %.2g, %.2g with steps of 1/240, 1/960, 1/3840 s\n", usual, fine,
           finest);
    CHECK(usual < 1e-4 && finest < 1e-6);             // step: second order
    CHECK(fine < 0.1 * usual && finest < 0.1 * fine); // step: a sixteenth
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// without spin they do nothing, to the bit; with it another motion
TEST(only_spin_matters) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.2, 0.2, 0.2), 3, 3, 3, 1);
    FrMaterial m = rigid_material(0.0, 0.0);
    fr_material_set_young(&m, 3e4, 0.3);
    uint64_t hash[2][2];
    for (int k = 0; k < 4; k++) {
        FrWorld *world = empty(ctx, 1.0 / 240);
        FrBodyDef def = spinning(&m, &mesh, 12, k / 2 ? fr_vec3(0, 3, 2) : fr_vec3_zero);
        def.turning = k % 2;
        FrBodyId id = put(ctx, world, &def);
        if (k / 2 == 0) // through the centre: it bends and moves, and does not turn
            CHECK_OK(ctx, fr_body_add_impulse(world, id, fr_vec3(0, 0, 0), fr_vec3(0, 0, 0)));
        for (int i = 0; i < 30; i++) CHECK_OK(ctx, world_step(world));
        hash[k / 2][k % 2] = fr_world_hash(world);
        fr_world_destroy(world);
    }
    CHECK(hash[0][0] == hash[0][1]);
    CHECK(hash[1][0] != hash[1][1]);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}
