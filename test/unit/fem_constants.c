// fem_constants.c: what constants of a deformable solid are of, each by itself: twice or half of
// one would be noticed.

#include "fem_piece_kit.h"

// of a body in the middle of its motion
static Scene moving(void) {
    Scene s = scene_make();
    for (int k = 0; k < 5; k++) CHECK_OK(s.ctx, fr_fem_step(s.fem, 0.3 * s.first_dt, fr_vec3_zero));
    return s;
}

// What is pushed from both sides is wedged when a tenth of the pushes or more hold each other: of
// p and q against it |p - q| over p + q is left.
TEST(a_piece_is_wedged_where_pushes_hold_each_other) {
    const double against[2] = {0.025, 0.075}; // left over: 0.95, 0.85
    for (int k = 0; k < 2; k++) {
        Scene s = scene_make();
        FrShapeView view;
        fr_fem_view(s.fem, &view);
        int32_t *tet = malloc(sizeof *tet * (size_t)view.tet_count);
        for (int32_t e = 0; e < view.tet_count; e++) tet[e] = e;
        CHECK_OK(s.ctx, fr_fem_make_rigid(s.fem, tet, view.tet_count, FR_CAUSE_SMALL));
        CHECK_OK(s.ctx, fr_fem_begin_springs(s.fem));
        fr_fem_note_push(s.fem, 0, fr_vec3(0, 0, 1.0 - against[k]));
        fr_fem_note_push(s.fem, 0, fr_vec3(0, 0, -against[k]));
        CHECK(fr_fem_wedged(s.fem, 0) == (k == 1));
        free(tet);
        scene_free(&s);
    }
}

// An unstable step makes amplitudes, but no staggered energy: energy above 16 times of that is made
// from nothing.
TEST(energy_far_above_its_staggered_part_is_made_from_nothing) {
    Scene s = moving();
    FrFem *fem = s.fem;
    const double share[2] = {1.0 / 12.0, 1.0 / 24.0}; // staggered over all
    double made[2];
    for (int k = 0; k < 2; k++) {
        double scale = fem->scratch.sums.kinetic + fem->scratch.energy;
        fem->state.step_error = 0.0;
        fem->scratch.sums.elastic = (share[k] - 1.0) * scale / (0.5 * fem->state.last_dt);
        made[k] = fr_fem_watch(fem).error / scale;
    }
    CHECK(made[0] == 0.0);
    CHECK_CLOSE(made[1], 1.0 - 16.0 / 24.0, 1e-9); // rounding
    scene_free(&s);
}

// When the step changes, places are shifted by what that would make of energy: not where it is less
// than a millionth of what the body has.
TEST(a_shift_for_a_millionth_of_the_energy_is_left_out) {
    const double share[2] = {0.75e-6, 1.5e-6};
    for (int k = 0; k < 2; k++) {
        Scene s = moving();
        FrFem *fem = s.fem;
        double a = fem->state.last_dt, dt = 0.9 * a, part = (a * a - dt * dt) / (4.0 * a);
        double energy = fem->scratch.sums.kinetic + fem->scratch.energy;
        size_t size = 3 * (size_t)fem->state.node_count * sizeof(double);
        double *before = malloc(size);
        memcpy(before, fem->state.p, size);
        for (int32_t n = 0; n < 3 * fem->state.node_count; n++)
            fem->scratch.gain[n] = n % 3 == 0 ? fem->state.p[n] : 0.0;
        (void)fr_fem_shift(fem, dt, share[k] * energy / part);
        CHECK((memcmp(before, fem->state.p, size) != 0) == (k == 1));
        free(before);
        scene_free(&s);
    }
}

// after a cut: another step takes velocities and places along, the same one to nine digits does not
TEST(steps_that_differ_by_rounding_are_equal) {
    const double more[2] = {0.75e-9, 1.5e-9};
    for (int k = 0; k < 2; k++) {
        Scene s = moving();
        fr_fem_note_pulls(s.fem);
        double a = s.fem->state.last_dt;
        CHECK(fr_fem_was_cut(s.fem));
        fr_fem_retime(s.fem, a * (1.0 + more[k]));
        CHECK((s.fem->state.last_dt != a) == (k == 1));
        scene_free(&s);
    }
}
