// corot_flight.c: how corot bodies that nothing holds fly and turn as if they were rigid, with
// their momenta.

#include "corot/corot_step.h"
#include <string.h>

// where the step begins, whatever was shown since
void fr_corot_go_back(FrCorot *b) {
    size_t bytes = 3 * (size_t)b->node_count * sizeof(double);
    if (!b->began.shown) return;
    memcpy(b->p, b->began.p, bytes);
    memcpy(b->v, b->began.v, bytes);
    b->began.shown = false;
}

bool fr_corot_any_held(const FrCorot *b) {
    for (int32_t n = 0; n < b->node_count; n++)
        if (b->held[n]) return true;
    return false;
}

FrCorotRigid fr_corot_rigid_of(const FrCorot *b) {
    FrCorotRigid r = {.inertia = fr_mat3_zero};
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

static FrVec3 spin_of(const FrCorotRigid *r, FrMat3 turned) {
    FrMat3 I = fr_mat3_mul(turned, fr_mat3_mul(r->inertia, fr_mat3_transpose(turned)));
    return fr_mat3_apply(fr_mat3_inverse(I), r->turn);
}

// with its momenta; the spin of the middle of the way is that of its inertia there
FrCorotFlight fr_corot_fly(const FrCorotRigid *r, double dt) {
    FrVec3 spin = spin_of(r, fr_mat3_identity);
    FrMat3 half = fr_quat_mat3(fr_quat_from_rotation(fr_scale(0.5 * dt, spin)));
    FrVec3 middle = spin_of(r, half);
    FrCorotFlight f = {.centre = fr_axpy(dt, r->v, r->centre), .v = r->v};
    f.turned = fr_quat_mat3(fr_quat_from_rotation(fr_scale(dt, middle)));
    f.spin = spin_of(r, f.turned);
    f.rolled = 0.5 * (fr_dot(r->turn, f.spin) - fr_dot(r->turn, spin));
    return f;
}

// its nodes go there; how their velocities depart from a rigid motion turns with them
void fr_corot_move_nodes(FrCorot *b, const FrCorotRigid *r, const FrCorotFlight *f) {
    FrVec3 spin = spin_of(r, fr_mat3_identity);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 a = fr_sub(fr_get3(b->p, n), r->centre), to = fr_mat3_apply(f->turned, a);
        FrVec3 w = fr_sub(fr_get3(b->v, n), fr_add(r->v, fr_cross(spin, a)));
        fr_set3(b->p, n, fr_add(f->centre, to));
        fr_set3(b->v, n, fr_add(fr_mat3_apply(f->turned, w), fr_add(f->v, fr_cross(f->spin, to))));
    }
}

// what its tets know of their turn
void fr_corot_turn_tets(FrCorot *b, const FrMat3 *Q) {
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
FrVec3 fr_corot_departs(const FrCorot *b, int32_t n, const FrCorotFlight *f) {
    FrVec3 a = fr_sub(fr_get3(b->p, n), f->centre);
    return fr_sub(fr_get3(b->v, n), fr_add(f->v, fr_cross(f->spin, a)));
}

void fr_corot_predict(FrCorot *b, double dt, FrVec3 gravity) {
    size_t bytes = 3 * (size_t)b->node_count * sizeof(double);
    bool held = fr_corot_any_held(b);
    FrVec3 push = fr_vec3_zero, turn = fr_vec3_zero;
    if (!(dt > 0.0)) {
        memset(b->contact, 0, bytes);
        return;
    }
    if (!b->began.shown) {
        memcpy(b->began.p, b->p, bytes);
        memcpy(b->began.v, b->v, bytes);
    }
    b->began.shown = true;
    FrCorotRigid r = fr_corot_rigid_of(b);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 J = fr_scale(dt, fr_get3(b->contact, n));
        push = fr_add(push, J);
        turn = fr_add(turn, fr_cross(fr_sub(fr_get3(b->p, n), r.centre), J));
        fr_add3(b->given, n, J);
    }
    memset(b->contact, 0, bytes);
    FrCorotFlight f = fr_corot_fly(&r, dt);
    if (!held && !b->linear) fr_corot_move_nodes(b, &r, &f);
    FrVec3 spin = held ? fr_vec3_zero : fr_mat3_apply(fr_mat3_inverse(r.inertia), turn);
    FrVec3 kick = held ? fr_vec3_zero : fr_axpy(1.0 / b->total, push, fr_scale(dt, gravity));
    FrVec3 centre = held || b->linear ? r.centre : f.centre;
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 more = fr_add(kick, fr_cross(spin, fr_sub(fr_get3(b->p, n), centre)));
        if (b->held[n])
            fr_set3(b->v, n, fr_get3(b->drive, n));
        else
            fr_add3(b->v, n, more);
        FrVec3 v = held || b->linear ? fr_get3(b->v, n) : fr_corot_departs(b, n, &f);
        fr_add3(b->p, n, fr_scale(dt, v));
    }
}

FrCorotTurn fr_corot_turn_of(const FrCorot *b, const double *w, double dt) {
    FrCorotTurn t = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero, fr_mat3_identity};
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
void fr_corot_move_by(FrCorot *b, const double *w, const FrCorotTurn *turn, double dt, double *d) {
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
double fr_corot_turn_velocities(FrCorot *b, const FrCorotTurn *turn, const FrCorotRigid *before) {
    FrCorotRigid now = fr_corot_rigid_of(b);
    FrVec3 spin = spin_of(before, fr_mat3_identity);
    now.turn = before->turn;
    FrVec3 after = spin_of(&now, fr_mat3_identity);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 a = fr_sub(fr_get3(b->p, n), now.centre);
        FrVec3 was = fr_sub(fr_sub(fr_get3(b->q, n), fr_get3(b->began.p, n)), turn->centre);
        FrVec3 bends = fr_sub(fr_get3(b->v, n), fr_add(before->v, fr_cross(spin, was)));
        fr_set3(b->v, n,
                fr_add(fr_mat3_apply(turn->turned, bends), fr_add(before->v, fr_cross(after, a))));
    }
    return 0.5 * fr_dot(before->turn, fr_sub(after, spin));
}

// momenta of a body about the centre that it had before the turn
FrCorotRigid fr_corot_momenta_of(const FrCorot *b, const FrCorotTurn *turn) {
    FrCorotRigid r = {.centre = turn->centre, .inertia = fr_mat3_zero};
    for (int32_t n = 0; n < b->node_count; n++)
        r.v = fr_axpy(b->mass[n] / b->total, fr_get3(b->v, n), r.v);
    for (int32_t n = 0; n < b->node_count; n++) {
        FrVec3 a = fr_sub(fr_sub(fr_get3(b->q, n), fr_get3(b->began.p, n)), turn->centre);
        r.turn = fr_axpy(b->mass[n], fr_cross(a, fr_sub(fr_get3(b->v, n), r.v)), r.turn);
        r.inertia = fr_mat3_axpy(b->mass[n] * fr_length2(a), fr_mat3_identity, r.inertia);
        r.inertia = fr_mat3_axpy(-b->mass[n], fr_outer(a, a), r.inertia);
    }
    return r;
}
