// corot_step.c: one implicit step of corot bodies, with all that they meet in one system.
//
//     A v+ = M v + dt (f + f_ext) + contact,  A = M + dt C + dt^2 K'                [S5 eq. 16]
//     x+ = x + dt v+
//
// f = -(K' x + f0' - f_pl), the elastic force now: the sign of S5's text, not of its box (E13).
//
// Departs from the paper: a body that nothing holds first moves and turns as if it were rigid, with
// its momenta; what is solved for is how far it departs from that, w = v+ - v_rigid, d = dt w. So
// spin costs nothing and swells nothing (S5's step swells a turning body by (spin dt)^2 / 2, which
// is a blow to a stiff one). The search starts with a multiple of the w that there was: however few
// iterations it may take, energy does not grow by it.
//
// What the step does with energy follows from multiplying it by v+:
//     kinetic and elastic gain = work of loads, contact and gravity - viscous
//         - 1/2 (v+ - v)' M (v+ - v) - 1/2 d' K' d - turned + r.v+ + dt v_rigid.f + rolled
// turned: stored energy that goes as rotations follow the step; r: what the solver left of the
// equations; f: of elasticity, with the rotations of before; rolled: what kinetic energy gains as
// it turns with its angular momentum. All but work and viscous make up what the implicit step
// dissipates.

#include "base/tasks.h"
#include "fem/corot_body.h"
#include "fem/corot_tuning.h"
#include <string.h>

#define BLOCKS_A_CHUNK 64
#define ROWS_A_CHUNK 256
#define NODES_A_CHUNK 2048

/// Tets in parallel: sums of each chunk.
typedef struct TetsJob {
    FrCorotPass pass;
    FrCorotTetsFn *fn;
    FrCorotSums *sums; ///< (chunks)
} TetsJob;

static void tets_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    TetsJob *job = arg;
    (void)worker;
    job->fn(&job->pass, begin, end, &job->sums[chunk]);
}

/// Corners of each node added up.
typedef struct GatherJob {
    const FrCorot *body;
    const double *corner;
    double *to;
} GatherJob;

static void gather_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    GatherJob *job = arg;
    const FrCorot *b = job->body;
    (void)chunk, (void)worker;
    for (int32_t n = begin; n < end; n++) {
        FrVec3 f = fr_vec3_zero;
        for (int32_t k = b->first[n]; k < b->first[n + 1]; k++)
            f = fr_add(f, fr_get3(job->corner, b->entry[k].corner));
        fr_set3(job->to, n, f);
    }
}

void fr_corot_gather(const FrCorot *b, const double *corner, double *to) {
    GatherJob job = {b, corner, to};
    fr_parallel_for(b->ctx, b->node_count, NODES_A_CHUNK, gather_chunk, &job);
}

void fr_corot_renew(FrCorot *b, const double *d, double dt, FrCorotSums *sums) {
    int32_t grain = fr_max_i(BLOCKS_A_CHUNK, fr_chunk_count(b->block_count, 1024));
    FrCorotSums part[1024];
    TetsJob job = {.pass = {b->p, b->q, d, dt, b->linear, b->block, b->now, b->frozen, b->force},
                   .fn = fr_cpu_has_avx2() ? fr_corot_tets_avx2 : fr_corot_tets_portable,
                   .sums = part};
    fr_parallel_for(b->ctx, b->block_count, grain, tets_chunk, &job);
    *sums = (FrCorotSums){0};
    for (int32_t k = 0; k < fr_chunk_count(b->block_count, grain); k++) {
        sums->elastic += part[k].elastic, sums->turned += part[k].turned;
        sums->bent += part[k].bent, sums->viscous += part[k].viscous;
        sums->plastic += part[k].plastic;
    }
    b->elastic = sums->elastic;
    fr_corot_gather(b, b->force, b->f);
}

typedef struct RowsJob {
    FrCorotRows rows;
    FrCorotRowsFn *fn;
} RowsJob;

static void rows_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    RowsJob *job = arg;
    (void)chunk, (void)worker;
    job->fn(&job->rows, begin, end);
}

void fr_corot_assemble(FrCorot *b, double dt) {
    RowsJob job = {{b->now, b->entry, b->first, b->mass, b->drag, dt, &b->A},
                   fr_cpu_has_avx2() ? fr_corot_rows_avx2 : fr_corot_rows_portable};
    fr_parallel_for(b->ctx, b->node_count, ROWS_A_CHUNK, rows_chunk, &job);
}

// where the step begins, whatever was shown since
static void go_back(FrCorot *b) {
    size_t bytes = 3 * (size_t)b->node_count * sizeof(double);
    if (!b->shown) return;
    memcpy(b->p, b->p0, bytes);
    memcpy(b->v, b->v0, bytes);
    b->shown = false;
}

static bool any_held(const FrCorot *b) {
    for (int32_t n = 0; n < b->node_count; n++)
        if (b->held[n]) return true;
    return false;
}

/// A body as if it were rigid.
typedef struct Rigid {
    FrVec3 centre, v; ///< m, m/s
    FrVec3 turn;      ///< angular momentum about the centre, kg m^2/s
    FrMat3 inertia;   ///< kg m^2
} Rigid;

static Rigid rigid_of(const FrCorot *b) {
    Rigid r = {.inertia = fr_mat3_zero};
    for (int32_t n = 0; n < b->node_count; n++) {
        r.centre = fr_axpy(b->mass[n] / b->total, fr_get3(b->p, n), r.centre);
        r.v = fr_axpy(b->mass[n] / b->total, fr_get3(b->v, n), r.v);
    }
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 a = fr_sub(fr_get3(b->p, n), r.centre);
        r.turn = fr_axpy(b->mass[n], fr_cross(a, fr_sub(fr_get3(b->v, n), r.v)), r.turn);
        r.inertia = fr_mat3_axpy(b->mass[n] * fr_length2(a), fr_mat3_identity, r.inertia);
        r.inertia = fr_mat3_axpy(-b->mass[n], fr_outer(a, a), r.inertia);
    }
    return r;
}

static FrVec3 spin_of(const Rigid *r, FrMat3 turned) {
    FrMat3 I = fr_mat3_mul(turned, fr_mat3_mul(r->inertia, fr_mat3_transpose(turned)));
    return fr_mat3_apply(fr_mat3_inverse(I), r->turn);
}

/// How a body flies on for a while.
typedef struct Flight {
    FrVec3 centre;  ///< where its centre comes to, m
    FrVec3 v, spin; ///< of then, m/s, rad/s
    FrMat3 turned;
    double rolled; ///< kinetic energy that it gains by turning, J
} Flight;

// with its momenta; the spin of the middle of the way is that of its inertia there
static Flight fly(const Rigid *r, double dt) {
    FrVec3 spin = spin_of(r, fr_mat3_identity);
    FrMat3 half = fr_quat_mat3(fr_quat_from_rotation(fr_scale(0.5 * dt, spin)));
    FrVec3 middle = spin_of(r, half);
    Flight f = {.centre = fr_axpy(dt, r->v, r->centre), .v = r->v};
    f.turned = fr_quat_mat3(fr_quat_from_rotation(fr_scale(dt, middle)));
    f.spin = spin_of(r, f.turned);
    f.rolled = 0.5 * (fr_dot(r->turn, f.spin) - fr_dot(r->turn, spin));
    return f;
}

// its nodes go there; how their velocities depart from a rigid motion turns with them
static void move_nodes(FrCorot *b, const Rigid *r, const Flight *f) {
    FrVec3 spin = spin_of(r, fr_mat3_identity);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 a = fr_sub(fr_get3(b->p, n), r->centre), to = fr_mat3_apply(f->turned, a);
        FrVec3 w = fr_sub(fr_get3(b->v, n), fr_add(r->v, fr_cross(spin, a)));
        fr_set3(b->p, n, fr_add(f->centre, to));
        fr_set3(b->v, n, fr_add(fr_mat3_apply(f->turned, w), fr_add(f->v, fr_cross(f->spin, to))));
    }
}

// what its tets know of their turn
static void turn_tets(FrCorot *b, const FrMat3 *Q) {
    const FrVec3 q[3] = {Q->c0, Q->c1, Q->c2};
    for (int32_t k = 0; k < b->block_count; k++)
        for (int c = 0; c < 3; c++) {
            FrLane r[3];
            for (int i = 0; i < 3; i++) r[i] = fr_lane_load(b->block[k].R[c][i]);
            for (int i = 0; i < 3; i++)
                fr_lane_store(b->block[k].R[c][i], (fr_lane_set(fr_vec3_get(q[0], i)) * r[0] +
                                                    fr_lane_set(fr_vec3_get(q[1], i)) * r[1]) +
                                                       fr_lane_set(fr_vec3_get(q[2], i)) * r[2]);
        }
    for (int32_t k = 0; k < 4 * b->tet_count; k++) {
        double *h = b->now[k / 4].h[k % 4];
        fr_set3(h, 0, fr_mat3_apply(*Q, fr_get3(h, 0)));
    }
    for (int32_t n = 0; n < b->node_count; n++)
        fr_set3(b->f, n, fr_mat3_apply(*Q, fr_get3(b->f, n)));
}

// of a node that flew, how its velocity departs from the flight
static FrVec3 departs(const FrCorot *b, int32_t n, const Flight *f) {
    FrVec3 a = fr_sub(fr_get3(b->p, n), f->centre);
    return fr_sub(fr_get3(b->v, n), fr_add(f->v, fr_cross(f->spin, a)));
}

void fr_corot_predict(FrCorot *b, double dt, FrVec3 gravity) {
    size_t bytes = 3 * (size_t)b->node_count * sizeof(double);
    bool held = any_held(b);
    FrVec3 push = fr_vec3_zero, turn = fr_vec3_zero;
    if (!(dt > 0.0)) {
        memset(b->contact, 0, bytes);
        return;
    }
    if (!b->shown) {
        memcpy(b->p0, b->p, bytes);
        memcpy(b->v0, b->v, bytes);
    }
    b->shown = true;
    Rigid r = rigid_of(b);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 J = fr_scale(dt, fr_get3(b->contact, n));
        push = fr_add(push, J);
        turn = fr_add(turn, fr_cross(fr_sub(fr_get3(b->p, n), r.centre), J));
        fr_add3(b->given, n, J);
    }
    memset(b->contact, 0, bytes);
    Flight f = fly(&r, dt);
    if (!held && !b->linear) move_nodes(b, &r, &f);
    FrVec3 spin = held ? fr_vec3_zero : fr_mat3_apply(fr_mat3_inverse(r.inertia), turn);
    FrVec3 kick = held ? fr_vec3_zero : fr_axpy(1.0 / b->total, push, fr_scale(dt, gravity));
    FrVec3 centre = held || b->linear ? r.centre : f.centre;
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 more = fr_add(kick, fr_cross(spin, fr_sub(fr_get3(b->p, n), centre)));
        if (b->held[n])
            fr_set3(b->v, n, fr_get3(b->drive, n));
        else
            fr_add3(b->v, n, more);
        FrVec3 v = held || b->linear ? fr_get3(b->v, n) : departs(b, n, &f);
        fr_add3(b->p, n, fr_scale(dt, v));
    }
}

/// All that takes part in a step.
typedef struct Whole {
    FrContext *ctx;
    FrCorot *const *body;
    int32_t count;
    FrMeetStep *step;
    FrCgSystem system;
    FrCgPart *part;       ///< bodies, then the frames, which are one
    FrBlockMatrix frames; ///< their masses and inertias
    FrLink *link;         ///< those that act
    double *base;         ///< of nodes how they fly, m/s (3 node_count)
    double *begun;        ///< right-hand side without contact (3 node_count)
    double limit;         ///< of the residual
    FrCorotReport report;
} Whole;

static int32_t first_of(const Whole *w, int32_t k) { return w->part[k].first; }

// masses and inertias of the frames as blocks on the diagonal
static FrResult add_frames(Whole *w, int32_t first) {
    const FrMeetStep *s = w->step;
    if (!s->frame_count) return FR_OK;
    FR_TRY(fr_block_matrix_diagonal(w->ctx, 2 * s->frame_count, &w->frames));
    size_t entries = 2 * (size_t)s->frame_count;
    double *value = FR_NEW(w->ctx, double, 9 * entries + 1);
    if (!value) return fr_no_memory(w->ctx, "frames that soft bodies meet");
    fr_free(w->ctx, w->frames.value);
    w->frames.value = value;
    w->frames.width = 9;
    for (int32_t k = 0; k < s->frame_count; k++) {
        double *mass = value + 18 * (size_t)k;
        for (int a = 0; a < 3; a++) mass[4 * a] = s->frame[k].mass;
        fr_set3(mass + 9, 0, s->frame[k].inertia.c0);
        fr_set3(mass + 9, 1, s->frame[k].inertia.c1);
        fr_set3(mass + 9, 2, s->frame[k].inertia.c2);
    }
    w->part[w->system.part_count++] = (FrCgPart){&w->frames, first};
    return FR_OK;
}

static FrResult gather_whole(Whole *w) {
    int32_t nodes = 0;
    w->part = FR_NEW(w->ctx, FrCgPart, w->count + 1);
    w->link = FR_NEW(w->ctx, FrLink, w->step->meet_count);
    if (!w->part || !w->link) return fr_no_memory(w->ctx, "an implicit step");
    for (int32_t k = 0; k < w->count; k++) {
        w->part[k] = (FrCgPart){&w->body[k]->A, nodes};
        nodes += w->body[k]->node_count;
    }
    w->system.part_count = w->count;
    FR_TRY(add_frames(w, nodes));
    nodes += 2 * w->step->frame_count;
    w->begun = FR_NEW(w->ctx, double, 3 * (size_t)nodes);
    w->base = FR_NEW(w->ctx, double, 3 * (size_t)nodes);
    if (!w->begun || !w->base || !fr_cg_reserve(w->ctx, &w->body[0]->cg, nodes))
        return fr_no_memory(w->ctx, "an implicit step");
    w->system.part = w->part, w->system.link = w->link;
    w->system.node_count = nodes, w->system.at = &w->body[0]->cg;
    return FR_OK;
}

static void free_whole(Whole *w) {
    fr_block_matrix_free(w->ctx, &w->frames);
    FR_FREE_ALL(w->ctx, w->part, w->link, w->begun, w->base);
}

// A body that nothing holds flies as a rigid one would; the rest is to be found. Right-hand side
// without contact, guess, and the forces that act.
static void begin_body(Whole *w, int32_t k, double *acting) {
    FrCorot *b = w->body[k];
    FrCgArrays *at = w->system.at;
    double dt = w->step->dt;
    int32_t first = first_of(w, k);
    bool flies = !b->linear && !any_held(b);
    Rigid r = rigid_of(b);
    Flight flight = {.v = fr_vec3_zero};
    if (flies) {
        flight = fly(&r, dt);
        move_nodes(b, &r, &flight);
        turn_tets(b, &flight.turned);
        b->spent.implicit -= flight.rolled;
    }
    FrVec3 fall = w->step->meet_count ? fr_vec3_zero : fr_scale(dt, w->step->gravity);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 base = fr_sub(fr_get3(b->v, n), flies ? departs(b, n, &flight) : fr_get3(b->v, n));
        FrVec3 f = fr_get3(b->f, n), v = fr_sub(fr_get3(b->v, n), base);
        FrVec3 outer = fr_axpy(b->mass[n], w->step->gravity, fr_get3(b->load, n));
        outer = fr_axpy(-b->mass[n] * b->drag[n], base, outer);
        FrVec3 given = fr_get3(b->given, n);
        FrVec3 add = fr_add(fr_scale(dt, fr_add(f, outer)), given);
        at->held[first + n] = b->held[n];
        fr_set3(w->base, first + n, base);
        fr_set3(w->begun, first + n, fr_axpy(b->mass[n], v, add));
        fr_set3(at->x, first + n, b->held[n] ? fr_get3(b->drive, n) : fr_add(v, fall));
        fr_set3(acting, first + n, fr_scale(dt, f));
        fr_set3(at->q, first + n, fr_axpy(dt, outer, given));
    }
}

// of frames too how they depart from their flight is to be found
static void begin_frames(Whole *w, double *acting) {
    FrCgArrays *at = w->system.at;
    int32_t first = w->step->frame_count ? w->part[w->count].first : 0;
    for (int32_t k = 0; k < 2 * w->step->frame_count; k++) {
        const FrMeetFrame *f = &w->step->frame[k / 2];
        fr_set3(w->base, first + k, k % 2 ? f->spin : f->v);
        fr_set3(w->begun, first + k, fr_vec3_zero);
        fr_set3(at->x, first + k, fr_vec3_zero);
        fr_set3(acting, first + k, fr_vec3_zero);
        fr_set3(at->q, first + k, fr_vec3_zero);
        at->held[first + k] = 0;
    }
}

// n n' part and the rest of a vector
static FrVec3 along(const FrMeet *m, FrVec3 x) { return fr_scale(fr_dot(m->n, x), m->n); }

// how much velocity along the contact costs: a spring over the step; of what slides Coulomb's bound
// over its speed, which takes energy out whatever the speed comes to
static double grip_of(const FrMeet *m, double dt) {
    double most = dt * dt * m->k_t;
    return m->slides ? fr_min(m->grip, most) : most;
}

// W = dt^2 k_n n n' + grip (I - n n')
static FrSym3 weight_of(const FrMeet *m, double dt) {
    double t = grip_of(m, dt), n = dt * dt * m->k_n - t;
    FrVec3 a = m->n;
    return (FrSym3){t + n * a.x * a.x, t + n * a.y * a.y, t + n * a.z * a.z,
                    n * a.y * a.z,     n * a.z * a.x,     n * a.x * a.y};
}

// J = J0 - W u: the impulse on a that springs give which end where the step does    [S6 eq. 5.7]
static FrVec3 given_by(const FrMeet *m, double dt) {
    double k = dt * dt * m->k_n;
    FrVec3 J =
        fr_scale(dt * m->push + k * (fr_dot(m->n, m->shown) - fr_dot(m->n, m->driven)), m->n);
    J = fr_axpy(-grip_of(m, dt), fr_sub(m->driven, along(m, m->driven)), J);
    return m->slides ? J : fr_axpy(-dt * m->k_t, m->shear, J);
}

// one solve with what is open, holds and slides
static void solve_once(Whole *w) {
    FrCgArrays *at = w->system.at;
    double dt = w->step->dt;
    memcpy(at->b, w->begun, 3 * (size_t)w->system.node_count * sizeof(double));
    w->system.link_count = 0;
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        FrMeet *m = &w->step->meet[k];
        if (m->open) continue;
        FrLink link = m->link;
        link.W = weight_of(m, dt);
        fr_link_push(&link, given_by(m, dt), at->b);
        w->link[w->system.link_count++] = link;
    }
    w->system.other = w->base; // so that standing still is never far
    fr_cg_prepare(w->ctx, &w->system);
    FrCgReport r = fr_cg_solve(w->ctx, &w->system, (FrCgLimit){w->limit, FR_COROT_ITERATIONS});
    w->report.iterations += r.iterations;
    w->report.reason = r.reason;
    w->report.residual = r.residual;
    w->report.solves++;
}

// What a contact gives at the end of the step; returns the normal part, N s.
static double found_impulse(const Whole *w, FrMeet *m, FrVec3 *friction) {
    double dt = w->step->dt;
    m->u = fr_add(fr_link_velocity(&m->link, w->system.at->x), m->driven);
    double normal = dt * (m->push - dt * m->k_n * fr_dot(m->n, fr_sub(m->u, m->shown)));
    *friction = fr_scale(-grip_of(m, dt), fr_sub(m->u, along(m, m->u)));
    if (!m->slides) *friction = fr_axpy(-dt * m->k_t, m->shear, *friction);
    return normal;
}

// After a solve: what pulls opens, what is sheared too far slides with Coulomb's bound, and what
// would go the other way holds again. False: hardly anything changed.
static bool judge(Whole *w) {
    bool changed = false;
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        FrMeet *m = &w->step->meet[k], was = *m;
        FrVec3 friction;
        double dt = w->step->dt, normal = found_impulse(w, m, &friction),
               size = fr_length(friction);
        double stiff = dt * dt * m->k_t, bound = m->mu_d * normal;
        double held = m->slides ? size * (stiff / grip_of(m, dt)) : size; // N s, should it hold
        m->open = !(normal > 0.0);
        m->slides = !m->open && held > (was.slides ? bound : m->mu_s * normal);
        m->grip = m->slides ? bound * (was.slides ? grip_of(&was, dt) : stiff) / size : 0.0;
        changed = changed || m->open != was.open || m->slides != was.slides ||
                  (m->slides && fabs(m->grip - was.grip) > 0.01 * was.grip);
    }
    return changed;
}

// the impulses of the last solve; shears go on
static void settle_meets(Whole *w) {
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        FrMeet *m = &w->step->meet[k];
        FrVec3 friction;
        double normal = found_impulse(w, m, &friction);
        m->impulse = m->open ? fr_vec3_zero : fr_axpy(normal, m->n, friction);
        m->shear =
            m->open || m->slides ? fr_vec3_zero : fr_scale(-1.0 / (w->step->dt * m->k_t), friction);
    }
}

static void solve(Whole *w) {
    for (int k = 0; k < FR_COROT_SOLVES; k++) {
        if (k && !judge(w)) break;
        solve_once(w);
    }
    settle_meets(w);
}

/// Sums over the nodes of a body after a step.
typedef struct NodeSums {
    double jump, gravity, load, contact, drag, left, support, flown;
    FrVec3 rest, outer;
} NodeSums;

// impulses of contact on the nodes of all bodies, N s
static void list_impulses(Whole *w, double *to) {
    memset(to, 0, 3 * (size_t)w->system.node_count * sizeof *to);
    for (int32_t k = 0; k < w->step->meet_count; k++)
        if (!w->step->meet[k].open)
            fr_link_push(&w->step->meet[k].link, w->step->meet[k].impulse, to);
    for (int32_t k = 0; k < w->count; k++) {
        const FrCorot *b = w->body[k];
        for (int32_t n = 0; n < b->node_count; n++)
            fr_add3(to, first_of(w, k) + n, fr_get3(b->given, n));
    }
}

// what the equations of a node lack, N s: of a held one what its support gives
static FrVec3 lacking(const Whole *w, const FrCorot *b, int32_t n, FrVec3 v, FrVec3 frozen,
                      FrVec3 impulse) {
    double dt = w->step->dt;
    FrVec3 outer = fr_axpy(b->mass[n], w->step->gravity, fr_get3(b->load, n));
    FrVec3 gain = fr_sub(v, fr_get3(b->v, n));
    gain = fr_axpy(dt * b->drag[n], v, gain);
    return fr_sub(fr_scale(b->mass[n], gain), fr_add(fr_scale(dt, fr_add(frozen, outer)), impulse));
}

static void sum_node(const Whole *w, const FrCorot *b, int32_t n, FrVec3 v, FrVec3 impulse,
                     NodeSums *s) {
    double dt = w->step->dt, m = b->mass[n];
    FrVec3 lack = lacking(w, b, n, v, fr_get3(b->v0, n), impulse);
    s->jump += 0.5 * m * fr_length2(fr_sub(v, fr_get3(b->v, n)));
    s->gravity += dt * m * fr_dot(w->step->gravity, v);
    s->load += dt * fr_dot(fr_get3(b->load, n), v);
    s->contact += fr_dot(impulse, v);
    s->drag += dt * m * b->drag[n] * fr_length2(v);
    if (b->held[n])
        s->support += fr_dot(lack, v);
    else
        s->left += fr_dot(lack, v);
    FrVec3 outer = fr_scale(dt, fr_axpy(m, w->step->gravity, fr_get3(b->load, n)));
    s->outer = fr_add(s->outer, fr_axpy(-dt * m * b->drag[n], v, outer));
}

static void book(FrCorot *b, const NodeSums *s, const FrCorotSums *t) {
    b->spent.gravity_work += s->gravity;
    b->spent.load_work += s->load + s->support;
    b->spent.contact_work += s->contact;
    b->spent.damping += s->drag + t->viscous;
    b->spent.implicit += s->jump + t->bent + t->turned - s->left - s->flown;
    b->spent.plastic += t->plastic;
    b->outer = fr_add(b->outer, s->outer);
}

/// How a free body turned in a step beyond its flight.
typedef struct Turn {
    FrVec3 centre, v, spin; ///< before, m; of w, m/s, rad/s
    FrMat3 turned;
} Turn;

static Turn turn_of(const FrCorot *b, const double *w, double dt) {
    Turn t = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero, fr_mat3_identity};
    FrVec3 L = fr_vec3_zero;
    FrMat3 I = fr_mat3_zero;
    for (int32_t n = 0; n < b->node_count; n++) {
        t.centre = fr_axpy(b->mass[n] / b->total, fr_get3(b->p, n), t.centre);
        t.v = fr_axpy(b->mass[n] / b->total, fr_get3(w, n), t.v);
    }
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 a = fr_sub(fr_get3(b->p, n), t.centre);
        L = fr_axpy(b->mass[n], fr_cross(a, fr_sub(fr_get3(w, n), t.v)), L);
        I = fr_mat3_axpy(b->mass[n] * fr_length2(a), fr_mat3_identity, I);
        I = fr_mat3_axpy(-b->mass[n], fr_outer(a, a), I);
    }
    t.spin = fr_mat3_apply(fr_mat3_inverse(I), L);
    t.turned = fr_quat_mat3(fr_quat_from_rotation(fr_scale(dt, t.spin)));
    return t;
}

// Nodes go where the equations take them; of a free body their common turn is a true one, for
// along straight lines it would swell.
static void move_by(FrCorot *b, const double *w, const Turn *turn, double dt, double *d) {
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 p = fr_get3(b->p, n), way = fr_scale(dt, fr_get3(w, n));
        fr_set3(d, n, way);
        fr_set3(b->q, n, fr_add(p, way));
        if (turn) {
            FrVec3 a = fr_sub(p, turn->centre), v = fr_add(turn->v, fr_cross(turn->spin, a));
            FrVec3 bent = fr_axpy(dt, fr_sub(fr_get3(w, n), v), a);
            p = fr_add(fr_axpy(dt, turn->v, turn->centre), fr_mat3_apply(turn->turned, bent));
        }
        fr_set3(b->p, n, turn ? p : fr_get3(b->q, n));
    }
}

// Velocities were found where the nodes were before the turn: what departs from a rigid motion
// turns along, the rest keeps its momenta. Returns what kinetic energy gains by that, J.
static double turn_velocities(FrCorot *b, const Turn *turn, const Rigid *before) {
    Rigid now = rigid_of(b);
    FrVec3 spin = spin_of(before, fr_mat3_identity);
    now.turn = before->turn;
    FrVec3 after = spin_of(&now, fr_mat3_identity);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 a = fr_sub(fr_get3(b->p, n), now.centre);
        FrVec3 was = fr_sub(fr_sub(fr_get3(b->q, n), fr_get3(b->p0, n)), turn->centre);
        FrVec3 bends = fr_sub(fr_get3(b->v, n), fr_add(before->v, fr_cross(spin, was)));
        fr_set3(b->v, n,
                fr_add(fr_mat3_apply(turn->turned, bends), fr_add(before->v, fr_cross(after, a))));
    }
    return 0.5 * fr_dot(before->turn, fr_sub(after, spin));
}

// momenta of a body about the centre that it had before the turn
static Rigid momenta_of(const FrCorot *b, const Turn *turn) {
    Rigid r = {.centre = turn->centre, .inertia = fr_mat3_zero};
    for (int32_t n = 0; n < b->node_count; n++)
        r.v = fr_axpy(b->mass[n] / b->total, fr_get3(b->v, n), r.v);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 a = fr_sub(fr_sub(fr_get3(b->q, n), fr_get3(b->p0, n)), turn->centre);
        r.turn = fr_axpy(b->mass[n], fr_cross(a, fr_sub(fr_get3(b->v, n), r.v)), r.turn);
        r.inertia = fr_mat3_axpy(b->mass[n] * fr_length2(a), fr_mat3_identity, r.inertia);
        r.inertia = fr_mat3_axpy(-b->mass[n], fr_outer(a, a), r.inertia);
    }
    return r;
}

// what the solver left of the momentum of a body that nothing holds, as a velocity of all nodes
static FrVec3 shift_of(const Whole *w, const FrCorot *b, FrVec3 rest) {
    double inertia = 0.0;
    for (int32_t n = 0; n < b->node_count; n++)
        inertia += b->mass[n] * (1.0 + w->step->dt * b->drag[n]);
    return any_held(b) ? fr_vec3_zero : fr_scale(-1.0 / inertia, rest);
}

// velocities at the end, and the books
static void finish_nodes(Whole *w, FrCorot *b, const double *x, const double *base, const double *J,
                         NodeSums *sums) {
    double dt = w->step->dt;
    const double *frozen = b->v0;
    for (int32_t n = 0; n < b->node_count; n++)
        sums->rest =
            fr_add(sums->rest, lacking(w, b, n, fr_get3(x, n), fr_get3(frozen, n), fr_get3(J, n)));
    FrVec3 shift = shift_of(w, b, sums->rest);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 v = fr_add(fr_get3(x, n), shift);
        sum_node(w, b, n, v, fr_get3(J, n), sums);
        sums->flown += dt * fr_dot(fr_get3(base, n), fr_get3(frozen, n));
        fr_add3(b->p, n, fr_scale(dt, shift));
        fr_set3(b->v, n, v);
    }
    if (any_held(b)) sums->outer = fr_add(sums->outer, sums->rest);
}

static void finish_body(Whole *w, int32_t k, const double *impulse) {
    FrCorot *b = w->body[k];
    double dt = w->step->dt, *x = w->system.at->x + 3 * (size_t)first_of(w, k);
    const double *base = w->base + 3 * (size_t)first_of(w, k);
    bool free = !b->linear && !any_held(b);
    FrCorotSums tets;
    NodeSums sums = {0};
    Turn turn = turn_of(b, x, dt);
    move_by(b, x, free ? &turn : NULL, dt, b->p0);
    fr_corot_renew(b, b->p0, dt, &tets);
    fr_corot_gather(b, b->frozen, b->v0);
    for (int32_t n = 0; n < b->node_count; n++) fr_add3(x, n, fr_get3(base, n)); // v+
    finish_nodes(w, b, x, base, impulse + 3 * (size_t)first_of(w, k), &sums);
    Rigid before = momenta_of(b, &turn);
    if (free) sums.flown += turn_velocities(b, &turn, &before);
    book(b, &sums, &tets);
    memset(b->load, 0, 3 * (size_t)b->node_count * sizeof(double));
    memset(b->given, 0, 3 * (size_t)b->node_count * sizeof(double));
    b->report = w->report;
}

// a contact among those that are kept; NULL: it is new
static const FrHold *find_hold(const FrCorot *b, uint64_t key) {
    int32_t lo = 0, hi = b->hold.count;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (b->hold.data[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < b->hold.count && b->hold.data[lo].key == key ? &b->hold.data[lo] : NULL;
}

// which body keeps how far a contact is sheared: that of side a, else of side b; -1: none
static int32_t keeper(const Whole *w, const FrMeet *m) {
    const FrLinkSide *side = m->link.a.count && !m->link.a.turns ? &m->link.a : &m->link.b;
    if (!side->count || side->turns) return -1;
    for (int32_t k = w->count - 1; k >= 0; k--)
        if (side->node[0] >= first_of(w, k)) return k;
    return -1;
}

// mass of what a side belongs to, kg
static double mass_of(const Whole *w, const FrLinkSide *side) {
    if (!side->count) return HUGE_VAL;
    if (side->turns) return w->step->frame[(side->node[0] - w->part[w->count].first) / 2].mass;
    int32_t k = w->count - 1;
    while (side->node[0] < first_of(w, k)) k--;
    return w->body[k]->total;
}

// A contact is no stiffer than what stops the lighter side within a small part of a step: stiffer
// ones only make the system harder to solve.
static void bound_stiffness(const Whole *w, FrMeet *m) {
    double dt = w->step->dt;
    double most =
        FR_COROT_MEET * fr_min(mass_of(w, &m->link.a), mass_of(w, &m->link.b)) / (dt * dt);
    if (!(m->k_n > most)) return;
    double share = most / m->k_n;
    m->k_n *= share, m->k_t *= share, m->push *= share;
}

// contacts come sorted by their keys
static void recall_holds(Whole *w) {
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        FrMeet *m = &w->step->meet[k];
        int32_t at = keeper(w, m);
        const FrHold *hold = at < 0 ? NULL : find_hold(w->body[at], m->key);
        FrHold none = {.shear = fr_vec3_zero, .state = FR_HOLDS};
        if (!hold) hold = &none;
        bound_stiffness(w, m);
        m->shear = fr_sub(hold->shear, along(m, hold->shear));
        m->driven = fr_add(m->driven, fr_link_velocity(&m->link, w->base));
        m->open = hold->state == FR_OPEN;
        m->slides = hold->state == FR_SLIDES;
        m->grip = hold->grip;
    }
}

static FrResult keep_holds(Whole *w) {
    for (int32_t k = 0; k < w->count; k++) w->body[k]->hold.count = 0;
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        const FrMeet *m = &w->step->meet[k];
        int32_t at = keeper(w, m);
        FrHoldState state = m->open ? FR_OPEN : m->slides ? FR_SLIDES : FR_HOLDS;
        FrHold hold = {m->key, m->shear, m->grip, state};
        if (at >= 0 && !fr_array_push(w->ctx, &w->body[at]->hold, hold))
            return fr_no_memory(w->ctx, "contacts that hold");
    }
    return FR_OK;
}

static bool is_finite(const FrCorot *b) {
    double sum = 0.0;
    for (int32_t n = 0; n < 3 * b->node_count; n++) sum += b->p[n] * 0.0 + b->v[n] * 0.0;
    return sum == 0.0;
}

static FrResult step_whole(Whole *w, int32_t *failed) {
    double *acting;
    for (int32_t k = 0; k < w->count; k++) go_back(w->body[k]);
    FR_TRY(gather_whole(w));
    acting = w->system.at->r;
    for (int32_t k = 0; k < w->count; k++) {
        begin_body(w, k, acting);
        fr_corot_assemble(w->body[k], w->step->dt);
    }
    begin_frames(w, acting);
    recall_holds(w);
    fr_cg_prepare(w->ctx, &w->system); // without contacts: what acts is measured alike
    w->limit = FR_COROT_RESIDUAL * (sqrt(fr_cg_norm2(w->ctx, &w->system, acting)) +
                                    sqrt(fr_cg_norm2(w->ctx, &w->system, w->system.at->q)));
    solve(w);
    list_impulses(w, w->system.at->b);
    for (int32_t k = 0; k < w->count; k++) finish_body(w, k, w->system.at->b);
    FR_TRY(keep_holds(w));
    for (*failed = 0; *failed < w->count; (*failed)++)
        if (!is_finite(w->body[*failed]))
            return fr_fail(w->ctx, FR_NUMERICAL, "a corot body is not finite any more");
    *failed = 0;
    return FR_OK;
}

FrResult fr_corot_step(FrCorot *const *body, int32_t count, FrMeetStep *step, int32_t *failed) {
    Whole w = {.ctx = body[0]->ctx, .body = body, .count = count, .step = step};
    *failed = 0;
    FrResult result = step_whole(&w, failed);
    free_whole(&w);
    return result;
}
