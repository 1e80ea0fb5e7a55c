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

#include "corot/corot_step.h"
#include "corot/corot_tuning.h"
#include <string.h>

int32_t fr_corot_first_of(const FrCorotWhole *w, int32_t k) { return w->part[k].first; }

// masses and inertias of the frames as blocks on the diagonal
static FrResult add_frames(FrCorotWhole *w, int32_t first) {
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

static FrResult gather_whole(FrCorotWhole *w) {
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

static void free_whole(FrCorotWhole *w) {
    fr_block_matrix_free(w->ctx, &w->frames);
    FR_FREE_ALL(w->ctx, w->part, w->link, w->begun, w->base);
}

// A body that nothing holds flies as a rigid one would; the rest is to be found. Right-hand side
// without contact, guess, and the forces that act.
static void begin_body(FrCorotWhole *w, int32_t k, double *acting) {
    FrCorot *b = w->body[k];
    FrCgArrays *at = w->system.at;
    double dt = w->step->dt;
    int32_t first = fr_corot_first_of(w, k);
    bool flies = !b->linear && !fr_corot_any_held(b);
    FrCorotRigid r = fr_corot_rigid_of(b);
    FrCorotFlight flight = {.v = fr_vec3_zero};
    if (flies) {
        flight = fr_corot_fly(&r, dt);
        fr_corot_move_nodes(b, &r, &flight);
        fr_corot_turn_tets(b, &flight.turned);
        b->spent.implicit -= flight.rolled;
    }
    FrVec3 fall = w->step->meet_count ? fr_vec3_zero : fr_scale(dt, w->step->gravity);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 base =
            fr_sub(fr_get3(b->v, n), flies ? fr_corot_departs(b, n, &flight) : fr_get3(b->v, n));
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
static void begin_frames(FrCorotWhole *w, double *acting) {
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

/// Sums over the nodes of a body after a step.
typedef struct NodeSums {
    double jump, gravity, load, contact, drag, left, support, flown;
    FrVec3 rest, outer;
} NodeSums;

// impulses of contact on the nodes of all bodies, N s
static void list_impulses(FrCorotWhole *w, double *to) {
    memset(to, 0, 3 * (size_t)w->system.node_count * sizeof *to);
    for (int32_t k = 0; k < w->step->meet_count; k++)
        if (!w->step->meet[k].open)
            fr_link_push(&w->step->meet[k].link, w->step->meet[k].impulse, to);
    for (int32_t k = 0; k < w->count; k++) {
        const FrCorot *b = w->body[k];
        for (int32_t n = 0; n < b->node_count; n++)
            fr_add3(to, fr_corot_first_of(w, k) + n, fr_get3(b->given, n));
    }
}

// what the equations of a node lack, N s: of a held one what its support gives
static FrVec3 lacking(const FrCorotWhole *w, const FrCorot *b, int32_t n, FrVec3 v, FrVec3 frozen,
                      FrVec3 impulse) {
    double dt = w->step->dt;
    FrVec3 outer = fr_axpy(b->mass[n], w->step->gravity, fr_get3(b->load, n));
    FrVec3 gain = fr_sub(v, fr_get3(b->v, n));
    gain = fr_axpy(dt * b->drag[n], v, gain);
    return fr_sub(fr_scale(b->mass[n], gain), fr_add(fr_scale(dt, fr_add(frozen, outer)), impulse));
}

static void sum_node(const FrCorotWhole *w, const FrCorot *b, int32_t n, FrVec3 v, FrVec3 impulse,
                     NodeSums *s) {
    double dt = w->step->dt, m = b->mass[n];
    FrVec3 lack = lacking(w, b, n, v, fr_get3(b->began.v, n), impulse);
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

// what the solver left of the momentum of a body that nothing holds, as a velocity of all nodes
static FrVec3 shift_of(const FrCorotWhole *w, const FrCorot *b, FrVec3 rest) {
    double inertia = 0.0;
    for (int32_t n = 0; n < b->node_count; n++)
        inertia += b->mass[n] * (1.0 + w->step->dt * b->drag[n]);
    return fr_corot_any_held(b) ? fr_vec3_zero : fr_scale(-1.0 / inertia, rest);
}

// velocities at the end, and the books
static void finish_nodes(FrCorotWhole *w, FrCorot *b, const double *x, const double *base,
                         const double *J, NodeSums *sums) {
    double dt = w->step->dt;
    const double *frozen = b->began.v;
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
    if (fr_corot_any_held(b)) sums->outer = fr_add(sums->outer, sums->rest);
}

static void finish_body(FrCorotWhole *w, int32_t k, const double *impulse) {
    FrCorot *b = w->body[k];
    double dt = w->step->dt, *x = w->system.at->x + 3 * (size_t)fr_corot_first_of(w, k);
    const double *base = w->base + 3 * (size_t)fr_corot_first_of(w, k);
    bool free = !b->linear && !fr_corot_any_held(b);
    FrCorotSums tets;
    NodeSums sums = {0};
    FrCorotTurn turn = fr_corot_turn_of(b, x, dt);
    fr_corot_move_by(b, x, free ? &turn : NULL, dt, b->began.p);
    fr_corot_renew(b, b->began.p, dt, &tets);
    fr_corot_gather(b, b->frozen, b->began.v);
    for (int32_t n = 0; n < b->node_count; n++) fr_add3(x, n, fr_get3(base, n)); // v+
    finish_nodes(w, b, x, base, impulse + 3 * (size_t)fr_corot_first_of(w, k), &sums);
    FrCorotRigid before = fr_corot_momenta_of(b, &turn);
    if (free) sums.flown += fr_corot_turn_velocities(b, &turn, &before);
    book(b, &sums, &tets);
    memset(b->load, 0, 3 * (size_t)b->node_count * sizeof(double));
    memset(b->given, 0, 3 * (size_t)b->node_count * sizeof(double));
    b->report = w->report;
    b->solves.steps++;
    if (w->report.reason == FR_SOLVE_CONVERGED) return;
    b->solves.stalled++;
    b->solves.left = fr_max(b->solves.left, w->report.residual / w->limit * FR_COROT_RESIDUAL);
}

static bool is_finite(const FrCorot *b) {
    double sum = 0.0;
    for (int32_t n = 0; n < 3 * b->node_count; n++) sum += b->p[n] * 0.0 + b->v[n] * 0.0;
    return sum == 0.0;
}

static FrResult step_whole(FrCorotWhole *w, int32_t *failed) {
    double *acting;
    for (int32_t k = 0; k < w->count; k++) {
        fr_corot_go_back(w->body[k]);
        fr_corot_heat_step(w->body[k], w->step->dt);
    }
    FR_TRY(gather_whole(w));
    acting = w->system.at->r;
    for (int32_t k = 0; k < w->count; k++) {
        begin_body(w, k, acting);
        fr_corot_assemble(w->body[k], w->step->dt);
    }
    begin_frames(w, acting);
    fr_corot_recall_holds(w);
    fr_cg_prepare(w->ctx, &w->system); // without contacts: what acts is measured alike
    w->limit = FR_COROT_RESIDUAL * (sqrt(fr_cg_norm2(w->ctx, &w->system, acting)) +
                                    sqrt(fr_cg_norm2(w->ctx, &w->system, w->system.at->q)));
    fr_corot_solve(w);
    list_impulses(w, w->system.at->b);
    for (int32_t k = 0; k < w->count; k++) finish_body(w, k, w->system.at->b);
    FR_TRY(fr_corot_keep_holds(w));
    for (*failed = 0; *failed < w->count; (*failed)++)
        if (!is_finite(w->body[*failed]))
            return fr_fail(w->ctx, FR_NUMERICAL, "a corot body is not finite any more");
    *failed = 0;
    return FR_OK;
}

FrResult fr_corot_step(FrCorot *const *body, int32_t count, FrMeetStep *step, int32_t *failed) {
    FrCorotWhole w = {.ctx = body[0]->ctx, .body = body, .count = count, .step = step};
    *failed = 0;
    FrResult result = step_whole(&w, failed);
    free_whole(&w);
    return result;
}
