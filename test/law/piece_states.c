// piece_states.c: pieces change what they do only as the table of states has it, and a breaking
// pane goes through most of it.

#include "pane_kit.h"
#include "cut/piece_state.h"
#include "world/model_fem.h"

TEST(the_table_is_whole) {
    int32_t count;
    const FrPieceChange *change = fr_piece_changes(&count);
    bool reached[FR_PIECE_STATES] = {[FR_PIECE_DEFORMS] = true};
    for (int round = 0; round < FR_PIECE_STATES; round++)
        for (int32_t k = 0; k < count; k++)
            if (reached[change[k].from]) reached[change[k].to] = true;
    for (int s = 0; s < FR_PIECE_STATES; s++) {
        CHECK(reached[s]); // every state can be come to from where all begin
        CHECK(strcmp(fr_piece_state_name((FrPieceState)s), "?"));
        CHECK(!fr_piece_may((FrPieceState)s, (FrPieceState)s));
        CHECK(!fr_piece_may(FR_PIECE_DUST, (FrPieceState)s)); // what left does not come back
    }
    for (int32_t k = 0; k < count; k++)
        for (int32_t j = 0; j < k; j++)
            CHECK(change[k].from != change[j].from || change[k].to != change[j].to ||
                  change[k].cause != change[j].cause);
    CHECK_TEXT(fr_piece_state_name((FrPieceState)99), "?");
}

// can a piece get from one to the other within a macro step, through states between?
static bool leads(FrPieceState from, FrPieceState to) {
    bool at[FR_PIECE_STATES] = {false};
    at[from] = true;
    for (int round = 0; round < FR_PIECE_STATES; round++)
        for (int a = 0; a < FR_PIECE_STATES; a++)
            for (int b = 0; at[a] && b < FR_PIECE_STATES; b++)
                at[b] = at[b] || fr_piece_may((FrPieceState)a, (FrPieceState)b);
    return at[to];
}

// a pane is held at its rim and shot through, settles, and what flew off falls asleep on nothing:
// in each step each tet of the first mesh does what the table lets it
TEST(a_breaking_pane_keeps_to_the_table) {
    FrContext *ctx = test_context(1);
    Shot shot = {.strength = 2e6,
                 .speed = 6.0,
                 .workers = 1,
                 .settle = 4e-4,
                 .hold = HUGE_VAL,
                 .dust = 0.5,
                 .share = 0.005};
    FrWorld *world = shot_make(&shot, ctx);
    const FrFem *fem = fr_fem_of(world->body.data[0].state);
    int32_t tets = world->body.data[0].mesh.tet_count;
    FrPieceState *was = calloc((size_t)tets, sizeof *was);
    int seen[FR_PIECE_STATES] = {0}, changes = 0;
    while (fr_world_time(world) < 6e-3 - 1e-9) {
        CHECK_OK(ctx, world_step(world));
        for (int32_t e = 0; e < tets; e++) {
            FrPieceState now = fr_fem_piece_state(fem, e);
            CHECK(now == was[e] || leads(was[e], now));
            changes += now != was[e];
            seen[now]++;
            was[e] = now;
        }
    }
    printf("  %d changes; tets x steps:", changes);
    for (int s = 0; s < FR_PIECE_STATES; s++)
        printf(" %s %d", fr_piece_state_name((FrPieceState)s), seen[s]);
    printf("\n");
    CHECK(seen[FR_PIECE_DEFORMS] > 0 && seen[FR_PIECE_RIGID] > 0 && seen[FR_PIECE_SUPPORTED] > 0);
    CHECK(changes > 100);
    free(was);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}
