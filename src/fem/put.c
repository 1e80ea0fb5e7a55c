// put.c: nodes that a caller puts elsewhere, or gives other velocities. What that takes comes from
// outside: the works and impulses of loads have it.

#include "fem/rigid_piece.h"
#include <string.h>

// what is rigid stays so: the motion with the momenta that its nodes got
static void keep_rigid(FrFem *fem) {
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++) {
        if (fr_rigid_piece_sleeps(fem, k)) continue;
        FrRigidPieceNodes piece = fr_rigid_piece_nodes(fem, k);
        FrRigidPieceMotion motion = fr_rigid_piece_motion(fem, piece);
        fr_rigid_piece_set_motion(fem, piece, &motion);
    }
}

void fr_fem_put(FrFem *fem, const double *p, const double *v, FrVec3 gravity) {
    size_t size = 3 * (size_t)fem->state.node_count * sizeof(double);
    FrVec3 from, to, turn;
    fr_fem_land(fem);
    double before = fr_fem_ledger(fem, gravity);
    fr_fem_momentum(fem, &from, &turn);
    if (p) memcpy(fem->state.p, p, size);
    if (v) memcpy(fem->state.v, v, size);
    keep_rigid(fem);
    fem->scratch.current = false;
    fr_fem_momentum(fem, &to, &turn);
    fem->state.works.load += fr_fem_ledger(fem, gravity) - before;
    fem->state.works.impulse = fr_add(fem->state.works.impulse, fr_sub(to, from));
}
