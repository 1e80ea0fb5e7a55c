// corot_step.h: what the files of one implicit step share; only corot/corot_*.c include it.
#pragma once
#include "corot/corot_body.h"

/// A body as if it were rigid.
typedef struct FrCorotRigid {
    FrVec3 centre, v; ///< m, m/s
    FrVec3 turn;      ///< angular momentum about the centre, kg m^2/s
    FrMat3 inertia;   ///< kg m^2
} FrCorotRigid;

/// How a body flies on for a while.
typedef struct FrCorotFlight {
    FrVec3 centre;  ///< where its centre comes to, m
    FrVec3 v, spin; ///< of then, m/s, rad/s
    FrMat3 turned;
    double rolled; ///< kinetic energy that it gains by turning, J
} FrCorotFlight;

/// How a free body turned in a step beyond its flight.
typedef struct FrCorotTurn {
    FrVec3 centre, v, spin; ///< before, m; of w, m/s, rad/s
    FrMat3 turned;
} FrCorotTurn;

/// All that takes part in a step.
typedef struct FrCorotWhole {
    FrContext *ctx;
    FrCorot *const *body;
    int32_t count;
    FrMeetStep *step;
    FrCgSystem system;
    FrCgPart *part;       ///< bodies, then the frames, which are one
    FrBlockMatrix frames; ///< their masses and inertias
    FrLink *link;         ///< those that act
    double *base;         ///< of nodes how they fly, m/s (3 node_count)
    double *begun;        ///< right-hand side without contact (3 node_count)
    double limit;         ///< of the residual
    FrCorotReport report;
} FrCorotWhole;

void fr_corot_go_back(FrCorot *b);
bool fr_corot_any_held(const FrCorot *b);
FrCorotRigid fr_corot_rigid_of(const FrCorot *b);
FrCorotFlight fr_corot_fly(const FrCorotRigid *r, double dt);
void fr_corot_move_nodes(FrCorot *b, const FrCorotRigid *r, const FrCorotFlight *f);
void fr_corot_turn_tets(FrCorot *b, const FrMat3 *Q);
FrVec3 fr_corot_departs(const FrCorot *b, int32_t n, const FrCorotFlight *f);
FrCorotTurn fr_corot_turn_of(const FrCorot *b, const double *w, double dt);
void fr_corot_move_by(FrCorot *b, const double *w, const FrCorotTurn *turn, double dt, double *d);
double fr_corot_turn_velocities(FrCorot *b, const FrCorotTurn *turn, const FrCorotRigid *before);
FrCorotRigid fr_corot_momenta_of(const FrCorot *b, const FrCorotTurn *turn);
void fr_corot_solve(FrCorotWhole *w);
void fr_corot_recall_holds(FrCorotWhole *w);
FrResult fr_corot_keep_holds(FrCorotWhole *w);
int32_t fr_corot_first_of(const FrCorotWhole *w, int32_t k);
