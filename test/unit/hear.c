// hear.c: a live scene is silent until something is touched, clicks, rings once its modes are
// cooked, is louder on the side where it is, and keeps to its number of voices.

#include "test.h"
#include "context.h"
#include "fracas/hear.h"
#include "math/vec.h"

#define RATE 48000

static FrContext *ctx;
static FrLive *live;
static FrSnapshot *snapshot;
static FrHear *hear;

static void open_stage(int32_t voices) {
    FILE *file = fopen("hear.lua", "wb");
    fputs("ground { material = 'concrete' }\n"
          "body { name = 'bar', material = 'steel', model = 'frame', cells = 2*cm,\n"
          "  shape = box { 20*cm, 3*cm, 1*cm }, at = {0, 0, 30*cm} }\n"
          "sphere { 2*cm, name = 'ball', material = 'steel', at = {1, 0, 30*cm} }\n",
          file);
    fclose(file);
    FrLiveDef def = fr_live_def_default();
    FrHearDef how = fr_hear_def_default();
    def.scene = "hear.lua";
    how.most_voices = voices;
    ctx = make_context(1);
    CHECK_OK(ctx, fr_live_open(ctx, &def, &live));
    CHECK_OK(ctx, fr_snapshot_create(ctx, &snapshot));
    CHECK_OK(ctx, fr_live_snapshot(live, snapshot, false));
    CHECK_OK(ctx, fr_hear_create(ctx, &how, &hear));
    fr_hear_listener(hear, fr_vec3(-0.5, -1, 0.3), fr_vec3(1, 0, 0), 0.0);
}

static void close_stage(void) {
    fr_hear_destroy(hear);
    fr_snapshot_destroy(snapshot);
    fr_live_close(live);
    fr_context_destroy(ctx);
}

// energy of left and right over some seconds
static void listen(double seconds, double energy[2]) {
    static float out[2 * 480];
    energy[0] = energy[1] = 0.0;
    for (int n = 0; n < (int)(100 * seconds + 0.5); n++) {
        fr_hear_pull(hear, out, 480);
        for (int k = 0; k < 960; k++) energy[k % 2] += (double)out[k] * (double)out[k];
    }
}

static FrRayHit hit_of(int index) {
    const FrFrameView *view = &fr_snapshot_moment(snapshot)->view;
    FrVec3 x = index ? fr_vec3(1, 0, 0.31) : fr_vec3(0.08, 0, 0.305);
    return (FrRayHit){.body = view->body[index].id, .x = x, .normal = {0, 0, 1}};
}

TEST(it_clicks_then_rings) {
    double e[2], clicked[2], rang[2], late[2];
    int32_t touched, ring, sound;
    open_stage(8);
    const FrMoment *m = fr_snapshot_moment(snapshot);
    listen(0.1, e);
    CHECK(e[0] == 0.0 && e[1] == 0.0);
    FrRayHit hit = hit_of(0);
    CHECK(!fr_hear_cook(hear, ctx)); // nothing was struck
    CHECK(fr_hear_strike(hear, m, &hit, FR_MALLET_STEEL, 1.0));
    listen(0.1, clicked);
    CHECK(clicked[0] > 0.0);
    listen(0.2, late);
    CHECK(late[0] < 1e-6 * clicked[0]); // promise: a click is over at once
    CHECK(fr_hear_cook(hear, ctx));
    CHECK(!fr_hear_cook(hear, ctx)); // once
    CHECK(fr_hear_strike(hear, m, &hit, FR_MALLET_STEEL, 1.0));
    listen(0.1, rang);
    listen(0.2, late);
    CHECK(rang[0] > 10.0 * clicked[0]);
    CHECK(late[0] > 0.01 * rang[0]);
    CHECK(rang[1] > rang[0]); // it is to the right of the listener
    fr_hear_count(hear, &touched, &ring, &sound);
    CHECK(touched == 1 && ring == 1 && sound == 1);
    close_stage();
}

TEST(what_is_nearer_is_louder_and_gain_is_decibels) {
    double far[2], near[2], loud[2];
    open_stage(8);
    FrRayHit hit = hit_of(1);
    const FrMoment *m = fr_snapshot_moment(snapshot);
    double *heard[3] = {far, near, loud};
    for (int k = 0; k < 3; k++) {
        fr_hear_listener(hear, fr_vec3(1, k ? -1 : -2, 0.3), fr_vec3(1, 0, 0), k == 2 ? 20.0 : 0.0);
        fr_hear_tell(hear, m, NULL, 0);
        CHECK(fr_hear_strike(hear, m, &hit, FR_MALLET_STEEL, 1.0));
        listen(0.05, heard[k]); // gains glide to what is wanted within a block
        fr_hear_tell(hear, m, NULL, 0);
        CHECK(fr_hear_strike(hear, m, &hit, FR_MALLET_STEEL, 1.0));
        listen(0.5, heard[k]);
    }
    CHECK_CLOSE(near[0] / far[0], 4.0, 1e-3);    // rounding, of float32: amplitude as 1/distance
    CHECK_CLOSE(loud[0] / near[0], 100.0, 1e-3); // rounding, of float32
    CHECK_CLOSE(near[0], near[1], 1e-3);         // rounding, of float32: straight ahead
    close_stage();
}

TEST(events_of_a_scene_are_heard) {
    double e[2];
    open_stage(8);
    const FrEvent *event;
    int64_t count, blows = 0;
    for (int k = 0; k < 80; k++) {
        CHECK_OK(ctx, fr_live_advance(live, 1.0, 1, NULL));
        event = fr_live_events(live, &count);
        CHECK_OK(ctx, fr_live_snapshot(live, snapshot, false));
        fr_hear_tell(hear, fr_snapshot_moment(snapshot), event, count);
        for (int64_t i = 0; i < count; i++) blows += event[i].kind == FR_EVENT_IMPACT;
        listen(0.01, e);
        if (blows) break;
        CHECK(e[0] == 0.0);
    }
    CHECK(blows > 0);
    CHECK(e[0] > 0.0);
    close_stage();
}

TEST(no_more_voices_than_asked_for) {
    int32_t touched, ring, sound;
    double e[2];
    open_stage(1);
    const FrMoment *m = fr_snapshot_moment(snapshot);
    FrRayHit bar = hit_of(0), ball = hit_of(1);
    CHECK(fr_hear_strike(hear, m, &bar, FR_MALLET_STEEL, 1.0));
    CHECK(fr_hear_cook(hear, ctx));
    for (int k = 0; k < 20; k++) {
        CHECK(fr_hear_strike(hear, m, &bar, FR_MALLET_STEEL, 1.0));
        CHECK(fr_hear_strike(hear, m, &ball, FR_MALLET_STEEL, 1.0));
        listen(0.01, e);
        fr_hear_count(hear, &touched, &ring, &sound);
        CHECK(touched == 2 && (k == 0 || sound <= 1));
    }
    close_stage();
}

TEST(bad_settings_are_refused) {
    ctx = make_context(1);
    FrHearDef def = fr_hear_def_default();
    def.rate = 100.0;
    CHECK(fr_hear_create(ctx, &def, &hear) == FR_BAD_USE);
    def = fr_hear_def_default();
    def.most_voices = 0;
    CHECK(fr_hear_create(ctx, &def, &hear) == FR_BAD_USE);
    def = fr_hear_def_default();
    def.gain = 1e9;
    CHECK(fr_hear_create(ctx, &def, &hear) == FR_BAD_USE);
    CHECK(hear == NULL);
    fr_context_destroy(ctx);
}
