// frames_pull.c: points of frames that go where they are told: places, velocities or accelerations,
// by forces at the same or at other points [S1 eqs. 13 to 16, E32, M16].
//
// All of an island are one system. With the impulses J at the points phi, held as constant forces
// for the T that are left of the substep, the points psi do
//     u = u_free + A J,   A = K(psi, phi) + R W_psi S W_phi' R',   J = A^+ (u* - u)
// K: the rigid part [S1 eq. 21]; S: what a mode's force does to what is asked for. Places at the
// end of the substep: S = gz / T^2, with the targets less what they would do by themselves
// [S1 eq. 15] [S1 eq. 16] (E32: as printed they miss). Velocities then: S = gv / T [S1 eq. 14].
// Accelerations now, over T: S = 1 [S1 eq. 13]. A^+ gives the smallest forces and, where there are
// fewer modes than targets, the least miss. Contacts and joints are swept in turn with it.

#include "frames/frames.h"
#include "frames/frames_tuning.h"
#include "solve/pinv.h"
#include "solve/solve_tuning.h"
#include <string.h>

static int32_t points_of(const FrFramePull *pull) { return pull->by_count ? pull->by_count : 1; }

static bool is_here(const FrFrames *f, const FrFrameScratch *s, const FrFramePull *pull) {
    return s->local_of.data[pull->frame] && !f->frame.data[pull->frame].kinematic;
}

// room for all numbers of a substep; false: no memory, or nothing is pulled
static bool make_room(FrFrames *f, FrFrameScratch *s) {
    int32_t rows = 0, columns = 0, modes = 0;
    s->pull.count = 0;
    for (int32_t k = 0; k < f->pull.count; k++) {
        const FrFramePull *pull = &f->pull.data[k];
        if (!is_here(f, s, pull)) continue;
        int32_t points = points_of(pull);
        const FrBend *bend = s->local.data[s->local_of.data[pull->frame]].bend;
        if (!fr_array_push(f->ctx, &s->pull, k)) s->failed = true;
        rows += 3, columns += 3 * points;
        if (bend) modes += 3 * (points + 1) * bend->count;
    }
    s->pull_columns = columns;
    if (!s->pull.count || s->failed) return false;
    size_t room = (size_t)rows * (size_t)columns + (size_t)(rows + columns) * 2 +
                  fr_pinv_room(rows, columns) + (size_t)modes + 3 * (size_t)(rows + columns);
    s->pull_number.count = 0;
    if (room > INT32_MAX || !fr_array_extend(f->ctx, &s->pull_number, (int32_t)room))
        s->failed = true;
    return !s->failed;
}

/// Where the numbers of a substep lie in scratch.
typedef struct Pulls {
    int32_t rows, columns;
    double *A, *b, *x, *J, *arm, *mode, *scratch; ///< arm: 3 for each psi, then each phi
    bool even; ///< all are places, by forces at the same points: A is symmetric
} Pulls;

static Pulls pulls_of(const FrFrames *f, FrFrameScratch *s) {
    Pulls p = {.rows = 3 * s->pull.count, .columns = s->pull_columns, .even = true};
    p.A = s->pull_number.data;
    p.b = p.A + p.rows * p.columns;
    p.x = p.b + p.rows;
    p.J = p.x + p.columns;
    p.arm = p.J + p.columns;
    p.scratch = p.arm + p.rows + p.columns;
    p.mode = p.scratch + fr_pinv_room(p.rows, p.columns);
    for (int32_t k = 0; k < s->pull.count; k++) {
        const FrFramePull *pull = &f->pull.data[s->pull.data[k]];
        p.even = p.even && pull->kind == FR_PULL_PLACE && !pull->by_count;
    }
    return p;
}

static double left_of(const FrFrames *f, const FrLocal *local) {
    return fr_max(f->h - local->elapsed, FR_LEFT_LEAST * f->h);
}

static void put3(double *to, FrVec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
static FrVec3 take3(const double *from) { return fr_vec3(from[0], from[1], from[2]); }

// [ra]x I^-1 [rb]x and 1/m: velocity at ra per impulse at rb, one column of it
static FrVec3 rigid_answer(const FrRowBody *body, FrVec3 ra, FrVec3 rb, FrVec3 axis) {
    FrVec3 w = fr_sym3_apply(body->inv_inertia, fr_cross(rb, axis));
    return fr_axpy(body->inv_mass, axis, fr_cross(w, ra));
}

// what the force of a mode does in the open step to what is asked for: S above
static double share_of(const FrBend *bend, FrPullKind kind, int32_t m) {
    const FrBendStep *step = bend->open;
    if (kind == FR_PULL_PLACE) return step->reach[m] * step->reach[m];
    return kind == FR_PULL_VELOCITY ? step->gv[m] / step->T : 1.0;
}

// R W_psi S W_phi' R' of two points of one body, rows of `count` numbers
static FrVec3 modal_answer(const FrBend *bend, FrPullKind kind, const double *psi,
                           const double *phi, FrVec3 axis) {
    FrVec3 u = fr_vec3_zero;
    int32_t n = bend->count;
    for (int32_t m = 0; m < n; m++) {
        double by = phi[m] * axis.x + phi[n + m] * axis.y + phi[2 * n + m] * axis.z;
        FrVec3 to = fr_vec3(psi[m], psi[n + m], psi[2 * n + m]);
        u = fr_axpy(by * share_of(bend, kind, m), to, u);
    }
    return u;
}

typedef struct Point {
    const FrFramePull *pull;
    int32_t local;
    double *mode; ///< rows of psi, then of each phi
    int32_t arm;  ///< of its first phi
} Point;

// arms and modes of the k-th pull
static void place_point(FrFrames *f, FrFrameScratch *s, const Pulls *p, int32_t k, Point *point) {
    const FrFramePull *pull = point->pull;
    const FrLocal *local = &s->local.data[point->local];
    put3(p->arm + 3 * k, fr_frames_arm(local, pull->at, &pull->grip));
    if (local->bend) fr_bend_rows(local->bend, &pull->grip, local->R, point->mode);
    for (int32_t i = 0; i < points_of(pull); i++) {
        const FrGrip *grip = pull->by_count ? &pull->by_grip[i] : &pull->grip;
        FrVec3 at = pull->by_count ? pull->by[i] : pull->at;
        put3(p->arm + p->rows + point->arm + 3 * i, fr_frames_arm(local, at, grip));
        if (local->bend)
            fr_bend_rows(local->bend, grip, local->R,
                         point->mode + 3 * (i + 1) * local->bend->count);
    }
    (void)f;
}

static Point first_point(const FrFrames *f, const FrFrameScratch *s, const Pulls *p) {
    const FrFramePull *pull = &f->pull.data[s->pull.data[0]];
    return (Point){pull, s->local_of.data[pull->frame], p->mode, 0};
}

static void next_point(const FrFrames *f, const FrFrameScratch *s, int32_t k, Point *point) {
    const FrBend *bend = s->local.data[point->local].bend;
    int32_t points = points_of(point->pull);
    if (bend) point->mode += 3 * (points + 1) * bend->count;
    point->arm += 3 * points;
    if (k + 1 >= s->pull.count) return;
    point->pull = &f->pull.data[s->pull.data[k + 1]];
    point->local = s->local_of.data[point->pull->frame];
}

// rows of A of one psi, against all phi of the same body
static void fill_rows(FrFrames *f, FrFrameScratch *s, const Pulls *p, int32_t k, const Point *psi) {
    static const FrVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const FrRowBody *body = &s->body.data[psi->local];
    const FrBend *bend = s->local.data[psi->local].bend;
    FrVec3 ra = take3(p->arm + 3 * k);
    Point phi = first_point(f, s, p);
    for (int32_t j = 0; j < s->pull.count; next_point(f, s, j, &phi), j++) {
        for (int32_t i = 0; phi.local == psi->local && i < 3 * points_of(phi.pull); i++) {
            FrVec3 rb = take3(p->arm + p->rows + phi.arm + i / 3 * 3);
            FrVec3 u = rigid_answer(body, ra, rb, axis[i % 3]);
            if (bend)
                u = fr_add(u, modal_answer(bend, psi->pull->kind, psi->mode,
                                           phi.mode + 3 * (i / 3 + 1) * bend->count, axis[i % 3]));
            for (int c = 0; c < 3; c++)
                p->A[(3 * k + c) * p->columns + phi.arm + i] = fr_vec3_get(u, c);
        }
    }
}

bool fr_frames_pull_begin(FrFrames *f, FrFrameScratch *s) {
    s->pull_before = 0.0;
    if (!f->pull.count || !make_room(f, s)) return false;
    Pulls p = pulls_of(f, s);
    memset(p.A, 0, (size_t)p.rows * (size_t)p.columns * sizeof *p.A);
    memset(p.J, 0, (size_t)p.columns * sizeof *p.J);
    Point point = first_point(f, s, &p);
    for (int32_t k = 0; k < s->pull.count; next_point(f, s, k, &point), k++)
        place_point(f, s, &p, k, &point);
    point = first_point(f, s, &p);
    for (int32_t k = 0; k < s->pull.count; next_point(f, s, k, &point), k++)
        fill_rows(f, s, &p, k, &point);
    return true;
}

// what the modes add to what is asked for, with the impulses they have so far
static FrVec3 modal_so_far(const FrBend *b, FrPullKind kind, const double *psi) {
    FrVec3 u = fr_vec3_zero;
    const FrBendStep *step = b->open;
    for (int32_t m = 0; m < b->count; m++) {
        double g = fr_bend_force(b, m), j = (b->y[m] - b->y_free[m]) / step->reach[m], by;
        if (kind == FR_PULL_PLACE)
            by = step->reach[m] * b->y[m];
        else if (kind == FR_PULL_VELOCITY)
            by = step->vz[m] * b->z[m] + step->vv[m] * b->v[m] + step->gv[m] * (g + j / step->T);
        else
            by = step->T * (g - b->lambda[m] * b->z[m] - b->damping[m] * b->v[m]) + j;
        u = fr_axpy(by, fr_vec3(psi[m], psi[b->count + m], psi[2 * b->count + m]), u);
    }
    return u;
}

static FrVec3 modal_speed(const FrBend *b, const double *psi) {
    FrVec3 u = fr_vec3_zero;
    for (int32_t m = 0; m < b->count; m++)
        u = fr_axpy(b->v[m], fr_vec3(psi[m], psi[b->count + m], psi[2 * b->count + m]), u);
    return u;
}

// w x (w x r) + 2 w x (R W zdot), over T: what a turning frame adds            [S1 eq. 20]
static FrVec3 turning(const FrLocal *local, double T, FrVec3 arm, const double *psi) {
    FrVec3 w = local->w_before, a = fr_cross(w, fr_cross(w, arm));
    if (local->bend) a = fr_axpy(2.0, fr_cross(w, modal_speed(local->bend, psi)), a);
    return fr_scale(T, a);
}

// where the target of a pull is at the end of the substep, or what it is
static FrVec3 goal_of(const FrFrames *f, const FrFramePull *pull, double t) {
    if (pull->kind != FR_PULL_PLACE || !(pull->span > 0.0)) return pull->to;
    return fr_lerp(pull->from, pull->to, fr_clamp((t + f->h - pull->t) / pull->span, 0.0, 1.0));
}

// How a point gets to where it is at the end of the substep, turned as the frame will be, m/s
static FrVec3 way(const FrFrames *f, const FrLocal *local, const FrRowBody *body, FrVec3 arm,
                  FrVec3 by_modes) {
    FrLocal at = *local;
    FrRowBody moving = *body;
    FrRigid r = *f->frame.data[local->frame].part.rigid;
    double T = left_of(f, local);
    fr_frames_turn(&at, &moving, &r, T, false);
    FrVec3 bent = fr_axpy(T, by_modes, arm);
    FrVec3 turned = fr_quat_rotate(r.q, fr_mat3_apply_t(local->R, bent));
    return fr_axpy(1.0 / T, fr_sub(turned, arm), body->v);
}

// A point that is not where it should be (targets that no bend can reach, say) comes there no
// faster than so many of the body's sizes a second, besides what its path asks for.
static FrVec3 catch_up(const FrFrames *f, const FrFramePull *pull, FrVec3 v) {
    FrVec3 path = fr_scale(1.0 / pull->span, fr_sub(pull->to, pull->from)), more = fr_sub(v, path);
    double most = FR_PULL_CATCH * f->frame.data[pull->frame].size, speed = fr_length(more);
    return speed > most ? fr_axpy(most / speed, more, path) : v;
}

// what a point still lacks, m/s
static FrVec3 wanted(const FrFrames *f, const FrFrameScratch *s, const Point *point, FrVec3 arm,
                     double t) {
    const FrLocal *local = &s->local.data[point->local];
    const FrRowBody *body = &s->body.data[point->local];
    FrPullKind kind = point->pull->kind;
    double T = left_of(f, local);
    FrVec3 by_modes = local->bend ? modal_so_far(local->bend, kind, point->mode) : fr_vec3_zero;
    FrVec3 u = fr_add(fr_add(body->v, fr_cross(body->w, arm)), by_modes);
    FrVec3 goal = goal_of(f, point->pull, t);
    if (kind == FR_PULL_PLACE) {
        goal = catch_up(f, point->pull, fr_scale(1.0 / T, fr_sub(goal, fr_add(local->x, arm))));
        u = way(f, local, body, arm, by_modes);
    }
    if (kind == FR_PULL_ACCELERATION) {
        goal = fr_sub(fr_scale(T, goal), turning(local, T, arm, point->mode));
        u = fr_sub(u, fr_add(local->v_before, fr_cross(local->w_before, arm)));
    }
    return fr_sub(goal, u);
}

static void give(FrFrames *f, FrFrameScratch *s, const Pulls *p, int32_t k, const Point *point) {
    FrRowBody *body = &s->body.data[point->local];
    FrBend *bend = s->local.data[point->local].bend;
    for (int32_t i = 0; i < points_of(point->pull); i++) {
        FrVec3 J = take3(p->x + point->arm + 3 * i);
        FrVec3 arm = take3(p->arm + p->rows + point->arm + 3 * i);
        body->v = fr_axpy(body->inv_mass, J, body->v);
        body->w = fr_add(body->w, fr_sym3_apply(body->inv_inertia, fr_cross(arm, J)));
        if (!bend) continue;
        const double *phi = point->mode + 3 * (i + 1) * bend->count;
        for (int32_t m = 0; m < bend->count; m++)
            bend->y[m] += bend->open->reach[m] * (phi[m] * J.x + phi[bend->count + m] * J.y +
                                                  phi[2 * bend->count + m] * J.z);
    }
    (void)f, (void)k;
}

double fr_frames_pull(FrFrames *f, FrFrameScratch *s, double t) {
    Pulls p = pulls_of(f, s);
    double most = 0.0;
    Point point = first_point(f, s, &p);
    for (int32_t k = 0; k < s->pull.count; next_point(f, s, k, &point), k++) {
        FrVec3 want = wanted(f, s, &point, take3(p.arm + 3 * k), t);
        put3(p.b + 3 * k, want);
        most = fr_max(most, fr_length(want));
    }
    FrPinvReport report = p.even
                              ? fr_pinv_solve_psd(p.A, p.rows, FR_PINV_AGAIN, p.b, p.x, p.scratch)
                              : fr_pinv_solve(p.A, p.rows, p.columns, p.b, p.x, p.scratch);
    point = first_point(f, s, &p);
    for (int32_t k = 0; k < s->pull.count; next_point(f, s, k, &point), k++)
        give(f, s, &p, k, &point);
    for (int32_t i = 0; i < p.columns; i++) p.J[i] += p.x[i];
    for (int32_t k = 0; k < s->pull.count; k++) {
        FrFramePull *pull = &f->pull.data[s->pull.data[k]];
        pull->rank = report.rank;
        pull->rows = p.rows;
        pull->left = report.left;
    }
    // what no force can do is no reason to go on: it is as far off as the time before
    bool stays = s->pull_before > 0.0 && most > FR_PULL_STAYS * s->pull_before;
    s->pull_before = most;
    return stays ? 0.0 : most;
}

// Twice the mean velocity of a point while a force held on it, by which it works
static FrVec3 twice_mean(const FrFrameScratch *s, int32_t k, FrVec3 arm, const double *phi) {
    const FrLocal *local = &s->local.data[k];
    const FrRowBody *body = &s->body.data[k];
    FrVec3 v = fr_add(local->v_before, body->v), w = fr_add(local->w_before, body->w);
    FrVec3 u = fr_add(v, fr_cross(w, arm));
    return local->bend ? fr_add(u, fr_frames_bend_mean(s, k, phi)) : u;
}

// whoever pulls works from outside
void fr_frames_pull_book(FrFrames *f, FrFrameScratch *s) {
    Pulls p = pulls_of(f, s);
    Point point = first_point(f, s, &p);
    for (int32_t k = 0; k < s->pull.count; next_point(f, s, k, &point), k++) {
        FrFramePull *pull = &f->pull.data[s->pull.data[k]];
        const FrFrameParts *part = &f->frame.data[pull->frame].part;
        const FrBend *bend = s->local.data[point.local].bend;
        pull->force = fr_vec3_zero;
        for (int32_t i = 0; i < points_of(pull); i++) {
            FrVec3 J = take3(p.J + point.arm + 3 * i);
            const double *phi = bend ? point.mode + 3 * (i + 1) * bend->count : NULL;
            FrVec3 u = twice_mean(s, point.local, take3(p.arm + p.rows + point.arm + 3 * i), phi);
            *part->outer_work += 0.5 * fr_dot(J, u);
            *part->outer_impulse = fr_add(*part->outer_impulse, J);
            pull->force = fr_axpy(1.0 / f->h, J, pull->force);
        }
    }
}
