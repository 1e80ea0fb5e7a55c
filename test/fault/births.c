// births.c: many bodies come and go, and much time passes: memory stays what it was; and where
// there is none, a birth or a death fails whole. BIRTHS: cycles (1000); REST_SECONDS: of a pile
// (360).

#include "births_kit.h"
#include "base/clock.h"
#include "meter.h"

static int64_t number_from(const char *name, int64_t otherwise) {
    const char *text = getenv(name);
    return text ? atoll(text) : otherwise;
}

// a world of no bodies holds what its lists grew to, at the end as after a tenth of it
TEST(memory_stays_flat_over_births_and_deaths) {
    Meter meter = {0};
    FrContext *ctx = metered_context(&meter);
    int64_t cycles = number_from("BIRTHS", 1000);
    size_t live[10];
    Nursery n = nursery(ctx, true);
    for (int part = 0; part < 10; part++) {
        for (int64_t k = 0; k < cycles / 10; k++) nursery_cycle(&n);
        nursery_empty(&n);
        live[part] = meter.live;
    }
    printf(
        "  %lld births, %lld deaths, %lld joints, supports and loads, %lld cracks: %zu kB after a "
        "tenth, %zu kB at the end\n",
        (long long)n.births, (long long)n.deaths, (long long)n.holds,
        (long long)fr_world_stats(n.world).cracks, live[0] / 1024, live[9] / 1024);
    CHECK(n.births >= cycles / 10 * 10 && n.deaths == n.births);
    CHECK(live[9] <= live[4] + live[4] / 4); // lists double now and then, for the most of a time
    nursery_free(&n);
    CHECK(meter.live > 0); // the context's own
    fr_context_destroy(ctx);
    CHECK_INT(meter.live, 0);
}

TEST(memory_stays_flat_over_an_hour_of_rest) {
    Meter meter = {0};
    FrContext *ctx = metered_context(&meter);
    double seconds = (double)number_from("REST_SECONDS", 360);
    Nursery n = nursery(ctx, false);
    for (int k = 0; k < 5; k++) {
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        nursery_shape(&n, k == 3 ? BORN_BALL : BORN_BOX, &def);
        def.position = fr_vec3(k == 3 ? 0.5 : 0.0, 0, k == 3 ? 0.05 : 0.1 * k);
        CHECK_OK(ctx, fr_body_create(n.world, &def, &id));
    }
    int64_t events = 0, count;
    size_t live = 0;
    while (fr_world_time(n.world) < seconds) {
        CHECK_OK(ctx, fr_world_step(n.world));
        fr_world_events(n.world, &count);
        events += count;
        if (!live && fr_world_time(n.world) > 2.0) live = meter.live;
    }
    printf("  %.0f s of rest, %lld events: %zu bytes after 2 s, %zu bytes at the end\n",
           fr_world_time(n.world), (long long)events, live, meter.live);
    CHECK(meter.live == live);
    nursery_free(&n);
    fr_context_destroy(ctx);
}

// 300 bodies between two steps
TEST(how_long_births_take) {
    FrContext *ctx = test_context(1);
    static const BirthKind kind[] = {BORN_SOLID, BORN_BRITTLE, BORN_BOX, BORN_MESH, BORN_BALL};
    Nursery n = nursery(ctx, false);
    CHECK_OK(ctx, fr_world_step(n.world));
    double start = fr_wall_seconds();
    for (int k = 0; k < 300; k++) {
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        nursery_shape(&n, kind[k % 5], &def);
        def.position = fr_vec3(0.3 * (k % 20), 0.3 * (k / 20), 0.5);
        CHECK_OK(ctx, fr_body_create(n.world, &def, &id));
    }
    double born = fr_wall_seconds();
    CHECK_OK(ctx, fr_world_step(n.world));
    printf("  300 births: %.3f ms each, the step after them %.1f ms\n",
           1e3 / 300.0 * (born - start), 1e3 * (fr_wall_seconds() - born));
    nursery_free(&n);
    fr_context_destroy(ctx);
}

/// What is tried while memory is refused.
static FrResult live_on(Nursery *n, FrBodyId *born) {
    FrBodyDef def = fr_body_def_default();
    FrPreCut cut = {{0.1, 0.05, 0.05}, {1, 0, 0}, 0.2};
    nursery_shape(n, (BirthKind)(n->births % BIRTH_KINDS), &def);
    def.position = fr_vec3(0, 0, 0.15);
    if (n->births % BIRTH_KINDS == BORN_BRITTLE) def.crack.cut = &cut, def.crack.cut_count = 1;
    FR_TRY(fr_body_create(n->world, &def, born));
    FR_TRY(fr_world_step(n->world));
    return fr_body_destroy(n->world, *born);
}

static int32_t count_bodies(FrWorld *world) { return world->body.count; }

// one that touches the ground and is held; its death tells of the blow
static void settle(Nursery *n, FrBodyId *old) {
    FrBodyDef def = fr_body_def_default();
    int32_t node = 0;
    nursery_shape(n, BORN_SOLID, &def);
    def.velocity = fr_vec3(0, 0, -1);
    CHECK_OK(n->ctx, fr_body_create(n->world, &def, old));
    FrDriveDef drive = fr_drive_def_default();
    drive.body = *old;
    drive.node = &node;
    drive.node_count = 1;
    drive.until = HUGE_VAL;
    CHECK_OK(n->ctx, fr_drive_create(n->world, &drive, NULL));
    for (int k = 0; k < 3; k++) CHECK_OK(n->ctx, fr_world_step(n->world));
}

// its birth is among the events
static bool told_of(const FrWorld *world, FrBodyId id) {
    int64_t count;
    bool told = false;
    const FrEvent *event = fr_world_events(world, &count);
    for (int64_t k = 0; k < count; k++)
        told = told || (event[k].kind == FR_EVENT_BIRTH && event[k].a.index1 == id.index1);
    return told;
}

// the k-th allocation is refused; false: there were fewer
static bool refuse(int kind, int k, int *trials) {
    Refuser refuser = {0};
    FrContext *ctx = make_refusing_context(&refuser);
    Nursery n = nursery(ctx, true);
    FrBodyId old, born = {0}, next;
    settle(&n, &old);
    n.births = kind;
    int32_t before = count_bodies(n.world);
    int64_t ticks = fr_world_tick(n.world);
    int calls = refuser.calls;
    refuser.refuse_at = calls + k;
    FrResult result = live_on(&n, &born);
    if (result == FR_OK) result = fr_body_destroy(n.world, old);
    bool refused = refuser.calls >= refuser.refuse_at;
    CHECK(result == FR_OK || result == FR_NO_MEMORY);
    refuser.refuse_at = 0;
    if (result == FR_NO_MEMORY) CHECK_HAS(fr_context_message(ctx), "memory");
    // a birth that failed left nothing behind, and the next one has a number of its own
    if (!born.index1) CHECK_INT(count_bodies(n.world), before);
    if (born.index1) CHECK(told_of(n.world, born) || fr_world_tick(n.world) > ticks);
    if (fr_body_alive(n.world, born)) CHECK_OK(ctx, fr_body_destroy(n.world, born));
    if (fr_body_alive(n.world, old)) CHECK_INT(n.world->drive.count, 1);
    FrBodyDef def = fr_body_def_default();
    nursery_shape(&n, (BirthKind)kind, &def);
    CHECK_OK(ctx, fr_body_create(n.world, &def, &next));
    CHECK(next.index1 != born.index1 && next.index1 != old.index1);
    CHECK_OK(ctx, fr_body_destroy(n.world, next));
    CHECK(!fr_body_alive(n.world, next));
    nursery_free(&n);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
    *trials += refused;
    return refused;
}

TEST(births_and_deaths_without_memory) {
    int trials = 0;
    for (int kind = 0; kind < BIRTH_KINDS; kind++)
        for (int k = 1; refuse(kind, k, &trials); k++) {
        }
    printf("  %d refusals\n", trials);
    CHECK(trials > 200);
}

// a load on a body that was cut before: whatever is refused, the caller's lists stay the caller's
TEST(a_load_without_memory_frees_only_its_own) {
    int trials = 0;
    bool refused = true;
    for (int k = 1; refused; k++) {
        Refuser refuser = {0};
        FrContext *ctx = make_refusing_context(&refuser);
        Nursery n = nursery(ctx, false);
        FrBodyDef def = fr_body_def_default();
        FrPreCut cut = {{0.1, 0.05, 0.05}, {1, 0, 0}, 0.2};
        FrBodyId id;
        nursery_shape(&n, BORN_BRITTLE, &def);
        def.crack.cut = &cut;
        def.crack.cut_count = 1;
        CHECK_OK(ctx, fr_body_create(n.world, &def, &id));
        CHECK_OK(ctx, fr_world_step(n.world));
        double key[2][2] = {{0, 1}, {1, 2}};
        int32_t node[2] = {0, 1}, tri[1][3] = {{0, 1, 2}};
        FrLoadDef load = fr_load_def_default();
        load.kind = FR_LOAD_PRESSURE;
        load.body = id;
        load.curve = (FrCurve){(const double(*)[2])key, 2};
        load.node = node;
        load.node_count = 2;
        load.tri = (const int32_t(*)[3])tri;
        load.tri_count = 1;
        load.pressure = 1.0;
        FrLoadId made;
        refuser.refuse_at = refuser.calls + k;
        FrResult result = fr_load_create(n.world, &load, &made);
        refused = refuser.calls >= refuser.refuse_at;
        refuser.refuse_at = 0;
        CHECK_INT(result, refused ? FR_NO_MEMORY : FR_OK);
        CHECK_INT(n.world->load.count, !refused);
        nursery_free(&n);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
        trials += refused;
    }
    CHECK(trials >= 6);
}

/// What is tried with a bar of two rigid halves: a support comes, one half deforms, it leaves.
static FrResult hold_and_let_go(Nursery *n, FrBodyId id, FrDriveId *drive) {
    int32_t node = 0;
    FrDriveDef def = fr_drive_def_default();
    def.body = id;
    def.node = &node;
    def.node_count = 1;
    def.until = HUGE_VAL;
    FR_TRY(fr_drive_create(n->world, &def, drive));
    FR_TRY(fr_world_step(n->world));
    return fr_drive_destroy(n->world, *drive);
}

// a support that fails to come is not there, one that fails to leave still is
TEST(supports_of_rigid_pieces_without_memory) {
    int trials = 0;
    bool refused = true;
    for (int k = 1; refused; k++) {
        Refuser refuser = {0};
        FrContext *ctx = make_refusing_context(&refuser);
        Nursery n = nursery(ctx, false);
        FrBodyDef def = fr_body_def_default();
        FrPreCut cut = {{0.1, 0.05, 0.05}, {1, 0, 0}, 0.2};
        FrBodyId id;
        FrDriveId drive = {0};
        nursery_shape(&n, BORN_BRITTLE, &def);
        def.position = fr_vec3(0, 0, 0.5);
        def.crack.cut = &cut;
        def.crack.cut_count = 1;
        def.crack.pieces.rigid_piece = 1e5;
        CHECK_OK(ctx, fr_body_create(n.world, &def, &id));
        CHECK_OK(ctx, fr_world_step(n.world));
        refuser.refuse_at = refuser.calls + k;
        int64_t ticks = fr_world_tick(n.world);
        FrResult result = hold_and_let_go(&n, id, &drive);
        refused = refuser.calls >= refuser.refuse_at;
        refuser.refuse_at = 0;
        CHECK_INT(result, refused ? FR_NO_MEMORY : FR_OK);
        CHECK_INT(n.world->drive.count, drive.index1 && refused);
        if (drive.index1 && refused && fr_world_tick(n.world) > ticks)
            CHECK_OK(ctx, fr_drive_destroy(n.world, drive));
        nursery_free(&n);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
        trials += refused;
    }
    CHECK(trials >= 5);
}
