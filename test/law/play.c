// play.c: a minute of random play (PLAY_SECONDS: more): hands pull, nail, strike, drop, cut, twist
// and delete at random ticks, and go back now and then. Nothing breaks down, everything stays
// finite, and memory stays flat.

#include "test.h"
#include "context.h"
#include "fracas/live.h"
#include "math/vec.h"
#include <inttypes.h>

/// Memory of a context, counted.
typedef struct Counter {
    int64_t now;
} Counter;

static void *counted(void *user, void *ptr, size_t size) {
    Counter *c = user;
    int64_t *block = ptr ? (int64_t *)ptr - 2 : NULL, old = block ? block[0] : 0;
    c->now -= old;
    if (size == 0) return free(block), NULL;
    block = realloc(block, size + 2 * sizeof *block);
    if (!block) return c->now += old, NULL;
    block[0] = (int64_t)size;
    c->now += (int64_t)size;
    return block + 2;
}

static Counter counter;
static FrContext *ctx;
static FrLive *live;
static FrSnapshot *snapshot;
static FrKitchen *kitchen;
static uint32_t state = 12345;

static uint32_t dice(uint32_t sides) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % sides;
}

static double between(double lo, double hi) { return lo + (hi - lo) * dice(1000) / 1000.0; }

static void open_stage(void) {
    FILE *file = fopen("play.lua", "wb");
    fputs("ground { material = 'concrete' }\n"
          "body { name = 'cube', material = 'silicone', shape = box { 8*cm, 8*cm, 8*cm },\n"
          "  cells = 4*cm, at = {0, 0, 6*cm} }\n"
          "body { name = 'block', material = 'oak', model = 'frame', cells = 4*cm,\n"
          "  shape = box { 8*cm, 8*cm, 8*cm }, at = {25*cm, 0, 4*cm} }\n"
          "body { name = 'tile', material = 'porcelain', cells = 3*cm,\n"
          "  shape = box { 12*cm, 12*cm, 1*cm }, at = {-25*cm, 0, 1*cm} }\n"
          "sphere { 3*cm, name = 'bob', material = 'steel', at = {0, 30*cm, 10*cm} }\n"
          "cord { 'bob', from = {0, 30*cm, 10*cm}, till = {0, 30*cm, 40*cm} }\n",
          file);
    fclose(file);
    FrContextDef context = fr_context_def_default();
    context.allocator = (FrAllocator){counted, &counter};
    context.tasks.workers = 1;
    ctx = fr_context_create(&context);
    FrLiveDef def = fr_live_def_default();
    def.scene = "play.lua";
    def.quick = true;
    def.rate = 120.0; // a minute of it is to take seconds
    def.history_bytes = 4 << 20;
    CHECK_OK(ctx, fr_live_open(ctx, &def, &live));
    CHECK_OK(ctx, fr_snapshot_create(ctx, &snapshot));
    CHECK_OK(ctx, fr_kitchen_create(ctx, &kitchen));
    CHECK_OK(ctx,
             fr_live_use_kitchen(live, kitchen)); // the tile breaks; what is dropped is cut at most
    while (fr_kitchen_cook(kitchen, ctx)) continue;
}

static const FrMoment *look(void) {
    CHECK_OK(ctx, fr_live_snapshot(live, snapshot, false));
    return fr_snapshot_moment(snapshot);
}

static bool is_finite(const FrMoment *m) {
    bool finite = isfinite(m->energy.kinetic) && isfinite(m->energy.elastic);
    for (int32_t k = 0; k < m->view.body_count; k++) {
        const FrBodyFrame *frame = &m->view.frame[k];
        finite = finite && fr_vec3_finite(frame->position);
        int32_t numbers = frame->p ? 3 * m->view.body[k].mesh->node_count : 0;
        for (int32_t n = 0; n < numbers; n++) finite = finite && isfinite(frame->p[n]);
    }
    return finite;
}

static FrVec3 somewhere(void) {
    double x = between(-0.3, 0.3), y = between(-0.3, 0.3);
    return fr_vec3(x, y, between(0.02, 0.3));
}

/// Bodies at one time: more are taken away.
#define MOST 9
// what a hand might do now; what cannot be done is refused, and nothing happened
static FrInput random_input(const FrMoment *m) {
    static const char *const shapes[] = {"ball", "box", "plate"};
    static const char *const materials[] = {"plastic", "oak", "porcelain", "steel"};
    FrInput input = {.kind = (FrInputKind)(1 + dice(FR_INPUT_READY - 1)), .hand = (int32_t)dice(3)};
    if (m->view.body_count > MOST)
        input.kind = FR_INPUT_DELETE;
    else if (input.kind == FR_INPUT_DELETE && m->view.body_count < 5)
        input.kind = FR_INPUT_SPAWN;
    int32_t k = (int32_t)dice((uint32_t)m->view.body_count);
    input.body = m->view.body[k].id;
    input.at = m->view.frame[k].p ? fr_get3(m->view.frame[k].p, 0) : m->view.frame[k].position;
    input.to = somewhere();
    input.v = fr_vec3(between(-1, 1), between(-1, 1), between(-1, 1));
    if (input.kind == FR_INPUT_STRIKE) input.v = fr_scale(0.1, input.v);
    if (input.kind == FR_INPUT_GRAVITY) input.v = fr_vec3(0, 0, -between(0, 12));
    if (input.kind == FR_INPUT_CUT) // thin slices would only get thinner
        input.at = m->view.frame[k].position;
    input.amount = input.kind == FR_INPUT_SPAWN ? between(0.04, 0.1) : between(0.1, 0.8);
    snprintf(input.word, sizeof input.word, "%s",
             input.kind == FR_INPUT_SPAWN ? shapes[dice(3)] : fr_live_constant((int32_t)dice(2)));
    snprintf(input.material, sizeof input.material, "%s", materials[dice(4)]);
    return input;
}

// the inputs that were done give the same world
static void plays_again(void) {
    FrLive *again;
    int64_t end;
    uint64_t wanted;
    int32_t done;
    CHECK_OK(ctx, fr_live_save_inputs(live, "play.json"));
    CHECK_OK(ctx, fr_live_replay(ctx, "play.json", &again, &end, &wanted));
    CHECK(wanted == fr_live_hash(live) && end == fr_live_tick(live));
    CHECK_OK(ctx, fr_live_advance(again, 1e9, (int32_t)end, &done));
    CHECK_INT(done, end);
    CHECK(fr_live_hash(again) == wanted);
    fr_live_close(again);
}

TEST(a_minute_of_random_play) {
    const char *wanted = getenv("PLAY_SECONDS");
    double seconds = wanted ? atof(wanted) : 60.0;
    double held[4] = {0};
    int64_t done_inputs = 0;
    open_stage();
    int64_t ticks = (int64_t)(seconds / fr_live_step(live)), next = 0;
    int32_t every = (int32_t)(0.15 / fr_live_step(live)), done, backs = 0;
    FrResult result = FR_OK;
    while (next < ticks && result == FR_OK) {
        const FrMoment *m = look();
        CHECK(is_finite(m));
        FrInput input = random_input(m);
        done_inputs += fr_live_input(live, &input) == FR_OK;
        bool back = dice(60) == 0 && fr_live_tick(live) > 2 * every;
        backs += back;
        if (back) CHECK_OK(ctx, fr_live_rewind(live, fr_live_tick(live) - every));
        result = fr_live_advance(live, 1e9, every, &done);
        CHECK_OK(ctx, result);
        next += every;
        int quarter = (int)(4 * (next - 1) / ticks);
        held[quarter < 4 ? quarter : 3] += (double)counter.now;
    }
    CHECK(done_inputs > ticks / every / 3 && backs > 0);
    double scale = 4e-6 * every / (double)ticks;
    printf("mean memory of the quarters, MB: %.1f %.1f %.1f %.1f\n", scale * held[0],
           scale * held[1], scale * held[2], scale * held[3]);
    // statistics: inputs are kept, all else comes and goes with what was dropped and cut
    CHECK(held[2] + held[3] < 3.0 * (held[0] + held[1]));
    plays_again();
    fr_snapshot_destroy(snapshot);
    fr_live_close(live);
    fr_kitchen_destroy(kitchen);
    fr_context_destroy(ctx);
    CHECK(counter.now == 0); // exact: nothing is left
}
