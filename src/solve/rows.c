// rows.c: what impulses along a row do, and Gauss-Seidel over all rows [S1 s. 3.4, M17, K5].

#include "solve/rows.h"

// the inner loop of all rigid motion: calls would cost a seventh of it
#define FR_ROW_INLINE static inline __attribute__((always_inline))

// u per impulse along each axis, of one side: (I^-1 (r x axis)) x r + axis / m, then modes
static void add_side(const FrRowBody *body, const FrRow *row, FrVec3 r, const double *mode,
                     double K[3][3]) {
    FrVec3 arm[3], turn[3];
    bool axes = row->kind == FR_ROW_AXIS;
    for (int i = 0; i < 3; i++) {
        arm[i] = axes ? row->axis[i] : fr_cross(r, row->axis[i]);
        turn[i] = fr_sym3_apply(body->inv_inertia, arm[i]);
        if (!axes) K[i][i] += body->inv_mass;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) K[i][j] += fr_dot(arm[i], turn[j]);
    for (int32_t m = 0; mode && m < body->mode_count; m++) {
        FrVec3 g = fr_vec3(mode[m], mode[body->mode_count + m], mode[2 * body->mode_count + m]);
        double along[3] = {fr_dot(row->axis[0], g), fr_dot(row->axis[1], g),
                           fr_dot(row->axis[2], g)};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++) K[i][j] += along[i] * along[j];
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

void fr_rows_prepare(const FrRowBody *body, FrRow *row, int32_t count) {
    for (int32_t k = 0; k < count; k++, row++) {
        double K[3][3] = {{0}};
        add_side(&body[row->a], row, row->ra, row->mode_a, K);
        add_side(&body[row->b], row, row->rb, row->mode_b, K);
        row->K = (FrSym3){K[0][0], K[1][1], K[2][2], K[2][1], K[2][0], K[1][0]};
        if (row->kind == FR_ROW_BALL)
            row->inv = full_inverse(row->K);
        else
            row->inv = corner_inverse((const double(*)[3])K, row->kind == FR_ROW_AXIS ? 0 : 1);
        // one division here instead of one in every sweep
        if (row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING)
            row->inv.xx = row->K.xx > 0.0 ? 1.0 / row->K.xx : 0.0;
    }
}

static FrVec3 modal(const FrRowBody *body, const double *mode) {
    FrVec3 u = fr_vec3_zero;
    int32_t n = body->mode_count;
    for (int32_t m = 0; m < n; m++)
        u = fr_axpy(body->mode[m], fr_vec3(mode[m], mode[n + m], mode[2 * n + m]), u);
    return u;
}

// velocity of a's point against b's, world axes; axis rows: of the spins
static inline FrVec3 relative(const FrRowBody *a, const FrRowBody *b, const FrRow *row) {
    if (row->kind == FR_ROW_AXIS) return fr_sub(a->w, b->w);
    FrVec3 u = fr_sub(fr_add(a->v, fr_cross(a->w, row->ra)), fr_add(b->v, fr_cross(b->w, row->rb)));
    if (row->mode_a) u = fr_add(u, modal(a, row->mode_a));
    if (row->mode_b) u = fr_sub(u, modal(b, row->mode_b));
    return u;
}

FrVec3 fr_row_velocity(const FrRowBody *body, const FrRow *row) {
    FrVec3 u = relative(&body[row->a], &body[row->b], row);
    return fr_vec3(fr_dot(row->axis[0], u), fr_dot(row->axis[1], u), fr_dot(row->axis[2], u));
}

static void add_modal(FrRowBody *body, const double *mode, FrVec3 J) {
    int32_t n = body->mode_count;
    for (int32_t m = 0; m < n; m++)
        body->mode[m] += mode[m] * J.x + mode[n + m] * J.y + mode[2 * n + m] * J.z;
}

static inline void apply(FrRowBody *a, FrRowBody *b, const FrRow *row, FrVec3 J) {
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

static inline FrVec3 along_axes(const FrRow *row, double x, double y, double z) {
    return fr_axpy(z, row->axis[2], fr_axpy(y, row->axis[1], fr_scale(x, row->axis[0])));
}

void fr_row_apply(FrRowBody *body, const FrRow *row, FrVec3 lambda) {
    apply(&body[row->a], &body[row->b], row, along_axes(row, lambda.x, lambda.y, lambda.z));
}

// Coulomb: stick if the cone allows it; else slide with the force on the cone's rim, against the
// slip. At the answer of the projected step lambda_t = -mu lambda_n u_t / |u_t| exactly.
FR_ROW_INLINE void rub(const FrRow *row, double u1, double u2, double *l1, double *l2) {
    double most = row->friction * row->lambda[0];
    double x = *l1 - (row->inv.yy * u1 + row->inv.yz * u2);
    double y = *l2 - (row->inv.yz * u1 + row->inv.zz * u2);
    if (x * x + y * y > most * most) {
        double step = 1.0 / fr_max(row->K.yy + fabs(row->K.yz), row->K.zz + fabs(row->K.yz));
        x = *l1 - step * u1;
        y = *l2 - step * u2;
        double len = sqrt(x * x + y * y);
        if (len > most) x *= most / len, y *= most / len;
    }
    *l1 = x, *l2 = y;
}

// impulses and changes of one push and its friction at relative velocity u (world axes)
FR_ROW_INLINE double answer(FrRow *row, FrVec3 u, FrVec3 *J) {
    double old0 = row->lambda[0], old1 = row->lambda[1], old2 = row->lambda[2];
    double want = old0 - (fr_dot(row->axis[0], u) - row->target[0]) * row->inv.xx;
    row->lambda[0] = want > 0.0 ? want : 0.0;
    double d0 = row->lambda[0] - old0, d1 = 0.0, d2 = 0.0;
    if (row->friction > 0.0) {
        double u1 = fr_dot(row->axis[1], u) - row->target[1] + row->K.xy * d0;
        double u2 = fr_dot(row->axis[2], u) - row->target[2] + row->K.zx * d0;
        rub(row, u1, u2, &row->lambda[1], &row->lambda[2]);
        d1 = row->lambda[1] - old1;
        d2 = row->lambda[2] - old2;
    }
    *J = along_axes(row, d0, d1, d2);
    return fr_max(fabs(d0) * row->K.xx, fr_max(fabs(d1) * row->K.yy, fabs(d2) * row->K.zz));
}

// returns the change of velocity it asked for
static inline double solve_contact(FrRowBody *body, FrRow *row) {
    FrRowBody *a = &body[row->a], *b = &body[row->b];
    FrVec3 J;
    if (row->mode_a || row->mode_b) {
        double change = answer(row, relative(a, b, row), &J);
        apply(a, b, row, J);
        return change;
    }
    // rigid on both sides, most of all rows: the same without the questions
    FrVec3 va = fr_add(a->v, fr_cross(a->w, row->ra)), vb = fr_add(b->v, fr_cross(b->w, row->rb));
    double change = answer(row, fr_sub(va, vb), &J);
    if (change == 0.0) return 0.0;
    a->v = fr_axpy(a->inv_mass, J, a->v);
    a->w = fr_add(a->w, fr_sym3_apply(a->inv_inertia, fr_cross(row->ra, J)));
    if (!(b->inv_mass > 0.0)) return change;
    b->v = fr_axpy(-b->inv_mass, J, b->v);
    b->w = fr_sub(b->w, fr_sym3_apply(b->inv_inertia, fr_cross(row->rb, J)));
    return change;
}

static inline double solve_joint(FrRowBody *body, FrRow *row) {
    FrVec3 u = fr_row_velocity(body, row);
    FrVec3 off = fr_sub(u, fr_vec3(row->target[0], row->target[1], row->target[2]));
    if (row->kind == FR_ROW_AXIS) off.z = 0.0;
    FrVec3 d = fr_neg(fr_sym3_apply(row->inv, off));
    row->lambda[0] += d.x, row->lambda[1] += d.y, row->lambda[2] += d.z;
    fr_row_apply(body, row, d);
    return fr_max(fabs(off.x), fr_max(fabs(off.y), fabs(off.z)));
}

static double solve_row(FrRowBody *body, FrRow *row) {
    if (!(row->K.xx > 0.0)) return 0.0; // neither side can move
    bool one_sided = row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING;
    return one_sided ? solve_contact(body, row) : solve_joint(body, row);
}

typedef double RowFn(FrRowBody *body, FrRow *row);

// there and back in turn: what is pushed at one end is felt at the other in one sweep
static inline FrRowsReport sweep_all(FrRowBody *body, FrRow *row, int32_t count,
                                     int32_t most_sweeps, double tolerance, RowFn *solve) {
    FrRowsReport report = {.end = FR_ROWS_SWEEPS};
    while (report.sweeps < most_sweeps) {
        bool back = report.sweeps & 1;
        report.change = 0.0;
        for (int32_t k = 0; k < count; k++)
            report.change = fr_max(report.change, solve(body, &row[back ? count - 1 - k : k]));
        report.sweeps++;
        if (report.change <= tolerance) {
            report.end = FR_ROWS_CONVERGED;
            break;
        }
    }
    return report;
}

FrRowsReport fr_rows_solve(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                           double tolerance) {
    for (int32_t k = 0; k < count; k++) {
        const double *l = row[k].lambda;
        if (l[0] != 0.0 || l[1] != 0.0 || l[2] != 0.0)
            fr_row_apply(body, &row[k], fr_vec3(l[0], l[1], l[2]));
    }
    return sweep_all(body, row, count, most_sweeps, tolerance, solve_row);
}

// moves instead of velocities; modes do not take part
static FrVec3 relative_move(const FrRowBody *body, const FrRow *row) {
    const FrRowBody *a = &body[row->a], *b = &body[row->b];
    FrVec3 u = row->kind == FR_ROW_AXIS ? fr_sub(a->turn, b->turn)
                                        : fr_sub(fr_add(a->move, fr_cross(a->turn, row->ra)),
                                                 fr_add(b->move, fr_cross(b->turn, row->rb)));
    return fr_vec3(fr_dot(row->axis[0], u), fr_dot(row->axis[1], u), fr_dot(row->axis[2], u));
}

static void apply_move(FrRowBody *body, const FrRow *row, FrVec3 d) {
    FrRowBody *a = &body[row->a], *b = &body[row->b];
    FrVec3 J = along_axes(row, d.x, d.y, d.z);
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
    if (row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING) {
        double old = row->push[0], want = old - off.x * row->inv.xx;
        row->push[0] = want > 0.0 ? want : 0.0;
        double d = row->push[0] - old;
        if (d != 0.0) apply_move(body, row, fr_vec3(d, 0, 0));
        return fabs(d) * row->K.xx;
    }
    if (row->kind == FR_ROW_AXIS) off.z = 0.0;
    apply_move(body, row, fr_neg(fr_sym3_apply(row->inv, off)));
    return fr_max(fabs(off.x), fr_max(fabs(off.y), fabs(off.z)));
}

FrRowsReport fr_rows_correct(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                             double tolerance) {
    for (int32_t k = 0; k < count; k++) row[k].push[0] = row[k].push[1] = row[k].push[2] = 0.0;
    return sweep_all(body, row, count, most_sweeps, tolerance, correct_row);
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

double fr_rows_residual(const FrRowBody *body, const FrRow *row, int32_t count) {
    double worst = 0.0;
    for (int32_t k = 0; k < count; k++, row++) {
        FrVec3 u = fr_row_velocity(body, row);
        double off = u.x - row->target[0];
        if (!(row->K.xx > 0.0)) continue;
        if (row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING) {
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
