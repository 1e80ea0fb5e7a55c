// rigid_rows.c: the system of rows itself: symmetric, positive semidefinite, complementary,
// Coulomb's cone, modes as part of a body's mobility.

#include "test.h"
#include "base/random.h"
#include "math/decompose.h"
#include "solve/rows_lanes.h"

static bool one_sided(const FrRow *row) {
    return row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING;
}

// what is left of Coulomb's law: l - P(l - step u), as a velocity
static double rub_residual(const FrRow *row, double u1, double u2) {
    double step = 1.0 / fr_max(row->K.yy + fabs(row->K.yz), row->K.zz + fabs(row->K.yz));
    double most = row->friction * row->lambda[0];
    double x = row->lambda[1] - step * u1, y = row->lambda[2] - step * u2;
    double len = sqrt(x * x + y * y);
    if (len > most) x *= most / len, y *= most / len;
    double dx = row->lambda[1] - x, dy = row->lambda[2] - y;
    return sqrt(dx * dx + dy * dy) / step;
}

// Largest violation of 0 <= lambda  perp  u - target >= 0, of Coulomb's law and of the joints, as
// a velocity, m/s: what is left of x - P(x - K_ii^-1 u) (natural map).
static double residual(const FrRowBody *body, const FrRow *row, int32_t count) {
    double worst = 0.0;
    for (int32_t k = 0; k < count; k++, row++) {
        FrVec3 u = fr_row_velocity(body, row);
        double off = u.x - row->target[0];
        if (!(row->K.xx > 0.0)) continue;
        if (one_sided(row)) {
            worst = fr_max(worst, fabs(fr_min(off, row->lambda[0] * row->K.xx)));
            if (row->friction > 0.0)
                worst =
                    fr_max(worst, rub_residual(row, u.y - row->target[1], u.z - row->target[2]));
            continue;
        }
        worst = fr_max(worst, fr_max(fabs(off), fabs(u.y - row->target[1])));
        if (row->kind == FR_ROW_BALL) worst = fr_max(worst, fabs(u.z - row->target[2]));
    }
    return worst;
}

static double draw(FrRandom *r, double size) { return fr_random_range(r, -size, size); }
static FrVec3 draw_vec(FrRandom *r, double size) {
    double x = draw(r, size), y = draw(r, size);
    return fr_vec3(x, y, draw(r, size));
}

static FrRowBody draw_body(FrRandom *r) {
    double a = fr_random_range(r, 1, 5), b = fr_random_range(r, 1, 5);
    FrRowBody body = {.v = draw_vec(r, 1.0), .w = draw_vec(r, 2.0)};
    body.inv_mass = fr_random_range(r, 0.2, 2);
    body.inv_inertia = (FrSym3){a, b, 3.0, 0.1, 0.2, -0.3};
    return body;
}

static FrRow draw_row(FrRandom *r, FrRowKind kind, int32_t a, int32_t b) {
    FrVec3 n = fr_normalize(draw_vec(r, 1.0)), t = fr_any_normal(n);
    FrRow row = {.kind = kind, .a = a, .b = b, .axis = {n, t, fr_cross(n, t)}, .friction = 0.5};
    row.ra = draw_vec(r, 0.5);
    row.rb = draw_vec(r, 0.5);
    return row;
}

#define BODIES 6
#define ROWS 9

typedef struct System {
    FrRowBody body[BODIES];
    FrRow row[ROWS];
    double mode[4], basis[2][12];
} System;

// body 0 cannot move; body 5 has four modes, felt by rows 7 and 8
static void make_system(System *s, uint64_t seed) {
    FrRandom r = fr_random_for(seed, "rows", 0);
    for (int k = 0; k < BODIES; k++) s->body[k] = draw_body(&r);
    s->body[0] = (FrRowBody){.inv_mass = 0.0};
    static const FrRowKind kind[ROWS] = {FR_ROW_CONTACT, FR_ROW_CONTACT, FR_ROW_BALL,
                                         FR_ROW_CONTACT, FR_ROW_STRING,  FR_ROW_AXIS,
                                         FR_ROW_CONTACT, FR_ROW_CONTACT, FR_ROW_BALL};
    static const int8_t joins[ROWS][2] = {{1, 0}, {1, 2}, {2, 3}, {3, 0}, {4, 1},
                                          {2, 3}, {4, 3}, {5, 0}, {5, 4}};
    for (int k = 0; k < ROWS; k++) s->row[k] = draw_row(&r, kind[k], joins[k][0], joins[k][1]);
    for (int k = 0; k < 4; k++) s->mode[k] = draw(&r, 1.0);
    for (int k = 0; k < 24; k++) s->basis[k / 12][k % 12] = draw(&r, 0.7);
    s->body[5].mode_count = 4;
    s->body[5].mode = s->mode;
    s->row[7].mode_a = s->basis[0];
    s->row[8].mode_a = s->basis[1];
    fr_rows_prepare(s->body, s->row, ROWS);
}

static double part_of(FrVec3 u, int i) { return fr_vec3_get(u, i); }

// change of u_i of row a by a unit impulse along axis j of row b
static double entry(System *s, int a, int i, int b, int j) {
    double before = part_of(fr_row_velocity(s->body, &s->row[a]), i);
    FrVec3 unit = fr_vec3(j == 0, j == 1, j == 2);
    fr_row_apply(s->body, &s->row[b], unit);
    double after = part_of(fr_row_velocity(s->body, &s->row[a]), i);
    fr_row_apply(s->body, &s->row[b], fr_neg(unit));
    return after - before;
}

// A = J M^-1 J' is symmetric, its diagonal blocks are K, and x' A x >= 0              [S1 eq. 21]
TEST(system_is_symmetric_and_positive) {
    System s;
    FrRandom r = fr_random_for(2, "quadratic", 0);
    for (uint64_t seed = 0; seed < 5; seed++) {
        make_system(&s, seed);
        double A[3 * ROWS][3 * ROWS];
        for (int p = 0; p < 3 * ROWS; p++)
            for (int q = 0; q < 3 * ROWS; q++) A[p][q] = entry(&s, p / 3, p % 3, q / 3, q % 3);
        for (int p = 0; p < 3 * ROWS; p++)
            // rounding: sums of 10 of size 5
            for (int q = 0; q < p; q++) CHECK_NEAR(A[p][q], A[q][p], 1e-13);
        for (int k = 0; k < ROWS; k++) {
            // rounding: sums of 10 of size 5
            CHECK_NEAR(s.row[k].K.xx, A[3 * k][3 * k], 1e-13);
            CHECK_NEAR(s.row[k].K.yz, A[3 * k + 1][3 * k + 2], 1e-13);
            CHECK_NEAR(s.row[k].K.zz, A[3 * k + 2][3 * k + 2], 1e-13);
        }
        for (int round = 0; round < 50; round++) {
            double x[3 * ROWS], form = 0.0;
            for (int p = 0; p < 3 * ROWS; p++) x[p] = draw(&r, 1.0);
            for (int p = 0; p < 3 * ROWS; p++)
                for (int q = 0; q < 3 * ROWS; q++) form += x[p] * A[p][q] * x[q];
            CHECK(form > -1e-12);
        }
    }
}

// the answer is complementary, inside the cone, and slides against the friction         (K5)
TEST(solution_is_complementary) {
    System s;
    int pushing = 0, sliding = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        make_system(&s, seed);
        FrRowsReport report = fr_rows_solve(s.body, s.row, ROWS, 20000, 1e-13);
        CHECK_INT(report.end, FR_ROWS_CONVERGED);
        // solver: it ends at 1e-13 of a step
        CHECK(residual(s.body, s.row, ROWS) < 1e-11);
        for (int k = 0; k < ROWS; k++) {
            const FrRow *row = &s.row[k];
            FrVec3 u = fr_row_velocity(s.body, row);
            double l = row->lambda[0], rub = hypot(row->lambda[1], row->lambda[2]);
            if (row->kind == FR_ROW_BALL) CHECK_NEAR(fr_length(u), 0.0, 1e-11);
            if (row->kind != FR_ROW_CONTACT) continue;
            CHECK(l >= 0.0 && u.x > -1e-11 && l * u.x < 1e-10);
            CHECK(rub <= 0.5 * l + 1e-14); // rounding
            pushing += l > 0.0;
            double slip = hypot(u.y, u.z);
            if (!(l > 1e-3 && slip > 1e-3)) continue;
            sliding++; // on the rim of the cone, against the slip
            // rounding: the cone is met in closed form
            CHECK_NEAR(rub, 0.5 * l, 1e-12);
            CHECK_NEAR(row->lambda[1] * u.y + row->lambda[2] * u.z, -rub * slip, 1e-12);
        }
    }
    CHECK(pushing > 50 && sliding > 20);
}

// sweeps with and without AVX2 give the same bits
TEST(both_sweeps_agree) {
    System wide, plain;
    if (!fr_cpu_has_avx2()) return;
    for (uint64_t seed = 0; seed < 10; seed++) {
        make_system(&wide, seed);
        make_system(&plain, seed);
        FrRowsReport p = fr_rows_solve_avx2(wide.body, wide.row, ROWS, 40, 1e-13, false);
        FrRowsReport q = fr_rows_solve_portable(plain.body, plain.row, ROWS, 40, 1e-13, false);
        CHECK(p.sweeps == q.sweeps && p.change == q.change && p.end == q.end);
        for (int k = 0; k < ROWS; k++)
            CHECK(!memcmp(wide.row[k].lambda, plain.row[k].lambda, sizeof plain.row[k].lambda));
        for (int k = 0; k < BODIES; k++) {
            CHECK(!memcmp(&wide.body[k].v, &plain.body[k].v, sizeof(FrVec3)));
            CHECK(!memcmp(&wide.body[k].w, &plain.body[k].w, sizeof(FrVec3)));
        }
    }
}

// impulses come in pairs: momentum of the free bodies changes by what body 0 takes
TEST(rows_keep_momentum) {
    System s;
    make_system(&s, 7);
    FrVec3 before = fr_vec3_zero, after = fr_vec3_zero, taken = fr_vec3_zero;
    for (int k = 1; k < BODIES; k++)
        before = fr_axpy(1.0 / s.body[k].inv_mass, s.body[k].v, before);
    fr_rows_solve(s.body, s.row, ROWS, 2000, 1e-12);
    for (int k = 1; k < BODIES; k++) after = fr_axpy(1.0 / s.body[k].inv_mass, s.body[k].v, after);
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < 3; i++)
            if (s.row[k].b == 0) taken = fr_axpy(s.row[k].lambda[i], s.row[k].axis[i], taken);
    CHECK(fr_distance(fr_sub(after, before), taken) < 1e-12); // rounding
}

// warm start: from its own answer a solve is done after one sweep
TEST(warm_start_is_the_answer) {
    System cold, warm;
    make_system(&cold, 3);
    make_system(&warm, 3);
    fr_rows_solve(cold.body, cold.row, ROWS, 20000, 1e-13);
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < 3; i++) warm.row[k].lambda[i] = cold.row[k].lambda[i];
    FrRowsReport report = fr_rows_solve(warm.body, warm.row, ROWS, 10, 1e-10);
    CHECK_INT(report.sweeps, 1);
}

// two modal balls meet head on: momentum stays, and frame plus modes do not gain energy (M17)
TEST(modal_impact_keeps_energy) {
    double mode[2][3] = {{0, 0, 0}, {0, 0, 0}}, basis[9] = {0.8, 0.5, -0.4, 0, 0, 0, 0, 0, 0};
    FrRowBody body[2] = {{.v = {1, 0, 0}, .inv_mass = 1, .inv_inertia = {1, 1, 1, 0, 0, 0}},
                         {.v = {-1, 0, 0}, .inv_mass = 1, .inv_inertia = {1, 1, 1, 0, 0, 0}}};
    for (int k = 0; k < 2; k++) body[k].mode_count = 3, body[k].mode = mode[k];
    FrRow row = {.kind = FR_ROW_CONTACT, .a = 0, .b = 1, .mode_a = basis, .mode_b = basis};
    row.axis[0] = fr_vec3(-1, 0, 0), row.axis[1] = fr_vec3(0, 1, 0),
    row.axis[2] = fr_vec3(0, 0, -1);
    row.ra = fr_vec3(0.1, 0, 0), row.rb = fr_vec3(-0.1, 0, 0);
    fr_rows_prepare(body, &row, 1);
    // rounding: 1/m + w w', both sides
    CHECK_NEAR(row.K.xx, 2.0 * (1.0 + 0.64 + 0.25 + 0.16), 1e-15);
    fr_rows_solve(body, &row, 1, 10, 1e-15);
    double energy = 0.0;
    for (int k = 0; k < 2; k++) {
        energy += 0.5 * fr_length2(body[k].v);
        for (int m = 0; m < 3; m++) energy += 0.5 * mode[k][m] * mode[k][m];
    }
    // rounding: one row
    CHECK_NEAR(body[0].v.x + body[1].v.x, 0.0, 1e-15);
    CHECK_NEAR(fr_row_velocity(body, &row).x, 0.0, 1e-15); // the surfaces stop
    CHECK(body[0].v.x > 0.0 && energy < 1.0 && energy > 0.0);
}

// moves take back errors and leave velocities alone
TEST(corrections_are_no_velocities) {
    System s;
    make_system(&s, 5);
    FrVec3 v = s.body[1].v;
    for (int k = 0; k < ROWS; k++) s.row[k].error[0] = s.row[k].kind == FR_ROW_AXIS ? 0.0 : 1e-3;
    fr_rows_correct(s.body, s.row, ROWS, 20000, 1e-16);
    CHECK(fr_distance(v, s.body[1].v) == 0.0);
    const FrRow *row = &s.row[0];
    FrVec3 moved = fr_add(s.body[1].move, fr_cross(s.body[1].turn, row->ra));
    CHECK(fr_dot(moved, row->axis[0]) > 1e-3 - 1e-12);
}
