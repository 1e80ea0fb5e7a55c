// fem_rigid_pieces.c: pieces that move as rigid ones: momenta, ledger, sleep, supports, and how
// they deform again.

#include "fem_piece_kit.h"
#include "fem_advance.h"

static double worst_length(const FrFem *fem, const int32_t *tet, int32_t count, double *length) {
    FrShapeView view;
    fr_fem_view(fem, &view);
    double worst = 0.0;
    for (int32_t k = 0; k < count; k++)
        for (int i = 1; i < 4; i++) {
            double now = fr_distance(fr_get3(view.p, view.tet[tet[k]][0]),
                                     fr_get3(view.p, view.tet[tet[k]][i]));
            if (length[3 * k + i - 1] > 0.0)
                worst = fr_max(worst, fabs(now / length[3 * k + i - 1] - 1));
            length[3 * k + i - 1] = now;
        }
    return worst;
}

// a free piece turns for 2,000 steps: momenta exactly, energy to 1e-9, its shape to rounding
TEST(small_pieces_move_as_rigid_ones) {
    Scene s = scene_make();
    int32_t count, *tet = cut_small(&s, &count);
    printf("  a piece of %d tets\n", count);
    CHECK(count > 0 && count <= 40);
    FrVec3 p0, p1, l0, l1;
    double *length = calloc(3 * (size_t)count, sizeof *length), sum = ledger(s.fem);
    fr_fem_momentum(s.fem, &p0, &l0);
    CHECK_OK(s.ctx, fr_fem_make_rigid(s.fem, tet, count, FR_CAUSE_SMALL));
    FrStepCost r = fr_fem_step_cost(s.fem);
    CHECK_INT(r.rigid_pieces, 1);
    CHECK(r.rigid_volume > 0.0);
    CHECK_CLOSE(ledger(s.fem), sum, 1e-12); // rounding
    FrStepControl control = fr_step_control_default();
    worst_length(s.fem, tet, count, length);
    double *first = malloc(sizeof *first * 3 * (size_t)count);
    memcpy(first, length, sizeof *first * 3 * (size_t)count);
    CHECK_OK(s.ctx, fem_advance(s.fem, &control, 2.0, fr_vec3_zero, NULL, NULL));
    printf("  %lld steps\n", (long long)control.accepted);
    fr_fem_momentum(s.fem, &p1, &l1);
    // rounding: 2,000 steps, each to 1e-16
    CHECK(worst_length(s.fem, tet, count, first) < 1e-11);
    CHECK_NEAR(fr_distance(p0, p1), 0.0, 1e-11 * fr_fem_mass(s.fem));
    CHECK_NEAR(fr_distance(l0, l1), 0.0, 1e-10 * fr_length(l0));
    // step: energy goes with its square, here through the bending rest of the body
    CHECK_CLOSE(ledger(s.fem), sum, 1e-3);
    free(first);
    free(length);
    free(tet);
    scene_free(&s);
}

// A body that is one rigid piece has no forces in it, whatever it had before, and steps as one
// likes.
TEST(a_whole_body_moves_as_a_rigid_one) {
    Scene s = scene_make();
    FrShapeView view;
    fr_fem_view(s.fem, &view);
    int32_t *tet = malloc(sizeof *tet * (size_t)view.tet_count);
    for (int32_t e = 0; e < view.tet_count; e++) tet[e] = e;
    double dt = 0.5 * fr_fem_dt_limit(s.fem), sum, first;
    for (int k = 0; k < 20; k++) CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3_zero));
    sum = ledger(s.fem);
    FrFemEnergy e;
    fr_fem_energy(s.fem, fr_vec3_zero, &e);
    CHECK(e.elastic > 0.0);
    CHECK_OK(s.ctx, fr_fem_make_rigid(s.fem, tet, view.tet_count, FR_CAUSE_SMALL));
    fr_fem_energy(s.fem, fr_vec3_zero, &e);
    first = e.kinetic;
    CHECK(e.elastic == 0.0 && first > 0.0);
    CHECK_CLOSE(ledger(s.fem), sum, 1e-12); // rounding
    CHECK(isinf(fr_fem_dt_limit(s.fem)));
    FrVec3 p0, p1, l0, l1;
    fr_fem_momentum(s.fem, &p0, &l0);
    for (int k = 0; k < 200; k++) CHECK_OK(s.ctx, fr_fem_step(s.fem, 3.0 * dt, fr_vec3_zero));
    fr_fem_momentum(s.fem, &p1, &l1);
    // rounding: 200 steps
    CHECK_NEAR(fr_distance(p0, p1), 0.0, 1e-12 * fr_fem_mass(s.fem));
    CHECK_NEAR(fr_distance(l0, l1), 0.0, 1e-11 * fr_length(l0));
    fr_fem_energy(s.fem, fr_vec3_zero, &e);
    CHECK_CLOSE(e.kinetic, first,
                1e-4); // momenta are exact, energy goes with the square of the step
    free(tet);
    scene_free(&s);
}

// a body that is one rigid piece, at rest
static int32_t *stiff_box(Scene *s) {
    FrShapeView view;
    fr_fem_view(s->fem, &view);
    int32_t *tet = malloc(sizeof *tet * (size_t)view.tet_count);
    double *v = calloc(3 * (size_t)view.node_count, sizeof *v);
    for (int32_t e = 0; e < view.tet_count; e++) tet[e] = e;
    fr_fem_set_state(s->fem, NULL, v);
    CHECK_OK(s->ctx, fr_fem_make_rigid(s->fem, tet, view.tet_count, FR_CAUSE_SMALL));
    CHECK(fr_fem_is_loose(s->fem));
    free(v);
    return tet;
}

// how fast springs of `across` and `along` N/m at corners swing the piece, by its own motion: what
// they take from a rigid motion u over m u.u, by iteration over motions
static double fastest_swing(Scene *s, const int32_t *corner, const FrVec3 *n, int count,
                            double across, double along) {
    FrFem *fem = s->fem;
    double dt = 1e-7, w2 = 0.0;
    for (int k = 0; k < 400; k++) {
        // forces are those of the springs stretched by the motion: it turns to the fastest
        FrVec3 v[4];
        double power = 0.0, size = 0.0;
        for (int j = 0; j < count; j++) v[j] = fr_get3(fem->state.v, corner[j]);
        for (int32_t i = 0; i < fem->state.node_count; i++)
            size += fem->scratch.mass[i] * fr_length2(fr_get3(fem->state.v, i));
        for (int j = 0; j < count; j++) {
            FrVec3 f = fr_axpy((across - along) * fr_dot(v[j], n[j]), n[j], fr_scale(along, v[j]));
            power += fr_dot(f, v[j]);
            fr_fem_add_force(fem, FR_FEM_CONTACT, corner[j], fr_scale(1.0 / dt, f));
        }
        w2 = power / size;
        double *still = calloc(3 * (size_t)fem->state.node_count, sizeof *still);
        double *place = malloc(3 * (size_t)fem->state.node_count * sizeof *place);
        memcpy(place, fem->state.p, 3 * (size_t)fem->state.node_count * sizeof *place);
        fr_fem_set_state(fem, NULL, still);
        CHECK_OK(s->ctx, fr_fem_step(fem, dt, fr_vec3_zero));
        double most = 1e-30;
        for (int32_t i = 0; i < 3 * fem->state.node_count; i++)
            most = fr_max(most, fabs(fem->state.v[i]));
        for (int32_t i = 0; i < 3 * fem->state.node_count; i++) still[i] = fem->state.v[i] / most;
        fr_fem_set_state(fem, place, still);
        free(still);
        free(place);
    }
    return w2;
}

// springs on a rigid piece: w^2 is not below the fastest swing, and at most 6^(1/8) above it
TEST(springs_on_a_rigid_piece_find_its_fastest_swing) {
    for (int count = 1; count <= 4; count++) {
        Scene s = scene_make();
        int32_t *tet = stiff_box(&s), corner[4];
        double *v = malloc(3 * (size_t)s.fem->state.node_count * sizeof *v);
        FrVec3 n[4];
        CHECK_OK(s.ctx, fr_fem_begin_springs(s.fem));
        CHECK(fr_fem_spring_w2(s.fem, 0) == 0.0);
        for (int j = 0; j < count; j++) {
            corner[j] = s.fem->state.tet[0][j];
            n[j] = fr_normalize(fr_vec3(1 + j, 2 - j, -0.5 * j));
            fr_fem_add_spring(s.fem, 5, fr_get3(s.fem->state.p, corner[j]), n[j], 3.0, 2.0);
        }
        double found = fr_fem_spring_w2(s.fem, 9);
        FrVec3 spin = {0.3, 1, -0.7};
        for (int32_t i = 0; i < s.fem->state.node_count; i++)
            fr_set3(v, i,
                    fr_add(fr_cross(spin, fr_get3(s.fem->state.p, i)), fr_vec3(0.1, 0.2, 0.3)));
        fr_fem_set_state(s.fem, NULL, v);
        double true_w2 = fastest_swing(&s, corner, n, count, 3.0, 2.0);
        printf("  %d springs: %.6g of %.6g 1/s^2\n", count, found, true_w2);
        // solver: 400 rounds of iteration find the fastest one to 1e-6
        CHECK(found >= true_w2 * (1 - 1e-6) && found <= true_w2 * pow(6.0, 0.125) * (1 + 1e-3));
        free(v);
        free(tet);
        scene_free(&s);
    }
}

// What sleeps stays, bit by bit, whatever pushes it; energy and momentum that it had are in the
// ledger of contact and the impulse; woken it moves.
TEST(a_rigid_piece_sleeps_and_wakes) {
    Scene s = scene_make();
    int32_t *tet = stiff_box(&s), corner = s.fem->state.tet[0][0];
    double dt = 1e-6, mass = fr_fem_mass(s.fem);
    fr_fem_add_force(s.fem, FR_FEM_CONTACT, corner, fr_vec3(3.0 * mass, 0, mass));
    CHECK_OK(s.ctx, fr_fem_mark_places(s.fem));
    CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3_zero));
    FrVec3 before, after, turn, impulse = fr_fem_impulse(s.fem);
    fr_fem_momentum(s.fem, &before, &turn);
    FrFemEnergy e;
    fr_fem_energy(s.fem, fr_vec3_zero, &e);
    double sum = ledger(s.fem);
    CHECK(fr_length(before) > 0.0);
    CHECK(fr_fem_note_still(s.fem, dt, 1e-9) == 0.0); // too fast for that
    CHECK(fr_fem_note_still(s.fem, 0.25, 1.0) == 0.25);
    CHECK(fr_fem_note_still(s.fem, 0.25, 1.0) == 0.5 && fr_fem_still(s.fem, 3) == 0.5);
    CHECK_OK(s.ctx, fr_fem_begin_springs(s.fem));
    fr_fem_make_restless(s.fem, 3);
    fr_fem_fall_asleep(s.fem, 0.5); // it touches what moves
    fr_fem_momentum(s.fem, &after, &turn);
    CHECK(fr_distance(after, before) == 0.0);
    CHECK_OK(s.ctx, fr_fem_begin_springs(s.fem));
    fr_fem_fall_asleep(s.fem, 0.5);
    fr_fem_momentum(s.fem, &after, &turn);
    CHECK(fr_length(after) == 0.0);
    // rounding: what falls asleep is booked as it is
    CHECK_NEAR(ledger(s.fem), sum, 1e-12 * e.kinetic);
    impulse = fr_sub(fr_fem_impulse(s.fem), impulse);
    CHECK_NEAR(fr_distance(impulse, fr_neg(before)), 0.0, 1e-12 * fr_length(before));
    size_t size = 3 * (size_t)s.fem->state.node_count * sizeof(double);
    double *p = malloc(size);
    memcpy(p, s.fem->state.p, size);
    for (int k = 0; k < 20; k++) {
        fr_fem_add_force(s.fem, FR_FEM_CONTACT, corner, fr_vec3(3.0, 0, 1.0));
        CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3(0, 0, -9.81)));
    }
    CHECK(memcmp(p, s.fem->state.p, size) == 0);
    fr_fem_wake(s.fem, 5);
    CHECK(fr_fem_still(s.fem, 5) == 0.0);
    CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3(0, 0, -9.81)));
    fr_fem_momentum(s.fem, &after, &turn);
    CHECK_NEAR(after.z, -9.81 * mass * dt, 1e-12 * mass * dt); // rounding
    free(p);
    free(tet);
    scene_free(&s);
}

// a push on one node of a rigid piece: the work in the ledger is what the piece has
TEST(a_push_on_a_rigid_piece_is_in_the_ledger) {
    Scene s = scene_make();
    int32_t count, *tet = cut_small(&s, &count);
    CHECK_OK(s.ctx, fr_fem_make_rigid(s.fem, tet, count, FR_CAUSE_SMALL));
    FrShapeView view;
    double sum = ledger(s.fem);
    FrVec3 p0, p1, l;
    fr_fem_momentum(s.fem, &p0, &l);
    fr_fem_view(s.fem, &view);
    FrFemEnergy e0, e1;
    fr_fem_energy(s.fem, fr_vec3_zero, &e0);
    double dt = 0.3 * fr_fem_dt_limit(s.fem);
    for (int k = 0; k < 50; k++) {
        fr_fem_add_force(s.fem, FR_FEM_CONTACT, view.tet[tet[0]][1], fr_vec3(20, 5, -9));
        CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3_zero));
    }
    fr_fem_momentum(s.fem, &p1, &l);
    fr_fem_energy(s.fem, fr_vec3_zero, &e1);
    // rounding: 50 steps
    CHECK_NEAR(fr_distance(fr_sub(p1, p0), fr_scale(50 * dt, fr_vec3(20, 5, -9))), 0.0, 1e-12);
    CHECK(fabs(e1.contact_work - e0.contact_work) > 1e-6);
    // step: force times the way of a whole step, while the piece turns; and the bending rest
    CHECK_NEAR(ledger(s.fem), sum, 1e-3 * fabs(e1.contact_work - e0.contact_work) + 1e-6 * sum);
    free(tet);
    scene_free(&s);
}

// A piece in supports that never move stands still whatever pushes it: its energy is in the ledger,
// its momentum and that of the pushes went into the supports. Where supports may move, nothing
// happens.
TEST(held_pieces_stand_still) {
    Scene s = scene_make();
    int32_t count, *tet = cut_small(&s, &count);
    FrShapeView view;
    fr_fem_view(s.fem, &view);
    int32_t node = view.tet[tet[0]][1];
    fr_fem_stand(s.fem, tet, count); // nobody holds it
    fr_fem_set_supports_fixed(s.fem, true);
    fr_fem_stand(s.fem, tet, count);
    CHECK(!fr_fem_is_rigid(s.fem, tet[0]));
    fr_fem_hold(s.fem, view.tet[tet[0]][0]);
    fr_fem_set_supports_fixed(s.fem, false);
    fr_fem_stand(s.fem, tet, count);
    CHECK(!fr_fem_is_rigid(s.fem, tet[0]));
    fr_fem_set_supports_fixed(s.fem, true);
    double dt = 0.3 * fr_fem_dt_limit(s.fem);
    CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3_zero)); // the hand stops its node
    FrVec3 p0, p1, p2, l, j0 = fr_fem_impulse(s.fem), j1, at = fr_get3(view.p, node);
    double sum = ledger(s.fem);
    fr_fem_momentum(s.fem, &p0, &l);
    fr_fem_stand(s.fem, tet, count);
    fr_fem_momentum(s.fem, &p1, &l);
    j1 = fr_fem_impulse(s.fem);
    CHECK_INT(fr_fem_step_cost(s.fem).rigid_pieces, 1);
    // rounding: sums over nodes; then 50 steps
    CHECK_CLOSE(ledger(s.fem), sum, 1e-12);
    CHECK(fr_distance(p0, p1) > 1e-6);
    CHECK_NEAR(fr_distance(fr_sub(p1, p0), fr_sub(j1, j0)), 0.0, 1e-12);
    for (int k = 0; k < 50; k++) {
        fr_fem_add_force(s.fem, FR_FEM_CONTACT, node, fr_vec3(20, 5, -9));
        CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3(0, 0, -9)));
    }
    fr_fem_momentum(s.fem, &p2, &l);
    CHECK(fr_distance(fr_get3(view.p, node), at) == 0.0);
    FrVec3 pushed = fr_scale(50 * dt, fr_vec3(20, 5, -9)), supports = fr_fem_impulse(s.fem);
    CHECK_NEAR(fr_distance(fr_sub(p2, p1), fr_add(pushed, fr_sub(supports, j1))), 0.0, 1e-11);
    free(tet);
    scene_free(&s);
}

// elastic forces on all nodes; caller frees
static double *forces_now(Scene *s) {
    const double *elastic, *viscous;
    FrShapeView view;
    fr_fem_view(s->fem, &view);
    size_t size = 3 * (size_t)view.node_count * sizeof(double);
    fr_fem_internal_forces(s->fem, &elastic, &viscous);
    double *copy = malloc(size);
    memcpy(copy, elastic, size);
    return copy;
}

// A piece that was rigid, or stood, has the forces and the energy that it had before, to the bit;
// momenta and the ledger stay. Other rigid pieces stay what they are, under new numbers; of held
// ones those nodes are free that no hand holds.
TEST(rigid_pieces_bend_again) {
    Scene s = scene_make();
    int32_t count, *tet = cut_small(&s, &count), rest = 0;
    FrShapeView view;
    double dt = 0.3 * fr_fem_dt_limit(s.fem);
    for (int k = 0; k < 20; k++) CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3_zero));
    fr_fem_view(s.fem, &view);
    int32_t *other = malloc(sizeof *other * (size_t)view.tet_count);
    for (int32_t e = 0; e < view.tet_count; e++) {
        bool mine = false;
        for (int32_t k = 0; k < count; k++) mine = mine || tet[k] == e;
        if (!mine) other[rest++] = e;
    }
    double sum = ledger(s.fem);
    CHECK_OK(s.ctx, fr_fem_make_rigid(s.fem, tet, count, FR_CAUSE_SMALL));
    CHECK_OK(s.ctx, fr_fem_make_rigid(s.fem, other, rest, FR_CAUSE_SMALL));
    FrVec3 p0, p1, l0, l1;
    fr_fem_momentum(s.fem, &p0, &l0);
    fr_fem_make_deformable(s.fem, tet, count, fr_vec3_zero, FR_CAUSE_STRUCK);
    fr_fem_view(s.fem, &view);
    CHECK_INT(fr_fem_step_cost(s.fem).rigid_pieces, 1);
    CHECK_INT(view.rigid[tet[0]], 0);
    CHECK_INT(view.rigid[other[0]], 2);
    CHECK(!fr_fem_is_rigid(s.fem, tet[0]) && fr_fem_is_rigid(s.fem, other[0]));
    // rounding: sums over nodes; then 20 steps
    CHECK_CLOSE(ledger(s.fem), sum, 1e-12);
    for (int k = 0; k < 20; k++) CHECK_OK(s.ctx, fr_fem_step(s.fem, dt, fr_vec3_zero));
    fr_fem_momentum(s.fem, &p1, &l1);
    CHECK_NEAR(fr_distance(p0, p1), 0.0, 1e-12 * fr_fem_mass(s.fem));
    CHECK_NEAR(fr_distance(l0, l1), 0.0, 1e-11 * fr_length(l0));
    CHECK_CLOSE(ledger(s.fem), sum, 1e-6); // step: energy of the bending rest goes with its square
    double *before = forces_now(&s), limit = fr_fem_dt_limit(s.fem);
    fr_fem_set_supports_fixed(s.fem, true);
    int32_t hand = view.tet[tet[0]][0], node = view.tet[tet[0]][1];
    fr_fem_hold(s.fem, hand);
    fr_fem_stand(s.fem, tet, count);
    CHECK(fr_fem_held(s.fem, node) && fr_fem_is_rigid(s.fem, tet[0]));
    fr_fem_make_deformable(s.fem, tet, count, fr_vec3_zero, FR_CAUSE_STRUCK);
    CHECK(fr_fem_held(s.fem, hand) && !fr_fem_held(s.fem, node));
    double *after = forces_now(&s);
    CHECK(!memcmp(before, after, 3 * (size_t)view.node_count * sizeof *before));
    CHECK(fr_fem_dt_limit(s.fem) == limit);
    free(after);
    free(before);
    free(other);
    free(tet);
    scene_free(&s);
}

// momentum per mass, m/s, after steps from there
static FrVec3 speed_after(FrContext *ctx, FrFem *fem, int steps, double dt, FrVec3 gravity) {
    FrVec3 p, l;
    for (int k = 0; k < steps; k++) CHECK_OK(ctx, fr_fem_step(fem, dt, gravity));
    fr_fem_momentum(fem, &p, &l);
    return fr_scale(1.0 / fr_fem_mass(fem), p);
}

// v = g t while it is rigid, v exp(-alpha2 t) once it bends again
TEST(mass_damping_does_not_slow_rigid_pieces) {
    Scene s = scene_make();
    FrMaterial material = s.material;
    material.alpha2 = 5.0;
    FrFem *fem = test_body(s.ctx, &s.mesh, &material);
    int32_t count = s.mesh.tet_count, *tet = malloc(sizeof *tet * (size_t)count);
    for (int32_t e = 0; e < count; e++) tet[e] = e;
    double dt = 0.3 * fr_fem_dt_limit(fem), time = 400 * dt;
    CHECK_OK(s.ctx, fr_fem_make_rigid(fem, tet, count, FR_CAUSE_SMALL));
    FrVec3 v = speed_after(s.ctx, fem, 400, dt, fr_vec3(0, 0, -9.81));
    CHECK_CLOSE(v.z, -9.81 * (time - 0.5 * dt), 1e-12); // rounding: 400 steps
    fr_fem_make_deformable(fem, tet, count, fr_vec3_zero, FR_CAUSE_STRUCK);
    FrVec3 slower = speed_after(s.ctx, fem, 400, dt, fr_vec3_zero);
    CHECK_CLOSE(slower.z / v.z, exp(-5.0 * time), 5.0 * dt); // step: one of 400 in the rate
    CHECK(slower.z / v.z < 1.0 - 1e-4); // exact: only that it slows down at all
    fr_fem_destroy(fem);
    free(tet);
    scene_free(&s);
}

// A body of which a part hangs on no hand does not rest: the part would stop in mid-air.
TEST(what_no_hand_holds_does_not_rest) {
    Scene s = scene_make();
    int32_t count, *tet = cut_small(&s, &count);
    FrShapeView view;
    fr_fem_view(s.fem, &view);
    fr_fem_set_supports_fixed(s.fem, true);
    fr_fem_hold(s.fem, view.tet[tet[0]][0]);
    CHECK(!fr_fem_stay(s.fem, fr_vec3_zero) && !fr_fem_rests(s.fem));
    // one node of every tet in a hand: all of it is held
    for (int32_t e = 0; e < view.tet_count; e++) fr_fem_hold(s.fem, view.tet[e][0]);
    CHECK(fr_fem_stay(s.fem, fr_vec3_zero) && fr_fem_rests(s.fem));
    free(tet);
    scene_free(&s);
}
