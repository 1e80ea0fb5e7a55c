// modes.h: how a body vibrates: frequencies and mass-normalised shapes.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"

/// Modes of one body, rigid motion left out, ascending. X' M X = 1.
typedef struct FrModes {
    int32_t node_count, mode_count;
    int32_t rigid_count; ///< zero modes that were found and left out
    double *lambda;      ///< squared angular frequency, 1/s^2 (mode_count)
    double *shape;       ///< one mode after the other: 3 * node_count numbers each, kg^-1/2
} FrModes;
void fr_modes_free(FrContext *ctx, FrModes *modes);

/// Damping of mode i: c = alpha1 lambda + alpha2 + eta sqrt(lambda), 1/s; it dies as exp(-c t / 2).
static inline double fr_mode_damping(const FrMaterial *m, double lambda, double omega) {
    return m->alpha1 * lambda + m->alpha2 + m->eta * omega;
}
