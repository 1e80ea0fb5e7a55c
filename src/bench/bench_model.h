// bench_model.h: models by what they can do.
#pragma once
#include "fracas/world.h"

/// The first that is rigid and bends by modes.
static inline FrModel fr_bench_bending_model(void) {
    int model = 1;
    while (!fr_model_traits((FrModel)model).bends) model++;
    return (FrModel)model;
}

/// The first that moves as a rigid frame.
static inline FrModel fr_bench_rigid_model(void) {
    int model = 1;
    while (!fr_model_traits((FrModel)model).rigid) model++;
    return (FrModel)model;
}
