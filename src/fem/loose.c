// loose.c: a body of rigid pieces only, or one at rest: each piece moves as a whole, by what pushes
// its nodes together, and nothing else does.
//
// Nodes are kicked and pieces then turned as in rigid_piece_move.c, but without a pass over every
// node for each sum: mass, centre and inertia of a piece are found once, where its way begins, and
// nodes are put where the piece has gone. What nodes have is the state; the rest follows from where
// they were at fr_fem_begin_loose.

#include "fem/rigid_piece.h"
#include <string.h>

/// Impulse and its moment about the centre of a piece, N s, N m s.
typedef struct Wrench {
    FrVec3 p, l;
} Wrench;

// most nodes are pushed by nothing
static inline void push(Wrench *w, FrVec3 r, FrVec3 impulse) {
    if (impulse.x == 0.0 && impulse.y == 0.0 && impulse.z == 0.0) return;
    w->p = fr_add(w->p, impulse);
    w->l = fr_add(w->l, fr_cross(r, impulse));
}

/// Of all that acts on a piece in a step.
typedef struct Pushes {
    Wrench contact, load, weight;
} Pushes;

static Pushes pushes_on(const FrFem *fem, FrRigidPieceNodes piece, const FrLooseMotion *m,
                        double dt, FrVec3 gravity) {
    double kick = fr_fem_kick_time(fem, dt);
    Pushes all = {.weight.p = fr_scale(kick * m->mass, gravity)};
    for (int32_t k = 0; k < piece.count; k++) {
        int32_t n = piece.node[k];
        FrVec3 r = fr_sub(fr_get3(fem->state.p, n), m->centre);
        push(&all.contact, r, fr_scale(dt, fr_get3(fem->state.contact, n)));
        push(&all.load, r, fr_scale(dt, fr_get3(fem->state.load, n)));
    }
    return all;
}

static FrMat3 turned(FrMat3 R, FrMat3 A) {
    return fr_mat3_mul(fr_mat3_mul(R, A), fr_mat3_transpose(R));
}

static double kinetic_of(const FrLooseMotion *m) {
    return 0.5 * m->mass * fr_dot(m->v, m->v) + 0.5 * fr_dot(m->spin, m->turn);
}

static void place_nodes(FrFem *fem, FrRigidPieceNodes piece, const FrLooseMotion *m) {
    FrMat3 R = fr_quat_mat3(m->q);
    for (int32_t k = 0; k < piece.count; k++) {
        int32_t n = piece.node[k];
        FrVec3 r = fr_mat3_apply(R, fr_sub(fr_get3(fem->scratch.loose.from.data, n), m->from));
        fr_set3(fem->state.p, n, fr_add(m->centre, r));
        fr_set3(fem->state.v, n, fr_add(m->v, fr_cross(m->spin, r)));
    }
}

static double work_of(const Wrench *w, FrVec3 v, FrVec3 spin) {
    return fr_dot(w->p, v) + fr_dot(w->l, spin);
}

// Works are impulses times mean velocities; what is left of the gain in kinetic energy is contact's
static void book(FrFem *fem, const Pushes *all, FrVec3 v, FrVec3 spin, double gained) {
    double weight = work_of(&all->weight, v, spin), load = work_of(&all->load, v, spin);
    fem->state.works.gravity += weight;
    fem->state.works.load += load;
    fem->state.works.contact += gained - weight - load;
    fem->state.works.impulse = fr_add(fem->state.works.impulse, fr_add(all->weight.p, all->load.p));
}

static void step_piece(FrFem *fem, int32_t k, double dt, FrVec3 gravity) {
    FrLooseMotion *m = &fem->scratch.loose.motion.data[k];
    FrRigidPieceNodes piece = fr_rigid_piece_nodes(fem, k);
    Pushes all = pushes_on(fem, piece, m, dt, gravity);
    double before = kinetic_of(m);
    FrVec3 v = m->v, spin = m->spin;
    FrVec3 sum = fr_add(fr_add(all.contact.p, all.load.p), all.weight.p);
    m->v = fr_axpy(1.0 / m->mass, sum, m->v);
    m->turn = fr_add(m->turn, fr_add(all.contact.l, all.load.l));
    m->spin = fr_mat3_apply(m->inverse, m->turn);
    v = fr_scale(0.5, fr_add(v, m->v)), spin = fr_scale(0.5, fr_add(spin, m->spin));
    m->centre = fr_axpy(dt, m->v, m->centre);
    m->q = fr_quat_normalize(fr_quat_mul(fr_quat_from_rotation(fr_scale(dt, m->spin)), m->q));
    m->inverse = turned(fr_quat_mat3(m->q), m->inverse_from);
    m->spin = fr_mat3_apply(m->inverse, m->turn);
    place_nodes(fem, piece, m);
    book(fem, &all, v, spin, kinetic_of(m) - before);
}

// what pushes nodes that stand or sleep goes into the supports that hold them
static void push_held(FrFem *fem, double dt) {
    for (int32_t n = 0; n < fem->state.node_count; n++)
        if (fem->state.held[n])
            fem->state.works.impulse =
                fr_axpy(-dt, fr_get3(fem->state.contact, n), fem->state.works.impulse);
}

FrResult fr_fem_begin_loose(FrFem *fem) {
    fem->scratch.loose.motion.count = fem->backup.motion.count = 0;
    if (!fr_array_extend(fem->ctx, &fem->scratch.loose.motion, fem->state.pieces.end.count) ||
        !fr_array_extend(fem->ctx, &fem->backup.motion, fem->state.pieces.end.count))
        return fr_no_memory(fem->ctx, "rigid pieces");
    FR_TRY(fr_fem_mark_places(fem));
    if (fem->scratch.rests && !fem->scratch.rest_known)
        fr_fem_evaluate(fem); // the energy that it keeps
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++) {
        FrRigidPieceMotion m = fr_rigid_piece_motion(fem, fr_rigid_piece_nodes(fem, k));
        FrMat3 inverse = fr_mat3_inverse(m.inertia);
        fem->scratch.loose.motion.data[k] = (FrLooseMotion){.mass = m.mass,
                                                            .from = m.centre,
                                                            .centre = m.centre,
                                                            .v = m.v,
                                                            .turn = m.turn,
                                                            .spin = m.spin,
                                                            .q = fr_quat_identity,
                                                            .inverse_from = inverse,
                                                            .inverse = inverse};
    }
    fem->scratch.loose.moves = true;
    return FR_OK;
}

bool fr_fem_stands(const FrFem *fem, int32_t tet) {
    bool stands = true;
    for (int i = 0; i < 4; i++) {
        int32_t n = fem->state.tet[tet][i];
        stands &= fem->state.held[n] != 0 && !(fr_length2(fr_get3(fem->state.drive, n)) > 0.0);
    }
    return stands;
}

void fr_fem_end_loose(FrFem *fem) { fem->scratch.loose.moves = false; }
bool fr_fem_moves_loose(const FrFem *fem) { return fem->scratch.loose.moves; }

void fr_fem_step_loose(FrFem *fem, double dt, FrVec3 gravity) {
    size_t size = 3 * (size_t)fem->state.node_count * sizeof(double);
    push_held(fem, dt);
    fem->scratch.sums = (FrNodeSums){0};
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++) {
        if (fr_rigid_piece_sleeps(fem, k)) continue;
        step_piece(fem, k, dt, gravity);
        fem->scratch.current = false;
        fem->scratch.sums.kinetic += kinetic_of(&fem->scratch.loose.motion.data[k]);
    }
    memset(fem->state.load, 0, size);
    memset(fem->state.contact, 0, size);
    if (!fem->scratch.rests) fem->scratch.energy = 0.0;
    fem->state.step_error = fem->scratch.watch.shift = fem->scratch.watch.jolt = 0.0;
    fem->state.last_dt = dt;
}

void fr_fem_backup_loose(FrFem *fem) {
    if (!fem->scratch.loose.motion.count) return; // at rest, without rigid pieces
    memcpy(fem->backup.motion.data, fem->scratch.loose.motion.data,
           (size_t)fem->scratch.loose.motion.count * sizeof *fem->scratch.loose.motion.data);
}

void fr_fem_restore_loose(FrFem *fem) {
    if (!fem->scratch.loose.motion.count) return;
    memcpy(fem->scratch.loose.motion.data, fem->backup.motion.data,
           (size_t)fem->scratch.loose.motion.count * sizeof *fem->scratch.loose.motion.data);
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++)
        if (!fr_rigid_piece_sleeps(fem, k))
            place_nodes(fem, fr_rigid_piece_nodes(fem, k), &fem->scratch.loose.motion.data[k]);
}
