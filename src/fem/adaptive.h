// adaptive.h: the energy-watched step: how long the next step is, and whether it was a good one.
//
// One control serves a group of bodies that share a step. Per substep:
//     dt = fr_step_control_begin(control, smallest dt_limit, time left)
//     back up every body; add forces; fr_fem_step(dt)
//     fr_step_control_judge(ctx, control, &watch, broke, &accepted)
//     restore every body when not accepted
// Steps are kept equal where they can be: begin() divides the time left evenly, a step shrinks to
// a twentieth below the cap and grows no further than that, and only by a twentieth or more.
// Besides, the errors of all steps are added up, lost energy with its sign. When a step adds more
// to the sum than a fair part of what is left of the budget, all following ones are shorter (errors
// fall with the cube of the step), down to a quarter of the limit, until the body has lost half of
// its energy. Not sooner: steps that shrink and grow in time with a swing pump it. And not where
// fast undamped modes would gain more from the change (FrStepWatch.jolt) than it saves.
// Nothing in it depends on wall time; save and load it with the bodies.
#pragma once
#include "fem/fem.h"

typedef struct FrStepControl {
    double dt;        ///< what the control thinks right, s; 0: not begun
    double dt_limit;  ///< stable step at the last begin times `part`, s
    double used;      ///< what begin handed out last, s
    double tolerance; ///< energy a step may make from nothing, per (scale + reference) (1e-4)
    double first;     ///< what steps start at, fall to and grow to, over dt_limit (0.855)
    double most;      ///< largest step over dt_limit (0.9)
    double floor;     ///< smallest step over dt_limit (1e-3)
    double reference; ///< largest scale seen, J
    double budget;    ///< what all errors together may come to, over reference (8e-4); 0: no matter
    double drift;   ///< sum of errors and shifts of accepted steps, J: the body's gap in the ledger
    double part;    ///< of the stable step that errors leave, 0.25 to 1
    double settled; ///< energy below which part grows again, J
    int32_t good;   ///< accepted since the last change
    int32_t patience; ///< accepted steps before the step grows (50)
    int64_t accepted, rejected;
} FrStepControl;

FrStepControl fr_step_control_default(void);

/// No step is longer than `most` of the stable one, in (0, 1).
void fr_step_control_cap(FrStepControl *control, double most);

/// Length of the next substep, s: at most `left`, which is divided evenly so that the last substep
/// is no sliver.
double fr_step_control_begin(FrStepControl *control, double dt_limit, double left);

/// Judge the step just made by what its bodies' watches add up to. `broke`: it ended in
/// FR_NUMERICAL. Not accepted: the step is halved and the caller restores. FR_NUMERICAL when the
/// step would fall below the floor.
FrResult fr_step_control_judge(FrContext *ctx, FrStepControl *control, const FrStepWatch *watch,
                               bool broke, bool *accepted);

/// The step just made was too long for what it met: halve it; the caller restores.
void fr_step_control_shorten(FrStepControl *control);

void fr_step_control_save(const FrStepControl *control, FrWriter *writer);
FrResult fr_step_control_load(FrContext *ctx, FrStepControl *control, FrReader *reader);
