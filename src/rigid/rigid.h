// rigid.h: a rigid frame: where it is, how it turns, and one step of its motion.
#pragma once
#include "base/bytes.h"
#include "fracas/mesh.h"
#include "math/vec.h"

typedef struct FrRigid {
    FrVec3 x;             ///< centre of mass, m
    FrQuat q;             ///< body axes to world axes
    FrVec3 v;             ///< m/s
    FrVec3 L;             ///< angular momentum about the centre, world axes, kg m^2/s
    double mass;          ///< kg
    FrMat3 inertia;       ///< about the centre, body axes, kg m^2
    FrMat3 inv_inertia;   ///< its inverse
    FrQuat principal;     ///< principal axes to body axes
    FrVec3 moment;        ///< principal moments, kg m^2
    FrVec3 force, torque; ///< gathered for the next step, N, N m
} FrRigid;

/// It does not turn: see fr_rigid_set_spin.
void fr_rigid_init(FrRigid *body, double mass, FrSym3 inertia, FrVec3 x, FrQuat q, FrVec3 v);

/// World inverse inertia, 1/(kg m^2).
FrMat3 fr_rigid_inv_inertia(const FrRigid *body);
FrVec3 fr_rigid_spin(const FrRigid *body);                ///< rad/s
void fr_rigid_set_spin(FrRigid *body, FrVec3 spin);       ///< L from it
FrVec3 fr_rigid_velocity(const FrRigid *body, FrVec3 at); ///< of the point now at `at`, m/s
void fr_rigid_add_force(FrRigid *body, FrVec3 at, FrVec3 force);
void fr_rigid_impulse(FrRigid *body, FrVec3 at, FrVec3 impulse);
/// Velocity at `at` per impulse at `by`, 1/kg [S1 eq. 21].
FrMat3 fr_rigid_mobility(const FrRigid *body, FrVec3 at, FrVec3 by);

/// Turn freely for dt seconds. L is kept exactly; the energy only wavers, by order dt^2, and does
/// not drift: turns about the principal axes in the order 3 2 1 2 3 are a symplectic splitting.
void fr_rigid_turn(FrRigid *body, double dt);
double fr_rigid_kinetic(const FrRigid *body); ///< J

void fr_rigid_save(const FrRigid *body, FrWriter *writer);
void fr_rigid_load(FrRigid *body, FrReader *reader);
