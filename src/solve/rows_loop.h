// rows_loop.h: Gauss-Seidel over all rows, a row's three axes in the lanes of one register.
// Compiled twice, with and without AVX2: same bits.
//
// Each row waits for the one before it, so what counts is how long the way is from the velocities
// to the impulse and back: it goes through columns that fr_rows_prepare has multiplied out.
#pragma once
#include "solve/rows_lanes.h"

// three columns of a matrix times a vector
FR_LANE_INLINE FrLane times(const double column[3][FR_LANES], double x, double y, double z) {
    return fr_lane_load(column[0]) * fr_lane_set(x) + fr_lane_load(column[1]) * fr_lane_set(y) +
           fr_lane_load(column[2]) * fr_lane_set(z);
}

FR_LANE_INLINE FrLane size_of(FrLane x) { return fr_lane_pick(x < 0.0, -x, x); }

// What is wanted of u less what it is, along the axes. The sums are short ones side by side.
FR_LANE_INLINE FrLane missing(const FrRowBody *a, const FrRowBody *b, const FrRow *row) {
    const FrRowColumns *c = &row->column;
    FrLane shift = times(c->of_v, a->v.x, a->v.y, a->v.z) - times(c->of_v, b->v.x, b->v.y, b->v.z);
    FrLane turn = times(c->of_wa, a->w.x, a->w.y, a->w.z) - times(c->of_wb, b->w.x, b->w.y, b->w.z);
    return fr_lane_load(row->target) - (shift + turn);
}

// to += three columns of a matrix times x, y, z
FR_LANE_INLINE void add(FrVec3 *to, const double column[3][FR_LANES], FrLane x, FrLane y,
                        FrLane z) {
    FrLane first = fr_lane_load(&to->x) + fr_lane_load(column[0]) * x;
    fr_lane_store(&to->x, first + (fr_lane_load(column[1]) * y + fr_lane_load(column[2]) * z));
}

// impulses d along the axes: onto a, and back onto b
FR_LANE_INLINE void give(FrRowBody *a, FrRowBody *b, const FrRow *row, FrLane d) {
    const FrRowColumns *c = &row->column;
    FrLane x = fr_lane_set(d[0]), y = fr_lane_set(d[1]), z = fr_lane_set(d[2]);
    add(&a->v, c->push_a, x, y, z);
    add(&a->w, c->turn_a, x, y, z);
    add(&b->v, c->push_b, x, y, z);
    add(&b->w, c->turn_b, x, y, z);
}

// Coulomb: stick if the cone allows it; else slide with the force on the cone's rim, against the
// slip. At the answer of the projected step lambda_t = -mu lambda_n u_t / |u_t| exactly.
FR_LANE_INLINE FrLane within_cone(const FrRow *row, FrLane want) {
    double l0 = row->lambda[0] + want[0] * row->inv.xx;
    if (!(l0 > 0.0)) l0 = 0.0;
    double most = row->friction * l0, d0 = l0 - row->lambda[0], x = 0.0, y = 0.0;
    if (most > 0.0) {
        double w1 = want[1] - row->K.xy * d0, w2 = want[2] - row->K.zx * d0;
        x = row->lambda[1] + (row->inv.yy * w1 + row->inv.yz * w2);
        y = row->lambda[2] + (row->inv.yz * w1 + row->inv.zz * w2);
        if (x * x + y * y > most * most) {
            double step = 1.0 / fr_max(row->K.yy + fabs(row->K.yz), row->K.zz + fabs(row->K.yz));
            x = row->lambda[1] + step * w1;
            y = row->lambda[2] + step * w2;
            double len = sqrt(x * x + y * y);
            if (len > most) x *= most / len, y *= most / len;
        }
    }
    FrLane lambda = {l0, x, y, 0.0};
    return lambda;
}

FR_LANE_INLINE double sum_of(FrLane x) { return (x[0] + x[1]) + (x[2] + x[3]); }

FR_LANE_INLINE FrLane weigh(const FrRowBody *body, int32_t m, FrLane x) {
    return body->mode_weight ? fr_lane_load(body->mode_weight + m) * x : x;
}

// velocity of a place by the modes of its body
FR_LANE_INLINE FrVec3 by_modes(const FrRowBody *body, const double *mode) {
    FrLane x = fr_lane_set(0.0), y = x, z = x;
    int32_t n = body->mode_count, m = 0;
    for (; m + FR_LANES <= n; m += FR_LANES) {
        FrLane v = weigh(body, m, fr_lane_load(body->mode + m));
        x += v * fr_lane_load(mode + m);
        y += v * fr_lane_load(mode + n + m);
        z += v * fr_lane_load(mode + 2 * n + m);
    }
    FrVec3 u = {sum_of(x), sum_of(y), sum_of(z)};
    for (; m < n; m++) {
        double v = body->mode_weight ? body->mode_weight[m] * body->mode[m] : body->mode[m];
        u = fr_axpy(v, fr_vec3(mode[m], mode[n + m], mode[2 * n + m]), u);
    }
    return u;
}

// an impulse J at a place, onto the modes of its body
FR_LANE_INLINE void onto_modes(FrRowBody *body, const double *mode, FrVec3 J) {
    int32_t n = body->mode_count, m = 0;
    FrLane x = fr_lane_set(J.x), y = fr_lane_set(J.y), z = fr_lane_set(J.z);
    for (; m + FR_LANES <= n; m += FR_LANES) {
        FrLane d = x * fr_lane_load(mode + m) + y * fr_lane_load(mode + n + m) +
                   z * fr_lane_load(mode + 2 * n + m);
        fr_lane_store(body->mode + m, fr_lane_load(body->mode + m) + weigh(body, m, d));
    }
    for (; m < n; m++) {
        double d = mode[m] * J.x + mode[n + m] * J.y + mode[2 * n + m] * J.z;
        body->mode[m] += body->mode_weight ? body->mode_weight[m] * d : d;
    }
}

FR_LANE_INLINE FrLane modal_part(const FrRowBody *body, const FrRow *row) {
    FrVec3 u = fr_vec3_zero;
    if (row->mode_a) u = by_modes(&body[row->a], row->mode_a);
    if (row->mode_b) u = fr_sub(u, by_modes(&body[row->b], row->mode_b));
    FrLane along = {fr_dot(row->axis[0], u), fr_dot(row->axis[1], u), fr_dot(row->axis[2], u), 0.0};
    return along;
}

FR_LANE_INLINE void give_modes(FrRowBody *body, const FrRow *row, FrLane d) {
    FrVec3 J =
        fr_axpy(d[2], row->axis[2], fr_axpy(d[1], row->axis[1], fr_scale(d[0], row->axis[0])));
    if (row->mode_a) onto_modes(&body[row->a], row->mode_a, J);
    if (row->mode_b) onto_modes(&body[row->b], row->mode_b, fr_neg(J));
}

// returns the changes of velocity it asked for
FR_LANE_INLINE FrLane solve_row(FrRowBody *body, FrRow *row) {
    FrRowBody *a = &body[row->a], *b = &body[row->b];
    const FrRowColumns *c = &row->column;
    bool modes = row->mode_a || row->mode_b;
    FrLane want = missing(a, b, row), old = fr_lane_load(row->lambda);
    if (modes) want -= modal_part(body, row);
    FrLane d = times(c->answer, want[0], want[1], want[2]), lambda = old + d;
    FrLane change = want;
    if (row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING) {
        double most = row->friction * lambda[0];
        if (!(lambda[0] >= 0.0 && lambda[1] * lambda[1] + lambda[2] * lambda[2] <= most * most)) {
            lambda = within_cone(row, want);
            d = lambda - old;
        }
        change = d;
    }
    fr_lane_store(row->lambda, lambda);
    give(a, b, row, d);
    if (modes) give_modes(body, row, d);
    return size_of(change) * fr_lane_load(c->change);
}

static int32_t can_change(const FrRowBody *body) {
    return body->inv_mass > 0.0 || body->mode_count ? 0 : -1;
}

static void give_guess(FrRowBody *body, FrRow *row, int32_t count, bool applied) {
    for (int32_t k = 0; k < count; k++) {
        FrRowBody *a = &body[row[k].a], *b = &body[row[k].b];
        const double *l = row[k].lambda;
        a->changed = can_change(a), b->changed = can_change(b);
        if (applied || (l[0] == 0.0 && l[1] == 0.0 && l[2] == 0.0)) continue;
        give(a, b, &row[k], fr_lane_load(l));
        if (row[k].mode_a || row[k].mode_b) give_modes(body, &row[k], fr_lane_load(l));
    }
}

// Sweep number n, there or back. What nothing changed in the sweep before and in this one rests.
FR_LANE_INLINE double sweep(FrRowBody *body, FrRow *row, int32_t count, int32_t n, double quiet) {
    FrLane most = fr_lane_set(0.0);
    bool back = n % 2 == 0;
    for (int32_t k = 0; k < count; k++) {
        FrRow *at = &row[back ? count - 1 - k : k];
        FrRowBody *a = &body[at->a], *b = &body[at->b];
        if (a->changed < n - 1 && b->changed < n - 1) continue;
        FrLane change = solve_row(body, at);
        most = fr_lane_max(most, change);
        if (!fr_lane_bits(change > quiet)) continue;
        if (a->changed >= 0) a->changed = n;
        if (b->changed >= 0) b->changed = n;
    }
    return fr_max(most[0], fr_max(most[1], most[2]));
}

// there and back in turn: what is pushed at one end is felt at the other in one sweep
FrRowsReport FR_ROWS_SOLVE(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                           double tolerance, bool applied) {
    FrRowsReport report = {.end = FR_ROWS_SWEEPS};
    give_guess(body, row, count, applied);
    while (report.sweeps < most_sweeps && report.end == FR_ROWS_SWEEPS) {
        report.sweeps++;
        report.change = sweep(body, row, count, report.sweeps, 0.1 * tolerance);
        if (report.change <= tolerance) report.end = FR_ROWS_CONVERGED;
    }
    return report;
}
