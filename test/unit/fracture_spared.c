// fracture_spared.c: nodes that need no look: bounds that never let one go that fails, and four at
// once as each by itself.

#include "fem/chunk.h"
#include "fem_probe.h"
#include "fracture/separation_inside.h"
#include "fracture_kit.h"
#include <stddef.h>

// Tets lie in chunks for speed alone: nodes that are looked at are the corners of all tets whose
// breaking stress (scaled by toughness, or without its viscous part) is above 0.4 of the strength,
// wherever their chunk ends; where bounds on stresses are known, less those that surely hold
static void check_candidates(bool directional, bool elastic_only) {
    FrMat3 A = fr_toughness_scale(fr_mat3_identity, fr_vec3(0.1, 1, 1));
    Plate p = plate_of(28, 0.0, NULL, directional ? &A : NULL, elastic_only ? 0.05 : 0.0);
    FrRandom r = fr_random_for(3, "chunks", 0);
    int32_t nodes = p.mesh.node_count;
    double *x = calloc(3 * (size_t)nodes, sizeof *x), *v = calloc(3 * (size_t)nodes, sizeof *v);
    uint8_t *hot = calloc((size_t)nodes, 1);
    FrToughness toughness = p.fracture->settings.toughness[0];
    FrFractureDef def = test_fracture_def(p.ctx, &p.mesh, &toughness);
    def.crack.criterion.elastic_only = elastic_only;
    test_fracture_free(p.fracture);
    CHECK_OK(p.ctx, fr_fracture_create(p.ctx, p.fem, &def, &p.fracture));
    CHECK(fr_fem_chunk_count(p.fem) > 3);
    int seen = 0, spared = 0;
    for (int round = 0; round < 40; round++) {
        double wild = 1e-4 * fr_random_unit(&r); // a few cells with stress, most with hardly any
        for (int32_t n = 0; n < nodes; n++) {
            double some = fr_random_unit(&r) < 0.02 ? wild : 0.01 * wild;
            fr_set3(x, n, fr_add(fr_get3(p.mesh.x, n), test_vec(&r, some)));
            fr_set3(v, n, test_vec(&r, elastic_only ? 20.0 * some : 0.0));
        }
        fr_fem_set_state(p.fem, x, v);
        CHECK_OK(p.ctx, fr_fracture_scan(p.fracture));
        FrBreakable body = fr_fracture_body(p.fracture);
        memset(hot, 0, (size_t)nodes);
        for (int32_t e = 0; e < p.mesh.tet_count; e++) {
            FrMat3 F;
            FrSym3 S = fr_breaking_stress(&body, e, &F);
            for (int i = 0; i < 4; i++)
                hot[p.mesh.tet[e][i]] |= sqrt(fr_sym3_dot(S, S)) > 0.4 * toughness.strength;
        }
        int32_t at = 0;
        for (int32_t n = 0; n < nodes; n++) {
            bool listed = at < p.fracture->scratch.scan.candidate.count &&
                          p.fracture->scratch.scan.candidate.data[at] == n;
            if (hot[n] && !listed && !directional) {
                FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
                CHECK(!fr_node_fails(&state));
            } else {
                CHECK_INT(listed, hot[n]);
            }
            at += listed;
            seen += hot[n];
            spared += !hot[n];
        }
        fr_fracture_forget(p.fracture);
    }
    CHECK(seen > 500 && spared > 500);
    free(x), free(v), free(hot);
    plate_free(&p);
}

TEST(chunks_do_not_choose_what_is_looked_at) {
    check_candidates(false, false);
    check_candidates(true, false);
    check_candidates(false, true);
    check_candidates(true, true);
}

/// four nodes at once stand as each by itself: bit by bit where they fail
static void check_four(const Plate *p) {
    CHECK(fr_fracture_limit_chunks(p->fracture)); // lists sides of cracks, too
    FrBreakable body = fr_fracture_body(p->fracture);
    body.pulls_of = NULL;
    int32_t count = plate_mesh(p)->node_count;
    for (int32_t n = 0; n + 4 <= count; n += 4) {
        FrNodeState four[4];
        fr_node_states_four(&body, (int32_t[4]){n, n + 1, n + 2, n + 3}, four);
        for (int k = 0; k < 4; k++) {
            FrNodeState one = fr_node_state(&body, n + k, fr_sym3_zero);
            CHECK(fr_node_fails(&one) == fr_node_fails(&four[k]));
            CHECK(!fr_node_fails(&one) ||
                  memcmp(&one, &four[k], offsetof(FrNodeState, along_faces)) == 0);
        }
    }
}

/// What tets do to a node, each by itself, and the sizes of that.
static FrTearing tearing_of(const Plate *p, const FrBreakable *body, int32_t node, double *size) {
    const FrTetMesh *mesh = plate_mesh(p);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(p->fracture->cut, node, &count);
    FrTearing tearing = {0};
    *size = 0.0;
    for (int32_t k = 0; k < 4 * count; k++) {
        FrTetPulls pulls;
        if (mesh->tet[star[k / 4]][k % 4] != node) continue;
        fr_tet_pulls(body, star[k / 4], &pulls);
        fr_tearing_add(&tearing, pulls.plus[k % 4], pulls.minus[k % 4]);
        *size += fr_length(pulls.plus[k % 4]) + fr_length(pulls.minus[k % 4]);
    }
    return tearing;
}

/// what tears at each node, in lanes, is what it is tet by tet; `wanted`: one node in three, too
static void check_tears(const Plate *p, const FrBreakable *body) {
    int32_t nodes = plate_mesh(p)->node_count;
    uint8_t *wanted = calloc((size_t)nodes, 1);
    for (int step = 1; step <= 3; step += 2) {
        for (int32_t n = 0; n < nodes; n++) wanted[n] = n % step == 0;
        FrTearsDef by = {.cap = p->fracture->settings.cap};
        double stretch;
        CHECK_OK(p->ctx, fr_fem_find_tears(p->fem, wanted, &by, &stretch));
        for (int32_t n = 0; n < nodes; n += step) {
            double size;
            FrTearing t = tearing_of(p, body, n, &size);
            FrNodeTears s = fr_fem_node_tears(p->fem, n);
            FrSym3 tear = {s.tear[0], s.tear[1], s.tear[2], s.tear[3], s.tear[4], s.tear[5]};
            tear = fr_sym3_axpy(-1.0, t.plus, fr_sym3_axpy(1.0, t.minus, tear));
            CHECK(2.0 * s.size >= (1.0 - 1e-9) * size);
            // rounding: lanes are float32
            CHECK(fr_distance(fr_vec3(s.plus[0], s.plus[1], s.plus[2]), t.tensile) <=
                  1e-7 * s.size);
            CHECK(fr_distance(fr_vec3(s.minus[0], s.minus[1], s.minus[2]), t.compressive) <=
                  1e-7 * s.size);
            CHECK(sqrt(fr_sym3_dot(tear, tear)) <= 4e-7 * s.size);
        }
    }
    free(wanted);
}

/// the sum of strengths times m(area), without corners that are skipped
static void check_spreads(const Plate *p, const FrBreakable *body) {
    const FrTetMesh *mesh = plate_mesh(p);
    FrShapeView view;
    fr_fem_view(p->fem, &view);
    size_t lanes = 4 * (size_t)fr_fem_block_count(p->fem);
    double *strength = calloc(lanes, sizeof *strength), stretch;
    uint8_t *skip = calloc(lanes, 1), *wanted = calloc((size_t)mesh->node_count, 1);
    memset(wanted, 1, (size_t)mesh->node_count);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        strength[fr_fem_tet_lane(p->fem, e)] = 1.0 + e;
        skip[fr_fem_tet_lane(p->fem, e)] = (uint8_t)(e % 16);
    }
    FrTearsDef by = {.cap = p->fracture->settings.cap, .strength = strength, .skip = skip};
    CHECK_OK(p->ctx, fr_fem_find_tears(p->fem, wanted, &by, &stretch));
    for (int32_t n = 0; n < mesh->node_count; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(body->cut, n, &count);
        FrSym3 sum = fr_sym3_zero;
        double size = 0.0;
        for (int32_t k = 0; k < 4 * count; k++) {
            int32_t e = star[k / 4], m = view.tet[e][k % 4];
            // rounding: bounds that are reached
            CHECK(
                fr_distance(fr_get3(view.p, m), fr_get3(view.p, n)) <=
                (1.0 + 1e-9) * stretch *
                    fr_distance(fr_get3(fr_fem_rest(p->fem), m), fr_get3(fr_fem_rest(p->fem), n)));
            if (m != n || e % 16 >> k % 4 & 1) continue;
            FrVec3 area = fr_opposite_area(&view, view.tet[e], n);
            FrSym3 part = fr_unit_outer(area, fr_length(area));
            sum = fr_sym3_axpy(1.0 + e, part, sum);
            size += (1.0 + e) * fr_length(area);
        }
        FrNodeTears tears = fr_fem_node_tears(p->fem, n);
        const double *hold = tears.hold;
        FrSym3 off = {hold[0], hold[1], hold[2], hold[3], hold[4], hold[5]};
        off = fr_sym3_axpy(-1.0, sum, off);
        CHECK(sqrt(fr_sym3_dot(off, off)) <= 1e-12 * size); // rounding: sums over a star
    }
    memset(skip, 0, lanes);
    CHECK_OK(p->ctx, fr_fem_find_tears(p->fem, wanted, &by, &stretch));
    CHECK_OK(p->ctx, fr_fem_find_spreads(p->fem, wanted, strength));
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrNodeState state = fr_node_state(body, n, fr_sym3_zero);
        FrNodeSpread spread = fr_fem_node_spread(p->fem, n);
        FrNodeTears tears = fr_fem_node_tears(p->fem, n);
        CHECK(state.value <= (1.0 + 1e-9) * sqrt(0.5) * spread.pull); // rounding
        CHECK(!memcmp(&spread.hold, tears.hold, sizeof tears.hold));
    }
    free(strength), free(skip), free(wanted);
}

static void fill(FrRandom *r, double *x, size_t count, double size) {
    for (size_t k = 0; k < count; k++) x[k] = size * (2.0 * fr_random_unit(r) - 1.0);
}

// four tets with any strain and stress; one in three has no stress, one in five a tip behind it
static void random_block(FrRandom *r, FrTetBlock *block, FrBlockStress *stress, double *strength,
                         uint8_t *skip) {
    fill(r, block->B[0][0], 9 * FR_LANES, 1.0);
    fill(r, stress->F[0], 9 * FR_LANES, 2.0);
    fill(r, stress->S[0], 6 * FR_LANES, 1e6);
    for (int k = 0; k < FR_LANES; k++) {
        block->vol[k] = fr_random_unit(r);
        stress->stretch[k] = 4.0 + fr_random_unit(r);
        strength[k] = 1e6 * fr_random_unit(r);
        for (int c = 0; c < 6 && fr_random_unit(r) < 1.0 / 3.0; c++) stress->S[c][k] = -0.0;
        skip[k] = fr_random_unit(r) < 0.2 ? 7 : 0;
        for (int i = 0; i < 4; i++) block->node[k][i] = (uint16_t)(8.0 * fr_random_unit(r));
    }
}

TEST(what_tears_is_the_same_bits_with_and_without_avx2) {
    enum { BLOCKS = 100 };
    static const uint16_t at[8] = {1, 0, 2, 0, 3, 0, 4, 0};
    static FrTetBlock block[BLOCKS];
    static FrBlockStress stress[BLOCKS];
    double strength[FR_LANES * BLOCKS], one[20 * 5] = {0}, other[20 * 5] = {0};
    uint8_t skip[FR_LANES * BLOCKS];
    FrHolding holding = {strength, skip};
    FrRandom r = fr_random_for(5, "lanes", 0);
    if (!fr_cpu_has_avx2()) return;
    for (size_t k = 0; k < BLOCKS; k++)
        random_block(&r, &block[k], &stress[k], strength + FR_LANES * k, skip + FR_LANES * k);
    double a = fr_fem_stress_portable.tear(block, stress, BLOCKS, at, NULL, holding, one);
    double b = fr_fem_stress_avx2.tear(block, stress, BLOCKS, at, NULL, holding, other);
    CHECK(a == b && a > 4.0 && !memcmp(one + 20, other + 20, 80 * sizeof *one));
    for (int k = 20; k < 100; k++) CHECK(k % 20 == 19 ? one[k] == 0.0 : one[k] != 0.0);
    fr_fem_stress_portable.spread(block, stress, BLOCKS, at, strength, one);
    fr_fem_stress_avx2.spread(block, stress, BLOCKS, at, strength, other);
    CHECK(!memcmp(one + 8, other + 8, 32 * sizeof *one));
}

/// the force kernel's stresses are those of fem_tet_piola, and nothing pulls harder than it says
static void check_kernel_stress(const Plate *p, const double *pull) {
    CHECK(fr_fem_chunk_stress(p->fem, 0) > 0.0);
    const FrTetMesh *mesh = plate_mesh(p);
    FrBreakable body = fr_fracture_body(p->fracture);
    double *sum = calloc((size_t)mesh->node_count, sizeof *sum);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrMat3 F;
        FrSym3 S = fem_tet_piola(p->fem, e, &F);
        CHECK_CLOSE(fr_fem_tet_stress2(p->fem, e), fr_sym3_dot(S, S), 1e-12); // rounding
        FrTetPulls pulls;
        fr_tet_pulls(&body, e, &pulls);
        for (int i = 0; i < 4; i++) sum[mesh->tet[e][i]] += fr_length(pulls.plus[i]);
    }
    // rounding: a bound that is reached
    for (int32_t n = 0; n < mesh->node_count; n++) CHECK(sum[n] <= (1.0 + 1e-9) * pull[n] + 1e-9);
    free(sum);
}

/// What quick tests found, by node.
typedef struct Quick {
    int fail, let_go, sharp, hold, known;
} Quick;

// a body pulled evenly or wildly by random strains and rates of strain
static void shake(const Plate *p, FrRandom *r, int round, double *x, double *v) {
    const FrTetMesh *mesh = plate_mesh(p);
    double even = round % 2 ? 0.05 * fr_random_unit(r) : 0.0;
    double wild = round % 2 ? 0.0 : 0.03 * fr_random_unit(r);
    for (int32_t k = 0; k < 3 * mesh->node_count; k++)
        x[k] = mesh->x[k] * (k % 3 == 2 ? 1.0 + even : 1.0) + wild * (fr_random_unit(r) - 0.5);
    for (int32_t k = 0; k < 3 * mesh->node_count; k++)
        v[k] = (even + wild) * (fr_random_unit(r) - 0.5);
}

/// A body with another toughness, whose limits are known.
static FrBreakable with_toughness(const Plate *p, const FrToughness *toughness) {
    p->fracture->settings.toughness[0] = *toughness;
    CHECK(fr_fracture_follow(p->fracture, NULL) && fr_fracture_limit_chunks(p->fracture));
    FrBreakable body = fr_fracture_body(p->fracture);
    body.pulls_of = NULL;
    body.now = p->fracture->scratch.scan.now = 1.0;
    return body;
}

/// loads that are known for nodes by strength are not below true ones
static void check_load(const FrBreakable *body, int32_t n, const FrNodeLimit *limit, FrSym3 zeta,
                       double off, const FrNodeState *state) {
    double load[4];
    if (limit->kind != FR_LIMIT_STRENGTH && limit->kind != FR_LIMIT_CRACK) return;
    fr_node_loads_at_most_four(body, (int32_t[4]){n, n, n, n}, (FrSym3[4]){zeta, zeta, zeta, zeta},
                               (double[4]){off, off, off, off}, 4, load);
    for (int k = 0; k < 4; k++) {
        CHECK(load[k] >= (1.0 - 1e-9) * state->value / state->limit);
        CHECK(load[k] >= 1.0 || !fr_node_fails(state));
    }
}

/// bounds on values and limits of all nodes, with this toughness
static void check_bounds(const Plate *p, const FrToughness *toughness, Quick *quick) {
    FrBreakable body = with_toughness(p, toughness);
    const FrTetMesh *mesh = plate_mesh(p);
    double *pull = calloc((size_t)mesh->node_count, sizeof *pull);
    const double *elastic, *viscous;
    fr_fem_bound_pulls(p->fem, pull);
    fr_fem_internal_forces(p->fem, &elastic, &viscous);
    check_kernel_stress(p, pull);
    check_tears(p, &body);
    check_spreads(p, &body);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 force = fr_add(fr_get3(elastic, n), fr_get3(viscous, n));
        double most = fr_node_value_at_most(pull[n], force), size;
        FrNodeLimit limit = fr_node_limit_kind(&body, n);
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        FrTearing tearing = tearing_of(p, &body, n, &size);
        CHECK(state.value <= (1.0 + 1e-9) * most + 1e-9); // rounding: a bound that may be reached
        CHECK(state.limit >= (1.0 - 1e-9) * limit.tau);
        bool holds = most < limit.tau;
        quick->fail += fr_node_fails(&state);
        quick->let_go += holds;
        quick->sharp += holds && state.value > 0.5 * state.limit;
        check_load(&body, n, &limit, fr_separation_tensor(&tearing), 1e-6 * size, &state);
    }
    // nodes that go are none that fail
    CHECK_OK(p->ctx, fr_fracture_scan(p->fracture));
    const FrFracture *f = p->fracture;
    fr_fracture_forget(p->fracture);
    for (int32_t n = 0, at = 0; n < mesh->node_count; n++) {
        bool listed =
            at < f->scratch.scan.candidate.count && f->scratch.scan.candidate.data[at] == n;
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        double hot = 0.0;
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, n, &count);
        for (int32_t k = 0; k < count; k++)
            hot = fr_max(hot, sqrt(fr_fem_tet_stress2(p->fem, star[k])) /
                                  f->scratch.limits.overstress.data[star[k]]);
        CHECK(listed || hot <= 1.0 || !fr_node_fails(&state));
        quick->hold += hot > 1.0 && !fr_node_fails(&state);
        quick->known += hot > 1.0 && !listed;
        at += listed;
    }
    free(pull);
}

static Quick check_toughness(FrToughness toughness, bool cracked) {
    Plate p = plate_of(4, 0.0, NULL, NULL, 1e-3);
    FrRandom r = fr_random_for(5, "bounds", 0);
    Quick quick = {0};
    if (cracked) {
        FrBreakResult result;
        CHECK_OK(p.ctx, fr_fracture_precut(p.fracture, fr_vec3(0.1, 0.2, 0.3),
                                           fr_vec3(0.3, 0.2, 1.0), 0.3, &result));
        CHECK(result.log->face_count > 0);
    }
    int32_t nodes = plate_mesh(&p)->node_count;
    double *x = calloc(3 * (size_t)nodes, sizeof *x), *v = calloc(3 * (size_t)nodes, sizeof *v);
    for (int round = 0; round < 60; round++) {
        shake(&p, &r, round, x, v);
        fr_fem_set_state(p.fem, x, round % 3 ? v : NULL);
        FrToughness random = toughness;
        double factor = exp(fr_random_range(&r, 0.0, log(1000.0)));
        random.tau *= factor, random.strength *= factor, random.tip *= factor;
        check_bounds(&p, &random, &quick);
    }
    check_four(&p);
    free(x), free(v);
    plate_free(&p);
    printf(
        "  %d nodes fail, %d surely hold by pulls, %d of them with more than half; of %d that have "
        "stress and hold %d are not judged\n",
        quick.fail, quick.let_go, quick.sharp, quick.hold, quick.known);
    return quick;
}

// The quick tests that spare the splitting of stresses never let a node go that fails, for any
// random strain and rate of strain (random forces on every node: the worst case), whether limits
// come from tau, strength or the tips of cracks; and where a body is pulled evenly they are sharp.
TEST(nodes_that_surely_hold_do_hold) {
    Quick tau = check_toughness((FrToughness){.tau = 1.0}, false);
    Quick whole = check_toughness((FrToughness){.strength = 5e3}, false);
    Quick tips =
        check_toughness((FrToughness){.strength = 5e3, .tip = 500.0, .crack_speed = 1e3}, true);
    CHECK(tau.fail > 100 && tau.let_go > 100 && tau.sharp > 10);
    Quick cracked = check_toughness((FrToughness){.strength = 5e3}, true);
    CHECK(whole.fail > 100 && whole.known > 0.9 * whole.hold && whole.hold > 100);
    CHECK(tips.fail > 100 && tips.known > 0.8 * tips.hold && tips.hold > 100);
    CHECK(cracked.fail > 100 && cracked.known > 0.9 * cracked.hold && cracked.hold > 100);
}
