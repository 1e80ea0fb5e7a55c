// fracture_skips.c: bodies break by the same bits whether every node is looked at after every step,
// or only those that might fail.

#include "base/hash.h"
#include "fracture_kit.h"

typedef struct Bar {
    const char *name;
    FrToughness toughness;
    double yield, limit; ///< strains; 0: brittle
    double speed;        ///< of the ends, m/s
    bool shards;         ///< most of its nodes are spared without tensors
    double pace;         ///< nodes wait; 0: they do not
} Bar;

/// What a run comes to.
typedef struct Run {
    uint64_t hash[4]; ///< of the whole state, a quarter of the run apart
    int cracks;
    int first;      ///< step with cracks
    int torn;       ///< nodes whose tensor was above the limit, at all looks
    int spared;     ///< of those, that did not fail since no tet had 0.4 of the strength
    int spared_tet; ///< the most tets round one of these
    int missed;     ///< and that were not looked at though some tet had
    int untorn;     ///< nodes that were spared without tensors, at all looks
} Run;

static uint64_t state_hash(FrContext *ctx, const FrFem *fem) {
    FrWriter w;
    fr_writer_init(&w, ctx);
    fr_fem_save(fem, &w);
    uint64_t hash = fr_hash_of(w.data, w.size, 0);
    fr_writer_free(&w);
    return hash;
}

static bool was_looked_at(const FrFracture *f, int32_t node) {
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++)
        if (f->scratch.scan.candidate.data[k] == node) return true;
    return false;
}

// what the rule on nodes with little stress makes of every node, from the tensor alone
static void note_spared(FrFracture *f, const Bar *bar, Run *run) {
    CHECK_OK(f->ctx, fr_fracture_scan(f));
    FrBreakable body = fr_fracture_body(f);
    for (int32_t n = 0; n < fr_cutmesh_view(f->cut)->node_count; n++) {
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        if (!fr_node_fails(&state)) continue;
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, n, &count);
        double most = 0.0;
        for (int32_t k = 0; k < count; k++) {
            FrMat3 F;
            FrSym3 S = fr_breaking_stress(&body, star[k], &F);
            most = fr_max(most, sqrt(fr_sym3_dot(S, S)));
        }
        run->torn++;
        if (most > 0.4 * bar->toughness.strength) {
            run->missed += !was_looked_at(f, n);
            continue;
        }
        run->spared++;
        run->spared_tet = fr_max_i(run->spared_tet, count);
    }
}

/// 60 x 10 x 40 cm; its ends are pulled apart while it shakes
static Run run(const Bar *bar, bool everywhere) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(6, 1, 4, 0.1);
    test_jitter(&mesh, 6, 1, 4, 0.1, 0.02);
    FrMaterial material = test_material(1e6, 0.3, 2e-4);
    material.density = 1000.0;
    material.strength = 1000.0; // what breaks keeps its stresses
    material.yield_strain = bar->yield, material.plastic_limit = bar->limit;
    FrFem *fem = test_body(ctx, &mesh, &material);
    FrFractureDef def = test_fracture_def(ctx, &mesh, &bar->toughness);
    def.everywhere = everywhere;
    def.each_time = bar->pace == 0.0;
    if (bar->pace > 0.0) def.pace = bar->pace;
    FrFracture *fracture;
    CHECK_OK(ctx, fr_fracture_create(ctx, fem, &def, &fracture));
    FrRandom r = fr_random_for(11, "skips", 0);
    double *v = calloc(3 * (size_t)mesh.node_count, sizeof *v);
    for (int32_t k = 0; k < 3 * mesh.node_count; k++) v[k] = test_random(&r, 0.1 * bar->speed);
    fr_fem_set_state(fem, NULL, v);
    free(v);
    for (int32_t n = 0; n < mesh.node_count; n++) {
        double side = mesh.x[3 * n] < 1e-9 ? -1.0 : mesh.x[3 * n] > 0.6 - 1e-9 ? 1.0 : 0.0;
        if (side == 0.0) continue;
        fr_fem_hold(fem, n);
        fr_fem_drive(fem, n, fr_vec3(side * bar->speed, 0, 0.3 * side * bar->speed));
    }
    Run result = {.first = -1};
    double t = 0.0;
    for (int step = 0; step < 400; step++) {
        double dt = 0.8 * fr_fem_dt_limit(fem);
        CHECK_OK(ctx, fr_fem_step(fem, dt, fr_vec3(0, 0, -9.8)));
        FrBreakResult broke;
        bool plain = bar->yield == 0.0 && bar->toughness.tip == 0.0 && bar->toughness.tau == 0.0;
        if (everywhere && plain) note_spared(fracture, bar, &result);
        CHECK_OK(ctx, fr_fracture_step(fracture, t += dt, &broke));
        result.cracks += broke.crack_count;
        if (result.first < 0 && broke.crack_count) result.first = step;
        result.untorn += fracture->scratch.scan.spared;
        if (step % 100 == 99) result.hash[step / 100] = state_hash(ctx, fem);
    }
    test_fracture_free(fracture);
    fr_fem_destroy(fem);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
    return result;
}

static void check_bar(const Bar *bar) {
    Run all = run(bar, true), some = run(bar, false);
    printf("  %s: %d cracks; of %d torn nodes %d were spared, with %d tets at most; %d without "
           "tensors\n",
           bar->name, all.cracks, all.torn, all.spared, all.spared_tet, some.untorn);
    CHECK(all.cracks > 3);
    // chips that hang by an edge or a face, and few of them
    CHECK(all.spared_tet <= 4);
    CHECK(all.spared <= 0.01 * all.torn);
    CHECK_INT(all.missed, 0);
    CHECK_INT(some.cracks, all.cracks);
    CHECK(!bar->shards || some.untorn > 1000);
    for (int k = 0; k < 4; k++) CHECK(some.hash[k] == all.hash[k]);
}

TEST(what_is_brittle) {
    FrMat3 A = fr_toughness_scale(fr_mat3_identity, fr_vec3(0.5, 1, 1));
    const Bar bar[] = {
        {.name = "by strength", .toughness = {.strength = 4e4}, .speed = 0.3},
        {.name = "by tau", .toughness = {.tau = 200.0}, .speed = 0.3},
        {.name = "with tips",
         .toughness = {.strength = 6e4, .tip = 8e3, .crack_speed = 20.0, .residual = 0.5},
         .speed = 0.3},
        {.name = "in shards",
         .toughness = {.strength = 6e4, .tip = 8e2, .crack_speed = 20.0},
         .speed = 0.3,
         .shards = true},
        {.name = "by direction",
         .toughness = {.strength = 4e4, .directional = true, .A = A},
         .speed = 0.3}};
    for (size_t k = 0; k < sizeof bar / sizeof bar[0]; k++) check_bar(&bar[k]);
}

TEST(what_yields) {
    const Bar bar[] = {
        {.name = "by strength",
         .toughness = {.strength = 2e4},
         .yield = 0.01,
         .limit = 0.02,
         .speed = 0.6},
        {.name = "by tau", .toughness = {.tau = 150.0}, .yield = 0.01, .limit = 0.1, .speed = 0.6}};
    for (size_t k = 0; k < sizeof bar / sizeof bar[0]; k++) check_bar(&bar[k]);
}

// Loads rise to their limit in 185 looks here: what is near it is looked at each time, and breaks
// by the same bits. Later what waits is relieved by cracks beside it.
TEST(what_is_looked_at_after_each_step_may_wait) {
    Bar bar = {.name = "each time", .toughness = {.strength = 4e4}, .speed = 0.05};
    Run each = run(&bar, false);
    bar.pace = 0.3;
    Run some = run(&bar, false);
    printf("  first cracks after %d steps, %d in all; where nodes wait %d, %d\n", each.first,
           each.cracks, some.first, some.cracks);
    CHECK(each.first > 50);
    CHECK_INT(some.first, each.first);
    CHECK(some.hash[0] == each.hash[0]);
    CHECK(some.cracks > 3 && some.cracks <= each.cracks);
}
