// stiff.h: rigid pieces of a deformable body, for the files that make them, move them and hang them
// on contacts.
#pragma once
#include "fem/body.h"

// numbers of rigid_of
#define FR_STANDS 1
#define FR_FIRST_RIGID 2

// of `held`: not by a hand, but at rest (rest.c)
#define FR_RESTING 2
// likewise, but with all of its piece (fr_fem_stand)
#define FR_STANDING 3

/// The nodes of a piece.
typedef struct FrStiffNodes {
    const int32_t *node;
    int32_t count;
} FrStiffNodes;
/// Those of rigid piece k.
FrStiffNodes fr_stiff_nodes(const FrFem *fem, int32_t k);
bool fr_stiff_sleeps(const FrFem *fem, int32_t k);

/// How a piece moves.
typedef struct FrStiffMotion {
    double mass;            ///< kg
    FrMat3 inertia;         ///< about the centre, kg m^2
    FrVec3 centre, v, turn; ///< turn: angular momentum about the centre, kg m^2/s
    FrVec3 spin;            ///< rad/s
} FrStiffMotion;
/// The rigid motion with the momentum and angular momentum that its nodes have.
FrStiffMotion fr_stiff_motion(const FrFem *fem, FrStiffNodes piece);
/// Velocities of its nodes.
void fr_stiff_set_motion(FrFem *fem, FrStiffNodes piece, const FrStiffMotion *motion);
double fr_stiff_kinetic(const FrFem *fem, FrStiffNodes piece); ///< J

/// All that the ledger has of the body, J.
double fr_fem_ledger(FrFem *fem, FrVec3 gravity);

/// What nodes give up when they stop.
typedef struct FrStop {
    double energy;   ///< kinetic, J
    FrVec3 momentum; ///< kg m/s
} FrStop;
/// The node stays where it is, held at rest: gravity and the hand that holds it balance.
void fr_stop_node(FrFem *fem, int32_t node, FrStop *stop);
