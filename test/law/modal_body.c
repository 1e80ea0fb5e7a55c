// modal_body.c: rigid frames that bend by modes: collisions never gain energy, the ledger closes,
// momentum stays, nothing explodes, and without modes they are rigid frames.

#include "modal_kit.h"
#include "rigid_kit.h"
#include "checkpoint.h"
#include "modal/compute.h"

static FrMaterial jelly(double young, double alpha1) {
    FrMaterial m = rigid_material(0.0, 0.5);
    fr_material_set_young(&m, young, 0.4);
    m.alpha1 = alpha1;
    return m;
}

static FrTetMesh lump(FrContext *ctx) { return kit_box(ctx, fr_vec3(0.2, 0.2, 0.2), 3, 3, 3, 1); }

static FrBodyDef modal_def(const FrMaterial *m, const FrTetMesh *mesh, int modes, FrVec3 at,
                           FrVec3 v) {
    FrBodyDef def = ball_def(m, 0.0, at, v);
    def.model = FR_MODEL_MODAL;
    def.mesh = mesh;
    def.modes = modes;
    return def;
}

static FrWorld *modal_world(FrContext *ctx, double g, double step) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL;
    def.gravity = fr_vec3(0, 0, -g);
    def.step = step;
    def.sleep_time = 0.0;
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

static double held(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic;
}

// two lumps meet, a little off their centres, at all stiffnesses and steps
TEST(collisions_never_gain_energy) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = lump(ctx);
    static const double young[3] = {1e4, 1e6, 1e9}, step[2] = {1.0 / 240, 1.0 / 60};
    for (int k = 0; k < 6; k++) {
        FrMaterial m = jelly(young[k % 3], 0.0);
        FrWorld *world = modal_world(ctx, 0.0, step[k / 3]);
        FrBodyDef a = modal_def(&m, &mesh, 30, fr_vec3(-0.15, 0, 0), fr_vec3(1, 0, 0));
        FrBodyDef b = modal_def(&m, &mesh, 30, fr_vec3(0.15, 0.03, 0.02), fr_vec3(-1, 0, 0));
        b.rotation = fr_quat_from_rotation(fr_vec3(0.1, 0.2, 0.3));
        put(ctx, world, &a);
        put(ctx, world, &b);
        double last = held(world), first = last;
        FrVec3 p, L, q, M;
        fr_world_momentum(world, &p, &L);
        for (int i = 0; i < 120; i++) {
            CHECK_OK(ctx, world_step(world));
            double now = held(world);
            CHECK(now <= last * (1.0 + 1e-12)); // rounding
            last = now;
        }
        fr_world_momentum(world, &q, &M);
        CHECK_NEAR(fr_distance(p, q), 0.0, 1e-11); // rounding: of 8 kg m/s each
        // step: corrections of places move the arms of momenta, between rigid frames too (1e-3)
        CHECK_NEAR(fr_distance(L, M), 0.0, 0.05);
        CHECK(last < 0.99 * first); // they did meet
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// highest place of the centre after the first bounce of a fall from 0.3 m
static double bounce(FrContext *ctx, const FrTetMesh *mesh, int modes, double step) {
    FrMaterial m = jelly(3e4, 0.0);
    FrWorld *world = modal_world(ctx, 9.81, step);
    FrLedger ledger = {0};
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &m));
    FrBodyDef def = modal_def(&m, mesh, modes, fr_vec3(0, 0, 0.4), fr_vec3_zero);
    put(ctx, world, &def);
    double top = 0.0;
    bool was = false;
    while (fr_world_time(world) < 0.7) {
        CHECK_OK(ctx, world_step(world));
        FrEnergy e;
        fr_world_energy(world, &e);
        fr_ledger_note(&ledger, &e);
        FrBodyFrame f = frame_at(world, 0);
        was = was || f.position.z < 0.12;
        if (was) top = fr_max(top, f.position.z - 0.1);
    }
    CHECK(fr_ledger_closure(&ledger) < 1e-3); // the promise
    fr_world_destroy(world);
    return top;
}

// Without restitution a frame stays where it falls; modes take the blow and give it back. What is
// lost besides becomes less with the step.
TEST(modes_make_it_bounce) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = lump(ctx);
    double frame = bounce(ctx, &mesh, 0, 1.0 / 240), coarse = bounce(ctx, &mesh, 30, 1.0 / 120);
    double usual = bounce(ctx, &mesh, 30, 1.0 / 240), fine = bounce(ctx, &mesh, 30, 1.0 / 960);
    printf("  of 0.3 m: %.4f m rigid, %.3f, %.3f, %.3f with steps of 1/120, 1/240, 1/960 s\n",
           frame, coarse, usual, fine);
    CHECK(frame < 0.02);
    CHECK(usual > 0.05 && fine > usual && fine < 0.3);
    CHECK(fine - usual < 0.02 && usual - coarse < 0.02);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

static uint64_t tumble(FrContext *ctx, const FrTetMesh *mesh, FrModel model, int modes) {
    FrMaterial m = jelly(1e6, 1e-4);
    m.restitution = 0.4;
    FrWorld *world = modal_world(ctx, 9.81, 1.0 / 240);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &m));
    for (int k = 0; k < 4; k++) {
        FrBodyDef def = modal_def(&m, mesh, modes, fr_vec3(0.03 * k, 0.02 * k, 0.2 + 0.3 * k),
                                  fr_vec3(0.1 * k, 0, 0));
        def.model = model;
        def.box = fr_vec3_zero;
        def.rotation = fr_quat_from_rotation(fr_vec3(0.3, 0.2 * k, 0.1));
        put(ctx, world, &def);
    }
    for (int i = 0; i < 200; i++) CHECK_OK(ctx, world_step(world));
    uint64_t hash = fr_world_hash(world);
    fr_world_destroy(world);
    return hash;
}

TEST(no_modes_are_a_frame) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = lump(ctx);
    CHECK(tumble(ctx, &mesh, FR_MODEL_MODAL, 0) == tumble(ctx, &mesh, FR_MODEL_FRAME, 0));
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

TEST(workers_do_not_matter) {
    static const int workers[4] = {1, 2, 3, 8};
    uint64_t hash[4];
    for (int k = 0; k < 4; k++) {
        FrContext *ctx = make_modal_context(workers[k]);
        FrTetMesh mesh = lump(ctx);
        hash[k] = tumble(ctx, &mesh, FR_MODEL_MODAL, 12);
        test_mesh_free(&mesh);
        fr_context_destroy(ctx);
    }
    CHECK(hash[0] == hash[1] && hash[1] == hash[2] && hash[2] == hash[3]);
}

// a heap of four, half a step in: saved, loaded elsewhere, and on to the same bytes
TEST(a_checkpoint_goes_on_to_the_same_bytes) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = lump(ctx);
    FrMaterial m = jelly(1e5, 1e-3);
    FrWorld *world[2];
    for (int w = 0; w < 2; w++) {
        world[w] = modal_world(ctx, 9.81, 1.0 / 240);
        CHECK_OK(ctx, fr_world_add_plane(world[w], "ground", fr_vec3(0, 0, 1), 0.0, &m));
        for (int k = 0; k < 3; k++) {
            FrBodyDef def =
                modal_def(&m, &mesh, 12, fr_vec3(0.04 * k, 0, 0.12 + 0.25 * k), fr_vec3_zero);
            put(ctx, world[w], &def);
        }
    }
    uint8_t *bytes;
    size_t size;
    for (int i = 0; i < 60; i++) CHECK_OK(ctx, world_step(world[0]));
    CHECK_OK(ctx, fr_world_save(world[0], &bytes, &size));
    CHECK_OK(ctx, fr_world_load(world[1], bytes, size));
    fr_world_free_bytes(ctx, bytes);
    for (int i = 0; i < 60; i++)
        for (int w = 0; w < 2; w++) CHECK_OK(ctx, world_step(world[w]));
    CHECK(fr_world_hash(world[0]) == fr_world_hash(world[1]));
    CHECK(checkpoint_hash(world[0]) == checkpoint_hash(world[1]));
    for (int w = 0; w < 2; w++) fr_world_destroy(world[w]);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// stiff as stone, steps of 1/60 s, a heap on the ground: it comes to rest
TEST(stiff_heaps_stay_calm) {
    FrContext *ctx = make_modal_context(2);
    FrTetMesh mesh = lump(ctx);
    FrMaterial m = jelly(1e9, 1e-6);
    FrWorld *world = modal_world(ctx, 9.81, 1.0 / 60);
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &m));
    for (int k = 0; k < 5; k++) {
        FrBodyDef def =
            modal_def(&m, &mesh, 30, fr_vec3(0.05 * k, 0, 0.15 + 0.3 * k), fr_vec3_zero);
        put(ctx, world, &def);
    }
    FrLedger ledger = {0};
    double most = 0.0;
    for (int i = 0; i < 600; i++) {
        FrEnergy e;
        CHECK_OK(ctx, world_step(world));
        fr_world_energy(world, &e);
        fr_ledger_note(&ledger, &e);
        if (i > 300) most = fr_max(most, e.kinetic);
    }
    printf("  kinetic energy of five lumps of 8 kg after 5 s: %.2g J; ledger %.2g\n", most,
           fr_ledger_closure(&ledger));
    CHECK(most < 1e-3);                       // solver: what rows leave
    CHECK(fr_ledger_closure(&ledger) < 1e-3); // the promise
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// far too soft for its fall: modes are kept within the body's size, energy and all
TEST(nothing_explodes) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = lump(ctx);
    FrMaterial m = jelly(500.0, 0.0);
    FrWorld *world = modal_world(ctx, 9.81, 1.0 / 60);
    FrLedger ledger = {0};
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &m));
    FrBodyDef def = modal_def(&m, &mesh, 30, fr_vec3(0, 0, 0.2), fr_vec3(1, 0, -9));
    def.rotation = fr_quat_from_rotation(fr_vec3(0.4, 0.2, 0));
    put(ctx, world, &def);
    double most = 0.0;
    for (int i = 0; i < 120; i++) {
        FrEnergy e;
        CHECK_OK(ctx, world_step(world));
        fr_world_energy(world, &e);
        fr_ledger_note(&ledger, &e);
        FrBodyFrame f = frame_at(world, 0);
        for (int32_t n = 0; n < mesh.node_count; n++)
            most = fr_max(most, fr_distance(fr_get3(f.p, n), f.position));
    }
    CHECK(most < 0.36);                       // twice the 0.174 m to a corner, and rounding
    CHECK(fr_ledger_closure(&ledger) < 1e-3); // the promise
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// A bar held at one end sags as a beam does, w = rho g A L^4 / (8 E I), and keeps its frame. Linear
// tets are a little stiff.
TEST(what_is_held_sags) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.6, 0.1, 0.1), 24, 4, 4, 1);
    FrMaterial m = jelly(2e6, 2e-2);
    FrWorld *world = modal_world(ctx, 9.81, 1.0 / 60);
    FrBodyDef def = modal_def(&m, &mesh, 20, fr_vec3_zero, fr_vec3_zero);
    int32_t held[64], count = 0, tip = 0;
    for (int32_t n = 0; n < mesh.node_count; n++) {
        if (mesh.x[3 * n] < -0.299) held[count++] = n;
        if (mesh.x[3 * n] > mesh.x[3 * tip]) tip = n;
    }
    def.held = held;
    def.held_count = count;
    put(ctx, world, &def);
    FrLedger ledger = {0};
    for (int i = 0; i < 240; i++) {
        FrEnergy e;
        CHECK_OK(ctx, world_step(world));
        fr_world_energy(world, &e);
        fr_ledger_note(&ledger, &e);
    }
    FrBodyFrame f = frame_at(world, 0);
    double sag = mesh.x[3 * tip + 2] - f.p[3 * tip + 2];
    double beam = 1000.0 * 9.81 * pow(0.6, 4) / (8.0 * 2e6 * 0.1 * 0.1 / 12.0);
    printf("  sags by %.4f m, a slender beam by %.4f\n", sag, beam);
    CHECK_CLOSE(sag, beam, 0.2); // mesh: linear tets, four of them high
    CHECK(fr_length(f.velocity) == 0.0 && fr_ledger_closure(&ledger) < 1e-3); // the promise
    for (int32_t k = 0; k < count; k++)
        CHECK(fr_distance(fr_get3(f.p, held[k]), fr_get3(mesh.x, held[k])) < 1e-12); // rounding
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// How many modes can be seen hardly depends on how fine the tets are [S1 s. 3.2]
TEST(modes_seen_do_not_depend_on_the_mesh) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = jelly(3e4, 1e-3);
    int kept[3];
    for (int k = 0; k < 3; k++) {
        FrTetMesh mesh = kit_box(ctx, fr_vec3(0.3, 0.2, 0.2), 3 + 3 * k, 2 + 2 * k, 2 + 2 * k, 1);
        FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 60};
        FrModes modes;
        CHECK_OK(ctx, fr_modes_compute(ctx, &def, &modes, NULL));
        FrModeFilter filter = fr_mode_filter_visual(1e-4, 6e4, 30.0);
        fr_modes_select(&modes, &m, &filter);
        kept[k] = modes.mode_count;
        fr_modes_free(ctx, &modes);
        test_mesh_free(&mesh);
    }
    printf("  seen with 12, 96 and 324 cells: %d, %d, %d modes\n", kept[0], kept[1], kept[2]);
    CHECK(kept[1] > 5 && abs(kept[2] - kept[1]) * 4 <= kept[1]); // mesh: coarse ones are stiffer
    fr_context_destroy(ctx);
}
