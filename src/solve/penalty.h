// penalty.h: contact forces from overlaps: push, damp and rub, with the reaction on both sides [S6
// ch. 5, M11].
#pragma once
#include "contact/contact.h"

/// How the response sees one item: as something that has a velocity, an inverse mass and takes
/// forces.
typedef struct FrMover {
    void *state;
    FrVec3 (*velocity)(const void *state, FrPoint at, FrVec3 x);     ///< m/s
    double (*inverse_mass)(const void *state, FrPoint at, FrVec3 x); ///< 1/kg; 0: immovable
    void (*force)(void *state, FrPoint at, FrVec3 x, FrVec3 force);  ///< N
    double young;     ///< Pa; stiffness scale of its material; 0: rigid, take the other's
    double edge;      ///< mean edge, m; 0: take the other's
    double node_mass; ///< mean node mass, kg; 0: take the other's
    double friction_static, friction_dynamic, restitution; ///< combined by geometric mean
} FrMover;

typedef struct FrPenaltyOptions {
    double stiffness;   ///< factor on 0.5 E/h (1)
    double damping;     ///< factor on the default damping time (1)
    bool conservative;  ///< k vol N instead of k vol n (E27)
    double stick_speed; ///< m/s below which static friction holds (1e-3)
} FrPenaltyOptions;
FrPenaltyOptions fr_penalty_options_default(void);

/// What one contact did, for the ledger and the events.
typedef struct FrContactForce {
    FrVec3 force;     ///< on a, N
    double normal;    ///< N
    double v_n, v_t;  ///< closing and sliding speed, m/s
    double stiffness; ///< N/m, for the step bound
} FrContactForce;

/// Apply forces to both sides of every contact. `force` (count) is filled.
void fr_penalty_apply(const FrContactList *contacts, const FrMover *movers,
                      const FrPenaltyOptions *options, double dt, FrContactForce *force);

/// Stable step for the stiffest contact a body of this kind can get, s.
double fr_penalty_dt_limit(const FrMover *a, const FrMover *b, const FrPenaltyOptions *options);
