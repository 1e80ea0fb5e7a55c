// meet.h: contacts that are solved together with the bodies that step implicitly.
#pragma once
#include "sparse/block_cg.h"

/// One contact. Nodes of its sides count through all bodies of the step, in their order, then two
/// for each frame: its velocity and its spin.
typedef struct FrMeet {
    FrLink link; ///< who meets whom where; W is found
    uint64_t key;
    FrVec3 n;          ///< unit, pushes a
    double push;       ///< N, should all come to where it is shown
    double k_n, k_t;   ///< stiffness against moving in, and along, N/m
    double mu_s, mu_d; ///< Coulomb
    FrVec3 shown;      ///< velocity of a less that of b when it is shown, m/s
    FrVec3 driven;     ///< the same, of what the system does not move, m/s
    FrVec3 shear;      ///< how far it was sheared and holds, m; after the step: by then
    FrVec3 impulse;    ///< found: on a, N s
    FrVec3 u;          ///< found: velocity of a less that of b at the end, m/s
    double grip;       ///< found, where it slides: friction over speed, kg
    bool open, slides; ///< found
} FrMeet;

/// A rigid frame that takes part; its v and spin are read only.
typedef struct FrMeetFrame {
    double mass;
    FrMat3 inertia; ///< world axes, kg m^2
    FrVec3 v, spin;
} FrMeetFrame;

typedef struct FrMeetStep {
    double dt;
    FrVec3 gravity;
    FrMeet *meet;
    int32_t meet_count;
    const FrMeetFrame *frame;
    int32_t frame_count;
} FrMeetStep;
