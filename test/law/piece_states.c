// piece_states.c: pieces change what they do only as the table of states has it, and a breaking
// pane goes through most of it.

#include "pane_kit.h"
#include "cut/piece_state.h"
#include "fem/rigid_piece.h"
#include "world/model_fem.h"
#include <setjmp.h>

// by whatever cause
static bool may(FrPieceState from, FrPieceState to) {
    bool any = false;
    for (int cause = 0; cause < FR_PIECE_CAUSES; cause++)
        any = any || fr_piece_may(from, to, (FrPieceCause)cause);
    return any;
}

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
        CHECK(!may((FrPieceState)s, (FrPieceState)s));
        CHECK(!may(FR_PIECE_DUST, (FrPieceState)s)); // what left does not come back
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
                at[b] = at[b] || may((FrPieceState)a, (FrPieceState)b);
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

typedef struct Refusal {
    jmp_buf back;
    char advice[100];
} Refusal;

static void refuse(void *user, const char *file, int line, const char *condition,
                   const char *advice) {
    Refusal *refusal = user;
    (void)file, (void)line, (void)condition;
    snprintf(refusal->advice, sizeof refusal->advice, "%s", advice);
    longjmp(refusal->back, 1);
}

/// Twelve tets, the first half of which are one piece.
typedef struct Cubes {
    Refusal refusal;
    FrContext *ctx;
    FrTetMesh mesh;
    FrFem *fem;
    int32_t tet[12];
} Cubes;

static Cubes *cubes_make(void) {
    static Cubes c;
    FrMaterial material = elastic_material(1e6, 0.3);
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    def.assert_failed = refuse;
    def.user = &c.refusal;
    c.ctx = fr_context_create(&def);
    c.mesh = test_box(2, 1, 1, 0.1);
    FrFemDef fem = {
        .mesh = &c.mesh, .material = &material, .material_count = 1, .rotation = {1, 0, 0, 0}};
    CHECK_OK(c.ctx, fr_fem_create(c.ctx, &fem, &c.fem));
    for (int32_t k = 0; k < 12; k++) c.tet[k] = k;
    CHECK(c.mesh.tet_count >= 12);
    return &c;
}

static void cubes_free(Cubes *c) {
    fr_fem_destroy(c->fem);
    test_mesh_free(&c->mesh);
    fr_context_destroy(c->ctx);
}

// was the change refused, and does each tet do what it did?
static bool refused(Cubes *c, int32_t count, FrPieceState to, FrPieceCause cause) {
    FrPieceState before[12];
    c->refusal.advice[0] = 0;
    for (int k = 0; k < 12; k++) before[k] = fr_fem_piece_state(c->fem, c->tet[k]);
    if (!setjmp(c->refusal.back)) fr_fem_change(c->fem, (FrPieceTets){c->tet, count}, to, cause);
    bool stopped = strstr(c->refusal.advice, "no such change of a piece") != NULL;
    for (int k = 0; stopped && k < 12; k++)
        CHECK(fr_fem_piece_state(c->fem, c->tet[k]) == before[k]);
    return stopped;
}

// from, to and cause have to be a row of the table
TEST(a_wrong_cause_is_refused) {
    Cubes *c = cubes_make();
    for (int to = 0; to < FR_PIECE_STATES; to++)
        for (int cause = 0; cause < FR_PIECE_CAUSES; cause++) {
            bool row = fr_piece_may(FR_PIECE_DEFORMS, (FrPieceState)to, (FrPieceCause)cause);
            if (!row) CHECK(refused(c, 12, (FrPieceState)to, (FrPieceCause)cause));
        }
    // who makes it rigid says why, and that is asked
    if (!setjmp(c->refusal.back)) {
        CHECK_OK(c->ctx, fr_fem_make_rigid(c->fem, c->tet, 12, FR_CAUSE_TOUCHED));
        CHECK(false);
    }
    CHECK(fr_fem_piece_state(c->fem, 0) == FR_PIECE_DEFORMS);
    CHECK_OK(c->ctx, fr_fem_make_rigid(c->fem, c->tet, 12, FR_CAUSE_SETTLED));
    CHECK(fr_fem_piece_state(c->fem, 11) == FR_PIECE_RIGID);
    CHECK(refused(c, 12, FR_PIECE_DEFORMS, FR_CAUSE_SETTLED));
    CHECK(refused(c, 12, FR_PIECE_SUPPORTED, FR_CAUSE_SETTLED));
    cubes_free(c);
}

TEST(each_tet_of_a_piece_is_asked) {
    Cubes *c = cubes_make();
    CHECK_OK(c->ctx, fr_fem_make_rigid(c->fem, c->tet + 6, 6, FR_CAUSE_SMALL));
    CHECK(refused(c, 12, FR_PIECE_RIGID, FR_CAUSE_SMALL)); // the last six are it already
    CHECK(!refused(c, 1, FR_PIECE_RESTS, FR_CAUSE_SLOW));
    CHECK(refused(c, 2, FR_PIECE_DEFORMS, FR_CAUSE_STRUCK)); // the second one does
    cubes_free(c);
}
