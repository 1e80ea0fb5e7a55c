// bits.c: five small worlds end in the bits written down here: any compiler, options, lanes.
//
// A change of physics changes them: look at what the test says and write the new ones down, with
// the reason in the commit. Nothing else may: not the compiler, not its options, not the number of
// workers, not AVX2. The C library hardly takes part: restitution 0 and 1 need no logarithm,
// nothing turns, and only the size of a ball is a cbrt. Of the last world LAPACK finds the modes,
// and exponentials move them: these are the system's, whoever compiles us.

#include "fracas/studio.h"
#include "world_kit.h"
#include <inttypes.h>

static void check_hash(FrContext *ctx, FrWorld *world, double until, const char *name,
                       uint64_t wanted) {
    test_run(ctx, world, until);
    uint64_t found = fr_world_hash(world);
    test_checks++;
    if (found != wanted)
        TEST_FAIL("%s: state hash 0x%016" PRIx64 ", wanted 0x%016" PRIx64, name, found, wanted);
    fr_world_destroy(world);
}

static FrMaterial material_of(double young, double restitution) {
    FrMaterial material = elastic_material(young, 0.3);
    material.restitution = restitution;
    material.alpha1 = 1e-4;
    fr_material_set_young(&material, young, 0.3);
    return material;
}

// a fixed substep: a better bound of the stable step changes no bits here; the collision steps by
// the bound
static FrWorld *even_steps(FrContext *ctx, FrVec3 gravity) {
    FrWorldDef def = fr_world_def_default();
    def.gravity = gravity;
    def.substep = 1.0 / 240.0 / 32;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

// two soft boxes meet off centre above the ground and fall on it: both kernels, overlaps, friction
static void collide(int32_t workers, uint64_t wanted) {
    FrContext *ctx = test_context(workers);
    FrTetMesh box = test_box(4, 4, 4, 0.05);
    FrMaterial material = material_of(2e5, 0.0);
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    world_body(ctx, world, &box, &material, fr_vec3(0, 0, 0.02), fr_vec3(1, 0, -0.5));
    world_body(ctx, world, &box, &material, fr_vec3(0.25, 0.08, 0.03), fr_vec3(-1, 0, -0.5));
    check_hash(ctx, world, 0.15, "collision", wanted);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

TEST(collision) {
    uint64_t wanted = 0x8cbba745f35899e6;
    collide(1, wanted);
    collide(3, wanted);
}

// a wooden bar held at one end, led at the other and let go: anisotropic kernel, damping, drives
TEST(driven_bar) {
    FrContext *ctx = test_context(2);
    FrTetMesh bar = test_box(8, 2, 2, 0.05);
    FrMaterial wood = material_of(1e6, 1.0);
    FrOrthotropic grain = {1.2e6, 1e5, 6e4, 4e4, 5e4, 8e4, 0.3, 0.4, 0.4};
    CHECK(fr_material_set_orthotropic(&wood, &grain));
    FrWorld *world = even_steps(ctx, fr_vec3(0, 0, -9.81));
    FrBodyId id = world_body(ctx, world, &bar, &wood, fr_vec3_zero, fr_vec3_zero);
    FrKey key[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {0.1, {0.02, 0, 0.03}, {1, 0, 0, 0}}};
    world_drive_end(ctx, world, id, &bar, 0.0, (FrTrack){0}, HUGE_VAL);
    FrTrack track = {key, 2, {0, 0, 0}};
    world_drive_end(ctx, world, id, &bar, 0.4, track, 0.15);
    check_hash(ctx, world, 0.25, "driven bar", 0x368343fd560d1689);
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

// a kinematic sphere pushes a box through free space: balls against tets
TEST(sphere_push) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(4, 4, 4, 0.05);
    FrMaterial material = material_of(5e5, 1.0);
    FrWorld *world = even_steps(ctx, fr_vec3_zero);
    world_body(ctx, world, &box, &material, fr_vec3(0, -0.08, -0.1), fr_vec3_zero);
    world_pusher(ctx, world, &material);
    check_hash(ctx, world, 0.2, "sphere push", 0xe73da217946bfe78);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// a bar of material that yields is pulled, let go and keeps its length: plastic flow
TEST(yielding_bar) {
    FrContext *ctx = test_context(2);
    FrTetMesh bar = test_box(8, 2, 2, 0.05);
    FrMaterial material = material_of(1e6, 1.0);
    material.yield_strain = 0.01;
    material.plastic_limit = 0.04;
    FrWorld *world = even_steps(ctx, fr_vec3(0, 0, -9.81));
    FrBodyId id = world_body(ctx, world, &bar, &material, fr_vec3_zero, fr_vec3_zero);
    FrKey key[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {0.1, {0.04, 0, 0}, {1, 0, 0, 0}}};
    world_drive_end(ctx, world, id, &bar, 0.0, (FrTrack){0}, HUGE_VAL);
    FrTrack track = {key, 2, {0, 0, 0}};
    world_drive_end(ctx, world, id, &bar, 0.4, track, 0.12);
    check_hash(ctx, world, 0.2, "yielding bar", 0xf37fcf54e898f873);
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

// two cubes that bend by modes, one of them spinning, fall on each other and on the ground [S1]
TEST(bending_cubes) {
    FrContextDef context = fr_context_def_default();
    context.backend = fr_studio_backend();
    FrContext *ctx = fr_context_create(&context);
    FrMaterial m = material_of(1e5, 0.0);
    FrWorld *world = even_steps(ctx, fr_vec3(0, 0, -9.81));
    FrTetMesh mesh = test_box(2, 2, 2, 0.1);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &m));
    for (int k = 0; k < 2; k++) {
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        def.model = FR_MODEL_MODAL;
        def.mesh = &mesh;
        def.material = &m;
        def.material_count = 1;
        def.modes = 12;
        def.position = fr_vec3(0.03 * k, 0.02 * k, 0.05 + 0.3 * k);
        def.spin = fr_vec3(0, 2.0 * k, 1.0 * k);
        def.turning = k == 1;
        CHECK_OK(ctx, fr_body_create(world, &def, &id));
    }
    check_hash(ctx, world, 0.4, "bending cubes", 0xe6f22f0a06ddb420);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}
