// external.h: what callers push and grab between steps.
#pragma once
#include "base/array.h"
#include "fracas/body.h"

/// A point of a body.
typedef struct FrAnchor {
    FrVec3 place;      ///< of a frame: from the centre of mass, body axes; of a solid: at rest, m
    FrPoint at;        ///< of a solid, or of a frame that bends
    uint64_t topology; ///< of a solid, that `at` belongs to
} FrAnchor;

/// For one macro step.
typedef struct FrPush {
    FrBodyId body;
    FrAnchor at;
    FrVec3 force, torque; ///< N, N m
} FrPush;

typedef struct FrGrab {
    int32_t number; ///< of its id, less 1
    FrBodyId body;
    FrAnchor at;
    FrVec3 target;             ///< m
    double stiffness, damping; ///< N/m, N s/m
    double max_force;          ///< N
    FrPullKind kind;
    FrVec3 value; ///< m/s or m/s^2
    int32_t by_count;
    FrAnchor by[FR_PULL_POINTS];
    FrTrack track; ///< its own
    FrVec3 start;  ///< of the target on its track, m
    double until;  ///< s
    FrGrabReport report;
} FrGrab;

typedef struct FrExternal {
    FR_ARRAY(FrPush) push;
    FR_ARRAY(FrGrab) grab;
    FR_ARRAY(double) p, v; ///< scratch: nodes of a solid
} FrExternal;
