// rigid_piece.h: rigid pieces of a deformable body, for the files that make them, move them and
// hang them on contacts.
#pragma once
#include "fem/body.h"

// numbers of rigid_of
#define FR_STANDS 1
#define FR_FIRST_RIGID 2

// of `held`: not by a support, but at rest (rest.c)
#define FR_RESTING 2
// likewise, but with all of its piece (fr_fem_stand)
#define FR_STANDING 3
// likewise, drawn together where its piece left as dust (fr_fem_shrink)
#define FR_LEFT 5

/// The nodes of a piece.
typedef struct FrRigidPieceNodes {
    const int32_t *node;
    int32_t count;
} FrRigidPieceNodes;
/// Those of rigid piece k.
FrRigidPieceNodes fr_rigid_piece_nodes(const FrFem *fem, int32_t k);
/// Nothing brakes what is rigid: mass damping is of the deforming part.
void fr_rigid_pieces_free_of_drag(FrFem *fem);
bool fr_rigid_piece_sleeps(const FrFem *fem, int32_t k);

/// All tets of a piece.
typedef struct FrPieceTets {
    const int32_t *tet;
    int32_t count;
} FrPieceTets;
/// Is it a row of the table for each of them? Stops the program if not.
void fr_fem_check_change(const FrFem *fem, FrPieceTets piece, FrPieceState to, FrPieceCause cause);
/// They do something else from now on, if it is such a row. What becomes rigid has the number of
/// the next rigid piece.
void fr_fem_change(FrFem *fem, FrPieceTets piece, FrPieceState to, FrPieceCause cause);
/// The same for all tets in a state, and for those of rigid piece k.
void fr_fem_change_all(FrFem *fem, FrPieceState from, FrPieceState to, FrPieceCause cause);
void fr_fem_change_rigid(FrFem *fem, int32_t k, FrPieceState to, FrPieceCause cause);

/// How a piece moves.
typedef struct FrRigidPieceMotion {
    double mass;            ///< kg
    FrMat3 inertia;         ///< about the centre, kg m^2
    FrVec3 centre, v, turn; ///< turn: angular momentum about the centre, kg m^2/s
    FrVec3 spin;            ///< rad/s
} FrRigidPieceMotion;
/// The rigid motion with the momentum and angular momentum that its nodes have.
FrRigidPieceMotion fr_rigid_piece_motion(const FrFem *fem, FrRigidPieceNodes piece);
/// Velocities of its nodes.
void fr_rigid_piece_set_motion(FrFem *fem, FrRigidPieceNodes piece,
                               const FrRigidPieceMotion *motion);
double fr_rigid_piece_kinetic(const FrFem *fem, FrRigidPieceNodes piece); ///< J

/// All that the ledger has of the body, J.
double fr_fem_ledger(FrFem *fem, FrVec3 gravity);

/// What nodes give up when they stop.
typedef struct FrStop {
    double energy;   ///< kinetic, J
    FrVec3 momentum; ///< kg m/s
} FrStop;
/// The node stays where it is, held at rest: gravity and the support that holds it balance.
void fr_stop_node(FrFem *fem, int32_t node, FrStop *stop);
