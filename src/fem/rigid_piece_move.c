// rigid_piece_move.c: rigid pieces of a deformable body: how they turn, come to rest, sleep and
// wake.

#include "fem/rigid_piece.h"

FrRigidPieceNodes fr_rigid_piece_nodes(const FrFem *fem, int32_t k) {
    int32_t begin = k ? fem->state.pieces.end.data[k - 1] : 0;
    return (FrRigidPieceNodes){fem->state.pieces.node.data + begin,
                               fem->state.pieces.end.data[k] - begin};
}

// inertia of masses about `centre`, kg m^2
static FrMat3 inertia_of(const FrFem *fem, FrRigidPieceNodes piece, FrVec3 centre) {
    FrMat3 I = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero};
    for (int32_t k = 0; k < piece.count; k++) {
        FrVec3 r = fr_sub(fr_get3(fem->state.p, piece.node[k]), centre);
        double m = fem->scratch.mass[piece.node[k]], r2 = fr_dot(r, r);
        I.c0 = fr_add(I.c0, fr_vec3(m * (r2 - r.x * r.x), -m * r.x * r.y, -m * r.x * r.z));
        I.c1 = fr_add(I.c1, fr_vec3(-m * r.x * r.y, m * (r2 - r.y * r.y), -m * r.y * r.z));
        I.c2 = fr_add(I.c2, fr_vec3(-m * r.x * r.z, -m * r.y * r.z, m * (r2 - r.z * r.z)));
    }
    return I;
}

FrRigidPieceMotion fr_rigid_piece_motion(const FrFem *fem, FrRigidPieceNodes piece) {
    FrRigidPieceMotion m = {0};
    for (int32_t k = 0; k < piece.count; k++) {
        double mass = fem->scratch.mass[piece.node[k]];
        m.mass += mass;
        m.centre = fr_axpy(mass, fr_get3(fem->state.p, piece.node[k]), m.centre);
        m.v = fr_axpy(mass, fr_get3(fem->state.v, piece.node[k]), m.v);
    }
    m.centre = fr_scale(1.0 / m.mass, m.centre);
    m.v = fr_scale(1.0 / m.mass, m.v);
    for (int32_t k = 0; k < piece.count; k++) {
        FrVec3 r = fr_sub(fr_get3(fem->state.p, piece.node[k]), m.centre);
        FrVec3 w = fr_sub(fr_get3(fem->state.v, piece.node[k]), m.v);
        m.turn = fr_axpy(fem->scratch.mass[piece.node[k]], fr_cross(r, w), m.turn);
    }
    m.inertia = inertia_of(fem, piece, m.centre);
    m.spin = fr_mat3_apply(fr_mat3_inverse(m.inertia), m.turn);
    return m;
}

double fr_rigid_piece_kinetic(const FrFem *fem, FrRigidPieceNodes piece) {
    double sum = 0.0;
    for (int32_t k = 0; k < piece.count; k++) {
        FrVec3 v = fr_get3(fem->state.v, piece.node[k]);
        sum += 0.5 * fem->scratch.mass[piece.node[k]] * fr_dot(v, v);
    }
    return sum;
}

void fr_rigid_piece_set_motion(FrFem *fem, FrRigidPieceNodes piece, const FrRigidPieceMotion *m) {
    for (int32_t k = 0; k < piece.count; k++) {
        FrVec3 r = fr_sub(fr_get3(fem->state.p, piece.node[k]), m->centre);
        fr_set3(fem->state.v, piece.node[k], fr_add(m->v, fr_cross(m->spin, r)));
    }
}

// Nodes were kicked one by one and moved by dt v. The piece turns instead, with the momenta that
// its nodes have together; what its nodes then have less of kinetic energy is work that the forces
// on them did not do: mean velocities of a rigid motion are at right angles to what was left out.
static void move_piece(FrFem *fem, FrRigidPieceNodes piece, double dt) {
    double before = fr_rigid_piece_kinetic(fem, piece);
    for (int32_t k = 0; k < piece.count; k++)
        fr_set3(fem->state.p, piece.node[k],
                fr_axpy(-dt, fr_get3(fem->state.v, piece.node[k]),
                        fr_get3(fem->state.p, piece.node[k])));
    FrRigidPieceMotion m = fr_rigid_piece_motion(fem, piece);
    FrMat3 R = fr_quat_mat3(fr_quat_from_rotation(fr_scale(dt, m.spin)));
    FrVec3 to = fr_axpy(dt, m.v, m.centre);
    for (int32_t k = 0; k < piece.count; k++) {
        FrVec3 r = fr_sub(fr_get3(fem->state.p, piece.node[k]), m.centre);
        fr_set3(fem->state.p, piece.node[k], fr_add(to, fr_mat3_apply(R, r)));
    }
    m.centre = to;
    m.spin = fr_mat3_apply(fr_mat3_inverse(inertia_of(fem, piece, to)), m.turn);
    fr_rigid_piece_set_motion(fem, piece, &m);
    fem->state.works.contact -= before - fr_rigid_piece_kinetic(fem, piece);
}

void fr_fem_move_rigid(FrFem *fem, double dt) {
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++)
        if (!fr_rigid_piece_sleeps(fem, k)) move_piece(fem, fr_rigid_piece_nodes(fem, k), dt);
}

void fr_stop_node(FrFem *fem, int32_t n, FrStop *stop) {
    FrVec3 v = fr_get3(fem->state.v, n), p = fr_scale(fem->scratch.mass[n], v);
    if (fem->state.held[n]) return; // by a support, or another tet of the piece had it already
    stop->energy += 0.5 * fr_dot(p, v);
    stop->momentum = fr_add(stop->momentum, p);
    fr_fem_hold(fem, n);
    fr_set3(fem->state.v, n, fr_vec3_zero);
}

FrResult fr_fem_mark_places(FrFem *fem) {
    size_t count = 3 * (size_t)fem->state.node_count;
    fem->scratch.loose.from.count = 0;
    if (!fr_array_extend(fem->ctx, &fem->scratch.loose.from, (int32_t)count))
        return fr_no_memory(fem->ctx, "places of pieces");
    memcpy(fem->scratch.loose.from.data, fem->state.p, count * sizeof *fem->state.p);
    return FR_OK;
}

// how far its nodes went since their places were marked, m
static double way_of(const FrFem *fem, FrRigidPieceNodes piece) {
    double most = 0.0;
    for (int32_t k = 0; k < piece.count; k++) {
        int32_t n = piece.node[k];
        if (3 * n >= fem->scratch.loose.from.count) return HUGE_VAL; // it came off just now
        most = fr_max(
            most, fr_distance(fr_get3(fem->state.p, n), fr_get3(fem->scratch.loose.from.data, n)));
    }
    return most;
}

double fr_fem_note_still(FrFem *fem, double span, double limit) {
    double least = HUGE_VAL;
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++) {
        double *still = &fem->state.pieces.still.data[k];
        *still = way_of(fem, fr_rigid_piece_nodes(fem, k)) < limit * span ? *still + span : 0.0;
        least = fr_min(least, *still);
    }
    return least;
}

double fr_fem_still(const FrFem *fem, int32_t tet) {
    int32_t number = fem->scratch.rigid_of[tet] - FR_FIRST_RIGID;
    if (!fem->scratch.is_rigid[tet] && !fem->scratch.rests) return 0.0;
    return number < 0 ? HUGE_VAL : fem->state.pieces.still.data[number];
}

double fr_fem_piece_mass(const FrFem *fem, int32_t tet) {
    int32_t number = fem->scratch.rigid_of[tet] - FR_FIRST_RIGID;
    double mass = 0.0;
    if (number < 0) return 0.0;
    FrRigidPieceNodes piece = fr_rigid_piece_nodes(fem, number);
    for (int32_t k = 0; k < piece.count; k++) mass += fem->scratch.mass[piece.node[k]];
    return mass;
}

double fr_fem_piece_give(const FrFem *fem, int32_t tet, FrVec3 x, FrVec3 n) {
    int32_t number = fem->scratch.rigid_of[tet] - FR_FIRST_RIGID;
    if (number < 0) return 0.0;
    FrRigidPieceMotion m = fr_rigid_piece_motion(fem, fr_rigid_piece_nodes(fem, number));
    FrVec3 arm = fr_cross(fr_sub(x, m.centre), n);
    return 1.0 / m.mass + fr_dot(arm, fr_mat3_apply(fr_mat3_inverse(m.inertia), arm));
}

void fr_fem_fall_asleep(FrFem *fem, double after) {
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++) {
        if (!(fem->state.pieces.still.data[k] >= after) ||
            fem->scratch.springs.piece.data[k].restless || fr_rigid_piece_sleeps(fem, k))
            continue;
        fr_fem_change_rigid(fem, k, FR_PIECE_ASLEEP, FR_CAUSE_SLOW);
        FrRigidPieceNodes piece = fr_rigid_piece_nodes(fem, k);
        FrStop stop = {0};
        for (int32_t j = 0; j < piece.count; j++) fr_stop_node(fem, piece.node[j], &stop);
        fem->state.works.contact -= stop.energy;
        fem->state.works.impulse = fr_sub(fem->state.works.impulse, stop.momentum);
        fem->scratch.current = false;
    }
}

static void wake(FrFem *fem, int32_t k) {
    if (!fr_rigid_piece_sleeps(fem, k)) return;
    fr_fem_change_rigid(fem, k, FR_PIECE_RIGID, FR_CAUSE_TOUCHED);
    FrRigidPieceNodes piece = fr_rigid_piece_nodes(fem, k);
    fem->state.pieces.still.data[k] = 0.0;
    for (int32_t j = 0; j < piece.count; j++) fr_fem_release(fem, piece.node[j]);
}

void fr_fem_wake(FrFem *fem, int32_t tet) {
    if (fem->scratch.rigid_of[tet] >= FR_FIRST_RIGID)
        wake(fem, fem->scratch.rigid_of[tet] - FR_FIRST_RIGID);
}

void fr_fem_wake_all(FrFem *fem) {
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++) wake(fem, k);
}
