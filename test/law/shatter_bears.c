// shatter_bears.c: brittle bodies under slow loads: their weight, what lies on them, hands that
// bend them. Beam theory says what they bear.

#include "modal_kit.h"
#include "world_kit.h"
#include "mesh/quality.h"
#include "base/random.h"
#include "math/decompose.h"
#include "mesh/topology.h"
#include "modal/load_stress.h"
#include "shatter/shatter.h"
#include <string.h>

#define STEPS 4800

static const double length = 0.2, wide = 0.02, high = 0.008; // m, between what is held

/// A strip of which 1 cm at one end, or at both, is held.
typedef struct Strip {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial m;
    uint8_t *held; ///< 1: at the left end, 2: at the right one
    FrStressModel *model;
    FrSym3 *stress;
} Strip;

static Strip make_strip(int ends) {
    Strip s = {.ctx = make_modal_context(1)};
    s.mesh = kit_box(s.ctx, fr_vec3(length + 0.02, wide, high), 44, 4, 2, 1);
    s.m = kit_material(2500.0, 7e10, 0.22);
    s.held = calloc((size_t)s.mesh.node_count, 1);
    s.stress = calloc((size_t)s.mesh.node_count, sizeof *s.stress);
    for (int32_t n = 0; n < s.mesh.node_count; n++) {
        double x = s.mesh.x[3 * n];
        s.held[n] = x < -0.4999 * length ? 1 : x > 0.4999 * length && ends > 1 ? 2 : 0;
    }
    FrStressDef def = {.mesh = &s.mesh,
                       .material = &s.m,
                       .material_count = 1,
                       .held = s.held,
                       .max_hz = 2e4,
                       .most_modes = 4};
    CHECK_OK(s.ctx, fr_stress_create(s.ctx, &def, &s.model));
    return s;
}

static void free_strip(Strip *s) {
    fr_stress_destroy(s->model);
    fr_tetmesh_free(s->ctx, &s->mesh);
    free(s->held);
    free(s->stress);
    fr_context_destroy(s->ctx);
}

// the largest tension along the strip at x from the left support, m
static double tension_at(const Strip *s, double x) {
    double most = 0.0;
    for (int32_t n = 0; n < s->mesh.node_count; n++)
        if (fabs(s->mesh.x[3 * n] + 0.5 * length - x) < 1e-6) most = fr_max(most, s->stress[n].xx);
    return most;
}

static double second_moment(void) { return wide * high * high * high / 12.0; }

// s = F (L - x) h / 2 I, energy F^2 L^3 / 6 E I
TEST(a_cantilever_under_an_end_load) {
    Strip s = make_strip(1);
    double energy, force = 10.0, I = second_moment();
    FrStressLoad load = {{0.5 * length + 0.01, 0, 0.5 * high}, {0, 0, -1}, 0.005};
    FrStressStill still = {.load = &load, .force = &force, .load_count = 1};
    CHECK_OK(s.ctx, fr_stress_still(s.model, &still, s.stress, &energy));
    double reach = length + 0.01;
    double wanted = force * (reach - 0.05) * 0.5 * high / I;
    CHECK_CLOSE(tension_at(&s, 0.05), wanted, 0.02);                               // mesh
    CHECK_CLOSE(energy, force * force * pow(reach, 3.0) / (6.0 * 7e10 * I), 0.04); // model: shear
    free_strip(&s);
}

// s = q (L - x)^2 / 2 h / 2 I, q the weight of a length
TEST(a_cantilever_under_its_weight) {
    Strip s = make_strip(1);
    double energy, g = 9.81, q = 2500.0 * wide * high * g, reach = length + 0.01 - 0.05;
    FrStressStill still = {.weight = {0, 0, -g}};
    CHECK_OK(s.ctx, fr_stress_still(s.model, &still, s.stress, &energy));
    double wanted = 0.5 * q * reach * reach * 0.5 * high / second_moment();
    CHECK_CLOSE(tension_at(&s, 0.05), wanted, 0.02); // mesh
    double all = length + 0.01;                      // u'f/2 = q^2 L^5 / 40 E I
    CHECK_CLOSE(energy, q * q * pow(all, 5.0) / (40.0 * 7e10 * second_moment()),
                0.04); // model: shear
    free_strip(&s);
}

// Both ends turned against each other by t: an even bend, curvature 2 t / L, s = E t h / L, energy
// 2 E I t^2 / L
TEST(a_strip_bent_by_two_hands) {
    Strip s = make_strip(2);
    double energy, t = 1e-3, *moved = calloc(3 * (size_t)s.mesh.node_count, sizeof(double));
    for (int32_t n = 0; n < s.mesh.node_count; n++) {
        double side = s.held[n] == 1 ? -1.0 : 1.0;
        // about the middle of each end face
        double x = s.mesh.x[3 * n] - side * 0.5 * length, z = s.mesh.x[3 * n + 2];
        if (s.held[n]) moved[3 * n] = -side * t * z, moved[3 * n + 2] = side * t * x;
    }
    FrStressStill still = {.moved = moved};
    CHECK_OK(s.ctx, fr_stress_still(s.model, &still, s.stress, &energy));
    CHECK_CLOSE(tension_at(&s, 0.5 * length), 7e10 * t * high / length, 0.01); // mesh
    CHECK_CLOSE(energy, 2.0 * 7e10 * second_moment() * t * t / length, 0.02);  // mesh
    // moved as one nothing of it is strained
    for (int32_t n = 0; n < s.mesh.node_count; n++)
        fr_set3(moved, n, s.held[n] ? fr_vec3(1e-3, -2e-3, 5e-4) : fr_vec3_zero);
    CHECK_OK(s.ctx, fr_stress_still(s.model, &still, s.stress, &energy));
    CHECK(tension_at(&s, 0.5 * length) < 1.0); // rounding of 60 MPa
    free(moved);
    free_strip(&s);
}

/// A strip in a world: held, and what acts on it.
typedef struct Stage {
    FrContext *ctx;
    FrWorld *world;
    FrTetMesh mesh;
    FrBodyId id;
} Stage;

static Stage stage(int workers, FrMaterial m) {
    Stage s = {.ctx = make_modal_context(workers)};
    FrWorldDef def = fr_world_def_default();
    FrBodyDef strip = fr_body_def_default();
    def.step = 1.0 / STEPS;
    def.frame_substeps = 1;
    CHECK_OK(s.ctx, fr_world_create(s.ctx, &def, &s.world));
    s.mesh = kit_box(s.ctx, fr_vec3(length + 0.02, wide, high), 44, 4, 2, 1);
    strip.name = "strip";
    strip.model = FR_MODEL_SHATTER;
    strip.mesh = &s.mesh;
    strip.material = &m;
    strip.material_count = 1;
    CHECK_OK(s.ctx, fr_body_create(s.world, &strip, &s.id));
    return s;
}

static void hold_end(Stage *s, double side, FrTrack track) {
    int32_t *node = malloc((size_t)s->mesh.node_count * sizeof *node);
    FrDriveDef def = fr_drive_def_default();
    def.body = s->id;
    def.node = node;
    def.track = track;
    for (int32_t n = 0; n < s->mesh.node_count; n++)
        if (side * s->mesh.x[3 * n] > 0.4999 * length) node[def.node_count++] = n;
    CHECK_OK(s->ctx, fr_drive_create(s->world, &def, NULL));
    free(node);
}

static void leave(Stage *s) {
    fr_world_destroy(s->world);
    fr_tetmesh_free(s->ctx, &s->mesh);
    fr_context_destroy(s->ctx);
}

static void run(Stage *s, int steps) {
    for (int k = 0; k < steps; k++) CHECK_OK(s->ctx, fr_world_step(s->world));
}

static double ledger(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic + e.plastic + e.fracture + e.dust + e.damping + e.contact -
           e.external;
}

static FrMaterial brittle(double strength, double Gc) {
    FrMaterial m = kit_material(2500.0, 7e10, 0.22);
    m.strength = strength;
    m.Gc = Gc;
    return m;
}

static int held_bodies(const FrWorld *world) {
    int held = 0;
    for (int32_t k = 0; k < world->body.count; k++) held += world->body.data[k].kinematic;
    return held;
}

// It breaks by its own weight where beam theory has the strength below q L^2 h / 4 I.
TEST(a_cantilever_breaks_by_its_weight) {
    double reach = length + 0.01, q = 2500.0 * wide * high * 9.81;
    double bears = 0.5 * q * reach * reach * 0.5 * high / second_moment();
    for (int k = 0; k < 2; k++) {
        // a support that is cut off sharply is a notch: stress there is half as much again
        Stage s = stage(1, brittle((k ? 2.0 : 0.8) * bears, 1e-4));
        double start = ledger(s.world);
        hold_end(&s, -1.0, (FrTrack){0});
        run(&s, 240);
        CHECK(fr_body_alive(s.world, s.id) == (k == 1));
        CHECK_INT(held_bodies(s.world), 1);
        if (!k) CHECK(s.world->body.count > 1);
        // the promise of every ledger, over what falling brought
        CHECK_NEAR(ledger(s.world), start, 1e-3 * 0.1 * 9.81 * 0.01);
        CHECK(fr_world_stats(s.world).momentum_drift < 1e-12); // rounding of sums
        leave(&s);
    }
}

// Two hands turn its ends against each other: it snaps when E t h / L passes the strength, in two
// or three that both are held, or fall.
TEST(two_hands_snap_it) {
    double strength = 5e7, wanted = strength * length / (7e10 * high), lasts = 0.1;
    FrQuat up = fr_quat_from_rotation(fr_vec3(0, 2.0 * wanted, 0));
    FrKey left[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {lasts, {0, 0, 0}, up}};
    FrKey right[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {lasts, {0, 0, 0}, fr_quat_conj(up)}};
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        Stage s = stage(k ? 3 : 1, brittle(strength, 5.0));
        hold_end(&s, -1.0, (FrTrack){left, 2, {-0.5 * length, 0, 0}});
        hold_end(&s, 1.0, (FrTrack){right, 2, {0.5 * length, 0, 0}});
        double broke = 0.0, start = ledger(s.world), energy = 0.0;
        while (fr_world_time(s.world) < lasts) {
            run(&s, 1);
            if (broke == 0.0 && !fr_body_alive(s.world, s.id)) broke = fr_world_time(s.world);
        }
        FrEnergy e;
        fr_world_energy(s.world, &e);
        CHECK_CLOSE(broke, 0.5 * lasts, 0.1); // mesh: half of the way; supports notch it a little
        CHECK_INT(held_bodies(s.world), 2);
        // what it had stored then is what the hands gave: 2 E I t^2 / L
        energy = 2.0 * 7e10 * second_moment() * wanted * wanted / length;
        CHECK(e.fracture > 0.0 && e.fracture < 1.3 * energy);
        CHECK_NEAR(ledger(s.world), start, 1e-3 * energy);     // the promise of every ledger
        CHECK(fr_world_stats(s.world).momentum_drift < 1e-12); // rounding of sums
        hash[k] = fr_world_hash(s.world);
        leave(&s);
    }
    CHECK(hash[0] == hash[1]);
}

// a run that goes on from a checkpoint while it is bent snaps it at the same moment
TEST(a_checkpoint_knows_what_it_bears) {
    double strength = 5e7, wanted = strength * length / (7e10 * high);
    FrQuat up = fr_quat_from_rotation(fr_vec3(0, 2.0 * wanted, 0));
    FrKey left[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {0.05, {0, 0, 0}, up}};
    Stage s = stage(1, brittle(strength, 5.0)), again = stage(1, brittle(strength, 5.0));
    Stage *both[2] = {&s, &again};
    for (int k = 0; k < 2; k++) {
        hold_end(both[k], -1.0, (FrTrack){left, 2, {-0.5 * length, 0, 0}});
        hold_end(both[k], 1.0, (FrTrack){0});
    }
    uint8_t *bytes;
    size_t size;
    run(&s, 60);
    CHECK(fr_body_alive(s.world, s.id));
    CHECK_OK(s.ctx, fr_world_save(s.world, &bytes, &size));
    CHECK_OK(again.ctx, fr_world_load(again.world, bytes, size));
    run(&s, 180);
    run(&again, 180);
    CHECK(!fr_body_alive(s.world, s.id));
    CHECK(fr_world_hash(again.world) == fr_world_hash(s.world));
    fr_world_free_bytes(s.ctx, bytes);
    leave(&again), leave(&s);
}

// the cheap bound is above what pushes of 1 N do, wherever they are
static void check_bound(FrContext *ctx, FrTetMesh *mesh, uint64_t seed) {
    FrMaterial m = brittle(1.0, 1.0); // 1 Pa: what bears says is 1 / (Pa per newton)
    FrBodyDef def = fr_body_def_default();
    FrSurface surface;
    FrShatter *shatter;
    FrStressModel *model;
    FrStressDef stress = {
        .mesh = mesh, .material = &m, .material_count = 1, .max_hz = 2e4, .most_modes = 2};
    FrSym3 *field = calloc((size_t)mesh->node_count, sizeof *field);
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, mesh, &surface));
    def.mesh = mesh, def.surface = &surface, def.material = &m, def.material_count = 1;
    CHECK_OK(ctx, fr_shatter_create(ctx, &def, &shatter));
    CHECK_OK(ctx, fr_stress_create(ctx, &stress, &model));
    double bound = 1.0 / fr_shatter_bears(shatter), wall = fr_tetmesh_wall(mesh, &surface);
    FrRandom random = fr_random_for(seed, "pushes", 0);
    for (int k = 0; k < 12; k++) {
        int32_t tri = fr_random_below(&random, surface.tri_count);
        const int32_t *n = surface.tri[tri];
        FrVec3 a = fr_get3(mesh->x, n[0]), b = fr_get3(mesh->x, n[1]), c = fr_get3(mesh->x, n[2]);
        FrVec3 out = fr_normalize(fr_cross(fr_sub(b, a), fr_sub(c, a)));
        FrStressLoad load = {fr_scale(1.0 / 3.0, fr_add(a, fr_add(b, c))), fr_neg(out), 0.3 * wall};
        double one = 1.0, energy, most = 0.0;
        FrStressStill still = {.load = &load, .force = &one, .load_count = 1};
        CHECK_OK(ctx, fr_stress_still(model, &still, field, &energy));
        for (int32_t i = 0; i < mesh->node_count; i++)
            if (fr_distance(fr_get3(mesh->x, i), load.x) > 0.5 * wall)
                most = fr_max(most, fr_sym3_eigen(field[i]).value[0]);
        CHECK(most < bound);
    }
    fr_stress_destroy(model);
    fr_shatter_destroy(shatter);
    fr_surface_free(ctx, &surface);
    free(field);
}

TEST(no_push_does_more_than_the_bound_says) {
    FrContext *ctx = make_modal_context(2);
    FrTetMesh plate = kit_box(ctx, fr_vec3(0.2, 0.16, 0.006), 20, 16, 1, 1);
    FrTetMesh bar = kit_box(ctx, fr_vec3(0.2, 0.012, 0.01), 40, 3, 2, 1);
    FrTetMesh bowl;
    const double profile[][2] = {{0.0, 0.0}, {0.03, 0.0}, {0.055, 0.02}, {0.06, 0.05}};
    CHECK_OK(ctx, fr_mesh_lathe(ctx, profile, 4, 0.005, 0.008, &bowl));
    check_bound(ctx, &plate, 1);
    check_bound(ctx, &bar, 2);
    check_bound(ctx, &bowl, 3);
    fr_tetmesh_free(ctx, &plate);
    fr_tetmesh_free(ctx, &bar);
    fr_tetmesh_free(ctx, &bowl);
    fr_context_destroy(ctx);
}
