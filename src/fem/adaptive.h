// adaptive.h: one body alone through some time, in energy-watched steps.
#pragma once
#include "fem/fem.h"
#include "math/step_control.h"

/// Adds forces (and stiffness) for the substep that begins at `time` s from the start of the call.
typedef void FrFemForces(void *user, FrFem *fem, double time);

/// Carry one body `seconds` further in as many substeps as it needs.
FrResult fr_fem_advance(FrContext *ctx, FrFem *fem, FrStepControl *control, double seconds,
                        FrVec3 gravity, FrFemForces *forces, void *user);
