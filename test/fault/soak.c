// soak.c: a free body without damping, stepped for long: momentum stays to rounding, energy stays
// within a band and does not creep. SOAK_STEPS: substeps (2000).

#include "test.h"
#include "fracas/world.h"
#include "math/vec.h"
#include "mesh/structured.h"

static FrMaterial material(void) {
    FrMaterial m = {.name = "test", .density = 1000.0};
    m.lambda = m.mu = 4e4; // 100 kPa: a soft rubber
    m.opacity = 1.0f;
    return m;
}

static double total(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic;
}

TEST(a_free_body_keeps_its_motion) {
    const char *text = getenv("SOAK_STEPS");
    int64_t steps = text ? atoll(text) : 2000;
    FrContextDef context = fr_context_def_default();
    context.tasks.workers = 1;
    FrContext *ctx = fr_context_create(&context);
    FrTetMesh mesh;
    FrMaterial m = material();
    FrWorldDef def = fr_world_def_default();
    FrWorld *world;
    FrBodyDef body = fr_body_def_default();
    FrBodyId id;
    def.gravity = fr_vec3_zero;
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, (FrBox){{-0.1, -0.05, -0.05}, {0.1, 0.05, 0.05}},
                                    (int32_t[3]){4, 2, 2}, &mesh));
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    body.mesh = &mesh;
    body.material = &m;
    body.material_count = 1;
    body.velocity = fr_vec3(1, 0.5, -0.25);
    body.spin = fr_vec3(10, 3, 20); // pulls it in length, so that it also rings
    CHECK_OK(ctx, fr_body_create(world, &body, &id));

    FrVec3 p0, l0, p, l;
    fr_world_momentum(world, &p0, &l0);
    double e0 = total(world), low = e0, high = e0, first = 0.0, second = 0.0;
    int64_t count[2] = {0, 0};
    while (fr_world_stats(world).steps < steps && fr_world_step(world) == FR_OK) {
        double e = total(world);
        bool late = fr_world_stats(world).steps > steps / 2;
        *(late ? &second : &first) += e;
        count[late]++;
        low = fr_min(low, e);
        high = fr_max(high, e);
    }
    fr_world_momentum(world, &p, &l);
    double drift = second / (double)count[1] - first / (double)count[0];
    double p_gap = fr_distance(p, p0) / fr_length(p0), l_gap = fr_distance(l, l0) / fr_length(l0);
    printf("  %lld steps, %.3g s: momentum off by %.1e, spin by %.1e; energy in a band of %.1e, "
           "its mean moved by %.1e\n",
           (long long)fr_world_stats(world).steps, fr_world_time(world), p_gap, l_gap,
           (high - low) / e0, drift / e0);
    CHECK(fr_world_stats(world).steps >= steps);
    // rounding: sums of +-1e-16 grow as the root of the steps: 1e-16 sqrt(1e5) x a few
    CHECK(p_gap < 1e-12);
    // symplectic steps keep it but for rounding, as forces act along lines between nodes
    CHECK(l_gap < 1e-9);
    // step: the energy of symplectic steps swings with the elastic part (found: 2e-4), and does not
    // creep
    CHECK((high - low) < 0.002 * e0);
    CHECK(fabs(drift) < 1e-4 * e0);
    fr_world_destroy(world);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}
