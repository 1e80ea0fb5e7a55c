// release.h: what breaking sets free: impulses on the new faces that drive the pieces apart, with
// momentum exact and energy as budgeted.                                            [S7 3.3, M21]
#pragma once
#include "base/base.h"
#include "math/vec.h"

/// A new face between two pieces, world axes.
typedef struct FrReleaseFacet {
    int32_t a, b;  ///< pieces on either side
    double area;   ///< m^2
    FrVec3 x;      ///< middle, m
    FrVec3 n;      ///< unit, from a to b
    FrSym3 stress; ///< of the parent there, Pa
} FrReleaseFacet;

/// A piece, before and after.
typedef struct FrReleasePiece {
    double mass;          ///< kg
    FrVec3 x;             ///< centre of mass, m
    FrMat3 inv_inertia;   ///< world axes, 1/(kg m^2)
    FrVec3 v, w;          ///< m/s, rad/s: changed
    FrVec3 force, torque; ///< of all its facets, N, N m: set; they act for tau
} FrReleasePiece;

/// Factor tau (s) with which each facet's force acts: impulse -tau a s n on its piece a, + on b; 0
/// where nothing is set free. Facets in compression are left out. The kinetic energy of all pieces
/// rises by `energy` J (> 0), by less where the matter of a piece would gain more than `fastest`
/// m/s (root mean square; spin counts).
double fr_release(FrReleasePiece *piece, int32_t piece_count, const FrReleaseFacet *facet,
                  int32_t facet_count, double energy, double fastest);
/// Does this facet take part?
bool fr_release_pulls(const FrReleaseFacet *facet);
