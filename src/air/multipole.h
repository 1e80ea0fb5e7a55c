// multipole.h: what a surface sends, as waves from one point.
//
//     p(x) = sum_n h_n(kr) sum_l M_l Y_l(x - x0)                                     [S7 eq. 6]
#pragma once
#include "air/panels.h"
#include "air/spherical.h"
#include <complex.h>

/// As many orders as the sound of a body of radius a about x0 needs for 1 %: ceil(ka) + 4, at most
/// FR_SPHERICAL_ORDER. S7's max(kL/4, 4) leaves a third of it out (E59).
int32_t fr_multipole_order(double ka);
/// S7's own, L = 2a: a coarser level of detail.
int32_t fr_multipole_order_coarse(double ka);

/// A surface at one wave number.
typedef struct FrSurfaceSound {
    const FrPanels *panels;
    double k;                ///< 1/m
    const double complex *q; ///< dp/dn (panels->count)
    const double complex *p; ///< (panels->count)
} FrSurfaceSound;

/// M_l about x0, (order + 1)^2 numbers [S7 eq. 22].
FrResult fr_multipole_moments(FrContext *ctx, const FrSurfaceSound *sound, FrVec3 x0, int32_t order,
                              double complex *moment);
