// corot.c: bodies of the model corot in a world: they fall, bend, turn, meet others and rest, and
// books are kept.

#include "world_kit.h"
#include "corot/corot.h"
#include "heap_kit.h"

static FrWorld *world_of(FrContext *ctx, double step, double gravity) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL;
    def.step = step;
    def.gravity = fr_vec3(0, 0, -gravity);
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

static FrBodyDef def_of(const FrTetMesh *mesh, const FrMaterial *material, FrModel model) {
    FrBodyDef def = fr_body_def_default();
    def.model = model;
    def.mesh = mesh;
    def.material = material;
    def.material_count = 1;
    def.damping_limit = HUGE_VAL;
    return def;
}

static FrBodyId add(FrContext *ctx, FrWorld *world, const FrBodyDef *def) {
    FrBodyId id = {0};
    CHECK_OK(ctx, fr_body_create(world, def, &id));
    return id;
}

static void hold_where(FrContext *ctx, FrWorld *world, FrBodyId id, const FrTetMesh *mesh,
                       double below, FrTrack track) {
    FrDriveDef drive = fr_drive_def_default();
    int32_t node[512], count = 0;
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (mesh->x[3 * n] < below) node[count++] = n;
    drive.body = id, drive.node = node, drive.node_count = count, drive.track = track;
    CHECK_OK(ctx, fr_drive_create(world, &drive, NULL));
}

static double volume_of(FrWorld *world, const FrTetMesh *mesh) {
    const double *p = fr_world_view(world)->frame[0].p;
    double sum = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        const int32_t *n = mesh->tet[e];
        FrVec3 o = fr_get3(p, n[0]);
        sum += fr_mat3_det(fr_mat3(fr_sub(fr_get3(p, n[1]), o), fr_sub(fr_get3(p, n[2]), o),
                                   fr_sub(fr_get3(p, n[3]), o))) /
               6.0;
    }
    return sum;
}

/// What came of a run.
typedef struct Books {
    double ledger, drift;
} Books;
static Books run(FrContext *ctx, FrWorld *world, double until) {
    FrLedger ledger = {0};
    world_note(&ledger, world);
    while (fr_world_time(world) < until - 1e-9) {
        FrResult result = world_step(world);
        CHECK_OK(ctx, result);
        if (result != FR_OK) break;
        world_note(&ledger, world);
    }
    return (Books){fr_ledger_closure(&ledger), fr_world_stats(world).momentum_drift};
}

// it falls on the ground at any step and stiffness, and rests there                  (E17)
TEST(it_falls_and_rests_at_any_step) {
    FrContext *ctx = test_context(1);
    static const double young[] = {1e5, 1e7, 1e9};
    FrTetMesh box = test_box(3, 3, 3, 0.05);
    for (int k = 0; k < 6; k++) {
        double step = k % 2 ? 1.0 / 60.0 : 1.0 / 240.0;
        FrMaterial material = elastic_material(young[k / 2], 0.33);
        material.alpha1 = 1e-3;
        fr_material_set_young(&material, young[k / 2], 0.33);
        FrWorld *world = world_of(ctx, step, 9.81);
        FrBodyDef def = def_of(&box, &material, FR_MODEL_COROT);
        def.position = fr_vec3(0, 0, 0.2);
        def.rotation = fr_quat_from_euler(fr_vec3(0.3, 0.1, 0));
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
        add(ctx, world, &def);
        Books books = run(ctx, world, 3.0);
        FrEnergy e;
        fr_world_energy(world, &e);
        double lowest = 1.0, highest = 0.0;
        const double *p = fr_world_view(world)->frame[0].p;
        for (int32_t n = 0; n < box.node_count; n++) {
            lowest = fr_min(lowest, p[3 * n + 2]);
            highest = fr_max(highest, p[3 * n + 2]);
        }
        printf(
            "  E %.0e, step %.4f: ledger %.1e, momentum %.1e, kinetic %.1e J, z %.4f to %.4f m\n",
            young[k / 2], step, books.ledger, books.drift, e.kinetic, lowest, highest);
        CHECK(books.ledger < 1e-9);       // rounding: every term has its own formula
        CHECK(books.drift < 1e-12);       // rounding
        CHECK(e.kinetic < 2e-3);          // model: of 12 J that it had
        CHECK(lowest > -0.005);           // model: penalty
        CHECK_NEAR(highest, 0.15, 0.005); // model: it sags
        fr_world_destroy(world);
    }
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// A bar whose end is turned ten times keeps its volume; tets that do not turn swell it.
//                                                               [S5 figure 1] [S5 section 2.3]
TEST(a_bar_turned_ten_times_keeps_its_volume) {
    FrContext *ctx = test_context(1);
    FrTetMesh bar = test_box(8, 2, 2, 0.05);
    FrMaterial material = elastic_material(1e6, 0.33);
    double worst[2] = {0, 0};
    for (int linear = 0; linear < 2; linear++) {
        FrKey key[41];
        for (int k = 0; k < 41; k++)
            key[k] = (FrKey){
                0.125 * k, {0, 0, 0}, fr_quat_from_rotation(fr_vec3(0, 0, 0.5 * FR_PI * k))};
        FrTrack track = {key, 41, {0, 0, 0}};
        FrWorld *world = world_of(ctx, 1.0 / 240.0, 0.0);
        FrBodyDef def = def_of(&bar, &material, FR_MODEL_COROT);
        def.linear = linear;
        def.spin = fr_vec3(0, 0, 4.0 * FR_PI);
        def.velocity = fr_cross(def.spin, fr_vec3(0.2, 0.05, 0));
        FrBodyId id = add(ctx, world, &def);
        hold_where(ctx, world, id, &bar, 0.01, track);
        double whole = volume_of(world, &bar);
        while (fr_world_time(world) < (linear ? 0.25 : 5.0)) {
            CHECK_OK(ctx, fr_world_step(world));
            worst[linear] = fr_max(worst[linear], fabs(volume_of(world, &bar) / whole - 1.0));
        }
        fr_world_destroy(world);
    }
    printf("  volume changes by %.2g of itself, %.2g where tets do not turn\n", worst[0], worst[1]);
    CHECK(worst[0] < 0.01);
    CHECK(worst[1] > 1.0);
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

static double sag(FrContext *ctx, const FrTetMesh *bar, FrModel model, bool linear, double step) {
    FrMaterial material = elastic_material(1e6, 0.33);
    material.alpha2 = 60.0; // it comes to rest soon
    FrWorld *world = world_of(ctx, step, 0.02);
    FrBodyDef def = def_of(bar, &material, model);
    def.linear = linear;
    FrBodyId id = add(ctx, world, &def);
    hold_where(ctx, world, id, bar, 0.01, (FrTrack){0});
    test_run(ctx, world, 2.0);
    double z = fr_world_view(world)->frame[0].p[3 * (bar->node_count - 1) + 2];
    fr_world_destroy(world);
    return bar->x[3 * (bar->node_count - 1) + 2] - z;
}

// a cantilever under a small load sags as by the other two ways; the step does not matter    [M12]
TEST(a_small_load_bends_it_as_linear_fem) {
    FrContext *ctx = test_context(1);
    FrTetMesh bar = test_box(6, 2, 2, 0.05);
    double fem = sag(ctx, &bar, FR_MODEL_FEM, false, 1.0 / 240.0);
    double corot = sag(ctx, &bar, FR_MODEL_COROT, false, 1.0 / 240.0);
    double linear = sag(ctx, &bar, FR_MODEL_COROT, true, 1.0 / 240.0);
    double slow = sag(ctx, &bar, FR_MODEL_COROT, false, 1.0 / 60.0);
    printf("  sags by %.6g m; linear %.6g, fem %.6g, step 1/60 s %.6g\n", corot, linear, fem, slow);
    CHECK_CLOSE(corot, fem, 0.01);    // solver: residual 1e-3; second order in strain
    CHECK_CLOSE(linear, corot, 2e-3); // solver: the same
    CHECK_CLOSE(slow, corot, 2e-3);   // solver: residual
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

// on a slope it slides by g (sin - mu cos), or holds                                  [S6 ch. 5]
TEST(coulomb_holds_on_a_slope) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(3, 3, 1, 0.05);
    FrMaterial material = elastic_material(1e6, 0.33); // friction 0.5: holds up to 26.6 degrees
    static const double degrees[] = {15.0, 24.0, 35.0};
    for (int k = 0; k < 3; k++) {
        double angle = degrees[k] * FR_PI / 180.0;
        FrVec3 normal = {-sin(angle), 0, cos(angle)}, down = {-cos(angle), 0, -sin(angle)};
        FrWorld *world = world_of(ctx, 1.0 / 120.0, 9.81);
        FrBodyDef def = def_of(&box, &material, FR_MODEL_COROT);
        def.rotation = fr_quat_from_rotation(fr_vec3(0, -angle, 0));
        def.position = fr_scale(1e-5, normal);
        CHECK_OK(ctx, fr_world_add_plane(world, "slope", normal, 0.0, &material));
        add(ctx, world, &def);
        test_run(ctx, world, 0.5);
        const FrBodyFrame *f = &fr_world_view(world)->frame[0];
        double begun = fr_dot(fr_get3(f->v, 0), down), way = fr_dot(fr_get3(f->p, 0), down);
        test_run(ctx, world, 1.0);
        f = &fr_world_view(world)->frame[0];
        double gain = (fr_dot(fr_get3(f->v, 0), down) - begun) / 0.5;
        double moved = fr_dot(fr_get3(f->p, 0), down) - way;
        double wanted = fr_max(0.0, 9.81 * (sin(angle) - 0.5 * cos(angle)));
        printf("  %g degrees: %.4f m/s^2, wanted %.4f; moved %.2e m\n", degrees[k], gain, wanted,
               moved);
        CHECK_NEAR(gain, wanted, 0.05 * 9.81 * sin(angle)); // solver: a fixed number of them
        if (k < 2) CHECK(fabs(moved) < 1e-3);               // model: springs give by that
        fr_world_destroy(world);
    }
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

/// Whom it meets.
typedef enum Other { OTHER_FEM, OTHER_FRAME, OTHER_COROT, OTHERS } Other;

static FrWorld *make_meeting(FrContext *ctx, const FrTetMesh *box, Other other) {
    static const FrModel model[] = {FR_MODEL_FEM, FR_MODEL_FRAME, FR_MODEL_COROT};
    FrMaterial material = elastic_material(3e5, 0.33);
    FrWorld *world = world_of(ctx, 1.0 / 120.0, 9.81);
    FrBodyDef def = def_of(box, &material, FR_MODEL_COROT);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    add(ctx, world, &def);
    def.model = model[other];
    def.position = fr_vec3(0.03, 0.02, 0.2);
    def.velocity = fr_vec3(0, 0, -1);
    add(ctx, world, &def);
    return world;
}

// soft, rigid and its own kind fall on it: momentum is exact, the books close, all of it is in a
// checkpoint, and workers do not matter
TEST(it_meets_all_kinds) {
    FrTetMesh box = test_box(3, 3, 3, 0.05);
    for (int other = 0; other < OTHERS; other++) {
        uint64_t hash[3];
        for (int k = 0; k < 3; k++) {
            FrContext *ctx = test_context(1 << k);
            FrWorld *world = make_meeting(ctx, &box, (Other)other);
            FrWorld *second = make_meeting(ctx, &box, (Other)other);
            uint8_t *bytes;
            size_t size;
            Books books = run(ctx, world, 0.25);
            CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
            CHECK_OK(ctx, fr_world_load(second, bytes, size));
            fr_world_free_bytes(ctx, bytes);
            test_run(ctx, world, 0.5);
            test_run(ctx, second, 0.5);
            hash[k] = fr_world_hash(world);
            CHECK(fr_world_hash(second) == hash[k] &&
                  checkpoint_hash(second) == checkpoint_hash(world));
            CHECK(hash[k] == hash[0]);
            if (k == 0)
                printf("  other %d: ledger %.1e, momentum %.1e, overlap %.4f m\n", other,
                       books.ledger, books.drift, fr_world_stats(world).overlap);
            CHECK(books.ledger < TOL_LEDGER);
            CHECK(books.drift < 1e-12); // rounding
            fr_world_destroy(world);
            fr_world_destroy(second);
            fr_context_destroy(ctx);
        }
    }
    test_mesh_free(&box);
}

static double melted(FrContext *ctx, double step) {
    FrTetMesh box = test_box(2, 2, 4, 0.05);
    FrMaterial wax = elastic_material(5e4, 0.33); // S5 table 1, the cow
    wax.yield_strain = 0.01, wax.plastic_limit = 10.0, wax.creep = 100.0;
    FrWorld *world = world_of(ctx, step, 9.81);
    FrBodyDef def = def_of(&box, &wax, FR_MODEL_COROT);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &wax));
    add(ctx, world, &def);
    Books books = run(ctx, world, 0.6);
    CHECK(books.ledger < TOL_LEDGER);
    double top = 0.0;
    const double *p = fr_world_view(world)->frame[0].p;
    for (int32_t n = 0; n < box.node_count; n++) top = fr_max(top, p[3 * n + 2]);
    fr_world_destroy(world);
    test_mesh_free(&box);
    return top;
}

// warm wax sinks as far at half the step                                    [S5 table 1] [M12]
TEST(what_melts_does_not_ask_for_the_step) {
    FrContext *ctx = test_context(1);
    double whole = melted(ctx, 0.01), half = melted(ctx, 0.005);
    printf("  a column of 20 cm is %.4f m high after 0.6 s, %.4f m at half the step\n", whole,
           half);
    CHECK(whole < 0.15);            // it melts
    CHECK_CLOSE(half, whole, 0.02); // promise: 2 %
    fr_context_destroy(ctx);
}

// a minute of the heap that law/corot_heap watches for ten                                   (E17)
TEST(a_stiff_heap_is_calm) { watch_heap(1.0); }

// What rests sleeps, costs nothing, and goes on as it was when something comes: the books close,
// and a checkpoint knows.
TEST(it_sleeps_and_wakes) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(3, 3, 3, 0.05), small = test_box(1, 1, 1, 0.05);
    FrMaterial material = elastic_material(1e6, 0.33);
    material.alpha2 = 10.0;
    FrWorld *world[2];
    FrBodyId id = {0};
    for (int w = 0; w < 2; w++) {
        world[w] = world_of(ctx, 1.0 / 240.0, 9.81);
        FrBodyDef def = def_of(&box, &material, FR_MODEL_COROT);
        def.position = fr_vec3(0, 0, 0.01);
        CHECK_OK(ctx, fr_world_add_plane(world[w], "ground", fr_vec3(0, 0, 1), 0.0, &material));
        id = add(ctx, world[w], &def);
        def.mesh = &small;
        def.position = fr_vec3(0.05, 0.05, 1.5); // comes down after 1.5 s
        add(ctx, world[w], &def);
    }
    FrLedger ledger = {0};
    bool slept = false, woke = false;
    int32_t asleep = 0;
    uint8_t *bytes;
    size_t size;
    world_note(&ledger, world[0]);
    for (int k = 0; k < 720; k++) {
        bool now = false;
        if (k == 300) CHECK_OK(ctx, fr_world_save(world[0], &bytes, &size));
        CHECK_OK(ctx, fr_world_step(world[0]));
        world_note(&ledger, world[0]);
        CHECK_OK(ctx, fr_body_asleep(world[0], id, &now));
        woke = woke || (slept && !now);
        slept = slept || now;
        asleep += now;
    }
    CHECK_OK(ctx, fr_world_load(world[1], bytes, size));
    fr_world_free_bytes(ctx, bytes);
    test_run(ctx, world[1], fr_world_time(world[0]));
    printf("  asleep for %d of 720 steps; ledger %.1e, momentum %.1e\n", asleep,
           fr_ledger_closure(&ledger), fr_world_stats(world[0]).momentum_drift);
    CHECK(slept && woke && asleep > 100);
    CHECK(fr_ledger_closure(&ledger) < 1e-9);               // rounding
    CHECK(fr_world_stats(world[0]).momentum_drift < 1e-12); // rounding
    CHECK(fr_world_hash(world[0]) == fr_world_hash(world[1]));
    for (int w = 0; w < 2; w++) fr_world_destroy(world[w]);
    test_mesh_free(&box);
    test_mesh_free(&small);
    fr_context_destroy(ctx);
}
