// radiator.h: the sound pressure on a surface that moves: boundary elements for the Helmholtz
// equation outside a body.
//
// Time goes as e^{+i omega t}, waves as e^{-ikr}; q = dp/dn = rho omega^2 u_n, n out of the body
// [S7 eq. 16]. One pressure per panel, held at its middle [M23].
#pragma once
#include "air/air.h"
#include "air/panels.h"
#include <complex.h>

/// Why a solve ended.
typedef enum FrRadiatorEnd { FR_RADIATOR_CONVERGED, FR_RADIATOR_TIRED } FrRadiatorEnd;

typedef struct FrRadiated {
    int32_t steps;   ///< products with the matrix
    int32_t inside;  ///< rows for points inside the body (CHIEF)
    double residual; ///< of the equations, over their right side
    double power;    ///< that the surface gives off, W
    FrRadiatorEnd end;
} FrRadiated;

/// Room for one surface: a matrix of floats and what an iteration needs.
typedef struct FrRadiator FrRadiator;
/// FR_BAD_INPUT: the surface is not closed.
FrResult fr_radiator_create(FrContext *ctx, const FrPanels *panels, FrRadiator **radiator);
void fr_radiator_destroy(FrRadiator *radiator); ///< accepts NULL
/// p (count) from q (count) at the wave number k, 1/m. FR_NO_MEMORY alone fails.
FrResult fr_radiator_solve(FrRadiator *radiator, double k, const double complex *q,
                           double complex *p, FrRadiated *how);
/// The pressure at a point outside, by the integrals over the surface [S7 eq. 19] (E49).
double complex fr_radiator_field(FrRadiator *radiator, double k, const double complex *q,
                                 const double complex *p, FrVec3 x);
