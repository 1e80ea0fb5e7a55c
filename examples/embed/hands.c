// hands.c: Fracas inside another program: a scene is opened, its first body is pulled up and flung,
// a ball is dropped on it, and all of that is played again from the inputs, to the same bits.
//
//     cc hands.c $(pkg-config --cflags --libs fracas-studio) -o hands && ./hands hello.lua

#include <fracas/fracas.h>
#include <fracas/live.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(FrContext *ctx, FrResult result) {
    if (result == FR_OK) return;
    fprintf(stderr, "%s: %s\n", fr_result_name(result), fr_context_message(ctx));
    exit((int)result);
}

// a hundredth of a second of wall time for each picture, as a window would give it
static void step_until(FrContext *ctx, FrLive *live, int64_t tick) {
    int32_t done;
    while (fr_live_tick(live) < tick)
        need(ctx, fr_live_advance(live, 0.01, (int32_t)(tick - fr_live_tick(live)), &done));
}

static FrRayHit look_down(const FrMoment *moment) {
    const FrBodyFrame *frame = &moment->view.frame[0];
    FrVec3 x = frame->p ? (FrVec3){frame->p[0], frame->p[1], 10} : frame->position;
    FrRay ray = {{x.x, x.y, 10}, {0, 0, -1}, INFINITY};
    FrRayHit hit;
    if (!fr_view_ray(&moment->view, &ray, &hit)) exit(1);
    return hit;
}

static void pull_and_fling(FrContext *ctx, FrLive *live, FrRayHit hit) {
    FrInput hand = {.kind = FR_INPUT_GRAB, .body = hit.body, .point = hit.at, .has_point = true};
    hand.to = hit.x;
    need(ctx, fr_live_input(live, &hand));
    for (int k = 0; k < 10; k++) {
        hand.kind = FR_INPUT_MOVE;
        hand.to.x += 0.01;
        hand.to.z += 0.02;
        need(ctx, fr_live_input(live, &hand));
        step_until(ctx, live, fr_live_tick(live) + 2);
    }
    hand.kind = FR_INPUT_LET_GO;
    need(ctx, fr_live_input(live, &hand));
}

static void drop_ball(FrContext *ctx, FrLive *live, FrVec3 over) {
    FrInput ball = {.kind = FR_INPUT_SPAWN, .to = over, .amount = 0.06};
    ball.to.z += 0.3;
    strcpy(ball.word, "ball");
    strcpy(ball.material, "steel");
    need(ctx, fr_live_input(live, &ball));
}

int main(int argc, char **argv) {
    FrContextDef context_def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&context_def);
    if (!ctx || argc != 2) return fprintf(stderr, "hands SCENE.lua\n"), FR_BAD_USE;
    FrLiveDef def = fr_live_def_default();
    FrLive *live;
    def.scene = argv[1];
    def.detail = FR_DETAIL_DRAFT;
    need(ctx, fr_live_open(ctx, &def, &live));
    FrSnapshot *snapshot;
    need(ctx, fr_snapshot_create(ctx, &snapshot));
    need(ctx, fr_live_snapshot(live, snapshot, false));
    const FrMoment *moment = fr_snapshot_moment(snapshot);
    FrRayHit hit = look_down(moment);
    printf("%d bodies, %d tets, steps of %.2g ms\n", moment->view.body_count, moment->tets,
           1e3 * fr_live_step(live));
    pull_and_fling(ctx, live, hit);
    drop_ball(ctx, live, hit.x);
    step_until(ctx, live, 30);
    uint64_t was = fr_live_hash(live), is;
    need(ctx, fr_live_rewind(live, 10)); // and forward again
    step_until(ctx, live, 30);
    printf("back and forth: %s\n", fr_live_hash(live) == was ? "the same bits" : "OTHER BITS");
    need(ctx, fr_live_save_inputs(live, "hands.json"));
    fr_snapshot_destroy(snapshot);
    fr_live_close(live);
    int64_t end;
    need(ctx, fr_live_replay(ctx, "hands.json", &live, &end, &was));
    step_until(ctx, live, end);
    is = fr_live_hash(live);
    printf("played again: %s\n", is == was ? "the same bits" : "OTHER BITS");
    fr_live_close(live);
    fr_context_destroy(ctx);
    return is != was;
}
