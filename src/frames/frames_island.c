// frames_island.c: one island of rigid frames through the substeps of a macro step.

#include "frames/frames.h"
#include "frames/frames_tuning.h"

/// Depth of a body that nothing holds.
#define UNHELD (INT32_MAX / 2)

static bool movable(const FrFrames *f, const FrLocal *local) {
    return local->frame >= 0 && !f->frame.data[local->frame].kinematic;
}

// neither kinematic nor held in its place
static bool is_loose(const FrFrames *f, const FrLocal *local) {
    const FrBend *bend = local->frame < 0 ? NULL : f->frame.data[local->frame].part.bend;
    return movable(f, local) && !(bend && bend->held);
}

static bool add_local(FrFrames *f, FrFrameScratch *s, int32_t frame) {
    if (frame >= 0 && s->local_of.data[frame]) return true;
    if (frame >= 0) s->local_of.data[frame] = s->local.count;
    FrLocal local = {.frame = frame, .q = fr_quat_identity, .R = fr_mat3_identity};
    FrRowBody body = {.inv_mass = 0.0};
    return fr_array_push(f->ctx, &s->local, local) && fr_array_push(f->ctx, &s->body, body);
}

// number 0 is the world; kinematic frames that are near come along
static bool gather(FrFrames *f, const FrFrameIsland *island, FrFrameScratch *s) {
    s->local.count = s->body.count = 0;
    if (s->local_of.count < f->frame.count &&
        !fr_array_extend(f->ctx, &s->local_of, f->frame.count - s->local_of.count))
        return false;
    bool good = add_local(f, s, -1);
    for (int32_t k = 0; good && k < island->count; k++)
        good = add_local(f, s, f->island_frame.data[island->first + k]);
    for (int32_t k = 0; good && k < island->pairs; k++) {
        const FrFramePair *pair = &f->pair.data[f->island_pair.data[island->first_pair + k]];
        good = add_local(f, s, pair->a) && (pair->b < 0 || add_local(f, s, pair->b));
    }
    for (int32_t k = 0; good && k < island->joints; k++) {
        const FrJoint *joint = &f->joint.data[f->island_joint.data[island->first_joint + k]];
        good = add_local(f, s, joint->a) && (joint->b < 0 || add_local(f, s, joint->b));
    }
    return good;
}

static bool relax(FrFrameScratch *s, int32_t a, int32_t b) {
    int32_t *da = &s->local.data[s->local_of.data[a]].depth;
    int32_t *db = &s->local.data[b < 0 ? 0 : s->local_of.data[b]].depth;
    int32_t was_a = *da, was_b = *db;
    *da = fr_min_i(was_a, was_b + 1);
    *db = fr_min_i(was_b, was_a + 1);
    return *da != was_a || *db != was_b;
}

// How far each body is from what holds it, by what touched last: along all pairs and joints, there
// and back in turn, until nothing gets nearer. In stacks that were built upwards two passes do.
static void find_depths(const FrFrames *f, const FrFrameIsland *island, FrFrameScratch *s) {
    int32_t links = island->pairs + island->joints;
    for (int32_t k = 0; k < s->local.count; k++)
        s->local.data[k].depth = is_loose(f, &s->local.data[k]) ? UNHELD : 0;
    bool nearer = true;
    for (int32_t pass = 0; nearer; pass++) {
        nearer = false;
        for (int32_t i = 0; i < links; i++) {
            int32_t k = pass & 1 ? links - 1 - i : i, j = k - island->pairs;
            if (j < 0) {
                const FrFramePair *p = &f->pair.data[f->island_pair.data[island->first_pair + k]];
                nearer |= p->touched && relax(s, p->a, p->b);
            } else {
                const FrJoint *p = &f->joint.data[f->island_joint.data[island->first_joint + j]];
                nearer |= relax(s, p->a, p->b);
            }
        }
    }
    s->depth = 0;
    for (int32_t k = 0; k < s->local.count; k++)
        if (s->local.data[k].depth < UNHELD) s->depth = fr_max_i(s->depth, s->local.data[k].depth);
}

static void forget_locals(FrFrameScratch *s) {
    for (int32_t k = 1; k < s->local.count; k++) s->local_of.data[s->local.data[k].frame] = 0;
}

// where everything is when the substep begins
static void begin(FrFrames *f, FrFrameScratch *s, int32_t sub) {
    for (int32_t k = 1; k < s->local.count; k++) {
        FrLocal *local = &s->local.data[k];
        FrRowBody *body = &s->body.data[k];
        const FrFrame *frame = &f->frame.data[local->frame];
        const FrRigid *r = frame->part.rigid;
        if (frame->kinematic) {
            const FrKinematicPose *pose =
                &f->kinematic.data[(size_t)sub * (size_t)f->frame.count + (size_t)local->frame];
            local->x = pose->x;
            local->q = pose->q;
            local->R = fr_quat_mat3(pose->q);
            *body = (FrRowBody){.v = pose->v, .w = pose->w};
        } else {
            local->x = r->x;
            *body = (FrRowBody){.v = r->v, .inv_mass = 1.0 / r->mass};
            fr_frames_turned(local, body, r);
        }
        local->shape = frame->shape;
        local->shape.R = local->R;
        local->shape.x = fr_add(local->x, fr_mat3_apply(local->R, frame->centre));
        local->elapsed = 0.0;
        local->shift = local->twist = fr_vec3_zero;
        local->free = false;
    }
    fr_frames_bend_begin(f, s);
}

// nothing moves by more than a little, nothing is kinematic, nothing is joined
static bool is_steady(const FrFrames *f, const FrFrameIsland *island, const FrFrameScratch *s) {
    double span = f->h * f->substeps;
    if (island->joints || island->meshes || s->bends || f->pull.count) return false;
    for (int32_t k = 1; k < s->local.count; k++) {
        const FrFrame *frame = &f->frame.data[s->local.data[k].frame];
        const FrRowBody *body = &s->body.data[k];
        double speed = fr_length(body->v) + fr_length(body->w) * frame->shape.radius;
        if (frame->kinematic ? speed > 0.0 : span * speed > FR_STEADY * frame->size) return false;
    }
    return true;
}

// what the arm of a body is about to move by until the substep ends, m
static inline FrVec3 to_move(const FrRowBody *body, FrVec3 arm, double h) {
    FrVec3 move = fr_axpy(h, body->v, body->move), turn = fr_axpy(h, body->w, body->turn);
    return fr_add(move, fr_cross(turn, arm));
}

// the same rows go on: gaps change as the bodies are about to move
static void carry_gaps(const FrFrames *f, FrFrameScratch *s) {
    for (int32_t k = 0; k < s->row.count; k++) {
        FrRow *row = &s->row.data[k];
        FrRowOrigin *origin = &s->origin.data[k];
        FrVec3 a = to_move(&s->body.data[row->a], row->ra, f->h);
        FrVec3 b = to_move(&s->body.data[row->b], row->rb, f->h);
        origin->gap += fr_dot(row->axis[0], fr_sub(a, b));
        row->error[0] = fr_frames_error(origin->gap, origin->slop);
    }
}

static void begin_again(FrFrames *f, FrFrameScratch *s) {
    for (int32_t k = 1; k < s->local.count; k++) {
        FrLocal *local = &s->local.data[k];
        FrRowBody *body = &s->body.data[k];
        if (!movable(f, local)) continue;
        const FrRigid *r = f->frame.data[local->frame].part.rigid;
        local->x = r->x;
        local->q = r->q;
        body->v = r->v;
        body->move = body->turn = fr_vec3_zero;
        local->free = false;
    }
    s->contacts += s->row.count;
}

// for how long gravity acts on a body, s
static double falls_for(const FrFrames *f, const FrLocal *local) {
    return local->free ? f->h - local->elapsed : f->h;
}

// gravity and forces for what is left of the substep
static void push(FrFrames *f, FrFrameScratch *s) {
    for (int32_t k = 1; k < s->local.count; k++) {
        FrLocal *local = &s->local.data[k];
        FrRowBody *body = &s->body.data[k];
        if (!is_loose(f, local)) continue;
        const FrRigid *r = f->frame.data[local->frame].part.rigid;
        local->v_flight = body->v;
        body->v = fr_axpy(falls_for(f, local), f->gravity, body->v);
        body->v = fr_axpy(f->h * body->inv_mass, r->force, body->v);
        body->w = fr_axpy(f->h, fr_sym3_apply(body->inv_inertia, r->torque), body->w);
    }
}

// Work and impulse of that, with the mean of the velocities before and after all of it and the
// rows: what rests gets nothing from its weight and gives nothing to what it rests on.
static void book_push(FrFrames *f, FrFrameScratch *s) {
    for (int32_t k = 1; k < s->local.count; k++) {
        const FrLocal *local = &s->local.data[k];
        const FrRowBody *body = &s->body.data[k];
        if (!movable(f, local)) continue;
        const FrFrameParts *part = &f->frame.data[local->frame].part;
        FrRigid *r = part->rigid;
        if (!is_loose(f, local)) {
            r->force = r->torque = fr_vec3_zero;
            continue;
        }
        FrVec3 weight = fr_scale(falls_for(f, local) * r->mass, f->gravity);
        FrVec3 v = fr_scale(0.5, fr_add(local->v_before, body->v));
        FrVec3 w = fr_scale(0.5, fr_add(local->w_before, body->w));
        *part->outer_work += fr_dot(weight, v);
        *part->outer_impulse = fr_add(*part->outer_impulse, weight);
        *part->contact_work += f->h * (fr_dot(r->force, v) + fr_dot(r->torque, w));
        r->force = r->torque = fr_vec3_zero;
    }
}

static FrVec3 last_force(const FrFrames *f, const FrRow *row, const FrRowOrigin *origin) {
    if (origin->pair >= 0) return f->pair.data[origin->pair].point[origin->point].force;
    const FrJoint *joint = &f->joint.data[origin->point];
    return row->kind == FR_ROW_AXIS ? joint->torque : joint->force;
}

// Gaps may close within what is left of the substep, not more; begin with the last forces. Returns
// how many rows touch but have no force to begin with.
static int32_t set_targets(FrFrames *f, FrFrameScratch *s) {
    double near = f->h * fr_frames_slow(f);
    int32_t cold = 0;
    for (int32_t k = 0; k < s->row.count; k++) {
        FrRow *row = &s->row.data[k];
        const FrLocal *a = &s->local.data[row->a], *b = &s->local.data[row->b];
        bool push_or_pull = row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING;
        double now = fr_max(a->elapsed, b->elapsed),
               left = fr_max(f->h - now, FR_LEFT_LEAST * f->h);
        double gap = push_or_pull ? fr_frames_gap_at(f, s, k, now) : 0.0;
        if (now > 0.0 && push_or_pull) fr_frames_settle(s, row);
        row->target[0] = gap > 0.0 ? -gap / left : 0.0;
        row->target[1] = row->target[2] = 0.0;
        FrVec3 force = last_force(f, row, &s->origin.data[k]);
        for (int i = 0; i < 3; i++) row->lambda[i] = f->h * fr_dot(force, row->axis[i]);
        if (push_or_pull && row->lambda[0] < 0.0) row->lambda[0] = 0.0;
        if (row->kind == FR_ROW_STRING) row->lambda[1] = row->lambda[2] = 0.0;
        if (row->kind == FR_ROW_AXIS) row->lambda[2] = 0.0;
        cold += row->lambda[0] == 0.0 && !(s->origin.data[k].gap > near);
    }
    return cold;
}

static void remember(FrFrames *f, FrFrameScratch *s) {
    double per_h = 1.0 / f->h;
    for (int32_t k = 0; k < s->row.count; k++) {
        const FrRow *row = &s->row.data[k];
        const FrRowOrigin *origin = &s->origin.data[k];
        FrVec3 force = fr_scale(per_h, row->impulse);
        if (origin->pair < 0) {
            FrJoint *joint = &f->joint.data[origin->point];
            *(row->kind == FR_ROW_AXIS ? &joint->torque : &joint->force) = force;
            continue;
        }
        FrFramePoint *p = &f->pair.data[origin->pair].point[origin->point];
        p->force = force;
        if (row->lambda[0] > 0.0) f->pair.data[origin->pair].touched = FR_TOUCHED;
        // what friction holds does not slide
        double most = row->friction * row->lambda[0],
               rub2 = row->lambda[1] * row->lambda[1] + row->lambda[2] * row->lambda[2];
        p->slides = 0;
        if (!(most > 0.0) || rub2 < FR_RUBS_FULLY * most * most) continue;
        FrVec3 u = fr_row_velocity(s->body.data, row);
        p->slides = u.y * u.y + u.z * u.z > f->stick_speed * f->stick_speed;
    }
}

double fr_frames_tolerance(const FrFrames *f) {
    return fr_max(FR_SOLVED_SHARE * f->h * fr_length(f->gravity), FR_SOLVED_LEAST);
}

// Gauss-Seidel carries a weight down by as many bodies as the root of its sweeps, and takes longer
// with what tilts: with the cube stacks of 12 to 20 come to rest in the time that one of ten needs.
static int32_t hold_sweeps(const FrFrameScratch *s, bool cold) {
    if (s->row.count <= FR_FEW_ROWS || cold) return FR_HOLD_SWEEPS_MOST;
    double deep = fr_max((double)s->depth / FR_HOLD_DEPTH, 1.0);
    return (int32_t)fr_min(FR_HOLD_SWEEPS * deep * deep * deep, FR_HOLD_SWEEPS_MOST);
}

// rows, and what is pulled, in turn until neither changes the other any more
static void solve(FrFrames *f, FrFrameScratch *s, int32_t most, double t) {
    double enough = fr_frames_tolerance(f);
    bool pulls = fr_frames_pull_begin(f, s);
    if (pulls) (void)fr_frames_pull(f, s, t);
    s->sweeps += fr_rows_solve(s->body.data, s->row.data, s->row.count, most, enough).sweeps;
    if (!pulls) return;
    for (int round = 1; round < FR_PULL_ROUNDS && fr_frames_pull(f, s, t) > FR_PULL_EXACT; round++)
        s->sweeps += fr_rows_go_on(s->body.data, s->row.data, s->row.count, most, enough).sweeps;
    fr_frames_pull_book(f, s);
}

// all rows for what is left of the substep
static void hold(FrFrames *f, FrFrameScratch *s, double t, bool prepared) {
    // a fifth makes a cold start
    bool cold = 5 * set_targets(f, s) > s->row.count;
    fr_frames_note_velocities(s);
    push(f, s);
    fr_frames_bend_open(f, s);
    if (!prepared) fr_rows_prepare(s->body.data, s->row.data, s->row.count);
    int32_t most = hold_sweeps(s, cold);
    solve(f, s, most, t);
    book_push(f, s);
    fr_frames_book(f, s, s->row.data, s->row.count);
    remember(f, s);
}

// moves that are no velocities
static void correct(FrFrameScratch *s) {
    bool needed = false;
    for (int32_t k = 0; k < s->row.count && !needed; k++) {
        const FrRow *row = &s->row.data[k];
        bool push_or_pull = row->kind == FR_ROW_CONTACT || row->kind == FR_ROW_STRING;
        needed = push_or_pull ? row->error[0] > FR_CORRECT_LEAST
                              : fabs(row->error[0]) + fabs(row->error[1]) + fabs(row->error[2]) >
                                    FR_CORRECT_LEAST;
    }
    if (!needed) return;
    s->sweeps += fr_rows_correct(s->body.data, s->row.data, s->row.count, FR_CORRECT_SWEEPS,
                                 FR_CORRECT_EXACT)
                     .sweeps;
}

// to the end of the substep
static void move(FrFrames *f, FrFrameScratch *s, bool steady) {
    for (int32_t k = 1; k < s->local.count; k++) {
        FrLocal *local = &s->local.data[k];
        FrRowBody *body = &s->body.data[k];
        if (!is_loose(f, local)) continue;
        FrRigid *r = f->frame.data[local->frame].part.rigid;
        double left = f->h - local->elapsed;
        FrVec3 flight = fr_axpy(left, f->gravity, local->v_flight), v = body->v;
        // untouched in flight: the parabola is exact
        if (local->free && v.x == flight.x && v.y == flight.y && v.z == flight.z)
            v = fr_scale(0.5, fr_add(local->v_flight, v));
        r->v = body->v;
        r->x = fr_add(fr_axpy(left, v, local->x), body->move);
        fr_frames_turn(local, body, r, left, steady);
        if (fr_length2(body->turn) > 0.0)
            r->q = fr_quat_normalize(fr_quat_mul(fr_quat_from_rotation(body->turn), r->q));
    }
}

// Below which speed the island is at rest, m/s; 0: never, for something in it coasts: nothing leads
// from it to what is kinematic or never moves.
static double still_speed(const FrFrames *f, const FrFrameIsland *island, const FrFrameScratch *s) {
    double mu_s = 0.0, mu_d, e;
    for (int32_t k = 1; k < s->local.count; k++)
        if (s->local.data[k].depth == UNHELD) return 0.0;
    for (int32_t k = 0; k < island->pairs && !(mu_s > 0.0); k++) {
        const FrFramePair *pair = &f->pair.data[f->island_pair.data[island->first_pair + k]];
        if (pair->touched) fr_frames_pair_law(f, pair, &mu_s, &mu_d, &e);
    }
    return mu_s > 0.0 ? FR_STILL_SPEED : FR_STILL_SPEED_SMOOTH;
}

double fr_frame_speed(const FrFrame *frame) {
    const FrRigid *r = frame->part.rigid;
    double speed = fr_max(fr_length(r->v), fr_length(fr_rigid_spin(r)) * frame->shape.radius);
    return frame->part.bend ? fr_max(speed, fr_bend_fastest(frame->part.bend)) : speed;
}

void fr_frame_stop(FrFrame *frame) {
    FrRigid *rigid = frame->part.rigid;
    *frame->part.contact_work -= fr_rigid_kinetic(rigid);
    *frame->part.outer_impulse = fr_axpy(-rigid->mass, rigid->v, *frame->part.outer_impulse);
    rigid->v = rigid->L = fr_vec3_zero;
    FrBend *bend = frame->part.bend;
    if (!bend) return;
    *frame->part.contact_work -= fr_bend_kinetic(bend);
    for (int32_t m = 0; m < bend->count; m++) bend->v[m] = 0.0;
}

// A ball that touches one thing only rolls on: nothing brakes it.
static bool rolls_freely(const FrFrames *f, const FrFrameIsland *island, int32_t frame) {
    int32_t touches = 0;
    if (f->frame.data[frame].shape.kind != FR_COLLIDER_SPHERE) return false;
    for (int32_t k = 0; k < island->pairs; k++) {
        const FrFramePair *pair = &f->pair.data[f->island_pair.data[island->first_pair + k]];
        touches += pair->touched && (pair->a == frame || pair->b == frame);
    }
    return touches == 1;
}

static void note_still(FrFrames *f, const FrFrameIsland *island, const FrFrameScratch *s) {
    double least = HUGE_VAL, span = f->h * f->substeps, rest = still_speed(f, island, s);
    const int32_t *member = f->island_frame.data + island->first;
    for (int32_t k = 0; k < island->count; k++) {
        FrFrame *frame = &f->frame.data[member[k]];
        double speed = fr_frame_speed(frame);
        bool still = speed < rest;
        if (still && speed >= FR_STILL_SPEED_SMOOTH) still = !rolls_freely(f, island, member[k]);
        frame->still = still ? frame->still + span : 0.0;
        least = fr_min(least, frame->still);
    }
    if (!(f->sleep_time > 0.0 && least >= f->sleep_time)) return;
    for (int32_t k = 0; k < island->count; k++) {
        FrFrame *frame = &f->frame.data[member[k]];
        fr_frame_stop(frame);
        frame->asleep = true;
    }
}

// one substep; `again`: with the rows of the last one. True when the next can go on like that
static bool substep(FrFrames *f, const FrFrameIsland *island, FrFrameScratch *s, int32_t sub,
                    bool again) {
    double t = f->t + sub * f->h;
    if (again) {
        begin_again(f, s);
    } else {
        begin(f, s, sub);
        fr_frames_contacts(f, island, s);
    }
    bool steady = again || is_steady(f, island, s);
    int64_t rounds = s->rounds;
    if (!s->failed) fr_frames_impacts(f, s, t);
    if (s->failed) return false;
    steady = steady && s->rounds == rounds;
    hold(f, s, t, again && steady);
    correct(s);
    fr_frames_gather(f, island, s);
    fr_frames_bend_close(f, s);
    if (steady) carry_gaps(f, s);
    move(f, s, steady);
    fr_frames_samples(f, island, s, t + f->h, f->flush && sub + 1 == f->substeps);
    return steady;
}

void fr_frames_step_island(FrFrames *f, const FrFrameIsland *island, FrFrameScratch *s) {
    if (s->failed || !gather(f, island, s)) {
        // nothing of a gathering that broke off may be left
        for (int32_t k = 0; k < s->local_of.count; k++) s->local_of.data[k] = 0;
        s->failed = true;
        return;
    }
    find_depths(f, island, s);
    bool steady = false;
    for (int32_t sub = 0; sub < f->substeps && !s->failed; sub++)
        steady = substep(f, island, s, sub, steady);
    note_still(f, island, s);
    forget_locals(s);
}
