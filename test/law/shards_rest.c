// shards_rest.c: a plate in pieces falls, breaks on, and lies still.

#include "pane_kit.h"

static double rms_speed(FrWorld *world, double mass) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return sqrt(2.0 * fabs(e.kinetic) / mass);
}

static int blows; ///< that made settled pieces bend again

static void count_blows(void *user, FrLogLevel level, const char *text) {
    (void)user, (void)level;
    blows += strstr(text, "struck at") != NULL;
}

/// a plate that is cut from the start falls on its corner, cracks there if it is weak, and lies
/// still at `until`, s
static FrWorldStats fallen(double settle, double strength, double until) {
    FrContextDef how = fr_context_def_default();
    how.tasks.workers = 1;
    how.log = count_blows;
    FrContext *ctx = fr_context_create(&how);
    FrTetMesh mesh = test_box(4, 3, 1, 0.05);
    FrMaterial material = elastic_material(1e8, 0.2);
    material.alpha1 = 3e-5;
    fr_material_set_young(&material, 1e8, 0.2);
    material.strength = strength;
    material.restitution = 0.3;
    FrWorld *world = test_world(ctx, fr_vec3(0, 0, -9.81));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material));
    FrVec3 middle = {0.1, 0.075, 0.025};
    FrPreCut cut[2] = {{middle, fr_normalize(fr_vec3(1, 0.3, 0)), 1.0},
                       {middle, fr_normalize(fr_vec3(0.2, 1, 0.3)), 1.0}};
    FrBodyDef def = fr_body_def_default();
    def.mesh = &mesh;
    def.material = &material;
    def.material_count = 1;
    def.position = fr_vec3(0, 0, 0.1);
    def.rotation = fr_quat_from_rotation(fr_vec3(0.3, 0.4, 0));
    def.crack = test_paper_crack();
    def.crack.cut = cut;
    def.crack.cut_count = 2;
    def.crack.pieces.rigid_piece = 0.0;
    def.crack.settle = settle;
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    // two planes that cross make four pieces; the largest is the body itself
    CHECK_INT(fr_world_stats(world).pieces, 3);
    FrLedger ledger = {0};
    double cracked = HUGE_VAL;
    while (fr_world_time(world) < until) {
        FrWorldStats before = fr_world_stats(world);
        int known = blows;
        CHECK_OK(ctx, fr_world_step(world));
        world_note(&ledger, world);
        FrWorldStats now = fr_world_stats(world);
        bool woke = now.rigid_pieces < before.rigid_pieces || blows > known;
        // from the last crack that the fall opened, or the last hard blow, on
        bool due = settle > 0.0 && fr_world_time(world) - cracked > settle - 0.01;
        if (!before.rigid_pieces && !due) CHECK_INT(now.rigid_pieces, 0);
        if (now.cracks > before.cracks || woke) cracked = fr_world_time(world);
        double since = fr_world_time(world) - cracked;
        if (settle > 0.0 && since > settle + 0.01) CHECK_INT(now.rigid_pieces, now.pieces + 1);
    }
    FrWorldStats stats = fr_world_stats(world);
    CHECK((stats.cracks > 0) == (strength < 1e9));
    double rms = rms_speed(world, 1000.0 * 0.2 * 0.15 * 0.05);
    printf("  settle %.1f s: %lld rigid, %.2g m/s, overlap %.2g m, closes to %.2g\n", settle,
           (long long)stats.rigid_pieces, rms, stats.overlap, fr_ledger_closure(&ledger));
    CHECK(rms < 1e-3); // promise: slower than 1 mm/s
    CHECK(stats.overlap < 0.02 * 0.05);
    CHECK(fr_ledger_closure(&ledger) < TOL_LEDGER);
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
    return stats;
}

#define CRACKS 5e4 // Pa

// shards lie still in the end (rigid ones chatter by g dt), bending or made rigid once nothing
// broke for a while, which takes fewer steps
TEST(shards_come_to_rest) {
    FrWorldStats bend = fallen(0.0, CRACKS, 3.0), quiet = fallen(0.2, CRACKS, 3.0);
    CHECK_INT(bend.rigid_pieces, 0);
    CHECK(quiet.steps < bend.steps);
}

// what was only cut from the start has not begun to break: it does not settle
TEST(a_body_that_is_cut_waits_for_its_first_crack) {
    FrWorldStats waits = fallen(0.2, 1e9, 1.5); // it lies still after 1 s
    CHECK_INT(waits.rigid_pieces, 0);
}
