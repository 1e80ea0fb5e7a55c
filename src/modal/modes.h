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

/// The same body of other material: stiffness x young (all constants alike), density x density,
/// every length x size. Damping is not in the modes. Poisson's ratio cannot be changed this way.
typedef struct FrRescale {
    double young, density, size; ///< factors, 1
} FrRescale;
void fr_modes_rescale(FrModes *modes, FrRescale by);

/// a_i = omega_i sqrt( integral of (n.w_i)^2 dA / A ): speed of the surface, root mean square, per
/// displacement of the mode, kg^-1/2/s (mode_count). Nodes of `modes` are those of `mesh`.
FrResult fr_modes_couplings(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                            double *coupling);

/// The outside in flat triangles, four for a curved side: nodes of the mesh, counter-clockwise seen
/// from outside. *facets from ctx.
FrResult fr_modes_facets(FrContext *ctx, const FrTetMesh *mesh, int32_t (**facets)[3],
                         int32_t *count);

/// Which modes are kept. Zeros: that limit is off.
typedef struct FrModeFilter {
    double lowest_hz,
        highest_hz;    ///< of the damped tone; over-damped modes have none and are dropped
    double observable; ///< least max_n |w(n)|^2 / lambda, m/N: what the largest force could show
    double below_hz;   ///< for pictures: half the frame rate; over-damped modes are kept
    int32_t count;     ///< no more than this many
} FrModeFilter;
/// What can be heard at a sample rate (Hz).
FrModeFilter fr_mode_filter_audio(double sample_rate);
/// What can be seen: `resolution` m, `force` N, `fps` frames a second.
FrModeFilter fr_mode_filter_visual(double resolution, double force, double fps);
/// Keep those that pass, in their order; the rest is dropped in place.
void fr_modes_select(FrModes *modes, const FrMaterial *material, const FrModeFilter *filter);

/// Angular frequency of the damped tone, rad/s; 0: over-damped.
double fr_mode_tone(const FrMaterial *material, double lambda);
