// births.c: bodies that are born and die between steps: ledgers close, checkpoints in the midst of
// it go on to the same bytes, what rested on one that dies falls, stale ids are refused.

#include "births_kit.h"

static double sum_of(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic + e.plastic + e.fracture + e.dust + e.damping + e.contact -
           e.external;
}

static double held(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic;
}

// a birth or a death moves no sum; steps may, by the promise, for what all that were born brought
TEST(ledgers_close_through_births_and_deaths) {
    FrContext *ctx = test_context(1);
    Nursery n = nursery(ctx, false);
    double start = sum_of(n.world), jump = 0.0, gap = 0.0, brought = 0.0;
    for (int k = 0; k < 200; k++) {
        for (int j = 0; j < 3; j++) CHECK_OK(ctx, fr_world_step(n.world));
        double before = sum_of(n.world), energy = held(n.world);
        gap = fr_max(gap, fabs(before - start));
        if (n.count == NURSERY_BODIES) nursery_bury(&n, k % NURSERY_BODIES);
        brought += fr_max(0.0, energy - held(n.world));
        nursery_bear(&n);
        jump = fr_max(jump, fabs(sum_of(n.world) - before));
    }
    brought += held(n.world);
    nursery_empty(&n);
    printf("  %lld births with %.3g J: they add %.1e J, steps %.1e; momentum %.1e\n",
           (long long)n.births, brought, jump, gap, fr_world_stats(n.world).momentum_drift);
    CHECK(jump < 1e-12 * brought); // rounding: of sums of works
    CHECK(gap < TOL_LEDGER * brought);
    CHECK(fr_world_stats(n.world).momentum_drift < TOL_MOMENTUM);
    nursery_free(&n);
    fr_context_destroy(ctx);
}

// the same script over `cycles`, left at `stop` for a world that is loaded; hashes of the end
typedef struct Ends {
    uint64_t checkpoint, state;
} Ends;

static Nursery load_copy(const Nursery *n) {
    Nursery copy = nursery(n->ctx, n->crowded);
    nursery_bear(&copy);
    FrWorld *world = copy.world;
    uint8_t *bytes;
    size_t size;
    nursery_free_shapes(&copy);
    CHECK_OK(n->ctx, fr_world_save(n->world, &bytes, &size));
    CHECK_OK(n->ctx, fr_world_load(world, bytes, size));
    fr_world_free_bytes(n->ctx, bytes);
    copy = *n;
    copy.world = world;
    return copy;
}

static Ends live(FrContext *ctx, int cycles, int stop) {
    Nursery n = nursery(ctx, true);
    nursery_bear(&n); // one that is there from the start
    for (int k = 0; k < cycles; k++) {
        if (k == stop) {
            Nursery copy = load_copy(&n);
            CHECK(checkpoint_hash(n.world) == checkpoint_hash(copy.world));
            CHECK(fr_world_hash(n.world) == fr_world_hash(copy.world));
            fr_world_destroy(n.world);
            n = copy;
        }
        nursery_cycle(&n);
    }
    Ends ends = {checkpoint_hash(n.world), fr_world_hash(n.world)};
    if (stop < 0)
        printf("  %lld births, %lld deaths, %lld cracks\n", (long long)n.births,
               (long long)n.deaths, (long long)fr_world_stats(n.world).cracks);
    CHECK(fr_world_stats(n.world).cracks > 0);
    nursery_free(&n);
    return ends;
}

TEST(a_checkpoint_in_the_midst_goes_on_to_the_same_bytes) {
    FrContext *ctx = test_context(1);
    static const int stop[] = {1, 7, 17, 26, 34, 43, 51, 58};
    Ends whole = live(ctx, 60, -1);
    for (size_t k = 0; k < sizeof stop / sizeof stop[0]; k++) {
        Ends ends = live(ctx, 60, stop[k]);
        CHECK(ends.checkpoint == whole.checkpoint);
        CHECK(ends.state == whole.state);
    }
    fr_context_destroy(ctx);
}

TEST(workers_do_not_matter) {
    Ends ends[3];
    for (int k = 0; k < 3; k++) {
        FrContext *ctx = test_context(1 << k);
        ends[k] = live(ctx, 60, -1);
        fr_context_destroy(ctx);
    }
    for (int k = 1; k < 3; k++) {
        CHECK(ends[k].checkpoint == ends[0].checkpoint);
        CHECK(ends[k].state == ends[0].state);
    }
}

static void refused(FrContext *ctx, FrResult result) {
    CHECK_INT(result, FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "gone");
}

static void check_stale(Nursery *n, FrBodyId stale, FrBodyId solid, FrBodyId ball) {
    FrContext *ctx = n->ctx;
    FrWorld *w = n->world;
    int32_t node = 0;
    FrDriveDef drive = fr_drive_def_default();
    drive.body = stale;
    drive.node = &node;
    drive.node_count = 1;
    drive.until = HUGE_VAL;
    FrLoadDef load = fr_load_def_default();
    load.kind = FR_LOAD_FORCE;
    load.body = stale;
    FrJointDef joint = fr_joint_def_default();
    joint.kind = FR_JOINT_BALL;
    joint.a = stale;
    joint.b = ball;
    CHECK(!fr_body_alive(w, stale));
    refused(ctx, fr_body_destroy(w, stale));
    refused(ctx, fr_drive_create(w, &drive, NULL));
    refused(ctx, fr_load_create(w, &load, NULL));
    refused(ctx, fr_joint_create(w, &joint, NULL));
    joint.a = ball, joint.b = stale;
    refused(ctx, fr_joint_create(w, &joint, NULL));
    refused(ctx, fr_world_ignore(w, stale, solid));
    refused(ctx, fr_world_ignore(w, solid, stale));
}

static FrBodyId add_kind(Nursery *n, BirthKind kind, FrVec3 position) {
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    nursery_shape(n, kind, &def);
    def.position = position;
    CHECK_OK(n->ctx, fr_body_create(n->world, &def, &id));
    return id;
}

// before the first step and after it; and though others were born since
TEST(stale_ids_are_refused) {
    FrContext *ctx = test_context(1);
    Nursery n = nursery(ctx, false);
    for (int round = 0; round < 2; round++) {
        FrBodyId solid = add_kind(&n, BORN_SOLID, fr_vec3(0, round, 1));
        FrBodyId ball = add_kind(&n, BORN_BALL, fr_vec3(1, round, 1)), gone[BIRTH_KINDS];
        for (int k = 0; k < BIRTH_KINDS; k++)
            gone[k] = add_kind(&n, (BirthKind)k, fr_vec3(-1 - k, round, 1));
        for (int k = 0; k < BIRTH_KINDS; k++) CHECK_OK(ctx, fr_body_destroy(n.world, gone[k]));
        for (int k = 0; k < BIRTH_KINDS; k++) {
            FrBodyId next = add_kind(&n, (BirthKind)k, fr_vec3(-1 - k, round, 2));
            CHECK(next.index1 != gone[k].index1);
            check_stale(&n, gone[k], solid, ball);
        }
        int32_t node = 0;
        FrDriveDef drive = fr_drive_def_default();
        drive.body = solid;
        drive.node = &node;
        drive.node_count = 1;
        drive.until = HUGE_VAL;
        FrLoadDef load = fr_load_def_default();
        load.kind = FR_LOAD_FORCE;
        load.body = solid;
        FrJointDef joint = fr_joint_def_default();
        joint.kind = FR_JOINT_BALL;
        joint.a = ball;
        joint.at_a = fr_vec3(1, round, 1.1);
        FrDriveId held;
        FrLoadId loaded;
        FrJointId joined;
        for (int k = 0; k < 2; k++) { // destroyed by hand; with its body
            CHECK_OK(ctx, fr_drive_create(n.world, &drive, &held));
            CHECK_OK(ctx, fr_load_create(n.world, &load, &loaded));
            CHECK_OK(ctx, fr_joint_create(n.world, &joint, &joined));
            if (k) {
                CHECK_OK(ctx, fr_body_destroy(n.world, solid));
                CHECK_OK(ctx, fr_body_destroy(n.world, ball));
            } else {
                CHECK_OK(ctx, fr_drive_destroy(n.world, held));
                CHECK_OK(ctx, fr_load_destroy(n.world, loaded));
                CHECK_OK(ctx, fr_joint_destroy(n.world, joined));
            }
            refused(ctx, fr_drive_destroy(n.world, held));
            refused(ctx, fr_load_destroy(n.world, loaded));
            refused(ctx, fr_joint_destroy(n.world, joined));
        }
        CHECK_INT(fr_body_destroy(n.world, (FrBodyId){0}), FR_BAD_USE);
        CHECK_INT(fr_body_destroy(n.world, (FrBodyId){1 << 20}), FR_BAD_USE);
        CHECK_OK(ctx, fr_world_step(n.world));
    }
    nursery_free(&n);
    fr_context_destroy(ctx);
}

// a box on a box, both kinds: the lower one dies, the upper one falls by 10 cm
TEST(what_rested_on_it_falls) {
    FrContext *ctx = test_context(1);
    static const BirthKind kind[] = {BORN_BOX, BORN_MESH, BORN_SOLID};
    for (int lower = 0; lower < 3; lower++)
        for (int upper = 0; upper < 3; upper++) {
            // a box does not hold a mesh whose corners are all beside it
            if (kind[upper] == BORN_MESH && kind[lower] == BORN_BOX) continue;
            Nursery n = nursery(ctx, false);
            n.soft.eta = 0.05; // comes to rest soon
            FrBodyId below = add_kind(&n, kind[lower], fr_vec3_zero);
            FrVec3 top = fr_vec3(kind[upper] == BORN_MESH ? -0.05 : 0.0, 0, 0.1);
            FrBodyId above = add_kind(&n, kind[upper], top);
            test_run(ctx, n.world, 2.0);
            double high = nursery_place(n.world, above).z;
            CHECK_OK(ctx, fr_body_destroy(n.world, below));
            test_run(ctx, n.world, 2.1);
            // model: it fell freely for 0.1 s, less what a step and a bend take
            CHECK_NEAR(high - nursery_place(n.world, above).z, 0.5 * 9.81 * 0.01, 0.005);
            test_run(ctx, n.world, 3.5);
            CHECK(nursery_place(n.world, above).z < high - 0.08);
            nursery_free(&n);
        }
    fr_context_destroy(ctx);
}

// strings reach farther than contact
TEST(what_hung_on_it_falls) {
    FrContext *ctx = test_context(1);
    Nursery n = nursery(ctx, false);
    FrBodyDef hook = fr_body_def_default();
    FrBodyId high;
    nursery_shape(&n, BORN_KINEMATIC, &hook);
    hook.kinematic = true;
    hook.position = fr_vec3(0, 0, 2);
    CHECK_OK(ctx, fr_body_create(n.world, &hook, &high));
    FrBodyId low = add_kind(&n, BORN_BALL, fr_vec3(0, 0, 1));
    FrJointDef joint = fr_joint_def_default();
    joint.kind = FR_JOINT_STRING;
    joint.a = low;
    joint.b = high;
    joint.at_a = fr_vec3(0, 0, 1);
    joint.at_b = fr_vec3(0, 0, 2);
    CHECK_OK(ctx, fr_joint_create(n.world, &joint, NULL));
    test_run(ctx, n.world, 2.0);
    CHECK_NEAR(nursery_place(n.world, low).z, 1.0, 1e-3); // solver: the string gives a little
    CHECK_OK(ctx, fr_body_destroy(n.world, high));
    test_run(ctx, n.world, 2.2);
    CHECK_NEAR(nursery_place(n.world, low).z, 1.0 - 0.5 * 9.81 * 0.04, 0.01); // step: of 1/240 s
    nursery_free(&n);
    fr_context_destroy(ctx);
}

TEST(births_wake_what_they_fall_on) {
    FrContext *ctx = test_context(1);
    static const BirthKind kind[] = {BORN_BOX, BORN_BALL, BORN_SOLID, BORN_MASS};
    for (int k = 0; k < 4; k++) {
        Nursery n = nursery(ctx, false);
        FrBodyId pile[3];
        for (int i = 0; i < 3; i++) pile[i] = add_kind(&n, BORN_BOX, fr_vec3(0, 0, 0.1 * i));
        test_run(ctx, n.world, 2.0);
        FrVec3 top = nursery_place(n.world, pile[2]);
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        nursery_shape(&n, kind[k], &def);
        def.position = fr_vec3(0.06, 0, def.radius > 0.0 ? 0.36 : 0.31);
        def.velocity = fr_vec3(-1, 0, -2);
        CHECK_OK(ctx, fr_body_create(n.world, &def, &id));
        test_run(ctx, n.world, 2.1);
        CHECK(fr_distance(nursery_place(n.world, pile[2]), top) > 0.0);
        nursery_free(&n);
    }
    fr_context_destroy(ctx);
}

// a bar that comes in two halves is reported before them; a checkpoint between the two steps has
// what the next one tells again, and the caller of either world hears all of it once
TEST(a_checkpoint_has_what_was_reported_since_the_last_step) {
    FrContext *ctx = test_context(1);
    Nursery n = nursery(ctx, false);
    nursery_bear(&n);
    CHECK_OK(ctx, fr_world_step(n.world));
    FrBodyDef def = fr_body_def_default();
    FrPreCut cut = {{0.1, 0.05, 0.05}, {1, 0, 0}, 0.2};
    FrBodyId id;
    nursery_shape(&n, BORN_BRITTLE, &def);
    def.crack.cut = &cut;
    def.crack.cut_count = 1;
    def.position = fr_vec3(0, 0, 0.15);
    CHECK_OK(ctx, fr_body_create(n.world, &def, &id));
    int64_t count, resumed_count;
    const FrEvent *event = fr_world_events(n.world, &count);
    CHECK(count >= 2);
    CHECK_INT(event[count - 2].kind, FR_EVENT_BIRTH);
    CHECK_INT(event[count - 1].kind, FR_EVENT_PIECE);
    CHECK_INT(event[count - 1].a.index1, id.index1);
    Nursery resumed = load_copy(&n);
    CHECK(checkpoint_hash(n.world) == checkpoint_hash(resumed.world));
    for (int k = 0; k < 3; k++) {
        CHECK_OK(ctx, fr_world_step(n.world));
        CHECK_OK(ctx, fr_world_step(resumed.world));
        const FrEvent *first = fr_world_events(n.world, &count);
        const FrEvent *second = fr_world_events(resumed.world, &resumed_count);
        CHECK_INT(count, resumed_count);
        if (k == 0) CHECK(count >= 2 && first[0].kind == FR_EVENT_BIRTH);
        for (int64_t j = 0; j < count && j < resumed_count; j++) {
            CHECK_INT(first[j].kind, second[j].kind);
            CHECK(first[j].seq == second[j].seq);
            CHECK_INT(first[j].a.index1, second[j].a.index1);
        }
    }
    fr_world_destroy(resumed.world);
    nursery_free(&n);
    fr_context_destroy(ctx);
}

// ids are never used twice: where none is left there is no body and nothing to hold it
TEST(numbers_run_out_with_a_message) {
    FrContext *ctx = test_context(1);
    Nursery n = nursery(ctx, false);
    FrBodyId last = add_kind(&n, BORN_BOX, fr_vec3(0, 0, 1)), id;
    int32_t node = 0;
    FrBodyId solid = add_kind(&n, BORN_SOLID, fr_vec3(1, 0, 1));
    n.world->next_number = n.world->next_hold = INT32_MAX - 2; // the ground needs one, too
    add_kind(&n, BORN_BALL, fr_vec3(2, 0, 1));
    FrBodyDef def = fr_body_def_default();
    nursery_shape(&n, BORN_BALL, &def);
    CHECK_INT(fr_body_create(n.world, &def, &id), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "no number is left for more bodies");
    CHECK_INT(id.index1, 0);
    FrDriveDef drive = fr_drive_def_default();
    drive.body = solid, drive.node = &node, drive.node_count = 1;
    CHECK_OK(ctx, fr_drive_create(n.world, &drive, NULL));
    drive.node = &(int32_t){1};
    CHECK_INT(fr_drive_create(n.world, &drive, NULL), FR_BAD_USE);
    FrJointDef joint = fr_joint_def_default();
    joint.a = last;
    CHECK_INT(fr_joint_create(n.world, &joint, NULL), FR_BAD_USE);
    FrGrabDef grab = fr_grab_def_default();
    FrGrabId grabbed;
    grab.body = last;
    CHECK_INT(fr_grab_create(n.world, &grab, &grabbed), FR_BAD_USE);
    CHECK_OK(ctx, fr_world_step(n.world)); // the ground gets the last one
    CHECK_INT(n.world->next_number, INT32_MAX);
    nursery_free(&n);
    fr_context_destroy(ctx);
}
