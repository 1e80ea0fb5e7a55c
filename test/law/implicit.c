// implicit.c: rows that step implicitly take a macro step at once, whatever they touch: alone, on
// planes, with solids, frames and explicit rows; and rows that cannot work are refused.

#include "own_implicit.h"
#include "world_kit.h"

static const double mass = 0.5; // kg

/// What it is thrown at.
typedef enum Target { PLANE, SOLID, FRAME, SPRING, LED, TARGETS } Target;

static FrWorld *world_of(FrContext *ctx, double step, double gravity) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL;
    def.step = step;
    def.gravity = fr_vec3(0, 0, -gravity);
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

static FrBodyId add_mass(FrContext *ctx, FrWorld *world, const FrModelOps *row,
                         const FrMaterial *material, FrVec3 x, FrVec3 v) {
    FrBodyDef def = fr_body_def_default();
    FrBodyId id = {0};
    CHECK_OK(ctx, fr_world_add_model(world, row, &def.model));
    def.radius = 0.05;
    def.mass = mass;
    def.material = material;
    def.material_count = 1;
    def.position = x;
    def.velocity = v;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    return id;
}

// a step that is far longer than its period is as good as any
TEST(alone_it_swings_with_its_period_at_any_step) {
    FrContext *ctx = test_context(1);
    FrMaterial material = elastic_material(1e6, 0.3);
    static const double step[] = {1e-3, 1.0 / 240.0, 0.1, 2.0};
    double w = sqrt(OWN_STIFFNESS / mass);
    for (size_t k = 0; k < sizeof step / sizeof step[0]; k++) {
        FrWorld *world = world_of(ctx, step[k], 0.0);
        add_mass(ctx, world, &own_implicit, &material, fr_vec3_zero, fr_vec3(1, 0, 0));
        for (int tick = 1; tick <= 500; tick++) {
            CHECK_OK(ctx, fr_world_step(world));
            double x = fr_world_view(world)->frame[0].position.x, t = fr_world_time(world);
            CHECK_NEAR(x, sin(w * t) / w, 1e-15 * (tick + w * t)); // rounding: of steps, of w t
        }
        CHECK_INT(fr_world_stats(world).steps, 500);
        CHECK_INT(fr_world_stats(world).rejected, 0);
        CHECK(fr_world_dt(world) == step[k]);
        fr_world_destroy(world);
    }
    fr_context_destroy(ctx);
}

static void add_target(FrContext *ctx, FrWorld *world, Target target, const FrMaterial *material) {
    FrTetMesh box = test_box(2, 2, 2, 0.1);
    FrKey key[2] = {{0, {0, 0, 0}, {1, 0, 0, 0}}, {1, {0, 0, 1}, {1, 0, 0, 0}}};
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    def.mesh = &box;
    def.model = target == SOLID ? FR_MODEL_FEM : FR_MODEL_FRAME;
    def.material = material;
    def.material_count = 1;
    def.position = fr_vec3(-0.1, -0.1, -0.2);
    def.kinematic = target == LED;
    if (target == LED) def.track = (FrTrack){key, 2, {0, 0, 0}};
    if (target == PLANE)
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, material));
    else if (target == SPRING)
        add_mass(ctx, world, &own_model, material, fr_vec3(0.02, 0, -0.05), fr_vec3_zero);
    else
        CHECK_OK(ctx, fr_body_create(world, &def, &id));
    test_mesh_free(&box);
}

static FrWorld *make_throw(FrContext *ctx, const FrModelOps *row, Target target, double step) {
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = world_of(ctx, step, target == PLANE ? 9.81 : 0.0);
    add_mass(ctx, world, row, &material, fr_vec3(0, 0, 0.2), fr_vec3(0.1, 0, -4));
    add_target(ctx, world, target, &material);
    return world;
}

/// How it went.
typedef struct Throw {
    FrVec3 v;             ///< of the mass at the end, m/s
    double lowest;        ///< m
    double drift, ledger; ///< momentum_drift, closure
} Throw;

static Throw fly(FrContext *ctx, const FrModelOps *row, Target target, double step) {
    Throw result = {.lowest = 1.0};
    FrWorld *world = make_throw(ctx, row, target, step);
    FrLedger ledger = {0};
    world_note(&ledger, world);
    while (fr_world_time(world) < 0.1 - 1e-9) {
        CHECK_OK(ctx, world_step(world));
        world_note(&ledger, world);
        FrBodyFrame ball = fr_world_view(world)->frame[0];
        result.lowest = fr_min(result.lowest, ball.position.z);
        result.v = ball.velocity;
    }
    result.drift = fr_world_stats(world).momentum_drift;
    result.ledger = fr_ledger_closure(&ledger);
    fr_world_destroy(world);
    return result;
}

// It bounces as the same mass does that takes part in all substeps, and no momentum is lost.
TEST(it_bounces_as_an_explicit_one_does) {
    FrContext *ctx = test_context(1);
    for (int target = PLANE; target < TARGETS; target++) {
        Throw wanted = fly(ctx, &own_model, (Target)target, 1.0 / 240.0);
        for (int k = 0; k < 3; k++) {
            double step = 1.0 / (k == 0 ? 60.0 : k == 1 ? 240.0 : 1000.0);
            Throw found = fly(ctx, &own_implicit, (Target)target, step);
            printf("  target %d, step %.4f: (%.3f, %.3f) m/s, explicit (%.3f, %.3f); lowest %.4f, "
                   "%.4f m; ledger %.1e; momentum %.1e\n",
                   target, step, found.v.x, found.v.z, wanted.v.x, wanted.v.z, found.lowest,
                   wanted.lowest, found.ledger, found.drift);
            // step: at the end of each the springs pull on where the whole impulse has put it
            CHECK_NEAR(found.v.z, wanted.v.z, (k == 0 ? 0.03 : 0.006) * 4.0);
            CHECK_NEAR(found.v.x, wanted.v.x, (k == 0 ? 0.03 : 0.006) * 4.0); // step
            CHECK(found.drift < 1e-12);                                       // rounding
            CHECK(found.ledger < TOL_LEDGER);
        }
    }
    fr_context_destroy(ctx);
}

// while they touch: nothing of a step is left over for the next one
TEST(a_checkpoint_has_all_of_it) {
    FrContext *ctx = test_context(1);
    for (int target = PLANE; target < TARGETS; target++) {
        FrWorld *world = make_throw(ctx, &own_implicit, (Target)target, 1.0 / 240.0);
        FrWorld *other = make_throw(ctx, &own_implicit, (Target)target, 1.0 / 240.0);
        uint8_t *bytes;
        size_t size;
        test_run(ctx, world, 0.045);
        CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
        CHECK_OK(ctx, fr_world_load(other, bytes, size));
        fr_world_free_bytes(ctx, bytes);
        CHECK(checkpoint_hash(world) == checkpoint_hash(other));
        test_run(ctx, world, 0.2);
        test_run(ctx, other, 0.2);
        CHECK(checkpoint_hash(world) == checkpoint_hash(other));
        CHECK(fr_world_hash(world) == fr_world_hash(other));
        fr_world_destroy(world);
        fr_world_destroy(other);
    }
    fr_context_destroy(ctx);
}

// One world of all three ways of stepping: masses of both rows meet a frame and a solid, which has
// to take substeps back.
static FrWorld *make_crowd(FrContext *ctx) {
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = world_of(ctx, 1.0 / 240.0, 9.81);
    add_target(ctx, world, PLANE, &material);
    for (int k = 0; k < 6; k++) {
        const FrModelOps *row = k % 2 ? &own_implicit : &own_model;
        FrVec3 x = {0.04 * (k % 3), 0.03 * k, 0.1 + 0.11 * k};
        add_mass(ctx, world, row, &material, x, fr_vec3(0.1 * k, 0, -4));
    }
    for (int target = SOLID; target <= FRAME; target++) {
        FrTetMesh box = test_box(2, 2, 2, 0.1);
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        def.mesh = &box;
        def.model = target == SOLID ? FR_MODEL_FEM : FR_MODEL_FRAME;
        def.material = &material;
        def.material_count = 1;
        def.position = fr_vec3(target == SOLID ? -0.17 : 0.13, 0, 0.02);
        def.velocity = fr_vec3(target == SOLID ? 3 : -3, 0, -1);
        CHECK_OK(ctx, fr_body_create(world, &def, &id));
        test_mesh_free(&box);
    }
    return world;
}

TEST(workers_do_not_matter) {
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        FrContext *ctx = test_context(1 << k);
        FrWorld *world = make_crowd(ctx);
        FrLedger ledger = {0};
        world_note(&ledger, world);
        while (fr_world_time(world) < 0.3) {
            CHECK_OK(ctx, world_step(world));
            world_note(&ledger, world);
        }
        FrWorldStats stats = fr_world_stats(world);
        hash[k] = checkpoint_hash(world);
        CHECK(hash[k] == hash[0]);
        CHECK(stats.momentum_drift < 1e-12); // rounding
        CHECK(fr_ledger_closure(&ledger) < TOL_LEDGER);
        if (!k)
            printf("  %lld substeps, %lld taken back; ledger %.1e, momentum %.1e\n",
                   (long long)stats.steps, (long long)stats.rejected, fr_ledger_closure(&ledger),
                   stats.momentum_drift);
        fr_world_destroy(world);
        fr_context_destroy(ctx);
    }
}

// Forces of substeps that are taken back leave nothing: a solid is made to take some back.
TEST(what_is_taken_back_gives_no_impulse) {
    FrContext *ctx = test_context(1);
    FrWorldDef def = fr_world_def_default();
    FrMaterial material = elastic_material(1e6, 0.3);
    FrWorld *world = NULL;
    def.gravity = fr_vec3_zero;
    def.energy_tolerance = 1e-9; // strict: the blow makes it take steps back
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    add_mass(ctx, world, &own_implicit, &material, fr_vec3(0, 0, 0.2), fr_vec3(0.1, 0, -4));
    add_target(ctx, world, SOLID, &material);
    test_run(ctx, world, 0.1);
    FrWorldStats stats = fr_world_stats(world);
    printf("  %lld of %lld substeps taken back, momentum %.1e\n", (long long)stats.rejected,
           (long long)stats.steps, stats.momentum_drift);
    CHECK(stats.rejected > 0);
    CHECK(stats.momentum_drift < 1e-12); // rounding
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

static void refused(FrContext *ctx, FrWorld *world, FrModelOps row, const char *why) {
    FrModel model;
    CHECK_INT(fr_world_add_model(world, &row, &model), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), why);
    CHECK_HAS(fr_context_message(ctx), row.name ? row.name : "?");
}

TEST(rows_that_cannot_work_are_refused) {
    FrContext *ctx = test_context(1);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrModelOps row = own_model;
    row.stepping = FR_STEPS_ROWS;
    refused(ctx, world, row, "needs `frame`");
    row = fr_model_frame, row.stepping = FR_STEPS_EXPLICIT;
    refused(ctx, world, row, "`frame` is of what steps by rows");
    row = own_model, row.dt_limit = NULL;
    refused(ctx, world, row, "needs dt_limit");
    row = own_model, row.restore = NULL;
    refused(ctx, world, row, "needs backup and restore");
    row = own_model, row.step = NULL;
    refused(ctx, world, row, "a function that every row needs is NULL");
    row = own_model, row.name = NULL;
    refused(ctx, world, row, "a function that every row needs is NULL");
    row = own_implicit, row.predict = NULL;
    refused(ctx, world, row, "needs predict");
    row = own_implicit, row.pieces = fr_model_fem.pieces;
    refused(ctx, world, row, "`pieces` are of what steps explicitly");
    row = own_model, row.breaks = fr_model_fem.breaks;
    refused(ctx, world, row, "needs `solid`");
    CHECK(!fr_model_flaw(&fr_model_fem) && !fr_model_flaw(&fr_model_frame));
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}
