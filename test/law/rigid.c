// rigid.c: free rigid motion: momentum kept, energy bounded, the tennis-racket axis flips, mobility
// is symmetric.

#include "test.h"
#include "rigid/rigid.h"

// v += dt f/m, x += dt v; L += dt torque, then it turns; clears force and torque
static void step_alone(FrRigid *body, double dt, FrVec3 gravity) {
    body->v = fr_axpy(dt, fr_axpy(1.0 / body->mass, body->force, gravity), body->v);
    body->x = fr_axpy(dt, body->v, body->x);
    body->L = fr_axpy(dt, body->torque, body->L);
    fr_rigid_turn(body, dt);
    body->force = body->torque = fr_vec3_zero;
}

static FrRigid brick(FrVec3 spin) {
    FrRigid body;
    FrSym3 inertia = {1.0, 2.0, 3.0, 0, 0, 0};
    fr_rigid_init(&body, 2.0, inertia, fr_vec3_zero, fr_quat_identity, fr_vec3_zero);
    fr_rigid_set_spin(&body, spin);
    return body;
}

TEST(free_flight_keeps_momentum_and_energy) {
    FrRigid body = brick(fr_vec3(1, 5, 0.3));
    body.v = fr_vec3(1, 2, 3);
    FrVec3 L = body.L;
    double energy = fr_rigid_kinetic(&body);
    for (int k = 0; k < 100000; k++) step_alone(&body, 1e-4, fr_vec3_zero);
    CHECK(body.L.x == L.x && body.L.y == L.y && body.L.z == L.z);  // never touched: exact
    CHECK_NEAR(fr_distance(body.x, fr_vec3(10, 20, 30)), 0, 1e-9); // rounding: 1e5 steps
    // step: wavers by about (w dt)^2 = 2.5e-7
    CHECK_CLOSE(fr_rigid_kinetic(&body), energy, 1e-6);
}

// At 1/960 s and 2,000 turns a minute (w dt = 0.2) the energy of a tumbling brick wavers by a
// part of (w dt)^2 and does not drift: least squares over 20 s gives a slope far below 1e-4 a
// second (M22).
TEST(free_spin_does_not_drift) {
    FrRigid body = brick(fr_vec3(60, 180, 90));
    double energy = fr_rigid_kinetic(&body), dt = 1.0 / 960, T = 20.0, slope = 0, most = 0;
    for (int k = 0; k < 960 * 20; k++) {
        fr_rigid_turn(&body, dt);
        double off = fr_rigid_kinetic(&body) / energy - 1.0;
        slope += off * ((k + 1) * dt - 0.5 * T) * dt;
        most = fr_max(most, fabs(off));
    }
    CHECK(fabs(slope * 12.0 / (T * T * T)) < 1e-7); // step: (w dt)^4 at most
    CHECK(most < 0.04);                             // (w dt)^2
}

// the same for a body whose principal axes are not its own
TEST(skewed_inertia_turns_the_same) {
    FrRigid straight = brick(fr_vec3(1, 5, 0.3)), skewed;
    FrQuat by = fr_quat_normalize((FrQuat){0.9, 0.3, -0.2, 0.4});
    FrMat3 R = fr_quat_mat3(by);
    FrMat3 I = fr_mat3_mul(fr_mat3_transpose(R), fr_mat3_mul(straight.inertia, R));
    fr_rigid_init(&skewed, 2.0, fr_mat3_sym(I), fr_vec3_zero, by, fr_vec3_zero);
    fr_rigid_set_spin(&skewed, fr_vec3(1, 5, 0.3));
    for (int k = 0; k < 1000; k++) {
        fr_rigid_turn(&straight, 1e-3);
        fr_rigid_turn(&skewed, 1e-3);
    }
    // skewed.q = straight.q by; rounding of 1000 steps
    FrQuat wanted = fr_quat_mul(straight.q, by);
    double same = fabs(wanted.w * skewed.q.w + wanted.x * skewed.q.x + wanted.y * skewed.q.y +
                       wanted.z * skewed.q.z);
    CHECK_NEAR(same, 1.0, 1e-12); // rounding: 1000 steps
}

TEST(free_fall_is_exact) {
    FrRigid body = brick(fr_vec3_zero);
    double dt = 1e-3, g = 9.81;
    int n = 1000;
    for (int k = 0; k < n; k++) step_alone(&body, dt, fr_vec3(0, 0, -g));
    // symplectic Euler: x = -g dt^2 n (n + 1) / 2
    CHECK_CLOSE(body.x.z, -g * dt * dt * n * (n + 1) / 2.0, 1e-12); // rounding: 1000 steps
}

// spin about the middle axis is unstable, about the others stable (Euler)
TEST(middle_axis_flips) {
    for (int axis = 0; axis < 3; axis++) {
        FrVec3 spin = fr_vec3(axis == 0 ? 5 : 1e-3, axis == 1 ? 5 : 1e-3, axis == 2 ? 5 : 1e-3);
        FrRigid body = brick(spin);
        double least = 1;
        for (int k = 0; k < 20000; k++) {
            step_alone(&body, 1e-3, fr_vec3_zero);
            FrVec3 w = fr_mat3_apply_t(fr_quat_mat3(body.q), fr_rigid_spin(&body));
            least = fr_min(least, fr_vec3_get(w, axis) / 5.0);
        }
        CHECK(axis == 1 ? least < -0.9 : least > 0.99);
    }
}

// symmetric top: precesses at L / I1 about L
TEST(symmetric_top_precesses) {
    FrRigid body;
    FrSym3 inertia = {2, 2, 1, 0, 0, 0};
    fr_rigid_init(&body, 1, inertia, fr_vec3_zero, fr_quat_identity, fr_vec3_zero);
    fr_rigid_set_spin(&body, fr_vec3(1, 0, 10));
    FrVec3 along = fr_normalize(body.L);
    double rate = fr_length(body.L) / 2.0, turn = 2 * FR_PI / rate;
    int n = 20000;
    FrVec3 before = fr_quat_rotate(body.q, fr_vec3(0, 0, 1));
    for (int k = 0; k < n; k++) step_alone(&body, turn / n, fr_vec3_zero);
    FrVec3 after = fr_quat_rotate(body.q, fr_vec3(0, 0, 1));
    // step: its square; one whole turn later the axis is back
    CHECK_NEAR(fr_distance(before, after), 0, 1e-6);
    CHECK_NEAR(fr_dot(before, along), fr_dot(after, along), 1e-9); // step: its square
}

TEST(mobility_is_what_an_impulse_does) {
    FrRigid body = brick(fr_vec3_zero);
    body.q = fr_quat_normalize((FrQuat){0.3, 0.5, -0.2, 0.7});
    FrVec3 at = fr_vec3(0.3, -0.2, 0.9), by = fr_vec3(-0.5, 0.1, 0.2), j = fr_vec3(1, -2, 0.5);
    FrVec3 told = fr_mat3_apply(fr_rigid_mobility(&body, at, by), j);
    FrMat3 back = fr_mat3_transpose(fr_rigid_mobility(&body, by, at));
    // rounding: a dozen products
    CHECK_NEAR(fr_mat3_norm(fr_mat3_axpy(-1, back, fr_rigid_mobility(&body, at, by))), 0, 1e-15);
    fr_rigid_impulse(&body, by, j);
    CHECK_NEAR(fr_distance(fr_rigid_velocity(&body, at), told), 0, 1e-15);
}
