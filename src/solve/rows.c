// rows.c: what impulses along a row do, and Gauss-Seidel over all rows [S1 s. 3.4, M17, K5].

#include "solve/rows.h"
#include "solve/rows_lanes.h"

static bool one_sided(const FrRow *row) {
    return row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING;
}

static inline void set_columns(double column[3][FR_LANES], double scale, FrVec3 x, FrVec3 y,
                               FrVec3 z) {
    const FrVec3 from[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        FrLane lane = {from[i].x, from[i].y, from[i].z, 0.0};
        fr_lane_store(column[i], fr_lane_set(scale) * lane);
    }
}

static void set_rows(double column[3][FR_LANES], FrVec3 x, FrVec3 y, FrVec3 z) {
    set_columns(column, 1.0, fr_vec3(x.x, y.x, z.x), fr_vec3(x.y, y.y, z.y),
                fr_vec3(x.z, y.z, z.z));
}

// u per impulse along each axis, of one side: (I^-1 (r x axis)) x r + axis / m, then modes
static inline void add_side(const FrRowBody *body, FrRow *row, bool of_b, double K[3][3]) {
    FrRowColumns *c = &row->column;
    FrVec3 arm[3], turn[3], r = of_b ? row->rb : row->ra;
    bool axes = row->kind == FR_ROW_AXIS;
    for (int i = 0; i < 3; i++) {
        arm[i] = axes ? row->axis[i] : fr_cross(r, row->axis[i]);
        turn[i] = fr_sym3_apply(body->inv_inertia, arm[i]);
        if (!axes) K[i][i] += body->inv_mass;
    }
    set_rows(of_b ? c->of_wb : c->of_wa, arm[0], arm[1], arm[2]);
    set_columns(of_b ? c->turn_b : c->turn_a, of_b ? -1.0 : 1.0, turn[0], turn[1], turn[2]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) K[i][j] += fr_dot(arm[i], turn[j]);
}

// the same of modes
static void add_modes(const FrRowBody *body, const FrRow *row, const double *mode, double K[3][3]) {
    for (int32_t m = 0; mode && m < body->mode_count; m++) {
        FrVec3 g = fr_vec3(mode[m], mode[body->mode_count + m], mode[2 * body->mode_count + m]);
        double along[3] = {fr_dot(row->axis[0], g), fr_dot(row->axis[1], g),
                           fr_dot(row->axis[2], g)};
        double weight = body->mode_weight ? body->mode_weight[m] * body->mode_weight[m] : 1.0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++) K[i][j] += weight * (along[i] * along[j]);
    }
}

// inverse of the rows and columns first, first + 1
static FrSym3 corner_inverse(const double K[3][3], int first) {
    double a = K[first][first], b = K[first + 1][first], c = K[first + 1][first + 1];
    double det = a * c - b * b;
    if (!(det > 0.0)) return fr_sym3_zero;
    FrSym3 inv = fr_sym3_zero;
    if (first == 0)
        inv.xx = c / det, inv.yy = a / det, inv.xy = -b / det;
    else
        inv.yy = c / det, inv.zz = a / det, inv.yz = -b / det;
    return inv;
}

static FrSym3 full_inverse(FrSym3 K) {
    FrMat3 m = fr_sym3_full(K);
    return fr_mat3_det(m) > 0.0 ? fr_mat3_sym(fr_mat3_inverse(m)) : fr_sym3_zero;
}

// A contact pushes first, then rubs against what is left:
//     d0 = w0 / K00,   (d1, d2) = K_t^-1 (w_t - K_t0 d0),   w: wanted less u
static void set_answer(FrRow *row) {
    FrSym3 inv = row->inv, K = row->K;
    FrRowColumns *c = &row->column;
    if (!one_sided(row)) {
        double third = row->kind == FR_ROW_BALL ? 1.0 : 0.0;
        FrMat3 full = fr_sym3_full(inv);
        set_columns(c->answer, 1.0, full.c0, full.c1, full.c2);
        fr_lane_store(c->change, (FrLane){1.0, 1.0, third, 0.0});
        return;
    }
    if (!(row->friction > 0.0)) inv.yy = inv.yz = inv.zz = 0.0;
    FrVec3 first = fr_scale(
        inv.xx, fr_vec3(1.0, -(inv.yy * K.xy + inv.yz * K.zx), -(inv.yz * K.xy + inv.zz * K.zx)));
    set_columns(c->answer, 1.0, first, fr_vec3(0.0, inv.yy, inv.yz), fr_vec3(0.0, inv.yz, inv.zz));
    fr_lane_store(c->change, (FrLane){K.xx, K.yy, K.zz, 0.0});
}

static FrSym3 inverse_of(const FrRow *row, FrSym3 k) {
    double K[3][3] = {{k.xx, 0, 0}, {k.xy, k.yy, 0}, {k.zx, k.yz, k.zz}};
    if (row->kind == FR_ROW_BALL) return full_inverse(k);
    FrSym3 inv = corner_inverse((const double(*)[3])K, row->kind == FR_ROW_AXIS ? 0 : 1);
    // one division here instead of one in every sweep
    if (one_sided(row)) inv.xx = k.xx > 0.0 ? 1.0 / k.xx : 0.0;
    return inv;
}

static FrSym3 lower(const double K[3][3]) {
    return (FrSym3){K[0][0], K[1][1], K[2][2], K[2][1], K[2][0], K[1][0]};
}

void fr_rows_prepare(const FrRowBody *body, FrRow *row, int32_t count) {
    for (int32_t k = 0; k < count; k++, row++) {
        double K[3][3] = {{0}};
        FrRowColumns *c = &row->column;
        add_side(&body[row->a], row, false, K);
        add_side(&body[row->b], row, true, K);
        double shifts = row->kind == FR_ROW_AXIS ? 0.0 : 1.0;
        FrVec3 x = fr_scale(shifts, row->axis[0]), y = fr_scale(shifts, row->axis[1]),
               z = fr_scale(shifts, row->axis[2]);
        set_columns(c->push_a, body[row->a].inv_mass, x, y, z);
        set_columns(c->push_b, -body[row->b].inv_mass, x, y, z);
        set_rows(c->of_v, x, y, z);
        row->K = lower((const double(*)[3])K);
        row->inv = row->inv_rigid = inverse_of(row, row->K);
        if (row->mode_a || row->mode_b) {
            add_modes(&body[row->a], row, row->mode_a, K);
            add_modes(&body[row->b], row, row->mode_b, K);
            row->K = lower((const double(*)[3])K);
            row->inv = inverse_of(row, row->K);
        }
        set_answer(row);
    }
}

FrVec3 fr_row_mode_velocity(const FrRowBody *body, const double *mode) {
    FrVec3 u = fr_vec3_zero;
    int32_t n = body->mode_count;
    for (int32_t m = 0; m < n; m++) {
        double v = body->mode_weight ? body->mode_weight[m] * body->mode[m] : body->mode[m];
        u = fr_axpy(v, fr_vec3(mode[m], mode[n + m], mode[2 * n + m]), u);
    }
    return u;
}

FrVec3 fr_row_modes(const FrRowBody *body, const FrRow *row) {
    FrVec3 u = fr_vec3_zero;
    if (row->mode_a) u = fr_row_mode_velocity(&body[row->a], row->mode_a);
    if (row->mode_b) u = fr_sub(u, fr_row_mode_velocity(&body[row->b], row->mode_b));
    return u;
}

static inline FrVec3 seen_along(const FrRow *row, FrVec3 u) {
    return fr_vec3(fr_dot(row->axis[0], u), fr_dot(row->axis[1], u), fr_dot(row->axis[2], u));
}

// axis rows: of the spins
FrVec3 fr_row_velocity(const FrRowBody *body, const FrRow *row) {
    const FrRowBody *a = &body[row->a], *b = &body[row->b];
    if (row->kind == FR_ROW_AXIS) return seen_along(row, fr_sub(a->w, b->w));
    FrVec3 u = fr_sub(fr_add(a->v, fr_cross(a->w, row->ra)), fr_add(b->v, fr_cross(b->w, row->rb)));
    if (row->mode_a || row->mode_b) u = fr_add(u, fr_row_modes(body, row));
    return seen_along(row, u);
}

static void add_modal(FrRowBody *body, const double *mode, FrVec3 J) {
    int32_t n = body->mode_count;
    for (int32_t m = 0; m < n; m++)
        body->mode[m] += (body->mode_weight ? body->mode_weight[m] : 1.0) *
                         (mode[m] * J.x + mode[n + m] * J.y + mode[2 * n + m] * J.z);
}

static inline FrVec3 along_axes(const FrRow *row, FrVec3 l) {
    return fr_axpy(l.z, row->axis[2], fr_axpy(l.y, row->axis[1], fr_scale(l.x, row->axis[0])));
}

void fr_row_apply(FrRowBody *body, const FrRow *row, FrVec3 lambda) {
    FrRowBody *a = &body[row->a], *b = &body[row->b];
    FrVec3 J = along_axes(row, lambda);
    if (row->kind == FR_ROW_AXIS) {
        a->w = fr_add(a->w, fr_sym3_apply(a->inv_inertia, J));
        b->w = fr_sub(b->w, fr_sym3_apply(b->inv_inertia, J));
        return;
    }
    a->v = fr_axpy(a->inv_mass, J, a->v);
    a->w = fr_add(a->w, fr_sym3_apply(a->inv_inertia, fr_cross(row->ra, J)));
    b->v = fr_axpy(-b->inv_mass, J, b->v);
    b->w = fr_sub(b->w, fr_sym3_apply(b->inv_inertia, fr_cross(row->rb, J)));
    if (row->mode_a) add_modal(a, row->mode_a, J);
    if (row->mode_b) add_modal(b, row->mode_b, fr_neg(J));
}

static FrRowsReport sweep_rows(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                               double tolerance, bool applied) {
    FrRowsSolveFn *solve = fr_cpu_has_avx2() ? fr_rows_solve_avx2 : fr_rows_solve_portable;
    FrRowsReport report = solve(body, row, count, most_sweeps, tolerance, applied);
    for (int32_t k = 0; k < count; k++) {
        const double *l = row[k].lambda;
        row[k].impulse = along_axes(&row[k], fr_vec3(l[0], l[1], l[2]));
    }
    return report;
}

FrRowsReport fr_rows_solve(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                           double tolerance) {
    return sweep_rows(body, row, count, most_sweeps, tolerance, false);
}

FrRowsReport fr_rows_go_on(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                           double tolerance) {
    return sweep_rows(body, row, count, most_sweeps, tolerance, true);
}

// moves instead of velocities; modes do not take part
static FrVec3 relative_move(const FrRowBody *body, const FrRow *row) {
    const FrRowBody *a = &body[row->a], *b = &body[row->b];
    FrVec3 u = row->kind == FR_ROW_AXIS ? fr_sub(a->turn, b->turn)
                                        : fr_sub(fr_add(a->move, fr_cross(a->turn, row->ra)),
                                                 fr_add(b->move, fr_cross(b->turn, row->rb)));
    return seen_along(row, u);
}

static void apply_move(FrRowBody *body, const FrRow *row, FrVec3 d) {
    FrRowBody *a = &body[row->a], *b = &body[row->b];
    FrVec3 J = along_axes(row, d);
    bool axes = row->kind == FR_ROW_AXIS;
    if (!axes) {
        a->move = fr_axpy(a->inv_mass, J, a->move);
        b->move = fr_axpy(-b->inv_mass, J, b->move);
    }
    FrVec3 ta = axes ? J : fr_cross(row->ra, J), tb = axes ? J : fr_cross(row->rb, J);
    a->turn = fr_add(a->turn, fr_sym3_apply(a->inv_inertia, ta));
    b->turn = fr_sub(b->turn, fr_sym3_apply(b->inv_inertia, tb));
}

static double correct_row(FrRowBody *body, FrRow *row) {
    if (!(row->K.xx > 0.0)) return 0.0;
    FrVec3 off =
        fr_sub(relative_move(body, row), fr_vec3(row->error[0], row->error[1], row->error[2]));
    if (one_sided(row)) {
        double old = row->push, want = old - off.x * row->inv_rigid.xx;
        row->push = want > 0.0 ? want : 0.0;
        double d = row->push - old;
        if (d != 0.0) apply_move(body, row, fr_vec3(d, 0, 0));
        return fabs(d) * row->K.xx;
    }
    if (row->kind == FR_ROW_AXIS) off.z = 0.0;
    apply_move(body, row, fr_neg(fr_sym3_apply(row->inv_rigid, off)));
    return fr_max(fabs(off.x), fr_max(fabs(off.y), fabs(off.z)));
}

FrRowsReport fr_rows_correct(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                             double tolerance) {
    FrRowsReport report = {.end = FR_ROWS_SWEEPS};
    for (int32_t k = 0; k < count; k++) row[k].push = 0.0;
    while (report.sweeps < most_sweeps && report.end == FR_ROWS_SWEEPS) {
        bool back = report.sweeps & 1;
        report.change = 0.0;
        for (int32_t k = 0; k < count; k++)
            report.change =
                fr_max(report.change, correct_row(body, &row[back ? count - 1 - k : k]));
        report.sweeps++;
        if (report.change <= tolerance) report.end = FR_ROWS_CONVERGED;
    }
    return report;
}
