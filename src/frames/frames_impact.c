// frames_impact.c: rigid frames that hit each other within a substep: when, and how they part.

#include "frames/frames.h"
#include "frames/frames_tuning.h"
#include <string.h>

// world inverse inertia, and the spin that goes with L
void fr_frames_turned(FrLocal *local, FrRowBody *body, const FrRigid *r) {
    local->q = r->q;
    local->R = fr_quat_mat3(r->q);
    FrMat3 inv = fr_mat3_mul(local->R, fr_mat3_mul(r->inv_inertia, fr_mat3_transpose(local->R)));
    body->inv_inertia = fr_mat3_sym(inv);
    body->w = local->w_given = fr_sym3_apply(body->inv_inertia, r->L);
}

void fr_frames_turn(FrLocal *local, FrRowBody *body, FrRigid *r, double dt, bool steady) {
    FrVec3 w = body->w, gained = fr_mat3_apply_t(local->R, fr_sub(w, local->w_given));
    r->q = local->q;
    // by the inertia that the rows saw: L changes by what the impulses give, exactly
    r->L = fr_add(r->L, fr_mat3_apply(local->R, fr_mat3_apply(r->inertia, gained)));
    if (steady || fr_length2(w) * dt * dt < FR_SMALL_TURN * FR_SMALL_TURN) {
        // I dw/dt = L x w keeps L; q + dt/2 w q; axes and inertia are as good as before
        FrVec3 more = fr_scale(dt, fr_sym3_apply(body->inv_inertia, fr_cross(r->L, w)));
        FrVec3 half = fr_scale(0.5 * dt, fr_axpy(0.5, more, w));
        FrQuat by = {1.0, half.x, half.y, half.z};
        r->q = local->q = fr_quat_normalize(fr_quat_mul(by, r->q));
        body->w = local->w_given = fr_add(w, more);
        return;
    }
    fr_rigid_turn(r, dt);
    fr_frames_turned(local, body, r);
}

static void advance(FrFrames *f, FrFrameScratch *s, int32_t k, double to) {
    FrLocal *local = &s->local.data[k];
    FrRowBody *body = &s->body.data[k];
    double dt = to - local->elapsed;
    if (local->frame < 0 || f->frame.data[local->frame].kinematic || !(dt > 0.0)) return;
    const FrFrame *frame = &f->frame.data[local->frame];
    FrRigid *r = frame->part.rigid;
    FrVec3 v = body->v;
    if (local->free) {
        body->v = fr_axpy(dt, f->gravity, v);
        v = fr_scale(0.5, fr_add(v, body->v));
        *frame->part.outer_work += dt * r->mass * fr_dot(f->gravity, v);
        *frame->part.outer_impulse = fr_axpy(dt * r->mass, f->gravity, *frame->part.outer_impulse);
    }
    local->shift = fr_axpy(dt, v, local->shift);
    local->twist = fr_axpy(dt, body->w, local->twist);
    local->x = fr_axpy(dt, v, local->x);
    fr_frames_turn(local, body, r, dt, false);
    if (local->bend) fr_bend_fly(local->bend, dt);
    local->elapsed = to;
}

// what a point of the body has moved by the moment `at`, m
static FrVec3 moved(const FrFrames *f, const FrFrameScratch *s, int32_t k, FrVec3 arm, double at) {
    const FrLocal *local = &s->local.data[k];
    const FrRowBody *body = &s->body.data[k];
    double dt = at - local->elapsed;
    FrVec3 v = local->free ? fr_axpy(0.5 * dt, f->gravity, body->v) : body->v;
    FrVec3 shift = fr_axpy(dt, v, local->shift), twist = fr_axpy(dt, body->w, local->twist);
    return fr_add(shift, fr_cross(twist, arm));
}

double fr_frames_gap_at(const FrFrames *f, const FrFrameScratch *s, int32_t row, double at) {
    const FrRow *r = &s->row.data[row];
    if (!(at > 0.0)) return s->origin.data[row].gap;
    FrVec3 ma = moved(f, s, r->a, r->ra, at), mb = moved(f, s, r->b, r->rb, at);
    double gap = s->origin.data[row].gap + fr_dot(r->axis[0], fr_sub(ma, mb));
    return s->bends ? gap + fr_frames_bend_gap(s, r, at) : gap;
}

// speed at which a gap closes at the moment `at`, m/s
static double closing_at(const FrFrames *f, const FrFrameScratch *s, const FrRow *r, double at) {
    const FrLocal *a = &s->local.data[r->a], *b = &s->local.data[r->b];
    double u = fr_row_opening(s->body.data, r);
    double g = fr_dot(f->gravity, r->axis[0]);
    if (a->free) u += (at - a->elapsed) * g;
    if (b->free) u -= (at - b->elapsed) * g;
    return -u;
}

// When within the substep the gap closes; HUGE_VAL: not, or so slowly that it is no impact.
// gap(t) = gap - c t + g t^2 / 2 with gravity taken by the free sides.
static double moment_of(const FrFrames *f, const FrFrameScratch *s, int32_t row) {
    double slow = s->origin.data[row].slow;
    const FrRow *r = &s->row.data[row];
    const FrLocal *a = &s->local.data[r->a], *b = &s->local.data[r->b];
    double from = fr_max(a->elapsed, b->elapsed), left = f->h - from;
    double c = closing_at(f, s, r, from), g = 0.0;
    if (a->free != b->free) g = (a->free ? 1.0 : -1.0) * fr_dot(f->gravity, r->axis[0]);
    // what the contact solve would take for touching counts, too
    double fastest = c - fr_min(g, 0.0) * left;
    if (!(fastest > slow)) return HUGE_VAL;
    double gap = fr_frames_gap_at(f, s, row, from);
    if (!(gap <= left * fastest)) return HUGE_VAL;
    double t = 0.0;
    if (gap > 0.0) {
        double root = c * c - 2.0 * g * gap;
        double fast = c + sqrt(root > 0.0 ? root : 0.0);
        t = fast > 0.0 ? fr_min(2.0 * gap / fast, left) : left;
    }
    return c - g * t > slow ? from + t : HUGE_VAL;
}

static bool one_sided(const FrRow *row) {
    return row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING;
}

// A body is free when nothing holds it: no joint, no taut string, no contact it rests on. False
// when nothing is free and no gap closes fast: then nothing hits.
static bool find_free(const FrFrames *f, FrFrameScratch *s, double slow) {
    bool fast = false;
    for (int32_t k = 0; k < s->local.count; k++) {
        int32_t frame = s->local.data[k].frame;
        s->local.data[k].free = frame >= 0 && s->body.data[k].inv_mass > 0.0;
    }
    for (int32_t k = 0; k < s->row.count; k++) {
        const FrRow *row = &s->row.data[k];
        if (one_sided(row)) {
            double c = -fr_row_opening(s->body.data, row);
            fast |= c > slow;
            if (c < -slow || c > slow || s->origin.data[k].gap > f->h * slow) continue;
        }
        s->local.data[row->a].free = s->local.data[row->b].free = false;
    }
    for (int32_t k = 0; k < s->local.count && !fast; k++) fast = s->local.data[k].free;
    return fast;
}

// moments of all rows; of each body the first counts, and what comes soon after it
static bool find_moments(const FrFrames *f, FrFrameScratch *s) {
    bool any = false;
    for (int32_t k = 0; k < s->row.count; k++) {
        s->when.data[k] = s->row.data[k].kind == FR_ROW_CONTACT ? moment_of(f, s, k) : HUGE_VAL;
        any |= s->when.data[k] < HUGE_VAL;
    }
    return any;
}

// the first moment of each body; immovable ones have none of their own
static void find_firsts(FrFrameScratch *s) {
    for (int32_t k = 0; k < s->local.count; k++) s->first.data[k] = HUGE_VAL;
    for (int32_t k = 0; k < s->row.count; k++) {
        double *a = &s->first.data[s->row.data[k].a], *b = &s->first.data[s->row.data[k].b];
        *a = fr_min(*a, s->when.data[k]);
        *b = fr_min(*b, s->when.data[k]);
    }
    for (int32_t k = 0; k < s->local.count; k++)
        if (!(s->body.data[k].inv_mass > 0.0)) s->first.data[k] = HUGE_VAL;
}

// bodies go on to their first impact; rows that come later than soon after it wait
static void advance_to_impacts(FrFrames *f, FrFrameScratch *s) {
    find_firsts(s);
    for (int32_t k = 0; k < s->row.count; k++) {
        const FrRow *r = &s->row.data[k];
        double limit = fr_min(s->first.data[r->a], s->first.data[r->b]) + FR_HIT_TOGETHER * f->h;
        if (s->when.data[k] > limit) s->when.data[k] = HUGE_VAL;
    }
    find_firsts(s);
    for (int32_t k = 1; k < s->local.count; k++)
        if (s->first.data[k] < HUGE_VAL) advance(f, s, k, s->first.data[k]);
}

// Both sides are pushed at one place, so that no turn is made up: where the bodies are now, or, of
// an immovable one, where the other is.
void fr_frames_settle(const FrFrameScratch *s, FrRow *row) {
    const FrLocal *a = &s->local.data[row->a], *b = &s->local.data[row->b];
    FrVec3 pa = fr_add(a->x, fr_add(row->ra, fr_cross(a->twist, row->ra)));
    FrVec3 pb = fr_add(b->x, fr_add(row->rb, fr_cross(b->twist, row->rb)));
    bool fixed_a = !(s->body.data[row->a].inv_mass > 0.0);
    bool fixed_b = !(s->body.data[row->b].inv_mass > 0.0);
    // arms were taken in the middle of the gap
    double half = 0.5 * s->origin.data[row->tag].gap;
    FrVec3 x = fixed_a   ? fr_axpy(-half, row->axis[0], pb)
               : fixed_b ? fr_axpy(half, row->axis[0], pa)
                         : fr_scale(0.5, fr_add(pa, pb));
    row->ra = fr_sub(x, a->x);
    row->rb = fr_sub(x, b->x);
}

static bool is_ball(const FrFrames *f, const FrFrameScratch *s, int32_t k) {
    int32_t frame = s->local.data[k].frame;
    return frame >= 0 && s->body.data[k].inv_mass > 0.0 &&
           f->frame.data[frame].shape.kind == FR_COLLIDER_SPHERE;
}

// Hard balls that touch in a row hand a blow on one by one, as in a cradle: one that is hit now
// pushes the next in the next round.
static bool hands_on(const FrFrames *f, const FrFrameScratch *s, const FrRow *row) {
    bool struck = s->first.data[row->a] < HUGE_VAL || s->first.data[row->b] < HUGE_VAL;
    return struck && row->kind == FR_ROW_CONTACT && is_ball(f, s, row->a) && is_ball(f, s, row->b);
}

// Rows that take part: impacts part with -e times their closing speed; what touches already and the
// joints may not get worse, without a bounce of their own.
static bool gather_hits(FrFrames *f, FrFrameScratch *s, double slow, double bounce) {
    s->hit.count = s->before.count = 0;
    for (int32_t k = 0; k < s->row.count; k++) {
        FrRow row = s->row.data[k];
        bool hit = s->when.data[k] < HUGE_VAL;
        if (!hit && one_sided(&row) && s->origin.data[k].gap > f->h * slow) continue;
        if (!hit && hands_on(f, s, &row)) continue;
        if (one_sided(&row)) fr_frames_settle(s, &row);
        row.tag = k;
        row.lambda[0] = row.lambda[1] = row.lambda[2] = 0.0;
        FrVec3 u = fr_row_velocity(s->body.data, &row);
        row.target[0] = hit ? -bounce * s->origin.data[k].restitution * u.x : u.x;
        if (!hit && one_sided(&row)) row.target[0] = fr_min(u.x, 0.0);
        row.target[1] = one_sided(&row) ? 0.0 : u.y;
        row.target[2] = one_sided(&row) ? 0.0 : u.z;
        if (!fr_array_push(f->ctx, &s->hit, row) || !fr_array_push(f->ctx, &s->before, u))
            return false;
    }
    return true;
}

static double fastest_hit(const FrFrameScratch *s) {
    double most = 0.0;
    for (int32_t k = 0; k < s->hit.count; k++)
        if (s->when.data[s->hit.data[k].tag] < HUGE_VAL) most = fr_max(most, -s->before.data[k].x);
    return most;
}

// Is the work of the impulses, sum of lambda . (u before + u after) / 2, above zero by more than
// the solve is exact?
static bool gains_energy(const FrFrameScratch *s) {
    double work = 0.0, size = 0.0;
    for (int32_t k = 0; k < s->hit.count; k++) {
        const FrRow *row = &s->hit.data[k];
        FrVec3 u = s->before.data[k], w = fr_row_velocity(s->body.data, row);
        FrVec3 l = fr_vec3(row->lambda[0], row->lambda[1], row->lambda[2]);
        work += 0.5 * fr_dot(l, fr_add(u, w));
        size += fr_length(l) * (fr_length(u) + fr_length(w));
    }
    return work > FR_HIT_GAIN * size;
}

static void undo(FrFrameScratch *s) {
    for (int32_t k = 0; k < s->hit.count; k++) {
        const double *l = s->hit.data[k].lambda;
        fr_row_apply(s->body.data, &s->hit.data[k], fr_vec3(-l[0], -l[1], -l[2]));
    }
}

void fr_frames_note_velocities(FrFrameScratch *s) {
    for (int32_t k = 0; k < s->local.count; k++) {
        s->local.data[k].v_before = s->body.data[k].v;
        s->local.data[k].w_before = s->body.data[k].w;
        FrBend *bend = s->local.data[k].bend;
        if (bend) memcpy(bend->before, bend->v, (size_t)bend->count * sizeof *bend->v);
    }
}

// twice the mean of a row's point on one side, before and after the impulses, m/s; axis rows: rad/s
static inline FrVec3 twice_mean(const FrFrameScratch *s, const FrRow *row, int32_t side,
                                FrVec3 arm) {
    const FrLocal *local = &s->local.data[side];
    const FrRowBody *body = &s->body.data[side];
    FrVec3 w = fr_add(local->w_before, body->w);
    if (row->kind == FR_ROW_AXIS) return w;
    FrVec3 mean = fr_add(fr_add(local->v_before, body->v), fr_cross(w, arm));
    const double *mode = side == row->a ? row->mode_a : row->mode_b;
    return mode ? fr_add(mean, fr_frames_bend_mean(s, side, mode)) : mean;
}

// does what an impulse does to this side stay with it? What is held bends
static bool takes_work(const FrFrameScratch *s, int32_t side) {
    return s->body.data[side].inv_mass > 0.0 || s->local.data[side].bend;
}

// J . (v before + v after) / 2 is what an impulse changes the kinetic energy by, exactly. What a
// side that nothing moves gives comes from outside, as does its impulse.
void fr_frames_book(FrFrames *f, const FrFrameScratch *s, const FrRow *row, int32_t count) {
    for (int32_t k = 0; k < count; k++, row++) {
        int32_t side[2] = {row->a, row->b};
        FrVec3 J = row->impulse;
        double work[2] = {0.5 * fr_dot(J, twice_mean(s, row, row->a, row->ra)),
                          -0.5 * fr_dot(J, twice_mean(s, row, row->b, row->rb))};
        for (int i = 0; i < 2; i++) {
            if (!takes_work(s, side[i])) continue;
            const FrFrameParts *part = &f->frame.data[s->local.data[side[i]].frame].part;
            *part->contact_work += work[i];
            if (!takes_work(s, side[1 - i])) {
                *part->contact_work += work[1 - i];
                *part->outer_work -= work[1 - i];
            }
            bool held = !(s->body.data[side[1 - i]].inv_mass > 0.0);
            if (held && s->body.data[side[i]].inv_mass > 0.0 && row->kind != FR_ROW_AXIS)
                *part->outer_impulse = fr_axpy(i ? -1.0 : 1.0, J, *part->outer_impulse);
        }
    }
}

// Newton's law with friction can make energy where several points hit at once; then less bounce is
// taken, in the end none, for which work <= 0 holds always (M22).
static void part(FrFrames *f, FrFrameScratch *s, double slow) {
    double bounce = 1.0;
    fr_frames_note_velocities(s);
    for (int attempt = 0;; attempt++) {
        if (!gather_hits(f, s, slow, bounce)) {
            s->failed = true;
            return;
        }
        fr_rows_prepare(s->body.data, s->hit.data, s->hit.count);
        // few rows to the end, many as well as they are held afterwards
        bool few = s->hit.count <= FR_FEW_ROWS;
        double exact = FR_HIT_EXACT * fastest_hit(s);
        s->sweeps += fr_rows_solve(s->body.data, s->hit.data, s->hit.count,
                                   few ? FR_HIT_SWEEPS : FR_HIT_SWEEPS_MANY,
                                   few ? exact : fr_max(exact, fr_frames_tolerance(f)))
                         .sweeps;
        if (bounce == 0.0 || !gains_energy(s)) break;
        undo(s);
        bounce = attempt < 3 ? 0.5 * bounce : 0.0;
    }
    fr_frames_book(f, s, s->hit.data, s->hit.count);
}

static FrFrameImpact *impact_of(FrFrames *f, FrFrameScratch *s, int32_t first,
                                const FrFramePair *pair) {
    for (int32_t k = first; k < s->impact.count; k++)
        if (s->impact.data[k].a == pair->a && s->impact.data[k].b == pair->b)
            return &s->impact.data[k];
    FrFrameImpact impact = {.t = HUGE_VAL, .a = pair->a, .b = pair->b};
    if (!fr_array_push(f->ctx, &s->impact, impact)) return NULL;
    return &s->impact.data[s->impact.count - 1];
}

// of more points than there is room for, those that push most
static void keep_point(FrFrameImpact *impact, FrImpactPoint point) {
    int32_t least = 0;
    if (impact->point_count < FR_IMPACT_POINTS) {
        impact->point[impact->point_count++] = point;
        return;
    }
    for (int32_t k = 1; k < FR_IMPACT_POINTS; k++)
        if (impact->point[k].push < impact->point[least].push) least = k;
    if (impact->point[least].push < point.push) impact->point[least] = point;
}

static void add_to_impact(const FrFrameScratch *s, FrFrameImpact *impact, int32_t hit, double t) {
    const FrRow *row = &s->hit.data[hit];
    const FrLocal *a = &s->local.data[row->a], *b = &s->local.data[row->b];
    FrVec3 u = s->before.data[hit], x = fr_add(a->x, row->ra);
    double when = s->when.data[row->tag], push = row->lambda[0];
    impact->restitution = s->origin.data[row->tag].restitution;
    impact->t = fr_min(impact->t, t + (when < HUGE_VAL ? when : a->elapsed));
    impact->x = fr_axpy(push, x, impact->x);
    impact->n = fr_axpy(push, row->axis[0], impact->n);
    FrImpactPoint point = {fr_frames_into(a, x), fr_frames_into(b, x), push};
    impact->la = fr_axpy(push, point.la, impact->la);
    impact->lb = fr_axpy(push, point.lb, impact->lb);
    keep_point(impact, point);
    impact->impulse = fr_add(impact->impulse, row->impulse);
    impact->v_n = fr_max(impact->v_n, -u.x);
    impact->v_t = fr_max(impact->v_t, sqrt(u.y * u.y + u.z * u.z));
    impact->weight += push;
}

// A row that was chosen may open by now, or nearly rest, and be pushed by its neighbours all the
// same; then it passes a push on and does not strike.
static bool strikes(const FrFrameScratch *s, int32_t hit) {
    int32_t row = s->hit.data[hit].tag;
    return s->when.data[row] < HUGE_VAL && -s->before.data[hit].x > s->origin.data[row].slow;
}

// Impulses of one round, pair by pair. What a resting contact passes on counts when it is more than
// the support of a weight.
static void record(FrFrames *f, FrFrameScratch *s, double t, double slow) {
    int32_t first = s->impact.count;
    for (int32_t k = 0; k < s->hit.count; k++) {
        const FrRow *row = &s->hit.data[k];
        int32_t pair = s->origin.data[row->tag].pair;
        if (pair < 0 || !(row->lambda[0] * row->K.xx > (strikes(s, k) ? 0.0 : slow))) continue;
        f->pair.data[pair].touched = FR_TOUCHED;
        FrFrameImpact *impact = impact_of(f, s, first, &f->pair.data[pair]);
        if (!impact) {
            s->failed = true;
            return;
        }
        add_to_impact(s, impact, k, t);
    }
}

void fr_frames_impacts(FrFrames *f, FrFrameScratch *s, double t) {
    double slow = fr_frames_slow(f);
    if (!find_free(f, s, slow)) return;
    s->when.count = s->first.count = 0;
    if (!fr_array_reserve(f->ctx, &s->when, s->row.count) ||
        !fr_array_reserve(f->ctx, &s->first, s->local.count)) {
        s->failed = true;
        return;
    }
    for (int round = 0; round < FR_IMPACT_ROUNDS && find_moments(f, s) && !s->failed; round++) {
        advance_to_impacts(f, s);
        part(f, s, slow);
        if (!s->failed) record(f, s, t, slow);
        s->rounds++;
    }
}
