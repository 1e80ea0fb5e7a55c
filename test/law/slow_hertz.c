// slow_hertz.c: a soft sphere stays on the ground as long as Hertz says. Slow: a few seconds.

#include "world_kit.h"
#include "mesh/stuffing.h"

#define RADIUS 0.1 // m
#define YOUNG 1e6  // Pa
#define POISSON 0.3

static double ball(const void *user, FrVec3 x) {
    (void)user;
    return fr_length(x) - RADIUS;
}

// fine where it touches, coarse inside: 37k tets
static FrTetMesh make_ball(FrContext *ctx) {
    FrField field = {ball, NULL, {{-RADIUS, -RADIUS, -RADIUS}, {RADIUS, RADIUS, RADIUS}}};
    FrStuffingOptions options = fr_stuffing_options_default(RADIUS / 10);
    options.graded = true;
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, NULL));
    return mesh;
}

// The penalty is a layer of springs under the sphere. With the default stiffness the contact lasts
// 1.12 times Hertz's (pressed in by 5 % of the radius), ten times stiffer 0.98 times.
static FrWorld *world_without_losses(FrContext *ctx, FrMaterial *material) {
    *material = elastic_material(YOUNG, POISSON);
    material->restitution = 1.0;
    material->friction_static = material->friction_dynamic = 0.0;
    FrWorldDef def = fr_world_def_default();
    def.gravity = fr_vec3_zero;
    def.contact_stiffness = 10.0;
    def.step = 1e-3;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, material));
    return world;
}

// speed at which Hertz's sphere is pressed in by `depth` (in radii), m/s:
// 1/2 m v^2 = 8/15 E* sqrt(R) d^(5/2)
static double speed_for(double depth, double mass, double modulus) {
    double d = depth * RADIUS;
    return sqrt(16.0 / 15.0 * modulus * sqrt(RADIUS) * d * d * sqrt(d) / mass);
}

// time on the ground over Hertz's, T = 2.868 (m^2 / (R E*^2 v))^(1/5), E* = E / (1 - nu^2)
static double bounce(FrContext *ctx, const FrTetMesh *mesh, double depth, double *duration) {
    FrMaterial material;
    FrWorld *world = world_without_losses(ctx, &material);
    double modulus = YOUNG / (1 - POISSON * POISSON);
    double whole = 1000 * 4.0 / 3.0 * FR_PI * RADIUS * RADIUS * RADIUS;
    double v = speed_for(depth, whole, modulus);
    world_body(ctx, world, mesh, &material, fr_vec3(0, 0, RADIUS), fr_vec3(0, 0, -v));
    FrVec3 before, after, L;
    fr_world_momentum(world, &before, &L);
    double mass = -before.z / v;    // of the faceted ball
    CHECK_CLOSE(mass, whole, 5e-3); // mesh: facets
    double T = 2.868 * pow(mass * mass / (RADIUS * modulus * modulus * v), 0.2);
    test_run(ctx, world, 1.2 * T);
    fr_world_momentum(world, &after, &L);
    CHECK_CLOSE(after.z, -before.z, 5e-3); // model: little goes into ringing, v is 2 % of sound
    int64_t count;
    const FrEvent *event = world_events(world, &count);
    CHECK_INT(count, 1);
    *duration = count ? event->u.impact.duration : 0.0;
    fr_world_destroy(world);
    return *duration / T;
}

// 5 %: Hertz's solid is a half space and strains are small; pressed in by 3 % and 8 % of the radius
// (contact patches of 1.7 and 2.8 cells in radius) the bounce is found 1 % and 2 % shorter.
TEST(hertz_contact_time) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = make_ball(ctx);
    double slow, fast;
    // model: as above
    CHECK_NEAR(bounce(ctx, &mesh, 0.03, &slow), 1.0, 0.05);
    CHECK_NEAR(bounce(ctx, &mesh, 0.08, &fast), 1.0, 0.05);
    // a Hertz contact is shorter the faster the blow, T ~ v^(-1/5); that of a linear spring is not
    CHECK_CLOSE(slow / fast, pow(0.08 / 0.03, 0.25), 0.03); // v ~ depth^(5/4)
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}
