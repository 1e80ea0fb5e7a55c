// turning.h: what the spin of a frame does to its modes, and they to it: centrifugal and Coriolis
// forces, and inertia that changes as it bends [M33]. S1 leaves them out (s. 3.4.2).
#pragma once
#include "fracas/material.h"
#include "modal/bend.h"
#include "rigid/rigid.h"

typedef struct FrTurning {
    FrContext *ctx;
    int32_t count;
    FrSym3 *inertia; ///< change of inertia per coordinate of a mode, sqrt(kg) m (count)
    double *cross;   ///< integral of rho w_j x w_k: rows x y z of count * count numbers, 1
    double *matrix;  ///< room: spin . cross (count * count)
    double *room;    ///< 3 count
} FrTurning;

/// Of a free body: its mesh, and its materials by region.
FrResult fr_turning_create(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                           const FrBend *bend, FrTurning **turning);
void fr_turning_destroy(FrTurning *turning); ///< accepts NULL

/// Half a step: half before everything else that moves the body, half after it (`after`), so that
/// the whole is of second order and energy does not drift. L stays.
void fr_turning_act(FrTurning *turning, FrBend *bend, FrRigid *rigid, double dt, bool after);
/// What they add to the energy of rigid frame and modes, J.
double fr_turning_energy(const FrTurning *turning, const FrBend *bend, const FrRigid *rigid);
