// live.c: a scene under hands is the same whatever budget and workers step it, when it is played
// again from its inputs, and when it was gone back and forth.

#include "test.h"
#include "context.h"
#include "fracas/live.h"
#include "math/vec.h"
#include <inttypes.h>
#include <unistd.h>

static const char scene_text[] =
    "local soft = param('soft', 80*kPa, {min = 10*kPa, max = 1*MPa, help = 'of the jelly'})\n"
    "local tall = param('tall', true)\n"
    "local made = param('made', 'oak', {choices = {'oak', 'steel'}})\n"
    "ground { material = 'concrete' }\n"
    "material { name = 'gummy', base = 'silicone', young = soft, poisson = 0.4 }\n"
    "body { name = 'cube', material = 'gummy', shape = box { 8*cm, 8*cm, 8*cm }, cells = 4*cm,\n"
    "  at = {0, 0, 6*cm} }\n"
    "body { name = 'block', material = made, model = 'frame', shape = box { 6*cm, 6*cm, 6*cm },\n"
    "  cells = 3*cm, at = {20*cm, 0, 3*cm} }\n"
    "sphere { 2*cm, name = 'ball', material = 'steel', at = {-20*cm, 0, 2*cm} }\n";

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    CHECK(file != NULL);
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

static FrLive *open_scene(FrContext *ctx) {
    FrLiveDef def = fr_live_def_default();
    FrLive *live = NULL;
    write_file("live.lua", scene_text);
    def.scene = "live.lua";
    CHECK_OK(ctx, fr_live_open(ctx, &def, &live));
    return live;
}

static FrBodyId body_of(FrLive *live, FrSnapshot *s, const char *name) {
    FrBodyId none = {0};
    if (fr_live_snapshot(live, s, false) != FR_OK) return none;
    const FrFrameView *view = &fr_snapshot_moment(s)->view;
    for (int32_t k = 0; k < view->body_count; k++)
        if (!strcmp(view->body[k].name, name)) return view->body[k].id;
    return none;
}

// steps with pauses for the budget, until a tick
static void go(FrContext *ctx, FrLive *live, double budget, int64_t tick) {
    while (fr_live_tick(live) < tick) {
        int32_t done = 0, left = (int32_t)(tick - fr_live_tick(live));
        FrResult result = fr_live_advance(live, budget, left, &done);
        CHECK_OK(ctx, result);
        CHECK(done >= 1);
        if (result != FR_OK) return;
    }
}

static FrInput input_of(FrInputKind kind) { return (FrInput){.kind = kind}; }

// pulls the cube, strikes the ball, drops a bowl and a soft box, takes the block away
static void play(FrContext *ctx, FrLive *live, double budget) {
    FrSnapshot *s = NULL;
    CHECK_OK(ctx, fr_snapshot_create(ctx, &s));
    FrInput grab = input_of(FR_INPUT_GRAB);
    grab.body = body_of(live, s, "cube");
    grab.hand = 7;
    grab.at = fr_vec3(0.04, 0, 0.1);
    grab.to = fr_vec3(0.05, 0.02, 0.16);
    go(ctx, live, budget, 6);
    CHECK_OK(ctx, fr_live_input(live, &grab));
    FrInput ahead = input_of(FR_INPUT_SPAWN);
    ahead.tick = 20;
    ahead.to = fr_vec3(0.1, 0.1, 0.2);
    ahead.amount = 0.05;
    strcpy(ahead.word, "box");
    strcpy(ahead.material, "jelly");
    CHECK_OK(ctx, fr_live_input(live, &ahead));
    FrInput move = input_of(FR_INPUT_MOVE);
    move.hand = 7;
    for (int k = 0; k < 10; k++) {
        go(ctx, live, budget, 8 + 2 * k);
        move.to = fr_vec3(0.05 + 0.01 * k, 0.02, 0.16 + 0.005 * k);
        CHECK_OK(ctx, fr_live_input(live, &move));
    }
    FrInput strike = input_of(FR_INPUT_STRIKE);
    strike.body = body_of(live, s, "ball");
    strike.at = fr_vec3(-0.2, 0, 0.02);
    strike.v = fr_vec3(0.3, 0, 0.1);
    CHECK_OK(ctx, fr_live_input(live, &strike));
    FrInput spawn = input_of(FR_INPUT_SPAWN);
    spawn.to = fr_vec3(0.2, 0, 0.12);
    spawn.v = fr_vec3(0, 0, -1);
    spawn.amount = 0.1;
    strcpy(spawn.word, "tube");
    strcpy(spawn.material, "steel");
    CHECK_OK(ctx, fr_live_input(live, &spawn));
    go(ctx, live, budget, 40);
    FrInput letgo = input_of(FR_INPUT_LET_GO);
    letgo.hand = 7;
    CHECK_OK(ctx, fr_live_input(live, &letgo));
    FrInput material = input_of(FR_INPUT_MATERIAL);
    material.body = grab.body;
    material.amount = 0.9;
    strcpy(material.word, "friction");
    CHECK_OK(ctx, fr_live_input(live, &material));
    FrInput remove = input_of(FR_INPUT_DELETE);
    remove.body = body_of(live, s, "block");
    CHECK_OK(ctx, fr_live_input(live, &remove));
    FrInput gravity = input_of(FR_INPUT_GRAVITY);
    gravity.v = fr_vec3(0.5, 0, -5);
    CHECK_OK(ctx, fr_live_input(live, &gravity));
    go(ctx, live, budget, 60);
    fr_snapshot_destroy(s);
}

TEST(same_for_any_budget_and_workers) {
    uint64_t first = 0;
    for (int32_t k = 0; k < 3; k++) {
        FrContext *ctx = make_context(1 + k);
        FrLive *live = open_scene(ctx);
        play(ctx, live, k == 0 ? 10.0 : k == 1 ? 0.0 : 0.003);
        uint64_t hash = fr_live_hash(live);
        CHECK(hash != 0);
        if (k == 0) first = hash;
        CHECK(hash == first);
        fr_live_close(live);
        fr_context_destroy(ctx);
    }
}

TEST(inputs_play_again) {
    FrContext *ctx = make_context(2);
    FrLive *live = open_scene(ctx), *again = NULL;
    int64_t end;
    uint64_t wanted, hash;
    play(ctx, live, 10.0);
    hash = fr_live_hash(live);
    CHECK_OK(ctx, fr_live_save_inputs(live, "live.inputs"));
    fr_live_close(live);
    CHECK_OK(ctx, fr_live_replay(ctx, "live.inputs", &again, &end, &wanted));
    CHECK(end == 60 && wanted == hash);
    CHECK(fr_live_waiting(again) == 18);
    go(ctx, again, 0.0, end);
    CHECK(fr_live_hash(again) == hash);
    CHECK(fr_live_waiting(again) == 0);
    // and what was played again is saved as the same
    CHECK_OK(ctx, fr_live_save_inputs(again, "again.inputs"));
    fr_live_close(again);
    CHECK_OK(ctx, fr_live_replay(ctx, "again.inputs", &again, NULL, &wanted));
    CHECK(wanted == hash);
    fr_live_close(again);
    fr_context_destroy(ctx);
}

// bodies that are left open become implicit ones, which are as repeatable
TEST(quick_ones_play_again) {
    FrContext *ctx = make_context(2);
    FrLiveDef def = fr_live_def_default();
    FrLive *live = NULL, *again = NULL;
    FrSnapshot *s = NULL;
    int64_t end;
    uint64_t hash;
    write_file("live.lua", scene_text);
    def.scene = "live.lua";
    def.quick = true;
    CHECK_OK(ctx, fr_snapshot_create(ctx, &s));
    CHECK_OK(ctx, fr_live_open(ctx, &def, &live));
    CHECK_CLOSE(fr_live_step(live), 1.0 / 120.0, 1e-12); // rounding
    CHECK_OK(ctx, fr_live_snapshot(live, s, false));
    CHECK(!strcmp(fr_snapshot_moment(s)->view.body[0].model, "corot"));
    CHECK(!strcmp(fr_snapshot_moment(s)->view.body[1].model, "frame"));
    play(ctx, live, 10.0);
    hash = fr_live_hash(live);
    CHECK_OK(ctx, fr_live_rewind(live, 33));
    go(ctx, live, 10.0, 60);
    CHECK(fr_live_hash(live) == hash);
    CHECK_OK(ctx, fr_live_save_inputs(live, "quick.inputs"));
    CHECK_OK(ctx, fr_live_replay(ctx, "quick.inputs", &again, &end, NULL));
    go(ctx, again, 0.0, end);
    CHECK(fr_live_hash(again) == hash);
    fr_live_close(again);
    // rigid bodies alone step as in a run
    write_file("rigid.lua", "sphere { 2*cm, name = 'ball', material = 'steel', at = {0, 0, 1} }\n");
    def.scene = "rigid.lua";
    CHECK_OK(ctx, fr_live_open(ctx, &def, &again));
    CHECK_CLOSE(fr_live_step(again), 1.0 / 240.0, 1e-12); // rounding
    fr_snapshot_destroy(s);
    fr_live_close(live);
    fr_live_close(again);
    fr_context_destroy(ctx);
}

TEST(inputs_become_a_recording) {
    FrContext *ctx = make_context(1);
    FrLive *live = open_scene(ctx);
    FrPlayback *playback = NULL;
    const FrFrameView *view = NULL;
    play(ctx, live, 10.0);
    CHECK_OK(ctx, fr_live_save_inputs(live, "live.inputs"));
    FrSnapshot *s = NULL;
    CHECK_OK(ctx, fr_snapshot_create(ctx, &s));
    CHECK_OK(ctx, fr_live_snapshot(live, s, false));
    const FrFrameView *last = &fr_snapshot_moment(s)->view;
    CHECK_OK(ctx, fr_live_record(ctx, "live.inputs", "live.fracas"));
    CHECK_OK(ctx, fr_playback_open(ctx, "live.fracas", &playback));
    CHECK(fr_playback_frames(playback) == 60 / 4 + 1);
    int32_t end = fr_playback_frames(playback) - 1;
    CHECK_OK(ctx, fr_playback_frame(playback, end, &view));
    CHECK_NEAR(view->t, last->t, 1e-12); // rounding
    int32_t alive = 0;
    for (int32_t k = 0; k < view->body_count; k++) alive += view->frame[k].alive;
    CHECK(alive == last->body_count); // what was dropped is there, what was deleted is not
    CHECK(fr_playback_frame(playback, end + 1, &view) == FR_BAD_USE);
    fr_playback_close(playback);
    fr_snapshot_destroy(s);
    fr_live_close(live);
    fr_context_destroy(ctx);
}

// back to a tick between kept moments, with none at all, and to the start
static void go_back(int64_t bytes) {
    FrContext *ctx = make_context(1);
    FrLiveDef def = fr_live_def_default();
    FrLive *live = NULL;
    def.scene = "live.lua";
    def.history_every = 0.05;
    def.history_bytes = bytes;
    write_file("live.lua", scene_text);
    CHECK_OK(ctx, fr_live_open(ctx, &def, &live));
    play(ctx, live, 10.0);
    uint64_t hash = fr_live_hash(live);
    int64_t back[] = {60, 41, 17, 0};
    for (int k = 0; k < 4; k++) {
        CHECK_OK(ctx, fr_live_rewind(live, back[k]));
        CHECK(fr_live_tick(live) == back[k]);
        go(ctx, live, 10.0, 60);
        CHECK(fr_live_hash(live) == hash);
    }
    // another story from there
    CHECK_OK(ctx, fr_live_rewind(live, 17));
    CHECK(fr_live_waiting(live) > 0);
    FrInput gravity = input_of(FR_INPUT_GRAVITY);
    CHECK_OK(ctx, fr_live_input(live, &gravity));
    CHECK(fr_live_waiting(live) == 0);
    go(ctx, live, 10.0, 60);
    CHECK(fr_live_hash(live) != hash);
    CHECK(fr_live_rewind(live, 61) == FR_BAD_USE);
    CHECK(fr_live_rewind(live, -1) == FR_BAD_USE);
    fr_live_close(live);
    fr_context_destroy(ctx);
}

TEST(back_and_forth) {
    go_back((int64_t)64 << 20);
    go_back(60000); // two moments or so
    go_back(0);
}

TEST(events_are_told_once) {
    FrContext *ctx = make_context(1);
    FrLive *live = open_scene(ctx);
    int64_t count, blows = 0;
    uint64_t last = 0;
    FrInput spawn = input_of(FR_INPUT_SPAWN);
    spawn.to = fr_vec3(0.5, 0, 0.03);
    spawn.v = fr_vec3(0, 0, -1);
    spawn.amount = 0.04;
    strcpy(spawn.word, "ball");
    strcpy(spawn.material, "steel");
    CHECK_OK(ctx, fr_live_input(live, &spawn));
    for (int k = 0; k < 20; k++) {
        go(ctx, live, 1.0, 2 * (k + 1));
        const FrEvent *event = fr_live_events(live, &count);
        for (int64_t i = 0; i < count; i++) {
            CHECK(blows == 0 || event[i].seq > last);
            last = event[i].seq;
            blows++;
        }
    }
    CHECK(blows > 1); // its birth and a blow
    CHECK_OK(ctx, fr_live_rewind(live, 10));
    fr_live_events(live, &count);
    CHECK(count == 0);
    fr_live_close(live);
    fr_context_destroy(ctx);
}

TEST(snapshots_are_copies) {
    FrContext *ctx = make_context(1);
    FrLive *live = open_scene(ctx);
    FrSnapshot *a = NULL, *b = NULL;
    CHECK_OK(ctx, fr_snapshot_create(ctx, &a));
    CHECK_OK(ctx, fr_snapshot_create(ctx, &b));
    CHECK_OK(ctx, fr_live_snapshot(live, a, true));
    const FrMoment *m = fr_snapshot_moment(a);
    double before = m->view.frame[0].p[2];
    CHECK(m->view.body_count == 4 && m->tets > 0 && m->view.tick == 0);
    go(ctx, live, 1.0, 30);
    CHECK(m->view.frame[0].p[2] == before);
    CHECK_OK(ctx, fr_live_snapshot(live, b, false));
    CHECK(fr_snapshot_moment(b)->view.frame[0].p[2] < before);
    CHECK(fr_snapshot_moment(b)->touch_count > 0); // block and ball lie on the ground
    // what was not cut is the same mesh in both
    CHECK(fr_snapshot_moment(b)->view.body[0].mesh == m->view.body[0].mesh);
    fr_live_close(live); // they outlive it
    CHECK(m->view.body[0].mesh->node_count > 0);
    fr_snapshot_destroy(a);
    fr_snapshot_destroy(b);
    fr_context_destroy(ctx);
}

// what lies still is carried, and a grab is a tie from what it holds to where it pulls
TEST(touches_carry_the_weight) {
    FrContext *ctx = make_context(1);
    FrLive *live = open_scene(ctx);
    FrSnapshot *s = NULL;
    CHECK_OK(ctx, fr_snapshot_create(ctx, &s));
    FrBodyId block = body_of(live, s, "block"), ball = body_of(live, s, "ball");
    FrMaterial oak;
    CHECK(fr_material_find("oak", &oak));
    go(ctx, live, 1.0, 60);
    FrInput grab = {
        .kind = FR_INPUT_GRAB, .body = ball, .at = {-0.2, 0, 0.04}, .to = {-0.2, 0, 0.1}};
    CHECK_OK(ctx, fr_live_input(live, &grab));
    CHECK_OK(ctx, fr_live_snapshot(live, s, false));
    const FrMoment *m = fr_snapshot_moment(s);
    FrVec3 sum = fr_vec3_zero;
    for (int32_t k = 0; k < m->touch_count; k++) {
        if (m->touch[k].a.index1 != block.index1) continue;
        sum = fr_add(sum, m->touch[k].force);
        CHECK_NEAR(m->touch[k].x.z, 0.0, 1e-5); // solver: contacts sink in a little
    }
    double weight = 9.81 * oak.density * 0.06 * 0.06 * 0.06;
    CHECK_CLOSE(sum.z, weight, 1e-3);                    // solver: the sweeps of the rows end there
    CHECK_NEAR(hypot(sum.x, sum.y), 0.0, 1e-3 * weight); // solver
    CHECK(m->tie_count == 1 && m->tie[0].hand);
    CHECK_NEAR(m->tie[0].a.z, 0.04, 1e-4); // solver: it lies, and sinks in a little
    CHECK_NEAR(m->tie[0].b.z, 0.1, TOL_EXACT);
    fr_snapshot_destroy(s);
    fr_live_close(live);
    fr_context_destroy(ctx);
}

TEST(a_ray_meets_what_is_seen) {
    FrContext *ctx = make_context(1);
    FrLive *live = open_scene(ctx);
    FrSnapshot *s = NULL;
    CHECK_OK(ctx, fr_snapshot_create(ctx, &s));
    FrBodyId cube = body_of(live, s, "cube"), ball = body_of(live, s, "ball");
    const FrFrameView *view = &fr_snapshot_moment(s)->view;
    FrRay down = {{0.01, 0.02, 1.0}, {0, 0, -2}, HUGE_VAL};
    FrRayHit hit;
    CHECK(fr_view_ray(view, &down, &hit));
    CHECK(hit.body.index1 == cube.index1);
    CHECK_NEAR(hit.x.z, 0.1, 1e-12);      // rounding, of 1 m
    CHECK_NEAR(hit.normal.z, 1.0, 1e-12); // rounding
    FrVec3 x = fr_view_point(view, 0, &hit.at);
    CHECK_NEAR(fr_distance(x, hit.x), 0.0, 1e-12); // rounding, of 1 m
    FrRay side = {{-1, 0.01, 0.02}, {1, 0, 0}, HUGE_VAL};
    CHECK(fr_view_ray(view, &side, &hit));
    CHECK(hit.body.index1 == ball.index1);
    FrRay away = {{0, 0, 1}, {0, 0, 1}, HUGE_VAL};
    CHECK(!fr_view_ray(view, &away, &hit));
    FrRay ground = {{1, 1, 1}, {0, 0, -1}, HUGE_VAL};
    CHECK(fr_view_ray(view, &ground, &hit));
    CHECK_NEAR(hit.distance, 1.0, 1e-12); // rounding
    fr_snapshot_destroy(s);
    fr_live_close(live);
    fr_context_destroy(ctx);
}

TEST(params_are_told) {
    FrContext *ctx = make_context(1);
    FrLive *live = open_scene(ctx);
    char text[64];
    CHECK(fr_live_param_count(live) == 3);
    FrParam soft = fr_live_param(live, 0), tall = fr_live_param(live, 1),
            made = fr_live_param(live, 2);
    CHECK(soft.is_number && soft.value == 80e3 && soft.min == 10e3 && soft.max == 1e6);
    CHECK(!strcmp(soft.unit, "Pa") && !strcmp(soft.help, "of the jelly"));
    CHECK(!tall.is_number && !strcmp(tall.word, "true"));
    CHECK(made.choices == 2 && made.choice == 0);
    fr_live_param_choice(live, 2, 1, text);
    CHECK(!strcmp(text, "steel"));
    fr_live_close(live);
    fr_context_destroy(ctx);
}

TEST(what_cannot_be_done_changes_nothing) {
    FrContext *ctx = make_context(1);
    FrLive *live = open_scene(ctx);
    go(ctx, live, 1.0, 3);
    uint64_t hash = fr_live_hash(live);
    FrInput wrong[] = {
        {.kind = FR_INPUT_GRAB, .body = {99}},
        {.kind = FR_INPUT_MOVE, .hand = 3},
        {.kind = FR_INPUT_LET_GO, .hand = 3},
        {.kind = FR_INPUT_STRIKE, .body = {4}}, // the ground
        {.kind = FR_INPUT_GRAB, .body = {1}, .has_point = true, .point = {.tet = 1 << 20}},
        {.kind = FR_INPUT_STRIKE, .body = {1}, .v = {(double)NAN, 0, 0}},
        {.kind = FR_INPUT_SPAWN, .word = "teapot", .material = "oak", .amount = 0.1},
        {.kind = FR_INPUT_SPAWN, .word = "ball", .material = "kryptonite", .amount = 0.1},
        {.kind = FR_INPUT_SPAWN, .word = "ball", .material = "oak", .amount = -1},
        {.kind = FR_INPUT_SPAWN, .word = "ball", .material = "oak", .amount = (double)NAN},
        {.kind = FR_INPUT_DELETE, .body = {99}},
        {.kind = FR_INPUT_MATERIAL, .body = {1}, .word = "density", .amount = 3},
        {.kind = FR_INPUT_GRAVITY, .v = {HUGE_VAL, 0, 0}},
        {.kind = (FrInputKind)77},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        CHECK(fr_live_input(live, &wrong[k]) == FR_BAD_USE);
        CHECK(fr_context_message(ctx)[0] != 0);
    }
    CHECK(fr_live_hash(live) == hash);
    // what cannot be done when its time has come is left out of the story
    FrInput late = {.kind = FR_INPUT_DELETE, .body = {99}, .tick = 10};
    CHECK_OK(ctx, fr_live_input(live, &late));
    go(ctx, live, 1.0, 12);
    CHECK_OK(ctx, fr_live_save_inputs(live, "late.inputs"));
    FrLive *again = NULL;
    CHECK_OK(ctx, fr_live_replay(ctx, "late.inputs", &again, NULL, NULL));
    CHECK(fr_live_waiting(again) == 0);
    fr_live_close(again);
    fr_live_close(live);
    fr_context_destroy(ctx);
}

TEST(bad_files_are_refused_with_their_places) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "wrong.inputs:1"},
        {"[]", "wrong.inputs:1:1"},
        {"{\"fracas\": \"inputs\"}", "scene"},
        {"{\"fracas\": \"inputs\", \"scene\": \"live.lua\",\n \"detail\": \"coarse\"}", ":2:2"},
        {"{\"fracas\": \"inputs\", \"scene\": \"live.lua\", \"inputs\": [\n{\"do\": \"fly\"}]}",
         ":2:1"},
        {"{\"fracas\": \"inputs\", \"scene\": \"live.lua\", \"inputs\": [{\"do\": \"move\", "
         "\"tick\": 1.5}]}",
         "whole number"},
        {"{\"fracas\": \"inputs\", \"scene\": \"live.lua\", \"inputs\": [{\"do\": \"move\", "
         "\"to\": [1, 2]}]}",
         "three numbers"},
        {"{\"fracas\": \"inputs\", \"scene\": \"live.lua\", \"inputs\": [{\"do\": \"move\", "
         "\"tick\": 9}, {\"do\": \"move\", \"tick\": 8}]}",
         "earlier"},
        {"{\"fracas\": \"inputs\", \"scene\": \"nowhere.lua\"}", "nowhere.lua"},
    };
    FrContext *ctx = make_context(1);
    write_file("live.lua", scene_text);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        FrLive *live;
        write_file("wrong.inputs", bad[k].text);
        FrResult result = fr_live_replay(ctx, "wrong.inputs", &live, NULL, NULL);
        CHECK(result == FR_BAD_INPUT || result == FR_IO);
        CHECK(live == NULL);
        if (!strstr(fr_context_message(ctx), bad[k].says))
            TEST_FAIL("file %zu: \"%s\" does not say \"%s\"", k, fr_context_message(ctx),
                      bad[k].says);
    }
    fr_context_destroy(ctx);
}
