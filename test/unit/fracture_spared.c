// fracture_spared.c: nodes that need no look: bounds that never let one go that fails, and four at
// once as each by itself.

#include "fem/element.h"
#include "fracture_kit.h"

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
    FrToughness toughness = p.fracture->toughness[0];
    FrFractureDef def = test_fracture_def(&p.mesh, &toughness);
    def.elastic_only = elastic_only;
    fr_fracture_destroy(p.fracture);
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
        CHECK_OK(p.ctx, fr_fracture_look(p.fracture));
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
            bool listed = at < p.fracture->candidate.count && p.fracture->candidate.data[at] == n;
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
    FrBreakable body = fr_fracture_body(p->fracture);
    body.pulls_of = NULL;
    int32_t count = plate_mesh(p)->node_count;
    for (int32_t n = 0; n + 4 <= count; n += 4) {
        FrNodeState four[4];
        fr_node_states_four(&body, (int32_t[4]){n, n + 1, n + 2, n + 3}, four);
        for (int k = 0; k < 4; k++) {
            FrNodeState one = fr_node_state(&body, n + k, fr_sym3_zero);
            CHECK(fr_node_fails(&one) == fr_node_fails(&four[k]));
            CHECK(!fr_node_fails(&one) || memcmp(&one, &four[k], sizeof one) == 0);
        }
    }
}

static int32_t *all_blocks(int32_t count) {
    int32_t *block = calloc((size_t)count, sizeof *block);
    for (int32_t k = 0; k < count; k++) block[k] = k;
    return block;
}

/// what tears at the corners of each tet, in lanes, is what it is by itself
static void check_tears(const Plate *p, const FrBreakable *body) {
    int32_t blocks = fr_fem_block_count(p->fem);
    int32_t *block = all_blocks(blocks);
    FrTears *tears = calloc((size_t)blocks, sizeof *tears);
    fr_fem_find_tears(p->fem, block, blocks, tears);
    int32_t tets = plate_mesh(p)->tet_count;
    for (int32_t e = 0; e < tets; e++) {
        FrTetPulls pulls;
        fr_tet_pulls(body, e, &pulls);
        int32_t lane = fr_fem_tet_lane(p->fem, e), at = lane % 4;
        for (int i = 0; i < 4; i++) {
            const FrCornerTears *c = &tears[lane / 4].corner[i];
            FrVec3 plus = {c->plus[0][at], c->plus[1][at], c->plus[2][at]};
            FrVec3 minus = {c->minus[0][at], c->minus[1][at], c->minus[2][at]};
            FrTearing tearing = {0};
            fr_tearing_add(&tearing, pulls.plus[i], pulls.minus[i]);
            FrSym3 tear = {c->tear[0][at], c->tear[1][at], c->tear[2][at],
                           c->tear[3][at], c->tear[4][at], c->tear[5][at]};
            tear = fr_sym3_axpy(-1.0, tearing.plus, fr_sym3_axpy(1.0, tearing.minus, tear));
            double size = c->size[at];
            CHECK(size >= (1.0 - 1e-9) * fr_length(pulls.plus[i]) &&
                  size >= (1.0 - 1e-9) * fr_length(pulls.minus[i]));
            CHECK(fr_distance(plus, pulls.plus[i]) <= 1e-7 * size);
            CHECK(fr_distance(minus, pulls.minus[i]) <= 1e-7 * size);
            CHECK(sqrt(fr_sym3_dot(tear, tear)) <= 4e-7 * size);
        }
    }
    free(block), free(tears);
}

/// bounds on pulls of the stresses that count, and their forces
static void check_tugs(const Plate *p, const FrBreakable *body) {
    const FrTetMesh *mesh = plate_mesh(p);
    double *tug = calloc(4 * (size_t)mesh->node_count, sizeof *tug);
    CHECK_OK(p->ctx, fr_fem_bound_tugs(p->fem, tug));
    for (int32_t n = 0; n < mesh->node_count; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(fr_fracture_mesh(p->fracture), n, &count);
        FrVec3 force = fr_vec3_zero;
        double pull = 0.0, size = 0.0;
        for (int32_t k = 0; k < 4 * count; k++) {
            FrTetPulls pulls;
            if (mesh->tet[star[k / 4]][k % 4] != n) continue;
            fr_tet_pulls(body, star[k / 4], &pulls);
            force = fr_add(force, fr_add(pulls.plus[k % 4], pulls.minus[k % 4]));
            pull += fr_length(pulls.plus[k % 4]);
            size += fr_length(pulls.plus[k % 4]) + fr_length(pulls.minus[k % 4]);
        }
        CHECK(pull <= (1.0 + 1e-9) * tug[4 * n + 3]);
        CHECK(fr_distance(force, fr_vec3(tug[4 * n], tug[4 * n + 1], tug[4 * n + 2])) <=
              1e-9 * size);
    }
    free(tug);
}

static FrSym3 zeta_of(const Plate *p, const FrBreakable *body, int32_t node) {
    const FrTetMesh *mesh = plate_mesh(p);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(fr_fracture_mesh(p->fracture), node, &count);
    FrTearing tearing = {0};
    for (int32_t k = 0; k < count; k++) {
        FrTetPulls pulls;
        fr_tet_pulls(body, star[k], &pulls);
        for (int i = 0; i < 4; i++)
            if (mesh->tet[star[k]][i] == node)
                fr_tearing_add(&tearing, pulls.plus[i], pulls.minus[i]);
    }
    return fr_separation_tensor(&tearing);
}

/// the force kernel's stresses are those of fr_fem_tet_piola, and nothing pulls harder than it says
static void check_kernel_stress(const Plate *p, const double *pull) {
    CHECK(fr_fem_chunk_stress(p->fem, 0) > 0.0);
    const FrTetMesh *mesh = plate_mesh(p);
    FrBreakable body = fr_fracture_body(p->fracture);
    double *sum = calloc((size_t)mesh->node_count, sizeof *sum);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrMat3 F;
        FrSym3 S = fr_fem_tet_piola(p->fem, e, &F);
        CHECK_CLOSE(fr_fem_tet_stress2(p->fem, e), fr_sym3_dot(S, S), 1e-9);
        FrTetPulls pulls;
        fr_tet_pulls(&body, e, &pulls);
        for (int i = 0; i < 4; i++) sum[mesh->tet[e][i]] += fr_length(pulls.plus[i]);
    }
    for (int32_t n = 0; n < mesh->node_count; n++) CHECK(sum[n] <= (1.0 + 1e-9) * pull[n] + 1e-9);
    free(sum);
}

/// What quick tests found, by node.
typedef struct Quick {
    int fail, let_go, sharp, roomy, held, unchanged;
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

/// After a few more steps no node has come closer to failing than the drifts of the tets round it
/// say; `room`: of each node, before them.
static void check_drifts(const Plate *p, const FrBreakable *body, const double *room,
                         Quick *quick) {
    const FrTetMesh *mesh = plate_mesh(p);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        fr_fem_mark_tet(p->fem, e, body->toughness->strength);
        CHECK(fr_fem_is_marked(p->fem, e));
    }
    // a change of the step shifts nodes
    for (int k = 0; k < 3; k++) {
        double dt = (0.2 - 0.05 * k) * fr_fem_dt_limit(p->fem);
        CHECK_OK(p->ctx, fr_fem_step(p->fem, dt, fr_vec3(0, 0, -9.8)));
    }
    int32_t blocks = fr_fem_block_count(p->fem), *block = all_blocks(blocks);
    fr_fem_find_drifts(p->fem, block, blocks);
    free(block);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(fr_fracture_mesh(p->fracture), n, &count);
        double change = 0.0;
        for (int32_t k = 0; k < count; k++) {
            FrVec3 m[4];
            FrElement e;
            int corner = 0;
            for (int i = 0; i < 4; i++) {
                m[i] = fr_get3(mesh->x, mesh->tet[star[k]][i]);
                if (mesh->tet[star[k]][i] == n) corner = i;
            }
            CHECK(fr_element_make(m, &e));
            change += e.volume * fr_length(e.G[corner]) * fr_fem_tet_drift(p->fem, star[k]);
        }
        FrNodeState state = fr_node_state(body, n, fr_sym3_zero);
        if (change < room[n]) CHECK(state.limit - state.value >= room[n] - (1.0 + 1e-9) * change);
        quick->unchanged += change < room[n];
    }
}

/// bounds on values and limits of all nodes, with this toughness, now and after a few steps
static void check_bounds(const Plate *p, const FrToughness *toughness, Quick *quick) {
    FrBreakable body = fr_fracture_body(p->fracture);
    const FrTetMesh *mesh = plate_mesh(p);
    double *pull = calloc((size_t)mesh->node_count, sizeof *pull);
    double *room = calloc((size_t)mesh->node_count, sizeof *room);
    double *tau = calloc((size_t)mesh->node_count, sizeof *tau);
    const double *elastic, *viscous;
    body.toughness = toughness;
    body.pulls_of = NULL;
    body.now = 1.0;
    fr_fem_bound_pulls(p->fem, pull);
    fr_fem_internal_forces(p->fem, &elastic, &viscous);
    check_kernel_stress(p, pull);
    check_tears(p, &body);
    check_tugs(p, &body);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 force = fr_add(fr_get3(elastic, n), fr_get3(viscous, n));
        double most = fr_node_value_at_most(pull[n], force);
        double least = fr_node_tau(&body, n);
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        FrSym3 zeta = zeta_of(p, &body, n);
        double rooms[4];
        tau[n] = least;
        CHECK(state.value <= (1.0 + 1e-9) * most + 1e-9);
        CHECK(state.limit >= (1.0 - 1e-9) * least);
        bool holds = most < least;
        quick->fail += fr_node_fails(&state);
        quick->let_go += holds;
        quick->sharp += holds && state.value > 0.5 * state.limit;
        double enough[4] = {HUGE_VAL, 1e-3, HUGE_VAL, 1e-6};
        double off[4] = {0.0, 1e-6 * most, 0.0, 1e-6 * most};
        bool held[4];
        fr_node_rooms_four(&body, (int32_t[4]){n, n, n, n}, (FrSym3[4]){zeta, zeta, zeta, zeta},
                           off, tau, enough, rooms, held);
        for (int k = 0; k < 4; k++) {
            CHECK(held[k] || !(rooms[k] > off[k]));
            CHECK(!held[k] || !fr_node_fails(&state));
        }
        quick->held += held[1] && !(rooms[1] > off[1]);
        for (int k = 1; k < 4; k++)
            if (rooms[k] > 0.0) CHECK(rooms[k] <= (1.0 + 1e-9) * (state.limit - state.value));
        room[n] = rooms[0];
        if (room[n] > 0.0) CHECK(room[n] <= (1.0 + 1e-9) * (state.limit - state.value));
        quick->roomy += room[n] > 0.0 && state.value > 0.5 * state.limit;
    }
    check_drifts(p, &body, room, quick);
    free(pull), free(room), free(tau);
}

static Quick check_toughness(FrToughness toughness, bool cracked) {
    Plate p = plate_of(4, 0.0, NULL, NULL, 1e-3);
    FrRandom r = fr_random_for(5, "bounds", 0);
    Quick quick = {0};
    if (cracked) {
        FrFractureResult result;
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
    printf("  %d nodes fail, %d surely hold, %d of them with more than half; %d have room then, "
           "%d hold without; %d hardly changed\n",
           quick.fail, quick.let_go, quick.sharp, quick.roomy, quick.held, quick.unchanged);
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
    CHECK(whole.fail > 100 && whole.roomy > 100);
    Quick cracked = check_toughness((FrToughness){.strength = 5e3}, true);
    CHECK(tips.fail > 100 && tips.roomy > 10 && tips.held > 100);
    CHECK(cracked.fail > 100 && cracked.roomy > 10 && cracked.held > 100);
    CHECK(tau.unchanged > 100 && whole.unchanged > 100 && tips.unchanged > 100);
}
