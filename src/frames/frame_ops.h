// frame_ops.h: what a row of the table of models gives so that its rigid frames are stepped
// together.
#pragma once
#include "math/vec.h"

struct FrBend;
struct FrRigid;
/// What steps rigid frames together (frames.h) needs of one.
typedef struct FrFrameParts {
    void *state;
    struct FrRigid *rigid;
    struct FrBend *bend;   ///< modes on top of it; NULL: none
    double *contact_work;  ///< of contact, less what kinematic bodies gave, J
    double *outer_work;    ///< of gravity and kinematic bodies, J
    FrVec3 *outer_impulse; ///< of gravity and what nothing moves, N s
    FrVec3 offset;         ///< centre of mass in mesh coordinates, m
    double volume;         ///< m^3
} FrFrameParts;

/// A rigid frame, stepped together with all others by rows.
typedef struct FrFrameOps {
    FrFrameParts (*parts)(void *state);
    bool bends;                 ///< its frames may have modes
    void (*place)(void *state); ///< put its nodes where the frame is
    /// What its spin does to its modes, for half of a macro step: before all else, and after it.
    /// NULL: nothing.
    void (*turning)(void *state, double dt, bool after);
    bool (*travels)(const void *state); ///< has it a track?
    /// rigid state of a kinematic one from t to t + dt: where its track says
    void (*follow)(const void *state, double t, double dt, struct FrRigid *rigid);
    /// a kinematic one stays where its rigid state is now
    void (*stay)(void *state);
    /// one that was kinematic is free; `fresh`: it sets out with the velocity it was made with
    void (*set_free)(void *state, bool fresh);
} FrFrameOps;
