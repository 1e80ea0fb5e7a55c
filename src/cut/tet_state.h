// tet_state.h: what decides that a tet tears, where cracks follow faces of the mesh.
#pragma once
#include "math/vec.h"

/// How a tet stands.
typedef struct FrTetState {
    double value;  ///< what tears at it, in the unit of the limit
    double limit;  ///< above which it tears
    FrVec3 normal; ///< of the plane that it would tear across, in its own axes
} FrTetState;

/// `stress`: elastic, in the axes of the tet, Pa; `limit`: of its material and its size, Pa; 0: it
/// does not tear. Pure, and asked by several workers at once.
typedef FrTetState FrTetJudge(FrSym3 stress, double limit);
