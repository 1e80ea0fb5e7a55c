// fem_step_cost.c: mass on nodes of small tets: its bound, how it is shared out, checkpoints.

#include "fem_piece_kit.h"

/// the stable step of the shape at rest
static double rest_dt(Scene *s) {
    FrFem *still = test_body(s->ctx, &s->mesh, &s->material);
    FrWriter w;
    FrReader r;
    fr_writer_init(&w, s->ctx);
    fr_fem_save(s->fem, &w);
    fr_reader_init(&r, w.data, w.size);
    CHECK_OK(s->ctx, fr_fem_load(still, &r));
    fr_writer_free(&w);
    fr_fem_set_state(still, fr_fem_rest(s->fem), NULL);
    FrShapeView view;
    fr_fem_view(still, &view);
    double *zero = calloc(3 * (size_t)view.node_count, sizeof *zero);
    fr_fem_set_state(still, NULL, zero);
    double dt = fr_fem_dt_limit(still);
    free(zero);
    fr_fem_destroy(still);
    return dt;
}

// without a floor the step falls; with one it does not as long as there is mass to add
TEST(the_floor_holds_within_its_bound) {
    static const double part[4] = {0.0, 0.15, 0.3, 0.9};
    double dt[4], share[4];
    bool below[4];
    for (int k = 0; k < 4; k++) {
        Scene s = scene_make();
        FrVec3 p0, p1, l0, l1;
        double sum = ledger(s.fem), mass = total_mass(s.fem);
        fr_fem_momentum(s.fem, &p0, &l0);
        fr_fem_set_floor(s.fem, part[k], 0.01);
        split_some(&s, 150);
        fr_fem_momentum(s.fem, &p1, &l1);
        FrStepCost r = fr_fem_step_cost(s.fem);
        dt[k] = rest_dt(&s) / s.first_dt;
        share[k] = r.added_mass / mass;
        below[k] = r.below_floor;
        printf("  floor %.2f: step %.3f of the first, %.3f %% of mass added%s\n", part[k], dt[k],
               100 * share[k], r.below_floor ? ", not enough" : "");
        // rounding: sums over all nodes
        CHECK_CLOSE(total_mass(s.fem), mass + r.added_mass, 1e-12);
        CHECK_NEAR(fr_distance(p0, p1), 0.0, 1e-12 * mass);
        CHECK_CLOSE(ledger(s.fem), sum, 1e-12);
        CHECK(share[k] <= 0.01 * (1 + 1e-12));
        scene_free(&s);
    }
    CHECK(dt[0] < 0.15 && share[0] == 0.0 && !below[0]);
    // bounds are per node, the first step per tet: 1e-9 for the rounding of sums
    CHECK(dt[1] >= 0.15 * (1 - 1e-9) && !below[1] && share[1] > 0.0);
    CHECK(below[3]);                    // far too much is asked for: it says so
    CHECK_CLOSE(share[3], 0.01, 1e-12); // rounding
    for (int k = 0; k < 4; k++) CHECK(below[k] || dt[k] >= part[k] * (1 - 1e-9));
}

/// a body that was cut as it is, and its nodes
typedef struct Rough {
    Scene s;
    int32_t *node, count;
    double *w2, *mass; ///< of nodes, before
} Rough;

static Rough rough_make(void) {
    Rough r = {.s = scene_make()};
    split_some(&r.s, 100);
    FrShapeView view;
    fr_fem_view(r.s.fem, &view);
    r.count = view.node_count;
    r.node = malloc(sizeof *r.node * (size_t)r.count);
    r.w2 = malloc(sizeof *r.w2 * (size_t)r.count);
    r.mass = malloc(sizeof *r.mass * (size_t)r.count);
    for (int32_t n = 0; n < r.count; n++) {
        r.node[n] = n;
        r.w2[n] = r.s.fem->scratch.node_w2[n];
        r.mass[n] = r.s.fem->scratch.mass[n];
    }
    return r;
}

static void rough_free(Rough *r) {
    free(r->node);
    free(r->w2);
    free(r->mass);
    scene_free(&r->s);
}

/// kg that bring all nodes down to a square of frequency
static double cost_of(const Rough *r, double w2) {
    double sum = 0.0;
    for (int32_t n = 0; n < r->count; n++) sum += r->mass[n] * fr_max(0.0, r->w2[n] / w2 - 1.0);
    return sum;
}

/// the smallest largest w2 that so much mass can give, by bisection
static double best_w2(const Rough *r, double mass) {
    double low = 0.0, high = 0.0;
    for (int32_t n = 0; n < r->count; n++) high = fr_max(high, r->w2[n]);
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (low + high);
        if (cost_of(r, middle) > mass)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// the largest w2 after mass was added; all nodes that got some are there
static double worst_w2(const Rough *r) {
    double worst = 0.0;
    for (int32_t n = 0; n < r->count; n++)
        worst = fr_max(worst, r->w2[n] * r->mass[n] / r->s.fem->scratch.mass[n]);
    for (int32_t n = 0; n < r->count; n++)
        if (r->s.fem->state.added[n] > 0.0)
            CHECK_CLOSE(r->w2[n] * r->mass[n] / r->s.fem->scratch.mass[n], worst,
                        1e-12); // rounding
    return worst;
}

// whatever there is of it: no other way to share it out leaves longer steps
TEST(mass_goes_to_the_worst_nodes) {
    static const double most[3] = {1e-4, 1e-3, 1e-2};
    for (int k = 0; k < 3; k++) {
        Rough r = rough_make();
        double limit = most[k] * fr_fem_mass(r.s.fem), before = worst_w2(&r);
        fr_fem_set_floor(r.s.fem, 0.9, most[k]);
        CHECK(fr_fem_weigh_down(r.s.fem, r.node, r.count));
        double after = worst_w2(&r);
        printf("  %g of the mass: steps %.3f -> %.3f of the first\n", most[k],
               sqrt(r.s.fem->state.first_w2 / before), sqrt(r.s.fem->state.first_w2 / after));
        // rounding: the level is found in closed form, from sums over nodes
        CHECK_CLOSE(after, best_w2(&r, limit), 1e-12);
        CHECK(after < 0.9 * before);
        CHECK_CLOSE(fr_fem_step_cost(r.s.fem).added_mass, limit, 1e-12);
        CHECK(fr_fem_step_cost(r.s.fem).below_floor);
        rough_free(&r);
    }
}

// with plenty of mass the step stays at 0.75 of the first, floor or not; what is used for that
// beyond a quarter of the mass lowers it, and half of the mass is left for the floor
TEST(half_of_the_mass_is_left_for_the_floor) {
    Rough r = rough_make();
    double first = r.s.fem->state.first_w2, wish = first / (0.75 * 0.75),
           floor = first / (0.1 * 0.1);
    double all = cost_of(&r, wish), whole = fr_fem_mass(r.s.fem);
    CHECK(all > 0.0 && cost_of(&r, floor) < 0.2 * all);
    static const double times[3] = {4.0, 1.0, 0.1};
    for (int k = 0; k < 3; k++) {
        Rough q = rough_make();
        fr_fem_set_floor(q.s.fem, 0.1, times[k] * all / whole);
        CHECK(fr_fem_weigh_down(q.s.fem, q.node, q.count));
        double used = fr_fem_step_cost(q.s.fem).added_mass / (times[k] * all), now = worst_w2(&q);
        printf("  mass for %g of the wish: %.3f of it used, steps %.3f of the first\n", times[k],
               used, sqrt(first / now));
        // rounding: the level is found in closed form, from sums over nodes
        CHECK_CLOSE(now, best_w2(&q, used * times[k] * all), 1e-12);
        if (k == 0) CHECK_CLOSE(now, wish, 1e-12);
        if (k == 0) CHECK_CLOSE(used, 0.25, 1e-12);
        if (k == 1) CHECK(now > wish && now < floor && used > 0.25 && used < 0.5);
        CHECK(now < floor * (1 + 1e-9) && !fr_fem_step_cost(q.s.fem).below_floor);
        rough_free(&q);
    }
    rough_free(&r);
}

static bool changed_last(const Scene *s, int32_t node) {
    for (int32_t k = 0; k < 4 * s->log.tet_count; k++)
        if (s->log.tets[k / 4].node[k % 4] == node) return true;
    return false;
}

/// the largest bound of nodes of these tets that the last cut changed, of what it was in the body
/// before the first one
static double worst_of(const Scene *s, const int32_t *tet, int32_t count) {
    double worst = 0.0;
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t n = s->fem->state.tet[tet[k / 4]][k % 4];
        if (changed_last(s, n))
            worst = fr_max(worst, s->fem->scratch.node_w2[n] / s->fem->state.first_w2);
    }
    return worst;
}

/// kg on the nodes of a rough piece that a cut took off, stiffened before the floor is kept or not
static double mass_on_piece(bool stiff, double *all) {
    Scene s = scene_make();
    int32_t *tet = malloc(sizeof *tet * 4096), count = 0;
    bool found = false;
    for (int k = 0; k < 600 && !found; k++) {
        int32_t before = count;
        split_some(&s, 1);
        count = smallest_part(&s, tet);
        found = count != before && count <= 40 && worst_of(&s, tet, count) > 2.0;
    }
    CHECK(found);
    if (stiff) CHECK_OK(s.ctx, fr_fem_make_rigid(s.fem, tet, count, FR_CAUSE_SMALL));
    fr_fem_set_floor(s.fem, 0.9, 100.0); // enough for all
    CHECK_OK(s.ctx, fr_fem_keep_floor(s.fem, &s.log, s.cut));
    double sum = 0.0;
    for (int32_t n = 0; n < s.fem->state.node_count; n++) {
        bool on = false;
        for (int32_t k = 0; k < 4 * count; k++) on = on || s.fem->state.tet[tet[k / 4]][k % 4] == n;
        if (on) sum += s.fem->state.added[n];
    }
    *all = fr_fem_step_cost(s.fem).added_mass;
    printf("  a piece of %d tets: %g of %g kg\n", count, sum, *all);
    free(tet);
    scene_free(&s);
    return sum;
}

TEST(rigid_pieces_take_none_of_the_mass) {
    double soft_all, stiff_all, soft = mass_on_piece(false, &soft_all);
    CHECK(soft > 0.0);
    CHECK(mass_on_piece(true, &stiff_all) == 0.0);
    // rounding: sums of the same nodes in another order
    CHECK_CLOSE(stiff_all, soft_all - soft, 1e-12);
}

// whatever bounds nodes have, equal ones and such that stand at the level itself among them: it
// ends, within the mass there is, and no node that got some is above one that got none
TEST(mass_for_the_floor_is_shared_out_at_once) {
    enum { NODES = 20 };
    Scene s = scene_make();
    FrFem *fem = s.fem;
    double mass[NODES];
    int32_t node[NODES], weighed = 0;
    split_some(&s, 1);
    for (int32_t k = 0; k < NODES; k++) node[k] = k, mass[k] = fem->scratch.mass[k];
    for (int trial = 0; trial < 20000; trial++) {
        double largest = 0.0, spent = 0.0, share = fr_random_range(&s.random, 0.001, 0.3);
        fr_fem_set_floor(fem, 0.4, share);
        for (int32_t k = 0; k < NODES; k++) {
            fem->scratch.mass[k] = mass[k];
            fem->state.added[k] = 0.0;
            fem->scratch.node_w2[k] =
                fem->state.first_w2 * (1.0 + 1.37 * (double)fr_random_below(&s.random, 12));
        }
        // what is left just brings all others down to one of them
        double least = 0.0, at = fem->scratch.node_w2[fr_random_below(&s.random, NODES)];
        for (int32_t k = 0; k < NODES; k++)
            least += fr_max(0.0, fem->scratch.node_w2[k] / at - 1.0) * mass[k];
        fem->state.step_cost.added_mass = spent = fr_max(0.0, fem->settings.added_limit - least);
        weighed += fr_fem_weigh_down(fem, node, NODES);
        // rounding: sums over 20 nodes
        CHECK(fem->state.step_cost.added_mass <= fem->settings.added_limit * (1.0 + 1e-9));
        for (int32_t k = 0; k < NODES; k++) {
            double left = fem->scratch.node_w2[k] * mass[k] / fem->scratch.mass[k];
            if (fem->state.added[k] > 0.0)
                largest = fr_max(largest, left), spent += fem->state.added[k];
        }
        for (int32_t k = 0; k < NODES; k++)
            if (!(fem->state.added[k] > 0.0))
                CHECK(largest == 0.0 || fem->scratch.node_w2[k] <= largest * (1.0 + 1e-9));
        CHECK_CLOSE(fem->state.step_cost.added_mass, spent, 1e-12);
    }
    printf("  %d of 20000 had mass\n", weighed);
    CHECK(weighed > 2000);
    scene_free(&s);
}

// saved and loaded, a body with mass added and rigid pieces goes on to the same bits
TEST(step_costs_in_checkpoints) {
    Scene s = scene_make();
    int32_t *tet = malloc(sizeof *tet * 4096), count = 0;
    fr_fem_set_floor(s.fem, 0.3, 0.01);
    for (int k = 0; k < 60 && (count == 0 || count > 40); k++) {
        split_some(&s, 10);
        count = smallest_part(&s, tet);
    }
    CHECK_OK(s.ctx, fr_fem_make_rigid(s.fem, tet, count, FR_CAUSE_SMALL));
    FrFem *twin = test_body(s.ctx, &s.mesh, &s.material);
    fr_fem_set_floor(twin, 0.3, 0.01);
    FrWriter w;
    FrReader r;
    fr_writer_init(&w, s.ctx);
    fr_fem_save(s.fem, &w);
    fr_reader_init(&r, w.data, w.size);
    CHECK_OK(s.ctx, fr_fem_load(twin, &r));
    // all shorter texts are refused
    for (size_t cut = 4; cut < w.size; cut += 997) {
        FrFem *other = test_body(s.ctx, &s.mesh, &s.material);
        fr_reader_init(&r, w.data, cut);
        CHECK_INT(fr_fem_load(other, &r), FR_BAD_INPUT);
        fr_fem_destroy(other);
    }
    FrStepCost a = fr_fem_step_cost(s.fem), b = fr_fem_step_cost(twin);
    CHECK(a.added_mass == b.added_mass && a.rigid_pieces == b.rigid_pieces);
    CHECK(fr_fem_dt_limit(s.fem) == fr_fem_dt_limit(twin));
    CHECK_INT(s.fem->scratch.rigid_of[tet[0]], 2);
    CHECK(!memcmp(s.fem->scratch.rigid_of, twin->scratch.rigid_of,
                  sizeof(int32_t) * (size_t)s.fem->state.tet_count));
    for (int k = 0; k < 20; k++) {
        double dt = 0.5 * fr_fem_dt_limit(s.fem);
        CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3(0, 0, -9)));
        CHECK_OK(s.ctx, fr_fem_step(twin, dt, fr_vec3(0, 0, -9)));
    }
    FrShapeView u, v;
    fr_fem_view(s.fem, &u);
    fr_fem_view(twin, &v);
    CHECK(!memcmp(u.p, v.p, sizeof *u.p * 3 * (size_t)u.node_count));
    CHECK(!memcmp(u.v, v.v, sizeof *u.v * 3 * (size_t)u.node_count));
    fr_writer_free(&w);
    fr_fem_destroy(twin);
    free(tet);
    scene_free(&s);
}
