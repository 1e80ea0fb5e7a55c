// fem_advance.h: one deformable body alone, stepped by its energy watch.
#pragma once
#include "math/step_control.h"
#include "fem/body.h"

/// Adds forces (and stiffness) for the substep that begins at `time` s from the start of the call.
typedef void FemForces(void *user, FrFem *fem, double time);

/// Carry it `seconds` further in as many substeps as it needs.
static inline FrResult fem_advance(FrFem *fem, FrStepControl *control, double seconds,
                                   FrVec3 gravity, FemForces *forces, void *user) {
    FrContext *ctx = fem->ctx;
    double time = 0.0;
    while (time < seconds) {
        double left = seconds - time;
        fr_fem_backup(fem);
        if (forces) forces(user, fem, time);
        double dt = fr_step_control_begin(control, fr_fem_dt_limit(fem), left);
        bool accepted, broke = fr_fem_step(fem, dt, gravity) != FR_OK;
        FrStepWatch watch = fr_fem_watch(fem);
        FrResult result = fr_step_control_judge(ctx, control, &watch, broke, &accepted);
        if (!accepted) fr_fem_restore(fem);
        if (result != FR_OK) return result;
        if (accepted) time = dt < left ? time + dt : seconds;
        if (fr_context_cancelled(ctx)) return FR_INTERRUPTED;
    }
    return FR_OK;
}
