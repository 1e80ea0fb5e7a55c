// modal_pull.c: points of bodies that bend are where they are told to be, by forces there or
// elsewhere, alone and among contacts [S1 s. 3.4.1, E32, M16].

#include "modal_kit.h"
#include "rigid_kit.h"
#include "checkpoint.h"
#include "modal/compute.h"
#include "modal/oscillator.h"

static FrWorld *pull_world(FrContext *ctx, double g) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL;
    def.gravity = fr_vec3(0, 0, -g);
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

static FrMaterial rubber(double young) {
    FrMaterial m = rigid_material(0.0, 0.5);
    fr_material_set_young(&m, young, 0.4);
    m.alpha1 = 1e-3;
    return m;
}

static FrBodyId put_bar(FrContext *ctx, FrWorld *world, const FrTetMesh *mesh, const FrMaterial *m,
                        double z, int modes) {
    FrBodyDef def = ball_def(m, 0.0, fr_vec3(0, 0, z), fr_vec3_zero);
    def.model = FR_MODEL_MODAL;
    def.mesh = mesh;
    def.modes = modes;
    return put(ctx, world, &def);
}

static FrGrabId hold(FrContext *ctx, FrWorld *world, FrBodyId body, FrVec3 at, FrPullKind kind,
                     FrVec3 value) {
    FrGrabDef def = fr_grab_def_default();
    FrGrabId id;
    def.body = body;
    def.at = at;
    def.kind = kind;
    def.target = fr_add(at, value);
    def.value = value;
    CHECK_OK(ctx, fr_grab_create(world, &def, &id));
    return id;
}

// where the node at `rest` is now
static FrVec3 node_at(FrWorld *world, const FrTetMesh *mesh, FrVec3 rest, FrVec3 shift) {
    FrBodyFrame f = frame_at(world, 0);
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fr_distance(fr_add(fr_get3(mesh->x, n), shift), rest) < 1e-9) return fr_get3(f.p, n);
    CHECK(false);
    return fr_vec3_zero;
}

// four corners of a bar, two of them moved: after one step they are there
TEST(points_are_where_they_should_be) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.6, 0.1, 0.1), 6, 2, 2, 1);
    FrMaterial m = rubber(1e6);
    FrWorld *world = pull_world(ctx, 9.81);
    FrBodyId bar = put_bar(ctx, world, &mesh, &m, 0.0, 30);
    static const double x[4] = {-0.3, -0.1, 0.1, 0.3};
    FrGrabId id[4];
    for (int k = 0; k < 4; k++)
        id[k] = hold(ctx, world, bar, fr_vec3(x[k], 0.05, 0.05), FR_PULL_PLACE,
                     fr_vec3(0, 0,
                             k == 1   ? 0.004
                             : k == 2 ? -0.003
                                      : 0.0));
    FrLedger ledger = {0};
    FrEnergy e;
    double miss = 0.0;
    for (int i = 0; i < 100; i++) {
        CHECK_OK(ctx, world_step(world));
        fr_world_energy(world, &e);
        fr_ledger_note(&ledger, &e);
        for (int k = 0; k < 4; k++) {
            FrVec3 want = fr_vec3(x[k], 0.05, 0.05 + (k == 1 ? 0.004 : k == 2 ? -0.003 : 0.0));
            FrVec3 p = node_at(world, &mesh, fr_vec3(x[k], 0.05, 0.05), fr_vec3_zero);
            miss = fr_max(miss, i < 50 ? 0.0 : fr_distance(p, want));
        }
    }
    FrGrabReport report;
    CHECK_OK(ctx, fr_grab_report(world, id[0], &report));
    printf("  missed by %.2g m; rank %d of %d; ledger %.2g\n", miss, report.rank, report.rows,
           fr_ledger_closure(&ledger));
    CHECK_INT(report.rank, 12);
    CHECK(miss < 1e-10);                      // rounding
    CHECK(report.left < 1e-10);               // rounding
    CHECK(fr_ledger_closure(&ledger) < 1e-3); // the promise
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// the same point twice over is one: rank says so, and nothing explodes
TEST(rank_is_told) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.6, 0.1, 0.1), 6, 2, 2, 1);
    FrMaterial m = rubber(1e6);
    FrWorld *world = pull_world(ctx, 0.0);
    FrBodyId bar = put_bar(ctx, world, &mesh, &m, 0.0, 30);
    FrGrabId id[2];
    for (int k = 0; k < 2; k++)
        id[k] = hold(ctx, world, bar, fr_vec3(0.3, 0.05, 0.05), FR_PULL_PLACE, fr_vec3(0, 0, 0.01));
    CHECK_OK(ctx, world_step(world));
    FrGrabReport report;
    CHECK_OK(ctx, fr_grab_report(world, id[1], &report));
    CHECK_INT(report.rank, 3);
    CHECK_INT(report.rows, 6);
    FrVec3 p = node_at(world, &mesh, fr_vec3(0.3, 0.05, 0.05), fr_vec3_zero);
    CHECK_NEAR(fr_distance(p, fr_vec3(0.3, 0.05, 0.06)), 0.0, 1e-6); // step: it turned by 0.01/0.6
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a velocity at one end, by forces in the middle and at the other end [S1 eq. 14]; an acceleration
// [S1 eq. 13]. Few modes: through many no force is felt at the other end within a substep
TEST(velocities_and_accelerations_by_other_points) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.6, 0.1, 0.1), 6, 2, 2, 1);
    FrMaterial m = rubber(1e6);
    for (int kind = FR_PULL_VELOCITY; kind <= FR_PULL_ACCELERATION; kind++) {
        FrWorld *world = pull_world(ctx, 0.0);
        FrBodyId bar = put_bar(ctx, world, &mesh, &m, 0.0, 4);
        FrVec3 by[2] = {{-0.3, 0.05, 0.05}, {0.1, -0.05, 0.05}}, value = {0, 0.01, 0.05};
        FrGrabDef def = fr_grab_def_default();
        FrGrabId id;
        def.body = bar;
        def.at = fr_vec3(0.3, 0.05, 0.05);
        def.kind = (FrPullKind)kind;
        def.value = value;
        def.by = by;
        def.by_count = 2;
        CHECK_OK(ctx, fr_grab_create(world, &def, &id));
        for (int i = 0; i < 3; i++) CHECK_OK(ctx, world_step(world));
        FrGrabReport report;
        CHECK_OK(ctx, fr_grab_report(world, id, &report));
        CHECK_INT(report.rank, 3);
        CHECK(report.left < 1e-10); // rounding
        FrBodyFrame f = frame_at(world, 0);
        printf("  force %g N\n", fr_length(report.force));
        for (int32_t n = 0; n < mesh.node_count && kind == FR_PULL_VELOCITY; n++)
            if (fr_distance(fr_get3(mesh.x, n), def.at) < 1e-9)
                CHECK_NEAR(fr_distance(fr_get3(f.v, n), value), 0.0, 1e-3); // step: arms turn
        fr_world_destroy(world);
    }
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// a bar on the ground, lifted at one end along a path: the other end stays on it
TEST(among_contacts) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.6, 0.1, 0.1), 6, 2, 2, 1);
    FrMaterial m = rubber(1e6);
    uint64_t hash[2];
    for (int run = 0; run < 2; run++) {
        FrWorld *world = pull_world(ctx, 9.81);
        CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &m));
        FrBodyId bar = put_bar(ctx, world, &mesh, &m, 0.05, 30);
        FrKey key[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {0.5, {0, 0, 0.1}, {1, 0, 0, 0}}};
        FrGrabDef def = fr_grab_def_default();
        FrGrabId id;
        def.body = bar;
        def.at = def.target = fr_vec3(0.3, 0.0, 0.05);
        def.kind = FR_PULL_PLACE;
        def.track = (FrTrack){key, 2, {0, 0, 0}};
        CHECK_OK(ctx, fr_grab_create(world, &def, &id));
        for (int i = 0; i < 144; i++) {
            CHECK_OK(ctx, world_step(world));
            if (run && i == 60) { // through a checkpoint of its own
                uint8_t *bytes;
                size_t size;
                CHECK_OK(ctx, fr_world_save(world, &bytes, &size));
                CHECK_OK(ctx, fr_world_load(world, bytes, size));
                fr_world_free_bytes(ctx, bytes);
            }
        }
        FrVec3 end = node_at(world, &mesh, fr_vec3(0.3, 0.0, 0.05), fr_vec3(0, 0, 0.05));
        FrBodyFrame f = frame_at(world, 0);
        double low = HUGE_VAL;
        for (int32_t n = 0; n < mesh.node_count; n++) low = fr_min(low, f.p[3 * n + 2]);
        CHECK_NEAR(end.z, 0.15, 1e-7);    // step: what turns within a substep
        CHECK(low > -2e-3 && low < 1e-3); // solver: the slop of contacts
        FrGrabReport report;
        CHECK_OK(ctx, fr_grab_report(world, id, &report));
        double weight = 1000.0 * 0.6 * 0.01 * 9.81;
        CHECK(report.force.z > 0.4 * weight && report.force.z < 0.6 * weight);
        hash[run] = fr_world_hash(world);
        fr_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// what a force on modes over T does to places is H f, where the print has the answer to an impulse
// times 2 / T^2 and the way from the present place [S1 eqs. 15, 16; E32]
TEST(the_printed_targets_miss) {
    static const double lambda[3] = {400.0, 9e4, 4e6}, w[3] = {0.4, -0.7, 0.5};
    double T = 1.0 / 60, c = 3.0, z[3] = {1e-2, -2e-3, 1e-4}, v[3] = {0.1, 0.3, -0.2}, want = 0.02;
    double printed = 0.0, exact = 0.0, here = 0.0, free = 0.0, place[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        FrModeStep s = fr_mode_step(lambda[i], c, T);
        printed += w[i] * s.gv * w[i];
        exact += w[i] * s.gz * w[i];
        here += w[i] * z[i];
        free += w[i] * (s.zz * z[i] + s.zv * v[i]);
    }
    double force[2] = {2.0 / (T * T) / printed * (want - here), (want - free) / exact};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            FrModeStep s = fr_mode_step(lambda[i], c, T);
            place[k] += w[i] * (s.zz * z[i] + s.zv * v[i] + s.gz * w[i] * force[k]);
        }
    CHECK_NEAR(place[1], want, 1e-15); // rounding
    CHECK(fabs(place[0] - want) > 0.1);
}

// a solid is pulled to a place by a spring that its steps can follow
TEST(solids_follow_too) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.2, 0.1, 0.1), 2, 1, 1, 1);
    FrMaterial m = rubber(1e5);
    FrWorld *world = pull_world(ctx, 9.81);
    FrBodyDef def = ball_def(&m, 0.0, fr_vec3_zero, fr_vec3_zero);
    def.model = FR_MODEL_FEM;
    def.mesh = &mesh;
    FrBodyId bar = put(ctx, world, &def);
    for (int k = 0; k < 2; k++)
        hold(ctx, world, bar, fr_vec3(0.1, k ? 0.05 : -0.05, 0.05), FR_PULL_PLACE, fr_vec3_zero);
    for (int i = 0; i < 60; i++) CHECK_OK(ctx, world_step(world));
    for (int k = 0; k < 2; k++) {
        FrVec3 at = fr_vec3(0.1, k ? 0.05 : -0.05, 0.05);
        CHECK_NEAR(fr_distance(node_at(world, &mesh, at, fr_vec3_zero), at), 0.0, 1e-3); // step
    }
    fr_world_destroy(world);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}
